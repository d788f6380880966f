// How the function uses the value. Only that decides whether its kind matters to V8.
import { isMember, memberName, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Subject } from './subject.ts';

export type UseKind =
  /** Operand of `+`, `<`, …: V8 specializes for numbers or strings. */
  | 'operator'
  /** `p.x` read or written: V8 caches the location of the property by shape. */
  | 'property'
  /** `p.m()`: the shape, and then the callee. */
  | 'method'
  /** `p(…)`: V8 inlines one known target. */
  | 'call';

export interface Use {
  kind: UseKind;
  /** The operation to report. */
  node: Node;
  /** The operator or the property. */
  name: string;
  /** For binary operators: the other operand. */
  other?: Node;
}

/**
 * The uses that V8 specializes; none if the function tests the kind of its values (`typeof`, `instanceof`, …) or overwrites the parameter.
 */
export function findUses(subject: Subject, facts: Facts): Use[] {
  const { target } = subject;
  if (target.type === 'ObjectPattern') return usesOfPattern(target, target);
  const binding = facts.bindings.resolve(target);
  if (!binding || binding.identifier !== target || !facts.bindings.isConstant(binding)) return [];
  const uses: Use[] = [];
  for (const reference of facts.bindings.references(binding)) {
    if (isKindTest(reference)) return [];
    uses.push(...usesAt(reference));
  }
  return uses;
}

/** Whether the function tests the kind of the value. It is then meant to take several. */
export function testsKind({ target }: Subject, facts: Facts): boolean {
  const binding = target.type === 'Identifier' ? facts.bindings.resolve(target) : undefined;
  return binding !== undefined && facts.bindings.references(binding).some(isKindTest);
}

function usesAt(reference: t.Identifier): Use[] {
  const { node, parent } = outermost(reference);
  switch (parent?.type) {
    case 'BinaryExpression': {
      const other = parent.left === node ? parent.right : parent.left;
      return isSpecialized(parent.operator, other) ? [{ kind: 'operator', node: parent, name: parent.operator, other }] : [];
    }
    case 'AssignmentExpression':
      return parent.right === node && isSpecialized(parent.operator.slice(0, -1), parent.left)
        ? [{ kind: 'operator', node: parent, name: parent.operator, other: parent.left }]
        : [];
    case 'UnaryExpression':
      return parent.operator === '-' || parent.operator === '~' ? [{ kind: 'operator', node: parent, name: parent.operator }] : [];
    case 'VariableDeclarator':
      return parent.init === node && parent.id.type === 'ObjectPattern' ? usesOfPattern(parent.id, parent) : [];
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression':
      return parent.callee === node ? [{ kind: 'call', node: parent, name: 'call' }] : [];
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return parent.object === node ? usesOfMember(parent) : [];
    default:
      return [];
  }
}

function usesOfMember(member: t.MemberExpression | t.OptionalMemberExpression): Use[] {
  const name = memberName(member);
  // `p[i]`: other kinds of elements take 1.0–1.7 times as long on Node 18–26, which is not worth a report.
  if (name === undefined || /^\d+$/.test(name)) return [];
  const { node, parent } = outermost(member);
  if ((parent?.type === 'CallExpression' || parent?.type === 'OptionalCallExpression') && parent.callee === node) {
    // `fn.call(self, x)` calls the function itself.
    return [name === 'call' || name === 'apply' ? { kind: 'call', node: parent, name: 'call' } : { kind: 'method', node: parent, name }];
  }
  return [{ kind: 'property', node: member, name }];
}

function usesOfPattern(pattern: t.ObjectPattern, node: Node): Use[] {
  const property = pattern.properties.find((item) => item.type === 'ObjectProperty' && !item.computed);
  return property?.type === 'ObjectProperty' && property.key.type === 'Identifier'
    ? [{ kind: 'property', node, name: property.key.name }]
    : [];
}

/** `'id: ' + id` and `text += id` make a string, whatever is added. */
export function isConcatenation(use: Use, facts: Facts): boolean {
  if (use.other === undefined || !/^\+=?$/.test(use.name)) return false;
  const kinds = facts.values.valuesOf(use.other).map(({ type }) => type.kind);
  const other = unwrap(use.other);
  // `let text = ''; text += id`: for a variable that starts as a string, an unknown value is what is added to it. For a parameter, it comes
  // from another caller.
  const isVariable = other.type === 'Identifier' && facts.bindings.resolve(other)?.kind !== 'param';
  return kinds.includes('string') && kinds.every((kind) => kind === 'string' || (isVariable && kind === 'unknown'));
}

/** Whether V8 specializes the operator for its operands, given the other one. */
function isSpecialized(operator: string, other: Node): boolean {
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '**':
    case '&':
    case '|':
    case '^':
    case '<<':
    case '>>':
    case '>>>':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return true;
    case '===':
    case '!==':
    case '==':
    case '!=':
      // `kind === 'user'`, `p == null`: a comparison with one constant.
      return !isConstantOperand(unwrap(other));
    default:
      return false;
  }
}

function isConstantOperand(node: Node): boolean {
  return (
    node.type.endsWith('Literal') ||
    (node.type === 'Identifier' && node.name === 'undefined') ||
    (node.type === 'UnaryExpression' && (node.operator === 'void' || node.operator === '-'))
  );
}

/** `typeof p`, `p instanceof C`, `Array.isArray(p)`, `isString(p)`: the function is meant to take several kinds. */
function isKindTest(reference: t.Identifier): boolean {
  const { node, parent } = outermost(reference);
  switch (parent?.type) {
    case 'UnaryExpression':
      return parent.operator === 'typeof';
    case 'BinaryExpression':
      return parent.operator === 'instanceof' || parent.operator === 'in';
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return parent.object === node && memberName(parent) === 'constructor';
    case 'CallExpression':
    case 'OptionalCallExpression': {
      const callee = unwrap(parent.callee);
      const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
      return parent.callee !== node && name !== undefined && SORTING_CALL.test(name);
    }
    default:
      return false;
  }
}

const SORTING_CALL = /^_?(?:is|has)(?:[A-Z_]|$)|^(?:isNaN|isFinite|typeOf|getTag|kindOf)$/;

/** The node with the parentheses, casts and `!` around it, and their parent. */
function outermost(inner: Node): { node: Node; parent: Node | undefined } {
  let node = inner;
  let parent = parentOf(node);
  while (parent && unwrap(parent) !== parent && unwrap(parent) === unwrap(node)) {
    node = parent;
    parent = parentOf(node);
  }
  return { node, parent };
}
