// One open document to its findings: cached by version, and kept through text that cannot be parsed for the moment.
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CancellationToken } from 'vscode-languageserver';
import type { Finding } from '../../protocol/finding.ts';
import type { DocumentState } from '../../protocol/editor.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import type { EditorSettings } from '../../protocol/settings.ts';
import type { ParseIssue } from '../../analysis/module/parse.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import type { EvidenceOf } from '../../analysis/run/evidence.ts';
import { lintText, type LintRequest, type RuleCrash } from '../../analysis/run/run.ts';
import { Source } from '../../analysis/module/source.ts';
import { TextLinter } from '../../analysis/run/text-linter.ts';
import { deploymentFileKind } from '../../workspace/discovery/left-out.ts';
import { isOutdated, isOvertaken } from '../../workspace/config/config-finder.ts';
import { findBuiltLook } from '../../workspace/discovery/read-source.ts';
import { EvidenceStores } from '../../workspace/profile/evidence-store.ts';
import type { SkipReason } from '../../workspace/discovery/skipped.ts';
import type { DeploymentProjects, Judge } from './deployment-projects.ts';
import type { OpenDocument } from './documents.ts';
import type { Folder, Folders } from './folders.ts';
import type { IndexClient } from '../index-client.ts';
import { moveFindings, type OffsetChange } from '../shared/moved-findings.ts';
import type { FileContext, ProjectView } from '../shared/project-view.ts';

export interface DocumentResult {
  /** Version of the document that the offsets are about. */
  version: number;
  text: string;
  /** Fixes and what is said against them are left out; `repaired` has them. */
  findings: readonly Finding[];
  /** Whether the findings are those of an earlier text, moved along with the edits, because this one cannot be parsed. */
  stale: boolean;
  state: DocumentState;
  /** One sentence for people. */
  reason?: string;
  project?: ProjectInfo;
  editor: EditorSettings;
  context?: FileContext;
}

export interface LinterRequest {
  rules: readonly AnyRule[];
  folders: Folders;
  view: ProjectView;
  deployment: DeploymentProjects;
  crashed(crash: RuleCrash): void;
  index: IndexClient;
  /** Whether the client tells of changed files. */
  watches: boolean;
  /** What was read from disk was forgotten, because nobody had told that it changed. */
  outdated(): void;
  log(message: string): void;
}

/** Raised between the stages when the client no longer wants the answer. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

interface Checked {
  findings: readonly Finding[];
  crashes: readonly RuleCrash[];
  issue: ParseIssue | undefined;
}

interface Cached {
  key: string;
  editor: EditorSettings;
  result: DocumentResult;
}

/** People type in one document, or go back and forth between a few. */
const MOST_LINTERS = 3;
/** As git: a NUL among the first characters. */
const BINARY_PROBE = 8000;
/** The longest UTF-8 sequence for one UTF-16 unit, in bytes. */
const MAX_BYTES_PER_UNIT = 3;

export const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  'node-modules': 'it is in node_modules',
  'generated-folder': 'its folder contains generated files',
  'ignored-folder': 'its folder is ignored (.gitignore or the configuration)',
  'ignored-file': 'it is ignored (.gitignore or the configuration)',
  'linked-folder': 'it is behind a symbolic link',
  minified: 'it is minified',
  bundle: 'it is a bundle',
  'too-large': 'it is larger than the size limit',
  binary: 'it is binary',
  unreadable: 'it cannot be read',
};

export class DocumentLinter {
  readonly #request: LinterRequest;
  // By the document and not by its URI: one that is closed while it is linted leaves nothing behind for the next of its name.
  readonly #cached = new WeakMap<OpenDocument, Cached>();
  /** Last findings of text that could be parsed, moved along with the edits since. */
  readonly #lastGood = new WeakMap<OpenDocument, readonly Finding[]>();
  readonly #repaired = new WeakMap<DocumentResult, readonly Finding[]>();
  /** For the documents that are typed in: the last ones, because a tree takes twenty times the memory of its text. */
  readonly #linters = new Map<OpenDocument, TextLinter>();
  #deploymentRevision = 0;
  #evidenceRevision = 0;
  #evidence: { of: string; stores: EvidenceStores } | undefined;

  constructor(request: LinterRequest) {
    this.#request = request;
  }

  /** To be called before a change is applied. */
  changed(document: OpenDocument, change: OffsetChange): void {
    const known = this.#lastGood.get(document);
    if (known && known.length > 0) this.#lastGood.set(document, moveFindings(known, change));
  }

  /** Verdicts were added or taken away. */
  evidenceChanged(): void {
    this.#evidenceRevision++;
  }

  /** Something that deployment files are judged by has changed. */
  deploymentChanged(): void {
    this.#deploymentRevision++;
  }

  /**
   * What is to be shown: the result for the document's newest text, or with `nodometer.run` at `onSave` the findings of the last
   * save, moved along. Throws `Cancelled` when the token is cancelled before the work is done.
   */
  async lint(document: OpenDocument, token: CancellationToken): Promise<DocumentResult> {
    const editor = await this.#settingsOf(document);
    const context = await this.#contextFor(document, editor);
    const known = this.#lastGood.get(document);
    if (!context || editor.run === 'onType' || document.text.version === document.savedVersion || !known)
      return this.lintNow(document, token);
    const now = this.#findCached(document, editor);
    if (now) return now;
    const { project } = context;
    const findings = known.filter((finding) => isOn(finding, context));
    return {
      ...this.#plain(document, editor, 'linted', 'These findings are from the last save (nodometer.run).'),
      findings,
      stale: true,
      project,
      context,
    };
  }

  /** The result for the document's newest text, saved or not. */
  async lintNow(document: OpenDocument, token: CancellationToken): Promise<DocumentResult> {
    const { view } = this.#request;
    const { generation } = view;
    const editor = await this.#settingsOf(document);
    const context = await this.#contextFor(document, editor);
    const early = this.#findCached(document, editor);
    if (early) return early;
    await this.#request.index.firstAnswer(document);
    // Lets edits and cancellations that have arrived meanwhile through: what they make void is not worked out.
    await nextTurn();
    checkWanted(token);
    // What was read before that turn may be void as well.
    if (generation !== view.generation) return this.lintNow(document, token);
    const known = this.#findCached(document, editor);
    if (known) return known;
    const key = this.#keyOf(document);
    const result = context
      ? await this.#lintIn(document, context, editor, token)
      : this.#plain(document, editor, 'off', 'Nodometer is disabled here (nodometer.enable).');
    // An edit or a change of settings during the last stage makes it void for others, not for the one who asked.
    if (key === this.#keyOf(document)) this.#cached.set(document, { key, editor, result });
    return result;
  }

  /** A document that lies on no disk has the settings of the first folder. */
  #folderOf({ onDisk, path }: OpenDocument): Folder | undefined {
    const { folders } = this.#request;
    return onDisk ? folders.findFolder(path) : folders.all[0];
  }

  #settingsOf(document: OpenDocument): Promise<EditorSettings> {
    return this.#request.folders.settingsFor(this.#folderOf(document));
  }

  /** Undefined where Nodometer is switched off. */
  async #contextFor(document: OpenDocument, editor: EditorSettings): Promise<FileContext | undefined> {
    const { view } = this.#request;
    if (!editor.enable) return undefined;
    if (document.onDisk) {
      const context = await view.contextFor(document.path, this.#folderOf(document)?.path, editor);
      // A change of it may go untold: VS Code leaves out a file that was written and deleted within a moment, although it may
      // have been read meanwhile, and other clients watch nothing.
      const isNew = !this.#request.watches && isOvertaken(context.config, dirname(document.path));
      if (!isNew && !isOutdated(context.config)) return context;
      view.reset();
      this.#request.outdated();
    }
    return document.onDisk
      ? view.contextFor(document.path, this.#folderOf(document)?.path, editor)
      : view.contextWithoutDisk(document.path, editor);
  }

  #findCached(document: OpenDocument, editor: EditorSettings): DocumentResult | undefined {
    const cached = this.#cached.get(document);
    return cached?.key === this.#keyOf(document) && cached.editor === editor ? cached.result : undefined;
  }

  #keyOf(document: OpenDocument): string {
    const { text, path } = document;
    return `${text.version} ${this.#request.view.generation} ${deploymentFileKind(path) ? this.#deploymentRevision : ''} ${this.#evidenceRevision} ${this.#request.index.revisionOf(document)}`;
  }

  async #lintIn(document: OpenDocument, context: FileContext, editor: EditorSettings, token: CancellationToken): Promise<DocumentResult> {
    const { project } = context;
    const { version } = document.text;
    const text = document.text.getText();
    const skip = findSkipReason(document, text, context);
    if (skip !== undefined) {
      this.#lastGood.delete(document);
      return { ...this.#plain(document, editor, 'skipped', skip), project, context };
    }
    const judge = await this.#judgeFor(document, editor);
    checkWanted(token);
    const { findings, crashes, issue } = this.#check(document, text, context, editor, judge, {
      repairs: false,
      linter: this.#linterFor(document),
      lookup: this.#request.index.lookupFor(document),
    });
    for (const crash of crashes) this.#request.crashed(crash);
    if (issue) {
      const { line } = new Source(document.path, text).positionAt(issue.offset);
      const reason = `Line ${line} cannot be parsed (${issue.message}). The previous findings are shown.`;
      // The settings may have changed since these were found.
      const last = (this.#lastGood.get(document) ?? []).filter((finding) => isOn(finding, context));
      return { version, text, findings: last, stale: true, state: 'failed', reason, project, editor, context };
    }
    // Edits that came during an await have moved nothing in these yet.
    if (version === document.text.version) this.#lastGood.set(document, findings);
    const failed =
      crashes.length > 0
        ? `A rule crashed here (${[...new Set(crashes.map((crash) => crash.ruleId))].join(', ')}). See the output for details.`
        : undefined;
    return { version, text, findings, stale: false, state: failed ? 'failed' : 'linted', reason: failed, project, editor, context };
  }

  /** A document is to be forgotten. */
  closed(document: OpenDocument): void {
    this.#linters.delete(document);
  }

  /** Undefined at first: most documents are opened to be read. */
  #linterFor(document: OpenDocument): TextLinter | undefined {
    if (!this.#cached.has(document)) return undefined;
    const linter = this.#linters.get(document) ?? new TextLinter();
    // The one used last comes last.
    this.#linters.delete(document);
    this.#linters.set(document, linter);
    if (this.#linters.size > MOST_LINTERS)
      for (const [first] of this.#linters) {
        this.#linters.delete(first);
        break;
      }
    return linter;
  }

  /** A result's findings with their fixes, which nobody asks for while they type: in the same order, and kept as long as the result. */
  async repaired(document: OpenDocument, result: DocumentResult): Promise<readonly Finding[]> {
    const known = this.#repaired.get(result);
    if (known) return known;
    const { context, editor, text, stale, findings } = result;
    if (!context || stale || findings.length === 0) return findings;
    const judge = await this.#judgeFor(document, editor);
    const { findings: found, crashes } = this.#check(document, text, context, editor, judge, this.#asAnother(document, text));
    for (const crash of crashes) this.#request.crashed(crash);
    // A rule that fails at its fixes, or a file that has changed on disk since: what is shown has no fixes then.
    const repaired =
      found.length === findings.length &&
      found.every((one, i) => one.ruleId === findings[i]?.ruleId && one.span.start === findings[i]?.span.start)
        ? found
        : findings;
    this.#repaired.set(result, repaired);
    return repaired;
  }

  /** What finds the findings of any text in the document's place; undefined where the document is not linted. */
  async checkerFor(
    document: OpenDocument,
    { context, editor, state }: DocumentResult,
  ): Promise<((text: string) => readonly Finding[]) | undefined> {
    if (!context || state === 'skipped' || state === 'off') return undefined;
    const judge = await this.#judgeFor(document, editor);
    return (text) => this.#check(document, text, context, editor, judge, this.#asAnother(document, text)).findings;
  }

  /** For a text that may be another than the document's. */
  #asAnother(document: OpenDocument, text: string): Pick<LintRequest, 'lookup' | 'mode'> {
    const { index } = this.#request;
    const isOwn = text === document.text.getText();
    return isOwn ? { lookup: index.lookupFor(document) } : { lookup: index.lookupByNumber(document), mode: 'by-number' };
  }

  async #judgeFor({ onDisk, path }: OpenDocument, editor: EditorSettings): Promise<Judge | undefined> {
    return onDisk && deploymentFileKind(path) ? this.#request.deployment.judgeFor(path, editor) : undefined;
  }

  /** Read from disk once, until it or anything else that counts has changed there. */
  #evidenceFor({ onDisk, path }: OpenDocument): EvidenceOf | undefined {
    return onDisk ? this.evidenceAt(path) : undefined;
  }

  /** What is kept of a file's profiles. */
  evidenceAt(path: string): EvidenceOf | undefined {
    const { view, log } = this.#request;
    const of = `${view.generation} ${this.#evidenceRevision}`;
    if (this.#evidence?.of !== of) this.#evidence = { of, stores: new EvidenceStores((folder) => view.projects.findRoot(folder), log) };
    return this.#evidence.stores.forFile(path);
  }

  #check(
    document: OpenDocument,
    text: string,
    { project, settings }: FileContext,
    editor: EditorSettings,
    judge: Judge | undefined,
    how: Pick<LintRequest, 'repairs' | 'lookup' | 'mode'> & { linter?: TextLinter },
  ): Checked {
    const { rules } = this.#request;
    const { isScript, dialectPath } = document;
    const { linter, ...rest } = how;
    const lint = (request: LintRequest) => linter?.lint(request) ?? lintText(request);
    const linted = isScript
      ? lint({
          file: dialectPath,
          text,
          project,
          rules,
          settings,
          reportUnusedDisables: editor.reportUnusedDisables,
          evidence: this.#evidenceFor(document),
          ...rest,
        })
      : undefined;
    const judged = judge?.(text);
    return {
      findings: [...(linted?.findings ?? []), ...(judged?.findings ?? [])].sort(
        (a, b) => a.span.start - b.span.start || a.span.end - b.span.end,
      ),
      crashes: [...(linted?.crashes ?? []), ...(judged?.crashes ?? [])],
      issue: linted?.issue,
    };
  }

  #plain(document: OpenDocument, editor: EditorSettings, state: DocumentState, reason: string): DocumentResult {
    return { version: document.text.version, text: document.text.getText(), findings: [], stale: false, state, reason, editor };
  }
}

function findSkipReason(document: OpenDocument, text: string, { leftOut, maxFileSize }: FileContext): string | undefined {
  if (leftOut) return `Not linted: ${SKIP_WORDS[leftOut]}.`;
  if (isLargerThan(text, maxFileSize)) return `Not linted: it is larger than ${maxFileSize} bytes (maxFileSize).`;
  const nul = text.indexOf('\0');
  if (nul !== -1 && nul < BINARY_PROBE) return `Not linted: ${SKIP_WORDS.binary}.`;
  const built = document.isScript ? findBuiltLook(text) : undefined;
  if (built) return `Not linted: ${built.why}, which indicates generated code.`;
  if (!document.isScript && deploymentFileKind(document.path) === undefined)
    return 'Not linted: it is neither JavaScript or TypeScript nor a known deployment file.';
  if (!document.isScript && !document.onDisk)
    return 'Not linted: deployment files are checked only on disk, together with the files around them.';
  return undefined;
}

function isOn({ ruleId }: Finding, { settings }: FileContext): boolean {
  return settings[ruleId]?.severity !== 'off';
}

function isLargerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * MAX_BYTES_PER_UNIT > limit && Buffer.byteLength(text) > limit;
}

function checkWanted(token: CancellationToken): void {
  if (token.isCancellationRequested) throw new Cancelled('no longer wanted');
}
