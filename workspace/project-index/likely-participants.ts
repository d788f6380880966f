// Which files will be imported by the application, as far as their texts tell before anything is parsed: an outline would not do for these.
import { roleByPlace } from '../../analysis/facts/file-role.ts';
import { Resolver, type ProjectLayout } from '../../analysis/project/files/layout.ts';
import { takesPart } from '../../analysis/project/summary/format.ts';
import type { AnalysisTask } from './file-analysis.ts';

const IMPORT = /\b(?:from|import|require)\s*(?:\(\s*)?(['"`])([^'"`\n]+)\1/g;

/**
 * Files whose place says that they take no part (tests, migrations, what a browser runs), but that files which do take part seem to import,
 * others between them included. A guess: what is
 * missing is analyzed twice, what is too much is worked out in vain.
 */
export function likelyParticipants(tasks: readonly AnalysisTask[], layout: ProjectLayout): ReadonlySet<string> {
  const isAside = tasks.map(({ file, project }) => {
    const role = roleByPlace(file, project);
    return role !== undefined && !takesPart(role, () => false);
  });
  const likely = new Set<string>();
  if (!isAside.includes(true)) return likely;
  const resolver = new Resolver(new Map(tasks.map(({ file }, i) => [file.replaceAll('\\', '/'), i])), layout);
  const queue = [...tasks.keys()].filter((i) => !isAside[i]);
  for (let at = 0; at < queue.length; at++) {
    const { file, text } = tasks[queue[at] as number] as AnalysisTask;
    const path = file.replaceAll('\\', '/');
    for (const [, , specifier = ''] of text.matchAll(IMPORT)) {
      const target = resolver.resolve(path, specifier);
      const imported = target === undefined ? undefined : tasks[target]?.file;
      if (target === undefined || imported === undefined || !isAside[target] || likely.has(imported)) continue;
      likely.add(imported);
      queue.push(target);
    }
  }
  return likely;
}
