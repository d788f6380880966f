import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';

const NODE_20 = { nodeRange: '>=20' };
const NODE_22 = { nodeRange: '>=22.1' };

export const fixCases: readonly InvalidCase<MessageId>[] = [
  {
    name: 'a yes-or-no question becomes URL.canParse',
    project: NODE_20,
    code: 'export const good = (links) => links.filter((link) => {\n  «try» {\n    new URL(link);\n    return true;\n  } catch (e) {\n    return false;\n  }\n});',
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'safe',
            title: 'Use `URL.canParse`',
            output: 'export const good = (links) => links.filter((link) => {\n  return URL.canParse(link);\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'and the opposite question its negation',
    project: NODE_20,
    code: "import url from 'node:url'\n\nexport const bad = (links) => links.filter((link) => {\n  «try» {\n    new url.URL(link)\n    return false\n  } catch {\n    return true\n  }\n})",
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'safe',
            output:
              "import url from 'node:url'\n\nexport const bad = (links) => links.filter((link) => {\n  return !url.URL.canParse(link)\n})",
          },
        ],
      },
    ],
  },
  {
    name: 'with a base',
    project: NODE_20,
    code: 'export const good = (links, base) => links.filter((link) => {\n  «try» { void new URL(link, base); return true; } catch { return false; }\n});',
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'safe',
            output: 'export const good = (links, base) => links.filter((link) => {\n  return URL.canParse(link, base);\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'an argument that could throw itself makes it a suggestion',
    project: NODE_20,
    code: 'export const good = (links) => links.filter((link) => {\n  «try» { return Boolean(new URL(link.to.href)); } catch { return false; }\n});',
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'suggestion',
            output: 'export const good = (links) => links.filter((link) => {\n  return URL.canParse(link.to.href);\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'a variable instead of an answer',
    project: NODE_20,
    code: 'export function mark(links) {\n  for (const link of links) {\n    «try» {\n      const parsed = new URL(link.href);\n      link.ok = true;\n    } catch (error) {\n      link.ok = false;\n    }\n  }\n}',
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'suggestion',
            output: 'export function mark(links) {\n  for (const link of links) {\n    link.ok = URL.canParse(link.href);\n  }\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'only the catch does something',
    project: NODE_20,
    code: 'export const complete = (links) => links.map((link) => {\n  «try» {\n    new URL(link);\n  } catch (e) {\n    // No scheme.\n    link = `https://${link}`;\n  }\n  return link;\n});',
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'safe',
            output:
              'export const complete = (links) => links.map((link) => {\n  if (!URL.canParse(link)) {\n    // No scheme.\n    link = `https://${link}`;\n  }\n  return link;\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'null for a bad address is URL.parse',
    project: NODE_22,
    code: 'export const parsed = (links) => links.map((link) => {\n  «try» {\n    return new URL(link);\n  } catch {\n    return null;\n  }\n});',
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'safe',
            title: 'Use `URL.parse`, which gives null',
            output: 'export const parsed = (links) => links.map((link) => {\n  return URL.parse(link);\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'URL.parse is younger than Node 20.0',
    project: NODE_20,
    code: 'export const parsed = (links) => links.map((link) => {\n  let url;\n  «try» { url = new URL(link); } catch { url = null; }\n  return url;\n});',
    findings: [{ messageId: 'urlProbe', refused: ['`URL.parse` came with Node 20.18 and 22.1'] }],
  },
  {
    name: 'URL.canParse is younger than Node 18.0',
    project: { nodeRange: '>=18' },
    code: 'export const good = (links) => links.every((link) => {\n  «try» { new URL(link); return true; } catch { return false; }\n});',
    findings: [{ messageId: 'urlProbe', refused: ['`URL.canParse` came with Node 18.17 and 19.9'] }],
  },
  {
    name: 'a comment inside is no reason to lose it',
    project: NODE_20,
    code: 'export const good = (links) => links.filter((link) => {\n  «try» {\n    new URL(link); // as the standard reads it\n    return true;\n  } catch {\n    return false;\n  }\n});',
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Ask `URL.canParse` first',
            output:
              'export const good = (links) => links.filter((link) => {\n  if (!URL.canParse(link)) {\n    return false;\n  }\n  new URL(link); // as the standard reads it\n  return true;\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'with a second address in the block no single question is enough',
    project: NODE_20,
    code: 'export const same = (pairs) => pairs.filter(([a, b]) => {\n  «try» {\n    return new URL(a).host === new URL(b).host;\n  } catch {\n    return false;\n  }\n});',
    findings: [{ messageId: 'urlProbe' }],
  },
  {
    name: 'a test for other files is a hint with a fix',
    project: NODE_20,
    code: 'export function isAddress(text) {\n  «try» {\n    new URL(text);\n    return true;\n  } catch {\n    return false;\n  }\n}',
    findings: [
      {
        messageId: 'urlProbe',
        severity: 'hint',
        fixes: [{ kind: 'safe', output: 'export function isAddress(text) {\n  return URL.canParse(text);\n}' }],
      },
    ],
  },

  // ---- existence
  {
    code: "const fs = require('fs');\nexports.present = (names) => names.filter((name) => {\n  «try» {\n    fs.accessSync(name);\n    return true;\n  } catch (err) {\n    return false;\n  }\n});",
    findings: [
      {
        messageId: 'accessProbe',
        data: { name: 'accessSync' },
        fixes: [
          {
            kind: 'safe',
            output: "const fs = require('fs');\nexports.present = (names) => names.filter((name) => {\n  return fs.existsSync(name);\n});",
          },
        ],
      },
    ],
  },
  {
    name: 'imported by name',
    code: "import { statSync } from 'node:fs';\nexport const present = (names) => names.filter((name) => {\n  «try» { statSync(name); return true; } catch { return false; }\n});",
    findings: [
      {
        messageId: 'accessProbe',
        fixes: [
          {
            kind: 'suggestion',
            output:
              "import { statSync, existsSync } from 'node:fs';\nexport const present = (names) => names.filter((name) => {\n  return existsSync(name);\n});",
          },
        ],
      },
    ],
  },
  {
    name: 'a mode asks for more than existence',
    code: "import fs from 'node:fs';\nexport const writable = (names) => names.filter((name) => {\n  «try» { fs.accessSync(name, fs.constants.W_OK); return true; } catch { return false; }\n});",
    findings: [{ messageId: 'accessProbe' }],
  },

  // ---- ?.
  {
    code: "export function fill(list) {\n  for (const api of list) {\n    «try» {\n      api.schema = api.body.content['application/json'].schema;\n    } catch (e) {\n      api.schema = {};\n    }\n  }\n}",
    findings: [
      {
        messageId: 'typeErrorProbe',
        fixes: [
          {
            kind: 'suggestion',
            output:
              "export function fill(list) {\n  for (const api of list) {\n    api.schema = api?.body?.content?.['application/json']?.schema ?? {};\n  }\n}",
          },
        ],
      },
    ],
  },
  {
    code: 'export const cities = (users) => users.map((user) => { «try» { return user.address.city.trim(); } catch { return undefined; } });',
    findings: [
      {
        messageId: 'typeErrorProbe',
        fixes: [
          { kind: 'suggestion', output: 'export const cities = (users) => users.map((user) => { return user?.address?.city?.trim(); });' },
        ],
      },
    ],
  },
  {
    name: 'a variable that keeps its value',
    code: 'export function read(rows) {\n  return rows.map((row) => {\n    let name = row.id;\n    «try» { name = row.owner.name; } catch {}\n    return name;\n  });\n}',
    findings: [
      {
        messageId: 'typeErrorProbe',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function read(rows) {\n  return rows.map((row) => {\n    let name = row.id;\n    name = row?.owner?.name ?? name;\n    return name;\n  });\n}',
          },
        ],
      },
    ],
  },

  // ---- return instead of throw
  {
    name: 'the catch’s own statement in place of the throw',
    code: "export const prices = (rows) => rows.map((row) => {\n  try {\n    if (!row.price) «throw» new Error('no price');\n    return format(row.price);\n  } catch {\n    return null;\n  }\n});",
    findings: [
      {
        messageId: 'caughtThrow',
        fixes: [
          {
            kind: 'safe',
            title: 'Do what the catch does here: `return null;`',
            output:
              'export const prices = (rows) => rows.map((row) => {\n  try {\n    if (!row.price) return null;\n    return format(row.price);\n  } catch {\n    return null;\n  }\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'at the end of a loop’s body, with continue',
    code: 'export function count(rows) {\n  let bad = 0;\n  for (const row of rows) {\n    try {\n      if (!row.id) {\n        «throw» new Error(`row ${row.line}`);\n      }\n      add(row);\n    } catch {\n      bad++;\n    }\n  }\n  return bad;\n}',
    findings: [
      {
        messageId: 'caughtThrow',
        fixes: [
          {
            kind: 'safe',
            output:
              'export function count(rows) {\n  let bad = 0;\n  for (const row of rows) {\n    try {\n      if (!row.id) {\n        bad++;\n        continue;\n      }\n      add(row);\n    } catch {\n      bad++;\n    }\n  }\n  return bad;\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'every throw of the try, and braces where there were none',
    code: "export function keep(rows) {\n  const kept = [];\n  for (const row of rows) {\n    try {\n      if (!row.id) «throw» new Error('id');\n      if (!row.name) throw new RangeError('name');\n      kept.push(row);\n    } catch {\n      kept.push(EMPTY);\n    }\n  }\n  return kept;\n}",
    findings: [
      {
        messageId: 'caughtThrow',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function keep(rows) {\n  const kept = [];\n  for (const row of rows) {\n    try {\n      if (!row.id) {\n        kept.push(EMPTY);\n        continue;\n      }\n      if (!row.name) {\n        kept.push(EMPTY);\n        continue;\n      }\n      kept.push(row);\n    } catch {\n      kept.push(EMPTY);\n    }\n  }\n  return kept;\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'an error of the own kind may do something when it is made',
    code: 'export const ids = (rows) => rows.map((row) => {\n  try {\n    if (!row.id) «throw» new MissingId(row);\n    return row.id;\n  } catch {\n    return 0;\n  }\n});',
    findings: [
      {
        messageId: 'caughtThrow',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export const ids = (rows) => rows.map((row) => {\n  try {\n    if (!row.id) return 0;\n    return row.id;\n  } catch {\n    return 0;\n  }\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'a continue that would mean another loop',
    code: "export function scan(tables) {\n  for (const table of tables) {\n    try {\n      for (const row of table) if (row.bad) «throw» new Error('bad row');\n      keep(table);\n    } catch {\n      continue;\n    }\n  }\n}",
    findings: [{ messageId: 'caughtThrow' }],
  },
];
