// A client of TypeScript's server, over its own protocol: what VS Code does for JavaScript.
import { spawn } from 'node:child_process';
import type { Keystroke } from './typing.ts';

export interface Tsserver {
  open(path: string, text: string): Promise<number>;
  /** Sends one keystroke and asks for errors; settles with the number of semantic ones. */
  type(path: string, keystroke: Keystroke): Promise<number>;
  /** Settles when the suggestions have come, too. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

interface Message {
  type: 'event' | 'response';
  event?: string;
  body?: { file?: string; diagnostics?: readonly unknown[]; request_seq?: number };
}

/**
 * `geterr` tells syntactic errors, semantic ones and suggestions, in this order; we wait for the semantic ones and let the rest pass
 * outside of the measured time.
 */
export function startTsserver(tsserverFile: string): Tsserver {
  const child = spawn(process.execPath, [tsserverFile, '--disableAutomaticTypingAcquisition', '--suppressDiagnosticEvents=false'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let seq = 0;
  const send = (command: string, args: object): number => {
    child.stdin.write(`${JSON.stringify({ seq: ++seq, type: 'request', command, arguments: args })}\n`);
    return seq;
  };
  let listener: (message: Message) => void = () => undefined;
  let rest = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const headEnd = rest.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, headEnd).toString())?.[1]);
      const start = headEnd + 4;
      if (rest.length < start + length) return;
      const message = JSON.parse(rest.subarray(start, start + length).toString()) as Message;
      rest = rest.subarray(start + length);
      listener(message);
    }
  });
  /** The errors of a file, and the end of everything that the request does. */
  const errorsOf = (path: string): { semantic: Promise<number>; completed: Promise<void> } => {
    let semantic: (count: number) => void = () => undefined;
    let completed: () => void = () => undefined;
    const answer = {
      semantic: new Promise<number>((resolve) => (semantic = resolve)),
      completed: new Promise<void>((resolve) => (completed = resolve)),
    };
    const own = send('geterr', { files: [path], delay: 0 });
    listener = ({ event, body }) => {
      if (event === 'semanticDiag' && body?.file === path) semantic(body.diagnostics?.length ?? 0);
      else if (event === 'requestCompleted' && body?.request_seq === own) completed();
    };
    return answer;
  };
  let done: Promise<void> = Promise.resolve();
  const ask = (path: string): Promise<number> => {
    const { semantic, completed } = errorsOf(path);
    done = completed;
    return semantic;
  };
  return {
    async open(path, text) {
      send('open', { file: path, fileContent: text, scriptKindName: 'JS' });
      return ask(path);
    },
    async type(path, { line, column, insert }) {
      send('change', { file: path, line: line + 1, offset: column + 1, endLine: line + 1, endOffset: column + 1, insertString: insert });
      return ask(path);
    },
    settle: () => done,
    async close() {
      await done;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      send('exit', {});
      await ended;
    },
  };
}
