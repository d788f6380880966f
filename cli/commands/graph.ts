// `nodometer graph`: the project's call graph, for programs and pictures.
import { count } from '../../workspace/count.ts';
import { formatGraph, type ChosenGraph } from '../formats/graph.ts';
import { parseGraphArguments } from './graph-arguments.ts';
import { GRAPH_HELP } from '../help.ts';
import { EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { withProjectCalls, type ProjectCalls } from './project-calls.ts';
import { writeReport } from '../run-setup.ts';
import { safeJson, safeText } from '../safe-output.ts';

export async function graphCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parseGraphArguments(argv);
  if (args.help) {
    host.stdout.write(GRAPH_HELP);
    return EXIT_OK;
  }
  const paths = args.positionals.length > 0 ? args.positionals : ['.'];
  return withProjectCalls(paths, args, host, (calls, say) => {
    const chosen = choose(calls, args);
    writeReport(
      args.format === 'json' ? safeJson(formatGraph(chosen, args.format, calls)) : safeText(formatGraph(chosen, args.format, calls), false),
      args.outputFile,
      host,
    );
    if (chosen.leftOut > 0)
      say(
        `${count(chosen.leftOut, 'function')} omitted: the graph is limited to ${count(args.maxNodes, 'function')}. Use --max-nodes to raise the limit.`,
      );
    return EXIT_OK;
  });
}

/** Ways to findings first, then what is near to a request, then all else in the order of the files. */
function choose(calls: ProjectCalls, { maxNodes, all }: { maxNodes: number; all: boolean }): ChosenGraph {
  const { graph } = calls;
  const roots = graph.routes.filter(({ fn }) => graph.isReached(fn));
  const reached = graph.reachedFrom(roots.map(({ fn }) => fn)).filter(({ fn }) => graph.isReached(fn));
  const wanted = new Set(reached.map(({ fn }) => fn));
  if (all) for (let fn = 0; fn < graph.size; fn++) wanted.add(fn);
  const kept = new Set<number>();
  if (wanted.size > maxNodes) {
    for (const { fn } of reached.filter((one) => calls.hasFindings(one.fn))) {
      const [shortest] = graph.routesTo(fn);
      const way = shortest ? [shortest.route.fn, ...shortest.calls.map(({ to }) => to)] : [];
      const more = way.filter((one) => !kept.has(one));
      if (kept.size + more.length <= maxNodes) for (const one of more) kept.add(one);
    }
  }
  for (const fn of wanted) if (kept.size < maxNodes) kept.add(fn);
  const fns = [...kept].sort((a, b) => a - b);
  return {
    fns,
    routes: roots.filter(({ fn }) => kept.has(fn)),
    calls: fns.flatMap((fn) => graph.callsOf(fn)).filter(({ to }) => kept.has(to)),
    leftOut: wanted.size - kept.size,
  };
}
