// Whether a pause of the event loop is the machine's doing: other programs have had the processors. Pure.
'use strict';

/**
 * How long the loop did not turn, how much of that the thread waited for a processor, and how much it ran on one
 * for the program, in ms.
 * @typedef {{ gap: number, waited: number, worked: number }} Pause
 */

/** Of the threshold: what works for less does not hold the loop up. Resting is no work: while its stack is read, the thread rests, too. */
const LEAST_WORKED_SHARE = 0.5;
/** Of the threshold: what works or rests for less does not hold the loop up. */
const OWN_SHARE = 0.2;
/**
 * Being asked by the watchdog is work as well, which is no work of the code's: 10 to 30 ms with small scripts (Node 20). More than this is
 * not taken off: where the user's code is hard to find, it goes on between.
 */
const MOST_ASKED_MS = 100;
/** Where the code was not found at all, in ms. */
const MOST_UNFOUND_MS = 150;

/**
 * What the thread hardly worked in is none of the code's doing, unless a call of Node's rested in it. Where it mostly waited for a processor
 * and was not found in the user's code, it may have been at work for the watchdog.
 * @param {Pause} pause @param {boolean} isFound in the user's code @param {number} thresholdMs
 */
function isCrowd({ gap, waited, worked }, isFound, thresholdMs) {
  if (worked < thresholdMs * LEAST_WORKED_SHARE) return true;
  const own = gap - waited;
  return waited > gap / 2 && (own < thresholdMs * OWN_SHARE || (!isFound && own < Math.max(thresholdMs, MOST_UNFOUND_MS)));
}

/**
 * The thread worked or rested for long enough, and either was not found in the user's code or hardly worked: the calls of Node's tell
 * whether one of them took the time.
 * @param {Pause} pause @param {boolean} isFound @param {number} thresholdMs
 */
function mayBeOfCall({ gap, waited, worked }, isFound, thresholdMs) {
  return gap - waited >= thresholdMs && (!isFound || worked < thresholdMs * LEAST_WORKED_SHARE);
}

module.exports = { MOST_ASKED_MS, isCrowd, mayBeOfCall };
