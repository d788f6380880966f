// `nodometer paths` for people: trees of calls with their places, findings marked.
import type { Colors } from 'picocolors/types';
import { count } from '../../workspace/count.ts';
import type { CallTree, FunctionReport, RouteReport, RouteSummary, RouteTree } from '../commands/path-report.ts';
import { titleOf, type Mark, type Place, type ProjectCalls } from '../commands/project-calls.ts';
import { visible } from './display-text.ts';

export interface PathStyle {
  colors: Colors;
  unicode: boolean;
  /** For paths as they are shown. */
  calls: Pick<ProjectCalls, 'shown'>;
}

/** Routes of one function that are listed. */
const MOST_ROUTES = 20;

export function formatRouteList(routes: readonly RouteSummary[], { colors, calls }: PathStyle): string {
  if (routes.length === 0) return 'No routes, jobs, or message handlers were found.\n';
  const titles = routes.map((route) => visible(titleOfReport(route)));
  const width = Math.max(...titles.map((title) => title.length));
  const lines = routes.map((route, i) => {
    const findings = route.findings > 0 ? `  ${colors.yellow(count(route.findings, 'finding'))}` : '';
    return `${colors.bold((titles[i] ?? '').padEnd(width))}  ${nameOf(route.handler.name, colors)} ${colors.dim(shownIn(calls, route.handler))}${findings}`;
  });
  const [first] = routes;
  const example = routes.find(({ route }) => route !== null)?.route ?? (first ? (first.handler.name ?? shownIn(calls, first.handler)) : '');
  return `${lines.join('\n')}\n\n${count(routes.length, 'registration')}. To see what one of them reaches, run: nodometer paths "${visible(example)}"\n`;
}

/** A registration with several handlers has one head. */
export function formatRoutes(routes: readonly RouteTree[], style: PathStyle): string {
  const { colors, calls } = style;
  const groups = new Map<string, RouteTree[]>();
  for (const route of routes) {
    const head = `${colors.bold(visible(titleOfReport(route)))} ${colors.dim(`(${shownIn(calls, route)})`)}`;
    groups.set(head, [...(groups.get(head) ?? []), route]);
  }
  return [...groups]
    .map(([head, group]) => {
      const trees = group.flatMap(({ handler }, i) => treeLines(handler, '', i === group.length - 1, style));
      return `${[
        head,
        ...trees,
        summary(
          group.map(({ handler }) => handler),
          group,
          style,
        ),
      ].join('\n')}\n`;
    })
    .join('\n');
}

export function formatFunctions(functions: readonly FunctionReport[], style: PathStyle): string {
  const { colors, calls } = style;
  return functions
    .map((one) => {
      const lines = [`${nameOf(one.function.name, colors)} ${colors.dim(`(${shownIn(calls, one.function)})`)}`, ''];
      if (one.routes.length === 0) lines.push(...unreachedLines(one.cutAt, style));
      else lines.push(`Reached by ${count(one.routes.length, 'registration')} (shortest path for each):`);
      for (const route of one.routes.slice(0, MOST_ROUTES)) {
        const way = [
          nameOf(route.handler, colors),
          ...route.calls.map(({ to, ...at }) => `${nameOf(to, colors)} ${colors.dim(shownIn(calls, at))}`),
        ];
        lines.push(
          `  ${colors.bold(visible(titleOfReport(route)))} ${colors.dim(`(${shownIn(calls, route)})`)} ${style.unicode ? '→' : '->'} ${way.join(style.unicode ? ' → ' : ' -> ')}`,
        );
      }
      if (one.routes.length > MOST_ROUTES)
        lines.push(`  and ${count(one.routes.length - MOST_ROUTES, 'more', 'more')}; use \`--format json\` to list all of them.`);
      lines.push('', 'Reaches:', ...treeLines(one.function, '', true, style), summary([one.function], [one], style));
      return `${lines.join('\n')}\n`;
    })
    .join('\n');
}

/** More of them are counted. */
const MOST_CUT = 5;

function unreachedLines(cutAt: readonly Place[], { calls }: PathStyle): string[] {
  if (cutAt.length === 0) return ['Not reached by any request.'];
  const more = cutAt.length - MOST_CUT;
  return [
    'No request is known to reach it, but the search is incomplete: there are calls that may run more functions than it follows:',
    ...cutAt.slice(0, MOST_CUT).map((place) => `  ${shownIn(calls, place)}`),
    ...(more > 0 ? [`  and ${count(more, 'more', 'more')}; use \`--format json\` to list all of them.`] : []),
  ];
}

function treeLines(tree: CallTree, indent: string, isLast: boolean, style: PathStyle): string[] {
  const { colors, calls, unicode } = style;
  const [branch, stem] = unicode ? (isLast ? ['└─ ', '   '] : ['├─ ', '│  ']) : isLast ? ['`- ', '   '] : ['|- ', '|  '];
  const called = tree.calledAt
    ? `, ${tree.via === 'callback' ? 'passed as a callback' : tree.via === 'construct' ? 'constructed' : 'called'} at ${shownIn(calls, tree.calledAt)}`
    : '';
  const own = `${indent}${branch}${nameOf(tree.name, colors)} ${colors.dim(`(${shownIn(calls, tree)}${called})`)}${tree.isOnce ? colors.dim(' first request only') : ''}`;
  const inside = indent + stem;
  const hasCalls = tree.calls.length > 0;
  const marks = tree.findings.map((mark) => `${inside}${hasCalls ? (unicode ? '│  ' : '|  ') : '   '}${markLine(mark, style)}`);
  return [own, ...marks, ...tree.calls.flatMap((call, i) => treeLines(call, inside, i === tree.calls.length - 1, style))];
}

function markLine(mark: Mark, { colors, calls, unicode }: PathStyle): string {
  const paint = mark.severity === 'error' ? colors.red : mark.severity === 'warning' ? colors.yellow : colors.cyan;
  return `${paint(`${unicode ? '▲' : '!'} ${mark.severity}`)} ${visible(mark.code)} ${colors.dim(`${mark.ruleId} ${shownIn(calls, mark)}`)}`;
}

function summary(trees: readonly CallTree[], counts: readonly { functions: number; leftOut: number }[], { colors }: PathStyle): string {
  // Handlers of one registration may share what they reach.
  const shown = new Map(trees.flatMap(nodesOf).map((node) => [`${node.file}:${node.line}:${node.column}`, node]));
  const findings = [...shown.values()].reduce((sum, node) => sum + node.findings.length, 0);
  const leftOut = counts.reduce((sum, one) => sum + one.leftOut, 0);
  const more =
    leftOut > 0
      ? ` ${trees.length > 1 ? 'Some' : count(leftOut, 'function')} omitted, starting with the farthest ones without findings; use --max-nodes to show more.`
      : '';
  const handlers = trees.length > 1 ? `${count(trees.length, 'handler')}, ` : '';
  const functions =
    trees.length > 1 && leftOut > 0 ? `more than ${count(shown.size, 'function')}` : count(shown.size + leftOut, 'function');
  return colors.dim(`${handlers}${functions}, ${findings === 0 ? 'no findings' : count(findings, 'finding')}.${more}`);
}

function nodesOf(tree: CallTree): CallTree[] {
  return [tree, ...tree.calls.flatMap(nodesOf)];
}

function titleOfReport({ route, kind }: RouteReport): string {
  return titleOf({ route: route ?? undefined, kind });
}

function nameOf(name: string | null, colors: Colors): string {
  return name === null ? colors.dim('(function)') : visible(name);
}

function shownIn(calls: PathStyle['calls'], place: Parameters<PathStyle['calls']['shown']>[0]): string {
  return visible(calls.shown(place));
}
