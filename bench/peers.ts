// The tools that are measured beside Nodometer, installed into a cache folder that git ignores.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LISTED = fileURLToPath(new URL('peers', import.meta.url));
export const PEERS = fileURLToPath(new URL('../.cache/peers', import.meta.url));

export function installPeers(): void {
  mkdirSync(PEERS, { recursive: true });
  const wanted = readFileSync(join(LISTED, 'package.json'), 'utf8');
  if (existsSync(join(PEERS, 'node_modules', 'eslint')) && readFileSync(join(PEERS, 'package.json'), 'utf8') === wanted) return;
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(LISTED, name), join(PEERS, name));
  // Not `npm ci`: oxlint's builds for other systems are in the lockfile only as far as the registry told of them.
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: PEERS, stdio: ['ignore', 'ignore', 'inherit'] });
}

export function peerVersion(name: string): string {
  return (JSON.parse(readFileSync(join(PEERS, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
}
