// Where something is in the source, and what it costs.

/** A place in a source file. Lines and columns count from 1, columns in UTF-16 code units, as V8 prints them. */
export interface SourcePlace {
  /** Absolute path. */
  file: string;
  line: number;
  column: number;
}

export const COST_UNITS = ['call', 'request', 'run', 'block', 'start', 'text'] as const;

/**
 * How a cost was measured.
 * - `timed`: the code itself.
 * - `compared`: against the same calls without what the finding is about, in fresh processes.
 * - `calibrated`: counted, times what one took in a calibration on the same Node.
 */
export const COST_METHODS = ['timed', 'compared', 'calibrated'] as const;

/** What the code of a finding costs. */
export interface Cost {
  /** In ns. */
  ns: number;
  per: (typeof COST_UNITS)[number];
  /** The interval in which it lies, in ns; undefined where one measurement was all there was. */
  low?: number;
  high?: number;
  /** Of the time of the call, the request, or the program's busy time: 0 to 1. Undefined where that was not measured. */
  share?: number;
  method: (typeof COST_METHODS)[number];
}
