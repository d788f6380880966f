// Library code: places that run each time somebody calls a function that the file exports. No request of the project leads there, because
// the requests are those of the package's users.
import type { Facts } from '../../analysis/facts/index.ts';
import { enclosingFunction, functionName, isFunction, type FunctionNode, type Node } from '../../analysis/module/ast.ts';
import type { OptionSpec, Problem } from '../../analysis/rule.ts';
import { isPageCode } from './page-code.ts';

export interface ExportsOption {
  exports: boolean;
}

/** The option of rules that know request paths. `--exports` sets it. */
export const EXPORTS_OPTION: OptionSpec<boolean> = {
  type: 'boolean',
  default: false,
  description: 'For libraries: also report, as hints, what each call of an exported function runs.',
};

// The longest chain of calls between what is exported and the place.
const MOST_STEPS = 6;

/**
 * Reports problems of request paths, and with the option also where no request is known to lead: as hints about calls of what the file
 * exports. What other files would have to show is not reported without them.
 */
export function withCallers<M extends string>(
  report: (problem: Problem<M>) => void,
  { exports }: ExportsOption,
  facts: Facts,
): (problem: Problem<M>) => void {
  if (!exports) return report;
  return (problem) => {
    const { request, ...rest } = problem;
    const name =
      request && !request.querying && !request.taking && !request.isOfElement && !request.isUnproven
        ? exportAround(request.at, facts)
        : undefined;
    if (name === undefined) report(problem);
    else
      report({ ...problem, otherwise: { ...rest, severity: 'hint', isForCallers: true, data: { ...problem.data, where: whereOf(name) } } });
  };
}

function whereOf(name: string): string {
  return name === 'default' ? 'call of what this module exports' : `call of \`${name}\`, which this module exports`;
}

/** The name of an exported function that runs the place; undefined for what only prepares, and outside of library code. */
export function exportAround(place: Node, facts: Facts): string | undefined {
  const fn = enclosingFunction(place);
  if (!fn || facts.role !== 'application' || isPageCode(facts)) return undefined;
  const { functions } = facts.exports;
  if (functions.size === 0) return undefined;
  let level: readonly FunctionNode[] = [fn];
  const seen = new Set<Node>(level);
  for (let steps = 0; steps < MOST_STEPS && level.length > 0; steps++) {
    const next: FunctionNode[] = [];
    for (const at of level) {
      const name = functions.get(at);
      if (name !== undefined) return isConstructor(at) ? undefined : (functionName(at) ?? name);
      for (const { from } of facts.calls.callersOf(at))
        if (isFunction(from) && !seen.has(from)) {
          seen.add(from);
          next.push(from);
        }
    }
    level = next;
  }
  return undefined;
}

/** An instance may be made once. */
function isConstructor(fn: FunctionNode): boolean {
  return fn.type === 'ClassMethod' && fn.kind === 'constructor';
}
