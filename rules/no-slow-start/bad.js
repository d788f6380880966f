#!/usr/bin/env node
// Counts the lines of a file. With --html, it writes a page. What makes the page is loaded at each start.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pug from 'pug';

const FILE = fileURLToPath(import.meta.url);

function pageOf(file, lines) {
  return pug.render('p #{file}: #{lines}', { file, lines });
}

function main(args) {
  const file = args.at(-1);
  const lines = readFileSync(file, 'utf8').split('\n').length;
  if (args.includes('--html')) process.stdout.write(pageOf(file, lines));
  else process.stdout.write(`${lines}\n`);
}

if (process.argv[1] === FILE) main(process.argv.slice(2));

/** Starts the command, as a user does. */
export function start(args) {
  return spawnSync(process.execPath, [FILE, ...args], { encoding: 'utf8' }).stdout;
}
