import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { fixCases } from './cases-fixes.ts';
import { innocents } from './cases-innocents.ts';
import type { MessageId } from './messages.ts';

const OLD = { nodeRange: '^6 || ^8' };
const NEW = { nodeRange: '>=20' };

export const cases: RuleCases<MessageId> = {
  valid: innocents,
  invalid: [
    // ---- new URL
    {
      name: 'a server that also builds a program for browsers',
      file: 'src/links.js',
      project: {
        ...NEW,
        manifest: {
          bin: [],
          scripts: {},
          dependencies: { express: '^4.0.0' },
          devDependencies: { 'react-scripts': '5.0.1' },
          private: true,
        },
      },
      code: 'export const good = (links) => links.filter((link) => { «try» { new URL(link); return true; } catch { return false; } });',
      findings: [
        {
          messageId: 'urlProbe',
          fixes: [{ kind: 'safe', output: 'export const good = (links) => links.filter((link) => { return URL.canParse(link); });' }],
        },
      ],
    },
    {
      name: 'what a helper of the routes is given by requests, and by settings, too',
      project: NEW,
      code: "import express from 'express';\nexport default function (options) {\n  const router = express.Router();\n  router.post('/', (req, res) => res.json(req.body.links.map((link) => normal(link))));\n  return router;\n}\nfunction normal(text) {\n  «try» { return new URL(text).toString(); } catch { return ''; }\n}",
      findings: [
        {
          messageId: 'urlProbe',
          severity: 'warning',
          fixes: [
            {
              kind: 'suggestion',
              output:
                "import express from 'express';\nexport default function (options) {\n  const router = express.Router();\n  router.post('/', (req, res) => res.json(req.body.links.map((link) => normal(link))));\n  return router;\n}\nfunction normal(text) {\n  if (!URL.canParse(text)) { return ''; }\n  return new URL(text).toString();\n}",
            },
          ],
        },
      ],
    },
    {
      name: 'a value is made of the address, and a bad one is left out',
      project: NEW,
      code: 'export const hosts = (links) => links.map((link) => {\n  «try» {\n    return new URL(link).host;\n  } catch {\n    return "";\n  }\n});',
      findings: [
        {
          messageId: 'urlProbe',
          severity: 'warning',
          data: { name: 'new URL(link)', often: 'for each item of `map`' },
          related: ['this is what throws', '`map` calls it once per item'],
          fixes: [
            {
              kind: 'suggestion',
              title: 'Ask `URL.canParse` first',
              output:
                'export const hosts = (links) => links.map((link) => {\n  if (!URL.canParse(link)) {\n    return "";\n  }\n  return new URL(link).host;\n});',
            },
          ],
        },
      ],
    },
    {
      name: 'no fix where the catch reads the error',
      project: NEW,
      code: 'export function check(links) {\n  const bad = [];\n  for (const link of links) {\n    «try» { new URL(link); } catch (error) { bad.push(error.code); }\n  }\n  return bad;\n}',
      findings: [{ messageId: 'urlProbe' }],
    },
    {
      name: 'imported under another name, called per item',
      project: NEW,
      code: "const { URL: Address } = require('url');\nfunction protocolOf(text) {\n  «try» { return new Address(text).protocol; } catch (e) { log(text); }\n}\nexports.all = (list) => list.map(protocolOf);",
      findings: [{ messageId: 'urlProbe', related: ['this is what throws', 'called from here', '`map` calls it'] }],
    },
    {
      name: 'a log line that says nothing about the error changes nothing',
      project: NEW,
      code: 'export const local = (ids, host) => ids.filter((id) => {\n  «try» {\n    const { hostname } = new URL(id);\n    return hostname !== host;\n  } catch (err) {\n    winston.error(`Invalid id: ${id}`);\n    return false;\n  }\n});',
      findings: [
        {
          messageId: 'urlProbe',
          fixes: [
            {
              kind: 'suggestion',
              output:
                'export const local = (ids, host) => ids.filter((id) => {\n  if (!URL.canParse(id)) {\n    winston.error(`Invalid id: ${id}`);\n    return false;\n  }\n  const { hostname } = new URL(id);\n  return hostname !== host;\n});',
            },
          ],
        },
      ],
    },
    {
      name: 'once per request is a hint',
      project: NEW,
      code: "import express from 'express';\nconst app = express();\napp.get('/go', (req, res) => {\n  let ok;\n  «try» {\n    new URL(req.query.to);\n    ok = true;\n  } catch {\n    ok = false;\n  }\n  res.json({ ok });\n});",
      findings: [
        {
          messageId: 'urlProbe',
          severity: 'hint',
          route: 'GET /go',
          fixes: [
            {
              kind: 'suggestion',
              output:
                "import express from 'express';\nconst app = express();\napp.get('/go', (req, res) => {\n  let ok;\n  ok = URL.canParse(req.query.to);\n  res.json({ ok });\n});",
            },
          ],
        },
      ],
    },

    // ---- JSON.parse
    {
      code: 'async function settings(rows) {\n  const result = {};\n  for (const row of rows) {\n    «try» {\n      result[row.key] = JSON.parse(row.value);\n    } catch (e) {\n      result[row.key] = row.value;\n    }\n  }\n  return result;\n}',
      findings: [
        {
          messageId: 'jsonProbe',
          severity: 'warning',
          data: { name: 'JSON.parse(row.value)', often: 'in each round of the loop' },
          functionName: 'settings',
        },
      ],
    },
    {
      name: 'the raw text stays by doing nothing',
      code: 'export function decode(values) {\n  return values.map((value) => {\n    «try» { value = JSON.parse(value); } catch {}\n    return value;\n  });\n}',
      findings: [{ messageId: 'jsonProbe' }],
    },
    {
      name: 'a function that is called per item',
      code: 'const maybe = (text) => {\n  «try» { return JSON.parse(text); } catch { return text; }\n};\nmodule.exports = (record) => Object.values(record).map(maybe);',
      findings: [{ messageId: 'jsonProbe', related: ['this is what throws', 'called from here', '`map` calls it once per item'] }],
    },
    {
      name: 'a yes-or-no question',
      code: 'function isJson(text) {\n  «try» {\n    JSON.parse(text);\n    return true;\n  } catch (e) {\n    return false;\n  }\n}\nexport const only = (texts) => texts.filter((text) => isJson(text));',
      findings: [{ messageId: 'jsonProbe' }],
    },
    {
      name: 'a break that leaves a switch goes on with the loop',
      code: "export function apply(values, given) {\n  const out = {};\n  for (const name in values) {\n    let value = values[name];\n    switch (typeof value) {\n      case 'string':\n        «try» { value = Object.assign({}, JSON.parse(value), given); break; } catch { /* text */ }\n        value = given;\n        break;\n    }\n    out[name] = value;\n  }\n  return out;\n}",
      findings: [{ messageId: 'jsonProbe' }],
    },
    {
      name: 'shorter and shorter until it parses',
      code: 'export function salvage(text) {\n  for (let end = text.length; end > 0; end--) {\n    «try» {\n      return JSON.parse(text.slice(0, end));\n    } catch {\n      continue;\n    }\n  }\n}',
      findings: [{ messageId: 'jsonUntil', severity: 'warning' }],
    },
    {
      name: 'all that came so far, once per chunk',
      code: "export function listen(socket, onMessage) {\n  let text = '';\n  socket.on('data', (chunk) => {\n    text += chunk;\n    «try» {\n      onMessage(JSON.parse(text));\n      text = '';\n    } catch {\n      // not complete yet\n    }\n  });\n}",
      findings: [{ messageId: 'jsonUntil', data: { often: 'for each chunk' } }],
    },
    {
      name: 'a loop whose condition waits for the value',
      code: "function take(source) {\n  let value;\n  let text = '';\n  while (value === undefined) {\n    text += source.next();\n    «try» { value = JSON.parse(text); } catch { /* more */ }\n  }\n  return value;\n}\nmodule.exports = take;",
      findings: [{ messageId: 'jsonUntil' }],
    },

    // ---- any other call that is made to see whether it throws
    {
      code: 'function isInteger(text) {\n  «try» {\n    BigInt(text);\n    return true;\n  } catch {\n    return false;\n  }\n}\nexport const integers = (texts) => texts.filter((text) => isInteger(text));',
      findings: [{ messageId: 'throwingTest', severity: 'warning', data: { name: 'BigInt' } }],
    },

    // ---- candidates
    {
      code: "import jwt from 'jsonwebtoken';\nexport function verify(token, keys) {\n  for (const key of keys) {\n    «try» {\n      return jwt.verify(token, key);\n    } catch {}\n  }\n  throw new Error('no key fits');\n}",
      findings: [{ messageId: 'candidateLoop', severity: 'warning', data: { name: 'jwt.verify' } }],
    },
    {
      name: 'by index, with the last error kept',
      code: 'exports.open = function (box, keys) {\n  let last, text;\n  for (let i = 0; i < keys.length; i++) {\n    «try» {\n      text = decrypt(box, keys[i]);\n      break;\n    } catch (error) {\n      last = error;\n    }\n  }\n  return text ?? fail(last);\n};',
      findings: [{ messageId: 'candidateLoop' }],
    },
    {
      name: 'with `some`',
      code: 'export const isKnown = (token, keys) => keys.some((key) => {\n  «try» { verifySignature(token, key); return true; } catch { return false; }\n});',
      findings: [{ messageId: 'candidateLoop' }],
    },

    // ---- TypeError instead of ?.
    {
      name: 'a path that is walked down until something is missing',
      code: "export function find(json, keys) {\n  for (let i = 0, l = keys.length; i < l; i++) {\n    «try» {\n      const m = keys[i].match(/(.*)\\[(\\d+)\\]/);\n      if (m) json = json[m[1]][m[2]];\n      else json = json[keys[i]];\n    } catch (e) {\n      json = '';\n      break;\n    }\n  }\n  return json;\n}",
      findings: [{ messageId: 'typeErrorProbe', severity: 'warning' }],
    },
    {
      name: 'too old for the fix',
      project: { nodeRange: '>=12' },
      code: 'exports.names = (users) => users.map((user) => { «try» { return user.profile.name; } catch (e) { return null; } });',
      findings: [{ messageId: 'typeErrorProbe', refused: ['`?.` came with Node 14'] }],
    },

    // ---- throws that their own function catches
    {
      name: 'a throw that only skips the rest of the round',
      code: "export function total(rows) {\n  let sum = 0;\n  let bad = 0;\n  for (const row of rows) {\n    try {\n      if (typeof row.price !== 'number') «throw» new Error('no price');\n      sum += row.price;\n    } catch (error) {\n      bad += error.message.length;\n    }\n  }\n  return { sum, bad };\n}",
      findings: [
        { messageId: 'caughtThrow', severity: 'warning', related: ['this catch takes it', 'in this try', 'this loop repeats it'] },
      ],
    },
    {
      name: 'several throws, one finding',
      code: "export const clean = (rows) => rows.flatMap((row) => {\n  try {\n    if (!row.id) «throw» new Error('id');\n    if (!row.name) throw new Error('name');\n    return [row];\n  } catch (e) {\n    return [e.message];\n  }\n});",
      findings: [{ messageId: 'caughtThrow', related: ['this catch takes it', 'so does this one', 'in this try', '`flatMap` calls it'] }],
    },
    {
      name: 'a throw to leave forEach, in a loop',
      code: 'export function firsts(lists, want) {\n  const found = [];\n  for (const list of lists) {\n    try {\n      list.forEach((item) => { if (item === want) «throw» STOP; });\n    } catch (e) {\n      found.push(e);\n    }\n  }\n  return found;\n}',
      findings: [{ messageId: 'caughtThrow' }],
    },
    {
      name: 'in a handler that goes on with another value it is a hint',
      code: "import express from 'express';\nconst app = express();\napp.get('/list', (req, res) => {\n  let order;\n  try {\n    if (!req.query.order) «throw» new TypeError('an order, please');\n    order = parse(req.query.order);\n  } catch {\n    order = 'name';\n  }\n  res.json(list(order));\n});",
      findings: [{ messageId: 'caughtThrow', severity: 'hint', route: 'GET /list' }],
    },
    {
      name: 'a function of the same file that throws for what it rejects',
      code: 'function toNumber(text) {\n  const n = Number(text);\n  if (Number.isNaN(n)) throw new Error(`no number: ${text}`);\n  return n;\n}\nexport function sum(texts) {\n  let total = 0;\n  for (const text of texts) {\n    «try» {\n      total += toNumber(text);\n    } catch {\n      total += 0;\n    }\n  }\n  return total;\n}',
      findings: [
        {
          messageId: 'swallowedThrow',
          severity: 'hint',
          data: { name: '`toNumber`' },
          related: ['this call throws', 'thrown here', 'this loop repeats it'],
        },
      ],
    },

    // ---- stacks
    {
      code: 'export function trace(calls, out) {\n  for (const call of calls) {\n    out.push([call, «new Error().stack»]);\n  }\n}',
      findings: [{ messageId: 'stackRead', severity: 'warning' }],
    },
    {
      name: 'a helper that every round calls',
      code: "function whereAmI() {\n  const mark = new Error('here');\n  return «mark.stack».split('\\n')[2];\n}\nexport const place = (items) => items.map((item) => ({ item, at: whereAmI() }));",
      findings: [{ messageId: 'stackRead' }],
    },

    // ---- Node before 8.3
    {
      name: 'the old warning, with the try moved around the loop that its error ends',
      project: OLD,
      code: 'exports.run = function (items) {\n  var sum = 0;\n  for (var i = 0; i < items.length; i++) {\n    «try» {\n      sum += work(items[i]);\n    } catch (error) {\n      report(error);\n      return -1;\n    }\n  }\n  return sum;\n};',
      findings: [
        {
          messageId: 'oldTry',
          severity: 'warning',
          data: { range: '^6 || ^8' },
          fixes: [
            {
              kind: 'suggestion',
              output:
                'exports.run = function (items) {\n  var sum = 0;\n  try {\n    for (var i = 0; i < items.length; i++) {\n      sum += work(items[i]);\n    }\n  } catch (error) {\n    report(error);\n    return -1;\n  }\n  return sum;\n};',
            },
          ],
        },
      ],
    },
    {
      name: 'no move where the next round goes on',
      project: { nodeRange: '^6 || ^8.0' },
      code: 'exports.run = function (items) {\n  items.forEach(function (item) {\n    «try» { work(item); } catch (error) { report(error); }\n  });\n};',
      findings: [{ messageId: 'oldTry' }],
    },
    {
      name: 'nor where the catch reads a variable of the loop',
      project: OLD,
      code: 'exports.run = function (items) {\n  for (const item of items) {\n    «try» {\n      work(item);\n    } catch (error) {\n      return item;\n    }\n  }\n};',
      findings: [{ messageId: 'oldTry' }],
    },
    ...fixCases,
  ],
};
