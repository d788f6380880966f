// Arrays that V8 keeps as hash tables: an element far past the end, or a length above 32 million. Tested with %HasDictionaryElements on
// Node 18, 22 and 26, with the same results: `[][1023] = x` stays an array, `[][1024] = x` does not; `new Array(33_554_432)` does, one more
// does not; `.fill()` and filling every index restore the array.
import { calculated } from '../../analysis/facts/constants.ts';
import { isCall, isMember, memberName, parentOf, startOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';

export interface SparseArray {
  node: Node;
  how: 'index' | 'length';
  number: number;
  name: string;
}

// V8's JSObject::kMaxGap and JSArray::kInitialMaxFastElementArray.
const WIDEST_GAP = 1024;
const LONGEST_FAST = 32 * 1024 * 1024;
// A generated sum of thousands of numbers would overflow the stack.
const DEEPEST_SUM = 20;

export function findSparseArrays(facts: Facts): SparseArray[] {
  const found: SparseArray[] = [];
  // The first write far past the end is the only report for an array.
  const judged = new Set<Binding>();
  for (const node of facts.module.nodes('AssignmentExpression')) {
    if (node.operator !== '=' || !isMember(node.left)) continue;
    if (
      node.left.computed
        ? node.left.property.type !== 'NumericLiteral' || node.left.property.value < WIDEST_GAP
        : memberName(node.left) !== 'length'
    )
      continue;
    const one = ofWrite(facts, node, node.left, judged);
    if (one) found.push(one);
  }
  for (const type of ['NewExpression', 'CallExpression'] as const) {
    for (const node of facts.module.nodes(type)) {
      const one = ofMaker(facts, node);
      if (one) found.push(one);
    }
  }
  return found;
}

function ofWrite(
  facts: Facts,
  node: t.AssignmentExpression,
  member: t.MemberExpression | t.OptionalMemberExpression,
  judged: Set<Binding>,
): SparseArray | undefined {
  if (member.object.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(member.object);
  if (!binding || judged.has(binding)) return undefined;
  const length = lengthAtStart(facts, binding);
  if (length === undefined) return undefined;
  if (!member.computed) {
    const wanted = constantOf(node.right);
    return wanted !== undefined && wanted > LONGEST_FAST ? { node, how: 'length', number: wanted, name: binding.name } : undefined;
  }
  const index = constantOf(member.property);
  if (index === undefined || !Number.isInteger(index) || index >= 2 ** 32 - 1 || index - length < WIDEST_GAP) return undefined;
  judged.add(binding);
  return isGrownElsewhere(facts, binding, node) ? undefined : { node, how: 'index', number: index, name: binding.name };
}

/** The number of elements of an array literal, if the variable only ever holds that array. */
function lengthAtStart(facts: Facts, binding: Binding): number | undefined {
  const { declaration } = binding;
  if (
    declaration.type !== 'VariableDeclarator' ||
    declaration.id !== binding.identifier ||
    !declaration.init ||
    !facts.bindings.isConstant(binding)
  )
    return undefined;
  const init = unwrap(declaration.init);
  if (init.type === 'ArrayExpression')
    return init.elements.every((element) => element?.type !== 'SpreadElement') ? init.elements.length : undefined;
  const wanted = isCall(init) && isArrayMaker(facts, init) ? init.arguments : undefined;
  if (!wanted) return undefined;
  if (wanted.length === 0) return 0;
  return wanted.length === 1 && wanted[0] ? constantOf(wanted[0]) : undefined;
}

/** Elements added before the write extend the array. Elements written after it at a changing index fill the gap. */
function isGrownElsewhere(facts: Facts, binding: Binding, write: Node): boolean {
  return facts.bindings.references(binding).some((reference) => {
    const member = parentOf(reference);
    // It may be filled through another name.
    if (!isMember(member)) return member?.type === 'VariableDeclarator' || member?.type === 'AssignmentExpression';
    if (member.object !== reference) return false;
    const above = parentOf(member);
    if (above?.type === 'AssignmentExpression' && above.left === member && above !== write)
      return !(member.computed && member.property.type === 'NumericLiteral');
    const name = memberName(member);
    return (
      isCall(above) &&
      above.callee === member &&
      (name === 'push' || name === 'unshift' || name === 'splice' || name === 'fill') &&
      (name === 'fill' || startOf(above) < startOf(write))
    );
  });
}

function ofMaker(facts: Facts, node: t.NewExpression | t.CallExpression): SparseArray | undefined {
  const [size, second] = node.arguments;
  if (!size || second || node.callee.type !== 'Identifier' || !isArrayMaker(facts, node)) return undefined;
  const wanted = constantOf(size);
  if (wanted === undefined || wanted <= LONGEST_FAST || wanted >= 2 ** 32) return undefined;
  const parent = parentOf(node);
  if (isMember(parent)) return undefined;
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') {
    const binding = facts.bindings.resolve(parent.id);
    const isFilled =
      binding &&
      facts.bindings.references(binding).some((reference) => {
        const member = parentOf(reference);
        return isMember(member) && memberName(member) === 'fill';
      });
    if (isFilled) return undefined;
  }
  return {
    node,
    how: 'length',
    number: wanted,
    name: parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' ? parent.id.name : 'the array',
  };
}

function isArrayMaker(facts: Facts, node: t.NewExpression | t.CallExpression | t.OptionalCallExpression): boolean {
  return node.callee.type === 'Identifier' && node.callee.name === 'Array' && facts.bindings.isGlobal(node.callee);
}

/** `50_000_000`, `5e7`, `64 * 1024 * 1024`, `1 << 26`, `2 ** 26` */
function constantOf(node: Node, depth = 0): number | undefined {
  const inner = unwrap(node);
  if (inner.type === 'NumericLiteral') return inner.value;
  if (inner.type !== 'BinaryExpression' || depth > DEEPEST_SUM) return undefined;
  const left = constantOf(inner.left, depth + 1);
  const right = constantOf(inner.right, depth + 1);
  return left === undefined || right === undefined ? undefined : calculated(inner.operator, left, right);
}
