// Asks Nodes for their versions. No program is asked that the user's machine does not have already.
import { execFile } from 'node:child_process';
import { statSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Machine } from './discovery.ts';

/** The oldest Node that runs the language server. */
export const OLDEST_NODE = '20.19.0';
/** A version manager's stand-in may look at the network; longer than this nobody waits for. In milliseconds. */
const MAX_WAIT_MS = 3000;
/** Processes at a time: many versions may be installed, and each start costs tens of milliseconds of processor time. */
const AT_A_TIME = 4;

/** Versions by program, asked for once. */
export class NodeVersions {
  readonly #answers = new Map<string, Promise<string | undefined>>();
  readonly #ask: (path: string) => Promise<string | undefined>;

  constructor(ask: (path: string) => Promise<string | undefined> = askVersion) {
    this.#ask = ask;
  }

  /** `22.11.0`, or undefined when the program does not answer as Node does. */
  of(path: string): Promise<string | undefined> {
    let answer = this.#answers.get(path);
    if (!answer) {
      answer = this.#ask(path);
      this.#answers.set(path, answer);
    }
    return answer;
  }

  /** In the order of the paths. */
  async ofAll(paths: readonly string[]): Promise<(string | undefined)[]> {
    const versions: (string | undefined)[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < paths.length; index = next++) versions[index] = await this.of(paths[index] ?? '');
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return versions;
  }

  /** What was answered may have changed: a version manager points elsewhere. */
  forget(): void {
    this.#answers.clear();
  }
}

/** No shell, and the user's own folder as working directory: nothing of a project decides what is started. */
function askVersion(path: string): Promise<string | undefined> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(
      path,
      ['--version'],
      { cwd: homedir(), env, timeout: MAX_WAIT_MS, killSignal: 'SIGKILL', windowsHide: true, shell: false, maxBuffer: 1024 },
      (error, out) => {
        resolve(error ? undefined : versionIn(out));
      },
    );
  });
}

/** `v22.11.0` as Node prints it; pre-releases count as their release. */
export function versionIn(output: string): string | undefined {
  return /^v(\d+\.\d+\.\d+)(?:-\S+)?\s*$/.exec(output)?.[1];
}

/** Whether a version such as `20.18.1` is new enough for the language server. */
export function canRunServer(version: string): boolean {
  const wanted = OLDEST_NODE.split('.').map(Number);
  const found = version.split('.').map(Number);
  const first = wanted.findIndex((part, index) => part !== found[index]);
  return first === -1 || (found[first] ?? 0) > (wanted[first] ?? 0);
}

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  return {
    platform: process.platform,
    arch: process.arch,
    env: process.env,
    home: homedir(),
    namesIn: (folder) => orElse([], () => readdirSync(folder)),
    isFile: (path) => orElse(false, () => statSync(path).isFile()),
    realPath: (path) => orElse(path, () => realpathSync(path)),
  };
}

/** What cannot be read is as good as missing here. */
function orElse<T>(fallback: T, read: () => T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}
