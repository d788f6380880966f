// How wide the lines of a file may be, and where its lists have trailing commas, as its text shows it.
import { endOf, startOf, type Node } from '../../module/ast.ts';
import type { Facts } from '../../facts/index.ts';
import { getCodeStyle } from '../code-style.ts';
import { columnsOf } from './doc.ts';
import type { LayoutStyle } from './source-text.ts';

/** Prettier's default. */
export const USUAL_WIDTH = 80;
/** Other widths that formatters are set to. */
const WIDER = 100;
const WIDEST = 120;

/** What the project's formatter is told, or 80 columns; more if the file has longer lines that a formatter could have broken. */
export function lineWidthOf(facts: Facts): number {
  return facts.remember('line width', () => {
    const told = facts.project.format?.width;
    const longest = longestOrdinaryLine(facts, told === undefined);
    if (told !== undefined && longest <= told) return told;
    return longest <= USUAL_WIDTH ? USUAL_WIDTH : longest <= WIDER ? WIDER : WIDEST;
  });
}

/** The width of the file, or the next one that formatters are set to and that these lines keep to; undefined if they keep to none. */
export function widthFor(lines: readonly string[], facts: Facts): number | undefined {
  const longest = Math.max(...lines.map((line) => columnsOf(line.trimEnd())));
  const own = lineWidthOf(facts);
  return [own, WIDER, WIDEST].find((width) => width >= own && longest <= width);
}

export function getLayoutStyle(facts: Facts): LayoutStyle {
  return facts.remember('layout style', () => {
    const { indent: step, braceSpace } = getCodeStyle(facts);
    return { step, braceSpace, trailingComma: trailingCommaOf(facts) };
  });
}

/** No formatter breaks them, so lines that are long because of them say nothing about the width. */
const UNBREAKABLE = ['StringLiteral', 'TemplateLiteral', 'RegExpLiteral', 'JSXText', 'ImportDeclaration', 'DirectiveLiteral'] as const;

/** What formatters keep on one line, however long it is. */
const KEPT = /^\s*(?:import\b|export\b.*\bfrom\b|\/\/|\*|(?:it|test|describe)\b)|\brequire\(/;

/** @param isFree whether no formatter is known: lines that could be broken beside their texts then count, too */
function longestOrdinaryLine({ module, source }: Facts, isFree: boolean): number {
  const { text } = source;
  const long: { start: number; end: number; columns: number; breakable: number; longestPart: number }[] = [];
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const columns = end - start <= USUAL_WIDTH / 2 ? 0 : columnsOf(text.slice(start, end).trimEnd());
    if (columns > USUAL_WIDTH) long.push({ start, end, columns, breakable: columns, longestPart: 0 });
    start = end + 1;
  }
  if (long.length === 0) return 0;
  const spans = [
    ...UNBREAKABLE.flatMap((type) => module.nodes(type).map((node: Node) => [startOf(node), endOf(node)] as const)),
    ...(module.ast.comments ?? []).map(({ start, end }) => [start ?? 0, end ?? 0] as const),
  ];
  for (const [start, end] of spans) {
    let low = 0;
    for (let high = long.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((long[middle]?.end ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    for (let line = long[low]; line && line.start < end; line = long[++low]) {
      const part = Math.min(end, line.end) - Math.max(start, line.start);
      line.breakable -= part;
      line.longestPart = Math.max(line.longestPart, part);
    }
  }
  const counts = ({ start, end, breakable, longestPart }: (typeof long)[number]): boolean =>
    breakable > USUAL_WIDTH ||
    (isFree && breakable > USUAL_WIDTH / 2 && longestPart < USUAL_WIDTH / 2 && !KEPT.test(text.slice(start, end)));
  return Math.max(0, ...long.filter(counts).map(({ columns }) => columns));
}

function trailingCommaOf(facts: Facts): LayoutStyle['trailingComma'] {
  const { module, source } = facts;
  const { text } = source;
  const counts = { literals: 0, calls: 0 };
  const count = (kind: keyof typeof counts, last: Node | null | undefined, node: Node): void => {
    if (!last) return;
    const end = text.slice(endOf(last), endOf(node));
    if (/^\s*,\s*[\])}]$/.test(end) && end.includes('\n')) counts[kind]++;
    else if (/^\s*[\])}]$/.test(end) && end.includes('\n')) counts[kind]--;
  };
  for (const node of module.nodes('ObjectExpression')) count('literals', node.properties.at(-1), node);
  for (const node of module.nodes('ArrayExpression')) count('literals', node.elements.at(-1), node);
  for (const node of module.nodes('CallExpression')) count('calls', node.arguments.at(-1), node);
  if (counts.literals < 0) return 'none';
  const told = facts.project.format?.trailingComma;
  if (told !== undefined && (counts.calls === 0 || told === 'none')) return counts.literals > 0 && told === 'none' ? 'literals' : told;
  // Nothing shows it. Most formatters that leave out semicolons leave out these commas, too.
  if (counts.literals === 0 && counts.calls === 0) return getCodeStyle(facts).semicolon === '' ? 'none' : 'all';
  return counts.calls < 0 ? (counts.literals > 0 ? 'literals' : 'none') : 'all';
}
