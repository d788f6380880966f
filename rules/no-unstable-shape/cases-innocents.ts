import type { ValidCase } from '../../analysis/testing/rule-tester.ts';

/** Code that tempts: dictionaries, sessions, start-up, one object many times, and records that keep their shape. */
export const innocents: readonly (string | ValidCase)[] = [
  { name: 'an entry of a dictionary', code: 'export function sweep(keys, map) {\n  for (const key of keys) delete map[key];\n}' },
  {
    name: 'an entry under a computed key of each object',
    code: 'export function strip(users, fields) {\n  for (const user of users) for (const field of fields) delete user[field];\n}',
  },
  {
    name: 'a timer in a private dictionary',
    code: 'export class Timers {\n  timers = {};\n  stop(ids) {\n    for (const id of ids) delete this.timers[id];\n  }\n}',
  },
  { name: 'an element of an array', code: 'export function clear(lists) {\n  for (const list of lists) delete list[0];\n}' },
  { name: 'a session', code: 'export function logOut(requests) {\n  for (const req of requests) delete req.session.user;\n}' },
  {
    name: 'a session on one request',
    code: "import express from 'express';\nconst app = express();\napp.post('/out', (req, res) => {\n  delete req.session.user;\n  res.end();\n});",
  },
  {
    name: 'one field of one record per request',
    code: "import express from 'express';\nconst app = express();\napp.get('/me', async (req, res) => {\n  const user = await load(req.query.id);\n  delete user.password;\n  res.json(user);\n});",
  },
  {
    name: 'headers',
    code: 'export function clean(calls) {\n  calls.forEach((call) => {\n    delete call.headers.authorization;\n  });\n}',
  },
  { name: 'cookies', code: 'export function clean(calls) {\n  for (const call of calls) delete call.cookies.token;\n}' },
  {
    name: 'the module cache',
    code: 'export function reload(names) {\n  for (const name of names) delete require.cache[require.resolve(name)];\n}',
  },
  { name: 'the environment', code: 'export function forget(runs) {\n  for (const run of runs) delete process.env.TOKEN;\n}' },
  { name: 'a global', code: 'export function reset(rounds) {\n  for (const round of rounds) delete globalThis.cached;\n}' },
  {
    name: 'the same object every round',
    code: 'export function run(items, state) {\n  for (const item of items) {\n    use(item, state);\n    delete state.current;\n  }\n}',
  },
  {
    name: 'the own object every round',
    code: 'export class Queue {\n  drain(items) {\n    for (const item of items) {\n      this.send(item);\n      delete this.current;\n    }\n  }\n}',
  },
  {
    name: 'a result that is the same object every round',
    code: 'export function apply(items) {\n  for (const item of items) {\n    const settings = getSettings();\n    delete settings.draft;\n    use(item, settings);\n  }\n}',
  },
  {
    name: 'options once',
    code: 'export function createCache(opts) {\n  if (opts.length) delete opts.length;\n  return new Cache(opts);\n}',
  },
  {
    name: 'the options of each call',
    code: 'export function prepare(calls) {\n  for (const { options } of calls) delete options.retry;\n}',
  },
  {
    name: 'the top level of a module',
    code: "import routes from './routes.js';\nfor (const route of routes) {\n  delete route.comment;\n}",
  },
  {
    name: 'a function that only the top level calls',
    code: 'function tidy(list) {\n  list.forEach((item) => {\n    delete item.comment;\n  });\n}\ntidy(routes);',
  },
  {
    name: 'a function of start-up by its name',
    code: 'export function loadPlugins(list) {\n  for (const plugin of list) delete plugin.readme;\n}',
  },
  {
    name: 'a module that is given the application',
    code: 'module.exports = function (app) {\n  app.routes.forEach((route) => {\n    delete route.docs;\n  });\n};',
  },
  {
    name: 'what extends the plugins',
    code: 'export class Loader {\n  extendPlugins(list) {\n    for (const plugin of list) {\n      delete plugin.path;\n      this.all.push(plugin);\n    }\n  }\n}',
  },
  {
    name: 'a file of settings',
    file: 'lib/config.js',
    code: 'exports.providers = (list) => list.map((provider) => {\n  delete provider.overrides;\n  return provider;\n});',
  },
  {
    name: 'of bad input only',
    code: 'export function boxes(rows) {\n  return rows.map((row) => {\n    try { row.box = JSON.parse(row.box); } catch (error) { report(error); delete row.box; }\n    return row;\n  });\n}',
  },
  {
    name: 'of the first record only',
    code: 'export function clean(rules) {\n  return rules.map((rule, index) => {\n    const copy = { ...rule };\n    if (index === 0 && rule.isDefault) {\n      if (!rule.end) delete copy.end;\n      delete copy.score;\n    }\n    return copy;\n  });\n}',
  },
  {
    name: 'of the last record only',
    code: 'export function clean(rows) {\n  for (let i = 0; i < rows.length; i++) {\n    if (i === rows.length - 1) delete rows[i].next;\n  }\n}',
  },
  {
    name: 'a field that all records of a loop have, or none',
    code: 'export function topics(subs, version) {\n  return subs.map((sub) => {\n    const topic = { qos: sub.qos };\n    if (version === 5) {\n      topic.local = sub.local;\n      topic.kept = sub.kept;\n    }\n    return topic;\n  });\n}',
  },
  {
    name: 'two such fields',
    code: 'export function nodes(list, withQuery) {\n  const out = [];\n  const isDebug = out.length > 0;\n  for (const one of list) {\n    const node = { id: one.id };\n    if (withQuery) node.query = one.query;\n    if (!isDebug) node.cost = one.cost;\n    out.push(node);\n  }\n  return out;\n}',
  },
  {
    name: 'a migration by its folder',
    file: 'migrations/drop-locale.js',
    code: 'export async function up(db) {\n  for (const user of await db.users()) delete user.locale;\n}',
  },
  {
    name: 'a migration by its registration',
    code: "export function add(self) {\n  self.migrations.add('drop-locale', async () => {\n    for (const doc of await self.docs()) delete doc.locale;\n  });\n}",
  },
  {
    name: 'a test',
    file: 'test/users.test.js',
    code: 'export function normalise(users) {\n  return users.map((user) => {\n    delete user.id;\n    return user;\n  });\n}',
  },
  {
    name: 'a script',
    file: 'scripts/clean.js',
    code: 'export function clean(entries) {\n  for (const entry of entries) delete entry.note;\n}',
  },
  {
    name: 'a page',
    code: 'export function hide(items) {\n  for (const item of items) {\n    delete item.handle;\n    document.querySelector(item.selector).hidden = true;\n  }\n}',
  },
  {
    name: 'a component',
    code: "import { useState } from 'react';\nexport function useRows(rows) {\n  rows.forEach((row) => {\n    delete row.key;\n  });\n  return useState(rows);\n}",
  },
  {
    name: 'a client',
    file: 'src/client/rows.js',
    code: 'export function useAll(rows) {\n  rows.forEach((row) => {\n    delete row.key;\n  });\n}',
  },
  {
    name: 'settings',
    file: 'src/config/fields.js',
    code: 'export function sanitize(fields) {\n  for (const field of fields) delete field.localized;\n}',
  },
  {
    name: 'what is called when all is done',
    code: "import async from 'async';\nexport function all(items, done) {\n  async.map(items, work, (result) => {\n    delete result.draft;\n    done(result);\n  });\n  async.map(items, (item, next) => next(), function (result) {\n    delete result.draft;\n  });\n}",
  },
  {
    name: 'a list that is written out',
    code: "const KINDS = ['a', 'b'];\nexport function tidy(all) {\n  for (const kind of KINDS) delete all[kind].note;\n}",
  },
  {
    name: 'a constant list of another file',
    code: "import { SOURCES } from './sources.js';\nexport const places = (get) => SOURCES.map((source) => {\n  const place = { via: source.via };\n  if (get(source.city)) place.city = get(source.city);\n  if (get(source.region)) place.region = get(source.region);\n  return place;\n});",
  },
  {
    name: 'a keyword of a JSON schema',
    code: 'export function merge(properties) {\n  for (const property of properties) delete property.const;\n}',
  },
  { name: 'three objects', code: 'export function tidy(a, b, c) {\n  [a, b, c].forEach((one) => {\n    delete one.note;\n  });\n}' },
  { name: 'a few rounds', code: 'export function tidy(list) {\n  for (let i = 0; i < 3; i++) delete list[i].note;\n}' },
  {
    name: 'an object without a prototype',
    code: 'export function count(lists) {\n  for (const list of lists) {\n    const seen = Object.create(null);\n    fill(seen, list);\n    delete seen.total;\n    use(seen);\n  }\n}',
  },
  {
    name: 'a literal without a prototype',
    code: 'export function count(lists) {\n  return lists.map((list) => {\n    const seen = { __proto__: null };\n    fill(seen, list);\n    delete seen.total;\n    return seen;\n  });\n}',
  },
  {
    name: 'a dictionary of each round',
    code: 'export function count(lists) {\n  for (const list of lists) {\n    const seen = {};\n    for (const word of list) seen[word] = true;\n    delete seen.constructor_;\n    use(seen);\n  }\n}',
  },
  {
    name: 'a key that is no field name',
    code: "export function agents(calls) {\n  for (const call of calls) delete call.init['sec-fetch-mode'];\n}",
  },
  { name: 'an operator of a query', code: 'export function simplify(parts) {\n  for (const part of parts) delete part.$or;\n}' },
  { name: 'a map by its name', code: 'export function drop(groups) {\n  for (const group of groups) delete group.usersById.anonymous;\n}' },
  {
    name: 'a field of every record that is set to undefined',
    code: 'export function hide(users) {\n  for (const user of users) user.password = undefined;\n  return users;\n}',
  },
  { name: 'a copy without the field', code: 'export const hide = (users) => users.map(({ password, ...user }) => user);' },
  {
    name: 'a Map and a Set',
    code: "export function drop(groups) {\n  for (const group of groups) {\n    group.members.delete('anonymous');\n    group.seen.delete(group.id);\n  }\n}",
  },
  {
    name: 'the field added last, on Node versions that forgive it',
    project: { nodeRange: '18 || 20' },
    code: 'export function make(rows) {\n  return rows.map((row) => {\n    const one = { id: row.id, draft: true };\n    delete one.draft;\n    return one;\n  });\n}',
  },

  {
    name: 'a field added on every path',
    code: 'export function make(rows) {\n  return rows.map((row) => {\n    const one = { id: row.id };\n    if (row.big) one.size = 2;\n    else one.size = 1;\n    return one;\n  });\n}',
  },
  {
    name: 'a field that the literal has',
    code: 'export function make(rows) {\n  return rows.map((row) => {\n    const one = { id: row.id, size: 1, note: undefined };\n    if (row.big) one.size = 2;\n    if (row.note) one.note = row.note;\n    return one;\n  });\n}',
  },
  {
    name: 'the same fields in the same order on three paths',
    code: "export function make(rows) {\n  const list = [];\n  for (const row of rows) {\n    const one = { id: row.id };\n    if (row.blob) {\n      one.hash = hash(row);\n      one.at = row.at;\n    } else {\n      if (row.entity) {\n        one.hash = row.entity.hash;\n        one.at = row.entity.at;\n      } else {\n        one.hash = 'deleted';\n        one.at = 0;\n      }\n    }\n    list.push(one);\n  }\n  return list;\n}",
  },
  {
    name: 'one object of many shapes',
    code: 'export function settings(input) {\n  const all = { id: 1 };\n  if (input.a) all.a = input.a;\n  if (input.b) all.b = input.b;\n  if (input.c) all.c = input.c;\n  return all;\n}',
  },
  {
    name: 'an object that meets no other',
    code: 'export function log(rows) {\n  for (const row of rows) {\n    const entry = { id: row.id };\n    if (row.a) entry.a = 1;\n    if (row.b) entry.b = 1;\n    console.log(entry.id);\n  }\n}',
  },
  {
    name: 'records that each wait',
    code: 'export async function make(rows) {\n  const list = [];\n  for (const row of rows) {\n    const one = { id: row.id };\n    if (await row.isBig()) one.big = true;\n    if (row.note) one.note = row.note;\n    list.push(one);\n  }\n  return list;\n}',
  },
  {
    name: 'a dictionary with some fixed keys',
    code: 'export function count(rows) {\n  return rows.map((row) => {\n    const one = {};\n    for (const word of row.words) one[word] = 1;\n    if (row.total) one.total = row.total;\n    return one;\n  });\n}',
  },
  {
    name: 'keys of a form under quoted names',
    code: "export function errors(sheets) {\n  return sheets.map((sheet) => {\n    const all = {};\n    if (sheet.a) all['required_fields'] = 1;\n    if (sheet.b) all['unique_fields'] = 1;\n    return all;\n  });\n}",
  },
  {
    name: 'fields that a spread may hold',
    code: 'export function make(rows) {\n  return rows.map((row) => {\n    const one = { ...row };\n    if (row.a) one.a = 1;\n    if (row.b) one.b = 1;\n    return one;\n  });\n}',
  },
  {
    name: 'a copy that is filled key by key',
    code: "export function toClient(rows) {\n  return rows.map((row) => {\n    const one = {};\n    for (const key in row) {\n      if (key === 'a') one.a = row.a;\n      else if (key === 'b') one.b = row.b;\n    }\n    return one;\n  });\n}",
  },
  {
    name: 'settings of each',
    code: 'export function configs(parts) {\n  return parts.map((part) => {\n    const config = { id: part.id };\n    if (part.a) config.a = 1;\n    if (part.b) config.b = 1;\n    return config;\n  });\n}',
  },
  {
    name: 'fewer shapes than asked for',
    options: { minShapes: 5 },
    code: 'export function make(rows) {\n  return rows.map((row) => {\n    const one = { id: row.id };\n    if (row.a) one.a = 1;\n    if (row.b) one.b = 1;\n    return one;\n  });\n}',
  },
  {
    name: 'objects of a test file',
    file: 'spec/make.js',
    code: 'export function make(rows) {\n  return rows.map((row) => {\n    const one = { id: row.id };\n    if (row.a) one.a = 1;\n    if (row.b) one.b = 1;\n    return one;\n  });\n}',
  },

  {
    name: 'a constructor of one object',
    code: 'export class Server {\n  constructor(options) {\n    if (options.tls) this.tls = options.tls;\n    if (options.log) this.log = options.log;\n  }\n}\nexport const server = new Server({});',
  },
  {
    name: 'a constructor whose class declares the fields',
    code: 'class Line {\n  tax;\n  note = null;\n  constructor(row) {\n    if (row.tax) this.tax = row.tax;\n    if (row.note) this.note = row.note;\n  }\n}\nexport const lines = (rows) => rows.map((row) => new Line(row));',
  },
  {
    name: 'a constructor that gives a field on every path',
    code: 'class Line {\n  constructor(row) {\n    if (row.big) this.size = 2;\n    else this.size = 1;\n    row.on(() => {\n      if (row.late) this.late = true;\n    });\n  }\n}\nexport const lines = (rows) => rows.map((row) => new Line(row));',
  },

  {
    name: 'two literals with other keys',
    code: 'export function rows(items) {\n  return items.map((item) => (item.a ? { id: item.id, a: 1 } : { b: 1, id: item.id }));\n}',
  },
  {
    name: 'two orders that meet once',
    code: 'export function settings(isNew) {\n  return isNew ? { id: 1, name: 2 } : { name: 2, id: 1 };\n}',
  },
  {
    name: 'two orders that never meet',
    code: 'export function pairs(items) {\n  const left = [];\n  const right = [];\n  for (const item of items) {\n    left.push({ x: item.x, y: item.y });\n    right.push({ y: item.y, x: item.x });\n  }\n  return [left, right];\n}',
  },

  {
    name: 'a prototype at start-up',
    code: 'function Base() {}\nfunction Derived() {}\nObject.setPrototypeOf(Derived.prototype, Base.prototype);',
  },
  {
    name: 'the prototype of an error',
    code: 'export class NotFound extends Error {\n  constructor(message) {\n    super(message);\n    Object.setPrototypeOf(this, new.target.prototype);\n  }\n}',
  },
  {
    name: 'a prototype that is given at creation',
    code: 'export const wrap = (rows, proto) => rows.map((row) => Object.assign(Object.create(proto), row));',
  },
  {
    name: 'another setPrototypeOf',
    code: 'export function wrap(rows, models) {\n  for (const row of rows) models.setPrototypeOf(row, 1);\n}',
  },

  {
    name: 'an array of a known size',
    code: 'export const zeros = new Array(1024);\nexport function fill(n) {\n  const all = new Array(n);\n  for (let i = 0; i < n; i++) all[i] = i;\n  return all;\n}',
  },
  {
    name: 'a long array that is filled',
    code: 'export const table = new Array(50_000_000).fill(0);\nexport const typed = new Float64Array(50_000_000);',
  },
  { name: 'an index within reach', code: 'export function pad() {\n  const list = [1, 2, 3];\n  list[1026] = 4;\n  return list;\n}' },
  {
    name: 'a far index of an array that is filled up',
    code: 'export function table(n) {\n  const all = [];\n  all[5000] = 1;\n  for (let i = 0; i < n; i++) all[i] = i;\n  return all;\n}',
  },
  {
    name: 'a far key of an object and of an unknown thing',
    code: 'export function codes(list) {\n  const names = {};\n  names[50000] = 1;\n  list[50000] = 1;\n  return names;\n}',
  },
  {
    name: 'holes, mixed kinds',
    code: "export const mixed = [1, , 'a', {}, 2.5];\nexport function sum(list) {\n  let all = 0;\n  for (const item of list) all += item;\n  return all;\n}",
  },

  {
    name: 'a loop up to the length',
    code: 'export function sum(rows) {\n  let all = 0;\n  for (let i = 0; i < rows.length; i++) all += rows[i].n;\n  return all;\n}',
  },
  {
    name: 'a loop over lengths',
    code: 'export function prefixes(text) {\n  const all = [];\n  for (let i = 0; i <= text.length; i++) all.push(text.slice(0, i));\n  return all;\n}',
  },
  {
    name: 'a loop from one that reads the one before',
    code: 'export function lines(rows) {\n  for (let line = 1; line <= rows.length; line++) print(line, rows[line - 1]);\n}',
  },
  {
    name: 'a round that looks at the end itself',
    code: 'export function parts(path) {\n  for (let i = 0; i <= path.length; i++) {\n    if (i === path.length || path[i] === 46) flush(i);\n  }\n}',
  },
  {
    name: 'a table with one more place',
    code: 'export function distance(a, b) {\n  const row = [];\n  for (let j = 0; j <= b.length; j++) row[j] = j;\n  for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) row[j] = cost(a[i - 1], b[j - 1], row[j]);\n  return row;\n}',
  },
  {
    name: 'a list that grows',
    code: 'export function repeat(list) {\n  for (let i = 0; i <= list.length && i < 9; i++) {\n    list.push(1);\n    use(list[i]);\n  }\n}',
  },
  { name: 'one less than the length', code: 'export function last(rows) {\n  for (let i = 0; i <= rows.length - 1; i++) use(rows[i]);\n}' },
  {
    name: 'the one that was looked for',
    code: 'export function rename(emotes, emote) {\n  for (let i = 0; i < emotes.length; i++) {\n    if (emotes[i].name === emote.name) {\n      delete emotes[i].old;\n      note(i);\n      break;\n    }\n  }\n}',
  },
  {
    name: 'the one that was looked for, and given back',
    code: 'export function take(users, id) {\n  for (const user of users) {\n    if (user.id !== id) continue;\n    delete user.password;\n    return user;\n  }\n}',
  },
];
