// Branches whose condition other files decide: `if (scene.imagePath)`, where no file sets that property.
import { functionName, isMember, memberName, unwrap, type Node } from '../../module/ast.ts';
import { neededToLack, objectsIn, objectsReturnedBy, returnedValues, type Read } from '../../facts/known-objects.ts';
import type { Flow, OpenGuard } from './walk.ts';
import type { FileSummary, Lack, Result } from './format.ts';

/** Our choice, so that a call costs no more in a deep nest. */
const MOST_AROUND = 8;
const LONGEST_TEST = 20;

/** Walks what runs only if a test holds. */
export function behind<T>(flow: Flow, test: Node, walk: () => T): T {
  const around = flow.guards;
  const own = around.length < MOST_AROUND ? guardsOf(flow, test) : [];
  if (own.length > 0) flow.guards = [...around, ...own];
  const value = walk();
  flow.guards = around;
  return value;
}

function guardsOf(flow: Flow, test: Node): OpenGuard[] {
  const found: OpenGuard[] = [];
  let rest: Node | undefined = test;
  for (let i = 0; rest && i < LONGEST_TEST; i++) {
    const node: Node = unwrap(rest);
    const isBoth: boolean = node.type === 'LogicalExpression' && node.operator === '&&';
    rest = node.type === 'LogicalExpression' && isBoth ? node.left : undefined;
    const guard = guardOf(flow, node.type === 'LogicalExpression' && isBoth ? node.right : node);
    if (guard) found.push(guard);
  }
  for (const guard of found) flow.allGuards.push(guard);
  return found;
}

/** `scene.imagePath` */
function guardOf(flow: Flow, part: Node): OpenGuard | undefined {
  const node = unwrap(part);
  const name = isMember(node) ? memberName(node) : undefined;
  const object = isMember(node) ? unwrap(node.object) : undefined;
  if (name === undefined || object?.type !== 'Identifier') return undefined;
  const binding = flow.binding(object.name);
  const objects = binding && objectsIn(binding, flow.facts);
  const reads = objects && neededToLack(objects, name);
  return reads && { reads, sites: [] };
}

/** After the walk. */
export function readGuards(flow: Flow): Pick<FileSummary, 'guards' | 'results'> {
  const { facts, functionIndexes, allGuards } = flow;
  const lacks = (reads: readonly Read[]): Lack[] => reads.map(({ call, name }) => ({ site: flow.sites.get(call) ?? -1, name }));
  const guards = allGuards.flatMap(({ reads, sites }) => (sites.length > 0 ? [{ lacks: lacks(reads), sites }] : []));
  const results: Result[] = [];
  const returned = returnedValues(facts);
  for (const [fn, index] of functionIndexes) {
    const values = returned.get(fn);
    // Nobody keeps the result of a callback in a variable.
    if (functionName(fn) === undefined || (!values && fn.body.type === 'BlockStatement')) continue;
    const objects = objectsReturnedBy(fn, values ?? [], facts);
    if (!objects) continue;
    const copied = [...objects.copied].map(([name, reads]) => [name, lacks(reads)] as const);
    results.push({
      fn: index,
      set: [...objects.set],
      calls: objects.calls.map((call) => flow.sites.get(call) ?? -1),
      ...(copied.length > 0 ? { copied } : {}),
    });
  }
  return { ...(guards.length > 0 ? { guards } : {}), ...(results.length > 0 ? { results } : {}) };
}
