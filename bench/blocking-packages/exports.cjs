// What is measured of packages that read and write tables, and of others that compute in one piece.
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Rows as people export them, of eight columns. */
function records(count) {
  return Array.from({ length: count }, (_, i) => ({
    id: i,
    name: `Name, ${i}`,
    email: `user${i}@example.org`,
    city: ['Berlin', 'Paris', 'New York', 'Buenos Aires'][i % 4],
    amount: i * 3.25,
    isActive: i % 3 === 0,
    date: `2026-01-0${(i % 9) + 1}`,
    note: 'a short note',
  }));
}

const QUERY =
  "SELECT o.id, o.total, c.name FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.created > '2026-01-01' AND (c.country IN ('DE', 'FR') OR o.total > 100) ORDER BY o.total DESC LIMIT 50";

/**
 * @param load requires a package
 * @param picture gives the bytes of a PNG
 */
exports.exportsOf = (load, picture) => {
  const ofRecords = (make) => (count) => () => {
    const work = make();
    const rows = records(count);
    return () => work(rows);
  };
  const xls = ofRecords(() => load('json2xls'));
  const toSheet = ofRecords(() => load('xlsx').utils.json_to_sheet);
  const cellsToSheet = (count) => () => {
    const { aoa_to_sheet } = load('xlsx').utils;
    const rows = records(count).map((row) => Object.values(row));
    return () => aoa_to_sheet(rows);
  };
  const fromSheet = (count) => () => {
    const { utils } = load('xlsx');
    const sheet = utils.json_to_sheet(records(count));
    return () => utils.sheet_to_json(sheet);
  };
  /** A workbook as xlsx writes it: only what the call does in its own turn is timed, and the lines of CSV come later. */
  const fileToJson = (name, bookType) => (count) => () => {
    const { utils, writeFile } = load('xlsx');
    const folder = mkdtempSync(join(tmpdir(), 'rows-'));
    process.on('exit', () => rmSync(folder, { recursive: true }));
    const input = join(folder, `table.${bookType}`);
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.json_to_sheet(records(count)), 'Table');
    writeFile(book, input, { bookType });
    const convert = load(name);
    return () => convert({ input, output: null }, () => undefined);
  };
  const lowerCase = fileToJson('xlsx-to-json-lc', 'xlsx');
  const sameCase = fileToJson('xlsx-to-json', 'xlsx');
  const old = fileToJson('xls-to-json-lc', 'xls');
  // Version 4 has computed before it returns its promise.
  const toCsv = (name) =>
    ofRecords(() => {
      const { json2csv } = load(name);
      return (rows) => void json2csv(rows);
    });
  const fromCsv = (count) => () => {
    const { csv2json, json2csv } = load('json-2-csv');
    const text = json2csv(records(count));
    return () => csv2json(text);
  };
  const parse = ofRecords(() => load('json2csv').parse);
  const plain = ofRecords(() => {
    const { Parser } = load('@json2csv/plainjs');
    return (rows) => new Parser().parse(rows);
  });
  const sql = (work) => () => {
    const parser = new (load('node-sql-parser').Parser)();
    const tree = parser.astify(QUERY);
    return () => work(parser, tree);
  };
  const chunks = (width, height) => () => {
    const extract = load('png-chunks-extract');
    const bytes = picture(width, height);
    return () => extract(bytes);
  };
  const encoded = (width, height) => () => {
    const parts = load('png-chunks-extract')(picture(width, height));
    const encode = load('png-chunks-encode');
    return () => encode(parts);
  };
  const jsonFile = (work) => (count) => () => {
    const folder = mkdtempSync(join(tmpdir(), 'rows-'));
    process.on('exit', () => rmSync(folder, { recursive: true }));
    const file = join(folder, 'table.json');
    const rows = records(count);
    writeFileSync(file, JSON.stringify(rows));
    return () => work(load('jsonfile'), file, rows);
  };
  const readJson = jsonFile((it, file) => it.readFileSync(file));
  const writeJson = jsonFile((it, file, rows) => it.writeFileSync(file, rows));
  return {
    'json2xls, 10 rows': xls(10),
    'json2xls, 100 rows': xls(100),
    'json2xls, 1,000 rows': xls(1000),
    'xlsx-to-json-lc, 100 rows': lowerCase(100),
    'xlsx-to-json-lc, 1,000 rows': lowerCase(1000),
    'xlsx-to-json, 100 rows': sameCase(100),
    'xlsx-to-json, 1,000 rows': sameCase(1000),
    'xls-to-json-lc, 100 rows': old(100),
    'xls-to-json-lc, 1,000 rows': old(1000),
    'xlsx sheet_to_json, 100 rows': fromSheet(100),
    'xlsx sheet_to_json, 1,000 rows': fromSheet(1000),
    'xlsx json_to_sheet, 100 rows': toSheet(100),
    'xlsx json_to_sheet, 1,000 rows': toSheet(1000),
    'xlsx aoa_to_sheet, 100 rows': cellsToSheet(100),
    'xlsx aoa_to_sheet, 1,000 rows': cellsToSheet(1000),
    'json2csv of json-2-csv, 100 rows': toCsv('json-2-csv')(100),
    'json2csv of json-2-csv, 1,000 rows': toCsv('json-2-csv')(1000),
    'json2csv of json-2-csv 4, 1,000 rows': toCsv('json-2-csv-4')(1000),
    'csv2json of json-2-csv, 100 rows': fromCsv(100),
    'csv2json of json-2-csv, 1,000 rows': fromCsv(1000),
    'json2csv.parse, 100 rows': parse(100),
    'json2csv.parse, 1,000 rows': parse(1000),
    'Parser#parse of @json2csv/plainjs, 100 rows': plain(100),
    'Parser#parse of @json2csv/plainjs, 1,000 rows': plain(1000),
    'svg-captcha create': () => () => load('svg-captcha').create(),
    'svg-captcha createMathExpr': () => () => load('svg-captcha').createMathExpr({}),
    'node-sql-parser astify, 1 query': sql((parser) => parser.astify(QUERY)),
    'node-sql-parser sqlify, 1 query': sql((parser, tree) => parser.sqlify(tree)),
    'node-sql-parser parse, 1 query': sql((parser) => parser.parse(QUERY)),
    'png-chunks-extract, 400 × 200': chunks(400, 200),
    'png-chunks-extract, 1200 × 630': chunks(1200, 630),
    'png-chunks-encode, 400 × 200': encoded(400, 200),
    'png-chunks-encode, 1200 × 630': encoded(1200, 630),
    'jsonfile.readFileSync, 1,000 rows': readJson(1000),
    'jsonfile.writeFileSync, 1,000 rows': writeJson(1000),
  };
};
