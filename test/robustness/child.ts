// Lints one list of cases and says after each what it found. Runs in a process of its own, so that the parent can end it when it hangs.
// Arguments: the module with the list, the case after which to begin (or nothing), then the list's own arguments.
import { writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DeploymentProject } from '../../protocol/project.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { parse } from '../../analysis/module/parse.ts';
import { checkDeployment, checkText, cpuMsOf, type CheckResult } from './check.ts';

export type OddCase =
  | { name: string; file: string; text: string; isHuge?: boolean }
  | { name: string; project: DeploymentProject }
  /** Anything else: gives its complaints. */
  | { name: string; work(): Promise<string[]> };

export interface CaseList {
  /** Other rules than the project's own, for the test of the checks themselves. */
  rules?: readonly AnyRule[];
  cases(args: readonly string[]): Iterable<OddCase>;
  /** After the last case, for what the cases share. */
  end?(): Promise<void>;
}

/** One line of the child's output. */
export type ChildLine =
  | { begin: string }
  | { end: string; complaints: readonly string[]; cpuMs: number; parseMs: number; findings: number; fixes: number; isRead: boolean };

function say(line: ChildLine): void {
  // Written at once: a line that waits for the event loop would be lost in a hang.
  let rest = Buffer.from(`${JSON.stringify(line)}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // The pipe is full, because the reader has not come round yet on a busy machine.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Below this nobody asks how long the bare parse took. */
const ASK_WHY_MS = 1000;

const [modulePath, skipTo, ...args] = process.argv.slice(2);
if (!modulePath) throw new Error('no list given');
const list = (await import(pathToFileURL(resolve(modulePath)).href)) as CaseList;
const rules = list.rules ?? ((await import('../../rules/index.ts')) as { rules: readonly AnyRule[] }).rules;
let isSkipping = Boolean(skipTo);
for (const one of list.cases(args)) {
  if (isSkipping) {
    isSkipping = one.name !== skipTo;
    continue;
  }
  say({ begin: one.name });
  const { complaints, findings, fixes, isRead, cpuMs } =
    'work' in one
      ? await checkWork(one.work)
      : 'project' in one
        ? checkDeployment(rules, one.project)
        : checkText(rules, one.file, one.text);
  // A huge file may take as long as its parse; what counts is what we add to it.
  const parseMs = 'text' in one && one.isHuge && cpuMs > ASK_WHY_MS ? cpuMsOf(() => void parse(one.file, one.text)) : 0;
  say({ end: one.name, complaints, cpuMs, parseMs, findings, fixes, isRead });
}
await list.end?.();

async function checkWork(work: () => Promise<string[]>): Promise<CheckResult> {
  const before = process.cpuUsage();
  let complaints: string[];
  try {
    complaints = await work();
  } catch (error) {
    complaints = [`threw ${error instanceof Error ? error.stack : String(error)}`];
  }
  const { user, system } = process.cpuUsage(before);
  return { complaints, findings: 0, fixes: 0, isRead: true, cpuMs: (user + system) / 1000 };
}
