// What is built once instead of for each request.
import { EXPRESS_4, type FixCase } from '../fix-case.ts';

const APP = "const app = require('express')()\nconst https = require('https')\n";
const SERVE = "\nexports.server = require('http').createServer(app)\n";
const TWICE: FixCase['requests'] = [{ path: '/?n=1.5' }, { path: '/?n=2' }, [{ path: '/?n=3' }, { path: '/?n=4' }]];

const built = (name: string, code: string, expect: FixCase['expect']): FixCase => ({
  name,
  files: { 'main.js': `${APP}${code}${SERVE}` },
  rule: 'no-setup-per-request',
  fix: /^Build it once/,
  expect,
  requests: TWICE,
});

const onFirstUse = (name: string, code: string, expect: FixCase['expect']): FixCase => ({
  ...built(name, code, expect),
  fix: /^Create it on first use/,
});

/** Throws without a key, as the client of the same name does (23.1.0). */
const STRIPE =
  "module.exports = class Stripe { constructor(key) { if (!key) throw new Error('Neither apiKey nor config.authenticator provided'); this.key = key } describe() { return `with ${this.key}` } }\n";
const PAY =
  "app.get('/', (req, res) => {\n  try {\n    const stripe = new Stripe(process.env.NO_SUCH_KEY)\n    res.send(stripe.describe())\n  } catch (error) { res.send(error.message) }\n})\napp.get('/other', (req, res) => { res.send('served') })";

const kept = (name: string, code: string, requests: FixCase['requests'] & object): FixCase => ({
  name,
  files: { 'main.js': `${APP}const Stripe = require('stripe')\n${code}${SERVE}` },
  data: { 'node_modules/stripe/index.js': STRIPE },
  rule: 'no-setup-per-request',
  fix: /^Create it on first use/,
  expect: 'same',
  requests,
});

export const setupCases: readonly FixCase[] = [
  built(
    'setup: a formatter with a name',
    "app.get('/', (req, res) => {\n  const money = new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' })\n  res.send(money.format(Number(req.query.n)))\n})",
    'same',
  ),
  built(
    'setup: a name that another function has, too',
    "const twice = (money) => money + money\napp.get('/', (req, res) => {\n  const money = new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' })\n  res.send(twice(money.format(Number(req.query.n))))\n})",
    'same',
  ),
  built(
    'setup: a name that a function around it has, too',
    "function serve(money) {\n  app.get('/', (req, res) => { res.send(money + show(Number(req.query.n))) })\n  const show = (n) => {\n    const money = new Intl.NumberFormat('de', { style: 'percent' })\n    return money.format(n)\n  }\n}\nserve('sum ')",
    'same',
  ),
  built(
    'setup: one name for two formatters',
    "function percent(n) {\n  const format = new Intl.NumberFormat('de', { style: 'percent' })\n  const parts = { format }\n  return parts.format.format(n)\n}\nfunction price(n) {\n  const format = new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' })\n  return format.format(n)\n}\napp.get('/', (req, res) => { res.send(percent(req.query.n) + price(req.query.n)) })",
    'same',
  ),
  built(
    'setup: the same twice, before its name is known to a function that is called first',
    "app.locals.first = first(1)\nfunction first(n) {\n  const share = new Intl.NumberFormat('de', { style: 'percent' })\n  return share.format(n)\n}\napp.get('/', (req, res) => {\n  const share = new Intl.NumberFormat('de', { style: 'percent' })\n  res.send(app.locals.first + first(0.5) + share.format(Number(req.query.n)))\n})",
    'same',
  ),
  {
    name: 'setup: a client with the key of a module that a compiler resolves',
    files: {
      'main.js':
        "const { OpenAI } = require('openai')\nconst { OPENAI_API_KEY } = require('@environments')\nconst app = require('express')()\napp.get('/', async (req, res) => {\n  const openai = new OpenAI({ apiKey: OPENAI_API_KEY })\n  res.send(await openai.models.list())\n})",
    },
    manifest: { ...EXPRESS_4, dependencies: { ...EXPRESS_4.dependencies, openai: '^4.0.0' } },
    rule: 'no-setup-per-request',
    fix: /^Build it once/,
    expect: 'absent',
  },
  kept('setup: a client without its key, which a handler answers', PAY, [{ path: '/' }, { path: '/' }, { path: '/other' }]),
  kept(
    'setup: a client without its key, used at once',
    "app.get('/', (req, res, next) => { try { res.send(new Stripe(process.env.NO_SUCH_KEY).describe()) } catch (error) { res.send(error.message) } })",
    [{ path: '/' }],
  ),
  kept(
    'setup: a client whose key is set after the start',
    `${PAY}\napp.get('/key', (req, res) => { process.env.NO_SUCH_KEY = 'k'; res.send('set') })`,
    [{ path: '/' }, { path: '/key' }, { path: '/' }, [{ path: '/' }, { path: '/' }]],
  ),
  built(
    'setup: a formatter that is used at once, in a helper',
    "const day = (n) => new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(n * 1e11)\napp.get('/', (req, res) => { res.send(day(Number(req.query.n))) })",
    'same',
  ),
  built(
    'setup: a name that the module has, too',
    "const format = (n) => `(${n})`\napp.get('/', (req, res) => { res.send(format(price(Number(req.query.n)))) })\nfunction price(n) {\n  const format = new Intl.NumberFormat('en', { style: 'percent' })\n  return format.format(n)\n}",
    'same',
  ),
  built(
    'setup: a formatter that its caller gets',
    "function maker() { return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }) }\napp.get('/', (req, res) => { res.send(maker().format(-Number(req.query.n), 'day')) })",
    'same',
  ),
  built(
    'setup: two of them in one function',
    "app.get('/', (req, res) => {\n  const a = new Intl.NumberFormat('en', { style: 'percent' }), b = new Intl.NumberFormat('de')\n  res.send(a.format(req.query.n) + b.format(req.query.n))\n})",
    'same',
  ),
  built(
    'setup: behind a line without a semicolon',
    "let last = 0\napp.get('/', (req, res) => {\n  last = 1\n  ;[new Intl.NumberFormat('en', { style: 'percent' })].forEach((one) => res.send(one.format(req.query.n) + last))\n})",
    'same',
  ),
  built(
    'setup: a constant of the function',
    "app.get('/', (req, res) => {\n  const options = { style: 'percent' }\n  res.send(new Intl.NumberFormat('en', options).format(req.query.n))\n})",
    { refused: /`options` is not defined yet/ },
  ),
  built(
    'setup: a constant below',
    "const percent = (n) => new Intl.NumberFormat('en', OPTIONS).format(n)\nconst OPTIONS = { style: 'percent' }\napp.get('/', (req, res) => { res.send(percent(req.query.n)) })",
    { refused: /`OPTIONS` is not defined yet/ },
  ),
  built(
    'setup: by the environment',
    "app.get('/', (req, res) => { res.send(new Intl.NumberFormat(process.env.FORMAT_LOCALE, { style: 'percent' }).format(req.query.n)) })",
    'absent',
  ),
  {
    ...built(
      'setup: by the environment, at the first request',
      "app.get('/', (req, res) => { res.send(new Intl.NumberFormat(process.env.FORMAT_LOCALE, { style: 'percent' }).format(req.query.n)) })",
      'same',
    ),
    fix: /^Create it on first use/,
  },
  built(
    'setup: a function that the module calls before its statement',
    "const START = day(1)\napp.get('/', (req, res) => { res.send(START + day(Number(req.query.n))) })\nfunction day(n) { return new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(n * 1e11) }",
    'same',
  ),
  built(
    'setup: a function that another one calls early',
    "const START = [1, 2].map(all)\napp.get('/', (req, res) => { res.send(START + day(Number(req.query.n))) })\nfunction day(n) { return new Intl.NumberFormat('en', { style: 'percent' }).format(n) }\nfunction all(n) { return day(n) }",
    'same',
  ),
  built(
    'setup: called early, by a constant that is not there yet',
    "const OPTIONS = { style: 'percent' }\nconst START = day(1)\napp.get('/', (req, res) => { res.send(START + day(Number(req.query.n))) })\nfunction day(n) { return new Intl.NumberFormat('en', OPTIONS).format(n) }",
    { refused: /`OPTIONS` is not defined yet/ },
  ),
  built(
    'setup: an agent that hears',
    "app.get('/', (req, res) => {\n  const agent = new https.Agent({ keepAlive: true })\n  agent.on('free', console.error)\n  res.send(String(agent.listenerCount('free')))\n})",
    { refused: /changed after it was built/ },
  ),
  onFirstUse(
    'setup: a formatter with the zone of the system, which is set later',
    "app.get('/', (req, res) => { res.send(new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' }).format(req.query.n * 1e11)) })\nprocess.env.TZ = 'Asia/Tokyo'",
    { refused: /is that of the process/ },
  ),
  onFirstUse(
    'setup: a formatter with the zone of the system, which requests change',
    "app.get('/', (req, res) => {\n  const format = new Intl.DateTimeFormat('en', { timeStyle: 'long' })\n  process.env.TZ = `Etc/GMT-${req.query.n}`\n  res.send(format.format(0))\n})",
    { refused: /is that of the process/ },
  ),
  onFirstUse(
    'setup: a formatter with the zone of the system, without a name',
    "app.get('/', (req, res) => { res.send(new Intl.DateTimeFormat('en', { dateStyle: 'full' }).format(req.query.n * 1e11)) })",
    { refused: /is that of the process/ },
  ),
  built(
    'setup: a key that cannot be read, which the handler catches',
    "const { createPrivateKey } = require('crypto')\napp.get('/', (req, res) => {\n  let key\n  try {\n    key = createPrivateKey('broken')\n  } catch { key = undefined }\n  res.send(typeof key)\n})",
    { refused: /`try` on line \d+ catches what goes wrong/ },
  ),
  built(
    'setup: a formatter with an option that does not exist, which the caller answers',
    "const KIND = process.env.FORMAT_STYLE || 'nonsense'\napp.get('/', (req, res) => { res.send(new Intl.NumberFormat('en', { style: KIND }).format(req.query.n)) })",
    'absent',
  ),
  {
    ...built(
      'setup: a formatter with an option that does not exist, made at the first request',
      "const KIND = process.env.FORMAT_STYLE || 'nonsense'\napp.get('/', (req, res) => { res.send(new Intl.NumberFormat('en', { style: KIND }).format(req.query.n)) })",
      'same',
    ),
    fix: /^Create it on first use/,
  },
  {
    name: 'setup: a constant that another file sets later',
    files: {
      'main.js':
        "import express from 'express'\nimport http from 'node:http'\nimport { locale, setLocale } from './settings.js'\nconst app = express()\napp.get('/', (req, res) => { res.send(new Intl.NumberFormat(locale, { style: 'percent' }).format(req.query.n)) })\nsetLocale('de')\nexport const server = http.createServer(app)\n",
      'settings.js': "export let locale = 'en'\nexport const setLocale = (next) => { locale = next }\n",
    },
    rule: 'no-setup-per-request',
    fix: /^Build it once/,
    expect: { refused: /`locale` comes from another file/ },
    requests: TWICE,
  },
];
