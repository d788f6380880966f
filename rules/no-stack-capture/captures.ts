// Places that capture a stack, and what is done with it.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { enclosingFunction, isCall, isMember, memberName, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { calleeName, isErrorClassNode, isForCallSites, isOnlyInSomeCases, isRunLater } from '../shared/good-path.ts';

export interface Capture {
  /** `read`: the text of the stack is made; `early`: an error that only some runs need; `printed`: by `console.trace`. */
  kind: 'read' | 'early' | 'printed';
  at: Node;
  /** What captures, for messages. */
  call: string;
  /** Of an error that is made early: its variable and the places that use it. */
  error?: { made: t.NewExpression; declarator?: t.VariableDeclarator; uses: readonly Node[]; isChanged: boolean };
}

const ERRORS = ['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'EvalError', 'URIError', 'AggregateError'];

/** Whether a text may capture a stack on its own. */
export function mayCapture(text: string): boolean {
  return /Error\b|console\.trace/.test(text);
}

export function captureOf(call: t.NewExpression | t.CallExpression, facts: Facts): Capture | undefined {
  if (call.type === 'CallExpression') {
    if (facts.origins.isGlobal(call.callee, 'console.trace')) return { kind: 'printed', at: call, call: 'console.trace' };
    if (facts.origins.isGlobal(call.callee, 'Error.captureStackTrace')) return capturedInto(call, facts);
    // `Error('…').stack`, without `new`
    return facts.origins.isGlobal(call.callee, 'Error') ? readOf(call, facts) : undefined;
  }
  if (!isErrorClass(call.callee, facts)) return undefined;
  return readOf(call, facts) ?? earlyOf(call, facts);
}

/** Into an object that is written here. What is made to be thrown needs its stack. */
function capturedInto(call: t.CallExpression, facts: Facts): Capture | undefined {
  const target = call.arguments[0] && unwrap(call.arguments[0]);
  if (target?.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(target);
  const init =
    binding?.declaration.type === 'VariableDeclarator' && binding.declaration.init ? unwrap(binding.declaration.init) : undefined;
  if (!binding || init?.type !== 'ObjectExpression' || init.properties.length > 0) return undefined;
  const isThrown = facts.bindings.references(binding).some((reference) => {
    const user = parentOf(reference);
    return user?.type === 'ThrowStatement' || (isCall(user) && user !== call);
  });
  if (isThrown || isForCallSites(call, facts)) return undefined;
  return { kind: 'read', at: call, call: 'Error.captureStackTrace' };
}

/** `new Error().stack`, or a variable whose stack is read in the same function, each time. */
function readOf(made: t.NewExpression | t.CallExpression, facts: Facts): Capture | undefined {
  const whole = outermost(made);
  const member = parentOf(whole);
  if (isForCallSites(made, facts)) return undefined;
  const call = `${made.type === 'NewExpression' ? 'new ' : ''}${facts.source.slice(made.callee)}(…).stack`.replace(
    '(…)',
    made.arguments.length > 0 ? '(…)' : '()',
  );
  if (isMember(member) && member.object === whole) return memberName(member) === 'stack' ? { kind: 'read', at: member, call } : undefined;
  const declarator = declaratorOf(whole);
  const binding = declarator && facts.bindings.resolve(declarator.id as t.Identifier);
  if (!binding || !facts.bindings.isConstant(binding)) return undefined;
  const reads = facts.bindings.references(binding).map((reference) => ({ reference, user: parentOf(reference) }));
  const own = enclosingFunction(made);
  const isOnlyRead =
    reads.length > 0 &&
    reads.every(
      ({ reference, user }) =>
        isMember(user) &&
        user.object === reference &&
        memberName(user) === 'stack' &&
        enclosingFunction(reference) === own &&
        !isOnlyInSomeCases(reference, made, []),
    );
  const first = reads[0]?.user;
  return isOnlyRead && first ? { kind: 'read', at: first, call } : undefined;
}

/** An error that is made each time, and used only if something happens later. */
function earlyOf(made: t.NewExpression, facts: Facts): Capture | undefined {
  const call = `new ${facts.source.slice(made.callee)}(…)`;
  const whole = outermost(made);
  const parent = parentOf(whole);
  // `setTimeout(reject, 1000, new Error('…'))`
  if (parent?.type === 'CallExpression' && calleeName(parent.callee) === 'setTimeout' && isGlobalTimer(parent, facts)) {
    const index = parent.arguments.indexOf(whole as t.Expression);
    return index >= 2 ? { kind: 'early', at: made, call, error: { made, uses: [parent], isChanged: false } } : undefined;
  }
  const field = fieldUses(whole, facts);
  if (field) return { kind: 'early', at: made, call, error: { made, uses: field, isChanged: false } };
  const declarator = declaratorOf(whole);
  const binding = declarator && facts.bindings.resolve(declarator.id as t.Identifier);
  if (!binding || !declarator || !facts.bindings.isConstant(binding)) return undefined;
  const uses = usesOf(binding, facts);
  if (!uses || uses.length === 0 || !uses.every((use) => isOnlyInSomeCases(use, made, uses))) return undefined;
  const isChanged = uses.length !== facts.bindings.references(binding).length;
  return {
    kind: 'early',
    at: made,
    call,
    error: { made, declarator, uses, isChanged },
  };
}

/** The places that hand an error out; undefined if its stack is wanted from here: it is read, or the cause of another. */
function usesOf(binding: Binding, facts: Facts): Node[] | undefined {
  const uses: Node[] = [];
  for (const reference of facts.bindings.references(binding)) {
    const user = parentOf(reference);
    if (isMember(user) && user.object === reference) {
      if (memberName(user) === 'stack') return undefined;
      const write = parentOf(user);
      // `error.code = 'E_TIMEOUT'` is part of making it.
      if (write?.type === 'AssignmentExpression' && write.left === user) continue;
    }
    if (user?.type === 'ObjectProperty' || user?.type === 'AssignmentExpression') return undefined;
    uses.push(reference);
  }
  return uses;
}

/** `this.timeoutError = new TimeoutError(…)`, where only a timer of the same function uses the field. */
function fieldUses(whole: Node, facts: Facts): Node[] | undefined {
  const write = parentOf(whole);
  if (write?.type !== 'AssignmentExpression' || write.right !== whole || write.operator !== '=') return undefined;
  const field = unwrap(write.left);
  if (!isMember(field) || field.object.type !== 'ThisExpression' || parentOf(write)?.type !== 'ExpressionStatement') return undefined;
  const name = memberName(field);
  const own = enclosingFunction(whole);
  if (name === undefined || !own) return undefined;
  const uses: Node[] = [];
  for (const member of facts.module.nodes('MemberExpression')) {
    if (member === field || memberName(member) !== name) continue;
    const around = enclosingFunction(member);
    if (member.object.type !== 'ThisExpression' || !around || !isRunLater(around) || enclosingFunction(around) !== own) return undefined;
    if (calleeName(parentOf(member) ?? member) === undefined && !isCall(parentOf(member))) return undefined;
    uses.push(member);
  }
  return uses.length > 0 ? uses : undefined;
}

function isGlobalTimer({ callee }: t.CallExpression, facts: Facts): boolean {
  return facts.origins.isGlobal(callee, 'setTimeout');
}

/** With the parentheses and casts around it. */
function outermost(node: Node): Node {
  let whole = node;
  for (let up = parentOf(whole); up && unwrap(up) === node; up = parentOf(whole)) whole = up;
  return whole;
}

function declaratorOf(whole: Node): t.VariableDeclarator | undefined {
  const parent = parentOf(whole);
  return parent?.type === 'VariableDeclarator' && parent.init === whole && parent.id.type === 'Identifier' ? parent : undefined;
}

/** Of other files, only the name is known; a class called `TimeoutError` that is none has not been seen. */
function isErrorClass(callee: Node, facts: Facts): boolean {
  const node = unwrap(callee);
  if (node.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(node);
  if (!binding) return ERRORS.includes(node.name);
  if (binding.declaration.type === 'ClassDeclaration') return isErrorClassNode(binding.declaration);
  return /(?:Error|Exception)$/.test(node.name) && (binding.kind === 'import' || binding.declaration.type === 'VariableDeclarator');
}
