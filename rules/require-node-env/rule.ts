// require-node-env: a server whose packages depend on NODE_ENV is started without NODE_ENV=production.
import { defineRule } from '../../analysis/rule.ts';
import { checkDeployment, type Options } from './deployment.ts';
import { messages, type MessageId } from './messages.ts';
import { checkModule } from './module-check.ts';

export const rule = defineRule<MessageId, Options>({
  meta: {
    id: 'require-node-env',
    group: 'config',
    summary: 'A server whose packages depend on NODE_ENV is started without NODE_ENV=production',
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages,
    options: {
      checkExamples: {
        type: 'boolean',
        default: false,
        description: 'Also check nested projects in folders named for examples, samples, demos, or fixtures',
      },
    },
    confirmedBy: [
      {
        kind: 'load',
        expect: 'the same requests get faster responses, or smaller error bodies, when the server is started with NODE_ENV=production',
      },
    ],
  },
  create: checkModule,
  checkDeployment,
});
