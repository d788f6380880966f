// What a person types into a file, one character after the other: the same edits for every tool.
import { endOf, startOf, type Node } from '../../analysis/module/ast.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';

export interface Keystroke {
  /** Where the character comes, in UTF-16 units, and as the protocols count: lines and columns from 0. */
  offset: number;
  line: number;
  column: number;
  insert: string;
  /** The whole text after it. */
  text: string;
  /** Whether Babel can read that text; half-typed statements are as real as whole ones, but cost every tool less. */
  parses: boolean;
  /** What is typed into: a comment changes no finding, so that its keystrokes cost less. */
  into: Into;
}

export const KINDS = ['name', 'comment', 'string', 'statement'] as const;
export type Into = (typeof KINDS)[number];

/** Typed in turn: one into a name, one into a comment, one into a string, a statement. All of it leaves behind what can be read. */
const INTO_NAME = 'Id';
const INTO_COMMENT = 'as before ';
const INTO_STRING = 'ab';
const STATEMENT = 'if (limit.of(1)) { next(); }\n';

interface Place {
  offset: number;
  typed: string;
}

/** Keystrokes at places spread over the whole text; the same ones each time. */
export function typeInto(file: string, original: string, count: number): Keystroke[] {
  const places = findPlaces(file, original);
  const keystrokes: Keystroke[] = [];
  /** What was typed so far, to find the places again. */
  const earlier: { offset: number; length: number }[] = [];
  let text = original;
  for (let turn = 0; keystrokes.length < count; turn++) {
    const into = KINDS[turn % KINDS.length] as Into;
    const kind = places[into];
    // A stride that shares no factor with the number of places comes to each of them, far apart one after the other.
    const place = kind[(turn * 7919) % kind.length] as Place;
    const start = place.offset + earlier.reduce((sum, one) => (one.offset <= place.offset ? sum + one.length : sum), 0);
    for (let i = 0; i < place.typed.length && keystrokes.length < count; i++) {
      const offset = start + i;
      const insert = place.typed[i] as string;
      const before = text.slice(0, offset);
      text = before + insert + text.slice(offset);
      const lineStart = before.lastIndexOf('\n') + 1;
      keystrokes.push({
        offset,
        line: before.split('\n').length - 1,
        column: offset - lineStart,
        insert,
        text,
        parses: parse(file, text).ok,
        into,
      });
    }
    earlier.push({ offset: place.offset, length: place.typed.length });
  }
  return keystrokes;
}

function findPlaces(file: string, text: string): Readonly<Record<Into, readonly Place[]>> {
  const outcome = parse(file, text);
  if (!outcome.ok) throw new Error(outcome.issue.message);
  const module = new ModuleIndex(outcome.ast);
  const at = (offset: number, typed: string): Place => ({ offset, typed });
  const places = {
    // Behind a property's name: another name is as good as the one before.
    name: module
      .nodes('MemberExpression')
      .filter(({ computed, property }) => !computed && property.type === 'Identifier')
      .map(({ property }) => at(endOf(property), INTO_NAME)),
    comment: (outcome.ast.comments ?? [])
      .filter(({ value }) => value.startsWith(' '))
      .map(({ start }) => at((start ?? 0) + '// '.length, INTO_COMMENT)),
    string: module
      .nodes('StringLiteral')
      .filter((node) => endOf(node) - startOf(node) > 2)
      .map((node) => at(endOf(node) - 1, INTO_STRING)),
    statement: module
      .nodes('BlockStatement')
      .flatMap(({ body }) => body as Node[])
      .filter((statement) => statement.type !== 'FunctionDeclaration')
      .map((statement) => at(startOf(statement), STATEMENT)),
  };
  if (Object.values(places).some((kind) => kind.length === 0)) throw new Error(`${file} has no place for one of the kinds of edits`);
  return places;
}
