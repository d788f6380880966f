// Handlers marked by decorators, interfaces and base classes: NestJS, routing-controllers, type-graphql, egg.
import { FRAMEWORKS } from '../../../knowledge/frameworks.ts';
import {
  CONTROLLER_DECORATOR,
  DECORATORS,
  OWN_DECORATORS,
  REQUEST_BASES,
  REQUEST_INTERFACES,
  RESOLVER_NAME,
  type DecoratorModel,
} from '../../../knowledge/handler-signatures.ts';
import {
  isClass,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type ClassNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import type { HandlerSources } from './handler.ts';
import { versionsIn } from './bases.ts';
import { importedFrom, isLocalModule } from './imports.ts';
import type { Found } from './found.ts';
import { joinPaths, propertyValue, readPaths } from './route-paths.ts';

interface DecoratorUse {
  node: t.Decorator;
  name: t.Identifier;
  /** The name of the package's export. */
  exported: string;
  model: DecoratorModel;
  argument: Node | undefined;
}

export function addControllers(sources: HandlerSources, found: Found): void {
  /** Whether a class has an operation of GraphQL. */
  const operated = new Map<ClassNode, boolean>();
  for (const decorator of sources.module.nodes('Decorator')) {
    const member = parentOf(decorator);
    if (member?.type !== 'ClassMethod' && member?.type !== 'ClassProperty') continue;
    const use = readDecorator(decorator, sources, (model) => Object.keys(model.methods)) ?? readOwnDecorator(decorator, sources);
    if (use) addMethod(member, use, sources, found, operated);
  }
  for (const type of ['ClassDeclaration', 'ClassExpression'] as const) {
    for (const node of sources.module.nodes(type)) {
      if (node.implements && node.implements.length > 0) addImplementations(node, sources, found);
      if (node.superClass) addBaseControllers(node, sources, found);
    }
  }
}

function addMethod(
  member: t.ClassMethod | t.ClassProperty,
  use: DecoratorUse,
  sources: HandlerSources,
  found: Found,
  operated: Map<ClassNode, boolean>,
): void {
  const owner = parentOf(parentOf(member) ?? member);
  if (!isClass(owner)) return;
  const controller = (owner.decorators ?? [])
    .map((decorator) => readController(decorator, use.model, sources))
    .find((candidate) => candidate !== undefined);
  if (isOwn(use.model) && !(use.model.framework === 'graphql' ? isOwnResolver(member, owner, use, sources, operated) : controller)) return;
  const verb = use.model.methods[use.exported] ?? 'ALL';
  const isHttp = verb === verb.toUpperCase() && verb !== 'WS';
  // A method decorator alone may be in a base class whose controllers are elsewhere. HTTP decorators need no controller.
  if (!controller && !isHttp && !isOwn(use.model)) return;
  if (verb === 'hook' || verb === 'job') {
    if (isFunction(member)) found.addHandler(member, verb, use.model.framework, undefined, use.node);
    return;
  }
  const route = isHttp ? httpRoute(verb, controller, use, member, sources) : otherRoute(verb, controller, use, member, sources);
  found.addSite(use.node.expression, use.name, use.model.framework, route);
  const fns: readonly FunctionNode[] = isFunction(member) ? [member] : member.value ? sources.calls.functionsOf(member.value) : [];
  const versions = isHttp ? versionsOf(member, controller, sources) : undefined;
  for (const fn of fns)
    found.addHandler(fn, verb === 'WS' ? 'socket' : 'route', use.model.framework, route, use.node, versions ? { versions } : {});
}

/** `WS message`, `query users`; `FIELD User.posts` for a field whose type is known */
function otherRoute(
  verb: string,
  controller: DecoratorUse | undefined,
  use: DecoratorUse,
  member: t.ClassMethod | t.ClassProperty,
  sources: HandlerSources,
): string {
  const [first, second] = isOwn(use.model) ? textsOf(use.node) : [];
  // `@property('User', 'posts')`
  if (first !== undefined && second !== undefined)
    return OPERATIONS.test(first) ? `${first.toLowerCase()} ${second}` : `FIELD ${first}.${second}`;
  const name = readPaths(use.argument ?? use.node, sources)?.[0] ?? staticName(member.key, member.computed) ?? '';
  const type = verb === 'field' ? (typeOfResolver(controller?.argument) ?? typeOfParent(member)) : undefined;
  return type === undefined ? `${verb} ${name}`.trim() : `FIELD ${type}.${name}`;
}

/** `@Resolver('User')`, `@Resolver(User)`, `@Resolver(() => User)` */
function typeOfResolver(argument: Node | undefined): string | undefined {
  let node = argument ? unwrap(argument) : undefined;
  if (isFunction(node)) node = unwrap(node.body);
  return node?.type === 'StringLiteral' ? node.value : node?.type === 'Identifier' ? node.name : undefined;
}

/** `posts(@Parent() user: User)` */
function typeOfParent(member: t.ClassMethod | t.ClassProperty): string | undefined {
  const parent = isFunction(member) ? parentParameter(member) : undefined;
  const annotation = parent?.type === 'Identifier' ? parent.typeAnnotation : undefined;
  const type = annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : undefined;
  return type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.name : undefined;
}

/** https://docs.nestjs.com/graphql/resolvers#graphql-argument-decorators, https://typegraphql.com/docs/resolvers.html#field-resolvers */
const PARENT_DECORATOR = /^(?:Parent|Root)$/;

/** The parameter of a resolver's method that gets the object whose field it resolves. */
export function parentParameter(fn: FunctionNode): Node | undefined {
  return fn.params.find((param: Node) => {
    const decorators = 'decorators' in param ? param.decorators : undefined;
    return decorators?.some(({ expression }: t.Decorator) => {
      const callee = expression.type === 'CallExpression' ? expression.callee : expression;
      return callee.type === 'Identifier' && PARENT_DECORATOR.test(callee.name);
    });
  });
}

/** `@Version('2')`, `@Controller({ version: '1' })` */
function versionsOf(
  member: t.ClassMethod | t.ClassProperty,
  controller: DecoratorUse | undefined,
  sources: HandlerSources,
): readonly string[] | undefined {
  const own = argumentOf(member, 'Version');
  if (own) return versionsIn(own, sources);
  const options = controller?.argument ? unwrap(controller.argument) : undefined;
  const version = options?.type === 'ObjectExpression' ? propertyValue(options, 'version') : undefined;
  return version && versionsIn(version, sources);
}

/** The first argument of a decorator of that name. */
function argumentOf(member: t.ClassMethod | t.ClassProperty, name: string): Node | undefined {
  for (const { expression } of member.decorators ?? []) {
    const call = unwrap(expression);
    if (call.type === 'CallExpression' && call.callee.type === 'Identifier' && call.callee.name === name) return call.arguments[0];
  }
  return undefined;
}

function httpRoute(
  verb: string,
  controller: DecoratorUse | undefined,
  use: DecoratorUse,
  member: t.ClassMethod | t.ClassProperty,
  sources: HandlerSources,
): string | undefined {
  const path = use.model.path === undefined ? use.argument : argumentOf(member, use.model.path);
  const own = path ? readPaths(path, sources) : [''];
  const base = controller ? controllerPath(controller, sources) : '';
  if (!own || base === undefined) return undefined;
  return `${verb} ${own.map((path) => withSlash(joinPaths(withSlash(base), path)) || '/').join(', ')}`;
}

/** `@Controller('users')`, `@Controller({ path: 'users' })` */
function controllerPath(controller: DecoratorUse, sources: HandlerSources): string | undefined {
  if (!controller.argument) return '';
  const node = unwrap(controller.argument);
  if (node.type === 'ObjectExpression') {
    const path = propertyValue(node, 'path');
    return path ? readPaths(path, sources)?.[0] : '';
  }
  return readPaths(node, sources)?.[0];
}

function readController(decorator: t.Decorator, model: DecoratorModel, sources: HandlerSources): DecoratorUse | undefined {
  if (!isOwn(model)) {
    const use = readDecorator(decorator, sources, (candidate) => candidate.controllers);
    return use?.model.framework === model.framework ? use : undefined;
  }
  const expression = unwrap(decorator.expression);
  const callee = expression.type === 'CallExpression' ? unwrap(expression.callee) : expression;
  if (callee.type !== 'Identifier' || !CONTROLLER_DECORATOR.test(callee.name)) return undefined;
  return {
    node: decorator,
    name: callee,
    exported: callee.name,
    model,
    argument: expression.type === 'CallExpression' ? expression.arguments[0] : undefined,
  };
}

function withSlash(path: string): string {
  return path === '' || path.startsWith('/') ? path : `/${path}`;
}

function readDecorator(
  node: t.Decorator,
  sources: HandlerSources,
  namesOf: (model: DecoratorModel) => readonly string[],
): DecoratorUse | undefined {
  const expression = unwrap(node.expression);
  const callee = expression.type === 'CallExpression' ? unwrap(expression.callee) : expression;
  const name = isMember(callee) ? callee.property : callee;
  if (name.type !== 'Identifier') return undefined;
  const origin = sources.origins.of(callee);
  if (origin?.root !== 'module') return undefined;
  const exported = origin.path.at(-1) ?? '';
  const model = DECORATORS.find((candidate) => candidate.packages.includes(origin.name) && namesOf(candidate).includes(exported));
  return model
    ? { node, name, exported, model, argument: expression.type === 'CallExpression' ? expression.arguments[0] : undefined }
    : undefined;
}

const isOwn = ({ packages }: DecoratorModel): boolean => packages.length === 0;

/** `@get('/users')`, `@query('users')`, with decorators of the project or of a package without a row. */
function readOwnDecorator(node: t.Decorator, { origins }: HandlerSources): DecoratorUse | undefined {
  const expression = unwrap(node.expression);
  if (expression.type !== 'CallExpression') return undefined;
  const callee = unwrap(expression.callee);
  const name = isMember(callee) ? callee.property : callee;
  const origin = name.type === 'Identifier' ? origins.of(callee) : undefined;
  if (name.type !== 'Identifier' || origin?.root !== 'module') return undefined;
  if (DECORATORS.some(({ packages }) => packages.includes(origin.name))) return undefined;
  const last = origin.path.at(-1) ?? 'default';
  const exported = (last === 'default' ? name.name : last).toLowerCase();
  const model = OWN_DECORATORS.find(({ methods }) => Object.hasOwn(methods, exported));
  const argument = expression.arguments[0];
  if (!model || (model.framework === 'decorators' && !isLocalModule(origin.name) && !isPath(argument))) return undefined;
  return { node, name, exported, model, argument };
}

function isPath(argument: Node | undefined): boolean {
  return !argument || (argument.type === 'StringLiteral' && /^(?:\/|$)/.test(argument.value));
}

const OPERATIONS = /^(?:Query|Mutation|Subscription)$/;
const GRAPHQL_NAME = /^[A-Za-z_]\w*$/;
/** Of classes whose `@Query` is one of a database. */
const STORES = /(?:repository|dao|mapper|entity|model|store|controller)$/i;

/** The texts that a decorator is called with: names. */
function textsOf({ expression }: t.Decorator): string[] {
  const call = unwrap(expression);
  return call.type === 'CallExpression' ? call.arguments.flatMap((one) => (one.type === 'StringLiteral' ? [one.value] : [])) : [];
}

/**
 * Whether an own decorator says that a method resolves something of GraphQL. `@Query('SELECT …')` is one of a database, and `@query({ … })`
 * describes parameters.
 */
function isOwnResolver(
  member: t.ClassMethod | t.ClassProperty,
  owner: ClassNode,
  use: DecoratorUse,
  sources: HandlerSources,
  operated = new Map<ClassNode, boolean>(),
): boolean {
  const call = unwrap(use.node.expression);
  if (call.type !== 'CallExpression' || member.type !== 'ClassMethod' || member.kind !== 'method') return false;
  const names = textsOf(use.node);
  if (names.length > 2 || !names.every((name) => GRAPHQL_NAME.test(name))) return false;
  // Another decorator makes it the handler of a path, and this one describes the query string.
  if ((member.decorators ?? []).some((one) => readOwnDecorator(one, sources)?.model.framework === 'decorators')) return false;
  const ownNames = [owner.id?.name ?? '', ...(owner.decorators ?? []).map((one) => decoratorName(one) ?? '')];
  if (ownNames.some((name) => STORES.test(name))) return false;
  const isResolver = ownNames.some((name) => RESOLVER_NAME.test(name));
  if (isField(use)) {
    if (isResolver) return names.length === call.arguments.length && (names.length > 0 || use.exported !== 'property');
    if (!operated.has(owner)) operated.set(owner, hasOperations(owner, sources));
    return names.length > 0 && names.length === call.arguments.length && operated.get(owner) === true;
  }
  // `@query('users')`; in a resolver also `@query()` and `@Query(() => [User])`.
  const isNamed = names.length === 1 && call.arguments[0]?.type === 'StringLiteral';
  const type = call.arguments[0] && unwrap(call.arguments[0]);
  return isResolver
    ? isNamed || !type || isFunction(type) || (type.type === 'Identifier' && /^[A-Z]/.test(type.name))
    : isNamed && [...sources.dependencies].some((name) => /graphql|apollo|mercurius/.test(name));
}

const isField = ({ model, exported }: DecoratorUse): boolean => model.methods[exported] === 'field';

function hasOperations(owner: ClassNode, sources: HandlerSources): boolean {
  return owner.body.body.some((one) => {
    const decorators = one.type === 'ClassMethod' ? one.decorators : undefined;
    return decorators?.some((decorator) => {
      const use = readOwnDecorator(decorator, sources);
      const isOperation = use?.model.framework === 'graphql' && !isField(use);
      return isOperation && isOwnResolver(one as t.ClassMethod, owner, use, sources);
    });
  });
}

function decoratorName({ expression }: t.Decorator): string | undefined {
  const node = unwrap(expression);
  const callee = node.type === 'CallExpression' ? unwrap(node.callee) : node;
  return isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
}

/** `class AuthGuard implements CanActivate` */
function addImplementations(node: ClassNode, sources: HandlerSources, found: Found): void {
  for (const implemented of node.implements ?? []) {
    const expression: Node = 'expression' in implemented ? implemented.expression : implemented.id;
    const name = expression.type === 'Identifier' ? expression.name : undefined;
    const model = REQUEST_INTERFACES.find((candidate) => name !== undefined && candidate.names.includes(name));
    // Angular has guards and pipes of the same names.
    if (!model || name === undefined || !model.packages.includes(importedFrom(name, sources.module) ?? '')) continue;
    for (const member of node.body.body) {
      if (member.type === 'ClassMethod' && staticName(member.key, member.computed) === model.method)
        found.addHandler(member, 'middleware', model.framework, undefined, member);
    }
  }
}

/** `class UserController extends Controller` of a framework whose controllers only have handlers as methods. */
function addBaseControllers(node: ClassNode, sources: HandlerSources, found: Found): void {
  const base = node.superClass ? unwrap(node.superClass) : undefined;
  if (!base) return;
  const origin = sources.origins.of(base.type === 'CallExpression' ? base.callee : base);
  const one = REQUEST_BASES.find(
    ({ packages, name }) => origin?.root === 'module' && packages.includes(origin.name) && origin.path.at(-1) === name,
  );
  if (one)
    for (const member of node.body.body)
      if (member.type === 'ClassMethod' && staticName(member.key, member.computed) === one.method)
        found.addHandler(member, one.kind, one.framework, undefined, member);
  if (base.type === 'CallExpression') return;
  const model = FRAMEWORKS.find((candidate) =>
    candidate.controllers?.some(
      (name) =>
        (origin?.root === 'module' && candidate.packages.includes(origin.name) && origin.path.at(-1) === name) ||
        (isMember(base) && memberName(base) === name && base.object.type === 'Identifier' && base.object.name === 'app'),
    ),
  );
  if (!model) return;
  for (const member of node.body.body) {
    if (member.type === 'ClassMethod' && member.kind === 'method' && !member.static && member.accessibility !== 'private')
      found.addHandler(member, 'route', model.id, undefined, member);
  }
}
