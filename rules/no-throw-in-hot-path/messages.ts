// The messages of the rule. Figures: medians per operation on Node 18 to 26, Linux x64, as measured by bench/throw-costs.js. The README has
// the table.
import type { MessageParts } from '../../protocol/finding.ts';
import type { Probe } from './probes.ts';

const TRY_IS_FREE = '`try` itself costs nothing (×1.00 on Node 18–26).';

export const MESSAGES = {
  urlProbe: {
    what: '`{{name}}` is called {{often}} to check whether it throws.',
    why: `${TRY_IS_FREE} An invalid URL costs 2–7 µs for the Error and its stack trace; \`URL.canParse\` takes 15–65 ns and is 100–300 times as fast.`,
    remedy: 'Check with `URL.canParse` (Node 18.17, 19.9) first, or use `URL.parse` (Node 20.18, 22.1), which returns null.',
  },
  urlFallback: {
    what: '`{{name}}` is called {{often}}, and the exception means that the URL is invalid.',
    why: `${TRY_IS_FREE} An invalid URL costs 2–7 µs for the Error and its stack trace.`,
    remedy:
      'Use `URL.parse` (Node 20.18, 22.1), which returns null. `URL.canParse` before `new URL` parses each valid URL twice, and pays only if many are invalid.',
  },
  jsonFallback: {
    what: '`{{name}}` is called {{often}}, and the exception means that the text is not JSON.',
    why: `${TRY_IS_FREE} Invalid JSON costs 3–10 µs for the Error and its stack trace, at least 15 times as much as valid JSON of the same length.`,
    remedy: 'Store the kind of value with the text, or check its first character before you parse it.',
  },
  jsonProbe: {
    what: '`{{name}}` is called {{often}} to check whether the text is JSON.',
    why: `${TRY_IS_FREE} Invalid JSON costs 3–10 µs for the Error and its stack trace, at least 15 times as much as valid JSON of the same length.`,
    remedy: 'Store the kind of value with the text, or check its first character before you parse it.',
  },
  jsonUntil: {
    what: '`{{name}}` is called {{often}} until it stops throwing.',
    why: `${TRY_IS_FREE} Each failed parse reads the text from the beginning again and costs 3–10 µs more for the Error and its stack trace.`,
    remedy: 'Find the end of the text first: use one JSON value per line, a length prefix, or a streaming parser.',
  },
  throwingTest: {
    what: '`{{name}}` is called {{often}} only to check whether it throws.',
    why: `${TRY_IS_FREE} Each failure costs 2–4 µs for the throw, the Error, and its stack trace; an Error that V8 itself creates costs 5–10 µs.`,
    remedy: 'Check with a function that returns true or false.',
  },
  accessProbe: {
    what: '`{{name}}` is called {{often}} to check whether it throws.',
    why: `${TRY_IS_FREE} A missing file costs 3–10 µs for the Error and its stack trace; \`existsSync\` takes about 1 µs.`,
    remedy: 'Use `existsSync`, or open the file and handle the error if it is missing.',
  },
  typeErrorProbe: {
    what: 'A missing property is detected by catching a TypeError {{often}}.',
    why: `${TRY_IS_FREE} The TypeError costs 5–10 µs each time a part of the path is missing; \`?.\` costs a comparison.`,
    remedy: 'Read the property with `?.` and provide the fallback with `??`.',
  },
  candidateLoop: {
    what: '`{{name}}` is called with one candidate after another {{often}} until one does not throw.',
    why: `${TRY_IS_FREE} Each wrong candidate costs a full attempt and 2–4 µs for the throw, the Error, and its stack trace.`,
    remedy:
      'Select the candidate first (by a key ID in the header, a tag, or a prefix), or let the function return a result instead of throwing.',
  },
  caughtThrow: {
    what: 'This throw is caught in the same function {{often}}.',
    why: `${TRY_IS_FREE} A throw costs 0.1–0.4 µs, and a new Error 1–3 µs more because it captures the stack. Reading its \`.stack\` costs another 7 µs.`,
    remedy: 'Use return, continue, or break for invalid items. Throw only for unexpected errors.',
  },
  swallowedThrow: {
    what: '{{name}} throws when it rejects an item, and this catch swallows the error {{often}}.',
    why: `${TRY_IS_FREE} Each rejected item costs 2–4 µs for the throw, the Error, and its stack trace.`,
    remedy: 'If invalid items are common, let the function return a result (`null`, `false`, `{ error }`) instead of throwing.',
  },
  stackRead: {
    what: 'A stack trace is captured and read {{often}}.',
    why: 'Creating the Error costs 1.1–2.4 µs. Reading `.stack`, which formats it as text, costs about 7 µs more (Node 18–26).',
    remedy: 'Capture the trace only when it is printed, or set `Error.stackTraceLimit` to the number of frames you need.',
  },
  oldTry: {
    what: 'This `try` runs {{often}}, and the project supports Node {{range}}.',
    why: 'Before Node 8.3, V8 did not optimize functions that contain a `try` (measured: ×1.5 on Node 6, ×1.16 on 8.2). From 8.3 on, it costs nothing.',
    remedy: 'Move the loop into its own function and call it inside the `try`, or raise `engines.node`.',
  },
} satisfies Record<string, MessageParts>;

export type MessageId = keyof typeof MESSAGES;

const PROBE_MESSAGES: Readonly<Record<Probe['kind'], MessageId>> = {
  url: 'urlProbe',
  json: 'jsonProbe',
  'json-until': 'jsonUntil',
  access: 'accessProbe',
  'type-error': 'typeErrorProbe',
  candidates: 'candidateLoop',
  'throwing-call': 'throwingTest',
};

const FALLBACK_MESSAGES: Readonly<Partial<Record<Probe['kind'], MessageId>>> = { url: 'urlFallback', json: 'jsonFallback' };

export const messageOf = ({ kind, isUsed }: Probe): MessageId => (isUsed && FALLBACK_MESSAGES[kind]) || PROBE_MESSAGES[kind];
