// What the index knows of the routes that an open document registers: the findings on their paths, over all files, and their handlers.
import type { Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding } from '../../protocol/finding.ts';
import type { LintRun } from '../../workspace/lint-run.ts';
import { PathFindings } from '../../workspace/project-index/path-findings.ts';
import { withoutMark } from '../documents/documents.ts';

export interface RoutePlace {
  /** Absolute path. */
  file: string;
  range: Range;
  ruleId: string;
}

/** One registration. */
export interface RouteAnswer {
  /** Where it stands in the document. */
  start: number;
  /** Undefined for middleware, jobs and the like. */
  route: string | undefined;
  /** The nearest first. */
  places: readonly RoutePlace[];
  handlers: readonly { file: string; start: number }[];
}

/**
 * A route has a handler and a few functions before it. Where more seem to be registered at one place, a wrapper has mixed those of many
 * routes up, and
 * whose they are is not known: nothing is said of it.
 */
const MOST_HANDLERS = 10;

/** In the order in which they stand. */
export function routeAnswers(run: LintRun, path: string, findings = new PathFindings(run)): RouteAnswer[] {
  const {
    graph: { calls },
  } = run.project;
  const registrations = new Map<number, { route: string | undefined; fns: Set<number> }>();
  for (const { kind, route, fn, at } of calls.routes) {
    // What is known by its parameters is registered nowhere that is known.
    if (kind === 'signature' || at.file !== path) continue;
    const known = registrations.get(at.span.start);
    if (known) known.fns.add(fn);
    else registrations.set(at.span.start, { route, fns: new Set([fn]) });
  }
  const known = new Map<number, readonly Finding[]>();
  const findingsOf = (fn: number): readonly Finding[] => {
    let found = known.get(fn);
    if (!found) known.set(fn, (found = findings.of(calls.functionOf(fn).file, calls.localOf(fn))));
    return found;
  };
  const documents = new Map<string, { document: TextDocument; mark: number } | undefined>();
  const documentOf = (file: string): { document: TextDocument; mark: number } | undefined => {
    if (!documents.has(file)) {
      const text = run.textNow(file);
      const unmarked = text === undefined ? undefined : withoutMark(text);
      documents.set(
        file,
        text === undefined || unmarked === undefined
          ? undefined
          : { document: TextDocument.create(file, '', 0, unmarked), mark: text.length - unmarked.length },
      );
    }
    return documents.get(file);
  };
  return [...registrations]
    .filter(([, { fns }]) => fns.size <= MOST_HANDLERS)
    .sort(([a], [b]) => a - b)
    .map(
      ([start, { route, fns }]): RouteAnswer => ({
        start,
        route,
        places: calls
          .numbersFrom(fns)
          .flatMap((fn) => findingsOf(fn))
          .flatMap(({ file, ruleId, span }): RoutePlace[] => {
            const known = documentOf(file);
            if (!known) return [];
            const { document, mark } = known;
            return [{ file, ruleId, range: { start: document.positionAt(span.start - mark), end: document.positionAt(span.end - mark) } }];
          }),
        handlers: [...fns].map((fn) => ({ file: calls.functionOf(fn).file, start: calls.functionOf(fn).span.start })),
      }),
    );
}
