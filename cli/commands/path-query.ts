// Which routes and functions the words of `nodometer paths` mean.
import { isAbsolute, resolve, sep } from 'node:path';
import type { GraphRoute } from '../../analysis/project/answers/call-graph.ts';
import { isFunction, startOf, endOf, type Node } from '../../analysis/module/ast.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { editDistance } from '../../workspace/config/closest-name.ts';
import type { ProjectCalls } from './project-calls.ts';

export type Match =
  | { kind: 'routes'; routes: readonly GraphRoute[] }
  | { kind: 'functions'; fns: readonly number[] }
  | { kind: 'none'; closest: readonly string[] };

const FILE_AND_MORE = /^(.+\.[cm]?[jt]sx?):(.+)$/;
const METHOD = /^[a-z]+ +(?=\/|\*)/i;
/** Names that are offered where nothing was found. */
const MOST_OFFERED = 5;

export function findMatch(query: string, calls: ProjectCalls, cwd: string): Match {
  const [, file, rest] = FILE_AND_MORE.exec(query) ?? [];
  if (file !== undefined && rest !== undefined) return functionsOr(inFile(file, rest, calls, cwd), query, calls);
  if (query.includes('/')) return routesOr(findRoutes(query, calls.graph.routes), query, calls);
  const named = findNamed(query, calls);
  return named.length > 0 ? { kind: 'functions', fns: named } : routesOr(findRoutes(query, calls.graph.routes), query, calls);
}

/** The first that finds any: the route itself; one that a request's path would take; those that the text is a part of. */
export function findRoutes(query: string, routes: readonly GraphRoute[]): GraphRoute[] {
  const wanted = query.trim().replace(/ +/g, ' ').toLowerCase();
  const withMethod = METHOD.test(wanted);
  const known = routes.flatMap((one) => (one.route === undefined ? [] : [{ one, text: one.route.toLowerCase() }]));
  const pathOf = (text: string): string => text.replace(METHOD, '');
  const ways: ((text: string) => boolean)[] = [
    (text) => text === wanted || (!withMethod && pathOf(text) === wanted),
    (text) => (!withMethod || methodOf(text) === methodOf(wanted) || methodOf(text) === 'all') && takes(pathOf(text), pathOf(wanted)),
    (text) => text.includes(wanted),
  ];
  for (const way of ways) {
    const found = known.filter(({ text }) => way(text));
    if (found.length > 0) return found.map(({ one }) => one);
  }
  return [];
}

function methodOf(text: string): string {
  return METHOD.exec(text)?.[0].trim() ?? '';
}

/** Whether `/users/:id` answers `/users/12`. */
function takes(pattern: string, path: string): boolean {
  if (!pattern.startsWith('/') || !path.startsWith('/')) return false;
  const want = pattern.split('/');
  const have = path.split('/');
  return want.length === have.length && want.every((part, i) => part === have[i] || (/^[:[{*]/.test(part) && have[i] !== ''));
}

/** `total` finds `Cart.total`, too. */
function findNamed(name: string, { graph }: ProjectCalls, among = allOf(graph.size)): number[] {
  const exact = among.filter((fn) => graph.functionOf(fn).name === name);
  return exact.length > 0 ? exact : among.filter((fn) => graph.functionOf(fn).name?.endsWith(`.${name}`));
}

function inFile(file: string, rest: string, calls: ProjectCalls, cwd: string): number[] {
  const path = resolve(cwd, file);
  const { graph } = calls;
  const all = allOf(graph.size);
  const exact = all.filter((fn) => graph.functionOf(fn).file === path);
  const ending = sep + file.replaceAll('/', sep);
  const own = exact.length > 0 || isAbsolute(file) ? exact : all.filter((fn) => graph.functionOf(fn).file.endsWith(ending));
  if (!/^\d+(?::\d+)?$/.test(rest)) return findNamed(rest, calls, own);
  const files = [...new Set(own.map((fn) => graph.functionOf(fn).file))];
  return files.flatMap((one) => {
    const start = startAround(one, Number.parseInt(rest, 10), calls);
    return own.filter((fn) => graph.functionOf(fn).file === one && graph.functionOf(fn).span.start === start);
  });
}

/** Where the innermost function around a line starts, or the first one that starts on it. */
function startAround(file: string, line: number, calls: ProjectCalls): number | undefined {
  const source = calls.source(file);
  const outcome = source && parse(file, source.text);
  if (!source || !outcome?.ok) return undefined;
  const module = new ModuleIndex(outcome.ast);
  const types: readonly Node['type'][] = [
    'FunctionDeclaration',
    'FunctionExpression',
    'ArrowFunctionExpression',
    'ObjectMethod',
    'ClassMethod',
    'ClassPrivateMethod',
  ];
  const functions = types
    .flatMap((type) => module.nodes(type))
    .filter(isFunction)
    .map((node) => ({ start: startOf(node), from: source.positionAt(startOf(node)).line, to: source.positionAt(endOf(node)).line }));
  const starting = functions.filter(({ from }) => from === line).sort((a, b) => a.start - b.start)[0];
  return (starting ?? functions.filter(({ from, to }) => from <= line && line <= to).sort((a, b) => b.start - a.start)[0])?.start;
}

function allOf(size: number): number[] {
  return Array.from({ length: size }, (_, fn) => fn);
}

function functionsOr(fns: readonly number[], query: string, calls: ProjectCalls): Match {
  return fns.length > 0 ? { kind: 'functions', fns } : { kind: 'none', closest: closestTo(query, calls) };
}

function routesOr(routes: readonly GraphRoute[], query: string, calls: ProjectCalls): Match {
  return routes.length > 0 ? { kind: 'routes', routes } : { kind: 'none', closest: closestTo(query, calls) };
}

/** Routes and functions that are written most alike, function names by their last part. */
function closestTo(query: string, calls: ProjectCalls): string[] {
  const wanted = query.toLowerCase();
  const [, , inFileName] = FILE_AND_MORE.exec(wanted) ?? [];
  const name = inFileName ?? wanted;
  const lengthened = (text: string): number => editDistance(text, name) / Math.max(text.length, name.length, 1);
  const candidates = new Map<string, number>();
  for (const { route } of calls.graph.routes)
    if (route !== undefined)
      candidates.set(
        route,
        Math.min(
          editDistance(route.toLowerCase(), wanted) / Math.max(route.length, wanted.length),
          lengthened(route.toLowerCase().replace(METHOD, '')),
        ),
      );
  if (!query.includes('/') || inFileName !== undefined) {
    for (let fn = 0; fn < calls.graph.size; fn++) {
      const own = calls.graph.functionOf(fn).name;
      if (own !== undefined)
        candidates.set(own, Math.min(lengthened(own.toLowerCase()), lengthened(own.toLowerCase().replace(/^.*\./, ''))));
    }
  }
  // More than half of the letters are others: that was not meant.
  return [...candidates]
    .filter(([, far]) => far <= 0.5)
    .sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_OFFERED)
    .map(([text]) => text);
}
