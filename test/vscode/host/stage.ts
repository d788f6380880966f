// The extension as its users get it, in a folder of its own: a test may break it there, and a build for another purpose cannot change it.
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtIn } from '../../built.ts';
import { ROOT } from '../../../scripts/generate.ts';

/** What the manifest refers to, beside the built files. */
const FILES = [
  'package.json',
  'package.nls.json',
  'l10n',
  'images',
  'walkthrough',
  'nodometer.schema.json',
  'nodometer-evidence.schema.json',
  'nodometer-production.schema.json',
  'README.md',
  'LICENSE',
];

export interface Staged {
  folder: string;
  /** The command of the same build. */
  command: string;
}

export async function stageExtension(folder: string): Promise<Staged> {
  mkdirSync(folder, { recursive: true });
  for (const name of FILES) if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  const { command } = await builtIn(join(folder, 'dist'));
  return { folder, command };
}
