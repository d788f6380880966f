// Ends a child with everything that it started, and counts what is left.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// A program that forks while it is being killed needs several passes; each one takes a few ms.
const MAX_PASSES = 40;
const PASS_MS = 5;
const TASKKILL_MS = 5000;
const BYTES_PER_KIB = 1024;
/** Of /proc/<id>/stat, behind the name: `starttime`. */
const STARTED_FIELD = 19;

export interface Group {
  /** Of the child, which leads a process group of its own. */
  pid: number;
  /** Text that stands in the environment of the child and of all that inherit from it. */
  marker: string;
  /**
   * Processes that were found to belong to it, with the time of their start: they belong to it as long as they live, also where they have
   * lost their parent and their environment since.
   */
  seen?: Map<number, string>;
}

/** How much could be ended: `all`, or only the process group, where the system does not show what else descends from the child. */
export type Reach = 'all' | 'group';

export function reachOf(platform: NodeJS.Platform): Reach {
  return platform === 'linux' || platform === 'win32' ? 'all' : 'group';
}

/**
 * Living processes of the group: by process group, by descent, and by the marker in the environment, which also finds those that made a
 * group
 * of their own and lost their parent. Linux only (/proc); elsewhere empty.
 */
export function findMembers({ pid, marker, seen }: Group): number[] {
  if (process.platform !== 'linux') return [];
  const parents = new Map<number, number>();
  const started = new Map<number, string>();
  const members = new Set<number>();
  for (const entry of readdirSync('/proc')) {
    const id = Number(entry);
    if (!Number.isInteger(id) || id === process.pid) continue;
    const status = readOrNothing(`/proc/${id}/stat`);
    // The name is in parentheses and may hold anything; after it: state, parent, process group.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group] = fields;
    if (state === undefined || state === '' || state === 'Z' || state === 'X') continue;
    parents.set(id, Number(parent));
    started.set(id, fields[STARTED_FIELD] ?? '');
    if (
      id === pid ||
      Number(group) === pid ||
      (seen?.has(id) && seen.get(id) === started.get(id)) ||
      readOrNothing(`/proc/${id}/environ`).includes(marker)
    )
      members.add(id);
  }
  let grown = true;
  while (grown) {
    grown = false;
    for (const [id, parent] of parents) {
      if (members.has(id) || !members.has(parent)) continue;
      members.add(id);
      grown = true;
    }
  }
  for (const id of members) seen?.set(id, started.get(id) ?? '');
  return [...members];
}

/** Whether the system tells how much memory a process takes. */
export function watchesMemory(): boolean {
  return process.platform === 'linux';
}

/** Whether somebody has suspended it (SIGSTOP), and no debugger. False where the system does not tell. */
export function isSuspended(id: number): boolean {
  if (process.platform !== 'linux') return false;
  const status = readOrNothing(`/proc/${id}/stat`);
  return status.slice(status.lastIndexOf(')') + 2).startsWith('T ');
}

/** Memory of its own, without what it shares with others: text of programs and libraries. 0 for a process that has ended. */
export function residentBytes(id: number): number {
  const status = readOrNothing(`/proc/${id}/status`);
  return [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].reduce((sum, [, kib]) => sum + Number(kib) * BYTES_PER_KIB, 0);
}

/**
 * One pass, synchronous, for the host's own end, too. @returns how many processes were found alive, the child itself included; 0 where that
 * is not known.
 */
export function killOnce(group: Group): number {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/PID', String(group.pid), '/T', '/F'], { windowsHide: true, stdio: 'ignore', timeout: TASKKILL_MS });
    return 0;
  }
  const members = findMembers(group);
  signal(-group.pid);
  for (const member of members) signal(member);
  return members.length;
}

/** @returns the processes that were found in the first pass, the child itself left out. */
export async function killAll(group: Group): Promise<number> {
  const first = findMembers(group).filter((id) => id !== group.pid).length;
  for (let pass = 0; pass < MAX_PASSES && killOnce(group) > 0; pass += 1) await sleep(PASS_MS);
  return first;
}

function signal(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    // It has ended since it was seen, or a group has no member left (EPERM: on macOS, when only zombies are in it).
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process has ended, or is another user's.
    return '';
  }
}
