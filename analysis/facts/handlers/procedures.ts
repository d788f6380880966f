// Names of procedures (tRPC, oRPC), as a client calls them.
import { isCall, parentOf, staticName, type Node } from '../../module/ast.ts';

/**
 * `RPC users.list` for `router({ users: router({ list: procedure.query(fn) }) })`, as far as one expression shows it: a router that is a
 * variable may be mounted under any name. `RPC list` for `export const list = procedure.query(fn)`.
 */
export function procedureName(call: Node): string | undefined {
  const names: string[] = [];
  for (let at = call, up = parentOf(call); up; at = up, up = parentOf(up)) {
    switch (up.type) {
      case 'ObjectProperty': {
        const name = up.value === at ? staticName(up.key, up.computed) : undefined;
        if (name === undefined) return undefined;
        names.unshift(name);
        break;
      }
      case 'VariableDeclarator':
        if (names.length === 0 && up.id.type === 'Identifier') names.push(up.id.name);
        return names.length > 0 ? `RPC ${names.join('.')}` : undefined;
      case 'ObjectExpression':
      case 'MemberExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        break;
      default:
        // `router({ … })`, and what is called on the procedure afterwards
        if (!isCall(up)) return names.length > 0 ? `RPC ${names.join('.')}` : undefined;
    }
  }
  return undefined;
}
