// `nodometer paths`: what a route or a function reaches while a request waits.
import pc from 'picocolors';
import { count } from '../../workspace/count.ts';
import { formatFunctions, formatRouteList, formatRoutes } from '../formats/paths.ts';
import { parsePathsArguments } from './graph-arguments.ts';
import { PATHS_HELP } from '../help.ts';
import { EXIT_FAILED, EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { functionReport, routeTrees, summariesOf } from './path-report.ts';
import { findMatch } from './path-query.ts';
import { withProjectCalls } from './project-calls.ts';
import { writeReport } from '../run-setup.ts';
import { safeJson, safeText } from '../safe-output.ts';
import { hasColors, hasUnicode } from '../terminal.ts';

/** Functions of the same name that are listed one after the other. */
const MOST_FUNCTIONS = 10;

export async function pathsCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parsePathsArguments(argv);
  if (args.help) {
    host.stdout.write(PATHS_HELP);
    return EXIT_OK;
  }
  const { format, outputFile, maxNodes, color } = args;
  // `nodometer paths GET /users/:id` without quotation marks.
  const query = args.positionals.join(' ').trim();
  return withProjectCalls(['.'], args, host, (calls, say) => {
    const isColored = hasColors(host, outputFile === undefined ? host.stdout : undefined, color);
    const style = {
      colors: pc.createColors(isColored),
      unicode: hasUnicode(host),
      calls,
    };
    const write = (value: unknown, text: () => string): ExitCode => {
      writeReport(format === 'json' ? safeJson(`${JSON.stringify(value, undefined, 2)}\n`) : safeText(text(), isColored), outputFile, host);
      return EXIT_OK;
    };
    if (query === '') {
      const routes = summariesOf(calls.graph.routes, calls);
      return write({ routes }, () => formatRouteList(routes, style));
    }
    const match = findMatch(query, calls, host.cwd);
    if (match.kind === 'none') {
      say(
        `No route or function in this project matches \`${query}\`.${match.closest.length > 0 ? ` Closest matches: ${match.closest.map((one) => `\`${one}\``).join(', ')}.` : ''} Run \`nodometer paths\` to list all routes.`,
      );
      return EXIT_FAILED;
    }
    if (match.kind === 'routes') {
      const routes = routeTrees(match.routes, maxNodes, calls);
      return write({ query, routes, functions: [] }, () => formatRoutes(routes, style));
    }
    const functions = match.fns.slice(0, MOST_FUNCTIONS).map((fn) => functionReport(fn, maxNodes, calls));
    if (match.fns.length > MOST_FUNCTIONS)
      say(`${count(match.fns.length - MOST_FUNCTIONS, 'more function')} with this name. Use \`file.js:name\` to select one.`);
    return write({ query, routes: [], functions }, () => formatFunctions(functions, style));
  });
}
