// What the solver does with an object that comes into a node, and its bounds.
import { WholeKind } from './numbering.ts';
import { ObjectKind, SiteFlag } from '../summary/format.ts';

/** A call that may run more functions than this tells nothing of their parameters and results. */
export const MOST_BOUND = 16;
/** A module with more exports than this is no table of functions. */
export const MOST_IN_TABLE = 60;
/** Kinds whose properties another object may be given. */
export const HAS_FIELDS: ReadonlySet<number> = new Set([
  ObjectKind.Exports,
  ObjectKind.Class,
  ObjectKind.Instance,
  ObjectKind.Literal,
  WholeKind.Result,
  WholeKind.External,
  WholeKind.Global,
]);
/** `a.b.c.d.e` of a package: deeper names say nothing that the table of blocking calls knows. */
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
  /** Number of the site in the whole project. */
  site: number;
  result: number;
  callee: number;
  self: number;
  flags: number;
  /** Negative: any of what follows, too. */
  args: readonly number[];
  passed: readonly number[];
  /** Functions that it runs; a constructor for a class that has one. */
  targets: number[];
  /** Whether it may run something that is no function of the project. */
  isExternal: boolean;
  /** Texts among the arguments, by their index. */
  texts?: Map<number, string>;
  /** The function that stands for the call where it turns out to be a package's blocking function. */
  blocks?: number;
}

/** Stands where there is room for a call: it runs nothing, and stands nowhere. */
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
