// What the watched thread and the watchdog share: 64-bit floats in one buffer.
'use strict';

/** Places in the buffer. */
const Beat = Object.freeze({
  /** When the event loop last turned, in ms. */
  Last: 0,
  /** A `Phase`. */
  Phase: 1,
  /**
   * From here on, of each of the last long pauses between two beats: when it began, its length, how much of it the thread only waited for a
   * processor, and how much of it ran on one, in ms.
   */
  Pauses: 2,
});
/** Numbers of one pause. */
const PAUSE_STRIDE = 4;

const Phase = Object.freeze({
  StartUp: 0,
  /** What happens now is measured. */
  Watching: 1,
  /** Another phase of the run has its turn. */
  Aside: 2,
  Done: 3,
});

module.exports = { Beat, PAUSE_STRIDE, Phase };
