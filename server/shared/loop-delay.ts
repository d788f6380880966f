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
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const ms = (ns: number) => Math.max(0, Math.round((ns / NS_PER_MS - RESOLUTION_MS) * 10) / 10);
  return {
    read() {
      const delay =
        histogram.count === 0
          ? { p50: 0, p99: 0, max: 0 }
          : { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(histogram.max) };
      // Measured on Node 18 to 26: a block in the same turn as the reset is missed, as it is by a new histogram. One turn a minute is no
      // loss.
      histogram.reset();
      return delay;
    },
    stop: () => {
      histogram.disable();
    },
  };
}
