// Unicode's tables in the bundle of what asks about expressions, in a shorter form: they were a tenth of the .vsix.
import type { Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';

interface Range {
  min: number;
  max: number;
}

/** A list of ranges of code points, as `refa` has them. */
const LISTED = /JSON\.parse\('(\[\{"min":\d+,"max":\d+\}(?:,\{"min":\d+,"max":\d+\})*\])'\)/g;

/** Reads what `shortened` has written, as `READ` does in the bundle. */
export function rangesOf(text: string): Range[] {
  const numbers = text.split(' ');
  const ranges: Range[] = [];
  let at = 0;
  for (let i = 0; i < numbers.length; i += 2) {
    const min = at + Number.parseInt(numbers[i] as string, 36);
    at = min + Number.parseInt(numbers[i + 1] as string, 36);
    ranges.push({ min, max: at });
  }
  return ranges;
}

/** Each number is the distance from the one before it, to the base 36. */
export function shortened(ranges: readonly Range[]): string {
  let at = 0;
  return ranges
    .map(({ min, max }) => {
      const text = `${(min - at).toString(36)} ${(max - min).toString(36)}`;
      at = max;
      return text;
    })
    .join(' ');
}

const READ = `const nodometerRanges = (text) => {
  const numbers = text.split(' ');
  const ranges = [];
  for (let i = 0, at = 0; i < numbers.length; i += 2) {
    const min = at + parseInt(numbers[i], 36);
    at = min + parseInt(numbers[i + 1], 36);
    ranges.push({ min, max: at });
  }
  return ranges;
};
`;

/** @throws {Error} if a package has another form of these tables by now, or one of them cannot be told again */
export function withShortRanges(text: string): string {
  let count = 0;
  const short = text.replace(LISTED, (_, list: string) => {
    count += 1;
    const code = shortened(JSON.parse(list) as Range[]);
    if (JSON.stringify(rangesOf(code)) !== list) throw new Error(`ranges that cannot be told shorter: ${list.slice(0, 100)}`);
    return `nodometerRanges('${code}')`;
  });
  if (count === 0) throw new Error('refa holds no ranges of code points in JSON: see scripts/short-ranges.ts');
  const [, directive = ''] = /^("use strict";)?/.exec(short) ?? [];
  return directive + READ + short.slice(directive.length);
}

export const SHORT_RANGES: Plugin = {
  name: 'short ranges',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]refa[\\/]index\.js$/ }, async ({ path }) => ({
      contents: withShortRanges(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};
