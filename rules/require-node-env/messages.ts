// The messages of the rule: what happens, why it matters for this project's own packages, what to do.
import type { MessageParts } from '../../protocol/finding.ts';

export type MessageId = 'missing' | 'host' | 'misspelt' | 'development' | 'tooLate' | 'comparison';

export const messages: Readonly<Record<MessageId, MessageParts>> = {
  missing: {
    what: '{{subject}} starts {{program}} without NODE_ENV=production{{note}}.',
    why: '{{effects}}.',
    remedy: '{{remedy}}',
  },
  host: {
    what: '{{subject}} starts {{program}} with the NODE_ENV of the machine that runs Compose, which may have none.',
    why: '{{effects}}.',
    remedy: 'Set a value here, or a default: `${NODE_ENV:-production}`.',
  },
  misspelt: {
    what: 'NODE_ENV is {{value}} here, which {{packages}} and other packages do not recognize as `production`.',
    why: 'They compare it with exactly `production` and treat any other value as development. {{effects}}.',
    remedy: 'Use `production`, and update your own code that compares with the old value.',
  },
  development: {
    what: '{{subject}} starts {{program}} with NODE_ENV set to {{value}}, in a configuration whose name says production.',
    why: '{{effects}}.',
    remedy: 'Use `production`.',
  },
  tooLate: {
    what: 'NODE_ENV is set after {{package}} has read it.',
    why: '{{reason}} {{effects}}.',
    remedy: '{{remedy}}',
  },
  comparison: {
    what: 'NODE_ENV is compared with {{value}}, a misspelling of `production`.',
    why: 'The comparison is false when NODE_ENV is `production`. When it is true, packages that check for exactly `production` run in development mode.',
    remedy: 'Compare with `production`.',
  },
};
