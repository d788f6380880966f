// JSON of requests that nothing limits, or a limit that lets one request block the event loop.
import type { JsonAttack } from '../../protocol/attack.ts';
import { enclosingFunctionName, isCall, isMember, memberName, unwrap, type CallNode } from '../../analysis/module/ast.ts';
import { textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule } from '../../analysis/rule.ts';
import { EMPTY_OBJECTS_MS, RECORDS_MS, type JsonTime } from '../../knowledge/json-times.ts';
import { isInDevelopmentBranch, onRequestPath } from '../shared/request-place.ts';
import { GatheredBodies, mayGather } from './gathered.ts';
import { limitAt, mayBeLimit, type SetLimit } from './limits.ts';

const MIB = 1024 ** 2;
/** Ordinary records of this size take about 50 to 110 ms, and a text that a client makes slow 0.6 s or more (knowledge/json-times.ts). */
const HINT_BYTES = 10 * MIB;
/**
 * The same: about 75 to 175 ms, and 1 s or more. Many programs have a limit of 10 MB for a picture in a field; larger ones are for files.
 */
const WARNING_BYTES = 16 * MIB;
/** V8 has no longer texts. */
const LONGEST_TEXT = 512 * MIB;
/** The longest text that a run tries: it takes half a second or more, and a larger one takes gigabytes of memory. */
const MOST_TRIED = 8 * MIB;
/** What a body can have that nothing limits; the message names it as an example. */
const EXAMPLE_BYTES = 50 * MIB;

const WHY =
  "`JSON.parse` parses a text in one go, on the event loop's thread. {{size}} of ordinary records take {{records}}, and a text crafted to be slow takes {{slow}} (Node 20 to 26). All other requests wait meanwhile.";

export const rule = defineRule<'limit' | 'route' | 'unlimited' | 'gathered'>({
  meta: {
    id: 'no-unbounded-json',
    group: 'event-loop',
    summary: 'JSON request bodies with no size limit, or with one so large that parsing blocks the event loop',
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      limit: {
        what: '`{{option}}` accepts {{size}} of JSON from every request{{unless}}, and parses it in one piece.',
        why: WHY,
        remedy:
          'Accept little on all routes (the default is {{byDefault}}), and more only on the routes that need it, after authentication. Read files as streams.',
      },
      route: {
        what: '`{{option}}` accepts {{size}} of JSON{{unless}}, and parses it in one piece.',
        why: WHY,
        remedy: 'Read large data as a stream, in parts (NDJSON, multipart), or authenticate the client first.',
      },
      unlimited: {
        what: '`{{option}}` accepts {{most}}{{unless}}, and parses it in one piece.',
        why: WHY,
        remedy:
          'Accept little on all routes (the default is {{byDefault}}), and more only on the routes that need it, after authentication. Read files as streams.',
      },
      gathered: {
        what: 'The body of every {{where}} is collected whatever its size, and parsed in one piece.',
        why: WHY,
        remedy: 'Count the bytes as they arrive, and answer 413 if there are too many, or use a body parser with a limit.',
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [{ kind: 'loop-delay', expect: 'the event loop is blocked while the text is parsed' }],
  },
  create({ facts, source, report }) {
    const hasLimits = mayBeLimit(source.text);
    const mayHaveBodies = mayGather(source.text);
    if ((!hasLimits && !mayHaveBodies) || !facts.isApplication()) return {};
    const bodies = mayHaveBodies && !isLocal(facts) ? new GatheredBodies(facts) : undefined;
    const listen = (call: CallNode): void => {
      if (!bodies?.isParsed(call)) return;
      const request = onRequestPath(call, facts);
      if (!request || request.isOnce) return;
      report({
        at: call,
        messageId: 'gathered',
        data: timesOf(EXAMPLE_BYTES),
        request,
        functionName: enclosingFunctionName(call),
        attack: attackOf(Number.POSITIVE_INFINITY, 'nothing limits the body'),
      });
    };
    return {
      ...(hasLimits && {
        ObjectProperty(property) {
          const limit = limitAt(property, facts);
          if (!limit || limit.bytes < HINT_BYTES || isInDevelopmentBranch(property, facts)) return;
          const { node, option, bytes } = limit;
          const isUnlimited = bytes > LONGEST_TEXT;
          report({
            at: node,
            messageId: isUnlimited ? 'unlimited' : limit.isForAll ? 'limit' : 'route',
            severity: limit.isForAll && bytes >= WARNING_BYTES && limit.unless === '' ? undefined : 'hint',
            data: {
              option,
              unless: limit.unless,
              byDefault: defaultOf(limit),
              ...(isUnlimited ? { most: mostOf(bytes) } : {}),
              ...timesOf(isUnlimited ? EXAMPLE_BYTES : bytes),
            },
            attack: attackOf(
              bytes,
              bytes === Number.POSITIVE_INFINITY
                ? `\`${option}\` sets no limit`
                : `\`${option}\` accepts ${bytes.toLocaleString('en-US')} bytes`,
            ),
          });
        },
      }),
      ...(bodies && { CallExpression: listen, OptionalCallExpression: listen }),
    };
  },
});

function defaultOf({ option }: SetLimit): string {
  return option === 'limit' ? '100 kB' : '1 MB';
}

function mostOf(bytes: number): string {
  return bytes === Number.POSITIVE_INFINITY ? 'JSON of any size' : `${Math.round(bytes / MIB).toLocaleString('en-US')} MB of JSON`;
}

/** `50 MB`, and what that takes. */
function timesOf(bytes: number): { size: string; records: string; slow: string } {
  const megabytes = bytes / MIB;
  return {
    size: `${megabytes >= 10 ? Math.round(megabytes) : megabytes.toFixed(1)} MB`,
    records: rangeOf(megabytes, RECORDS_MS),
    slow: rangeOf(megabytes, EMPTY_OBJECTS_MS),
  };
}

function rangeOf(megabytes: number, { low, high }: JsonTime): string {
  const [from, to] = [low, high].map((ms) => {
    const seconds = (ms * megabytes) / 1000;
    return seconds < 10 ? Number(seconds.toPrecision(1)) : Math.round(seconds);
  });
  return from === to ? `about ${from} s` : `about ${from} to ${to} s`;
}

function attackOf(bytes: number, limit: string): JsonAttack {
  const size = Math.min(bytes, MOST_TRIED);
  return {
    method: 'JSON.parse',
    prefix: '[',
    pump: '{},',
    suffix: '{}]',
    size,
    limit: size < bytes ? `${limit}; longer ones were not tried` : limit,
  };
}

/** Whether the server of the file only answers this machine: `server.listen(3000, '127.0.0.1')`. */
function isLocal(facts: Facts): boolean {
  return facts.module.nodes('CallExpression').some((call) => {
    const callee = unwrap(call.callee);
    return (
      isMember(callee) &&
      memberName(callee) === 'listen' &&
      call.arguments.slice(1).some((one) => !isCall(one) && /^(?:localhost|127\.0\.0\.1|::1)$/.test(textOf(one, facts.bindings) ?? ''))
    );
  });
}
