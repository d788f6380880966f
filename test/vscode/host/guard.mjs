// Runs a program in a process group of its own and ends it, whole, when the process that asked for it is gone: stopped, killed or crashed.
// `node guard.mjs <folder to remove afterwards> <program> [arguments]`; the other end of standard input is the sign of life.
// Plain JavaScript: it has to start at once and to outlive the loader of its parent.
import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const GRACE_MS = 3000;

const [folder, program, ...args] = process.argv.slice(2);
const isWindows = process.platform === 'win32';
const child = spawn(program, args, { detached: !isWindows, stdio: ['ignore', 'inherit', 'inherit'] });

/** @param {NodeJS.Signals} signal */
function signalGroup(signal) {
  if (child.pid === undefined) return;
  if (isWindows) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function stop() {
  signalGroup('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), GRACE_MS).unref();
}

process.stdin.on('end', stop).on('error', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

child.on('error', (error) => {
  console.error(`${program}: ${error.message}`);
  finish(1);
});
child.on('exit', (code) => finish(code ?? 1));

/** @param {number} code */
function finish(code) {
  // Whatever the program left running in its group goes with it.
  signalGroup('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  process.exit(code);
}
