// Fix: the promise form of the call, with every caller in the project that must await it. One plan over all files, or the reason and the
// place that prevent it.
import {
  enclosingFunction,
  endOf,
  isFunction,
  isLoop,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
} from '../../analysis/module/ast.ts';
import { onceOf } from '../../analysis/facts/once.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { waitsBefore } from '../../analysis/facts/awaits/dropped-results.ts';
import { fitWidth } from '../../analysis/fix/layout/fit-width.ts';
import { calledName } from '../../analysis/fix/make-async.ts';
import { convertAcrossFiles, type AcrossFilesOutcome } from '../../analysis/fix/across-files.ts';
import { passErrorsOn, withIndents } from '../../analysis/fix/pass-errors-on.ts';
import { withoutUnusedImports } from '../../analysis/fix/unused-imports.ts';
import type { AcrossFilesHost } from '../../analysis/fix/across-files-host.ts';
import type { Edit, RefusedFix, Span } from '../../analysis/rule.ts';
import { runsOn } from '../../analysis/run/run.ts';
import { allOf } from './async-plan.ts';
import { findBlockingCall, mayLackPromises, type BlockingMatch } from './blocking.ts';
import { canPassErrorsOn, handlerEdits, whyNotAsync } from './promise-contract.ts';
import { callEdits } from './call-edits.ts';
import { AT_ONCE } from './child-processes.ts';
import { chainOf, methodsBeside, nameOf } from './chained-calls.ts';
import { findPair, idiomEdits, makesWhatIsMissing, type Idiom } from './idioms.ts';
import { isOfMicroseconds, whySmall } from './remedies.ts';
import { blockingCallsAtOnce, blockingCallsIn, placeOf } from './rule.ts';
import { whyNotBetweenCallers, whySamePath } from './same-path.ts';
import { whyBeside } from './seldom/short-reads.ts';
import { findStub } from './stubs.ts';
import { costOfAwait, isHalfOf, MOST_TOGETHER, whyCheckStays, whyUseless } from './to-async.ts';

/** Nobody reviews more of them as one change. */
const MOST_CALLERS = 20;

export interface CallersConversion {
  title: string;
  cost?: string;
  /** By file: absolute paths. */
  edits: ReadonlyMap<string, readonly Edit[]>;
}

export type CallersOutcome =
  | { conversion: CallersConversion }
  | { refused: { title: string; reason: string; file: string; offset: number } };

/** A blocking call that is converted. */
interface Converted {
  file: string;
  fn: FunctionNode;
  match: BlockingMatch;
  facts: Facts;
}

/** What can be done about the finding at a span of a file; undefined if there is no blocking call with a promise form. */
export function convertWithCallers(
  file: string,
  span: Span,
  host: Omit<AcrossFilesHost, 'whyNotHandler' | 'passErrorsOn' | 'handlerEdits'>,
): CallersOutcome | undefined {
  const facts = host.factsOf(file);
  const call = facts && findCall(span, facts);
  const match = call && findBlockingCall(call, facts, (range) => runsOn(facts.project, range));
  const fn = call && enclosingFunction(call);
  if (!match || !fn || 'reason' in match.promiseForm) return undefined;
  const form = match.promiseForm;
  const refuse = (reason: string, where = file, offset = startOf(call)): CallersOutcome => ({
    refused: { title: `Convert to \`${form.label}\` with all callers`, reason, file: where, offset },
  });
  const stays = (left: BlockingMatch, where: string, its: Facts): CallersOutcome =>
    refuse(
      `\`${left.name}\` on line ${its.source.positionAt(startOf(left.call)).line} cannot be converted, and would still block. Convert both, or neither`,
      where,
      startOf(left.call),
    );
  const useless = whyUseless(match, facts);
  if (useless) return refuse(`${useless.why}. ${useless.instead}`);
  const samePath = pairOf(call, facts) ? undefined : whySamePath(match, fn, facts);
  if (samePath !== undefined) return refuse(samePath);
  const plan = (converted: readonly Converted[]): AcrossFilesOutcome =>
    convertAcrossFiles(
      converted.map((one) => ({ file: one.file, fn: one.fn, site: pairOf(one.match.call, one.facts)?.call ?? one.match.call })),
      {
        ...host,
        whyNotHandler: whyNotAsync,
        handlerEdits,
        passErrorsOn: (handler, where, argument, own) =>
          canPassErrorsOn(handler, where, argument) ? passErrorsOn(handler.fn, own) : undefined,
      },
    );
  const { siblings, left } = siblingsOf(match, fn, facts);
  if (left) return stays(left, file, facts);
  for (const one of siblings) {
    const checked = pairOf(one.call, facts) ? undefined : whyCheckStays(one, facts);
    if (checked !== undefined) return refuse(checked, file, startOf(one.call));
  }
  const own = (siblings.length > 1 ? siblings : [match]).map((one): Converted => ({ file, fn, match: one, facts }));
  const beside = ofMethodsBeside(match, own, file, facts);
  let converted = [...own, ...beside];
  let outcome = plan(converted);
  if ('refused' in outcome && beside.length > 0) {
    converted = own;
    outcome = plan(converted);
  }
  // Each round may make more functions async.
  for (let round = 0; round < MOST_ROUNDS && 'plan' in outcome; round++) {
    const more: Converted[] = [];
    const { asyncs } = outcome.plan;
    for (const where of new Set([file, ...asyncs.values()])) {
      const its = host.factsOf(where);
      for (const other of its && its.role !== 'test'
        ? chainOf([...(where === file ? [fn] : []), ...[...asyncs.keys()].filter((one) => asyncs.get(one) === where)], its)
        : []) {
        if (!its || converted.some((one) => one.fn === other)) continue;
        const found = siblingsOf(match, other, its);
        if (found.left) return stays(found.left, where, its);
        for (const one of found.siblings) if (isHalfOf(one, match)) more.push({ file: where, fn: other, match: one, facts: its });
      }
    }
    if (more.length === 0) break;
    converted = [...converted, ...more];
    outcome = plan(converted);
  }
  if ('refused' in outcome) return refuse(outcome.refused.reason, outcome.refused.file, outcome.refused.offset);
  for (const where of new Set(converted.map((one) => one.file))) {
    const stub = findStub(
      where,
      converted.filter((one) => one.file === where).map((one) => one.match),
      host,
    );
    if (stub)
      return refuse(
        `a test replaces \`${stub.name}\`, which would no longer be called. Let the test write a file, or replace the promise form`,
        stub.file,
        stub.offset,
      );
  }
  const { edits, indents, callers } = outcome.plan;
  const between =
    callers === 0
      ? undefined
      : converted.map((one) => whyNotBetweenCallers(one.match, one.facts) ?? whyNotInRounds(one.match)).find(Boolean);
  if (between) return refuse(between);
  const small = converted.every((one) => isOfMicroseconds(one.match) && !pairOf(one.match.call, one.facts))
    ? whySmall(match, facts)
    : undefined;
  const short = small ?? ofOneFile(converted, file, facts);
  if (short) return refuse(short.reason);
  if (callers > MOST_CALLERS)
    return refuse(
      `${callers} functions call it, and all would have to wait. Load what it reads once, or let it return a promise that nobody has to await`,
    );
  const all = new Map(edits);
  for (const [where, its] of new Map(converted.map((one) => [one.file, one.facts]))) {
    const matches = converted.filter((one) => one.file === where).map((one) => one.match);
    const pairs = new Set(matches.map((one) => pairOf(one.call, its)).filter((one) => one !== undefined));
    const planned = [...(edits.get(where) ?? [])];
    const ofPairs = idiomEdits([...pairs], { edits: () => planned, passesErrorsOn: indents.has(where) }, its);
    const ofCalls = matches.flatMap((one) =>
      'reason' in one.promiseForm || pairOf(one.call, its) ? [] : callEdits(one, one.promiseForm, its),
    );
    const callees = [...matches.map((one) => one.call.callee), ...ofPairs.callees];
    all.set(where, withoutUnusedImports([...planned.filter(ofPairs.isOpen), ...ofCalls, ...ofPairs.edits], callees, its));
  }
  for (const [one, moved] of indents) all.set(one, withIndents(all.get(one) ?? [], moved));
  for (const [one, some] of all) {
    const where = host.factsOf(one);
    if (where) all.set(one, fitWidth(some, where));
  }
  const passed = indents.size > 0 ? ', with errors passed to `next`' : '';
  const atOnce = form.kind === 'helper' ? AT_ONCE : '';
  const files = all.size === 1 ? '' : ` (${all.size} files)`;
  const functions = new Set(converted.map((one) => one.fn)).size;
  const pair = pairOf(call, facts);
  const isAlone = converted.every((one) => one.match === match || (pair !== undefined && pairOf(one.match.call, one.facts) === pair));
  const cost = isAlone && !pair ? costOfAwait(match) : undefined;
  const what = !isAlone
    ? `Convert ${converted.length} blocking calls of ${functions === 1 ? calledName(fn) : `${functions} functions`} to promise forms`
    : pair
      ? `${pair.title}${callers === 0 ? '' : ','}`
      : `Convert to \`${form.label}\``;
  return {
    conversion: {
      ...(cost === undefined ? {} : { cost }),
      title: `${what}${callers === 0 ? '' : callers === 1 ? ' with its caller' : ` with ${allOf(callers)}`}${passed}${atOnce}${files}`,
      edits: all,
    },
  };
}

/** What is converted in other files, too, is read more than once. */
const ofOneFile = (converted: readonly Converted[], file: string, facts: Facts): RefusedFix | undefined => {
  const [first] = converted;
  return first && converted.every((one) => one.file === file)
    ? whyBeside(
        first.match,
        converted.map(({ match }) => match),
        facts,
      )
    : undefined;
};

/** A chain of helpers that is longer is none that one change converts. */
const MOST_ROUNDS = 3;

const pairOf = (call: CallNode, facts: Facts): Idiom | undefined =>
  mayLackPromises(facts) ? undefined : findPair(call, facts, (range) => runsOn(facts.project, range));

/** The same calls of other methods of the class: whoever changes one of them changes all. */
function ofMethodsBeside(match: BlockingMatch, own: readonly Converted[], file: string, facts: Facts): Converted[] {
  const runs = (range: string): boolean => runsOn(facts.project, range);
  const callsOf = (fn: FunctionNode): BlockingMatch[] => blockingCallsIn(fn, (call) => findBlockingCall(call, facts, runs));
  const names = new Set(own.map((one) => nameOf(one.match)));
  const [first] = own;
  return !first
    ? []
    : methodsBeside(
        first.fn,
        own.map((one) => one.match),
        callsOf,
      ).flatMap(({ fn }) => {
        const { siblings, left } = siblingsOf(match, fn, facts);
        const calls = siblings.filter((one) => isHalfOf(one, match));
        const isEqual = (one: BlockingMatch): boolean => names.has(nameOf(one)) && !pairOf(one.call, facts) && !whyCheckStays(one, facts);
        // A caller may drop the promise of an async method: what it does at once must stay so.
        const isLater = fn.async && calls.some(({ call }) => !waitsBefore(fn, call, facts));
        return left || isLater || !calls.every(isEqual) ? [] : calls.map((one) => ({ file, fn, match: one, facts }));
      });
}

/** What the loop goes through was read before, and may be gone when its turn comes. */
function whyNotInRounds({ call, row }: BlockingMatch): string | undefined {
  const isLookup = row.module !== 'child_process' && /^(?:l?stat|readFile|readdir|readJson|access)\w*Sync$/.test(row.path.at(-1) ?? '');
  for (let at = parentOf(call); isLookup && at && !isFunction(at); at = parentOf(at))
    if (isLoop(at) && !(at.type === 'ForOfStatement' && unwrap(at.right).type === 'ArrayExpression'))
      return 'it looks at one file in each round. With an await in the loop, another request may remove a file before its turn, which would fail the whole request. Read them together, and leave out those that are gone';
  return undefined;
}

/**
 * The blocking calls of the function that can be converted together: awaiting one of them makes every caller async already. Programs are
 * left out, because they would be started at once.
 */
function siblingsOf(
  match: BlockingMatch,
  fn: FunctionNode,
  facts: Facts,
): { siblings: readonly BlockingMatch[]; left: BlockingMatch | undefined } {
  const runs = (range: string): boolean => runsOn(facts.project, range);
  const find = (call: CallNode): BlockingMatch | undefined => findBlockingCall(call, facts, runs);
  const all = blockingCallsIn(fn, find);
  const siblings = all.filter(
    (one) =>
      one.call === match.call ||
      (!('reason' in one.promiseForm) &&
        one.promiseForm.kind !== 'helper' &&
        onceOf(one.call, facts) === undefined &&
        (pairOf(one.call, facts) !== undefined || whySamePath(one, fn, facts) === undefined)),
  );
  const left = [...all, ...blockingCallsAtOnce(fn, find)].find(
    (one) =>
      !siblings.includes(one) &&
      isHalfOf(one, match) &&
      !('kind' in one.promiseForm && one.promiseForm.kind === 'helper') &&
      onceOf(one.call, facts) === undefined &&
      !makesWhatIsMissing(one.call, facts) &&
      pairOf(one.call, facts) === undefined,
  );
  return siblings.length > MOST_TOGETHER ? { siblings: [], left } : { siblings, left };
}

function findCall({ start, end }: Span, facts: Facts): CallNode | undefined {
  for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const) {
    for (const call of facts.module.nodes(type)) if (endOf(call) === end && placeOf(call, facts).start === start) return call;
  }
  return undefined;
}
