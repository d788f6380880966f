// What the rule says. That timers, immediates, sockets and files wait is measured on Node 18, 20, 22, 24, 25 and 26; see the README.
import type { MessageParts } from '../../protocol/finding.ts';

const QUEUES = 'Node empties the queues of ticks and microtasks before it goes on to timers, sockets and files.';

export const MESSAGES = {
  endlessRequeue: {
    what: '{{name}} puts itself back into the queue with `{{via}}`, every time that it runs.',
    why: `${QUEUES} This one never gets empty: no timer fires, no request is read, no answer is sent again.`,
    remedy: 'Use `setImmediate`, which lets the event loop turn between two rounds.',
  },
  longRequeue: {
    what: '{{name}} puts itself back into the queue with `{{via}}` until its data says stop.',
    why: `${QUEUES} Until then no timer fires and no request is read.`,
    remedy: 'Use `setImmediate`, which lets the event loop turn between two rounds.',
  },
  endlessRecursion: {
    what: '{{name}} calls itself again and again after awaits that wait for nothing.',
    why: `${QUEUES} Awaiting a value that is there already only goes through the queue of microtasks, so that one never gets empty: no timer fires, no request is read.`,
    remedy: 'Await a turn of the event loop: `setImmediate` from `node:timers/promises`.',
  },
  longRecursion: {
    what: '{{name}} calls itself after awaits that wait for nothing, until its data says stop.',
    why: `${QUEUES} Awaiting a value that is there already only goes through the queue of microtasks: until the end no timer fires and no request is read.`,
    remedy: 'Await a turn of the event loop: `setImmediate` from `node:timers/promises`.',
  },
  endlessLoop: {
    what: 'This loop never ends, and nothing that it awaits ever waits.',
    why: `${QUEUES} Awaiting a value that is there already only goes through the queue of microtasks: no timer fires, no request is read, no answer is sent again.`,
    remedy: 'Await a turn of the event loop in it: `setImmediate` from `node:timers/promises`.',
  },
  longLoop: {
    what: 'Nothing that this loop awaits ever waits, so the event loop stands still until the loop ends.',
    why: `${QUEUES} Awaiting a value that is there already only goes through the queue of microtasks: a loop that waits for a timer or for I/O in this way waits for ever.`,
    remedy: 'Await a turn of the event loop every so many rounds: `setImmediate` from `node:timers/promises`.',
  },
} satisfies Record<string, MessageParts>;

export type MessageId = keyof typeof MESSAGES;
