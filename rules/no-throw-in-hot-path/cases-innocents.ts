// Exceptions that are failures, that are seldom, or that nothing else can tell.
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const NODE_20 = { nodeRange: '>=20' };

export const innocents: readonly (string | ValidCase)[] = [
  {
    name: 'a part of each address, in a helper: without `URL.parse`, all that is left is to parse valid ones twice',
    project: { nodeRange: '>=20' },
    code: dedent`
      function titleOf({ kind, url }) {
        if (kind !== 'browser') return kind;
        try {
          return new URL(url).hostname || 'Browser';
        } catch {
          return 'Browser';
        }
      }
      export class Layout {
        name(pane) { this.titles[pane.id] = titleOf(pane); }
        update(panes) { for (const pane of panes) this.name(pane); }
      }
    `,
  },
  {
    name: 'the answer of another service, read in the callback of the client',
    code: dedent`
      const http = require('http');
      exports.notify = function (url) {
        http.get(encodeURI(url), (function (req, res) {
          req.on('data', function (data) {
            let answer;
            try { answer = JSON.parse(data); } catch (e) { answer = data; }
            if (answer.result != 1) console.error('failed: ' + url);
          });
        }));
      };
    `,
  },
  {
    name: 'JSON is expected: the code after it reads its fields',
    code: dedent`
      export function check(texts) {
        for (let data of texts) {
          try { data = JSON.parse(data); } catch (e) {}
          if (data.result !== 1) count(data);
        }
      }
    `,
  },
  {
    name: 'the keys that an administrator has set, read once: as a rule, there is one',
    code: dedent`
      import { createDecipheriv } from 'node:crypto';
      const { current, all: KEYS } = loadKeys(process.env);
      export function decrypt(iv, tag, data) {
        for (const key of KEYS) {
          try {
            const decipher = createDecipheriv('aes-256-gcm', key, iv);
            decipher.setAuthTag(tag);
            return decipher.update(data, undefined, 'utf8') + decipher.final('utf8');
          } catch {}
        }
        return undefined;
      }
      export const fields = (rows) => rows.map((row) => decrypt(row.iv, row.tag, row.data));
    `,
  },
  {
    name: 'call sites, which are no text, and a stack that is captured before the loop',
    code: dedent`
      function callerOf(own) {
        const original = Error.prepareStackTrace;
        Error.prepareStackTrace = (_, sites) => sites;
        const sites = new Error().stack;
        Error.prepareStackTrace = original;
        return sites.find((site) => site.getFileName() !== own);
      }
      export const places = (rows) => rows.map((row) => callerOf(row.file));
      export function frames(skip) {
        const mark = new Error();
        const found = [];
        for (const name of skip) {
          found.push(mark.stack.indexOf(name));
        }
        return found;
      }
    `,
  },
  {
    name: 'one address beside a request over the network',
    code: dedent`
      import express from 'express';
      const app = express();
      app.get('/', async (req, res) => {
        res.json((await fetch(req.query.from)).status);
        try { new URL(req.query.url); return true; } catch { return false; }
      });
    `,
  },
  {
    name: 'a line that is written, with the result whether that worked',
    code: dedent`
      import express from 'express';
      const app = express();
      app.get('/rows', async (req, res) => {
        for (const row of req.body.rows) if (!written(res, row)) break;
      });
      function written(res, row) {
        try {
          res.write(JSON.stringify(row));
          return true;
        } catch {
          return false;
        }
      }
    `,
  },
  {
    name: 'a loop at startup over what requests also test one by one',
    code: dedent`
      function originOf(value) {
        try {
          return new URL(value).origin;
        } catch {
          return '';
        }
      }
      export function createGuard({ origins }) {
        const known = new Set(origins.map(originOf));
        const check = (req, res, next) => {
          if (!known.has(originOf(req.headers.origin))) return res.sendStatus(403);
          return next();
        };
        return { check };
      }
    `,
    file: 'src/guard.js',
    others: {
      'src/server.js': dedent`
        import express from 'express';
        import { createGuard } from './guard.js';
        const app = express();
        const guard = createGuard({ origins: process.env.ORIGINS.split(',') });
        app.use(guard.check);
        app.listen(3000);
      `,
    },
  },
  {
    name: 'settings with a default',
    code: dedent`
      import express from 'express';
      const app = express();
      app.get('/', (req, res) => res.json(origins(req)));
      function origins({ allowedOrigins }) {
        return (allowedOrigins || []).map((value) => {
          try {
            return new URL(value).origin;
          } catch {
            return '';
          }
        });
      }
    `,
  },
  {
    name: 'a function of another file that throws, in a loop which no request runs',
    code: dedent`
      import { toCents } from './cents.js';
      function amountOf(row) {
        try {
          return toCents(row.amount);
        } catch {
          return 0;
        }
      }
      export const one = (row) => ({ amount: amountOf(row) });
      export const all = (rows) => rows.map((row) => amountOf(row));
    `,
    file: 'src/payments.js',
    others: {
      'src/cents.js':
        "export function toCents(value) {\n  if (!Number.isFinite(value)) throw new Error('no number');\n  return value * 100;\n}\n",
      'src/server.js': dedent`
        import express from 'express';
        import { one } from './payments.js';
        const app = express();
        app.post('/', (req, res) => res.json(one(req.body)));
      `,
    },
  },
  // ---- two or three items
  {
    name: 'the few addresses of one object that are there',
    code: dedent`
      import express from 'express';
      const app = express();
      app.post('/saml', (req, res) => {
        const { entity, post, redirect } = req.body;
        const candidates = [entity, post, redirect].filter(Boolean);
        for (const raw of candidates) {
          try {
            res.write(new URL(raw).hostname);
          } catch {
            // no URL
          }
        }
        res.end();
      });
    `,
  },
  {
    name: 'a short list by the name of a method',
    code: dedent`
      export const parsed = (row) => [row.body, row.head].map((text) => text.trim()).map((text) => {
        try {
          return JSON.parse(text);
        } catch {
          return text;
        }
      });
    `,
  },
  // ---- an error that is logged is an exception, also if the line says nothing about it
  {
    name: 'a setting that is logged where it is no URL',
    code: dedent`
      export const allowed = (list, url) => list.map((one) => {
        try {
          const { origin, pathname } = new URL(one);
          return origin + pathname;
        } catch {
          logger.warn(\`Invalid URL "\${url}"\`);
        }
        return null;
      }).filter(Boolean);
    `,
  },
  {
    name: 'logged by a helper',
    code: dedent`
      export const parse = (lines) => lines.map((line) => {
        try {
          return JSON.parse(line);
        } catch {
          logInvalidLine(line);
          return line;
        }
      });
    `,
  },
  {
    name: 'what an administrator has allowed',
    code: dedent`
      export const isAllowed = (config, origin) => config.allowedOrigins.some((domain) => {
        try {
          return new URL(domain).host === origin;
        } catch {
          return false;
        }
      });
    `,
  },
  // ---- settings: the same in each iteration, and an administrator wrote them
  {
    name: 'an address in the configuration',
    code: dedent`
      const addressOf = (config, key) => {
        try {
          const { host } = new URL(config.endpoint);
          return host + '/' + key;
        } catch {
          return config.endpoint + '/' + key;
        }
      };
      export const addresses = (config, keys) => keys.map((key) => addressOf(config, key));
    `,
  },
  {
    name: 'a part of the settings of a class',
    code: dedent`
      export class Files {
        addresses(keys) {
          return keys.map((key) => {
            try {
              return new URL(this.settings.storage.address).host + key;
            } catch {
              return key;
            }
          });
        }
      }
    `,
  },
  // ---- throws that only a mistake in the program causes
  {
    name: 'a promise where none is expected',
    code: dedent`
      export function validate(validators, input) {
        const failed = [];
        for (const validator of validators) {
          try {
            const isValid = validator.test(input);
            if (isValid instanceof Promise) {
              throw new Error('expected no async function');
            }
            if (!isValid) failed.push(validator.name);
          } catch {
            failed.push(validator.name);
          }
        }
        return failed;
      }
    `,
  },
  {
    name: 'no function where one is expected, in a helper',
    code: dedent`
      function run(task, value) {
        if (!task || typeof task !== 'function') throw new TypeError('not a function');
        return task(value);
      }
      export function runAll(tasks, value) {
        const results = [];
        for (const task of tasks) {
          try {
            results.push(run(task, value));
          } catch {
            results.push(undefined);
          }
        }
        return results;
      }
    `,
  },
  {
    name: 'no function where one is expected, in another file',
    code: dedent`
      import { run } from './run.js';
      export function runAll(tasks, value) {
        const results = [];
        for (const task of tasks) {
          try {
            results.push(run(task, value));
          } catch {
            results.push(undefined);
          }
        }
        return results;
      }
    `,
    others: {
      'src/run.js':
        "export function run(task, value) { if (typeof task !== 'function') throw new TypeError('not a function'); return task(value); }",
    },
  },
  // ---- what cannot throw for the values that come
  {
    name: 'a copy by way of JSON',
    code: dedent`
      export const copies = (rows) => rows.map((row) => {
        const text = JSON.stringify(row);
        try { return JSON.parse(text); } catch { return text; }
      });
    `,
  },
  {
    name: 'the text of a URL',
    code: dedent`
      export function hosts(pages) {
        return pages.map((page) => {
          const url = new URL(page.path, BASE);
          try { return new URL(url.href).host; } catch { return ''; }
        });
      }
    `,
  },
  {
    name: 'a switch over all kinds',
    code: dedent`
      function widthOf(kind) {
        switch (kind) {
          case 'byte': return 1;
          case 'word': return 2;
          default: throw new Error(kind);
        }
      }
      export function widths(fields) {
        let sum = 0;
        for (const field of fields) {
          try { sum += widthOf(field.kind); } catch { sum += 8; }
        }
        return sum;
      }
    `,
  },
  // ---- a plain try is free
  dedent`
    export function run(items) {
      for (const item of items) {
        try { work(item); } catch (error) { report(error); }
      }
    }
  `,
  'export const all = (items) => items.map((item) => { try { return convert(item); } catch { return undefined; } });',
  dedent`
    export function parse(lines) {
      const out = [];
      for (const line of lines) {
        try { out.push(JSON.parse(line)); } catch { skipped.push(line); }
      }
      return out;
    }
  `,
  {
    name: 'finally needs no catch',
    code: 'export function run(items) { for (const item of items) { lock(item); try { work(item); } finally { unlock(item); } } }',
  },
  {
    name: 'each message’s converters are kept apart',
    code: dedent`
      export async function onMessage(data, converters) {
        let payload = {};
        for (const converter of converters) {
          try {
            const converted = await converter.convert(data);
            if (converted) payload = { ...payload, ...converted };
          } catch (error) {
            logger.error(\`Exception: \${error.message}\`);
            logger.debug(error.stack);
          }
        }
        return payload;
      }
    `,
  },
  {
    name: 'payloads that the application wrote itself',
    code: dedent`
      export async function retry(queued, remove) {
        await Promise.all(queued.map(async (data, i) => {
          let payload;
          try { payload = JSON.parse(data.payload); } catch (err) { remove.push(i); return; }
          await send(payload);
        }));
      }
    `,
  },

  {
    name: 'a range that goes up to today',
    project: { nodeRange: '>=0.4.7' },
    code: dedent`
      exports.run = function (items) {
        for (var i = 0; i < items.length; i++) {
          try { work(items[i]); } catch (error) { report(error); }
        }
      };
    `,
  },
  {
    name: 'a conversion has an answer for everything',
    code: dedent`
      export function newest(versions) {
        let most = 0;
        for (const version of versions) {
          let major = 0;
          try { major = parseInt(String(version).split(".")[0], 10); } catch {}
          if (major > 20) return version;
          most = Math.max(most, major);
        }
        return most;
      }
    `,
  },
  {
    name: 'settings that are read while routes are registered',
    code: dedent`
      import express from 'express';
      export default function (options) {
        const router = express.Router();
        const servers = parseAll(options.servers);
        router.post('/', (req, res) => res.json(servers[req.body.url]));
        return router;
      }
      function parseAll(servers) {
        const known = {};
        Object.keys(servers).forEach((server) => { known[normal(server)] = servers[server]; });
        return known;
      }
      function normal(text) {
        try { return new URL(text).toString(); } catch { return ''; }
      }
    `,
  },
  {
    name: 'a program that is built for browsers',
    file: 'src/links.js',
    project: {
      ...NODE_20,
      manifest: { bin: [], scripts: {}, dependencies: { react: '^18.0.0' }, devDependencies: { 'react-scripts': '5.0.1' }, private: true },
    },
    code: 'export const good = (links) => links.filter((link) => { try { new URL(link); return true; } catch { return false; } });',
  },

  // ---- something is awaited: the throw is lost beside it
  dedent`
    export async function fetchAll(urls) {
      const pages = [];
      for (const url of urls) {
        try {
          const page = await fetch(url);
          if (!page.ok) throw new Error(page.statusText);
          pages.push(page);
        } catch { pages.push(null); }
      }
      return pages;
    }
  `,
  dedent`
    export async function send(post, max) {
      for (let tries = 0; tries < max; tries++) {
        try { return await post(); } catch (error) { if (tries === max - 1) throw error; await wait(tries); }
      }
    }
  `,
  {
    name: 'every round waits',
    code: 'export async function mock(max, url) { for (let attempt = 0; attempt < max; attempt++) { let path; try { path = new URL(url).pathname; } catch { path = url; } const answer = await ask(path); if (answer.ok) return answer; } }',
  },
  {
    name: 'mirrors are asked over the network',
    code: 'export async function load(mirrors) { for (const mirror of mirrors) { try { return await get(mirror); } catch {} } }',
  },
  {
    name: 'attempts are no candidates',
    code: 'export function open(max) { for (let attempt = 0; attempt < max; attempt++) { try { return connect(attempt); } catch {} } }',
  },

  {
    name: 'a question that is awaited',
    code: 'export const reachable = (hosts) => Promise.all(hosts.map(async (host) => { try { await ping(host); return true; } catch { return false; } }));',
  },
  { name: 'a question asked once', code: 'export function isInteger(text) { try { BigInt(text); return true; } catch { return false; } }' },
  {
    name: 'the work itself, with a mark that it was done',
    code: 'export const run = (jobs) => jobs.map((job) => { try { job.prepare(); job.run(); return true; } catch { return false; } });',
  },

  // ---- the error ends the loop, or goes on
  dedent`
    export function check(scores) {
      for (const score of scores) {
        if (!Number.isFinite(score)) throw new Error(\`invalid score \${score}\`);
      }
    }
  `,
  dedent`
    export function check(rows) {
      try {
        for (const row of rows) if (!row.id) throw new Error('no id');
        return true;
      } catch {
        return false;
      }
    }
  `,
  dedent`
    export function first(rows) {
      for (const row of rows) {
        try { if (!row.id) throw new Error('no id'); use(row); } catch (e) { return e.message; }
      }
    }
  `,
  dedent`
    export function all(rows) {
      return rows.map((row) => {
        try { if (!row.id) throw new Error('no id'); return row.id; } catch (e) { throw new Error(\`row: \${e.message}\`, { cause: e }); }
      });
    }
  `,
  {
    name: 'the caller gets the error',
    code: 'export const up = (req, res, next) => { try { if (!req.user) throw new Error("who?"); res.end(); } catch (e) { next(e); } };',
  },
  {
    name: 'the walk ends at the first bad link',
    code: 'export function every(links) { for (const link of links) { try { new URL(link); } catch { return false; } } return true; }',
  },

  {
    name: 'all errors are collected and thrown later',
    code: dedent`
      function cast(value) { if (typeof value !== 'number') throw new TypeError('no number'); return value; }
      export function castAll(rows) {
        const errors = [];
        for (const row of rows) {
          try { row.size = cast(row.size); } catch (error) { errors.push(error); }
        }
        if (errors.length > 0) throw new AggregateError(errors);
      }
    `,
  },
  {
    name: 'an own throw that is kept',
    code: dedent`
      export function castAll(rows) {
        let failed;
        for (const row of rows) {
          try { if (row.size == null) throw new TypeError('no size'); use(row.size); } catch (error) { failed = error; }
        }
        return failed;
      }
    `,
  },
  {
    name: 'a bad request is answered',
    code: "export const up = (req, res) => { try { if (!req.user) throw new Error('who?'); res.end('ok'); } catch { res.status(401).json({ error: 'who?' }); } };",
  },
  {
    name: 'a wrong address is answered with an error, and so they are seldom wrong',
    code: dedent`
      const express = require('express');
      const app = express();
      const isUrl = (text) => { try { new URL(text); return true; } catch { return false; } };
      app.post('/u', (req, res) => {
        if (!req.body.url || !isUrl(req.body.url)) return res.status(400).end();
        res.end();
      });
    `,
  },
  {
    name: 'a bad request is answered and that is all',
    code: dedent`
      const express = require('express');
      const app = express();
      app.post('/u', (req, res) => {
        let folder;
        try { if (!req.body.folder) throw new Error('no folder'); folder = find(req.body.folder); } catch { return res.status(400).end(); }
        res.json(folder);
      });
    `,
  },

  {
    name: 'the first bad link ends the caller’s walk',
    code: dedent`
      const isGood = (link) => { try { return new URL(link).origin === link; } catch { return false; } };
      export function firstBad(links) { for (const link of links) { if (!isGood(link)) return link; } }
    `,
  },

  {
    name: 'one kind of error only',
    code: dedent`
      function resolve(ref) { if (!refs.has(ref)) throw new Error('missing'); return refs.get(ref); }
      export function all(list) { const out = []; for (const ref of list) { try { out.push(resolve(ref)); } catch (e) { if (e.code !== 'MISSING') throw e; } } return out; }
    `,
  },

  // ---- errors that are values
  'export const check = (lines) => lines.flatMap((line) => (line.ok ? [] : [new InsufficientStockError(line)]));',
  "export function validate(rows) { const errors = []; for (const row of rows) if (!row.id) errors.push(new Error('no id')); return errors; }",
  { name: 'a promise’s rejection', code: 'export const load = (ids) => Promise.all(ids.map((id) => read(id).catch(() => null)));' },

  // ---- work that is done once
  {
    name: 'environment variables',
    code: dedent`
      export function applyEnvironmentVariables(settings, keys) {
        for (const key of keys) {
          const value = process.env[key];
          try { settings[key] = JSON.parse(value); } catch { settings[key] = value; }
        }
      }
    `,
  },
  {
    name: 'straight from the environment',
    code: 'export function overlay(settings, keys) { for (const key of keys) { try { settings[key] = JSON.parse(process.env[key]); } catch { settings[key] = process.env[key]; } } }',
  },
  {
    name: 'plugins',
    code: dedent`
      export function loadPlugins(names) {
        for (const name of names) {
          try { if (!known.has(name)) throw new Error('unknown plugin'); use(name); } catch { missing.push(name); }
        }
      }
    `,
  },
  {
    name: 'modules that may be installed or not',
    code: 'export function pick(names) { for (const name of names) { try { return require(name); } catch {} } }',
  },
  {
    name: 'a file that may lie in several places',
    code: dedent`
      import fs from 'node:fs';
      export function find(paths) { for (const path of paths) { try { return fs.readFileSync(path, 'utf8'); } catch {} } }
    `,
  },
  {
    name: 'the module’s top level',
    code: "for (const link of defaults) { try { new URL(link); } catch { console.warn('bad default'); } }",
  },
  {
    name: 'a constructor',
    code: 'export class Feed { constructor(links) { this.links = links.filter((link) => { try { new URL(link); return true; } catch { return false; } }); } }',
    project: NODE_20,
  },
  {
    name: 'a constructor of the old kind',
    code: dedent`
      function ChangeNode(n) {
        this.rules = n.rules;
        for (var i = 0; i < this.rules.length; i++) {
          try { JSON.parse(this.rules[i].to); this.valid = true; } catch (e) { this.valid = false; }
        }
      }
      module.exports = ChangeNode;
    `,
  },
  {
    name: 'a connection string',
    code: dedent`
      function parseConnectionString(text) {
        const out = {};
        for (const [key, value] of new URLSearchParams(text)) {
          try { out[key] = JSON.parse(value); } catch { out[key] = value; }
        }
        return out;
      }
      module.exports = parseConnectionString;
    `,
  },
  {
    name: 'a configuration',
    code: 'module.exports = class ConnectionConfig { static parseUrl(text) { const out = {}; new URL(text).searchParams.forEach((value, key) => { try { out[key] = JSON.parse(value); } catch { out[key] = value; } }); return out; } };',
  },
  {
    name: 'a package that lies in one of several folders',
    code: dedent`
      const fs = require('fs');
      exports.version = (folders) => { for (const folder of folders) { try { return JSON.parse(fs.readFileSync(\`\${folder}/package.json\`)).version; } catch (e) {} } };
    `,
  },
  {
    name: 'a test',
    file: 'test/links.test.js',
    code: 'export const good = (links) => links.filter((link) => { try { new URL(link); return true; } catch { return false; } });',
    project: NODE_20,
  },
  {
    name: 'a migration',
    file: 'db/migrations/2024-01-01-links.js',
    code: 'exports.up = (rows) => rows.map((row) => { try { return JSON.parse(row); } catch { return row; } });',
  },
  {
    name: 'a build script',
    file: 'scripts/links.js',
    code: 'export const parse = (rows) => rows.map((row) => { try { return JSON.parse(row); } catch { return row; } });',
  },
  {
    name: 'a component that a browser draws',
    file: 'src/list.jsx',
    code: 'export const List = ({ rows }) => rows.map((row) => { let x; try { x = row.a.b.c; } catch { x = null; } return <li>{x}</li>; });',
  },

  // ---- few candidates, few rounds
  'export function verify(token) { for (const key of [current, previous]) { try { return jwt.verify(token, key); } catch {} } }',
  dedent`
    const FORMATS = [iso, rfc];
    export function read(text) { for (const format of FORMATS) { try { return format.parse(text); } catch {} } }
  `,
  'export function guess(text) { for (let i = 0; i < 3; i++) { try { return JSON.parse(text + "}".repeat(i)); } catch { continue; } } }',

  // ---- not what it looks like
  {
    name: 'another URL',
    code: dedent`
      import { URL } from './own-url.js';
      export const hosts = (links) => links.map((link) => { try { return new URL(link).host; } catch { return null; } });
    `,
    project: NODE_20,
  },
  {
    name: 'another JSON',
    code: 'export const all = (rows, JSON) => rows.map((row) => { try { return JSON.parse(row); } catch { return row; } });',
  },
  {
    name: 'with a base nearly every text is an address',
    code: 'export const absolute = (links, base) => links.map((link) => { try { return new URL(link, base).href; } catch { return link; } });',
  },
  {
    name: 'a host that is written out, too',
    code: 'export const paths = (links) => links.map((link) => { try { return new URL(`http://x${link}`).pathname; } catch { return link; } });',
  },
  {
    name: 'what is written back is there',
    code: "export function texts(rows) { for (const row of rows) { try { row.names.first = '' + row.names.first; } catch { delete row.names; } } }",
  },
  {
    name: 'a text’s methods give texts',
    code: "export const names = (items) => items.map((item) => { try { return item.toString().replace(/x/g, ''); } catch { return ''; } });",
  },
  {
    name: 'a literal address',
    code: "export const all = (items) => items.map((item) => { try { return new URL('https://example.org').host; } catch { return item; } });",
  },
  {
    name: 'who logs the error does not expect it',
    code: 'export const all = (links) => links.map((link) => { try { return new URL(link).host; } catch (e) { logger.error(e); return null; } });',
  },
  {
    name: 'a member of what is surely there',
    code: 'export const paths = (items) => items.map((item) => { try { return process.env.PATH; } catch { return item; } });',
  },
  {
    name: 'a call that may throw anything is no member read',
    code: 'export const all = (items) => items.map((item) => { try { return item.owner.load().name; } catch { return null; } });',
  },
  {
    name: '?. already',
    code: 'export const all = (items) => items.map((item) => { try { return item?.owner; } catch { return null; } });',
  },
  {
    name: 'a throw in a function that runs elsewhere',
    code: "export const tasks = (items) => items.map((item) => { try { return later(() => { throw new Error('later'); }); } catch { return item; } });",
  },
  {
    name: 'a throw that an inner try takes belongs to that one',
    code: 'export const tasks = (items) => items.map((item) => { try { try { run(item); } finally { close(item); } } catch { return item; } });',
  },
  {
    name: 'one stack when something went wrong',
    code: "export async function add(items) { for (const item of items) { try { await insert(item); } catch (err) { console.log(new Error('insert').stack, item); } } }",
  },
  {
    name: 'a stack behind a condition',
    code: 'export const add = (items, verbose) => items.map((item) => { if (verbose) print(new Error().stack); return item; });',
  },
  {
    name: 'a style that the DOM may fail to parse',
    code: "exports.shown = (elements) => elements.filter((element) => { try { return element.style.display !== 'none'; } catch (e) { return false; } });",
  },
  { name: 'a property called stack', code: 'export const add = (items, machine) => items.map((item) => machine.stack.push(item));' },
  {
    name: 'asked first',
    code: 'export const hosts = (links) => links.map((link) => (URL.canParse(link) ? new URL(link).host : ""));',
    project: NODE_20,
  },
  {
    name: 'one JSON value per line',
    code: "export function listen(socket, onMessage) { let rest = ''; socket.on('data', (chunk) => { const lines = (rest + chunk).split('\\n'); rest = lines.pop(); for (const line of lines) onMessage(JSON.parse(line)); }); }",
  },
  {
    name: 'Node 8.3 is young enough',
    code: 'exports.run = function (items) { items.forEach(function (item) { try { work(item); } catch (error) { report(error); } }); };',
    project: { nodeRange: '>=8.3' },
  },
  {
    name: 'on old Node too, a loop that registers something runs none of it',
    code: 'exports.bind = function (app, names) { names.forEach(function (name) { app.on(name, function (item) { try { work(item); } catch (error) { report(error); } }); }); };',
    project: { nodeRange: '>=6' },
  },
  {
    name: 'on old Node too, what is awaited decides',
    code: 'exports.run = async function (items) { for (const item of items) { try { await work(item); } catch (error) { report(error); } } };',
    project: { nodeRange: '>=7.6' },
  },
];
