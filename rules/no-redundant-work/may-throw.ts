// What may end a statement before its call is made. Without the statement, the rest of the function would run.
import { isReference } from '../../analysis/facts/identifiers.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isMember, memberName, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { exitOf } from './dropped.ts';
import type { Work } from './work.ts';

/** What every version of Node has, and CommonJS gives each file. */
const ALWAYS_THERE =
  /^(?:undefined|NaN|Infinity|Number|String|Boolean|Date|Math|JSON|Object|Array|Map|Set|RegExp|Symbol|parseInt|parseFloat|encodeURIComponent|process|Buffer|globalThis|require|module|exports|__dirname|__filename)$/;
const NEVER_THROWS = /^(?:Number|String|Boolean|parseInt|parseFloat|Date|Date\.now|Math\.\w{1,8})$/;
/** Parameters that are objects whenever a server calls the function, and their fields that are. */
const OF_REQUEST = /^(?:req|request|ctx|context)$/;
const FIELDS_OF_REQUEST = /^(?:params|query|headers)$/;

/** A name in an expression that nothing in the file declares and not every Node has: often a typo, and a ReferenceError. */
export function undeclaredIn(expression: Node, facts: Facts): string | undefined {
  let name: string | undefined;
  walkWithin(expression, (node) => {
    if (node.type === 'Identifier' && isReference(node) && !facts.bindings.resolve(node) && !ALWAYS_THERE.test(node.name))
      ({ name } = node);
    return name === undefined ? undefined : 'stop';
  });
  return name;
}

/** Why evaluating a declaration may throw, apart from the answer of its call; undefined if it cannot. */
export function whyMayThrow({ call, kind }: Work, declaration: t.VariableDeclaration, facts: Facts): string | undefined {
  const { calls, members } = chainOf(call, kind === 'made');
  const text = (node: Node): string => facts.source.slice(node);
  let why: string | undefined;
  walkWithin(call, (node) => {
    if (node.type === 'Identifier') {
      if (isReference(node) && !facts.bindings.resolve(node) && !ALWAYS_THERE.test(node.name))
        why = `\`${node.name}\` is not declared in this file, and without it the statement throws`;
    } else if (isCall(node)) {
      if (!calls.has(node) && !isList(node, facts) && !NEVER_THROWS.test(text(node.callee)))
        why = `\`${text(node.callee)}\` may throw, and what follows would no longer be skipped`;
      else if (kind === 'hash' && node.arguments.some((one) => !isText(one)))
        why = `\`${text(node.callee).split('.').at(-1)}\` throws for what is no text`;
    } else if (node.type === 'SpreadElement') {
      const { argument } = node;
      if (parentOf(node)?.type !== 'ObjectExpression' && !isList(argument, facts))
        why = `\`...${text(argument)}\` throws for what is no list`;
    } else if (isMember(node) && !members.has(node) && !isObject(node, declaration, facts))
      why = `\`${text(node)}\` throws if there is no \`${text(node.object)}\``;
    return why === undefined ? undefined : 'stop';
  });
  const callee = unwrap(call.callee);
  if (why === undefined && kind === 'made' && !(isMember(callee) && isList(callee.object, facts)))
    return `\`${text(callee)}\` throws for what is no list`;
  return why;
}

/** The calls and members of `db.collection('users').find(…).toArray()`. A list is sorted in its last call. */
function chainOf(call: Node, isLastOnly: boolean): { calls: ReadonlySet<Node>; members: ReadonlySet<Node> } {
  const calls = new Set<Node>();
  const members = new Set<Node>();
  for (let at = unwrap(call); isCall(at) || isMember(at); at = unwrap(isCall(at) ? at.callee : at.object)) {
    if (isLastOnly && members.size > 0) break;
    (isCall(at) ? calls : members).add(at);
  }
  return { calls, members };
}

const MAKES_LIST = /\.(?:map|filter|slice|concat|split|flatMap|flat|keys|values|entries|toArray)$/;

function isList(node: Node, facts: Facts): boolean {
  const value = unwrap(node);
  if (value.type === 'ArrayExpression') return true;
  // `list.slice()`
  if (isCall(value))
    return isMember(value.callee) && isList(value.callee.object, facts) && MAKES_LIST.test(facts.source.slice(value.callee));
  const binding = value.type === 'Identifier' ? facts.bindings.resolve(value) : undefined;
  const declarator = binding?.declaration;
  if (!binding || declarator?.type !== 'VariableDeclarator' || declarator.id !== binding.identifier || !declarator.init) return false;
  const init = unwrap(declarator.init);
  const made = init.type === 'AwaitExpression' ? unwrap(init.argument) : init;
  const isMade = made.type === 'ArrayExpression' || (isCall(made) && MAKES_LIST.test(facts.source.slice(made.callee)));
  return isMade && facts.bindings.isConstant(binding);
}

function isText(argument: Node): boolean {
  const { type } = unwrap(argument);
  return type === 'StringLiteral' || type === 'TemplateLiteral';
}

/** Whether what has the field is an object for certain. */
function isObject(member: t.MemberExpression | t.OptionalMemberExpression, declaration: t.VariableDeclaration, facts: Facts): boolean {
  if (member.type === 'OptionalMemberExpression') return true;
  const object = unwrap(member.object);
  if (object.type === 'ThisExpression' || isList(object, facts)) return true;
  if (isMember(object)) {
    const root = unwrap(object.object);
    if (root.type !== 'Identifier') return false;
    return OF_REQUEST.test(root.name) ? FIELDS_OF_REQUEST.test(memberName(object) ?? '') : facts.source.slice(object) === 'process.env';
  }
  if (object.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(object);
  if (!binding) return ALWAYS_THERE.test(object.name);
  if (binding.kind === 'param') return OF_REQUEST.test(object.name) || isChecked(object.name, declaration, facts);
  const made =
    binding.declaration.type === 'VariableDeclarator' && binding.declaration.id === binding.identifier
      ? binding.declaration.init
      : undefined;
  const value = made && facts.bindings.isConstant(binding) ? unwrap(made) : undefined;
  if (binding.kind === 'import' || (value && /^(?:ObjectExpression|ArrayExpression|NewExpression)$/.test(value.type))) return true;
  if (value && isCall(value) && facts.source.slice(value.callee) === 'require') return true;
  return isChecked(object.name, declaration, facts);
}

/** `if (!user) return` above it. */
function isChecked(name: string, declaration: t.VariableDeclaration, facts: Facts): boolean {
  const block = parentOf(declaration);
  if (block?.type !== 'BlockStatement') return false;
  return block.body.slice(0, block.body.indexOf(declaration)).some((one) => {
    if (one.type !== 'IfStatement' || !exitOf(one.consequent)) return false;
    const test = facts.source.slice(one.test);
    return test === `!${name}` || test.startsWith(`!${name} ||`);
  });
}
