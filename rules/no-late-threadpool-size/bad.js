// Looks at a file while five reads of pipes that nobody writes to yet keep the thread pool busy: the
// pool is given eight threads when it has its four already.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PIPES = 5;
const PATIENCE_MS = 400;

/** Starts a Node that does so, and gives what it says. */
export async function lookWhileBusy() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'look'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  await once(child, 'close');
  return text.trim();
}

async function look() {
  const folder = mkdtempSync(join(tmpdir(), 'pool-'));
  const pipes = Array.from({ length: PIPES }, (_, i) => join(folder, `pipe-${i}`));
  spawnSync('mkfifo', pipes);
  await stat(tmpdir());
  process.env.UV_THREADPOOL_SIZE = '8';
  const reads = pipes.map((pipe) => open(pipe, 'r'));
  const finish = () => pipes.splice(0).forEach((pipe) => closeSync(openSync(pipe, 'w')));
  // By then somebody writes, and the pool is free again.
  const patience = setTimeout(finish, PATIENCE_MS);
  const { size } = await stat(folder);
  clearTimeout(patience);
  finish();
  for (const file of await Promise.all(reads)) await file.close();
  rmSync(folder, { recursive: true });
  console.log(size > 0 ? 'found' : 'empty');
}

if (process.argv[2] === 'look') await look();
