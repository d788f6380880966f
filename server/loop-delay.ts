// How long this thread's event loop was held up: a performance tool that blocks its own loop has no standing.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** In ms, over the time since the last reading. */
export interface LoopDelay {
  p50: number;
  p99: number;
  max: number;
}

export interface LoopDelayMeter {
  /** The delays since the last reading. */
  read(): LoopDelay;
  stop(): void;
}

/** Sampling interval in ms; it is part of every sample and taken off again. */
const RESOLUTION_MS = 10;
const NS_PER_MS = 1e6;

export function measureLoopDelay(): LoopDelayMeter {
  let histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const ms = (ns: number) => Math.max(0, Math.round((ns / NS_PER_MS - RESOLUTION_MS) * 10) / 10);
  return {
    read() {
      const delay = histogram.count === 0 ? { p50: 0, p99: 0, max: 0 } : { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(histogram.max) };
      histogram.disable();
      // Measured on Node 20 to 26: after `reset()` the histogram misses the next block, so a new one takes its place.
      histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      histogram.enable();
      return delay;
    },
    stop: () => {
      histogram.disable();
    },
  };
}
