// V8's log writes names and paths with escapes of its own, and two ways of escaping in one file. Measured on Node 18 to 26:
// code-creation, IC and map lines escape UTF-16 units (`\xe4`, `\u4e2d`), code-deopt lines the bytes of UTF-8 (`\xc3\xa4`); a comma is
// `\x2C` in both.
import { fileURLToPath } from 'node:url';

const ESCAPE = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(n)|(\\))/g;

/** Of a name in a code-creation, IC or map line. */
export function unescapeUnits(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (_, byte: string | undefined, unit: string | undefined, newline: string | undefined) => {
    const digits = byte ?? unit;
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
    return newline === undefined ? '\\' : '\n';
  });
}

/** Of a location in a code-deopt line. Bytes that are no UTF-8 stay what they are. */
export function unescapeBytes(text: string): string {
  if (!text.includes('\\')) return text;
  const units = unescapeUnits(text);
  for (let i = 0; i < units.length; i++) if (units.charCodeAt(i) > 0xff) return units;
  const decoded = Buffer.from(units, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? units : decoded;
}

/** ES modules are known to V8 by their URL; everything else keeps its name (`node:fs`, `evalmachine.<anonymous>`). */
export function toFilePath(name: string): string {
  if (!name.startsWith('file://')) return name;
  try {
    return fileURLToPath(name);
  } catch (error) {
    // A URL with a foreign host or an escaped slash names no file here; it is shown as it is.
    if (error instanceof TypeError || error instanceof URIError) return name;
    throw error;
  }
}

export interface FunctionName {
  name: string;
  /** As V8 wrote it, still escaped: equal for equal files, so that a file is looked at once. */
  rawFile: string;
  line: number;
  column: number;
}

const PLACE_AT_END = /:(\d+):(\d+)$/;
/** Where the file begins behind the function's name, which may have spaces itself (`get size`, `"a b"() {}`). */
const FILE_START = / (?=\/|file:|node:|[A-Za-z]:[\\/]|\\\\)/;

/** `add /app/sum.js:1:13`. Undefined for code without a place, such as regular expressions. */
export function findFunctionName(raw: string): FunctionName | undefined {
  const place = PLACE_AT_END.exec(raw);
  if (!place) return undefined;
  const head = raw.slice(0, place.index);
  const found = head.search(FILE_START);
  const space = found < 0 ? head.indexOf(' ') : found;
  if (space < 0) return undefined;
  return { name: head.slice(0, space), rawFile: head.slice(space + 1), line: Number(place[1]), column: Number(place[2]) };
}

export interface RawLocation {
  rawFile: string;
  line: number;
  column: number;
}

const LOCATION = /<(.*?):(\d+):(\d+)>(?= inlined at <|$)/g;

/** `</app/a.js:2:12> inlined at </app/a.js:6:35>`, innermost first. Empty for `<unknown>`. */
export function readLocations(text: string): RawLocation[] {
  return [...text.matchAll(LOCATION)].map((match) => ({ rawFile: match[1] ?? '', line: Number(match[2]), column: Number(match[3]) }));
}
