// require-node-env: a server whose packages change with NODE_ENV is started without NODE_ENV=production.
import { defineRule } from '../../analysis/rule.ts';
import { checkDeployment } from './deployment.ts';
import { messages, type MessageId } from './messages.ts';
import { checkModule } from './module-check.ts';

export const rule = defineRule<MessageId>({
  meta: {
    id: 'require-node-env',
    group: 'config',
    summary: 'A server whose packages change with NODE_ENV is started without NODE_ENV=production',
    severity: 'warning',
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages,
    options: {},
    confirmedBy: [{ kind: 'load', expect: 'the same requests answered faster, or with smaller error bodies, when the server is started with NODE_ENV=production' }],
  },
  create: checkModule,
  checkDeployment,
});
