// Text made for log lines that nobody reads, because their level is off.
import { enclosingFunctionName, type CallNode } from '../../analysis/module/ast.ts';
import { defineRule } from '../../analysis/rule.ts';
import { EXPORTS_OPTION, withCallers, type ExportsOption } from '../shared/exported-place.ts';
import { isOnGoodPath } from '../shared/good-path.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { costlyPartOf } from './costly.ts';
import { guardCall } from './guard.ts';
import { logCallOf, mayLogEagerly } from './loggers.ts';

const WHY =
  'The text is made before the logger can refuse it. For 1 KiB of JSON, `JSON.stringify` takes 1.6 to 5.9 µs, and for 16 KiB 23 to 64 µs; `util.inspect` 27 to 37 and 250 to 320 µs (Node 20 to 26). A call with a formatter and a level that is off takes 5 ns.';

export const rule = defineRule<'eager' | 'elsewhere', ExportsOption>({
  meta: {
    id: 'no-eager-log',
    group: 'api',
    summary: 'Log lines of a level that is off by default, with text made of a body, a message, or rows on each request all the same',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      eager: {
        what: '`{{call}}` makes text for `{{logger}}` on every {{where}}. By default, `{{logger}}` logs nothing.',
        why: WHY,
        remedy: '{{remedy}}',
      },
      elsewhere: {
        what: '`{{call}}` makes text for `{{logger}}` on every {{where}}, even while that level is off.',
        why: WHY,
        remedy: 'Pass the value itself, if the logger makes text of it, or ask first whether the level is on.',
      },
    },
    options: { exports: EXPORTS_OPTION },
    forRequestsOnly: true,
    unlessOption: 'exports',
    confirmedBy: [
      { kind: 'runs', expect: 'the text is made for each request, and the clock says what it takes' },
      { kind: 'time', expect: 'the function takes less time with the fix' },
    ],
  },
  create({ facts, source, options, report: reportAt }) {
    if (!mayLogEagerly(source.text) || isPageCode(facts)) return {};
    const report = withCallers(reportAt, options, facts);
    const listen = (call: CallNode): void => {
      const log = call.arguments.length > 0 ? logCallOf(call, facts) : undefined;
      if (!log) return;
      for (const argument of call.arguments) {
        const costly = costlyPartOf(argument, facts);
        const request = costly && isOnGoodPath(call, facts, true) ? onRequestPath(call, facts) : undefined;
        if (!costly || !request || request.isOnce) continue;
        report({
          at: costly.call,
          messageId: log.library ? 'eager' : 'elsewhere',
          data: { call: costly.name, logger: log.name, ...(log.library ? { remedy: log.library.remedy } : {}) },
          request: log.library ? request : { ...request, at: call, isUnproven: true },
          functionName: enclosingFunctionName(call),
          repair: () => guardCall(call, log, facts),
        });
        return;
      }
    };
    return { CallExpression: listen, OptionalCallExpression: listen };
  },
});
