// JSON with positions, for texts of any origin. The parser recurses, so text that is nested deeper than any real file is not parsed.
import { parseTree, type Node, type ParseOptions } from 'jsonc-parser';

// A package.json has three or four levels. jsonc-parser overflows Node's stack at some ten thousand.
const DEEPEST = 500;

/** The tree of a JSON text, as far as it can be parsed; undefined if there is none, or if it is nested too deeply. */
export function readJsonTree(text: string, options: ParseOptions): Node | undefined {
  return isTooDeep(text) ? undefined : parseTree(text, [], options);
}

export function isTooDeep(text: string): boolean {
  return nestingOf(text) > DEEPEST;
}

/** The deepest nesting of brackets outside of strings. */
export function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  // A text that is left open ends with its line: the next one is not looked for inside of it.
  for (const [mark] of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[[\]{}]/g)) {
    if (mark === '[' || mark === '{') deepest = Math.max(deepest, ++depth);
    else if (mark === ']' || mark === '}') depth--;
  }
  return deepest;
}
