// Texts of several lines, written as they are read: `dedent` takes away the line breaks around them and the indentation that all lines share.

/** Stands for a value while the indentation is worked out; no text of a test holds it. */
const VALUE = '\u0000';

/**
 * A text of several lines. It begins on the line after the opening backtick and ends on the line before the closing one; a blank line at its end
 * is its last line break. Values are put in as they are, whatever lines they have.
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
