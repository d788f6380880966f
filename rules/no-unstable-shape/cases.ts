import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';
import { deletions } from './cases-deletions.ts';
import { innocents } from './cases-innocents.ts';
import { shapes } from './cases-shapes.ts';

export const cases: RuleCases<MessageId> = { valid: innocents, invalid: [...deletions, ...shapes] };
