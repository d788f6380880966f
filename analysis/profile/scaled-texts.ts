// Which texts a finding is about, and where they stand in the arguments of a call or in a request: what a run lengthens to tell how the
// time grows with them. Only places that the code itself names: nothing is guessed.
import type { AttackText } from '../../protocol/attack.ts';
import { isJsonAttack } from '../../protocol/attack.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { Facts } from '../facts/index.ts';
import {
  contains,
  findAncestor,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';

export interface TextPlace {
  /** An argument of the profiled function by its number, the body of the request, or its query. */
  from: number | 'body' | 'query';
  /** Properties on the way to the text. */
  keys: readonly string[];
}

export type ScaledText =
  /** Split at this into a list; repeated part by part. */
  | { at: TextPlace; separator: string }
  /** Replaced by the text of the finding. `most`: characters that the place accepts, as far as the rule knows. */
  | { at: TextPlace; attack: AttackText; most: number };

const MOST_STEPS = 8;
const MOST_TEXTS = 4;
/** Regular expressions that split, with a text that each of them matches. */
const SEPARATORS: ReadonlyMap<string, string> = new Map([
  ['\\n', '\n'],
  ['\\n+', '\n'],
  ['\\r?\\n', '\n'],
  ['\\r\\n|\\n', '\n'],
  ['\\r\\n|\\r|\\n', '\n'],
  ['[\\r\\n]+', '\n'],
  ['\\s', ' '],
  ['\\s+', ' '],
  [' +', ' '],
  [',', ','],
  [',\\s*', ','],
  ['\\s*,\\s*', ','],
  [';\\s*', ';'],
  ['[,;]', ','],
]);
/** Text in, the same text out, as far as its length is concerned. */
const SAME_TEXT: ReadonlySet<string> = new Set([
  'trim',
  'trimStart',
  'trimEnd',
  'toString',
  'toLowerCase',
  'toUpperCase',
  'normalize',
  'valueOf',
]);
const OF_EXPRESSION: ReadonlySet<string> = new Set(['test', 'exec']);
const OF_TEXT: ReadonlySet<string> = new Set(['match', 'matchAll', 'replace', 'replaceAll', 'search', 'split']);
const BODY: ReadonlySet<string> = new Set(['body', 'payload']);

/** @param fn what is called @param isServed requests are sent in place of calls */
export function scaledTextsOf(
  finding: Pick<Finding, 'ruleId' | 'span' | 'attack'>,
  facts: Facts,
  { fn, isServed }: { fn: FunctionNode; isServed: boolean },
): ScaledText[] {
  const search = new Places(facts, fn, isServed);
  const { attack } = finding;
  if (attack) {
    // What is exponential needs no length: its text is tried in a process of its own. So is JSON, whose time grows with its length.
    if (isJsonAttack(attack) || attack.isExponential) return [];
    const { prefix, pump, suffix, size: most } = attack;
    const places = textsOfExpression(finding, facts).flatMap((text) => search.placeOf(text) ?? []);
    return unique(places.map((at) => ({ at, attack: { prefix, pump, suffix }, most }))).slice(0, MOST_TEXTS);
  }
  if (finding.ruleId !== 'no-quadratic') return [];
  const splits = facts.module.nodes('CallExpression').flatMap((call): ScaledText[] => {
    const callee = unwrap(call.callee);
    if (!isMember(callee) || memberName(callee) !== 'split') return [];
    const separator = separatorOf(call.arguments[0]);
    const at = separator === undefined ? undefined : search.placeOf(callee.object);
    return at && separator !== undefined ? [{ at, separator }] : [];
  });
  return unique(splits).slice(0, MOST_TEXTS);
}

function unique(texts: readonly ScaledText[]): ScaledText[] {
  return [...new Map(texts.map((one) => [JSON.stringify(one.at), one])).values()];
}

function separatorOf(node: Node | undefined): string | undefined {
  const value = node && unwrap(node);
  if (value?.type === 'StringLiteral') return value.value === '' ? undefined : value.value;
  return value?.type === 'RegExpLiteral' ? SEPARATORS.get(value.pattern) : undefined;
}

/** What the expression at the finding is applied to. */
function textsOfExpression({ span }: Pick<Finding, 'span'>, facts: Facts): Node[] {
  const literals = facts.module.nodes('RegExpLiteral').filter(({ start }) => start === span.start);
  const constructed = facts.module.nodes('NewExpression').filter(({ start }) => start === span.start);
  return [...literals, ...constructed].flatMap((expression) => {
    const holder = parentOf(expression);
    const binding =
      holder?.type === 'VariableDeclarator' && holder.init === expression && holder.id.type === 'Identifier'
        ? facts.bindings.resolve(holder.id)
        : undefined;
    const places: Node[] = [expression, ...(binding && facts.bindings.isConstant(binding) ? facts.bindings.references(binding) : [])];
    return places.flatMap((place) => textAt(place) ?? []);
  });
}

/** `expression.test(text)`, `text.replace(expression, …)` */
function textAt(expression: Node): Node | undefined {
  const parent = parentOf(expression);
  if (!parent) return undefined;
  if (isMember(parent) && parent.object === expression && OF_EXPRESSION.has(memberName(parent) ?? '')) {
    const call = parentOf(parent);
    return call && isCall(call) && call.callee === parent ? (call.arguments[0] as Node | undefined) : undefined;
  }
  if (!isCall(parent) || parent.arguments[0] !== expression) return undefined;
  const callee = unwrap(parent.callee as Node);
  return isMember(callee) && OF_TEXT.has(memberName(callee) ?? '') ? callee.object : undefined;
}

/** Follows a value back to what the call or the request hands over. */
class Places {
  readonly #facts: Facts;
  readonly #fn: FunctionNode;
  readonly #isServed: boolean;

  constructor(facts: Facts, fn: FunctionNode, isServed: boolean) {
    this.#facts = facts;
    this.#fn = fn;
    this.#isServed = isServed;
  }

  placeOf(node: Node, keys: readonly string[] = [], steps = 0): TextPlace | undefined {
    if (steps > MOST_STEPS) return undefined;
    const value = unwrap(node);
    const next = (inner: Node, more: readonly string[] = []): TextPlace | undefined => this.placeOf(inner, [...more, ...keys], steps + 1);
    if (isMember(value)) {
      const name = memberName(value);
      if (name === undefined) return undefined;
      return this.#ofRequest([name, ...keys]) ?? next(value.object, [name]);
    }
    if (value.type === 'LogicalExpression' && value.operator !== '&&') return next(value.left);
    if (value.type === 'AwaitExpression') return next(value.argument);
    if (value.type === 'Identifier') return this.#ofIdentifier(value, keys, steps);
    if (value.type === 'CallExpression' || value.type === 'OptionalCallExpression') return this.#ofCall(value, keys, next);
    return undefined;
  }

  /** `body.text`; of a request, whatever it is a member of. */
  #ofRequest(keys: readonly string[]): TextPlace | undefined {
    const [first = '', ...rest] = keys;
    if (!this.#isServed) return undefined;
    if (BODY.has(first)) return { from: 'body', keys: rest };
    return first === 'query' && rest.length === 1 ? { from: 'query', keys: rest } : undefined;
  }

  #ofCall(
    call: t.CallExpression | t.OptionalCallExpression,
    keys: readonly string[],
    next: (inner: Node, more?: readonly string[]) => TextPlace | undefined,
  ): TextPlace | undefined {
    const callee = unwrap(call.callee);
    const [first] = call.arguments;
    if (callee.type === 'Identifier') return callee.name === 'String' && first ? next(first) : undefined;
    if (!isMember(callee)) return undefined;
    const name = memberName(callee) ?? '';
    if (SAME_TEXT.has(name)) return next(callee.object);
    if (!this.#isServed) return undefined;
    // `await request.json()`, `JSON.parse(text)`: of a handler, the body.
    if (name === 'json' && call.arguments.length === 0) return { from: 'body', keys };
    if (name === 'parse' && callee.object.type === 'Identifier' && callee.object.name === 'JSON') return { from: 'body', keys };
    // `c.req.query('text')`, `searchParams.get('text')`
    const isQuery = name === 'query' || (name === 'get' && isMember(callee.object) && memberName(callee.object) === 'searchParams');
    return isQuery && first?.type === 'StringLiteral' && keys.length === 0 ? { from: 'query', keys: [first.value] } : undefined;
  }

  #ofIdentifier(identifier: t.Identifier, keys: readonly string[], steps: number): TextPlace | undefined {
    const binding = this.#facts.bindings.resolve(identifier);
    if (!binding) return undefined;
    const { declaration } = binding;
    if (declaration.type === 'VariableDeclarator' && declaration.init) {
      if (!this.#facts.bindings.isConstant(binding)) return undefined;
      const inner = keysOfPattern(declaration.id, binding.identifier);
      if (!inner) return undefined;
      const all = [...inner, ...keys];
      return this.#ofRequest(all) ?? this.placeOf(declaration.init, all, steps + 1);
    }
    if (binding.kind !== 'param' || !isFunction(declaration)) return undefined;
    const index = declaration.params.findIndex((param) => contains(param, binding.identifier));
    const param = declaration.params[index];
    const inner = param && keysOfPattern(param, binding.identifier);
    if (!inner) return undefined;
    const all = [...inner, ...keys];
    if (this.#isServed) return this.#ofRequest(all) ?? this.#ofCallers(declaration, index, all, steps);
    if (declaration === this.#fn) return { from: index, keys: all };
    return this.#ofCallers(declaration, index, all, steps);
  }

  /** Several callers that hand over different things are not told apart: the first one counts that is known. */
  #ofCallers(fn: FunctionNode, index: number, keys: readonly string[], steps: number): TextPlace | undefined {
    for (const { edge } of this.#facts.calls.callersOf(fn).slice(0, MOST_STEPS)) {
      const site = edge.via === 'callback' ? undefined : findAncestorCall(edge.site);
      const argument = site?.arguments[index];
      const place = argument && argument.type !== 'SpreadElement' ? this.placeOf(argument as Node, keys, steps + 1) : undefined;
      if (place) return place;
    }
    return undefined;
  }
}

function findAncestorCall(site: Node): t.CallExpression | t.OptionalCallExpression | t.NewExpression | undefined {
  const call = isCall(site) ? site : findAncestor(site, isCall);
  return call && isCall(call) ? call : undefined;
}

/** `{ body: { text } }` leads to `text` by `body` and `text`; undefined for rests and for elements of arrays. */
function keysOfPattern(pattern: Node, identifier: t.Identifier): string[] | undefined {
  if (pattern === identifier) return [];
  if (pattern.type === 'AssignmentPattern') return keysOfPattern(pattern.left, identifier);
  if (pattern.type === 'TSParameterProperty') return keysOfPattern(pattern.parameter, identifier);
  if (pattern.type !== 'ObjectPattern') return undefined;
  for (const property of pattern.properties) {
    if (property.type !== 'ObjectProperty' || !contains(property.value, identifier)) continue;
    const name = staticName(property.key, property.computed);
    const inner = name === undefined ? undefined : keysOfPattern(property.value, identifier);
    return name === undefined || !inner ? undefined : [name, ...inner];
  }
  return undefined;
}
