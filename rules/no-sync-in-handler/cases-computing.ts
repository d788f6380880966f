// Packages that compute on the event loop's thread in every form: passwords, pages, templates, Markdown, code of others.
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { COMPUTING_MS } from '../../knowledge/blocking-packages-compute.ts';

const ofBcrypt = (name: string, note = ''): string =>
  `Use \`${name}\` of the package \`bcrypt\`, which runs on the thread pool and accepts the same hashes, or \`crypto.scrypt\` for new ones.${note}`;

const manifestWith = (dependencies: Readonly<Record<string, string>>): NonNullable<ValidCase['project']> => ({
  manifest: { bin: [], scripts: {}, dependencies, devDependencies: {}, private: true },
});

export const computingInnocents: readonly ValidCase[] = [
  {
    name: 'tables: what takes less than a millisecond, other versions, other methods of those names, and one of two that does not block',
    project: manifestWith({ 'json-2-csv': '^4.1.0', express: '^4.18.0' }),
    code: dedent`
      import express from 'express';
      import * as XLSX from 'xlsx';
      import { json2csv } from 'json-2-csv';
      import { parse, Parser } from 'json2csv';
      import { Parser as Plain } from '@json2csv/plainjs';
      import svgCaptcha from 'svg-captcha';
      import sql from 'node-sql-parser';
      import toJson from 'xlsx-to-json-lc';
      const HEADER = [['id', 'name']];
      const app = express();
      app.post('/tables', async (req, res) => {
        const convert = req.query.own ? req.app.convert : toJson;
        convert({ input: req.file.path, output: null }, () => undefined);
        const sheet = XLSX.utils.aoa_to_sheet(HEADER);
        XLSX.utils.book_append_sheet(XLSX.utils.book_new(), sheet, req.query.name);
        res.xls('table.xlsx', req.body);
        res.json([await json2csv(req.body), parse(req.body), new Parser().parse(req.body), new Plain().parse(req.body)]);
        res.json([svgCaptcha.create(), new sql.Parser().astify(req.query.sql)]);
      });
    `,
  },
  {
    name: 'pictures that are compressed on the thread pool, and what only has a method of that name',
    code: dedent`
      import express from 'express';
      import { createCanvas } from '@napi-rs/canvas';
      import { createCanvas as cairo } from 'canvas';
      const app = express();
      app.get('/card', async (req, res) => {
        const picture = createCanvas(800, 300);
        const other = cairo(800, 300);
        other.toBuffer((error, bytes) => res.write(bytes), 'image/png');
        res.write(req.archive.toBuffer('image/png'));
        res.end(await picture.encode('png'));
      });
    `,
  },
  {
    name: 'an archive and a picture that are in memory',
    code: dedent`
      import express from 'express';
      import AdmZip from 'adm-zip';
      import { imageSize } from 'image-size';
      const app = express();
      app.post('/upload', (req, res) => {
        const zip = new AdmZip(req.file.buffer);
        res.json([zip.getEntries().length, imageSize(req.file.buffer), imageSize(await req.bytes())]);
      });
    `,
  },
  {
    name: 'bcrypt hashes on the thread pool',
    code: dedent`
      import express from 'express';
      import bcrypt from 'bcrypt';
      const app = express();
      app.post('/sign-in', async (req, res) => {
        const hash = await bcrypt.hash(req.body.password, 12);
        bcrypt.compare(req.body.password, hash, (error, same) => res.send(String(same)));
      });
    `,
  },
  {
    name: 'a package that is replaced by a slower one where it cannot be built',
    code: dedent`
      let bcrypt;
      try { bcrypt = require('bcrypt'); } catch { bcrypt = require('bcryptjs'); }
      const app = require('express')();
      app.post('/', async (req, res) => res.send(await bcrypt.compare(req.body.password, 'x')));
    `,
  },
  {
    name: 'bcryptjs at start-up',
    code: dedent`
      import express from 'express';
      import bcrypt from 'bcryptjs';
      const app = express();
      const nobody = await bcrypt.hash('nobody', 12);
      app.get('/', (req, res) => res.send(nobody));
    `,
  },
  {
    name: 'bcryptjs in a test',
    file: 'test/users.test.js',
    code: dedent`
      import { hash } from 'bcryptjs';
      import { app } from '../src/app.js';
      app.get('/users', async (req, res) => res.send(await hash('a', 10)));
    `,
  },
  {
    name: 'pages and templates that are parsed once, or are known',
    code: dedent`
      import { readFileSync } from 'node:fs';
      import express from 'express';
      import * as cheerio from 'cheerio';
      import { JSDOM } from 'jsdom';
      import DOMPurify from 'isomorphic-dompurify';
      import { pages } from './pages.js';
      const app = express();
      const $ = cheerio.load(readFileSync('index.html', 'utf8'));
      const EMPTY = '<ul></ul>';
      app.get('/', (req, res) => {
        const list = cheerio.load('<ul></ul>', null, false);
        const page = new JSDOM();
        const other = new JSDOM(EMPTY);
        const known = cheerio.load(pages.head);
        const both = cheerio.load(\`\${pages.head}\${EMPTY}\`);
        res.send([$('title').text(), list.html(), page.serialize(), other.serialize(), known.html(), both.html(), DOMPurify.sanitize('<b>a</b>')].join());
      });
    `,
  },
  {
    name: 'other methods of these names',
    code: dedent`
      import express from 'express';
      import * as cheerio from 'cheerio';
      import { load } from './pages.js';
      import { compile } from 'path-to-regexp';
      const app = express();
      const renderer = { render: (text) => text };
      app.get('/', async (req, res) => {
        const one = await cheerio.fromURL(req.query.url);
        res.send([load(req.body.page), compile(req.body.path), renderer.render(req.body.text), one.html(), app.render('a')].join());
      });
    `,
  },
  {
    name: 'texts that the page of a visitor cleans',
    file: 'src/components/comment.tsx',
    code: dedent`
      import { useState } from 'react';
      import DOMPurify from 'isomorphic-dompurify';
      export function Comment(req: { body: string }, res: { send(html: string): void }) {
        const [text] = useState(req.body);
        res.send(DOMPurify.sanitize(text));
      }
    `,
  },
  {
    name: 'templates that are compiled at the top level, or kept',
    code: dedent`
      import express from 'express';
      import Handlebars from 'handlebars';
      import { texts } from './texts.js';
      const app = express();
      const hello = Handlebars.compile(texts.hello);
      const parts = texts.load();
      const templates = new Map();
      app.post('/', (req, res) => {
        let template = templates.get(req.body.name);
        if (!template) templates.set(req.body.name, (template = Handlebars.compile(texts[req.body.name])));
        const known = Handlebars.compile(req.body.once);
        templates.set(req.body.once, known);
        res.send(Handlebars.compile(parts)(req.body));
        res.send(hello(req.body) + template(req.body) + known(req.body));
      });
    `,
  },
  {
    name: 'Markdown of a few kilobytes without highlighting, and a language that is named',
    code: dedent`
      import express from 'express';
      import MarkdownIt from 'markdown-it';
      import { marked } from 'marked';
      import hljs from 'highlight.js';
      import Prism from 'prismjs';
      const app = express();
      const md = new MarkdownIt({ html: true });
      app.post('/', (req, res) => {
        const code = hljs.highlight(req.body.code, { language: 'js' }).value;
        const guessed = hljs.highlightAuto(req.body.code, ['js', 'css']).value;
        res.send(md.render(req.body.text) + marked.parse(req.body.text) + code + guessed + Prism.highlight(req.body.code, Prism.languages.js, 'js'));
      });
    `,
  },
  {
    name: 'Markdown with highlighting in a script that builds pages',
    file: 'scripts/build.js',
    code: dedent`
      import MarkdownIt from 'markdown-it';
      import hljs from 'highlight.js';
      const md = new MarkdownIt({ highlight: (text) => hljs.highlightAuto(text).value });
      export function build(req, res) { res.send(md.render(req.body)); }
    `,
  },
  {
    name: 'what isolated-vm does in microseconds, its promise forms, and methods of these names without it',
    code: dedent`
      import express from 'express';
      import ivm from 'isolated-vm';
      const app = express();
      app.post('/', async (req, res) => {
        const isolate = new ivm.Isolate();
        const context = isolate.createContextSync();
        context.global.setSync('global', context.global.derefInto());
        const script = await isolate.compileScript(req.body.code);
        res.send(await script.run(context, { timeout: 100 }));
      });
    `,
  },
  {
    name: 'pictures that are encoded elsewhere or at start-up, and other packages with such methods',
    code: dedent`
      import express from 'express';
      import sharp from 'sharp';
      import QRCode from 'qrcode';
      import { createCanvas } from '@napi-rs/canvas';
      import { createCanvas as createCairo } from 'canvas';
      import { board } from './board.js';
      const app = express();
      const logo = createCairo(200, 200).toBuffer();
      app.get('/', async (req, res) => {
        const canvas = createCanvas(1200, 630);
        const other = createCairo(1200, 630);
        other.toBuffer((error, bytes) => res.send(bytes));
        other.toDataURL('image/png', (error, url) => res.send(url));
        other.toBuffer(req.done, 'image/jpeg');
        res.send([await canvas.encode('png'), await canvas.toDataURLAsync('image/png'), logo, board.canvas.toBuffer()]);
        res.send([await sharp(req.body).resize(200).toBuffer(), await QRCode.toDataURL(req.query.text)]);
      });
    `,
  },
  {
    name: 'canvases that encode no picture: raw pixels, PDF, and SVG',
    code: dedent`
      import express from 'express';
      import { createCanvas, Canvas } from 'canvas';
      const app = express();
      const RAW = 'raw';
      app.get('/', async (req, res) => {
        const canvas = createCanvas(1200, 630);
        res.write(canvas.toBuffer('raw'));
        res.write(canvas.toBuffer(RAW));
        res.write(createCanvas(600, 800, 'pdf').toBuffer('application/pdf'));
        res.write(createCanvas(600, 800, 'pdf').toBuffer());
        res.end(new Canvas(600, 800, 'svg').toBuffer());
      });
    `,
  },
  {
    name: 'data and pages that are known, and other functions of these names',
    code: dedent`
      import express from 'express';
      import { parse } from 'csv-parse';
      import { parse as parseNow } from 'csv-parse/sync';
      import { convert } from 'html-to-text';
      import { parseHTML } from 'linkedom';
      import { MessageMedia } from 'whatsapp-web.js';
      import YAML from 'yaml';
      import { Image } from './pictures.js';
      const app = express();
      const settings = YAML.parse(process.env.SETTINGS);
      app.post('/', async (req, res) => {
        const image = await Image.read(req.body);
        image.resize(256, 256);
        const rows = parseNow('a,b', { columns: true });
        const media = await MessageMedia.fromUrl(req.query.url);
        res.send([rows, media, settings, YAML.stringify(rows), convert('<b>a</b>'), parseHTML('<html></html>').document.title]);
        req.pipe(parse({ columns: true })).on('data', console.log);
      });
    `,
  },
  {
    name: 'XML that is parsed in turns, as options in variables say, and options that are not shown',
    code: dedent`
      import express from 'express';
      import xml2js from 'xml2js';
      import { xmlOptions } from './settings.js';
      const app = express();
      const OPTIONS = { async: true, explicitArray: false };
      const shared = new xml2js.Parser(OPTIONS);
      const LATER = {};
      LATER.async = true;
      app.post('/', (req, res) => {
        const own = new xml2js.Parser({ explicitArray: false, ...OPTIONS });
        const answer = (error, order) => res.write(order);
        xml2js.parseString(req.body, OPTIONS, answer);
        xml2js.parseString(req.body, { ...OPTIONS }, answer);
        xml2js.parseString(req.body, Object.assign({ trim: true }, OPTIONS), answer);
        xml2js.parseString(req.body, req.query.plain ? {} : OPTIONS, answer);
        xml2js.parseString(req.body, LATER, answer);
        xml2js.parseString(req.body, xmlOptions, answer);
        shared.parseString(req.body, answer);
        own.parseString(req.body, answer);
      });
    `,
  },
  {
    name: 'a variable that is given something else than an archive',
    code: dedent`
      import express from 'express';
      import AdmZip from 'adm-zip';
      import { open } from './archives.js';
      const app = express();
      app.post('/', (req, res) => {
        let zip = new AdmZip(req.body);
        zip = open(req.query.name);
        let entries = zip.getEntries();
        entries = req.body.entries;
        res.send([zip.readAsText('a.csv'), entries[0].getData()]);
      });
    `,
  },
  {
    name: 'entries of archives that are listed or uncompressed elsewhere, and what only has such a method',
    code: dedent`
      import express from 'express';
      import AdmZip from 'adm-zip';
      import { records } from './records.js';
      const app = express();
      app.post('/upload', (req, res) => {
        const zip = new AdmZip(req.file.buffer);
        for (const entry of zip.getEntries()) entry.getDataAsync((data) => res.write(data));
        for (const record of records.list()) res.write(record.getData());
        const names = zip.getEntries().map((entry) => entry.entryName);
        names.forEach((name) => records.getData(name));
        records.each(zip.getEntries(), (entry) => entry.getData());
        res.end(records.getEntries().find((entry) => entry.isDirectory).getData());
      });
    `,
  },
  {
    name: 'XML, pages, and lists that are known, and parsers that take turns',
    code: dedent`
      import express from 'express';
      import { XMLParser } from 'fast-xml-parser';
      import xml2js, { parseStringPromise } from 'xml2js';
      import TurndownService from 'turndown';
      import Fuse from 'fuse.js';
      import MiniSearch from 'minisearch';
      import mjml2html from 'mjml';
      import { parse } from 'node-html-parser';
      import { cities } from './cities.js';
      const app = express();
      const places = new MiniSearch({ fields: ['name'] });
      places.addAll(cities);
      const capitals = places.search('capital');
      const parser = new XMLParser();
      const turndown = new TurndownService();
      const MAIL = '<mjml><mj-body></mj-body></mjml>';
      const index = new Fuse(cities, { keys: ['name'] });
      const settings = parser.parse(process.env.SETTINGS);
      app.post('/', async (req, res) => {
        const options = parser.parse('<a>1</a>');
        const one = await parseStringPromise(req.body, { async: true });
        const two = await new xml2js.Parser({ async: true }).parseStringPromise(req.body);
        const found = index.search(req.query.text);
        const near = new Fuse(['Paris', 'Berlin']).search(req.query.text);
        const known = [capitals, places.search('harbor'), places.has(req.query.id)];
        await places.addAllAsync(req.body);
        const other = JSON.parse(req.body);
        const url = URL.parse(req.url);
        res.send([settings, options, one, two, found, near, known, other, url, turndown.turndown('<b>a</b>'), mjml2html(MAIL), parse('<p>')]);
      });
    `,
  },
  {
    name: 'GIFs that are made at start-up, and other methods of these names',
    code: dedent`
      import express from 'express';
      import { GIFEncoder, quantize } from 'gifenc';
      import NeuEncoder from 'gif-encoder-2';
      import { logo, movie } from './pictures.js';
      const app = express();
      const palette = quantize(logo, 256);
      const encoder = new NeuEncoder(400, 300);
      encoder.addFrame(logo);
      app.get('/', (req, res) => {
        movie.addFrame(req.body);
        movie.writeFrame(req.body, 400, 300);
        res.send([palette, encoder.out.getData(), GIFEncoder().bytes()]);
      });
    `,
  },
  {
    name: 'code that is the same each time, runs elsewhere, or is told by the rule for setups',
    code: dedent`
      import vm, { Script } from 'node:vm';
      import express from 'express';
      import { runInContext } from './sandbox.js';
      const app = express();
      const script = new Script('a + 1');
      export function register(path, code) {
        const own = new vm.Script(code);
        app.get(path, (req, res) => {
          res.send([vm.runInNewContext(code, { ...req.query }), own.runInNewContext({ ...req.query })]);
        });
      }
      app.post('/', async (req, res) => {
        const context = vm.createContext({ a: req.body.a });
        res.send([vm.runInContext('a + 1', context), script.runInContext(context), runInContext(req.body.code, context)]);
      });
    `,
  },
  {
    name: 'a method that is named as one of isolated-vm',
    code: dedent`
      import express from 'express';
      import { Effect } from 'effect';
      const app = express();
      app.get('/', (req, res) => res.send(Effect.runSync(Effect.succeed(req.path))));
    `,
  },
];

export const computingCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  {
    name: 'pictures that are compressed at once, in a field of a class, too',
    code: dedent`
      import express from 'express';
      import { createCanvas } from 'canvas';
      import * as skia from '@napi-rs/canvas';
      class Card {
        constructor() { this.canvas = createCanvas(800, 300); }
        draw() { return «this.canvas.toBuffer()»; }
      }
      const app = express();
      app.get('/card', (req, res) => res.send([new Card().draw(), «skia.createCanvas(800, 300).toDataURL('image/png')»]));
    `,
    findings: [
      {
        messageId: 'blocks',
        severity: 'warning',
        data: { call: 'Canvas#toBuffer', remedy: 'Pass a callback as the first argument: it then encodes on the thread pool.' },
        refused: [],
      },
      { messageId: 'blocks', severity: 'warning', data: { call: 'Canvas#toDataURL' }, refused: [] },
    ],
  },
  {
    name: 'archives and pictures that are named by their path',
    code: dedent`
      import express from 'express';
      import AdmZip from 'adm-zip';
      import { imageSize } from 'image-size';
      const app = express();
      app.post('/upload', (req, res) => {
        const zip = «new AdmZip(req.file.path)»;
        const size = (filePath) => «imageSize(filePath)»;
        res.json([zip.getEntries().length, size(req.body.file)]);
      });
    `,
    findings: [
      { messageId: 'blocks', severity: 'warning', data: { call: 'adm-zip' }, refused: ['pass the buffer'] },
      { messageId: 'blocks', severity: 'warning', data: { call: 'image-size.imageSize' }, refused: ['since version 2'] },
    ],
  },
  {
    name: 'bcryptjs, with promises and callbacks',
    code: dedent`
      import express from 'express';
      import bcrypt from 'bcryptjs';
      const app = express();
      app.post('/sign-in', async (req, res) => {
        const same = await «bcrypt.compare(req.body.password, req.body.hash)»;
        «bcrypt.hash(req.body.password, 10, (error, hash) => res.send(hash))»;
        «bcrypt.hash(req.body.password, 5)».then(console.log);
        «bcrypt.compareSync(req.body.password, req.body.hash)»;
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        severity: 'warning',
        data: {
          call: 'bcryptjs.compare',
          remedy: ofBcrypt('compare'),
          waitsFor: 'the computation ends or has taken 100 ms',
          took: ` Its promise and callback forms compute on this thread, too. At cost 10, a hash takes ${COMPUTING_MS['bcryptjs.hashSync, cost 10'].join(' to ')} ms (Node 20 to 24).`,
        },
        refused: [],
      },
      { messageId: 'blocks', severity: 'warning', data: { call: 'bcryptjs.hash', remedy: ofBcrypt('hash') }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'bcryptjs.hash' }, refused: [] },
      {
        messageId: 'blocks',
        severity: 'warning',
        data: {
          call: 'bcryptjs.compareSync',
          remedy: ofBcrypt('compare', ' The promise form of bcryptjs computes on this thread, too, in slices of 100 ms.'),
        },
        refused: [],
      },
    ],
  },
  {
    name: 'bcryptjs in a function that hands its callback on',
    code: dedent`
      const bcrypt = require('bcryptjs');
      const app = require('express')();
      const isSame = (text, hash, callback) => {
        «bcrypt.compare(text, hash, callback)»;
      };
      app.post('/sign-in', (req, res) => isSame(req.body.password, req.user.hash, (error, same) => res.send(String(same))));
    `,
    findings: [{ messageId: 'blocks', severity: 'warning', data: { call: 'bcryptjs.compare' }, refused: [] }],
  },
  {
    name: 'pages of requests',
    code: dedent`
      import express from 'express';
      import * as cheerio from 'cheerio';
      import { JSDOM } from 'jsdom';
      import createDOMPurify from 'dompurify';
      import DOMPurify from 'isomorphic-dompurify';
      const app = express();
      const purify = createDOMPurify(new JSDOM('').window);
      app.post('/', async (req, res) => {
        const page = await (await fetch(req.body.url)).text();
        const $ = «cheerio.load(page)»;
        const { window } = «new JSDOM(page)»;
        const own = «cheerio.load(\`<div>\${req.body.text}</div>\`)»;
        res.send([$.text(), window.document.title, own.html(), «purify.sanitize(page)», «DOMPurify.sanitize(page)»].join());
      });
    `,
    findings: [
      { messageId: 'blocks', severity: 'hint', data: { call: 'cheerio.load' }, refused: [] },
      { messageId: 'blocks', severity: 'warning', data: { call: 'jsdom.JSDOM' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'cheerio.load' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'DOMPurify#sanitize' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'isomorphic-dompurify.sanitize' }, refused: [] },
    ],
  },
  {
    name: 'templates from a database',
    code: dedent`
      import express from 'express';
      import Handlebars from 'handlebars';
      import { mails } from './mails.js';
      const app = express();
      app.post('/mails', async (req, res) => {
        const mail = await mails.find(req.body.kind);
        const template = «Handlebars.compile(mail.html)»;
        res.send(template(req.body) + «withHelpers(req.body.language).compile(mail.text)»(req.body));
      });
      function withHelpers(language) {
        const handlebars = Handlebars.create();
        handlebars.registerHelper('language', () => language);
        return handlebars;
      }
    `,
    findings: [
      { messageId: 'blocks', severity: 'hint', data: { call: 'handlebars.compile' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'Handlebars#compile' }, refused: [] },
    ],
  },
  {
    name: 'Markdown with highlighting, and code of an unknown language',
    code: dedent`
      import express from 'express';
      import MarkdownIt from 'markdown-it';
      import hljs from 'highlight.js';
      import common from 'highlight.js/lib/common';
      import { createHighlighter } from 'shiki';
      const app = express();
      const md = new MarkdownIt({ highlight: (text, language) => hljs.highlight(text, { language }).value });
      const shiki = await createHighlighter({ themes: ['nord'], langs: ['js'] });
      app.post('/', (req, res) => {
        res.send(«shiki.codeToHtml(req.body.code, { lang: 'js', theme: 'nord' })» + «md.render(req.body.text)» + «hljs.highlightAuto(req.body.code)».value + «common.highlightAuto(req.body.code)».value);
      });
    `,
    findings: [
      { messageId: 'blocks', severity: 'hint', data: { call: 'Highlighter#codeToHtml' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'MarkdownIt#render' }, refused: [] },
      { messageId: 'blocks', severity: 'warning', data: { call: 'highlight.js.highlightAuto' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'highlight.js/lib/common.highlightAuto' }, refused: [] },
    ],
  },
  {
    name: 'pictures',
    code: dedent`
      import express from 'express';
      import Jimp, { Jimp as JimpOne } from 'jimp';
      import { createCanvas } from '@napi-rs/canvas';
      import { createCanvas as createCairo } from 'canvas';
      const app = express();
      const card = (text) => {
        const canvas = createCanvas(1200, 630);
        canvas.getContext('2d').fillText(text, 50, 100);
        return canvas;
      };
      app.get('/', async (req, res) => {
        const canvas = card(req.query.text);
        res.send(«canvas.toBuffer('image/png')»);
        res.send(«canvas.toBuffer('image/jpeg')»);
        res.send(«canvas.encodeSync('png')» + «createCairo(400, 200).toBuffer()» + «createCairo(400, 200).toDataURL('image/png')»);
        const image = await «Jimp.read(req.body)»;
        const other = await «JimpOne.read(req.body)»;
        «image.resize(256, 256)»;
        «other.resize({ w: 256, h: 256 })»;
        «image.composite(other, 10, 10)»;
        res.send([await «image.getBufferAsync(Jimp.MIME_PNG)», await «other.getBuffer('image/png')»]);
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        severity: 'warning',
        data: { call: 'Canvas#toBuffer', remedy: 'Await `encode`, which encodes on another thread.' },
        refused: [],
      },
      { messageId: 'blocks', severity: 'hint', data: { call: 'Canvas#toBuffer' }, refused: [] },
      { messageId: 'blocks', severity: 'warning', data: { call: 'Canvas#encodeSync' }, refused: [] },
      {
        messageId: 'blocks',
        severity: 'warning',
        data: { call: 'Canvas#toBuffer', remedy: 'Pass a callback as the first argument: it then encodes on the thread pool.' },
        refused: [],
      },
      {
        messageId: 'blocks',
        severity: 'warning',
        data: { call: 'Canvas#toDataURL', remedy: 'Pass a callback as the last argument: it then encodes on the thread pool.' },
        refused: [],
      },
      { messageId: 'blocks', severity: 'hint', data: { call: 'jimp.read' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'jimp.Jimp.read' }, refused: [] },
      {
        messageId: 'blocks',
        severity: 'warning',
        data: { call: 'Jimp#resize', remedy: 'Use `sharp`, which computes on threads of its own, or a worker thread.' },
        refused: [],
      },
      { messageId: 'blocks', severity: 'warning', data: { call: 'Jimp#resize' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'Jimp#composite' }, refused: [] },
      { messageId: 'blocks', severity: 'warning', data: { call: 'Jimp#getBufferAsync' }, refused: [] },
      { messageId: 'blocks', severity: 'warning', data: { call: 'Jimp#getBuffer' }, refused: [] },
    ],
  },
  {
    name: 'data and pages of requests',
    code: dedent`
      const app = require('express')();
      const { parse } = require('csv-parse/sync');
      const csvParse = require('csv-parse/lib/sync');
      const { convert } = require('html-to-text');
      const { parseHTML } = require('linkedom');
      const { MessageMedia } = require('whatsapp-web.js');
      const YAML = require('yaml');
      app.post('/', (req, res) => {
        const rows = «parse(req.body.rows, { columns: true })».concat(«csvParse(req.body.rows.trim(), { columns: true })»);
        const { document } = «parseHTML(req.body.page)»;
        res.send([rows, «convert(req.body.page)», «YAML.parse(req.body.data)», document.title, «MessageMedia.fromFilePath(req.body.file)»]);
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        severity: 'hint',
        data: { call: 'csv-parse/sync.parse', remedy: 'Use the stream form of the package, which works in chunks.' },
        refused: [],
      },
      { messageId: 'blocks', severity: 'hint', data: { call: 'csv-parse/lib/sync' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'linkedom.parseHTML' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'html-to-text.convert' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'yaml.parse' }, refused: [] },
      {
        messageId: 'blocks',
        severity: 'hint',
        data: {
          call: 'whatsapp-web.js.MessageMedia.fromFilePath',
          remedy: 'Read the file with `readFile` of `node:fs/promises`, and pass its Base64 text to `new MessageMedia`.',
        },
        refused: [],
      },
    ],
  },
  {
    name: 'code of others that runs in isolates',
    code: dedent`
      import express from 'express';
      import ivm from 'isolated-vm';
      import { isolates } from './isolates.js';
      const app = express();
      app.post('/', (req, res) => {
        const isolate = isolates.get(req.body.session);
        const context = isolate.createContextSync();
        const script = isolate.compileScriptSync(req.body.code);
        «script.runSync(context)»;
        res.send(«context.evalClosureSync('return f($0)', [req.body.value], { timeout: 1000 })»);
      });
    `,
    findings: [
      { messageId: 'blocks', severity: 'hint', data: { call: 'Script#runSync' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'Context#evalClosureSync' }, refused: [] },
    ],
  },
  {
    name: 'entries of archives',
    code: dedent`
      const AdmZip = require('adm-zip');
      const app = require('express')();
      app.post('/', (req, res) => {
        const zip = new AdmZip(Buffer.from(req.body));
        for (const entry of zip.getEntries()) res.write(«entry.getData()»);
        const entries = zip.getEntries().filter((entry) => !entry.isDirectory);
        entries.forEach((entry) => res.write(«entry.getData()»));
        const one = entries.find((entry) => entry.entryName === req.query.name);
        res.write(«one.getData()» + «zip.getEntry('a.csv').getData()» + «entries[0].getData()»);
        zip.forEach((entry) => res.write(«entry.getData()»));
        res.end(«zip.readAsText(one)»);
      });
      app.post('/again', (req, res) => {
        let zip = new AdmZip(req.body);
        let entries = zip.getEntries();
        entries = entries.filter((entry) => !entry.isDirectory);
        res.write(«entries[0].getData()»);
        if (req.query.copy) zip = new AdmZip(req.file.buffer);
        res.end(«zip.readAsText('a.csv')»);
      });
      app.post('/names', (req, res) => {
        let zip;
        try { zip = new AdmZip(req.body); } catch { return res.sendStatus(400); }
        res.send(«zip.readFile('a.csv')»);
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        severity: 'hint',
        data: { call: 'ZipEntry#getData', remedy: 'Use `getDataAsync`, which uncompresses on the thread pool and takes a callback.' },
        refused: [],
      },
      ...Array.from({ length: 5 }, () => ({
        messageId: 'blocks' as const,
        severity: 'hint' as const,
        data: { call: 'ZipEntry#getData' },
        refused: [],
      })),
      { messageId: 'blocks', severity: 'hint', data: { call: 'AdmZip#readAsText' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'ZipEntry#getData' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'AdmZip#readAsText' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'AdmZip#readFile' }, refused: [] },
    ],
  },
  {
    name: 'XML, pages, mails, and lists of requests',
    code: dedent`
      import express from 'express';
      import { XMLParser } from 'fast-xml-parser';
      import xml2js, { parseString } from 'xml2js';
      import convert from 'xml-js';
      import TurndownService from 'turndown';
      import Fuse from 'fuse.js';
      import MiniSearch from 'minisearch';
      import mjml2html from 'mjml';
      import { parse } from 'node-html-parser';
      import { products } from './products.js';
      const app = express();
      let kept;
      let index;
      const keep = (list) => {
        if (kept === list) return;
        kept = list;
        index = new MiniSearch({ fields: ['name'] });
        «index.addAll(list)»;
      };
      class Feeds {
        constructor() { this.parser = new XMLParser({ ignoreAttributes: false }); }
        read(text) { return «this.parser.parse(text)»; }
      }
      const feeds = new Feeds();
      const SMALL = { explicitArray: false };
      const ASYNC = { async: true };
      function saveSettings(error, settings) { if (!error) products.set(settings); }
      app.post('/', async (req, res) => {
        «parseString(req.body.order, (error, order) => res.write(order))»;
        const feed = await «new xml2js.Parser({ explicitArray: false }).parseStringPromise(req.body.feed)»;
        «parseString(req.body.settings, SMALL, saveSettings)»;
        «parseString(req.body.all, { ...ASYNC, async: false }, (error, all) => res.write(all))»;
        const tree = [«convert.xml2js(req.body.tree, { compact: true })», «convert.xml2json(req.body.tree)»];
        const text = «new TurndownService().turndown(req.body.page)»;
        const list = new Fuse(await products.all(), { keys: ['name'] });
        const mail = await «mjml2html(req.body.mail)»;
        keep(await products.all());
        const near = index.search(req.query.text, { fuzzy: 0.2 });
        res.send([near, feeds.read(req.body.feed), feed, tree, text, «list.search(req.query.text)», mail.html, «parse(req.body.page)».text]);
      });
    `,
    findings: [
      { messageId: 'blocks', severity: 'hint', data: { call: 'MiniSearch#addAll' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'XMLParser#parse' }, refused: [] },
      {
        messageId: 'blocks',
        severity: 'hint',
        data: {
          call: 'xml2js.parseString',
          remedy: 'Pass the option `async: true`, with which it parses 10,000 characters in a turn of the event loop.',
        },
        refused: [],
      },
      { messageId: 'blocks', severity: 'hint', data: { call: 'Parser#parseStringPromise' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'xml2js.parseString' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'xml2js.parseString' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'xml-js.xml2js' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'xml-js.xml2json' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'TurndownService#turndown' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'mjml' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'Fuse#search' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'node-html-parser.parse' }, refused: [] },
    ],
  },
  {
    name: 'GIFs, and pictures that are searched for a code',
    code: dedent`
      import express from 'express';
      import gifenc from 'gifenc';
      import OldEncoder from 'gifencoder';
      import NeuEncoder from 'gif-encoder-2';
      import jsQR from 'jsqr';
      import { keep } from './frames.js';
      const { GIFEncoder, quantize, applyPalette } = gifenc;
      const app = express();
      app.post('/', (req, res) => {
        const { data, width, height } = req.picture;
        const palette = «quantize(data, 256)»;
        const gif = GIFEncoder();
        gif.writeFrame(applyPalette(data, palette), width, height, { palette });
        for (const index of req.pictures.map((frame) => «applyPalette(frame, palette)»)) keep(gif, index);
        const old = new OldEncoder(width, height);
        «old.addFrame(req.picture.context)»;
        const other = new NeuEncoder(width, height);
        «other.addFrame(req.picture.context)»;
        res.send([gif.bytes(), old.out.getData(), other.out.getData(), «jsQR(data, width, height)»]);
      });
      app.post('/tool', (req, res) => {
        const palette = req.tool.quantize(req.body);
        keep(«applyPalette(req.body, palette)»);
        res.end();
      });
      app.post('/frame', (req, res) => {
        const gif = GIFEncoder();
        «gif.writeFrame(req.body, 400, 300, { palette: req.palette })»;
        res.send(gif.bytes());
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        severity: 'hint',
        data: { call: 'gifenc.quantize', remedy: 'Encode GIFs in a worker thread.' },
        refused: [],
      },
      { messageId: 'blocks', severity: 'hint', data: { call: 'gifenc.applyPalette' }, refused: [] },
      { messageId: 'blocks', severity: 'warning', data: { call: 'GIFEncoder#addFrame' }, refused: [] },
      { messageId: 'blocks', severity: 'warning', data: { call: 'GIFEncoder#addFrame' }, refused: [] },
      { messageId: 'blocks', severity: 'warning', data: { call: 'jsqr' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'gifenc.applyPalette' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'GIFEncoder#writeFrame' }, refused: [] },
    ],
  },
  {
    name: 'code of others that runs on this thread',
    code: dedent`
      import vm from 'node:vm';
      import express from 'express';
      import { rules } from './rules.js';
      const app = express();
      app.post('/', async (req, res) => {
        const context = vm.createContext({ row: req.body.row });
        const script = new vm.Script(await rules.load(req.body.rule));
        res.send([«vm.runInContext(req.body.code, context, { timeout: 1000 })», «script.runInContext(context)»]);
      });
      app.post('/each', (req, res) => {
        const code = req.body.code;
        const script = new vm.Script(req.body.script);
        res.send(req.body.rows.map((row) => [«vm.runInNewContext(code, { row })», «script.runInNewContext({ row })»]));
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        severity: 'hint',
        data: {
          call: 'vm.runInContext',
          waitsFor: 'the code ends, or its `timeout` is over',
          remedy: 'Run the code in a worker thread or another process, and end that if it takes too long.',
        },
        refused: [],
      },
      { messageId: 'blocks', severity: 'hint', data: { call: 'Script#runInContext' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'vm.runInNewContext' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'Script#runInNewContext' }, refused: [] },
    ],
  },
  {
    name: 'what a message of Pub/Sub waits for',
    code: dedent`
      import { gunzipSync } from 'node:zlib';
      import { PubSub } from '@google-cloud/pubsub';
      import { save } from './rows.js';
      const subscription = new PubSub().subscription('rows');
      subscription.on('message', (message) => {
        save(JSON.parse(«gunzipSync(message.data)».toString()));
        message.ack();
      });
      subscription.on('error', console.error);
    `,
    findings: [
      {
        messageId: 'blocks',
        severity: 'warning',
        data: { call: 'zlib.gunzipSync' },
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              import { gunzip } from 'node:zlib';
              import { promisify } from 'node:util';
              import { PubSub } from '@google-cloud/pubsub';
              import { save } from './rows.js';
              const gunzipAsync = promisify(gunzip);
              const subscription = new PubSub().subscription('rows');
              subscription.on('message', async (message) => {
                save(JSON.parse((await gunzipAsync(message.data)).toString()));
                message.ack();
              });
              subscription.on('error', console.error);
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'tables that are read and written in one piece',
    project: manifestWith({ json2xls: '^0.1.2', 'json-2-csv': '^5.0.1' }),
    code: dedent`
      const express = require('express');
      const json2xls = require('json2xls');
      const XLSX = require('xlsx');
      const { csv2json, json2csv } = require('json-2-csv');
      const xlsToJson = require('xls-to-json-lc');
      const xlsxToJson = require('xlsx-to-json-lc');
      const app = express();
      app.use(json2xls.middleware);
      app.post('/upload', (req, res) => {
        let toJson;
        if (req.file.originalname.endsWith('xlsx')) toJson = xlsxToJson;
        else toJson = xlsToJson;
        «toJson({ input: req.file.path, output: null }, (error, rows) => res.json(rows))»;
      });
      app.post('/either', (req, res) => {
        const toJson = req.query.old ? xlsToJson : xlsxToJson;
        «toJson({ input: req.file.path, output: null }, (error, rows) => res.json(rows))»;
      });
      app.get('/rows', async (req, res) => {
        const rows = await req.app.find();
        if (req.query.file) return «res.xls('rows.xlsx', rows)»;
        res.end(«json2xls(rows)», 'binary');
      });
      app.get('/csv', async (req, res) => {
        const rows = await req.app.find();
        res.send([«json2csv(rows)», «csv2json(req.body)»]);
      });
      app.post('/sheet', (req, res) => res.json(«XLSX.utils.sheet_to_json(req.sheet)»));
      app.post('/book', (req, res) => {
        const book = «XLSX.read(req.file.buffer)»;
        res.json(XLSX.utils.sheet_to_json(book.Sheets[book.SheetNames[0]]));
      });
    `,
    findings: [
      { messageId: 'blocks', severity: 'warning', data: { call: 'xlsx-to-json-lc' }, refused: [] },
      { messageId: 'blocks', severity: 'warning', data: { call: 'xls-to-json-lc' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'Response#xls' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'json2xls' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'json-2-csv.json2csv' }, refused: [] },
      { messageId: 'blocks', severity: 'hint', data: { call: 'json-2-csv.csv2json' }, refused: [] },
      {
        messageId: 'blocks',
        severity: 'hint',
        data: { call: 'xlsx.utils.sheet_to_json' },
        refused: [],
      },
      { messageId: 'blocks', severity: 'hint', data: { call: 'xlsx.read' }, refused: ['it has no asynchronous form'] },
    ],
  },
];
