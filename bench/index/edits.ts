// Holds the index of a folder as the server's thread does, and measures edits. Bundled before it runs.
//   edits.mjs <folder> <count> <analysis thread>   prints JSON
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from '../../analysis/module/parse.ts';
import { defaultEditorSettings } from '../../protocol/settings.ts';
import { rules } from '../../rules/index.ts';
import { ProjectIndex } from '../../server/index-thread/project-index.ts';
import type { IndexMessage } from '../../server/shared/index-messages.ts';

const [folder = '', count = '200', entry = ''] = process.argv.slice(2);
const cacheFolder = mkdtempSync(join(tmpdir(), 'nodometer-bench-'));
const messages: IndexMessage[] = [];
const index = new ProjectIndex({
  rules,
  now: () => performance.now(),
  log: (message) => console.error(message),
  post: (message) => messages.push(message),
});
const started = performance.now();
const editor = defaultEditorSettings();
const analysis = { threads: 2, entry, fingerprint: 'bench', cacheFolder };
await index.handle({
  kind: 'build',
  job: {
    folders: [{ path: folder, editor }],
    allFolders: [folder],
    runningNode: process.versions.node,
    platform: process.platform,
    analysis,
    abilities: { relatedInformation: true, codeDescription: true, data: true, unnecessary: true },
    pages: {},
    open: [],
  },
});
const buildMs = performance.now() - started;
await index.handle({ kind: 'report', on: true });
const reported = messages.flatMap((message) => (message.kind === 'files' ? message.files : []));
const files = reported.map(({ path }) => path);
const withFindings = reported.filter(({ diagnostics }) => diagnostics.length > 0).length;
const rssMb = Math.round(process.resourceUsage().maxRSS / 1024);

type Kind = 'same functions' | 'another function' | 'without an import' | 'another function, at once';
const samples: Record<Kind, number[]> = {
  'same functions': [],
  'another function': [],
  'without an import': [],
  'another function, at once': [],
};
/** How long the index works while a file that was opened is looked at, in ms. */
const preparations: number[] = [];
const KINDS = Object.keys(samples) as Kind[];
const WARM_UP = 12;
let changed = 0;

/** Undefined where the text has no such place. */
function edited(kind: Kind, text: string, number: number): string | undefined {
  if (kind === 'same functions') return `const edited${number} = ${number};\n${text}`;
  if (kind.startsWith('another function'))
    return `${text}\nfunction edited${number}(req, res) {\n  return res.json(require('node:fs').readFileSync(req.url));\n}\nmodule.exports.edited${number} = edited${number};\n`;
  const without = text.replace(/^.*\brequire\((['"])\.{1,2}\/[^)]*\).*$|^import .* from ['"]\.{1,2}\/.*$/m, '');
  return without === text ? undefined : without;
}

for (let i = -WARM_UP, at = 0; i < Number(count); at++) {
  const path = files[(at * 7919) % files.length] ?? '';
  const kind = KINDS[(i + WARM_UP) % KINDS.length] ?? 'same functions';
  const text = readFileSync(path, 'utf8');
  const next = edited(kind, text, at);
  if (next === undefined || !parse(path, next).ok) continue;
  // A file is opened, looked at for a moment, and edited; or edited before there was such a moment.
  await index.handle({ kind: 'edit', path, text, sequence: 1 });
  if (!kind.endsWith('at once')) {
    const before = performance.now();
    await index.prepare();
    if (i >= 0) preparations.push(performance.now() - before);
  }
  messages.length = 0;
  const start = performance.now();
  await index.handle({ kind: 'edit', path, text: next, sequence: 2 });
  const ms = performance.now() - start;
  if (i >= 0) samples[kind].push(ms);
  if (messages.some((message) => message.kind === 'files')) changed++;
  await index.handle({ kind: 'close', path });
  i++;
}
index.stop();
rmSync(cacheFolder, { recursive: true, force: true });
console.log(JSON.stringify({ files: files.length, withFindings, buildMs, rssMb, samples, preparations, changed }));
