// The program that serves a function's requests: the file that starts the server, and what it is asked.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { textOfFile } from '../../files/read-text-file.ts';
import type { CallOrigin, ProgramRequest } from '../../protocol/evidence.ts';
import type { FunctionLookup, RequestAnswer } from '../../analysis/project/answers/function-answer.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { DEFAULT_MAX_FILE_SIZE } from '../discovery/read-source.ts';
import type { FoundCall } from '../../analysis/profile/calls.ts';
import type { FoundFunction } from '../../analysis/profile/functions.ts';
import {
  findRequests,
  isAskedFor,
  MOST_REQUESTS,
  readRequest,
  requestsInComments,
  requestsOfRoute,
  startsServer,
  VARIED,
  withReadNames,
} from '../../analysis/profile/requests.ts';
import { Source } from '../../analysis/module/source.ts';
import type { Loading } from '../../profiler/plan/plan.ts';
import type { ServedProgram } from '../../profiler/plan/plan.ts';
import { isOfNest, NEST_ENTRY, nestEntry, startsNest } from './nest-entry.ts';
import { findLoading, isLoaderFlag, loaderOfCommand, type LoaderName } from './profile-typescript.ts';

export interface RequestOptions {
  /** Texts of the user's: calls or requests, not both. */
  typed: readonly string[];
  /** For the typed requests that have none of their own. */
  body?: string;
  /** Absolute path of the file that starts the server. */
  entry?: string;
  /** For that file. */
  programArguments?: readonly string[];
}

export type ProgramOutcome =
  | { ok: true; program: ServedProgram; loading?: Loading; origin: CallOrigin }
  /** `why` is a sentence. */
  | { ok: false; why: string; remedy: string };

/** The requests that the user gave: undefined when he gave calls, or nothing. */
export function typedRequests({
  typed,
  body,
}: RequestOptions): { ok: true; requests: readonly ProgramRequest[] } | { ok: false; why: string; remedy: string } | undefined {
  const read = typed.map((text) => readRequest(text, body));
  const requests = read.filter((one) => one !== undefined);
  if (requests.length === 0) return undefined;
  if (requests.length === typed.length) return { ok: true, requests };
  return {
    ok: false,
    why: `\`${typed[read.indexOf(undefined)]}\` is not a request such as \`GET /users/1\`, but the others are.`,
    remedy: 'Specify either calls or requests.',
  };
}

export interface ProgramSearch {
  facts: Facts;
  found: FoundFunction;
  options: RequestOptions;
  /** What was found for calls of the function itself; undefined when no call can be made. */
  calls: readonly FoundCall[] | undefined;
  name: string;
  /** What the whole project knows of the file's functions. */
  lookup?: FunctionLookup;
}

/** Undefined where the function is to be called, or where nothing in this file hands requests to it. */
export function findProgram({ facts, found, options, calls, name, lookup }: ProgramSearch): ProgramOutcome | undefined {
  const typed = typedRequests(options);
  if (typed && !typed.ok) return typed;
  if (typed) return withEntry(typed.requests, facts, options, name);
  if (options.typed.length > 0 || calls?.some(({ origin }) => origin === 'profile-comment')) return undefined;
  const fromComments = requestsInComments(facts, found.fn);
  if (fromComments.length > 0) return withEntry(fromComments, facts, options, name);
  const answer = lookup?.(facts.source.file, { start: found.fn.start ?? 0 })?.request;
  // That a handler looks at none of its arguments does not say that it can do without its server: a call of it alone is a guess.
  if (calls && !(calls.every(({ origin }) => origin === 'no-arguments') && isAskedFor(facts, found.fn, answer))) return undefined;
  const served = programOfRoutes({ facts, found, options, name }, answer);
  // One that takes nothing can still be called where nothing starts its server.
  return served && !served.ok && calls ? undefined : served;
}

function programOfRoutes(
  { facts, found, options, name }: Pick<ProgramSearch, 'facts' | 'found' | 'options' | 'name'>,
  answer: RequestAnswer | undefined,
): ProgramOutcome | undefined {
  // Other files say under which path this one's routes are mounted, and which requests come by functions that are no handlers.
  const known = answer?.routes.flatMap((route) => requestsOfRoute(route)) ?? [];
  if (known.length > 0) {
    const varied = answer?.routes.flatMap((route) => requestsOfRoute(route, VARIED)) ?? [];
    return withVaried(
      withEntry(known.slice(0, MOST_REQUESTS), facts, options, name),
      varied.slice(0, MOST_REQUESTS).map((request) => withReadNames(request, facts, found.fn)),
    );
  }
  const search = findRequests(facts, found.fn);
  if (search.ok) {
    const varied = findRequests(facts, found.fn, VARIED);
    return withVaried(withEntry(search.requests, facts, options, name), varied.ok ? varied.requests : search.requests);
  }
  return search.reached ? { ok: false, why: `${name} cannot be called: ${search.why}.`, remedy: search.remedy } : undefined;
}

function withVaried(outcome: ProgramOutcome, varied: readonly ProgramRequest[]): ProgramOutcome {
  return outcome.ok ? { ...outcome, program: { ...outcome.program, varied } } : outcome;
}

function withEntry(
  requests: readonly ProgramRequest[],
  facts: Facts,
  { entry: wanted, programArguments = [] }: RequestOptions,
  name: string,
): ProgramOutcome {
  const { root, manifest } = facts.project;
  const script = startedProgram(manifest?.scripts.start);
  const started = script && root !== undefined ? findStarted(root, script.file) : undefined;
  const likely = wanted ?? (startsServer(facts) ? facts.source.file : undefined) ?? started ?? otherEntry(facts);
  const isOther = likely !== undefined && wanted === undefined && isOfNest(facts.source.text) && !startsNest(likely);
  const ofNest = isOther || likely === undefined ? (isOfNest(facts.source.text) ? nestEntry(root) : undefined) : undefined;
  if (isOther && ofNest === undefined)
    return {
      ok: false,
      why: `${name} belongs to a Nest application, which ${relative(root ?? dirname(likely), likely)} does not start.`,
      remedy: 'Specify the file that starts it: `--entry src/main.ts`.',
    };
  const entry = ofNest ?? likely;
  if (entry === undefined) {
    return {
      ok: false,
      why: `${name} handles requests, but it is unclear which file starts the server.`,
      remedy: 'Specify the file (`--entry server.js`), or start it in the `start` script of package.json (`node server.js`).',
    };
  }
  if (!existsSync(entry))
    return {
      ok: false,
      why: `${name} handles requests, but the file that starts the server does not exist: ${entry}.`,
      remedy: 'Specify the file: `--entry server.js`.',
    };
  const own = entry === started ? script : undefined;
  const { flags, env, loader } = own ?? { flags: [], env: {}, loader: entry === ofNest ? ('any' as const) : undefined };
  const given = programArguments.length > 0 ? programArguments : (own?.arguments ?? []);
  const program: ServedProgram = { entry, cwd: root ?? dirname(entry), arguments: given, requests, flags, env };
  // What moves the code while it is loaded brings maps; Node itself takes types out in place.
  if (flags.some(isLoaderFlag)) return { ok: true, program, loading: { flags: [] }, origin: 'request' };
  if (loader === undefined) return { ok: true, program, origin: 'request' };
  const loading = findLoading({ file: entry, root, isModule: manifest?.type === 'module', own: loader === 'any' ? undefined : loader });
  if (loading) return { ok: true, program, loading, origin: 'request' };
  return {
    ok: false,
    why: `${name} handles requests, but the compiler that \`${script?.loader === loader ? manifest?.scripts.start : NEST_ENTRY}\` needs is not installed.`,
    remedy: 'Install the dependencies of the project first.',
  };
}

/** As Node finds it: `index`, `.` and `bin/www` are files, too. */
function findStarted(root: string, file: string): string {
  try {
    return createRequire(join(root, 'package.json')).resolve(resolve(root, file));
  } catch {
    // Whoever wants to start it will hear that it is not there.
    return resolve(root, file);
  }
}

/** Neither the file itself nor the start script: the package's main file, or one of a usual name. */
function otherEntry(facts: Facts): string | undefined {
  const { root, manifest } = facts.project;
  if (root === undefined || !manifest) return undefined;
  if (manifest.scripts.start === undefined && manifest.main !== undefined) return resolve(root, manifest.main);
  // A process manager may start it. A usual name alone says nothing: it must start a server, and be the only one.
  const usual = USUAL_ENTRIES.map((name) => join(root, name)).filter((path) => doesStartServer(path, facts));
  return usual.length === 1 ? usual[0] : undefined;
}

const USUAL_ENTRIES = ['server', 'index', 'app', 'main'].flatMap((name) =>
  ['.js', '.mjs', '.cjs', '.ts'].map((extension) => name + extension),
);

function doesStartServer(path: string, { project }: Facts): boolean {
  // Most of these are not there.
  const text = textOfFile(path, DEFAULT_MAX_FILE_SIZE);
  if (text === undefined) return false;
  const outcome = parse(path, text);
  return outcome.ok && startsServer(new Facts(new ModuleIndex(outcome.ast), new Source(path, text), project));
}

/** Options of Node that take the next word as their value. */
const WITH_VALUE: ReadonlySet<string> = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions']);
/** They belong to the hands of whoever develops, or measure themselves. */
const NOT_HERE = /^--(?:watch|inspect|cpu-prof|heap-prof|prof|test|trace|max[-_]old)/;

export interface StartScript {
  file: string;
  flags: string[];
  env: Record<string, string>;
  /** For the file; undefined where only a shell knows them. */
  arguments?: string[];
  /** What compiles it while it is loaded; `any` where the project builds it first. */
  loader?: LoaderName | 'any';
}

/** `NODE_ENV=production node --env-file=.env server.js`, `tsx watch src/main.ts`; undefined for scripts that do something else. */
export function startedProgram(script: string | undefined): StartScript | undefined {
  const words = script?.trim().split(/\s+/) ?? [];
  const env: Record<string, string> = {};
  let at = 0;
  for (; at < words.length; at += 1) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(words[at] ?? '') ?? [];
    if (name !== undefined && value !== undefined) env[name] = value;
    else if (words[at] !== 'cross-env') break;
  }
  const command = words[at] === 'npx' ? words[(at += 1)] : words[at];
  if (command === 'nest' && words[at + 1] === 'start') return { file: NEST_ENTRY, flags: [], env, loader: 'any' };
  const loader = loaderOfCommand(command ?? '');
  if (command !== 'node' && !loader) return undefined;
  if (loader && words[at + 1] === 'watch') at += 1;
  const flags: string[] = [];
  for (at += 1; words[at]?.startsWith('-'); at += 1) {
    const flag = words[at] ?? '';
    const option = WITH_VALUE.has(flag) ? [flag, words[(at += 1)] ?? ''] : [flag];
    if (!NOT_HERE.test(flag)) flags.push(...option);
  }
  const file = words[at];
  if (file === undefined || !/^[\w@.~/\\-]+$/.test(file)) return undefined;
  const rest = words.slice(at + 1);
  const end = rest.findIndex((word) => !/^[\w@.,:=+/\\-]+$/.test(word));
  const isPlain = end === -1 || /^(?:&|\||;|>|2>)/.test(rest[end] ?? '');
  return {
    file,
    flags: loader ? [] : flags,
    env,
    ...(isPlain && end !== 0 && rest.length > 0 && { arguments: end === -1 ? rest : rest.slice(0, end) }),
    ...(loader && { loader }),
  };
}
