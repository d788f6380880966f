// The routes of a project whose comments may say how they are asked.
import { dirname } from 'node:path';
import { textOfFile } from '../../files/read-text-file.ts';
import { DEFAULT_MAX_FILE_SIZE } from '../discovery/read-source.ts';
import type { LintRun } from '../lint-run.ts';
import type { ProjectFinder } from '../project.ts';
import type { HandledRoute } from './load-request.ts';

const COMMENT = /@profile[ \t]{1,9}[A-Z]{3,7}[ \t]{1,9}\//;
/** Where more seem to be registered for one route, a wrapper has mixed those of many routes up. */
const MOST_HANDLERS = 10;

/** Most projects have none, and their call graph is not needed. @param files absolute paths */
export function hasRequestComments(files: readonly string[]): boolean {
  return files.some((file) => COMMENT.test(textOfFile(file, DEFAULT_MAX_FILE_SIZE) ?? ''));
}

/** @param program the file that is started, or the package.json of its script */
export function handledRoutes({ project }: LintRun, program: string, projects: ProjectFinder): HandledRoute[] {
  const { calls } = project.graph;
  const isOwn = ownRoutesOf(program, projects);
  const registrations = new Map<string, HandledRoute & { handlers: { file: string; start: number }[] }>();
  for (const { kind, route, fn, at } of calls.routes) {
    if (kind !== 'route' || route === undefined) continue;
    const key = `${at.file}\n${at.span.start}\n${route}`;
    let known = registrations.get(key);
    if (!known) registrations.set(key, (known = { route, isOwn: isOwn(at.file), handlers: [] }));
    const { file, span } = calls.functionOf(fn);
    known.handlers.push({ file, start: span.start });
  }
  return [...registrations.values()].filter(({ handlers }) => handlers.length <= MOST_HANDLERS);
}

/** Whether a file belongs to the program's package. */
export function ownRoutesOf(program: string, projects: ProjectFinder): (file: string) => boolean {
  const root = projects.findRoot(dirname(program));
  return (file) => projects.findRoot(dirname(file)) === root;
}
