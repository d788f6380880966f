// Text to Babel AST, by the file's ending. Never throws on user code.
import { parse as babelParse, type ParserOptions, type ParserPlugin } from '@babel/parser';
import type { t } from './ast.ts';

export interface ParseIssue {
  message: string;
  /** UTF-16 offset. */
  offset: number;
}

export type ParseOutcome =
  | { ok: true; ast: t.File; recovered: readonly ParseIssue[] }
  | { ok: false; issue: ParseIssue };

/** Endings of the files that hold JavaScript or TypeScript. */
export const SCRIPT_FILE = /\.(?:[cm]?[jt]s|[jt]sx)$/i;
export const TYPESCRIPT_FILE = /\.(?:[cm]?ts|tsx)$/i;

const COMMON: ParserOptions = {
  sourceType: 'unambiguous',
  // Duplicate declarations, `const x;`, unknown exports: the code is still worth reading.
  errorRecovery: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowNewTargetOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowUndeclaredExports: true,
  allowImportExportEverywhere: true,
  // Half the rules never look at comments and the fixes read them from `ast.comments`; attaching them costs about a tenth of the parse.
  attachComment: false,
};

const EVERYWHERE: ParserPlugin[] = ['decorators-legacy', 'decoratorAutoAccessors', 'explicitResourceManagement'];
const FLOW: ParserPlugin[] = [['flow', { all: true }], 'jsx', 'decorators-legacy'];

// Flow's syntax is read where the file says that it is Flow: `a < b > (c)` means something else in plain JavaScript.
const SAYS_FLOW = /@(?:no)?flow\b/;
// Types in a `.js` file without that word; asked only when the file cannot be read as JavaScript.
const LOOKS_LIKE_FLOW = /\b(?:import|export) type\b|\)\s*:\s*[\w?{]|[(,]\s*\w+\??:\s*[\w?{[]/;

function pluginsFor(file: string, text: string): ParserPlugin[] {
  if (/\.[cm]?ts$/i.test(file)) return ['typescript', ...EVERYWHERE];
  if (/\.tsx$/i.test(file)) return ['typescript', 'jsx', ...EVERYWHERE];
  return SAYS_FLOW.test(text.slice(0, 2000)) ? FLOW : ['jsx', ...EVERYWHERE];
}

/** Parses one file. `ok: false` when Babel cannot recover, e.g. at half-typed `foo(`, or when the nesting is deeper than the stack. */
export function parse(file: string, text: string): ParseOutcome {
  const outcome = parseWith(pluginsFor(file, text), text);
  if (outcome.ok || TYPESCRIPT_FILE.test(file) || SAYS_FLOW.test(text.slice(0, 2000)) || !LOOKS_LIKE_FLOW.test(text)) return outcome;
  const asFlow = parseWith(FLOW, text);
  return asFlow.ok ? asFlow : outcome;
}

function parseWith(plugins: ParserPlugin[], text: string): ParseOutcome {
  const { stackTraceLimit } = Error;
  // Babel makes an Error for everything that it recovers from; their stacks are half of what garbage costs (measured on Node 20), and nobody reads them.
  Error.stackTraceLimit = 0;
  try {
    const ast = babelParse(text, { ...COMMON, plugins });
    const recovered = (ast.errors ?? []).map((error) => toIssue(error, text));
    return { ok: true, ast, recovered };
  } catch (error) {
    return { ok: false, issue: toIssue(error, text) };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function toIssue(error: unknown, text: string): ParseIssue {
  if (error instanceof RangeError) return { message: 'nested too deeply to be read', offset: 0 };
  const { message, pos } = error as { message?: unknown; pos?: unknown };
  const offset = typeof pos === 'number' ? Math.min(pos, text.length) : 0;
  // Babel appends " (line:column)", which every report of ours already shows.
  return { message: String(message ?? error).replace(/ \(\d+:\d+\)$/, ''), offset };
}
