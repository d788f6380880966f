// The calls of a profile with longer lists: what a run needs to tell how the time grows.
import { parseExpression, type ParserPlugin } from '@babel/parser';
import { endOf, startOf, unwrap, type Node } from '../module/ast.ts';

const NEVER_LISTS: ReadonlySet<string> = new Set([
  'NumericLiteral',
  'StringLiteral',
  'BooleanLiteral',
  'NullLiteral',
  'BigIntLiteral',
  'TemplateLiteral',
  'RegExpLiteral',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassExpression',
  'SpreadElement',
]);

/**
 * A copy of a value whose arrays have so many elements. They are repeated, and each repetition has texts and numbers of its own, the same ones
 * in all arrays: what was found in another list is found again. Arrays in elements keep their length.
 */
const GROW = `((value, size) => {
  const isPlain = (one) => typeof one === 'object' && one !== null && Object.getPrototypeOf(one) === Object.prototype;
  const mapped = (one, change) => Object.fromEntries(Object.entries(one).map(([key, part]) => [key, change(part)]));
  const fresh = (one, round, depth) =>
    depth > 8 ? one
    : typeof one === 'string' ? (round === 0 ? one : one + '~' + round)
    : typeof one === 'number' ? one + round * 1e6
    : Array.isArray(one) ? one.map((part) => fresh(part, round, depth + 1))
    : isPlain(one) ? mapped(one, (part) => fresh(part, round, depth + 1)) : one;
  const grow = (one, depth) =>
    Array.isArray(one) && one.length > 0
      ? Array.from({ length: size }, (_, i) => fresh(one[i % one.length], Math.floor(i / one.length), 0))
      : isPlain(one) && depth < 4 ? mapped(one, (part) => grow(part, depth + 1)) : one;
  return grow(value, 0);
})`.replaceAll(/\n\s*/g, ' ');

/** Undefined where no argument can be a list. @param file for its language */
export function scaledCalls(calls: readonly string[], size: number, file: string): readonly string[] | undefined {
  const scaled = calls.map((call) => scaledCall(call, size, file));
  return scaled.some((call, i) => call !== calls[i]) ? scaled : undefined;
}

function scaledCall(text: string, size: number, file: string): string {
  const root = parsed(text, file);
  const call = root?.type === 'AwaitExpression' ? (root.argument as Node) : root;
  if (call?.type !== 'CallExpression' && call?.type !== 'NewExpression') return text;
  let scaled = '';
  let from = 0;
  for (const argument of call.arguments as Node[]) {
    if (NEVER_LISTS.has(unwrap(argument).type)) continue;
    scaled += `${text.slice(from, startOf(argument))}${GROW}(${text.slice(startOf(argument), endOf(argument))}, ${size})`;
    from = endOf(argument);
  }
  return scaled + text.slice(from);
}

function parsed(text: string, file: string): Node | undefined {
  const plugins: ParserPlugin[] = /\.[cm]?tsx?$/i.test(file) ? ['typescript', 'topLevelAwait'] : ['topLevelAwait'];
  try {
    return parseExpression(text, { plugins, sourceType: 'module' }) as Node;
  } catch {
    return undefined;
  }
}
