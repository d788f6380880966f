// What the index knows of the routes that an open document registers: the findings on their paths, over all files, and their handlers.
import type { Position, Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isBackground } from '../../analysis/project/summary/format.ts';
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
  /** Undefined for middleware, jobs and the like. Of several (a loop over a table), the first with findings on its path. */
  route: string | undefined;
  /** All that it registers. */
  routes: readonly string[];
  /** The nearest first. */
  places: readonly RoutePlace[];
  /** Of the route. */
  handlers: readonly { file: string; start: number }[];
}

/**
 * A route has a handler and a few functions before it. Where more seem to be registered for one, a wrapper has mixed those of many
 * routes up, and whose they are is not known: nothing is said of it.
 */
const MOST_HANDLERS = 10;

/** In the order in which they stand. */
export function routeAnswers(run: LintRun, path: string, findings = new PathFindings(run)): RouteAnswer[] {
  const {
    graph: { calls },
  } = run.project;
  const registrations = new Map<number, Map<string | undefined, Set<number>>>();
  for (const { kind, route, fn, at } of calls.routes) {
    // What is known by its parameters is registered nowhere that is known, and nobody asks a timer for anything.
    if (kind === 'signature' || isBackground(kind) || at.file !== path) continue;
    let byRoute = registrations.get(at.span.start);
    if (!byRoute) registrations.set(at.span.start, (byRoute = new Map()));
    const fns = byRoute.get(route);
    if (fns) fns.add(fn);
    else byRoute.set(route, new Set([fn]));
  }
  const { findingsOf, documentOf } = sourcesOf(run, findings);
  const hasFindings = (fns: ReadonlySet<number>): boolean => calls.numbersFrom(fns).some((fn) => findingsOf(fn).length > 0);
  return [...registrations]
    .sort(([a], [b]) => a - b)
    .flatMap(([start, byRoute]): RouteAnswer[] => {
      const known = [...byRoute].filter(([, fns]) => fns.size <= MOST_HANDLERS);
      const chosen = known.find(([, fns]) => hasFindings(fns)) ?? known[0];
      if (!chosen) return [];
      const [route, fns] = chosen;
      return [
        {
          start,
          route,
          routes: known.flatMap(([one]) => one ?? []),
          places: calls
            .numbersFrom(new Set(known.flatMap(([, some]) => [...some])))
            .flatMap((fn) => findingsOf(fn))
            .flatMap(({ file, ruleId, span }): RoutePlace[] => {
              const own = documentOf(file);
              if (!own) return [];
              const { document, mark } = own;
              return [
                { file, ruleId, range: { start: document.positionAt(span.start - mark), end: document.positionAt(span.end - mark) } },
              ];
            }),
          handlers: [...fns].map((fn) => ({ file: calls.functionOf(fn).file, start: calls.functionOf(fn).span.start })),
        },
      ];
    });
}

/** Of each route of the project, in whichever file. */
export interface ListedRoute {
  file: string;
  position: Position;
  route: string | undefined;
  handlers: readonly { file: string; start: number; position: Position }[];
  findings: readonly ListedFinding[];
}

/** The nearest first. */
export interface ListedFinding extends Pick<Finding, 'file' | 'ruleId' | 'messageId' | 'span' | 'severity'> {
  range: Range;
  what: string;
}

/** All that answer requests under a path. The same handler under two paths is two of them. */
export function listRoutes(run: LintRun): ListedRoute[] {
  const {
    graph: { calls },
  } = run.project;
  const { findingsOf, documentOf } = sourcesOf(run, new PathFindings(run));
  const registrations = new Map<string, { route: string | undefined; file: string; start: number; fns: Set<number> }>();
  for (const { kind, route, fn, at } of calls.routes) {
    if (kind !== 'route' && ((kind !== 'exported' && kind !== 'ipc') || route === undefined)) continue;
    const key = `${at.file}\n${at.span.start}\n${route ?? ''}`;
    const known = registrations.get(key);
    if (known) known.fns.add(fn);
    else registrations.set(key, { route, file: at.file, start: at.span.start, fns: new Set([fn]) });
  }
  const positionOf = (file: string, offset: number): Position | undefined => {
    const known = documentOf(file);
    return known?.document.positionAt(offset - known.mark);
  };
  return [...registrations.values()].flatMap(({ route, file, start, fns }): ListedRoute[] => {
    const position = positionOf(file, start);
    if (!position || fns.size > MOST_HANDLERS) return [];
    return [
      {
        file,
        position,
        route,
        handlers: [...fns].flatMap((fn) => {
          const { file: of, span } = calls.functionOf(fn);
          const at = positionOf(of, span.start);
          return at ? [{ file: of, start: span.start, position: at }] : [];
        }),
        findings: calls
          .numbersFrom(fns)
          .flatMap((fn) => findingsOf(fn))
          .flatMap(({ file: of, ruleId, messageId, span, severity, message }): ListedFinding[] => {
            const [from, to] = [positionOf(of, span.start), positionOf(of, span.end)];
            return from && to ? [{ file: of, ruleId, messageId, span, severity, what: message.what, range: { start: from, end: to } }] : [];
          }),
      },
    ];
  });
}

interface Sources {
  findingsOf(fn: number): readonly Finding[];
  /** A file's text without the mark at its start, which editors leave out. */
  documentOf(file: string): { document: TextDocument; mark: number } | undefined;
}

function sourcesOf(run: LintRun, findings: PathFindings): Sources {
  const {
    graph: { calls },
  } = run.project;
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
  return { findingsOf, documentOf };
}
