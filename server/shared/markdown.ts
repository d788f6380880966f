// Text for people as Markdown or plain: what comes from code is escaped, because it may hold anything.
import { asOneLine } from '../../protocol/safe-text.ts';

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
/**
 * Addresses become links by themselves in the Markdown that editors know: their colon, their `www.` and the `@` of mail are written apart.
 */
const SELF_LINK = /:(?=\/\/)|(?<=www)\.|@/gi;
const SPECIAL_START = /^(\s*\d*)([#+\-=.)])/;

export const markdown: Writer = {
  prose: (text) =>
    asOneLine(text)
      .split(/(`[^`]*`)/)
      .map((part, i) => (i % 2 === 1 ? inBackQuotes(part.slice(1, -1)) : escape(part, i === 0)))
      .join(''),
  code: (text) => inBackQuotes(asOneLine(text)),
  bold: (text) => `**${text}**`,
  link: (text, target) => `[${escape(asOneLine(text), false)}](<${target.replace(/[<>\s]/g, (char) => encodeURIComponent(char))}>)`,
  blocks: (parts) => parts.filter((part) => part !== '').join('\n\n'),
  list: (items, ordered) => items.map((item, i) => `${ordered ? `${i + 1}.` : '-'} ${item}`).join('\n'),
  separator: '---',
};

export const plain: Writer = {
  prose: asOneLine,
  code: asOneLine,
  bold: (text) => text,
  link: asOneLine,
  blocks: (parts) => parts.filter((part) => part !== '').join('\n'),
  list: (items, ordered) => items.map((item, i) => `${ordered ? `${i + 1}.` : '-'} ${item}`).join('\n'),
  separator: '',
};

function escape(text: string, isFirst: boolean): string {
  const escaped = text.replace(SPECIAL, '\\$&').replace(SELF_LINK, '\\$&');
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
