// The table of deoptimization reasons: complete for what the stored traces hold, and fit to be read.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { countUnknownReasons, DEOPT_REASONS, findDeoptReason, isBenignDeopt } from '../../knowledge/deopt-reasons.ts';
import type { DeoptGroup } from '../../protocol/evidence.ts';
import { ROOT } from '../../scripts/generate.ts';

const TRACES = join(ROOT, 'test/profiler/traces');

/** Reason to the majors in whose traces it stands, read without the parser. */
function tracedReasons(): Map<string, Set<number>> {
  const reasons = new Map<string, Set<number>>();
  for (const major of readdirSync(TRACES))
    for (const file of readdirSync(join(TRACES, major))) {
      for (const line of readFileSync(join(TRACES, major, file), 'utf8').split('\n')) {
        if (!line.startsWith('code-deopt,')) continue;
        const reason = line.slice(line.lastIndexOf(',') + 1);
        const majors = reasons.get(reason) ?? new Set();
        reasons.set(reason, majors.add(Number(major)));
      }
    }
  return reasons;
}

function group(reason: string, count: number): DeoptGroup {
  return {
    place: { file: '/a.js', line: 1, column: 1 },
    placement: 'exact',
    inlinedAt: [],
    kind: 'deopt-eager',
    reason,
    count,
    at: [],
    benign: false,
  };
}

describe('deoptimization reasons', () => {
  it('has every reason of the stored traces, for the Node that printed it', () => {
    const traced = tracedReasons();
    assert.ok(traced.size >= 25, `only ${traced.size} reasons were traced`);
    const missing = [...traced].flatMap(([reason, majors]) => {
      const row = findDeoptReason(reason);
      return [...majors].filter((major) => !row?.nodes.includes(major)).map((major) => `${reason} (Node ${major})`);
    });
    assert.deepEqual(missing, []);
  });

  it('has each reason once, with text', () => {
    assert.equal(new Set(DEOPT_REASONS.map(({ reason }) => reason)).size, DEOPT_REASONS.length);
    for (const { reason, meaning, remedy, nodes } of DEOPT_REASONS) {
      for (const text of [meaning, remedy]) assert.match(text, /^[A-Z][^\n]{10,}[.)]$/, `${reason}: ${text}`);
      assert.doesNotMatch(`${meaning} ${remedy}`, /\bSmi\b|heap number|feedback vector|inline cache/i, `${reason} is told in V8's words`);
      assert.ok(nodes.length > 0, reason);
    }
  });

  it('sets apart what belongs to every warm-up', () => {
    assert.equal(isBenignDeopt('deopt-eager', 'prepare for on stack replacement (OSR)', 50), true);
    assert.equal(isBenignDeopt('deopt-eager', 'Insufficient type feedback for call', 1), true);
    assert.equal(isBenignDeopt('deopt-eager', 'Insufficient type feedback for call', 2), false);
    assert.equal(isBenignDeopt('deopt-eager', 'not a Smi', 1), false);
    assert.equal(isBenignDeopt('deopt-lazy', '(unknown)', 7), true);
    assert.equal(isBenignDeopt('deopt-eager', '(unknown)', 1), false);
    assert.equal(isBenignDeopt('deopt-eager', 'a reason of a later V8', 1), false);
  });

  it('counts the reasons that it does not have', () => {
    const counts = countUnknownReasons([group('not a Smi', 3), group('quantum flux', 2), group('quantum flux', 5)]);
    assert.deepEqual([...counts], [['quantum flux', 7]]);
  });
});
