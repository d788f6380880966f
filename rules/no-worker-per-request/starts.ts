// Which call starts a thread, a process or a pool of them.
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { INTERPRETERS, NODE_PROGRAMS, PROGRAM_STARTERS, THREAD_STARTERS, type ThreadStarter } from '../../knowledge/thread-starters.ts';

export interface Start {
  /** As in the message: `new Worker`, `fork`, `spawn('python3')`. */
  name: string;
  starts: 'thread' | 'process' | 'pool' | 'program';
}

const MODULES = [...new Set([...THREAD_STARTERS, ...PROGRAM_STARTERS].map((row) => row.module))];
const ANY_MODULE = new RegExp(`['"](?:node:)?(?:${MODULES.join('|')})['"]`);

/** Whether a text names one of the modules. Most files do not, and cost no more than this check. */
export function mayStart(text: string): boolean {
  return ANY_MODULE.test(text);
}

export function findStart(call: CallNode, facts: Facts): Start | undefined {
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier' && !isMember(callee)) return undefined;
  const origin = facts.origins.moduleMember(callee);
  if (!origin) return undefined;
  const by = call.type === 'NewExpression' ? 'new' : 'call';
  const row = THREAD_STARTERS.find((one) => one.by === by && isMeant(one, origin));
  if (row) return { name: nameOf(call, row, facts), starts: row.starts };
  if (by === 'new' || !PROGRAM_STARTERS.some((one) => isMeant(one, origin))) return undefined;
  const program = programsOf(call, facts).find((one) => NODE_PROGRAMS.has(one) || INTERPRETERS.has(one));
  if (program === undefined) return undefined;
  const shown = `${origin.path.at(-1) ?? origin.module}('${program}')`;
  if (NODE_PROGRAMS.has(program)) return { name: shown, starts: 'process' };
  return { name: shown, starts: 'program' };
}

function isMeant(row: Pick<ThreadStarter, 'module' | 'path'>, origin: { module: string; path: readonly string[] }): boolean {
  return row.module === origin.module && row.path.length === origin.path.length && row.path.every((name, i) => name === origin.path[i]);
}

function nameOf(call: CallNode, row: ThreadStarter, facts: Facts): string {
  const written = facts.source.slice(unwrap(call.callee));
  const name = written.length <= MAX_NAME && !/\s/.test(written) ? written : (row.path.at(-1) ?? row.module);
  return row.by === 'new' ? `new ${name}` : name;
}

// Longer callees (`require('node:child_process').fork` is one of the longest in practice) get a shorter name.
const MAX_NAME = 24;

/**
 * The programs that a call starts, if the source shows them: `process.execPath`, `'python3'`, the first word of each command of a command
 * line.
 */
function programsOf(call: CallNode, facts: Facts): string[] {
  const first = call.arguments[0];
  if (!first) return [];
  const node = unwrap(first);
  if (facts.origins.isGlobal(node, 'process.execPath') || facts.origins.isGlobal(node, 'process.argv0')) return ['node'];
  // `cd ${folder} && python3 main.py`, `echo ${code} | node`
  return commandText(node, facts)
    .split(/&&|\|\|?|;/)
    .flatMap((command) => {
      const word = /^\s*(\S+)(?=\s|$)/.exec(command)?.[1];
      return word === undefined || word.includes(HOLE) ? [] : [word.slice(word.lastIndexOf('/') + 1).replace(/\.exe$/, '')];
    });
}

// Replaces the parts of a command line that are only known at run time.
const HOLE = '\0';

function commandText(expression: Node, facts: Facts): string {
  const node = unwrap(expression);
  if (node.type === 'TemplateLiteral')
    return node.quasis
      .map(
        (quasi, i) => (quasi.value.cooked ?? HOLE) + (i < node.expressions.length ? commandText(node.expressions[i] as Node, facts) : ''),
      )
      .join('');
  if (node.type === 'BinaryExpression' && node.operator === '+') return commandText(node.left, facts) + commandText(node.right, facts);
  return textOf(node, facts.bindings) ?? HOLE;
}

// The longest chain of functions that each return what the next one created.
const MAX_MAKERS = 4;

/**
 * Whether what was started is kept beyond the request: in a variable or property that outlives it, in a list or a map, or to replace one
 * taken from there.
 */
export function isKept(call: CallNode, facts: Facts, steps = 0): boolean {
  let value: Node = call;
  let up = parentOf(value);
  // `new Worker(file).on('exit', …)` returns the worker itself.
  while (
    up &&
    ((isMember(up) && up.object === value && isCall(parentOf(up)) && /^(?:on|once|addListener|unref|ref)$/.test(memberName(up) ?? '')) ||
      (isCall(up) && up.callee === value) ||
      unwrap(up) === call ||
      up.type === 'AwaitExpression')
  ) {
    value = up;
    up = parentOf(up);
  }
  if (!up) return false;
  // What becomes of the result is up to the callers of its function. Callers in other files are trusted.
  const maker = up.type === 'ReturnStatement' ? enclosingFunction(up) : isFunction(up) && up.body === value ? up : undefined;
  if (maker) {
    // Nothing keeps the result of a registered handler.
    if (facts.handlers.handlers.some(({ fn, kind }) => fn === maker && kind !== 'signature')) return false;
    const callers = facts.calls.callersOf(maker).filter(({ edge }) => edge.via === 'call');
    return steps < MAX_MAKERS && callers.every(({ edge }) => isCall(edge.site) && isKept(edge.site, facts, steps + 1));
  }
  // `idle.pop() ?? new Worker(file)`
  if (up.type === 'LogicalExpression' && up.right === value && up.operator !== '&&') return true;
  if (up.type === 'AssignmentExpression' && up.right === value) return outlives(up.left, call, facts);
  if (isAddedToList(value, call, facts)) return true;
  if (up.type !== 'VariableDeclarator' || up.id.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(up.id);
  return (
    binding !== undefined &&
    facts.bindings.references(binding).some((reference) => {
      const parent = parentOf(reference);
      if (parent?.type === 'AssignmentExpression' && parent.right === reference) return outlives(parent.left, call, facts);
      // `jobs.set(id, { worker, started })`
      const property = parent?.type === 'ObjectProperty' && parent.value === reference ? parentOf(parent) : undefined;
      const assignment = property && parentOf(property);
      if (property && assignment?.type === 'AssignmentExpression' && assignment.right === property)
        return outlives(assignment.left, call, facts);
      return isAddedToList(property ?? reference, call, facts);
    })
  );
}

function isAddedToList(value: Node, call: Node, facts: Facts): boolean {
  const list = parentOf(value);
  if (!list || !isCall(list) || !isMember(list.callee) || !list.arguments.some((argument) => argument === value)) return false;
  return /^(?:push|unshift|set|add|enqueue)$/.test(memberName(list.callee) ?? '') && outlives(list.callee.object, call, facts);
}

/** Whether the target of an assignment or addition still exists when the function around the call has returned. */
function outlives(target: Node, call: Node, facts: Facts): boolean {
  let root = unwrap(target);
  while (isMember(root)) root = unwrap(root.object);
  if (root.type === 'ThisExpression') return true;
  if (root.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(root);
  if (!binding) return true;
  if (binding.kind === 'param') return false;
  for (let at = parentOf(call); at; at = parentOf(at)) if (at === binding.scope) return at.type === 'Program';
  return true;
}
