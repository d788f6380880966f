// Groups the values that a subject gets into the kinds that V8 distinguishes for one use of it, and picks the odd one out.
import { functionName, isClass, isFunction, staticName, type ClassNode, type Node, type t } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { compareShapes, type Shape } from '../../analysis/facts/shapes.ts';
import { isNumeric, type ValueType } from '../../analysis/facts/value-types.ts';
import type { Feed } from './feeds.ts';
import type { Use } from './uses.ts';

export interface Kind {
  /** For messages: `a number`, `{ x, y }`, `a Circle`, `double()`. */
  label: string;
  feeds: Feed[];
}

export type Family = 'types' | 'shapes' | 'receivers' | 'targets';

export interface Mix {
  family: Family;
  use: Use;
  /** The functions that the use runs, as far as the file shows them; `undefined` for an unknown one. */
  targets: (Node | undefined)[];
  /** In source order of their first feed; at least two. */
  kinds: Kind[];
}

/** The kinds that meet at a use; undefined if there is only one. */
export function findMix(use: Use, feeds: readonly Feed[], facts: Facts): Mix | undefined {
  const mix = mixAt(use, feeds);
  // The functions that the use runs: one of each kind represents it.
  if (mix && (use.kind === 'method' || use.kind === 'call'))
    mix.targets.push(...mix.kinds.map((kind) => targetOf((kind.feeds[0] as Feed).type, use, facts)));
  return mix;
}

function mixAt(use: Use, feeds: readonly Feed[]): Mix | undefined {
  switch (use.kind) {
    case 'operator':
      return mixOf(
        'types',
        use,
        feeds,
        (type) => primitiveClass(type),
        (a, b) => a === b,
        (key) => key,
      );
    case 'property':
      return mixOf('shapes', use, feeds, knownShape, isSameShape, shapeLabel);
    case 'method':
      return (
        mixOf('receivers', use, feeds, knownShape, isSameShape, shapeLabel) ??
        // One shape, but each literal has its own function: `{ run() { … } }`.
        mixOf(
          'targets',
          use,
          feeds,
          (type) =>
            type.kind === 'object' && type.shape.source.type === 'ObjectExpression'
              ? literalMethod(type.shape.source, use.name)
              : undefined,
          (a, b) => a === b,
          () => `another \`${use.name}\``,
        )
      );
    case 'call':
      return mixOf(
        'targets',
        use,
        feeds,
        (type) => (type.kind === 'function' ? type.target : undefined),
        (a, b) => a === b,
        (node) => {
          const name = isFunction(node) ? functionName(node) : isClass(node) ? node.id?.name : undefined;
          return name ? `\`${name}\`` : 'an inline function';
        },
      );
  }
}

function mixOf<K>(
  family: Family,
  use: Use,
  feeds: readonly Feed[],
  keyOf: (type: ValueType) => K | undefined,
  isSame: (a: K, b: K) => boolean,
  label: (key: K) => string,
): Mix | undefined {
  const kinds: (Kind & { key: K })[] = [];
  for (const feed of feeds) {
    const key = keyOf(feed.type);
    if (key === undefined) continue;
    const known = kinds.find((kind) => isSame(kind.key, key));
    if (known) known.feeds.push(feed);
    else kinds.push({ key, label: label(key), feeds: [feed] });
  }
  return kinds.length > 1 ? { family, use, kinds, targets: [] } : undefined;
}

/** Numbers are one class. When an integer becomes a fraction, V8 changes its representation, not the kind. */
function primitiveClass(type: ValueType): string | undefined {
  if (isNumeric(type)) return 'a number';
  switch (type.kind) {
    case 'string':
      return 'a string';
    case 'boolean':
      return 'a boolean';
    case 'bigint':
      return 'a bigint';
    case 'builtin':
      return type.name === 'Date' ? 'a Date' : undefined;
    default:
      return undefined;
  }
}

/** An object with unknown keys could have any shape. An instance is at least identified by its class. */
function knownShape(type: ValueType): Shape | undefined {
  return type.kind === 'object' && (type.shape.isComplete || type.shape.made === 'instance') ? type.shape : undefined;
}

/** Shapes that cannot be distinguished count as one. */
function isSameShape(a: Shape, b: Shape): boolean {
  return compareShapes(a, b) !== 'different';
}

// A message names at most this many keys.
const KEYS_SHOWN = 5;

function shapeLabel(shape: Shape): string {
  const { source } = shape;
  if (shape.made === 'instance') {
    const name = isClass(source) ? source.id?.name : isFunction(source) ? functionName(source) : undefined;
    if (name) return `${/^[AEIOU]/i.test(name) ? 'an' : 'a'} \`${name}\``;
  }
  const more = shape.keys.length > KEYS_SHOWN || !shape.isComplete ? ', …' : '';
  return `\`{ ${shape.keys.slice(0, KEYS_SHOWN).join(', ')}${more} }\``;
}

/** The function that the use runs for a value of that type. */
function targetOf(type: ValueType, use: Use, facts: Facts): Node | undefined {
  if (use.kind === 'call') return type.kind === 'function' ? type.target : undefined;
  if (type.kind !== 'object') return undefined;
  const { source } = type.shape;
  return source.type === 'ObjectExpression'
    ? literalMethod(source, use.name)
    : isClass(source)
      ? classMethod(source, use.name, facts)
      : undefined;
}

function literalMethod(literal: t.ObjectExpression, name: string): Node | undefined {
  const property = literal.properties.find((item) => item.type !== 'SpreadElement' && staticName(item.key, item.computed) === name);
  if (property?.type === 'ObjectMethod') return property;
  return property?.type === 'ObjectProperty' && isFunction(property.value) ? property.value : undefined;
}

// The longest chain of superclasses to follow. Readable code has no longer ones.
const MAX_SUPERCLASSES = 8;

function classMethod(owner: ClassNode, name: string, facts: Facts): Node | undefined {
  for (let at: ClassNode | undefined = owner, steps = 0; at && steps < MAX_SUPERCLASSES; steps++) {
    const own = at.body.body.find(
      (item) =>
        (item.type === 'ClassMethod' || item.type === 'ClassProperty') &&
        !item.static &&
        staticName(item.key, Boolean(item.computed)) === name,
    );
    if (own) return own.type === 'ClassProperty' ? (isFunction(own.value) ? own.value : undefined) : own;
    at = at.superClass ? facts.holders.classOf(at.superClass) : undefined;
  }
  return undefined;
}

/** The kind that stands out: one that no hot place passes, else the one with the fewest places, else the last one. */
export function oddKind(kinds: readonly Kind[]): Kind {
  const [first, ...rest] = kinds;
  let odd = first as Kind;
  for (const kind of rest) {
    if (isHot(odd) !== isHot(kind)) {
      if (!isHot(kind)) odd = kind;
    } else if (kind.feeds.length <= odd.feeds.length) odd = kind;
  }
  return odd;
}

export function isHot(kind: Kind): boolean {
  return kind.feeds.some((feed) => feed.getHeat() !== 'cold');
}

// V8 remembers up to four shapes at one place. The fifth makes it megamorphic, which is the measured cliff.
const MEGAMORPHIC = 5;

/** Whether there are enough kinds to make the place megamorphic. Two types of an operand are as many as there can be. */
export function isMegamorphic({ family, kinds }: Mix): boolean {
  return family !== 'types' && kinds.length >= MEGAMORPHIC;
}
