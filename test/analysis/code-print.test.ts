// Prints of code: the same before and after Prettier, another for other code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import prettier from 'prettier';
import { CodePrints } from '../../analysis/run/code-print.ts';

/** The prints of a place that is marked with «…». */
function printOf(marked: string, file = '/p/a.ts'): { code: string; around: string } {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  assert.ok(start >= 0 && end > start);
  return new CodePrints(file, marked.replace(/[«»]/g, '')).of({ start, end });
}

const LONG = [
  "export async function load(req, res) { return «fs.readFileSync('a very long name of a file' + req.params.name, {'encoding': 'utf8', flag:'r'})» }",
  'const f = async x => { if (x.a && (x.b && x.c)) {;} «call(/x/mig, [1,2,3,], `a ${x} b`, {"a-b": 1, "c": 2, async d(){ return x?.y }})» }',
  'class A { "m"(x: (string)) : void { «while (x !== "a" || (x || (y)))» { next( ) } } }',
  "«app.get('/users/:id', (req,res)=>{ res.send(render(req)) })»",
  "const [a,,b] = «make(function(){ 'use strict'; return (1, 0XFF) }, async y=>y, new (foo())(1e10), 0.50)»",
];

for (const text of LONG) {
  test(`Prettier does not change the print of ${text.slice(0, 60)}`, async () => {
    const [before, inside = '', after] = text.split(/[«»]/);
    // Found again by its first word, which formatting does not change.
    const formatted = await prettier.format(`${before}${inside}${after}`, { parser: 'typescript', printWidth: 40, singleQuote: false });
    assert.notEqual(formatted, text.replace(/[«»]/g, ''));
    const word = /^\w+/.exec(inside)?.[0] ?? '';
    const start = formatted.indexOf(word);
    const end = inside.startsWith('while') ? formatted.indexOf('{', start) : endOfCall(formatted, start);
    const is = new CodePrints('/p/a.ts', formatted).of({ start, end });
    const was = printOf(text);
    assert.deepEqual(is, was);
    assert.notEqual(was.code, '');
  });
}

/** Behind the bracket that closes the first one. The texts have no brackets in strings. */
function endOfCall(text: string, start: number): number {
  let depth = 0;
  for (let i = text.indexOf('(', start); i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i + 1;
  }
  throw new Error('no end');
}

test('other code has another print', () => {
  const texts = [
    'f(a)',
    'f(b)',
    'f("a")',
    'f("a ")',
    'f(`a`)',
    'f(a, b)',
    'f([a, b])',
    'f(a.b)',
    'f(a[b])',
    'f(a?.b)',
    'f(!a)',
    'f(-a)',
    'f(1)',
    'f("1")',
    'f(1n)',
    'f(/a/)',
    'f(/a/g)',
    'f({ a })',
    'f({ [a]: a })',
    'f(a && b)',
    'f(a || b)',
    'f((a && b) || c)',
    'f(a && (b || c))',
    'await f(a)',
    'new f(a)',
    'f(async () => a)',
    'f(() => a)',
    'f([,])',
    'f([, a])',
    'f([a,, ])',
  ];
  assert.equal(new Set(texts.map((text) => printOf(`«${text}»`).code)).size, texts.length);
});

test('the function around counts apart from the place', () => {
  const one = printOf('function a() { b(); «c()» }');
  const other = printOf('function a() { b(1); «c()» }');
  assert.equal(one.code, other.code);
  assert.notEqual(one.around, other.around);
  assert.equal(printOf('// moved\n\nfunction   a() { /* why */ b(); «c()» }').around, one.around);
});

test('a keyword alone has the print of its statement', () => {
  const [one, other] = [printOf('«try» { a() } catch { b() }').code, printOf('«for» (;;) b()').code];
  assert.notEqual(one, '');
  assert.notEqual(one, other);
});

test('other texts count without white space and quotation marks', () => {
  assert.deepEqual(printOf('a: «"node  x"»', '/p/a.yaml'), printOf("a:   «'node x'»", '/p/a.yaml'));
  assert.notDeepEqual(printOf('a: «node x»', '/p/a.yaml'), printOf('a: «node y»', '/p/a.yaml'));
});
