// Deleted fields, with the fix for each, or the reason why there is none.
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** Fields deleted on one record after another. */
const NOT_MADE: readonly string[] = ['not known to be made in this file'];

export const deletions: readonly InvalidCase<MessageId>[] = [
  {
    name: 'a field of every row of a result, while a request waits',
    code: dedent`
      import express from 'express';
      import { db } from './db.js';
      const app = express();
      app.get('/users', async (req, res) => {
        const { rows } = await db.query('select * from users');
        for (const row of rows) «delete row.password»;
        res.json(rows);
      });
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        route: 'GET /users',
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'what may have a field that was not selected',
    code: dedent`
      import express from 'express';
      import mongoose from 'mongoose';
      import { db, users, prisma } from './db.js';
      const User = mongoose.model('User', new mongoose.Schema({}));
      const app = express();
      app.get('/1', async (req, res) => { const rows = await User.find().select({ name: 1 }).lean(); for (const row of rows) «delete row._id»; res.json(rows); });
      app.get('/2', async (req, res) => { const rows = await User.find().select({ password: 0 }).lean(); for (const row of rows) «delete row.email»; res.json(rows); });
      app.get('/3', async (req, res) => { const rows = (await db.select({ id: users.id }).from(users)).map((r) => Object.assign(r, { at: 1 })); for (const row of rows) «delete row.at»; res.json(rows); });
      app.get('/4', async (req, res) => { const rows = await db.select({ id: users.id }).from(users); for (const row of rows) { const all = row; all.at = 1; «delete row.at»; } res.json(rows); });
      app.get('/5', async (req, res) => { const rows = await db.select({ id: users.id }).from(users); for (const r of rows) r.at = 1; for (const row of rows) «delete row.at»; res.json(rows); });
      app.get('/7', async (req, res) => { const rows = await db.select({ id: users.id }).from(users); decorate(rows); for (const row of rows) «delete row.at»; res.json(rows); });
      app.get('/8', async (req, res) => { const rows = await prisma.user.findMany({ select: { id: true } }).then((l) => l.map((x) => ({ ...x, at: 1 }))); for (const row of rows) «delete row.at»; res.json(rows); });
      app.get('/9', async (req, res) => { const rows = await db.select({ id: users.id }).from(users); rows.forEach((r, i) => { rows[i].at = 1; }); for (const row of rows) «delete row.at»; res.json(rows); });
    `,
    findings: Array.from({ length: 8 }, () => ({ messageId: 'deletedField' as const, refused: ['not known to be made in this file'] })),
  },
  {
    name: 'a field that is selected, or added later',
    code: dedent`
      import express from 'express';
      import { db, users } from './db.js';
      const app = express();
      app.get('/users', async (req, res) => {
        const rows = await db.select({ id: users.id, password: users.password }).from(users);
        for (const row of rows) «delete row.password»;
        const others = await db.select({ id: users.id }).from(users);
        for (const other of others) {
          other.at = Date.now();
          «delete other.at»;
        }
        res.json([rows, others]);
      });
    `,
    findings: [
      { messageId: 'deletedField', refused: ['not known to be made in this file'] },
      { messageId: 'deletedField', refused: ['not known to be made in this file'] },
    ],
  },
  {
    name: 'of some rows of a result, which a run has to count',
    code: dedent`
      import express from 'express';
      import { db } from './db.js';
      const app = express();
      app.get('/users', (req, res) => {
        db.query('select * from users', (error, rows) => {
          for (const row of rows) if (row.isHidden) «delete row.mail»;
          res.json(rows);
        });
      });
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        route: 'GET /users',
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'of every row, beside a query for each of them',
    code: dedent`
      import express from 'express';
      import { db } from './db.js';
      const app = express();
      app.get('/users', async (req, res) => {
        const rows = await db.query('select * from users');
        res.json(await Promise.all(rows.map(async (row) => {
          const roles = await db.rolesOf(row.id);
          «delete row.password»;
          return { ...row, roles };
        })));
      });
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        route: 'GET /users',
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'of every row that a callback gets',
    code: dedent`
      import express from 'express';
      import { db } from './db.js';
      const app = express();
      app.get('/users', (req, res) => {
        db.query('select * from users', (error, rows) => {
          rows.forEach((row) => «delete row.mail»);
          res.json(rows);
        });
      });
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        route: 'GET /users',
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'a field of every row, in map',
    code: dedent`
      export function list(rows) {
        return rows.map((row) => {
          «delete row.password»;
          return row;
        });
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        functionName: 'list',
        related: [],
        data: {
          fields: '`password`',
          each: 'every object that `map` visits',
          when: 'On Node 22 and later, and on 18 and 20 for any field except the one added last, ',
        },
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'several fields of a row are one finding',
    code: dedent`
      export function strip(items) {
        for (const item of items) {
          «delete item._id»;
          delete item.__v; // mongoose
          if (item.uid) delete item.uid
          delete item["edit_uid"]
        }
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        data: { fields: '`_id`, `__v` and 2 more', each: 'a different object in each iteration of the loop' },
        related: ['removes `__v` from `item`', 'removes `uid` from', 'removes `edit_uid` from'],
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'rows by index',
    project: { nodeRange: '>=22' },
    code: dedent`
      exports.toMap = function (data) {
        const map = {};
        for (let i = 0; i < data.length; i += 1) {
          map[data[i]._key] = data[i];
          «delete data[i]._key»;
        }
        return map;
      };
    `,
    findings: [
      {
        messageId: 'deletedField',
        data: { when: '' },
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'a part of each row',
    project: { nodeRange: '18 || 20' },
    code: dedent`
      export function open(posts) {
        posts.forEach((post) => {
          «delete post.data.ip»;
        });
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        data: { when: 'Unless the field was the last one added, ' },
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'in a function that is called for each',
    code: dedent`
      function clean(user) {
        «delete user.hash»;
        return user;
      }
      export function list(users) {
        const all = [];
        for (const user of users) all.push(clean(user));
        return all;
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        related: ['called for each of them here'],
        functionName: 'clean',
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'in a function that is handed to map, in a request',
    code: dedent`
      import express from 'express';
      const app = express();
      function toPublic(row) {
        «delete row.margin»;
        return row;
      }
      app.get('/rows', (req, res) => {
        res.json(load().map(toPublic));
      });
    `,
    findings: [
      {
        messageId: 'deletedField',
        related: ['called for each of them here'],
        route: 'GET /rows',
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'in a function that is handed to map, over rows that were copied for it',
    code: dedent`
      import express from 'express';
      import all from './all.js';
      const app = express();
      function toPublic(row) {
        «delete row.margin»;
        return row;
      }
      app.get('/rows', (req, res) => {
        const rows = all.map((row) => ({ ...row }));
        res.render('rows', { rows: rows.map(toPublic) });
      });
    `,
    findings: [
      {
        messageId: 'deletedField',
        related: ['called for each of them here'],
        route: 'GET /rows',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Omit `margin` when copying',
            output: dedent`
              import express from 'express';
              import all from './all.js';
              const app = express();
              function toPublic({ margin, ...row }) {
                return row;
              }
              app.get('/rows', (req, res) => {
                const rows = all.map((row) => ({ ...row }));
                res.render('rows', { rows: rows.map(toPublic) });
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a list that is walked along',
    code: dedent`
      export function unlink(node) {
        while (node) {
          const { next } = node;
          «delete node.next»;
          node = next;
        }
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'a loop of many rounds at the top level',
    code: dedent`
      let sum = 0;
      for (let i = 0; i < 1e6; i++) {
        const point = { x: i, y: 1, z: 2 };
        «delete point.y»;
        sum += point.x + point.z;
      }
      const ROUNDS = 5000;
      for (let i = 0; i < ROUNDS; i++) {
        const size = { w: i, h: 1 };
        «delete size.w»;
        sum += size.h;
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        data: { when: '' },
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                let sum = 0;
                for (let i = 0; i < 1e6; i++) {
                  const point = { x: i, y: 1, z: 2 };
                  point.y = undefined;
                  sum += point.x + point.z;
                }
                const ROUNDS = 5000;
                for (let i = 0; i < ROUNDS; i++) {
                  const size = { w: i, h: 1 };
                  delete size.w;
                  sum += size.h;
                }
              `,
          },
        ],
      },
      {
        messageId: 'deletedField',
        severity: 'hint',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                let sum = 0;
                for (let i = 0; i < 1e6; i++) {
                  const point = { x: i, y: 1, z: 2 };
                  delete point.y;
                  sum += point.x + point.z;
                }
                const ROUNDS = 5000;
                for (let i = 0; i < ROUNDS; i++) {
                  const size = { w: i, h: 1 };
                  size.w = undefined;
                  sum += size.h;
                }
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'a tree that is walked down',
    code: dedent`
      export function strip(node) {
        «delete node.parent»;
        node.children.forEach((child) => strip(child));
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'lodash and async',
    code: dedent`
      import _ from 'lodash';
      import async from 'async';
      export function tidy(docs, done) {
        _.each(docs, (doc) => {
          «delete doc.title»;
        });
        async.eachSeries(docs, function (one, next) {
          «delete one.lock»;
          show(one, next);
        }, done);
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        data: { each: 'every object that `each` visits' },
        refused: ['not known to be made in this file'],
      },
      {
        messageId: 'deletedField',
        data: { each: 'every object that `eachSeries` visits' },
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'all at the same time is not',
    code: dedent`
      export async function copyAll(rules) {
        await Promise.all(rules.map(async (rule) => {
          «delete rule._id»;
          await insert(rule);
        }));
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'a record and a part of it are one finding',
    code: dedent`
      export function hide(rows) {
        for (const row of rows) {
          «delete row.book»;
          delete row.values.book;
        }
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        data: { fields: '`book` and `values.book`' },
        related: ['removes `book` from `row.values`'],
        refused: ['parts of the object lose fields'],
      },
    ],
  },
  {
    name: 'a toJSON method is a hint',
    code: dedent`
      schema.methods.toJSON = function () {
        const user = this.toObject();
        «delete user.hash»;
        return user;
      };
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        data: { each: 'every object that is serialized to JSON' },
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'rows that a stream delivers are a hint',
    code: dedent`
      export function copy(query, out) {
        query.on('row', (row) => {
          «delete row.hash»;
          out.write(row);
        });
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        data: { each: 'every object that the stream delivers' },
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'not all of them lose it',
    code: dedent`
      export function show(rows) {
        for (const row of rows) if (row.isPrivate) «delete row.owner»;
        return rows.map((row) => { if (!row.isDraft) return row; «delete row.text»; return row; });
      }
    `,
    findings: [
      { messageId: 'deletedField', data: { each: 'a different object in some iterations of the loop' }, refused: NOT_MADE },
      { messageId: 'deletedField', data: { each: 'some of the objects that `map` visits' }, refused: NOT_MADE },
    ],
  },
  {
    name: 'all of them lose it, in a loop behind a condition',
    code: dedent`
      export function show(rows, isPublic) {
        if (isPublic) for (const row of rows) { if (!row) continue; «delete row.owner»; }
        return rows;
      }
    `,
    findings: [{ messageId: 'deletedField', data: { each: 'a different object in each iteration of the loop' }, refused: NOT_MADE }],
  },
  {
    name: 'a transform under toJSON is a hint, also where Mongoose deletes nothing before it',
    code: dedent`
      schema.set('toJSON', { versionKey: false, virtuals: false, transform(doc, ret) { «delete ret._id»; } });
    `,
    findings: [{ messageId: 'deletedField', severity: 'hint', refused: NOT_MADE }],
  },
  {
    name: 'a transform under toJSON is a hint',
    code: dedent`
      schema.set('toJSON', {
        transform(doc, ret) {
          «delete ret._id»;
          delete ret.__v;
        },
      });
    `,
    findings: [
      {
        messageId: 'deletedField',
        severity: 'hint',
        refused: ['not known to be made in this file'],
      },
    ],
  },
  {
    name: 'a copy that is made anyway can leave the field out',
    code: dedent`
      export async function hide(db) {
        const users = await db.collection('users').find().toArray();
        return users.map((user) => {
          const copy = { ...user };
          «delete copy.password»;
          delete copy.salt;
          // what is left
          return copy;
        });
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Omit `password` and `salt` when copying',
            output: dedent`
                export async function hide(db) {
                  const users = await db.collection('users').find().toArray();
                  return users.map((user) => {
                    const { password, salt, ...copy } = user;
                    // what is left
                    return copy;
                  });
                }
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'a name that is left out of a copy and not used, where ESLint reports it',
    project: { root: '/app', nodeRange: '>=20', nodeRangeSource: 'the test', lint: { rules: { 'unused-rest-siblings': true } } },
    code: dedent`
      export async function hide(db) {
        const users = await db.collection('users').find().toArray();
        return users.map((user) => {
          const copy = { ...user };
          «delete copy.password»;
          return copy;
        });
      }
    `,
    findings: [{ messageId: 'deletedField', refused: ['leave the key out of a copy'] }],
  },
  {
    name: 'instances of a Sequelize model list their keys',
    code: dedent`
      export function tidy(instances) {
        for (const instance of instances) {
          instance.media = instance.book;
          «delete instance.book»;
          delete instance.dataValues.book;
        }
      }
    `,
    findings: [{ messageId: 'deletedField', refused: ['`get()` and `toJSON()` would still have the key'] }],
  },
  {
    name: 'a row that is stored would be stored with the field',
    code: dedent`
      export function copyAll(messages, collection) {
        for (const message of messages) {
          message.copied = true;
          «delete message.junk»;
          collection.insertOne(message);
        }
      }
      export function change(items, batch) {
        for (const item of items) {
          batch.find(byId(item)).updateOne({ $set: item });
          «delete item._id»;
        }
      }
    `,
    findings: [
      { messageId: 'deletedField', refused: ['not known to be made in this file'] },
      { messageId: 'deletedField', refused: ['not known to be made in this file'] },
    ],
  },
  {
    name: 'rows that are stored as a list, or by a function',
    code: dedent`
      import { createChart, Request } from './models.js';
      export async function copyAll(requests, charts, setId) {
        const added = [];
        requests.forEach((request) => {
          const row = { ...request, setId };
          «delete row.id»;
          added.push(row);
        });
        await Request.bulkCreate(added);
        charts.forEach((chart) => {
          const copy = { ...chart, setId };
          «delete copy.id»;
          createChart(copy);
        });
      }
    `,
    findings: [
      { messageId: 'deletedField', refused: ['`Request.bulkCreate(added)` (line 9)'] },
      { messageId: 'deletedField', refused: ['`createChart(copy)` (line 13)'] },
    ],
  },
  {
    name: 'an instance whose own toJSON is called',
    code: dedent`
      export function toPlain(reference) {
        return reference.elements.map((element) => {
          «delete element.review»;
          return element.toJSON();
        });
      }
    `,
    findings: [{ messageId: 'deletedField', refused: ['`element.toJSON()` on line 4 shows that the object is an instance'] }],
  },
  {
    name: 'no `|| {}` where nothing was left before',
    code: dedent`
      export function redact(args) {
        return args.map((arg) => {
          if (!arg || typeof arg !== 'object') {
            return arg;
          }
          const redacted = { ...arg };
          «delete redacted.data»;
          return redacted;
        });
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              export function redact(args) {
                return args.map((arg) => {
                  if (!arg || typeof arg !== 'object') {
                    return arg;
                  }
                  const { data, ...redacted } = arg;
                  return redacted;
                });
              }
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'no `|| {}` where a statement before would have thrown already',
    code: dedent`
      export function hide(users) {
        return users.map((user) => {
          const id = user.id.toString();
          const copy = {...user};
          «delete copy.password»;
          return { id, copy };
        });
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                export function hide(users) {
                  return users.map((user) => {
                    const id = user.id.toString();
                    const {password, ...copy} = user;
                    return { id, copy };
                  });
                }
              `,
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
            title: 'Omit `href` when copying',
            output:
              'const href = base();\nexport const links = (stats) => stats.map(({ href: _href, ...stat }) => {\n\treturn { ...stat, link: href };\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'an arrow that only returned the rest after the deletion needs no block',
    code: 'export const hide = (stats) => stats.map(({ ...stat }) => {\n\t«delete stat.href»;\n\treturn stat;\n});',
    findings: [
      {
        messageId: 'deletedField',
        fixes: [{ kind: 'suggestion', output: 'export const hide = (stats) => stats.map(({ href, ...stat }) => stat);' }],
      },
    ],
  },
  {
    name: 'a comment keeps the block',
    code: 'export const hide = (stats) => stats.map(({ ...stat }) => {\n\t«delete stat.href»;\n\t// for the page\n\treturn stat;\n});',
    findings: [
      {
        messageId: 'deletedField',
        fixes: [
          {
            kind: 'suggestion',
            output: 'export const hide = (stats) => stats.map(({ href, ...stat }) => {\n\t// for the page\n\treturn stat;\n});',
          },
        ],
      },
    ],
  },
  {
    name: 'a copy that is used before keeps the field until then',
    code: dedent`
      export function hide(users) {
        return users.map((user) => {
          const copy = {...user};
          audit(copy);
          «delete copy.password»;
          return copy;
        });
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        refused: ['`audit(copy)` (line 4)'],
      },
    ],
  },
  {
    name: 'in an arrow without a block, after && and in a ternary',
    code: dedent`
      export function strip(a, b, c) {
        a.forEach((one) => «delete one.x»);
        b.forEach((one) => {
          one.y && «delete one.y»
        })
        for (const one of c) one.old ? «delete one.old» : keep(one);
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        refused: ['not known to be made in this file'],
      },
      {
        messageId: 'deletedField',
        refused: ['not known to be made in this file'],
      },
      {
        messageId: 'deletedField',
        refused: ['not known to be made in this file'],
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
    code: dedent`
      export function strip(rows) {
        for (const row of rows) «delete row?.note»;
      }
    `,
    findings: [{ messageId: 'deletedField', fixes: [], refused: ['an optional chain cannot be assigned to'] }],
  },
  {
    name: 'parentheses around the operand',
    code: dedent`
      export function strip(rows) {
        for (const row of rows) «delete (row.note)»;
      }
    `,
    findings: [{ messageId: 'deletedField', fixes: [], refused: ['parentheses around the operand'] }],
  },
  {
    name: 'a cast without semicolons',
    file: 'src/users.ts',
    code: dedent`
      export function strip(rows: User[]) {
        for (const row of rows) {
          audit(row)
          «delete (row as any).note»
        }
      }
    `,
    findings: [{ messageId: 'deletedField', fixes: [], refused: ['parsed as part of the previous one'] }],
  },
  {
    name: 'a cast with semicolons, and a comment after the word',
    file: 'src/casts.ts',
    code: dedent`
      export function strip(rows: User[]) {
        for (const row of rows) {
          audit(row);
          «delete (row as any).note»;
          delete /* old */ row!.mark;
        }
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        refused: ['parts of the object lose fields'],
      },
    ],
  },
  {
    name: 'a field in the middle of a literal, on every Node version',
    code: dedent`
      export function make(rows) {
        return rows.map((row) => {
          const one = { id: row.id, draft: true, name: row.name };
          if (row.done) «delete one.draft»;
          return one;
        });
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        data: { when: '' },
        refused: ['a caller that gets what line 2 returns'],
      },
    ],
  },
  {
    name: 'the field added last, on Node versions that differ',
    code: dedent`
      export function make(rows) {
        return rows.map((row) => {
          const one = { id: row.id, draft: true };
          «delete one.draft»;
          return one;
        });
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        data: { when: 'On Node 22 and later (18 and 20 tolerate it for the field added last), ' },
        refused: ['a caller that gets what line 2 returns'],
      },
    ],
  },
  {
    name: 'a break of a switch, and an end that is not always reached',
    code: dedent`
      export function clean(users, limit) {
        let n = 0;
        for (const user of users) {
          switch (user.kind) {
            case 'a':
              «delete user.password»;
              break;
          }
          if (++n > limit) break;
        }
      }
    `,
    findings: [
      {
        messageId: 'deletedField',
        refused: ['not known to be made in this file'],
      },
    ],
  },
];
