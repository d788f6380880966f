// The texts that `JSON.parse` cannot read, of which the cost of its exceptions is worked out.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';

const { throwerOf, unreadable } = createRequire(import.meta.url)('../../../profiler/harness/throw-cost.cjs') as {
  throwerOf(texts: readonly string[], frames: number): () => void;
  unreadable(run: () => Promise<unknown>): Promise<string[]>;
};

function parsed(text: unknown, reviver?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text as string, reviver);
  } catch {
    return undefined;
  }
}

describe('texts that are no JSON', () => {
  it('are kept, and calls answer what they did', async () => {
    const { parse } = JSON;
    const answers: unknown[] = [];
    const texts = await unreadable(async () => {
      for (const text of ['[1]', 'no JSON', '{"a":', '"text"']) answers.push(parsed(text));
      answers.push(parsed('[1, 2]', (_, value) => (value === 1 ? 3 : value)));
      // What is no text has no length that would matter.
      answers.push(parsed(undefined), parsed(null));
    });
    assert.deepEqual(texts, ['no JSON', '{"a":']);
    assert.deepEqual(answers, [[1], undefined, undefined, 'text', [3, 2], undefined, null]);
    assert.equal(JSON.parse, parse);
  });

  it('are at most 64, and `JSON.parse` is put back where a call fails', async () => {
    const { parse } = JSON;
    assert.equal((await unreadable(async () => Array.from({ length: 100 }, () => parsed('?')))).length, 64);
    await assert.rejects(unreadable(() => Promise.reject(new Error('a call failed'))));
    assert.equal(JSON.parse, parse);
  });

  it('are failed on in turn, and nothing is thrown to the outside', () => {
    const throwAndCatch = throwerOf(['no JSON', '{"a":'], 2);
    for (let i = 0; i < 5; i += 1) throwAndCatch();
  });
});
