// What is built once instead of for each request.
import { dedent } from '../../../analysis/testing/dedent.ts';
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
const PAY = dedent`
    app.get('/', (req, res) => {
      try {
        const stripe = new Stripe(process.env.NO_SUCH_KEY)
        res.send(stripe.describe())
      } catch (error) { res.send(error.message) }
    })
    app.get('/other', (req, res) => { res.send('served') })
  `;

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
    dedent`
      app.get('/', (req, res) => {
        const money = new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' })
        res.send(money.format(Number(req.query.n)))
      })
    `,
    'same',
  ),
  built(
    'setup: a name that another function has, too',
    dedent`
      const twice = (money) => money + money
      app.get('/', (req, res) => {
        const money = new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' })
        res.send(twice(money.format(Number(req.query.n))))
      })
    `,
    'same',
  ),
  built(
    'setup: a name that a function around it has, too',
    dedent`
      function serve(money) {
        app.get('/', (req, res) => { res.send(money + show(Number(req.query.n))) })
        const show = (n) => {
          const money = new Intl.NumberFormat('de', { style: 'percent' })
          return money.format(n)
        }
      }
      serve('sum ')
    `,
    'same',
  ),
  built(
    'setup: one name for two formatters',
    dedent`
      function percent(n) {
        const format = new Intl.NumberFormat('de', { style: 'percent' })
        const parts = { format }
        return parts.format.format(n)
      }
      function price(n) {
        const format = new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' })
        return format.format(n)
      }
      app.get('/', (req, res) => { res.send(percent(req.query.n) + price(req.query.n)) })
    `,
    'same',
  ),
  built(
    'setup: the same twice, before its name is known to a function that is called first',
    dedent`
      app.locals.first = first(1)
      function first(n) {
        const share = new Intl.NumberFormat('de', { style: 'percent' })
        return share.format(n)
      }
      app.get('/', (req, res) => {
        const share = new Intl.NumberFormat('de', { style: 'percent' })
        res.send(app.locals.first + first(0.5) + share.format(Number(req.query.n)))
      })
    `,
    'same',
  ),
  {
    name: 'setup: a client with the key of a module that a compiler resolves',
    files: {
      'main.js': dedent`
          const { OpenAI } = require('openai')
          const { OPENAI_API_KEY } = require('@environments')
          const app = require('express')()
          app.get('/', async (req, res) => {
            const openai = new OpenAI({ apiKey: OPENAI_API_KEY })
            res.send(await openai.models.list())
          })
        `,
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
    dedent`
      const day = (n) => new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(n * 1e11)
      app.get('/', (req, res) => { res.send(day(Number(req.query.n))) })
    `,
    'same',
  ),
  built(
    'setup: a name that the module has, too',
    dedent`
      const format = (n) => \`(\${n})\`
      app.get('/', (req, res) => { res.send(format(price(Number(req.query.n)))) })
      function price(n) {
        const format = new Intl.NumberFormat('en', { style: 'percent' })
        return format.format(n)
      }
    `,
    'same',
  ),
  built(
    'setup: a formatter that its caller gets',
    dedent`
      function maker() { return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }) }
      app.get('/', (req, res) => { res.send(maker().format(-Number(req.query.n), 'day')) })
    `,
    'same',
  ),
  built(
    'setup: two of them in one function',
    dedent`
      app.get('/', (req, res) => {
        const a = new Intl.NumberFormat('en', { style: 'percent' }), b = new Intl.NumberFormat('de')
        res.send(a.format(req.query.n) + b.format(req.query.n))
      })
    `,
    'same',
  ),
  built(
    'setup: behind a line without a semicolon',
    dedent`
      let last = 0
      app.get('/', (req, res) => {
        last = 1
        ;[new Intl.NumberFormat('en', { style: 'percent' })].forEach((one) => res.send(one.format(req.query.n) + last))
      })
    `,
    'same',
  ),
  built(
    'setup: a constant of the function',
    dedent`
      app.get('/', (req, res) => {
        const options = { style: 'percent' }
        res.send(new Intl.NumberFormat('en', options).format(req.query.n))
      })
    `,
    { refused: /`options` is not defined yet/ },
  ),
  built(
    'setup: a constant below',
    dedent`
      const percent = (n) => new Intl.NumberFormat('en', OPTIONS).format(n)
      const OPTIONS = { style: 'percent' }
      app.get('/', (req, res) => { res.send(percent(req.query.n)) })
    `,
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
    dedent`
      const START = day(1)
      app.get('/', (req, res) => { res.send(START + day(Number(req.query.n))) })
      function day(n) { return new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(n * 1e11) }
    `,
    'same',
  ),
  built(
    'setup: a function that another one calls early',
    dedent`
      const START = [1, 2].map(all)
      app.get('/', (req, res) => { res.send(START + day(Number(req.query.n))) })
      function day(n) { return new Intl.NumberFormat('en', { style: 'percent' }).format(n) }
      function all(n) { return day(n) }
    `,
    'same',
  ),
  built(
    'setup: called early, by a constant that is not there yet',
    dedent`
      const OPTIONS = { style: 'percent' }
      const START = day(1)
      app.get('/', (req, res) => { res.send(START + day(Number(req.query.n))) })
      function day(n) { return new Intl.NumberFormat('en', OPTIONS).format(n) }
    `,
    { refused: /`OPTIONS` is not defined yet/ },
  ),
  built(
    'setup: an agent that hears',
    dedent`
      app.get('/', (req, res) => {
        const agent = new https.Agent({ keepAlive: true })
        agent.on('free', console.error)
        res.send(String(agent.listenerCount('free')))
      })
    `,
    { refused: /changed after it was built/ },
  ),
  onFirstUse(
    'setup: a formatter with the zone of the system, which is set later',
    dedent`
      app.get('/', (req, res) => { res.send(new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' }).format(req.query.n * 1e11)) })
      process.env.TZ = 'Asia/Tokyo'
    `,
    { refused: /is that of the process/ },
  ),
  onFirstUse(
    'setup: a formatter with the zone of the system, which requests change',
    dedent`
      app.get('/', (req, res) => {
        const format = new Intl.DateTimeFormat('en', { timeStyle: 'long' })
        process.env.TZ = \`Etc/GMT-\${req.query.n}\`
        res.send(format.format(0))
      })
    `,
    { refused: /is that of the process/ },
  ),
  onFirstUse(
    'setup: a formatter with the zone of the system, without a name',
    "app.get('/', (req, res) => { res.send(new Intl.DateTimeFormat('en', { dateStyle: 'full' }).format(req.query.n * 1e11)) })",
    { refused: /is that of the process/ },
  ),
  built(
    'setup: a key that cannot be read, which the handler catches',
    dedent`
      const { createPrivateKey } = require('crypto')
      app.get('/', (req, res) => {
        let key
        try {
          key = createPrivateKey('broken')
        } catch { key = undefined }
        res.send(typeof key)
      })
    `,
    { refused: /`try` on line \d+ catches what goes wrong/ },
  ),
  built(
    'setup: a formatter with an option that does not exist, which the caller answers',
    dedent`
      const KIND = process.env.FORMAT_STYLE || 'nonsense'
      app.get('/', (req, res) => { res.send(new Intl.NumberFormat('en', { style: KIND }).format(req.query.n)) })
    `,
    'absent',
  ),
  {
    ...built(
      'setup: a formatter with an option that does not exist, made at the first request',
      dedent`
        const KIND = process.env.FORMAT_STYLE || 'nonsense'
        app.get('/', (req, res) => { res.send(new Intl.NumberFormat('en', { style: KIND }).format(req.query.n)) })
      `,
      'same',
    ),
    fix: /^Create it on first use/,
  },
  {
    name: 'setup: a constant that another file sets later',
    files: {
      'main.js': dedent`
          import express from 'express'
          import http from 'node:http'
          import { locale, setLocale } from './settings.js'
          const app = express()
          app.get('/', (req, res) => { res.send(new Intl.NumberFormat(locale, { style: 'percent' }).format(req.query.n)) })
          setLocale('de')
          export const server = http.createServer(app)

        `,
      'settings.js': "export let locale = 'en'\nexport const setLocale = (next) => { locale = next }\n",
    },
    rule: 'no-setup-per-request',
    fix: /^Build it once/,
    expect: { refused: /`locale` comes from another file/ },
    requests: TWICE,
  },
];
