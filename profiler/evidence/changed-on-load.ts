// Files that were compiled while they were loaded by something that left no source map: V8's places in them are not the source's. Pure.
import { pathToFileURL } from 'node:url';
import type { CountRecord } from './coverage.ts';

const TYPED = /\.[cm]?ts$/;
/** Node puts this behind a text whose types it has blanked out in place (seen on Node 22, 24 and 26). */
const STRIPPED_MORE: readonly ((file: string) => string)[] = [
  (file) => `\n\n//# sourceURL=${file}`,
  (file) => `\n\n//# sourceURL=${pathToFileURL(file).href}`,
];

/** The outermost range of a script tells how long its text was when it ran. */
export function compiledFiles(counts: readonly CountRecord[], textOf: (file: string) => string | undefined): Set<string> {
  const lengths = new Map<string, number>();
  for (const { file, functions } of counts.flatMap((record) => record.files)) {
    for (const {
      ranges: [whole],
    } of functions)
      if (whole?.start === 0) lengths.set(file, Math.max(lengths.get(file) ?? 0, whole.end));
  }
  return new Set(
    [...lengths]
      .filter(([file, length]) => {
        const text = textOf(file);
        if (text === undefined) return true;
        // Loaders take a byte order mark away.
        const own = text.replace(/^\uFEFF/, '').length;
        return length !== own && !(TYPED.test(file) && STRIPPED_MORE.some((more) => length === own + more(file).length));
      })
      .map(([file]) => file),
  );
}

const MOST_NAMED = 3;

export function compiledSentence(files: readonly string[]): string {
  const named = files.slice(0, MOST_NAMED).join(', ');
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : '';
  return `${named}${more} ${files.length === 1 ? 'was' : 'were'} compiled while loading, and the code that ran differs from the source. V8 data for ${files.length === 1 ? 'it' : 'them'} cannot be mapped to source locations and is omitted.`;
}
