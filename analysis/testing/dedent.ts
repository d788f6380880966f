// Multi-line texts as they are read: `dedent` removes the line breaks around them and the indentation that all lines share.

/** Stands for a value while the indentation is determined. No test text contains it. */
const VALUE = '\u0000';

/**
 * A multi-line text. It starts on the line after the opening backtick and ends on the line before the closing one. A blank line at the end
 * is its last line break. Values are inserted unchanged, even if they have several lines.
 */
export function dedent(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  const lines = strings.join(VALUE).split('\n').slice(1, -1);
  const indentation = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length));
  const pieces = lines
    .map((line) => line.slice(indentation))
    .join('\n')
    .split(VALUE);
  return pieces.map((piece, i) => (i === 0 ? piece : `${values[i - 1]}${piece}`)).join('');
}
