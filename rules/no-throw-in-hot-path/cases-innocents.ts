import type { ValidCase } from '../../analysis/testing/rule-tester.ts';

const NODE_20 = { nodeRange: '>=20' };

export const innocents: readonly (string | ValidCase)[] = [
  // ---- a plain try is free
  'export function run(items) {\n  for (const item of items) {\n    try { work(item); } catch (error) { report(error); }\n  }\n}',
  'export const all = (items) => items.map((item) => { try { return convert(item); } catch { return undefined; } });',
  'export function parse(lines) {\n  const out = [];\n  for (const line of lines) {\n    try { out.push(JSON.parse(line)); } catch { skipped.push(line); }\n  }\n  return out;\n}',
  {
    name: 'finally needs no catch',
    code: 'export function run(items) { for (const item of items) { lock(item); try { work(item); } finally { unlock(item); } } }',
  },
  {
    name: 'each message’s converters are kept apart',
    code: 'export async function onMessage(data, converters) {\n  let payload = {};\n  for (const converter of converters) {\n    try {\n      const converted = await converter.convert(data);\n      if (converted) payload = { ...payload, ...converted };\n    } catch (error) {\n      logger.error(`Exception: ${error.message}`);\n      logger.debug(error.stack);\n    }\n  }\n  return payload;\n}',
  },
  {
    name: 'payloads that the application wrote itself',
    code: 'export async function retry(queued, remove) {\n  await Promise.all(queued.map(async (data, i) => {\n    let payload;\n    try { payload = JSON.parse(data.payload); } catch (err) { remove.push(i); return; }\n    await send(payload);\n  }));\n}',
  },

  {
    name: 'a range that goes up to today',
    project: { nodeRange: '>=0.4.7' },
    code: 'exports.run = function (items) {\n  for (var i = 0; i < items.length; i++) {\n    try { work(items[i]); } catch (error) { report(error); }\n  }\n};',
  },
  {
    name: 'a conversion has an answer for everything',
    code: 'export function newest(versions) {\n  let most = 0;\n  for (const version of versions) {\n    let major = 0;\n    try { major = parseInt(String(version).split(".")[0], 10); } catch {}\n    if (major > 20) return version;\n    most = Math.max(most, major);\n  }\n  return most;\n}',
  },
  {
    name: 'settings that are read while routes are registered',
    code: "import express from 'express';\nexport default function (options) {\n  const router = express.Router();\n  const servers = parseAll(options.servers);\n  router.post('/', (req, res) => res.json(servers[req.body.url]));\n  return router;\n}\nfunction parseAll(servers) {\n  const known = {};\n  Object.keys(servers).forEach((server) => { known[normal(server)] = servers[server]; });\n  return known;\n}\nfunction normal(text) {\n  try { return new URL(text).toString(); } catch { return ''; }\n}",
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
  'export async function fetchAll(urls) {\n  const pages = [];\n  for (const url of urls) {\n    try {\n      const page = await fetch(url);\n      if (!page.ok) throw new Error(page.statusText);\n      pages.push(page);\n    } catch { pages.push(null); }\n  }\n  return pages;\n}',
  'export async function send(post, max) {\n  for (let tries = 0; tries < max; tries++) {\n    try { return await post(); } catch (error) { if (tries === max - 1) throw error; await wait(tries); }\n  }\n}',
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
  'export function check(scores) {\n  for (const score of scores) {\n    if (!Number.isFinite(score)) throw new Error(`invalid score ${score}`);\n  }\n}',
  "export function check(rows) {\n  try {\n    for (const row of rows) if (!row.id) throw new Error('no id');\n    return true;\n  } catch {\n    return false;\n  }\n}",
  "export function first(rows) {\n  for (const row of rows) {\n    try { if (!row.id) throw new Error('no id'); use(row); } catch (e) { return e.message; }\n  }\n}",
  "export function all(rows) {\n  return rows.map((row) => {\n    try { if (!row.id) throw new Error('no id'); return row.id; } catch (e) { throw new Error(`row: ${e.message}`, { cause: e }); }\n  });\n}",
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
    code: "function cast(value) { if (typeof value !== 'number') throw new TypeError('no number'); return value; }\nexport function castAll(rows) {\n  const errors = [];\n  for (const row of rows) {\n    try { row.size = cast(row.size); } catch (error) { errors.push(error); }\n  }\n  if (errors.length > 0) throw new AggregateError(errors);\n}",
  },
  {
    name: 'an own throw that is kept',
    code: "export function castAll(rows) {\n  let failed;\n  for (const row of rows) {\n    try { if (row.size == null) throw new TypeError('no size'); use(row.size); } catch (error) { failed = error; }\n  }\n  return failed;\n}",
  },
  {
    name: 'a bad request is answered',
    code: "export const up = (req, res) => { try { if (!req.user) throw new Error('who?'); res.end('ok'); } catch { res.status(401).json({ error: 'who?' }); } };",
  },
  {
    name: 'a bad request is answered and that is all',
    code: "const express = require('express');\nconst app = express();\napp.post('/u', (req, res) => {\n  let folder;\n  try { if (!req.body.folder) throw new Error('no folder'); folder = find(req.body.folder); } catch { return res.status(400).end(); }\n  res.json(folder);\n});",
  },

  {
    name: 'the first bad link ends the caller’s walk',
    code: 'const isGood = (link) => { try { return new URL(link).origin === link; } catch { return false; } };\nexport function firstBad(links) { for (const link of links) { if (!isGood(link)) return link; } }',
  },

  {
    name: 'one kind of error only',
    code: "function resolve(ref) { if (!refs.has(ref)) throw new Error('missing'); return refs.get(ref); }\nexport function all(list) { const out = []; for (const ref of list) { try { out.push(resolve(ref)); } catch (e) { if (e.code !== 'MISSING') throw e; } } return out; }",
  },

  // ---- errors that are values
  'export const check = (lines) => lines.flatMap((line) => (line.ok ? [] : [new InsufficientStockError(line)]));',
  "export function validate(rows) { const errors = []; for (const row of rows) if (!row.id) errors.push(new Error('no id')); return errors; }",
  { name: 'a promise’s rejection', code: 'export const load = (ids) => Promise.all(ids.map((id) => read(id).catch(() => null)));' },

  // ---- work that is done once
  {
    name: 'environment variables',
    code: 'export function applyEnvironmentVariables(settings, keys) {\n  for (const key of keys) {\n    const value = process.env[key];\n    try { settings[key] = JSON.parse(value); } catch { settings[key] = value; }\n  }\n}',
  },
  {
    name: 'straight from the environment',
    code: 'export function overlay(settings, keys) { for (const key of keys) { try { settings[key] = JSON.parse(process.env[key]); } catch { settings[key] = process.env[key]; } } }',
  },
  {
    name: 'plugins',
    code: "export function loadPlugins(names) {\n  for (const name of names) {\n    try { if (!known.has(name)) throw new Error('unknown plugin'); use(name); } catch { missing.push(name); }\n  }\n}",
  },
  {
    name: 'modules that may be installed or not',
    code: 'export function pick(names) { for (const name of names) { try { return require(name); } catch {} } }',
  },
  {
    name: 'a file that may lie in several places',
    code: "import fs from 'node:fs';\nexport function find(paths) { for (const path of paths) { try { return fs.readFileSync(path, 'utf8'); } catch {} } }",
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
    code: 'function ChangeNode(n) {\n  this.rules = n.rules;\n  for (var i = 0; i < this.rules.length; i++) {\n    try { JSON.parse(this.rules[i].to); this.valid = true; } catch (e) { this.valid = false; }\n  }\n}\nmodule.exports = ChangeNode;',
  },
  {
    name: 'a connection string',
    code: 'function parseConnectionString(text) {\n  const out = {};\n  for (const [key, value] of new URLSearchParams(text)) {\n    try { out[key] = JSON.parse(value); } catch { out[key] = value; }\n  }\n  return out;\n}\nmodule.exports = parseConnectionString;',
  },
  {
    name: 'a configuration',
    code: 'module.exports = class ConnectionConfig { static parseUrl(text) { const out = {}; new URL(text).searchParams.forEach((value, key) => { try { out[key] = JSON.parse(value); } catch { out[key] = value; } }); return out; } };',
  },
  {
    name: 'a package that lies in one of several folders',
    code: "const fs = require('fs');\nexports.version = (folders) => { for (const folder of folders) { try { return JSON.parse(fs.readFileSync(`${folder}/package.json`)).version; } catch (e) {} } };",
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
  'const FORMATS = [iso, rfc];\nexport function read(text) { for (const format of FORMATS) { try { return format.parse(text); } catch {} } }',
  'export function guess(text) { for (let i = 0; i < 3; i++) { try { return JSON.parse(text + "}".repeat(i)); } catch { continue; } } }',

  // ---- not what it looks like
  {
    name: 'another URL',
    code: "import { URL } from './own-url.js';\nexport const hosts = (links) => links.map((link) => { try { return new URL(link).host; } catch { return null; } });",
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
