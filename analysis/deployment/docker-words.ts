// Docker's exec form: a JSON array of strings, with the positions of its strings. (dockerfile-ast drops spaces inside them.)
import { plainWord } from './command-text.ts';
import { readJsonTree } from './json-tree.ts';
import type { Word } from './shell-words.ts';

/** The words of `["node", "server.js"]`; undefined if the text is not an array of strings. Docker then treats it as shell text. */
export function execWords(text: string, start: number): Word[] | undefined {
  // Keeps the length, so that offsets stay valid: line continuations are white space to Docker but not to JSON.
  const flat = text
    .replace(/\\[ \t]*\r?\n/g, (part) => ' '.repeat(part.length))
    .replace(/^\s*--[\w-]+=\S+(?:\s+--[\w-]+=\S+)*/, (part) => ' '.repeat(part.length));
  if (!flat.trimStart().startsWith('[')) return undefined;
  const tree = readJsonTree(flat, { disallowComments: true });
  if (tree?.type !== 'array' || flat.slice(tree.offset + tree.length).trim() !== '' || !flat.trimEnd().endsWith(']')) return undefined;
  const words: Word[] = [];
  for (const item of tree.children ?? []) {
    if (item.type !== 'string') return undefined;
    words.push(plainWord(String(item.value), start + item.offset + 1, start + item.offset + item.length - 1));
  }
  return words;
}
