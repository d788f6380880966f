// What the light bulb offers: fixes, why a fix is not offered, comments that silence, the rule's page, fix-all.
import { CodeActionKind, type CodeAction, type Command, type Range, type WorkspaceEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { ACROSS_FILES, COMMANDS, FIX_ALL_KIND, type AcceptTarget, type FixTarget, type ProfileTarget } from '../../protocol/editor.ts';
import { titleWithCost, type Edit, type Finding, type Fix, type Span } from '../../protocol/finding.ts';
import type { EditorSettings } from '../../protocol/settings.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { asOneLine } from '../../protocol/safe-text.ts';
import { SUPPRESSION_RULE } from '../../analysis/run/suppress.ts';
import type { ActionMemory } from './action-memory.ts';
import { toDiagnostic, toTextEdits, type ConvertContext } from '../shared/convert.ts';
import { placeDirectives, removalsOf } from '../documents/directives.ts';
import { disableForFile, disableForLine } from './disable-comment.ts';
import { fixAll, type FixAllOutcome } from './fix-all.ts';
import { isSameProgram, readProgram, takesComments, type ReadProgram } from '../documents/same-program.ts';
import { asSentence } from '../shared/sentence.ts';

/** What a client understands of actions. */
export interface ActionAbilities {
  /** Whether an action may be more than a command. */
  literals: boolean;
  /** Whether an action may be shown that cannot be chosen, with the reason. */
  disabled: boolean;
  preferred: boolean;
  /** Whether edits may name the version of the text that they are for. */
  documentChanges: boolean;
  /** Whether edits may say that they want to be confirmed. */
  changeAnnotations: boolean;
  /**
   * Whether the edit of an action may be asked for when it is chosen: `dataSupport`, and `edit` among the properties of `resolveSupport`.
   */
  resolveEdit: boolean;
  /** Whether `nodometer.*` commands can be called (`clientCommands`). */
  commands: boolean;
  /** Whether the document's functions can be profiled. */
  profiles: boolean;
  /** Whether a finding can be accepted: it lies on a disk. `asking`: the client asks for a reason. */
  accept?: 'asking' | 'plain';
}

export type ActionSettings = Pick<
  EditorSettings,
  'codeAction.disableComment.enable' | 'codeAction.disableComment.location' | 'codeAction.showDocumentation'
>;

export interface ActionContext {
  /** Absolute path of the document. */
  file: string;
  /** All findings of exactly this version of the text, not moved ones. */
  findings: readonly Finding[];
  convert: ConvertContext;
  abilities: ActionAbilities;
  settings: ActionSettings;
  /** The document's own; whoever holds it clears it when settings or findings change while the text does not. */
  memory: ActionMemory;
  /** Findings of a text that stands in for the document's. */
  lint(text: string): readonly Finding[];
  /** What a change would break, in words, or undefined when it is sound. */
  findDamage(before: string, after: string): string | undefined;
}

/** A fix over several files, or why there is none. */
export type AcrossFilesOffer = { title: string; edit: WorkspaceEdit } | { title: string; reason: string };

export interface ActionRequest extends ActionContext {
  range: Range;
  /** Kinds that are asked for; undefined for what a light bulb shows. */
  only?: readonly string[];
  /** By place of the finding among all: what the whole project says to a fix that the file alone refuses. */
  acrossFiles?: ReadonlyMap<number, AcrossFilesOffer>;
}

/** `data` of an action whose edit is asked for when it is chosen. */
export interface ActionData {
  uri: string;
  version: number;
  make: 'fixAll' | 'disableLine' | 'disableFile' | typeof ACROSS_FILES;
  ruleId: string;
  /** Place of the finding among the document's. */
  index: number;
}

export function codeActions(request: ActionRequest): (CodeAction | Command)[] {
  const touched = findingsIn(request);
  const ruleIds = [...new Set(touched.map(({ finding }) => finding.ruleId))].filter((id) => id !== SUPPRESSION_RULE);
  if (!request.abilities.literals)
    return wantsKind(request, CodeActionKind.QuickFix)
      ? documentationOf(ruleIds, touched, request).flatMap((action) => action.command ?? [])
      : [];
  const actions: CodeAction[] = [];
  if (wantsKind(request, CodeActionKind.QuickFix)) {
    for (const one of touched) actions.push(...fixesOf(one, request), ...acrossFiles(one, request), ...refusalsOf(one, request));
    for (const ruleId of ruleIds) actions.push(...fixAllOfRule(ruleId, touched, request));
    if (request.settings['codeAction.disableComment.enable']) {
      actions.push(...disablesForLine(touched, request));
      for (const ruleId of ruleIds) actions.push(...disableForWholeFile(ruleId, touched, request));
    }
    actions.push(...acceptOf(touched, request));
    actions.push(...measuresOf(touched, request), ...profileOf(touched, request), ...documentationOf(ruleIds, touched, request));
  }
  // Asked for on save, and by the menu of source actions. A light bulb that held it would hang on every line.
  if (request.only !== undefined && wantsKind(request, FIX_ALL_KIND)) actions.push(...fixAllSafe(request));
  return actions;
}

/** The action with its edit. Its document must still have the version in `data`; without an edit there is no sound one. */
export function resolveAction(action: CodeAction, context: ActionContext): CodeAction {
  const { make, ruleId, index } = action.data as ActionData;
  const finding = context.findings[index];
  // `Features` asks the project for it.
  if (make === ACROSS_FILES) return action;
  const edits =
    make === 'fixAll' ? outcomeOfFixAll(context, ruleId).edits : finding?.ruleId === ruleId ? disableEdits(make, finding, context) : [];
  return edits.length > 0 ? { ...action, edit: workspaceEdit(edits, context) } : action;
}

interface Touched {
  finding: Finding;
  /** Place among all findings. */
  index: number;
}

/** Whether there is anything to offer at a range, apart from what is for the whole file. */
export function touchesFinding(findings: readonly Finding[], document: TextDocument, range: Range): boolean {
  const start = document.offsetAt(range.start);
  const end = document.offsetAt(range.end);
  return findings.some(({ span }) => touches(span, start, end));
}

function touches(span: Span, start: number, end: number): boolean {
  return span.start <= end && start <= span.end;
}

/** Findings that the range touches, the shortest first: the one nearest to the cursor. */
function findingsIn({ findings, range, convert: { document } }: ActionRequest): Touched[] {
  const start = document.offsetAt(range.start);
  const end = document.offsetAt(range.end);
  const length = ({ finding: { span } }: Touched): number => span.end - span.start;
  return findings
    .map((finding, index) => ({ finding, index }))
    .filter(({ finding: { span } }) => touches(span, start, end))
    .sort((a, b) => length(a) - length(b) || a.index - b.index);
}

/** Kinds are paths: who asks for `source` gets `source.fixAll.nodometer`. */
function wantsKind({ only }: ActionRequest, kind: string): boolean {
  return only === undefined || only.some((wanted) => wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`));
}

function quickFix(title: string, touched: readonly Touched[], { convert }: ActionRequest): CodeAction {
  return {
    title: asOneLine(title),
    kind: CodeActionKind.QuickFix,
    diagnostics: touched.map(({ finding, index }) => toDiagnostic(finding, index, convert)),
  };
}

// ---- fixes

function fixesOf(one: Touched, request: ActionRequest): CodeAction[] {
  const { abilities } = request;
  if (one.finding.ruleId === SUPPRESSION_RULE) return removalOf(one, request);
  // An editor that fixes without asking takes the preferred one: there must be one at most, and it must be safe.
  let preferred: Fix | undefined;
  const safeFirst = [...one.finding.fixes]
    .filter((fix) => fix.edits.length > 0)
    .sort((a, b) => Number(b.kind === 'safe') - Number(a.kind === 'safe'));
  return safeFirst.flatMap((fix): CodeAction[] => {
    const action = quickFix(titleWithCost(fix), [one], request);
    const damage = damageOf(fix, request);
    if (damage !== undefined)
      return abilities.disabled ? [{ ...action, disabled: { reason: asSentence(`the fix would break the code: ${damage}`) } }] : [];
    if (fix.kind === 'safe') preferred ??= fix;
    return [
      { ...action, ...(abilities.preferred && fix === preferred ? { isPreferred: true } : {}), edit: workspaceEdit(fix.edits, request) },
    ];
  });
}

function acrossFiles(one: Touched, request: ActionRequest): CodeAction[] {
  const offer = request.acrossFiles?.get(one.index);
  if (!offer) return [];
  const action = quickFix(offer.title, [one], request);
  if ('reason' in offer) return request.abilities.disabled ? [{ ...action, disabled: { reason: asSentence(offer.reason) } }] : [];
  if (!request.abilities.resolveEdit) return [{ ...action, edit: offer.edit }];
  const { uri, version } = request.convert.document;
  return [{ ...action, data: { uri, version, make: ACROSS_FILES, ruleId: one.finding.ruleId, index: one.index } satisfies ActionData }];
}

function refusalsOf(one: Touched, request: ActionRequest): CodeAction[] {
  if (!request.abilities.disabled) return [];
  // The whole project has said more of it.
  const isAnswered = request.acrossFiles?.has(one.index) === true;
  return one.finding.refused
    .filter((refused) => !(isAnswered && refused.acrossFiles))
    .map(({ title, reason }) => ({ ...quickFix(title, [one], request), disabled: { reason: asOneLine(asSentence(reason)) } }));
}

/** What a fix would break in this text. Rules make sound fixes; this is the second opinion that --fix asks for, too. */
export function damageOf(
  fix: Fix,
  { convert: { document }, memory, findDamage }: Pick<ActionContext, 'convert' | 'memory' | 'findDamage'>,
): string | undefined {
  return memory.remember(document.version, `damage ${JSON.stringify(fix.edits)}`, () => {
    const text = document.getText();
    return findDamage(text, applyEdits(text, fix.edits));
  });
}

function fixAllOfRule(ruleId: string, touched: readonly Touched[], request: ActionRequest): CodeAction[] {
  const { findings } = request;
  const own = touched.filter(({ finding }) => finding.ruleId === ruleId && hasSafeFix(finding));
  if (own.length === 0 || findings.filter((finding) => finding.ruleId === ruleId && hasSafeFix(finding)).length < 2) return [];
  return [quickFix(`Fix all ${ruleId} problems in this file`, own, request)].flatMap((action) =>
    completed(action, { make: 'fixAll', ruleId, index: own[0]?.index ?? 0 }, request, () => outcomeOfFixAll(request, ruleId).edits),
  );
}

/** The action with its edit; with what is needed to work it out where that can wait until the action is chosen. */
function completed(
  action: CodeAction,
  data: Pick<ActionData, 'make' | 'ruleId' | 'index'>,
  request: ActionRequest,
  edits: () => readonly Edit[],
): CodeAction[] {
  const { uri, version } = request.convert.document;
  if (request.abilities.resolveEdit) return [{ ...action, data: { uri, version, ...data } satisfies ActionData }];
  const made = edits();
  return made.length > 0 ? [{ ...action, edit: workspaceEdit(made, request) }] : [];
}

function fixAllSafe(request: ActionRequest): CodeAction[] {
  const { edits } = outcomeOfFixAll(request, undefined);
  return edits.length > 0 ? [{ title: 'Fix all safe Nodometer problems', kind: FIX_ALL_KIND, edit: workspaceEdit(edits, request) }] : [];
}

function outcomeOfFixAll(context: ActionContext, ruleId: string | undefined): FixAllOutcome {
  const {
    convert: { document },
    findings,
    lint,
    findDamage,
    memory,
  } = context;
  const text = document.getText();
  const lintOnce = (one: string) => (one === text ? findings : lint(one));
  return memory.remember(document.version, `fix all ${ruleId ?? ''}`, () =>
    fixAll({ text, kind: 'safe', ruleId, lint: lintOnce, findDamage }),
  );
}

function hasSafeFix(finding: Finding): boolean {
  return finding.fixes.some((fix) => fix.kind === 'safe' && fix.edits.length > 0);
}

// ---- comments

/** A comment that silences nothing has one fix: it goes. */
function removalOf(one: Touched, request: ActionRequest): CodeAction[] {
  const { finding } = one;
  const ruleId = finding.data.ruleId ?? '';
  const text = request.convert.document.getText();
  const edit = remember(request, `removal ${finding.span.start} ${ruleId}`, (program) => {
    const directive = placeDirectives(text, program.comments[0] ?? []).find((directive) => directive.start === finding.span.start);
    return (
      directive &&
      removalsOf(text, directive, ruleId).find((edit) => {
        const after = readProgram(request.file, applyEdits(text, [edit]));
        return after !== undefined && isSameProgram(program, after);
      })
    );
  });
  if (!edit) return [];
  const isWhole = /nodometer-/.test(text.slice(edit.start, edit.end));
  const action = quickFix(isWhole ? 'Remove this comment' : `Remove ${ruleId} from this comment`, [one], request);
  return [{ ...action, ...(request.abilities.preferred ? { isPreferred: true } : {}), edit: workspaceEdit([edit], request) }];
}

/** One action for each rule on each line, however many findings it silences there. */
function disablesForLine(touched: readonly Touched[], request: ActionRequest): CodeAction[] {
  const groups = new Map<string, Touched[]>();
  for (const one of touched) {
    if (one.finding.ruleId === SUPPRESSION_RULE) continue;
    const key = `${one.finding.ruleId} ${request.convert.document.positionAt(one.finding.span.start).line}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].flatMap((group) => disableAction('disableLine', 'for this line', group, request));
}

function disableForWholeFile(ruleId: string, touched: readonly Touched[], request: ActionRequest): CodeAction[] {
  return disableAction(
    'disableFile',
    'for the entire file',
    touched.filter(({ finding }) => finding.ruleId === ruleId),
    request,
  );
}

function disableAction(
  make: 'disableLine' | 'disableFile',
  where: string,
  touched: readonly Touched[],
  request: ActionRequest,
): CodeAction[] {
  const { finding, index } = touched[0] as Touched;
  const action = quickFix(`Disable ${finding.ruleId} ${where}`, touched, request);
  const edits = () => disableEdits(make, finding, request);
  // There is a place for a comment nearly everywhere. Where there may be none, it is looked for at once.
  const isSure = takesComments(request.file) && !request.convert.document.getText().includes('nodometer-enable');
  return completed(
    action,
    { make, ruleId: finding.ruleId, index },
    isSure ? request : { ...request, abilities: { ...request.abilities, resolveEdit: false } },
    edits,
  );
}

function disableEdits(make: 'disableLine' | 'disableFile', finding: Finding, context: ActionContext): Edit[] {
  const location = context.settings['codeAction.disableComment.location'];
  const place = make === 'disableLine' ? disableForLine : disableForFile;
  const edit = remember(context, `${make} ${finding.ruleId} ${finding.span.start} ${location}`, (program) =>
    place({ ...placing(context, program, finding), location }),
  );
  return edit ? [edit] : [];
}

function placing({ file, convert, findings, lint }: ActionContext, program: ReadProgram, finding: Finding) {
  return { file, text: convert.document.getText(), program, finding, findings, lint };
}

/** An edit about comments, worked out once for this version of the text, which is read once. */
function remember(
  { file, memory, convert: { document } }: ActionContext,
  question: string,
  answer: (program: ReadProgram) => Edit | undefined,
): Edit | undefined {
  const { version } = document;
  return memory.remember(version, question, () => {
    const program = memory.remember(version, 'program', () => readProgram(file, document.getText()));
    return program && answer(program);
  });
}

// ---- the rest

/** Of the nearest finding that has a fix. Whether its function can be run is found out when it is. */
function measuresOf(touched: readonly Touched[], request: ActionRequest): CodeAction[] {
  const one = touched.find(({ finding }) => finding.ruleId !== SUPPRESSION_RULE && finding.fixes.some(({ edits }) => edits.length > 0));
  const [fix] = one?.finding.fixes ?? [];
  if (!request.abilities.profiles || !one || !fix || damageOf(fix, request) !== undefined) return [];
  const { document } = request.convert;
  const title = `Apply and measure: ${fix.title}`;
  const { ruleId, span } = one.finding;
  const target: FixTarget = { uri: document.uri, position: document.positionAt(span.start), ruleId };
  return [{ ...quickFix(title, [one], request), command: { title, command: COMMANDS.applyAndMeasure, arguments: [target] } }];
}

/** The nearest finding that is not accepted yet. */
function acceptOf(touched: readonly Touched[], request: ActionRequest): CodeAction[] {
  const { accept } = request.abilities;
  const { document, known } = request.convert;
  const one = touched.find(({ finding, index }) => finding.ruleId !== SUPPRESSION_RULE && !known?.entries.has(index));
  if (accept === undefined || !one) return [];
  const title = accept === 'asking' ? 'Accept for now…' : 'Accept for now';
  const target: AcceptTarget = { uri: document.uri, version: document.version, ruleId: one.finding.ruleId, index: one.index };
  return [{ ...quickFix(title, [one], request), command: { title, command: COMMANDS.acceptFinding, arguments: [target] } }];
}

/** One action, however many findings there are at the cursor: the function around them is run. */
function profileOf(touched: readonly Touched[], request: ActionRequest): CodeAction[] {
  const own = touched.filter(({ finding }) => finding.ruleId !== SUPPRESSION_RULE);
  const [nearest] = own;
  if (!request.abilities.profiles || !nearest) return [];
  const { document } = request.convert;
  const title = 'Profile this function';
  const target: ProfileTarget = { uri: document.uri, position: document.positionAt(nearest.finding.span.start) };
  return [{ ...quickFix(title, own, request), command: { title, command: COMMANDS.profileFunction, arguments: [target] } }];
}

function documentationOf(ruleIds: readonly string[], touched: readonly Touched[], request: ActionRequest): CodeAction[] {
  if (!request.settings['codeAction.showDocumentation'] || !request.abilities.commands) return [];
  return ruleIds.map((ruleId) => {
    const title = `Show documentation for ${ruleId}`;
    return {
      ...quickFix(
        title,
        touched.filter(({ finding }) => finding.ruleId === ruleId),
        request,
      ),
      command: { title, command: COMMANDS.openRuleDocumentation, arguments: [ruleId] },
    };
  });
}

function workspaceEdit(edits: readonly Edit[], { convert: { document }, abilities }: ActionContext): WorkspaceEdit {
  const { uri, version } = document;
  const textEdits = toTextEdits(document as TextDocument, edits);
  return abilities.documentChanges
    ? { documentChanges: [{ textDocument: { uri, version }, edits: textEdits }] }
    : { changes: { [uri]: textEdits } };
}
