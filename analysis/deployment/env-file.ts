// `.env` files: NODE_ENV, with its position.
import type { Span } from '../../protocol/finding.ts';

export interface EnvFileEntry {
  value: string;
  /** The value without its quotes. */
  span: Span;
}

// Compose, dotenv and Node agree on the form: optional `export`, the name, `=`, a value with optional quotes, and an optional comment after
// ` #`.
const LINE =
  /^[ \t]*(?:export[ \t]+)?NODE_ENV[ \t]*(?:=|:[ \t])[ \t]*(?:(?:"([^"\r\n]*)"|'([^'\r\n]*)')[ \t]*(?:#[^\r\n]*)?$|([^\r\n]*))/gm;

/** The last NODE_ENV of the file, as programs read it. */
export function findNodeEnv(text: string): EnvFileEntry | undefined {
  let found: EnvFileEntry | undefined;
  for (const match of text.matchAll(LINE)) {
    const value = match[1] ?? match[2] ?? ((match[3] ?? '').split('#', 1)[0] ?? '').trimEnd();
    const start = (match.index ?? 0) + match[0].indexOf(value, match[0].search(/[=:]/) + 1);
    found = { value, span: { start, end: start + value.length } };
  }
  return found;
}

/** Names of the files in which projects document the `.env` that they do not commit. */
export const EXAMPLE_ENV_FILES: readonly string[] = [
  '.env.example',
  '.env.sample',
  '.env.template',
  '.env.dist',
  '.env.default',
  '.env.defaults',
  'env.example',
  'example.env',
  '.env-example',
  '.env-sample',
  'sample.env',
  '.example.env',
  '.sample.env',
  '.env.prod.example',
  '.env.production.example',
];
