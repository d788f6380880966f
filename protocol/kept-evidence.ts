// What `.nodometer/evidence.json` holds: verdicts of profiles, kept beside the code.
import type { CallOrigin, Cost, Difference, VerdictKind } from './evidence.ts';
import type { RetainedRate } from './retained.ts';
import type { SeenByRun } from './seen-by-run.ts';

/** A verdict as it is kept: with what tells the finding again after lines have moved. */
export interface KeptVerdict {
  ruleId: string;
  messageId: string;
  /** The finding's own source, white space taken together. */
  code: string;
  /** Hash of the function around the finding, normalized; the verdict is stale when it has another. */
  hash: string;
  verdict: VerdictKind;
  figure: string;
  grounds: readonly string[];
  cost?: Cost;
  retained?: RetainedRate;
}

/** What a run saw and no rule predicted, as it is kept. */
export interface KeptSeen extends Omit<SeenByRun, 'place'> {
  /** Where it stood, from 1: of lines that look the same the nearest is meant. */
  line: number;
  /** The code of the line, white space taken together. */
  code: string;
  /** Hash of the function around the line, normalized. With another one it is no longer shown. */
  hash: string;
}

/** What one profile left in `.nodometer/evidence.json`. */
export interface KeptProfile {
  /** Relative to the project's folder, with slashes. */
  file: string;
  /** Its name; its requests where it has none; the command where a whole program was run. */
  function: string;
  /** Hash of the function's normalized source; of the file's text where a whole program was run. */
  hash: string;
  node: string;
  v8: string;
  platform: string;
  cpu: string;
  date: string;
  /** For all runs together, in ms. */
  budgetMs: number;
  origin: CallOrigin;
  calls: readonly string[];
  /** ns per call or request; `p99` of requests. */
  timing?: { median: number; halfWidth?: number; p99?: number };
  verdicts: readonly KeptVerdict[];
  /** Left out where there is nothing. */
  seen?: readonly KeptSeen[];
}

/** What a fix gained, measured before it was applied, or what a change gained over a commit. */
export interface KeptFix {
  /** Relative to the project's folder, with slashes. */
  file: string;
  function: string;
  /** Hash of the function's normalized source with the fix, or with the change. */
  hash: string;
  /** The rule whose fix it is; left out for a change. */
  ruleId?: string;
  /** What a change was compared with: a branch, tag, or commit, and its hash; left out for a fix. */
  base?: string;
  node: string;
  date: string;
  result: Difference['verdict'];
  per: Difference['per'];
  /** Medians of processes, in ns per call or request. */
  before: number;
  after: number;
  /** Of the difference, in ns, with how sure it is, 0 to 1. */
  low: number;
  high: number;
  confidence: number;
}

export interface EvidenceFile {
  version: 1;
  profiles: readonly KeptProfile[];
  fixes?: readonly KeptFix[];
}
