// Findings as diagnostics: places by the protocol's own lines, related places in other files, what clients understand.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding } from '../../protocol/finding.ts';
import { Source } from '../../analysis/module/source.ts';
import { messageOf, toDiagnostic, toDiagnostics, type ConvertContext } from '../../server/shared/convert.ts';
import { caseTexts, lintReal, sampleScripts } from './texts.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const ALL = { relatedInformation: true, codeDescription: true, data: true, unnecessary: true };

function contextOf(text: string, more: Partial<ConvertContext> = {}): ConvertContext {
  return {
    document: TextDocument.create('file:///p/a.js', 'javascript', 1, text),
    abilities: ALL,
    toUri: (path) => `file://${path}`,
    pageOf: (ruleId) => (ruleId.startsWith('no-') ? `file:///docs/${ruleId}.md` : undefined),
    locate: () => undefined,
    ...more,
  };
}

function findingAt(text: string, part: string, more: Partial<Finding> = {}): Finding {
  const start = text.indexOf(part);
  return {
    ruleId: 'no-x',
    messageId: 'x',
    severity: 'warning',
    message: { what: 'What.', why: 'Why.', remedy: 'Remedy.' },
    data: {},
    file: '/p/a.js',
    span: { start, end: start + part.length },
    related: [],
    fixes: [],
    refused: [],
    ...more,
  };
}

describe('a diagnostic', () => {
  it('carries everything that a client can show', () => {
    const text = dedent`
      one();
      block();

    `;
    const finding = findingAt(text, 'block()', {
      severity: 'hint',
      related: [{ span: { start: 0, end: 5 }, message: 'called from here' }],
    });
    assert.deepEqual(toDiagnostic(finding, 3, contextOf(text)), {
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: 7 } },
      severity: 3,
      code: 'no-x',
      source: 'nodometer',
      message: dedent`
        What.
        Why.
        Remedy.
      `,
      codeDescription: { href: 'file:///docs/no-x.md' },
      data: { ruleId: 'no-x', messageId: 'x', index: 3 },
      relatedInformation: [
        {
          location: { uri: 'file:///p/a.js', range: { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } } },
          message: 'called from here',
        },
      ],
    });
  });

  it('has the severities that show in an editor', () => {
    const text = 'x';
    assert.deepEqual(
      (['error', 'warning', 'hint'] as const).map(
        (severity) => toDiagnostic(findingAt(text, 'x', { severity }), 0, contextOf(text)).severity,
      ),
      [1, 2, 3],
    );
  });

  it('leaves out what the client does not know, and writes the call path into the message then', () => {
    const text = dedent`
      one();
      block();

    `;
    const finding = findingAt(text, 'block()', {
      related: [
        { span: { start: 7, end: 8 }, message: 'called from here' },
        { file: '/p/package.json', span: { start: 3, end: 4 }, message: 'the script' },
      ],
    });
    const none = { relatedInformation: false, codeDescription: false, data: false, unnecessary: false };
    assert.deepEqual(
      toDiagnostic(
        finding,
        0,
        contextOf(text, {
          abilities: none,
          locate: (file) =>
            new Source(
              file,
              dedent`
      {

      }
    `,
            ),
        }),
      ),
      {
        range: { start: { line: 1, character: 0 }, end: { line: 1, character: 7 } },
        severity: 2,
        code: 'no-x',
        source: 'nodometer',
        message: dedent`
        What.
        Why.
        Remedy.
        - line 2: called from here
        - package.json:3: the script
      `,
      },
    );
  });

  it('has places in other files by their text, or their start when there is no text', () => {
    const text = 'x';
    const finding = findingAt(text, 'x', {
      related: [
        { file: '/p/package.json', span: { start: 4, end: 8 }, message: 'here' },
        { file: '/p/gone', span: { start: 4, end: 8 }, message: 'there' },
        { file: '/p/a.js', span: { start: 0, end: 1 }, message: 'own' },
      ],
    });
    let reads = 0;
    const context = contextOf(text, {
      locate: (file) => (file === '/p/package.json' ? (reads++, new Source(file, '{\r\n "name": 1 }')) : undefined),
    });
    const places = toDiagnostics([finding, finding], context)[1]?.relatedInformation?.map(
      ({ location: { uri, range } }) => `${uri} ${range.start.line}:${range.start.character}-${range.end.line}:${range.end.character}`,
    );
    assert.deepEqual(places, ['file:///p/package.json 1:1-1:5', 'file:///p/gone 0:0-0:0', 'file:///p/a.js 0:0-0:1']);
    assert.equal(reads, 1);
  });

  it('of an idle comment is shown as unnecessary code, without a page', () => {
    const [finding] = lintReal('/p/a.js', '// nodometer-disable-line\n');
    assert.ok(finding);
    const diagnostic = toDiagnostic(finding, 0, contextOf('// nodometer-disable-line\n'));
    assert.deepEqual([diagnostic.code, diagnostic.tags, diagnostic.codeDescription], ['nodometer-disable', [1], undefined]);
  });
});

describe('places', () => {
  const table: readonly [name: string, text: string, line: number, character: number][] = [
    ['LF', 'a\nblock()', 1, 0],
    ['CRLF', 'a\r\n\r\n  block()', 2, 2],
    ['lone CR', 'a\r\tblock()', 1, 1],
    ['byte order mark', '\uFEFFblock()', 0, 1],
    ['UTF-16, not characters', '"😀é"; block()', 0, 7],
    ['U+2028 and U+2029 are no line breaks here', '"a\u2028b"; /*\u2029*/ block()', 0, 13],
    ['no final line break', 'block()', 0, 0],
  ];
  for (const [name, text, line, character] of table) {
    it(`count ${name}`, () => {
      assert.deepEqual(toDiagnostic(findingAt(text, 'block()'), 0, contextOf(text)).range, {
        start: { line, character },
        end: { line, character: character + 7 },
      });
    });
  }

  it('cover exactly the finding in every sample and case, in every disguise', () => {
    let checked = 0;
    for (const { file, text: original } of [...sampleScripts(), ...caseTexts()]) {
      for (const text of [
        original,
        original.replace(/\r?\n/g, '\r\n'),
        original.startsWith('#!') ? original : `\uFEFF/*😀\u2028*/${original}`,
      ]) {
        const context = contextOf(text);
        const findings = lintReal(file, text);
        toDiagnostics(findings, context).forEach((diagnostic, index) => {
          const finding = findings[index] as Finding;
          assert.equal(context.document.getText(diagnostic.range), text.slice(finding.span.start, finding.span.end));
          assert.equal(diagnostic.message, messageOf(finding));
          finding.related.forEach((related, i) =>
            assert.equal(
              context.document.getText(diagnostic.relatedInformation?.[i]?.location.range),
              text.slice(related.span.start, related.span.end),
            ),
          );
          checked++;
        });
      }
    }
    assert.ok(checked > 300, `only ${checked}`);
  });
});
