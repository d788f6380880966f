// A repository that was there before Nodometer: copies of the samples and of the rules' bad examples, between scripts of published
// packages.
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT, ruleIds } from '../../scripts/generate.ts';
import { makeWorkspace } from '../many-files.ts';

export interface OldRepository {
  /** Applications with known problems, each a copy of the same ones. */
  applications: number;
  /** Scripts of published packages. They are fetched with npm. */
  scripts: number;
}

/** Not in Git, or not of the application. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '.nodometer']);

export function makeOldRepository(folder: string, { applications, scripts }: OldRepository): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"old","private":true}\n');
  for (let i = 1; i <= applications; i++) {
    const application = join(folder, 'applications', `number-${i}`);
    cpSync(join(ROOT, 'samples'), join(application, 'services'), {
      recursive: true,
      filter: (path) => !LEFT_OUT.has(basename(path)),
    });
    for (const id of ruleIds()) {
      const example = join(ROOT, 'rules', id, 'bad.js');
      if (existsSync(example)) cpSync(example, join(application, 'web', `${id}.js`));
    }
    // The examples are ES modules.
    writeFileSync(join(application, 'package.json'), `{"name":"number-${i}","private":true,"type":"module"}\n`);
  }
  if (scripts > 0) makeWorkspace(join(folder, 'packages'), scripts);
}
