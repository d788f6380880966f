// The process that answers the tools for one folder. It starts with the first call, and ends when nobody has called for a while: it keeps
// the pages of its answers until then.
import { fork, type ChildProcess } from 'node:child_process';
import type { AgentToolName, ToolMessage, ToolReply } from '../../protocol/agent-tools.ts';

export interface ToolProcessOptions {
  /** Absolute path of the program. */
  file: string;
  /** The Node that runs it, and what it proves. */
  runtime: string;
  /** Folder to serve, and further arguments. */
  args: readonly string[];
  /** The extension's own folder: nothing of a project decides what is loaded. */
  cwd: string;
  log(message: string): void;
  idleMs?: number;
}

export interface ToolAnswer {
  text: string;
  isError: boolean;
}

/** An agent reads on within minutes. Our choice. */
const IDLE_MS = 10 * 60_000;

interface Waiting {
  resolve(answer: ToolAnswer): void;
  reject(error: Error): void;
}

export class ToolProcess {
  readonly #options: ToolProcessOptions;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #calls = 0;

  constructor(options: ToolProcessOptions) {
    this.#options = options;
  }

  /** Rejects where the process ends before it has answered. */
  call(tool: AgentToolName, args: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const id = ++this.#calls;
    clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    const send = (message: ToolMessage): void => {
      child.send(message, (error) => {
        if (error) this.#waiting.get(id)?.reject(error);
      });
    };
    const cancel = (): void => send({ cancel: id });
    return new Promise<ToolAnswer>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      send({ id, tool, arguments: args });
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
    }).finally(() => {
      signal.removeEventListener('abort', cancel);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.#endIdle(), this.#options.idleMs ?? IDLE_MS).unref();
    });
  }

  /** Its runs end with it. */
  dispose(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    if (child?.connected) child.disconnect();
    this.#rejectAll('The window has ended it.');
  }

  #endIdle(): void {
    this.#options.log('nobody calls the tools: their process ends');
    this.dispose();
  }

  #start(): ChildProcess {
    const { file, runtime, args, cwd, log } = this.#options;
    const { NODE_OPTIONS: _, ELECTRON_RUN_AS_NODE: __, ...env } = process.env;
    const child = fork(file, [...args], {
      execPath: runtime,
      execArgv: [],
      cwd,
      // VS Code's own program is a Node with this alone. Other programs, and what they run, are not told.
      env: runtime === process.execPath ? { ...env, ELECTRON_RUN_AS_NODE: '1' } : env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'json',
    });
    child.on('message', (reply: ToolReply) => this.#waiting.get(reply.id)?.resolve({ text: reply.text, isError: reply.isError }));
    const ended = (why: string): void => {
      if (this.#child !== child) return;
      this.#child = undefined;
      log(`the process of the tools ended: ${why}`);
      this.#rejectAll(why);
    };
    child.once('error', (error) => ended(error.message));
    child.once('exit', (code, killedBy) => ended(`exit code ${code ?? killedBy ?? 'unknown'}`));
    return child;
  }

  #rejectAll(why: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(`Nodometer did not answer: ${why}`));
  }
}
