// A blocking call and all its callers, converted over the files of one folder: in the index's thread, which knows who calls whom.
import { relative, sep } from 'node:path';
import type { TextEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { applyEdits } from '../../analysis/module/edit.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Edit, Span } from '../../protocol/finding.ts';
import { convertWithCallers } from '../../rules/no-sync-in-handler/across-files.ts';
import type { FixCheck } from '../../workspace/fix.ts';
import type { LintRun } from '../../workspace/lint-run.ts';
import { factsIn } from '../../workspace/project-index/project-calls.ts';

/** What is offered for a finding, as one change of several files. */
export type ConvertOutcome =
  | { kind: 'edits'; title: string; cost?: string; files: readonly { path: string; edits: readonly TextEdit[] }[] }
  | { kind: 'refused'; title: string; reason: string };

export interface ConvertRequest {
  run: LintRun;
  /** Reasons name places below it. */
  folder: string;
  file: string;
  /** Of the finding. */
  span: Span;
  findDamage: FixCheck;
}

/** Undefined when there is nothing to convert at the span. */
export function convertCallers({ run, folder, file, span, findDamage }: ConvertRequest): ConvertOutcome | undefined {
  const known = new Map<string, Facts | undefined>();
  const factsOf = (path: string): Facts | undefined => {
    if (!known.has(path)) known.set(path, factsIn(run, path));
    return known.get(path);
  };
  const outcome = convertWithCallers(file, span, { calls: run.project.graph.callSites(), factsOf });
  if (!outcome) return undefined;
  if ('refused' in outcome) {
    const { title, reason, file: where, offset } = outcome.refused;
    const at = factsOf(where)?.source.positionAt(offset);
    return { kind: 'refused', title, reason: `${reason} (${relative(folder, where).split(sep).join('/')}${at ? `:${at.line}` : ''})` };
  }
  const { title, cost, edits } = outcome.conversion;
  const files: { path: string; edits: TextEdit[] }[] = [];
  for (const [path, own] of edits) {
    const text = factsOf(path)?.source.text;
    if (text === undefined || own.length === 0) continue;
    const damage = findDamage(path, text, applyEdits(text, own));
    if (damage !== undefined)
      return { kind: 'refused', title, reason: `the change would break ${relative(folder, path).split(sep).join('/')}: ${damage}` };
    files.push({ path, edits: textEdits(path, text, own) });
  }
  return { kind: 'edits', title, ...(cost === undefined ? {} : { cost }), files };
}

/** In source order; those at one place in the order in which they are made. */
function textEdits(path: string, text: string, edits: readonly Edit[]): TextEdit[] {
  const document = TextDocument.create(path, '', 0, text);
  return [...edits]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, text: newText }) => ({ range: { start: document.positionAt(start), end: document.positionAt(end) }, newText }));
}
