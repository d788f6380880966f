// How text looks on a terminal: which column it takes, and what must not reach the terminal as it is.

// East Asian Wide and Fullwidth blocks (Unicode 16, UAX #11), each taking two columns.
const WIDE: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x20000, 0x3fffd],
];

// Keyword emoji show as pictures, two columns wide; U+FE0F asks for the picture of others.
const PICTURE = /\p{Emoji_Presentation}|\uFE0F/u;
const ONLY_MARKS = /^(?:\p{M}|\u200B|\u200C|\u200D|\uFEFF)+$/u;
const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_OR_TAB = /^[\x20-\x7e\t]*$/;

/** Columns that one user-perceived character takes. */
function clusterWidth(cluster: string): number {
  const code = cluster.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (ONLY_MARKS.test(cluster)) return 0;
  if (PICTURE.test(cluster)) return 2;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

export interface Cell {
  text: string;
  width: number;
  /** UTF-16 offset in the text before it was split. */
  offset: number;
}

/** Tab stops of code frames. */
const TAB = 4;

/** The text as columns: tabs become spaces, what would control the terminal becomes visible. */
export function toCells(text: string): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  const push = (cell: Cell) => {
    cells.push(cell);
    column += cell.width;
  };
  const pushTab = (offset: number) => {
    const width = TAB - (column % TAB);
    push({ text: ' '.repeat(width), width, offset });
  };
  if (PLAIN_OR_TAB.test(text)) {
    for (let offset = 0; offset < text.length; offset++) {
      const char = text.charAt(offset);
      if (char === '\t') pushTab(offset);
      else push({ text: char, width: 1, offset });
    }
    return cells;
  }
  // A segmenter costs a millisecond to make; only lines beyond ASCII need it.
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    if (segment === '\t') pushTab(index);
    else {
      const shown = visible(segment);
      push({ text: shown, width: shown === segment ? clusterWidth(segment) : shown.length, offset: index });
    }
  }
  return cells;
}

// C0 and C1 controls could move the cursor or recolor the terminal, bidirectional overrides could show other code than runs
// (CVE-2021-42574).
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text that cannot control the terminal: control characters are written as `\u001b`. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) width += clusterWidth(segment);
  return width;
}

/** Lines no wider than `width`, broken at spaces; one line without a width. A word too long stands alone. */
export function wrap(text: string, width: number | undefined): string[] {
  const clean = visible(text.replace(/\s+/g, ' ').trim());
  if (width === undefined) return [clean];
  const lines: string[] = [];
  let line = '';
  let lineWidth = 0;
  for (const word of clean.split(' ')) {
    const wordWidth = displayWidth(word);
    if (line !== '' && lineWidth + 1 + wordWidth > width) {
      lines.push(line);
      line = word;
      lineWidth = wordWidth;
    } else {
      line = line === '' ? word : `${line} ${word}`;
      lineWidth += line === word ? wordWidth : wordWidth + 1;
    }
  }
  return [...lines, line];
}
