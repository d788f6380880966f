// What `.nodometer/production.json` holds: what profiles, coverage, and traces from elsewhere say of the functions and routes of a project.

export const PRODUCTION_KINDS = ['cpu-profile', 'pprof', 'coverage', 'spans'] as const;
export type ProductionKind = (typeof PRODUCTION_KINDS)[number];

/** A function as it was recorded, found again by its text. */
export interface KeptFunction {
  /** Relative to the project's folder, with slashes. */
  file: string;
  /** Its name; empty where it has none. */
  function: string;
  /** Where it starts, from 1: of functions with the same text the nearest is meant. */
  line: number;
  /** Hash of its normalized source. With another one nothing is shown. */
  hash: string;
  /** Samples, or nanoseconds, with the function on the stack. */
  total?: number;
  /** Of these, those in its own code. */
  self?: number;
  /** How often it was called. */
  calls?: number;
}

export interface KeptRoute {
  method: string;
  /** As the framework gave it to the tracer: `/users/:id`. */
  route: string;
  requests: number;
}

/** What became of what was recorded and is not kept as a function: how many, and how much of the total. */
export interface LeftOver {
  functions: number;
  self: number;
}

/** One import. Another one of the same name takes its place. */
export interface ProductionSource {
  name: string;
  kind: ProductionKind;
  /** ISO 8601, UTC: when it was recorded. */
  date: string;
  /** The commit that ran, if it was given. */
  commit?: string;
  /** All samples, or nanoseconds, but for those in which the process was idle; all requests of spans. */
  total: number;
  functions: readonly KeptFunction[];
  routes: readonly KeptRoute[];
}

export interface ProductionFile {
  version: 1;
  sources: readonly ProductionSource[];
}

/** What is known of a function or a finding. It says where a program spends its time, and judges nothing. */
export interface Production {
  /** Share of the samples with the function on the stack, 0 to 1. */
  samples?: { share: number; self: number; source: string; date: string };
  /** How often it was called. */
  calls?: { count: number; source: string; date: string };
  /** Share of the requests that came by its routes, 0 to 1. */
  requests?: { share: number; count: number; source: string; date: string };
}
