// Which router a call mounts at which path: `app.use('/api', users)`, `fastify.register(plugin, { prefix: '/v1' })`.
import { isCall, isMember, memberName, unwrap, type CallNode, type Node, type t } from '../ast.ts';
import { constantOf, textOf } from '../facts/constants.ts';
import { joinPaths, propertyValue } from '../facts/handlers/route-paths.ts';
import { evaluate } from './expressions.ts';
import type { Flow } from './flow.ts';
import { constantText } from './route-parts.ts';
import { Op } from './summary.ts';

/** What gives a router's middleware: https://github.com/koajs/router/blob/master/API.md#nested-routers */
const MIDDLEWARE_OF: ReadonlySet<string> = new Set(['routes', 'middleware']);
// `new Hono().basePath('/a').basePath('/b')`
const MAX_STEPS = 4;

/** `base`: node of what is mounted on; `args`: nodes of the arguments. */
export function mount(flow: Flow, call: CallNode, base: number, args: readonly number[]): void {
  const [first, second] = call.arguments;
  const options = second ? unwrap(second) : undefined;
  const prefix = options?.type === 'ObjectExpression' ? propertyValue(options, 'prefix') : first;
  const own = ownPrefix(flow, unwrap(call.callee), 0);
  const children = args.filter((child) => child > 0);
  for (const argument of call.arguments) children.push(...routerBehind(flow, unwrap(argument)));
  for (const path of pathsIn(flow, prefix)) for (const child of children) flow.out.op(Op.Mount, base, flow.out.text(joinPaths(own, path)), child);
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
function routerBehind(flow: Flow, argument: Node): number[] {
  const callee = isCall(argument) && argument.arguments.length === 0 ? unwrap(argument.callee) : undefined;
  if (!callee || !isMember(callee) || !MIDDLEWARE_OF.has(memberName(callee) ?? '')) return [];
  const router = unwrap(callee.object);
  return router.type === 'Identifier' ? [evaluate(flow, router)].filter((node) => node !== 0) : [];
}

/** What a router says itself that all its paths begin with: `new Router({ prefix: '/api' })`, `new Hono().basePath('/api')`. */
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
  const options = made.arguments.map((argument) => unwrap(argument)).find((argument): argument is t.ObjectExpression => argument.type === 'ObjectExpression');
  const prefix = options && propertyValue(options, 'prefix');
  return joinPaths(before, (prefix && textOf(prefix, flow.bindings)) ?? '');
}
