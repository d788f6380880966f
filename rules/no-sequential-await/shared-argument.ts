// A list or an object that several reads get as it is. What one of them does to it, the others would see while they wait.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isMember, memberName, parentOf, unwrap, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Member } from './groups.ts';

/** Methods that take a statement, and its values behind it. */
const TAKES_VALUES = /^(?:query|execute|queryRow|one|oneOrNone|many|manyOrNone|any|none|result)$/;

/**
 * Its name. `db.query(text, values)` may be a function of the project that adds to the values, and Mongoose casts a filter in place. The
 * methods of one model or collection treat a filter in the same way, whichever comes first.
 */
export function sharedArgument(members: readonly Member[], facts: Facts): string | undefined {
  /** Objects whose methods get it. */
  const receivers = new Map<Binding, string>();
  for (const { read } of members) {
    const own = argumentsOf(read.call, facts);
    for (const [binding, receiver] of own) {
      const other = receivers.get(binding);
      if (other !== undefined && (receiver === '' || other !== receiver)) return binding.name;
    }
    for (const [binding, receiver] of own) receivers.set(binding, receiver);
  }
  return undefined;
}

/** Variables that a read passes on and that may be changed, with the model or collection; an empty text where it may be anything. */
function argumentsOf(read: Node, facts: Facts): Map<Binding, string> {
  const found = new Map<Binding, string>();
  walkWithin(read, (node) => {
    const call = node.type === 'Identifier' ? parentOf(node) : undefined;
    if (node.type !== 'Identifier' || !isCall(call) || call.callee === node) return;
    const binding = facts.bindings.resolve(node);
    const callee = unwrap(call.callee);
    const isOfSql = isMember(callee) && TAKES_VALUES.test(memberName(callee) ?? '');
    if (!binding || (!isLiteral(binding) && !(isOfSql && call.arguments[0] !== node)) || isOfPackage(callee, isOfSql, facts)) return;
    found.set(binding, isOfSql || !isMember(callee) ? '' : facts.source.slice(callee.object));
  });
  return found;
}

function isLiteral({ declaration }: Binding): boolean {
  const value = declaration.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  return value?.type === 'ArrayExpression' || value?.type === 'ObjectExpression';
}

/** `axios.get`, and `pool.query` with `const pool = new Pool()`, unless the method is replaced here. */
function isOfPackage(callee: Node, isOfSql: boolean, facts: Facts): boolean {
  const object = isMember(callee) ? unwrap(callee.object) : callee;
  const binding = object.type === 'Identifier' ? facts.bindings.resolve(object) : undefined;
  const declaration = binding?.declaration;
  const init = isOfSql && declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  const own = facts.origins.of(object);
  const origin = own ?? (init && isCall(init) ? facts.origins.of(init.callee) : undefined);
  if (!(own?.root === 'global' || (origin?.root === 'module' && !/^[./#~@]/.test(origin.name)))) return false;
  return !binding || !facts.bindings.references(binding).some(isReplaced);
}

/** `pool.query = …` */
function isReplaced(object: Node): boolean {
  const member = parentOf(object);
  const assigned = isMember(member) && member.object === object ? parentOf(member) : undefined;
  return assigned?.type === 'AssignmentExpression' && assigned.left === member;
}
