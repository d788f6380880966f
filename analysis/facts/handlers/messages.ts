// Functions run by messages of a broker, mails and jobs of a queue, with the models in knowledge/message-handlers.
import { MESSAGE_MODELS, NODE_RED, type MessageModel } from '../../../knowledge/message-handlers.ts';
import { isCall, isFunction, isMember, memberName, staticName, unwrap, type CallNode, type Node } from '../../module/ast.ts';
import type { HandlerSources } from './handler.ts';
import { functionsIn } from './arguments.ts';
import type { Found } from './found.ts';
import { addResolvers } from './graphql.ts';
import { nameOf, readText } from './route-paths.ts';
import { routeOfField } from './schema-builders.ts';
import { parameterName } from './signatures.ts';

const BY_PACKAGE = new Map<string, MessageModel[]>();
for (const model of MESSAGE_MODELS) for (const name of model.packages) BY_PACKAGE.set(name, [...(BY_PACKAGE.get(name) ?? []), model]);
const BY_DEPENDENCY = MESSAGE_MODELS.filter((model) => model.byDependency);

// Core modules whose objects stand for processes and threads, and the global of that name.
const PROCESSES: ReadonlySet<string> = new Set(['process', 'child_process', 'cluster', 'worker_threads']);

/** Models of packages that the file imports, and of some that its project depends on. Few files have any. */
function modelsOf({ module, dependencies }: HandlerSources): readonly MessageModel[] {
  const models = new Set<MessageModel>();
  for (const name of module.importedModules())
    for (const model of BY_PACKAGE.get(name.startsWith('node:') ? name.slice(5) : name) ?? []) models.add(model);
  for (const model of BY_DEPENDENCY) if (model.packages.some((name) => dependencies.has(name))) models.add(model);
  return models.size === 0 ? [] : MESSAGE_MODELS.filter((model) => models.has(model));
}

export function addMessageHandlers(sources: HandlerSources, found: Found): void {
  const { module } = sources;
  const models = modelsOf(sources);
  const isFlowNode =
    module.nodes('FunctionExpression').some((fn) => parameterName(fn.params[0]) === NODE_RED.parameter) ||
    module.nodes('FunctionDeclaration').some((fn) => parameterName(fn.params[0]) === NODE_RED.parameter);
  if (models.length === 0 && !isFlowNode) return;
  for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const) {
    for (const call of module.nodes(type)) {
      if (call.arguments.length === 0) continue;
      if (isFlowNode && eventOf(call) === NODE_RED.event)
        add(call.arguments.slice(1), undefined, 'message', NODE_RED.framework, call, sources, found);
      for (const model of models)
        if (runs(call, model, sources)) {
          if (model.graphql) for (const argument of call.arguments) addResolvers(argument, model, call, sources, found);
          if (model.graphql === 'fields') continue;
          add(
            model.isReturned ? call.arguments.flatMap((argument) => tablesIn(argument, sources)) : call.arguments,
            model.options,
            model.kind,
            model.framework,
            call,
            sources,
            found,
            model.isDeep,
            routeOf(call, model, sources),
          );
        }
    }
  }
}

/** `JOB resize` for `new Worker('resize', fn)` and `queue.process('resize', 4, fn)`; `IPC save` for `ipcMain.on('save', fn)`. */
function routeOf(call: CallNode, { kind, framework }: MessageModel, sources: HandlerSources): string | undefined {
  const [first] = call.arguments;
  if (framework === 'pothos' || framework === 'nexus') return routeOfField(call, sources);
  if (kind === 'ipc') {
    const channel = first && readText(first, sources);
    return channel === undefined ? undefined : `IPC ${channel}`;
  }
  return kind === 'job' && call.arguments.length > 1 && first?.type === 'StringLiteral' ? `JOB ${first.value}` : undefined;
}

/** `({ strapi }) => ({ async find(ctx) { … } })`: the functions in the returned table. */
function tablesIn(argument: Node, { calls }: HandlerSources): Node[] {
  return calls.functionsOf(argument).flatMap((fn) => {
    const body =
      fn.body.type === 'BlockStatement' ? fn.body.body.find((statement) => statement.type === 'ReturnStatement')?.argument : fn.body;
    const table = body ? unwrap(body) : undefined;
    return table?.type === 'ObjectExpression'
      ? table.properties.flatMap((property): Node[] =>
          property.type === 'ObjectMethod' ? [property] : property.type === 'ObjectProperty' ? [property.value] : [],
        )
      : [];
  });
}

/** `x.on(…, fn)` */
function isListening({ callee, arguments: args }: CallNode): boolean {
  const node = unwrap(callee);
  return args.length > 1 && isMember(node) && /^(?:on|addListener)$/.test(memberName(node) ?? '');
}

function eventOf(call: CallNode): string | undefined {
  const callee = unwrap(call.callee);
  const first = call.arguments[0];
  if (!first || !isMember(callee) || !/^(?:on|once|addListener)$/.test(memberName(callee) ?? '')) return undefined;
  const event = unwrap(first);
  // `Events.MessageCreate`
  if (isMember(event))
    return /^[A-Z]/.test(memberName(event) ?? '') ? memberName(event)?.replace(/^[A-Z]/, (letter) => letter.toLowerCase()) : undefined;
  return staticName(event, true);
}

/** Whether the first argument, or its first element if it is a list, is one of the names. An expression (`/^find/`) counts as one. */
function startsWith(call: CallNode, names: RegExp): boolean {
  const [argument] = call.arguments;
  const node = argument ? unwrap(argument) : undefined;
  const first = node?.type === 'ArrayExpression' ? node.elements[0] : node;
  if (!first) return false;
  return first.type === 'RegExpLiteral' || names.test(staticName(unwrap(first), true) ?? '');
}

/** Whether a chain of calls started with that method: `schema.virtual('name').get(a).set(b)`. */
function follows(chain: Node, method: string): boolean {
  for (let node = unwrap(chain); isCall(node); ) {
    const callee = unwrap(node.callee);
    if (!isMember(callee)) return callee.type === 'Identifier' && callee.name === method;
    if (memberName(callee) === method) return true;
    node = unwrap(callee.object);
  }
  return false;
}

/** Whether an object has the name that a model asks for. */
function isOn(object: Node, { receiver, holder }: MessageModel): boolean {
  const node = unwrap(object);
  if (!receiver?.test(nameOf(node))) return false;
  return !holder || (isMember(node) && holder.test(nameOf(node.object)));
}

function isOfPackage(argument: Node | undefined, { packages }: MessageModel, origins: HandlerSources['origins']): boolean {
  const origin = argument && origins.moduleMember(argument);
  return origin !== undefined && packages.includes(origin.module);
}

/**
 * Whether an object is this process, or a process or thread that the file starts: `process.on('message', fn)`. Its messages come from the
 * program itself: to start, to stop, or with the work of one job. No client waits for them as for those of a broker.
 */
function isProcess(object: Node, { origins, bindings }: HandlerSources): boolean {
  const node = unwrap(object);
  if (PROCESSES.has(origins.of(node)?.name ?? '')) return true;
  const declaration = node.type === 'Identifier' ? bindings.resolve(node)?.declaration : undefined;
  const init = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : node;
  return isCall(init) && PROCESSES.has(origins.of(init.callee)?.name ?? '');
}

function runs(call: CallNode, model: MessageModel, sources: HandlerSources): boolean {
  const { origins } = sources;
  const callee = unwrap(call.callee);
  if (isMember(callee) && call.type !== 'NewExpression') {
    const event = eventOf(call);
    const isHeard = event === undefined ? model.anyEvent && isListening(call) : model.events?.includes(event);
    if (isHeard && (event === undefined || !model.receiver || isOn(callee.object, model)) && !isProcess(callee.object, sources))
      return true;
    if (
      model.methods?.includes(memberName(callee) ?? '') &&
      (!model.first || startsWith(call, model.first)) &&
      (!model.isPlugin || isOfPackage(call.arguments[0], model, origins)) &&
      (!model.receiver || isOn(callee.object, model)) &&
      (!model.after || follows(callee.object, model.after))
    )
      return true;
  }
  const origin = model.makers ? origins.moduleMember(callee) : undefined;
  return origin !== undefined && model.packages.includes(origin.module) && Boolean(model.makers?.includes(origin.path.join('.')));
}

function add(
  args: readonly Node[],
  options: readonly string[] | undefined,
  kind: MessageModel['kind'],
  framework: string,
  call: Node,
  sources: HandlerSources,
  found: Found,
  isDeep = false,
  route?: string,
): void {
  for (const argument of args) {
    const node = unwrap(argument);
    if (node.type === 'StringLiteral' || node.type === 'NumericLiteral') continue;
    found.addArgument(argument, kind, framework, route, call, { ...(options ? { options } : {}), ...(isDeep ? { isDeep } : {}) });
    if (isDeep) continue;
    if (node.type === 'ObjectExpression') {
      for (const property of node.properties) {
        const name = property.type === 'SpreadElement' ? undefined : staticName(property.key, property.computed);
        if (property.type === 'SpreadElement' || name === undefined || !options?.includes(name)) continue;
        const fns = property.type === 'ObjectMethod' ? [property] : sources.calls.functionsOf(property.value);
        for (const fn of fns) found.addHandler(fn, kind, framework, route, property);
      }
    } else if (!options || (isFunction(node) && kind !== 'hook'))
      for (const fn of functionsIn(argument, sources)) found.addHandler(fn, kind, framework, route, call);
  }
}
