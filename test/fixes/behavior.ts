// A fix never changes what a program answers: each case runs before and after its fix, or the fix is refused for a true reason.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { applyFix, type Applied } from './apply.ts';
import { cases } from './cases.ts';
import type { FixCase, Outcome } from './fix-case.ts';
import { runPrograms, type Program } from './run-programs.ts';

/** By the name that a program requires: the package that it gets. */
const EXPRESS_4_INSTEAD = { express: 'express4' };

const PATIENCE = 5;

const isRun = (one: FixCase): boolean => one.expect === 'same';

interface Ready {
  applied: ReadonlyMap<FixCase, { before: ReadonlyMap<string, string>; after: Applied } | { problem: unknown }>;
  originals: readonly Program[];
  fixed: readonly Program[];
}

let ready: Ready | undefined;

/** The same programs run on each Node, so their fixes are worked out once. */
function makeReady(): Ready {
  const applied = new Map<FixCase, { before: ReadonlyMap<string, string>; after: Applied } | { problem: unknown }>();
  const originals: Program[] = [];
  const fixed: Program[] = [];
  for (const one of cases) {
    try {
      const result = applyFix(one);
      applied.set(one, result);
      if (!isRun(one) || !('files' in result.after)) continue;
      const { name, data = {}, requests = [] } = one;
      const packages = one.manifest?.dependencies?.['express']?.includes('4') ? EXPRESS_4_INSTEAD : {};
      originals.push({ name, data, requests, packages, files: result.before });
      fixed.push({ name, data, requests, packages, files: result.after.files });
    } catch (problem) {
      applied.set(one, { problem });
    }
  }
  return { applied, originals, fixed };
}

/** @param node gives the binary that runs the programs @param takes whether it runs a case, by its number */
export function describeBehavior(title: string, node: () => Promise<string>, takes: (index: number) => boolean = () => true): void {
  const own = cases.filter((_, index) => takes(index));
  const names = new Set(own.map(({ name }) => name));
  describe(title, () => {
    let applied: Ready['applied'];
    let originals: ReadonlyMap<string, Outcome>;
    let fixed: ReadonlyMap<string, Outcome>;

    before(async () => {
      ready ??= makeReady();
      applied = ready.applied;
      const binary = await node();
      const [before, after] = [ready.originals, ready.fixed].map((programs) => programs.filter(({ name }) => names.has(name))) as [
        Program[],
        Program[],
      ];
      const [first, second] = await Promise.all([runPrograms(before, binary), runPrograms(after, binary)]);
      // On a busy machine, an answer may only be late. What really differs also differs with more patience.
      const differs = ({ name }: Program): boolean => !isDeepStrictEqual(first.get(name), second.get(name));
      originals = new Map([...first, ...(await runPrograms(before.filter(differs), binary, PATIENCE))]);
      fixed = new Map([...second, ...(await runPrograms(after.filter(differs), binary, PATIENCE))]);
    });

    it('names each case once', () => {
      assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
    });

    for (const one of own) {
      it(one.name, () => {
        const result = applied.get(one);
        assert.ok(result);
        if ('problem' in result) throw result.problem;
        const { after } = result;
        const text = 'files' in after ? [...after.files].map(([name, content]) => `${name}:\n${content}`).join('\n') : '';
        if (one.expect === 'same') {
          assert.ok('files' in after, `it is refused: ${'refused' in after ? after.refused.join('; ') : ''}`);
          assert.notDeepEqual(after.files, result.before, 'the fix changes something');
          const original = originals.get(one.name);
          assert.ok(original && original.answers.length > 0, 'the original answers');
          assert.deepEqual(fixed.get(one.name), original, text);
          return;
        }
        assert.ok('refused' in after, `it is offered:\n${text}`);
        if (one.expect === 'absent') return;
        const { refused } = one.expect;
        assert.ok(
          after.refused.some((reason) => refused.test(reason)),
          `it is refused for another reason: ${after.refused.join('; ') || 'none'}`,
        );
      });
    }
  });
}
