// Servers that answer until one answer ends them: a wizard before the program starts, a login that waits for its redirect. The program
// waits for them, and no other request does.
import { contains, isCall, isFunction, parentOf, type FunctionNode, type Node } from '../../module/ast.ts';
import type { Bindings } from '../bindings.ts';

/**
 * `await new Promise((resolve) => { server = createServer((req, res) => { …; resolve(code); }); })`: whether a function is such a handler.
 * `bindings` are those of its file.
 */
export function endsItsServer(fn: FunctionNode, bindings: Bindings): boolean {
  const call = parentOf(fn);
  if (!isCall(call) || call.callee === fn || !/(?:^|\.)create(?:Secure)?Server$/.test(calleeName(call.callee))) return false;
  for (let at = parentOf(call); at; at = parentOf(at)) {
    if (!isFunction(at)) continue;
    const maker = parentOf(at);
    if (maker?.type !== 'NewExpression' || maker.callee.type !== 'Identifier' || maker.callee.name !== 'Promise') return false;
    const [resolve] = at.params;
    const binding = resolve?.type === 'Identifier' ? bindings.lookUp(resolve.name, resolve) : undefined;
    return binding !== undefined && bindings.references(binding).some((reference) => contains(fn, reference));
  }
  return false;
}

function calleeName(callee: Node): string {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? `.${callee.property.name}` : '';
}
