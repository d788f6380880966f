// Values that an administrator sets: the same in each iteration, and few.
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isMember, memberName, unwrap, type Node, type t } from '../../analysis/module/ast.ts';

/** Environment variables and settings: an administrator wrote them, and they are the same in each iteration. */
export function isSetting(facts: Facts, expression: Node): boolean {
  const node = unwrap(expression);
  if (node.type === 'Identifier') {
    const declaration = facts.bindings.resolve(node)?.declaration;
    if (declaration?.type === 'VariableDeclarator' && declaration.init && declaration.id.type === 'Identifier') {
      const init = unwrap(declaration.init);
      return isMember(init) && isSettingMember(facts, init);
    }
    return false;
  }
  return isMember(node) && isSettingMember(facts, node);
}

/** `process.env.PUBLIC_URL`, `this.config.endpoint`. Options may come from a request, and an entry by a key varies. */
function isSettingMember(facts: Facts, node: t.MemberExpression | t.OptionalMemberExpression): boolean {
  if (isEnvironment(facts, node)) return true;
  let at: Node = node;
  for (; isMember(at); at = unwrap(at.object)) {
    const name = memberName(at);
    if (name === undefined) return false;
    if (at !== node && SETTINGS.test(name)) return true;
  }
  return at.type === 'Identifier' && SETTINGS.test(at.name);
}

const SETTINGS = /^_?(?:config|configuration|settings)$/i;

function isEnvironment(facts: Facts, node: t.MemberExpression | t.OptionalMemberExpression): boolean {
  return facts.origins.isGlobal(node.object, 'process.env');
}

/**
 * `const KEYS = loadKeys(process.env)` at the top level of the module: the keys that an administrator has set, the current one first. Most
 * of the time there is no second one. `require('./keys.json')` is a table that may have many.
 */
export function isBuiltAtLoad(facts: Facts, list: Node): boolean {
  const node = unwrap(list);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  return (
    binding?.declaration.type === 'VariableDeclarator' &&
    binding.scope.type === 'Program' &&
    binding.declaration.init?.type !== 'ArrayExpression' &&
    !isTable(binding.declaration.init) &&
    facts.bindings.isConstant(binding)
  );
}

const isTable = (init: Node | null | undefined): boolean =>
  isCall(init) && init.callee.type === 'Identifier' && init.callee.name === 'require';
