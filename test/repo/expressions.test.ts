// Our own regular expressions take a time that grows with the text and no faster. They read files of any origin, up to a megabyte: where
// the time grows with the square, that is a quarter of an hour.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import { analyse } from 'scslre';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { ROOT } from '../../scripts/generate.ts';

const FOLDERS = [
  'files',
  'protocol',
  'knowledge',
  'analysis',
  'rules',
  'profiler',
  'node-versions',
  'workspace',
  'server',
  'client',
  'cli',
  'eslint-plugin',
];
/** Programs and data of the rules' tests, where slow expressions are the point. */
const EXAMPLES = /^rules\/[^/]+\/(?:(?:unsafe-fixes\/)?cases[^/]*\.ts|oracle[^/]*|good\.js|bad\.js)$/;

/** Expressions that are slow on long texts, and what keeps their texts short. By file, so that a line may move. */
const SHORT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  // The last hundred characters before an error.
  'analysis/module/parse.ts': ['FLOW_GOES_ON'],
  // Names of at most 40 characters: longer ones are not tried.
  'protocol/shown-shapes.ts': ['DIGITS_BETWEEN'],
  // Texts of at most 600,000 characters, under the time limit of deployment files: an open quote must not hide the rest of its line.
  'rules/require-node-env/program.ts': ['IMPORT', 'STRING_OR_COMMENT'],
  // Addresses of modules that Node has loaded.
  'profiler/harness/compile-loader.mjs': ['[?#].*$'],
  'profiler/harness/compile.cjs': ['[?#].*$'],
  'profiler/harness/esm-loader.mjs': ['[?#].*$'],
  'profiler/harness/replace.cjs': ['[?#].*$'],
  'profiler/harness/source-maps.cjs': ['[?#].*$'],
  'profiler/harness/watchdog-worker.cjs': ['[?#].*$'],
  // Lines of V8's log, which are cut.
  'profiler/parse/escapes.ts': ['<(.*?):(\\d+):(\\d+)>(?= inlined at <|$)'],
  // Options of Node.
  'profiler/plan/plan.ts': ['=.*$'],
  // The second part takes what the first one leaves, so that no place is looked at twice.
  'server/shared/minimal-edits.ts': ['[^\\r\\n]*(?:\\r\\n|\\r|\\n)|[^\\r\\n]+$'],
  // The digits of a number.
  'workspace/count.ts': ['\\B(?=(?:\\d{3})+$)'],
  // The pages of our own rules.
  'cli/markdown-terminal.ts': ['^(`{3,}|~{3,})\\s*(.*)$', '^(\\s*)([-*]|\\d+\\.)\\s+(.*)$', '\\[([^\\]]+)\\]\\(([^)\\s]+)\\)'],
};

interface Expression {
  file: string;
  line: number;
  source: string;
  flags: string;
  /** The constant that it is the value of. */
  name: string | undefined;
}

function expressionsIn(file: string, text: string): Expression[] {
  const outcome = parse(file, text);
  assert.ok(outcome.ok, file);
  return new ModuleIndex(outcome.ast).nodes('RegExpLiteral').map((node) => {
    const before = text.slice(0, node.start ?? 0);
    return {
      file,
      line: before.split('\n').length,
      source: node.pattern,
      flags: node.flags,
      name: /\bconst (\w+)(?::[^=]+)? =\s*$/.exec(before.slice(-100))?.[1],
    };
  });
}

function ownExpressions(): Expression[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|js|[cm]js)$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((file) => !EXAMPLES.test(file))
      .flatMap((file) => expressionsIn(file, readFileSync(join(ROOT, file), 'utf8'))),
  );
}

/** What scslre, which judges users' expressions too, says of one. */
function judged({ source, flags }: Expression): string[] {
  return analyse({ source, flags }).reports.map(({ type, exponential }) => `${type}${exponential ? ', exponential' : ''}`);
}

/** So long that a square is seen: 30,000 characters take half a second where the time grows with it, and half a millisecond where not. */
const LENGTH = 30_000;
const MOST_MS = 150;
/** The same at a fifth of the length: what is through faster than this takes no square. Only the others are tried at full length. */
const FIRST_LENGTH = 6_000;
const FIRST_MS = 3;

/** The expression's own characters, one or two of them, to be repeated. */
function hardUnits({ source }: Expression): string[] {
  const characters = new Set<string>();
  for (const [, escaped, plain] of source.matchAll(/\\(.)|([^\\()[\]|?*+^$.{}])/g)) {
    const meaning: Readonly<Record<string, string>> = {
      s: ' ',
      S: 'x',
      w: 'a',
      W: '-',
      d: '1',
      D: 'x',
      n: '\n',
      t: '\t',
      r: '\r',
      b: '',
      B: '',
    };
    characters.add(escaped === undefined ? (plain ?? '') : (meaning[escaped] ?? escaped));
  }
  characters.delete('');
  const few = [...characters, 'x', ' '].slice(0, 12);
  return [...new Set([...few, ...few.flatMap((a) => few.map((b) => a + b))])];
}

/** One of them over and over, with an end that does not fit. */
const hardText = (unit: string, length: number): string => `${unit.repeat(length / unit.length)}\u0001`;

/** Undefined where the expression is through with all of them in time. */
function slowText(expression: Expression): string | undefined {
  const run = { expression: new RegExp(expression.source, expression.flags), text: '' };
  const context = vm.createContext({ run });
  const script = new vm.Script('run.expression.lastIndex = 0; run.text.replace(run.expression, "")');
  const takesLonger = (text: string, ms: number): boolean => {
    run.text = text;
    const start = performance.now();
    try {
      script.runInContext(context, { timeout: MOST_MS });
    } catch {
      return true;
    }
    return performance.now() - start > ms;
  };
  for (const unit of hardUnits(expression)) {
    if (!takesLonger(hardText(unit, FIRST_LENGTH), FIRST_MS)) continue;
    // A busy machine may be slow once.
    if ([1, 2, 3].every(() => takesLonger(hardText(unit, LENGTH), MOST_MS))) return JSON.stringify(unit);
  }
  return undefined;
}

const placed = (expression: Expression, why: string): string =>
  `${expression.file}:${expression.line} /${expression.source}/${expression.flags}: ${why}`;
/** Without a part that may be repeated without end, no expression takes longer than its text. */
const repeats = ({ source }: Expression): boolean => /[*+]|,\}/.test(source);
const isShort = ({ file, name, source }: Expression): boolean => (SHORT_TEXTS[file] ?? []).some((one) => one === name || one === source);

describe('our own regular expressions', () => {
  const slow: [source: string, says: RegExp][] = [
    ['^(a+)+$', /exponential/],
    ['\\s+$', /Move/],
    ['a*a*b', /Trade/],
  ];
  it('would be told if they were slow', () => {
    for (const [source, says] of slow) {
      const expression = { file: 'a.ts', line: 1, source, flags: 'g', name: undefined };
      assert.match(judged(expression).join(), says);
      assert.ok(slowText(expression), source);
    }
    assert.ok(slowText({ file: 'a.ts', line: 1, source: '"(?:[^"\\\\\\n]|\\\\.)*"', flags: 'g', name: undefined }));
  });

  it('are linear, or read short texts only', () => {
    const all = ownExpressions();
    assert.ok(all.length > 700, String(all.length));
    const told = all.filter((one) => !isShort(one)).flatMap((one) => judged(one).map((why) => placed(one, why)));
    assert.deepEqual(told, []);
  });

  it('are through with hard texts in time', () => {
    const told = ownExpressions()
      .filter((one) => repeats(one) && !isShort(one))
      .flatMap((one) => {
        const text = slowText(one);
        return text === undefined ? [] : [placed(one, `slow on many ${text}`)];
      });
    assert.deepEqual(told, []);
  });

  it('names no expression that is not there', () => {
    const all = ownExpressions();
    for (const [file, names] of Object.entries(SHORT_TEXTS))
      for (const name of names)
        assert.ok(
          all.some((one) => one.file === file && (one.name === name || one.source === name)),
          `${file}: ${name}`,
        );
  });
});
