// Code actions, hovers, links and fix-all for open documents: brings together what their pure parts need.
import {
  CodeActionKind,
  type CancellationToken,
  type CodeAction,
  type CodeActionParams,
  type CodeLens,
  type CodeLensParams,
  type Command,
  type DocumentLink,
  type DocumentLinkParams,
  type Hover,
  type HoverParams,
  type Range,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { URI } from 'vscode-uri';
import { textOfFile } from '../files/read-text-file.ts';
import { DEFAULT_MAX_FILE_SIZE } from '../workspace/discovery/read-source.ts';
import { ACROSS_FILES, COMMANDS, type AcceptParams, type FixAllParams, type FixAllResult, type RoutesResult } from '../protocol/editor.ts';
import type { ProjectInfo } from '../protocol/project.ts';
import { Source } from '../analysis/module/source.ts';
import { titleWithCost, type Finding, type Fix } from '../protocol/finding.ts';
import { CommandError } from '../workspace/errors.ts';
import type { FixCheck } from '../workspace/fix.ts';
import { FileProduction } from '../workspace/production/file-production.ts';
import type { Baselines } from './shared/baselines.ts';
import { ActionMemory } from './actions/action-memory.ts';
import { callersEdit } from './actions/callers-edit.ts';
import type { ClientAbilities } from './client-abilities.ts';
import {
  codeActions,
  damageOf,
  resolveAction,
  touchesFinding,
  type AcrossFilesOffer,
  type ActionContext,
  type ActionData,
} from './actions/code-actions.ts';
import { documentLinks } from './documents/document-links.ts';
import type { ServerDeps } from './deps.ts';
import type { Diagnostics } from './documents/diagnostics.ts';
import type { DocumentLinter, DocumentResult } from './documents/document-linter.ts';
import type { IndexClient } from './index-client.ts';
import type { OpenDocument, OpenDocuments } from './documents/documents.ts';
import { fixAll, fixAllEdits } from './actions/fix-all.ts';
import { hoverAt } from './actions/hover.ts';
import { knownRoutes } from './actions/known-routes.ts';
import { EDITOR_LIMIT_MS, type Limited } from '../workspace/time-limit.ts';
import { profileLenses } from './actions/profile-lenses.ts';
import { routeLenses } from './actions/route-lenses.ts';

export interface FeaturesRequest {
  deps: ServerDeps;
  documents: OpenDocuments;
  linter: DocumentLinter;
  diagnostics: Diagnostics;
  index: IndexClient;
  abilities: ClientAbilities;
  /** As they are now. */
  baselines(): Baselines;
  /** Whether the client has the `nodometer.*` commands itself. */
  clientCommands: boolean;
  /** Whether functions can be profiled. */
  profiles: boolean;
  limited: Limited;
  /** Shows a sentence to the user. */
  warn(message: string): void;
}

/** A sentence or a few: people read it in the baseline. Our choice. */
const MOST_REASON_CHARACTERS = 500;
const NO_EDITS: FixAllResult = { edits: [], made: 0, rejected: [] };

export class Features {
  readonly #request: FeaturesRequest;
  /** A result stands for one version under one set of settings. */
  readonly #memories = new WeakMap<DocumentResult, ActionMemory>();
  #fixCheck: Promise<FixCheck> | undefined;

  constructor(request: FeaturesRequest) {
    this.#request = request;
  }

  async codeActions(
    { textDocument, range, context: { only } }: CodeActionParams,
    token: CancellationToken,
  ): Promise<(CodeAction | Command)[]> {
    const context = await this.#contextFor(
      textDocument.uri,
      token,
      (result, text) => only !== undefined || touchesFinding(result.findings, text, range),
    );
    if (!context) return [];
    const acrossFiles = await this.#acrossFiles(textDocument.uri, context, range, only);
    return this.#request.limited([], () => codeActions({ ...context, range, only, acrossFiles }));
  }

  async resolve(action: CodeAction, token: CancellationToken): Promise<CodeAction> {
    const data = action.data as Partial<ActionData> | undefined;
    if (action.edit || typeof data?.uri !== 'string') return action;
    const context = await this.#contextFor(data.uri, token);
    const resolved = context && context.convert.document.version === data.version ? await this.#resolved(action, data, context) : action;
    // The action is about a text that is gone. An editor would do nothing, and say nothing.
    if (!resolved.edit && !token.isCancellationRequested)
      this.#request.warn('The code has changed since this fix was offered, so it was not applied. Open the menu again.');
    return resolved;
  }

  async #resolved(action: CodeAction, data: Partial<ActionData>, context: ActionContext): Promise<CodeAction> {
    if (data.make !== ACROSS_FILES || data.uri === undefined) return this.#request.limited(action, () => resolveAction(action, context));
    const finding = context.findings[data.index ?? -1];
    const offer = finding && finding.ruleId === data.ruleId ? await this.#offerAcrossFiles(data.uri, finding, context, true) : undefined;
    return offer && 'edit' in offer ? { ...action, edit: offer.edit } : action;
  }

  /** What the whole project says to the fixes that the file alone refuses because of callers. */
  async #acrossFiles(
    uri: string,
    context: ActionContext,
    range: Range,
    only: readonly string[] | undefined,
  ): Promise<Map<number, AcrossFilesOffer>> {
    const offers = new Map<number, AcrossFilesOffer>();
    if (only?.every((kind) => kind !== '' && kind !== CodeActionKind.QuickFix)) return offers;
    for (const [i, finding] of context.findings.entries()) {
      if (!finding.refused.some((refused) => refused.acrossFiles) || !touchesFinding([finding], context.convert.document, range)) continue;
      const offer = await this.#offerAcrossFiles(uri, finding, context, false);
      if (offer) offers.set(i, offer);
    }
    return offers;
  }

  /** `isChosen`: it is about to be applied, and no menu waits for it. */
  async #offerAcrossFiles(
    uri: string,
    { span }: Finding,
    { convert, abilities }: ActionContext,
    isChosen: boolean,
  ): Promise<AcrossFilesOffer | undefined> {
    const { documents, index } = this.#request;
    const document = documents.get(uri);
    if (!document) return undefined;
    const versions = new Map(documents.all().map((one) => [one.path, one.text.version]));
    const outcome = await index.convert(document, span, isChosen);
    if (!outcome || outcome.kind === 'refused') return outcome;
    // Somebody has typed meanwhile.
    if (documents.all().some((one) => outcome.files.some(({ path }) => path === one.path) && versions.get(one.path) !== one.text.version))
      return undefined;
    // Annotations are part of changes that name the versions of documents.
    const annotates = abilities.changeAnnotations && abilities.documentChanges;
    return {
      // What an annotation would say.
      title: `${titleWithCost(outcome)}${annotates ? '' : ': check what requests share'}`,
      edit: callersEdit(outcome, { toUri: convert.toUri, versionOf: (path) => versions.get(path) ?? null, abilities }),
    };
  }

  async hover({ textDocument, position }: HoverParams, token: CancellationToken): Promise<Hover | null> {
    const { documents, linter, diagnostics, abilities, deps, clientCommands } = this.#request;
    const document = documents.get(textDocument.uri);
    if (!document) return null;
    const result = await linter.lint(document, token);
    if (!result.editor['hover.enable']) return null;
    const context = result.stale ? undefined : await this.#contextOf(document, result);
    const convert = diagnostics.contextOf(document, result);
    const hover = {
      file: document.dialectPath,
      position,
      findings: context?.findings ?? result.findings,
      convert,
      rules: deps.rules,
      project: result.project,
      markdown: abilities.markdown,
      // Of the clients known to us, the one with these commands shows a diagnostic's message in the same box.
      showsDiagnostics: clientCommands,
      coreCalls: document.isScript && result.state === 'linted',
      production: document.onDisk && document.isScript && result.state === 'linted' ? this.#productionOf(document) : undefined,
      damageOf: context && ((fix: Fix) => damageOf(fix, context)),
    };
    return this.#request.limited(null, () => hoverAt(hover));
  }

  async codeLenses({ textDocument }: CodeLensParams, token: CancellationToken): Promise<CodeLens[]> {
    const { documents, linter, index, profiles } = this.#request;
    const document = documents.get(textDocument.uri);
    if (!document?.onDisk || !document.isScript) return [];
    const result = await linter.lint(document, token);
    const { project } = result;
    if (!project || result.state === 'skipped') return [];
    const profiled =
      profiles && !result.stale
        ? this.#request.limited([], () =>
            profileLenses({
              file: document.dialectPath,
              document: document.text,
              findings: result.findings,
              project,
              command: COMMANDS.profileFunction,
              lookup: index.lookupFor(document),
              measuredFix: (normalized) => linter.measuredFix(document, normalized),
              production: linter.productionAt(document.path),
            }),
          )
        : undefined;
    return [...this.#routeLenses(document, result, project, profiled), ...(profiled ?? [])];
  }

  /** Undefined where nothing was imported. */
  #productionOf(document: OpenDocument): FileProduction | undefined {
    const known = this.#request.linter.productionAt(document.path);
    return (
      known &&
      this.#request.limited(undefined, () => FileProduction.of(known, document.dialectPath, document.text.getText(), EDITOR_LIMIT_MS))
    );
  }

  /** `profiled`: the lenses that profile a function; undefined where none can be. */
  #routeLenses(
    document: OpenDocument,
    result: DocumentResult,
    project: ProjectInfo,
    profiled: readonly CodeLens[] | undefined,
  ): CodeLens[] {
    const { index, linter, diagnostics, clientCommands } = this.#request;
    const routes = result.editor['codeLens.routes'] ? index.routesOf(document) : [];
    if (routes.length === 0) return [];
    const { toUri, locate } = diagnostics.contextOf(document, result);
    return routeLenses({
      document: document.text,
      routes,
      project,
      hasCommand: clientCommands,
      // A handler that stands in its registration has a lens of its own.
      profile: profiled && { command: COMMANDS.profileFunction, except: new Set(profiled.map(({ range }) => range.start.line)) },
      toUri,
      evidenceOf: (path) => linter.evidenceAt(path),
      production: linter.productionAt(document.path),
      locate: (path) => (path === document.path ? new Source(path, document.text.getText()) : locate(path)),
    });
  }

  async routes(): Promise<RoutesResult> {
    const { index, linter, documents } = this.#request;
    const listed = await index.listRoutes();
    return {
      isOn: index.isOn,
      routes: knownRoutes(listed ?? [], {
        toUri: (path) => documents.atPath(path)?.uri ?? URI.file(path).toString(),
        evidenceOf: (path) => linter.evidenceAt(path),
        textOf: (path) => documents.atPath(path)?.text.getText() ?? textOfFile(path, DEFAULT_MAX_FILE_SIZE),
      }),
    };
  }

  async documentLinks({ textDocument }: DocumentLinkParams, token: CancellationToken): Promise<DocumentLink[]> {
    const { documents, linter, diagnostics } = this.#request;
    const document = documents.get(textDocument.uri);
    if (!document) return [];
    const result = await linter.lint(document, token);
    const convert = diagnostics.contextOf(document, result);
    return this.#request.limited([], () => documentLinks({ file: document.dialectPath, convert }));
  }

  async fixAll({ textDocument, kind, ruleId }: FixAllParams, token: CancellationToken): Promise<FixAllResult> {
    const context = await this.#contextFor(textDocument.uri, token);
    if (!context) return NO_EDITS;
    const {
      convert: { document },
      findings,
      lint,
      findDamage,
    } = context;
    if (textDocument.version !== undefined && textDocument.version !== document.version) return NO_EDITS;
    const text = document.getText();
    const outcome = this.#request.limited(undefined, () =>
      fixAll({ text, kind, ruleId, findDamage, lint: (one) => (one === text ? findings : lint(one)) }),
    );
    if (!outcome) return NO_EDITS;
    return { edits: fixAllEdits(document, outcome), made: outcome.made, rejected: outcome.rejected };
  }

  /** Adds a finding to the baseline of its file. Gives a sentence about what became of it. */
  async accept({ uri, version, ruleId, index, reason }: AcceptParams, token: CancellationToken): Promise<{ ok: boolean; message: string }> {
    const { documents, baselines } = this.#request;
    const document = documents.get(uri);
    const context = await this.#contextFor(uri, token);
    const finding = context?.findings[index];
    if (!document?.onDisk || !context || context.convert.document.version !== version || finding?.ruleId !== ruleId)
      return { ok: false, message: 'The code has changed since this was offered, so nothing was accepted. Open the menu again.' };
    const given = typeof reason === 'string' ? reason.trim().slice(0, MOST_REASON_CHARACTERS) : '';
    const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
    try {
      const path = baselines().accept(
        document.path,
        context.convert.document.getText(),
        context.findings,
        index,
        today,
        given === '' ? undefined : given,
      );
      return { ok: true, message: `The finding was accepted in ${path}. Commit the file to share it with your team.` };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { ok: false, message: error.message };
    }
  }

  /** Undefined for documents that are not linted, or whose text cannot be read at the moment: nothing is offered on moved findings. */
  async #contextFor(
    uri: string,
    token: CancellationToken,
    isWorth: (result: DocumentResult, text: TextDocument) => boolean = () => true,
  ): Promise<ActionContext | undefined> {
    const document = this.#request.documents.get(uri);
    if (!document) return undefined;
    const result = await this.#request.linter.lintNow(document, token);
    return result.stale || !isWorth(result, document.text) ? undefined : this.#contextOf(document, result);
  }

  async #contextOf(document: OpenDocument, result: DocumentResult): Promise<ActionContext | undefined> {
    const { linter, diagnostics, abilities, clientCommands, profiles } = this.#request;
    const lint = await linter.checkerFor(document, result);
    if (!lint) return undefined;
    const findDamage = await this.#damageFinder(document);
    const findings = await linter.repaired(document, result);
    // The text has changed meanwhile: there is nothing to be said about what it was.
    if (document.text.version !== result.version) return undefined;
    return {
      file: document.dialectPath,
      findings,
      convert: diagnostics.contextOf(document, result),
      abilities: {
        ...abilities.codeActions,
        commands: clientCommands || abilities.showDocument,
        profiles: profiles && document.onDisk && document.isScript,
        ...(document.onDisk && { accept: clientCommands ? 'asking' : 'plain' }),
      },
      settings: result.editor,
      memory: this.#memoryOf(result),
      lint,
      findDamage,
    };
  }

  async #damageFinder({ isScript, dialectPath, path }: OpenDocument): Promise<(before: string, after: string) => string | undefined> {
    if (isScript) {
      const check = await (this.#fixCheck ??= this.#request.deps.loadFixCheck());
      return (before, after) => check(dialectPath, before, after);
    }
    const { isBroken } = await import('../workspace/discovery/deployment-syntax.ts');
    return (before, after) => (isBroken(path, after) && !isBroken(path, before) ? 'the result would not parse' : undefined);
  }

  #memoryOf(result: DocumentResult): ActionMemory {
    let memory = this.#memories.get(result);
    if (!memory) this.#memories.set(result, (memory = new ActionMemory()));
    return memory;
  }
}
