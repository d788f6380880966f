// Commands with their positions in the file: a shell line in JSON, the exec form of a Dockerfile, a script file.
import type { Place } from './launch.ts';
import { splitCommands, type SimpleCommand, type Word } from './shell-words.ts';

export interface CommandText {
  commands: readonly SimpleCommand[];
  /** The text that offsets of the commands refer to. */
  text: string;
  place(start: number, end: number): Place;
}

/** Shell text that is part of a file as it is, starting at `start`. */
export function shellText(path: string, text: string, start = 0): CommandText {
  return { commands: splitCommands(text), text, place: (from, to) => ({ path, span: { start: start + from, end: start + to } }) };
}

/** Shell text whose characters are at `offsets` in the file (escapes in JSON, folded YAML). */
export function mappedShellText(path: string, text: string, offsets: readonly number[]): CommandText {
  const at = (i: number): number => offsets[Math.min(i, offsets.length - 1)] ?? 0;
  return {
    commands: splitCommands(text),
    text,
    place: (from, to) => ({ path, span: { start: at(from), end: to > from ? at(to - 1) + 1 : at(to) } }),
  };
}

/** Shell text whose characters cannot be located: every place is the whole. */
export function opaqueShellText(place: Place, text: string): CommandText {
  return { commands: splitCommands(text), text, place: () => place };
}

/** A list of words without a shell. Their offsets are those of the file. */
export function wordList(path: string, fileText: string, words: readonly Word[]): CommandText {
  const command: SimpleCommand = {
    assignments: [],
    words,
    start: words[0]?.start ?? 0,
    end: words.at(-1)?.end ?? 0,
    next: '',
    nextAt: words.at(-1)?.end ?? 0,
  };
  return { commands: words.length > 0 ? [command] : [], text: fileText, place: (start, end) => ({ path, span: { start, end } }) };
}

export function plainWord(text: string, start: number, end: number): Word {
  return { text, start, end, quoted: true, expands: /\$[A-Za-z_{(@*]/.test(text) };
}
