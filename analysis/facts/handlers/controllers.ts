// Handlers marked by decorators, interfaces and base classes: NestJS, routing-controllers, type-graphql, egg.
import { FRAMEWORKS } from '../../../knowledge/frameworks.ts';
import {
  CONTROLLER_DECORATOR,
  DECORATORS,
  REQUEST_BASES,
  REQUEST_INTERFACES,
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

const OWN_DECORATORS = DECORATORS.find((model) => model.packages.length === 0) as DecoratorModel;

interface DecoratorUse {
  node: t.Decorator;
  name: t.Identifier;
  /** The name of the package's export. */
  exported: string;
  model: DecoratorModel;
  argument: Node | undefined;
}

export function addControllers(sources: HandlerSources, found: Found): void {
  for (const decorator of sources.module.nodes('Decorator')) {
    const member = parentOf(decorator);
    if (member?.type !== 'ClassMethod' && member?.type !== 'ClassProperty') continue;
    const use = readDecorator(decorator, sources, (model) => Object.keys(model.methods));
    if (use) addMethod(member, use, sources, found);
  }
  for (const type of ['ClassDeclaration', 'ClassExpression'] as const) {
    for (const node of sources.module.nodes(type)) {
      if (node.implements && node.implements.length > 0) addImplementations(node, sources, found);
      if (node.superClass) addBaseControllers(node, sources, found);
    }
  }
}

function addMethod(member: t.ClassMethod | t.ClassProperty, use: DecoratorUse, sources: HandlerSources, found: Found): void {
  const owner = parentOf(parentOf(member) ?? member);
  if (!isClass(owner)) return;
  const controller = (owner.decorators ?? [])
    .map((decorator) => readController(decorator, use.model, sources))
    .find((candidate) => candidate !== undefined);
  if (!controller && use.model === OWN_DECORATORS) return;
  const verb = use.model.methods[use.exported] ?? 'ALL';
  const isHttp = verb === verb.toUpperCase() && verb !== 'WS';
  // A method decorator alone may be in a base class whose controllers are elsewhere. HTTP decorators need no controller.
  if (!controller && !isHttp) return;
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
  if (model !== OWN_DECORATORS) {
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
  const model =
    DECORATORS.find((candidate) => candidate.packages.includes(origin.name) && namesOf(candidate).includes(exported)) ??
    (isLocalModule(origin.name) && namesOf(OWN_DECORATORS).includes(exported) ? OWN_DECORATORS : undefined);
  return model
    ? { node, name, exported, model, argument: expression.type === 'CallExpression' ? expression.arguments[0] : undefined }
    : undefined;
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
