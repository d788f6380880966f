// Dependency injection: what a container provides for a class, a token or a name.
import { isCall, isMember, memberName, staticName, unwrap, type CallNode, type ClassNode, type Node, type t } from '../../module/ast.ts';
import { textOf } from '../../facts/constants.ts';
import { evaluate, merged, valueOfWalked } from './expressions.ts';
import type { Flow } from './walk.ts';
import { Op, SiteFlag } from './format.ts';
import { noteLogger } from './log-flow.ts';
import { readTypeOf } from './type-flow.ts';

type Call = t.CallExpression | t.OptionalCallExpression;
type Member = t.MemberExpression | t.OptionalMemberExpression;

/** Registration functions and what they register (https://github.com/jeffijoe/awilix#lifetime-management). */
const AWILIX: ReadonlySet<string> = new Set(['asClass', 'asFunction', 'asValue']);
/** Methods that are chained to a registration and change its lifetime. */
const LIFETIMES: ReadonlySet<string> = new Set([
  'singleton',
  'scoped',
  'transient',
  'setLifetime',
  'proxy',
  'classic',
  'inject',
  'disposer',
]);
const GETTERS: ReadonlySet<string> = new Set(['get', 'resolve', 'getAsync', 'create']);
/** Arguments that no container provides anything for. */
const NO_TOKENS: ReadonlySet<string> = new Set(['ObjectExpression', 'ArrayExpression', 'ArrowFunctionExpression', 'FunctionExpression']);
const BINDERS: ReadonlySet<string> = new Set(['to', 'toConstantValue', 'toDynamicValue', 'toService']);
const CONTAINER_NAME = /container|injector|moduleRef|ioc|kernel|^di$|registry/i;
/** Shared by the whole project: the object that awilix passes to every constructor. */
const CRADLE = 'nodometer:cradle';

/** The node of the result if it is a call of a container; otherwise undefined. */
export function readContainerCall(flow: Flow, node: Call, name: string, base: number): number | undefined {
  const { out } = flow;
  const [first, second] = node.arguments;
  const argument = first ? unwrap(first) : undefined;
  if (AWILIX.has(name) && argument) {
    const value = evaluate(flow, argument);
    if (name === 'asValue') return value;
    return out.call({
      site: out.site(-1, -1, -1, 0),
      callee: value,
      args: [flow.global(CRADLE)],
      flags: SiteFlag.FlowOnly | (name === 'asClass' ? SiteFlag.New : 0),
    });
  }
  const callee = unwrap(node.callee);
  if (name === 'createCoreService' && argument?.type === 'StringLiteral' && second) {
    const service = out.call({ site: out.site(-1, -1, -1, 0), callee: evaluate(flow, second), flags: SiteFlag.FlowOnly });
    out.op(Op.ProvideNamed, out.text(`service ${argument.value}`), service);
    return service;
  }
  if (!isMember(callee)) return undefined;
  const holder = unwrap(callee.object);
  if (LIFETIMES.has(name) && isCall(holder) && holder.callee.type === 'Identifier' && AWILIX.has(holder.callee.name)) return base;
  if (!argument) return undefined;
  // https://docs.strapi.io/cms/backend-customization/services
  if (name === 'service' && holderIsStrapi(holder) && argument.type === 'StringLiteral')
    return injectNamed(flow, `service ${argument.value}`);
  if (name === 'register' && flow.facts.source.text.includes('awilix')) {
    const value = evaluate(flow, argument.type === 'StringLiteral' && second ? second : argument);
    if (argument.type === 'StringLiteral') out.store(flow.global(CRADLE), out.text(argument.value), value);
    else if (value !== 0) out.op(Op.Mix, flow.global(CRADLE), value);
    return base;
  }
  if (name === 'set' && second && isNamedContainer(holder)) {
    const value = evaluate(flow, second);
    provide(flow, argument, value, (token) => evaluate(flow, token));
    return base;
  }
  // `bind(TYPES.Mailer).to(SmtpMailer)`
  if (BINDERS.has(name) && isCall(holder)) {
    const bound = unwrap(holder.callee);
    const isBind = bound.type === 'Identifier' ? bound.name === 'bind' : isMember(bound) && memberName(bound) === 'bind';
    const token = holder.arguments[0];
    if (!isBind || !token) return undefined;
    const value = evaluate(flow, argument);
    provide(flow, unwrap(token), name === 'to' ? instanceOf(flow, value) : value, (walked) => valueOfWalked(flow, walked));
    return 0;
  }
  return undefined;
}

/**
 * What a container returns for a token besides what its method returns: `container.get(TYPES.Mailer)`. The call is an ordinary call, too:
 * a class of the project may be named like a container. The arguments have been walked.
 */
export function noteInjected(flow: Flow, node: Call, callee: Member, method: string, result: number): void {
  const [first] = node.arguments;
  if (!first || node.arguments.length > 2 || !GETTERS.has(method) || !isNamedContainer(unwrap(callee.object))) return;
  const token = unwrap(first);
  // `registry.create({ mode: 'shell' })`
  if (NO_TOKENS.has(token.type)) return;
  const name = nameOfToken(flow, token);
  flow.out.copy(result, inject(flow, token, true));
  // `container.resolve('users')` of awilix reads the cradle.
  if (name !== undefined) flow.out.copy(result, flow.load(flow.global(CRADLE), name));
}

function isNamedContainer(holder: Node): boolean {
  const name = holder.type === 'Identifier' ? holder.name : isMember(holder) ? (memberName(holder) ?? '') : '';
  return CONTAINER_NAME.test(name);
}

/** What is known of a call's result besides what it is of the function that it calls. */
export function noteResult(flow: Flow, node: CallNode, result: number): void {
  noteLogger(flow, node, result);
  noteLookup(flow, node, result);
}

/** Methods and functions that look something up: `context.getService('core.Users@1')`. */
const LOOKUP = /^(?:get|resolve|inject|lookup|make)(?:Service|Instance|Component|Provider|Repository|Bean|Manager)?(?:Async|Sync)?$/;
/** Properties of a description that name a class for those who look it up. */
const ID_NAMES: ReadonlySet<string> = new Set(['id', 'name', 'token', 'key']);
/** Ids that nothing else is called: with a mark such as `.` or `@` behind the first character, or the name of a kind at the end. */
const MARK = /[.@/:]/;
const KIND = /(?:Service|Repository|Provider|Manager|Gateway|Factory)$/;
const LEAST_ID = 6;
const isDistinctive = (id: string): boolean =>
  id.length >= LEAST_ID && !/\s/.test(id) && ((/^\w/.test(id) && MARK.test(id.slice(1))) || KIND.test(id));
/** Decorators that name a table, a queue or a path. */
const NAMES_OTHERS = /entity|table|model|schema|processor|controller|route|column|document/i;
/** What sends requests: `http.get<User>(url)`. */
const REQUESTS = /axios|http|api|client|request|fetch/i;

/** The result of a call that looks something up: by an id that a class declares, or of the type that it is called with. */
function noteLookup(flow: Flow, node: CallNode, result: number): void {
  const callee = unwrap(node.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  const first = node.arguments[0] && unwrap(node.arguments[0]);
  if (name === undefined || !LOOKUP.test(name) || !first || node.type === 'NewExpression') return;
  const id = textOf(first, flow.bindings);
  if (id !== undefined && isDistinctive(id)) flow.out.copy(result, injectNamed(flow, `id ${id}`));
  const [type, other] = node.typeParameters?.type === 'TSTypeParameterInstantiation' ? node.typeParameters.params : [];
  // `getRepository<User>(User)` returns no user.
  if (type?.type !== 'TSTypeReference' || other || name.includes('Repository')) return;
  if (first.type === 'TemplateLiteral' || id?.includes('/')) return;
  if (!isMember(callee) || !REQUESTS.test(flow.slice(callee.object))) flow.out.copy(result, readTypeOf(flow, type));
}

/** `@service({ id: 'core.Users@1' }) class Users`, `static definition = { id: 'core.Users@1' }`: what a lookup by that id returns. */
export function provideById(flow: Flow, { decorators, body }: ClassNode, self: number): void {
  const described: Node[] = [];
  for (const { expression } of decorators ?? []) {
    const call = unwrap(expression);
    if (isCall(call) && !NAMES_OTHERS.test(flow.slice(call.callee))) described.push(...call.arguments.slice(0, 1));
  }
  for (const member of body.body)
    if (member.type === 'ClassProperty' && member.static && member.value) described.push(unwrap(member.value));
  const ids = new Set<string>();
  for (const one of described) {
    if (one.type !== 'ObjectExpression') continue;
    for (const property of one.properties) {
      if (property.type !== 'ObjectProperty' || !ID_NAMES.has(staticName(property.key, property.computed) ?? '')) continue;
      const id = textOf(property.value, flow.bindings);
      if (id !== undefined && isDistinctive(id)) ids.add(id);
    }
  }
  for (const id of ids) flow.out.op(Op.ProvideNamed, flow.out.text(`id ${id}`), self);
}

/** What awilix passes to the constructors of classes that it finds by itself. */
export function cradleFor(flow: Flow, { decorators }: ClassNode): number {
  return decorators && decorators.length > 0 && flow.facts.source.text.includes('awilix') ? flow.global(CRADLE) : 0;
}

/** Shared by the whole project: the client of a bot, which discord.js gives to what its handlers get (https://discordjs.guide). */
const DISCORD_CLIENT = 'nodometer:discord-client';
const DISCORD = 'discord.js';

/** `new Client(…)` of discord.js, or of a class of the file that extends it. */
export function keepDiscordClient(flow: Flow, { callee }: t.NewExpression, made: number): number {
  const { origins, holders, source } = flow.facts;
  if (!source.text.includes(DISCORD)) return made;
  const known = origins.moduleMember(callee) ? callee : holders.classOf(callee)?.superClass;
  const origin = known ? origins.moduleMember(known) : undefined;
  if (origin?.module === DISCORD && /Client$/.test(origin.path.join('.')))
    flow.out.store(flow.global(DISCORD_CLIENT), flow.out.text('client'), made);
  return made;
}

/** What handlers of commands and events call what they are given. */
const GIVEN_BY_DISCORD = /^(?:interaction|message|msg|int|i|ctx)$/;

/** `interaction.client` in a function that is given an interaction. `own`: the node of the property's value. */
export function discordClientOf(flow: Flow, { object }: t.MemberExpression | t.OptionalMemberExpression, own: number): number {
  const holder = unwrap(object);
  if (own === 0 || holder.type !== 'Identifier' || !GIVEN_BY_DISCORD.test(holder.name) || !hasDiscord(flow)) return own;
  if (flow.bindings.resolve(holder)?.kind !== 'param') return own;
  return merged(flow, [own, flow.load(flow.global(DISCORD_CLIENT), 'client')]);
}

function hasDiscord({ facts: { project } }: Flow): boolean {
  return project.manifest?.dependencies[DISCORD] !== undefined;
}

function holderIsStrapi(holder: Node): boolean {
  return holder.type === 'Identifier' ? holder.name === 'strapi' : isMember(holder) && memberName(holder) === 'strapi';
}

function injectNamed(flow: Flow, name: string): number {
  const node = flow.out.node();
  flow.out.op(Op.InjectNamed, node, flow.out.text(name));
  return node;
}

/** The node of the value that is injected for a token. `isWalked`: the token was walked where it stands. */
export function inject(flow: Flow, token: Node, isWalked = false): number {
  const { out } = flow;
  const node = out.node();
  const name = nameOfToken(flow, token);
  if (name !== undefined) out.op(Op.InjectNamed, node, out.text(name));
  if (token.type === 'StringLiteral') return node;
  const value = isWalked ? valueOfWalked(flow, token) : evaluate(flow, token);
  if (value !== 0) out.op(Op.Inject, node, value);
  return node;
}

/** `{ provide: TOKEN, useClass: Mailer }` */
export function readProvider(flow: Flow, object: t.ObjectExpression): void {
  let token: Node | undefined;
  let value = 0;
  for (const property of object.properties) {
    if (property.type !== 'ObjectProperty') continue;
    const name = staticName(property.key, property.computed);
    const held = flow.values.get(property.value) ?? 0;
    if (name === 'provide') token = unwrap(property.value);
    else if (name === 'useClass') value = instanceOf(flow, held);
    else if (name === 'useValue') value = held;
    else if (name === 'useFactory') value = flow.out.call({ site: flow.out.site(-1, -1, -1, 0), callee: held, flags: SiteFlag.FlowOnly });
    else if (name === 'useExisting' && held !== 0) {
      value = flow.out.node();
      flow.out.op(Op.Inject, value, held);
    }
  }
  if (token && value !== 0) provide(flow, token, value, (walked) => valueOfWalked(flow, walked));
}

function provide(flow: Flow, token: Node, value: number, valueOf: (token: Node) => number): void {
  const { out } = flow;
  const name = nameOfToken(flow, token);
  if (name !== undefined) out.op(Op.ProvideNamed, out.text(name), value);
  if (token.type === 'StringLiteral') return;
  const held = valueOf(token);
  if (held !== 0) out.op(Op.Provide, held, value);
}

function instanceOf(flow: Flow, classNode: number): number {
  if (classNode === 0) return 0;
  const node = flow.out.node();
  flow.out.op(Op.Instance, node, classNode);
  return node;
}

/** The name of a token: a string, `Symbol.for('x')`, or `TYPES.Mailer` as written. */
function nameOfToken(flow: Flow, token: Node): string | undefined {
  if (token.type === 'StringLiteral') return token.value;
  if (isCall(token)) {
    const [first] = token.arguments;
    return first?.type === 'StringLiteral' ? first.value : undefined;
  }
  if (isMember(token)) return flow.slice(token);
  return token.type === 'Identifier' && /^[A-Z][A-Z\d_]+$/.test(token.name) ? token.name : undefined;
}
