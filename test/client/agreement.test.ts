// The question before the first run: what each answer is remembered as.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agreementOf, detailOf, type Answer } from '../../client/profile/agreement.ts';
import { english as t } from './english.ts';
import { ProfileMemory } from '../../client/profile/profile-memory.ts';

const FILE = 'file:///p/a.js';

function asker(answers: readonly (Answer | undefined)[]) {
  const kept = new Map<string, unknown>();
  const memory = new ProfileMemory({
    get: <T>(key: string) => kept.get(key) as T | undefined,
    update: async (key, value) => void kept.set(key, value),
  });
  const offered: (readonly Answer[])[] = [];
  let written = 0;
  const run = (more: { isNeverAsked?: boolean; isProtected?: boolean; canBeReadOnly?: boolean; hasWorkspace?: boolean } = {}) =>
    agreementOf({
      agreement: FILE,
      memory,
      isNeverAsked: false,
      isProtected: false,
      canBeReadOnly: true,
      hasWorkspace: true,
      ...more,
      ask: async (some) => {
        offered.push(some);
        return answers[offered.length - 1];
      },
      neverAskAgain: async () => void written++,
    });
  return { run, offered, kept, written: () => written };
}

describe('the question before a run', () => {
  it('Run Read-Only holds for that run alone: nothing is written, and the next run asks again', async () => {
    const { run, offered, kept, written } = asker(['read-only', 'run']);
    assert.equal(await run(), 'read-only');
    assert.deepEqual([[...kept], written()], [[], 0]);
    assert.equal(await run(), 'as-set');
    assert.equal(offered.length, 2);
  });

  it('Run is remembered for the file, and Always in the settings', async () => {
    const once = asker(['run']);
    assert.deepEqual([await once.run(), await once.run(), once.offered.length, once.written()], ['as-set', 'as-set', 1, 0]);
    const always = asker(['always']);
    assert.deepEqual([await always.run(), always.written()], ['as-set', 1]);
  });

  it('nothing is remembered of no answer, and nobody is asked where the setting says so', async () => {
    const { run, offered, kept } = asker([undefined]);
    assert.deepEqual([await run(), [...kept]], [undefined, []]);
    assert.equal(await run({ isNeverAsked: true }), 'as-set');
    assert.equal(offered.length, 1);
  });

  it('says what a read-only run does not protect from, wherever there may be one', () => {
    const sandbox = /no sandbox for hostile code\.$/;
    assert.match(detailOf({ isProtected: true, canBeReadOnly: true }, t), sandbox);
    assert.match(
      detailOf({ isProtected: false, canBeReadOnly: true }, t),
      /with all its side effects.*read-only run, it cannot write files/,
    );
    assert.match(detailOf({ isProtected: false, canBeReadOnly: true }, t), sandbox);
    assert.doesNotMatch(detailOf({ isProtected: false, canBeReadOnly: false }, t), sandbox);
  });

  it('offers only what makes a difference', async () => {
    const { run, offered } = asker([undefined, undefined, undefined]);
    await run({ isProtected: true });
    await run({ hasWorkspace: false });
    await run({ canBeReadOnly: false });
    assert.deepEqual(offered, [
      ['run', 'always'],
      ['run', 'read-only'],
      ['run', 'always'],
    ]);
  });
});
