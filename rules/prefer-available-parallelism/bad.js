// A cluster with a process for each processor of the machine.
import cluster from 'node:cluster';
import os from 'node:os';

/** Starts the processes, and returns how many. */
export function startAll() {
  let started = 0;
  for (let i = 0; i < os.cpus().length; i++) {
    cluster.fork();
    started += 1;
  }
  return started;
}
