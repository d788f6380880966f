// A rule's README for reading on a terminal: the few marks that our READMEs use, nothing more.
import type { Colors } from 'picocolors/types';
import { displayWidth, visible, wrap } from './formats/display-text.ts';

export interface MarkdownStyle {
  colors: Colors;
  /** Undefined: not wrapped. */
  columns?: number;
}

const INDENT = '  ';

export function renderMarkdown(markdown: string, style: MarkdownStyle): string {
  const { colors } = style;
  const lines = markdown.replace(/\r\n/g, '\n').split('\n');
  const out: string[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) out.push(...wrapText(paragraph.join(' '), '', style));
    paragraph = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const fence = /^(`{3,}|~{3,})\s*(.*)$/.exec(line);
    if (fence) {
      flush();
      const end = lines.findIndex((other, at) => at > i && other.startsWith(fence[1] ?? '```'));
      const stop = end === -1 ? lines.length : end;
      out.push(...codeBlock(lines.slice(i + 1, stop), fence[2] ?? '', colors));
      i = stop;
    } else if (/^\s*<!--.*-->\s*$/.test(line)) {
      flush();
    } else if (/^#{1,6}\s/.test(line)) {
      flush();
      const text = visible(line.replace(/^#+\s*/, ''));
      out.push(line.startsWith('# ') ? colors.bold(colors.underline(inline(text, colors))) : colors.bold(inline(text, colors)));
    } else if (line.trimStart().startsWith('|')) {
      flush();
      const end = lines.findIndex((other, at) => at > i && !other.trimStart().startsWith('|'));
      const stop = end === -1 ? lines.length : end;
      out.push(...table(lines.slice(i, stop), colors));
      i = stop - 1;
    } else if (/^\s*(?:[-*]|\d+\.)\s/.test(line)) {
      flush();
      let item = line;
      // The rest of an item stands on the next lines, indented.
      while (/^\s+\S/.test(lines[i + 1] ?? '') && !/^\s*(?:[-*]|\d+\.)\s/.test(lines[i + 1] ?? '')) item += ` ${(lines[++i] ?? '').trim()}`;
      const [, indent = '', bullet = '-', text = ''] = /^(\s*)([-*]|\d+\.)\s+(.*)$/s.exec(item) ?? [];
      const mark = bullet === '*' ? '-' : bullet;
      const hang = `${indent}${' '.repeat(mark.length + 1)}`;
      const [first = '', ...rest] = wrapText(text, hang, style);
      out.push(`${indent}${mark} ${first.trimStart()}`, ...rest);
    } else if (line.trim() === '') {
      flush();
      if (out.at(-1) !== '' && out.length > 0) out.push('');
    } else paragraph.push(line.trim());
  }
  flush();
  return `${out.join('\n').trimEnd()}\n`;
}

function wrapText(text: string, indent: string, { colors, columns }: MarkdownStyle): string[] {
  return wrap(text, columns === undefined ? undefined : Math.max(columns - indent.length, 20)).map(
    (line) => `${indent}${inline(line, colors)}`,
  );
}

/** The info string says what the block is: `js bad`, `js good`. */
function codeBlock(lines: readonly string[], info: string, colors: Colors): string[] {
  const kind = /\bbad\b/.test(info) ? colors.red('bad') : /\bgood\b/.test(info) ? colors.green('good') : '';
  return [
    ...(kind ? [`${INDENT}${kind}`] : []),
    ...lines.map((line) => `${INDENT}${colors.dim('│')} ${visible(line.replaceAll('\t', '  '))}`.trimEnd()),
  ];
}

function table(lines: readonly string[], colors: Colors): string[] {
  const rows = lines
    .filter((line) => !/^[\s|:-]+$/.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split(/(?<!\\)\|/)
        .map((cell) => visible(cell.trim().replace(/\\\|/g, '|').replaceAll('`', '').replaceAll('**', ''))),
    );
  return renderTable(rows, colors);
}

/** Columns as wide as their widest cell; the first row is the heading. */
export function renderTable(rows: readonly (readonly string[])[], colors: Colors): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell))));
  return rows.map((row, i) => {
    const text = row
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - displayWidth(cell)))
      .join('  ')
      .trimEnd();
    return i === 0 ? colors.bold(text) : text;
  });
}

/** `code`, **bold**, *emphasis* and [links](where). */
function inline(text: string, colors: Colors): string {
  return text
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, target: string) => (label === target ? label : `${label} (${target})`))
    .replace(/`([^`]+)`/g, (_, code: string) => colors.cyan(code))
    .replace(/\*\*([^*]+)\*\*/g, (_, strong: string) => colors.bold(strong))
    .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, (_, soft: string) => colors.italic(soft));
}
