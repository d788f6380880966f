// What flows when a call runs a function of the project: arguments, `this` and the result. What a call passes to a wrapper flows to the
// result of that call.
import { NONE } from './propagation.ts';
import { Constraints } from './constraints.ts';
import { FunctionFlag, ObjectKind } from '../summary/format.ts';
import { Do, MOST_BOUND, type CallRecord } from './tasks.ts';

/**
 * A function that returns one of its inner functions, which runs a parameter: `const catchAsync = (fn) => (req, res, next) => fn(req,
 * res).catch(next)`.
 */
export interface Wrapper {
  /** Index of the parameter that is run. */
  index: number;
  inner: number;
}

/** A function that returns its argument: `return controller`. */
export interface Pass {
  index: number;
  /** Nodes of the parameter's other values: its default and those of its type. */
  sources: readonly number[];
}

interface Wrapping {
  inner: number;
  argument: number;
  result: number;
}

export abstract class Binding extends Constraints {
  /** By function. Must be complete before anything flows. */
  readonly wrappers = new Map<number, readonly Wrapper[]>();
  /** By function. Passed-through arguments are not among its results: each caller gets its own argument. */
  readonly passes = new Map<number, readonly Pass[]>();
  /** By function that uses `arguments`: the node of those that have no parameter. */
  readonly moreArguments = new Map<number, number>();
  readonly #wrappings: Wrapping[] = [];
  #wrappingsAtMark = 0;
  abstract readonly calls: CallRecord[];
  /** Pairs of a call and a function that it runs, in the order in which they were found. */
  readonly bound: number[] = [];
  /** Length of `bound` at the mark. */
  boundAtMark = 0;

  override mark(): void {
    super.mark();
    this.boundAtMark = this.bound.length;
    this.#wrappingsAtMark = this.#wrappings.length;
  }

  override undo(): void {
    super.undo();
    for (let i = this.boundAtMark; i < this.bound.length; i += 2) (this.calls[this.bound[i] as number] as CallRecord).targets.pop();
    this.bound.length = this.boundAtMark;
    this.#wrappings.length = this.#wrappingsAtMark;
  }

  protected bind(index: number, fn: number, self: number): void {
    const call = this.calls[index] as CallRecord;
    if (call.targets.includes(fn) || !this.takesTarget(call.callee, call.targets.length)) return;
    call.targets.push(fn);
    this.bound.push(index, fn);
    if (call.targets.length > MOST_BOUND) return;
    const { functions } = this;
    const first = functions.firstParameterOf(fn);
    const count = functions.parameterCountOf(fn);
    const rest = (functions.flagsOf(fn) & FunctionFlag.Rest) !== 0;
    const more = this.moreArguments.get(fn);
    call.args.forEach((arg, i) => {
      if (arg > 0) {
        if (i < count) this.copy(first + i, arg);
        else if (rest) this.copy(first + count - 1, arg);
        else if (more !== undefined) this.copy(more, arg);
      } else if (arg < 0) {
        if (more !== undefined) this.copy(more, -arg);
        for (let k = i; k < count; k++) this.copy(first + k, -arg);
      }
    });
    if (self !== 0) this.copy(functions.thisOf(fn), self);
    if (call.result === 0) return;
    this.copy(call.result, functions.resultOf(fn));
    for (const { index, sources } of this.passes.get(fn) ?? (NONE as readonly never[])) {
      // For a spread argument, the caller gets every value of the parameter.
      const argument = call.args[index] ?? 0;
      this.copy(call.result, argument > 0 ? argument : first + index);
      for (const source of sources) this.copy(call.result, source);
    }
    for (const { index, inner } of this.wrappers.get(fn) ?? (NONE as readonly never[])) {
      const argument = call.args[index] ?? 0;
      if (argument > 0)
        this.task(functions.resultOf(fn), Do.Wrapped, this.#wrappings.push({ inner, argument, result: call.result }) - 1, 0);
    }
  }

  /** Sends the wrapped argument to the result of its own call. The calls of the inner function would mix all callers' arguments. */
  protected unwrap(object: number, wrapping: number): void {
    const { inner, argument, result } = this.#wrappings[wrapping] as Wrapping;
    if (this.kinds[object] === ObjectKind.Function && this.objectFn[object] === inner) this.task(argument, Do.Functions, result, 0);
  }
}
