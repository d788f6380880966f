// What the rule says. Figures: medians per operation on Node 18 to 26, Linux x64, as bench/throw-costs.js measures them; the README has the
// table.
import type { MessageParts } from '../../protocol/finding.ts';

const TRY_IS_FREE = '`try` itself costs nothing (×1.00 on Node 18–26).';

export const MESSAGES = {
  urlProbe: {
    what: '`{{name}}` is called {{often}} to see whether it throws.',
    why: `${TRY_IS_FREE} An invalid address costs 2–7 µs for the Error and its stack; \`URL.canParse\` answers in 15–65 ns, 100–300 times as fast.`,
    remedy: 'Ask `URL.canParse` (Node 18.17, 19.9) first, or use `URL.parse` (Node 20.18, 22.1), which gives null.',
  },
  jsonProbe: {
    what: '`{{name}}` is called {{often}} to see whether the text is JSON.',
    why: `${TRY_IS_FREE} Text that is not JSON costs 3–10 µs for the Error and its stack, 15 times and more what text of the same length costs that is.`,
    remedy: 'Keep what kind of value it is beside the text, or look at its first character before you parse.',
  },
  jsonUntil: {
    what: '`{{name}}` is called {{often}} until it stops throwing.',
    why: `${TRY_IS_FREE} Every failed parse reads the text from its start again and costs 3–10 µs more for the Error and its stack.`,
    remedy: 'Find the end of the text first: one JSON value per line, a length in front, or a streaming parser.',
  },
  throwingTest: {
    what: '`{{name}}` is called {{often}} only to see whether it throws.',
    why: `${TRY_IS_FREE} Each no costs 2–4 µs for the throw, the Error and its stack; an Error that V8 makes itself costs 5–10 µs.`,
    remedy: 'Ask with a function that returns true or false.',
  },
  accessProbe: {
    what: '`{{name}}` is called {{often}} to see whether it throws.',
    why: `${TRY_IS_FREE} A missing file costs 3–10 µs with the Error and its stack, against about 1 µs for \`existsSync\`.`,
    remedy: 'Use `existsSync`, or open the file and handle its absence.',
  },
  typeErrorProbe: {
    what: 'A missing property is found out by its TypeError, {{often}}.',
    why: `${TRY_IS_FREE} V8's own TypeError costs 5–10 µs each time something on the way is missing; \`?.\` costs a comparison.`,
    remedy: 'Read with `?.` and give the fallback with `??`.',
  },
  candidateLoop: {
    what: '`{{name}}` is tried with one candidate after another until it does not throw, {{often}}.',
    why: `${TRY_IS_FREE} Each wrong candidate costs a whole attempt and 2–4 µs for the throw, the Error and its stack.`,
    remedy: 'Pick the candidate first (a key id in the header, a tag, a prefix), or let the function return a result instead of throwing.',
  },
  caughtThrow: {
    what: 'This throw is caught by its own function, {{often}}.',
    why: `${TRY_IS_FREE} A throw costs 0.1–0.4 µs, a new Error 1–3 µs more because it takes down the stack; reading its \`.stack\` another 7 µs.`,
    remedy: 'Return, continue or break where you know that the item is bad; keep throw for what nobody expects.',
  },
  swallowedThrow: {
    what: '{{name}} throws for what it rejects, and this catch swallows it, {{often}}.',
    why: `${TRY_IS_FREE} Every rejected item costs 2–4 µs for the throw, the Error and its stack.`,
    remedy: 'If bad items are common, let the function return a result (`null`, `false`, `{ error }`) instead of throwing.',
  },
  stackRead: {
    what: 'A stack trace is taken and read {{often}}.',
    why: 'Making the Error costs 1.1–2.4 µs and reading `.stack` about 7 µs more (Node 18–26): it is turned into text then.',
    remedy: 'Take the trace only when it is printed, or set `Error.stackTraceLimit` to the frames you need.',
  },
  oldTry: {
    what: 'This try runs {{often}}, and the project declares Node {{range}}.',
    why: 'Before Node 8.3 V8 left every function with a `try` unoptimized (measured: ×1.5 on Node 6, ×1.16 on 8.2). From 8.3 on it costs nothing.',
    remedy: 'Move the loop into a function of its own and call it inside the try, or raise `engines.node`.',
  },
} satisfies Record<string, MessageParts>;

export type MessageId = keyof typeof MESSAGES;
