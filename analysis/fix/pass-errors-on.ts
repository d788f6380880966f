// `try { … } catch (error) { next(error) }` around the body of a handler, or in its `catch`, where only that can throw: what a framework
// does with an error that is thrown, where it does not do it with a rejected promise.
import { contains, endOf, startOf, type FunctionNode, type Node, type t } from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';
import type { Edit } from '../../protocol/finding.ts';
import { onlyCatchThatMayThrow } from './cannot-reject.ts';
import { getCodeStyle, restOfLine } from './code-style.ts';

/** No maintainer takes a longer handler that is indented anew as a whole for the sake of one call (bench/fixes-read.md). */
const MOST_LINES = 40;

export interface PassedOn {
  edits: readonly Edit[];
  /** Edits that only move lines to the right, and may be left out within other edits. */
  indents: readonly Edit[];
  /** Whether the result is a `try` in a `catch`. */
  isNested: boolean;
}

/** The edits, if the function is a plain handler, `(req, res)` or `(req, res, next)`, and its body can be wrapped as it stands. */
export function passErrorsOn(fn: FunctionNode, facts: Facts): PassedOn | undefined {
  const [, response, third, fourth] = fn.params;
  const { body } = fn;
  if (!response || fourth || body.type !== 'BlockStatement' || body.directives.length > 0 || body.body.length === 0) return undefined;
  if (fn.params.some(({ type }) => type === 'AssignmentPattern' || type === 'RestElement')) return undefined;
  if (third && third.type !== 'Identifier') return undefined;
  // `next` must not have another meaning in the body.
  const isTaken = !third && facts.bindings.identifiersNamed('next').some((identifier) => contains(fn, identifier));
  const isHidden =
    third !== undefined &&
    facts.bindings.identifiersNamed(third.name).some((one) => contains(body, one) && facts.bindings.resolve(one)?.identifier === one);
  if (isTaken || isHidden) return undefined;
  const within = onlyCatchThatMayThrow(fn, facts);
  if (linesOf(within ?? body, facts) > MOST_LINES) return undefined;
  const wrapped = wrapBody(within ?? body, third?.name ?? 'next', facts);
  if (!wrapped) return undefined;
  const added = third ? [] : [{ start: endOf(response), end: endOf(response), text: typeOfNext(response, facts) }];
  return { edits: [...added, ...wrapped.edits], indents: wrapped.indents, isNested: within !== undefined };
}

function linesOf(body: Node, { source }: Facts): number {
  return source.positionAt(endOf(body)).line - source.positionAt(startOf(body)).line + 1;
}

/** In TypeScript, a parameter whose neighbor has a written type needs one, too. Its name is not known here. */
function typeOfNext(response: FunctionNode['params'][number], facts: Facts): string {
  const isTyped = 'typeAnnotation' in response && response.typeAnnotation != null;
  return isTyped && /\.[cm]?tsx?$/i.test(facts.source.file) ? ', next: (error?: unknown) => void' : ', next';
}

/** The edits with those that indent. A line that another edit replaces keeps its place. */
export function withIndents(edits: readonly Edit[], indents: readonly Edit[]): Edit[] {
  return [...edits, ...indents.filter((indent) => !edits.some(({ start, end }) => start < indent.start && indent.start < end))];
}

function wrapBody(body: t.BlockStatement, next: string, facts: Facts): Omit<PassedOn, 'isNested'> | undefined {
  const { source } = facts;
  const { lineBreak, indent, semicolon } = getCodeStyle(facts);
  const [start, end] = [startOf(body) + 1, endOf(body) - 1];
  const [first, last] = [source.positionAt(start).line, source.positionAt(end).line];
  const handled = `next(error)${semicolon}`.replace('next', next);
  if (first === last)
    return {
      edits: [
        { start, end: start, text: ' try {' },
        { start: end, end, text: `} catch (error) { ${handled} } ` },
      ],
      indents: [],
    };
  const closing = source.lineStart(last);
  const startsLine = /^\s*$/.test(source.text.slice(closing, end));
  if (restOfLine(facts, start).trim() !== '' || !startsLine) return undefined;
  const outer = source.indentAt(end) + indent;
  const indents: Edit[] = [];
  for (let line = first + 1; line < last; line++) {
    const at = source.lineStart(line);
    if (restOfLine(facts, at).trim() !== '' && !isInTemplate(at, facts)) indents.push({ start: at, end: at, text: indent });
  }
  return {
    edits: [
      { start, end: start, text: `${lineBreak}${outer}try {` },
      {
        start: closing,
        end: closing,
        text: `${outer}} catch (error) {${lineBreak}${outer}${indent}${handled}${lineBreak}${outer}}${lineBreak}`,
      },
    ],
    indents,
  };
}

/** Space at the start of a line in a template is part of the text. */
function isInTemplate(offset: number, facts: Facts): boolean {
  return facts.module.nodes('TemplateElement').some((element) => startOf(element) < offset && offset <= endOf(element));
}
