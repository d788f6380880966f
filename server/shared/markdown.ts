// Text for people as Markdown or plain: what comes from code is escaped, because it may hold anything.

export interface Writer {
  /** Text with `code` in back quotes, as messages and reasons are written. */
  prose(text: string): string;
  code(text: string): string;
  bold(text: string): string;
  link(text: string, target: string): string;
  /** Joins what stands below each other. */
  blocks(parts: readonly string[]): string;
  list(items: readonly string[], ordered: boolean): string;
  /** Between two findings. */
  separator: string;
}

/** What CommonMark gives a meaning inside a line; `<` and `&` would be HTML. */
const SPECIAL = /[\\`*_[\]<>&~|]/g;
/** What would make a heading, a list or a line of a paragraph at its start. */
const SPECIAL_START = /^(\s*\d*)([#+\-=.)])/;

export const markdown: Writer = {
  prose: (text) =>
    oneLine(text)
      .split(/(`[^`]*`)/)
      .map((part, i) => (i % 2 === 1 ? inBackQuotes(part.slice(1, -1)) : escape(part, i === 0)))
      .join(''),
  code: (text) => inBackQuotes(oneLine(text)),
  bold: (text) => `**${text}**`,
  link: (text, target) => `[${text}](<${target.replace(/[<>\s]/g, (char) => encodeURIComponent(char))}>)`,
  blocks: (parts) => parts.filter((part) => part !== '').join('\n\n'),
  list: (items, ordered) => items.map((item, i) => `${ordered ? `${i + 1}.` : '-'} ${item}`).join('\n'),
  separator: '---',
};

export const plain: Writer = {
  prose: oneLine,
  code: oneLine,
  bold: (text) => text,
  link: (text) => text,
  blocks: (parts) => parts.filter((part) => part !== '').join('\n'),
  list: (items, ordered) => items.map((item, i) => `${ordered ? `${i + 1}.` : '-'} ${item}`).join('\n'),
  separator: '',
};

function escape(text: string, isFirst: boolean): string {
  const escaped = text.replace(SPECIAL, '\\$&');
  return isFirst ? escaped.replace(SPECIAL_START, '$1\\$2') : escaped;
}

/** Back quotes inside need a longer fence around. */
function inBackQuotes(text: string): string {
  if (text === '') return '';
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = text.startsWith('`') || text.endsWith('`') || (/^ .* $/.test(text) && text.trim() !== '') ? ' ' : '';
  return `${fence}${padding}${text}${padding}${fence}`;
}

// Control characters and bidirectional overrides could make a text look like another one.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]+/g;

function oneLine(text: string): string {
  return text.replace(CONTROL, ' ');
}
