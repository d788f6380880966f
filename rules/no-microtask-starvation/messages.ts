// The messages of the rule. That timers, immediates, sockets and files are delayed was measured on Node 18, 20, 22, 24, 25 and 26; see the
// README.
import type { MessageParts } from '../../protocol/finding.ts';

const QUEUES = 'Node drains the `process.nextTick` and microtask queues before it handles timers, sockets, and files.';

export const MESSAGES = {
  endlessRequeue: {
    what: '{{name}} requeues itself with `{{via}}` every time it runs.',
    why: `${QUEUES} This queue never empties, so no timer fires, no request is read, and no response is sent.`,
    remedy: 'Use `setImmediate`, which lets the event loop run between iterations.',
  },
  longRequeue: {
    what: '{{name}} requeues itself with `{{via}}` until its data ends it.',
    why: `${QUEUES} Until then, no timer fires and no request is read.`,
    remedy: 'Use `setImmediate`, which lets the event loop run between iterations.',
  },
  endlessRecursion: {
    what: '{{name}} calls itself endlessly, and its awaits never yield to the event loop.',
    why: `${QUEUES} Awaiting a value that is already available uses only the microtask queue. This queue never empties, so no timer fires and no request is read.`,
    remedy: 'Yield to the event loop: `await setImmediate()` from `node:timers/promises`.',
  },
  longRecursion: {
    what: '{{name}} calls itself until its data ends it, and its awaits never yield to the event loop.',
    why: `${QUEUES} Awaiting a value that is already available uses only the microtask queue. Until the end, no timer fires and no request is read.`,
    remedy: 'Yield to the event loop: `await setImmediate()` from `node:timers/promises`.',
  },
  endlessLoop: {
    what: 'This loop never ends, and its awaits never yield to the event loop.',
    why: `${QUEUES} Awaiting a value that is already available uses only the microtask queue, so no timer fires, no request is read, and no response is sent.`,
    remedy: 'Yield to the event loop inside it: `await setImmediate()` from `node:timers/promises`.',
  },
  longLoop: {
    what: 'The awaits in this loop never yield, so the event loop is blocked until the loop ends.',
    why: `${QUEUES} Awaiting a value that is already available uses only the microtask queue. A loop that waits this way for a timer or for I/O never ends.`,
    remedy: 'Yield to the event loop at regular intervals: `await setImmediate()` from `node:timers/promises`.',
  },
} satisfies Record<string, MessageParts>;

export type MessageId = keyof typeof MESSAGES;
