// From a file and a function's name or place to what the profiler needs: JavaScript with the same places, calls, and the claims to be
// tested.
import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { MOST_BYTES, readTextFile, textOfFile } from '../../files/read-text-file.ts';
import type { CallOrigin, ProfileReport, RunTarget, SourcePlace } from '../../protocol/evidence.ts';
import type { Edit, Finding, Span } from '../../protocol/finding.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { startOf } from '../../analysis/module/ast.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse, SCRIPT_FILE, TYPESCRIPT_FILE } from '../../analysis/module/parse.ts';
import { blankTypes } from '../../analysis/profile/blank-types.ts';
import { byVisibleName, findCalls, hasProfileTag, type FoundCall } from '../../analysis/profile/calls.ts';
import { counterfactualOf } from '../../analysis/profile/counterfactual.ts';
import { retainedSiteOf } from '../../analysis/profile/retained-sites.ts';
import { awaitedTogether, bodyReadsOf, listAround } from '../../analysis/profile/awaited-with.ts';
import { prototypeCallOf, timedCallOf, timedLoopOf } from '../../analysis/profile/timed-calls.ts';
import { findFunctions, functionsIn, type FoundFunction, type FunctionQuery } from '../../analysis/profile/functions.ts';
import { normalizedSource } from '../../analysis/profile/normalized-source.ts';
import type { FunctionLookup } from '../../analysis/project/answers/function-answer.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import type { RuleSettings } from '../../analysis/run/rule-settings.ts';
import { Source } from '../../analysis/module/source.ts';
import { prepareCall } from '../../analysis/profile/prepared-call.ts';
import { scaledCalls, scaledRequest } from '../../analysis/profile/scaled-calls.ts';
import { unrelatedTimers } from '../../analysis/profile/unrelated-timers.ts';
import { scaledTextsOf } from '../../analysis/profile/scaled-texts.ts';
import type { ModuleFormat } from '../../profiler/plan/module-format.ts';
import { exposeSuffix, type Loading, type Replacement } from '../../profiler/plan/plan.ts';
import type { Without } from '../../profiler/compare/costs.ts';
import type { ScaledInput } from '../../profiler/compare/growth.ts';
import type { Suspect } from '../../profiler/compare/suspects.ts';
import { PER_ITEM, SEQUENTIAL } from '../../profiler/judge/awaited.ts';
import { FAN_OUT, GROWING, HOOKED, LOOPING, NO_GROWTH } from '../../profiler/judge/loop-time.ts';
import { SATURATION } from '../../profiler/judge/pool.ts';
import { REDUNDANT } from '../../profiler/judge/redundant.ts';
import type { ClockedCall, ClockedCalls } from '../../profiler/plan/timed-calls.ts';
import type { RetainedPlaces, RetainedSite } from '../../profiler/plan/retained.ts';
import type { ServedProgram } from '../../profiler/plan/plan.ts';
import { requestText } from '../../profiler/evidence/requests.ts';
import { harnessFolder } from '../../profiler/run/run.ts';
import { claimsOf, placeAt, type Claims } from './profile-claims.ts';
import { suspectsOf } from './suspects.ts';
import { findProgram, startedProgram } from './profile-program.ts';
import { findLoading, importsTypeScript, loaderOfFlags } from './profile-typescript.ts';
import { listOf } from '../count.ts';

export interface TargetRequest {
  /** Absolute path. */
  file: string;
  /** Read from the file when it is left out. */
  text?: string;
  at: FunctionQuery;
  /** Calls that the user gave, as source text, or requests (`GET /users/1`): they go before all that is found. */
  typed?: readonly string[];
  /** For typed requests that have none of their own. */
  body?: string;
  /** Absolute path of the file that starts the server which requests go to. */
  entry?: string;
  /** For that file; those of the start script unless said. */
  programArguments?: readonly string[];
  rules: readonly AnyRule[];
  settings: RuleSettings;
  project: ProjectInfo;
  /** What the whole project knows of the file's functions; without it the file is taken for itself. */
  lookup?: FunctionLookup;
  /** How the whole project calls the function; without it the file's own calls count. */
  inCode?: readonly FoundCall[];
}

export interface PreparedTarget extends Claims {
  target: RunTarget;
  /** What is run in place of the file. */
  text: string;
  /** The target's calls as JavaScript; the requests as text where a program is asked. */
  calls: readonly string[];
  /** Set where the function is reached by requests to a program. */
  program?: ServedProgram;
  /** Set where the code is compiled while it is loaded. */
  loading?: Loading;
  /** Calls of findings that no hook sees, to be timed where they stand; undefined where there are none, or where that cannot be done. */
  clocked?: ClockedCalls;
  /** Places of findings that say something stays; undefined where there are none, or where they cannot be counted. */
  retained?: RetainedPlaces;
  format: ModuleFormat | undefined;
  /** The same calls without what a finding is about, by its number; undefined where there is no such thing. */
  without(finding: number): Without | undefined;
  /** The calls, or a request, with lists or texts of such a size, for a finding that the time grows faster than they do. */
  scaled(finding: number, size: number): ScaledInput | undefined;
  /** What no rule reports and may cost time, by what a profile found. @param runs of a place, per call */
  suspects(report: ProfileReport, runs: (place: SourcePlace) => number | undefined): Suspect[];
  /** The same with the first fix for a finding in the function: of a rule, or the one nearest to an offset. */
  withFix(ruleId: string | undefined, offset?: number): FixedTarget;
  /** The function's source as evidence is kept for it. */
  normalized: string;
  span: Span;
  source: Source;
}

/** A version with a fix: as text that runs in place of the file, or that stands in for it in a program. `why` is a sentence. */
export type FixedTarget =
  | {
      ok: true;
      /** Whose fix it is. */
      ruleId: string;
      title: string;
      edits: readonly Edit[];
      text: string;
      calls: readonly string[];
      replacements: readonly Replacement[];
      /** The function's source after it, as evidence is kept for it. */
      normalized: string | undefined;
    }
  | { ok: false; why: string };

/** `why` is a sentence; `remedy` says what to do. */
export type TargetOutcome =
  | { ok: true; prepared: PreparedTarget }
  | { ok: false; why: string; remedy: string /** The form of a call, where only arguments are missing. */; example?: string };

/** Said where there is no function: what stands there may be about more than one. */
const OF_THE_START = 'Findings about how a program is started can be verified only under load.';

export function prepareTarget(request: TargetRequest): TargetOutcome {
  const { file, at, project } = request;
  let { text } = request;
  if (text === undefined) {
    const reading = readTextFile(file, MOST_BYTES.namedSource);
    if (!reading.ok) return { ok: false, why: `${file} ${reading.why}.`, remedy: 'Specify a JavaScript or TypeScript file.' };
    ({ text } = reading);
  }
  if (!SCRIPT_FILE.test(file))
    return { ok: false, why: `${file} is not a JavaScript or TypeScript file, so nothing in it can be called.`, remedy: OF_THE_START };
  const outcome = parse(file, text);
  if (!outcome.ok) return { ok: false, why: `${file} cannot be parsed: ${outcome.issue.message}.`, remedy: 'Fix the syntax error first.' };
  const source = new Source(file, text);
  const facts = new Facts(new ModuleIndex(outcome.ast), source, project);
  const found = findOne(facts, at);
  if (!found)
    return {
      ok: false,
      why: 'There is no function here.',
      remedy: `Place the cursor in a function, or specify one by name. What stands outside of functions is judged when the whole program is profiled (\`nodometer profile FILE\`). ${OF_THE_START}`,
    };
  if ('why' in found) return found;
  return prepareFound(request, facts, found);
}

function prepareFound(request: TargetRequest, facts: Facts, found: FoundFunction): TargetOutcome {
  const { source } = facts;
  const { file, text } = source;
  const { typed = [], body, entry, programArguments } = request;
  const calls = callsFor(facts, found, typed, request.inCode);
  // Of a callback, the comment above the function around it counts more than the requests that reach both.
  const around = 'offset' in request.at && found.access.kind === 'none' && typed.length === 0 ? functionAround(facts, found) : undefined;
  if (!calls.ok && around && around.access.kind !== 'none' && hasProfileTag(facts, around))
    return prepareFound({ ...request, inCode: undefined }, facts, around);
  // What tests hand over is less than requests, and more than nothing.
  const isOfTests = calls.ok && calls.calls[0]?.origin === 'test';
  const search = findProgram({
    facts,
    found,
    options: { typed, body, entry, programArguments },
    calls: calls.ok && !isOfTests ? calls.calls : undefined,
    name: describe(found),
    lookup: request.lookup,
  });
  const served = isOfTests && search?.ok === false ? undefined : search;
  if (served && !served.ok) return served;
  // A program reads its files itself.
  if (served && text !== textOfFile(file, MOST_BYTES.namedSource))
    return { ok: false, why: `${file} has unsaved changes.`, remedy: 'Save the file first.' };
  if (!served && !calls.ok) {
    // The cursor is often in a callback, which nobody can call: what it runs in is meant.
    const instead = around && prepareFound({ ...request, inCode: undefined }, facts, around);
    if (instead && (instead.ok || instead.example !== undefined)) return instead;
    return { ok: false, why: `${describe(found)} cannot be called: ${calls.why}.`, remedy: calls.remedy, example: calls.example };
  }
  const texts = served ? served.program.requests.map(requestText) : calls.ok ? calls.calls.map((call) => call.text) : [];
  const runnable: Runnable = served
    ? { ok: true, text: text.replace(/^\uFEFF/, ''), calls: texts, loading: served.loading }
    : runnableText(facts, texts);
  if (!runnable.ok) return runnable;
  const origin = served?.origin ?? (calls.ok ? calls.calls[0]?.origin : undefined) ?? 'no-arguments';
  const claims = claimsOf(facts, request, { span: found.span, line: lineOf(request.at, source) });
  return {
    ok: true,
    prepared: {
      target: { file, functionName: found.name, place: placeAt(source, found.span.start), origin, calls: texts },
      text: runnable.text,
      calls: runnable.calls,
      program: served && { ...served.program, handler: placeAt(source, startOf(found.fn.body)) },
      loading: runnable.loading,
      clocked: runnable.loading ? undefined : clockedCallsOf(facts, claims, runnable.text, served !== undefined),
      retained: runnable.loading ? undefined : retainedPlacesOf(facts, claims, runnable.text, served !== undefined),
      format: formatOf(facts),
      source,
      span: found.span,
      ...claims,
      normalized: normalizedSource(facts, found.fn),
      withFix: (ruleId, offset) =>
        runnable.loading
          ? { ok: false, why: `${file} is compiled while it is loaded. Apply the fix, and compare with \`nodometer compare --base\`.` }
          : withFixOf({ facts, found, findings: claims.findings, calls: texts, isServed: served !== undefined }, ruleId, offset),
      without: (index) => (served || runnable.loading ? undefined : withoutFinding(claims.findings[index], facts, texts)),
      scaled: (index, size) => {
        const finding = claims.findings[index];
        return finding && scaledInputOf({ finding, facts, found, calls: texts, program: served?.program }, size);
      },
      suspects: (report, runs) =>
        served || runnable.loading ? [] : suspectsOf({ facts, edited: (edits) => withEdits(edits, facts, texts) }, report, runs),
    },
  };
}

function lineOf(at: FunctionQuery, source: Source): number | undefined {
  if ('line' in at) return at.line;
  return 'offset' in at ? source.positionAt(at.offset).line : undefined;
}

/** @param text what is run in place of the file; the file's own where a program is asked */
function clockedCallsOf(facts: Facts, { findings, hypotheses }: Claims, text: string, isServed: boolean): ClockedCalls | undefined {
  const { file } = facts.source;
  const found = new Map<string, ClockedCall>();
  const keyOf = ({ start, end }: Span): string => `${start} ${end}`;
  const parts: ClockedCall[] = [];
  for (const [i, finding] of findings.entries()) {
    const { call, range } = hypotheses[i] ?? {};
    const isJob = finding.ruleId === SATURATION;
    const timed = call === undefined || (HOOKED.test(call) && !isJob) || !range ? undefined : timedCallOf(finding, facts);
    if (!timed || !range || finding.ruleId === SEQUENTIAL) continue;
    const clocked = { ...timed, place: range.start };
    found.set(keyOf(timed.call), { ...clocked, ...(isJob && { isJob }) });
    const { last: _, ...whole } = clocked;
    if (finding.ruleId === PER_ITEM)
      parts.push(...bodyReadsOf(timed.call, facts).map((body) => ({ ...whole, call: body, isPart: true as const })));
    const list = finding.ruleId === REDUNDANT ? listAround(timed.call, facts) : undefined;
    if (list) parts.push({ ...whole, call: list.list, own: list.own });
  }
  for (const [i, finding] of findings.entries()) {
    const { call: name, range } = hypotheses[i] ?? {};
    if (finding.ruleId !== SEQUENTIAL || name === undefined || !range) continue;
    const { of, calls } = awaitedTogether(finding, facts);
    // A call has one clock.
    if (calls.some(({ call }) => found.has(keyOf(call)))) continue;
    for (const { call, index, isPart } of calls) {
      const round = { id: i, index, of, isLast: call === calls.at(-1)?.call, ...(isPart && { isPart }) };
      found.set(keyOf(call), { name, call, place: range.start, round, ...(isPart && { isPart }) });
    }
  }
  for (const [i, finding] of findings.entries()) {
    const { range } = hypotheses[i] ?? {};
    const set = finding.messageId.startsWith('replaced') ? prototypeCallOf(finding, facts) : undefined;
    if (set && range) found.set(keyOf(set.call), { ...set, place: range.start });
    const timed = finding.ruleId === LOOPING ? timedLoopOf(finding, facts) : undefined;
    if (timed && range) found.set(keyOf(timed.call), { ...timed, place: range.start, isStatement: true });
  }
  for (const part of parts) if (!found.has(keyOf(part.call))) found.set(keyOf(part.call), part);
  // Offsets are those of the text with its byte order mark.
  if (found.size === 0 || facts.source.text.startsWith('\uFEFF')) return undefined;
  const plain = plainText(file, text, isServed);
  const isAwaited = findings.some(({ ruleId }) => AWAITED.has(ruleId));
  return plain === undefined ? undefined : { file, text: plain, format: formatOf(facts), calls: [...found.values()], isAwaited };
}

/** Rules about calls whose promises are timed. */
const AWAITED: ReadonlySet<string> = new Set([PER_ITEM, SEQUENTIAL, REDUNDANT, FAN_OUT, SATURATION]);

/** A program's TypeScript is loaded by Node itself, which takes the types out of what is on the disk. */
function plainText(file: string, text: string, isServed: boolean): string | undefined {
  if (!isServed || !TYPESCRIPT_FILE.test(file)) return text;
  const blanked = blankTypes(file, text);
  return blanked.ok ? blanked.text : undefined;
}

/** @param text as above */
function retainedPlacesOf(facts: Facts, { findings }: Claims, text: string, isServed: boolean): RetainedPlaces | undefined {
  const { file } = facts.source;
  const sites = findings
    .flatMap((finding, hypothesis): RetainedSite[] => {
      const site = retainedSiteOf(finding, facts);
      return site ? [{ ...site, hypothesis, unrelated: site.kind === 'container' ? unrelatedTimers(site.held, facts) : [] }] : [];
    })
    .slice(0, MOST_SITES);
  if (sites.length === 0 || facts.source.text.startsWith('\uFEFF')) return undefined;
  const plain = plainText(file, text, isServed);
  return plain === undefined ? undefined : { file, text: plain, format: formatOf(facts), sites };
}

/** Each has a table of keys of its own. */
const MOST_SITES = 32;

interface FixRequest {
  facts: Facts;
  found: FoundFunction;
  findings: readonly Finding[];
  calls: readonly string[];
  isServed: boolean;
}

function withFixOf({ facts, found, findings, calls, isServed }: FixRequest, ruleId: string | undefined, offset = 0): FixedTarget {
  const { file, text } = facts.source;
  const distance = ({ span }: Finding): number => Math.max(span.start - offset, offset - span.end, 0);
  const inside = findings
    .filter(({ span }) => found.span.start <= span.start && span.end <= found.span.end)
    .filter((one) => ruleId === undefined || one.ruleId === ruleId)
    .sort((a, b) => distance(a) - distance(b));
  const [{ ruleId: owner, fix } = {}] = inside.flatMap(({ ruleId, fixes }) => fixes.map((fix) => ({ ruleId, fix })));
  const of = ruleId === undefined ? '' : ` of \`${ruleId}\``;
  if (!fix || !owner)
    return {
      ok: false,
      why:
        inside.length === 0
          ? `There is no finding${of} in ${describe(found)}.`
          : `No fix is offered for the finding${of} in ${describe(found)}.`,
    };
  const edited = editedFacts(facts, fix.edits);
  if (!edited) return { ok: false, why: `With the fix, ${file} cannot be parsed.` };
  const [after] = findFunctions(edited, found.name === undefined ? { offset: found.span.start } : { name: found.name });
  const common = {
    ok: true as const,
    ruleId: owner,
    title: fix.title,
    edits: fix.edits,
    normalized: after && normalizedSource(edited, after.fn),
  };
  // A program reads its files itself.
  if (isServed) return { ...common, text, calls, replacements: [{ file, text: edited.source.text, format: formatOf(facts) }] };
  const fixed = runnableText(edited, calls);
  return fixed.ok ? { ...common, text: fixed.text, calls: fixed.calls, replacements: [] } : { ok: false, why: fixed.why };
}

interface ScalingRequest {
  finding: Finding;
  facts: Facts;
  found: FoundFunction;
  calls: readonly string[];
  program: ServedProgram | undefined;
}

function scaledInputOf({ finding, facts, found, calls, program }: ScalingRequest, size: number): ScaledInput | undefined {
  if (finding.ruleId !== GROWING ? finding.ruleId !== 'no-unsafe-regex' : NO_GROWTH.has(finding.messageId)) return undefined;
  const texts = scaledTextsOf(finding, facts, { fn: found.fn, isServed: program !== undefined });
  const [first] = texts;
  // Of an expression, only the text is known that it takes long for.
  if (!first && finding.ruleId !== GROWING) return undefined;
  const ofKeys = finding.messageId === 'keys';
  const common = first && 'attack' in first ? { unit: 'character' as const, most: first.most } : { unit: 'element' as const };
  if (program) {
    const request = scaledRequest(program.requests, size, texts, ofKeys);
    return request && { ...common, request };
  }
  const longer = scaledCalls(calls, size, facts.source.file, texts, ofKeys);
  const version = longer && withEdits([], facts, longer);
  return version && { ...common, ...version };
}

function withoutFinding(finding: Finding | undefined, facts: Facts, calls: readonly string[]): Without | undefined {
  const other = finding && counterfactualOf(finding, facts, calls);
  if (!other) return undefined;
  const processes = other.parts.flatMap(({ edits, calls: own = calls, weight }) => {
    const version = withEdits(edits, facts, own);
    return version ? [{ ...version, weight }] : [];
  });
  return processes.length === other.parts.length ? { description: other.description, processes } : undefined;
}

function withEdits(edits: readonly Edit[], facts: Facts, calls: readonly string[]): { text: string; calls: readonly string[] } | undefined {
  const edited = edits.length === 0 ? facts : editedFacts(facts, edits);
  const runnable = edited && runnableText(edited, calls);
  return runnable?.ok && !runnable.loading ? { text: runnable.text, calls: runnable.calls } : undefined;
}

function editedFacts({ source, project }: Facts, edits: readonly Edit[]): Facts | undefined {
  const text = applyEdits(source.text, edits);
  const outcome = parse(source.file, text);
  return outcome.ok ? new Facts(new ModuleIndex(outcome.ast), new Source(source.file, text), project) : undefined;
}

function findOne(facts: Facts, at: FunctionQuery): FoundFunction | (TargetOutcome & { ok: false }) | undefined {
  const found = findFunctions(facts, at);
  const [first] = found;
  if (!('name' in at) || (first && found.length === 1)) return first;
  const { name } = at;
  if (first) {
    const lines = found.map(({ span }) => facts.source.positionAt(span.start).line);
    return {
      ok: false,
      why: `\`${name}\` is ambiguous: there are functions with this name on lines ${listOf(lines.map(String))}.`,
      remedy: `Specify ${listOf([...new Set(found.map((one) => one.name ?? '(no name)'))], 'or')}, or a line: \`file.js:${lines[0]}\`.`,
    };
  }
  const names = functionsIn(facts).flatMap((one) => (one.name === undefined || one.access.kind === 'none' ? [] : [one.name]));
  return {
    ok: false,
    why: `Function \`${name}\` not found in ${facts.source.file}.`,
    remedy:
      names.length > 0
        ? `Available functions: ${names.slice(0, MOST_NAMES).join(', ')}.`
        : 'It has no functions that can be called by name.',
  };
}

const MOST_NAMES = 12;

function functionAround(facts: Facts, { span }: FoundFunction): FoundFunction | undefined {
  return functionsIn(facts).findLast((one) => one.span.start < span.start && span.end <= one.span.end);
}

function callsFor(
  facts: Facts,
  found: FoundFunction,
  typed: readonly string[],
  inCode: readonly FoundCall[] | undefined,
): { ok: true; calls: readonly FoundCall[] } | { ok: false; why: string; remedy: string; example?: string } {
  if (typed.length === 0) return findCalls(facts, found, inCode);
  return {
    ok: true,
    calls: typed.map((text): FoundCall => ({ text: byVisibleName(text, found, facts), origin: 'typed' satisfies CallOrigin })),
  };
}

function describe({ name }: FoundFunction): string {
  return name === undefined ? 'This function' : `\`${name}\``;
}

type Runnable = { ok: true; text: string; calls: readonly string[]; loading?: Loading } | (TargetOutcome & { ok: false });

/** The text with the calls at its end, and without types where there are any; or the file itself, where its TypeScript takes a compiler. */
function runnableText(facts: Facts, calls: readonly string[]): Runnable {
  const {
    source: { file, text },
    project,
    module,
  } = facts;
  const parts = new Map(
    calls.flatMap((call) => {
      const two = prepareCall(call, file);
      return two ? [[call, two] as const] : [];
    }),
  );
  const exposed = text.replace(/^\uFEFF/, '') + exposeSuffix(calls, '', parts);
  if (!TYPESCRIPT_FILE.test(file)) return { ok: true, text: exposed, calls };
  const plainCalls = calls.map((call) => plainCall(file, call));
  const blanked = blankTypes(file, exposed);
  // Types taken out in place leave every column where it was. What the file imports is loaded by Node itself, and not every Node can.
  if (blanked.ok && !importsTypeScript(file, module.program)) return { ok: true, text: blanked.text, calls: plainCalls };
  const started = startedProgram(project.manifest?.scripts.start);
  const loader = started?.loader ?? loaderOfFlags(started?.flags ?? []);
  const loading = findLoading({
    file,
    root: project.root,
    isModule: project.manifest?.type === 'module',
    own: loader === 'any' ? undefined : loader,
  });
  if (loading && text === textOfFile(file, MOST_BYTES.namedSource)) return { ok: true, text: exposed, calls: plainCalls, loading };
  if (blanked.ok) return { ok: true, text: blanked.text, calls: plainCalls };
  if (loading)
    return { ok: false, why: `${file} has unsaved changes, and its compiler reads the saved file.`, remedy: 'Save the file first.' };
  const { line } = new Source(file, exposed).positionAt(blanked.offset);
  return {
    ok: false,
    why: `${file} cannot be run without a compiler: ${blanked.why} (line ${line}). The project has none installed.`,
    remedy:
      'Install tsx, @swc-node/register, ts-node, esbuild, or typescript (up to 6) in the project, or profile the compiled JavaScript.',
  };
}

/** A call without types; what cannot be read is left for the run to complain of. */
function plainCall(file: string, call: string): string {
  const blanked = blankTypes(file, `(${call})`);
  return blanked.ok ? blanked.text.slice(1, -1) : call;
}

function formatOf({ module }: Facts): ModuleFormat | undefined {
  const isModule = module.program.body.some((statement) => /^(?:Import|Export)/.test(statement.type)) || module.has('MetaProperty');
  return isModule ? 'module' : undefined;
}

/** Whether code is the user's own: packages are their authors' matter, and the harness is ours. */
export function isUserFile(file: string): boolean {
  return (
    !file.startsWith('node:') && !/[\\/]node_modules[\\/]/.test(file) && !file.startsWith(`${harnessFolder()}${sep}`) && existsSync(file)
  );
}
