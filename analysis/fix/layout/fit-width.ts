// Breaks the lines that a fix makes too long, where Prettier would break them.
import { applyEdits } from '../../module/edit.ts';
import { endOf, startOf, type Node, type t } from '../../module/ast.ts';
import type { Facts } from '../../facts/index.ts';
import { parse } from '../../module/parse.ts';
import type { Edit } from '../../rule.ts';
import { childrenOf } from './children.ts';
import { columnsOf, printDoc } from './doc.ts';
import { getLayoutStyle, lineWidthOf, USUAL_WIDTH, widthFor } from './line-width.ts';
import { NoLayout, SourceText } from './source-text.ts';
import { isUnit, StatementLayout } from './statements.ts';

/** A long line within a statement that is broken, too, needs a second look. */
const MOST_ROUNDS = 4;
/** Indentation on which nothing can be laid out well. */
const MOST_INDENT = 400;

/** An edit, with the range of its text in the text after all edits. */
interface Placed extends Edit {
  fixedStart: number;
  fixedEnd: number;
}

/** Longer statements of a program are left alone: each fix parses what it lays out. */
const MOST_TEXT = 50_000;

/** Whole statements of the program, around edits. The rest of the text is not looked at. */
interface Passage {
  start: number;
  text: string;
  /** Their offsets are those of the passage. */
  edits: readonly Edit[];
}

/** The same edits, with line breaks where lines would become too long. */
export function fitWidth(edits: readonly Edit[], facts: Facts): readonly Edit[] {
  const sorted = sortEdits(edits);
  if (sorted.some((edit, i) => edit.start < (sorted[i - 1]?.end ?? 0))) return edits;
  return passagesOf(sorted, facts).flatMap((passage) => {
    const fitted = passage.text.length > MOST_TEXT ? passage.edits : fitPassage(passage, facts);
    return fitted.map((edit) => ({ ...edit, start: edit.start + passage.start, end: edit.end + passage.start }));
  });
}

function sortEdits(edits: readonly Edit[]): Edit[] {
  return edits
    .map((edit, order) => ({ edit, order }))
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.order - b.order)
    .map(({ edit }) => edit);
}

function passagesOf(edits: readonly Edit[], { module, source: { text } }: Facts): Passage[] {
  const { body } = module.program;
  const groups: { start: number; end: number; edits: Edit[] }[] = [];
  for (const edit of edits) {
    let low = 0;
    for (let high = body.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (endOf(body[middle] as Node) < edit.start) low = middle + 1;
      else high = middle;
    }
    let [start, end] = [edit.start, edit.end];
    for (let node = body[low]; node && startOf(node) <= edit.end; node = body[++low]) {
      start = Math.min(start, startOf(node));
      end = Math.max(end, endOf(node));
    }
    start = lineStart(text, start);
    end = lineEnd(text, end);
    const last = groups.at(-1);
    if (last && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else groups.push({ start, end, edits: [edit] });
  }
  return groups.map(({ start, end, edits: own }) => ({
    start,
    text: text.slice(start, end),
    edits: own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
  }));
}

function fitPassage({ text, edits }: Passage, facts: Facts): readonly Edit[] {
  const tried = new Set<string>();
  let current = edits;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = fitOnce(text, current, facts, tried);
    if (!next) return current;
    current = next;
  }
  return current;
}

function fitOnce(text: string, edits: readonly Edit[], facts: Facts, tried: Set<string>): readonly Edit[] | undefined {
  const placed = place(edits);
  const fixed = applyEdits(text, edits);
  const lines = longLines(placed, text, fixed, facts).filter(({ start, end }) => !tried.has(fixed.slice(start, end)));
  if (lines.length === 0) return undefined;
  const outcome = parse(facts.source.file, fixed);
  if (!outcome.ok || outcome.recovered.length > 0) return undefined;
  const changes: Edit[] = [];
  for (const { start, end, width } of lines.toReversed()) {
    const unit = unitAt(outcome.ast.program, fixed, start);
    // The head of a function has its turn in the next round, after what is in the function.
    if (unit && changes.some((change) => change.start < endOf(unit) && startOf(unit) < change.end)) continue;
    tried.add(fixed.slice(start, end));
    if (!unit) continue;
    if (isLaidOutOtherwise(unit, text, placed, width, facts)) continue;
    const after = printed(unit, outcome.ast, fixed, width, facts);
    if (after !== undefined) changes.push(...(changesBetween(fixed.slice(startOf(unit), endOf(unit)), after, startOf(unit)) ?? []));
  }
  if (changes.length === 0) return undefined;
  const next = compose(placed, changes, text, fixed);
  // Rather a long line than another text.
  return applyEdits(text, next) === applyEdits(fixed, changes) ? next : undefined;
}

interface LongLine {
  start: number;
  end: number;
  /** That of the file, or of its author for this line. */
  width: number;
}

/** An argument, which now may stand on one line with the others: `parse(⏎schema,⏎body,⏎)`. */
function isShorter(edit: Placed, fixed: string): boolean {
  if (edit.text === '' || edit.text.includes('\n') || edit.text.length >= edit.end - edit.start) return false;
  const end = lineEnd(fixed, edit.fixedEnd);
  return (
    fixed.slice(edit.fixedEnd, end).trimEnd().endsWith(',') ||
    fixed
      .slice(end, lineEnd(fixed, end + 1))
      .trimStart()
      .startsWith(')')
  );
}

/**
 * Lines that the edits made longer than the width, or whose arguments may fit on one line. Where a line was longer before, its author has a
 * wider one: texts in it say nothing about the width of a file.
 */
function longLines(placed: readonly Placed[], text: string, fixed: string, facts: Facts): LongLine[] {
  const found = new Map<number, LongLine>();
  for (const edit of placed) {
    const isNew = edit.text.includes('\n');
    if (isShorter(edit, fixed)) {
      const start = lineStart(fixed, edit.fixedStart);
      found.set(start, { start, end: lineEnd(fixed, start), width: lineWidthOf(facts) });
    }
    for (let start = lineStart(fixed, edit.fixedStart); start <= edit.fixedEnd; ) {
      const end = lineEnd(fixed, start);
      const columns = end - start <= USUAL_WIDTH / 2 ? 0 : columnsOf(fixed.slice(start, end));
      if (columns > USUAL_WIDTH && columns > lineWidthOf(facts)) {
        const before = text.slice(lineStart(text, edit.start), lineEnd(text, edit.end)).split('\n');
        const width = isNew ? lineWidthOf(facts) : widthFor(before, facts);
        if (width !== undefined && columns > width) found.set(start, { start, end, width });
      }
      start = end + 1;
    }
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** The innermost statement or member around the first character of a line. */
function unitAt(program: t.Program, text: string, start: number): Node | undefined {
  const offset = start + (BEFORE_UNIT.exec(text.slice(start, start + MOST_INDENT))?.[0].length ?? 0);
  let found: Node | undefined;
  for (let node: Node | undefined = program; node; ) {
    if (isUnit(node) && !isWithinExport(found, node)) found = node;
    node = childrenOf(node).find((child) => startOf(child) <= offset && offset < endOf(child));
  }
  return found;
}

/** Without semicolons, a statement that begins with a parenthesis has one before it. */
const BEFORE_UNIT = /^[\t ]*;?/;

function isWithinExport(outer: Node | undefined, node: Node): boolean {
  const isExport = outer?.type === 'ExportNamedDeclaration' || outer?.type === 'ExportDefaultDeclaration';
  return isExport && outer.declaration === node;
}

/** Whether the statement had several lines before, and they were not where Prettier has them. */
function isLaidOutOtherwise(unit: Node, text: string, placed: readonly Placed[], width: number, facts: Facts): boolean {
  const start = offsetBefore(startOf(unit), placed, 'start');
  const end = offsetBefore(endOf(unit), placed, 'end');
  if (!text.slice(start, end).includes('\n')) return false;
  const outcome = parse(facts.source.file, text);
  const before = outcome.ok ? findUnit(outcome.ast.program, start, end) : undefined;
  return (
    outcome.ok && before !== undefined && printed(before, outcome.ast, text, width, facts) !== text.slice(startOf(before), endOf(before))
  );
}

function printed(unit: Node, { comments }: t.File, text: string, width: number, facts: Facts): string | undefined {
  const source = new SourceText(text, unit, comments ?? []);
  const style = getLayoutStyle(facts);
  const before = text.slice(lineStart(text, startOf(unit)), startOf(unit));
  if (BEFORE_UNIT.exec(before)?.[0] !== before) return undefined;
  const indent = before.replace(';', '');
  try {
    const doc = new StatementLayout(source, style).statement(unit);
    if (source.hasLooseParts({ start: startOf(unit), end: endOf(unit) })) return undefined;
    return printDoc(doc, {
      width,
      step: style.step,
      indent,
      column: columnsOf(before),
      lineBreak: facts.source.lineBreak,
    });
  } catch (error) {
    if (error instanceof NoLayout) return undefined;
    throw error;
  }
}

/**
 * A part of a statement as Prettier has it on a line of its own, followed by `end`; undefined for a statement that is not as Prettier has
 * it, and for what is not known.
 */
export function onOwnLine(part: Node, statement: Node, indent: string, end: string, facts: Facts): string | undefined {
  const { ast } = facts.module;
  const { text, lineBreak } = facts.source;
  // A statement in a file with long lines may still keep to the usual width.
  const width = [lineWidthOf(facts), USUAL_WIDTH].find(
    (one) => printed(statement, ast, text, one, facts) === text.slice(startOf(statement), endOf(statement)),
  );
  if (width === undefined) return undefined;
  const source = new SourceText(text, statement, ast.comments ?? []);
  const style = getLayoutStyle(facts);
  try {
    const doc = new StatementLayout(source, style).print(part);
    if (source.hasLooseParts({ start: startOf(part), end: endOf(part) })) return undefined;
    return printDoc([doc, end], { width, step: style.step, indent, column: columnsOf(indent), lineBreak });
  } catch (error) {
    if (error instanceof NoLayout) return undefined;
    throw error;
  }
}

/** Where an offset of the text after the edits was before them. */
function offsetBefore(offset: number, placed: readonly Placed[], side: 'start' | 'end'): number {
  let moved = 0;
  for (const edit of placed) {
    if (edit.fixedStart > offset || (edit.fixedStart === offset && side === 'end' && edit.fixedEnd > offset)) break;
    if (offset <= edit.fixedEnd && (side === 'end' || offset < edit.fixedEnd)) return side === 'start' ? edit.start : edit.end;
    moved = edit.end - edit.fixedEnd;
  }
  return offset + moved;
}

function findUnit(program: t.Program, start: number, end: number): Node | undefined {
  for (let node: Node | undefined = program; node; ) {
    if (isUnit(node) && startOf(node) === start && endOf(node) === end) return node;
    node = childrenOf(node).find((child) => startOf(child) <= start && end <= endOf(child));
  }
  return undefined;
}

function place(edits: readonly Edit[]): Placed[] {
  let moved = 0;
  return sortEdits(edits).map((edit) => {
    const fixedStart = edit.start + moved;
    moved += edit.text.length - (edit.end - edit.start);
    return { ...edit, fixedStart, fixedEnd: fixedStart + edit.text.length };
  });
}

const SPACE = /\s/;

/** Changes of white space, commas, and parentheses; undefined if there are others. */
function changesBetween(before: string, after: string, offset: number): Edit[] | undefined {
  const changes: Edit[] = [];
  let i = 0;
  let j = 0;
  const isSpace = (text: string, at: number): boolean => at < text.length && SPACE.test(text.charAt(at));
  while (i < before.length || j < after.length) {
    if (before[i] === after[j]) {
      i++;
      j++;
      continue;
    }
    // White space before the difference belongs to it: `a, b` and `a,` with a line break.
    const [fromI, fromJ] = [i, j];
    for (;;) {
      while (isSpace(before, i)) i++;
      while (isSpace(after, j)) j++;
      if (i >= before.length && j >= after.length) break;
      if (before[i] === after[j]) break;
      // The last comma of a list goes with its line break.
      if (
        before[i] === ',' &&
        after[j] === ')' &&
        before
          .slice(i + 1, i + MOST_INDENT)
          .trimStart()
          .startsWith(')')
      )
        i++;
      else if (j < after.length && ',()'.includes(after.charAt(j))) j++;
      else if (before[i] === ',') i++;
      else return undefined;
    }
    changes.push({ start: offset + fromI, end: offset + i, text: after.slice(fromJ, j) });
  }
  return changes;
}

/** One list of edits for two in a row. */
function compose(placed: readonly Placed[], changes: readonly Edit[], text: string, fixed: string): Edit[] {
  const result: Edit[] = [];
  const later = [...changes].sort((a, b) => a.start - b.start || a.end - b.end);
  let moved = 0;
  for (let p = 0, c = 0; p < placed.length || c < later.length; ) {
    // A group of edits that touch each other becomes one.
    const first = placed[p];
    const second = later[c];
    const from = Math.min(first?.fixedStart ?? Number.POSITIVE_INFINITY, second?.start ?? Number.POSITIVE_INFINITY);
    const start = from + moved;
    let to = from;
    let output = '';
    let at = from;
    const single = first;
    let count = 0;
    for (;;) {
      const edit = placed[p];
      const change = later[c];
      if (change && change.start <= to && (!edit || change.start <= edit.fixedStart || change.start <= to)) {
        output += fixed.slice(at, change.start) + change.text;
        at = change.end;
        to = Math.max(to, change.end);
        c++;
        count += 2;
      } else if (edit && edit.fixedStart <= to) {
        to = Math.max(to, edit.fixedEnd);
        moved = edit.end - edit.fixedEnd;
        p++;
        count++;
      } else break;
    }
    output += fixed.slice(at, to);
    // An edit that nothing touches stays as it is: other fixes may have the same.
    result.push(
      count === 1 && single ? { start: single.start, end: single.end, text: single.text } : { start, end: to + moved, text: output },
    );
  }
  return result.filter(({ start, end, text: inserted }) => text.slice(start, end) !== inserted);
}
