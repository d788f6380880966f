// Reads what Node writes with `--log-deopt --log-ic --log-maps --no-log-maps-details`, line by line and in bounded memory.
// The same reader takes the logs of Node 18 to 26 (V8 10.2 to 14.6): only names of tags and numbers of kinds differ, and neither is used.
import { createReadStream } from 'node:fs';
import type { DeoptGroup, InlineCache, MapEvent, SourcePlace, TierEvent } from '../../protocol/evidence.ts';
import { CodeMap, type UserFunction } from './code-map.ts';
import { Deopts, type IsBenign } from './deopts.ts';
import { findFunctionName, readLocations, unescapeBytes, unescapeUnits } from './escapes.ts';
import { InlineCaches, isStateLetter } from './inline-caches.ts';
import { LIMITS, type Limits } from './limits.ts';
import { detached, LogFiles, Strings } from './log-files.ts';
import { ELEMENTS_EVENT, findMapEvent, MapEvents } from './map-events.ts';
import { propertyName, ShapeTable } from './shapes.ts';
import { findTier, Tiers, type TierMarker } from './tiers.ts';

export interface V8LogOptions {
  /**
   * Asked once for each file that the log names; everything else costs next to nothing. Paths of ES modules come decoded from their URL.
   */
  isUserFile(file: string): boolean;
  isBenign: IsBenign;
  limits?: Partial<Limits>;
}

export interface V8Log {
  tiers: TierEvent[];
  deopts: DeoptGroup[];
  inlineCaches: InlineCache[];
  mapEvents: MapEvent[];
  /** `14.6.202.34-node.34`, when the log says. */
  v8?: string;
  lines: number;
  /** Lines with a known prefix that no pattern took: more than a few mean that V8 changed its format. */
  unreadLines: number;
  /** Inline-cache lines of code that is not the user's, or not known. */
  foreignCacheLines: number;
  /** Deoptimizations in packages, and in Node's own code. */
  packageDeopts: number;
  coreDeopts: number;
  /** Events over a limit, which are not in the lists. */
  dropped: number;
}

/** Tags of code-creation lines that name functions. Node 18 has `LazyCompile` and `Function`, later ones `JS`. */
const FUNCTION_TAGS: ReadonlySet<string> = new Set(['JS', 'LazyCompile', 'Function', 'Eval', 'Script']);
/** The compilation of a whole script is no function of its own. */
const SCRIPT_TAGS: ReadonlySet<string> = new Set(['Eval', 'Script']);
/** Code outside of V8's heap: it takes no one's place. There are some 2,000 such lines at each start. */
const FIXED_CODE = /^code-creation,(?:Builtin|BytecodeHandler|Callback),/;
const CACHE_PREFIX = /^[A-Z][A-Za-z]*IC,/;
const ADDRESS = /^0x[0-9a-f]+$/i;
const MICROSECONDS_PER_MS = 1_000;
/** A function of `harness/preload.cjs`: it is called once, and compiled then. What V8 does after it is the harness's. */
const END_OF_PROGRAM = 'nodometerProgramEnds ';
/** No function is compiled to more; a larger size is a garbled line. */
const MAX_CODE_BYTES = 64 * 1024 * 1024;
/** V8 10.2 keeps maps where they are and 12.4 logs their moves; 11.3 (Node 20) moves them without a word. */
const MOVES_MAPS_UNSEEN = /^11\./;

const IN_PACKAGE = /[/\\]node_modules[/\\]/;

interface OptimizedCode {
  /** As the log writes it. */
  address: string;
  owner: UserFunction;
  marker: TierMarker;
  /** In ms. */
  at: number;
}

export class V8LogReader {
  private readonly limits: Limits;
  private readonly code: CodeMap;
  private readonly shapes: ShapeTable;
  private readonly tiers: Tiers;
  private readonly deopts: Deopts;
  private readonly caches: InlineCaches;
  private readonly mapEvents: MapEvents;
  private readonly options: V8LogOptions;
  private readonly files: LogFiles;
  private readonly strings: Strings;
  private rest = '';
  private skipping = false;
  /** By name and place as V8 wrote them. */
  private readonly owners = new Map<string, UserFunction>();
  /** V8's own records of the user's functions, by address: optimized code lists by them what was inlined. */
  private readonly functions = new Map<number, UserFunction>();
  private optimized: OptimizedCode | undefined;
  private v8: string | undefined;
  /** When V8 last made code before the program ended, in ms. */
  private lastAt = 0;
  private hasEnded = false;
  private lines = 0;
  private unreadLines = 0;
  private foreignCacheLines = 0;
  private packageDeopts = 0;
  private coreDeopts = 0;

  constructor(options: V8LogOptions) {
    this.options = options;
    this.limits = { ...LIMITS, ...options.limits };
    this.code = new CodeMap(this.limits.codeRanges);
    this.shapes = new ShapeTable(this.limits.maps);
    this.tiers = new Tiers(this.limits);
    this.deopts = new Deopts(this.limits);
    this.caches = new InlineCaches(this.limits);
    this.mapEvents = new MapEvents(this.limits);
    this.files = new LogFiles(options, this.limits);
    this.strings = new Strings(this.limits.places);
  }

  /** Takes the next piece of the log, cut anywhere. */
  write(chunk: string): void {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const line = this.rest === '' ? chunk.slice(start, end) : this.rest + chunk.slice(start, end);
      this.rest = '';
      start = end + 1;
      if (!this.skipping) this.readLine(line);
      this.skipping = false;
      this.lines++;
    }
    if (this.skipping || start >= chunk.length) return;
    this.rest += chunk.slice(start);
    if (this.rest.length > this.limits.lineLength) {
      this.rest = '';
      this.skipping = true;
    }
  }

  /** The last line of a process that was killed has no end. */
  end(): V8Log {
    if (this.rest !== '') {
      this.readLine(this.rest);
      this.lines++;
      this.rest = '';
    }
    return {
      tiers: this.tiers.result(),
      deopts: this.deopts.result(this.options.isBenign, this.lastAt),
      inlineCaches: this.caches.result(),
      mapEvents: this.mapEvents.result(),
      ...(this.v8 !== undefined && { v8: this.v8 }),
      lines: this.lines,
      unreadLines: this.unreadLines,
      foreignCacheLines: this.foreignCacheLines,
      packageDeopts: this.packageDeopts,
      coreDeopts: this.coreDeopts,
      dropped: this.code.dropped + this.tiers.dropped + this.deopts.dropped + this.caches.dropped + this.mapEvents.dropped,
    };
  }

  private readLine(text: string): void {
    const line = text.endsWith('\r') ? text.slice(0, -1) : text;
    if (!this.isTaken(line)) this.unreadLines++;
  }

  /** False for a line with a known prefix that cannot be read. */
  private isTaken(line: string): boolean {
    if (line.startsWith('code-')) {
      if (FIXED_CODE.test(line)) return true;
      if (line.startsWith('code-creation,')) return this.takeCreation(line.split(','));
      if (line.startsWith('code-move,')) return this.takeMove(line.split(','));
      if (line.startsWith('code-delete,')) return this.takeDeletion(line.split(','));
      if (line.startsWith('code-source-info,')) return this.takeInlined(line);
      if (line.startsWith('code-deopt,')) return this.takeDeopt(line.split(','));
      return true;
    }
    if (line.startsWith('sfi-move,')) return this.takeFunctionMove(line.split(','));
    if (line.startsWith('map-create,')) return this.takeBirth(line.split(','));
    if (line.startsWith('map-move,')) return this.takeMapMove(line.split(','));
    if (line.startsWith('map,')) return this.takeMap(line.split(','));
    if (line.startsWith('v8-version,')) return this.takeVersion(line.split(','));
    if (CACHE_PREFIX.test(line)) return this.takeCache(line.split(','));
    return true;
  }

  /** `v8-version,<major>,<minor>,<build>,<patch>[,<embedder>],<candidate>` */
  private takeVersion(fields: readonly string[]): boolean {
    const [, major, minor, build, patch, embedder] = fields;
    if (patch === undefined) return false;
    this.v8 = `${major}.${minor}.${build}.${patch}${embedder?.startsWith('-') ? embedder : ''}`;
    return true;
  }

  /** `code-creation,<tag>,<kind>,<us>,<address>,<size>,<name file:line:column>[,<address of the function>,<marker>]` */
  private takeCreation(fields: readonly string[]): boolean {
    const [, tag = '', , us = '', address = '', size = '', rawName, record, marker] = fields;
    const start = readAddress(address);
    const length = readNumber(size);
    const at = readNumber(us);
    if (start === undefined || length === undefined || at === undefined || rawName === undefined || length > MAX_CODE_BYTES) return false;
    if (!this.hasEnded) this.lastAt = at / MICROSECONDS_PER_MS;
    this.hasEnded ||= rawName.startsWith(END_OF_PROGRAM);
    if (!FUNCTION_TAGS.has(tag)) {
      this.code.clear(start, length);
      return true;
    }
    const tier = marker === undefined ? undefined : findTier(marker);
    const owner = this.findOwner(rawName);
    if (!owner) {
      this.code.clear(start, length);
      return tier !== undefined;
    }
    this.code.add(start, length, owner);
    if (!tier) return false;
    if (SCRIPT_TAGS.has(tag)) return true;
    this.tiers.take(owner, tier, at / MICROSECONDS_PER_MS);
    const recordAddress = readAddress(record);
    if (recordAddress !== undefined && this.functions.size < this.limits.codeRanges) this.functions.set(recordAddress, owner);
    if (tier.tier === 'maglev' || tier.tier === 'turbofan') {
      this.optimized = { address, owner, marker: tier, at: at / MICROSECONDS_PER_MS };
      this.deopts.optimized(owner, at / MICROSECONDS_PER_MS);
    }
    return true;
  }

  /** One and the same for all code of a function; undefined when it is not the user's. */
  private findOwner(rawName: string): UserFunction | undefined {
    const known = this.owners.get(rawName);
    if (known) return known;
    const parsed = findFunctionName(rawName);
    const file = parsed && this.files.get(parsed.rawFile, unescapeUnits);
    if (!parsed || !file?.isUser) return undefined;
    const owner: UserFunction = {
      name: this.strings.keep(unescapeUnits(parsed.name)),
      place: { file: file.path, line: parsed.line, column: parsed.column },
    };
    if (this.owners.size >= this.limits.places) this.owners.clear();
    this.owners.set(detached(rawName), owner);
    return owner;
  }

  /**
   * `code-source-info,<code>,<script>,<start>,<end>,<positions>,<inlined positions>,S<address of a function>S…`, next to its code-creation
   * line.
   */
  private takeInlined(line: string): boolean {
    const code = this.optimized;
    if (!code || !line.startsWith(`code-source-info,${code.address},`)) return true;
    this.optimized = undefined;
    const fields = line.split(',');
    const inlined = fields[7];
    if (inlined === undefined) return false;
    const owners = new Set(inlined.split('S').map((address) => this.functions.get(readAddress(address) ?? 0)));
    for (const owner of owners) if (owner && owner !== code.owner) this.tiers.take(owner, code.marker, code.at, code.owner);
    return true;
  }

  /** `sfi-move,<from>,<to>` */
  private takeFunctionMove(fields: readonly string[]): boolean {
    const from = readAddress(fields[1]);
    const to = readAddress(fields[2]);
    if (from === undefined || to === undefined) return false;
    const owner = this.functions.get(from);
    this.functions.delete(from);
    if (owner) this.functions.set(to, owner);
    else this.functions.delete(to);
    return true;
  }

  /** `code-move,<from>,<to>` */
  private takeMove(fields: readonly string[]): boolean {
    const from = readAddress(fields[1]);
    const to = readAddress(fields[2]);
    if (from === undefined || to === undefined || fields.length !== 3) return false;
    this.code.move(from, to);
    // Bytecode that moves tells of a collection that compacts, and maps are compacted with it.
    if (this.v8 !== undefined && MOVES_MAPS_UNSEEN.test(this.v8)) this.shapes.forget();
    return true;
  }

  /** `code-delete,<address>` */
  private takeDeletion(fields: readonly string[]): boolean {
    const address = readAddress(fields[1]);
    if (address === undefined) return false;
    this.code.delete(address);
    return true;
  }

  private takeDeopt(fields: readonly string[]): boolean {
    const [, us = '', , address = '', , , kind, location, reason] = fields;
    const at = readNumber(us);
    const code = readAddress(address);
    // A reason has no comma today; were one to come, it is kept whole.
    const words = fields.length > 9 ? fields.slice(8).join(',') : reason;
    if (at === undefined || code === undefined || !kind || !location?.startsWith('<') || !words) return false;
    const locations = readLocations(location);
    if (locations.length === 0 && location !== '<unknown>') return false;
    const owner = this.code.find(code);
    const files = locations.map(({ rawFile }) => this.files.get(rawFile, unescapeBytes));
    const [place, ...inlinedAt] = locations.map(
      ({ line, column }, index): SourcePlace => ({ file: files[index]?.path ?? '', line, column }),
    );
    const base = { kind: this.strings.keep(kind), reason: this.strings.keep(words), at: at / MICROSECONDS_PER_MS, owner };
    if (place) {
      if (!owner && !files.some(({ isUser }) => isUser)) {
        if (IN_PACKAGE.test(place.file)) this.packageDeopts++;
        else if (place.file.startsWith('node:')) this.coreDeopts++;
        return true;
      }
      // Code that was dropped because of something elsewhere has no place of its own: V8 gives the function's.
      this.deopts.take({ ...base, place, placement: kind === 'dependency-change' ? 'function' : 'exact', inlinedAt });
    } else if (owner) this.deopts.take({ ...base, place: owner.place, placement: 'function', inlinedAt: [] });
    return true;
  }

  private takeCache(fields: readonly string[]): boolean {
    const [kind = '', pc, us = '', line = '', column = '', oldState = '', newState = '', map, key, modifier = ''] = fields;
    const address = readAddress(pc);
    const mapAddress = readAddress(map);
    if (address === undefined || mapAddress === undefined || key === undefined || fields.length < 11 || readNumber(us) === undefined)
      return false;
    if (readInteger(line) === undefined || readInteger(column) === undefined || !isStateLetter(oldState) || !isStateLetter(newState))
      return false;
    const name = propertyName(unescapeUnits(key));
    if (mapAddress !== 0 && this.shapes.takeProbe(mapAddress, name)) return true;
    const owner = this.code.find(address);
    if (!owner || Number(line) < 1 || Number(column) < 1) {
      this.foreignCacheLines++;
      return true;
    }
    this.caches.take({
      kind: this.strings.keep(kind),
      place: { file: owner.place.file, line: Number(line), column: Number(column) },
      oldState,
      newState,
      shape: mapAddress === 0 ? undefined : this.shapes.get(mapAddress),
      key: this.strings.keep(name),
      modifier,
    });
    return true;
  }

  private takeBirth(fields: readonly string[]): boolean {
    const address = readAddress(fields[2]);
    if (address === undefined) return false;
    this.shapes.born(address);
    return true;
  }

  /** `map-move,<us>,<from>,<to>` */
  private takeMapMove(fields: readonly string[]): boolean {
    const from = readAddress(fields[2]);
    const to = readAddress(fields[3]);
    if (from === undefined || to === undefined || fields.length !== 4) return false;
    this.shapes.move(from, to);
    return true;
  }

  private takeMap(fields: readonly string[]): boolean {
    const [, type = '', us = '', fromField, toField, pcField, line = '', column = '', reason = '', name] = fields;
    const from = readAddress(fromField);
    const to = readAddress(toField);
    const pc = readAddress(pcField);
    if (
      from === undefined ||
      to === undefined ||
      pc === undefined ||
      name === undefined ||
      readNumber(us) === undefined ||
      readInteger(line) === undefined ||
      readInteger(column) === undefined
    )
      return false;
    const owner = Number(line) < 1 || Number(column) < 1 ? undefined : this.code.find(pc);
    const place = owner && { file: owner.place.file, line: Number(line), column: Number(column) };
    const mapLine = { type, from, to, reason: this.strings.keep(unescapeUnits(reason)), name: this.strings.keep(unescapeUnits(name)) };
    this.shapes.take(mapLine, place);
    const event = place && (this.shapes.isOfElements(mapLine) ? ELEMENTS_EVENT : findMapEvent(mapLine));
    if (event !== undefined && place) this.mapEvents.take(event, event === ELEMENTS_EVENT ? '' : mapLine.name, place);
    return true;
  }
}

function readAddress(field: string | undefined): number | undefined {
  return field !== undefined && ADDRESS.test(field) ? Number(field) : undefined;
}

function readNumber(field: string): number | undefined {
  return /^\d+$/.test(field) ? Number(field) : undefined;
}

function readInteger(field: string): number | undefined {
  return /^-?\d+$/.test(field) ? Number(field) : undefined;
}

/** Reads one log file; fails as reading a file fails. */
export async function readV8Log(file: string, options: V8LogOptions): Promise<V8Log> {
  const reader = new V8LogReader(options);
  // The log is ASCII; a garbled byte is to stay one character.
  for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: 64 * 1024 })) reader.write(String(chunk));
  return reader.end();
}
