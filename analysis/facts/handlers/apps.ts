// Whether an expression can register handlers: it is the application or router of a framework, certainly neither, or unknown.
import {
  APP_NAME,
  CLIENT_PACKAGES,
  COMMON_VERBS,
  FRAMEWORKS,
  LIKELY_APP_NAME,
  PLUGIN_PARAMETERS,
  type FrameworkModel,
} from '../../../knowledge/frameworks.ts';
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type FunctionNode, type Node, type t } from '../../module/ast.ts';
import { walkWithin } from '../../module/module-index.ts';
import type { Binding } from '../bindings.ts';
import type { HandlerSources } from './handler.ts';
import type { Origin } from '../origins.ts';
import { importedFrom, isLocalModule, qualifierOf, typeNameOf } from './imports.ts';
import { isPathLike, joinPaths, nameOf, propertyValue, readPaths, readText } from './route-paths.ts';

/** Two names of one router have the same key: the node that creates it, or the binding that imports it. */
export type AppKey = object;

export type Receiver =
  | { status: 'app'; model: FrameworkModel; key: AppKey; path: string; isChain: boolean }
  /** A connected client of a socket server. */
  | { status: 'client-socket'; model: FrameworkModel }
  /** Created by a package that is not a framework: needs strong evidence. */
  | { status: 'foreign'; name: string }
  | { status: 'never' }
  | { status: 'open'; name: string; key: AppKey; path: string; isChain: boolean };

const NEVER: Receiver = { status: 'never' };
const MAX_STEPS = 10;
// A router with more mounts than this is shared by everything.
const MOST_MOUNTS = 12;
// Routers that are mounted on each other in circles have more ways up than anyone intends.
const MOST_STEPS = 200;
const FACTORY = /^(?:create|make|new)?(?:Server|App|Application|Router)$/i;

const BY_PACKAGE: ReadonlyMap<string, readonly FrameworkModel[]> = groupBy(FRAMEWORKS, (model) => model.packages);
const BY_TYPE: ReadonlyMap<string, readonly FrameworkModel[]> = groupBy(FRAMEWORKS, (model) => model.types);
const BY_NAME: ReadonlyMap<string, readonly FrameworkModel[]> = groupBy(FRAMEWORKS, (model) => model.names ?? []);

const PLUGIN_MODEL = FRAMEWORKS.find((model) => model.id === PLUGIN_PARAMETERS.framework);

interface Mount {
  parent: AppKey;
  path: string;
}

export class Apps {
  readonly #sources: HandlerSources;
  readonly #known = new Map<Node, Receiver>();
  readonly #ofBindings = new Map<Binding, Receiver>();
  readonly #parameters = new Map<Binding, Receiver>();
  readonly #mounts = new Map<AppKey, Mount[]>();
  readonly #ownPaths = new Map<AppKey, string>();
  #imported: readonly FrameworkModel[] | undefined;

  constructor(sources: HandlerSources) {
    this.#sources = sources;
  }

  of(expression: Node): Receiver {
    return this.#of(expression, 0);
  }

  /** Frameworks whose packages the file itself imports. */
  get imported(): readonly FrameworkModel[] {
    return (this.#imported ??= this.#importedModels());
  }

  /** Sets what a function's parameter is: the application of a plugin, or a connected client. Earlier results may then change. */
  setParameter(fn: FunctionNode, receiver: Receiver): Binding | undefined {
    const [first] = fn.params;
    const identifier = first?.type === 'AssignmentPattern' ? first.left : first;
    if (identifier?.type !== 'Identifier') return undefined;
    const binding = this.#sources.bindings.lookUp(identifier.name, identifier);
    if (!binding || this.#parameters.has(binding)) return binding;
    this.#parameters.set(binding, receiver.status === 'app' ? { ...receiver, key: binding, path: '', isChain: false } : receiver);
    this.#known.clear();
    this.#ofBindings.clear();
    return binding;
  }

  mount(child: AppKey, parent: AppKey, path: string): void {
    if (child === parent) return;
    const known = this.#mounts.get(child);
    if (!known) this.#mounts.set(child, [{ parent, path }]);
    else if (known.length < MOST_MOUNTS && !known.some((one) => one.parent === parent && one.path === path)) known.push({ parent, path });
  }

  setOwnPath(key: AppKey, path: string): void {
    this.#ownPaths.set(key, path);
  }

  /** Everything before the path of a registration on `receiver`. */
  prefixOf(receiver: { key: AppKey; path: string }): string {
    return this.prefixesOf(receiver)[0] ?? '';
  }

  /** The same for all places where the router is mounted. */
  prefixesOf(
    { key, path }: { key: AppKey; path: string },
    seen: ReadonlySet<AppKey> = new Set(),
    steps = { left: MOST_STEPS },
  ): readonly string[] {
    const own = joinPaths(this.#ownPaths.get(key) ?? '', path);
    const mounts = (this.#mounts.get(key) ?? []).filter(({ parent }) => parent !== key && !seen.has(parent));
    if (mounts.length === 0 || steps.left-- <= 0) return [own];
    const around = new Set([...seen, key]);
    return [
      ...new Set(
        mounts.flatMap((mount) =>
          this.prefixesOf({ key: mount.parent, path: mount.path }, around, steps).map((prefix) => joinPaths(prefix, own)),
        ),
      ),
    ].slice(0, MOST_MOUNTS);
  }

  /** The model of a function that takes a handler: `createServer(fn)`. */
  takerOf(callee: Node): FrameworkModel | undefined {
    const node = unwrap(callee);
    const origin = this.#sources.origins.of(node);
    if (!origin) return isMember(node) ? this.#takerInChain(node) : undefined;
    const path = origin.path.join('.');
    if (origin.root === 'global') return FRAMEWORKS.find((model) => path === '' && model.globalTakers?.includes(origin.name));
    return BY_PACKAGE.get(origin.name)?.find((model) => model.takers?.includes(path));
  }

  /** `functions.runWith({ … }).https.onRequest(fn)`: the calls in between only change settings. */
  #takerInChain(callee: t.MemberExpression | t.OptionalMemberExpression): FrameworkModel | undefined {
    const method = memberName(callee) ?? '';
    let root: Node = callee;
    while (isMember(root) || root.type === 'CallExpression') root = unwrap(isMember(root) ? root.object : root.callee);
    const origin = root.type === 'Identifier' ? this.#sources.origins.of(root) : undefined;
    if (origin?.root !== 'module') return undefined;
    return BY_PACKAGE.get(origin.name)?.find(
      (model) => model.makers.length === 0 && model.takers?.some((path) => path !== '' && path.split('.').at(-1) === method),
    );
  }

  #of(expression: Node, steps: number): Receiver {
    const node = unwrap(expression);
    const known = this.#known.get(node);
    if (known) return known;
    if (steps > MAX_STEPS) return NEVER;
    // A cycle (`app = app.use(x)`) finds this entry and goes by the name.
    this.#known.set(node, open(nameOf(node), node));
    const found = this.#find(node, steps);
    this.#known.set(node, found);
    return found;
  }

  #find(node: Node, steps: number): Receiver {
    switch (node.type) {
      case 'Identifier':
        return this.#ofIdentifier(node, steps);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#ofMember(node, steps);
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#ofCall(node, steps);
      case 'NewExpression':
        return this.#made(node, this.#sources.origins.of(node.callee)) ?? open(nameOf(node), node);
      case 'AwaitExpression':
        return this.#of(node.argument, steps + 1);
      case 'AssignmentExpression':
        return this.#of(node.right, steps + 1);
      case 'LogicalExpression':
        return this.#first([node.right, node.left], node, steps);
      case 'ConditionalExpression':
        return this.#first([node.consequent, node.alternate], node, steps);
      case 'ThisExpression':
        return open('this', node);
      default:
        return NEVER;
    }
  }

  #first(nodes: readonly Node[], whole: Node, steps: number): Receiver {
    const found = nodes.map((node) => this.#of(node, steps + 1));
    return (
      found.find((receiver) => receiver.status === 'app') ??
      found.find((receiver) => receiver.status === 'never' || receiver.status === 'foreign') ??
      open(nameOf(nodes[0] ?? whole), whole)
    );
  }

  #ofIdentifier(node: t.Identifier, steps: number): Receiver {
    const binding = this.#sources.bindings.resolve(node);
    if (!binding) return open(node.name, node);
    const known = this.#ofBindings.get(binding);
    if (known) return known;
    // A cycle (`app = app.use(x)`) finds this entry and goes by the name.
    this.#ofBindings.set(binding, open(node.name, binding));
    const found = this.#ofBinding(binding, node, steps);
    this.#ofBindings.set(binding, found);
    return found;
  }

  #ofBinding(binding: Binding, node: t.Identifier, steps: number): Receiver {
    const { declaration } = binding;
    if (binding.kind === 'param') {
      return this.#parameters.get(binding) ?? this.#typed(binding.identifier, binding) ?? open(node.name, binding);
    }
    const origin = this.#sources.origins.ofBinding(binding);
    if (origin?.root === 'module') return this.#imports(origin, node.name, binding);
    if (declaration.type !== 'VariableDeclarator') return binding.kind === 'import' ? open(node.name, binding) : NEVER;
    const typed = this.#typed(binding.identifier, binding);
    if (typed) return typed;
    const values: Node[] = [];
    if (declaration.init && declaration.id === binding.identifier) values.push(declaration.init);
    else if (declaration.init && isMember(unwrap(declaration.init))) return open(node.name, binding);
    if (binding.kind !== 'const') for (const value of this.#sources.bindings.assignedValues(binding)) if (value) values.push(value);
    for (const value of values) {
      const receiver = this.#of(value, steps + 1);
      if (receiver.status === 'app') return receiver;
      // An unknown value takes the name of its variable.
      if (receiver.status === 'open')
        return receiver.isChain || APP_NAME.test(receiver.name) ? receiver : { ...receiver, name: node.name, key: binding };
      if (receiver.status === 'foreign') return { ...receiver, name: node.name };
      if (!isEmpty(unwrap(value))) return NEVER;
    }
    return open(node.name, binding);
  }

  #ofMember(node: t.MemberExpression | t.OptionalMemberExpression, steps: number): Receiver {
    const origin = this.#sources.origins.of(node);
    const name = memberName(node) ?? '';
    if (origin?.root === 'module') return this.#imports(origin, name, node);
    const { holders } = this.#sources;
    for (const value of holders.valuesOf(node.object, name)) {
      const receiver = isFunction(value) ? NEVER : this.#of(value, steps + 1);
      if (receiver.status === 'app') return receiver;
      if (receiver.status === 'foreign') return { ...receiver, name };
      if (receiver.status === 'never' && !isEmpty(unwrap(value))) return NEVER;
    }
    const typed = unwrap(node.object).type === 'ThisExpression' ? this.#typedField(node, name) : undefined;
    if (typed) return typed;
    const base = this.#of(node.object, steps + 1);
    if (base.status === 'never' && unwrap(node.object).type !== 'ThisExpression')
      return unwrap(node.object).type === 'Identifier' ? open(name, node) : NEVER;
    return base.status === 'foreign' ? { status: 'foreign', name } : open(name, this.#memberKey(node));
  }

  #ofCall(node: t.CallExpression | t.OptionalCallExpression, steps: number): Receiver {
    const callee = unwrap(node.callee);
    const origin = this.#sources.origins.of(callee);
    const made = this.#made(node, origin);
    if (made) return made;
    // `require('./app')` and `require('pkg')` themselves.
    const required = this.#sources.origins.of(node);
    if (required?.root === 'module') return this.#imports(required, nameOf(node), node);
    if (isMember(callee)) {
      const method = memberName(callee) ?? '';
      // A chain is part of the tree, so it ends however long it is.
      const base = this.#of(callee.object, steps);
      if (base.status === 'app') return this.#chained(node, method, base);
      if (base.status === 'open') {
        const first = node.arguments[0];
        if (method === 'route' && first && isPathLike(first) && node.arguments.length === 1)
          return { ...base, path: readPaths(first, this.#sources)?.[0] ?? '', isChain: true };
        if (
          method === 'use' ||
          method === 'all' ||
          (COMMON_VERBS.has(method) && (base.isChain || APP_NAME.test(base.name)) && node.arguments.length > 1 - Number(base.isChain))
        )
          return base;
        if (method === 'of' || method === 'routes') return base;
        return open(nameOf(node), node);
      }
      // `(isHead ? require('../lib') : require('restify')).createServer()`
      if (base.status === 'never' && FACTORY.test(method)) return open(nameOf(node), node);
      return base.status === 'client-socket' ? NEVER : base;
    }
    for (const fn of this.#sources.calls.functionsOf(callee)) {
      for (const value of returnedValues(fn)) {
        const receiver = this.#of(value, steps + 1);
        if (receiver.status === 'app') return receiver;
      }
    }
    return open(nameOf(node), node);
  }

  #chained(node: t.CallExpression | t.OptionalCallExpression, method: string, base: Extract<Receiver, { status: 'app' }>): Receiver {
    const first = node.arguments[0];
    const shape = base.model.methods[method];
    if (shape === 'base' || (shape === 'route' && first && unwrap(first).type !== 'ObjectExpression' && node.arguments.length === 1)) {
      const path = first ? readPaths(first, this.#sources)?.[0] : undefined;
      return { ...base, path: joinPaths(base.path, path ?? ''), isChain: shape === 'route' };
    }
    // Other methods of an application return the application (`app.use(a).get(b)`), or something without verbs.
    return base;
  }

  #made(node: t.CallExpression | t.OptionalCallExpression | t.NewExpression, origin: Origin | undefined): Receiver | undefined {
    if (origin?.root !== 'module') return undefined;
    const path = origin.path.join('.');
    const model = BY_PACKAGE.get(origin.name)?.find((candidate) => candidate.makers.includes(path));
    if (model) {
      const options = node.arguments.map((argument) => unwrap(argument)).find((argument) => argument.type === 'ObjectExpression');
      const prefix = options?.type === 'ObjectExpression' ? propertyValue(options, 'prefix', 'base') : undefined;
      const text = prefix ? readText(prefix, this.#sources) : undefined;
      if (text !== undefined) this.#ownPaths.set(node, text);
      return { status: 'app', model, key: node, path: '', isChain: false };
    }
    return this.#imports(origin, nameOf(node), node);
  }

  #imports(origin: Origin, name: string, key: AppKey): Receiver {
    if (isLocalModule(origin.name)) return open(name, key);
    if (CLIENT_PACKAGES.has(origin.name)) return NEVER;
    // A framework's module itself is not an application (`https.get(url, cb)`).
    if (BY_PACKAGE.has(origin.name) && origin.path.length === 0) return NEVER;
    return { status: 'foreign', name };
  }

  #typed(identifier: t.Identifier, key: AppKey): Receiver | undefined {
    const model = this.#modelOfType(identifier.typeAnnotation);
    if (model) return { status: 'app', model, key, path: '', isChain: false };
    // A parameter called `fastify` or `io` is one. A variable of that name has a value that says more.
    const fn = parentOf(identifier);
    if (!isFunction(fn)) return undefined;
    const named = BY_NAME.get(identifier.name)?.[0] ?? (isPluginParameter(identifier, fn) ? PLUGIN_MODEL : undefined);
    return named ? { status: 'app', model: named, key, path: '', isChain: false } : this.#handedOver(identifier, fn);
  }

  /** `compose(manifest, options, (error, server) => …)`: a maker without promises hands its application over. */
  #handedOver(identifier: t.Identifier, fn: FunctionNode): Receiver | undefined {
    const call = parentOf(fn);
    const [first, second] = fn.params;
    if (second !== identifier || first?.type !== 'Identifier' || !/^_?e(?:rr(?:or)?)?$/.test(first.name)) return undefined;
    if (!isCall(call) || call.arguments.at(-1) !== fn) return undefined;
    const made = this.#made(call, this.#sources.origins.of(call.callee));
    return made?.status === 'app' ? made : undefined;
  }

  /** `private readonly app: FastifyInstance`, as a field or a constructor parameter. */
  #typedField(node: Node, name: string): Receiver | undefined {
    let owner: Node | undefined = node;
    while (owner && owner.type !== 'ClassBody') owner = parentOf(owner);
    if (owner?.type !== 'ClassBody') return undefined;
    for (const member of owner.body) {
      if (member.type === 'ClassProperty' && member.key.type === 'Identifier' && member.key.name === name) {
        const model = this.#modelOfType(member.typeAnnotation);
        if (model) return { status: 'app', model, key: member, path: '', isChain: false };
      }
      if (member.type !== 'ClassMethod' || member.kind !== 'constructor') continue;
      for (const parameter of member.params) {
        const identifier = parameter.type === 'TSParameterProperty' ? parameter.parameter : undefined;
        if (identifier?.type !== 'Identifier' || identifier.name !== name) continue;
        const model = this.#modelOfType(identifier.typeAnnotation);
        if (model) return { status: 'app', model, key: identifier, path: '', isChain: false };
      }
    }
    return undefined;
  }

  /** By the package that the type is imported from, or by its name alone if the file does not show where it comes from. */
  #modelOfType(annotation: Node | null | undefined): FrameworkModel | undefined {
    const name = typeNameOf(annotation);
    const models = name === undefined ? undefined : BY_TYPE.get(name);
    if (!models || name === undefined) return undefined;
    const from = importedFrom(name, this.#sources.module) ?? importedFrom(qualifierOf(annotation) ?? '', this.#sources.module);
    if (from === undefined || isLocalModule(from)) return models[0];
    return BY_PACKAGE.get(from)?.find((model) => models.includes(model)) ?? BY_PACKAGE.get(from)?.[0];
  }

  /** `this.router` is one router in the whole class. */
  #memberKey(node: t.MemberExpression | t.OptionalMemberExpression): AppKey {
    const [holder] = this.#sources.holders.of(node.object);
    return holder ?? node;
  }

  #importedModels(): readonly FrameworkModel[] {
    const found = new Set<FrameworkModel>();
    const add = (name: string) => {
      for (const model of BY_PACKAGE.get(name.replace(/^node:/, '')) ?? []) found.add(model);
    };
    for (const node of this.#sources.module.nodes('ImportDeclaration')) add(node.source.value);
    const calls = this.#sources.module.nodes('CallExpression');
    for (let i = 0; i < calls.length; i++) {
      const node = calls[i] as t.CallExpression;
      const first = node.arguments[0];
      if (first?.type === 'StringLiteral' && node.callee.type === 'Identifier' && node.callee.name === 'require') add(first.value);
    }
    return [...found];
  }
}

/** How much the name of a receiver says by itself. */
export function trustOf(name: string): 'strong' | 'likely' | 'none' {
  return APP_NAME.test(name) ? 'strong' : LIKELY_APP_NAME.test(name) ? 'likely' : 'none';
}

function isPluginParameter(identifier: t.Identifier, fn: FunctionNode): boolean {
  const [first, second] = fn.params;
  return (
    first === identifier &&
    PLUGIN_PARAMETERS.first.test(identifier.name) &&
    second?.type === 'Identifier' &&
    PLUGIN_PARAMETERS.second.test(second.name)
  );
}

function open(name: string, key: AppKey): Receiver {
  return { status: 'open', name, key, path: '', isChain: false };
}

function isEmpty(node: Node): boolean {
  return node.type === 'NullLiteral' || (node.type === 'Identifier' && node.name === 'undefined');
}

function returnedValues(fn: FunctionNode): Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const values: Node[] = [];
  walkWithin(fn.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'ReturnStatement' && node.argument) values.push(node.argument);
    return true;
  });
  return values;
}

function groupBy(
  models: readonly FrameworkModel[],
  keysOf: (model: FrameworkModel) => readonly string[],
): ReadonlyMap<string, readonly FrameworkModel[]> {
  const groups = new Map<string, FrameworkModel[]>();
  for (const model of models) {
    for (const key of keysOf(model)) {
      const list = groups.get(key);
      if (list) list.push(model);
      else groups.set(key, [model]);
    }
  }
  return groups;
}
