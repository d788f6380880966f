// From text to Babel AST, depending on the file extension. Never throws on user code.
import { parse as babelParse, parseExpression, type ParserOptions, type ParserPlugin } from '@babel/parser';
import type { FunctionNode, t } from './ast.ts';

export interface ParseIssue {
  message: string;
  /** UTF-16 offset. */
  offset: number;
  /** The text may be sound: whoever asked has ended the work. */
  tookTooLong?: true;
}

export type ParseOutcome =
  /** `isPlain`: parsed as JavaScript, without types, and not as a script. */
  { ok: true; ast: t.File; recovered: readonly ParseIssue[]; isPlain: boolean } | { ok: false; issue: ParseIssue };

/** Extensions of JavaScript and TypeScript files. */
export const SCRIPT_FILE = /\.(?:[cm]?[jt]s|[jt]sx)$/i;
export const TYPESCRIPT_FILE = /\.(?:[cm]?ts|tsx)$/i;

const COMMON: ParserOptions = {
  // For every file: with error recovery, what only scripts allow (`with`, octal numbers) is an error that Babel recovers from. The only
  // syntax that is left to scripts are HTML-like comments.
  sourceType: 'module',
  // Duplicate declarations, `const x;`, unknown exports: such code can still be analyzed.
  errorRecovery: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowNewTargetOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowUndeclaredExports: true,
  allowImportExportEverywhere: true,
  // Half of the rules do not read comments, and fixes read them from `ast.comments`. Attaching them takes about a tenth of the parse time.
  attachComment: false,
};

const EVERYWHERE: ParserPlugin[] = ['decorators-legacy', 'decoratorAutoAccessors', 'explicitResourceManagement'];
const PLAIN: ParserPlugin[] = ['jsx', ...EVERYWHERE];
const FLOW: ParserPlugin[] = [['flow', { all: true }], 'jsx', 'decorators-legacy'];

// Flow syntax is only enabled if the file declares it, because `a < b > (c)` has another meaning in plain JavaScript.
const FLOW_PRAGMA = /@(?:no)?flow\b/;
const HTML_COMMENT = /<!--|-->/;
// Types in a `.js` file without that comment. Checked only if the file cannot be parsed as JavaScript.
const LOOKS_LIKE_FLOW = /\b(?:import|export) type\b|\)\s*:\s*[\w?{]|[(,]\s*\w+\??:\s*[\w?{[]/;
// Nearly every file matches the pattern above, and half-typed text should not be parsed twice. So the JavaScript error must be at a place
// where Flow syntax can start. Among 2,895 texts (Flow files and damaged ones) that parse as Flow but not as JavaScript, none was missed.
const FLOW_STARTS = /^[:?<=|&+\-*{([,%@]/;
const FLOW_GOES_ON =
  /(?:\b(?:type|typeof|opaque|declare|interface|import|export|module|implements|extends|enum|static|async|void)|\?|\.\.\.|>\(?|[{,;]\s*\w+\??:[^;(){}]*)\s*$/;
// With JSX, a generic function looks like an element, and the error may be anywhere after it.
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

/** Parses one file. `ok: false` if Babel cannot recover, as for half-typed `foo(`, or if the nesting is deeper than the stack. */
export function parse(file: string, text: string): ParseOutcome {
  const outcome = parseAsModuleOrScript(pluginsFor(file, text), text);
  if (outcome.ok || TYPESCRIPT_FILE.test(file)) return outcome;
  const asFunction = parseAsFunction(text, outcome.issue);
  if (asFunction?.ok) return asFunction;
  if (hasFlowPragma(text) || !mayBeFlow(text, outcome.issue)) return outcome;
  const asFlow = parseAsModuleOrScript(FLOW, text);
  return asFlow.ok ? asFlow : outcome;
}

const NAMELESS_FUNCTION = /\bfunction\s{0,9}\*?\s{0,9}$/;

/**
 * Text that is one function without a name, as a program of one statement: a view of CouchDB, which the database runs.
 * https://docs.couchdb.org/en/stable/ddocs/ddocs.html#view-functions
 */
function parseAsFunction(text: string, { offset }: ParseIssue): ParseOutcome | undefined {
  if (text.charAt(offset) !== '(' || !NAMELESS_FUNCTION.test(text.slice(Math.max(0, offset - FLOW_CONTEXT), offset))) return undefined;
  const end = text.trimEnd().endsWith(';') ? text.lastIndexOf(';') : text.length;
  return guarded<ParseOutcome | undefined>(text, () => {
    const expression = parseExpression(text.slice(0, end), { ...COMMON, plugins: PLAIN });
    if (expression.type !== 'FunctionExpression') return undefined;
    const { start, end: endOfCode, loc } = expression;
    const { errors = [], comments = [] } = expression as { errors?: readonly unknown[]; comments?: t.Comment[] };
    const at = { start, end: endOfCode, loc };
    const statement = { type: 'ExpressionStatement', expression, ...at } as t.ExpressionStatement;
    const program = {
      type: 'Program',
      body: [statement],
      directives: [],
      sourceType: 'module',
      ...at,
      start: 0,
      end: text.length,
    } as t.Program;
    const ast = { type: 'File', program, comments, ...at, start: 0, end: text.length } as t.File;
    return { ok: true, ast, recovered: errors.map((error) => toIssue(error, text)), isPlain: false };
  });
}

/** Whether text that is not JavaScript may be Flow. */
function mayBeFlow(text: string, { offset }: ParseIssue): boolean {
  const mayStartFlow = FLOW_STARTS.test(text.charAt(offset)) || FLOW_GOES_ON.test(text.slice(Math.max(0, offset - FLOW_CONTEXT), offset));
  return (mayStartFlow || FLOW_GENERIC.test(text)) && LOOKS_LIKE_FLOW.test(text);
}

function parseAsModuleOrScript(plugins: ParserPlugin[], text: string): ParseOutcome {
  const asModule = parseWith({ ...COMMON, plugins }, text);
  // Some keywords of Flow are reserved in a module.
  if (asModule.ok || (plugins !== FLOW && !HTML_COMMENT.test(text))) return asModule;
  const asScript = parseWith({ ...COMMON, plugins, sourceType: 'script' }, text);
  return asScript.ok ? asScript : asModule;
}

function parseWith(options: ParserOptions, text: string): ParseOutcome {
  return guarded<ParseOutcome>(text, () => {
    const ast = babelParse(text, options);
    const recovered = (ast.errors ?? []).map((error) => toIssue(error, text));
    return { ok: true, ast, recovered, isPlain: options.plugins === PLAIN && options.sourceType === 'module' };
  });
}

function guarded<T extends ParseOutcome | undefined>(text: string, read: () => T): T | (ParseOutcome & { ok: false }) {
  const { stackTraceLimit } = Error;
  // Babel creates an Error for everything that it recovers from. Their stacks are half the cost of parsing garbage (measured on Node 20),
  // and nothing reads them.
  Error.stackTraceLimit = 0;
  try {
    return read();
  } catch (error) {
    return { ok: false, issue: toIssue(error, text) };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A part of a text that was parsed alone. Its positions are those in the whole text. */
export interface Fragment {
  node: t.BlockStatement | t.Statement;
  comments: readonly t.Comment[];
  /** Whether Babel recovered from an error. */
  recovered: boolean;
}

/** Without an issue, the result is unknown: the whole text must be parsed. */
export type FragmentOutcome = { ok: true; fragment: Fragment } | { ok: false; issue: ParseIssue | undefined };

/** Whether a text is parsed as plain JavaScript, in which no bracket depends on text far behind it. */
export function isPlainJavaScript(file: string, text: string): boolean {
  return pluginsFor(file, text) === PLAIN;
}

/** Parses the text from `start` to `end`: as the body of a function like `of`, or as a statement of the program if `of` is undefined. */
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
 * What makes a function around its body. Only `while` may follow the body, so that a body that ends too early is noticed. Babel's options
 * allow `return`, `super` and `new.target` anywhere; only `await` and `yield` depend on the function.
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
  // At the start of a function it would be a directive.
  return first?.type === 'ExpressionStatement' && first.expression.type === 'StringLiteral' ? undefined : loop.body;
}

const EARLY_END = /expected "while"$/;
const WHILE_BEHIND_BRACE = /\}\s*while\b/;

/**
 * Whether the whole text would give the same issue: Babel failed at a token within the fragment, inside the function, and there is no other
 * way to parse the text.
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
  // Babel appends " (line:column)", which our reports already show.
  return { message: String(message ?? error).replace(/ \(\d+:\d+\)$/, ''), offset };
}
