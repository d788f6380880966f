// Characters that editors, merges and other systems leave behind, put into programs at every kind of place.
import type { OddCase } from '../child.ts';
import { randomProgram } from '../programs.ts';
import { Random } from '../random.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const CHANGES: readonly [name: string, change: (text: string, random: Random) => string][] = [
  ['CRLF', (text) => text.replace(/\r?\n/g, '\r\n')],
  ['lone CR', (text) => text.replace(/\r?\n/g, '\r')],
  ['mixed line breaks', (text, random) => text.replace(/\r?\n/g, () => random.pick(['\n', '\r', '\r\n', '\u2028', '\u2029']))],
  ['U+2028 for spaces', (text) => text.replaceAll(' ', '\u2028')],
  ['byte order mark', (text) => `\uFEFF${text}`],
  ['two byte order marks', (text) => `\uFEFF\uFEFF${text}`],
  ['byte order marks everywhere', (text) => text.replaceAll(' ', ' \uFEFF')],
  ['a NUL byte at the start', (text) => `\0${text}`],
  ['a NUL byte at the end', (text) => `${text}\0`],
  ['NUL bytes in place of spaces', (text) => text.replaceAll(' ', '\0')],
  ['a NUL byte in a string', (text) => `${text};'\0';`],
  ['NUL bytes between all characters, as in UTF-16', (text) => [...text].join('\0')],
  [
    'lone surrogates in strings',
    (text) => dedent`
    ${text}
    var odd = '�', odder = \`�\`; // �

  `,
  ],
  ['astral characters', (text) => `/* 😀 */ const 𝒳 = '😀'; ${text}`],
  ['zero-width and bidirectional marks in comments', (text) => `/* \u200B\u202E\u2066 */${text}// \u202E`],
  ['no-break and other spaces', (text) => text.replaceAll(' ', '\u00A0')],
  ['form feeds and vertical tabs', (text) => text.replaceAll('\n', '\n\f\v')],
  ['replacement characters', (text) => `${text}\uFFFD`],
  ['no line break at the end', (text) => text.trimEnd()],
  ['only white space after it', (text) => `${text}${' \n'.repeat(2000)}`],
  ['a very long line', (text) => `${text};var long='${'x'.repeat(100_000)}';${text.replace(/\s+/g, ' ')}`],
  ['end of file in a comment', (text) => `${text}/* `],
  ['end of file in a template', (text) => `${text}\`\${`],
  [
    'a conflict left in',
    (text) => dedent`
    <<<<<<< ours
    ${text}
    =======
    ${text}
    >>>>>>> theirs

  `,
  ],
  [
    'a shebang in the middle',
    (text) => dedent`
    ${text}
    #!/usr/bin/env node
    ${text}
  `,
  ],
];

export function* cases([count = '8']: readonly string[]): Generator<OddCase> {
  for (const [name, change] of CHANGES) {
    for (let seed = 0; seed < Number(count); seed++) {
      const random = new Random(7000 + seed);
      const dialect = seed % 2 === 0 ? 'js' : 'ts';
      yield {
        name: `${name}, program ${seed}`,
        file: `/project/src/app.${dialect}`,
        text: change(randomProgram(random, dialect, 4), random),
      };
    }
  }
  for (const text of [
    '',
    ' ',
    '\n',
    '\0',
    '\uFEFF',
    '\r',
    ';',
    '//',
    '/*',
    '#!',
    '#!/usr/bin/env node',
    '<!--',
    '-->',
    '"use strict"',
    "'",
    '`',
    '\\',
    '\\u',
    '@',
    '#',
    '{',
    '}',
    '(',
    ')',
    '=>',
    '...',
    '?.',
    '/',
    '//\u2028',
    '<div',
    '</',
    '\uD83D',
    '\u2028'.repeat(1000),
    '\0'.repeat(1000),
    '('.repeat(50) + ')'.repeat(50),
  ]) {
    for (const ending of ['js', 'ts', 'tsx', 'mjs', 'cts'])
      yield { name: `${JSON.stringify(text.slice(0, 20))} as ${ending}`, file: `/project/src/a.${ending}`, text };
  }
}
