// Everything that the server says about one open document, as a text that people can read and compare.
import type {
  DiagnosticSeverity,
  CodeAction,
  Diagnostic,
  Hover,
  MarkupContent,
  Range,
  TextDocumentEdit,
  TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { FIX_ALL_KIND } from '../../protocol/editor.ts';
import type { Client } from './harness.ts';

const SEVERITIES: Readonly<Record<DiagnosticSeverity, string>> = { 1: 'error', 2: 'warning', 3: 'information', 4: 'hint' };

/** `name` stands as the heading; paths are masked by the caller. */
export async function describeDocument(client: Client, uri: string, name: string): Promise<string> {
  const text = client.textOf(uri);
  const diagnostics = await client.diagnose(uri);
  const status = client.statuses.get(uri);
  const lines = [
    `=== ${name}`,
    `status: ${status?.state ?? 'none'}${status?.reason === undefined ? '' : `: ${status.reason}`}${status?.nodeRange === undefined ? '' : ` (Node ${status.nodeRange}, ${status.nodeRangeSource ?? ''})`}`,
  ];
  for (const diagnostic of diagnostics) {
    const { range } = diagnostic;
    lines.push(
      '',
      ...describeDiagnostic(diagnostic, text),
      ...(await actionLines(client, uri, range)),
      ...hoverLines(await client.hover(uri, range.start)),
    );
  }
  for (const kind of ['safe', 'suggestion'] as const) {
    const { edits, made, rejected } = await client.fixAll(uri, kind);
    if (made > 0 || rejected.length > 0)
      lines.push(
        '',
        `fix-all (${kind}): ${made} made`,
        ...indented(diff(text, apply(text, edits))),
        ...rejected.map(({ ruleId, title, reason }) => `  not made: ${ruleId}: ${title}: ${reason}`),
      );
  }
  const [onSave] = await client.actions(uri, { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, [FIX_ALL_KIND]);
  if (onSave) lines.push('', `${FIX_ALL_KIND}: ${onSave.title}`, ...indented(diff(text, apply(text, editsOf(onSave)))));
  return `${lines.join('\n')}\n`;
}

function describeDiagnostic(
  { range, severity, code, source, message, tags, codeDescription, relatedInformation = [], data }: Diagnostic,
  text: string,
): string[] {
  const code_ = TextDocument.create('', '', 0, text).getText(range).split('\n');
  return [
    `--- ${placeOf(range)} ${SEVERITIES[severity ?? 1]} ${source ?? ''} ${String(code)}${tags ? ` tags ${tags.join(' ')}` : ''}`,
    `  code: ${code_[0] ?? ''}${code_.length > 1 ? ' …' : ''}`,
    ...(typeof message === 'string' ? message : message.value).split('\n').map((line) => `  ${line}`),
    ...relatedInformation.map((related) => `  at ${related.location.uri}:${placeOf(related.location.range)}: ${related.message}`),
    `  page: ${codeDescription?.href ?? 'none'}`,
    `  data: ${JSON.stringify(data)}`,
  ];
}

async function actionLines(client: Client, uri: string, range: Range): Promise<string[]> {
  const text = client.textOf(uri);
  const lines: string[] = [];
  for (const action of await client.actions(uri, { start: range.start, end: range.start })) {
    const resolved = action.edit || action.disabled || action.command ? action : await client.resolve(action);
    lines.push(
      `  [${action.kind ?? ''}] ${action.title}${action.isPreferred ? ' (preferred)' : ''}${action.disabled ? ` (disabled: ${action.disabled.reason})` : ''}${action.command ? ` (command ${action.command.command})` : ''}`,
    );
    lines.push(...indented(indented(diff(text, apply(text, editsOf(resolved))))));
  }
  return lines;
}

function hoverLines(hover: Hover | null): string[] {
  if (!hover) return ['  no hover'];
  return [
    `  hover ${hover.range ? placeOf(hover.range) : ''}`,
    ...(hover.contents as MarkupContent).value.split('\n').map((line) => `  | ${line}`.trimEnd()),
  ];
}

export function editsOf(action: CodeAction): TextEdit[] {
  const { changes, documentChanges } = action.edit ?? {};
  return [
    ...Object.values(changes ?? {}).flat(),
    ...(documentChanges ?? []).flatMap((change) => (change as TextDocumentEdit).edits as TextEdit[]),
  ];
}

export function apply(text: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create('', '', 0, text), [...edits]);
}

function placeOf({ start, end }: Range): string {
  return `${start.line + 1}:${start.character + 1}-${end.line === start.line ? '' : `${end.line + 1}:`}${end.character + 1}`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** Lines that went and came, with the old line's number. The texts are short: the longest common row of lines is looked for in full. */
function diff(before: string, after: string): string[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (common[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) lines.push(`${i + 1} - ${a[i++] ?? ''}`);
    else lines.push(`${i + 1} + ${b[j++] ?? ''}`);
  }
  return lines;
}
