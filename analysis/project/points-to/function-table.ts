// The functions of all files. Nodes, names and outer functions are numbers of the whole project.
import { FUNCTION_STRIDE, FunctionField } from '../summary/format.ts';
import type { FileBase } from './numbering.ts';

/** Fields that hold a node if they are above 0. */
const NODE_FIELDS = [FunctionField.FirstParameter, FunctionField.Result, FunctionField.This] as const;

export class FunctionTable {
  /** All records in one array. Accessors return undefined when out of range, as arrays do. */
  readonly #records: Int32Array;

  constructor(count: number) {
    this.#records = new Int32Array(count * FUNCTION_STRIDE);
  }

  /** Number of the name; -1 for none. */
  nameOf(fn: number): number {
    return this.#records[fn * FUNCTION_STRIDE + FunctionField.Name] as number;
  }

  /** Node of the first parameter; the others follow. */
  firstParameterOf(fn: number): number {
    return this.#records[fn * FUNCTION_STRIDE + FunctionField.FirstParameter] as number;
  }

  parameterCountOf(fn: number): number {
    return this.#records[fn * FUNCTION_STRIDE + FunctionField.ParameterCount] as number;
  }

  /** Node of a parameter; 0 for none. */
  parameterOf(fn: number, index: number): number {
    return index < this.parameterCountOf(fn) ? this.firstParameterOf(fn) + index : 0;
  }

  /** Node of the result. */
  resultOf(fn: number): number {
    return this.#records[fn * FUNCTION_STRIDE + FunctionField.Result] as number;
  }

  /** Node of `this`; 0 for none. */
  thisOf(fn: number): number {
    return this.#records[fn * FUNCTION_STRIDE + FunctionField.This] as number;
  }

  /** The nodes of `this` in the functions of a file. */
  thisNodesOf({ summary: { functions }, fn }: FileBase): number[] {
    const nodes: number[] = [];
    for (let own = fn; own < fn + functions.length / FUNCTION_STRIDE; own++) if (this.thisOf(own) !== 0) nodes.push(this.thisOf(own));
    return nodes;
  }

  /** The nodes of the results of a file's functions. */
  resultNodesOf({ summary: { functions }, fn }: FileBase): number[] {
    return Array.from({ length: functions.length / FUNCTION_STRIDE }, (_, own) => this.resultOf(fn + own));
  }

  /** `FunctionFlag`s; 0 if there is no such function. */
  flagsOf(fn: number): number {
    return this.#records[fn * FUNCTION_STRIDE + FunctionField.Flags] ?? 0;
  }

  /** The enclosing function; -1 for none. */
  outerOf(fn: number): number {
    return this.#records[fn * FUNCTION_STRIDE + FunctionField.Outer] as number;
  }

  /** Adds the functions of a file. */
  place({ summary: { functions }, names, node, fn }: FileBase): void {
    const records = this.#records;
    for (let i = 0, at = fn * FUNCTION_STRIDE; i < functions.length; i += FUNCTION_STRIDE, at += FUNCTION_STRIDE) {
      for (let field = 0; field < FUNCTION_STRIDE; field++) records[at + field] = functions[i + field] as number;
      const name = functions[i + FunctionField.Name] as number;
      if (name >= 0) records[at + FunctionField.Name] = names[name] as number;
      for (const field of NODE_FIELDS)
        if ((functions[i + field] as number) > 0) records[at + field] = (functions[i + field] as number) + node;
      const outer = functions[i + FunctionField.Outer] as number;
      if (outer >= 0) records[at + FunctionField.Outer] = outer + fn;
    }
  }

  /** Empties the number range of a file. */
  clear({ fn, room }: FileBase): void {
    const records = this.#records;
    for (let at = fn * FUNCTION_STRIDE; at < (fn + room.fn) * FUNCTION_STRIDE; at += FUNCTION_STRIDE) {
      records.fill(0, at, at + FUNCTION_STRIDE);
      records[at + FunctionField.Name] = -1;
      records[at + FunctionField.Outer] = -1;
    }
  }
}
