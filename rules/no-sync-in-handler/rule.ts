// Blocking calls that run while a request waits.
import {
  enclosingFunction,
  enclosingFunctionName,
  endOf,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { isInDeadBranch, isInDevelopmentBranch } from '../../analysis/facts/development.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule, type Fix, type RefusedFix, type Span } from '../../analysis/rule.ts';
import {
  findBlockingCall,
  findUnprovenCall,
  hasRenamedMember,
  mayBeBlocking,
  mayBlock,
  mayLackPromises,
  WAITS_FOR,
  type BlockingMatch,
} from './blocking.ts';
import { keepFirstRead } from './keep-first-read.ts';
import { canLoadAtStartup, loadAtStartup } from './load-at-startup.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { onceOf } from '../../analysis/facts/once.ts';
import { isPageCode } from '../shared/page-code.ts';
import { convertCallback } from './array-callbacks.ts';
import { chainOf } from './chained-calls.ts';
import { callbackAtOnce } from './conditions.ts';
import { findIdiom, makesWhatIsMissing, type Idiom } from './idioms.ts';
import { equalCalls } from './equal-calls.ts';
import { isOfMicroseconds, remedyFor, whySmall } from './remedies.ts';
import { areSmall, isSmallRead, isWithin, whyBeside } from './seldom/short-reads.ts';
import { isOfMissingRequire } from './seldom/missing-require.ts';
import { isShortAndSeldom } from './seldom/short-calls.ts';
import { isOnlyOnWindows } from './seldom/windows-branches.ts';
import { functionsThatWait, isHalfOf, onlyDrawsSalt, stillBlocks, toAsync } from './to-async.ts';

interface Options {
  allow: readonly string[];
  reportCached: boolean;
}

export const rule = defineRule<'blocks' | 'blocksOnce', Options>({
  meta: {
    id: 'no-sync-in-handler',
    group: 'event-loop',
    summary: 'Blocking calls on a request path: synchronous file, process, compression, and crypto functions',
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      blocks: {
        what: '`{{call}}` blocks the event loop on every {{where}}.',
        why: 'Until {{waitsFor}}, {{stands}}.{{took}}',
        remedy: '{{remedy}}',
      },
      blocksOnce: {
        what: '`{{call}}` blocks the event loop on each {{where}} while its result is not cached.',
        why: 'Until {{waitsFor}}, {{standsAtFirst}}.{{took}}',
        remedy: 'Fill the cache before a request needs it.',
      },
    },
    options: {
      allow: { type: 'string[]', default: [], description: 'Calls that are not reported, such as `fs.existsSync`' },
      reportCached: {
        type: 'boolean',
        default: true,
        description: 'Report calls whose result is cached after the first request, as hints',
      },
    },
    forRequestsOnly: true,
    confirmedBy: [
      { kind: 'sync-io', expect: 'the call runs during a request, and its duration is measured' },
      { kind: 'loop-delay', expect: 'the event loop is blocked for as long as the call takes' },
    ],
  },
  create({ facts, options, runsOn, source, report }) {
    // A migration updates a program before it serves, wherever it is started from.
    if (facts.role === 'migration' || facts.role === 'test' || !mayBlock(source.text)) return {};
    const isRenaming = hasRenamedMember(facts);
    /** The blocking calls of a function, which one fix can convert together. */
    const siblingsOf = (fn: FunctionNode): readonly BlockingMatch[] => {
      const known = facts.remember('blocking calls of functions', () => new Map<FunctionNode, BlockingMatch[]>());
      let siblings = known.get(fn);
      if (!siblings) {
        siblings = blockingCallsIn(fn, (call) => findBlockingCall(call, facts, runsOn)).filter(
          ({ name, call }) => !options.allow.includes(name) && onceOf(call, facts) === undefined,
        );
        known.set(fn, siblings);
      }
      return siblings;
    };
    const listen = (call: CallNode): void => {
      if (!isRenaming && !mayBeBlocking(call)) return;
      const proven = findBlockingCall(call, facts, runsOn);
      const blocking = proven ?? findUnprovenCall(call, facts, runsOn);
      if (!blocking || options.allow.includes(blocking.name)) return;
      // No request waits for code that runs while the module is loaded, and no user runs development code.
      const fn = enclosingFunction(call);
      if (!fn || isInDevelopmentBranch(call, (node) => source.slice(node), facts.bindings)) return;
      if (isInDeadBranch(call, facts.bindings) || endsProcess(call, facts) || makesWhatIsMissing(call, facts)) return;
      const once = onceOf(call, facts);
      // A setup that is rejected when repeated fills no cache, and no visitor runs it.
      if (once === 'set-up') return;
      const isOnce = once !== undefined;
      const isShort = isOfMicroseconds(blocking);
      // The first request waits for microseconds, and no other does.
      if (isOnce && (isShort || blocking.row.when?.unlessKept)) return;
      if (isShortAndSeldom(blocking, facts)) return;
      // A salt is drawn in 3 µs (bcrypt 6, bcryptjs 3, Node 20). What blocks is the hash.
      if (onlyDrawsSalt(blocking)) return;
      // In the page of a visitor, nobody else waits for its texts.
      if (blocking.row.when?.changingText !== undefined && isPageCode(facts)) return;
      const { cost, waitsFor = WAITS_FOR[cost], single } = blocking.row;
      // What a single call took says nothing of a folder with all that is in it, and too little of a loop.
      const took = single === undefined || blocking.level === single ? blocking.row.took : undefined;
      const isSmall = isShort && siblingsOf(fn).every(isOfMicroseconds) && !findIdiom(call, facts, runsOn);
      const atStartup = !isOnce && proven !== undefined && canLoadAtStartup(blocking, facts);
      const data = { call: blocking.name, waitsFor, took: took === undefined ? '' : ` ${took}` };
      report({
        at: placeOf(call, facts),
        messageId: 'blocks',
        severity: blocking.level === 'hint' || isOnlyOnWindows(call, facts) ? 'hint' : undefined,
        data: { ...data, remedy: remedyFor(blocking, atStartup, isSmall, facts) },
        request: {
          at: call,
          isUnproven: !proven,
          needsRequire: isOfMissingRequire(call, facts),
          isOnce,
          // https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html: each environment has one request at a time.
          alone: 'hint',
          // What blocks the event loop for administrators blocks it for everyone.
          listsAll: true,
          isShort: isSmallRead(blocking, facts) && areSmall(fn, siblingsOf(fn), facts),
          once: options.reportCached && !isShort ? { messageId: 'blocksOnce', severity: 'hint', data } : undefined,
        },
        functionName: enclosingFunctionName(call),
        // Where there is no other form, the remedy has said it.
        repair: isOnce || !proven || hasOwnRemedy(blocking) ? undefined : () => fixesFor(blocking, facts, siblingsOf, runsOn),
      });
    };
    return { CallExpression: listen, OptionalCallExpression: listen, NewExpression: listen };
  },
});

/** `fs.writeFileSync('.exit', ''); process.exit();`: nothing else is served after it, and an asynchronous call would not finish. */
function endsProcess(call: CallNode, facts: Facts): boolean {
  const lastExits = facts.remember('last exits of blocks', () => {
    const starts = new Map<Node, number>();
    for (const statement of facts.module.nodes('ExpressionStatement')) {
      const block = parentOf(statement);
      if (block && isExit(statement)) starts.set(block, Math.max(starts.get(block) ?? -1, startOf(statement)));
    }
    return starts;
  });
  let from: Node = call;
  for (let at = parentOf(call); at && !isFunction(from); from = at, at = parentOf(at)) {
    if (at.type === 'BlockStatement' && (lastExits.get(at) ?? -1) > startOf(from)) return true;
  }
  return false;
}

function isExit(statement: Node): boolean {
  const exit = statement.type === 'ExpressionStatement' ? unwrap(statement.expression) : undefined;
  if (!isCall(exit) || !isMember(exit.callee)) return false;
  const object = unwrap(exit.callee.object);
  return object.type === 'Identifier' && object.name === 'process' && /^(?:exit|abort)$/.test(memberName(exit.callee) ?? '');
}

const LINE_BREAK = /[\n\r\u2028\u2029]/;

/**
 * The call. If the name of the method is on a later line than the object, from that name on, so that the warning is next to what blocks.
 */
export function placeOf(call: CallNode, facts: Facts): Span {
  const callee = unwrap(call.callee);
  const name = isMember(callee) ? startOf(callee.property) : startOf(call);
  const isApart = LINE_BREAK.test(facts.source.text.slice(startOf(call), name));
  return { start: isApart ? name : startOf(call), end: endOf(call) };
}

/** Those of the function itself, not of functions in it. */
export function blockingCallsIn(fn: FunctionNode, find: (call: CallNode) => BlockingMatch | undefined): BlockingMatch[] {
  const found: BlockingMatch[] = [];
  walkWithin(fn.body, (node) => {
    const match = isCall(node) ? find(node) : undefined;
    if (match) found.push(match);
    return !isFunction(node);
  });
  return found;
}

/** Those in callbacks of its array methods, which run while the function runs. */
export function blockingCallsAtOnce(fn: FunctionNode, find: (call: CallNode) => BlockingMatch | undefined): BlockingMatch[] {
  const found: BlockingMatch[] = [];
  walkWithin(fn.body, (node) => {
    const callback = isCall(node) ? callbackAtOnce(node) : undefined;
    if (isFunction(callback)) {
      found.push(...blockingCallsIn(callback, find), ...blockingCallsAtOnce(callback, find));
    }
    return !isFunction(node);
  });
  return found;
}

/** Generated functions have thousands. Each fix looks at all calls of its function, which it changes together. */
const MOST_IN_FUNCTION = 100;
const CONVERT = 'Await the promise form';

/** Startup first: for a small file in the page cache, promises cost more than the call that they replace. */
function fixesFor(
  blocking: BlockingMatch,
  facts: Facts,
  siblingsOf: (fn: FunctionNode) => readonly BlockingMatch[],
  runsOn: (range: string) => boolean,
): { fixes: Fix[]; refused: RefusedFix[] } {
  const fn = enclosingFunction(blocking.call);
  const siblings = fn ? siblingsOf(fn) : [];
  if (siblings.length > MOST_IN_FUNCTION)
    return { fixes: [], refused: [{ title: CONVERT, reason: `the function has ${siblings.length} blocking calls. Split it first` }] };
  const fixes: Fix[] = [];
  const refused: RefusedFix[] = [];
  const atStartup = loadAtStartup(blocking, facts, siblings);
  const canStart = atStartup !== undefined && 'edits' in atStartup;
  if (canStart) fixes.push(atStartup);
  else if (atStartup) refused.push(atStartup);
  const first = canStart ? undefined : keepFirstRead(blocking, facts, runsOn, siblings);
  if (first && 'edits' in first) fixes.push(first);
  else if (first && first.reason !== refused[0]?.reason) refused.push(first);
  const lacksPromises = mayLackPromises(facts);
  const idiomAt = (call: CallNode): Idiom | undefined => (lacksPromises ? undefined : findIdiom(call, facts, runsOn));
  const find = (call: CallNode): BlockingMatch | undefined => {
    const match = findBlockingCall(call, facts, runsOn);
    return match && onceOf(call, facts) === undefined ? match : undefined;
  };
  /** Of the function around a callback: those without a fix of their own. */
  const around = (callback: FunctionNode | undefined): readonly BlockingMatch[] => {
    const outer = callback && enclosingFunction(callback);
    const byFunction = facts.remember('blocking calls around callbacks', () => new Map<Node | undefined, readonly BlockingMatch[]>());
    const calls = byFunction.get(outer) ?? (outer ? blockingCallsIn(outer, find) : []).filter(({ call }) => !idiomAt(call));
    byFunction.set(outer, calls);
    return calls.filter(({ call }) => !makesWhatIsMissing(call, facts));
  };
  const callback = idiomAt(blocking.call) ? undefined : convertCallback(blocking, facts, siblings, around(fn));
  const withLoop = (fix: Fix, one: FunctionNode | undefined): { fixes: Fix[]; refused: RefusedFix[] } => {
    const outer = one && enclosingFunction(one);
    const all = outer ? [...around(one), ...blockingCallsAtOnce(outer, find)] : [];
    const isDone = ({ call }: BlockingMatch): boolean => fix.edits.some(({ start, end }) => start <= startOf(call) && end >= startOf(call));
    const left = all.find((other) => isHalfOf(other, blocking) && !isDone(other));
    return left ? { fixes, refused: [...refused, stillBlocks(left, 'cannot be converted', facts)] } : { fixes: [...fixes, fix], refused };
  };
  if (callback) return withLoop(callback, fn);
  const inCallbacks = fn ? blockingCallsAtOnce(fn, find) : [];
  // A call beside a callback is converted with it.
  for (const other of idiomAt(blocking.call) ? [] : inCallbacks) {
    const both = isHalfOf(other, blocking) ? convertCallback(other, facts, inCallbacks, around(enclosingFunction(other.call))) : undefined;
    if (both?.edits.some(({ start, end }) => start <= startOf(blocking.call) && end >= startOf(blocking.call)))
      return withLoop(both, enclosingFunction(other.call));
  }
  const isFixedOtherwise = (other: BlockingMatch): boolean =>
    makesWhatIsMissing(other.call, facts) ||
    endsProcess(other.call, facts) ||
    isInDevelopmentBranch(other.call, (node) => facts.source.slice(node), facts.bindings) ||
    idiomAt(other.call) !== undefined ||
    (inCallbacks.includes(other) && convertCallback(other, facts, inCallbacks) !== undefined);
  const equal = fn && inCallbacks.length === 0 ? equalCalls(fn, siblings, facts, siblingsOf, idiomAt) : [];
  const together = new Set([...siblings, ...equal]);
  const elsewhere: BlockingMatch[] = [];
  for (const other of fn ? chainOf([fn, ...functionsThatWait(blocking, facts, idiomAt)], facts) : []) {
    if (other === fn) continue;
    for (const one of siblingsOf(other))
      if (isHalfOf(one, blocking)) together.add(one);
      else elsewhere.push(one);
    inCallbacks.push(...blockingCallsAtOnce(other, find));
  }
  const small = [...together].every(isOfMicroseconds) && idiomAt(blocking.call) === undefined ? whySmall(blocking, facts) : undefined;
  for (const conversion of toAsync(blocking, facts, [...together], isFixedOtherwise, inCallbacks, idiomAt, elsewhere)) {
    const all = [...together].filter((one) => ('fix' in conversion ? isWithin(one, conversion.fix) : isHalfOf(one, blocking)));
    const beside = whyBeside(blocking, all, facts);
    if ('fix' in conversion && small) refused.push(small);
    else if (beside && ('fix' in conversion || conversion.refused.acrossFiles)) refused.push(beside);
    else if ('fix' in conversion) fixes.push(conversion.fix);
    else refused.push(conversion.refused);
  }
  return { fixes, refused };
}

const hasOwnRemedy = ({ row: { asyncForm } }: BlockingMatch): boolean => asyncForm.kind === 'none' && asyncForm.remedy !== undefined;
