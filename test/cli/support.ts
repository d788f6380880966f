// A host without a process, folders made from a table, and rules that only the tests have.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Fix, Related } from '../../protocol/finding.ts';
import { parse } from '../../analysis/module/parse.ts';
import { defineRule, type AnyRule } from '../../analysis/rule.ts';
import { runCommand } from '../../cli/command.ts';
import type { ExitCode, Host } from '../../cli/host.ts';
import type { FixCheck } from '../../workspace/fix.ts';
import type { t } from '../../analysis/module/ast.ts';

/** A folder with the files given; `dispose` removes it. */
export function folderWith(files: Readonly<Record<string, string>>): { path: string; dispose(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-cli-')));
  for (const [name, text] of Object.entries(files)) {
    const target = join(path, name);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}

export interface RunOptions {
  cwd: string;
  rules?: readonly AnyRule[];
  env?: Record<string, string>;
  stdin?: string;
  /** Columns of the terminal; absent when the output is no terminal. */
  columns?: number;
  signal?: AbortSignal;
  platform?: string;
  fixCheck?: FixCheck;
  docs?: Readonly<Record<string, string>>;
}

function errorsIn(file: string, text: string): number {
  const outcome = parse(file, text);
  return outcome.ok ? outcome.recovered.length : Infinity;
}

export interface RunResult {
  code: ExitCode;
  out: string;
  err: string;
}

export const RUNNING_NODE = '20.19.0';

export async function run(argv: readonly string[], options: RunOptions): Promise<RunResult> {
  const written = { out: '', err: '' };
  let clock = 0;
  const stream = (name: 'out' | 'err') => ({
    write(text: string) {
      written[name] += text;
    },
    isTTY: options.columns !== undefined,
    columns: options.columns,
  });
  const host: Host = {
    cwd: options.cwd,
    env: options.env ?? {},
    platform: options.platform ?? 'linux',
    stdout: stream('out'),
    stderr: stream('err'),
    readStdin: async () => options.stdin ?? '',
    signal: options.signal ?? new AbortController().signal,
    // Every look at the clock is a second later, so that elapsed times are the same on every machine.
    now: () => ++clock * 1000,
    nodeVersion: RUNNING_NODE,
    nodePath: process.execPath,
    date: () => 1_700_000_000_000,
    confirm: async () => false,
    version: '1.2.3',
    loadRules: async () => options.rules ?? testRules,
    // The tests' rules write names that nothing declares.
    loadFixCheck: async () =>
      options.fixCheck ??
      ((file, before, after) => (errorsIn(file, after) > errorsIn(file, before) ? 'the result could not be parsed' : undefined)),
    startLanguageServer: async () => {
      written.out += 'serving\n';
    },
    findRuleDoc: (id) => options.docs?.[id],
  };
  const code = await runCommand(argv, host);
  return { code, ...written };
}

/** Runs in a folder that is made for the run, and gives paths as `<folder>/…`. */
export async function runIn(
  files: Readonly<Record<string, string>>,
  argv: readonly string[],
  options: Partial<RunOptions> = {},
): Promise<RunResult> {
  const folder = folderWith(files);
  try {
    const result = await run(argv, { cwd: folder.path, ...options });
    const mask = (text: string) => text.replaceAll(folder.path, '<folder>');
    return { code: result.code, out: mask(result.out), err: mask(result.err) };
  } finally {
    folder.dispose();
  }
}

/** `2:3 slow` for each finding of a `--format json` report. */
export function placesOf(out: string): string[] {
  const findings = JSON.parse(out) as { file: string; line: number; column: number; ruleId: string }[];
  return findings.map((finding) => `${finding.file.replace('<folder>/', '')}:${finding.line}:${finding.column} ${finding.ruleId}`);
}

export function filesOf(out: string): string[] {
  return [...new Set(placesOf(out).map((place) => place.split(':')[0] ?? ''))];
}

function isCallOf(node: t.CallExpression, name: string): boolean {
  return node.callee.type === 'Identifier' && node.callee.name === name;
}

const nothing = { options: {}, confirmedBy: [], proof: 'documented', nodeRange: '*' } as const;

/** `slow()` is a warning; the safe fix writes `quick()`. */
export const slow = defineRule<'slow', { limit: number; mode: string; names: string[]; strict: boolean }>({
  meta: {
    ...nothing,
    id: 'no-slow',
    group: 'v8',
    summary: 'Calls of slow',
    severity: 'warning',
    fix: 'safe',
    messages: { slow: { what: '`slow()` is slow.', why: 'Its name says so, and names do not lie.', remedy: 'Call `quick()`.' } },
    options: {
      limit: { type: 'number', default: 1, minimum: 0, description: 'A number' },
      mode: { type: 'string', default: 'soft', values: ['soft', 'hard'], description: 'A choice' },
      names: { type: 'string[]', default: [], description: 'Some names' },
      strict: { type: 'boolean', default: false, description: 'A switch' },
    },
  },
  create: ({ report, options }) => ({
    CallExpression(node) {
      const isNamed = node.callee.type === 'Identifier' && options.names.includes(node.callee.name);
      if (!isCallOf(node, 'slow') && !isNamed) return;
      const { start, end } = node.callee as { start: number; end: number };
      const fix: Fix = { title: 'Call quick() instead', kind: 'safe', edits: [{ start, end, text: 'quick' }] };
      report({ at: node, messageId: 'slow', fixes: isNamed ? [] : [fix] });
    },
  }),
});

/** `block()` in a handler is an error, with the way there; the suggestion awaits it. */
export const blocking = defineRule<'blocks'>({
  meta: {
    ...nothing,
    id: 'no-blocking',
    group: 'event-loop',
    summary: 'Calls of block',
    severity: 'error',
    fix: 'suggestion',
    messages: { blocks: { what: '`{{call}}` blocks.', why: 'Nothing else runs meanwhile.', remedy: 'Await `unblock()`.' } },
  },
  create: ({ report, source }) => ({
    CallExpression(node) {
      if (!isCallOf(node, 'block')) return;
      const { start, end } = node as { start: number; end: number };
      const handler = source.text.indexOf('app.get');
      const related: Related[] =
        handler === -1 ? [] : [{ span: { start: handler, end: handler + 7 }, message: 'the route is registered here' }];
      report({
        at: node,
        messageId: 'blocks',
        data: { call: source.slice(node) },
        related,
        route: handler === -1 ? undefined : 'GET /users/:id',
        fixes: [{ title: 'Await unblock()', kind: 'suggestion', cost: 'twice the time', edits: [{ start, end, text: 'await unblock()' }] }],
        refused: [{ title: 'Load once at start-up', reason: 'the arguments are not constant' }],
      });
    },
  }),
});

/** `note()` is a hint. */
export const hinting = defineRule<'noted'>({
  meta: {
    ...nothing,
    id: 'no-note',
    group: 'api',
    summary: 'Calls of note',
    severity: 'hint',
    fix: 'none',
    messages: { noted: { what: '`note()` is called.', why: 'It is noted.', remedy: 'Nothing needs to be done.' } },
  },
  create: ({ report }) => ({
    CallExpression(node) {
      if (isCallOf(node, 'note')) report({ at: node, messageId: 'noted' });
    },
  }),
});

/** Throws at `crashMe()`. */
export const crashing = defineRule<'never'>({
  meta: {
    ...nothing,
    id: 'no-crash',
    group: 'api',
    summary: 'Crashes',
    severity: 'warning',
    fix: 'none',
    messages: { never: { what: 'a', why: 'b', remedy: 'c' } },
  },
  create: () => ({
    CallExpression(node) {
      if (isCallOf(node, 'crashMe')) throw new Error('out of order');
    },
  }),
});

/** A start script without FLAG=on; the fix puts it in. Knows it too when a Procfile or .env sets it. */
export const flagless = defineRule<'flagless'>({
  meta: {
    ...nothing,
    id: 'require-flag',
    group: 'config',
    summary: 'Starts without FLAG',
    severity: 'warning',
    fix: 'safe',
    messages: { flagless: { what: 'The program is started without `FLAG=on`.', why: 'It is slow then.', remedy: 'Set it.' } },
  },
  checkDeployment({ project, report }) {
    if (project.files.some((file) => file.kind !== 'package-json' && file.text.includes('FLAG=on'))) return;
    for (const file of project.files.filter((one) => one.kind === 'package-json')) {
      const match = /"start":\s*"(?!FLAG=on)(node [^"]*)"/.exec(file.text);
      if (!match) continue;
      const start = match.index + match[0].indexOf('node ');
      report({
        file,
        at: { start, end: start + (match[1]?.length ?? 0) },
        messageId: 'flagless',
        fixes: [{ title: 'Set FLAG', kind: 'safe', edits: [{ start, end: start, text: 'FLAG=on ' }] }],
      });
    }
  },
});

export const testRules: readonly AnyRule[] = [blocking, crashing, hinting, slow, flagless];
