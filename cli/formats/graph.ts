// `nodometer graph` as JSON, for Graphviz (dot) and for Mermaid, which GitHub draws.
import { count } from '../../workspace/count.ts';
import type { GraphCall, GraphRoute } from '../../analysis/project/answers/call-graph.ts';
import { visible } from './display-text.ts';
import { describeRoute } from '../commands/path-report.ts';
import { titleOf, type ProjectCalls } from '../commands/project-calls.ts';
import type { GraphFormat } from '../commands/graph-arguments.ts';

export interface ChosenGraph {
  /** In the order of files and places. */
  fns: readonly number[];
  routes: readonly GraphRoute[];
  calls: readonly GraphCall[];
  /** Functions that are left out. */
  leftOut: number;
}

export function formatGraph(chosen: ChosenGraph, format: GraphFormat, calls: ProjectCalls): string {
  if (format === 'json') return json(chosen, calls);
  return format === 'dot' ? dot(chosen, calls) : mermaid(chosen, calls);
}

function json({ fns, routes, calls: edges, leftOut }: ChosenGraph, calls: ProjectCalls): string {
  const ids = idsOf(fns);
  const idOf = (fn: number): string => ids.get(fn) as string;
  return `${JSON.stringify(
    {
      functions: fns.map((fn) => ({
        id: idOf(fn),
        name: calls.nameOf(fn),
        ...calls.placeOf(fn),
        onRequestPath: calls.graph.isReached(fn),
        findings: calls.marksOf(fn),
      })),
      calls: edges.map((call) => ({
        from: idOf(call.from),
        to: idOf(call.to),
        via: call.via,
        isOnce: call.isOnce,
        ...calls.callPlace(call),
      })),
      routes: routes.map((route) => ({ ...describeRoute(route, calls), handler: idOf(route.fn) })),
      leftOut,
    },
    undefined,
    2,
  )}\n`;
}

function dot(chosen: ChosenGraph, calls: ProjectCalls): string {
  const ids = idsOf(chosen.fns);
  const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
  const lines = ['digraph calls {', '  rankdir=LR;', '  node [shape=box, fontname="sans-serif"];'];
  for (const fn of chosen.fns)
    lines.push(
      `  ${ids.get(fn)} [label=${quoted(labelOf(fn, calls).join('\n'))}${calls.hasFindings(fn) ? ', color=red, penwidth=2' : ''}];`,
    );
  routeNodes(chosen).forEach(({ title, fns }, i) => {
    lines.push(`  r${i + 1} [label=${quoted(title)}, shape=oval];`);
    for (const fn of fns) lines.push(`  r${i + 1} -> ${ids.get(fn)};`);
  });
  for (const { from, to, style } of drawn(chosen.calls))
    lines.push(`  ${ids.get(from)} -> ${ids.get(to)}${style === 'call' ? '' : ' [style=dashed]'};`);
  if (chosen.leftOut > 0) lines.push(`  // ${count(chosen.leftOut, 'function')} omitted`);
  return `${lines.join('\n')}\n}\n`;
}

function mermaid(chosen: ChosenGraph, calls: ProjectCalls): string {
  const ids = idsOf(chosen.fns);
  const entities: Readonly<Record<string, string>> = { '"': '#quot;', '<': '#lt;', '>': '#gt;', '#': '#35;', '&': '#amp;' };
  const quoted = (lines: readonly string[]): string =>
    `"${lines.map((line) => line.replace(/["<>#&]/g, (sign) => entities[sign] ?? sign)).join('<br>')}"`;
  const lines = ['flowchart LR'];
  for (const fn of chosen.fns) lines.push(`  ${ids.get(fn)}[${quoted(labelOf(fn, calls))}]${calls.hasFindings(fn) ? ':::finding' : ''}`);
  routeNodes(chosen).forEach(({ title, fns }, i) => {
    lines.push(`  r${i + 1}([${quoted([title])}])`);
    for (const fn of fns) lines.push(`  r${i + 1} --> ${ids.get(fn)}`);
  });
  for (const { from, to, style } of drawn(chosen.calls))
    lines.push(`  ${ids.get(from)} ${style === 'call' ? '-->' : '-.->'} ${ids.get(to)}`);
  lines.push('  classDef finding stroke:#d00,stroke-width:3px');
  if (chosen.leftOut > 0) lines.push(`  %% ${count(chosen.leftOut, 'function')} omitted`);
  return `${lines.join('\n')}\n`;
}

function labelOf(fn: number, calls: ProjectCalls): string[] {
  const findings = calls.marksOf(fn).map(({ code, line }) => `! ${code} (line ${line})`);
  return [calls.nameOf(fn) ?? '(function)', calls.shown(calls.placeOf(fn)), ...findings].map(visible);
}

function idsOf(fns: readonly number[]): ReadonlyMap<number, string> {
  return new Map(fns.map((fn, i) => [fn, `f${i + 1}`]));
}

/** A route may be registered with several handlers; what has no route stands for itself. */
function routeNodes({ routes }: ChosenGraph): { title: string; fns: readonly number[] }[] {
  const known = new Map<string, Set<number>>();
  for (const route of routes) {
    const title = visible(titleOf(route));
    const fns = known.get(title);
    if (fns) fns.add(route.fn);
    else known.set(title, new Set([route.fn]));
  }
  return [...known].map(([title, fns]) => ({ title, fns: [...fns] }));
}

/** One line from one function to another, however often it calls it. */
function drawn(edges: readonly GraphCall[]): { from: number; to: number; style: 'call' | 'callback' }[] {
  const found = new Map<string, { from: number; to: number; style: 'call' | 'callback' }>();
  for (const { from, to, via } of edges) {
    const key = `${from} ${to}`;
    const before = found.get(key);
    if (!before) found.set(key, { from, to, style: via === 'callback' ? 'callback' : 'call' });
    else if (via !== 'callback') before.style = 'call';
  }
  return [...found.values()];
}
