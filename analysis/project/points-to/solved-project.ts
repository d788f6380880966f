// The solved project, as the later stages read it.
import type { Callers } from './callers.ts';
import type { Loads } from './methods-by-name.ts';
import type { Numbering } from './numbering.ts';
import type { Sites } from './sites.ts';
import type { Solver } from './solver.ts';

export interface Mount {
  file: number;
  parent: number;
  path: string;
  child: number;
}

/** What is known of route tables. */
export interface Tables {
  /** Texts of a row, by the object of the row and the name of the property. */
  texts: Map<number, Map<number, string>>;
  /** Rows of a list, by the object of the list. */
  rows: Map<number, Set<number>>;
  /** Rest parameters, by the node of their list. */
  rests: Map<number, number>;
  /** By parameter: the node of its default. */
  defaults: Map<number, number>;
  /** For the node of each member read: the node and the name that it is read from. */
  loads: Loads;
}

export interface SolvedProject {
  readonly numbering: Numbering;
  readonly solver: Solver;
  readonly mounts: readonly Mount[];
  /** By node: the function whose parameter it is, or -1. */
  readonly owners: Int32Array;
  readonly sites: Sites;
  readonly callers: Callers;
  readonly tables: Tables;
}
