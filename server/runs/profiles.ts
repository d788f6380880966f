// Profiles of functions in open documents: prepared here, run in child processes, kept beside the code. Only in workspaces that the user
// trusts.
import { basename, dirname } from 'node:path';
import type { CancellationToken } from 'vscode-languageserver/node';
import { isBenignDeopt } from '../../knowledge/deopt-reasons.ts';
import type {
  ClearEvidenceParams,
  CompareParams,
  CompareResult,
  FunctionsParams,
  FunctionsResult,
  MeasureChangeParams,
  MeasureChangeResult,
  MeasureFixParams,
  MeasureFixResult,
  ProfileParams,
  ProfileResult,
  RunFailure,
} from '../../protocol/editor.ts';
import type { Span } from '../../protocol/finding.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { functionsIn } from '../../analysis/profile/functions.ts';
import { Source } from '../../analysis/module/source.ts';
import type { TimedProcess } from '../../profiler/compare/in-turns.ts';
import { timeOnNodes } from '../../profiler/compare/nodes.ts';
import { compareVersions } from '../../profiler/compare/versions.ts';
import { compareRuns, type ComparedRun } from '../../profiler/compare/node-rows.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { profileFunction, type ProfileOutcome } from '../../profiler/profile.ts';
import { EvidenceStores } from '../../workspace/profile/evidence-store.ts';
import { withoutStrangers } from '../../workspace/profile/profile-claims.ts';
import {
  isUserFile,
  prepareTarget,
  type PreparedTarget,
  type TargetOutcome,
  type TargetRequest,
} from '../../workspace/profile/profile-target.ts';
import { EDITOR_LIMIT_MS, type Limited } from '../../workspace/time-limit.ts';
import { toRange } from '../shared/convert.ts';
import type { ServerDeps } from '../deps.ts';
import type { DocumentLinter } from '../documents/document-linter.ts';
import type { OpenDocument, OpenDocuments } from '../documents/documents.ts';
import { measureSinceCommit } from './since-commit.ts';
import { cpuProfileKeeper } from './program-runs.ts';
import type { IndexClient } from '../index-client.ts';
import { PATIENTLY } from '../slow-documents.ts';
import type { ProjectView } from '../shared/project-view.ts';
import { profileMarkdown } from './report-markdown.ts';
import { isGuarded, nodeFor, NOT_TRUSTED, reasonsOf, stoppable } from './run-gate.ts';
import type { Progress } from '../workers/workspace-lint.ts';

export interface ProfilesRequest {
  deps: ServerDeps;
  documents: OpenDocuments;
  linter: DocumentLinter;
  index: Pick<IndexClient, 'lookupFor' | 'callsOf'>;
  view: ProjectView;
  /** For what this thread analyzes. */
  limited: Limited;
  /** Whether the user trusts the workspace. */
  trusted: boolean;
  /** Shows a message to the user. */
  warn(message: string): void;
  /** Evidence was taken away: diagnostics are to be asked for again. */
  changed(): void;
  /** Evidence was added. */
  kept(stores: EvidenceStores): void;
}

/** Processes of each version: about ten seconds in all. */
const MEASURED_ROUNDS = 10;

export class Profiles {
  readonly #request: ProfilesRequest;

  constructor(request: ProfilesRequest) {
    this.#request = request;
  }

  async profile(params: ProfileParams, token: CancellationToken, progress: Progress | undefined): Promise<ProfileResult> {
    const { documents, trusted } = this.#request;
    if (!trusted) return NOT_TRUSTED;
    const document = documents.get(params.textDocument.uri);
    if (!document?.onDisk || !document.isScript) return NOT_A_SCRIPT;
    const prepared = await this.#prepare(document, params);
    if (!prepared.ok) return failureOf(prepared);
    return stoppable(
      `Profiling ${prepared.prepared.target.functionName ?? 'the function'}`,
      token,
      progress,
      async ({ signal, report: tell }): Promise<ProfileResult> => {
        const node = await nodeFor(params.nodePath, signal);
        if (!node.ok) return node;
        const outcome = await this.#run(node.node, prepared.prepared, params, signal, tell);
        if (!outcome.ok) {
          const { program } = prepared.prepared;
          return {
            ok: false,
            why: outcome.reason,
            remedy: outcome.aborted
              ? ''
              : program
                ? `The program was started with \`node ${program.entry}\`.`
                : 'To specify another call, add a `@profile` comment above the function.',
          };
        }
        const stores = this.#storesFor();
        stores.storeOf(document.path).keep(outcome.report, prepared.prepared, params.budgetMs);
        this.#request.kept(stores);
        return {
          ok: true,
          report: outcome.report,
          range: toRange(document.text, prepared.prepared.span),
          reasons: reasonsOf(outcome.report.deopts),
          markdown: profileMarkdown([outcome.report], this.#rootOf(document)),
        };
      },
    );
  }

  /** A function with and without a fix, in processes that take turns. The files stay as they are: whoever asked applies the fix. */
  async measureFix(params: MeasureFixParams, token: CancellationToken, progress: Progress | undefined): Promise<MeasureFixResult> {
    const { documents, trusted } = this.#request;
    if (!trusted) return NOT_TRUSTED;
    const document = documents.get(params.textDocument.uri);
    if (!document?.onDisk || !document.isScript) return NOT_A_SCRIPT;
    const { version } = document.text;
    const outcome = await this.#prepare(document, params);
    if (!outcome.ok) return failureOf(outcome);
    const { prepared } = outcome;
    const fixed = prepared.withFix(params.ruleId, document.text.offsetAt(params.position));
    if (!fixed.ok) return { ok: false, why: fixed.why, remedy: '' };
    const { target, text, calls, program, format } = prepared;
    return stoppable(
      `Measuring ${target.functionName ?? 'the function'} with the fix`,
      token,
      progress,
      async ({ signal, report: tell }): Promise<MeasureFixResult> => {
        const node = await nodeFor(params.nodePath, signal);
        if (!node.ok) return node;
        const process: TimedProcess = { node: node.node, file: target.file, text, calls, program, format };
        const compared = await compareVersions(
          { name: 'as it is', process },
          { name: 'with the fix', process: { ...process, text: fixed.text, calls: fixed.calls, replacements: fixed.replacements } },
          {
            rounds: MEASURED_ROUNDS,
            tolerance: 0,
            readOnly: params.readOnly,
            signal,
            progress: (done, total) => tell(done, total, `Process ${done + 1} of ${total}`),
          },
        );
        if (!compared.ok) return { ok: false, why: compared.aborted ? 'Stopped.' : compared.reason, remedy: '' };
        const stores = this.#storesFor();
        if (fixed.normalized !== undefined)
          stores.storeOf(document.path).keepFix({
            file: document.path,
            functionName: target.functionName ?? '',
            normalized: fixed.normalized,
            ruleId: fixed.ruleId,
            node: node.node.version,
            date: new Date().toISOString(),
            difference: compared.difference,
          });
        this.#request.kept(stores);
        return {
          ok: true,
          title: fixed.title,
          ...(target.functionName === undefined ? {} : { functionName: target.functionName }),
          difference: compared.difference,
          edits: fixed.edits.map(({ start, end, text: newText }) => ({ range: toRange(document.text, { start, end }), newText })),
          version,
        };
      },
    );
  }

  /** A function now and at a commit, in processes that take turns. What else has changed in the repository counts, too. */
  async measureChange(params: MeasureChangeParams, token: CancellationToken, progress: Progress | undefined): Promise<MeasureChangeResult> {
    const { documents, trusted, deps } = this.#request;
    if (!trusted) return NOT_TRUSTED;
    const document = documents.get(params.textDocument.uri);
    if (!document?.onDisk || !document.isScript) return NOT_A_SCRIPT;
    const outcome = await this.#prepare(document, params);
    if (!outcome.ok) return failureOf(outcome);
    const { prepared, context } = outcome;
    const { functionName } = prepared.target;
    return stoppable(
      `Measuring ${functionName ?? 'the function'} now and at ${params.base}`,
      token,
      progress,
      async ({ signal, report: tell }): Promise<MeasureChangeResult> => {
        const node = await nodeFor(params.nodePath, signal);
        if (!node.ok) return node;
        const at = functionName === undefined ? { offset: prepared.span.start } : { name: functionName };
        const measured = await measureSinceCommit({
          prepared,
          base: params.base,
          node: node.node,
          // The progress has begun: another session would begin it again.
          preparedAt: (file, entry, typed) => this.#prepareInTime({ file, at, typed, entry, rules: deps.rules, ...context }, PATIENTLY),
          options: {
            rounds: MEASURED_ROUNDS,
            tolerance: 0,
            readOnly: params.readOnly,
            signal,
            progress: (done, total) => tell(done, total, `Process ${done + 1} of ${total}`),
          },
        });
        if (!measured.ok) return { ok: false, why: measured.why, remedy: '' };
        const { difference } = measured;
        const stores = this.#storesFor();
        stores.storeOf(document.path).keepFix({
          file: document.path,
          functionName: functionName ?? '',
          normalized: prepared.normalized,
          base: difference.first.name,
          node: node.node.version,
          date: new Date().toISOString(),
          difference,
        });
        this.#request.kept(stores);
        return { ok: true, ...(functionName === undefined ? {} : { functionName }), difference };
      },
    );
  }

  /** One Node after the other. One that cannot run it keeps the others from nothing. */
  async compare(params: CompareParams, token: CancellationToken, progress: Progress | undefined): Promise<CompareResult> {
    const { documents, trusted } = this.#request;
    if (!trusted) return NOT_TRUSTED;
    const document = documents.get(params.textDocument.uri);
    if (!document?.onDisk || !document.isScript) return NOT_A_SCRIPT;
    const prepared = await this.#prepare(document, params);
    if (!prepared.ok) return failureOf(prepared);
    const { target } = prepared.prepared;
    return stoppable(
      `Comparing ${target.functionName ?? 'the function'}`,
      token,
      progress,
      async ({ signal, report: tell }): Promise<CompareResult> => {
        const runs: ComparedRun[] = [];
        const timed: NodeBinary[] = [];
        const stores = this.#storesFor();
        for (const [index, path] of params.nodePaths.entries()) {
          const node = await nodeFor(path, signal);
          if (signal.aborted) return { ok: false, why: 'Stopped.', remedy: '' };
          if (!node.ok) {
            runs.push({ ok: false, node: path, why: node.why });
            continue;
          }
          const { version } = node.node;
          const outcome = await this.#run(node.node, prepared.prepared, params, signal, (done, total, kind) =>
            tell(index * total + done, params.nodePaths.length * total, `Node ${version}: ${kind}`),
          );
          if (signal.aborted) return { ok: false, why: 'Stopped.', remedy: '' };
          if (outcome.ok) stores.storeOf(document.path).keep(outcome.report, prepared.prepared, params.budgetMs);
          if (outcome.ok && outcome.report.timing) timed.push(node.node);
          runs.push(outcome.ok ? outcome : { ok: false, node: version, why: outcome.reason });
        }
        const { text, calls, program, loading, format } = prepared.prepared;
        const figures = await timeOnNodes({ file: target.file, text, calls, program, loading, format }, timed, {
          readOnly: params.readOnly,
          signal,
          progress: (done, total) => tell(done, total, 'Comparing Node versions in fresh processes'),
        });
        if (signal.aborted) return { ok: false, why: 'Stopped.', remedy: '' };
        this.#request.kept(stores);
        const reports = runs.flatMap((run) => (run.ok ? [run.report] : []));
        if (reports.length === 0)
          return { ok: false, why: runs.map((run) => (run.ok ? '' : `Node ${run.node}: ${run.why}`)).join(' '), remedy: '' };
        const rows = compareRuns(runs, figures);
        return {
          ok: true,
          rows,
          reports,
          reasons: reasonsOf(reports.flatMap(({ deopts }) => deopts)),
          markdown: profileMarkdown(reports, this.#rootOf(document), rows),
        };
      },
    );
  }

  #rootOf({ path }: OpenDocument): string {
    return this.#request.view.projects.findRoot(dirname(path)) ?? dirname(path);
  }

  async #run(
    node: NodeBinary,
    prepared: PreparedTarget,
    { budgetMs, readOnly, cpuProfiles }: ProfileParams,
    signal: AbortSignal,
    progress: (done: number, total: number, kind: string) => void,
  ): Promise<ProfileOutcome> {
    const { target, text, calls, program, loading, clocked, retained, format, hypotheses, span, without, scaled, suspects } = prepared;
    const outcome = await profileFunction({
      node,
      target,
      text,
      calls,
      program,
      loading,
      clocked,
      retained,
      format,
      hypotheses,
      without,
      scaled,
      suspects,
      budgetMs,
      readOnly,
      signal,
      progress,
      date: new Date().toISOString(),
      isUserFile,
      isBenign: isBenignDeopt,
      keepCpuProfile: cpuProfileKeeper(
        cpuProfiles,
        `${basename(target.file)}-${target.functionName ?? target.place?.line ?? ''}-${node.version}`,
      ),
    });
    return outcome.ok ? { ...outcome, report: withoutStrangers(outcome.report, span, prepared) } : outcome;
  }

  /** The functions that a selection touches; of those that stand in each other, the innermost. */
  async functions({ textDocument, range }: FunctionsParams): Promise<FunctionsResult> {
    const document = this.#request.documents.get(textDocument.uri);
    if (!document?.isScript) return { functions: [] };
    const text = document.text.getText();
    const all = this.#request.limited([], () => {
      const outcome = parse(document.path, text);
      if (!outcome.ok) return [];
      const source = new Source(document.path, text);
      return functionsIn(new Facts(new ModuleIndex(outcome.ast), source, { nodeRange: '*', nodeRangeSource: '' }));
    });
    const [start, end] = [document.text.offsetAt(range.start), document.text.offsetAt(range.end)];
    const touched = all.filter(({ span, access }) => access.kind !== 'none' && span.start < end && start < span.end);
    const innermost = touched.filter(
      (one) =>
        !touched.some(
          (other) =>
            other !== one &&
            one.span.start <= other.span.start &&
            other.span.end <= one.span.end &&
            isAll(other.span, { start, end }, one.span),
        ),
    );
    return {
      functions: innermost.map(({ span, name }) => ({
        name: name ?? '',
        position: document.text.positionAt(span.start),
        line: document.text.positionAt(span.start).line + 1,
      })),
    };
  }

  clear({ textDocument }: ClearEvidenceParams): boolean | null {
    const document = this.#request.documents.get(textDocument.uri);
    if (!document?.onDisk) return false;
    const cleared = this.#storesFor().storeOf(document.path).clear();
    if (cleared) this.#request.changed();
    return cleared;
  }

  async #prepare(document: OpenDocument, { position, calls }: Pick<ProfileParams, 'position' | 'calls'>) {
    const { linter, index, deps } = this.#request;
    const result = await linter.lintNow(
      document,
      { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) },
      this.#limited,
    );
    if (!result.context)
      return { ok: false as const, why: result.reason ?? 'This file is not linted.', remedy: 'See the language status for the reason.' };
    const { settings, project } = result.context;
    const offset = document.text.offsetAt(position);
    const inCode = calls ? undefined : await index.callsOf(document, offset);
    const prepared = this.#prepareInTime({
      file: document.path,
      text: document.text.getText(),
      at: { offset },
      typed: calls ?? [],
      rules: deps.rules,
      settings,
      project,
      lookup: index.lookupFor(document),
      inCode,
    });
    return prepared.ok ? { ...prepared, context: { settings, project } } : prepared;
  }

  #prepareInTime(request: TargetRequest, limited = this.#limited): TargetOutcome {
    const why = `${basename(request.file)} takes too long to analyze (more than ${EDITOR_LIMIT_MS / 1000} s).`;
    return limited<TargetOutcome>({ ok: false, why, remedy: 'Profile the function in the terminal: `nodometer profile`.' }, () =>
      prepareTarget(request),
    );
  }

  /** Where another thread cannot run code, this one does. */
  get #limited(): Limited {
    const { deps, limited } = this.#request;
    return isGuarded(deps.platform) ? limited : PATIENTLY;
  }

  #storesFor(): EvidenceStores {
    return new EvidenceStores(
      (folder) => this.#request.view.projects.findRoot(folder),
      (message) => this.#request.warn(message),
    );
  }
}

/** Whether the part of the selection that is in the outer function lies in the inner one. */
function isAll(inner: Span, selection: Span, outer: Span): boolean {
  return inner.start <= Math.max(selection.start, outer.start) && Math.min(selection.end, outer.end) <= inner.end;
}

const NOT_A_SCRIPT: RunFailure = {
  ok: false,
  why: 'Only JavaScript and TypeScript files on disk can be run.',
  remedy: 'Save the file first.',
};

function failureOf({ why, remedy, example }: { why: string; remedy: string; example?: string }): RunFailure & { example?: string } {
  return { ok: false, why, remedy, ...(example === undefined ? {} : { example }) };
}
