// The program that serves a function's requests: the file that starts the server, and what it is asked.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { CallOrigin, ProgramRequest } from '../protocol/evidence.ts';
import { Facts } from '../analysis/facts/index.ts';
import { ModuleIndex } from '../analysis/module.ts';
import { parse } from '../analysis/parse.ts';
import type { FoundCall } from '../analysis/profile/calls.ts';
import type { FoundFunction } from '../analysis/profile/functions.ts';
import { findRequests, readRequest, requestsInComments, startsServer } from '../analysis/profile/requests.ts';
import { Source } from '../analysis/source.ts';
import type { ServedProgram } from '../profiler/profile.ts';

export interface GivenRequests {
  /** Texts of the user's: calls or requests, not both. */
  typed: readonly string[];
  /** For the typed requests that have none of their own. */
  body?: string;
  /** Absolute path of the file that starts the server. */
  entry?: string;
}

export type ProgramOutcome =
  | { ok: true; program: ServedProgram; origin: CallOrigin }
  /** `why` is a sentence. */
  | { ok: false; why: string; remedy: string };

/** The requests that the user gave: undefined when he gave calls, or nothing. */
export function typedRequests({ typed, body }: GivenRequests): { ok: true; requests: readonly ProgramRequest[] } | { ok: false; why: string; remedy: string } | undefined {
  const read = typed.map((text) => readRequest(text, body));
  const requests = read.filter((one) => one !== undefined);
  if (requests.length === 0) return undefined;
  if (requests.length === typed.length) return { ok: true, requests };
  return { ok: false, why: `\`${typed[read.indexOf(undefined)]}\` is no request like \`GET /users/1\`, and the others are.`, remedy: 'Give either calls or requests.' };
}

export interface ProgramSearch {
  facts: Facts;
  found: FoundFunction;
  given: GivenRequests;
  /** What was found for calls of the function itself; undefined when no call can be made. */
  calls: readonly FoundCall[] | undefined;
  name: string;
}

/** Undefined where the function is to be called, or where nothing in this file hands requests to it. */
export function findProgram({ facts, found, given, calls, name }: ProgramSearch): ProgramOutcome | undefined {
  const typed = typedRequests(given);
  if (typed && !typed.ok) return typed;
  if (typed) return withEntry(typed.requests, facts, given, name);
  if (given.typed.length > 0 || calls?.some(({ origin }) => origin === 'profile-comment')) return undefined;
  const told = requestsInComments(facts, found.fn);
  if (told.length > 0) return withEntry(told, facts, given, name);
  if (calls) return undefined;
  const search = findRequests(facts, found.fn);
  if (search.ok) return withEntry(search.requests, facts, given, name);
  return search.reached ? { ok: false, why: `${name} cannot be called: ${search.why}.`, remedy: search.remedy } : undefined;
}

function withEntry(requests: readonly ProgramRequest[], facts: Facts, { entry: wanted }: GivenRequests, name: string): ProgramOutcome {
  const entry = findEntry(facts, wanted);
  if (entry === undefined) {
    return { ok: false, why: `${name} answers requests, and it is not clear which file starts the server.`, remedy: 'Name it (`--entry server.js`), or make it the `start` script of package.json (`node server.js`).' };
  }
  if (!existsSync(entry)) return { ok: false, why: `${name} answers requests, and the file that starts the server is not there: ${entry}.`, remedy: 'Name it: `--entry server.js`.' };
  return { ok: true, program: { entry, cwd: facts.project.root ?? dirname(entry), requests }, origin: 'request' };
}

function findEntry(facts: Facts, wanted: string | undefined): string | undefined {
  if (wanted !== undefined) return wanted;
  const { file } = facts.source;
  if (startsServer(facts)) return file;
  const { root, manifest } = facts.project;
  if (root === undefined || !manifest) return undefined;
  const started = startedFile(manifest.scripts.start);
  const named = started ?? (manifest.scripts.start === undefined ? manifest.main : undefined);
  if (named !== undefined) return resolve(root, named);
  // A process manager may start it. A usual name alone says nothing: it must start a server, and be the only one.
  const usual = USUAL_ENTRIES.map((name) => join(root, name)).filter((path) => doesStartServer(path, facts));
  return usual.length === 1 ? usual[0] : undefined;
}

const USUAL_ENTRIES = ['server', 'index', 'app', 'main'].flatMap((name) => ['.js', '.mjs', '.cjs', '.ts'].map((extension) => name + extension));

function doesStartServer(path: string, { project }: Facts): boolean {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // Most of these are not there.
    return false;
  }
  const outcome = parse(path, text);
  return outcome.ok && startsServer(new Facts(new ModuleIndex(outcome.ast), new Source(path, text), project));
}

/** Options of Node that take the next word as their value. */
const WITH_VALUE: ReadonlySet<string> = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions', '--env-file']);

/** `server.js` of `NODE_ENV=production node --enable-source-maps server.js`; undefined for scripts that do something else. */
export function startedFile(script: string | undefined): string | undefined {
  const words = script?.trim().split(/\s+/) ?? [];
  let at = words.findIndex((word) => !/^\w+=/.test(word) && word !== 'cross-env');
  if (at < 0 || words[at] !== 'node') return undefined;
  for (at += 1; words[at]?.startsWith('-'); at += 1) if (WITH_VALUE.has(words[at] ?? '')) at += 1;
  const file = words[at];
  return file !== undefined && /\.[cm]?[jt]s$/.test(file) ? file : undefined;
}
