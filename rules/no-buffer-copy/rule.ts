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
      'Files, uploads, and bodies converted or copied for nothing on request paths: text made of bytes that are only sent, bytes handled one by one',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      decoded: {
        what: '`{{made}}` makes text of bytes on every {{where}}, and the text is {{use}}.',
        why: 'Bytes are decoded, and encoded again: for 1 MB, that takes 1.2 to 3.4 ms of processor time if it is ASCII, and 2.7 to 7.9 ms with other letters (Node 20 to 26).',
        remedy: '{{remedy}}.',
      },
      single: {
        what: '`{{call}}` handles each byte by itself on every {{where}}.',
        why: "For 1 MB, that takes 24 to 67 ms (Node 20 to 26), and the thread can do nothing else meanwhile. `buffer.toString('base64')` takes 0.3 to 0.4 ms.",
        remedy: "Let Buffer do it: `buffer.toString('base64')`, `'hex'`, or `'latin1'`; `Buffer.from(bytes)` for bytes.",
      },
      encoded: {
        what: '`{{call}}` makes bytes of a text on every {{where}}, and they are only {{use}}.',
        why: 'For 1 MB of text, that takes 0.1 to 1.9 ms (Node 20 to 26), and the bytes are thrown away.',
        remedy: '{{remedy}}.',
      },
      copied: {
        what: '`{{call}}` copies bytes on every {{where}}, and nothing needs both.',
        why: 'A copy takes 0.1 to 0.3 ms for 1 MB and 1 to 3.6 ms for 10 MB (Node 20 to 26), and as much memory again.',
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
