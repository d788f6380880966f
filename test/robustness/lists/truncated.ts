// Every sample file and every rule's example, cut off at every 50th byte, as if somebody were still typing it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deploymentKindOf } from '../../../analysis/deployment/deployment-files.ts';
import { SCRIPT_FILE } from '../../../analysis/module/parse.ts';
import { PROJECT } from '../check.ts';
import type { OddCase } from '../child.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const STEP_BYTES = 50;

function* filesBelow(folder: string): Generator<string> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

export function* cases(): Generator<OddCase> {
  const examples = [...filesBelow(join(ROOT, 'rules'))].filter((path) => /[\\/](?:bad|good)\.js$/.test(path));
  for (const path of [...filesBelow(join(ROOT, 'samples')), ...examples]) {
    const bytes = readFileSync(path);
    const kind = deploymentKindOf(path);
    if (!kind && !SCRIPT_FILE.test(path)) continue;
    for (let end = 0; end < bytes.length + STEP_BYTES; end += STEP_BYTES) {
      // A cut inside a character leaves U+FFFD, as a half-written file on disk does.
      const text = bytes.toString('utf8', 0, Math.min(end, bytes.length));
      const name = `${relative(ROOT, path)} cut at ${end}`;
      if (SCRIPT_FILE.test(path)) yield { name, file: join('/project', relative(ROOT, path)), text };
      if (kind)
        yield {
          name: `${name} as ${kind}`,
          project: { root: '/project', info: PROJECT, files: [{ path: '/project/file', kind, text }], readText: () => undefined },
        };
    }
  }
}
