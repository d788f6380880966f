// What calls of other files make of a function, as an editor sees it: findings about kinds of values and about queues that come and go with
// the other file.
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { folderWith } from '../../cli/support.ts';
import { placesOf, SIMPLE_EDITOR, uriOf, withServer, type Session } from '../harness.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

type Test = (session: Session, uri: (name: string) => string) => Promise<void>;

function inProject(files: Readonly<Record<string, string>>, test: Test, isWhole = false): () => Promise<void> {
  return async () => {
    const folder = folderWith(files);
    const uri = (name: string) => uriOf(join(folder.path, name));
    try {
      await withServer({ folders: [folder.path], ...(isWhole ? { capabilities: SIMPLE_EDITOR } : {}) }, async (session) => {
        if (isWhole) {
          await session.configure({ lintScope: 'workspace' });
          await session.until('that the workspace was linted', () => session.logs.some(({ message }) => message.startsWith('Linted ')));
          await session.indexed();
        }
        await test(session, uri);
      })();
    } finally {
      folder.dispose();
    }
  };
}

const TRIES = 50;

/** Pulls until the answer is that one; the index works meanwhile. */
async function untilPulled(session: Session, uri: string, places: readonly string[]): Promise<void> {
  for (let i = 0; i < TRIES; i++) {
    await session.indexed();
    if ((await session.places(uri)).join() === places.join()) return;
  }
  assert.deepEqual(await session.places(uri), places);
}

/** Until an editor that is sent everything shows that of a file. */
async function untilShown(session: Session, uri: string, places: readonly string[]): Promise<void> {
  await session.until(
    `${places.join(', ') || 'nothing'} in ${basename(uri)}`,
    () => placesOf(session.published.filter((one) => one.uri === uri).at(-1)?.diagnostics ?? []).join() === places.join(),
  );
}

const ADD = dedent`
  export function add(a, b) {
    return a + b;
  }

`;
const TOTAL = dedent`
    import { add } from './add.js';
    export function total(n) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += add(i, 1);
      return sum;
    }

  `;
const LABEL = dedent`
  import { add } from './add.js';
  export const label = () => add('a', 'b');

`;
const TYPES = { 'package.json': '{ "type": "module" }', 'add.js': ADD, 'total.js': TOTAL, 'label.js': LABEL };
const TYPES_PLACES = ['2:10 no-polymorphic-call'];

const DRAIN = dedent`
    import { schedule } from './schedule.js';
    export function drain(jobs) {
      const job = jobs.shift();
      if (!job) return;
      job();
      schedule(jobs);
    }

  `;
const SCHEDULE = dedent`
  import { drain } from './drain.js';
  export function schedule(jobs) {
    process.nextTick(drain, jobs);
  }

`;
const ROUNDS = { 'package.json': '{ "type": "module" }', 'drain.js': DRAIN, 'schedule.js': SCHEDULE };
const ROUNDS_PLACES = ['3:3 no-microtask-starvation'];

describe('kinds of values that other files hand over', () => {
  it(
    'are told where they meet, go when a call elsewhere hands over another, and come back',
    inProject(TYPES, async (session, uri) => {
      await session.open(uri('add.js'), ADD);
      await untilPulled(session, uri('add.js'), TYPES_PLACES);
      const [finding] = await session.diagnose(uri('add.js'));
      assert.deepEqual(
        finding?.relatedInformation?.map(
          ({ location, message }) => `${basename(location.uri)}:${location.range.start.line + 1} ${message}`,
        ),
        ['label.js:2 a string', 'total.js:4 a number (in a loop)'],
      );
      await session.open(uri('label.js'), LABEL);
      await session.refreshed(() => session.replace(uri('label.js'), "add('a', 'b')", 'add(2, 3)'));
      await untilPulled(session, uri('add.js'), []);
      await session.refreshed(() => session.replace(uri('label.js'), 'add(2, 3)', "add('a', 'b')"));
      await untilPulled(session, uri('add.js'), TYPES_PLACES);
    }),
  );

  it(
    'are told while the function moves, and not of one that asks for the type',
    inProject(TYPES, async (session, uri) => {
      await session.open(uri('add.js'), ADD);
      await untilPulled(session, uri('add.js'), TYPES_PLACES);
      await session.change(uri('add.js'), {
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        text: '// sums\n\n',
      });
      assert.deepEqual(await session.places(uri('add.js')), ['4:10 no-polymorphic-call']);
      await session.replace(
        uri('add.js'),
        'return a + b;',
        dedent`
        if (typeof a === 'string') return \`\${a}\${b}\`;
          return a + b;
      `,
      );
      await untilPulled(session, uri('add.js'), []);
    }),
  );

  it(
    'of a file that is not open, too',
    inProject(
      TYPES,
      async (session, uri) => {
        await untilShown(session, uri('add.js'), TYPES_PLACES);
        await session.open(uri('total.js'), TOTAL);
        await session.replace(uri('total.js'), 'i < n', 'i < 5');
        await untilShown(session, uri('add.js'), []);
        await session.replace(uri('total.js'), 'i < 5', 'i < n');
        await untilShown(session, uri('add.js'), TYPES_PLACES);
      },
      true,
    ),
  );
});

describe('functions of several files that queue each other', () => {
  it(
    'are told, go when the other file lets the event loop turn, and come back',
    inProject(ROUNDS, async (session, uri) => {
      await session.open(uri('schedule.js'), SCHEDULE);
      await untilPulled(session, uri('schedule.js'), ROUNDS_PLACES);
      const [finding] = await session.diagnose(uri('schedule.js'));
      assert.deepEqual(
        finding?.relatedInformation?.map(
          ({ location, message }) => `${basename(location.uri)}:${location.range.start.line + 1} ${message}`,
        ),
        ['drain.js:6 calls `schedule`'],
      );
      await session.open(uri('drain.js'), DRAIN);
      await session.refreshed(() => session.replace(uri('drain.js'), 'schedule(jobs);', 'setImmediate(() => schedule(jobs));'));
      await untilPulled(session, uri('schedule.js'), []);
      await session.refreshed(() => session.replace(uri('drain.js'), 'setImmediate(() => schedule(jobs));', 'schedule(jobs);'));
      await untilPulled(session, uri('schedule.js'), ROUNDS_PLACES);
    }),
  );

  it(
    'move with what is typed',
    inProject(ROUNDS, async (session, uri) => {
      await session.open(uri('schedule.js'), SCHEDULE);
      await untilPulled(session, uri('schedule.js'), ROUNDS_PLACES);
      await session.change(uri('schedule.js'), { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, text: '\n' });
      assert.deepEqual(await session.places(uri('schedule.js')), ['4:3 no-microtask-starvation']);
      await session.replace(uri('schedule.js'), 'process.nextTick', 'setImmediate');
      assert.deepEqual(await session.places(uri('schedule.js')), []);
    }),
  );

  it(
    'of a file that is not open, too',
    inProject(
      ROUNDS,
      async (session, uri) => {
        await untilShown(session, uri('schedule.js'), ROUNDS_PLACES);
        await session.open(uri('drain.js'), DRAIN);
        await session.replace(uri('drain.js'), 'schedule(jobs);', 'void 0;');
        await untilShown(session, uri('schedule.js'), []);
        await session.replace(uri('drain.js'), 'void 0;', 'schedule(jobs);');
        await untilShown(session, uri('schedule.js'), ROUNDS_PLACES);
      },
      true,
    ),
  );
});
