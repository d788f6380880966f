// V8 tells an inline cache's line and column by the frame that it is in, and where code was optimized, with others taken into it, that may
// be a place of another
// function, or of none (seen on Node 20: `.size`, in the middle of a loop's head). Such a place never became what it is: it is megamorphic
// from the first. Pure.
import type { InlineCache } from '../../protocol/evidence.ts';

/** `textOf`: what runs. */
export function withoutMisplaced(caches: readonly InlineCache[], textOf: (file: string) => string | undefined): InlineCache[] {
  const lines = new Map<string, readonly string[]>();
  const hasName = ({ place: { file, line, column }, property }: InlineCache): boolean => {
    let known = lines.get(file);
    if (!known) lines.set(file, (known = (textOf(file) ?? '').split(/\r\n|[\n\r\u2028\u2029]/)));
    return known[line - 1]?.startsWith(property, column - 1) === true;
  };
  return caches.filter((cache) => cache.property === '' || cache.misses === 0 || cache.misses > cache.megamorphicMisses || hasName(cache));
}
