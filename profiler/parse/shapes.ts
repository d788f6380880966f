// V8's maps ("shapes", "hidden classes") as the log tells of them: which properties in which order, made by whom.
import type { Shape, SourcePlace } from '../../protocol/evidence.ts';
import { PROBE_ELEMENTS, PROBE_ROOT, PROBE_VALUE } from './shape-probe.ts';

/** One map of V8 during its life. */
export interface ShapeNode {
  address: number;
  /** Counts the maps that were at this address. */
  life: number;
  /** It comes from this map by one property more, or as a copy when there is no `property`. */
  parent?: ShapeNode;
  property?: string;
  /** Known to have no properties. */
  isRoot: boolean;
  constructorName?: string;
  elements?: string;
  dictionary: boolean;
  /** V8 has replaced it by another with the same properties. */
  deprecated: boolean;
  /** Where it got its first property. */
  place?: SourcePlace;
  /** Of a map without properties: where each first property came, so that a map that V8 replaces keeps its place. */
  firstPlaces?: Map<string, SourcePlace>;
}

/** A line `map,<type>,<us>,<from>,<to>,<pc>,<line>,<column>,<reason>,<name>`. */
export interface MapLine {
  type: string;
  from: number;
  to: number;
  reason: string;
  name: string;
}

const SYMBOL = /^symbol\((?:"(.*)" )?hash [0-9a-f]+\)$/;
const UNDESCRIBED_SYMBOL = /^symbol\(hash /;

/** The property's name as its author would write it: `Symbol(tag)` and `#field` are symbols to V8. */
export function propertyName(name: string): string {
  const symbol = SYMBOL.exec(name);
  if (!symbol) return name;
  const description = symbol[1] ?? '';
  return description.startsWith('#') ? description : `Symbol(${description})`;
}

/** Objects have at most some thousand properties outside of dictionaries; a longer chain is a garbled log. */
const MAX_PROPERTIES = 2_000;

export class ShapeTable {
  /** The maps that were named last, and those before them, which are forgotten when the first are too many. */
  private recent = new Map<number, ShapeNode>();
  private older = new Map<number, ShapeNode>();
  /** How often an address was used for a map: it names two shapes when V8 uses memory again. */
  private readonly lives = new Map<number, number>();
  /** To freeze or seal an object, V8 adds a symbol of its own to the map. It has no description; the probe shows which ones they are. */
  private readonly integritySymbols = new Set<string>();
  /** Known once the probe has run. */
  private elementsSymbol: string | undefined;
  private readonly half: number;

  /** At most `limit` maps are known at a time: some programs make one for each request. */
  constructor(limit: number) {
    this.half = Math.max(1, Math.floor(limit / 2));
  }

  get size(): number {
    return this.recent.size + this.older.size;
  }

  /** `map-create`: whatever was at this address is gone. */
  born(address: number): void {
    if (!this.drop(address)) return;
    if (this.lives.size >= this.half) this.lives.clear();
    this.lives.set(address, (this.lives.get(address) ?? 1) + 1);
  }

  /** `map-move`: the collector moves maps, too; from Node 22 on it says so. */
  move(from: number, to: number): void {
    const node = this.find(from);
    this.drop(from);
    this.drop(to);
    if (node) this.keep(to, node);
  }

  /** Maps may have moved unseen: an address tells nothing any more. Shapes that places have met already stay what they are. */
  forget(): void {
    this.recent.clear();
    this.older.clear();
  }

  get(address: number): ShapeNode {
    const known = this.find(address);
    if (known) return known;
    const node: ShapeNode = { address, life: this.lives.get(address) ?? 1, isRoot: false, dictionary: false, deprecated: false };
    this.keep(address, node);
    return node;
  }

  private find(address: number): ShapeNode | undefined {
    const recent = this.recent.get(address);
    if (recent) return recent;
    const older = this.older.get(address);
    if (!older) return undefined;
    this.older.delete(address);
    this.keep(address, older);
    return older;
  }

  private keep(address: number, node: ShapeNode): void {
    if (this.recent.size >= this.half) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(address, node);
  }

  private drop(address: number): boolean {
    const isRecent = this.recent.delete(address);
    return this.older.delete(address) || isRecent;
  }

  /** Takes one line in; `place` is where it happened, when that is in the user's code. */
  take(line: MapLine, place: SourcePlace | undefined): void {
    if (line.type === 'Deprecate') {
      this.get(line.from).deprecated = true;
      return;
    }
    if (line.to === 0) return;
    const node = this.get(line.to);
    if (line.type === 'InitialMap') {
      // `init class constructor` and `init class prototype` are the maps of the class itself, which have properties from the start.
      if (line.reason !== '') return;
      node.isRoot = true;
      if (line.name !== '') node.constructorName = propertyName(line.name);
      return;
    }
    const parent = this.get(line.from);
    if (line.type === 'Normalize' || line.type === 'NormalizeCached') {
      node.dictionary = true;
      node.constructorName ??= parent.constructorName;
      return;
    }
    // From a dictionary back to properties: which ones, the log does not say.
    if (line.type === 'SlowToFast') return;
    if (line.reason === 'MapCreate') {
      node.isRoot = true;
      return;
    }
    if (node.parent || node.isRoot || parent === node) return;
    const name = propertyName(line.name);
    if (name === PROBE_ROOT) {
      parent.isRoot = true;
      parent.constructorName ??= 'Object';
    }
    if (parent.property === PROBE_ROOT && UNDESCRIBED_SYMBOL.test(line.name)) this.integritySymbols.add(line.name);
    if (parent.property === PROBE_ELEMENTS && UNDESCRIBED_SYMBOL.test(line.name)) this.elementsSymbol = line.name;
    const isProperty = line.name !== '' && line.name !== this.elementsSymbol && !this.integritySymbols.has(line.name);
    node.parent = parent;
    if (isProperty) node.property = name;
    node.constructorName = parent.constructorName;
    node.place = parent.place ?? firstPlace(parent, line.name, place);
  }

  /** Whether an array's elements went over to another kind; that is no property more. */
  isOfElements({ type, name }: MapLine): boolean {
    return type === 'Transition' && name !== '' && name === this.elementsSymbol;
  }

  /** A probe's read tells what the map is. */
  takeProbe(address: number, property: string): boolean {
    if (!property.startsWith(PROBE_VALUE)) return false;
    const [constructorName, ...elements] = property.slice(PROBE_VALUE.length).split('_');
    const node = this.get(address);
    node.constructorName = constructorName;
    if (elements.length > 0) node.elements = elements.join('_');
    if (constructorName === 'Object') node.isRoot = true;
    return true;
  }
}

function firstPlace(parent: ShapeNode, name: string, place: SourcePlace | undefined): SourcePlace | undefined {
  const known = parent.firstPlaces?.get(name);
  if (known || !place) return known;
  parent.firstPlaces ??= new Map();
  if (parent.firstPlaces.size < MAX_PROPERTIES) parent.firstPlaces.set(name, place);
  return place;
}

export function findProperties(node: ShapeNode): string[] | undefined {
  const names: string[] = [];
  for (let at: ShapeNode | undefined = node; at && names.length < MAX_PROPERTIES; at = at.parent) {
    if (at.dictionary) return undefined;
    if (at.property !== undefined) names.push(at.property);
    if (at.isRoot) return names.reverse();
  }
  return undefined;
}

export function describeShape(node: ShapeNode): Shape {
  const properties = findProperties(node);
  return {
    id: `0x${node.address.toString(16)}${node.life === 1 ? '' : `#${node.life}`}`,
    ...(properties && { properties }),
    ...(node.place && { madeAt: node.place }),
    ...(node.constructorName !== undefined && { constructorName: node.constructorName }),
    ...(node.elements !== undefined && { elements: node.elements }),
    dictionary: node.dictionary,
  };
}
