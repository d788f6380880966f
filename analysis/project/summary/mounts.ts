// Which router a call mounts, and at which path: `app.use('/api', users)`, `fastify.register(plugin, { prefix: '/v1' })`.
import {
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import { constantOf, textOf } from '../../facts/constants.ts';
import { joinPaths, propertyValue } from '../../facts/handlers/route-paths.ts';
import { evaluate, isPlain } from './expressions.ts';
import type { Flow } from './walk.ts';
import { constantText } from './route-parts.ts';
import { Op } from './format.ts';

/** Methods that return the middleware of a router: https://github.com/koajs/router/blob/master/API.md#nested-routers */
const MIDDLEWARE_OF: ReadonlySet<string> = new Set(['routes', 'middleware']);
// `new Hono().basePath('/a').basePath('/b')`
const MAX_STEPS = 4;

/** `base`: node of the application or router. `args`: nodes of the arguments. */
export function mount(flow: Flow, call: CallNode, base: number, args: readonly number[]): void {
  const [first, second] = call.arguments;
  const options = second ? unwrap(second) : undefined;
  const prefix = options?.type === 'ObjectExpression' ? propertyValue(options, 'prefix') : first;
  const own = ownPrefix(flow, unwrap(call.callee), 0);
  if (memberName(unwrap(call.callee) as t.MemberExpression) === 'register')
    for (const { path, child } of hapiPlugins(flow, call)) flow.out.op(Op.Mount, base, flow.out.text(path), child);
  const rows = rowsMounted(flow, call);
  if (rows) {
    for (const { path, child } of rows) flow.out.op(Op.Mount, base, flow.out.text(joinPaths(own, path)), child);
    return;
  }
  const children = args.filter((child) => child > 0);
  for (const argument of call.arguments) children.push(...routerOf(flow, unwrap(argument)));
  for (const path of pathsIn(flow, prefix))
    for (const child of children) flow.out.op(Op.Mount, base, flow.out.text(joinPaths(own, path)), child);
}

// Longer tables are not tables of routers.
const MOST_ROWS = 100;

/** `for (const { path, router } of TABLE) app.use(path, router)`: each row of the table has its own path and router. */
function rowsMounted(flow: Flow, { arguments: [path, router, more] }: CallNode): { path: string; child: number }[] | undefined {
  if (!path || !router || more) return undefined;
  const from = placeInRow(flow, unwrap(path));
  const to = placeInRow(flow, unwrap(router));
  if (!from || !to || from.row !== to.row) return undefined;
  const table = tableOf(flow, from.row);
  if (!table || table.elements.length === 0 || table.elements.length > MOST_ROWS) return undefined;
  const found: { path: string; child: number }[] = [];
  for (const element of table.elements) {
    const row = element ? unwrap(element) : undefined;
    const text = row && valueIn(row, from.name);
    const child = row && valueIn(row, to.name);
    const at = text && constantText(flow, text);
    const node = child && nodeAt(flow, child);
    if (at === undefined || !node) return undefined;
    found.push({ path: at, child: node });
  }
  return found;
}

/** Anything but a name was walked where it is written. */
function nodeAt(flow: Flow, value: Node): number | undefined {
  return isPlain(value) ? evaluate(flow, value) : flow.values.get(value);
}

/**
 * `server.register({ plugin: users, routes: { prefix: '/api' } })`, a list of such objects, or `server.register(users, { routes: { prefix:
 * '/api' } })`: the `register` function of the plugin gets the server.
 */
function hapiPlugins(flow: Flow, { arguments: [first, options] }: CallNode): { path: string; child: number }[] {
  const argument = first && unwrap(first);
  const items =
    argument?.type === 'ArrayExpression'
      ? argument.elements.flatMap((element) => (element ? [unwrap(element)] : []))
      : argument
        ? [argument]
        : [];
  return items.flatMap((item) => {
    const plugin = item.type === 'ObjectExpression' ? propertyValue(item, 'plugin') : item;
    const path = prefixOfRoutes(flow, item) ?? prefixOfRoutes(flow, options && unwrap(options));
    const node = plugin && path !== undefined ? nodeAt(flow, unwrap(plugin)) : undefined;
    if (!node || path === undefined) return [];
    const { out } = flow;
    const register = out.text('register');
    return [out.load(node, register), out.load(out.load(node, out.text('plugin')), register)].map((child) => ({ path, child }));
  });
}

function prefixOfRoutes(flow: Flow, options: Node | undefined): string | undefined {
  const routes = options?.type === 'ObjectExpression' ? propertyValue(options, 'routes') : undefined;
  const prefix = routes?.type === 'ObjectExpression' ? propertyValue(routes, 'prefix') : undefined;
  return prefix && constantText(flow, prefix);
}

/**
 * The parameter or loop variable that is bound to the row, and the name read from it: `row.path`, or `path` of `({ path, router }) => …`.
 */
function placeInRow(flow: Flow, node: Node): { row: Node; name: string } | undefined {
  const root = isMember(node) ? unwrap(node.object) : node;
  const binding = root.type === 'Identifier' ? flow.bindings.resolve(root) : undefined;
  if (!binding) return undefined;
  const { identifier } = binding;
  if (isMember(node)) {
    const name = memberName(node) ?? (node.property.type === 'NumericLiteral' ? String(node.property.value) : undefined);
    return name === undefined ? undefined : { row: identifier, name };
  }
  const parent = parentOf(identifier);
  if (parent?.type === 'ArrayPattern') return { row: parent, name: String(parent.elements.indexOf(identifier as t.Identifier)) };
  const pattern = parent?.type === 'ObjectProperty' ? parentOf(parent) : undefined;
  const name = parent?.type === 'ObjectProperty' ? staticName(parent.key, parent.computed) : undefined;
  return pattern?.type === 'ObjectPattern' && name !== undefined ? { row: pattern, name } : undefined;
}

/** The literal that a loop or a callback (of `forEach` and others) iterates over. */
function tableOf(flow: Flow, row: Node): t.ArrayExpression | undefined {
  const parent = parentOf(row);
  let list: Node | undefined;
  if (isFunction(parent) && parent.params[0] === row) {
    const call = parentOf(parent);
    const callee = isCall(call) && call.arguments[0] === parent ? unwrap(call.callee) : undefined;
    if (callee && isMember(callee) && /^(?:forEach|map)$/.test(memberName(callee) ?? '')) list = callee.object;
  } else if (parent?.type === 'VariableDeclarator') {
    const loop = parentOf(parentOf(parent) ?? parent);
    if (loop?.type === 'ForOfStatement' && loop.left === parentOf(parent)) list = loop.right;
  }
  const node = list && unwrap(list);
  const literal = node && (node.type === 'Identifier' ? constantOf(node, flow.bindings) : node);
  const table = literal && unwrap(literal);
  return table?.type === 'ArrayExpression' ? table : undefined;
}

function valueIn(row: Node, name: string): Node | undefined {
  if (row.type === 'ArrayExpression') {
    const element = row.elements[Number(name)];
    return element ? unwrap(element) : undefined;
  }
  return row.type === 'ObjectExpression' ? propertyValue(row, name) : undefined;
}

function pathsIn(flow: Flow, prefix: Node | undefined): string[] {
  const node = prefix && unwrap(prefix);
  if (node?.type === 'ArrayExpression') {
    const paths = node.elements.flatMap((element) => (element ? (constantText(flow, element) ?? []) : []));
    return paths.length > 0 ? paths : [''];
  }
  return [(node && constantText(flow, node)) ?? ''];
}

/** `users.routes()` */
function routerOf(flow: Flow, argument: Node): number[] {
  const callee = isCall(argument) && argument.arguments.length === 0 ? unwrap(argument.callee) : undefined;
  if (!callee || !isMember(callee) || !MIDDLEWARE_OF.has(memberName(callee) ?? '')) return [];
  const router = unwrap(callee.object);
  return router.type === 'Identifier' ? [evaluate(flow, router)].filter((node) => node !== 0) : [];
}

/** The prefix that a router itself sets for all its paths: `new Router({ prefix: '/api' })`, `new Hono().basePath('/api')`. */
function ownPrefix(flow: Flow, callee: Node, steps: number): string {
  const object = isMember(callee) ? unwrap(callee.object) : undefined;
  const made = object && (object.type === 'Identifier' ? constantOf(object, flow.bindings) : object);
  return made && steps < MAX_STEPS ? prefixOfMaker(flow, unwrap(made), steps) : '';
}

function prefixOfMaker(flow: Flow, made: Node, steps: number): string {
  if (!isCall(made)) return '';
  const callee = unwrap(made.callee);
  const [first] = made.arguments;
  const before = isMember(callee) ? ownPrefix(flow, callee, steps + 1) : '';
  if (isMember(callee) && memberName(callee) === 'basePath' && first) return joinPaths(before, textOf(first, flow.bindings) ?? '');
  // What it gives is the application itself, and its prefix is that of the plugin.
  if (isMember(callee) && memberName(callee) === 'register') return before;
  const options = made.arguments
    .map((argument) => unwrap(argument))
    .find((argument): argument is t.ObjectExpression => argument.type === 'ObjectExpression');
  const prefix = options && propertyValue(options, 'prefix');
  return joinPaths(before, (prefix && textOf(prefix, flow.bindings)) ?? '');
}
