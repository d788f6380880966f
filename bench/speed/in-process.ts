// What is measured inside one process. Bundled before it runs, as the command is, so that loading TypeScript is not part of it.
//   parse <list>          reads and parses every file once: the bare parse, cold
//   rounds <list> <n>     after a warm-up, n rounds of bare parse and of all rules in turn, over texts already read
//   edit <file> <n> <peers>   n edits of one file: bare parse, all rules and ESLint's n/no-sync after each, in turn
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from '../../analysis/module/parse.ts';
import { lintText } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { rules } from '../../rules/index.ts';

const PROJECT: ProjectInfo = { root: '/project', nodeRange: '>=18', nodeRangeSource: 'the bench' };
const settings = defaultSettings(rules);
const lint = (file: string, text: string) => lintText({ file, text, project: PROJECT, rules, settings });

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const listed = (list: string): string[] => readFileSync(list, 'utf8').split('\n').filter(Boolean);

function parseAll(list: string): unknown {
  let failed = 0;
  for (const file of listed(list)) if (!parse(file, readFileSync(file, 'utf8')).ok) failed++;
  return { failed };
}

function roundsOver(list: string, rounds: number): unknown {
  const texts = listed(list).map((file) => [file, readFileSync(file, 'utf8')] as const);
  let findings = 0;
  const parseMs: number[] = [];
  const lintMs: number[] = [];
  const parseRound = (): number =>
    timed(() => {
      for (const [file, text] of texts) parse(file, text);
    });
  const lintRound = (): number =>
    timed(() => {
      findings = 0;
      for (const [file, text] of texts) findings += lint(file, text).findings.length;
    });
  parseRound();
  lintRound();
  for (let i = 0; i < rounds; i++) {
    parseMs.push(parseRound());
    lintMs.push(lintRound());
  }
  return { parseMs, lintMs, findings };
}

/** The slice of ESLint that is used here. */
interface EslintModule {
  Linter: new (options: {
    configType: 'flat';
  }) => { verify(text: string, config: object, file: string): { fatal?: boolean; message: string }[] };
}

async function edits(file: string, count: number, peers: string): Promise<unknown> {
  const resolve = createRequire(join(peers, 'package.json')).resolve;
  const { Linter } = (await import(pathToFileURL(resolve('eslint')).href)) as EslintModule;
  const plugin = ((await import(pathToFileURL(resolve('eslint-plugin-n')).href)) as { default: object }).default;
  const linter = new Linter({ configType: 'flat' });
  const config = {
    files: ['**/*.js'],
    plugins: { n: plugin },
    rules: { 'n/no-sync': 'error' },
    languageOptions: { sourceType: 'commonjs' },
  };
  const original = readFileSync(file, 'utf8');
  const first = parse(file, original);
  if (!first.ok) throw new Error(`${file} does not parse`);
  const places = first.ast.program.body.flatMap((statement) => (statement.type === 'ImportDeclaration' ? [] : [statement.start ?? 0]));
  const samples: Record<'parse' | 'nodometer' | 'eslint', number[]> = { parse: [], nodometer: [], eslint: [] };
  const name = join(dirname(file), 'edited.js');
  for (let i = -WARM_UP; i < count; i++) {
    // A statement typed before one of the file's own: every edit gives a text that no cache has seen.
    const at = places[((i + WARM_UP) * 7919) % places.length] ?? 0;
    const text = `${original.slice(0, at)}\nconst edited${i + WARM_UP} = ${i + WARM_UP};\n${original.slice(at)}`;
    const steps: [keyof typeof samples, () => void][] = [
      ['parse', () => void parse(name, text)],
      ['nodometer', () => void lint(name, text)],
      [
        'eslint',
        () => {
          const fatal = linter.verify(text, config, 'edited.js').find((message) => message.fatal);
          if (fatal) throw new Error(`ESLint: ${fatal.message}`);
        },
      ],
    ];
    // Whoever comes first pays for the others' garbage; so each comes first as often as the others.
    for (let step = 0; step < steps.length; step++) {
      const [who, work] = steps[(step + i + WARM_UP) % steps.length] as (typeof steps)[number];
      const ms = timed(work);
      if (i >= 0) samples[who].push(ms);
    }
  }
  return { lines: original.split('\n').length, samples };
}

const WARM_UP = 15;

const [mode, path = '', count = '3', peers = ''] = process.argv.slice(2);
const result =
  mode === 'parse' ? parseAll(path) : mode === 'rounds' ? roundsOver(path, Number(count)) : await edits(path, Number(count), peers);
console.log(JSON.stringify(result));
