// The texts that no-unsafe-regex finds for an expression, and what it says of their growth: known expressions, and look-alikes that are
// linear.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RegExpParser } from '@eslint-community/regexpp';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse as parseModule } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { findAttack } from '../../rules/no-unsafe-regex/attack.ts';
import { Backtracker } from '../../rules/no-unsafe-regex/backtracking.ts';
import { usesOf } from '../../rules/no-unsafe-regex/uses.ts';

const degreeOf = ({ source, flags }: RegExp): string => String(findAttack(source, flags, flags.includes('g'))?.degree ?? 'linear');

describe('the growth of', () => {
  const table: readonly [degree: string, ...expressions: RegExp[]][] = [
    // biome-ignore-start lint/complexity/useRegexLiterals: they are data
    ['exponential', /([0-9]+)+#/, /^(\w+\s?)*$/, /^(([a-z])+.)+[A-Z]([a-z])+$/, /(x+x+)+y/, /^(\d+.)+$/],
    ['exponential', /(a|a)*b/, /^(a|aa)+$/, /^(?:(?:\w\w)+)+$/, /^((ab)*)*$/, /^(?:\s*[a-z]+\s*=\s*"[^"]*"\s*)*$/],
    ['3', /.*.*=.*/, /^(.*)-(.*)-(.*)$/],
    [
      '2',
      /\s+$/,
      /^\s+|\s+$/g,
      /[0-9]+#/,
      /<[^>]*>/g,
      /<!--[\s\S]*?-->/g,
      /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
      /\/+$/,
      /\{\{.*?\}\}/g,
      /(?<=a+)b/,
    ],
    ['linear', /^\s+/, /\s+/g, /,\s*/, /^\w+(?:\s\w+)*$/, /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/, /(?:a+)+/, /[^a-z]+/g, /-+/g],
    ['linear', /^https?:\/\/[^\s]+$/, /^[\w.-]+@[\w-]+\.\w{2,}$/, /^.*\.(jpg|png)$/, /^a+b*c$/, /^\d{1,3}(?:\.\d{1,3}){3}$/, /\s{0,9}$/],
    // biome-ignore-end lint/complexity/useRegexLiterals: they are data
  ];
  for (const [degree, ...expressions] of table)
    for (const expression of expressions) it(`${expression}: ${degree}`, () => assert.equal(degreeOf(expression), degree));

  it('what is no expression', () => assert.equal(findAttack('(', '', false), undefined));
});

describe('an exponential growth', () => {
  // A run of n characters can be split into parts in 2^(n-1) ways.
  const table: readonly (readonly [RegExp, factor: number, shortest: number, longest: number])[] = [
    [/^(a+)+$/, 2, 20, 34],
    [/^((ab)*)*c$/, 2, 40, 70],
    // Each part has at least two characters: the numbers of Fibonacci.
    [/^(([a-z])+.)+[A-Z]([a-z])+$/, 1.618, 30, 48],
  ];
  for (const [expression, factor, shortest, longest] of table)
    it(`${expression}: ${factor} times with each pump`, () => {
      const growth = findAttack(expression.source, expression.flags, false)?.growth;
      assert.ok(growth);
      assert.ok(Math.abs(growth.factor - factor) < 0.08 * factor, `factor ${growth.factor}`);
      assert.ok(growth.length >= shortest && growth.length <= longest, `length ${growth.length}`);
    });

  it('is not told where the growth is a power', () => assert.equal(findAttack('\\s+$', '', false)?.growth, undefined));
});

describe('the steps are those of a search that finds what Node finds', () => {
  const parser = new RegExpParser();
  const texts = ['aab', 'xay', '"a\\"b"', 'abab', 'foo bar', '2020-01-02', 'aXbXa', 'a\nb', '', 'AAB'];
  const expressions = [
    /a+b/,
    /(a|x)y/,
    /"(?:[^"\\]|\\.)*"/,
    /(ab)\1/,
    /\bbar\b/,
    /\Bar/,
    /(?=2)\d{4}-(\d\d)-(?!03)/,
    /(?<=X)b/,
    /(?<!X)a$/,
    /(.)X.X\1/,
    /^b/m,
    /a$/m,
    /a{2,}?b/,
    /^(?:a*)*$/,
    /a.b/s,
    /a.b/,
    /aab/i,
    /[^a-f\s]{3}/,
    /(?:a|ab)(?:c|bab)/,
    /x*?y/,
    /^$/,
  ];
  for (const expression of expressions)
    it(String(expression), () => {
      for (const text of texts)
        assert.equal(
          new Backtracker(parser.parsePattern(expression.source), expression.flags, false).search(text, 1e5)?.isFound,
          expression.test(text),
          text,
        );
    });

  it('and end at the limit', () => {
    const tracker = new Backtracker(parser.parsePattern('(a+)+b'), '', false);
    assert.equal(tracker.search('a'.repeat(40), 1000), undefined);
    assert.deepEqual(tracker.search('b', 1000)?.isFound, false);
  });
});

describe('an expression that a helper is given', () => {
  it('has one use for each text and method, however often the helper tries it', () => {
    const tests = Array.from({ length: 20 }, (_, i) => `if (re.test(text) || re.exec(text)) return ${i};`).join('\n');
    const text = `function match(re, text) {\n${tests}\n}\nmatch(/a+b/, first);\nmatch(/b+c/, second);\n`;
    const outcome = parseModule('/p/a.js', text);
    assert.ok(outcome.ok);
    const facts = new Facts(new ModuleIndex(outcome.ast), new Source('/p/a.js', text), { nodeRange: '>=20', nodeRangeSource: 'the test' });
    const uses = facts.module
      .nodes('RegExpLiteral')
      .map((node) =>
        usesOf({ node, pattern: node.pattern, flags: node.flags }, facts).map((use) => [facts.source.slice(use.text), use.method]),
      );
    assert.deepEqual(uses, [
      [
        ['first', 'test'],
        ['first', 'exec'],
      ],
      [
        ['second', 'test'],
        ['second', 'exec'],
      ],
    ]);
  });
});
