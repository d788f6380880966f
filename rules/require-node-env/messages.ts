// The rule's messages: what happens, why it matters for this project's own packages, what to do.
import type { MessageParts } from '../../protocol/finding.ts';

export type MessageId = 'missing' | 'host' | 'misspelt' | 'development' | 'tooLate' | 'comparison';

export const messages: Readonly<Record<MessageId, MessageParts>> = {
  missing: {
    what: '{{subject}} starts {{program}} without NODE_ENV=production{{note}}.',
    why: '{{effects}}.',
    remedy: '{{remedy}}',
  },
  host: {
    what: '{{subject}} starts {{program}} with the NODE_ENV of whoever runs compose, and with none when that machine has none.',
    why: '{{effects}}.',
    remedy: 'Give it a value here, or a default: `${NODE_ENV:-production}`.',
  },
  misspelt: {
    what: 'NODE_ENV is {{value}} here, which {{packages}} and other packages do not take for `production`.',
    why: 'They compare it with exactly `production`; anything else is treated as development. {{effects}}.',
    remedy: 'Write `production`, and let code of your own that compares with the old value follow.',
  },
  development: {
    what: '{{subject}} starts {{program}} with NODE_ENV set to {{value}}, in a place that is for production by its name.',
    why: '{{effects}}.',
    remedy: 'Write `production`.',
  },
  tooLate: {
    what: 'NODE_ENV is set after {{package}} has read it.',
    why: '{{reason}} {{effects}}.',
    remedy: '{{remedy}}',
  },
  comparison: {
    what: 'NODE_ENV is compared with {{value}}, a slip of `production`.',
    why: 'The test never holds where NODE_ENV is `production`, and where it holds, packages that compare with exactly `production` run as in development.',
    remedy: 'Compare with `production`.',
  },
};
