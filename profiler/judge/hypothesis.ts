// What a run is held against: a finding as a claim, and what the run brought to light.
import type { Scaling } from '../../protocol/scaling.ts';
import type { Attack } from '../../protocol/attack.ts';
import type { Cost, EvidenceKind, LoopBlock, ProfileReport, SourcePlace, VerdictKind } from '../../protocol/evidence.ts';

export interface PlaceRange {
  start: SourcePlace;
  end: SourcePlace;
}

/** A finding as a claim that a run can test. */
export interface Hypothesis {
  ruleId: string;
  messageId: string;
  range: PlaceRange;
  /** The innermost functions around it and around the related places; none at the top level of the file. */
  functions: readonly PlaceRange[];
  /** Other places of the same claim: the accesses that meet the shapes, the call that passes the second type. */
  related: readonly PlaceRange[];
  /**
   * The code itself, where the range is a word of it: a loop with its body, the block of a `try`, the uses of an expression made once, all
   * deletions of a round.
   */
  extent?: readonly PlaceRange[];
  /** Where that code begins to run: the `try`, or the body of the function around; none at the top level of the file. */
  entry?: SourcePlace;
  /** Where the `catch` of that `try` begins to run. */
  handler?: SourcePlace;
  /** V8 does not count the code apart: what is around it ran, and it may not have. */
  isUncounted?: boolean;
  /** The blocks of all other `try … catch` of the file: what is thrown in one of them ends there. */
  catches?: readonly PlaceRange[];
  /** The one place that meets all the values, where the claim names it: the operator, the property access, the call. */
  meets?: PlaceRange;
  /** Literals and constructors of the claim: what happens inside them makes the objects, and does not meet them. */
  makers?: readonly PlaceRange[];
  /** Keys of the literals among them. */
  keys?: readonly string[];
  /** Fields that only some of the objects get, at the related places. */
  fields?: readonly string[];
  /** Where they get them. */
  added?: readonly PlaceRange[];
  /** The blocking call that the finding is about, as its message names it: `fs.readFileSync`, `Dir#readSync`. */
  call?: string;
  /** A text on which the code takes long. */
  attack?: Attack;
  /** What to do about it, as the finding says; it goes with the verdict. */
  remedy?: string;
  kinds: readonly EvidenceKind[];
}

/** How often the code at a place ran in the run that brought evidence of a kind; undefined when it was not counted. */
export type Executions = (place: SourcePlace, kind: EvidenceKind) => number | undefined;

/** In ns, with the range of the middle nine tenths. */
export interface MiddleNs {
  median: number;
  low: number;
  high: number;
}

/**
 * What throwing and catching one Error takes at least on this Node. `parsing`: a SyntaxError of `JSON.parse`. `url`: a TypeError of `new URL`. `own`: the mean of what
 * `JSON.parse` takes to fail on texts of the calls that were profiled.
 */
export interface ThrowNs extends MiddleNs {
  parsing?: MiddleNs;
  url?: MiddleNs;
  own?: MiddleNs;
}

export type Run = Pick<
  ProfileReport,
  'machine' | 'calls' | 'tiers' | 'deopts' | 'inlineCaches' | 'mapEvents' | 'feedback' | 'syncCalls' | 'exceptions' | 'blocks'
> & {
  /** Calls of the run that counted how often each place ran, and what was thrown; where there were calls. */
  countedCalls?: number;
  /** Counting what was thrown ended before the run did: there was more, there and elsewhere. */
  moreThrown?: boolean;
  /** Pauses of the loop in which other programs used the processors, with the code that was on the stack. */
  heldUp?: readonly LoopBlock[];
  /** What one round of all calls is: a call, a request, or the run of a program. */
  unit: 'call' | 'request' | 'run';
  /** How long one takes, in ns; undefined where it was not measured. Of a program: while it was not idle. */
  unitNs?: number;
  /** Calls or requests of the run that timed blocking calls; undefined where there was none. 1 for a program. */
  timedCalls?: number;
  /** Calls or requests of the run that watched the event loop; undefined where there was none. */
  watchedCalls?: number;
  /** How often the call text, or the request, with the fewest calls was called in the run that asked for V8's feedback. */
  leastFeedbackCalls?: number;
  /** Undefined where it was not measured. */
  throwNs?: ThrowNs;
};

/** What one kind of evidence says. */
export interface Opinion {
  verdict: VerdictKind;
  figure: string;
  ground: string;
  cost?: Cost;
  scaling?: Scaling;
}

export type Counted = (place: SourcePlace) => number | undefined;
export type Judge = (hypothesis: Hypothesis, run: Run, executions: Counted) => Opinion | undefined;
