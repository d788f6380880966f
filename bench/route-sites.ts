// Calls that the handler recognizer takes for route registrations, in the form that the labeled corpus is scored in.
import { Facts } from '../analysis/facts/index.ts';
import { startOf } from '../analysis/module/ast.ts';
import { ModuleIndex } from '../analysis/module/module-index.ts';
import { parse } from '../analysis/module/parse.ts';
import { Source } from '../analysis/module/source.ts';

export interface FoundRouteSite {
  file: string;
  /** Line of the verb, from 1. */
  line: number;
  framework: string;
  route?: string;
}

/** None for a file that cannot be parsed. */
export function routeSitesOf(file: string, text: string): FoundRouteSite[] {
  const outcome = parse(file, text);
  if (!outcome.ok) return [];
  const source = new Source(file, text);
  // What range of Node a project runs on changes nothing about its routes.
  const { routeSites } = new Facts(new ModuleIndex(outcome.ast), source, { nodeRange: '*', nodeRangeSource: 'bench' }).handlers;
  return routeSites.map(({ verb, framework, route }) => ({
    file,
    line: source.positionAt(startOf(verb)).line,
    framework,
    ...(route === undefined ? {} : { route }),
  }));
}
