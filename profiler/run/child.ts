// The one place of the profiler that starts anything: an argument array, no shell, a process group of its own, and limits on time, output
// and disk.
import { messageOf } from '../../protocol/unknown-values.ts';
import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startGuard } from './guard.ts';
import { findMembers, isSuspended, killAll, killOnce, residentBytes, watchesMemory, type Group } from './process-group.ts';

export interface ChildRequest {
  executable: string;
  arguments: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Text that only this child's environment has. */
  marker: string;
  wallMs: number;
  /** Kept of each stream. */
  outputBytes: number;
  /** Its size is watched; removed when the host ends before the child. */
  folder?: { path: string; bytes: number };
  /** Of all its processes together; watched where the system tells (Linux). */
  memoryBytes?: number;
  signal?: AbortSignal;
  /** A file that takes its standard output instead of the caller: on Windows, a process cannot give its descriptor 1 to a file. */
  outputFile?: string;
  /** The child waits for this before it measures. That time does not count. */
  hold?: Promise<unknown>;
  /** From when on it waits; from the start unless said. */
  held?: Promise<void>;
}

export interface CapturedOutput {
  text: string;
  /** In all, also what was not kept. */
  bytes: number;
}

export interface ChildEnd {
  cause: 'exit' | 'time-limit' | 'output-limit' | 'folder-limit' | 'memory-limit' | 'suspended' | 'aborted' | 'not-started';
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: CapturedOutput;
  stderr: CapturedOutput;
  /** Of the system, when the child could not be started. */
  error?: string;
  /** From its start to its exit, in ms. */
  elapsedMs: number;
  /** Processes that were still running when the child had ended, and were ended; 0 where the system does not tell. */
  leftBehind: number;
  /** Of a run that was ended because it took more, in bytes. */
  memoryLimit?: number;
}

// A program that writes more than so many times what is kept will not stop by itself.
const STOP_OUTPUT_FACTOR = 64;
const FOLDER_POLL_MS = 200;
/** A program can take several GB in a second. */
const MEMORY_POLL_MS = 100;
/** Looking through all processes of the system takes some ms. */
const MEMBERS_POLL_MS = 1000;
/** Who suspends it only to go on is faster. */
const SUSPENDED_POLL_MS = 500;
const SUSPENDED_POLLS = 3;
// After everything was killed the pipes close at once; a process that nobody may kill could hold them.
const CLOSE_WITHIN_MS = 500;
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function runChild(request: ChildRequest): Promise<ChildEnd> {
  const { executable, env, cwd, marker, wallMs, outputBytes, folder, signal: abort, hold, held } = request;
  const stdout = new Capture(outputBytes);
  const stderr = new Capture(outputBytes);
  const notStarted = (error: string): ChildEnd => ({
    cause: 'not-started',
    code: null,
    signal: null,
    stdout: stdout.get(),
    stderr: stderr.get(),
    error,
    elapsedMs: 0,
    leftBehind: 0,
  });
  if (abort?.aborted) return Promise.resolve({ ...notStarted('aborted'), cause: 'aborted' });
  return new Promise((resolve) => {
    let child;
    let output: number | undefined;
    const guard = folder && startGuard(marker, folder.path);
    const began = performance.now();
    let elapsedMs = 0;
    try {
      if (request.outputFile !== undefined) output = openSync(request.outputFile, 'wx');
      child = spawn(executable, [...request.arguments], {
        cwd,
        env: { ...env },
        shell: false,
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: ['ignore', output ?? 'pipe', 'pipe'],
      });
    } catch (error) {
      // An argument with a NUL character, for one.
      guard?.release();
      resolve(notStarted(messageOf(error)));
      return;
    } finally {
      if (output !== undefined) closeSync(output);
    }
    const { pid } = child;
    if (pid === undefined) {
      guard?.release();
      child.on('error', (error) => resolve(notStarted(error.message)));
      return;
    }
    guard?.watch(pid);
    const group: Group = { pid, marker, seen: new Map() };
    let cause: ChildEnd['cause'] = 'exit';
    let leftBehind = 0;
    let ending: Promise<unknown> | undefined;
    const end = (why: ChildEnd['cause']): void => {
      if (cause === 'exit') cause = why;
      ending ??= killAll(group);
    };

    const onHostExit = (): void => {
      killOnce(group);
      if (folder) rmSync(folder.path, { recursive: true, force: true });
    };
    const onHostSignal = (name: NodeJS.Signals): void => {
      onHostExit();
      for (const one of ENDING_SIGNALS) process.removeListener(one, onHostSignal);
      // A listener keeps Node from ending; without others of its own the host ends as it would have.
      if (process.listenerCount(name) === 0) process.kill(process.pid, name);
    };
    const onAbort = (): void => end('aborted');
    process.on('exit', onHostExit);
    for (const name of ENDING_SIGNALS) process.on(name, onHostSignal);
    abort?.addEventListener('abort', onAbort, { once: true });
    let hasEnded = false;
    let settled = false;
    let wall: NodeJS.Timeout | undefined;
    let left = wallMs;
    let started = 0;
    let isReleased = hold === undefined;
    const startClock = (): void => {
      if (hasEnded || wall) return;
      started = performance.now();
      wall = setTimeout(() => end('time-limit'), left);
    };
    const stopClock = (): void => {
      if (isReleased) return;
      clearTimeout(wall);
      wall = undefined;
      left -= performance.now() - started;
    };
    if (!hold || held) startClock();
    void held?.then(stopClock);
    void hold?.then(() => {
      isReleased = true;
      startClock();
    });
    const poll =
      folder &&
      setInterval(() => {
        if (sizeOf(folder.path) > folder.bytes) end('folder-limit');
      }, FOLDER_POLL_MS);

    // It would sleep until its time is up, in each run.
    let suspendedPolls = 0;
    const watchState = setInterval(() => {
      suspendedPolls = isSuspended(pid) ? suspendedPolls + 1 : 0;
      if (suspendedPolls >= SUSPENDED_POLLS) end('suspended');
    }, SUSPENDED_POLL_MS);

    const { memoryBytes } = request;
    const watchMemory =
      memoryBytes !== undefined &&
      watchesMemory() &&
      watchGroup(group, (bytes) => {
        if (bytes > memoryBytes) end('memory-limit');
      });

    for (const [stream, capture] of [
      [child.stdout, stdout],
      [child.stderr, stderr],
    ] as const) {
      stream?.on('data', (chunk: Buffer) => {
        capture.add(chunk);
        if (capture.bytes > outputBytes * STOP_OUTPUT_FACTOR) end('output-limit');
      });
      // A pipe that breaks while everything is killed is the end of the output, no more.
      stream?.on('error', () => stream.destroy());
    }
    const settle = (code: number | null, name: NodeJS.Signals | null): void => {
      if (settled) return;
      settled = true;
      clearTimeout(wall);
      clearInterval(poll);
      clearInterval(watchState);
      if (watchMemory) watchMemory();
      guard?.release();
      abort?.removeEventListener('abort', onAbort);
      process.removeListener('exit', onHostExit);
      for (const one of ENDING_SIGNALS) process.removeListener(one, onHostSignal);
      resolve({
        cause,
        code,
        signal: name,
        stdout: stdout.get(),
        stderr: stderr.get(),
        elapsedMs,
        leftBehind,
        ...(cause === 'memory-limit' ? { memoryLimit: memoryBytes } : {}),
      });
    };
    child.on('error', () => end('aborted'));
    child.once('exit', (code, name) => {
      hasEnded = true;
      elapsedMs = performance.now() - began;
      clearTimeout(wall);
      const closed = new Promise<void>((done) => {
        child.once('close', () => done());
      });
      // What the child started and did not end goes with it, also after a good end.
      void Promise.resolve(ending)
        .then(() => killAll(group))
        .then((found) => {
          if (cause === 'exit') leftBehind = found;
          const late = setTimeout(() => {
            child.stdout?.destroy();
            child.stderr?.destroy();
          }, CLOSE_WITHIN_MS);
          return closed.then(() => clearTimeout(late));
        })
        .then(() => settle(code, name));
    });
  });
}

/** Tells how much memory the group takes, again and again. What it has seen of the group is ended with it. @returns ends it */
function watchGroup(group: Group, tell: (bytes: number) => void): () => void {
  let members: readonly number[] = [group.pid];
  const memory = setInterval(() => tell(members.reduce((sum, id) => sum + residentBytes(id), 0)), MEMORY_POLL_MS);
  const look = setInterval(() => {
    members = findMembers(group);
  }, MEMBERS_POLL_MS);
  return () => {
    clearInterval(memory);
    clearInterval(look);
  };
}

class Capture {
  bytes = 0;
  readonly #limit: number;
  readonly #kept: Buffer[] = [];
  #room: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.#room = limit;
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.#room === 0) return;
    const kept = chunk.subarray(0, this.#room);
    this.#kept.push(kept);
    this.#room -= kept.length;
  }

  get(): CapturedOutput {
    const text = Buffer.concat(this.#kept).toString('utf8');
    // The limit may cut a character in two.
    return { text: this.bytes > this.#limit ? text.replace(/\uFFFD$/, '') : text, bytes: this.bytes };
  }
}

function sizeOf(folder: string): number {
  let sum = 0;
  try {
    for (const name of readdirSync(folder)) sum += statSync(join(folder, name)).size;
  } catch {
    // A file, or the folder, went away while it was read; the next look tells.
  }
  return sum;
}
