// The tasks of the solver, the call records, and the solver's limits.
import { WholeKind } from './numbering.ts';
import { ObjectKind, SiteFlag } from '../summary/format.ts';

/** Only so many targets of a call get its arguments and return results to it. */
export const MOST_BOUND = 16;
/** An object with more properties than this is not read as a table of functions. */
export const MOST_IN_TABLE = 60;
/** Name of a load, beside those of summaries: any property that `{ ...object }` has. Names of a module are functions for a table. */
export const ANY_SPREAD = -4;
/** If more classes than this implement a type that the project does not declare, values of that type are none of them. */
export const MOST_OUTSIDE = 8;
/** Kinds whose properties may be mixed into another object. */
export const HAS_FIELDS: ReadonlySet<number> = new Set([
  ObjectKind.Exports,
  ObjectKind.Class,
  ObjectKind.Instance,
  ObjectKind.Literal,
  WholeKind.Result,
  WholeKind.External,
  WholeKind.Global,
  WholeKind.Folder,
]);
/** In `a.b.c.d.e` of a package, deeper names are not in the table of blocking calls. */
export const DEEPEST_NAME = 4;

export const Do = {
  Load: 1,
  LoadOpen: 2,
  Store: 3,
  Call: 4,
  Instance: 5,
  Extend: 7,
  Mix: 8,
  Inherits: 9,
  Implements: 10,
  This: 11,
  Provide: 12,
  Inject: 13,
  Construct: 14,
  Functions: 15,
  Parent: 16,
  Request: 17,
  Wrapped: 18,
} as const;

export interface CallRecord {
  /** Project-wide number of the call site. */
  site: number;
  result: number;
  callee: number;
  self: number;
  flags: number;
  /** Negative for a spread: also any of the arguments that follow. */
  args: readonly number[];
  passed: readonly number[];
  /** Functions that it runs. For a class, its constructor, if it has one. */
  targets: number[];
  /** Whether it may run something outside the project. */
  isExternal: boolean;
  /** String arguments, by index. */
  texts?: Map<number, string>;
  /** The function that stands for this call if it turns out to be a blocking function of a package. */
  blocks?: number;
}

/** The value of unused numbers. It runs nothing and has no call site. */
export const NO_CALL: CallRecord = {
  site: -1,
  result: 0,
  callee: 0,
  self: 0,
  flags: SiteFlag.FlowOnly,
  args: [],
  passed: [],
  targets: [],
  isExternal: true,
};
