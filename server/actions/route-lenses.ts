// Code lenses above routes: how much of what is found, in whichever file, a request for them comes by, and what a profile measured.
import type { CodeLens, Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { COMMANDS, type LoadRoute, type ProfileTarget, type RoutePlaces } from '../../protocol/editor.ts';
import type { KeptProfile } from '../../protocol/kept-evidence.ts';
import { asLabel } from '../../protocol/safe-text.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import type { EvidenceOf } from '../../analysis/run/evidence.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { functionsIn } from '../../analysis/profile/functions.ts';
import { requestsOfRoute } from '../../analysis/profile/requests.ts';
import { normalizedSource } from '../../analysis/profile/normalized-source.ts';
import type { Source } from '../../analysis/module/source.ts';
import { count } from '../../workspace/count.ts';
import { describeProduction, requestsOf } from '../../workspace/production/file-production.ts';
import type { ProductionOfFile } from '../../workspace/production/production-store.ts';
import { toRange } from '../shared/convert.ts';
import type { RouteAnswer } from '../index-thread/route-answers.ts';

export interface RouteLensRequest {
  document: TextDocument;
  routes: readonly RouteAnswer[];
  project: ProjectInfo;
  /** Whether the client has the command that shows the places; without it the lens is a text. */
  hasCommand: boolean;
  /** The command that profiles what a `ProfileTarget` names, and lines without a lens for it; undefined where nothing may be run. */
  profile?: { command: string; except: ReadonlySet<number> };
  toUri(path: string): string;
  /** What was kept of a file's profiles. */
  evidenceOf(path: string): EvidenceOf | undefined;
  /** What was imported about the document. */
  production?: ProductionOfFile;
  /** A file's text as it stands now. */
  locate(path: string): Source | undefined;
}

export interface MeasuredRequest {
  evidenceOf(path: string): EvidenceOf | undefined;
  /** Undefined where the file cannot be read or parsed. */
  factsOf(path: string): Facts | undefined;
}

/** Findings of this rule are calls that hold the event loop up. */
export const BLOCKING_RULE = 'no-sync-in-handler';

/** Nothing is shown where nothing is found. */
export function routeLenses(request: RouteLensRequest): CodeLens[] {
  const { document, routes, hasCommand, toUri, evidenceOf } = request;
  const factsOf = factsReader(request.project, (path) => request.locate(path));
  return routes
    .filter(({ places }) => places.length > 0)
    .flatMap((answer): CodeLens[] => {
      const { start, end } = toRange(document, { start: answer.start, end: answer.start });
      const parts = [titleOf(answer), ...measuredOf(answer, { evidenceOf, factsOf }), ...requestsText(answer, request)];
      const title = asLabel(parts.join(' · '));
      const target: RoutePlaces = {
        uri: document.uri,
        position: start,
        places: answer.places.map(({ file, range }) => ({ uri: toUri(file), range })),
      };
      const range = { start, end };
      return [
        { range, command: hasCommand ? { title, command: COMMANDS.showRoutePlaces, arguments: [target] } : { title, command: '' } },
        ...profileLens(answer, range, request),
        ...loadLens(answer, range, request),
      ];
    });
}

/** Of the handler, in whichever file it is. What comes before it are its middlewares. */
function profileLens({ handlers }: RouteAnswer, range: Range, { profile, locate, toUri }: RouteLensRequest): CodeLens[] {
  const handler = handlers.at(-1);
  const source = handler && profile && !profile.except.has(range.start.line) ? locate(handler.file) : undefined;
  if (!handler || !profile || !source) return [];
  const { line, column } = source.positionAt(handler.start);
  const target: ProfileTarget = { uri: toUri(handler.file), position: { line: line - 1, character: column - 1 } };
  return [{ range, command: { title: 'Profile this route', command: profile.command, arguments: [target] } }];
}

/** Where the client can run the server, and a request for the route is known. */
function loadLens({ route }: RouteAnswer, range: Range, { document, hasCommand, profile }: RouteLensRequest): CodeLens[] {
  const request = exampleRequest(route);
  if (!hasCommand || !profile || request === undefined) return [];
  const target: LoadRoute = { uri: document.uri, request, ...(route !== undefined && { route }) };
  return [{ range, command: { title: 'Measure under load', command: COMMANDS.measureLoad, arguments: [target] } }];
}

/** `GET /users/1` for the route `GET /users/:id`. */
export function exampleRequest(route: string | undefined): string | undefined {
  const [request] = route === undefined ? [] : requestsOfRoute(route);
  return request && `${request.method} ${request.path}`;
}

function titleOf({ places }: RouteAnswer): string {
  const blocking = places.filter(({ ruleId }) => ruleId === BLOCKING_RULE).length;
  const others = places.length - blocking;
  if (blocking === 0) return `${count(others, 'finding')} on its path`;
  return others === 0 ? count(blocking, 'blocking call') : `${count(blocking, 'blocking call')} and ${count(others, 'other finding')}`;
}

/** `61 % of requests in production, 21 November` */
function requestsText({ routes }: RouteAnswer, { production }: RouteLensRequest): string[] {
  const requests = production && requestsOf(production.sources, routes);
  return requests ? [describeProduction({ requests }, Date.now())] : [];
}

/** The newest time of the handler as it is written now. */
function measuredOf({ handlers }: RouteAnswer, request: MeasuredRequest): string[] {
  const newest = newestProfile(handlers, request);
  if (!newest?.timing) return [];
  const { median, p99 } = newest.timing;
  return [p99 === undefined ? `${shownTime(median)} per call on Node ${newest.node}` : `p99 ${shownTime(p99)} on Node ${newest.node}`];
}

/** Among those with a time. */
export function newestProfile(handlers: RouteAnswer['handlers'], request: MeasuredRequest): KeptProfile | undefined {
  return handlers.flatMap((handler) => profilesOf(handler, request)).sort((a, b) => (a.date < b.date ? 1 : -1))[0];
}

function profilesOf({ file, start }: RouteAnswer['handlers'][number], { evidenceOf, factsOf }: MeasuredRequest): KeptProfile[] {
  const evidence = evidenceOf(file);
  const timed = evidence?.profiles.filter(({ timing }) => timing !== undefined) ?? [];
  // Most files have none, and are not read.
  const facts = timed.length > 0 ? factsOf(file) : undefined;
  if (!evidence || !facts) return [];
  const handler = functionsIn(facts).find(({ span }) => span.start === start);
  const hash = handler && evidence.hash(normalizedSource(facts, handler.fn));
  return timed.filter((profile) => profile.hash === hash);
}

/** Each file is parsed once. */
export function factsReader(project: ProjectInfo, locate: (path: string) => Source | undefined): MeasuredRequest['factsOf'] {
  const known = new Map<string, Facts | undefined>();
  return (path) => {
    if (!known.has(path)) {
      const source = locate(path);
      const outcome = source && parse(path, source.text);
      known.set(path, source && outcome?.ok ? new Facts(new ModuleIndex(outcome.ast), source, project) : undefined);
    }
    return known.get(path);
  };
}

/** `850 ns`, `12 µs`, `1.4 ms`: two figures, more are noise. */
function shownTime(ns: number): string {
  const [size, unit] = ns >= 1e9 ? [1e9, 's'] : ns >= 1e6 ? [1e6, 'ms'] : ns >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  const value = ns / size;
  return `${value < 10 ? Number(value.toPrecision(2)) : Math.round(value)} ${unit}`;
}
