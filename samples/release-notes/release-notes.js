#!/usr/bin/env node
// Reads lines such as `fix: the port of the proxy` from standard input, and writes them by kind.
import { render } from './page.js';

const LINE = /^(\w+): (.+)$/;

/** @profile collect('fix: a\nadd: b\nfix: c') */
export function collect(text) {
  const notes = new Map();
  for (const line of text.split('\n')) {
    const [, kind, note] = LINE.exec(line) ?? [];
    if (kind === undefined) continue;
    const list = notes.get(kind);
    if (list) list.push(note);
    else notes.set(kind, [note]);
  }
  return notes;
}

async function main() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const notes = collect(Buffer.concat(chunks).toString());
  if (process.argv.includes('--html')) process.stdout.write(render(notes));
  else for (const [kind, list] of notes) process.stdout.write(`${kind}\n${list.map((note) => `- ${note}\n`).join('')}`);
}

if (!process.stdin.isTTY) await main();
