// What the rule says.
import type { MessageParts } from '../../protocol/finding.ts';

export type MessageId = 'waits' | 'endless' | 'long' | 'requested' | 'doubling' | 'doublingRequested';

const STANDS = 'Until it ends, this process reads no other request, fires no timer and sends no answer.';

export const MESSAGES: Readonly<Record<MessageId, MessageParts>> = {
  waits: {
    what: 'This loop asks the clock until time is up{{time}}, on every {{where}}.',
    why: `${STANDS} An \`async\` function around it changes nothing.`,
    remedy: 'Wait with a timer: `await setTimeout(ms)` of `node:timers/promises`.',
  },
  endless: {
    what: 'Nothing in this loop ends it, and it runs on every {{where}}.',
    why: 'The event loop never gets its turn again: this process answers nobody any more.',
    remedy: 'Give it an end, or a place where it waits: a timer, an event, a stream.',
  },
  long: {
    what: 'This loop goes round {{rounds}} times on every {{where}}.',
    why: `That takes {{time}} at the least (Node 18 to 26). ${STANDS}`,
    remedy:
      'Hand the work to a pool of threads (`piscina`), or do it in parts with `await setImmediate()` of `node:timers/promises` between them.',
  },
  requested: {
    what: 'The request says how often this loop goes round: `{{bound}}`, on every {{where}}.',
    why: `Nothing limits it, and a billion rounds of next to nothing take 0.3 to 0.7 s (Node 18 to 26). ${STANDS}`,
    remedy: 'Refuse numbers above a limit before the loop, or hand the work to a pool of threads.',
  },
  doubling: {
    what: '`{{call}}` calls itself {{calls}} times on every {{where}}.',
    why: `It calls itself twice for each step, so that the time grows by more than half with each: a million calls take 2 to 4 ms (Node 18 to 26). ${STANDS}`,
    remedy: 'Count upwards in a loop, or keep the results that are known; what stays long belongs on a thread.',
  },
  doublingRequested: {
    what: '`{{call}}` calls itself twice for each step, on every {{where}}.',
    why: `The time grows by more than half with each step: 27 calls deep it took 2 to 3 ms, 35 deep 94 to 166 ms (Node 18 to 26). ${STANDS}`,
    remedy: 'Count upwards in a loop, or keep the results that are known; refuse numbers above a limit.',
  },
};
