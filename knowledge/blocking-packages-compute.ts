// Calls of packages that compute on the thread of the event loop, mostly in every form that they have. Every row was measured with texts as
// long as a request has them (`node bench/blocking-packages/measure.js`), and a test compares the figures with
// bench/results/blocking-packages.json. What took less than 1 ms there is no row: `highlight` of highlight.js with 300 bytes, Prism with 2
// KB, `createContextSync`, `compileScriptSync`, and `setSync` of isolated-vm, `sign` of jsonwebtoken with RS256, 5 KB with js-yaml, 20 KB
// with Papa Parse, 1 KB with sanitize-html, 20 KB from `XMLBuilder`, 1,000 rows with json2csv and @json2csv/plainjs, and `create` and
// `createMathExpr` of svg-captcha but for the first call, which reads a font. Neither is Markdown without highlighting (5 KB took 0.4 to 2 ms),
// `postcss.parse` (20 KB took 0.9 to 4 ms, and style sheets are parsed when a program is built), `getImageData` of a canvas (400 × 300
// pixels took 1.3 to 1.4 ms, and there is no other form), `getEntries` of an archive (100 entries took 1.1 to 1.7 ms), a
// query with node-sql-parser (0.3 to 1.3 ms), `search` of MiniSearch (0.76 to 1.3 ms for 1,000 items), or
// `png-chunks-extract` (1200 × 630 pixels took 1 to 1.3 ms). How long the text is, the call does not show, so what is quick
// with short texts is a hint.
import type { BlockingCall, BlockingCondition, Maker } from './blocking-call.ts';
import { calls, methods, none, promise, type Common } from './blocking-rows.ts';

/** ms of processor time on the fastest and the slowest of Node 20, 22, and 24, by the name of the measurement. */
export const COMPUTING_MS = {
  'bcryptjs.hashSync, cost 10': [72, 73],
  'cheerio.load, 20 KB': [2.4, 4.4],
  'cheerio.load, 100 KB': [6.3, 25],
  'new JSDOM, 1 KB': [9.9, 19],
  'new JSDOM, 100 KB': [86, 120],
  'DOMPurify.sanitize, 1 KB': [2.1, 8],
  'DOMPurify.sanitize, 10 KB': [24, 47],
  'isomorphic-dompurify.sanitize, 1 KB': [2.9, 9.6],
  'isomorphic-dompurify.sanitize, 10 KB': [20, 37],
  'handlebars.compile and first call, 1 line': [0.16, 0.24],
  'handlebars.compile and first call, mail of 20 KB': [26, 45],
  'markdown-it.render with hljs.highlight, 5 KB': [1.7, 5.9],
  'markdown-it.render with hljs.highlight, 20 KB': [9.2, 17],
  'hljs.highlightAuto, 300 bytes': [17, 22],
  'hljs.highlightAuto, 2 KB': [60, 100],
  'hljs.highlightAuto of lib/common, 300 bytes': [4.2, 6],
  'hljs.highlightAuto of lib/common, 2 KB': [12, 15],
  'shiki codeToHtml, 2 KB': [12, 19],
  'canvas.toBuffer, PNG of 400 × 200': [6, 6.2],
  'canvas.toBuffer, PNG of 1200 × 630': [96, 99],
  'canvas.toBuffer, JPEG of 1200 × 630': [8.5, 8.9],
  'Jimp#resize, 512 × 512 to 256 × 256': [7.9, 10],
  'Jimp#getBuffer, PNG of 256 × 256': [6.1, 7.1],
  'Jimp#getBuffer, PNG of 1024 × 1024': [87, 100],
  'Jimp#composite, 200 × 200': [4.7, 7.9],
  'Jimp.read, PNG of 256 × 256': [2.8, 4.8],
  'Jimp.read, PNG of 1024 × 1024': [43, 54],
  'MessageMedia.fromFilePath, 1 MB': [0.22, 0.24],
  'MessageMedia.fromFilePath, 16 MB': [3.5, 16],
  'csv-parse, 20 KB': [0.98, 1.3],
  'csv-parse, 100 KB': [4.3, 5.1],
  'yaml.parse, 5 KB': [5.9, 6.4],
  'yaml.parse, 20 KB': [27, 30],
  'linkedom.parseHTML, 20 KB': [2.5, 7.2],
  'linkedom.parseHTML, 100 KB': [17, 43],
  'html-to-text.convert, 1 KB': [0.46, 1.9],
  'html-to-text.convert, 20 KB': [3.8, 10],
  'turndown, 1 KB': [0.66, 1.1],
  'turndown, 20 KB': [11, 16],
  'node-html-parser.parse, 20 KB': [0.88, 1.4],
  'node-html-parser.parse, 100 KB': [12, 15],
  'XMLParser#parse of fast-xml-parser, 20 KB': [2.9, 4.6],
  'XMLParser#parse of fast-xml-parser, 100 KB': [13, 25],
  'xml-js.xml2js, 20 KB': [1.6, 1.9],
  'xml-js.xml2js, 100 KB': [7, 9.1],
  'xml-js.xml2json, 20 KB': [1.9, 2.5],
  'xml-js.xml2json, 100 KB': [9.1, 12],
  'xml2js.parseString, 20 KB': [1.9, 2.5],
  'xml2js.parseString, 100 KB': [9.5, 11],
  'mjml, 2 sections': [1, 2.4],
  'mjml, 10 sections': [7.2, 16],
  'fuse.js search, 100 items': [1.1, 1.2],
  'fuse.js search, 1,000 items': [13, 14],
  'MiniSearch#addAll, 100 items': [0.29, 0.36],
  'MiniSearch#addAll, 1,000 items': [3.7, 6],
  'adm-zip getData, 100 KB': [0.34, 0.5],
  'adm-zip getData, 1 MB': [3.2, 3.7],
  'gifenc.quantize, 400 × 300': [2.8, 2.9],
  'gifenc.quantize of a photo, 400 × 300': [29, 30],
  'gifenc.applyPalette, 400 × 300': [1.4, 1.5],
  'gifenc.applyPalette, 800 × 600': [3.2, 3.6],
  'GIFEncoder#writeFrame of gifenc, 400 × 300': [1.2, 1.3],
  'GIFEncoder#writeFrame of gifenc, 800 × 600': [4.1, 4.7],
  'gifencoder addFrame, 400 × 300': [25, 32],
  'gifencoder addFrame, 800 × 600': [90, 120],
  'gif-encoder-2 addFrame, 400 × 300': [25, 35],
  'gif-encoder-2 addFrame, 800 × 600': [94, 130],
  'jsqr, 400 × 300': [11, 13],
  'jsqr, 1200 × 900': [87, 94],
  'json2xls, 100 rows': [4.3, 5.7],
  'json2xls, 1,000 rows': [29, 34],
  'xlsx-to-json-lc, 100 rows': [7.6, 12],
  'xlsx-to-json-lc, 1,000 rows': [35, 37],
  'xlsx-to-json, 100 rows': [3.5, 8.8],
  'xlsx-to-json, 1,000 rows': [27, 31],
  'xls-to-json-lc, 100 rows': [2.5, 4.5],
  'xls-to-json-lc, 1,000 rows': [21, 38],
  'xlsx sheet_to_json, 100 rows': [0.069, 0.079],
  'xlsx sheet_to_json, 1,000 rows': [5, 5.9],
  'xlsx json_to_sheet, 100 rows': [0.15, 0.23],
  'xlsx json_to_sheet, 1,000 rows': [3.8, 4.9],
  'xlsx aoa_to_sheet, 100 rows': [0.076, 0.087],
  'xlsx aoa_to_sheet, 1,000 rows': [2.7, 3.3],
  'json2csv of json-2-csv, 100 rows': [0.27, 0.33],
  'json2csv of json-2-csv, 1,000 rows': [3, 3.5],
  'csv2json of json-2-csv, 100 rows': [3.4, 4.3],
  'csv2json of json-2-csv, 1,000 rows': [38, 66],
  'png-chunks-encode, 400 × 200': [2.2, 2.3],
  'png-chunks-encode, 1200 × 630': [9.4, 10],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

const ms = (name: keyof typeof COMPUTING_MS): string => {
  const [least, most] = COMPUTING_MS[name];
  return least === most ? `${least} ms` : `${least} to ${most} ms`;
};
/** `20 KB takes 2 to 4 ms, 100 KB 6 to 25 ms (Node 20 to 24).` */
const sizes = (call: string, small: string, large: string): string =>
  `${capital(small)} takes ${ms(`${call}, ${small}` as keyof typeof COMPUTING_MS)}, ${large} ${ms(`${call}, ${large}` as keyof typeof COMPUTING_MS)} (Node 20 to 24).`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** `400 × 300 pixels take 60 ms, 800 × 600 200 ms (Node 20 to 24).` */
const several = (call: string, small: string, large: string, things = ''): string =>
  sizes(call, small, large).replace(' takes ', ` ${things}${things && ' '}take `);

/** Of an entry of an archive, and of tables with eight columns: blocking-packages-archive.ts. */
export const UNCOMPRESSED = sizes('adm-zip getData', '100 KB', '1 MB');
export const rowsTake = (call: string): string => several(call, '100 rows', '1,000 rows');

// ---- passwords -------------------------------------------------------------------------------------------------------------

const BCRYPTJS: Common = { module: 'bcryptjs', category: 'crypto', cost: 'cpu', source: 'bcryptjs@3.0.3 index.js' };

// Plain JavaScript. The promise and callback forms compute on the same thread, and end their turn after 100 ms (MAX_EXECUTION_TIME). The
// slices of several hashes run in the same turn: four at a time blocked the event loop for about four times as long as one. The package
// bcrypt (6.0.0) compares the hashes that bcryptjs 2.4.3 and 3.0.3 make.
const useBcrypt = (name: string, note = ''): ReturnType<typeof none> =>
  none(
    'every form of bcryptjs computes on this thread; the bcrypt package hashes on the thread pool',
    `Use \`${name}\` of the package \`bcrypt\`, which runs on the thread pool and accepts the same hashes, or \`crypto.scrypt\` for new ones.${note}`,
  );
const NO_PROMISE = ' The promise form of bcryptjs computes on this thread, too, in slices of 100 ms.';
const SLICES = 'the computation ends or has taken 100 ms';
const TOOK_COST_10 = `At cost 10, a hash takes ${ms('bcryptjs.hashSync, cost 10')} (Node 20 to 24).`;
const TOOK_SLICES = `Its promise and callback forms compute on this thread, too. ${TOOK_COST_10}`;
// Rounds double with each step of the cost.
const LOW_COST = { argument: 1, oneOf: ['4', '5', '6'], level: 'hint' } as const;

const PASSWORDS: readonly BlockingCall[] = [
  ...calls(BCRYPTJS, { hashSync: useBcrypt('hash', NO_PROMISE), compareSync: useBcrypt('compare', NO_PROMISE) }).map(
    (row): BlockingCall => ({ ...row, took: TOOK_COST_10 }),
  ),
  ...calls(BCRYPTJS, { hash: useBcrypt('hash'), compare: useBcrypt('compare') }).map(
    (row): BlockingCall => ({ ...row, isLater: true, waitsFor: SLICES, took: TOOK_SLICES }),
  ),
  // A salt is sixteen random bytes: microseconds.
  ...calls(BCRYPTJS, { genSaltSync: promise('bcryptjs', 'genSalt') }).map((row): BlockingCall => ({ ...row, level: 'hint' })),
].map((row): BlockingCall => (row.path[0]?.startsWith('hash') ? { ...row, cheaper: LOW_COST } : row));

// ---- pages -----------------------------------------------------------------------------------------------------------------

const IN_A_WORKER = none('it has no form that computes elsewhere', 'Limit the size of what is parsed, or parse it in a worker thread.');
/** A text of the file itself is short, or was chosen with care. */
const CHANGING: BlockingCondition = { changingText: 0 };
const WINDOWS: readonly Maker[] = [{ path: [], by: 'call' }];
const SANITIZE = none(
  'it has no form that computes elsewhere',
  'Limit the size of what is sanitized, sanitize it once, when it is stored, or do it in a worker thread.',
);

const CONVERT = none(
  'it has no form that computes elsewhere',
  'Limit the size of what is converted, convert it once, when it is stored, or do it in a worker thread.',
);
const NEW_OR_CALL: readonly Maker[] = [
  { path: [], by: 'new' },
  { path: [], by: 'call' },
];

const PAGES: readonly BlockingCall[] = [
  ...calls(
    { module: 'cheerio', category: 'parse', cost: 'cpu', source: 'cheerio@1.2.0 dist/commonjs/load-parse.js' },
    { load: IN_A_WORKER },
  ).map((row): BlockingCall => ({ ...row, level: 'hint', when: CHANGING, took: sizes('cheerio.load', '20 KB', '100 KB') })),
  // A window for DOMPurify, of an empty page, is told by no-setup-per-request.
  ...calls({ module: 'jsdom', category: 'parse', cost: 'cpu', source: 'jsdom@29.1.1 lib/api.js' }, { JSDOM: IN_A_WORKER }).map(
    (row): BlockingCall => ({ ...row, by: 'new', when: CHANGING, took: sizes('new JSDOM', '1 KB', '100 KB') }),
  ),
  ...methods(
    {
      module: 'dompurify',
      className: 'DOMPurify',
      madeBy: WINDOWS,
      category: 'parse',
      cost: 'cpu',
      source: 'dompurify@3.4.18 dist/purify.cjs.js',
    },
    { sanitize: SANITIZE },
  ).map((row): BlockingCall => ({ ...row, level: 'hint', when: CHANGING, took: sizes('DOMPurify.sanitize', '1 KB', '10 KB') })),
  ...calls(
    { module: 'isomorphic-dompurify', category: 'parse', cost: 'cpu', source: 'isomorphic-dompurify@3.19.0 dist/index.js' },
    { sanitize: SANITIZE },
  ).map((row): BlockingCall => ({ ...row, level: 'hint', when: CHANGING, took: sizes('isomorphic-dompurify.sanitize', '1 KB', '10 KB') })),
  ...calls({ module: 'linkedom', category: 'parse', cost: 'cpu', source: 'linkedom@0.18.15 cjs/index.js' }, { parseHTML: IN_A_WORKER }).map(
    (row): BlockingCall => ({ ...row, level: 'hint', when: CHANGING, took: sizes('linkedom.parseHTML', '20 KB', '100 KB') }),
  ),
  ...calls(
    { module: 'html-to-text', category: 'parse', cost: 'cpu', source: 'html-to-text@10.0.1 lib/html-to-text.cjs' },
    { convert: IN_A_WORKER, htmlToText: IN_A_WORKER },
  ).map((row): BlockingCall => ({ ...row, level: 'hint', when: CHANGING, took: sizes('html-to-text.convert', '1 KB', '20 KB') })),
  ...methods(
    {
      module: 'turndown',
      className: 'TurndownService',
      madeBy: NEW_OR_CALL,
      category: 'parse',
      cost: 'cpu',
      source: 'turndown@7.2.5 lib/turndown.cjs.js',
    },
    { turndown: CONVERT },
  ).map((row): BlockingCall => ({ ...row, level: 'hint', when: CHANGING, took: sizes('turndown', '1 KB', '20 KB') })),
  // The default export is the same function.
  ...calls(
    { module: 'node-html-parser', category: 'parse', cost: 'cpu', source: 'node-html-parser@9.0.7 dist/index.mjs' },
    { parse: IN_A_WORKER, '': IN_A_WORKER },
  ).map((row): BlockingCall => ({ ...row, level: 'hint', when: CHANGING, took: sizes('node-html-parser.parse', '20 KB', '100 KB') })),
];

// ---- data ------------------------------------------------------------------------------------------------------------------

const IN_CHUNKS = none('the stream form of the package works in chunks', 'Use the stream form of the package, which works in chunks.');
const csv = (module: string, name: string, source: string): readonly BlockingCall[] =>
  calls({ module, category: 'parse', cost: 'cpu', source }, { [name]: IN_CHUNKS });

const DATA: readonly BlockingCall[] = [
  ...csv('csv-parse/sync', 'parse', 'csv-parse@7.0.3 lib/sync.js'),
  ...csv('csv-parse/lib/sync', '', 'csv-parse@4.16.3 lib/sync.js'),
  ...calls({ module: 'yaml', category: 'parse', cost: 'cpu', source: 'yaml@2.9.1 dist/public-api.js' }, { parse: IN_A_WORKER }),
].map((row): BlockingCall => {
  const [call, small, large] =
    row.module === 'yaml' ? (['yaml.parse', '5 KB', '20 KB'] as const) : (['csv-parse', '20 KB', '100 KB'] as const);
  return { ...row, level: 'hint', when: CHANGING, took: sizes(call, small, large) };
});

// ---- XML -------------------------------------------------------------------------------------------------------------------

const XML2JS: Common = { module: 'xml2js', category: 'parse', cost: 'cpu', source: 'xml2js@0.6.2 lib/parser.js' };
// It calls back, or resolves its promise, in the turn in which it was called. With the option, it parses a chunk (`chunkSize`) in a turn.
const IN_TURNS = none(
  'it parses the whole text before it calls back',
  'Pass the option `async: true`, with which it parses 10,000 characters in a turn of the event loop.',
);
const XML2JS_FORMS = { parseString: IN_TURNS, parseStringPromise: IN_TURNS };
const XML2JS_PARSERS: readonly Maker[] = [{ path: ['Parser'], by: 'new', without: 'async' }];

/** Texts only: what is built is as large as the program makes it. */
const XML: readonly BlockingCall[] = [
  ...methods(
    {
      module: 'fast-xml-parser',
      className: 'XMLParser',
      madeBy: [{ path: ['XMLParser'], by: 'new' }],
      category: 'parse',
      cost: 'cpu',
      source: 'fast-xml-parser@5.12.1 src/xmlparser/XMLParser.js',
    },
    { parse: IN_A_WORKER },
  ).map((row): BlockingCall => ({ ...row, when: CHANGING, took: sizes('XMLParser#parse of fast-xml-parser', '20 KB', '100 KB') })),
  ...['xml2js', 'xml2json'].flatMap((name) =>
    calls({ module: 'xml-js', category: 'parse', cost: 'cpu', source: `xml-js@1.6.11 lib/${name}.js` }, { [name]: IN_A_WORKER }).map(
      (row): BlockingCall => ({ ...row, when: CHANGING, took: sizes(`xml-js.${name}`, '20 KB', '100 KB') }),
    ),
  ),
  ...[...calls(XML2JS, XML2JS_FORMS), ...methods({ ...XML2JS, className: 'Parser', madeBy: XML2JS_PARSERS }, XML2JS_FORMS)].map(
    (row): BlockingCall => ({
      ...row,
      when: { changingText: 0, unlessOption: 'async' },
      took: `Its callback and promise forms compute on this thread, too. ${sizes('xml2js.parseString', '20 KB', '100 KB')}`,
    }),
  ),
].map((row): BlockingCall => ({ ...row, level: 'hint' }));

// ---- searches --------------------------------------------------------------------------------------------------------------

/** In a list that was loaded for the search: one that the file shows is short. */
const SEARCHES: readonly BlockingCall[] = methods(
  {
    module: 'fuse.js',
    className: 'Fuse',
    madeBy: [{ path: [], by: 'new', changing: 0 }],
    category: 'parse',
    cost: 'cpu',
    source: 'fuse.js@7.5.0 dist/fuse.mjs',
  },
  {
    search: none(
      'it compares the text with each item',
      'Let the database search, limit the number of items, or search in a worker thread.',
    ),
  },
).map((row): BlockingCall => ({ ...row, level: 'hint', when: CHANGING, took: several('fuse.js search', '100 items', '1,000 items') }));

const INDEXED: readonly BlockingCall[] = methods(
  {
    module: 'minisearch',
    className: 'MiniSearch',
    madeBy: [{ path: [], by: 'new' }],
    category: 'parse',
    cost: 'cpu',
    source: 'minisearch@7.2.0 dist/cjs/index.cjs',
  },
  {
    addAll: none(
      '`addAllAsync` indexes on the same thread, ten items at a time',
      'Use `addAllAsync`, which lets others in after ten items, or index the list when it changes.',
    ),
  },
).map((row): BlockingCall => ({ ...row, level: 'hint', took: several('MiniSearch#addAll', '100 items', '1,000 items') }));

// ---- templates and Markdown ------------------------------------------------------------------------------------------------

const KEEP_TEMPLATES = none(
  'it has no form that computes elsewhere',
  'Keep what was compiled in a map by the text of the template, and clear it when there are many.',
);
const HANDLEBARS: Common = {
  module: 'handlebars',
  category: 'parse',
  cost: 'cpu',
  source: 'handlebars@4.7.10 dist/cjs/handlebars/compiler/compiler.js',
};
const HIGHLIGHTED: readonly Maker[] = [
  { path: [], by: 'new', option: 'highlight' },
  { path: [], by: 'call', option: 'highlight' },
];
const KEEP_RENDERED = none('it has no form that computes elsewhere', 'Render it once, when it is stored, or keep the result.');
const NAME_LANGUAGES = none(
  'it has no form that computes elsewhere',
  'Name the language (`highlight`), or pass the few languages that are possible.',
);

const TEXTS: readonly BlockingCall[] = [
  // It compiles at the first call of what it returns. A text that never changes is told by no-setup-per-request.
  ...calls(HANDLEBARS, { compile: KEEP_TEMPLATES }),
  ...methods({ ...HANDLEBARS, className: 'Handlebars', madeBy: [{ path: ['create'], by: 'call' }] }, { compile: KEEP_TEMPLATES }),
].map(
  (row): BlockingCall => ({
    ...row,
    level: 'hint',
    isLater: true,
    when: { changingText: 0, unlessKept: true },
    waitsFor: 'the template is compiled, at its first call',
    took: `One line takes ${ms('handlebars.compile and first call, 1 line')}, a mail of 20 KB ${ms('handlebars.compile and first call, mail of 20 KB')} (Node 20 to 24).`,
  }),
);

// Version 4 returns an object, version 5 a promise, which it has computed before it returns.
const MAILS: readonly BlockingCall[] = calls(
  { module: 'mjml', category: 'parse', cost: 'cpu', source: 'mjml@4.18.0 lib/index.js, mjml@5.4.1 lib/index.js' },
  {
    '': none(
      'it has no form that computes elsewhere',
      'Convert the template once, when the program is built or starts, and fill the data into the HTML.',
    ),
  },
).map((row): BlockingCall => ({ ...row, level: 'hint', when: CHANGING, took: several('mjml', '2 sections', '10 sections') }));

const MARKDOWN: readonly BlockingCall[] = [
  ...methods(
    {
      module: 'markdown-it',
      className: 'MarkdownIt',
      madeBy: HIGHLIGHTED,
      category: 'parse',
      cost: 'cpu',
      source: 'markdown-it@15.0.3 dist/markdown-it.cjs.js',
    },
    { render: KEEP_RENDERED },
  ).map(
    (row): BlockingCall => ({
      ...row,
      level: 'hint',
      when: CHANGING,
      took: sizes('markdown-it.render with hljs.highlight', '5 KB', '20 KB'),
    }),
  ),
  // It tries each language that it knows (190, or 36 in lib/common), and compiles their grammars at the first call.
  ...['highlight.js', 'highlight.js/lib/common'].flatMap((module) =>
    calls(
      { module, category: 'parse', cost: 'cpu', source: 'highlight.js@11.12.0 lib/core.js, lib/common.js' },
      { highlightAuto: NAME_LANGUAGES },
    ).map(
      (row): BlockingCall => ({
        ...row,
        level: module === 'highlight.js' ? 'warning' : 'hint',
        when: { noArgument: 1, changingText: 0 },
        took: sizes(module === 'highlight.js' ? 'hljs.highlightAuto' : 'hljs.highlightAuto of lib/common', '300 bytes', '2 KB'),
      }),
    ),
  ),
];

// The grammars are loaded before. Oniguruma runs in WebAssembly, on this thread.
const HIGHLIGHTERS: readonly BlockingCall[] = methods(
  {
    module: 'shiki',
    className: 'Highlighter',
    madeBy: ['createHighlighter', 'getSingletonHighlighter'].map((name): Maker => ({ path: [name], by: 'call' })),
    category: 'parse',
    cost: 'cpu',
    source: 'shiki@4.6.0 dist/index.mjs, dist/bundle-full.mjs',
  },
  { codeToHtml: KEEP_RENDERED },
).map(
  (row): BlockingCall => ({
    ...row,
    level: 'hint',
    when: CHANGING,
    took: `2 KB takes ${ms('shiki codeToHtml, 2 KB')} (Node 20 to 24).`,
  }),
);

// ---- pictures --------------------------------------------------------------------------------------------------------------

// canvas 3.2.3, built from its source for Node 20: 6 ms and 38 ms for the same pictures as PNG, 2 ms as JPEG. A third argument asks for a
// PDF or an SVG, which are not compressed pictures, and neither are raw pixels.
const CANVASES: readonly Maker[] = [
  { path: ['createCanvas'], by: 'call', most: 2 },
  { path: ['Canvas'], by: 'new', most: 2 },
];
const CANVAS = { className: 'Canvas', madeBy: CANVASES, category: 'compression', cost: 'cpu' } as const;
const ENCODED = `A PNG of 400 × 200 pixels takes ${ms('canvas.toBuffer, PNG of 400 × 200')}, and one of 1200 × 630 takes ${ms('canvas.toBuffer, PNG of 1200 × 630')} (as a JPEG, ${ms('canvas.toBuffer, JPEG of 1200 × 630')}; Node 20 to 24).`;
const NO_PICTURES = { unlessText: { index: 0, oneOf: ['raw', 'application/pdf', 'image/svg+xml'] } } as const;
const JPEG_IS_CHEAPER = { argument: 0, oneOf: ['image/jpeg', 'jpeg'], level: 'hint' } as const;
const encodeOf = (form: string): ReturnType<typeof none> =>
  none('its promise form encodes on another thread', `Await \`${form}\`, which encodes on another thread.`);
const withCallback = (at: string): ReturnType<typeof none> =>
  none('with a callback, it encodes on the thread pool', `Pass a callback as the ${at} argument: it then encodes on the thread pool.`);

const JIMP = 'jimp@0.22.12 dist/index.js, jimp@1.6.1 dist/commonjs/index.js';
// Version 1 exports the class by its name.
const PICTURES_OF_JIMP: readonly Maker[] = [[], ['Jimp']].flatMap((path): Maker[] => [
  { path: [...path, 'read'], by: 'call' },
  { path, by: 'new' },
]);
const USE_SHARP = none('it has no form that computes elsewhere', 'Use `sharp`, which computes on threads of its own, or a worker thread.');

const PICTURES: readonly BlockingCall[] = [
  ...[
    ...methods(
      { ...CANVAS, module: '@napi-rs/canvas', source: '@napi-rs/canvas@1.1.1 index.d.ts' },
      { toBuffer: encodeOf('encode'), encodeSync: encodeOf('encode'), toDataURL: encodeOf('toDataURLAsync') },
    ).map((row): BlockingCall => ({ ...row, when: NO_PICTURES, took: ENCODED })),
    ...methods(
      { ...CANVAS, module: 'canvas', source: 'canvas@3.2.3 src/Canvas.cc, lib/canvas.js' },
      { toBuffer: withCallback('first'), toDataURL: withCallback('last') },
    ).map((row): BlockingCall => ({ ...row, when: { ...NO_PICTURES, noCallbackFrom: 0 } })),
  ].map((row): BlockingCall => ({ ...row, cheaper: JPEG_IS_CHEAPER })),
  // Plain JavaScript: what returns a promise has computed before it returns.
  ...Object.entries({
    resize: `From 512 × 512 to 256 × 256 pixels takes ${ms('Jimp#resize, 512 × 512 to 256 × 256')} (Node 20 to 24).`,
    getBuffer: `A PNG of 256 × 256 pixels takes ${ms('Jimp#getBuffer, PNG of 256 × 256')}, 1024 × 1024 ${ms('Jimp#getBuffer, PNG of 1024 × 1024')} (Node 20 to 24).`,
    composite: `200 × 200 pixels take ${ms('Jimp#composite, 200 × 200')} (Node 20 to 24).`,
  }).flatMap(([name, took]) =>
    methods(
      { module: 'jimp', className: 'Jimp', madeBy: PICTURES_OF_JIMP, category: 'compression', cost: 'cpu', source: JIMP },
      name === 'getBuffer' ? { getBuffer: USE_SHARP, getBufferAsync: USE_SHARP } : { [name]: USE_SHARP },
    ).map((row): BlockingCall => ({ ...row, took, level: name === 'composite' ? 'hint' : 'warning' })),
  ),
  // Its promise is settled in a later turn, but plain JavaScript decodes the picture on this thread.
  ...calls({ module: 'jimp', category: 'compression', cost: 'cpu', source: JIMP }, { read: USE_SHARP, 'Jimp.read': USE_SHARP }).map(
    (row): BlockingCall => ({
      ...row,
      level: 'hint',
      isLater: true,
      waitsFor: 'the picture is decoded',
      took: `A PNG of 256 × 256 pixels takes ${ms('Jimp.read, PNG of 256 × 256')}, 1024 × 1024 ${ms('Jimp.read, PNG of 1024 × 1024')} (Node 20 to 24).`,
    }),
  ),
  ...calls(
    { module: 'whatsapp-web.js', category: 'fs', cost: 'io', source: 'whatsapp-web.js@1.34.7 src/structures/MessageMedia.js' },
    {
      'MessageMedia.fromFilePath': none(
        'it reads the whole file with readFileSync',
        'Read the file with `readFile` of `node:fs/promises`, and pass its Base64 text to `new MessageMedia`.',
      ),
    },
  ).map((row): BlockingCall => ({ ...row, level: 'hint', took: sizes('MessageMedia.fromFilePath', '1 MB', '16 MB') })),
];

// Plain JavaScript: the sum that PNG has for each chunk.
const CHUNKS: readonly BlockingCall[] = calls(
  { module: 'png-chunks-encode', category: 'parse', cost: 'cpu', source: 'png-chunks-encode@1.0.0 index.js' },
  { '': none('it has no form that computes elsewhere', 'Put a chunk of text into small pictures only, or do it in a worker thread.') },
).map((row): BlockingCall => ({ ...row, level: 'hint', took: several('png-chunks-encode', '400 × 200', '1200 × 630', 'pixels') }));

// Plain JavaScript. GIFs of pictures with few colors were measured; those of photos take longer.
const GIF_IN_A_WORKER = none('it has no form that computes elsewhere', 'Encode GIFs in a worker thread.');
const GIFENC: Common = { module: 'gifenc', category: 'compression', cost: 'cpu', source: 'gifenc@1.0.3 dist/gifenc.js' };
const GIF_ENCODERS: Readonly<Record<string, string>> = {
  gifencoder: 'gifencoder@2.0.1 lib/GIFEncoder.js',
  'gif-encoder-2': 'gif-encoder-2@1.0.5 src/GIFEncoder.js',
};
const pixels = (call: string, large = '800 × 600'): string => several(call, '400 × 300', large, 'pixels');

const GIFS: readonly BlockingCall[] = [
  ...calls(GIFENC, { quantize: GIF_IN_A_WORKER }).map(
    (row): BlockingCall => ({
      ...row,
      level: 'hint',
      took: `400 × 300 pixels of few colors take ${ms('gifenc.quantize, 400 × 300')}, those of a photo ${ms('gifenc.quantize of a photo, 400 × 300')} (Node 20 to 24).`,
    }),
  ),
  // Most programs call all three for each frame: the first tells enough.
  ...calls(GIFENC, { applyPalette: GIF_IN_A_WORKER }).map(
    (row): BlockingCall => ({ ...row, level: 'hint', when: { unlessBeside: ['quantize'] }, took: pixels('gifenc.applyPalette') }),
  ),
  ...methods(
    {
      ...GIFENC,
      className: 'GIFEncoder',
      madeBy: [
        { path: ['GIFEncoder'], by: 'call' },
        { path: ['GIFEncoder'], by: 'new' },
      ],
    },
    { writeFrame: GIF_IN_A_WORKER },
  ).map(
    (row): BlockingCall => ({
      ...row,
      level: 'hint',
      when: { unlessBeside: ['quantize', 'applyPalette'] },
      took: pixels('GIFEncoder#writeFrame of gifenc'),
    }),
  ),
  ...Object.entries(GIF_ENCODERS).flatMap(([module, source]) =>
    methods(
      { module, className: 'GIFEncoder', madeBy: [{ path: [], by: 'new' }], category: 'compression', cost: 'cpu', source },
      { addFrame: GIF_IN_A_WORKER },
    ).map((row): BlockingCall => ({ ...row, took: pixels(`${module} addFrame`) })),
  ),
  ...calls(
    { module: 'jsqr', category: 'parse', cost: 'cpu', source: 'jsqr@1.4.0 dist/jsQR.js' },
    {
      '': none(
        'it has no form that computes elsewhere',
        'Make the picture smaller before it is searched for a code, or do it in a worker thread.',
      ),
    },
  ).map((row): BlockingCall => ({ ...row, took: pixels('jsqr', '1200 × 900') })),
];

// ---- code of others --------------------------------------------------------------------------------------------------------

const ISOLATED: Common & { className: string; madeBy: readonly Maker[] } = {
  module: 'isolated-vm',
  className: '',
  madeBy: [],
  category: 'wait',
  cost: 'cpu',
  source: 'isolated-vm@6.2.0 README.md, isolated-vm.d.ts',
};
const asyncOf = (name: string): ReturnType<typeof none> =>
  none(
    `\`${name}\` runs on a thread of its own`,
    `Await \`${name}\`, which runs on another thread. The code that runs there may take as long as its \`timeout\` allows.`,
  );
const RUNS: Readonly<Record<string, readonly [className: string, asyncName: string]>> = {
  runSync: ['Script', 'run'],
  evalSync: ['Context', 'eval'],
  evalClosureSync: ['Context', 'evalClosure'],
  applySync: ['Reference', 'apply'],
};

const ISOLATES: readonly BlockingCall[] = Object.entries(RUNS).flatMap(([name, [className, asyncName]]) =>
  methods({ ...ISOLATED, className }, { [name]: asyncOf(asyncName) }).map(
    (row): BlockingCall => ({ ...row, level: 'hint', byImport: true, waitsFor: 'the code in the isolate ends' }),
  ),
);

export const COMPUTING_CALLS: readonly BlockingCall[] = [
  ...PASSWORDS,
  ...PAGES,
  ...DATA,
  ...XML,
  ...SEARCHES,
  ...INDEXED,
  ...TEXTS,
  ...MAILS,
  ...MARKDOWN,
  ...HIGHLIGHTERS,
  ...PICTURES,
  ...CHUNKS,
  ...GIFS,
  ...ISOLATES,
];
