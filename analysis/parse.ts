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

const ALWAYS: ParserPlugin[] = ['decoratorAutoAccessors', 'explicitResourceManagement', 'importReflection', 'sourcePhaseImports'];

function pluginsFor(file: string, text: string): ParserPlugin[] {
  if (/\.[cm]?ts$/i.test(file)) return ['typescript', 'decorators-legacy', ...ALWAYS.slice(0, 2)];
  if (/\.tsx$/i.test(file)) return ['typescript', 'jsx', 'decorators-legacy', ...ALWAYS.slice(0, 2)];
  // Flow's syntax is read only where the file says that it is Flow: `a < b > (c)` means something else in plain JavaScript.
  if (/@(?:no)?flow\b/.test(text.slice(0, 2000))) return [['flow', { all: true }], 'jsx', 'decorators-legacy'];
  return ['jsx', 'decorators-legacy', ...ALWAYS.slice(0, 2)];
}

/** Parses one file. `ok: false` when Babel cannot recover, e.g. at half-typed `foo(`, or when the nesting is deeper than the stack. */
export function parse(file: string, text: string): ParseOutcome {
  try {
    const ast = babelParse(text, { ...COMMON, plugins: pluginsFor(file, text) });
    const recovered = (ast.errors ?? []).map((error) => toIssue(error, text));
    return { ok: true, ast, recovered };
  } catch (error) {
    return { ok: false, issue: toIssue(error, text) };
  }
}

function toIssue(error: unknown, text: string): ParseIssue {
  if (error instanceof RangeError) return { message: 'nested too deeply to be read', offset: 0 };
  const { message, pos } = error as { message?: unknown; pos?: unknown };
  const offset = typeof pos === 'number' ? Math.min(pos, text.length) : 0;
  // Babel appends " (line:column)", which every report of ours already shows.
  return { message: String(message ?? error).replace(/ \(\d+:\d+\)$/, ''), offset };
}
