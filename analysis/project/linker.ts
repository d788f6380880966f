// Passes the operations of every file to the solver, and links the files through their import specifiers.
import { NameBinder, type Loads } from './points-to/methods-by-name.ts';
import { EdgeFinder } from './calls/call-edge-finder.ts';
import type { LinkedProject } from './calls/linked-project.ts';
import { callersOf, type Callers } from './points-to/callers.ts';
import { Numbering, WholeKind, type FileBase } from './points-to/numbering.ts';
import { EXPORTS_NODE, EXPORTS_OBJECT, FIRST_EXPORTS_NODE } from './summary/builder.ts';
import type { Specifiers } from './files/layout.ts';
import { loggerOf } from './summary/log-flow.ts';
import { CallOperand, passedCountAt, lengthAt } from './summary/operations.ts';
import { NONE } from './points-to/propagation.ts';
import { Sites } from './points-to/sites.ts';
import type { Mount, Tables } from './points-to/solved-project.ts';
import { Solver } from './points-to/solver.ts';
import { ANY_METHOD, NAMESPACE, Op, SiteFlag, type FileSummary } from './summary/format.ts';
import { NO_CALL, type CallRecord } from './points-to/tasks.ts';
import { TrailedMap } from './state/trail.ts';
import { findPasses, findWrappers, ownParameters } from './points-to/wrappers.ts';

type Returned = readonly (readonly [result: number, values: readonly number[]])[];
/** More modules that one `require` may load, or more values that one function returns, are also one object. */
const MOST_ALONE = 16;

/**
 * The solved project. The other files are linked and solved first; then a mark is set, and the loose files are linked. To replace the
 * summary of a loose file, the solver undoes everything after the mark and solves the loose files again. The numbers do not depend on which
 * files are loose.
 */
export class Project implements LinkedProject {
  readonly numbering: Numbering;
  readonly solver: Solver;
  readonly owners: Int32Array;
  readonly sites: Sites;
  readonly edges: EdgeFinder;
  #callers: Callers | undefined;
  readonly #loose: readonly number[];
  readonly #linker: Linker;
  readonly #binder: NameBinder;

  /** The order of the files hardly changes what is found. Keep it fixed all the same, because lists are cut off in order. */
  constructor(summaries: readonly FileSummary[], resolver: Specifiers, loose: ReadonlySet<number> = new Set()) {
    this.numbering = new Numbering(summaries, loose);
    this.solver = new Solver(this.numbering);
    this.owners = new Int32Array(this.numbering.nodeCount).fill(-1);
    this.sites = new Sites(this.numbering);
    this.#linker = new Linker(this.numbering, this.solver, resolver, this.owners, this.sites);
    this.#binder = new NameBinder(this.numbering, this.solver, this.#linker.loads);
    this.#loose = [...loose].sort((a, b) => a - b);
    this.edges = new EdgeFinder(
      this,
      this.#loose.map((index) => this.numbering.files[index] as FileBase),
    );
    this.#add(summaries.map((_, i) => i).filter((i) => !loose.has(i)));
    if (loose.size > 0) {
      this.solver.run();
      // How many classes implement a type is only known with the loose files: `#finish` joins them.
      this.solver.mark();
      this.#linker.mark();
      this.#binder.mark(this.#linker.memberValues);
      this.edges.mark();
      this.#add(this.#loose);
    }
    this.#finish();
  }

  get callers(): Callers {
    return (this.#callers ??= callersOf(this.numbering, this.solver.bound));
  }

  get mounts(): readonly Mount[] {
    return this.#linker.mounts;
  }

  get tables(): Tables {
    return this.#linker.tables;
  }

  /** Replaces the summaries of loose files, by file number. Returns false if that is not possible; nothing has changed then. */
  replace(changed: ReadonlyMap<number, FileSummary>): boolean {
    for (const [index, summary] of changed) {
      // Importers depend on whether a file is an ES module, so that must not change.
      if (
        !this.#loose.includes(index) ||
        this.numbering.files[index]?.summary.isModule !== summary.isModule ||
        !this.numbering.hasRoom(index, summary)
      )
        return false;
    }
    this.solver.undo();
    this.#linker.undo();
    for (const index of this.#loose) this.#linker.remove(index);
    for (const [index, summary] of changed) this.numbering.replace(index, summary);
    this.#add(this.#loose);
    this.#finish();
    return true;
  }

  #add(files: readonly number[]): void {
    for (const index of files) this.#linker.declare(index);
    for (const index of files) this.#linker.file(index);
    for (const index of files) this.#linker.requests(index);
  }

  #finish(): void {
    this.solver.run();
    this.solver.joinImplementors();
    this.solver.run();
    const { memberValues } = this.#linker;
    const isMarked = this.#loose.length > 0;
    this.#binder.bind(
      this.#loose.map((index) => this.numbering.files[index] as FileBase),
      isMarked ? this.#loose.map((index) => memberValues[index] ?? NONE) : memberValues,
    );
    this.#callers = undefined;
  }
}

class Linker {
  /** For the node of each member read: the node and the name that it is read from. */
  readonly loads: Loads;
  readonly tables: Tables;
  readonly #numbering: Numbering;
  readonly #solver: Solver;
  readonly #resolver: Specifiers;
  readonly #owners: Int32Array;
  readonly #sites: Sites;
  /** By file. */
  readonly #mounts: Mount[][] = [];
  /** By file: results of functions with many values, and these values. A factory of many kinds, or a `switch` over many handlers. */
  readonly #returned: Returned[] = [];
  /** By file, the values assigned to members: object, name, value. */
  readonly #memberValues: number[][];
  readonly #named = new TrailedMap<string, number>();
  readonly #global: number;
  /** All handlers share one request and one response, because one handler reads what another has stored there. */
  readonly #request: number;
  readonly #response: number;

  constructor(numbering: Numbering, solver: Solver, resolver: Specifiers, owners: Int32Array, sites: Sites) {
    this.#sites = sites;
    this.#owners = owners;
    this.#numbering = numbering;
    this.#memberValues = numbering.files.map(() => []);
    const { nodeCount } = numbering;
    this.loads = { base: new Int32Array(nodeCount), name: new Int32Array(nodeCount), parameter: new Int32Array(nodeCount) };
    this.tables = { texts: new Map(), rows: new Map(), rests: new Map(), defaults: new Map(), loads: this.loads };
    this.#solver = solver;
    this.#resolver = resolver;
    this.#global = solver.object(WholeKind.Global, -1);
    this.#request = solver.object(WholeKind.Result, -1);
    this.#response = solver.object(WholeKind.Result, -1);
  }

  get mounts(): readonly Mount[] {
    return this.#mounts.flat();
  }

  get memberValues(): readonly (readonly number[])[] {
    return this.#memberValues;
  }

  mark(): void {
    this.#named.mark();
  }

  undo(): void {
    this.#named.undo();
  }

  /** Removes a file and keeps its number ranges. The solver undoes what the file contributed to it. */
  remove(index: number): void {
    const base = this.#numbering.files[index] as FileBase;
    const { node, object, fn, call, room } = base;
    const solver = this.#solver;
    solver.clear(index);
    this.#sites.clear(base);
    solver.calls.fill(NO_CALL, call, call + room.call);
    for (let own = fn; own < fn + room.fn; own++) {
      solver.wrappers.delete(own);
      solver.passes.delete(own);
      solver.moreArguments.delete(own);
    }
    solver.narrow(node + 1, node + 1 + room.node);
    this.#owners.fill(-1, node + 1, node + 1 + room.node);
    this.loads.base.fill(0, node + 1, node + 1 + room.node);
    this.loads.name.fill(0, node + 1, node + 1 + room.node);
    this.loads.parameter.fill(0, node + 1, node + 1 + room.node);
    for (let own = object; own < object + room.object; own++) {
      this.tables.texts.delete(own);
      this.tables.rows.delete(own);
    }
    for (let own = node + 1; own <= node + room.node; own++) {
      this.tables.rests.delete(own);
      this.tables.defaults.delete(own);
    }
    this.#mounts[index] = [];
    this.#memberValues[index] = [];
  }

  /**
   * To be called before anything of the file flows: declared members of a class or a literal hide inherited ones, and values passed through
   * a wrapper are tracked per call.
   */
  declare(index: number): void {
    const base = this.#numbering.files[index] as FileBase;
    const {
      summary: { ops, isModule },
      names,
      object,
      node,
    } = base;
    const solver = this.#solver;
    solver.place(index);
    this.#sites.place(base);
    ownParameters(base, solver.functions, this.#owners);
    for (const [fn, wrappers] of findWrappers(base, solver.functions, this.#owners)) solver.wrappers.set(fn, wrappers);
    for (const [fn, passes] of findPasses(base, solver.functions, this.#owners)) solver.passes.set(fn, passes);
    if (!isModule) solver.commonJs.set(object, node + EXPORTS_NODE);
    solver.functions.thisNodesOf(base).forEach((self) => solver.widen(self));
    const { loads } = this;
    /** By the result of a function: what it returns. */
    const returned = new Map<number, number[]>(solver.functions.resultNodesOf(base).map((result) => [result, []]));
    let isClosed = isModule;
    for (let i = 0; i < ops.length; i += lengthAt(ops, i)) {
      const first = ops[i + 1] as number;
      const second = ops[i + 2] as number;
      const third = ops[i + 3] as number;
      switch (ops[i]) {
        case Op.Field:
          if (second >= 0) solver.declare(first + object, names[second] as number);
          break;
        case Op.Load:
          loads.base[placed(first, node)] = placed(second, node);
          loads.name[placed(first, node)] = third < 0 ? third : (names[third] as number);
          if (third === ANY_METHOD) solver.widenForFunctions(placed(first, node));
          if ((this.#owners[placed(second, node)] as number) >= 0) loads.parameter[placed(first, node)] = placed(second, node);
          break;
        case Op.Call: {
          // `x.run()` finds its methods in the objects of `x`.
          const callee = placed(third, node);
          const self = placed(ops[i + CallOperand.Self] as number, node);
          if (self !== 0 && callee >= node && loads.base[callee] === self && (loads.name[callee] as number) >= 0) solver.widen(callee);
          break;
        }
        case Op.Store:
          if (first === EXPORTS_NODE && second >= 0) {
            if (isModule) solver.declare(object + EXPORTS_OBJECT, names[second] as number);
          } else if (isExports(first)) isClosed = false;
          break;
        case Op.Inherit:
          if (first === EXPORTS_OBJECT) isClosed = false;
          break;
        case Op.Keep:
          solver.keep(first + object, second, names[third] as number);
          break;
        case Op.Arguments:
          solver.moreArguments.set(first + base.fn, placed(second, node));
          break;
        case Op.Copy:
          if (loads.name[placed(second, node)] === ANY_METHOD) solver.widenForFunctions(placed(first, node));
          // `const { run } = options`
          if (loads.parameter[placed(first, node)] === 0)
            loads.parameter[placed(first, node)] = loads.parameter[placed(second, node)] as number;
          if (!this.#isPassed(placed(first, node), placed(second, node))) returned.get(placed(first, node))?.push(placed(second, node));
          if (isExports(first) || isExports(second)) isClosed = false;
          break;
        case Op.Mix:
          if (isExports(first) || isExports(second)) isClosed = false;
          break;
      }
    }
    if (isClosed) solver.close(object + EXPORTS_OBJECT);
    this.#returned[index] = [...returned].filter(([, values]) => values.length > MOST_ALONE);
  }

  file(index: number): void {
    const {
      summary: { ops, file, strings },
      node: nodeBase,
      object: objectBase,
      names,
      site: siteBase,
      fn: fnBase,
      call: firstCall,
    } = this.#numbering.files[index] as FileBase;
    const solver = this.#solver;
    const memberValues: number[] = [];
    const mounts: Mount[] = [];
    /** The number of the current call. The first call increments it to `firstCall`. */
    let call = firstCall - 1;
    const path = file.replaceAll('\\', '/');
    const n = (local: number): number => placed(local, nodeBase);
    const name = (local: number): number => (local < 0 ? local : (names[local] as number));
    // To be added first, because what comes last does not enter a full set.
    for (const [result, values] of this.#returned[index] as Returned) solver.add(result, solver.folder(values));
    for (let i = 0; i < ops.length; ) {
      // What the first three operands mean depends on the operation.
      const first = ops[i + 1] as number;
      const second = ops[i + 2] as number;
      const third = ops[i + 3] as number;
      switch (ops[i]) {
        case Op.Copy:
          if (!this.#isPassed(n(first), n(second))) solver.copy(n(first), n(second));
          break;
        case Op.Object:
          solver.add(n(first), second + objectBase);
          break;
        case Op.Load:
          solver.load(n(first), n(second), name(third));
          break;
        case Op.LoadOpen:
          solver.loadOpen(n(first), n(second), name(third));
          break;
        case Op.Store:
          solver.store(n(first), name(second), n(third));
          if (first !== 0 && second >= 0) memberValues.push(n(first), name(second), n(third));
          break;
        case Op.Field:
          solver.field(first + objectBase, name(second), n(third));
          break;
        case Op.Call: {
          const endOfArgs = i + passedCountAt(ops, i);
          const passedCount = ops[endOfArgs] as number;
          const firstArg = i + CallOperand.Arguments;
          const args = endOfArgs === firstArg ? NONE : ops.slice(firstArg, endOfArgs).map(n);
          const passed = passedCount === 0 ? NONE : ops.slice(endOfArgs + 1, endOfArgs + 1 + passedCount).map(n);
          const flags = ops[i + CallOperand.Flags] as number;
          if ((flags & SiteFlag.FlowOnly) === 0) this.#sites.take(call + 1, first + siteBase);
          solver.call(++call, {
            site: first + siteBase,
            result: n(second),
            callee: n(third),
            self: n(ops[i + CallOperand.Self] as number),
            flags,
            args,
            passed,
            targets: [],
            isExternal: false,
          });
          break;
        }
        case Op.Import:
          this.#import(path, n(first), strings[second] as string, false);
          break;
        case Op.ImportDefault:
          this.#import(path, n(first), strings[second] as string, true);
          break;
        case Op.ImportPattern:
          this.#importAny(n(first), this.#resolver.matching(path, strings[second] as string));
          break;
        case Op.Instance:
          solver.instance(n(first), n(second));
          break;
        case Op.Inherit:
          solver.inherit(first + objectBase, n(second));
          break;
        case Op.Extend:
          solver.extend(first + objectBase, n(second));
          break;
        case Op.Mix:
          solver.mix(n(first), n(second));
          break;
        case Op.Inherits:
          solver.inherits(n(first), n(second));
          break;
        case Op.Implements:
          solver.implements(n(first), n(second));
          break;
        case Op.This:
          solver.thisOf(n(first), n(second));
          break;
        case Op.Provide:
          solver.provide(n(first), n(second));
          break;
        case Op.Inject:
          solver.inject(n(first), n(second));
          break;
        case Op.InjectNamed:
          solver.copy(n(first), this.#namedNode(strings[second] as string));
          break;
        case Op.ProvideNamed:
          solver.copy(this.#namedNode(strings[first] as string), n(second));
          break;
        case Op.Blocks: {
          (solver.calls[call] as CallRecord).blocks = first + fnBase;
          break;
        }
        case Op.Logger:
          solver.add(n(first), solver.external(loggerOf(strings[second] as string)));
          break;
        case Op.ArgumentText:
          ((solver.calls[call] as CallRecord).texts ??= new Map<number, string>()).set(first, strings[second] as string);
          break;
        case Op.FieldText:
          put(this.tables.texts, first + objectBase, () => new Map<number, string>()).set(name(second), strings[third] as string);
          break;
        case Op.Row:
          put(this.tables.rows, first + objectBase, () => new Set<number>()).add(second + objectBase);
          break;
        case Op.Rest:
          this.tables.rests.set(n(second), n(first));
          break;
        case Op.Default:
          this.tables.defaults.set(n(first), n(second));
          break;
        case Op.Mount:
          mounts.push({ file: index, parent: n(first), path: strings[second] as string, child: n(third) });
          break;
      }
      i += lengthAt(ops, i);
    }
    this.#memberValues[index] = memberValues;
    this.#mounts[index] = mounts;
  }

  /** Whether `from` is a parameter that its function returns as `to`. */
  #isPassed(to: number, from: number): boolean {
    const owner = this.#owners[from] ?? -1;
    return owner >= 0 && this.#solver.functions.resultOf(owner) === to && this.#solver.passes.has(owner);
  }

  requests(index: number): void {
    const {
      summary: { roots },
      node,
      fn,
    } = this.#numbering.files[index] as FileBase;
    for (const root of roots) {
      if (root.kind !== 'route' && root.kind !== 'middleware' && root.kind !== 'signature') continue;
      if (root.fn !== undefined) this.#solver.requestTo(root.fn + fn, this.#request, this.#response);
      if (root.node !== undefined) this.#solver.request(root.node + node, this.#request, this.#response);
    }
  }

  #import(path: string, dst: number, specifier: string, isDefault: boolean): void {
    const solver = this.#solver;
    if (specifier.startsWith('global:')) {
      const text = specifier.slice(7);
      if (text === 'globalThis' || text === 'global' || text === 'window' || text === 'self') solver.add(dst, this.#global);
      else {
        solver.copy(dst, solver.fieldOf(this.#global, this.#numbering.name(text)));
        if (!text.startsWith('nodometer:')) solver.add(dst, solver.external(`global:${text}`));
        else solver.add(dst, this.#cradle(text));
      }
      return;
    }
    if (specifier.startsWith(NAMESPACE)) {
      const [name = '', from] = specifier.split(' from ');
      // What a file of the project declares comes from its exports.
      if (from === undefined || this.#resolver.resolve(path, from) === undefined) solver.add(dst, solver.external(name));
      return;
    }
    const target = this.#resolver.resolve(path, specifier);
    if (target !== undefined) this.#exports(dst, target, isDefault);
    // An unresolved specifier names a package or a file that was left out.
    else if (!specifier.startsWith('.')) solver.add(dst, solver.external(specifier.replace(/^node:/, '')));
  }

  #importAny(dst: number, targets: readonly number[]): void {
    const solver = this.#solver;
    // More modules than a variable may hold, together with what else is in it.
    if (targets.length > MOST_ALONE)
      solver.add(dst, solver.folder(targets.map((target) => (this.#numbering.files[target] as FileBase).node + EXPORTS_NODE)));
    for (const target of targets) this.#exports(dst, target, false);
  }

  #exports(dst: number, file: number, isDefault: boolean): void {
    const { node, summary } = this.#numbering.files[file] as FileBase;
    const exports = node + EXPORTS_NODE;
    if (isDefault) {
      this.#solver.load(dst, exports, this.#numbering.name('default'));
      // `module.exports = f` is the default export for an ES module.
      if (!summary.isModule) this.#solver.copy(dst, exports);
    } else this.#solver.copy(dst, exports);
  }

  #namedNode(text: string): number {
    let node = this.#named.get(text);
    if (node === undefined) this.#named.set(text, (node = this.#solver.node()));
    return node;
  }

  #cradle(text: string): number {
    const node = this.#namedNode(text);
    const [known] = this.#solver.objectsIn(node);
    if (known !== undefined) return known;
    const made = this.#solver.object(WholeKind.Global, -1);
    this.#solver.add(node, made);
    return made;
  }
}

/** The number of a file's node in the project. Negative for the list of a spread argument. */
function placed(local: number, base: number): number {
  return local === 0 ? 0 : local < 0 ? local - base : local + base;
}

function isExports(local: number): boolean {
  return local === EXPORTS_NODE || local === FIRST_EXPORTS_NODE;
}

function put<V>(map: Map<number, V>, key: number, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
