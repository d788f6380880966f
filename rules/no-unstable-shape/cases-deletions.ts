import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';

const KEY_STAYS = '(the key stays: `in` and Object.keys still show it, JSON.stringify leaves it out)';

/** Fields deleted on one record after another. */
export const deletions: readonly InvalidCase<MessageId>[] = [
  {
    name: 'a field of every row, in map',
    code: 'export function list(rows) {\n  return rows.map((row) => {\n    «delete row.password»;\n    return row;\n  });\n}',
    findings: [
      {
        messageId: 'deletedField',
        severity: 'warning',
        functionName: 'list',
        related: [],
        data: {
          fields: '`password`',
          each: 'every object that `map` goes through',
          when: 'On Node 22 and later, and on 18 and 20 for any field but the one added last, ',
        },
        fixes: [
          {
            kind: 'suggestion',
            title: `Set \`password\` to undefined instead ${KEY_STAYS}`,
            output: 'export function list(rows) {\n  return rows.map((row) => {\n    row.password = undefined;\n    return row;\n  });\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'several fields of a row are one finding',
    code: 'export function strip(items) {\n  for (const item of items) {\n    «delete item._id»;\n    delete item.__v; // mongoose\n    if (item.uid) delete item.uid\n    delete item["edit_uid"]\n  }\n}',
    findings: [
      {
        messageId: 'deletedField',
        severity: 'warning',
        data: { fields: '`_id`, `__v` and 2 more', each: 'another object in every round of the loop' },
        related: ['takes `__v` off `item`', 'takes `uid` off', 'takes `edit_uid` off'],
        fixes: [
          {
            kind: 'suggestion',
            title: `Set \`_id\`, \`__v\` and 2 more to undefined instead ${KEY_STAYS}`,
            output:
              'export function strip(items) {\n  for (const item of items) {\n    item._id = undefined;\n    item.__v = undefined; // mongoose\n    if (item.uid) item.uid = undefined\n    item["edit_uid"] = undefined\n  }\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'rows by index',
    project: { nodeRange: '>=22' },
    code: 'exports.toMap = function (data) {\n  const map = {};\n  for (let i = 0; i < data.length; i += 1) {\n    map[data[i]._key] = data[i];\n    «delete data[i]._key»;\n  }\n  return map;\n};',
    findings: [
      {
        messageId: 'deletedField',
        data: { when: '' },
        fixes: [
          {
            kind: 'suggestion',
            output:
              'exports.toMap = function (data) {\n  const map = {};\n  for (let i = 0; i < data.length; i += 1) {\n    map[data[i]._key] = data[i];\n    data[i]._key = undefined;\n  }\n  return map;\n};',
          },
        ],
      },
    ],
  },
  {
    name: 'a part of each row',
    project: { nodeRange: '18 || 20' },
    code: 'export function open(posts) {\n  posts.forEach((post) => {\n    «delete post.data.ip»;\n  });\n}',
    findings: [
      {
        messageId: 'deletedField',
        data: { when: 'Unless the field was the last one added, ' },
        fixes: [
          {
            kind: 'suggestion',
            output: 'export function open(posts) {\n  posts.forEach((post) => {\n    post.data.ip = undefined;\n  });\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'in a function that is called for each',
    code: 'function clean(user) {\n  «delete user.hash»;\n  return user;\n}\nexport function list(users) {\n  const all = [];\n  for (const user of users) all.push(clean(user));\n  return all;\n}',
    findings: [
      {
        messageId: 'deletedField',
        related: ['called for each of them here'],
        functionName: 'clean',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'function clean(user) {\n  user.hash = undefined;\n  return user;\n}\nexport function list(users) {\n  const all = [];\n  for (const user of users) all.push(clean(user));\n  return all;\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'in a function that is handed to map, in a request',
    code: "import express from 'express';\nconst app = express();\nfunction toPublic(row) {\n  «delete row.margin»;\n  return row;\n}\napp.get('/rows', (req, res) => {\n  res.json(load().map(toPublic));\n});",
    findings: [
      {
        messageId: 'deletedField',
        related: ['called for each of them here'],
        route: 'GET /rows',
        fixes: [
          {
            kind: 'suggestion',
            output:
              "import express from 'express';\nconst app = express();\nfunction toPublic(row) {\n  row.margin = undefined;\n  return row;\n}\napp.get('/rows', (req, res) => {\n  res.json(load().map(toPublic));\n});",
          },
        ],
      },
    ],
  },
  {
    name: 'a list that is walked along',
    code: 'export function unlink(node) {\n  while (node) {\n    const { next } = node;\n    «delete node.next»;\n    node = next;\n  }\n}',
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function unlink(node) {\n  while (node) {\n    const { next } = node;\n    node.next = undefined;\n    node = next;\n  }\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'a loop of many rounds at the top level',
    code: 'let sum = 0;\nfor (let i = 0; i < 1e6; i++) {\n  const point = { x: i, y: 1, z: 2 };\n  «delete point.y»;\n  sum += point.x + point.z;\n}\nconst ROUNDS = 5000;\nfor (let i = 0; i < ROUNDS; i++) {\n  const size = { w: i, h: 1 };\n  «delete size.w»;\n  sum += size.h;\n}',
    findings: [
      {
        messageId: 'deletedField',
        severity: 'warning',
        data: { when: '' },
        fixes: [
          {
            kind: 'suggestion',
            output:
              'let sum = 0;\nfor (let i = 0; i < 1e6; i++) {\n  const point = { x: i, y: 1, z: 2 };\n  point.y = undefined;\n  sum += point.x + point.z;\n}\nconst ROUNDS = 5000;\nfor (let i = 0; i < ROUNDS; i++) {\n  const size = { w: i, h: 1 };\n  delete size.w;\n  sum += size.h;\n}',
          },
        ],
      },
      {
        messageId: 'deletedField',
        severity: 'warning',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'let sum = 0;\nfor (let i = 0; i < 1e6; i++) {\n  const point = { x: i, y: 1, z: 2 };\n  delete point.y;\n  sum += point.x + point.z;\n}\nconst ROUNDS = 5000;\nfor (let i = 0; i < ROUNDS; i++) {\n  const size = { w: i, h: 1 };\n  size.w = undefined;\n  sum += size.h;\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'a tree that is walked down',
    code: 'export function strip(node) {\n  «delete node.parent»;\n  node.children.forEach((child) => strip(child));\n}',
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output: 'export function strip(node) {\n  node.parent = undefined;\n  node.children.forEach((child) => strip(child));\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'lodash and async',
    code: "import _ from 'lodash';\nimport async from 'async';\nexport function tidy(docs, done) {\n  _.each(docs, (doc) => {\n    «delete doc.title»;\n  });\n  async.eachSeries(docs, function (one, next) {\n    «delete one.lock»;\n    save(one, next);\n  }, done);\n}",
    findings: [
      {
        messageId: 'deletedField',
        data: { each: 'every object that `each` goes through' },
        fixes: [
          {
            kind: 'suggestion',
            output:
              "import _ from 'lodash';\nimport async from 'async';\nexport function tidy(docs, done) {\n  _.each(docs, (doc) => {\n    doc.title = undefined;\n  });\n  async.eachSeries(docs, function (one, next) {\n    delete one.lock;\n    save(one, next);\n  }, done);\n}",
          },
        ],
      },
      {
        messageId: 'deletedField',
        data: { each: 'every object that `eachSeries` goes through' },
        fixes: [
          {
            kind: 'suggestion',
            output:
              "import _ from 'lodash';\nimport async from 'async';\nexport function tidy(docs, done) {\n  _.each(docs, (doc) => {\n    delete doc.title;\n  });\n  async.eachSeries(docs, function (one, next) {\n    one.lock = undefined;\n    save(one, next);\n  }, done);\n}",
          },
        ],
      },
    ],
  },
  {
    name: 'a record that is waited for in each round is a hint',
    code: 'export async function load(ids) {\n  const users = [];\n  for (const id of ids) {\n    const user = await fetchUser(id);\n    «delete user.hash»;\n    users.push(user);\n  }\n  return users;\n}',
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export async function load(ids) {\n  const users = [];\n  for (const id of ids) {\n    const user = await fetchUser(id);\n    user.hash = undefined;\n    users.push(user);\n  }\n  return users;\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'a loop that waits in every round is a hint',
    code: 'export async function copyAll(rules) {\n  for (const rule of rules) {\n    «delete rule._id»;\n    await insert(rule);\n  }\n}',
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export async function copyAll(rules) {\n  for (const rule of rules) {\n    rule._id = undefined;\n    await insert(rule);\n  }\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'all at the same time is not',
    code: 'export async function copyAll(rules) {\n  await Promise.all(rules.map(async (rule) => {\n    «delete rule._id»;\n    await insert(rule);\n  }));\n}',
    findings: [
      {
        messageId: 'deletedField',
        severity: 'warning',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export async function copyAll(rules) {\n  await Promise.all(rules.map(async (rule) => {\n    rule._id = undefined;\n    await insert(rule);\n  }));\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'a record and a part of it are one finding',
    code: 'export function hide(rows) {\n  for (const row of rows) {\n    «delete row.book»;\n    delete row.values.book;\n  }\n}',
    findings: [
      {
        messageId: 'deletedField',
        data: { fields: '`book` and `values.book`' },
        related: ['takes `book` off `row.values`'],
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function hide(rows) {\n  for (const row of rows) {\n    row.book = undefined;\n    row.values.book = undefined;\n  }\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'a toJSON method is a hint',
    code: 'schema.methods.toJSON = function () {\n  const user = this.toObject();\n  «delete user.hash»;\n  return user;\n};',
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        data: { each: 'every object that is turned into JSON' },
        fixes: [
          {
            kind: 'suggestion',
            output: 'schema.methods.toJSON = function () {\n  const user = this.toObject();\n  user.hash = undefined;\n  return user;\n};',
          },
        ],
      },
    ],
  },
  {
    name: 'rows that a stream delivers are a hint',
    code: "export function copy(query, out) {\n  query.on('row', (row) => {\n    «delete row.hash»;\n    out.write(row);\n  });\n}",
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        data: { each: 'every object that the stream delivers' },
        fixes: [
          {
            kind: 'suggestion',
            output:
              "export function copy(query, out) {\n  query.on('row', (row) => {\n    row.hash = undefined;\n    out.write(row);\n  });\n}",
          },
        ],
      },
    ],
  },
  {
    name: 'a transform under toJSON is a hint',
    code: "schema.set('toJSON', {\n  transform(doc, ret) {\n    «delete ret._id»;\n    delete ret.__v;\n  },\n});",
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        fixes: [
          {
            kind: 'suggestion',
            output: "schema.set('toJSON', {\n  transform(doc, ret) {\n    ret._id = undefined;\n    ret.__v = undefined;\n  },\n});",
          },
        ],
      },
    ],
  },
  {
    name: 'a copy that is made anyway can leave the field out',
    code: 'export function hide(users) {\n  return users.map((user) => {\n    const copy = { ...user };\n    «delete copy.password»;\n    delete copy.salt;\n    // what is left\n    return copy;\n  });\n}',
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Leave `password` and `salt` out while copying (throws where `user` is null or undefined)',
            output:
              'export function hide(users) {\n  return users.map((user) => {\n    const { password, salt, ...copy } = user;\n    // what is left\n    return copy;\n  });\n}',
          },
          {
            kind: 'suggestion',
            output:
              'export function hide(users) {\n  return users.map((user) => {\n    const copy = { ...user };\n    copy.password = undefined;\n    copy.salt = undefined;\n    // what is left\n    return copy;\n  });\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'a rest pattern can leave the field out, under another name where its own is taken',
    code: 'const href = base();\nexport const links = (stats) => stats.map(({ ...stat }) => {\n\t«delete stat.href»;\n\treturn { ...stat, link: href };\n});',
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Leave `href` out while copying',
            output:
              'const href = base();\nexport const links = (stats) => stats.map(({ href: _href, ...stat }) => {\n\treturn { ...stat, link: href };\n});',
          },
          {
            kind: 'suggestion',
            output:
              'const href = base();\nexport const links = (stats) => stats.map(({ ...stat }) => {\n\tstat.href = undefined;\n\treturn { ...stat, link: href };\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'a copy that is used before keeps the field until then',
    code: 'export function hide(users) {\n  return users.map((user) => {\n    const copy = {...user};\n    audit(copy);\n    «delete copy.password»;\n    return copy;\n  });\n}',
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function hide(users) {\n  return users.map((user) => {\n    const copy = {...user};\n    audit(copy);\n    copy.password = undefined;\n    return copy;\n  });\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'in an arrow without a block, after && and in a ternary',
    code: 'export function strip(a, b, c) {\n  a.forEach((one) => «delete one.x»);\n  b.forEach((one) => {\n    one.y && «delete one.y»\n  })\n  for (const one of c) one.old ? «delete one.old» : keep(one);\n}',
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function strip(a, b, c) {\n  a.forEach((one) => { one.x = undefined; });\n  b.forEach((one) => {\n    one.y && delete one.y\n  })\n  for (const one of c) one.old ? delete one.old : keep(one);\n}',
          },
        ],
      },
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function strip(a, b, c) {\n  a.forEach((one) => delete one.x);\n  b.forEach((one) => {\n    one.y && (one.y = undefined)\n  })\n  for (const one of c) one.old ? delete one.old : keep(one);\n}',
          },
        ],
      },
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function strip(a, b, c) {\n  a.forEach((one) => delete one.x);\n  b.forEach((one) => {\n    one.y && delete one.y\n  })\n  for (const one of c) one.old ? (one.old = undefined) : keep(one);\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'its value is used',
    code: 'export const strip = (rows) => rows.map((row) => «delete row.note» && row);',
    findings: [{ messageId: 'deletedField', fixes: [], refused: ['the value of `delete` is used'] }],
  },
  {
    name: 'an optional chain',
    code: 'export function strip(rows) {\n  for (const row of rows) «delete row?.note»;\n}',
    findings: [{ messageId: 'deletedField', fixes: [], refused: ['an optional chain cannot be assigned to'] }],
  },
  {
    name: 'parentheses around the operand',
    code: 'export function strip(rows) {\n  for (const row of rows) «delete (row.note)»;\n}',
    findings: [{ messageId: 'deletedField', fixes: [], refused: ['parentheses around the operand'] }],
  },
  {
    name: 'a cast without semicolons',
    file: 'src/users.ts',
    code: 'export function strip(rows: User[]) {\n  for (const row of rows) {\n    audit(row)\n    «delete (row as any).note»\n  }\n}',
    findings: [{ messageId: 'deletedField', fixes: [], refused: ['read as part of the one above'] }],
  },
  {
    name: 'a cast with semicolons, and a comment after the word',
    file: 'src/casts.ts',
    code: 'export function strip(rows: User[]) {\n  for (const row of rows) {\n    audit(row);\n    «delete (row as any).note»;\n    delete /* old */ row!.mark;\n  }\n}',
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function strip(rows: User[]) {\n  for (const row of rows) {\n    audit(row);\n    (row as any).note = undefined;\n    /* old */ row!.mark = undefined;\n  }\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'a field in the middle of a literal, on every Node version',
    code: 'export function make(rows) {\n  return rows.map((row) => {\n    const one = { id: row.id, draft: true, name: row.name };\n    if (row.done) «delete one.draft»;\n    return one;\n  });\n}',
    findings: [
      {
        messageId: 'deletedField',
        data: { when: '' },
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function make(rows) {\n  return rows.map((row) => {\n    const one = { id: row.id, draft: true, name: row.name };\n    if (row.done) one.draft = undefined;\n    return one;\n  });\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'the field added last, on Node versions that differ',
    code: 'export function make(rows) {\n  return rows.map((row) => {\n    const one = { id: row.id, draft: true };\n    «delete one.draft»;\n    return one;\n  });\n}',
    findings: [
      {
        messageId: 'deletedField',
        data: { when: 'On Node 22 and later (18 and 20 forgive the field added last), ' },
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function make(rows) {\n  return rows.map((row) => {\n    const one = { id: row.id, draft: true };\n    one.draft = undefined;\n    return one;\n  });\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'a break of a switch, and an end that is not always reached',
    code: "export function clean(users, limit) {\n  let n = 0;\n  for (const user of users) {\n    switch (user.kind) {\n      case 'a':\n        «delete user.password»;\n        break;\n    }\n    if (++n > limit) break;\n  }\n}",
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output:
              "export function clean(users, limit) {\n  let n = 0;\n  for (const user of users) {\n    switch (user.kind) {\n      case 'a':\n        user.password = undefined;\n        break;\n    }\n    if (++n > limit) break;\n  }\n}",
          },
        ],
      },
    ],
  },
];
