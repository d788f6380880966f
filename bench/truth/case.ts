// The data of the truth bench: a small program, one finding in it, the verdict that is true, and how that was established without the
// profiler.
import type { VerdictKind } from '../../protocol/evidence.ts';

/** `seen`: the state is there, and no cost can be shown. */
export type Word = VerdictKind | 'seen';
export const WORDS: readonly Word[] = ['confirmed', 'seen', 'refuted', 'not-reached', 'inconclusive'];

export const MAJORS = [18, 20, 22, 24, 26] as const;
export type Major = (typeof MAJORS)[number];

/** One word for all majors, or one for some of them; `others` are the rest, and left out where that is missing. */
export type Truth = Word | (Partial<Record<Major, Word>> & { others?: Word });

export function truthOn(truth: Truth, major: number): Word | undefined {
  if (typeof truth === 'string') return truth;
  return truth[major as Major] ?? truth.others;
}

/** A text of a file and what stands in its place: the fix applied, or a counter inserted by hand. */
export interface Edit {
  /** The file of the finding unless said. */
  file?: string;
  find: string;
  put: string;
  /** Each time that it stands there; once unless said. */
  everywhere?: true;
}

/** What counters saw, and how many ms the code took that was put between two looks at the clock; `middle` is
 * the median. */
export interface Counters {
  hits: Readonly<Record<string, number>>;
  ms: Readonly<Record<string, { total: number; longest: number; count: number; middle: number }>>;
  /** Of a call or request, in ms; undefined where there were none, as in a program that is run once. */
  perDrive?: number;
  /** How late a timer fired that was due before the work began, in ms; as long as the run lasted where it never fired. */
  late: number;
  /** What the process wrote on its standard output and error. */
  output: string;
}

/**
 * One way in which a truth is established, by Node alone.
 * `pair`: the same program with and without `fix`, timed in fresh processes in the order A B B A. The difference has a 95 % interval by
 * bootstrap over the medians of processes. `confirmed` needs an interval above zero and 5 % of the call, `seen` the opposite.
 * `counters`: code inserted by hand, whose counters must be as `holds` says.
 * `v8`: what V8 itself says under its own flags.
 * `reason`: nothing can be run that shows it; why.
 */
export type Check =
  /** `processor`: by its time of a request, where nothing is waited for: a busy machine blurs it less. */
  | { by: 'pair'; fix: readonly Edit[]; clock?: 'processor' }
  | { by: 'counters'; insert: readonly Edit[]; holds: (counters: Counters) => boolean; says: string }
  | {
      by: 'v8';
      flags: readonly string[];
      insert?: readonly Edit[];
      /** What is written then: a pattern, or a test of the output. */
      shows: RegExp;
      /** True unless said: whether it is there. */
      isThere?: boolean;
      says: string;
      /** The Nodes whose flags tell it. */
      on?: readonly Major[];
    }
  | { by: 'reason'; why: string };

export interface TruthCase {
  name: string;
  /** By name; `package.json` is added. */
  files: Readonly<Record<string, string>>;
  /** What is profiled, as the command takes it: a function with calls, a handler with requests, or the whole file. */
  target: {
    file: string;
    function?: string;
    calls?: readonly string[];
    requests?: readonly string[];
    /** The file that starts the server, where it is another one. */
    entry?: string;
    /** Of the whole run that is timed by the pair; the calls unless said. It sees what the module exports. */
    drive?: string;
    /** What the counters drive, in the place of so many calls or requests; 300 and 6 unless said. */
    rounds?: number;
  };
  finding: {
    ruleId: string;
    messageId: string;
    /** A text that stands in its line, and in no other of the file. */
    at: string;
    /** The target's file unless said. */
    file?: string;
  };
  truth: Truth;
  established: readonly Check[];
  /** Fast, and the same each time: for tests. */
  inCi?: true;
}

export function lineOf({ files, finding, target }: Pick<TruthCase, 'files' | 'finding' | 'target'>): number {
  const lines = (files[finding.file ?? target.file] ?? '').split('\n');
  const found = lines.flatMap((line, i) => (line.includes(finding.at) ? [i + 1] : []));
  if (found.length !== 1) throw new Error(`\`${finding.at}\` stands in ${found.length} lines`);
  return found[0] ?? 0;
}
