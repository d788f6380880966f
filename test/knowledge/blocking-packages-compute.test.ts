// What rows of calls that compute say of their time is what was measured, and what took less than a millisecond is no row.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { findBlockingCall, findBlockingMethods } from '../../knowledge/blocking-calls.ts';
import { COMPUTING_CALLS, COMPUTING_MS } from '../../knowledge/blocking-packages-compute.ts';
import { ROOT } from '../../scripts/generate.ts';

interface Measured {
  rows: Record<string, Record<string, { first: number; each: number }>>;
  blocks: Record<string, Record<string, { longest: number }>>;
}

const { rows, blocks } = JSON.parse(readFileSync(join(ROOT, 'bench', 'results', 'blocking-packages.json'), 'utf8')) as Measured;
/** Least worth a hint, and least worth a warning, in ms. */
const HINT_MS = 1;
const WARNING_MS = 5;

const eachOf = (name: string): number[] => Object.values(rows[name] ?? {}).map(({ each }) => each);

it('the figures are those of the measurement, on the fastest and the slowest Node', () => {
  for (const [name, quoted] of Object.entries(COMPUTING_MS)) {
    assert.ok(eachOf(name).length >= 3, `${name} was not measured`);
    assert.deepEqual(quoted, [Math.min(...eachOf(name)), Math.max(...eachOf(name))], name);
  }
});

it('what is a row takes a millisecond with the largest text, and what warns takes several with the smallest', () => {
  const isSlow = (name: string): void => assert.ok(Math.min(...eachOf(name)) >= HINT_MS, `${name}: ${eachOf(name).join(', ')} ms`);
  for (const name of [
    'cheerio.load, 100 KB',
    'DOMPurify.sanitize, 10 KB',
    'isomorphic-dompurify.sanitize, 10 KB',
    'handlebars.compile and first call, mail of 20 KB',
    'shiki codeToHtml, 2 KB',
    'hljs.highlightAuto of lib/common, 2 KB',
    'markdown-it.render with hljs.highlight, 20 KB',
    'linkedom.parseHTML, 100 KB',
    'html-to-text.convert, 20 KB',
    'csv-parse, 100 KB',
    'csv-parse 4, 100 KB',
    'yaml.parse, 20 KB',
    'Jimp#composite of jimp 0.22, 200 × 200',
    'MessageMedia.fromFilePath, 16 MB',
    'turndown, 20 KB',
    'node-html-parser.parse, 100 KB',
    'XMLParser#parse of fast-xml-parser, 20 KB',
    'xml-js.xml2js, 20 KB',
    'xml-js.xml2json, 20 KB',
    'xml2js.parseString, 20 KB',
    'mjml, 2 sections',
    'fuse.js search, 100 items',
    'MiniSearch#addAll, 1,000 items',
    'Jimp.read, PNG of 256 × 256',
    'adm-zip getData, 1 MB',
    'adm-zip readAsText, 1 MB',
    'gifenc.quantize, 400 × 300',
    'gifenc.applyPalette, 400 × 300',
    'GIFEncoder#writeFrame of gifenc, 400 × 300',
    'Context#evalSync, a loop of 10 million',
    'json2xls, 100 rows',
    'xlsx-to-json, 100 rows',
    'xls-to-json-lc, 100 rows',
    'xlsx sheet_to_json, 1,000 rows',
    'xlsx json_to_sheet, 1,000 rows',
    'xlsx aoa_to_sheet, 1,000 rows',
    'json2csv of json-2-csv, 1,000 rows',
    'csv2json of json-2-csv, 100 rows',
    'png-chunks-encode, 400 × 200',
  ])
    isSlow(name);
  for (const name of [
    'bcryptjs.hashSync, cost 10',
    'new JSDOM, 1 KB',
    'hljs.highlightAuto, 300 bytes',
    'canvas.toBuffer, PNG of 400 × 200',
    'Jimp#resize of jimp 0.22, 512 × 512 to 256 × 256',
    'Jimp#getBuffer, PNG of 256 × 256',
    'Jimp#getBufferAsync of jimp 0.22, PNG of 256 × 256',
    'gifencoder addFrame, 400 × 300',
    'gif-encoder-2 addFrame, 400 × 300',
    'jsqr, 400 × 300',
    'xlsx-to-json-lc, 100 rows',
  ])
    assert.ok(Math.min(...eachOf(name)) >= WARNING_MS, `${name}: ${eachOf(name).join(', ')} ms`);
  assert.ok(Math.max(...eachOf('bcryptjs.hashSync, cost 5')) < WARNING_MS);
});

it('what takes less is no row', () => {
  for (const name of [
    'hljs.highlight, 300 bytes',
    'Isolate#createContextSync',
    'Isolate#compileScriptSync, 20 KB',
    'Reference#setSync',
    'Prism.highlight, 2 KB',
    'Papa.parse, 20 KB',
    'js-yaml.load, 5 KB',
    'jsonwebtoken.sign, RS256 with 2048 bits',
    'jsonwebtoken.verify, RS256 with a PEM of 2048 bits',
    'sanitize-html, 1 KB',
    'XMLBuilder#build of fast-xml-parser, 20 KB',
    'json2csv of json-2-csv 4, 1,000 rows',
    'json2csv.parse, 1,000 rows',
    'Parser#parse of @json2csv/plainjs, 1,000 rows',
    'svg-captcha create',
    'svg-captcha createMathExpr',
  ])
    assert.ok(Math.max(...eachOf(name)) < HINT_MS, `${name}: ${eachOf(name).join(', ')} ms`);
  assert.equal(findBlockingCall('highlight.js', ['highlight']), undefined);
  assert.equal(findBlockingCall('prismjs', ['highlight']), undefined);
  assert.equal(findBlockingCall('papaparse', ['parse']), undefined);
  assert.equal(findBlockingCall('js-yaml', ['load']), undefined);
  assert.equal(findBlockingCall('jsonwebtoken', ['sign']), undefined);
  assert.equal(findBlockingCall('sanitize-html', []), undefined);
  assert.equal(findBlockingCall('json2csv', ['parse']), undefined);
  assert.equal(findBlockingCall('svg-captcha', ['create']), undefined);
  assert.deepEqual(
    ['createContextSync', 'compileScriptSync', 'setSync', 'build', 'getImageData', 'getEntries'].flatMap(findBlockingMethods),
    [],
  );
});

it('the promise and callback forms of bcryptjs block for as long as all hashes of the moment take, those of bcrypt do not', () => {
  for (const [version, { longest }] of Object.entries(blocks['bcryptjs.hash, promise, cost 10, 4 at a time'] ?? {})) {
    const native = blocks['bcrypt.hash, promise, cost 10, 4 at a time']?.[version]?.longest ?? Infinity;
    const alone = rows['bcryptjs.hashSync, cost 10']?.[version]?.each ?? Infinity;
    assert.ok(longest > 2 * alone, `Node ${version}: ${longest} ms for four, ${alone} ms for one`);
    assert.ok(longest > 3 * native, `Node ${version}: ${longest} ms, ${native} ms with bcrypt`);
  }
});

it('evalSync of isolated-vm blocks the event loop while its code runs, and eval does not', () => {
  for (const [version, { longest }] of Object.entries(blocks['Context#evalSync, a loop of 30 million, 1 at a time'] ?? {})) {
    const other = blocks['Context#eval, the same, promise, 1 at a time']?.[version]?.longest ?? Infinity;
    assert.ok(longest > 10 * other, `Node ${version}: ${longest} ms, ${other} ms`);
  }
});

it('encode of a canvas leaves the event loop alone, and toBuffer does not', () => {
  for (const [version, { longest }] of Object.entries(blocks['canvas.toBuffer, PNG of 1200 × 630, 1 at a time'] ?? {})) {
    const other = blocks['canvas.encode, the same, promise, 1 at a time']?.[version]?.longest ?? Infinity;
    assert.ok(longest > 3 * other, `Node ${version}: ${longest} ms, ${other} ms`);
  }
});

it('every row says what to do', () => {
  for (const { module, path, asyncForm } of COMPUTING_CALLS)
    assert.ok(path[0] === 'genSaltSync' || (asyncForm.kind === 'none' && asyncForm.remedy !== undefined), [module, ...path].join('.'));
});
