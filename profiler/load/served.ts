// One server under load, once: started as the profiler starts programs, found on its port, asked once, then put under load, and ended with
// all that it started.
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramRequest } from '../../protocol/evidence.ts';
import type { NodeBinary } from '../plan/node-binary.ts';
import type { Loading, Replacement, Target } from '../plan/plan.ts';
import { recordsOf, type RunRecord } from '../parse/records.ts';
import { lastWords, packageRemedy } from '../run/failure.ts';
import { firstSentence } from '../run/shown-error.ts';
import { runNode, type RunOutcome } from '../run/run.ts';
import { makeOwnFolder } from '../run/run-folder.ts';
import { generateLoad, type GeneratorResult } from './generator.ts';
import { findServer, withType } from './server.ts';

/** A program that starts a server. */
export interface LoadedProgram {
  node: NodeBinary;
  target: Target & { type: 'file' | 'command' };
  cwd: string;
  env?: Readonly<Record<string, string | undefined>>;
  flags?: readonly string[];
  loading?: Loading;
  replacements?: readonly Replacement[];
}

export interface Load {
  request: ProgramRequest;
  connections: number;
  /** Requests a second in all; as many as are answered unless said. */
  rate?: number;
  warmUpMs: number;
  measureMs: number;
}

export interface ServedOptions {
  /** Blocking calls, stacks of blocks and the like are looked for, which takes its time. */
  diagnoses: boolean;
  signal?: AbortSignal;
  /** For temporary folders; the system's unless said. */
  tempFolder?: string;
  /** How long the program may take to listen, in ms. */
  listenMs?: number;
  /** The host's environment; `process.env` unless said. */
  hostEnv?: Readonly<Record<string, string | undefined>>;
}

export type ServedOutcome =
  | {
      ok: true;
      result: GeneratorResult;
      records: readonly RunRecord[];
      /** Why the server ended before the load did, as a sentence. */
      died?: string;
      /** Processes that the program had started and not ended; they were ended. */
      leftBehind: number;
    }
  /** `reason`: one sentence or more. */
  | { ok: false; reason: string; aborted: boolean };

export const LISTEN_MS = 15_000;
/** For the probe of the route, and for what comes after the window, in ms. */
const AROUND_MS = 20_000;
/** Longer than the harness waits for the load generator: a server that is stuck does not end itself, in ms. */
const END_WITHIN_MS = 5000;
/** Servers take what they need, up to this. */
const HEAP_MB = 2048;
/** A server may log each request: so much is kept, and 64 times as much may be written. */
const OUTPUT_BYTES = 16 * 1024 * 1024;

export async function serveUnderLoad(program: LoadedProgram, load: Load, options: ServedOptions): Promise<ServedOutcome> {
  const { signal } = options;
  if (signal?.aborted) return { ok: false, reason: 'Stopped.', aborted: true };
  const folder = makeOwnFolder(options.tempFolder ?? tmpdir(), 'load');
  const windowFile = join(folder, 'window.json');
  const forget = removedAtEnd(folder, signal);
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const server = startServer(program, load, { ...options, windowFile, signal: ending.signal });
    const listening = await Promise.race([server.listening, server.ended.then(() => undefined), timeLimit(options.listenMs ?? LISTEN_MS)]);
    if (!listening) {
      const isAlive = !server.hasEnded();
      stop();
      return {
        ok: false,
        reason: whyNoServer(await server.ended, isAlive, options.listenMs ?? LISTEN_MS),
        aborted: signal?.aborted === true,
      };
    }
    const found = await findServer(listening, load.request, ending.signal);
    if (!found.ok) {
      const hasEnded = server.hasEnded();
      stop();
      const outcome = await server.ended;
      return {
        ok: false,
        reason: hasEnded ? `The server ended at the first request: ${whyEnded(outcome)}` : found.reason,
        aborted: signal?.aborted === true,
      };
    }
    const request = { ...load.request, headers: withType(load.request.headers, load.request.body) };
    const order = { ...load, request, protocol: found.protocol, port: found.port, windowFile };
    const generated = await generateLoad(order, folder, ending.signal);
    const hadEnded = server.hasEnded();
    if (!generated.ok) stop();
    // It ends itself when the window is over, unless its loop does not turn any more.
    const late = setTimeout(stop, END_WITHIN_MS);
    const outcome = await server.ended;
    clearTimeout(late);
    if (signal?.aborted) return { ok: false, reason: 'Stopped.', aborted: true };
    if (!generated.ok) return { ok: false, reason: generated.reason, aborted: false };
    const records = outcome.value ?? [];
    const isDead = hadEnded && !recordsOf(records, 'ended').some(({ by }) => by === 'budget');
    return { ok: true, result: generated.result, records, leftBehind: outcome.leftBehind, ...(isDead && { died: whyEnded(outcome) }) };
  } finally {
    stop();
    signal?.removeEventListener('abort', stop);
    await rm(folder, { recursive: true, force: true });
    forget();
  }
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Where the host ends by a signal, nothing of the above comes to run. The first one that stops the measurement lets it come to its end.
 * @returns what takes this back
 */
function removedAtEnd(folder: string, signal: AbortSignal | undefined): () => void {
  let isStopping = false;
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const onSignal = (name: NodeJS.Signals): void => {
    if (signal?.aborted && !isStopping) {
      isStopping = true;
      return;
    }
    remove();
    forget();
    // As `run/child.ts`: a listener keeps Node from ending; without others the host ends as it would have.
    if (process.listenerCount(name) === 0) process.kill(process.pid, name);
  };
  const forget = (): void => {
    process.removeListener('exit', remove);
    for (const name of ENDING_SIGNALS) process.removeListener(name, onSignal);
  };
  process.on('exit', remove);
  for (const name of ENDING_SIGNALS) process.on(name, onSignal);
  return forget;
}

interface Server {
  /** The records by then. */
  listening: Promise<readonly RunRecord[]>;
  ended: Promise<RunOutcome<readonly RunRecord[]>>;
  hasEnded(): boolean;
}

function startServer(
  { node, target, cwd, env, flags, loading, replacements }: LoadedProgram,
  { warmUpMs, measureMs }: Load,
  { windowFile, diagnoses, signal, tempFolder, hostEnv, listenMs = LISTEN_MS }: ServedOptions & { windowFile: string },
): Server {
  let told: (records: readonly RunRecord[]) => void = () => undefined;
  const listening = new Promise<readonly RunRecord[]>((resolve) => {
    told = resolve;
  });
  let isOver = false;
  const ended = runNode(
    {
      kind: 'load',
      node,
      target,
      cwd,
      env,
      flags,
      loading,
      replacements,
      window: { file: windowFile, diagnoses },
      limits: { wallMs: listenMs + warmUpMs + measureMs + AROUND_MS, measureMs, heapMb: HEAP_MB, outputBytes: OUTPUT_BYTES },
    },
    ({ records }) => records,
    { signal, tempFolder, hostEnv, reached: (_, records) => told(records) },
  ).finally(() => {
    isOver = true;
  });
  return { listening, ended, hasEnded: () => isOver };
}

async function timeLimit(ms: number): Promise<undefined> {
  // Nobody waits for it when the server has come.
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}

/** What no variable changes. */
const NOT_THE_ENVIRONMENT = /^(?:SyntaxError|ReferenceError|(?:ERR_)?MODULE_NOT_FOUND|ERR_REQUIRE_ESM|ERR_UNKNOWN_FILE_EXTENSION)$/;
const REMEDY = ' If it needs environment variables, set them for this command, such as `PORT=3000 nodometer load …`.';

function whyNoServer(outcome: RunOutcome<readonly RunRecord[]>, isAlive: boolean, listenMs: number): string {
  const records = outcome.value ?? [];
  const servers = recordsOf(records, 'listening');
  if (servers.length > 0) return 'The program listens, but not with an HTTP server, so there is nothing to put under load.';
  if (isAlive) return `The program started no server within ${listenMs / 1000} s in one of its main threads.`;
  const thrown = recordsOf(records, 'failure')[0]?.error;
  const isCode = thrown !== undefined && NOT_THE_ENVIRONMENT.test(thrown.code ?? thrown.type);
  return `The program started no server: ${whyEnded(outcome)}${isCode ? '' : REMEDY}`;
}

/** Why it ended, as a sentence. */
function whyEnded(outcome: RunOutcome<readonly RunRecord[]>): string {
  const failure = recordsOf(outcome.value ?? [], 'failure')[0]?.error;
  const isGone = outcome.ok || outcome.kind === 'aborted';
  if (failure)
    return `an uncaught error ended it: ${failure.type}: ${firstSentence(failure.message).replace(/\.$/, '')}.${packageRemedy(failure)}`;
  if (!isGone) return outcome.reason.charAt(0).toLowerCase() + outcome.reason.slice(1);
  return `it exited with code ${outcome.exitCode}${lastWords(outcome.stderr.text)}.`;
}
