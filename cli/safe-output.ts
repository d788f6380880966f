// What the command writes, made safe for terminals and for the logs of build servers: names of files and functions, values of
// configurations, and messages of programs may hold anything, and some of it would be obeyed.
import type { Host, OutputStream } from './host.ts';

/** Control codes but for tabs and line feeds, and what shows text in another order than it has (CVE-2021-42574). */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g;
/** The same but for colors, which are our own. */
const UNSAFE_BUT_COLORS =
  /\u001b(?!\[[0-9;]{0,12}m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g;
/** GitHub obeys `::error …` at the start of a line, behind blanks or not. */
const LINE_COMMAND = /^([^\S\r\n\u2028\u2029]*):(?=:)/gm;
/** GitHub, Azure Pipelines, and TeamCity obey these wherever they stand. */
export const COMMAND = /#(?=#(?:\[|vso\[|teamcity\[))/gi;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text for people. `isColored`: it has colors of ours. */
export function safeText(text: string, isColored: boolean): string {
  return text
    .replace(isColored ? UNSAFE_BUT_COLORS : UNSAFE, escaped)
    .replace(LINE_COMMAND, (_, blanks: string) => `${blanks}${escaped(':')}`)
    .replace(COMMAND, escaped);
}

/**
 * A report whose own texts hold no control codes: `safeText` lets colors pass where ours stand in the text, and so would those of a name.
 */
export function withSafeValues<Value>(value: Value): Value {
  return safeValue(value) as Value;
}

function safeValue(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(UNSAFE, escaped);
  if (Array.isArray(value)) return value.map(safeValue);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.replace(UNSAFE, escaped), safeValue(one)]));
}

/** The escapes of JSON: half a pair of surrogates is written as one, which strict readers refuse. */
const JSON_ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/** JSON that means the same; halves of pairs of surrogates are U+FFFD, as in all other text that is written. */
export function safeJson(json: string): string {
  const text = json.replace(JSON_ESCAPE, (escape, half: string | undefined) => (half === undefined ? escape : '\\ufffd'));
  return text.replace(UNSAFE, escaped).replace(COMMAND, escaped);
}

/** A part of a workflow command of our own, before it is escaped as GitHub asks for: its line breaks stay. */
export function safeInCommand(text: string): string {
  return text.replace(UNSAFE, (char) => (char === '\r' ? char : escaped(char))).replace(COMMAND, escaped);
}

/** The host with a standard error, and questions, that obey nobody. */
export function withSafeMessages(host: Host): Host {
  const { stderr } = host;
  const safe: OutputStream = {
    write: (text) => stderr.write(safeText(text, false)),
    get isTTY() {
      return stderr.isTTY;
    },
    get columns() {
      return stderr.columns;
    },
    raw: stderr,
  };
  return { ...host, stderr: safe, confirm: (question) => host.confirm(safeText(question, false)) };
}
