// Bytes that a request copies or converts although nobody needs the copy.
import { enclosingFunctionName, type CallNode, type t } from '../../analysis/module/ast.ts';
import { defineRule } from '../../analysis/rule.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { mayCopy } from './large.ts';
import { copiedAt, decodedAt, encodedAt, singleAt, type Waste } from './waste.ts';

export const rule = defineRule<Waste['kind']>({
  meta: {
    id: 'no-buffer-copy',
    group: 'api',
    summary:
      'Files, uploads, and bodies converted or copied for nothing on request paths: bytes decoded only to be sent, bytes processed one at a time',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      decoded: {
        what: '`{{made}}` decodes bytes to text on every {{where}}, and the text is {{use}}.',
        why: 'Decoding 1 MB and encoding it again takes 1.2 to 3.4 ms of processor time for ASCII, and 2.7 to 7.9 ms for other text (Node 20 to 26).',
        remedy: '{{remedy}}.',
      },
      single: {
        what: '`{{call}}` processes bytes one at a time on every {{where}}.',
        why: "For 1 MB, this blocks the event loop for 24 to 67 ms (Node 20 to 26). `buffer.toString('base64')` takes 0.3 to 0.4 ms.",
        remedy: "Let Buffer do it: `buffer.toString('base64')`, `'hex'`, or `'latin1'` for text; `Buffer.from(bytes)` for bytes.",
      },
      encoded: {
        what: '`{{call}}` encodes text to bytes on every {{where}}, and the bytes are only {{use}}.',
        why: 'For 1 MB of text, this takes 0.1 to 1.9 ms (Node 20 to 26), and the bytes are then discarded.',
        remedy: '{{remedy}}.',
      },
      copied: {
        what: '`{{call}}` copies bytes on every {{where}}, and nothing needs both copies.',
        why: 'A copy takes 0.1 to 0.3 ms for 1 MB, and 1 to 3.6 ms for 10 MB (Node 20 to 26). It also takes as much memory again.',
        remedy: '{{remedy}}.',
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [
      { kind: 'runs', expect: 'the bytes are converted for each request' },
      { kind: 'time', expect: 'the function takes less time with the fix' },
    ],
  },
  create({ facts, source, report }) {
    if (!mayCopy(source.text) || isPageCode(facts)) return {};
    const tell = (waste: Waste | undefined): void => {
      const request = waste && onRequestPath(waste.at, facts);
      if (!request || request.isOnce) return;
      const { kind: messageId, at, data, repair } = waste;
      report({ at, messageId, data, request, functionName: enclosingFunctionName(at), ...(repair ? { repair } : {}) });
    };
    const listen = (call: CallNode): void =>
      tell(decodedAt(call, facts) ?? singleAt(call, facts) ?? encodedAt(call, facts) ?? copiedAt(call, facts));
    const listenToRest = (node: t.ArrayExpression | t.AssignmentExpression): void => tell(singleAt(node, facts));
    return {
      CallExpression: listen,
      OptionalCallExpression: listen,
      NewExpression: listen,
      ArrayExpression: listenToRest,
      AssignmentExpression: listenToRest,
    };
  },
});
