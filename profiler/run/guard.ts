// A process that ends a run when its host dies without a word (SIGKILL, SIGQUIT, a crash): it waits at the end of a pipe that the host
// alone holds open. A shell, because a Node would take the processor from what is measured; Windows has none.
import { spawn } from 'node:child_process';

export interface Guard {
  /** Which process group is to be ended. */
  watch(pid: number): void;
  /** The run is over: nothing is to be ended. */
  release(): void;
}

/** Passes over the system's processes, for a program that forks while it is being killed. */
const MOST_PASSES = 40;

// $1: text in the environment of all that belongs to the run, $2: the folder of the run. Without /proc only the group is found.
const SCRIPT = `
read -r group || exit 0
read -r over && exit 0
pass=0
while [ "$pass" -lt ${MOST_PASSES} ]; do
  pass=$((pass + 1))
  found=
  kill -9 -- "-$group" 2>/dev/null && found=1
  for one in $(grep -lsaF -- "$1" /proc/[0-9]*/environ 2>/dev/null); do
    one=\${one#/proc/}
    kill -9 "\${one%/environ}" 2>/dev/null && found=1
  done
  [ -n "$found" ] || break
  sleep 0.05
done
rm -rf -- "$2"
`;

const NONE: Guard = {
  watch() {
    // Nobody watches.
  },
  release() {
    // Nobody watches.
  },
};

/** In a session of its own, so that what ends the host's does not end it. */
export function startGuard(marker: string, folder: string): Guard {
  if (process.platform === 'win32') return NONE;
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'nodometer-guard', marker, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
  });
  // A system without a shell has runs without a guard. A guard that was killed guards nothing, either.
  for (const one of [shell, shell.stdin]) one.on('error', () => undefined);
  shell.unref();
  const say = (line: string): void => {
    if (shell.stdin.writable) shell.stdin.write(`${line}\n`);
  };
  return {
    watch: (pid) => say(String(pid)),
    release: () => {
      if (shell.stdin.writable) shell.stdin.end('over\n');
    },
  };
}
