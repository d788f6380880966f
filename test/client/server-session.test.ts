// A server that is started, crashes, hangs, cannot be found or is told to stop: with processes that exist only here.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RestartPolicy } from '../../client/session/restart-policy.ts';
import { CannotLaunch, ServerSession, type ServerState } from '../../client/session/server-session.ts';

/** One process that never was. */
interface Fake {
  answers(): void;
  fails(): void;
  crashes(): void;
}

class Stage {
  readonly events: string[] = [];
  readonly servers: Fake[] = [];
  /** What a wait after a crash is waiting for; resolved at once unless a test takes it. */
  wait: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  problem: Error | undefined;
  readonly session = new ServerSession<number>({
    launch: async () => {
      if (this.problem) throw this.problem;
      const id = this.servers.length + 1;
      const { promise: started, resolve: answers, reject } = deferred();
      const { promise: closed, resolve: crashes } = deferred();
      this.servers.push({ answers, crashes, fails: () => reject(new Error('no answer')) });
      this.events.push(`launch ${id}`);
      return {
        client: id,
        started,
        closed,
        stop: async () => void this.events.push(`stop ${id}`),
        release: () => void this.events.push(`release ${id}`),
      };
    },
    policy: new RestartPolicy(() => 0),
    wait: (milliseconds, signal) => {
      this.events.push(`wait ${milliseconds}`);
      return this.wait(signal);
    },
    onState: (state: ServerState) => void this.events.push(state.kind === 'impossible' ? `impossible: ${state.reason}` : state.kind),
    log: () => undefined,
  });

  /** The last server that was launched, after everything has run that waits for nothing but its turn. */
  async last(): Promise<Fake> {
    await new Promise((resolve) => setImmediate(resolve));
    const server = this.servers.at(-1);
    assert.ok(server, 'no server was launched');
    return server;
  }

  /** What happened since the last call. */
  async seen(): Promise<string[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.events.splice(0);
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}

describe('the session of a language server', () => {
  it('starts and stops', async () => {
    const stage = new Stage();
    const started = stage.session.start();
    (await stage.last()).answers();
    await started;
    assert.equal(stage.session.client, 1);
    await stage.session.stop();
    assert.equal(stage.session.client, undefined);
    assert.deepEqual(await stage.seen(), ['starting', 'launch 1', 'running', 'stop 1', 'stopped']);
  });

  it('starts another server after a crash, and keeps what the first had found until that one runs', async () => {
    const stage = new Stage();
    void stage.session.start();
    (await stage.last()).answers();
    await stage.seen();
    (await stage.last()).crashes();
    assert.deepEqual(await stage.seen(), ['waiting', 'wait 250', 'starting', 'launch 2']);
    assert.equal(stage.session.client, undefined);
    (await stage.last()).answers();
    assert.deepEqual(await stage.seen(), ['release 1', 'running']);
    assert.equal(stage.session.client, 2);
    await stage.session.stop();
  });

  it('gives up after the fifth crash, until the user starts it', async () => {
    const stage = new Stage();
    const started = stage.session.start();
    for (let crash = 1; crash <= 5; crash++) {
      const server = await stage.last();
      // Some servers crash at work, others while they start.
      if (crash % 2 === 0) server.answers();
      server.crashes();
    }
    await started;
    assert.deepEqual(
      (await stage.seen()).filter((event) => /wait |given-up|launch/.test(event)),
      ['launch 1', 'wait 250', 'launch 2', 'wait 500', 'launch 3', 'wait 1000', 'launch 4', 'wait 2000', 'launch 5', 'given-up'],
    );
    const again = stage.session.start();
    (await stage.last()).answers();
    await again;
    assert.equal(stage.session.client, 6);
    await stage.session.stop();
    const released = stage.events.filter((event) => event.startsWith('release'));
    assert.deepEqual(released, [], 'everything that crashed was released before');
  });

  it('releases every server that crashed', async () => {
    const stage = new Stage();
    void stage.session.start();
    for (let crash = 1; crash <= 5; crash++) (await stage.last()).crashes();
    assert.deepEqual(
      (await stage.seen()).filter((event) => event.startsWith('release')),
      ['release 1', 'release 2', 'release 3', 'release 4', 'release 5'],
    );
  });

  it('takes a server that does not answer for one that crashed', async () => {
    const stage = new Stage();
    void stage.session.start();
    (await stage.last()).fails();
    assert.deepEqual(await stage.seen(), ['starting', 'launch 1', 'waiting', 'wait 250', 'starting', 'launch 2']);
    (await stage.last()).answers();
    await stage.seen();
    await stage.session.stop();
  });

  it('says why a server cannot be launched, and tries no more by itself', async () => {
    const stage = new Stage();
    stage.problem = new CannotLaunch('the file is missing');
    await stage.session.start();
    assert.deepEqual(await stage.seen(), ['starting', 'impossible: the file is missing']);
    stage.problem = undefined;
    const started = stage.session.start();
    (await stage.last()).answers();
    await started;
    assert.equal(stage.session.client, 1);
    await stage.session.stop();
  });

  it('stops while it waits, and while a server hangs before its first answer', async () => {
    const waiting = new Stage();
    waiting.wait = (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    void waiting.session.start();
    (await waiting.last()).crashes();
    await waiting.seen();
    await waiting.session.stop();
    assert.deepEqual(await waiting.seen(), ['release 1', 'stopped']);

    const hanging = new Stage();
    void hanging.session.start();
    await hanging.last();
    await hanging.session.stop();
    assert.deepEqual(await hanging.seen(), ['starting', 'launch 1', 'release 1', 'stopped']);
  });

  it('has one server when it is started twice at once', async () => {
    const stage = new Stage();
    void stage.session.start();
    const second = stage.session.start();
    (await stage.last()).answers();
    await second;
    const events = await stage.seen();
    const alive =
      events.filter((event) => event.startsWith('launch')).length - events.filter((event) => /^(?:stop|release) /.test(event)).length;
    assert.equal(alive, 1, events.join(', '));
    await stage.session.stop();
  });
});
