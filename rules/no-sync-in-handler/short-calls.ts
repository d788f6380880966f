// Calls that take microseconds: which of them are told, and not converted by themselves.
import { isCall, isFunction, isMember, memberName, parentOf, type CallNode } from '../../analysis/module/ast.ts';
import type { RefusedFix } from '../../analysis/rule.ts';
import { TITLE } from './async-plan.ts';
import type { BlockingMatch } from './blocking.ts';

/** Array methods that run their callback for each element while the function runs. */
export const RUNS_AT_ONCE = /^(?:forEach|map|flatMap|filter|some|every|find|findIndex|findLast|reduce|sort)$/;

/** What asks about one entry of a folder, or changes one. A listing is as long as its folder. */
export const isOfMicroseconds = ({ level, row }: BlockingMatch): boolean =>
  level === 'hint' && row.single === 'hint' && row.module === 'fs' && row.path.at(-1) !== 'readdirSync';

/**
 * Readers of unseen applications would not have merged 25 of 30 such changes (bench/fixes-read.md). What replaces a check and the call behind
 * it is offered: it also closes the gap between the two.
 */
export function whySmall({ call, row }: BlockingMatch): RefusedFix | undefined {
  if (isRepeated(call)) return undefined;
  const took = /took (.+) on a local disk/.exec(row.took ?? '')?.[1];
  return took === undefined
    ? undefined
    : { title: TITLE, reason: `it takes ${took} on a local disk, and awaiting it costs a request at least as much processor time` };
}

/** In a loop of its function, or in a callback of an array method. */
function isRepeated(call: CallNode): boolean {
  for (let at = parentOf(call); at; at = parentOf(at)) {
    if (isFunction(at)) {
      const around = parentOf(at);
      return isCall(around) && isMember(around.callee) && RUNS_AT_ONCE.test(memberName(around.callee) ?? '');
    }
    if (/^(?:For|While|DoWhile)/.test(at.type)) return true;
  }
  return false;
}
