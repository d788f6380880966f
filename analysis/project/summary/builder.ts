// Collects the summary of one file, with its own numbers for nodes, objects, functions and texts.
import { PairMap } from '../state/pairs.ts';
import {
  ANY_METHOD,
  ANY_NAME,
  ANY_STORED,
  FUNCTION_STRIDE,
  FunctionField,
  OBJECT_STRIDE,
  ObjectField,
  ObjectKind,
  Op,
  SITE_STRIDE,
  SiteField,
  type Root,
} from './format.ts';

export const EXPORTS_NODE = 1;
export const EXPORTS_OBJECT = 0;
/** What `exports` means until `module.exports` is assigned. */
export const FIRST_EXPORTS_NODE = 2;

const LOWEST_NAME = Math.min(ANY_NAME, ANY_METHOD, ANY_STORED);

export interface CallParts {
  site: number;
  callee: number;
  self?: number;
  args?: readonly number[];
  /** Functions in literals among the arguments. */
  passed?: readonly number[];
  flags?: number;
}

export class SummaryBuilder {
  readonly objects: number[] = [];
  readonly functions: number[] = [];
  readonly sites: number[] = [];
  readonly ops: number[] = [];
  readonly throws: number[] = [];
  readonly roots: Root[] = [];
  readonly #strings = new Map<string, number>();
  /** Nodes of member reads, by the node of the base and the name, with a bit for open reads. */
  readonly #loads = new PairMap(64);
  nodeCount = 3;
  /** Whether loading the file opens a port. */
  listens = false;
  loadsOthers = false;

  constructor() {
    this.object(ObjectKind.Exports);
    this.ops.push(Op.Object, EXPORTS_NODE, EXPORTS_OBJECT, Op.Object, FIRST_EXPORTS_NODE, EXPORTS_OBJECT);
  }

  get strings(): string[] {
    return [...this.#strings.keys()];
  }

  node(): number {
    return this.nodeCount++;
  }

  text(text: string): number {
    let index = this.#strings.get(text);
    if (index === undefined) this.#strings.set(text, (index = this.#strings.size));
    return index;
  }

  object(kind: number, fn = -1, counterpart = -1, name = -1): number {
    this.objects.push(kind, fn, counterpart, name, 0);
    return this.objects.length / OBJECT_STRIDE - 1;
  }

  /** A new node that holds just this object. */
  holding(object: number): number {
    const node = this.node();
    this.ops.push(Op.Object, node, object);
    return node;
  }

  keep(object: number, parameter: number, name: number): void {
    this.ops.push(Op.Keep, object, parameter, name);
  }

  put(node: number, object: number): void {
    this.ops.push(Op.Object, node, object);
  }

  copy(to: number, from: number): void {
    if (from !== 0 && to !== 0 && from !== to) this.ops.push(Op.Copy, to, from);
  }

  /** The node of `base.name`. A chain that is written ten times gets the same nodes. */
  load(base: number, name: number, isOpen = false): number {
    if (base === 0) return 0;
    const key = (name - LOWEST_NAME) * 2 + (isOpen ? 1 : 0);
    let node = this.#loads.get(base, key);
    if (node === 0) {
      this.#loads.set(base, key, (node = this.node()));
      this.ops.push(isOpen ? Op.LoadOpen : Op.Load, node, base, name);
    }
    return node;
  }

  store(base: number, name: number, value: number): void {
    if (base !== 0 && value !== 0) this.ops.push(Op.Store, base, name, value);
  }

  field(object: number, name: number, value: number): void {
    if (value !== 0) this.ops.push(Op.Field, object, name, value);
  }

  site(fn: number, start: number, end: number, flags: number): number {
    this.sites.push(fn, start, end, flags);
    return this.lastSite;
  }

  /** The most recent site. */
  get lastSite(): number {
    return this.sites.length / SITE_STRIDE - 1;
  }

  /** Returns the node of the result. */
  call({ site, callee, self = 0, args = [], passed = [], flags = 0 }: CallParts): number {
    const result = this.node();
    const { ops } = this;
    ops.push(Op.Call, site, result, callee, self, flags, args.length);
    for (let i = 0; i < args.length; i++) ops.push(args[i] as number);
    ops.push(passed.length);
    for (let i = 0; i < passed.length; i++) ops.push(passed[i] as number);
    return result;
  }

  op(code: number, ...operands: number[]): void {
    this.ops.push(code, ...operands);
  }

  function(
    name: string | undefined,
    start: number,
    end: number,
    params: number,
    flags: number,
    around: number,
  ): { index: number; first: number; result: number; self: number } {
    const first = this.nodeCount;
    this.nodeCount += params;
    const result = this.node();
    const self = this.node();
    this.functions.push(name === undefined ? -1 : this.text(name), start, end, first, params, result, self, flags, around);
    return { index: this.functions.length / FUNCTION_STRIDE - 1, first, result, self };
  }

  /** Node of a function's first parameter; 0 if there is no such function. */
  firstParameterOf(fn: number): number {
    return this.functions[fn * FUNCTION_STRIDE + FunctionField.FirstParameter] ?? 0;
  }

  /** Node of a function's result; 0 if there is no such function. */
  resultOf(fn: number): number {
    return this.functions[fn * FUNCTION_STRIDE + FunctionField.Result] ?? 0;
  }

  addFunctionFlag(fn: number, flag: number): void {
    const at = fn * FUNCTION_STRIDE + FunctionField.Flags;
    this.functions[at] = (this.functions[at] as number) | flag;
  }

  setConstructor(object: number, fn: number): void {
    this.objects[object * OBJECT_STRIDE + ObjectField.Function] = fn;
  }

  setCounterpart(object: number, other: number): void {
    this.objects[object * OBJECT_STRIDE + ObjectField.Counterpart] = other;
  }

  setObjectFlags(object: number, flags: number): void {
    this.objects[object * OBJECT_STRIDE + ObjectField.Flags] = flags;
  }

  flagsOfSite(site: number): number {
    return this.sites[site * SITE_STRIDE + SiteField.Flags] as number;
  }
}
