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
import { fitWidth } from '../../analysis/fix/layout/fit-width.ts';
import { calledName } from '../../analysis/fix/make-async.ts';
import { convertAcrossFiles, type AcrossFilesOutcome } from '../../analysis/fix/across-files.ts';
import { passErrorsOn, withIndents } from '../../analysis/fix/pass-errors-on.ts';
import { withoutUnusedImports } from '../../analysis/fix/unused-imports.ts';
import type { AcrossFilesHost } from '../../analysis/fix/across-files-host.ts';
import type { Edit, Span } from '../../analysis/rule.ts';
import { runsOn } from '../../analysis/run/run.ts';
import { findBlockingCall, type BlockingMatch } from './blocking.ts';
import { canPassErrorsOn, handlerEdits, whyNotAsync } from './promise-contract.ts';
import { callEdits } from './call-edits.ts';
import { AT_ONCE } from './child-processes.ts';
import { findIdiom, makesWhatIsMissing } from './idioms.ts';
import { blockingCallsAtOnce, blockingCallsIn, placeOf } from './rule.ts';
import { whyNotBetweenCallers, whySamePath } from './same-path.ts';
import { findStub } from './stubs.ts';
import { costOfAwait, isHalfOf, MOST_TOGETHER, whyCheckStays } from './to-async.ts';

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
  const samePath = whySamePath(match, fn, facts);
  if (samePath !== undefined)
    return { refused: { title: `Convert to \`${form.label}\` with all callers`, reason: samePath, file, offset: startOf(call) } };
  const plan = (matches: readonly BlockingMatch[]): AcrossFilesOutcome =>
    convertAcrossFiles(
      file,
      fn,
      matches.map((one) => one.call),
      {
        ...host,
        whyNotHandler: whyNotAsync,
        handlerEdits,
        passErrorsOn: (handler, where, argument, own) =>
          canPassErrorsOn(handler, where, argument) ? passErrorsOn(handler.fn, own) : undefined,
      },
    );
  const { siblings, left } = siblingsOf(match, fn, facts);
  if (left) {
    const { line } = facts.source.positionAt(startOf(left.call));
    const reason = `\`${left.name}\` on line ${line} cannot be converted, and would still block. Convert both, or neither`;
    return { refused: { title: `Convert to \`${form.label}\` with all callers`, reason, file, offset: startOf(left.call) } };
  }
  for (const one of siblings) {
    const stays = whyCheckStays(one, facts);
    if (stays !== undefined)
      return { refused: { title: `Convert to \`${form.label}\` with all callers`, reason: stays, file, offset: startOf(one.call) } };
  }
  const together = siblings.length > 1 ? plan(siblings) : undefined;
  const isTogether = together !== undefined && 'plan' in together;
  if (together && !isTogether) return { refused: { title: `Convert to \`${form.label}\` with all callers`, ...together.refused } };
  const converted = isTogether ? siblings : [match];
  const outcome = isTogether ? together : plan(converted);
  if ('refused' in outcome) return { refused: { title: `Convert to \`${form.label}\` with all callers`, ...outcome.refused } };
  const stub = findStub(file, converted, host);
  if (stub) {
    const reason = `a test replaces \`${stub.name}\`, which would no longer be called. Let the test write a file, or replace the promise form`;
    return { refused: { title: `Convert to \`${form.label}\` with all callers`, reason, file: stub.file, offset: stub.offset } };
  }
  const { edits, indents, callers } = outcome.plan;
  const between = callers === 0 ? undefined : converted.map((one) => whyNotBetweenCallers(one, facts) ?? whyNotInRounds(one)).find(Boolean);
  if (between) return { refused: { title: `Convert to \`${form.label}\` with all callers`, reason: between, file, offset: startOf(call) } };
  if (callers > MOST_CALLERS) {
    const reason = `${callers} functions call it, and all would have to wait. Load what it reads once, or let it return a promise that nobody has to await`;
    return { refused: { title: `Convert to \`${form.label}\` with all callers`, reason, file, offset: startOf(call) } };
  }
  const all = new Map(edits);
  const own = converted.flatMap((one) => ('reason' in one.promiseForm ? [] : callEdits(one, one.promiseForm, facts)));
  const callees = converted.map((one) => one.call.callee);
  all.set(file, withoutUnusedImports([...(edits.get(file) ?? []), ...own], callees, facts));
  for (const [one, moved] of indents) all.set(one, withIndents(all.get(one) ?? [], moved));
  for (const [one, some] of all) {
    const where = host.factsOf(one);
    if (where) all.set(one, fitWidth(some, where));
  }
  const passed = indents.size > 0 ? ', with errors passed to `next`' : '';
  const atOnce = form.kind === 'helper' ? AT_ONCE : '';
  const files = all.size === 1 ? '' : ` (${all.size} files)`;
  const cost = isTogether ? undefined : costOfAwait(match);
  const what = isTogether ? `${converted.length} blocking calls of ${calledName(fn)} to promise forms` : `to \`${form.label}\``;
  return {
    conversion: {
      ...(cost === undefined ? {} : { cost }),
      title: `Convert ${what}${callers === 0 ? '' : callers === 1 ? ' with its caller' : ` with all ${callers} callers`}${passed}${atOnce}${files}`,
      edits: all,
    },
  };
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
        whySamePath(one, fn, facts) === undefined),
  );
  const left = [...all, ...blockingCallsAtOnce(fn, find)].find(
    (one) =>
      !siblings.includes(one) &&
      isHalfOf(one, match) &&
      !('kind' in one.promiseForm && one.promiseForm.kind === 'helper') &&
      onceOf(one.call, facts) === undefined &&
      !makesWhatIsMissing(one.call, facts) &&
      findIdiom(one.call, facts, runs) === undefined,
  );
  return siblings.length > MOST_TOGETHER ? { siblings: [], left } : { siblings, left };
}

function findCall({ start, end }: Span, facts: Facts): CallNode | undefined {
  for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const) {
    for (const call of facts.module.nodes(type)) if (endOf(call) === end && placeOf(call, facts).start === start) return call;
  }
  return undefined;
}
