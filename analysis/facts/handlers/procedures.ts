// Procedures (tRPC, oRPC), and their names as a client calls them.
import { PROCEDURES } from '../../../knowledge/frameworks.ts';
import { isCall, isFunction, isMember, memberName, parentOf, staticName, unwrap, type CallNode, type Node } from '../../module/ast.ts';
import { mayBeFunction } from './arguments.ts';
import type { HandlerSources } from './handler.ts';
import { nameOf } from './route-paths.ts';

// `t.procedure.use(a)` under a name, which a function returns.
const MAX_STEPS = 4;

/** Whether `procedure.query(fn)` ends or extends a procedure. */
export function isProcedureCall(call: CallNode, method: string, sources: HandlerSources): boolean {
  const callee = unwrap(call.callee);
  if (!isMember(callee) || !PROCEDURES.methods.has(method)) return false;
  if (startsAtProcedure(callee.object, sources)) return true;
  const [handler] = call.arguments;
  if (!PROCEDURES.ends.has(method) || call.arguments.length !== 1 || !handler || !mayBeFunction(handler, sources)) return false;
  return (
    isInRouter(call) || (hasInput(callee.object) && PROCEDURES.packages.some((name) => sources.dependencies.has(name)) && isBuilt(callee))
  );
}

/** Whether a chain of calls starts at something called a procedure, here or where it was made. */
function startsAtProcedure(expression: Node, sources: HandlerSources, steps = 0): boolean {
  if (steps > MAX_STEPS) return false;
  for (let node = unwrap(expression); ; ) {
    if (PROCEDURES.builder.test(nameOf(node))) return true;
    if (isMember(node)) node = unwrap(node.object);
    else if (node.type === 'CallExpression') {
      const callee = unwrap(node.callee);
      if (callee.type === 'Identifier')
        return (
          PROCEDURES.builder.test(callee.name) ||
          sources.calls.functionsOf(callee).some((fn) => {
            const { body } = fn;
            const value =
              body.type === 'BlockStatement' ? body.body.find((statement) => statement.type === 'ReturnStatement')?.argument : body;
            return Boolean(value) && startsAtProcedure(value as Node, sources, steps + 1);
          })
        );
      node = callee;
    } else if (node.type === 'Identifier') {
      const { bindings } = sources;
      const binding = bindings.resolve(node);
      const declaration = binding?.declaration;
      return (
        declaration?.type === 'VariableDeclarator' &&
        declaration.id === binding?.identifier &&
        Boolean(declaration.init) &&
        !isFunction(declaration.init) &&
        startsAtProcedure(declaration.init as Node, sources, steps + 1)
      );
    } else return false;
  }
}

/** `router({ list: <call> })`, `createTRPCRouter({ files: { list: <call> } })` */
function isInRouter(call: Node): boolean {
  for (let at = call, up = parentOf(call); up; at = up, up = parentOf(up)) {
    if (isCall(up)) return up.arguments.includes(at as never) && PROCEDURES.router.test(nameOf(up.callee));
    if (up.type === 'ObjectProperty' ? up.value !== at : up.type !== 'ObjectExpression') return false;
  }
  return false;
}

/** Whether one of the calls of a chain is `input(schema)`. */
function hasInput(chain: Node): boolean {
  for (let node = unwrap(chain); isCall(node); ) {
    const callee = unwrap(node.callee);
    if (!isMember(callee)) return false;
    if (memberName(callee) === PROCEDURES.input) return node.arguments[0]?.type !== 'StringLiteral';
    node = unwrap(callee.object);
  }
  return false;
}

/** Whether the chain starts with a call or a name: `allowed('x').input(…)`, `admin.input(…)`. */
function isBuilt(chain: Node): boolean {
  let node = unwrap(chain);
  while (isMember(node) || isCall(node)) node = unwrap(isMember(node) ? node.object : node.callee);
  return node.type === 'Identifier';
}

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
