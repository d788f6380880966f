#!/usr/bin/env node
// Counts the lines of a file. With --html, it writes a page. What makes the page is loaded for the page.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(import.meta.url);

async function pageOf(file, lines) {
  const { default: pug } = await import('pug');
  return pug.render('p #{file}: #{lines}', { file, lines });
}

async function main(args) {
  const file = args.at(-1);
  const lines = readFileSync(file, 'utf8').split('\n').length;
  if (args.includes('--html')) process.stdout.write(await pageOf(file, lines));
  else process.stdout.write(`${lines}\n`);
}

if (process.argv[1] === FILE) await main(process.argv.slice(2));

/** Starts the command, as a user does. */
export function start(args) {
  return spawnSync(process.execPath, [FILE, ...args], { encoding: 'utf8' }).stdout;
}
