// Inserts a variable into YAML and keeps the rest unchanged: block or flow style, the existing indentation, nothing reformatted.
import type { Edit } from '../../protocol/finding.ts';
import { isYamlList, isYamlMap, spanOf, type YamlFile, type YamlNode } from './yaml-nodes.ts';

/** The white space before an offset, if nothing else precedes it on its line (except list dashes). */
export function indentBefore(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(start, offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

export function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** An edit that inserts lines before an entry of a map, with the same indentation. The first line has none of its own. */
export function insertBeforeKey(text: string, offset: number, lines: readonly string[]): Edit | undefined {
  const indent = indentBefore(text, offset);
  if (indent === undefined) return undefined;
  return { start: offset, end: offset, text: lines.map((line) => `${line}${lineBreakOf(text)}${indent}`).join('') };
}

/** Adds `NODE_ENV: production` (or `- NODE_ENV=production`) to a non-empty environment map or list. */
export function addToEnvironment(file: YamlFile, environment: YamlNode): Edit | undefined {
  const { text } = file;
  if (isYamlMap(environment)) {
    const first = environment.items[0]?.key as YamlNode | undefined;
    if (!first) return undefined;
    const at = spanOf(first).start;
    return environment.flow ? { start: at, end: at, text: 'NODE_ENV: production, ' } : insertBeforeKey(text, at, ['NODE_ENV: production']);
  }
  if (!isYamlList(environment)) return undefined;
  const first = environment.items[0] as YamlNode | undefined;
  if (!first) return undefined;
  const at = spanOf(first).start;
  if (environment.flow) return { start: at, end: at, text: 'NODE_ENV=production, ' };
  const dash = text.lastIndexOf('-', at - 1);
  return dash < 0 || !/^-[ \t]+$/.test(text.slice(dash, at)) ? undefined : insertBeforeKey(text, dash, ['- NODE_ENV=production']);
}

/** How far the entries of a map are indented below their parent key; two spaces if that is not visible. */
export function indentStep(text: string, parentOffset: number, childOffset: number): string {
  const parent = indentBefore(text, parentOffset);
  const child = indentBefore(text, childOffset);
  return parent !== undefined && child !== undefined && child.startsWith(parent) && child.length > parent.length
    ? child.slice(parent.length)
    : '  ';
}
