// One line of a report for programs that read text, such as coding agents.
import { visible } from './display-text.ts';

/** Characters of one part: a message quotes code, which may be long. Our choice. */
const MOST_CHARACTERS = 400;

/** The parts that are there, on one line whatever they hold. */
export function agentLine(...parts: readonly (string | undefined)[]): string {
  const shown = parts.flatMap((part) => (part === undefined || part === '' ? [] : [oneLine(part)]));
  return `${shown.join(' | ')}\n`;
}

function oneLine(text: string): string {
  const clean = visible(text.replace(/\s+/g, ' ').trim());
  return clean.length > MOST_CHARACTERS ? `${clean.slice(0, MOST_CHARACTERS - 1)}…` : clean;
}

/** A word of a command line for POSIX shells; undefined where it cannot be written on one line. */
export function shellWord(text: string): string | undefined {
  if (visible(text) !== text || text.length > MOST_CHARACTERS / 2) return undefined;
  const word = text.startsWith('-') ? `./${text}` : text;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
