// What a rule's oracle promises: run `bad.js` and `good.js` on Node and show the difference that the rule predicts.

/** Which measurement tells the two apart. Counts are preferred to clocks, ratios to absolute times. */
export type OracleMetric =
  /** Median time of `bad` over median time of `good`, interleaved in one process. */
  | 'time-ratio'
  /** Longest event-loop block of `bad` over that of `good`, minus the idle floor. */
  | 'loop-delay-ratio'
  /** 1 when a timer due during `bad` fired late and fired in time during `good`, else 0. */
  | 'timer-starved'
  /** Bytes of the heap that a call of `bad` leaves after a forced collection, less those that one of `good` leaves. */
  | 'heap-kept';

export interface Oracle {
  /** Name of the function that bad.js and good.js both export. */
  exportName: string;
  /** Arguments of one call, as JSON values; called afresh for every sample so that samples share no objects. */
  args(): readonly unknown[];
  /** Calls per sample. */
  calls: number;
  metric: OracleMetric;
  /** Lowest value of the metric that confirms the rule. */
  atLeast: number;
  /** Semver range of Node versions on which it must hold. */
  nodeRange: string;
  /** Why this workload stands for the rule's claim. */
  why: string;
}
