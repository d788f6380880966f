// Files, answers, bodies, archives, and rows that are gathered whole although they are only passed on.
import type { Facts } from '../../analysis/facts/index.ts';
import { enclosingFunctionName, isMember, memberName, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { defineRule } from '../../analysis/rule.ts';
import { EXPORTS_OPTION, withCallers, type ExportsOption } from '../shared/exported-place.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { writtenRows } from './rows.ts';
import { isChosenByRequest, isLimited, isOpenFile, isSmallByName, mayBeLarge } from './sizes.ts';
import { onFailureOf } from './failures.ts';
import { mayReadWhole, wholeOf, type Whole } from './sources.ts';
import { useOf, type UseKind } from './uses.ts';

type Message = 'sent' | 'stored' | 'unlimited' | 'split' | 'hashed' | 'rows';

const WHY_SENT =
  'Nothing is sent until the last byte has been read, and each request holds all of them. Sending a 128 MB file to 20 clients at once took 2.5 GB of memory, and 51 to 87 MB as a stream. The first byte took 2.1 to 3.5 s, and 0.07 to 0.17 s as a stream (Node 20 to 24). Small files are cheaper whole.';
const WHY_STORED =
  'Each request holds all bytes until the last one has arrived. Storing 20 bodies of 128 MB at once took 4.9 to 5 GB of memory, and 49 to 57 MB as streams (Node 20 and 22).';

export const rule = defineRule<Message, ExportsOption>({
  meta: {
    id: 'no-whole-read',
    group: 'api',
    summary:
      'Files, responses, bodies, archives, and rows read into memory whole on request paths, only to be sent, stored, hashed, or split into lines',
    severity: 'hint',
    otherSeverities: ['warning'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      sent: {
        what: '`{{call}}` holds {{all}} in memory on every {{where}}, only to send it.',
        why: WHY_SENT,
        remedy: '{{remedy}}',
      },
      stored: {
        what: '`{{call}}` holds {{all}} in memory on every {{where}}, only to store it.',
        why: WHY_STORED,
        remedy: '{{remedy}}',
      },
      unlimited: {
        what: '`{{call}}` holds the body of every {{where}} in memory, whatever its size, only to store it.',
        why: WHY_STORED,
        remedy: '{{remedy}} Respond with 413 if there are too many bytes.',
      },
      split: {
        what: '`{{call}}` holds {{all}} in memory on every {{where}}, only to split it into lines.',
        why: 'The text and all lines are in memory at once. A 128 MB file for 20 requests at once took 3.3 to 3.4 GB, and 46 to 48 MB line by line (Node 20 and 22). For small files, reading line by line takes longer.',
        remedy: '{{remedy}}',
      },
      hashed: {
        what: '`{{call}}` holds {{all}} in memory on every {{where}}, only to hash it.',
        why: 'A hash accepts its input in parts. A 128 MB file for 20 requests at once took 2.5 GB of memory, and 41 to 78 MB as a stream (Node 20 and 22). Small files are hashed faster whole.',
        remedy: '{{remedy}}',
      },
      rows: {
        what: '`{{call}}` reads all rows into memory on every {{where}}, only to write them one at a time.',
        why: 'All rows are in memory at once, and the client gets the first one only after the database has sent the last.',
        remedy: 'Stream them with a cursor or stream of the driver (`pg-query-stream`, `.stream()`, `.cursor()`), or read page by page.',
      },
    },
    options: { exports: EXPORTS_OPTION },
    forRequestsOnly: true,
    unlessOption: 'exports',
    confirmedBy: [],
  },
  create({ facts, source, options, report: reportAt }) {
    if (!mayReadWhole(source.text) || isPageCode(facts)) return {};
    const report = withCallers(reportAt, options, facts);
    const tell = (at: Node, call: CallNode, messageId: Message, data: Record<string, string>): void => {
      const request = onRequestPath(at, facts);
      if (!request || request.isOnce) return;
      report({
        at,
        messageId,
        severity: messageId === 'unlimited' ? 'warning' : 'hint',
        data: { call: nameOf(call, facts), ...data },
        request,
        functionName: enclosingFunctionName(at),
      });
    };
    const listen = (call: CallNode): void => {
      const whole = wholeOf(call, facts);
      const use = whole && useOf(call, whole, facts);
      if (!whole || !use || !isOpen(whole, use, facts) || isLimited(call, facts)) return;
      const onFailure = use === 'sent' || use === 'web' ? onFailureOf(call, facts) : undefined;
      if (onFailure === 'fallback') return;
      const remedy = `${remedyFor(whole, use, facts)}${onFailure === 'error' ? errorsOf(whole, use, facts) : ''}`;
      tell(call, call, messageOf(whole, use), { all: whole.all, remedy });
    };
    return {
      CallExpression: listen,
      OptionalCallExpression: listen,
      AwaitExpression(awaited) {
        const query = writtenRows(awaited, facts);
        if (query) tell(query, query, 'rows', {});
      },
    };
  },
});

function messageOf({ kind }: Whole, use: UseKind): Message {
  if (use === 'blob' || use === 'web') return 'sent';
  if (use === 'stored' || use === 'uploaded') return kind === 'body' ? 'unlimited' : 'stored';
  return use;
}

/** Whether nothing says that it is small, and its parts are as good as all of it. */
function isOpen({ kind, address }: Whole, use: UseKind, facts: Facts): boolean {
  if (use === 'blob' && kind !== 'file') return false;
  switch (kind) {
    case 'file':
      return address !== undefined && (isOpenFile(address, facts) || (use === 'uploaded' && mayBeLarge(address, facts)));
    // Mostly a few words. Where the request says whom to ask, nobody knows.
    case 'text':
      return (use === 'sent' || use === 'web') && address !== undefined && isChosenByRequest(address, facts);
    case 'body':
      return use === 'stored' || use === 'uploaded';
    case 'answer':
      return use !== 'split' && !(address && isSmallByName(address, facts));
    default:
      return use !== 'split';
  }
}

/** What each framework sends as a stream. */
const SENDING: Readonly<Record<string, string>> = {
  express: '`response.sendFile(path)`, which also answers requests for a part',
  fastify: '`reply.send(createReadStream(path))`',
  koa: '`context.body = createReadStream(path)`',
  nestjs: '`new StreamableFile(createReadStream(path))`',
};

/** Where the errors of the stream go that `catch` gets now. */
function errorsOf({ kind }: Whole, use: UseKind, facts: Facts): string {
  if (kind !== 'file') return ' An error on the way then comes after the headers.';
  return use === 'sent' && SENDING[facts.handlers.handlers[0]?.framework ?? ''] !== undefined
    ? ' Its errors do not reach `catch`.'
    : ' Open the file first (`await open(path)`), because an error of the stream comes after the headers.';
}

function remedyFor(whole: Whole, use: UseKind, facts: Facts): string {
  const { kind, stream } = whole;
  const bare = stream.replaceAll('`', '');
  if (stream === '')
    return use === 'sent'
      ? 'Write it to the response: `workbook.xlsx.write(response)`.'
      : 'Write it to a stream: `workbook.xlsx.write(stream)`.';
  switch (use) {
    case 'sent': {
      const own = kind === 'file' ? SENDING[facts.handlers.handlers[0]?.framework ?? ''] : undefined;
      return own ? `Use ${own}.` : `Stream it: \`pipeline(${bare}, response)\`.`;
    }
    case 'web': {
      const body = bare.startsWith('Readable.fromWeb') ? 'answer.body' : `Readable.toWeb(${bare})`;
      return `Stream it: \`new Response(${body})\`.`;
    }
    case 'stored':
      return kind === 'file' ? 'Use `copyFile(from, to)`.' : `Stream it: \`pipeline(${bare}, createWriteStream(path))\`.`;
    case 'blob':
      return 'Use `await openAsBlob(path)` of `node:fs` (Node.js 19.8 or newer).';
    case 'uploaded':
      return kind === 'file'
        ? 'Upload `createReadStream(path)`.'
        : `Upload ${stream} as a stream: \`Upload\` of \`@aws-sdk/lib-storage\` takes streams of any length.`;
    case 'split':
      return 'Read line by line: `createInterface({ input: createReadStream(path) })` of `node:readline`.';
    case 'hashed':
      return `Stream it: \`await pipeline(${bare}, hash)\`, then \`hash.digest()\`.`;
  }
}

// Longer names are shortened.
const MAX_NAME = 40;

function nameOf(call: CallNode, facts: Facts): string {
  const callee = unwrap(call.callee);
  const written = facts.source.slice(callee).replaceAll(/\s+/g, ' ');
  if (written.length <= MAX_NAME) return written;
  return isMember(callee) ? `….${memberName(callee) ?? ''}` : `${written.slice(0, MAX_NAME)}…`;
}
