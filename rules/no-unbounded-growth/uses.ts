// What the uses of a container say: whether entries are taken out of it, whether its size is limited, and who else may do so.
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type CallNode, type Node, type t } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

/**
 * `reads`: and adding, too. `removes`: entries go again. `limits`: the size is compared with something. `escapes`: other code gets the
 * container, and may do any of these.
 */
export type Use = 'reads' | 'removes' | 'limits' | 'escapes';

export const ADDS: ReadonlySet<string> = new Set(['set', 'add', 'push', 'unshift']);
const REMOVES: ReadonlySet<string> = new Set(['delete', 'clear', 'splice', 'shift', 'pop']);
const READS: ReadonlySet<string> = new Set(
  'get has forEach keys values entries find findIndex findLast findLastIndex filter map flatMap flat some every includes indexOf lastIndexOf join reduce reduceRight slice concat at toString sort reverse toSorted toReversed hasOwnProperty'.split(
    ' ',
  ),
);
/** Functions that only read their arguments, and what sends or logs them. */
const READERS =
  /^(?:Object\.(?:keys|values|entries|fromEntries|hasOwn)|JSON\.stringify|Array\.(?:from|isArray)|Set|Map|String|console\.\w+|Math\.(?:max|min)|structuredClone)$/;
const SENDS = /^(?:json|send|end|write|render|emit|log|info|debug|warn|error|code|status|jsonp|view|response)$/;

// The longest chain of aliases and parameters to follow.
const MAX_STEPS = 4;

/** The strongest of what all uses say: `removes` and `limits` before `escapes` before `reads`. */
export function whatBecomesOf(uses: readonly Node[], facts: Facts): Use {
  // A list that is filled at a thousand places has a thousand uses, and all of these places ask.
  let known = ANSWERS.get(uses);
  if (!known) ANSWERS.set(uses, (known = uses.length > MOST_USES ? 'escapes' : strongest(uses, facts, 0, new Set())));
  return known;
}

const ANSWERS = new WeakMap<readonly Node[], Use>();
const NEVER_READ = new WeakMap<readonly Node[], boolean>();
/** Generated code has more. */
const MOST_USES = 500;

/** Whether a name or a text within the code is one of these words; `throw` is one, too. */
export function mentions(code: Node, words: RegExp): boolean {
  let does = false;
  walkWithin(code, (node) => {
    const word =
      node.type === 'Identifier' ? node.name : node.type === 'StringLiteral' ? node.value : node.type === 'ThrowStatement' ? 'throw' : '';
    does ||= words.test(word);
    return does ? 'stop' : undefined;
  });
  return does;
}

/** Whether the code only adds, and at most asks whether a key is there. */
export function isNeverRead(uses: readonly Node[]): boolean {
  let known = NEVER_READ.get(uses);
  if (known === undefined) NEVER_READ.set(uses, (known = uses.every(isOnlyAdded)));
  return known;
}

function isOnlyAdded(use: Node): boolean {
  const member = parentOf(use);
  if (!isMember(member) || member.object !== use) return false;
  const outer = parentOf(member);
  if (outer?.type === 'AssignmentExpression') return outer.left === member && parentOf(outer)?.type === 'ExpressionStatement';
  const isCalled = isCall(outer) && outer.callee === member;
  const name = memberName(member);
  if (isCalled && ADDS.has(name ?? '')) return parentOf(outer)?.type === 'ExpressionStatement';
  const read = isCalled && name === 'has' ? outer : member.computed ? member : undefined;
  const test = read && parentOf(read);
  return test !== undefined && (('test' in test && test.test === read) || (test.type === 'UnaryExpression' && test.operator === '!'));
}

function useOf(use: Node, facts: Facts, steps: number, seen: Set<Node>): Use {
  if (seen.has(use)) return 'reads';
  seen.add(use);
  const parent = parentOf(use);
  if (!parent || steps > MAX_STEPS) return 'escapes';
  const next = (node: Node): Use => useOf(node, facts, steps, seen);
  if (isMember(parent)) return parent.object === use ? useOfMember(parent, facts) : 'reads';
  if (unwrap(parent) !== parent) return next(parent);
  switch (parent.type) {
    case 'AssignmentExpression':
      return parent.left === use ? (parent.operator === '=' ? 'removes' : 'reads') : 'escapes';
    case 'VariableDeclarator':
      return useOfAlias(parent, facts, steps, seen);
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression':
      return useOfArgument(use, parent, facts, steps, seen);
    case 'BinaryExpression':
    case 'UnaryExpression':
    case 'TemplateLiteral':
    case 'ExpressionStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'IfStatement':
    case 'WhileStatement':
      return 'reads';
    case 'SpreadElement':
      return 'reads';
    case 'ConditionalExpression':
      return parent.test === use ? 'reads' : next(parent);
    case 'LogicalExpression':
      return next(parent);
    case 'ObjectProperty': {
      const literal = parentOf(parent);
      return literal?.type === 'ObjectExpression' && parent.value === use ? next(literal) : 'escapes';
    }
    case 'ArrayExpression':
      return next(parent);
    case 'ReturnStatement':
    case 'ArrowFunctionExpression':
      return isAnswer(parent, facts) ? 'reads' : 'escapes';
    default:
      return 'escapes';
  }
}

/** Frameworks send what a handler returns. */
function isAnswer(at: Node, facts: Facts): boolean {
  let fn: Node | undefined = at;
  while (fn && !isFunction(fn)) fn = parentOf(fn);
  return facts.handlersOf(fn).some(({ kind }) => kind !== 'signature');
}

function useOfMember(member: t.MemberExpression | t.OptionalMemberExpression, facts: Facts): Use {
  const name = memberName(member);
  let outer = parentOf(member);
  let inner: Node = member;
  while (outer && unwrap(outer) !== outer) {
    inner = outer;
    outer = parentOf(outer);
  }
  if (outer?.type === 'UnaryExpression' && outer.operator === 'delete') return 'removes';
  if (outer?.type === 'AssignmentExpression' && outer.left === inner) {
    if (name === 'length') return 'removes';
    const value = unwrap(outer.right);
    const isNothing = value.type === 'NullLiteral' || (value.type === 'Identifier' && value.name === 'undefined');
    return isNothing ? 'removes' : 'reads';
  }
  if (name === 'size' || name === 'length') return isLimit(inner, facts) ? 'limits' : 'reads';
  if (isCall(outer) && outer.callee === inner && name !== undefined) {
    if (REMOVES.has(name)) return 'removes';
    return READS.has(name) || ADDS.has(name) ? 'reads' : 'escapes';
  }
  return 'reads';
}

function isReader(call: CallNode, facts: Facts): boolean {
  const callee = unwrap(call.callee);
  if (isMember(callee) && SENDS.test(memberName(callee) ?? '')) return true;
  const origin = facts.origins.of(callee);
  return origin?.root === 'global' && READERS.test([origin.name, ...origin.path].join('.'));
}

/** `map.size > MOST`, but not `list.length > 0` and `i < list.length`. */
function isLimit(size: Node, facts: Facts): boolean {
  let parent = parentOf(size);
  if (parent?.type === 'VariableDeclarator' || parent?.type === 'AssignmentExpression') return !isLoopHead(parent);
  if (parent?.type === 'BinaryExpression' && /^[-+*/]$/.test(parent.operator) && parentOf(parent)?.type === 'BinaryExpression')
    parent = parentOf(parent);
  if (isCall(parent)) return !isReader(parent, facts);
  if (parent?.type !== 'BinaryExpression' || !/^(?:[<>]=?|[!=]==?|%)$/.test(parent.operator)) return false;
  const other = unwrap(parent.left === size ? parent.right : parent.left);
  if (other.type === 'NumericLiteral' && other.value <= 1) return false;
  return !isLoopHead(parent) || facts.source.slice(parent).includes('MAX');
}

function isLoopHead(node: Node): boolean {
  const loop = parentOf(node);
  return loop?.type === 'ForStatement' || (loop?.type === 'VariableDeclaration' && parentOf(loop)?.type === 'ForStatement');
}

function useOfAlias(declarator: t.VariableDeclarator, facts: Facts, steps: number, seen: Set<Node>): Use {
  // `const { length } = list`
  if (declarator.id.type !== 'Identifier') return 'escapes';
  const binding = facts.bindings.resolve(declarator.id);
  return binding ? strongest(facts.bindings.references(binding), facts, steps + 1, seen) : 'escapes';
}

function strongest(uses: readonly Node[], facts: Facts, steps: number, seen: Set<Node>): Use {
  let found: Use = 'reads';
  for (const use of uses) {
    const one = useOf(use, facts, steps, seen);
    if (one === 'removes' || one === 'limits') return one;
    if (one === 'escapes') found = one;
  }
  return found;
}

function useOfArgument(use: Node, call: CallNode, facts: Facts, steps: number, seen: Set<Node>): Use {
  if (call.callee === use) return 'escapes';
  const callee = unwrap(call.callee);
  const origin = facts.origins.of(callee);
  if (origin?.root === 'global') {
    const name = [origin.name, ...origin.path].join('.');
    if (name === 'Object.assign') return call.arguments[0] === use ? 'reads' : 'escapes';
    if (READERS.test(name)) return useOfCopy(call, facts);
  }
  if (isMember(callee) && SENDS.test(memberName(callee) ?? '')) return 'reads';
  const targets = facts.calls.functionsOf(callee);
  const index = (call.arguments as readonly Node[]).indexOf(use);
  if (targets.length === 0 || index < 0) return 'escapes';
  let found: Use = 'reads';
  for (const target of targets) {
    const param = target.params[index];
    const binding = param?.type === 'Identifier' ? facts.bindings.resolve(param) : undefined;
    const one = binding ? strongest(facts.bindings.references(binding), facts, steps + 1, seen) : 'escapes';
    if (one === 'removes' || one === 'limits') return one;
    if (one === 'escapes') found = one;
  }
  return found;
}

/** `Object.keys(cache).length > MOST` */
function useOfCopy(call: CallNode, facts: Facts): Use {
  const member = parentOf(call);
  return isMember(member) && member.object === call && memberName(member) === 'length' && isLimit(member, facts) ? 'limits' : 'reads';
}
