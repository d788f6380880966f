// Keeps one language server running: starts it, starts it again after a crash, gives up after the fifth, stops it.
import { messageOf } from '../../protocol/unknown-values.ts';
import type { RestartPolicy } from './restart-policy.ts';

export type ServerState =
  | { kind: 'starting' }
  | { kind: 'running' }
  /** Crashed; starts again after `delay` milliseconds. */
  | { kind: 'waiting'; delay: number }
  /** Crashed too often; only the user starts it again. */
  | { kind: 'given-up' }
  /** Cannot be started at all, e.g. because its file is missing. `reason` is for people. */
  | { kind: 'impossible'; reason: string }
  | { kind: 'stopped' };

/** One process with the client that talks to it. */
export interface Launched<C> {
  client: C;
  /** Resolves when the server answers; rejects when it never will. */
  started: Promise<void>;
  /** Resolves when the server is gone without having been asked to. */
  closed: Promise<void>;
  /** Asks the server to end, and waits for it. */
  stop(): Promise<void>;
  /** Lets go of what a crashed server left behind: its diagnostics, its process if there is one. */
  release(): void;
}

/** Thrown by `launch` when another try would end the same way. The message is for people. */
export class CannotLaunch extends Error {}

export interface SessionDeps<C> {
  launch(): Promise<Launched<C>>;
  policy: RestartPolicy;
  /** Resolves after the time or when the signal is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  onState(state: ServerState): void;
  log(message: string): void;
}

export class ServerSession<C> {
  readonly #deps: SessionDeps<C>;
  #abort: AbortController | undefined;
  #run: Promise<void> = Promise.resolve();
  #client: C | undefined;

  constructor(deps: SessionDeps<C>) {
    this.#deps = deps;
  }

  /** The client of a server that runs. */
  get client(): C | undefined {
    return this.#client;
  }

  /** Starts the server, after the one before is gone. Resolves when it runs, is given up or cannot be started. */
  start(): Promise<void> {
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    const before = this.#run;
    return new Promise<void>((done) => {
      this.#run = before.then(() => this.#keepRunning(signal, done)).finally(done);
    });
  }

  async stop(): Promise<void> {
    this.#abort?.abort();
    await this.#run;
  }

  /** Never rejects. */
  async #keepRunning(signal: AbortSignal, done: () => void): Promise<void> {
    // Another start came first.
    if (signal.aborted) return;
    this.#deps.policy.forget();
    const aborted = new Promise<'aborted'>((resolve) => signal.addEventListener('abort', () => resolve('aborted')));
    let crashed: Launched<C> | undefined;
    while (!signal.aborted) {
      this.#deps.onState({ kind: 'starting' });
      const server = await this.#launch(crashed);
      if (!server) return;
      const start = await Promise.race([
        server.started.then(
          () => 'started' as const,
          (error: unknown) => this.#startFailed(error),
        ),
        server.closed,
        aborted,
      ]);
      // What the crashed server had found stays in sight until the next one can say something.
      crashed?.release();
      if (start === 'aborted') {
        server.release();
        crashed = undefined;
        break;
      }
      if (start === 'started') {
        this.#client = server.client;
        this.#deps.onState({ kind: 'running' });
        done();
        const end = await Promise.race([server.closed, aborted]);
        this.#client = undefined;
        if (end === 'aborted') {
          await this.#stop(server);
          this.#deps.onState({ kind: 'stopped' });
          return;
        }
      }
      crashed = server;
      const delay = this.#deps.policy.crashed();
      if (delay === undefined) {
        server.release();
        this.#deps.log('the language server crashed again and will not be restarted');
        this.#deps.onState({ kind: 'given-up' });
        return;
      }
      this.#deps.log(`the language server stopped; restarting in ${delay} ms`);
      this.#deps.onState({ kind: 'waiting', delay });
      await this.#deps.wait(delay, signal);
    }
    crashed?.release();
    this.#deps.onState({ kind: 'stopped' });
  }

  async #launch(crashed: Launched<C> | undefined): Promise<Launched<C> | undefined> {
    try {
      return await this.#deps.launch();
    } catch (error) {
      crashed?.release();
      const reason = messageOf(error);
      this.#deps.log(error instanceof CannotLaunch ? reason : error instanceof Error ? (error.stack ?? reason) : reason);
      this.#deps.onState({ kind: 'impossible', reason });
      return undefined;
    }
  }

  #startFailed(error: unknown): 'failed' {
    this.#deps.log(`the language server did not start: ${messageOf(error)}`);
    return 'failed';
  }

  async #stop(server: Launched<C>): Promise<void> {
    try {
      await server.stop();
    } catch (error) {
      this.#deps.log(`the language server did not stop when asked: ${messageOf(error)}`);
      server.release();
    }
  }
}
