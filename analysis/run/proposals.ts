// Findings that only hold on a request path: a rule proposes them for one file, and the paths of the whole project decide.
import type { Finding, Fix, MessageParts, ReportedSeverity, FunctionCondition } from '../../protocol/finding.ts';
import { concludeKinds, type KindsFinding } from './argument-kind-findings.ts';
import type { FunctionAnswer, FunctionLookup, QueryingAnswer, RequestAnswer } from '../project/answers/function-answer.ts';
import { isBackground } from '../project/summary/format.ts';
import type { Need, Proposal } from './proposal.ts';

/** The findings that result from proposals. */
export function concludeProposals(proposals: readonly Proposal[], lookup: FunctionLookup): Finding[] {
  const found: Finding[] = [];
  const parameterKinds = new Map<string, KindsFinding>();
  // Whoever gives a resolver a loader looks at all its queries.
  const resolvers = new Set<string>();
  for (const proposal of proposals) {
    const { finding, fn, needs } = proposal;
    if (!needs?.parameterKinds) {
      const concluded = concludeProposal(proposal, lookup);
      const resolver = concluded && needs?.element ? `${finding.ruleId} ${fn.start}` : undefined;
      if (concluded && !(resolver !== undefined && resolvers.has(resolver))) found.push(concluded);
      if (resolver !== undefined) resolvers.add(resolver);
      continue;
    }
    const concluded = concludeKinds(finding, needs.parameterKinds, lookup(finding.file, fn)?.parameterKinds ?? []);
    const key = `${finding.ruleId} ${fn.start}`;
    if (concluded && concluded.weight > (parameterKinds.get(key)?.weight ?? -1)) parameterKinds.set(key, concluded);
  }
  return [...found, ...[...parameterKinds.values()].map((one) => one.finding)];
}

function concludeProposal(proposal: Proposal, lookup: FunctionLookup): Finding | undefined {
  const own = answerAtPlace(lookup(proposal.finding.file, proposal.fn), proposal.finding.span.start);
  const answer = own && proposal.loopIn ? { ...own, request: lookup(proposal.finding.file, proposal.loopIn)?.request } : own;
  if (proposal.needs?.unlessOffPath && answer?.isOffPath)
    return proposal.needs.unlessOffPath === 'hint' ? withoutFixes(proposal.finding) : undefined;
  if (proposal.needsRequire && !answer?.request?.hasRequire) return undefined;
  if (answer?.request && isOfNoConcern(proposal, answer.request)) return undefined;
  if (proposal.keeper && isMadePerRequest(lookup(proposal.finding.file, proposal.keeper)?.request)) return undefined;
  const isAlways = isOnlyUnlessOffPath(proposal.needs);
  const found =
    isAlways && !proposal.otherwise
      ? proposal.finding
      : answer &&
        (proposal.needs?.start !== undefined
          ? concludeStart(proposal.finding, proposal.needs.start, answer)
          : proposal.needs?.round
            ? concludeRound(proposal.finding, proposal.needs.round, answer)
            : proposal.needs && !isAlways
              ? concludeNeed(proposal, proposal.needs, answer)
              : concludeRequest(proposal, answer));
  const concluded = found ?? proposal.otherwise;
  const answerOf = (fn: FunctionCondition['functions'][number]): RequestAnswer | undefined => lookup(proposal.finding.file, fn)?.request;
  return concluded && withoutConditions(unlessSeldom(concluded, answer?.request, proposal.isShort), answerOf, answer?.request);
}

/**
 * Nobody waits for what a schedule runs every few hours: readers of fixes would merge none of its hints' (bench/fixes-read.md). What blocks
 * for long still blocks all requests meanwhile, and is a warning.
 */
function unlessSeldom(finding: Finding, answer: RequestAnswer | undefined, isShort?: true): Finding {
  const seconds = answer?.jobInterval ?? 0;
  if (!answer || finding.severity !== 'hint') return finding;
  const reason =
    seconds >= HOUR_S
      ? `only jobs run it, on average at most once in ${Math.round((10 * seconds) / HOUR_S) / 10} h, and no request waits for it`
      : isShort && isSeldom(answer)
        ? `${whoRuns(answer)}, and it is over in microseconds where the file is small: awaiting it takes longer (1 KiB in the page cache). Convert it by hand where the file is large, or the disk is slow`
        : undefined;
  const titles = [...finding.fixes, ...finding.refused.filter(({ acrossFiles }) => acrossFiles)].map(({ title }) => title);
  if (reason === undefined || titles.length === 0) return finding;
  const others = finding.refused.filter(({ acrossFiles }) => !acrossFiles);
  return { ...finding, fixes: [], refused: [...[...new Set(titles)].map((title) => ({ title, reason })), ...others] };
}

function whoRuns({ kind, isForAdministrators, interval }: RequestAnswer): string {
  if (isBackground(kind)) return 'no request leads to it, only a timer or a background loop';
  return isForAdministrators ? "only administrators' requests lead to it" : `it runs at most once in ${interval ?? 0} s`;
}

const HOUR_S = 3600;

/** Whether requests make what a place changes, so that it ends with them. What the program makes while it starts stays. */
function isMadePerRequest(answer: RequestAnswer | undefined): boolean {
  return answer !== undefined && !answer.isOnce && !answer.runsAtStartup;
}

/** The answer for a place that fewer paths than those to its function lead to. A call's place is its head. */
function answerAtPlace(answer: FunctionAnswer | undefined, start: number): FunctionAnswer | undefined {
  const behind = answer?.behind?.find(({ calls }) => calls.some(({ span }) => span.start <= start && start < span.end));
  return answer && behind ? { ...answer, request: behind.request } : answer;
}

/** Fixes that hold only for functions without callers, or without those that do not wait, …; or why they are not offered. */
function withoutConditions(
  finding: Finding,
  answerOf: (fn: FunctionCondition['functions'][number]) => RequestAnswer | undefined,
  { mockedBy, written = {} }: Pick<RequestAnswer, 'mockedBy' | 'written'> = {},
): Finding {
  if (finding.fixes.every((fix) => !fix.unlessCalled && !fix.unlessDropped && !fix.unlessMocked && !fix.unlessWritten)) return finding;
  const fixes: Fix[] = [];
  const refused = [...finding.refused];
  for (const { unlessCalled, unlessDropped, unlessMocked, unlessWritten, ...fix } of finding.fixes) {
    const droppedBy = unlessDropped?.functions.map((fn) => answerOf(fn)?.droppedBy).find((one) => one !== undefined);
    const name = unlessWritten?.names.find((one) => Object.hasOwn(written, one));
    if (unlessWritten && name !== undefined)
      refused.push({
        ...unlessWritten.refused,
        reason: fill(unlessWritten.refused.reason, { file: name, writer: (written[name] ?? '').replace(/^.*[\\/]/, '') }),
      });
    else if (unlessMocked && mockedBy !== undefined)
      refused.push({ ...unlessMocked, reason: fill(unlessMocked.reason, { test: mockedBy.replace(/^.*[\\/]/, '') }) });
    else if (unlessDropped && droppedBy !== undefined)
      refused.push({ ...unlessDropped.refused, reason: fill(unlessDropped.refused.reason, { caller: droppedBy }) });
    else if (!unlessCalled || unlessCalled.functions.every((fn) => answerOf(fn)?.isOnlyRegistered === true)) fixes.push(fix);
    else refused.push(unlessCalled.refused);
  }
  return { ...finding, fixes, refused };
}

const withoutFixes = (finding: Finding): Finding => ({
  ...finding,
  severity: 'hint',
  fixes: [],
  refused: finding.fixes.map(({ title }) => ({ title, reason: 'no request, message, or job is known to run this code' })),
});

function isOnlyUnlessOffPath(needs: Need | undefined): boolean {
  return needs?.unlessOffPath !== undefined && Object.keys(needs).length === 1;
}

function concludeRequest(
  { finding, isOnce, isMemoized, isConditional, once, alone }: Proposal,
  { request: answer }: FunctionAnswer,
): Finding | undefined {
  if (!answer) return undefined;
  const where = whereOf(answer, isConditional);
  const common = {
    data: { ...finding.data, where, stands: standsOf(answer) },
    related: [...finding.related, ...answer.related],
    route: answer.route,
    ...(answer.routes.length > 1 ? { routes: answer.routes } : {}),
  };
  if (!isOnce && !answer.isOnce)
    return {
      ...finding,
      ...common,
      severity: severityOf(finding, answer, alone),
      message: put(finding.message, { where, stands: standsOf(answer), idle: idleOf(answer) }),
    };
  if (!once || (isOnce && !isMemoized && answer.runsAtStartup)) return undefined;
  return {
    ...finding,
    ...common,
    messageId: once.messageId,
    severity: once.severity,
    message: put(once.message, { where, standsAtFirst: standsAtFirst(answer) }),
    isForRuns: once.isForRuns,
    evidence: once.evidence,
    fixes: [],
    refused: [],
  };
}

function concludeNeed(
  { finding, isConditional }: Proposal,
  { heat, sent, throwing, querying, taking, element: isOfElement }: Need,
  answer: FunctionAnswer,
): Finding | undefined {
  const { request } = answer;
  if (!request || request.isOnce) return undefined;
  const hot = heat && answer.heat?.find(({ parameter }) => parameter === (heat.parameter ?? ANY_OBJECT));
  const brought = sent && answer.sent?.find(({ parameter }) => parameter === sent.parameter);
  const thrown = throwing && answer.throwing?.find(({ call }) => throwing.includes(call.span.start));
  const asked = querying ?? taking;
  const isMeant = ({ call, isTaking }: QueryingAnswer): boolean =>
    call.span.start === asked && Boolean(isTaking) === (taking !== undefined);
  const queried = answer.querying?.find(isMeant);
  const element = isOfElement && answer.element;
  if ((heat && !hot) || (sent && !brought) || (throwing && !thrown) || (asked !== undefined && !queried) || (isOfElement && !element))
    return undefined;
  const values = {
    where: whereOf(request, isConditional),
    stands: standsOf(request),
    ...(hot ? { loop: isConditional || hot.isConditional ? `${hot.loop} that reaches this line` : hot.loop } : {}),
    ...(brought ? { sent: brought.sent } : {}),
    ...(thrown ? { name: thrown.name } : {}),
    ...(queried ? { remedy: queried.remedy } : {}),
    ...(element ? { field: element.field, lister: element.lister } : {}),
  };
  const filled = (text: string): string => fill(text, values);
  return {
    ...finding,
    severity: severityOf(finding, request),
    message: put(finding.message, values),
    data: Object.fromEntries(Object.entries(finding.data).map(([name, text]) => [name, filled(text)])),
    related: [
      ...(thrown ? [thrown.call, ...thrown.related] : []),
      ...finding.related,
      ...(queried?.related ?? []),
      ...(element ? element.related : []),
      ...(hot ?? brought ?? request).related,
    ],
    route: (hot ?? brought ?? request).route,
    ...(request.routes.length > 1 ? { routes: request.routes } : {}),
  };
}

function concludeRound(finding: Finding, { site, ends }: NonNullable<Need['round']>, { rounds = [] }: FunctionAnswer): Finding | undefined {
  const round = rounds.find((one) => one.site.span.start === site);
  return round && { ...finding, ...(round.isEndless ? {} : ends), related: [...finding.related, ...round.related] };
}

function concludeStart(finding: Finding, start: NonNullable<Need['start']>, { starts }: FunctionAnswer): Finding | undefined {
  const late = typeof start === 'string' ? starts?.late.find(({ name }) => name === start) : undefined;
  const uncached = typeof start === 'string' ? undefined : starts?.uncached;
  if (!late && !uncached) return undefined;
  const values = {
    ...(late ? { command: late.command } : {}),
    ...(uncached ? { packages: uncached.packages.map((name) => `\`${name}\``).join(', '), ms: String(uncached.ms) } : {}),
  };
  return {
    ...finding,
    message: put(finding.message, values),
    data: { ...finding.data, ...values },
    related: [...finding.related, ...(late?.related ?? [])],
  };
}

/** The parameter of a heat answer that only says that the function runs often. */
const ANY_OBJECT = -1;

/**
 * Of the requests that a path with `*` matches, a file server or a route before it may have answered some.
 *
 * @param isInBranch whether a condition of its own function chooses the place
 */
function whereOf(answer: RequestAnswer, isInBranch: boolean): string {
  const name =
    isInBranch || answer.isConditional || answer.route?.includes('*') ? `${nameOf(answer)} that reaches this line` : nameOf(answer);
  return answer.interval === undefined ? name : `${name} (at most once in ${answer.interval} s)`;
}

function nameOf({ route, kind, isForMessages }: RequestAnswer): string {
  if (route !== undefined) return `${isForMessages ? 'message on a ' : ''}\`${route}\``;
  if (kind === 'job') return 'job';
  if (kind === 'hook') return 'run of this hook';
  if (kind === 'timer') return 'run of a timer';
  if (kind === 'loop') return 'round of a background loop';
  if (kind === 'invocation') return 'invocation';
  return kind === 'socket' || kind === 'message' || kind === 'ipc' ? 'message' : 'request';
}

/** What would be less than a hint. Readers of unseen applications call such findings noise (bench/unseen-applications.md). */
function isOfNoConcern({ finding, alone, listsAll, needs }: Proposal, answer: RequestAnswer): boolean {
  if (finding.severity !== 'hint' || needs?.round) return false;
  const isLeftOut = listsAll === 'background' ? answer.isForAdministrators : isSeldom(answer) && !listsAll;
  return isLeftOut || (alone !== undefined && isAlone(answer));
}

/** The rule or the user may have chosen less. @param alone where only invocations lead there */
function severityOf({ severity }: Finding, answer: RequestAnswer, alone?: ReportedSeverity): ReportedSeverity {
  if (severity !== 'warning') return severity;
  return isSeldom(answer) ? 'hint' : (isAlone(answer) && alone) || severity;
}

function isSeldom({ isForAdministrators, kind, interval }: RequestAnswer): boolean {
  return isForAdministrators || isBackground(kind) || interval !== undefined;
}

function isAlone({ kind, routes }: RequestAnswer): boolean {
  return kind === 'invocation' && routes.length === 0;
}

/** What waits while the event loop is blocked. */
function standsOf({ kind }: RequestAnswer): string {
  // https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html: one request at a time in each environment.
  if (kind === 'invocation') return 'the invocation waits';
  // https://www.electronjs.org/docs/latest/tutorial/performance#3-blocking-the-main-process
  if (kind === 'ipc') return 'no window of the app responds';
  return 'this process can do nothing else';
}

/** The same for a loop that never yields. */
function idleOf(answer: RequestAnswer): string {
  if (answer.kind === 'invocation' || answer.kind === 'ipc') return `${standsOf(answer)}, and no timer fires`;
  return 'this process reads no requests, fires no timers, and sends no responses';
}

/** The same where only the first run blocks. */
function standsAtFirst(answer: RequestAnswer): string {
  const stands = standsOf(answer);
  return answer.kind === 'invocation' || answer.kind === 'ipc' ? stands : `${stands}, and that user waits`;
}

function put(message: MessageParts, values: Readonly<Record<string, string>>): MessageParts {
  return { what: fill(message.what, values), why: fill(message.why, values), remedy: fill(message.remedy, values) };
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}
