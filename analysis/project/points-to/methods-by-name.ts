// Methods of objects whose creation is not visible, such as a document that a query returns. They are bound by name if the name is rare and
// belongs to one function.
import { FunctionFlag, ObjectKind, SITE_STRIDE, SiteField } from '../summary/format.ts';
import type { FileBase, Numbering } from './numbering.ts';
import { NONE } from './propagation.ts';
import type { Solver } from './solver.ts';
import type { CallRecord } from './tasks.ts';

/** Shorter names are too common. */
const SHORTEST = 6;
/** Rounds of binding and solving: a call that was bound may return the receiver of another. */
const MAX_ROUNDS = 2;

/**
 * Of several words. One word (`content`) is also what any other object calls its own method, and is not looked for in tables of tables:
 * `{ Template: { content() {} } }` are resolvers, which a framework calls.
 */
const COMPOUND = /[a-z\d][A-Z_$]/;
/** Of a schema: `{ methods: { authenticate() {} } }` */
const SCHEMA_METHODS = /^(?:methods|statics|query)$/;

/** Method names of built-in objects and of widely used packages. */
const COMMON = new Set(
  (
    'toString valueOf toJSON hasOwnProperty isPrototypeOf constructor forEach filter reduce reduceRight indexOf lastIndexOf includes concat slice splice unshift reverse flatMap entries values findIndex findLast ' +
    'charAt charCodeAt replace replaceAll substring substr toLowerCase toUpperCase padStart padEnd startsWith endsWith localeCompare normalize repeat search toFixed getTime toISOString getFullYear setTime delete ' +
    'addListener removeListener removeAllListeners prependListener listeners destroy resume setEncoding setTimeout unref finally resolve reject request response redirect render status cookie header setHeader getHeader ' +
    'writeHead attachment download accepts params session connect connection disconnect listen handle register unregister configure initialize execute create update remove insert select delete upsert findOne findAll findById findMany ' +
    'updateOne updateMany deleteOne deleteMany insertOne insertMany aggregate groupBy findUnique findFirst createMany bulkCreate findOrCreate findAndCount bulkWrite populate countDocuments distinct validate transform process publish subscribe unsubscribe dispatch notify broadcast commit rollback transaction ' +
    'serialize deserialize stringify format compile compare encrypt decrypt verify signup signin logout refresh enable disable activate deactivate schedule cancel complete success failure ' +
    'getItem setItem removeItem appendChild querySelector getElementById addEventListener removeEventListener preventDefault stopPropagation setState setAttribute getAttribute addClass removeClass ' +
    'warning verbose method static virtual plugin schema message timeout interval middleware options headers reload restart upload ' +
    'onReady onError onClose onOpen onData onMessage onConnect onDisconnect onSuccess onFailure onChange onClick onInit onStart onStop onEnd handler handleRequest callback'
  ).split(' '),
);

/** By the node of a member read: the node that is read from (0 for other nodes), and the member's name. */
export interface Loads {
  base: Int32Array;
  name: Int32Array;
  /** The parameter whose property it is, or was before it was assigned to this variable. 0 for other nodes. */
  parameter: Int32Array;
}

interface LostCall {
  index: number;
  name: number;
}

/** What was found before the mark. Points-to sets only grow: a call that has a target now keeps it. */
interface Known {
  lost: readonly LostCall[];
  /** Length of `Fields.all` at the mark. */
  fieldsEnd: number;
  /** For name n, the nodes of that property of all possible receivers: from `first[n]` to `first[n + 1]`. */
  first: Int32Array;
  nodes: Int32Array;
  /** Whose property each is. */
  objects: Int32Array;
  /** Values assigned to members, by name: pairs of object and value. */
  memberValues: ReadonlyMap<number, readonly number[]>;
}

export class NameBinder {
  readonly #numbering: Numbering;
  readonly #solver: Solver;
  readonly #loads: Loads;
  /** By name: 1 if rare, 2 if common, 0 if not checked yet. */
  #rare = new Uint8Array(0);
  #known: Known | undefined;

  constructor(numbering: Numbering, solver: Solver, loads: Loads) {
    this.#numbering = numbering;
    this.#solver = solver;
    this.#loads = loads;
  }

  /** To be called when all but the loose files are linked and solved. `memberValues`: see `bind`. */
  mark(memberValues: readonly (readonly number[])[]): void {
    const { all } = this.#solver.fields;
    const first = new Int32Array(this.#numbering.names.length + 1);
    for (let i = 0; i < all.length; i += 3)
      if (this.#mayBeReceiver(all[i] as number)) first[(all[i + 1] as number) + 1] = (first[(all[i + 1] as number) + 1] as number) + 1;
    for (let name = 1; name < first.length; name++) first[name] = (first[name] as number) + (first[name - 1] as number);
    const at = first.slice();
    const nodes = new Int32Array(first.at(-1) as number);
    const objects = new Int32Array(nodes.length);
    for (let i = 0; i < all.length; i += 3) {
      if (!this.#mayBeReceiver(all[i] as number)) continue;
      const name = all[i + 1] as number;
      nodes[at[name] as number] = all[i + 2] as number;
      objects[at[name] as number] = all[i] as number;
      at[name] = (at[name] as number) + 1;
    }
    this.#known = {
      lost: this.#lostIn(0, this.#solver.calls.length),
      fieldsEnd: all.length,
      first,
      nodes,
      objects,
      memberValues: byName(memberValues),
    };
  }

  /**
   * `loose`: files that were linked after the mark. `memberValues`: triples of object, name and value by file, for assignments such as
   * `const Note = sequelize.define('Note', …); Note.parseId = …`. If there is a mark, only those of the loose files.
   */
  bind(loose: readonly FileBase[], memberValues: readonly (readonly number[])[]): void {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const lost = this.#lost(loose);
      const named = this.#functionsByName(new Set(lost.map(({ name }) => name)), memberValues);
      let any = false;
      for (const { index, name } of lost) {
        const object = named.get(name);
        if (object === undefined || object < 0 || !this.#mayCall(index, object)) continue;
        this.#solver.callNow(index, object);
        any = true;
      }
      if (!any) return;
      this.#solver.run();
    }
  }

  /** Whether a call may mean that function: a `private` or `protected` method is called in its own class only, on whatever object. */
  #mayCall(index: number, object: number): boolean {
    const { functions, calls, objectFn } = this.#solver;
    const method = objectFn[object] as number;
    if ((functions.flagsOf(method) & FunctionFlag.Restricted) === 0) return true;
    const { site } = calls[index] as CallRecord;
    const file = this.#numbering.files.find((one) => one.site <= site && site < one.site + one.room.site);
    if (!file || method < file.fn || method >= file.fn + file.room.fn) return false;
    const own = classOf(this.#functionName(method));
    let caller = (file.summary.sites[(site - file.site) * SITE_STRIDE + SiteField.Function] as number) + file.fn;
    for (; caller >= file.fn; caller = functions.outerOf(caller)) if (classOf(this.#functionName(caller)) === own) return true;
    return false;
  }

  #functionName(fn: number): string {
    return this.#numbering.names[this.#solver.functions.nameOf(fn)] ?? '';
  }

  /** Calls of members with rare names on unknown receivers, in the order of their numbers. */
  #lost(loose: readonly FileBase[]): readonly LostCall[] {
    if (!this.#known) return this.#lostIn(0, this.#solver.calls.length);
    const late = loose.flatMap(({ call, room }) => this.#lostIn(call, call + room.call));
    return [...this.#known.lost.filter(({ index }) => this.#nameOf(index) >= 0), ...late].sort((a, b) => a.index - b.index);
  }

  #lostIn(from: number, to: number): LostCall[] {
    const found: LostCall[] = [];
    for (let index = from; index < to; index++) {
      const name = this.#nameOf(index);
      if (name >= 0 && this.#isRare(name)) found.push({ index, name });
    }
    return found;
  }

  /** The name of the member that an unbound call calls; -1 for other calls. */
  #nameOf(index: number): number {
    const { callee, isExternal, targets } = this.#solver.calls[index] as CallRecord;
    if (isExternal || targets.length > 0) return -1;
    const base = this.#loads.base[callee] ?? 0;
    const name = this.#loads.name[callee] ?? -1;
    return base === 0 || name < 0 || !isOpen(this.#solver, base) ? -1 : name;
  }

  #isRare(name: number): boolean {
    const { names } = this.#numbering;
    if (name >= this.#rare.length) {
      const longer = new Uint8Array(names.length);
      longer.set(this.#rare);
      this.#rare = longer;
    }
    if (this.#rare[name] === 0) this.#rare[name] = isRare(names[name] as string) ? 1 : 2;
    return this.#rare[name] === 1;
  }

  /** Whether methods of an object may be found by name. */
  #mayBeReceiver(object: number): boolean {
    const kind = this.#solver.kinds[object];
    return kind === ObjectKind.Instance || kind === ObjectKind.Literal;
  }

  #isCompound(name: number): boolean {
    return COMPOUND.test(this.#numbering.names[name] as string);
  }

  /** Literals that are properties of other literals. */
  #innerTables(): ReadonlySet<number> {
    const { kinds, fields } = this.#solver;
    const { all } = fields;
    const found = new Set<number>();
    for (let i = 0; i < all.length; i += 3) {
      if (kinds[all[i] as number] !== ObjectKind.Literal) continue;
      if (SCHEMA_METHODS.test(this.#numbering.names[all[i + 1] as number] ?? '')) continue;
      for (const object of this.#solver.objectsIn(all[i + 2] as number)) if (kinds[object] === ObjectKind.Literal) found.add(object);
    }
    return found;
  }

  /**
   * By name: the only function that is a member of that name, of an object or of something that a package created. -1 if there are several.
   */
  #functionsByName(names: ReadonlySet<number>, memberValues: readonly (readonly number[])[]): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    if (names.size === 0) return found;
    const solver = this.#solver;
    const isWanted = new Uint8Array(Math.max(...names) + 1);
    for (const name of names) isWanted[name] = 1;
    const tables = [...names].every((name) => this.#isCompound(name)) ? undefined : this.#innerTables();
    const isMeant = (object: number, name: number): boolean => !tables?.has(object) || this.#isCompound(name);
    const add = (name: number, node: number): void => {
      for (const value of solver.objectsIn(node)) {
        if (solver.kinds[value] !== ObjectKind.Function) continue;
        const known = found.get(name);
        if (known === undefined) found.set(name, value);
        else if (known !== value) found.set(name, -1);
      }
    };
    const known = this.#known;
    if (known)
      for (const name of names)
        for (let k = known.first[name] ?? 0; k < (known.first[name + 1] ?? 0); k++)
          if (isMeant(known.objects[k] as number, name)) add(name, known.nodes[k] as number);
    const { all } = solver.fields;
    for (let i = known?.fieldsEnd ?? 0; i < all.length; i += 3)
      if (isWanted[all[i + 1] as number] === 1 && this.#mayBeReceiver(all[i] as number) && isMeant(all[i] as number, all[i + 1] as number))
        add(all[i + 1] as number, all[i + 2] as number);
    for (const name of names) {
      const pairs = known?.memberValues.get(name) ?? NONE;
      for (let i = 0; i < pairs.length; i += 2) if (solver.objectsIn(pairs[i] as number).length === 0) add(name, pairs[i + 1] as number);
    }
    for (const list of memberValues)
      for (let i = 0; i < list.length; i += 3)
        if (isWanted[list[i + 1] as number] === 1 && solver.objectsIn(list[i] as number).length === 0)
          add(list[i + 1] as number, list[i + 2] as number);
    return found;
  }
}

/** `Report` of `Report.show`; undefined for what is no method of a class with a name. */
function classOf(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : name.slice(0, dot);
}

/**
 * Whether a receiver is unknown, or consists of literals that a framework may merge with others: `this.load()` in an action of a service
 * whose methods are next to its actions.
 */
function isOpen(solver: Solver, node: number): boolean {
  return solver.objectsIn(node).every((object) => solver.kinds[object] === ObjectKind.Literal);
}

function byName(memberValues: readonly (readonly number[])[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const list of memberValues) {
    for (let i = 0; i < list.length; i += 3) {
      const known = found.get(list[i + 1] as number);
      if (known) known.push(list[i] as number, list[i + 2] as number);
      else found.set(list[i + 1] as number, [list[i] as number, list[i + 2] as number]);
    }
  }
  return found;
}

function isRare(name: string): boolean {
  return name.length >= SHORTEST && !COMMON.has(name) && /^[a-zA-Z_$][\w$]*$/.test(name);
}
