// Which calls run in each iteration of a loop, and which of their arguments are other objects each time.
import {
  contains,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type LoopNode,
  type Node,
} from '../../module/ast.ts';
import type { Binding } from '../../facts/bindings.ts';
import { iteratingCallAround, loopRepetition, type Repetition } from '../../facts/hotness.ts';
import type { Flow } from './walk.ts';
import { EACH_ARGUMENTS, eachFlag, SITE_STRIDE, SiteField, SiteFlag } from './format.ts';

// Loops known to have fewer iterations than this are not reported.
const SHORTEST = 10;
// The longest chain of names to follow to the origin of an object.
const MAX_STEPS = 5;

/** Their callbacks see the same object repeatedly, or none, or end at the first "no". */
const NO_ROUNDS: ReadonlySet<string> = new Set(['sort', 'toSorted', 'sortBy', 'times', 'replaceAll', 'every', 'reduce', 'reduceRight']);

/** Their functions take the list first. */
const LIBRARIES: ReadonlySet<string> = new Set(['_', 'lodash', 'underscore', 'async', 'R', 'Promise', 'Bluebird']);

/** Calls by these names give the same object every time. */
const SHARED_RESULT =
  /(?:config|settings|options|session|cache|store|registry|instance|headers|schema|require|context|manager|service)s?$/i;

/** Where a loop's body begins. */
export interface LoopStart {
  site: number;
  waits: number;
  outer: LoopNode | undefined;
}

export function enterLoop({ frame, out }: Flow, loop: LoopNode): LoopStart {
  const start = { site: out.sites.length, waits: frame.waits, outer: frame.loop };
  frame.loop = loop;
  return start;
}

/**
 * Marks the calls in the body of a loop, once it has been walked. An iteration that waits takes a thousand times as long as its
 * computation, so its calls are not marked.
 */
export function leaveLoop(flow: Flow, loop: LoopNode, { site, waits, outer }: LoopStart): void {
  const { frame } = flow;
  frame.loop = outer;
  if (frame.waits === waits && frame.fn >= 0 && isLong(flow, loopRepetition(loop, flow.bindings))) mark(flow, site, frame.fn);
}

/** The same for the callback of `map` and similar methods. `first`: the length of `sites` before it. */
export function leaveCallback(flow: Flow, fn: FunctionNode, first: number): void {
  if (flow.out.sites.length > first && isPerItem(flow, fn)) mark(flow, first, flow.frame.fn);
}

function mark(flow: Flow, first: number, fn: number): void {
  const { sites } = flow.out;
  for (let i = first; i < sites.length; i += SITE_STRIDE)
    if (sites[i + SiteField.Function] === fn) sites[i + SiteField.Flags] = (sites[i + SiteField.Flags] as number) | SiteFlag.Repeated;
}

/** Whether a function, inline or by name, is called once per item of a list. */
function isPerItem(flow: Flow, argument: Node): boolean {
  const repetition = iteratingCallAround(argument);
  return (
    repetition !== undefined && !NO_ROUNDS.has(repetition.by) && isFirstOrLibrary(repetition.node, argument) && isLong(flow, repetition)
  );
}

/** `Users.find(query, done)`: an argument after the first is called at the end, unless the method is one of a library. */
function isFirstOrLibrary(call: Repetition['node'], argument: Node): boolean {
  if (!isCall(call) || !isMember(call.callee)) return false;
  const first = call.arguments[0];
  if (first !== undefined && contains(first, argument)) return true;
  const owner = unwrap(call.callee.object);
  return owner.type === 'Identifier' && LIBRARIES.has(owner.name);
}

/** `rows.map(clean)`: the function is passed by name, and it is the only callback. */
export function iteratesNamed(flow: Flow, { arguments: args }: CallNode): boolean {
  // `_.map(rows, clean)`
  if (args.length === 0 || args.length > 2) return false;
  for (let i = 0; i < args.length; i++) {
    const node = unwrap(args[i] as Node);
    if (node.type !== 'Identifier' && !isMember(node)) return false;
  }
  return isPerItem(flow, args[args.length - 1] as Node);
}

function isLong(flow: Flow, { node, atMost }: Repetition): boolean {
  if (atMost !== undefined) return atMost >= SHORTEST;
  const list = node.type === 'ForOfStatement' ? node.right : isCall(node) && isMember(node.callee) ? node.callee.object : undefined;
  const named = list && unwrap(list);
  if (named?.type !== 'Identifier') return true;
  // A constant of another file, judged by its spelling.
  if (/^[A-Z][A-Z\d_]+$/.test(named.name)) return false;
  const declaration = flow.binding(named.name)?.declaration;
  const init =
    declaration?.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' && declaration.init
      ? unwrap(declaration.init)
      : undefined;
  return (
    init?.type !== 'ArrayExpression' ||
    init.elements.length === 0 ||
    init.elements.length >= SHORTEST ||
    init.elements.some((element) => element?.type === 'SpreadElement')
  );
}

/** Whether a loop ends after a call: `if (!isValid(row)) return`, `{ report(row); return; }`. */
export function endsLoop(flow: Flow, call: CallNode): boolean {
  const { loop } = flow.frame;
  return isLeavingTest(call) || (loop !== undefined && isFollowedByEnd(call, loop));
}

function isFollowedByEnd(call: Node, loop: LoopNode): boolean {
  let isBroken = false;
  for (let at: Node | undefined = call; at && at !== loop; at = parentOf(at)) {
    const last = at.type === 'BlockStatement' ? at.body.at(-1) : at.type === 'SwitchCase' ? at.consequent.at(-1) : at;
    // `break` ends the switch around it, not the loop.
    if (last?.type === 'BreakStatement' && at.type !== 'SwitchCase') isBroken = true;
    else if (isEnd(last) && last?.type !== 'BreakStatement') return true;
    if (at.type === 'SwitchCase') isBroken = false;
  }
  return isBroken;
}

function isEnd(node: Node | undefined): boolean {
  return node?.type === 'ReturnStatement' || node?.type === 'ThrowStatement' || node?.type === 'BreakStatement';
}

/** The loop ends at the first "no". */
function isLeavingTest(call: CallNode): boolean {
  const not = parentOf(call);
  const test = not?.type === 'UnaryExpression' && not.operator === '!' ? parentOf(not) : undefined;
  if (test?.type !== 'IfStatement' || test.test !== not) return false;
  return isEnd(test.consequent.type === 'BlockStatement' ? test.consequent.body.at(-1) : test.consequent);
}

/** Flags of the arguments that are other objects each time the call runs. */
export function eachArguments(flow: Flow, { arguments: args }: CallNode): number {
  if (flow.frame.fn < 0) return 0;
  let flags = 0;
  for (let i = 0; i < args.length && i < EACH_ARGUMENTS; i++) {
    const argument = args[i] as Node;
    if (argument.type === 'SpreadElement') break;
    if (isOther(flow, argument, 0)) flags |= eachFlag(i);
  }
  return flags;
}

function isOther(flow: Flow, expression: Node, depth: number): boolean {
  const node = unwrap(expression);
  switch (node.type) {
    case 'ObjectExpression':
    case 'NewExpression':
      return true;
    case 'CallExpression':
    case 'OptionalCallExpression': {
      const callee = unwrap(node.callee);
      const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
      return name === undefined || !SHARED_RESULT.test(name);
    }
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      if (depth > MAX_STEPS) return false;
      return (memberName(node) === undefined && changesEachRound(flow, node.property)) || isOther(flow, node.object, depth + 1);
    case 'Identifier': {
      const binding = depth > MAX_STEPS ? undefined : flow.binding(node.name);
      return binding !== undefined && isOtherVariable(flow, binding, depth);
    }
    default:
      return false;
  }
}

/** `i` in `rows[i]` */
function changesEachRound(flow: Flow, key: Node): boolean {
  const node = unwrap(key);
  const { loop } = flow.frame;
  const binding = node.type === 'Identifier' ? flow.binding(node.name) : undefined;
  return binding !== undefined && loop !== undefined && contains(loop, binding.identifier);
}

function isOtherVariable(flow: Flow, binding: Binding, depth: number): boolean {
  const { frame } = flow;
  const { declaration } = binding;
  if (isFunction(declaration)) {
    const [first] = declaration.params;
    return declaration === frame.node && first !== undefined && contains(first, binding.identifier) && isPerItem(flow, declaration);
  }
  if (declaration.type !== 'VariableDeclarator') return false;
  // An object created before the loop is the same one in each iteration.
  if (
    frame.loop
      ? !contains(frame.loop, declaration)
      : !frame.node || !contains(frame.node, declaration) || functionAround(declaration) !== frame.node
  )
    return isSetIn(flow, binding);
  const head = parentOf(parentOf(declaration) ?? declaration);
  if ((head?.type === 'ForOfStatement' || head?.type === 'ForInStatement') && head.left === parentOf(declaration))
    return head.type === 'ForOfStatement';
  return declaration.init != null && isOther(flow, declaration.init, depth + 1);
}

/** `node` in `while (node) { …; node = node.next; }` */
function isSetIn(flow: Flow, binding: Binding): boolean {
  const { loop } = flow.frame;
  return (
    loop !== undefined &&
    binding.kind !== 'const' &&
    flow.bindings
      .assignedValues(binding)
      .some((value) => value !== undefined && value !== null && startOf(value) > startOf(loop) && contains(loop, value))
  );
}

function functionAround(node: Node): FunctionNode | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}
