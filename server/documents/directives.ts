// Comments that silence findings, with the places of the rules that they name, and the edits that change or remove them.
import type { Edit, Span } from '../../protocol/finding.ts';
import { readDirectives, type CommentText, type Directive } from '../../analysis/run/suppress.ts';
import { readProgram } from './same-program.ts';

export interface PlacedDirective extends Directive {
  /** The rules as they stand in the text, in order. */
  ids: readonly { ruleId: string; span: Span }[];
}

/** The comments of a text that silence findings; reads the text only when it holds one. */
export function directivesOf(file: string, text: string): PlacedDirective[] {
  if (!text.includes('nodometer-')) return [];
  return placeDirectives(text, readProgram(file, text)?.comments[0] ?? []);
}

export function placeDirectives(text: string, comments: readonly CommentText[]): PlacedDirective[] {
  return readDirectives(comments).map((directive) => {
    const keyword = `nodometer-${directive.kind}`;
    let at = text.indexOf(keyword, directive.start) + keyword.length;
    const ids = directive.ruleIds.map((ruleId) => {
      const start = text.indexOf(ruleId, at);
      at = start + ruleId.length;
      return { ruleId, span: { start, end: at } };
    });
    return { ...directive, ids };
  });
}

/** Names one more rule; undefined for a directive that names none and so means all. */
export function extendDirective(directive: PlacedDirective, ruleId: string): Edit | undefined {
  const last = directive.ids.at(-1);
  return last && { start: last.span.end, end: last.span.end, text: `, ${ruleId}` };
}

/** Ways to take a rule, or all of a directive, out of the text; the best first. The caller checks which of them is sound. */
export function removalsOf(text: string, directive: PlacedDirective, ruleId: string): Edit[] {
  const index = directive.ids.findIndex((one) => one.ruleId === ruleId);
  const one = directive.ids[index];
  if (one && directive.ids.length > 1) {
    const previous = directive.ids[index - 1];
    const next = directive.ids[index + 1];
    if (previous) return [{ start: previous.span.end, end: one.span.end, text: '' }];
    return next ? [{ start: one.span.start, end: next.span.start, text: '' }] : [];
  }
  // In JSX the comment stands in braces of its own.
  const open = /\{[\t ]*$/.exec(text.slice(Math.max(0, directive.start - 100), directive.start))?.[0];
  const close = /^[\t ]*\}/.exec(text.slice(directive.end, directive.end + 100))?.[0];
  const braced =
    open !== undefined && close !== undefined
      ? [removal(text, { start: directive.start - open.length, end: directive.end + close.length })]
      : [];
  return [...braced, removal(text, directive)];
}

/** With its line where nothing else stands there, otherwise with the spaces that set it apart. */
function removal(text: string, { start, end }: Span): Edit {
  const before = /(?<![^\r\n\u2028\u2029])[^\r\n\u2028\u2029]*$/.exec(text.slice(0, start))?.[0] ?? '';
  const after = /^[\t ]*/.exec(text.slice(end))?.[0] ?? '';
  const lineBreak = /^(?:\r\n|[\r\n\u2028\u2029])/.exec(text.slice(end + after.length))?.[0] ?? '';
  const endsLine = lineBreak !== '' || end + after.length === text.length;
  const blanks = /(?<![\t ])[\t ]*$/.exec(before)?.[0] ?? '';
  if (!endsLine) return { start, end: end + after.length, text: '' };
  if (before.replace('\uFEFF', '').trim() !== '') return { start: start - blanks.length, end: end + after.length, text: '' };
  return { start: start - blanks.length, end: end + after.length + lineBreak.length, text: '' };
}
