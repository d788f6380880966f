// Entry of the thread that keeps the projects of an ESLint process. ESLint's rules wait for its answers, so that this thread may do what
// they cannot: work with promises, and start further threads.
import { messageOf } from '../../protocol/unknown-values.ts';
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { workerData, type MessagePort } from 'node:worker_threads';
import { findProjectRoot } from '../../workspace/project-index/project-root.ts';
import { CommandError } from '../../workspace/errors.ts';
import { rules } from '../../rules/index.ts';
import type { Answer, Ended, Question, ThreadData } from '../questions.ts';
import { LintedProject } from './linted-project.ts';

/** Projects whose index is kept; a process that lints more of them makes the oldest anew. Our choice. */
const MOST_PROJECTS = 8;
const CONFIGS = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((ending) => `eslint.config.${ending}`);

const { port, signal } = workerData as ThreadData & { port: MessagePort };
const flag = new Int32Array(signal);
const projects = new Map<string, Promise<LintedProject>>();
let queue: Promise<void> = Promise.resolve();

let last: string | undefined;
process.on('uncaughtExceptionMonitor', (error: unknown) => {
  last = messageOf(error);
});
process.on('exit', (code) => {
  port.postMessage({ ended: last ?? `exit code ${code}` } satisfies Ended);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
});

port.on('message', (question: Question) => {
  queue = queue.then(async () => {
    const answer = await answerTo(question);
    port.postMessage({ ...answer, id: question.id });
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
});

async function answerTo(question: Question): Promise<Omit<Answer, 'id'>> {
  const { text, cwd } = question;
  const file = asIn(cwd, question.file);
  const root = rootOf(file, cwd);
  try {
    return await (await projectOf(root ?? dirname(file), root === undefined)).answerFor(file, text);
  } catch (error) {
    // The next question may find a configuration that somebody has mended.
    if (root !== undefined) projects.delete(root);
    const why = messageOf(error);
    const message =
      error instanceof CommandError
        ? why
        : `The project could not be analyzed. This is a bug in Nodometer; please report it. ${error instanceof Error ? (error.stack ?? why) : why}`;
    return { found: [], problem: { message } };
  }
}

/** Editors on Windows write `c:` and `C:`, and files are found with the letter of the folder. */
function asIn(cwd: string, file: string): string {
  const isSameDrive = /^[a-z]:/i.test(file) && file[0] !== cwd[0] && file[0]?.toLowerCase() === cwd[0]?.toLowerCase() && cwd[1] === ':';
  return isSameDrive ? `${cwd.slice(0, 1)}${file.slice(1)}` : file;
}

/**
 * As `nodometer lint` in ESLint's folder reads it. Undefined where no folder says that it is a project: the file then stands for itself.
 */
function rootOf(file: string, cwd: string): string | undefined {
  const isInside = file.startsWith(cwd.endsWith(sep) ? cwd : `${cwd}${sep}`);
  const around = isInside ? (findProjectRoot(cwd) ?? (CONFIGS.some((name) => existsSync(join(cwd, name))) ? cwd : undefined)) : undefined;
  return around ?? findProjectRoot(file);
}

function projectOf(folder: string, isAlone: boolean): Promise<LintedProject> {
  const key = isAlone ? `${folder}${sep}` : folder;
  let project = projects.get(key);
  if (!project) {
    projects.set(key, (project = LintedProject.open(folder, isAlone, rules)));
    const [oldest] = projects.keys();
    if (projects.size > MOST_PROJECTS && oldest !== undefined) projects.delete(oldest);
  }
  return project;
}
