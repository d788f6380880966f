// Longer arguments and requests, and what their times say about the growth.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Facts } from '../../../analysis/facts/index.ts';
import { ModuleIndex } from '../../../analysis/module/module-index.ts';
import { parse } from '../../../analysis/module/parse.ts';
import { Source } from '../../../analysis/module/source.ts';
import { findFunctions } from '../../../analysis/profile/functions.ts';
import { scaledCalls, scaledRequest } from '../../../analysis/profile/scaled-calls.ts';
import { scaledTextsOf, type ScaledText } from '../../../analysis/profile/scaled-texts.ts';
import { exponentOf, GROWTH_SIZES, judgeGrowth, type MeasuredGrowth } from '../../../profiler/compare/growth.ts';
import { TOO_LITTLE } from '../../../profiler/judge/cost.ts';
import { GROWTH_UNMEASURED, UNMEASURED } from '../../../profiler/judge/loop-time.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { Verdict } from '../../../protocol/evidence.ts';

const SEEN: Verdict = {
  ruleId: 'no-quadratic',
  messageId: 'searched',
  place: { file: '/app/a.js', line: 1, column: 1 },
  verdict: 'seen',
  figure: 'ran 3 times',
  grounds: ['This code ran 3 times.'],
};
const measured = (figures: readonly (readonly number[])[], more: Partial<MeasuredGrowth> = {}): MeasuredGrowth => ({
  unit: 'element',
  per: 'call',
  sizes: GROWTH_SIZES,
  figures,
  node: '20.20.2',
  ...more,
});
/** Six figures for each size, up to 5 % apart. */
const figuresOf = (time: (size: number) => number): number[][] =>
  GROWTH_SIZES.map((size) => [0.95, 0.97, 1, 1, 1.02, 1.05].map((noise) => time(size) * noise));

describe('growth', () => {
  it('finds the exponent with its interval', () => {
    for (const exponent of [0, 1, 1.5, 2, 3]) {
      const found = exponentOf(
        GROWTH_SIZES,
        figuresOf((size) => 7 * size ** exponent),
      );
      assert.ok(found);
      assert.ok(Math.abs(found.exponent - exponent) < 0.01, `${exponent}: ${found.exponent}`);
      assert.ok(found.low < exponent && exponent < found.high && found.high - found.low < 0.1);
    }
  });

  it('needs all figures, and times above zero', () => {
    assert.equal(exponentOf(GROWTH_SIZES, [[1], [2], [4], [8]]), undefined);
    assert.equal(
      exponentOf(
        GROWTH_SIZES,
        figuresOf(() => 0),
      ),
      undefined,
    );
  });

  it('confirms what grows with the square and takes long', () => {
    const { verdict, figure, cost } = judgeGrowth(SEEN, measured(figuresOf((size) => 3 * size ** 2)));
    assert.equal(verdict, 'confirmed');
    assert.match(figure, /^grows with n\^2\.00 \(1\.9\d to 2\.0\d\): 1,000 elements take 3\.00 ms$/);
    assert.equal(cost?.ns, 3_000_000);
  });

  it('refutes nothing: a list that the calls do not pass stays as long as it is', () => {
    const found = judgeGrowth(SEEN, measured(figuresOf((size) => 50 * size)));
    assert.deepEqual({ ...found, grounds: [], scaling: undefined }, { ...SEEN, grounds: [], scaling: undefined });
    assert.match(found.grounds.join(' '), /the time grows with n\^1\.00 \(0\.9\d to 1\.0\d\)/);
  });

  it('confirms none of several findings, since the times are those of the whole call', () => {
    const figures = figuresOf((size) => 3 * size ** 2);
    assert.equal(judgeGrowth(SEEN, measured(figures, { isOnly: false })).verdict, 'seen');
  });

  it('keeps the points for a curve, and why they end', () => {
    const limit = '`POST /` returned status 413 with 2,000 elements.';
    const { scaling, grounds } = judgeGrowth(
      SEEN,
      measured(
        figuresOf((size) => 3 * size ** 2),
        { limit },
      ),
    );
    assert.deepEqual(scaling?.points[0], { size: 125, ns: 46_875, low: 0.95 * 46_875, high: 1.05 * 46_875 });
    assert.deepEqual([scaling.unit, scaling.per, scaling.limit, scaling.points.length], ['element', 'call', limit, GROWTH_SIZES.length]);
    assert.ok(scaling.exponent.low < 2 && 2 < scaling.exponent.high);
    assert.ok(grounds[0]?.endsWith(` ${limit}`));
  });

  it('comes first among the grounds where it decides, and takes back that the input as it was given costs little', () => {
    const short = { ...SEEN, grounds: [`It ran 5 times. It takes 0.01 ms per call.${TOO_LITTLE}`] };
    const { verdict, grounds } = judgeGrowth(short, measured(figuresOf((size) => 3 * size ** 2)));
    assert.equal(verdict, 'confirmed');
    assert.match(grounds[0] ?? '', /^With lists of /);
    assert.deepEqual(grounds.slice(1), ['It ran 5 times. It takes 0.01 ms per call.']);
  });

  it('takes off what a request takes anyway', () => {
    const figures = figuresOf((size) => 1e5 + 12 * size ** 2);
    const [without, above] = [0, 0.9e5].map((base) => judgeGrowth(SEEN, measured(figures, { per: 'request', base })));
    assert.match(
      above?.grounds.join(' ') ?? '',
      /a request took at least .* beyond the 0\.09 ms that a request takes anyway grows with .* from 24 figures\./,
    );
    assert.ok((above?.scaling?.exponent.value ?? 0) > (without?.scaling?.exponent.value ?? 9));
  });

  it('leaves out the sizes that are mostly what a request takes anyway, whose error would make the growth steeper', () => {
    // Measured 8 % too long, as it may be: the request as it is given does a little of the work, too.
    const base = 2.16e5;
    const figures = figuresOf((size) => 2e5 + 4 * size ** 2);
    const { scaling, grounds } = judgeGrowth(SEEN, measured(figures, { per: 'request', base }));
    assert.match(grounds.join(' '), /from 18 figures\. The shortest lists do not count: most of their time is what every request takes\./);
    const value = scaling?.exponent.value ?? 0;
    assert.ok(value > 1.9 && value < 2.1, `${value}`);
  });

  it('takes nothing off where fewer than three sizes are well above it', () => {
    const figures = figuresOf((size) => 2e6 + 3 * size ** 2);
    const exponents = [0, 1.89e6, 1.95e6].map(
      (base) => judgeGrowth(SEEN, measured(figures, { per: 'request', base })).scaling?.exponent.value,
    );
    assert.equal(new Set(exponents).size, 1);
  });

  it('asks more of a text: what blocks for less than 10 ms delays nobody', () => {
    const verdicts = [3, 11].map(
      (scale) =>
        judgeGrowth(
          SEEN,
          measured(
            figuresOf((size) => scale * size ** 2),
            { unit: 'character' },
          ),
        ).verdict,
    );
    assert.deepEqual(verdicts, ['seen', 'confirmed']);
  });

  it('is not what rests on one jump: times 1.8, 2.2 and 44 for twice as many', () => {
    const times = [2000, 3500, 7700, 338_000];
    const { verdict, figure, grounds } = judgeGrowth(
      SEEN,
      measured(times.map((ns) => [0.95, 0.97, 1, 1, 1.02, 1.05].map((noise) => ns * noise))),
    );
    assert.equal(`${verdict}: ${figure}`, 'inconclusive: growth unclear: 1,000 elements take 0.34 ms');
    assert.match(grounds[0] ?? '', /one jump, between 500 and 1,000 elements: without it, the time grows with n\^0\.97\./);
    // An object that turns into a dictionary jumps as well, and grows before and after.
    const dictionary = [425_000, 3_280_000, 14_000_000, 105_000_000];
    assert.equal(judgeGrowth(SEEN, measured(dictionary.map((ns) => Array.from({ length: 6 }, () => ns)))).verdict, 'confirmed');
    for (const linear of [10, 20])
      assert.equal(judgeGrowth(SEEN, measured(figuresOf((size) => linear * size + 0.1 * size ** 2))).verdict, 'confirmed', `${linear}`);
  });

  it('leaves open what reaches from below the limit to above it, and is long', () => {
    const reaching = (longest: number): number[][] =>
      GROWTH_SIZES.map((size) => [0.4, 0.5, 1, 1, 2, 2.5].map((noise) => longest * (size / 1000) ** 1.8 * noise));
    const { verdict, grounds } = judgeGrowth(SEEN, measured(reaching(46_000_000)));
    assert.equal(verdict, 'inconclusive');
    assert.match(grounds[0] ?? '', /^With lists of .* Run it again when the machine is less busy, or for longer\.$/);
    assert.equal(judgeGrowth(SEEN, measured(reaching(46_000))).verdict, 'seen', 'too fast to matter');
    assert.equal(judgeGrowth(SEEN, measured(reaching(46_000_000), { isOnly: false })).verdict, 'seen', 'of several findings');
    assert.equal(
      judgeGrowth({ ...SEEN, ruleId: 'no-unsafe-regex', verdict: 'confirmed' }, measured(reaching(46_000_000))).verdict,
      'confirmed',
      'a block that was seen stays',
    );
  });

  it('has the word where it was measured: a straight line confirms nothing', () => {
    const confirmed = { ...SEEN, verdict: 'confirmed' as const };
    assert.equal(judgeGrowth(confirmed, measured(figuresOf((size) => 300 * size))).verdict, 'seen');
    assert.equal(judgeGrowth(confirmed, measured(figuresOf((size) => 3 * size ** 2))).verdict, 'confirmed');
  });

  it('takes back that nothing was measured', () => {
    const quadratic = measured(figuresOf((size) => 3 * size ** 2));
    const grounds = [`It ran 5 times. ${UNMEASURED}`, `It takes 0.01 ms per call.${GROWTH_UNMEASURED}`];
    assert.deepEqual(judgeGrowth({ ...SEEN, grounds }, quadratic).grounds.slice(1), ['It ran 5 times.', 'It takes 0.01 ms per call.']);
    const linear = judgeGrowth({ ...SEEN, grounds }, measured(figuresOf((size) => 300 * size)));
    assert.deepEqual(linear.grounds.slice(0, 2), [`It ran 5 times. ${UNMEASURED}`, 'It takes 0.01 ms per call.']);
  });

  it('leaves open what lies between, what is too fast to matter, and what the figures do not tell', () => {
    const judged = [
      figuresOf((size) => 100 * size ** 1.35),
      figuresOf((size) => 0.01 * size ** 2),
      GROWTH_SIZES.map((size) => [1, 30, 900, 2, 700, 20].map((noise) => noise * size)),
    ].map((figures) => judgeGrowth(SEEN, measured(figures)));
    assert.deepEqual(
      judged.map(({ verdict }) => verdict),
      ['seen', 'seen', 'seen'],
    );
    assert.ok(judged.every(({ grounds }) => grounds.length === 2));
  });

  it('says nothing of lengths where the time is the same in all of them', () => {
    assert.deepEqual(judgeGrowth(SEEN, measured(figuresOf(() => 100_000))), SEEN);
  });
});

describe('scaled calls', () => {
  /** What the function gets. */
  const passed = (call: string, size: number): unknown[] => {
    const [text = ''] = scaledCalls([call], size, '/app/a.js') ?? [];
    return new Function('f', `return ${text}`)((...values: unknown[]) => values) as unknown[];
  };

  const ATTACK = { prefix: 'x', pump: 'ab', suffix: '!' };
  const passedTexts = (call: string, size: number, texts: readonly ScaledText[]): unknown[] => {
    const [text = ''] = scaledCalls([call], size, '/app/a.js', texts) ?? [];
    return new Function('f', `return ${text}`)((...values: unknown[]) => values) as unknown[];
  };

  it('repeats arrays with texts and numbers of their own, the same ones in all arrays', () => {
    assert.deepEqual(passed("f(['a', 'b'], [{ id: 'b', n: 1 }])", 3), [
      ['a', 'b', 'a~1'],
      [
        { id: 'b', n: 1 },
        { id: 'b~1', n: 1_000_001 },
        { id: 'b~2', n: 2_000_001 },
      ],
    ]);
  });

  it('brings no new values where a few come again and again', () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({ key: `k${i % 5}`, id: i, of: [i % 2, i], pair: `p${i >> 1}` }));
    const longer = passed(`f(${JSON.stringify(rows)})`, 200)[0] as typeof rows;
    const distinct = (of: (row: (typeof rows)[number]) => unknown) => new Set(longer.map(of)).size;
    assert.deepEqual([distinct((row) => row.key), distinct((row) => row.of[0])], [5, 2]);
    assert.deepEqual([distinct((row) => row.id), distinct((row) => row.of[1]), distinct((row) => row.pair)], [200, 200, 100]);
    assert.deepEqual(passed("f(['a', 'a', 'a', 'a'], ['a', 'a', 'b', 'a'])", 5), [
      ['a', 'a', 'a', 'a', 'a'],
      ['a', 'a', 'b', 'a', 'a~1'],
    ]);
    const request = scaledRequest([{ method: 'POST', path: '/', body: JSON.stringify(rows) }], 200);
    assert.deepEqual(JSON.parse(request?.body ?? 'null'), longer);
    const split = [{ at: { from: 0, keys: [] }, separator: ',' }];
    assert.deepEqual(passedTexts("f('a,a,b,a,a,a,a,a')", 9, split), ['a,a,b,a,a,a,a,a,a']);
  });

  it('finds arrays in objects, and keeps those of the elements as long as they are', () => {
    assert.deepEqual(passed("f({ rows: [{ tags: ['x'] }], name: 'n' }, 5)", 2), [
      { rows: [{ tags: ['x'] }, { tags: ['x~1'] }], name: 'n' },
      5,
    ]);
  });

  it('repeats the parts of a text that is split, each time with others', () => {
    assert.deepEqual(passedTexts("f('a,b', { rows: 'c,d', n: 1 }, [1])", 3, [{ at: { from: 0, keys: [] }, separator: ',' }]), [
      'a,b,a~1',
      { rows: 'c,d', n: 1 },
      [1, 1_000_001, 2_000_001],
    ]);
    assert.deepEqual(passedTexts("f(1, { rows: 'c,d', n: 1 })", 3, [{ at: { from: 1, keys: ['rows'] }, separator: ',' }]), [
      1,
      { rows: 'c,d,c~1', n: 1 },
    ]);
  });

  it('puts the text of a finding where the code reads it, up to what the place accepts', () => {
    const at = { from: 0, keys: ['note', 'text'] };
    assert.deepEqual(passedTexts("f({ note: { text: 'a', id: 1 } }, ['a'])", 8, [{ at, attack: ATTACK, most: 100 }]), [
      { note: { text: 'xababab!', id: 1 } },
      ['a'],
    ]);
    assert.deepEqual(passedTexts('f({ note: { id: 1 } })', 8, [{ at, attack: ATTACK, most: 4 }]), [{ note: { id: 1, text: 'xab!' } }]);
    // What is no text, or stands in something else than a plain object, stays.
    assert.deepEqual(passedTexts('f({ note: 3 })', 8, [{ at, attack: ATTACK, most: 9 }]), [{ note: 3 }]);
  });

  it('lengthens what requests send as JSON, and what stands in their query', () => {
    const post = (body: string, headers?: Record<string, string>) => ({ method: 'POST', path: '/', body, ...(headers && { headers }) });
    const bodyOf = (body: string, texts: readonly ScaledText[] = [], headers?: Record<string, string>) =>
      scaledRequest([post(body, headers)], 3, texts)?.body;
    assert.equal(bodyOf('{"ids":["a"],"one":"b"}'), '{"ids":["a","a~1","a~2"],"one":"b"}');
    assert.equal(bodyOf('[{"id":1}]'), '[{"id":1},{"id":1000001},{"id":2000001}]');
    assert.equal(bodyOf('{"text":"a,b"}', [{ at: { from: 'body', keys: ['text'] }, separator: ',' }]), '{"text":"a,b,a~1"}');
    assert.deepEqual(
      scaledRequest([{ method: 'GET', path: '/x?q=a&page=2' }], 8, [{ at: { from: 'query', keys: ['q'] }, attack: ATTACK, most: 100 }]),
      { method: 'GET', path: '/x?q=xababab%21&page=2' },
    );
    for (const [body, headers] of [['{"id":1}'], ['{}'], ['no JSON'], ['{"ids":["a"]}', { 'content-type': 'text/plain' }]] as const)
      assert.equal(bodyOf(body, [], headers), undefined, body);
  });

  it('makes the same of a body as of an argument', () => {
    const texts: readonly ScaledText[] = ['body', 0].map((from) => ({
      at: { from: from as 'body' | 0, keys: ['note', 'text'] },
      separator: ' ',
    }));
    for (const body of [
      { rows: [{ id: 1, tags: ['a', 'b'], deep: { name: 'n', none: null, is: true } }, 'x', 7], empty: [], n: 1 },
      { note: { text: 'a b', rows: [1, 2] } },
      { note: 'a b', rows: [[1], [2]] },
      [['a', 'b'], { c: 1 }],
    ]) {
      const [argument] = passedTexts(`f(${JSON.stringify(body)})`, 5, texts);
      const request = scaledRequest([{ method: 'POST', path: '/', body: JSON.stringify(body) }], 5, texts);
      assert.deepEqual(JSON.parse(request?.body ?? 'null'), argument);
    }
  });

  it('gives objects more keys where keys are the elements', () => {
    const [text = ''] = scaledCalls(["share({ a: 1, b: 2 }, new Map(), { c: { n: 'x' } })"], 3, '/app/a.js', [], true) ?? [];
    const values = new Function('share', `return ${text}`)((...given: unknown[]) => given) as unknown[];
    const [first, , third] = values;
    assert.deepEqual(first, { a: 1, b: 2, 'a~1': 1_000_001 });
    assert.deepEqual(third, { c: { n: 'x' }, 'c~1': { n: 'x~1' }, 'c~2': { n: 'x~2' } });
    const body = JSON.stringify({ ours: { a: 1, b: 2 }, theirs: { c: { n: 'x' } }, all: true });
    const request = scaledRequest([{ method: 'POST', path: '/', body }], 3, [], true);
    assert.deepEqual(JSON.parse(request?.body ?? 'null'), { ours: first, theirs: third, all: true });
  });

  it('leaves calls alone that pass no list', () => {
    assert.equal(scaledCalls(["f('a', 1, () => [])"], 10, '/app/a.js'), undefined);
    assert.equal(scaledCalls(['f()', 'g'], 10, '/app/a.js'), undefined);
  });
});

describe('texts that a finding is about', () => {
  /** Where the expression `/x+$/` of the code gets its text from, if `target` is called, or asked. */
  const placesOf = (code: string, isServed: boolean, separator?: string) => {
    const text = code;
    const outcome = parse('/app/a.js', text);
    assert.ok(outcome.ok);
    const facts = new Facts(new ModuleIndex(outcome.ast), new Source('/app/a.js', text), { nodeRange: '*', nodeRangeSource: '' });
    const [found] = findFunctions(facts, { name: 'target' });
    assert.ok(found);
    const start = Math.max(0, text.indexOf('/x+$/'));
    const attack = {
      pattern: 'x+$',
      flags: '',
      method: 'test' as const,
      prefix: '',
      pump: 'x',
      suffix: '!',
      size: 500,
      limit: '',
      isExponential: false,
    };
    const finding = { ruleId: separator === undefined ? 'no-unsafe-regex' : 'no-quadratic', span: { start, end: start + 5 } };
    return scaledTextsOf(separator === undefined ? { ...finding, attack } : finding, facts, { fn: found.fn, isServed }).map(
      ({ at: { from, keys }, ...more }) => {
        if (separator !== undefined) assert.deepEqual(more, { separator });
        return [from, ...keys].join('.');
      },
    );
  };

  it('are arguments of the function, whatever they are called by then', () => {
    assert.deepEqual(placesOf('function target(id, text) { return /x+$/.test(text.trim()); }', false), ['1']);
    assert.deepEqual(placesOf("function target({ note: { body = '' } }) { return body.replace(/x+$/, ''); }", false), ['0.note.body']);
    assert.deepEqual(
      placesOf(
        dedent`
        const END = /x+$/;
        function target(row) {
          const { name } = row;
          return ends(name ?? '');
        }
        function ends(text) {
          return END.test(text);
        }
        `,
        false,
      ),
      ['0.name'],
    );
  });

  it('come from the body or the query of a request', () => {
    const served: readonly (readonly [string, string])[] = [
      ['function target(req, res) { res.send(/x+$/.test(req.body.text)); }', 'body.text'],
      ['function target({ body: { text } }, res) { res.send(/x+$/.test(text)); }', 'body.text'],
      ['function target(ctx) { const { text } = ctx.request.body; ctx.body = /x+$/.test(text); }', 'body.text'],
      ['function target(req, res) { res.send(/x+$/.test(String(req.query.q))); }', 'query.q'],
      ["function target(c) { return c.text(String(/x+$/.test(c.req.query('q')))); }", 'query.q'],
      ['async function target(request) { const { text } = await request.json(); return /x+$/.test(text); }', 'body.text'],
      [
        dedent`
        function target(req, res) { res.send(ends(req.body.text)); }
        function ends(text) { return /x+$/.test(text); }
      `,
        'body.text',
      ],
    ];
    for (const [code, place] of served) assert.deepEqual(placesOf(code, true), [place], code);
  });

  it('are not guessed', () => {
    for (const code of [
      'function target(req, res) { res.send(/x+$/.test(req.user.name)); }',
      'function target(req, res) { let { text } = req.body; text = name; res.send(/x+$/.test(text)); }',
      'function target(req, res) { for (const one of req.body.rows) /x+$/.test(one.text); }',
      'function target(req, res) { res.send(/x+$/.test(read())); }',
    ])
      assert.deepEqual(placesOf(code, true), [], code);
  });

  it('are split into lists', () => {
    assert.deepEqual(placesOf("function target(text) { return unique(text.split(',')); }", false, ','), ['0']);
    assert.deepEqual(placesOf('function target(req, res) { res.send(unique(req.body.text.split(/\\r?\\n/))); }', true, '\n'), [
      'body.text',
    ]);
    assert.deepEqual(placesOf('function target(text) { return text.split(mark).concat(text.split(/(?=x)/)); }', false, ','), []);
  });
});
