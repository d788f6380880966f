// Where an object comes from whose method blocks: which call of a module made it.
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Maker } from '../../knowledge/blocking-call.ts';
import { givesOption, mayChange, mayGiveOption } from './conditions.ts';

// The longest chain from a variable to the call that created its value.
const MAX_STEPS = 6;

/** Whether a module created the value of an expression in that way: `db.prepare(…)` with `db = new DatabaseSync(…)`. */
export function isMadeBy(expression: Node, module: string, maker: Maker, facts: Facts): boolean {
  const start = maker.element ? listOf(expression, facts) : expression;
  if (!start) return false;
  let node = unwrap(start);
  const then = [...(maker.then ?? [])];
  // Until the last method was found, it is the list.
  let isList = maker.element === true;
  for (let step = 0; step < MAX_STEPS; step++) {
    if (node.type === 'AwaitExpression') node = unwrap(node.argument);
    else if (node.type === 'Identifier') {
      const value = valueOf(node, facts);
      if (!value) return false;
      node = unwrap(value);
    } else if (isMember(node)) {
      const values = facts.holders.valuesOf(node.object, memberName(node));
      const [only] = values;
      if (values.length !== 1 || !only) return false;
      node = unwrap(only);
    } else if (isCall(node)) {
      const method = then.at(-1);
      const callee = unwrap(node.callee);
      if (method === undefined) {
        const origin = facts.origins.moduleMember(callee);
        if (origin) return origin.module === module && origin.path.join('.') === maker.path.join('.') && isMaker(node, maker, facts);
        // A function of the file that returns one.
        const makers = node.type === 'NewExpression' ? [] : facts.calls.functionsOf(callee);
        const values = makers.length === 1 && makers[0] && !makers[0].async ? facts.shapes.returnedValues(makers[0]) : [];
        if (values.length !== 1 || !values[0]) return false;
        node = unwrap(values[0]);
        continue;
      }
      if (!isMember(callee)) return false;
      const name = memberName(callee);
      if (name === method) {
        then.pop();
        isList = false;
      } else if (!isList || !SAME_ELEMENTS.test(name ?? '')) return false;
      node = unwrap(callee.object);
    } else return false;
  }
  return false;
}

function isMaker(call: CallNode, maker: Maker, facts: Facts): boolean {
  return (
    (call.type === 'NewExpression') === (maker.by === 'new') &&
    (maker.option === undefined || givesOption(call, maker.option)) &&
    (maker.without === undefined || !mayGiveOption(call, maker.without, facts)) &&
    (maker.changing === undefined || mayChange(call.arguments[maker.changing], facts)) &&
    call.arguments.length <= (maker.most ?? Infinity)
  );
}

/** The initial value of a variable that is given no other one, or the only one that it is given: `let zip; try { zip = new AdmZip(bytes); } …`. */
function valueOf(identifier: Node, facts: Facts): Node | undefined {
  const binding = identifier.type === 'Identifier' ? facts.bindings.resolve(identifier) : undefined;
  const declaration = binding?.declaration;
  if (!binding || declaration?.type !== 'VariableDeclarator' || declaration.id.type !== 'Identifier') return undefined;
  const { init } = declaration;
  if (init && unwrap(init).type !== 'NullLiteral')
    return facts.bindings.assignedValues(binding).every((value) => isSuchValue(value, init, binding.name, facts)) ? init : undefined;
  const parent = parentOf(parentOf(declaration) ?? declaration);
  if (parent?.type === 'ForOfStatement' && parentOf(declaration) === parent.left) return undefined;
  const values = facts.bindings.assignedValues(binding);
  return values.length === 1 ? values[0] : undefined;
}

/** Whether a value that replaces the first one is none, made in the same way, or some elements of that list. */
function isSuchValue(value: Node | undefined, init: Node, name: string, facts: Facts): boolean {
  const node = value && unwrap(value);
  if (node?.type === 'NullLiteral' || (node?.type === 'Identifier' && node.name === 'undefined')) return true;
  if (!isCall(node)) return false;
  const first = unwrap(init);
  const callee = unwrap(node.callee);
  if (isCall(first) && first.type === node.type && facts.source.slice(unwrap(first.callee)) === facts.source.slice(callee)) return true;
  const list = isMember(callee) && SAME_ELEMENTS.test(memberName(callee) ?? '') ? unwrap(callee.object) : undefined;
  return list?.type === 'Identifier' && list.name === name;
}

/** Methods of a list that give some of its elements as a list. */
const SAME_ELEMENTS = /^(?:filter|slice|sort|toSorted|reverse|toReversed)$/;
/** Those that give one. */
const ONE_ELEMENT = /^(?:find|findLast|at|shift|pop)$/;
/** Those whose callback is given one at a time, as its first parameter. */
const PER_ELEMENT = /^(?:forEach|map|flatMap|filter|find|findLast|findIndex|some|every)$/;

/** The list that an expression is an element of: of `for (const entry of list)`, of `list.find(…)`, of `list[0]`, of a callback. */
function listOf(expression: Node, facts: Facts): Node | undefined {
  let node = unwrap(expression);
  for (let step = 0; step < MAX_STEPS; step++) {
    if (isMember(node)) return node.computed && node.property.type !== 'StringLiteral' ? node.object : undefined;
    if (isCall(node)) {
      const callee = unwrap(node.callee);
      return isMember(callee) && ONE_ELEMENT.test(memberName(callee) ?? '') ? callee.object : undefined;
    }
    const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
    if (!binding) return undefined;
    const { declaration } = binding;
    if (binding.kind === 'param') {
      if (!isFunction(declaration) || declaration.params[0] !== binding.identifier) return undefined;
      const call = parentOf(declaration);
      const callee = call && isCall(call) && call.arguments[0] === declaration ? unwrap(call.callee) : undefined;
      return callee && isMember(callee) && PER_ELEMENT.test(memberName(callee) ?? '') ? callee.object : undefined;
    }
    if (declaration.type !== 'VariableDeclarator' || declaration.id.type !== 'Identifier') return undefined;
    const loop = parentOf(parentOf(declaration) ?? declaration);
    if (loop?.type === 'ForOfStatement' && parentOf(declaration) === loop.left) return loop.right;
    const value = valueOf(node, facts);
    if (!value) return undefined;
    node = unwrap(value);
  }
  return undefined;
}
