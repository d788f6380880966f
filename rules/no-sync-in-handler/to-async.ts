// Fix: the promise form of the call, with `await`, and `async` on the function and its callers in this file. Refused if it could change
// what the code does.
import { enclosingFunction, startOf, type Node } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { FIX_COSTS } from '../../knowledge/fix-costs.ts';
import { calledName } from '../../analysis/fix/make-async.ts';
import type { Edit, Fix, RefusedFix } from '../../analysis/rule.ts';
import { AsyncPlan, TITLE } from './async-plan.ts';
import type { BlockingMatch, NoPromiseForm } from './blocking.ts';
import { callEdits } from './call-edits.ts';
import { AT_ONCE, startsProcess } from './child-processes.ts';
import { whySamePath } from './same-path.ts';

export type Conversion = { fix: Fix } | { refused: RefusedFix };

/** Each finding carries the edits of all of them. Nobody writes so many by hand. */
export const MOST_TOGETHER = 50;

/**
 * The conversion of one blocking call, and of all those of its function that can be converted (`siblings`); or the reason why it is not
 * offered.
 */
export function toAsync(match: BlockingMatch, facts: Facts, siblings: readonly BlockingMatch[] = []): readonly Conversion[] {
  const one = convert([match], facts);
  if ('refused' in one || siblings.length < 2 || siblings.length > MOST_TOGETHER) return [one];
  const left = whatStillBlocks(match, siblings, facts);
  if (left) return [left];
  const known = facts.remember('conversions of functions', () => new Map<Node | undefined, Conversion | undefined>());
  const fn = enclosingFunction(match.call);
  if (!known.has(fn)) known.set(fn, convertTogether(siblings, facts));
  const all = known.get(fn);
  return all && 'fix' in all ? (all.fix.named !== undefined && one.fix.named === undefined ? [one, all] : [all]) : [one];
}

/**
 * An instance of Lambda handles one event at a time (docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html): no other request gains
 * from awaiting some calls of a function whose other calls still block.
 */
function whatStillBlocks(match: BlockingMatch, siblings: readonly BlockingMatch[], facts: Facts): Conversion | undefined {
  const fn = enclosingFunction(match.call);
  const handler = facts.handlers.handlers.find((one) => one.fn === fn);
  if (handler?.kind !== 'invocation' || handler.framework !== 'aws-lambda') return undefined;
  const known = facts.remember('blocking calls that stay', () => new Map<Node | undefined, BlockingMatch | undefined>());
  if (!known.has(fn))
    known.set(
      fn,
      siblings.find((sibling) => 'refused' in convert([sibling], facts)),
    );
  const other = known.get(fn);
  if (!other) return undefined;
  const { line } = facts.source.positionAt(startOf(other.call));
  const reason = `\`${other.name}\` on line ${line} cannot be converted, and would still block. An instance of Lambda handles one event at a time, so no other request gains from awaiting this call alone`;
  return { refused: { title: TITLE, reason } };
}

function convertTogether(siblings: readonly BlockingMatch[], facts: Facts): Conversion | undefined {
  const convertible = siblings.filter((sibling) => 'fix' in convert([sibling], facts));
  return convertible.length < 2 ? undefined : convert(convertible, facts);
}

function convert(matches: readonly BlockingMatch[], facts: Facts): Conversion {
  const refuse = (reason: string, acrossFiles = false): Conversion => ({
    refused: { title: TITLE, reason, ...(acrossFiles ? { acrossFiles } : {}) },
  });
  const plan = new AsyncPlan(facts);
  const edits: Edit[] = [];
  let called = '';
  let label = '';
  for (const match of matches) {
    const { call, promiseForm } = match;
    if ('reason' in promiseForm) return refuse(withLine(promiseForm, facts));
    const fn = enclosingFunction(call);
    if (!fn) return refuse('the call is outside of any function');
    const reason = plan.makeAsync(fn, call) ?? whySamePath(match, fn, facts);
    if (reason) return refuse(reason, plan.isAboutCallers);
    edits.push(...callEdits(match, promiseForm, facts));
    called = calledName(fn);
    label = promiseForm.kind === 'helper' ? `\`${promiseForm.label}\`${AT_ONCE}` : `\`${promiseForm.label}\``;
  }
  const title = matches.length === 1 ? `Convert to ${label}` : `Convert ${matches.length} blocking calls of ${called} to promise forms`;
  const callees = matches.map(({ call }) => call.callee);
  const [match] = matches;
  const cost = matches.length === 1 && match ? costOfAwait(match) : undefined;
  const named = matches.some(startsProcess) ? ({ named: 'child-process' } as const) : {};
  return { fix: { ...plan.fix(title, edits, callees), ...named, ...(cost === undefined ? {} : { cost }) } };
}

function withLine({ reason, at }: NoPromiseForm, facts: Facts): string {
  return at ? `${reason} (line ${facts.source.positionAt(startOf(at)).line})` : reason;
}

const MEASURED: Readonly<Record<string, string>> = {
  'fs.readFileSync': 'await-readFile',
  'fs.statSync': 'await-stat',
  'fs.writeFileSync': 'await-writeFile',
  'zlib.gzipSync': 'await-gzip',
  'crypto.scryptSync': 'await-scrypt',
  'child_process.execFileSync': 'await-execFile',
};

/** What the promise form of a call costs, where that was measured. */
export function costOfAwait({ row }: BlockingMatch): string | undefined {
  return FIX_COSTS[MEASURED[`${row.module}.${row.path.join('.')}`] ?? ''];
}
