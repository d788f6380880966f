// What V8 remembers at each property access, from the lines `<kind>IC,<pc>,<us>,<line>,<column>,<old>,<new>,<map>,<key>,<modifier>,<slow
// reason>`.
import type { CacheState, InlineCache, Shape, SourcePlace } from '../../protocol/evidence.ts';
import type { Limits } from './limits.ts';
import { describeShape, findProperties, type ShapeNode } from './shapes.ts';

/**
 * V8's letters. `X`: the function has no feedback yet; `^`: one shape, whose handler is made anew. `D` and `G` were never met on Node 18 to
 * 26.
 */
const STATES: ReadonlyMap<string, CacheState> = new Map([
  ['X', 'uninitialized'],
  ['0', 'uninitialized'],
  ['1', 'monomorphic'],
  ['^', 'monomorphic'],
  ['P', 'polymorphic'],
  ['N', 'megamorphic'],
  ['D', 'megamorphic'],
  ['G', 'megamorphic'],
]);
const NO_FEEDBACK = 'X';
/** `.IGNORE_OOB` on Node 18, 20 and some places of 24, `.OOB` on others (18 to 26). */
const OUT_OF_BOUNDS = /OOB/;
const ORDER: readonly CacheState[] = ['uninitialized', 'monomorphic', 'polymorphic', 'megamorphic'];

export function isStateLetter(letter: string): boolean {
  return STATES.has(letter);
}

export interface CacheLine {
  kind: string;
  place: SourcePlace;
  oldState: string;
  newState: string;
  shape: ShapeNode | undefined;
  key: string;
  /** `.OOB`, `.STORE+COW`, …: what the access had to be ready for. */
  modifier: string;
}

interface Site {
  place: SourcePlace;
  kind: string;
  /** Undefined once a second key came. */
  property: string | undefined;
  state: CacheState;
  shapes: ShapeNode[];
  misses: number;
  megamorphicMisses: number;
  outOfBounds: boolean;
}

export class InlineCaches {
  private readonly sites = new Map<string, Site>();
  private shapes = 0;
  private readonly limits: Limits;
  dropped = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  take(line: CacheLine): void {
    const id = `${line.kind} ${line.place.line}:${line.place.column} ${line.place.file}`;
    let site = this.sites.get(id);
    if (!site) {
      if (this.sites.size >= this.limits.places) {
        this.dropped++;
        return;
      }
      site = {
        place: line.place,
        kind: line.kind,
        property: line.key,
        state: 'uninitialized',
        shapes: [],
        misses: 0,
        megamorphicMisses: 0,
        outOfBounds: false,
      };
      this.sites.set(id, site);
    }
    if (site.property !== line.key) site.property = undefined;
    if (line.newState === NO_FEEDBACK) return;
    site.misses++;
    if (OUT_OF_BOUNDS.test(line.modifier)) site.outOfBounds = true;
    const wasMegamorphic = STATES.get(line.oldState) === 'megamorphic';
    if (wasMegamorphic) site.megamorphicMisses++;
    const state = STATES.get(line.newState) ?? 'uninitialized';
    if (ORDER.indexOf(state) > ORDER.indexOf(site.state)) site.state = state;
    if (
      line.shape &&
      site.shapes.length < this.limits.shapesPerPlace &&
      this.shapes < this.limits.shapesAllPlaces &&
      !site.shapes.includes(line.shape)
    ) {
      site.shapes.push(line.shape);
      this.shapes++;
    }
  }

  /** In the order of the source. */
  result(): InlineCache[] {
    return [...this.sites.values()]
      .map((site) => {
        const nodes = withoutReplaced(site.shapes);
        return {
          place: site.place,
          kind: site.kind,
          property: site.property ?? '',
          state: site.state,
          shapes: nodes.slice(0, this.limits.describedShapes).map((node): Shape => describeShape(node)),
          shapeCount: nodes.length,
          misses: site.misses,
          megamorphicMisses: site.megamorphicMisses,
          ...(site.outOfBounds && { outOfBounds: true }),
        };
      })
      .sort((a, b) => comparePlaces(a.place, b.place) || (a.kind < b.kind ? -1 : Number(a.kind > b.kind)));
  }
}

/** V8 replaces a map when a field's type widens; the source knows one shape where the log has two. */
function withoutReplaced(nodes: readonly ShapeNode[]): readonly ShapeNode[] {
  if (!nodes.some((node) => node.deprecated)) return nodes;
  const current = new Set(
    nodes
      .filter((node) => !node.deprecated)
      .map(signature)
      .filter((text) => text !== undefined),
  );
  return nodes.filter((node) => !node.deprecated || !current.has(signature(node) ?? ''));
}

function signature(node: ShapeNode): string | undefined {
  const properties = findProperties(node);
  return properties && JSON.stringify([node.constructorName ?? '', properties]);
}

export function comparePlaces(a: SourcePlace, b: SourcePlace): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
