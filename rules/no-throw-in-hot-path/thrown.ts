// Throws that the catch of the same try handles: an expensive jump.
import {
  functionName,
  isCall,
  isClass,
  isFunction,
  isMember,
  memberName,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { isThrownForMistakes } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { iteratingCallOf } from '../../analysis/facts/hotness.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { isForCallSites } from '../shared/good-path.ts';
import type { GuardedTry } from './catch-clause.ts';

/** `throw` statements that run inside the block of the try and end in its catch. */
export function thrownInside(node: GuardedTry): t.ThrowStatement[] {
  const found: t.ThrowStatement[] = [];
  collect(node.block, found);
  return found;
}

function collect(root: Node, found: t.ThrowStatement[]): void {
  walkWithin(root, (node) => {
    if (node === root) return true;
    // A function runs later and elsewhere, unless an iterating method runs it immediately.
    if (isFunction(node)) return !node.async && !node.generator && iteratingCallOf(node) !== undefined;
    if (isClass(node)) return false;
    if (node.type === 'ThrowStatement' && !isThrownForMistakes(node)) found.push(node);
    if (node.type === 'TryStatement' && node.handler) {
      collect(node.handler.body, found);
      if (node.finalizer) collect(node.finalizer, found);
      return false;
    }
    return true;
  });
}

/** A call of one of the file's own functions that throws because of its arguments. */
export function findThrowingCall(
  facts: Facts,
  node: GuardedTry,
): { call: CallNode; target: FunctionNode; thrown: t.ThrowStatement } | undefined {
  let result: { call: CallNode; target: FunctionNode; thrown: t.ThrowStatement } | undefined;
  walkWithin(node.block, (child) => {
    if (result || isFunction(child) || (child.type === 'TryStatement' && child.handler)) return false;
    if (!isCall(child) || child.type === 'NewExpression') return true;
    const targets = facts.calls.functionsOf(child.callee);
    const [target] = targets;
    if (targets.length !== 1 || !target || target.async || target.generator) return true;
    const thrown = findOwnThrow(target);
    if (thrown) result = { call: child, target, thrown };
    return !result;
  });
  return result;
}

// A block with more statements than this isolates work, as for probes: it does not test for a throw.
const MOST_STATEMENTS = 3;

/** Statements without loops and branches. */
const PLAIN_STATEMENTS: ReadonlySet<string> = new Set([
  'ExpressionStatement',
  'VariableDeclaration',
  'ReturnStatement',
  'ContinueStatement',
  'BreakStatement',
]);

/** Calls of what may be functions of other files: not of this file, a package or JavaScript itself. */
export function findCallsElsewhere(facts: Facts, node: GuardedTry): CallNode[] {
  const found: CallNode[] = [];
  if (node.block.body.length > MOST_STATEMENTS || node.block.body.some((statement) => !PLAIN_STATEMENTS.has(statement.type))) return found;
  walkWithin(node.block, (child) => {
    if (isFunction(child) || (child.type === 'TryStatement' && child.handler)) return false;
    if (isCall(child) && child.type !== 'NewExpression' && isElsewhere(facts, child)) found.push(child);
    return true;
  });
  return found;
}

function isElsewhere(facts: Facts, { callee }: CallNode): boolean {
  if (callee.type === 'Import' || callee.type === 'Super' || facts.calls.functionsOf(callee).length > 0) return false;
  const origin = facts.origins.of(callee);
  return origin === undefined || (origin.root === 'module' && /^[./#~@]/.test(origin.name));
}

/** The first `throw new …` that leaves a function. */
function findOwnThrow(fn: FunctionNode): t.ThrowStatement | undefined {
  let found: t.ThrowStatement | undefined;
  walkWithin(fn.body, (node) => {
    if (found || isFunction(node) || isClass(node) || (node.type === 'TryStatement' && node.handler)) return false;
    // `default: throw new Error(kind)` is for values that do not come.
    if (node.type === 'SwitchCase' && !node.test) return false;
    if (node.type === 'ThrowStatement' && node.argument?.type === 'NewExpression' && !isThrownForMistakes(node)) found = node;
    return !found;
  });
  return found;
}

export function nameOf(target: FunctionNode): string {
  const name = functionName(target);
  return name ? `\`${name}\`` : 'the function';
}

/** Whether a block loads a module or accesses a file. A throw is negligible next to that. */
export function doesSlowWork(facts: Facts, block: Node): boolean {
  let found = false;
  walkWithin(block, (node) => {
    if (found || isFunction(node)) return false;
    if (!isCall(node)) return true;
    if (node.callee.type === 'Import' || (node.callee.type === 'Identifier' && node.callee.name === 'require')) found = true;
    const module = facts.origins.moduleMember(node.callee)?.module;
    if (module === 'fs' || module === 'child_process') found = true;
    return !found;
  });
  return found;
}

/** `new Error().stack`, `Error().stack`: what captures an intentional stack trace. Its text is made at the first read, and kept. */
export function captureOf(facts: Facts, node: t.MemberExpression | t.OptionalMemberExpression): Node | undefined {
  if (memberName(node) !== 'stack' || isForCallSites(node, facts)) return undefined;
  const { object } = node;
  if (isCall(object)) return isError(facts, object.callee) ? object : undefined;
  if (object.type !== 'Identifier') return undefined;
  const declaration = facts.bindings.resolve(object)?.declaration;
  const made = declaration?.type === 'VariableDeclarator' ? declaration.init : undefined;
  return isCall(made) && isError(facts, made.callee) ? made : undefined;
}

export function isError(facts: Facts, callee: Node): boolean {
  return (
    !isMember(callee) &&
    /^(?:Type|Range|Syntax|Reference|URI|Eval|Aggregate)?Error$/.test(facts.origins.of(callee)?.name ?? '') &&
    facts.origins.of(callee)?.root === 'global'
  );
}
