// The JSON files that say which file a specifier means: with comments and commas at the end, as TypeScript and Babel take them.
import { parse as parseJsonc, type ParseError } from 'jsonc-parser';
import { MOST_BYTES, textOfFile } from '../../files/read-text-file.ts';
import { isRecord } from '../../protocol/unknown-values.ts';

/** Undefined for what cannot be read, and for what is no object. */
export function readJson(file: string): Record<string, unknown> | undefined {
  const text = textOfFile(file, MOST_BYTES.settings);
  if (text === undefined) return undefined;
  try {
    const errors: ParseError[] = [];
    const value: unknown = parseJsonc(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
    return isRecord(value) ? value : undefined;
  } catch {
    // Nested deeper than the stack: nothing is said about paths then.
    return undefined;
  }
}

/** The path with forward slashes; '' for the root of the file system. */
export function slashes(path: string): string {
  const text = path.replaceAll('\\', '/');
  return text === '/' ? '' : text;
}
