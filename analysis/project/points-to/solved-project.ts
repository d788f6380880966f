// What was solved, to be read by all that comes after.
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
