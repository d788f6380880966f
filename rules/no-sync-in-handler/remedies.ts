// What a finding advises, and which calls are told and not converted by themselves: those that take microseconds.
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { RefusedFix } from '../../analysis/rule.ts';
import { TITLE } from './async-plan.ts';
import { isProbe, type BlockingMatch } from './blocking.ts';
import { AT_STARTUP } from './load-at-startup.ts';
import { afterCheck, calledName, pathUsesOf } from './path-uses.ts';

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

/** What a getter or setter advises, which cannot wait; undefined for other functions. */
function remedyOfAccessor(fn: FunctionNode): string | undefined {
  if ((fn.type === 'ObjectMethod' || fn.type === 'ClassMethod') && (fn.kind === 'get' || fn.kind === 'set'))
    return 'A getter or setter cannot wait: use an asynchronous method instead.';
  const property = fn.type === 'ObjectMethod' ? fn : parentOf(fn);
  const column = property?.type === 'ObjectMethod' || property?.type === 'ObjectProperty' ? parentOf(property) : undefined;
  if (column?.type !== 'ObjectExpression' || !('key' in (property as Node))) return undefined;
  // `{ type: DataTypes.STRING, set(value) { … } }` in a model of Sequelize or Mongoose
  const nameIn = (one: (typeof column.properties)[number]): string | undefined =>
    one.type === 'SpreadElement' ? undefined : staticName(one.key, one.computed);
  const name = nameIn(property as (typeof column.properties)[number]);
  return (name === 'get' || name === 'set') && column.properties.some((one) => nameIn(one) === 'type')
    ? `\`${name}\` of a column cannot wait: use a hook that may be asynchronous, such as \`beforeSave\`.`
    : undefined;
}

/** A file that requests read, change, and write: between two awaits, another request may read what is not written yet. */
const ONE_AT_A_TIME = ' Let one request at a time read and change the file: while one of them waits, another could lose its changes.';

/** Whether the file of the call is both read and written where it stands. */
function isChangedInPlace({ call, row }: BlockingMatch, facts: Facts): boolean {
  const [path] = call.arguments;
  if (row.module !== 'fs' || !/^(?:read|write)FileSync$/.test(row.path.at(-1) ?? '') || !path) return false;
  const { read = [], write = [] } = pathUsesOf(facts).byText.get(facts.source.slice(unwrap(path))) ?? {};
  const isOne = (names: RegExp, one: CallNode | undefined): boolean => names.test((one && calledName(one)) ?? '');
  return read.some((one) => isOne(/^read(?:File|J)/, one)) && write.some((one) => isOne(/^(?:write|output)/, one));
}

export function remedyFor(match: BlockingMatch, atStartup: boolean, facts: Facts): string {
  const { call, promiseForm, row } = match;
  if (atStartup) return `${AT_STARTUP}${'reason' in promiseForm ? '' : `, or await \`${promiseForm.label}\``}.`;
  const fn = enclosingFunction(call);
  const ofAccessor = fn && remedyOfAccessor(fn);
  if (ofAccessor !== undefined) return ofAccessor;
  if ('reason' in promiseForm && promiseForm.remedy !== undefined)
    return (isProbe(row) ? afterCheck(call, facts) : undefined) ?? promiseForm.remedy;
  if ('reason' in promiseForm)
    return `Move it off the request path: to startup, a worker, or a queue. No direct replacement: ${promiseForm.reason}.`;
  const { label } = promiseForm;
  if (promiseForm.kind === 'helper') return `Start the child process with \`${label}\`, and await its end.`;
  // The asynchronous forms of crypto and zlib run on libuv's thread pool (nodejs.org/api/cli.html, UV_THREADPOOL_SIZE).
  return row.cost === 'cpu' && row.asyncForm.kind === 'callback'
    ? `Await \`${label}\`, which runs on the thread pool.`
    : `Await \`${label}\`.${isChangedInPlace(match, facts) ? ONE_AT_A_TIME : ''}`;
}
