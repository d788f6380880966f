// Attack texts: what measured times say, and a run that tries one and is killed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExpressionAttack, JsonAttack } from '../../protocol/attack.ts';
import type { Verdict } from '../../protocol/evidence.ts';
import { withAttacks } from '../../profiler/evidence/attacks.ts';
import { UNMEASURED_KINDS } from '../../profiler/judge/verdict.ts';
import { growthOf, judgeAttack, type AttackPoint, type AttackRun } from '../../profiler/judge/attack.ts';
import { runAttack } from '../../profiler/run/attack.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { nodesToTest } from './runs.ts';

async function ownNode(): Promise<NodeBinary> {
  const [node] = await nodesToTest();
  assert.ok(node);
  return node;
}

const ATTACK: ExpressionAttack = {
  pattern: '\\s+$',
  flags: '',
  method: 'replace',
  prefix: 'a',
  pump: ' ',
  suffix: 'a',
  isExponential: false,
  size: 102_400,
  limit: 'body-parser accepts 102,400 bytes unless another limit is set',
};

/** Five times each in three lengths, then the longest. */
function run(timeOf: (pumps: number) => number, { full = true, noise = 0.02, pumps = [1000, 2000, 4000] } = {}): AttackRun {
  const points = pumps.flatMap((n) =>
    [0, 1, 2, 3, 4].map((i): AttackPoint => ({ phase: 'growth', pumps: n, characters: n + 2, ms: timeOf(n) * (1 + noise * (i - 2)) })),
  );
  if (full) points.push({ phase: 'full', pumps: ATTACK.size - 2, characters: ATTACK.size, ms: timeOf(ATTACK.size) });
  return { points, isKilled: false, isAborted: false };
}

describe('the growth', () => {
  it('of a power, with its interval', () => {
    const growth = growthOf(run((n) => n ** 2 / 1e6).points, false);
    assert.ok(growth && growth.low < 2 && growth.high > 2 && growth.high - growth.low < 0.2, JSON.stringify(growth));
    const noisy = growthOf(run((n) => n ** 2 / 1e6, { noise: 0.3 }).points, false);
    assert.ok(noisy && noisy.high - noisy.low > growth.high - growth.low);
  });

  it('of what is exponential: the factor of a repetition', () => {
    const growth = growthOf(run((n) => 2 ** n / 1e6, { pumps: [20, 22, 24] }).points, true);
    assert.ok(growth && growth.low < 2 && growth.high > 2 && growth.low > 1.9, JSON.stringify(growth));
  });

  it('is not told by too few lengths', () => assert.equal(growthOf(run((n) => n, { pumps: [1000, 2000] }).points, false), undefined));
});

describe('the verdict', () => {
  const verdictOf = (one: AttackRun, attack: Partial<ExpressionAttack> = {}): string => {
    const opinion = judgeAttack({ ...ATTACK, ...attack }, one, '24.9.0');
    return opinion ? `${opinion.verdict}: ${opinion.figure}` : 'none';
  };

  it('is confirmed by what the longest text took, as its square', () => {
    const opinion = judgeAttack(
      ATTACK,
      run((n) => n ** 2 / 2e6),
      '24.9.0',
    );
    assert.equal(opinion?.verdict, 'confirmed');
    assert.equal(opinion.figure, '5.2 s for 102,400 characters, grows with the power of 2.0');
    assert.match(
      opinion.ground,
      /body-parser accepts 102,400 bytes unless another limit is set.*95 % interval.*took 5\.2 s \(Node 24\.9\.0/,
    );
    assert.equal(opinion.cost?.per, 'text');
  });

  it('is confirmed where the longest text was killed', () => {
    const killed = { ...run((n) => n ** 2 / 2e6, { full: false }), isKilled: true, unfinishedMs: 4000 };
    assert.equal(verdictOf(killed), 'confirmed: more than 4.0 s for 102,400 characters, grows with the power of 2.0');
  });

  it('is seen where so long a text does not come', () =>
    assert.match(verdictOf(run((n) => n ** 2 / 1e10)), /^seen: 1\.05 ms for 102,400 characters/));

  it('is refuted where the time grows with the text', () => assert.match(verdictOf(run((n) => n / 1e5)), /^refuted: 1\.02 ms/));

  it('is not refuted by a linear scan that takes long', () => assert.match(verdictOf(run((n) => n / 1e3)), /^inconclusive/));

  it('stays open on a machine that is too busy, and where nothing was compared', () => {
    assert.match(verdictOf(run((n) => n ** 1.3 / 1e4, { noise: 0.45 })), /^inconclusive: growth unclear/);
    assert.match(verdictOf({ points: [], isKilled: true, isAborted: false }), /^inconclusive: attack text not finished/);
    assert.match(verdictOf({ points: [], isKilled: false, isAborted: false }), /^inconclusive: attack text not tried/);
  });

  it('is none where the user stopped it', () => assert.equal(verdictOf({ points: [], isKilled: false, isAborted: true }), 'none'));
});

describe('the verdict on JSON', () => {
  const JSON_ATTACK: JsonAttack = {
    method: 'JSON.parse',
    prefix: '[',
    pump: '{},',
    suffix: '{}]',
    size: 102_400,
    limit: 'nothing limits the body',
  };
  const verdictOf = (one: AttackRun): string => {
    const opinion = judgeAttack(JSON_ATTACK, one, '24.9.0');
    return opinion ? `${opinion.verdict}: ${opinion.figure}` : 'none';
  };

  it('is confirmed by what the longest text took, however it grows', () => {
    const opinion = judgeAttack(
      JSON_ATTACK,
      run((n) => n / 500),
      '24.9.0',
    );
    assert.equal(opinion?.verdict, 'confirmed');
    assert.match(opinion.ground, /nothing limits the body\): `JSON\.parse` took 205 ms \(Node 24\.9\.0/);
    assert.equal(opinion.cost?.per, 'text');
  });

  it('is confirmed where the longest text was killed', () => {
    const killed = { ...run((n) => n / 500, { full: false }), isKilled: true, unfinishedMs: 4000 };
    assert.equal(verdictOf(killed), 'confirmed: more than 4.0 s for 102,400 characters');
  });

  it('is seen where nobody notices it', () => assert.match(verdictOf(run((n) => n / 1e4)), /^seen: /));

  it('stays open where the text was not come to', () =>
    assert.match(verdictOf({ points: [], isKilled: false, isAborted: false }), /^inconclusive/));

  it('is measured on a text of that size, which is JSON', async () => {
    const { points, isKilled } = await runAttack(await ownNode(), JSON_ATTACK, { wallMs: 60_000 });
    assert.equal(isKilled, false);
    const full = points.find(({ phase }) => phase === 'full');
    assert.ok(full && full.characters > 102_390 && full.characters <= 102_400, JSON.stringify(full));
  });
});

describe('a run', () => {
  const exponential: ExpressionAttack = {
    ...ATTACK,
    pattern: '^([0-9]+)+!$',
    method: 'test',
    pump: '0',
    prefix: '',
    suffix: '',
    isExponential: true,
  };

  it('tries the text and writes down what each length took', async () => {
    const { points, isKilled } = await runAttack(await ownNode(), { ...exponential, size: 24 }, { wallMs: 60_000 });
    assert.equal(isKilled, false);
    assert.equal(points.filter(({ phase }) => phase === 'full').length, 1);
    assert.equal(points.at(-1)?.characters, 24);
    assert.equal(new Set(points.filter(({ phase }) => phase === 'growth').map(({ pumps }) => pumps)).size, 3);
  });

  it('is killed when its time is up, and says so', async () => {
    const { points, isKilled, unfinishedMs } = await runAttack(await ownNode(), { ...exponential, size: 200 }, { wallMs: 8000 });
    assert.equal(isKilled, true);
    assert.equal(points.filter(({ phase }) => phase === 'full').length, 0);
    assert.ok(unfinishedMs === undefined || unfinishedMs >= 0);
  });

  it('has the word over a verdict that was open, and none over what did not run or blocked by itself', async () => {
    const verdict = (kind: Verdict['verdict']): Verdict => ({
      ruleId: 'no-unsafe-regex',
      messageId: 'exponential',
      place: { file: '/p/a.js', line: 1, column: 1 },
      verdict: kind,
      figure: 'no block in 8 runs',
      grounds: ['It never blocked.', `${UNMEASURED_KINDS}loop-delay.`],
    });
    const hypothesis = {
      ruleId: 'no-unsafe-regex',
      messageId: 'exponential',
      range: { start: { file: '/p/a.js', line: 1, column: 1 }, end: { file: '/p/a.js', line: 1, column: 9 } },
      functions: [],
      related: [],
      kinds: ['loop-delay'],
      attack: { ...exponential, size: 26 },
    } as const;
    const judged = await withAttacks([verdict('inconclusive'), verdict('not-reached'), verdict('confirmed')], {
      node: await ownNode(),
      hypotheses: [hypothesis, hypothesis, hypothesis],
    });
    assert.deepEqual(
      judged.slice(1).map((one) => `${one.verdict} ${one.figure}`),
      ['not-reached no block in 8 runs', 'confirmed no block in 8 runs'],
    );
    assert.match(judged[0]?.grounds[0] ?? '', /^Tried with "0" repeated/);
    assert.deepEqual(judged[0]?.grounds.slice(1), ['It never blocked.'], 'what the run did not measure is decided');
  });
});
