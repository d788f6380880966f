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
  'The text is built before the logger checks its level. `JSON.stringify` takes 1.6 to 5.9 µs for 1 KiB of JSON, and 23 to 64 µs for 16 KiB. `util.inspect` takes 27 to 37 µs, and 250 to 320 µs (Node 20 to 26). A call with a formatter takes 5 ns while its level is off.';

export const rule = defineRule<'eager' | 'elsewhere', ExportsOption>({
  meta: {
    id: 'no-eager-log',
    group: 'api',
    summary: 'Text built from bodies, messages, or rows on each request, for log lines whose level is off by default',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      eager: {
        what: '`{{call}}` builds text for `{{logger}}` on every {{where}}, but by default, `{{logger}}` logs nothing.',
        why: WHY,
        remedy: '{{remedy}}',
      },
      elsewhere: {
        what: '`{{call}}` builds text for `{{logger}}` on every {{where}}, even while that level is off.',
        why: WHY,
        remedy: 'Pass the value itself if the logger formats it, or check first whether the level is on.',
      },
    },
    options: { exports: EXPORTS_OPTION },
    forRequestsOnly: true,
    unlessOption: 'exports',
    confirmedBy: [
      { kind: 'runs', expect: 'the text is made for each request, and its time is measured' },
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
