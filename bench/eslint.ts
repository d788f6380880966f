// What the plugin costs ESLint: ESLint without rules, with n/no-sync alone, and with all rules of Nodometer, over the same files, by turns.
// `npm run bench:eslint [-- --set small] [-- --rounds 5]` prints a table.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, buildPlugin } from '../scripts/build.ts';
import { ROOT } from '../scripts/generate.ts';
import { table } from './lint-command.ts';
import { installPeers, PEERS, peerVersion } from './peers.ts';
import { measure, median } from './speed/measure.ts';
import { getFileSet } from './speed/sets.ts';

const CACHE = fileURLToPath(new URL('../.cache/speed', import.meta.url));
const COMMON = `export const common = [
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' } },
  { files: ['**/*.js'], languageOptions: { sourceType: 'commonjs' } },
];
`;
const CONFIGS: Readonly<Record<string, string>> = {
  none: `import { common } from './common.mjs';\nexport default common;\n`,
  sync: `import { common } from './common.mjs';\nimport n from 'eslint-plugin-n';\nexport default [...common, { plugins: { n }, rules: { 'n/no-sync': 'warn' } }];\n`,
  nodometer: `import { common } from './common.mjs';\nimport nodometer from 'eslint-plugin-nodometer';\nexport default [...common, nodometer.configs.recommended];\n`,
};

interface Tool {
  name: string;
  config: string;
  /** Whether nothing is kept from the run before. */
  isCold: boolean;
}

const { values } = parseArgs({ options: { set: { type: 'string', multiple: true }, rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
mkdirSync(CACHE, { recursive: true });
installPeers();
// Outside of the checkout, which would be the project around them.
const work = mkdtempSync(join(tmpdir(), 'nodometer-bench-eslint-'));
try {
  const packages = join(work, 'node_modules');
  await build(join(packages, 'nodometer', 'dist'));
  await buildPlugin(join(packages, 'eslint-plugin-nodometer', 'dist'));
  cpSync(join(ROOT, 'package.json'), join(packages, 'nodometer', 'package.json'));
  cpSync(join(ROOT, 'eslint-plugin', 'package.json'), join(packages, 'eslint-plugin-nodometer', 'package.json'));
  symlinkSync(join(PEERS, 'node_modules', 'eslint-plugin-n'), join(packages, 'eslint-plugin-n'), 'junction');
  writeFileSync(join(work, 'common.mjs'), COMMON);
  for (const [name, text] of Object.entries(CONFIGS)) writeFileSync(join(work, `${name}.mjs`), text);
  const tools: readonly Tool[] = [
    { name: `ESLint ${peerVersion('eslint')} without rules`, config: 'none', isCold: false },
    { name: 'with n/no-sync', config: 'sync', isCold: false },
    { name: "with Nodometer's plugin, no cache", config: 'nodometer', isCold: true },
    { name: "with Nodometer's plugin, nothing changed", config: 'nodometer', isCold: false },
  ];
  const sets = values.set ?? ['small', 'medium'];
  const seconds = new Map<string, number[][]>(tools.map(({ name }) => [name, []]));
  const counts: number[] = [];
  for (const [i, name] of sets.entries()) {
    const set = getFileSet(name, CACHE);
    const folder = join(work, name);
    for (const file of set.files) cpSync(file, join(folder, relative(set.folder, file)));
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    counts.push(set.files.length);
    for (const one of seconds.values()) one.push([]);
    // The first round warms the disk and is dropped.
    for (let round = -1; round < rounds; round++)
      for (const { name: tool, config, isCold } of tools) {
        process.env.XDG_CACHE_HOME = join(work, 'cache');
        if (isCold) rmSync(join(work, 'cache'), { recursive: true, force: true });
        const args = [
          join(PEERS, 'node_modules/eslint/bin/eslint.js'),
          '--no-ignore',
          '--config',
          join(work, `${config}.mjs`),
          '--format',
          'json',
          '.',
        ];
        const result = measure({ name: tool, file: process.execPath, args, cwd: folder, okCodes: [0, 1] });
        if (round >= 0) seconds.get(tool)?.[i]?.push(result.seconds);
      }
  }
  const base = [...seconds.values()][0] ?? [];
  console.log(`Wall seconds, median of ${rounds} (ratio to ESLint without rules; least and most)\n`);
  console.log(
    table(
      ['', ...sets.map((name, i) => `${name} (${counts[i]} files)`)],
      [...seconds].map(([tool, all]) => [
        tool,
        ...all.map((runs, i) => {
          const ratio = median(runs) / median(base[i] ?? []);
          return `${median(runs).toFixed(2)} (${ratio.toFixed(2)}; ${Math.min(...runs).toFixed(2)}–${Math.max(...runs).toFixed(2)})`;
        }),
      ]),
    ),
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}
