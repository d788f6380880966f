// Which functions, classes and objects each node may hold: inclusion constraints, solved with a worklist. Abstract objects are told apart
// by their allocation sites, and each has its own properties. A set stops growing when it reaches a limit (see `MOST`).
import { Binding } from './call-binding.ts';
import {
  ANY_METHOD,
  ANY_NAME,
  ANY_STORED,
  DOCUMENT,
  DOCUMENTS,
  ELEMENT,
  INDEXES,
  ObjectFlag,
  ObjectKind,
  QUERY,
  SiteFlag,
} from '../summary/format.ts';
import { madeByLogger } from '../summary/log-flow.ts';
import { WholeKind, type Numbering } from './numbering.ts';
import { Fields } from './fields.ts';
import { PairMap } from '../state/pairs.ts';
import { NONE } from './propagation.ts';
import { ANY_SPREAD, Do, HAS_FIELDS, MOST_IN_TABLE, MOST_OUTSIDE, NO_CALL, type CallRecord } from './tasks.ts';
import { TrailedMap, type Trailed } from '../state/trail.ts';

export class Solver extends Binding {
  /** In the order of files and positions. Unused numbers hold `NO_CALL`. */
  override readonly calls: CallRecord[];
  readonly fields: Fields;
  readonly #declared: PairMap;
  readonly #mixed = new TrailedMap<number, true>();
  /** The exports of ES modules without `export *`: they have the declared names and no others. */
  readonly #closed = new TrailedMap<number, true>();
  readonly #parents = new TrailedMap<number, number>();
  readonly #anyLoad = new TrailedMap<number, number>();
  readonly #anyStored = new TrailedMap<number, number>();
  readonly #anyStore = new TrailedMap<number, number>();
  readonly #instances = new TrailedMap<number, number>();
  /** By class: pairs of a parameter of its constructor and the name under which it is kept, to be called. */
  readonly #kept = new TrailedMap<number, readonly number[]>();
  /** By call and class: the instance of a class that keeps a function. */
  readonly #made = new PairMap();
  /** By such an instance: its call. */
  readonly #makers = new TrailedMap<number, number>();
  readonly #implementors = new TrailedMap<number, number>();
  /** By type that the project does not declare: the nodes of the instances of classes that implement it. */
  readonly #outside = new TrailedMap<number, readonly number[]>();
  readonly #outsideTypes: number[] = [];
  /** How many of those types there were at the mark. */
  #outsideEnd = 0;
  readonly #provided = new TrailedMap<number, number>();
  readonly #results = new TrailedMap<number, number>();
  /** By folder: the node of the exports of all its modules. */
  readonly #modules = new TrailedMap<number, number>();
  readonly #opened = new PairMap();
  /** Calls that search the parents of a class for its constructor, and calls of folders. */
  readonly #constructed = new PairMap();
  readonly #prototype: number;
  readonly #maker: number;
  readonly #default: number;
  readonly #element: number;
  readonly #indexes: ReadonlySet<number>;
  readonly #ofModels: ReadonlySet<number>;
  /** For CommonJS files: the node of `module.exports`, by the original exports object. */
  readonly commonJs = new TrailedMap<number, number>();
  readonly #trailed: readonly Trailed[];
  /** Calls that turned out to be external since the mark. */
  left: number[] = [];

  constructor(numbering: Numbering) {
    super(numbering);
    this.calls = Array.from({ length: numbering.callCount }, () => NO_CALL);
    this.fields = new Fields(numbering.objectCount);
    this.#declared = new PairMap(numbering.objectCount);
    this.#prototype = numbering.name('prototype');
    this.#maker = numbering.name('constructor');
    this.#default = numbering.name('default');
    this.#element = numbering.name(ELEMENT);
    this.#indexes = new Set(INDEXES.map((text) => numbering.name(text)));
    this.#ofModels = new Set([DOCUMENT, DOCUMENTS, QUERY].map((text) => numbering.name(text)));
    this.#trailed = [
      this.fields,
      this.#declared,
      this.#mixed,
      this.#closed,
      this.#parents,
      this.#anyLoad,
      this.#anyStored,
      this.#anyStore,
      this.#instances,
      this.#kept,
      this.#made,
      this.#makers,
      this.#implementors,
      this.#outside,
      this.#provided,
      this.#results,
      this.#modules,
      this.#opened,
      this.#constructed,
      this.commonJs,
    ];
  }

  override mark(): void {
    super.mark();
    for (const part of this.#trailed) part.mark();
    this.#outsideEnd = this.#outsideTypes.length;
    this.left = [];
  }

  override undo(): void {
    super.undo();
    for (const part of this.#trailed) part.undo();
    this.#outsideTypes.length = this.#outsideEnd;
    for (const call of this.left) (this.calls[call] as CallRecord).isExternal = false;
    this.left = [];
  }

  load(dst: number, base: number, name: number): void {
    if (base !== 0) this.task(base, Do.Load, name, dst);
  }

  loadOpen(dst: number, base: number, name: number): void {
    if (base !== 0) this.task(base, Do.LoadOpen, name, dst);
  }

  store(base: number, name: number, value: number): void {
    if (base !== 0 && value !== 0) this.task(base, Do.Store, name, value);
  }

  declare(object: number, name: number): void {
    if (name !== ANY_NAME) this.#declared.add(object, name);
  }

  /** To be called before anything flows. */
  keep(object: number, parameter: number, name: number): void {
    this.#kept.set(object, [...(this.#kept.get(object) ?? NONE), parameter, name]);
  }

  /** The call that made an instance of its own; -1 for others. */
  makerOf(instance: number): number {
    return this.#makers.get(instance) ?? -1;
  }

  /** All names of an object are declared. */
  close(object: number): void {
    this.#closed.set(object, true);
  }

  field(object: number, name: number, value: number): void {
    this.copy(name === ANY_NAME ? this.#anyStoreOf(object) : this.fieldOf(object, name), value);
  }

  call(index: number, record: CallRecord): void {
    this.calls[index] = record;
    if (record.callee !== 0) this.task(record.callee, Do.Call, index, 0);
  }

  inherit(object: number, base: number): void {
    if (base !== 0) this.task(base, Do.Parent, object, 0);
  }

  protected override apply(object: number, code: number, a: number, b: number): void {
    switch (code) {
      case Do.Load:
        this.#loadFrom(object, a, b);
        return;
      case Do.LoadOpen:
        this.#open(object, a);
        this.#loadFrom(object, a, b);
        return;
      case Do.Store:
        this.#storeTo(object, a, b);
        return;
      case Do.Call:
        this.#callObject(this.calls[a] as CallRecord, a, object);
        return;
      case Do.Instance:
        this.#instanceTo(object, a);
        return;
      case Do.Extend:
        this.#extendBy(a, object);
        return;
      case Do.Mix:
        this.#mix(object, a);
        return;
      case Do.Inherits:
        if (this.#isCallable(object)) this.extend(this.instanceOf(object), a);
        return;
      case Do.Implements:
        if (this.kinds[object] === WholeKind.External) this.#implementOutside(object, a);
        else this.copy(this.#implementorsOf(object), a);
        return;
      case Do.This:
        if (this.kinds[object] === ObjectKind.Function) this.copy(this.functions.thisOf(this.objectFn[object] as number), a);
        return;
      case Do.Provide:
        this.copy(this.#providedOf(object), a);
        return;
      case Do.Inject:
        this.copy(a, this.#providedOf(object));
        if (this.kinds[object] === ObjectKind.Class) this.#instanceTo(object, a);
        return;
      case Do.Construct:
        this.#construct(this.calls[a] as CallRecord, object, a);
        return;
      case Do.Parent:
        if (HAS_FIELDS.has(this.kinds[object] as number) && object !== a) this.add(this.#parentsOf(a), object);
        return;
      case Do.Request:
        if (this.kinds[object] === ObjectKind.Function) this.requestTo(this.objectFn[object] as number, a, b);
        return;
      case Do.Wrapped:
        this.unwrap(object, a);
        return;
      case Do.Functions:
        if (this.kinds[object] === ObjectKind.Function) this.add(a, object);
        return;
    }
  }

  #isDeclared(object: number, name: number): boolean {
    return this.#declared.get(object, name) !== 0;
  }

  #isCallable(object: number): boolean {
    const kind = this.kinds[object];
    return kind === ObjectKind.Function || kind === ObjectKind.Class;
  }

  #loadFrom(object: number, name: number, dst: number): void {
    const kind = this.kinds[object];
    if (kind === WholeKind.External) {
      if (name < 0) return;
      this.copy(dst, this.fields.get(object, name));
      // What a package exports is no model.
      if (this.#ofModels.has(name)) return;
      const member = this.memberOf(object, name);
      if (member !== 0) this.add(dst, member);
      return;
    }
    if (name === ANY_STORED) {
      this.copy(dst, this.#anyStoredOf(object));
      return;
    }
    if (name < 0) {
      // A read with a computed name gives data, unless the object is a table written as a literal. A call with a computed name runs a
      // function.
      const isTable =
        kind === ObjectKind.Literal ||
        kind === ObjectKind.Array ||
        (kind === ObjectKind.Exports
          ? name === ANY_METHOD || name === ANY_SPREAD
          : name === ANY_METHOD && this.fieldsOf(object).length < 2 * MOST_IN_TABLE);
      if (isTable) this.copy(dst, this.#anyLoadOf(object));
      else this.copy(dst, this.#anyStoreOf(object));
      return;
    }
    // An array's own methods are built in.
    if (kind === ObjectKind.Array && name !== this.#element) {
      if (this.#indexes.has(name)) this.copy(dst, this.fieldOf(object, this.#isDeclared(object, name) ? name : this.#element));
      return;
    }
    // In an object that is not an array in this file, an index may mean any element.
    if (this.#indexes.has(name) && !this.#isDeclared(object, name)) {
      this.copy(dst, this.fieldOf(object, this.#element));
      return;
    }
    if (name === this.#prototype && this.#isCallable(object)) {
      this.add(dst, this.instanceOf(object));
      return;
    }
    if (name === this.#maker && kind === ObjectKind.Instance) this.add(dst, this.counterpart[object] as number);
    if (kind === ObjectKind.Exports && this.#closed.get(object) && !this.#isDeclared(object, name)) return;
    if (name === this.#default) {
      const exports = this.commonJs.get(object);
      if (exports !== undefined) this.copy(dst, exports);
    }
    this.copy(dst, this.fieldOf(object, name));
  }

  #storeTo(object: number, name: number, value: number): void {
    if (name === ANY_NAME) {
      this.copy(this.#anyStoreOf(object), value);
      return;
    }
    if (name === this.#prototype && this.#isCallable(object)) {
      // `A.prototype = { … }` or `= new B()`
      this.inherit(this.instanceOf(object), value);
      return;
    }
    this.copy(this.fieldOf(object, name), value);
    // Others may only know the class of the object.
    if (this.#makers.get(object) !== undefined)
      this.copy(this.fieldOf(this.counterpart[this.counterpart[object] as number] as number, name), value);
  }

  /** A property of a package's object becomes an object when something is stored in it: `schema.methods.load = …`. */
  #open(object: number, name: number): void {
    const kind = this.kinds[object];
    if (
      name === ANY_NAME ||
      (kind !== WholeKind.Result && kind !== WholeKind.External && kind !== ObjectKind.Instance && kind !== ObjectKind.Literal)
    )
      return;
    if (this.#opened.get(object, name) !== 0 || this.#isDeclared(object, name)) return;
    const field = this.fieldOf(object, name);
    if (this.objectsIn(field).length > 0) return;
    const made = this.object(ObjectKind.Literal, -1);
    this.#opened.set(object, name, made);
    this.add(field, made);
  }

  fieldOf(object: number, name: number): number {
    let node = this.fields.get(object, name);
    if (node !== 0) return node;
    node = this.node();
    if (this.kinds[object] === WholeKind.Folder) this.widen(node);
    this.fields.add(object, name, node);
    const loaded = this.#anyLoad.get(object);
    if (loaded !== undefined) this.copy(loaded, node);
    const stored = name === this.#element ? this.#anyStored.get(object) : undefined;
    if (stored !== undefined) this.copy(stored, node);
    const parents = this.#parents.get(object);
    if (parents !== undefined && (!this.#isDeclared(object, name) || this.#mixed.get(object))) this.load(node, parents, name);
    return node;
  }

  /** Makes a call run a function that the solver has not found to flow there. */
  callNow(index: number, object: number): void {
    this.apply(object, Do.Call, index, 0);
  }

  /** All properties that have names: pairs of node and name. */
  fieldsOf(object: number): readonly number[] {
    return this.fields.of(object);
  }

  parentsOf(object: number): readonly number[] {
    const node = this.#parents.get(object);
    return node === undefined ? NONE : this.objectsIn(node);
  }

  #parentsOf(object: number): number {
    let node = this.#parents.get(object);
    if (node !== undefined) return node;
    node = this.node();
    this.widen(node);
    this.#parents.set(object, node);
    const fields = this.fields.of(object);
    for (let i = 0, end = fields.length; i < end; i += 2)
      if (!this.#isDeclared(object, fields[i + 1] as number)) this.load(fields[i] as number, node, fields[i + 1] as number);
    const loaded = this.#anyLoad.get(object);
    if (loaded !== undefined) this.load(loaded, node, ANY_SPREAD);
    const stored = this.#anyStored.get(object);
    if (stored !== undefined) this.load(stored, node, ANY_STORED);
    return node;
  }

  /** An object for all that is in the nodes: `exports` of the files that a computed path may mean. */
  folder(exports: readonly number[]): number {
    const made = this.object(WholeKind.Folder, -1);
    const all = this.node();
    this.widen(all);
    this.#modules.set(made, all);
    this.inherit(made, all);
    for (const node of exports) this.copy(all, node);
    return made;
  }

  /** After a mix-in, declared properties no longer hide those of the source. */
  #mix(object: number, source: number): void {
    if (!HAS_FIELDS.has(this.kinds[object] as number)) return;
    this.task(source, Do.Parent, object, 0);
    if (this.#mixed.get(object)) return;
    this.#mixed.set(object, true);
    const parents = this.#parentsOf(object);
    const fields = this.fieldsOf(object);
    for (let i = 0, end = fields.length; i < end; i += 2)
      if (this.#isDeclared(object, fields[i + 1] as number)) this.load(fields[i] as number, parents, fields[i + 1] as number);
  }

  #anyLoadOf(object: number): number {
    let node = this.#anyLoad.get(object);
    if (node !== undefined) return node;
    node = this.node();
    this.widenForFunctions(node);
    this.#anyLoad.set(object, node);
    const fields = this.fields.of(object);
    for (let i = 0, end = fields.length; i < end; i += 2) this.copy(node, fields[i] as number);
    this.copy(node, this.#anyStoreOf(object));
    const parents = this.#parents.get(object);
    if (parents !== undefined) this.load(node, parents, ANY_SPREAD);
    return node;
  }

  /** What an object and its parents were given under names that are not known. An object that is made of entries has elements. */
  #anyStoredOf(object: number): number {
    let node = this.#anyStored.get(object);
    if (node !== undefined) return node;
    node = this.node();
    this.#anyStored.set(object, node);
    this.copy(node, this.#anyStoreOf(object));
    this.copy(node, this.fields.get(object, this.#element));
    const parents = this.#parents.get(object);
    if (parents !== undefined) this.load(node, parents, ANY_STORED);
    return node;
  }

  #anyStoreOf(object: number): number {
    let node = this.#anyStore.get(object);
    if (node !== undefined) return node;
    node = this.node();
    this.#anyStore.set(object, node);
    return node;
  }

  /** What `new` creates: an instance of a class or of a constructor function. */
  instanceOf(object: number): number {
    if (this.kinds[object] === ObjectKind.Class) return this.counterpart[object] as number;
    let made = this.#instances.get(object);
    if (made === undefined) {
      made = this.object(ObjectKind.Instance, this.objectFile[object] as number);
      this.counterpart[made] = object;
      this.#instances.set(object, made);
      this.add(this.functions.thisOf(this.objectFn[object] as number), made);
    }
    return made;
  }

  #implementorsOf(object: number): number {
    let node = this.#implementors.get(object);
    if (node === undefined) this.#implementors.set(object, (node = this.node()));
    return node;
  }

  #providedOf(object: number): number {
    let node = this.#provided.get(object);
    if (node === undefined) this.#provided.set(object, (node = this.node()));
    return node;
  }

  #instanceTo(object: number, dst: number): void {
    const kind = this.kinds[object];
    if (kind === ObjectKind.Class) {
      const instance = this.counterpart[object] as number;
      this.add(dst, instance);
      if (this.objectFlags[instance] === ObjectFlag.Abstract) this.copy(dst, this.#implementorsOf(object));
    } else if (kind === ObjectKind.Interface || kind === WholeKind.External) this.copy(dst, this.#implementorsOf(object));
  }

  #implementOutside(type: number, instance: number): void {
    const known = this.#outside.get(type);
    if (known === undefined) this.#outsideTypes.push(type);
    if ((known?.length ?? 0) <= MOST_OUTSIDE) this.#outside.set(type, [...(known ?? NONE), instance]);
  }

  /**
   * To be called when the worklist is empty. What implements a type that is not declared in the project stands for it, unless many do: a
   * plug-in's type, or one of a library, says little.
   */
  joinImplementors(): void {
    for (const type of this.#outsideTypes) {
      const instances = this.#outside.get(type) ?? NONE;
      if (instances.length <= MOST_OUTSIDE) for (const instance of instances) this.copy(this.#implementorsOf(type), instance);
    }
  }

  #extendBy(instance: number, base: number): void {
    if (this.#isCallable(base)) {
      const parent = this.instanceOf(base);
      if (parent === instance) return;
      // A subclass inherits the constructor or calls it with `super`: its `this` is the instance of the subclass.
      const maker = this.objectFn[base] as number;
      if (maker >= 0) this.add(this.functions.thisOf(maker), instance);
      this.add(this.#parentsOf(instance), parent);
      this.add(this.#implementorsOf(base), instance);
      // All descendants of an abstract class stand for it, at any depth.
      const link = this.counterpart[instance];
      if (link !== undefined && link >= 0) this.copy(this.#implementorsOf(base), this.#implementorsOf(link));
    }
  }

  #callObject(call: CallRecord, index: number, object: number): void {
    const kind = this.kinds[object];
    if (kind === ObjectKind.Function) {
      const fn = this.objectFn[object] as number;
      if ((call.flags & SiteFlag.New) !== 0) {
        const instance = this.instanceOf(object);
        this.add(call.result, instance);
        this.bind(index, fn, 0);
        return;
      }
      this.bind(index, fn, call.self);
    } else if (kind === ObjectKind.Class) {
      // Calling a class without `new` throws.
      if ((call.flags & (SiteFlag.New | SiteFlag.Super)) === 0) return;
      if ((call.flags & SiteFlag.Super) === 0) this.add(call.result, this.#madeBy(call, index, object));
      this.#construct(call, object, index);
    } else if (kind === WholeKind.Folder) {
      if (this.#constructed.add(index, object)) this.task(this.#modules.get(object) as number, Do.Call, index, 0);
    } else if (kind === WholeKind.External || kind === WholeKind.Result) {
      if ((call.flags & SiteFlag.IfOwn) !== 0) return;
      if (!call.isExternal) this.left.push(index);
      call.isExternal = true;
      const logger = madeByLogger(this.numbering.names[this.objectName[object] as number] ?? '');
      if (logger !== undefined) this.add(call.result, this.external(logger));
      let made = this.#results.get(index);
      if (made === undefined) {
        made = this.object(WholeKind.Result, -1);
        this.#results.set(index, made);
        // `asyncHandler(fn)`, `promisify(fn)`: what a package makes of a function runs that function.
        if ((call.flags & SiteFlag.RunsPassed) === 0)
          for (const arg of call.args) if (arg > 0) this.task(arg, Do.Functions, call.result, 0);
      }
      this.add(call.result, made);
    }
  }

  /** The instance of a class. If the class keeps functions and calls them, each `new` has an instance with its own functions. */
  #madeBy({ args }: CallRecord, index: number, object: number): number {
    const instance = this.counterpart[object] as number;
    const kept = this.#kept.get(object);
    if (!kept?.some((parameter, i) => i % 2 === 0 && (args[parameter] ?? 0) > 0)) return instance;
    const known = this.#made.get(index, object);
    if (known !== 0) return known;
    const made = this.object(ObjectKind.Instance, this.objectFile[object] as number, this.objectName[instance]);
    this.counterpart[made] = object;
    this.#made.set(index, object, made);
    this.#makers.set(made, index);
    for (let i = 0; i < kept.length; i += 2) {
      const argument = args[kept[i] as number] ?? 0;
      const name = kept[i + 1] as number;
      // What is left out or comes from a spread argument is in the property of the class.
      if (argument <= 0) continue;
      this.declare(made, name);
      this.copy(this.fieldOf(made, name), argument);
    }
    this.add(this.#parentsOf(made), instance);
    return made;
  }

  /** Runs the constructor of a class, or the inherited one. */
  #construct(call: CallRecord, object: number, index: number): void {
    const self = (call.flags & SiteFlag.Super) === 0 ? 0 : call.self;
    if (this.kinds[object] === ObjectKind.Function) {
      this.instanceOf(object);
      this.bind(index, this.objectFn[object] as number, self);
    } else if (this.kinds[object] === ObjectKind.Class) {
      const fn = this.objectFn[object] as number;
      if (fn >= 0) this.bind(index, fn, self);
      else if (this.#constructed.add(index, object)) {
        // The task runs once for each pair: with an ambiguous name, classes may seem to inherit from each other.
        this.task(this.#parentsOf(object), Do.Construct, index, 0);
      }
    }
  }
}
