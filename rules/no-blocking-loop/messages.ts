// The messages of the rule.
import type { MessageParts } from '../../protocol/finding.ts';

export type MessageId = 'waits' | 'endless' | 'long' | 'requested' | 'doubling' | 'doublingRequested' | 'doublingList';

/** What stands still depends on what runs the loop: a server, an invocation of Lambda, the main process of Electron. */
const STANDS = 'Until it ends, {{idle}}.';

export const MESSAGES: Readonly<Record<MessageId, MessageParts>> = {
  waits: {
    what: 'This loop busy-waits{{time}} on every {{where}}.',
    why: `${STANDS} An \`async\` function does not help.`,
    remedy: 'Wait with a timer: `await setTimeout(ms)` from `node:timers/promises`.',
  },
  endless: {
    what: 'This loop never ends, and it runs on every {{where}}.',
    why: 'The event loop never runs again, so this process stops responding.',
    remedy: 'Add an exit condition, or await a timer, an event, or a stream in the loop.',
  },
  long: {
    what: 'This loop runs {{rounds}} iterations on every {{where}}.',
    why: `That takes at least {{time}} (Node 18 to 26). ${STANDS}`,
    remedy:
      'Move the work to a thread pool (`piscina`), or split it into chunks with `await setImmediate()` from `node:timers/promises` between them.',
  },
  requested: {
    what: 'Input data sets the number of iterations of this loop (`{{bound}}`) on every {{where}}.',
    why: `Nothing limits it, and a billion nearly empty iterations take 0.3 to 0.7 s (Node 18 to 26). ${STANDS}`,
    remedy: 'Reject numbers above a limit before the loop, or move the work to a thread pool.',
  },
  doubling: {
    what: '`{{call}}` calls itself {{calls}} times on every {{where}}.',
    why: `It calls itself twice per step, so each step adds more than half to the time. A million calls take 2 to 4 ms (Node 18 to 26). ${STANDS}`,
    remedy: 'Use a loop, or memoize the results. Move what is still slow to a worker thread.',
  },
  doublingRequested: {
    what: '`{{call}}` calls itself twice per step, on every {{where}}.',
    why: `Each step adds more than half to the time: 2 to 3 ms at a depth of 27 calls, 94 to 166 ms at a depth of 35 (Node 18 to 26). ${STANDS}`,
    remedy: 'Use a loop, or memoize the results, and reject numbers above a limit.',
  },
  doublingList: {
    what: '`{{call}}` calls itself twice for each item of the list, on every {{where}}: each item doubles the time.',
    why: `20 items are a million calls, and 30 items a thousand million. A million calls take at least 2 to 4 ms (Node 18 to 26). ${STANDS}`,
    remedy:
      'Reject lists above a limit, memoize the results, or use another algorithm (dynamic programming). Move what is still slow to a worker thread.',
  },
};
