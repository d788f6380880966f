// Text to Babel AST, by the file's ending. Never throws on user code.
import { parse as babelParse, type ParserOptions, type ParserPlugin } from '@babel/parser';
import type { FunctionNode, t } from './ast.ts';

export interface ParseIssue {
  message: string;
  /** UTF-16 offset. */
  offset: number;
}

export type ParseOutcome =
  /** `isPlain`: read as JavaScript, without types, and not as a script. */
  { ok: true; ast: t.File; recovered: readonly ParseIssue[]; isPlain: boolean } | { ok: false; issue: ParseIssue };

/** Endings of the files that hold JavaScript or TypeScript. */
export const SCRIPT_FILE = /\.(?:[cm]?[jt]s|[jt]sx)$/i;
export const TYPESCRIPT_FILE = /\.(?:[cm]?ts|tsx)$/i;

const COMMON: ParserOptions = {
  // Without regard to what the file is: with error recovery a script's own liberties (`with`, octal numbers) are errors that Babel goes on
  // after, and its only syntax of its own are HTML-like comments.
  sourceType: 'module',
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
const PLAIN: ParserPlugin[] = ['jsx', ...EVERYWHERE];
const FLOW: ParserPlugin[] = [['flow', { all: true }], 'jsx', 'decorators-legacy'];

// Flow's syntax is read where the file says that it is Flow: `a < b > (c)` means something else in plain JavaScript.
const FLOW_PRAGMA = /@(?:no)?flow\b/;
const HTML_COMMENT = /<!--|-->/;
// Types in a `.js` file without that word; asked only when the file cannot be read as JavaScript.
const LOOKS_LIKE_FLOW = /\b(?:import|export) type\b|\)\s*:\s*[\w?{]|[(,]\s*\w+\??:\s*[\w?{[]/;
// Nearly every file looks like that, and half-typed text should not be read twice: what JavaScript stumbles over must be what Flow reads on
// from.
// Of 2,895 texts, Flow's own and injured ones, that Flow read where JavaScript could not, none was missed.
const FLOW_STARTS = /^[:?<=|&+\-*{([,%@]/;
const FLOW_GOES_ON =
  /(?:\b(?:type|typeof|opaque|declare|interface|import|export|module|implements|extends|enum|static|async|void)|\?|\.\.\.|>\(?|[{,;]\s*\w+\??:[^;(){}]*)\s*$/;
// With JSX a generic function is an element, and the stumble anywhere behind it.
const FLOW_GENERIC = /<[A-Z$_][^<>()]*>\s*\(/;
const FLOW_CONTEXT = 100;

function pluginsFor(file: string, text: string): ParserPlugin[] {
  if (/\.[cm]?ts$/i.test(file)) return ['typescript', ...EVERYWHERE];
  if (/\.tsx$/i.test(file)) return ['typescript', 'jsx', ...EVERYWHERE];
  return hasFlowPragma(text) ? FLOW : PLAIN;
}

function hasFlowPragma(text: string): boolean {
  return FLOW_PRAGMA.test(text.slice(0, 2000));
}

/** Parses one file. `ok: false` when Babel cannot recover, e.g. at half-typed `foo(`, or when the nesting is deeper than the stack. */
export function parse(file: string, text: string): ParseOutcome {
  const outcome = parseAsModuleOrScript(pluginsFor(file, text), text);
  if (outcome.ok || TYPESCRIPT_FILE.test(file) || hasFlowPragma(text) || !mayBeFlow(text, outcome.issue)) return outcome;
  const asFlow = parseAsModuleOrScript(FLOW, text);
  return asFlow.ok ? asFlow : outcome;
}

/** Whether text that is no JavaScript may be Flow's. */
function mayBeFlow(text: string, { offset }: ParseIssue): boolean {
  const isOddPlace = FLOW_STARTS.test(text.charAt(offset)) || FLOW_GOES_ON.test(text.slice(Math.max(0, offset - FLOW_CONTEXT), offset));
  return (isOddPlace || FLOW_GENERIC.test(text)) && LOOKS_LIKE_FLOW.test(text);
}

function parseAsModuleOrScript(plugins: ParserPlugin[], text: string): ParseOutcome {
  const asModule = parseWith({ ...COMMON, plugins }, text);
  // Flow has words of its own that are reserved in a module.
  if (asModule.ok || (plugins !== FLOW && !HTML_COMMENT.test(text))) return asModule;
  const asScript = parseWith({ ...COMMON, plugins, sourceType: 'script' }, text);
  return asScript.ok ? asScript : asModule;
}

function parseWith(options: ParserOptions, text: string): ParseOutcome {
  const { stackTraceLimit } = Error;
  // Babel makes an Error for everything that it recovers from; their stacks are half of what garbage costs (measured on Node 20), and
  // nobody reads them.
  Error.stackTraceLimit = 0;
  try {
    const ast = babelParse(text, options);
    const recovered = (ast.errors ?? []).map((error) => toIssue(error, text));
    return { ok: true, ast, recovered, isPlain: options.plugins === PLAIN && options.sourceType === 'module' };
  } catch (error) {
    return { ok: false, issue: toIssue(error, text) };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A part of a text read by itself; its places are those in the text. */
export interface Fragment {
  node: t.BlockStatement | t.Statement;
  comments: readonly t.Comment[];
  /** Whether Babel had to mend something. */
  recovered: boolean;
}

/** Without an issue nothing is known: the text must be read as a whole. */
export type FragmentOutcome = { ok: true; fragment: Fragment } | { ok: false; issue: ParseIssue | undefined };

/** Whether a text is read as plain JavaScript, where no bracket's meaning hangs on what comes far behind it. */
export function readsPlainly(file: string, text: string): boolean {
  return pluginsFor(file, text) === PLAIN;
}

/** Reads what stands from `start` to `end` as the body of a function such as `of`, or without one as a statement of the program's own. */
export function parseFragment(text: string, start: number, end: number, of: FunctionNode | undefined): FragmentOutcome {
  const unknown: FragmentOutcome = { ok: false, issue: undefined };
  const [head, tail] = of ? surroundings(of) : ['', ''];
  if (start < head.length) return unknown;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const { program, comments, errors } = babelParse(`${head}${text.slice(start, end)}${tail}`, {
      ...COMMON,
      plugins: PLAIN,
      startIndex: start - head.length,
    });
    const node = of ? bodyIn(program) : program.body[0];
    const isWhole = program.directives.length === 0 && program.body.length === 1 && node?.start === start && node.end === end;
    return isWhole ? { ok: true, fragment: { node, comments: comments ?? [], recovered: Boolean(errors?.length) } } : unknown;
  } catch (error) {
    const issue = toIssue(error, text);
    return isSure(error, issue, text, start, end) ? { ok: false, issue } : unknown;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * What makes a function around its body. Only `while` may follow that body, so that one which ends too early is noticed. Babel's options
 * allow
 * `return`, `super` and `new.target` anywhere; only `await` and `yield` hang on the function.
 */
function surroundings({ async, generator }: FunctionNode): readonly [head: string, tail: string] {
  if (generator) return [async ? '({async*$(){do' : '({*$(){do', ' while(0)}})'];
  return [async ? 'async $=>{do' : '$=>{do', ' while(0)}'];
}

function bodyIn({ body: [statement] }: t.Program): t.BlockStatement | undefined {
  if (statement?.type !== 'ExpressionStatement') return undefined;
  const { expression } = statement;
  const fn = expression.type === 'ObjectExpression' ? expression.properties[0] : expression;
  if (
    (fn?.type !== 'ObjectMethod' && fn?.type !== 'ArrowFunctionExpression') ||
    fn.body.type !== 'BlockStatement' ||
    fn.body.body.length !== 1
  )
    return undefined;
  const [loop] = fn.body.body;
  if (loop?.type !== 'DoWhileStatement' || loop.body.type !== 'BlockStatement') return undefined;
  const [first] = loop.body.body;
  // At the head of a function it is a directive.
  return first?.type === 'ExpressionStatement' && first.expression.type === 'StringLiteral' ? undefined : loop.body;
}

const EARLY_END = /expected "while"$/;
const WHILE_BEHIND_BRACE = /\}\s*while\b/;

/**
 * Whether the whole text would give the same issue: Babel has stumbled over a token within the fragment, still inside of the function, and
 * no other way to read the text is left.
 */
function isSure(error: unknown, issue: ParseIssue, text: string, start: number, end: number): boolean {
  const { reasonCode } = error as { reasonCode?: unknown };
  if (reasonCode !== 'UnexpectedToken' || issue.offset < start || issue.offset >= end - 1 || EARLY_END.test(issue.message)) return false;
  return !HTML_COMMENT.test(text) && !WHILE_BEHIND_BRACE.test(text.slice(start, end)) && !mayBeFlow(text, issue);
}

function toIssue(error: unknown, text: string): ParseIssue {
  if (error instanceof RangeError) return { message: 'nested too deeply to be parsed', offset: 0 };
  const { message, pos } = error as { message?: unknown; pos?: unknown };
  const offset = typeof pos === 'number' ? Math.min(pos, text.length) : 0;
  // Babel appends " (line:column)", which every report of ours already shows.
  return { message: String(message ?? error).replace(/ \(\d+:\d+\)$/, ''), offset };
}
