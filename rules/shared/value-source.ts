// What is copied: where it comes from, whether its size is limited, and who else has it.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { findQuery } from '../../analysis/facts/queries.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { QUERY_DRIVERS } from '../../knowledge/query-calls.ts';
import { RequestData } from './request-data.ts';

export interface CopiedSource {
  /**
   * `parsed`: from JSON that was just parsed; `sent`: what a client sent; `rows`: what a query returned; `own`: another value of this
   * function; `unknown`: a parameter, or what a call returned; `shared`: it outlives the request.
   */
  from: 'parsed' | 'sent' | 'rows' | 'unknown' | 'shared';
  /** Objects, lists, texts, numbers, and booleans only: a round trip through JSON changes nothing in it. */
  isPlain: boolean;
  /** Of a query that returns rows without a class. */
  isRow: boolean;
  /** The variable at the beginning of the path, and the path. */
  root?: Binding;
  path: readonly string[];
  /** What has just made it, for messages. */
  maker?: string;
  /** Only this variable, or nothing, has what was made. */
  isWhole: boolean;
  /** One of the elements of a list. */
  isElement: boolean;
  /** Written in this function as a literal: as long as its text. */
  isLiteral: boolean;
}

// The longest chain of variables to follow.
const MAX_STEPS = 6;
/** Results of these are instances of a class, and more than their data. */
const DOCUMENTS = /^(?:mongoose|@nestjs\/mongoose|sequelize|sequelize-typescript|@nestjs\/sequelize|typeorm|@nestjs\/typeorm|objection)$/;
const DOCUMENT_PACKAGES = [
  'mongoose',
  'sequelize',
  'typeorm',
  'objection',
  'bookshelf',
  'waterline',
  'sails',
  '@mikro-orm/core',
  'moleculer-db',
];
const PER_ELEMENT = /^(?:map|forEach|filter|flatMap|some|every|find|findIndex)$/;

export function hasDocuments({ project: { manifest } }: Facts): boolean {
  // Without a manifest, nobody knows.
  if (!manifest) return false;
  return DOCUMENT_PACKAGES.some((name) => Object.hasOwn(manifest.dependencies, name) || Object.hasOwn(manifest.devDependencies, name));
}

export function sourceOf(expression: Node, facts: Facts): CopiedSource {
  const path: string[] = [];
  let at = unwrap(expression);
  while (isMember(at)) {
    const name = memberName(at);
    // The parts of a list are as good as each other.
    path.unshift(name ?? '*');
    at = unwrap(at.object);
  }
  const root = at.type === 'Identifier' ? facts.bindings.resolve(at) : undefined;
  const made = madeBy(expression, facts, 0);
  const isLiteral = isWritten(root);
  if (made) return { ...made, ...(root ? { root } : {}), path, isLiteral };
  const rest = { isRow: false, isWhole: false, isElement: false, isLiteral, path, ...(root ? { root } : {}) };
  if (root && isOfRequest(expression, facts)) return { ...rest, from: 'sent', isPlain: true };
  const isShared = at.type === 'ThisExpression' || (at.type === 'Identifier' && isOutside(root, expression)) || isMemberOfShared(path);
  return { ...rest, from: isShared ? 'shared' : 'unknown', isPlain: false };
}

function isWritten(root: Binding | undefined): boolean {
  const { declaration } = root ?? {};
  if (declaration?.type !== 'VariableDeclarator' || !declaration.init) return false;
  return /^(?:Object|Array)Expression$|Literal$/.test(unwrap(declaration.init).type);
}

function isMemberOfShared(path: readonly string[]): boolean {
  return path.some((name) => /^(?:app|config|settings|state|cache|store|session|locals)$/.test(name));
}

/** A body of JSON; a header or an address is short. */
function isOfRequest(expression: Node, facts: Facts): boolean {
  const data = new RequestData(facts, 'any');
  return data.isSent(expression) && /^(?:body|data|message|json|payload|input|args)$/.test(data.member ?? '');
}

function isOutside(root: Binding | undefined, expression: Node): boolean {
  if (!root || root.kind === 'import') return true;
  return root.scope.type === 'Program' || !enclosingFunction(root.identifier) || enclosingFunction(expression) === undefined;
}

type Made = Pick<CopiedSource, 'from' | 'isPlain' | 'isRow' | 'maker' | 'isWhole' | 'isElement'>;

/** A value that was just made for this call; undefined for all that is not known. */
function madeBy(expression: Node, facts: Facts, steps: number): Made | undefined {
  if (steps > MAX_STEPS) return undefined;
  const node = unwrap(expression);
  if (node.type === 'AwaitExpression') {
    const call = unwrap(node.argument);
    if (!isCall(call)) return undefined;
    return madeByAwaited(call, facts);
  }
  if (isCall(node)) {
    if (facts.origins.isGlobal(node.callee, 'JSON.parse') && node.arguments.length === 1) {
      const text = node.arguments[0] && unwrap(node.arguments[0]);
      if (!text || /Literal$/.test(text.type) || isCallOf(text, 'JSON.stringify', facts)) return undefined;
      return { from: 'parsed', isPlain: true, isRow: false, maker: 'JSON.parse', isWhole: true, isElement: false };
    }
    return undefined;
  }
  if (isMember(node)) {
    const made = madeBy(node.object, facts, steps + 1);
    return made && { ...made, isElement: node.computed && node.property.type !== 'StringLiteral' };
  }
  if (node.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(node);
  if (!binding) return undefined;
  const { declaration } = binding;
  if (declaration.type === 'VariableDeclarator') {
    const loop = parentOf(parentOf(declaration) ?? declaration);
    if (loop?.type === 'ForOfStatement' && parentOf(declaration) === loop.left) {
      const list = madeBy(loop.right, facts, steps + 1);
      return list && { ...list, isWhole: false, isElement: true };
    }
    if (!declaration.init || !facts.bindings.isConstant(binding)) return undefined;
    const made = madeBy(declaration.init, facts, steps + 1);
    // Of `const rows = result.rows`, the result still has them.
    return made && { ...made, isElement: false, isWhole: made.isWhole && /^(?:Call|Await)Expression$/.test(unwrap(declaration.init).type) };
  }
  // `rows.map((row) => structuredClone(row))`
  if (binding.kind !== 'param' || !isFunction(declaration) || declaration.params[0] !== binding.identifier) return undefined;
  const call = parentOf(declaration);
  if (!call || !isCall(call) || call.arguments[0] !== declaration) return undefined;
  const callee = unwrap(call.callee);
  if (!isMember(callee) || !PER_ELEMENT.test(memberName(callee) ?? '')) return undefined;
  const list = madeBy(callee.object, facts, steps + 1);
  return list && { ...list, isWhole: false, isElement: true };
}

function madeByAwaited(call: CallNode, facts: Facts): Made | undefined {
  const callee = unwrap(call.callee);
  const method = isMember(callee) ? memberName(callee) : undefined;
  // `await response.json()`
  if (method === 'json' && call.arguments.length === 0)
    return { from: 'parsed', isPlain: true, isRow: false, maker: textOf(callee, facts), isWhole: true, isElement: false };
  const text = facts.source.slice(call);
  for (let at: Node = call, i = 0; i < MAX_STEPS && isCall(at); i++) {
    const query = findQuery(at, facts, true);
    if (query) {
      if (query.isHttp) return undefined;
      const driver = QUERY_DRIVERS[query.code >> 1];
      // A text without a known package: a query of SQL.
      const isDocument = driver?.packages.some((name) => DOCUMENTS.test(name)) === true && !/\.lean\(|raw:\s{0,3}true/.test(text);
      if (isDocument || (!driver && hasDocuments(facts))) return undefined;
      const isSql = !driver || driver.shape === 'sql' || driver.shape === 'builder';
      return { from: 'rows', isPlain: false, isRow: isSql, maker: textOf(unwrap(at.callee), facts), isWhole: true, isElement: false };
    }
    const inner: Node = unwrap(at.callee);
    if (!isMember(inner)) return undefined;
    at = unwrap(inner.object);
  }
  return undefined;
}

function isCallOf(node: Node, name: string, facts: Facts): boolean {
  return isCall(node) && facts.origins.isGlobal(node.callee, name);
}

// Longer names are shortened.
const MAX_NAME = 40;

function textOf(node: Node, facts: Facts): string {
  const text = facts.source.slice(node).replaceAll(/\s+/g, ' ');
  return text.length <= MAX_NAME ? text : `${text.slice(0, MAX_NAME)}…`;
}
