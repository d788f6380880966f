// Writes of UV_THREADPOOL_SIZE, and calls that start a job on libuv's thread pool.
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { groupBy } from '../../analysis/module/group-by.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { CORE_PLACES } from '../../knowledge/core-call-places.ts';

export const VARIABLE = 'UV_THREADPOOL_SIZE';

/** `process.env.UV_THREADPOOL_SIZE = 8`, or the same name in an object that is assigned to `process.env`. */
export function isWrite(node: t.AssignmentExpression, facts: Facts): boolean {
  const target = unwrap(node.left);
  return isMember(target) && memberName(target) === VARIABLE && facts.origins.isGlobal(target.object, 'process.env');
}

export function isAssign(call: t.CallExpression, facts: Facts): boolean {
  const [target, ...sources] = call.arguments;
  return (
    target !== undefined &&
    isMember(call.callee) &&
    memberName(call.callee) === 'assign' &&
    sources.some(
      (source) =>
        source.type === 'ObjectExpression' &&
        source.properties.some(
          (property) => property.type === 'ObjectProperty' && staticName(property.key, property.computed) === VARIABLE,
        ),
    ) &&
    facts.origins.isGlobal(call.callee, 'Object.assign') &&
    facts.origins.isGlobal(target, 'process.env')
  );
}

const POOL: ReadonlySet<string> = new Set(
  CORE_PLACES.filter((row) => row.place === 'pool').flatMap((row) => row.names.map((name) => `${row.module}.${name}`)),
);
// Streams only read on demand, and watching starts later.
const LATER = /^fs\.(?:create\w+Stream|watchFile)$/;

/** The name of a call that gives the pool a job immediately: callback forms of crypto and zlib, asynchronous forms of `fs` and `dns`. */
export function poolJobOf(call: CallNode, facts: Facts): string | undefined {
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier' && !isMember(callee)) return undefined;
  const origin = facts.origins.moduleMember(callee);
  if (!origin) return undefined;
  const isPromise = origin.path[0] === 'promises';
  const name = `${origin.module}.${(isPromise ? origin.path.slice(1) : origin.path).join('.')}`;
  if (!POOL.has(name) || LATER.test(name)) return undefined;
  const last = call.arguments.at(-1);
  const hasCallback = last !== undefined && (isFunction(unwrap(last)) || last.type === 'Identifier');
  return isPromise || name.includes('.subtle.') || hasCallback ? name : undefined;
}

/**
 * A call that certainly gives the pool a job before the write runs: earlier in the same function or at the top level, and not in a branch
 * of its own.
 */
export function findJobBefore(write: Node, facts: Facts): { call: CallNode; name: string } | undefined {
  const jobs = facts.remember('jobs of the pool by function', () => {
    const calls = [...facts.module.nodes('CallExpression'), ...facts.module.nodes('NewExpression')];
    const found = calls.flatMap((call) => {
      const name = poolJobOf(call, facts);
      return name === undefined ? [] : [{ call, name }];
    });
    return groupBy(found, ({ call }) => enclosingFunction(call));
  });
  const own = jobs.get(enclosingFunction(write)) ?? [];
  return own.find(({ call }) => (call.start ?? 0) < (write.start ?? 0) && !isInOtherBranch(call, write));
}

/** Whether a node may not run before the write, because it is in a branch that does not contain the write. */
function isInOtherBranch(node: Node, write: Node): boolean {
  let from = node;
  for (let at = parentOf(node); at; from = at, at = parentOf(at)) {
    const isBranch =
      at.type === 'IfStatement' ||
      at.type === 'ConditionalExpression' ||
      at.type === 'LogicalExpression' ||
      at.type === 'SwitchCase' ||
      at.type === 'TryStatement';
    const isCondition = ('test' in at && at.test === from) || (at.type === 'LogicalExpression' && at.left === from);
    if (isBranch && !isCondition && !((from.start ?? 0) <= (write.start ?? 0) && (write.end ?? 0) <= (from.end ?? 0))) return true;
  }
  return false;
}

/** Whether processes are started after the write. They inherit the variable and use it. */
export function startsProcessesAfter(write: Node, facts: Facts): boolean {
  const last = facts.remember('last start of a process', () =>
    facts.module.nodes('CallExpression').findLast((call) => {
      if (!STARTS.test(calledName(call) ?? '')) return false;
      const origin = facts.origins.moduleMember(unwrap(call.callee));
      return origin !== undefined && /^(?:cluster|child_process|execa|cross-spawn)$/.test(origin.module);
    }),
  );
  return last !== undefined && (last.start ?? 0) >= (write.end ?? 0);
}

const STARTS = /^(?:fork|spawn|exec|execFile|spawnSync|execSync|execFileSync|setupPrimary|setupMaster)$/;

function calledName(call: t.CallExpression): string | undefined {
  const callee = unwrap(call.callee);
  return callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
}

/** Whether loading the module runs the function around the write: it is called at the top level, or by a function that is. */
export function runsWhileLoading(write: Node, facts: Facts): boolean {
  const seen = new Set<Node>();
  const runs = (node: Node): boolean => {
    const fn = enclosingFunction(node);
    if (!fn) return true;
    if (seen.has(fn)) return false;
    seen.add(fn);
    const parent = parentOf(fn);
    if (isCall(parent) && parent.callee === fn) return runs(parent);
    return facts.calls.callersOf(fn).some(({ edge }) => edge.via !== 'callback' && runs(edge.site));
  };
  return runs(write);
}
