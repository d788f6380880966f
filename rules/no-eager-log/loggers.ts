// Calls of loggers under a level that is off unless somebody turns it on.
import type { Facts } from '../../analysis/facts/index.ts';
import {
  isCall,
  isClass,
  isFunction,
  isMember,
  memberName,
  staticName,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { classAround } from '../../analysis/facts/origins.ts';
import { isCostlyText, isLogName, LIBRARIES, TURNED_ON, type Library } from '../../analysis/facts/outside/loggers.ts';

export interface LogCall {
  /** As messages name it: `log.debug`. */
  name: string;
  /** Undefined for what only other files can show to be a logger. */
  library?: Library;
  /** What a guard would ask: `log.isLevelEnabled('debug')`; undefined where the library documents no such test. */
  guard?: string;
}

const MAY_LOG = /debug|trace|verbose|silly|http\(/;
/** With one of these, Nest's loggers and `request.log` write to pino. */
const OVER_PINO = /^(?:nestjs-pino|pino-http|express-pino-logger|koa-pino-logger)$/;
const NEST: Library = {
  levels: ['debug', 'verbose'],
  makers: ['Logger'],
  remedy: 'Pass the object as the first argument: pino writes it only if the level is on.',
};
// The longest chain of `child()` and variables to follow.
const MAX_STEPS = 6;

export function mayLogEagerly(text: string): boolean {
  return MAY_LOG.test(text) && isCostlyText(text) && !TURNED_ON.test(text);
}

export function logCallOf(call: CallNode, facts: Facts): LogCall | undefined {
  if (call.type === 'NewExpression') return undefined;
  const callee = unwrap(call.callee);
  const method = isMember(callee) ? memberName(callee) : undefined;
  const text = facts.source.slice(callee);
  // `debug('…')`
  const own = libraryOf(callee, facts);
  if (own) return own.isFunction ? { name: text, library: own, ...guardOf(own, callee, '', facts) } : undefined;
  if (!isMember(callee)) return callee.type === 'Identifier' && isLogName(callee.name, false) ? { name: text } : undefined;
  if (method === undefined || !isLogName(method, true)) return undefined;
  const library = libraryOf(callee.object, facts);
  if (!library) return { name: text };
  return library.levels.includes(method) ? { name: text, library, ...guardOf(library, callee.object, method, facts) } : undefined;
}

function guardOf({ guard }: Library, logger: Node, level: string, facts: Facts): { guard?: string } {
  const node = unwrap(logger);
  const isPlain = node.type === 'Identifier' || (isMember(node) && /^(?:Identifier|ThisExpression)$/.test(node.object.type));
  return guard && isPlain ? { guard: guard(facts.source.slice(node), level) } : {};
}

/** Which library made a logger; undefined for what is none, or comes from another file. */
function libraryOf(expression: Node, facts: Facts, steps = 0): Library | undefined {
  if (steps > MAX_STEPS) return undefined;
  const node = unwrap(expression);
  if (isCall(node)) {
    const callee = unwrap(node.callee);
    const made = originOf(callee, facts);
    if (made?.library.makers.includes(made.path)) return made.library;
    // `log.child({ … })`, `debug.extend('…')`
    return isMember(callee) && /^(?:child|extend|withTag)$/.test(memberName(callee) ?? '')
      ? libraryOf(callee.object, facts, steps + 1)
      : undefined;
  }
  const direct = originOf(node, facts);
  if (direct) return direct.library.isLogger && /^(?:|default|consola|loggers)$/.test(direct.path) ? direct.library : undefined;
  if (node.type === 'Identifier') {
    const binding = facts.bindings.resolve(node);
    const { declaration } = binding ?? {};
    if (!binding || declaration?.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !declaration.init)
      return undefined;
    return facts.bindings.isConstant(binding) ? libraryOf(declaration.init, facts, steps + 1) : undefined;
  }
  if (!isMember(node)) return undefined;
  if (isLogOfRequest(node, facts)) return LIBRARIES.pino;
  const value = node.object.type === 'ThisExpression' ? fieldOf(node, facts) : undefined;
  return value && libraryOf(value, facts, steps + 1);
}

/** `request.log` of Fastify, and of what puts a logger of pino there. */
function isLogOfRequest(member: t.MemberExpression | t.OptionalMemberExpression, facts: Facts): boolean {
  const object = unwrap(member.object);
  if (memberName(member) !== 'log' || object.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(object);
  if (binding?.kind !== 'param' || !isFunction(binding.declaration) || binding.declaration.params[0] !== binding.identifier) return false;
  const handler = facts.handlersOf(binding.declaration)[0];
  return handler !== undefined && (handler.framework === 'fastify' || hasPino(facts));
}

function hasPino({ project: { manifest } }: Facts): boolean {
  return manifest !== undefined && Object.keys(manifest.dependencies).some((name) => OVER_PINO.test(name));
}

/** The only value of a field: `log = pino()`, `this.log = pino()` in the constructor. */
function fieldOf(member: t.MemberExpression | t.OptionalMemberExpression, facts: Facts): Node | undefined {
  const owner = classAround(member);
  const name = memberName(member);
  if (!isClass(owner) || name === undefined) return undefined;
  const values: Node[] = [];
  for (const part of owner.body.body) {
    if (part.type === 'ClassProperty' && staticName(part.key, part.computed) === name && part.value) values.push(part.value);
    if (part.type === 'ClassPrivateProperty' && `#${part.key.id.name}` === name && part.value) values.push(part.value);
  }
  for (const { left, right } of facts.module.nodes('AssignmentExpression'))
    if (isMember(left) && left.object.type === 'ThisExpression' && memberName(left) === name && classAround(left) === owner)
      values.push(right);
  return values.length === 1 ? values[0] : undefined;
}

function originOf(node: Node, facts: Facts): { library: Library; path: string } | undefined {
  const origin = node.type === 'Identifier' || isMember(node) || isCall(node) ? facts.origins.moduleMember(node) : undefined;
  const isNest = origin?.module === '@nestjs/common' && hasPino(facts);
  const library = isNest ? NEST : origin && Object.hasOwn(LIBRARIES, origin.module) ? LIBRARIES[origin.module] : undefined;
  return origin && library ? { library, path: origin.path.filter((part) => part !== 'default').join('.') } : undefined;
}
