// The sample files as an editor opens them.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative, sep } from 'node:path';
import { ROOT } from '../../scripts/generate.ts';

export const SAMPLES = join(ROOT, 'samples');

const LANGUAGES: Readonly<Record<string, string>> = {
  '.js': 'javascript',
  '.cjs': 'javascript',
  '.mjs': 'javascript',
  '.jsx': 'javascriptreact',
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescriptreact',
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.pug': 'pug',
};

/** What VS Code takes a file to be. */
export function languageOf(path: string): string {
  if (basename(path) === 'Dockerfile') return 'dockerfile';
  // By the first line, where the name says nothing.
  if (extname(path) === '' && readFileSync(path, 'utf8').startsWith('#!/usr/bin/env node')) return 'javascript';
  return LANGUAGES[extname(path)] ?? 'plaintext';
}

/** Absolute paths of all files below a folder, those of installed packages left out, in order. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !`${relative(folder, entry.parentPath)}${sep}`.includes(`node_modules${sep}`))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
