// Hands every file's operations to the solver, with what specifiers mean between files.
import { bindByName, type Loads } from './by-name.ts';
import { Numbering } from './constraints.ts';
import { EXPORTS_NODE } from './builder.ts';
import type { Specifiers } from './layout.ts';
import { lengthAt } from './operations.ts';
import { NONE } from './propagation.ts';
import { Solver } from './solver.ts';
import { FUNCTION_STRIDE, Op, type FileSummary } from './summary.ts';
import type { CallRecord } from './tasks.ts';
import { WholeKind } from './constraints.ts';
import { findPasses, findWrappers, parameterOwners } from './wrappers.ts';

export interface Mount {
  file: number;
  parent: number;
  path: string;
  child: number;
}

/** What tables of routes say. */
export interface Tables {
  /** Texts of a row, by the row's object and the property's name. */
  texts: Map<number, Map<number, string>>;
  /** Rows of a list, by the list's object. */
  rows: Map<number, Set<number>>;
  /** The rest parameter, by the node of the list that it is. */
  rests: Map<number, number>;
  /** What the nodes of members are read from. */
  loads: Loads;
}

export interface Linked {
  numbering: Numbering;
  solver: Solver;
  mounts: readonly Mount[];
  /** By node: the function whose parameter it is, or -1. */
  owners: Int32Array;
  tables: Tables;
}

/** Solves the whole project. The order of the files makes no difference to what is found, but keep it fixed: lists are cut off in order. */
export function link(summaries: readonly FileSummary[], resolver: Specifiers): Linked {
  const numbering = new Numbering(summaries);
  const solver = new Solver(numbering);
  const owners = parameterOwners(numbering, solver.fns);
  const linker = new Linker(numbering, solver, resolver, owners);
  for (const [fn, wrappers] of findWrappers(numbering, solver.fns, owners)) solver.wrappers.set(fn, wrappers);
  for (const [fn, passes] of findPasses(numbering, solver.fns, owners)) solver.passes.set(fn, passes);
  linker.declareFields();
  for (let i = 0; i < summaries.length; i++) linker.file(i);
  linker.requests();
  solver.run();
  bindByName({ numbering, solver }, linker.loads, linker.given);
  return { numbering, solver, mounts: linker.mounts, owners, tables: linker.tables };
}

class Linker {
  readonly mounts: Mount[] = [];
  /** What the nodes of members are read from. */
  readonly loads: Loads;
  /** What members are given: object, name, value. */
  readonly given: number[] = [];
  readonly tables: Tables;
  readonly #numbering: Numbering;
  readonly #solver: Solver;
  readonly #resolver: Specifiers;
  readonly #owners: Int32Array;
  readonly #named = new Map<string, number>();
  #globalObject: number | undefined;

  constructor(numbering: Numbering, solver: Solver, resolver: Specifiers, owners: Int32Array) {
    this.#owners = owners;
    this.#numbering = numbering;
    this.loads = { base: new Int32Array(numbering.nodeCount), name: new Int32Array(numbering.nodeCount) };
    this.tables = { texts: new Map(), rows: new Map(), rests: new Map(), loads: this.loads };
    this.#solver = solver;
    this.#resolver = resolver;
  }

  /** What a class or a literal says itself hides what it inherits: to be known before anything flows. */
  declareFields(): void {
    for (const { summary: { ops, isModule }, names, object, node } of this.#numbering.files) {
      if (!isModule) this.#solver.commonJs.set(object, node + EXPORTS_NODE);
      for (let i = 0; i < ops.length; i += lengthAt(ops, i)) {
        if (ops[i] === Op.Field && (ops[i + 2] as number) >= 0) this.#solver.declare((ops[i + 1] as number) + object, names[ops[i + 2] as number] as number);
      }
    }
  }

  file(index: number): void {
    const { summary: { ops, file, strings }, node: nodeBase, object: objectBase, names, site: siteBase, fn: fnBase } = this.#numbering.files[index] as Numbering['files'][number];
    const solver = this.#solver;
    const path = file.replaceAll('\\', '/');
    const n = (local: number): number => (local === 0 ? 0 : local < 0 ? local - nodeBase : local + nodeBase);
    const name = (local: number): number => (local < 0 ? local : (names[local] as number));
    for (let i = 0; i < ops.length;) {
      const a = ops[i + 1] as number;
      const b = ops[i + 2] as number;
      const c = ops[i + 3] as number;
      switch (ops[i]) {
        case Op.Copy:
          if (!this.#isPassed(n(a), n(b))) solver.copy(n(a), n(b));
          break;
        case Op.Object:
          solver.add(n(a), b + objectBase);
          break;
        case Op.Load:
          solver.load(n(a), n(b), name(c));
          this.loads.base[n(a)] = n(b);
          this.loads.name[n(a)] = name(c);
          break;
        case Op.LoadOpen:
          solver.loadOpen(n(a), n(b), name(c));
          break;
        case Op.Store:
          solver.store(n(a), name(b), n(c));
          if (a !== 0 && b >= 0) this.given.push(n(a), name(b), n(c));
          break;
        case Op.Field:
          solver.field(a + objectBase, name(b), n(c));
          break;
        case Op.Call: {
          const argCount = ops[i + 6] as number;
          const handedCount = ops[i + 7 + argCount] as number;
          const args = argCount === 0 ? NONE : ops.slice(i + 7, i + 7 + argCount).map(n);
          const handed = handedCount === 0 ? NONE : ops.slice(i + 8 + argCount, i + 8 + argCount + handedCount).map(n);
          solver.call({ site: a + siteBase, result: n(b), callee: n(c), self: n(ops[i + 4] as number), flags: ops[i + 5] as number, args, handed, targets: [], isExternal: false });
          break;
        }
        case Op.Import:
          this.#import(index, path, n(a), strings[b] as string, false);
          break;
        case Op.ImportDefault:
          this.#import(index, path, n(a), strings[b] as string, true);
          break;
        case Op.ImportPattern:
          for (const target of this.#resolver.matching(path, strings[b] as string)) this.#exports(n(a), target, false);
          break;
        case Op.Instance:
          solver.instance(n(a), n(b));
          break;
        case Op.Inherit:
          solver.inherit(a + objectBase, n(b));
          break;
        case Op.Extend:
          solver.extend(a + objectBase, n(b));
          break;
        case Op.Mix:
          solver.mix(n(a), n(b));
          break;
        case Op.Inherits:
          solver.inherits(n(a), n(b));
          break;
        case Op.Implements:
          solver.implements(n(a), n(b));
          break;
        case Op.This:
          solver.thisOf(n(a), n(b));
          break;
        case Op.Provide:
          solver.provide(n(a), n(b));
          break;
        case Op.Inject:
          solver.inject(n(a), n(b));
          break;
        case Op.InjectNamed:
          solver.copy(n(a), this.#namedNode(strings[b] as string));
          break;
        case Op.ProvideNamed:
          solver.copy(this.#namedNode(strings[a] as string), n(b));
          break;
        case Op.Blocks: {
          const call = solver.calls.at(-1);
          if (call) call.blocks = a + fnBase;
          break;
        }
        case Op.ArgumentText:
          (solver.calls.at(-1) as CallRecord).texts = (solver.calls.at(-1)?.texts ?? new Map<number, string>()).set(a, strings[b] as string);
          break;
        case Op.FieldText:
          put(this.tables.texts, a + objectBase, () => new Map<number, string>()).set(name(b), strings[c] as string);
          break;
        case Op.Row:
          put(this.tables.rows, a + objectBase, () => new Set<number>()).add(b + objectBase);
          break;
        case Op.Rest:
          this.tables.rests.set(n(b), n(a));
          break;
        case Op.Mount:
          this.mounts.push({ file: index, parent: n(a), path: strings[b] as string, child: n(c) });
          break;
      }
      i += lengthAt(ops, i);
    }
  }

  /** A parameter that its function gives back. */
  #isPassed(to: number, from: number): boolean {
    const owner = this.#owners[from] ?? -1;
    return owner >= 0 && this.#solver.fns[owner * FUNCTION_STRIDE + 5] === to && this.#solver.passes.has(owner);
  }

  /** What one handler puts on the request, another takes from it: all of them get the same two objects. */
  requests(): void {
    const solver = this.#solver;
    const request = solver.object(WholeKind.Result, -1);
    const response = solver.object(WholeKind.Result, -1);
    for (const { summary: { roots }, node, fn } of this.#numbering.files) {
      for (const root of roots) {
        if (root.kind !== 'route' && root.kind !== 'middleware' && root.kind !== 'signature') continue;
        if (root.fn !== undefined) solver.requestTo(root.fn + fn, request, response);
        if (root.node !== undefined) solver.request(root.node + node, request, response);
      }
    }
  }

  #import(from: number, path: string, dst: number, specifier: string, isDefault: boolean): void {
    const solver = this.#solver;
    if (specifier.startsWith('global:')) {
      const text = specifier.slice(7);
      const global = this.#global();
      if (text === 'globalThis' || text === 'global' || text === 'window' || text === 'self') solver.add(dst, global);
      else {
        solver.copy(dst, solver.fieldOf(global, this.#numbering.name(text)));
        if (!text.startsWith('nodometer:')) solver.add(dst, solver.external(`global:${text}`));
        else solver.add(dst, this.#cradle(text));
      }
      return;
    }
    const target = this.#resolver.resolve(path, specifier);
    if (target !== undefined) this.#exports(dst, target, isDefault);
    // What is not there is a package, or a file that was left out.
    else if (!specifier.startsWith('.')) solver.add(dst, solver.external(specifier.replace(/^node:/, '')));
    void from;
  }

  #exports(dst: number, file: number, isDefault: boolean): void {
    const { node, summary } = this.#numbering.files[file] as Numbering['files'][number];
    const exports = node + EXPORTS_NODE;
    if (isDefault) {
      this.#solver.load(dst, exports, this.#numbering.name('default'));
      // `module.exports = f` is the default export to an ES module.
      if (!summary.isModule) this.#solver.copy(dst, exports);
    } else this.#solver.copy(dst, exports);
  }

  #namedNode(text: string): number {
    let node = this.#named.get(text);
    if (node === undefined) this.#named.set(text, (node = this.#solver.node()));
    return node;
  }

  #global(): number {
    return (this.#globalObject ??= this.#solver.object(WholeKind.Global, -1));
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

function put<V>(map: Map<number, V>, key: number, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
