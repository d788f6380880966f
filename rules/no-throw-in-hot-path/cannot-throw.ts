// Values for which a probe cannot throw: URLs and JSON that the program has made itself.
import { isCall, isMember, memberName, unwrap, type Node } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';

/** `other.href`, `pathToFileURL(file)`, a constant: this is a URL whenever the code runs. */
export function isValidUrl(facts: Facts, argument: Node): boolean {
  const node = valueOf(facts, argument);
  // A link's `href` may be anything, a URL's may not.
  if (isMember(node)) {
    const url = /^(?:href|origin)$/.test(memberName(node) ?? '') ? valueOf(facts, node.object) : undefined;
    return url !== undefined && isCall(url) && isUrl(facts, url.callee);
  }
  if (isCall(node)) return isUrl(facts, node.callee) || facts.origins.moduleMember(node.callee)?.path[0] === 'pathToFileURL';
  return node.type === 'StringLiteral' || node.type === 'MetaProperty';
}

/** The value of a constant, or the expression itself. */
function valueOf(facts: Facts, expression: Node): Node {
  const node = unwrap(expression);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  return binding?.declaration.type === 'VariableDeclarator' &&
    binding.declaration.id === binding.identifier &&
    binding.declaration.init &&
    facts.bindings.isConstant(binding)
    ? unwrap(binding.declaration.init)
    : node;
}

/** `JSON.parse(JSON.stringify(row))` copies what is JSON already. */
export function isWrittenJson(facts: Facts, argument: Node): boolean {
  const node = valueOf(facts, argument);
  return isCall(node) && facts.origins.isGlobal(node.callee, 'JSON.stringify');
}

/** Node's URL, global or imported. */
export function isUrl(facts: Facts, callee: Node): boolean {
  const named = unwrap(callee);
  if (!(named.type === 'Identifier' || (isMember(named) && memberName(named) === 'URL'))) return false;
  const origin = facts.origins.of(callee);
  if (!origin) return false;
  const full = [origin.name, ...origin.path].join('.');
  return origin.root === 'global' ? full === 'URL' : full === 'url.URL';
}
