// Stacks that are captured although nothing has failed.
import type { Facts } from '../../analysis/facts/index.ts';
import { enclosingFunction, enclosingFunctionName, type Node, type t } from '../../analysis/module/ast.ts';
import { defineRule } from '../../analysis/rule.ts';
import { exportAround, EXPORTS_OPTION, withCallers, type ExportsOption } from '../shared/exported-place.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { captureOf, mayCapture } from './captures.ts';
import { isOnGoodPath } from '../shared/good-path.ts';
import { moveToUse } from './move.ts';

/** What an exported function of the file creates each time: `static expires(ms) { return new Timeout(ms); }`. */
function maker(place: Node, facts: Facts): Node | undefined {
  const fn = enclosingFunction(place);
  if (fn?.type !== 'ClassMethod' || fn.kind !== 'constructor') return undefined;
  return facts.calls
    .callersOf(fn)
    .map(({ edge }) => edge.site)
    .find((site) => site.type === 'NewExpression' && exportAround(site, facts) !== undefined);
}

export const rule = defineRule<'read' | 'early' | 'printed', ExportsOption>({
  meta: {
    id: 'no-stack-capture',
    group: 'api',
    summary:
      'Stack traces captured on request paths although nothing has failed: `new Error().stack`, errors created in advance, `console.trace`',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      read: {
        what: '`{{call}}` captures and formats a stack trace on every {{where}}.',
        why: 'Walking the stack and formatting 10 frames takes 7.9 to 12 µs (Node 20 to 26), and longer with `--enable-source-maps`. Creating the error alone takes 2.3 to 5.5 µs.',
        remedy: 'Keep the error, and read its `stack` only if something fails.',
      },
      early: {
        what: '`{{call}}` captures a stack trace on every {{where}}, but only a failure uses it.',
        why: 'Creating an error walks the stack: 2.3 to 5.5 µs for 10 frames (Node 20 to 26). If nothing fails, the error is discarded.',
        remedy: 'Create the error where it is used.',
      },
      printed: {
        what: '`console.trace` captures and prints a stack trace on every {{where}}.',
        why: 'Formatting 10 frames takes 7.9 to 12 µs (Node 20 to 26). The text goes to standard error. If that is a file, the event loop waits for the write.',
        remedy: 'Remove it, or print it only if something fails.',
      },
    },
    options: { exports: EXPORTS_OPTION },
    forRequestsOnly: true,
    unlessOption: 'exports',
    confirmedBy: [
      { kind: 'runs', expect: 'a stack is captured for each request' },
      { kind: 'time', expect: 'the function takes less time with the fix' },
    ],
  },
  create({ facts, source, options, report: reportAt }) {
    if (!mayCapture(source.text) || isPageCode(facts)) return {};
    const report = withCallers(reportAt, options, facts);
    const listen = (call: t.NewExpression | t.CallExpression): void => {
      const capture = captureOf(call, facts);
      if (!capture || !isOnGoodPath(call, facts, capture.kind === 'early')) return;
      const request = onRequestPath(options.exports ? (maker(call, facts) ?? call) : call, facts);
      if (!request || request.isOnce) return;
      report({
        at: capture.at,
        messageId: capture.kind,
        data: { call: capture.call },
        request,
        functionName: enclosingFunctionName(call),
        repair: () => moveToUse(capture, facts),
      });
    };
    return { NewExpression: listen, CallExpression: listen };
  },
});
