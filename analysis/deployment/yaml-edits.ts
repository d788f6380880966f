// Inserts a variable into YAML and keeps the rest unchanged: block or flow style, the existing indentation, nothing reformatted.
import type { Edit, Span } from '../../protocol/finding.ts';
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

/**
 * Adds `NODE_ENV: production` (or `- NODE_ENV=production`) to an environment, empty ones included. `isInFlow`: its service is in flow
 * style, where an empty value stays on its line. `step` is one indentation.
 */
export function addToEnvironment(
  file: YamlFile,
  { keySpan, value: environment }: { keySpan: Span; value: YamlNode | undefined },
  isInFlow: boolean,
  step: string,
): Edit | undefined {
  const { text } = file;
  if (isYamlMap(environment)) {
    const first = environment.items[0]?.key as YamlNode | undefined;
    if (!first) return fillBrackets(text, environment, '{ NODE_ENV: production }');
    const at = spanOf(first).start;
    return environment.flow ? { start: at, end: at, text: 'NODE_ENV: production, ' } : insertBeforeKey(text, at, ['NODE_ENV: production']);
  }
  if (!isYamlList(environment)) return isEmptyValue(text, keySpan) ? fillEmpty(text, keySpan, isInFlow, step) : undefined;
  const first = environment.items[0] as YamlNode | undefined;
  if (!first) return fillBrackets(text, environment, '[NODE_ENV=production]');
  const at = spanOf(first).start;
  if (environment.flow) return { start: at, end: at, text: 'NODE_ENV=production, ' };
  const dash = text.lastIndexOf('-', at - 1);
  return dash < 0 || !/^-[ \t]+$/.test(text.slice(dash, at)) ? undefined : insertBeforeKey(text, dash, ['- NODE_ENV=production']);
}

/** `{}` and `[]`, without a comment in them. */
function fillBrackets(text: string, environment: YamlNode, filled: string): Edit | undefined {
  const { start } = spanOf(environment);
  const empty = /^(?:\{\s*\}|\[\s*\])/.exec(text.slice(start));
  return empty ? { start, end: start + empty[0].length, text: filled } : undefined;
}

/** `environment:` with nothing behind it but a comment. */
function isEmptyValue(text: string, keySpan: Span): boolean {
  return /^["']?:[ \t]*(?:#[^\r\n]*)?(?:[\r\n,}]|$)/.test(text.slice(keySpan.end));
}

function fillEmpty(text: string, keySpan: Span, isInFlow: boolean, step: string): Edit | undefined {
  const colon = text.indexOf(':', keySpan.end) + 1;
  if (isInFlow) return { start: colon, end: colon, text: ' { NODE_ENV: production }' };
  const indent = indentBefore(text, keySpan.start);
  const lineEnd = colon + (/^[^\r\n]*/.exec(text.slice(colon))?.[0].length ?? 0);
  return indent === undefined
    ? undefined
    : { start: lineEnd, end: lineEnd, text: `${lineBreakOf(text)}${indent}${step}NODE_ENV: production` };
}

/** How far the entries of a map are indented below their parent key; two spaces if that is not visible. */
export function indentStep(text: string, parentOffset: number, childOffset: number): string {
  const parent = indentBefore(text, parentOffset);
  const child = indentBefore(text, childOffset);
  return parent !== undefined && child !== undefined && child.startsWith(parent) && child.length > parent.length
    ? child.slice(parent.length)
    : '  ';
}
