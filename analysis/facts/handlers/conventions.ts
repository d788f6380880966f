// Handlers that a file-based router or a platform finds by the path of the file and the name of the export.
import {
  FILE_CONVENTIONS,
  ROUTE_TABLES,
  SERVERLESS_EVENT,
  SERVERLESS_HANDLERS,
  type FileConvention,
} from '../../../knowledge/handler-signatures.ts';
import { isClass, parentOf, staticName, unwrap, type FunctionNode, type Node, type t } from '../../module/ast.ts';
import type { HandlerSources } from './handler.ts';
import type { Found } from './found.ts';
import { qualifierOf, typeNameOf } from './imports.ts';
import { baseOfChain, type ModuleExports } from './module-exports.ts';
import { nameOf, propertyValue } from './route-paths.ts';
import { numberOf, textOf } from '../constants.ts';
import { asksForRequest } from '../outside/request-data.ts';
import { parameterName } from './signatures.ts';

export function addConventions(sources: HandlerSources, exported: ModuleExports, found: Found): void {
  const file = sources.file.replaceAll('\\', '/');
  const conventions = FILE_CONVENTIONS.filter(
    ({ file: pattern, dependencies }) =>
      pattern.test(file) && (!dependencies || dependencies.some((name) => sources.dependencies.has(name))),
  );
  if (conventions.length > 0) {
    for (const { name, value } of exported.values) {
      const convention = conventions.find((candidate) => candidate.exports.includes(name));
      if (!convention) continue;
      if (convention.taker) {
        // The call that takes the handler has already been found.
        for (const fn of functionsOf(convention, value, sources)) found.setRoute(fn, routeOf(convention, file, name) ?? '');
        continue;
      }
      for (const fn of functionsOf(convention, value, sources)) {
        if (convention.framework === 'aws-lambda' && !takesEvent(fn, name, exported)) continue;
        const interval = name === 'GET' && convention.framework === 'next' ? intervalOf(fn, exported, file, sources) : undefined;
        if (interval === Infinity) found.leaveOut(fn);
        else
          found.addHandler(fn, convention.kind ?? 'exported', convention.framework, routeOf(convention, file, name), fn, {
            ...(interval === undefined ? {} : { interval }),
          });
      }
    }
  }
  addServerless(sources, exported, found);
  addRouteTables(file, sources, exported, found);
  addServerActions(sources, exported, found);
}

/** With one of these, all methods of a route file are dynamic: `hasNonStaticMethods` in Next.js' app-route/module.ts. */
const DYNAMIC_METHODS = /^(?:POST|PUT|DELETE|PATCH|OPTIONS)$/;
/** What asks for data of the request, or may do so in a package. */
const MAY_ASK_FOR_REQUEST = /cookies|[sS]ession|[aA]uth|currentUser/;

/**
 * The seconds between two runs of a `GET` of a route file; undefined where requests run it. `Infinity` where only the build does, and 0
 * where that holds if nothing that the file loads asks for data of the request (see outside/request-data.ts).
 * https://nextjs.org/docs/app/api-reference/file-conventions/route-segment-config, `isStaticGenEnabled` in its app-route/helpers
 */
function intervalOf(fn: FunctionNode, { values }: ModuleExports, file: string, sources: HandlerSources): number | undefined {
  const { bindings, text } = sources;
  // For paths that the build does not know, it runs once for each of them.
  if (file.includes('[') || values.some(({ name }) => DYNAMIC_METHODS.test(name))) return undefined;
  const find = (wanted: string): Node | undefined => values.find(({ name }) => name === wanted)?.value;
  const dynamic = find('dynamic');
  const mode = dynamic && textOf(dynamic, bindings);
  const isForced = mode === 'force-static' || mode === 'error';
  if (dynamic && !isForced && mode !== 'auto') return undefined;
  const revalidate = find('revalidate');
  const value = revalidate && unwrap(revalidate);
  const isNever = value?.type === 'BooleanLiteral' && !value.value;
  // With 0, and with what nobody can tell, each request runs it.
  const seconds = isNever ? Infinity : numberOf(value, bindings) || undefined;
  if (isForced) return value ? seconds : Infinity;
  const isUsed = (param: Node): boolean => {
    const binding = param.type === 'Identifier' ? bindings.resolve(param) : undefined;
    return !binding || bindings.references(binding).length > 0;
  };
  if (fn.params.some(isUsed) || /\barguments\b/.test(text) || asksForRequest(text) || MAY_ASK_FOR_REQUEST.test(text)) return undefined;
  return seconds === Infinity ? 0 : seconds;
}

/** `export const main: APIGatewayProxyHandler = async () => …`, `export const main = middyfy(list)` */
function addServerless(sources: HandlerSources, exported: ModuleExports, found: Found): void {
  const types = new Set(
    sources.module
      .nodes('ImportDeclaration')
      .filter(({ source }) => SERVERLESS_HANDLERS.packages.includes(source.value))
      .flatMap(({ specifiers }) =>
        specifiers
          .filter((one) => one.type !== 'ImportSpecifier' || SERVERLESS_HANDLERS.types.test(nameOf(one.imported)))
          .map(({ local }) => local.name),
      ),
  );
  for (const { value } of exported.values) {
    const declarator = parentOf(value);
    const annotation =
      declarator?.type === 'VariableDeclarator' && declarator.id.type === 'Identifier' ? declarator.id.typeAnnotation : null;
    const type = qualifierOf(annotation) ?? typeNameOf(annotation);
    const call = unwrap(value);
    const isWrapped = call.type === 'CallExpression' && SERVERLESS_HANDLERS.wrappers.test(nameOf(call.callee));
    if (!isWrapped && !(type !== undefined && types.has(type))) continue;
    const handler = isWrapped ? call.arguments[0] : value;
    for (const fn of handler ? sources.calls.functionsOf(baseOfChain(handler)) : [])
      if (!found.has(fn)) found.addHandler(fn, 'invocation', 'aws-lambda', undefined, fn);
  }
}

/** `apiRoutes(self) { return { post: { upload: [check, async (req) => …] } }; }` */
function addRouteTables(file: string, { calls }: HandlerSources, exported: ModuleExports, found: Found): void {
  const module = ROUTE_TABLES.module.exec(file)?.[1];
  if (module === undefined) return;
  for (const { name, value } of exported.values) {
    if (!ROUTE_TABLES.exports.has(name)) continue;
    for (const fn of calls.functionsOf(value)) {
      const body =
        fn.body.type === 'BlockStatement' ? fn.body.body.find((statement) => statement.type === 'ReturnStatement')?.argument : fn.body;
      const table = body ? unwrap(body) : undefined;
      if (parameterName(fn.params[0]) !== ROUTE_TABLES.parameter || table?.type !== 'ObjectExpression') continue;
      for (const [verb, rows] of membersOf(table)) {
        const own = unwrap(rows);
        const handlers: readonly (readonly [string, Node])[] = own.type === 'ObjectExpression' ? membersOf(own) : [['', rows]];
        for (const [path, handler] of handlers) {
          const list = unwrap(handler);
          const route =
            own.type === 'ObjectExpression'
              ? `${verb.toUpperCase()} ${path.startsWith('/') ? path : `/api/v1/${module}/${path}`}`
              : undefined;
          for (const one of list.type === 'ArrayExpression' ? list.elements : [handler])
            if (one) for (const target of calls.functionsOf(one)) found.addHandler(target, 'route', ROUTE_TABLES.framework, route, target);
        }
      }
    }
  }
}

function membersOf({ properties }: t.ObjectExpression): [string, Node][] {
  return properties.flatMap((property): [string, Node][] => {
    const name = property.type === 'SpreadElement' ? undefined : staticName(property.key, property.computed);
    return property.type === 'SpreadElement' || name === undefined
      ? []
      : [[name, property.type === 'ObjectMethod' ? property : property.value]];
  });
}

function functionsOf({ table, methods, taker }: FileConvention, value: Node, { calls, holders }: HandlerSources): readonly FunctionNode[] {
  if (taker) {
    const call = unwrap(value);
    return call.type === 'CallExpression' && taker.test(nameOf(call.callee)) && call.arguments[0]
      ? calls.functionsOf(call.arguments[0])
      : [];
  }
  if (methods) {
    return holders
      .of(value)
      .flatMap((holder) => ('type' in holder && isClass(holder) ? holder.body.body : []))
      .filter(
        (member): member is t.ClassMethod =>
          member.type === 'ClassMethod' &&
          member.kind === 'method' &&
          !member.static &&
          member.accessibility !== 'private' &&
          methods.test(staticName(member.key, member.computed) ?? ''),
      );
  }
  if (!table) return calls.functionsOf(baseOfChain(value));
  return holders.valuesOf(value, undefined).flatMap((member) => {
    const node = unwrap(member);
    const handler = node.type === 'ObjectExpression' ? propertyValue(node, 'handler') : undefined;
    return [...calls.functionsOf(handler ?? member)];
  });
}

/** Any module may export a `handler`, for example the commands of a command-line program. That of a platform takes an event or nothing. */
function takesEvent(fn: FunctionNode, exportedName: string, exported: ModuleExports): boolean {
  const [first, second] = fn.params;
  if (!first)
    return (
      Boolean(fn.async) &&
      /handler$/i.test(exportedName) &&
      !exported.values.some(({ name }) => name === 'command' || name === 'builder' || name === 'describe')
    );
  if (first.type === 'ObjectPattern')
    return first.properties.some(
      (property) =>
        property.type === 'ObjectProperty' && property.key.type === 'Identifier' && SERVERLESS_EVENT.reads?.includes(property.key.name),
    );
  const name = parameterName(first) ?? '';
  return (
    SERVERLESS_EVENT.names.includes(name) ||
    (SERVERLESS_EVENT.shortNames.includes(name) && SERVERLESS_EVENT.second.includes(parameterName(second) ?? ''))
  );
}

/** The route of a file whose default export a framework calls. */
export function routeOfFile(framework: string, file: string): string | undefined {
  const path = file.replaceAll('\\', '/');
  const convention = FILE_CONVENTIONS.find((one) => one.framework === framework && one.exports.includes('default') && one.file.test(path));
  return convention && routeOf(convention, path, 'default');
}

function routeOf(convention: FileConvention, file: string, name: string): string | undefined {
  const path = convention.route?.exec(file)?.[1];
  if (path === undefined) return undefined;
  if (convention.flatMethods) return `${convention.flatMethods[name] ?? 'ALL'} ${flatRoute(path)}`;
  // `(group)` folders are not part of the URL. `[id]` is a parameter.
  const route =
    path
      .replace(/\/\([^()]*\)/g, '')
      .replace(/\[\[?\.{3}(\w+)\]?\]/g, '*')
      .replace(/\[(\w+)\]/g, ':$1')
      .replace(/\/$/, '') || '/';
  const method = convention.method?.exec(file)?.[1];
  if (method !== undefined) return `${method.toUpperCase()} ${route}`;
  return convention.nameIsMethod && name === name.toUpperCase() ? `${name} ${route}` : route;
}

/**
 * `/users/:id` for `users.$id`, `users_.$id` and `_app.users.$id/route`: https://reactrouter.com/how-to/file-route-conventions
 */
function flatRoute(path: string): string {
  // A dot in brackets is no slash: `sitemap[.]xml`.
  const segments = path
    .replace(/\[([^[\]]*)\]/g, (_, text: string) => text.replaceAll('.', ESCAPED_DOT))
    .replace(/\/(?:route|index)$/, '')
    .split(/[./]/)
    .filter((segment) => segment !== '' && !segment.startsWith('_') && segment !== 'index')
    .map((segment) =>
      segment === '$'
        ? '*'
        : segment
            .replace(/^\(|\)$/g, '')
            .replace(/^\$/, ':')
            .replace(/_$/, ''),
    );
  return `/${segments.join('/').replaceAll(ESCAPED_DOT, '.')}`;
}

const ESCAPED_DOT = '\0';

/** `'use server'` at the top of a file or a function: https://react.dev/reference/rsc/use-server */
function addServerActions(sources: HandlerSources, exported: ModuleExports, found: Found): void {
  for (const directive of sources.module.nodes('Directive')) {
    if (directive.value.value !== 'use server') continue;
    if (sources.module.program.directives.includes(directive)) {
      for (const [fn] of exported.functions) if (fn.async) found.addHandler(fn, 'exported', 'react-server', undefined, fn);
      continue;
    }
    for (const type of ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'] as const) {
      for (const fn of sources.module.nodes(type))
        if (fn.body.type === 'BlockStatement' && fn.body.directives.includes(directive))
          found.addHandler(fn, 'exported', 'react-server', undefined, fn);
    }
  }
}
