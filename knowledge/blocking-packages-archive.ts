// Blocking calls of packages from npm that open a whole file at once: archives, sheets, tables, embedded databases.
import type { AsyncForm, BlockingCall, BlockingCategory, BlockingLevel, Maker } from './blocking-call.ts';
import { rowsTake, UNCOMPRESSED } from './blocking-packages-compute.ts';

function none(advice: string, remedy?: string): AsyncForm {
  return { kind: 'none', advice, ...(remedy !== undefined && { remedy }) };
}

function method(name: string, style: 'promise' | 'callback', note?: string): AsyncForm {
  return { kind: 'method', name, style, result: note === undefined ? 'same' : 'differs', note };
}

const ADM_ZIP = 'adm-zip@0.6.1 adm-zip.js';
const ZIPS: readonly Maker[] = [
  { path: [], by: 'new' },
  { path: [], by: 'call' },
];

function zip(name: string, asyncForm: AsyncForm, more: Partial<BlockingCall> = {}): BlockingCall {
  return {
    module: 'adm-zip',
    className: 'AdmZip',
    madeBy: ZIPS,
    path: [name],
    category: 'archive',
    cost: 'io',
    asyncForm,
    source: ADM_ZIP,
    ...more,
  };
}

/** What is uncompressed is as long as the entry: 20 KB in a tenth of a millisecond, so it is a hint. */
const ENTRIES: readonly Maker[] = ZIPS.flatMap((maker): Maker[] => [
  { ...maker, then: ['getEntry'] },
  { ...maker, then: ['getEntries'], element: true },
  // `zip.forEach((entry) => …)`
  { ...maker, element: true },
]);
const uncompressed = (asyncName: string): AsyncForm => ({
  kind: 'none',
  advice: 'its asynchronous form uncompresses on the thread pool',
  remedy: `Use \`${asyncName}\`, which uncompresses on the thread pool and takes a callback.`,
});
const uncompress = (name: string, asyncName: string): BlockingCall =>
  zip(name, uncompressed(asyncName), {
    cost: 'cpu',
    level: 'hint',
    took: UNCOMPRESSED,
    ...(name === 'getData' && { className: 'ZipEntry', madeBy: ENTRIES }),
  });

const XLSX = 'xlsx@0.18.5 xlsx.js';
const IN_A_WORKER = none('it has no asynchronous form: process large files in a worker thread');

function sheet(name: string, level: BlockingLevel = 'warning'): BlockingCall {
  return {
    module: 'xlsx',
    path: [name],
    category: 'parse',
    cost: name.includes('File') ? 'io' : 'cpu',
    level,
    asyncForm: IN_A_WORKER,
    source: XLSX,
  };
}

const BETTER_SQLITE = 'better-sqlite3@12.11.1 lib/database.js, lib/methods/';
const CONNECTIONS: readonly Maker[] = [
  { path: [], by: 'new' },
  { path: [], by: 'call' },
];
const STATEMENTS: readonly Maker[] = CONNECTIONS.map((maker): Maker => ({ ...maker, then: ['prepare'] }));

// As with node:sqlite: synchronous by design, quick by the row, slow by the table. Whoever chose it knows.
function sqlite(className: string, madeBy: readonly Maker[], names: readonly string[]): BlockingCall[] {
  return names.map((name) => ({
    module: 'better-sqlite3',
    className,
    madeBy,
    path: [name],
    category: 'sqlite',
    cost: 'io',
    level: 'off',
    asyncForm: IN_A_WORKER,
    source: BETTER_SQLITE,
  }));
}

const LOW: readonly Maker[] = [{ path: ['LowSync'], by: 'new' }];
const LOW_PRESET: readonly Maker[] = [{ path: ['JSONFileSyncPreset'], by: 'call' }];
const USE_LOW = none('Low with JSONFile (or JSONFilePreset) has the same methods, each of which returns a promise');

function low(module: string, madeBy: readonly Maker[]): BlockingCall[] {
  return ['read', 'write', 'update'].map((name) => ({
    module,
    className: 'LowSync',
    madeBy,
    path: [name],
    category: 'fs',
    cost: 'io',
    asyncForm: USE_LOW,
    source: 'lowdb@7.0.1 lib/core/Low.js, lib/presets/node.js',
  }));
}

function table(module: string, name: string, source: string): BlockingCall {
  const category: BlockingCategory = 'parse';
  // As long as the text it is given; what that is, the call does not show.
  return {
    module,
    path: [name],
    category,
    cost: 'cpu',
    level: 'hint',
    asyncForm: none('the stream form of the package works in chunks'),
    source,
  };
}

/**
 * What is made of a sheet, and a sheet of that. Whoever reads or writes the workbook in the same function is told of that, which takes longer.
 */
const BESIDE = ['read', 'readFile', 'readFileSync', 'write', 'writeXLSX', 'writeFile', 'writeFileSync', 'writeFileXLSX'];
const CONVERT_ELSEWHERE = none(
  'it has no form that computes elsewhere',
  'Limit the number of rows, or convert large tables in a worker thread.',
);

function converted(name: string): BlockingCall {
  return {
    module: 'xlsx',
    path: ['utils', name],
    category: 'parse',
    cost: 'cpu',
    level: 'hint',
    when: { unlessBeside: BESIDE, changingText: 0 },
    took: rowsTake(`xlsx ${name}`),
    asyncForm: CONVERT_ELSEWHERE,
    source: XLSX,
  };
}

/** They read the file and the sheet before they return; only the lines of the CSV that they make of it come later. */
const WORKBOOKS: Readonly<Record<string, string>> = {
  'xlsx-to-json-lc': 'xlsx-to-json-lc@0.5.0 libs/index.js',
  'xlsx-to-json': 'xlsx-to-json@0.3.0 libs/index.js',
  'xls-to-json-lc': 'xls-to-json-lc@0.3.4 libs/index.js',
};

// The middleware gives each response the method `xls`, which calls the same function.
const JSON2XLS = 'json2xls@0.1.2 lib/json2xls.js';
const MAKES_SHEETS = {
  module: 'json2xls',
  category: 'parse',
  cost: 'cpu',
  level: 'hint',
  took: rowsTake('json2xls'),
  asyncForm: CONVERT_ELSEWHERE,
  source: JSON2XLS,
} as const;

/** Version 4 returns a promise and takes a quarter of the time for the same rows. */
function csv(name: string): BlockingCall {
  return {
    module: 'json-2-csv',
    path: [name],
    category: 'parse',
    cost: 'cpu',
    level: 'hint',
    versions: '>=5',
    when: { changingText: 0 },
    took: rowsTake(`${name} of json-2-csv`),
    asyncForm: CONVERT_ELSEWHERE,
    source: 'json-2-csv@5.6.0 lib/converter.js',
  };
}

export const ARCHIVE_CALLS: readonly BlockingCall[] = [
  // Given a path, the constructor reads the whole archive.
  {
    module: 'adm-zip',
    path: [],
    by: 'new',
    category: 'archive',
    cost: 'io',
    when: { pathArgument: 0 },
    asyncForm: none('read the file with node:fs/promises and pass the buffer'),
    source: ADM_ZIP,
  },
  uncompress('readFile', 'readFileAsync'),
  uncompress('readAsText', 'readAsTextAsync'),
  uncompress('getData', 'getDataAsync'),
  zip('addLocalFile', method('addLocalFileAsync', 'callback', 'takes its options as one object')),
  zip('addLocalFolder', method('addLocalFolderPromise', 'promise', 'takes its options as one object')),
  zip('extractEntryTo', none('extractAllToAsync() extracts the whole archive')),
  zip('extractAllTo', method('extractAllToAsync', 'promise')),
  // Writes synchronously even when it is given a callback.
  zip('writeZip', method('writeZipPromise', 'promise')),
  zip('toBuffer', method('toBufferPromise', 'promise'), { cost: 'cpu', when: { noCallbackFrom: 0 } }),
  sheet('readFile'),
  sheet('readFileSync'),
  sheet('writeFile'),
  sheet('writeFileSync'),
  sheet('writeFileXLSX'),
  // Of what is already in memory: as long as the workbook is large.
  sheet('read', 'hint'),
  sheet('write', 'hint'),
  sheet('writeXLSX', 'hint'),
  ...['sheet_to_json', 'json_to_sheet', 'aoa_to_sheet'].map(converted),
  ...Object.entries(WORKBOOKS).map(
    ([module, source]): BlockingCall => ({
      module,
      path: [],
      category: 'parse',
      cost: 'io',
      took: rowsTake(module),
      waitsFor: 'the workbook is read',
      asyncForm: none('it reads the file with readFileSync, and has no other form', 'Read large workbooks in a worker thread.'),
      source,
    }),
  ),
  { ...MAKES_SHEETS, path: [], when: { changingText: 0 } },
  { ...MAKES_SHEETS, className: 'Response', madeBy: [], path: ['xls'], byDependency: true },
  ...['json2csv', 'csv2json'].map(csv),
  table('csv-stringify/sync', 'stringify', 'csv-stringify@6.9.0 lib/sync.js'),
  ...sqlite('Database', CONNECTIONS, ['exec', 'pragma', 'serialize', 'loadExtension', 'close']),
  ...sqlite('Statement', STATEMENTS, ['run', 'get', 'all', 'iterate']),
  ...low('lowdb', LOW),
  ...low('lowdb/node', LOW_PRESET),
];
