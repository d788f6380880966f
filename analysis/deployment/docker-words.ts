// Docker's exec form: a JSON array of strings, read with the places of its strings. (dockerfile-ast's own reading drops spaces inside
// them.)
import { plainWord } from './command-text.ts';
import { readJsonTree } from './json-tree.ts';
import type { Word } from './shell-words.ts';

/** The words of `["node", "server.js"]`, or undefined when the text is no array of strings: Docker takes it for shell text then. */
export function execWords(text: string, start: number): Word[] | undefined {
  // Same length, so that offsets stay: line continuations are white space to Docker but not to JSON.
  const flat = text
    .replace(/\\[ \t]*\r?\n/g, (part) => ' '.repeat(part.length))
    .replace(/^(?:\s*--[\w-]+=\S+)+/, (part) => ' '.repeat(part.length));
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
