// The one place where findings and edits become what the Language Server Protocol says: UTF-16 offsets to lines and characters.
import {
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic,
  type DiagnosticRelatedInformation,
  type Range,
  type TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { PRODUCT, type DiagnosticData } from '../../protocol/editor.ts';
import { VERDICT_WORDS } from '../../protocol/evidence.ts';
import { asOneLine } from '../../protocol/safe-text.ts';
import type { Edit, Finding, FindingEvidence, Related, ReportedSeverity, Span } from '../../protocol/finding.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import type { Source } from '../../analysis/module/source.ts';
import { SUPPRESSION_RULE } from '../../analysis/run/suppress.ts';
import type { KnownEntry } from '../../workspace/baseline/baseline-file.ts';
import type { KnownFindings } from './baselines.ts';
import { minimalEdits } from './minimal-edits.ts';

// VS Code shows hints as three dots and leaves them out of the Problems panel, so that a hint of ours is an information there.
const SEVERITIES: Readonly<Record<ReportedSeverity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Information,
};

/** What a client says it understands (`textDocument.publishDiagnostics` or `textDocument.diagnostic`). */
export interface DiagnosticAbilities {
  relatedInformation: boolean;
  codeDescription: boolean;
  data: boolean;
  /** Whether code can be shown as unnecessary. */
  unnecessary: boolean;
}

export interface ConvertContext {
  /** The text that the findings' offsets count in. */
  document: TextDocument;
  abilities: DiagnosticAbilities;
  /** URI of an absolute path. */
  toUri(path: string): string;
  /** URI of a rule's page; undefined when there is none. */
  pageOf(ruleId: string): string | undefined;
  /** Findings that the baseline knows, where there are any. */
  known?: KnownFindings;
  /** Text of another file that a finding points into. */
  locate(file: string): Source | undefined;
}

/** In the order given; `data.index` is the place in that order. */
export function toDiagnostics(findings: readonly Finding[], context: ConvertContext): Diagnostic[] {
  const places = new RelatedPlaces(context);
  return findings.map((finding, index) => toDiagnostic(finding, index, context, places));
}

export function toDiagnostic(
  finding: Finding,
  index: number,
  context: ConvertContext,
  places: RelatedPlaces = new RelatedPlaces(context),
): Diagnostic {
  const { ruleId, messageId, severity, span } = finding;
  const { abilities, document } = context;
  const accepted = context.known?.entries.get(index);
  // What cannot be faded would look like what is new.
  const isHint = accepted !== undefined && (context.known?.as === 'hint' || !abilities.unnecessary);
  const diagnostic: Diagnostic = {
    range: toRange(document, span),
    severity: isHint ? DiagnosticSeverity.Hint : SEVERITIES[severity],
    code: ruleId,
    source: PRODUCT,
    message: accepted ? `${messageOf(finding)}\n${acceptedText(accepted)}` : messageOf(finding),
  };
  const page = context.pageOf(ruleId);
  if (abilities.codeDescription && page !== undefined) diagnostic.codeDescription = { href: page };
  // What a run has refuted is faded, and comes back when the code changes.
  const isFaded =
    ruleId === SUPPRESSION_RULE ||
    (accepted !== undefined && !isHint) ||
    (finding.evidence?.verdict === 'refuted' && !finding.evidence.stale);
  if (abilities.unnecessary && isFaded) diagnostic.tags = [DiagnosticTag.Unnecessary];
  if (finding.related.length > 0) {
    if (abilities.relatedInformation)
      diagnostic.relatedInformation = finding.related.map((related) => toRelatedInformation(related, places));
    // Without it the way to the blocking call would be lost.
    else diagnostic.message += finding.related.map((related) => `\n- ${places.describe(related)}: ${asOneLine(related.message)}`).join('');
  }
  if (abilities.data) diagnostic.data = { ruleId, messageId, index } satisfies DiagnosticData;
  return diagnostic;
}

/** `Accepted on 2026-11-25: rewritten next quarter` */
function acceptedText({ date, reason }: KnownEntry): string {
  return asOneLine(`Accepted on ${date}${reason === undefined ? '.' : `: ${reason}`}`);
}

/** What happens, why it costs and what to do about it, a line each. */
export function messageOf({ message, evidence }: Finding): string {
  const parts = [message.what, message.why, message.remedy, evidence ? describeEvidence(evidence) : ''];
  return parts
    .filter((part) => part !== '')
    .map(asOneLine)
    .join('\n');
}

/** `Confirmed on Node 24.9.0: 7 shapes, megamorphic.` */
export function describeEvidence({ verdict, figure, node, stale }: FindingEvidence): string {
  const word = VERDICT_WORDS[verdict];
  const words = `${word.charAt(0).toUpperCase()}${word.slice(1)} on Node ${node}: ${figure}.`;
  return stale ? `${words} The code has changed since. Profile it again.` : words;
}

export function toRange(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

function toRelatedInformation(related: Related, places: RelatedPlaces): DiagnosticRelatedInformation {
  const { uri, range } = places.find(related);
  return { location: { uri, range }, message: asOneLine(related.message) };
}

/** Where related places are, in this file and in others. One text has many, so that its lines are counted once. */
export class RelatedPlaces {
  readonly #context: ConvertContext;
  readonly #documents = new Map<string, TextDocument | undefined>();

  constructor(context: ConvertContext) {
    this.#context = context;
  }

  /** The start of the file when its text cannot be had: the file is known, the place in it is not. */
  find({ file, span }: Related): { uri: string; range: Range } {
    const { document, toUri } = this.#context;
    if (file === undefined) return { uri: document.uri, range: toRange(document, span) };
    const uri = toUri(file);
    const other = uri === document.uri ? document : this.#documentOf(file, uri);
    return { uri, range: other ? toRange(other, span) : { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } };
  }

  /** `line 12` in this file, `package.json:7` in another one. */
  describe(related: Related): string {
    const { uri, range } = this.find(related);
    const line = range.start.line + 1;
    return related.file === undefined || uri === this.#context.document.uri
      ? `line ${line}`
      : `${asOneLine(related.file.split(/[\\/]/).at(-1) ?? '')}:${line}`;
  }

  #documentOf(file: string, uri: string): TextDocument | undefined {
    if (!this.#documents.has(file)) {
      const source = this.#context.locate(file);
      // `Source` counts U+2028 and U+2029 as line breaks, as JavaScript does; the protocol does not.
      this.#documents.set(file, source && TextDocument.create(uri, '', 0, source.text));
    }
    return this.#documents.get(file);
  }
}

/** Edits by offsets as edits by lines, making exactly the same text. */
export function toTextEdits(document: TextDocument, edits: readonly Edit[]): TextEdit[] {
  const text = document.getText();
  // The protocol has no position between a carriage return and its line feed.
  const splits = edits.some(({ start, end }) => isInsideLineBreak(text, start) || isInsideLineBreak(text, end));
  const sound = splits ? minimalEdits(text, applyEdits(text, edits)) : edits;
  return sound.map((edit) => ({ range: toRange(document, edit), newText: edit.text }));
}

export function isInsideLineBreak(text: string, offset: number): boolean {
  return text.charCodeAt(offset) === 10 && text.charCodeAt(offset - 1) === 13;
}
