// Objects that change once, are dictionaries, or are not read in hot code.
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** Code that tempts: dictionaries, sessions, start-up, one object many times, and records that keep their shape. */
export const innocents: readonly (string | ValidCase)[] = [
  {
    name: 'keys that say what to change: own keys of a request, a patch by its name and by where it goes, what is merged by its keys',
    code: dedent`
      const hasOwn = (value, key) => Object.prototype.hasOwnProperty.call(value, key);
      export function clean(rows) {
        return rows.map((row) => {
          const one = {};
          if (hasOwn(row, 'model')) one.model = row.model;
          if (hasOwn(row, 'mode')) one.mode = row.mode;
          if ('style' in row) one.style = row.style;
          return one;
        });
      }
      export function patches(rows) {
        return rows.map((row) => {
          const userPatch = {};
          if (row.a) userPatch.a = row.a;
          if (row.b) userPatch.b = row.b;
          if (row.c) userPatch.c = row.c;
          return userPatch;
        });
      }
      export function saved(rows) {
        const updates = [];
        for (const row of rows) {
          const update = {};
          if (row.a) update.a = row.a;
          if (row.b) update.b = row.b;
          if (row.c) update.c = row.c;
          updates.push({ updateOne: { filter: { id: row.id }, update } });
        }
        return users.bulkWrite(updates);
      }
      export const applied = (rows) => rows.map((row) => {
        const changes = {};
        if (row.a) changes.a = row.a;
        if (row.b) changes.b = row.b;
        if (row.c) changes.c = row.c;
        return state.apply(row.id, changes);
      });
      export function merged(rows) {
        return rows.map((row) => {
          const one = {};
          if (row.a) one.a = row.a;
          if (row.b) one.b = row.b;
          if (row.c) one.c = row.c;
          return mergeKeys(row.base, one);
        });
      }
      function mergeKeys(base, given) {
        const all = { ...base };
        for (const key of Object.keys(given)) all[key] = given[key];
        return all;
      }
    `,
  },
  {
    name: 'a loop past the end that asks a server in each iteration',
    code: dedent`
      export async function clean(client, ids) {
        for (let i = 0; i <= ids.length; i++) {
          if (!(await client.hexists(ids[i], 'players'))) await client.hdel(ids[i]);
        }
      }
    `,
  },
  {
    name: 'a loop past the end that nothing runs any more',
    file: 'src/reset.js',
    code: dedent`
      module.exports = (counts) => {
        const total = () => {
          let all = 0;
          for (let i = 0; i <= counts.length; i++) all += counts[i] | 0;
          return all;
        };
        return { total };
      };
    `,
    others: {
      'src/server.js': dedent`
        const express = require('express');
        const app = express();
        app.get('/', (req, res) => {
          // res.json(require('./reset')(req.body).total());
          res.end();
        });
      `,
    },
  },
  {
    name: 'the package of a monorepo that changes data of an older version',
    file: 'packages/migrations/src/ensure-range.ts',
    project: { root: '/project/packages/migrations' },
    code: dedent`
      import { ComposeFileEditor, parseServiceNetworks } from '@dappnode/compose';
      import { params } from '@dappnode/params';
      export async function ensureRange(): Promise<void> {
        const names = [params.first, params.second];
        const packages = await listPackages();
        if (packages.find((one) => one.name === params.third)) names.push(params.third);
        for (const name of names) {
          const compose = new ComposeFileEditor(name, true);
          for (const service of Object.values(compose.compose.services)) {
            if (service.networks) {
              const networks = parseServiceNetworks(service.networks);
              const network = networks[params.NETWORK];
              if (network.address) {
                log(network.address);
                delete network.address;
                compose.write();
              }
            }
          }
        }
      }
    `,
  },
  {
    name: 'a field that no object has, because none is made with it or selected',
    code: dedent`
      import express from 'express';
      import { db, users, prisma } from './db.js';
      const app = express();
      app.get('/users', async (req, res) => {
        const rows = await db.select({ id: users.id, name: users.name }).from(users).where(isOpen);
        const [others, count] = await Promise.all([db.select({ id: users.id }).from(users), db.$count(users)]);
        const found = await prisma.user.findMany({ select: { id: true }, take: 9 });
        for (const row of rows) delete row.password;
        const copies = others.map((other) => {
          const copy = { ...other };
          delete copy.password;
          return copy;
        });
        for (const one of found) {
          const made = { id: one.id, at: Date.now() };
          delete made.password;
          copies.push(made);
        }
        res.json([rows, copies, count]);
      });
    `,
  },
  {
    name: 'fields that are the same in the whole process, or that an early end makes sure of',
    code: dedent`
      const hasName = process.env.NAMES === '1';
      const hasMail = process.env.MAIL === '1';
      const hasPhone = process.env.PHONE === '1';
      function make(row) {
        const one = { id: row.id };
        if (hasName) one.name = row.name;
        if (hasMail) one.mail = row.mail;
        if (hasPhone) one.phone = row.phone;
        return one;
      }
      export function total(rows) {
        const all = rows.map(make);
        let sum = 0;
        for (const one of all) sum += one.id;
        return sum;
      }
      export function named(rows) {
        const list = [];
        for (const row of rows) {
          const { name } = row;
          if (!name) continue;
          const one = { id: row.id };
          if (name) one.name = name;
          list.push(one);
        }
        return list.filter((one) => one.id > 0);
      }
    `,
  },
  {
    name: 'a transform of Mongoose, which has made the object a hash table before',
    code: dedent`
      schema.set('toJSON', { virtuals: true, versionKey: false, transform(doc, ret) { delete ret._id; } });
    `,
  },
  {
    name: 'a record that is waited for in each iteration',
    code: dedent`
      export async function load(ids) {
        const users = [];
        for (const id of ids) {
          const user = await fetchUser(id);
          delete user.hash;
          users.push(user);
        }
        return users;
      }
    `,
  },
  {
    name: 'a loop that waits in each iteration',
    code: dedent`
      export async function copyAll(rules) {
        for (const rule of rules) {
          delete rule._id;
          await insert(rule);
        }
      }
    `,
  },
  {
    name: 'when the server closes',
    code: dedent`
      module.exports = async function (app) {
        const tasks = {};
        app.addHook('onClose', async () => {
          Object.values(tasks).forEach((task) => {
            task.job.stop();
            delete task.job;
          });
        });
        process.once('SIGTERM', () => {
          for (const task of Object.values(tasks)) delete task.timer;
        });
      };
    `,
  },
  {
    name: 'an exception, whose name may come from elsewhere',
    code: dedent`
      export class RemoteError extends Error {
        constructor(message, options) {
          super(message);
          if (options.name) this.name = options.name;
          if (options.code) this.code = options.code;
          if (options.stack) this.stack = options.stack;
        }
      }
      export const errorsOf = (all) => all.map((one) => new RemoteError(one.message, one));
    `,
  },
  {
    name: 'under a condition, for records of another function',
    code: dedent`
      function toPayload(entry) {
        if (entry.type === 'event') delete entry.category;
        return entry;
      }
      export const payloads = (entries) => entries.map((entry) => toPayload(entry));
    `,
  },
  {
    name: 'records that nobody of the file reads',
    code: dedent`
      export function make(rows) {
        const list = [];
        for (const row of rows) {
          const one = { id: row.id };
          if (row.name) one.name = row.name;
          list.push(one);
        }
        return list;
      }
    `,
  },
  {
    name: 'five shapes that only become JSON',
    code: dedent`
      export function list(req, res) {
        const items = [];
        for (const row of req.rows) {
          const one = { id: row.id };
          if (row.a) one.a = row.a;
          if (row.b) one.b = row.b;
          if (row.c) one.c = row.c;
          items.push(one);
        }
        res.json({ items, count: items.length });
      }
    `,
  },
  {
    name: 'a component without an import of React',
    file: 'src/list.tsx',
    code: dedent`
      export function Users({ users }: { users: User[] }) {
        const shown = users.map((user) => {
          delete user.password;
          return user;
        });
        return <List items={shown} />;
      }
    `,
  },
  {
    name: 'a hook',
    file: 'src/use-users.ts',
    code: dedent`
      import { useQuery } from '@tanstack/react-query';
      export function useUsers() {
        return useQuery({
          select: (users) => users.map((user) => {
            delete user.password;
            return user;
          }),
        });
      }
    `,
  },
  {
    name: 'a renderer of Electron',
    file: 'src/renderer/users.ts',
    code: dedent`
      export const clean = (users) => users.map((user) => {
        delete user.password;
        return user;
      });
    `,
  },
  {
    name: 'a dictionary by its type',
    file: 'src/a.ts',
    code: dedent`
      type Totals = { [currency: string]: number };
      export function sums(rows: Row[]) {
        const all = rows.map((row) => {
          const one: Totals = { EUR: row.total };
          if (row.usd) one.USD = row.usd;
          if (row.gbp) one.GBP = row.gbp;
          if (row.chf) one.CHF = row.chf;
          return one;
        });
        return all.filter((one) => one.EUR > 0);
      }
      export const cleaned = (rows: Record<string, string>[]) => rows.map((row: Record<string, string>) => {
        delete row.legacy;
        return row;
      });
    `,
  },
  {
    name: 'an entry of a dictionary',
    code: dedent`
    export function sweep(keys, map) {
      for (const key of keys) delete map[key];
    }
  `,
  },
  {
    name: 'an entry under a computed key of each object',
    code: dedent`
      export function strip(users, fields) {
        for (const user of users) for (const field of fields) delete user[field];
      }
    `,
  },
  {
    name: 'a timer in a private dictionary',
    code: dedent`
      export class Timers {
        timers = {};
        stop(ids) {
          for (const id of ids) delete this.timers[id];
        }
      }
    `,
  },
  {
    name: 'an element of an array',
    code: dedent`
    export function clear(lists) {
      for (const list of lists) delete list[0];
    }
  `,
  },
  {
    name: 'a session',
    code: dedent`
    export function logOut(requests) {
      for (const req of requests) delete req.session.user;
    }
  `,
  },
  {
    name: 'a session on one request',
    code: dedent`
      import express from 'express';
      const app = express();
      app.post('/out', (req, res) => {
        delete req.session.user;
        res.end();
      });
    `,
  },
  {
    name: 'one field of one record per request',
    code: dedent`
      import express from 'express';
      const app = express();
      app.get('/me', async (req, res) => {
        const user = await load(req.query.id);
        delete user.password;
        res.json(user);
      });
    `,
  },
  {
    name: 'headers',
    code: dedent`
      export function clean(calls) {
        calls.forEach((call) => {
          delete call.headers.authorization;
        });
      }
    `,
  },
  {
    name: 'cookies',
    code: dedent`
    export function clean(calls) {
      for (const call of calls) delete call.cookies.token;
    }
  `,
  },
  {
    name: 'the module cache',
    code: dedent`
      export function reload(names) {
        for (const name of names) delete require.cache[require.resolve(name)];
      }
    `,
  },
  {
    name: 'the environment',
    code: dedent`
    export function forget(runs) {
      for (const run of runs) delete process.env.TOKEN;
    }
  `,
  },
  {
    name: 'a global',
    code: dedent`
    export function reset(rounds) {
      for (const round of rounds) delete globalThis.cached;
    }
  `,
  },
  {
    name: 'the same object every round',
    code: dedent`
      export function run(items, state) {
        for (const item of items) {
          use(item, state);
          delete state.current;
        }
      }
    `,
  },
  {
    name: 'the own object every round',
    code: dedent`
      export class Queue {
        drain(items) {
          for (const item of items) {
            this.send(item);
            delete this.current;
          }
        }
      }
    `,
  },
  {
    name: 'a result that is the same object every round',
    code: dedent`
      export function apply(items) {
        for (const item of items) {
          const settings = getSettings();
          delete settings.draft;
          use(item, settings);
        }
      }
    `,
  },
  {
    name: 'options once',
    code: dedent`
      export function createCache(opts) {
        if (opts.length) delete opts.length;
        return new Cache(opts);
      }
    `,
  },
  {
    name: 'the options of each call',
    code: dedent`
      export function prepare(calls) {
        for (const { options } of calls) delete options.retry;
      }
    `,
  },
  {
    name: 'the top level of a module',
    code: dedent`
      import routes from './routes.js';
      for (const route of routes) {
        delete route.comment;
      }
    `,
  },
  {
    name: 'a function that only the top level calls',
    code: dedent`
      function tidy(list) {
        list.forEach((item) => {
          delete item.comment;
        });
      }
      tidy(routes);
    `,
  },
  {
    name: 'a function of start-up by its name',
    code: dedent`
      export function loadPlugins(list) {
        for (const plugin of list) delete plugin.readme;
      }
    `,
  },
  {
    name: 'a module that is given the application',
    code: dedent`
      module.exports = function (app) {
        app.routes.forEach((route) => {
          delete route.docs;
        });
      };
    `,
  },
  {
    name: 'what extends the plugins',
    code: dedent`
      export class Loader {
        extendPlugins(list) {
          for (const plugin of list) {
            delete plugin.path;
            this.all.push(plugin);
          }
        }
      }
    `,
  },
  {
    name: 'a file of settings',
    file: 'lib/config.js',
    code: dedent`
      exports.providers = (list) => list.map((provider) => {
        delete provider.overrides;
        return provider;
      });
    `,
  },
  {
    name: 'of bad input only',
    code: dedent`
      export function boxes(rows) {
        return rows.map((row) => {
          try { row.box = JSON.parse(row.box); } catch (error) { report(error); delete row.box; }
          return row;
        });
      }
    `,
  },
  {
    name: 'of the first record only',
    code: dedent`
      export function clean(rules) {
        return rules.map((rule, index) => {
          const copy = { ...rule };
          if (index === 0 && rule.isDefault) {
            if (!rule.end) delete copy.end;
            delete copy.score;
          }
          return copy;
        });
      }
    `,
  },
  {
    name: 'of the last record only',
    code: dedent`
      export function clean(rows) {
        for (let i = 0; i < rows.length; i++) {
          if (i === rows.length - 1) delete rows[i].next;
        }
      }
    `,
  },
  {
    name: 'a field that all records of a loop have, or none',
    code: dedent`
      export function topics(subs, version) {
        return subs.map((sub) => {
          const topic = { qos: sub.qos };
          if (version === 5) {
            topic.local = sub.local;
            topic.kept = sub.kept;
          }
          return topic;
        });
      }
    `,
  },
  {
    name: 'two such fields',
    code: dedent`
      export function nodes(list, withQuery) {
        const out = [];
        const isDebug = out.length > 0;
        for (const one of list) {
          const node = { id: one.id };
          if (withQuery) node.query = one.query;
          if (!isDebug) node.cost = one.cost;
          out.push(node);
        }
        return out;
      }
    `,
  },
  {
    name: 'a migration by its folder',
    file: 'migrations/drop-locale.js',
    code: dedent`
      export async function up(db) {
        for (const user of await db.users()) delete user.locale;
      }
    `,
  },
  {
    name: 'a migration by its registration',
    code: dedent`
      export function add(self) {
        self.migrations.add('drop-locale', async () => {
          for (const doc of await self.docs()) delete doc.locale;
        });
      }
    `,
  },
  {
    name: 'a test',
    file: 'test/users.test.js',
    code: dedent`
      export function normalize(users) {
        return users.map((user) => {
          delete user.id;
          return user;
        });
      }
    `,
  },
  {
    name: 'a script',
    file: 'scripts/clean.js',
    code: dedent`
      export function clean(entries) {
        for (const entry of entries) delete entry.note;
      }
    `,
  },
  {
    name: 'a page',
    code: dedent`
      export function hide(items) {
        for (const item of items) {
          delete item.handle;
          document.querySelector(item.selector).hidden = true;
        }
      }
    `,
  },
  {
    name: 'a component',
    code: dedent`
      import { useState } from 'react';
      export function useRows(rows) {
        rows.forEach((row) => {
          delete row.key;
        });
        return useState(rows);
      }
    `,
  },
  {
    name: 'a client',
    file: 'src/client/rows.js',
    code: dedent`
      export function useAll(rows) {
        rows.forEach((row) => {
          delete row.key;
        });
      }
    `,
  },
  {
    name: 'settings',
    file: 'src/config/fields.js',
    code: dedent`
      export function sanitize(fields) {
        for (const field of fields) delete field.localized;
      }
    `,
  },
  {
    name: 'what is called when all is done',
    code: dedent`
      import async from 'async';
      export function all(items, done) {
        async.map(items, work, (result) => {
          delete result.draft;
          done(result);
        });
        async.map(items, (item, next) => next(), function (result) {
          delete result.draft;
        });
      }
    `,
  },
  {
    name: 'a list that is written out',
    code: dedent`
      const KINDS = ['a', 'b'];
      export function tidy(all) {
        for (const kind of KINDS) delete all[kind].note;
      }
    `,
  },
  {
    name: 'a constant list of another file',
    code: dedent`
      import { SOURCES } from './sources.js';
      export const places = (get) => SOURCES.map((source) => {
        const place = { via: source.via };
        if (get(source.city)) place.city = get(source.city);
        if (get(source.region)) place.region = get(source.region);
        return place;
      });
    `,
  },
  {
    name: 'a keyword of a JSON schema',
    code: dedent`
      export function merge(properties) {
        for (const property of properties) delete property.const;
      }
    `,
  },
  {
    name: 'three objects',
    code: dedent`
    export function tidy(a, b, c) {
      [a, b, c].forEach((one) => {
        delete one.note;
      });
    }
  `,
  },
  {
    name: 'a few rounds',
    code: dedent`
    export function tidy(list) {
      for (let i = 0; i < 3; i++) delete list[i].note;
    }
  `,
  },
  {
    name: 'an object without a prototype',
    code: dedent`
      export function count(lists) {
        for (const list of lists) {
          const seen = Object.create(null);
          fill(seen, list);
          delete seen.total;
          use(seen);
        }
      }
    `,
  },
  {
    name: 'a literal without a prototype',
    code: dedent`
      export function count(lists) {
        return lists.map((list) => {
          const seen = { __proto__: null };
          fill(seen, list);
          delete seen.total;
          return seen;
        });
      }
    `,
  },
  {
    name: 'a dictionary of each round',
    code: dedent`
      export function count(lists) {
        for (const list of lists) {
          const seen = {};
          for (const word of list) seen[word] = true;
          delete seen.constructor_;
          use(seen);
        }
      }
    `,
  },
  {
    name: 'a key that is no field name',
    code: dedent`
      export function agents(calls) {
        for (const call of calls) delete call.init['sec-fetch-mode'];
      }
    `,
  },
  {
    name: 'an operator of a query',
    code: dedent`
    export function simplify(parts) {
      for (const part of parts) delete part.$or;
    }
  `,
  },
  {
    name: 'a map by its name',
    code: dedent`
    export function drop(groups) {
      for (const group of groups) delete group.usersById.anonymous;
    }
  `,
  },
  {
    name: 'a field of every record that is set to undefined',
    code: dedent`
      export function hide(users) {
        for (const user of users) user.password = undefined;
        return users;
      }
    `,
  },
  { name: 'a copy without the field', code: 'export const hide = (users) => users.map(({ password, ...user }) => user);' },
  {
    name: 'a Map and a Set',
    code: dedent`
      export function drop(groups) {
        for (const group of groups) {
          group.members.delete('anonymous');
          group.seen.delete(group.id);
        }
      }
    `,
  },
  {
    name: 'the field added last, on Node versions that forgive it',
    project: { nodeRange: '18 || 20' },
    code: dedent`
      export function make(rows) {
        return rows.map((row) => {
          const one = { id: row.id, draft: true };
          delete one.draft;
          return one;
        });
      }
    `,
  },

  {
    name: 'a field added on every path',
    code: dedent`
      export function make(rows) {
        return rows.map((row) => {
          const one = { id: row.id };
          if (row.big) one.size = 2;
          else one.size = 1;
          return one;
        });
      }
    `,
  },
  {
    name: 'a field that the literal has',
    code: dedent`
      export function make(rows) {
        return rows.map((row) => {
          const one = { id: row.id, size: 1, note: undefined };
          if (row.big) one.size = 2;
          if (row.note) one.note = row.note;
          return one;
        });
      }
    `,
  },
  {
    name: 'the same fields in the same order on three paths',
    code: dedent`
      export function make(rows) {
        const list = [];
        for (const row of rows) {
          const one = { id: row.id };
          if (row.blob) {
            one.hash = hash(row);
            one.at = row.at;
          } else {
            if (row.entity) {
              one.hash = row.entity.hash;
              one.at = row.entity.at;
            } else {
              one.hash = 'deleted';
              one.at = 0;
            }
          }
          list.push(one);
        }
        return list;
      }
    `,
  },
  {
    name: 'one object of many shapes',
    code: dedent`
      export function settings(input) {
        const all = { id: 1 };
        if (input.a) all.a = input.a;
        if (input.b) all.b = input.b;
        if (input.c) all.c = input.c;
        return all;
      }
    `,
  },
  {
    name: 'an object that meets no other',
    code: dedent`
      export function log(rows) {
        for (const row of rows) {
          const entry = { id: row.id };
          if (row.a) entry.a = 1;
          if (row.b) entry.b = 1;
          console.log(entry.id);
        }
      }
    `,
  },
  {
    name: 'records that each wait',
    code: dedent`
      export async function make(rows) {
        const list = [];
        for (const row of rows) {
          const one = { id: row.id };
          if (await row.isBig()) one.big = true;
          if (row.note) one.note = row.note;
          list.push(one);
        }
        return list;
      }
    `,
  },
  {
    name: 'a dictionary with some fixed keys',
    code: dedent`
      export function count(rows) {
        return rows.map((row) => {
          const one = {};
          for (const word of row.words) one[word] = 1;
          if (row.total) one.total = row.total;
          return one;
        });
      }
    `,
  },
  {
    name: 'keys of a form under quoted names',
    code: dedent`
      export function errors(sheets) {
        return sheets.map((sheet) => {
          const all = {};
          if (sheet.a) all['required_fields'] = 1;
          if (sheet.b) all['unique_fields'] = 1;
          return all;
        });
      }
    `,
  },
  {
    name: 'fields that a spread may hold',
    code: dedent`
      export function make(rows) {
        return rows.map((row) => {
          const one = { ...row };
          if (row.a) one.a = 1;
          if (row.b) one.b = 1;
          return one;
        });
      }
    `,
  },
  {
    name: 'a copy that is filled key by key',
    code: dedent`
      export function toClient(rows) {
        return rows.map((row) => {
          const one = {};
          for (const key in row) {
            if (key === 'a') one.a = row.a;
            else if (key === 'b') one.b = row.b;
          }
          return one;
        });
      }
    `,
  },
  {
    name: 'settings of each',
    code: dedent`
      export function configs(parts) {
        return parts.map((part) => {
          const config = { id: part.id };
          if (part.a) config.a = 1;
          if (part.b) config.b = 1;
          return config;
        });
      }
    `,
  },
  {
    name: 'fewer shapes than asked for',
    options: { minShapes: 5 },
    code: dedent`
      export function make(rows) {
        return rows.map((row) => {
          const one = { id: row.id };
          if (row.a) one.a = 1;
          if (row.b) one.b = 1;
          return one;
        });
      }
    `,
  },
  {
    name: 'objects of a test file',
    file: 'spec/make.js',
    code: dedent`
      export function make(rows) {
        return rows.map((row) => {
          const one = { id: row.id };
          if (row.a) one.a = 1;
          if (row.b) one.b = 1;
          return one;
        });
      }
    `,
  },

  {
    name: 'a constructor of one object',
    code: dedent`
      export class Server {
        constructor(options) {
          if (options.tls) this.tls = options.tls;
          if (options.log) this.log = options.log;
        }
      }
      export const server = new Server({});
    `,
  },
  {
    name: 'a constructor whose class declares the fields',
    code: dedent`
      class Line {
        tax;
        note = null;
        constructor(row) {
          if (row.tax) this.tax = row.tax;
          if (row.note) this.note = row.note;
        }
      }
      export const lines = (rows) => rows.map((row) => new Line(row));
    `,
  },
  {
    name: 'a constructor that gives a field on every path',
    code: dedent`
      class Line {
        constructor(row) {
          if (row.big) this.size = 2;
          else this.size = 1;
          row.on(() => {
            if (row.late) this.late = true;
          });
        }
      }
      export const lines = (rows) => rows.map((row) => new Line(row));
    `,
  },

  {
    name: 'two literals with other keys',
    code: dedent`
      export function rows(items) {
        return items.map((item) => (item.a ? { id: item.id, a: 1 } : { b: 1, id: item.id }));
      }
    `,
  },
  {
    name: 'two orders that meet once',
    code: dedent`
      export function settings(isNew) {
        return isNew ? { id: 1, name: 2 } : { name: 2, id: 1 };
      }
    `,
  },
  {
    name: 'two orders that never meet',
    code: dedent`
      export function pairs(items) {
        const left = [];
        const right = [];
        for (const item of items) {
          left.push({ x: item.x, y: item.y });
          right.push({ y: item.y, x: item.x });
        }
        return [left, right];
      }
    `,
  },

  {
    name: 'a prototype at start-up',
    code: dedent`
      function Base() {}
      function Derived() {}
      Object.setPrototypeOf(Derived.prototype, Base.prototype);
    `,
  },
  {
    name: 'the prototype of an error',
    code: dedent`
      export class NotFound extends Error {
        constructor(message) {
          super(message);
          Object.setPrototypeOf(this, new.target.prototype);
        }
      }
    `,
  },
  {
    name: 'a prototype that is given at creation',
    code: 'export const wrap = (rows, proto) => rows.map((row) => Object.assign(Object.create(proto), row));',
  },
  {
    name: 'an error that a function makes, in a loop that may throw it',
    code: dedent`
      function cycleError(path) {
        const error = new Error(path.join(' -> '));
        Object.setPrototypeOf(error, cycleError.prototype);
        return error;
      }
      export const check = (paths) => { for (const path of paths) if (path.length > 1) throw cycleError(path); };
    `,
  },
  {
    name: 'another setPrototypeOf',
    code: dedent`
      export function wrap(rows, models) {
        for (const row of rows) models.setPrototypeOf(row, 1);
      }
    `,
  },

  {
    name: 'an array of a known size',
    code: dedent`
      export const zeros = new Array(1024);
      export function fill(n) {
        const all = new Array(n);
        for (let i = 0; i < n; i++) all[i] = i;
        return all;
      }
    `,
  },
  {
    name: 'a long array that is filled',
    code: dedent`
      export const table = new Array(50_000_000).fill(0);
      export const typed = new Float64Array(50_000_000);
    `,
  },
  {
    name: 'an index within reach',
    code: dedent`
    export function pad() {
      const list = [1, 2, 3];
      list[1026] = 4;
      return list;
    }
  `,
  },
  {
    name: 'a far index of an array that is filled up',
    code: dedent`
      export function table(n) {
        const all = [];
        all[5000] = 1;
        for (let i = 0; i < n; i++) all[i] = i;
        return all;
      }
    `,
  },
  {
    name: 'a far key of an object and of an unknown thing',
    code: dedent`
      export function codes(list) {
        const names = {};
        names[50000] = 1;
        list[50000] = 1;
        return names;
      }
    `,
  },
  {
    name: 'holes, mixed kinds',
    code: dedent`
      export const mixed = [1, , 'a', {}, 2.5];
      export function sum(list) {
        let all = 0;
        for (const item of list) all += item;
        return all;
      }
    `,
  },

  {
    name: 'a loop up to the length',
    code: dedent`
      export function sum(rows) {
        let all = 0;
        for (let i = 0; i < rows.length; i++) all += rows[i].n;
        return all;
      }
    `,
  },
  {
    name: 'a loop over lengths',
    code: dedent`
      export function prefixes(text) {
        const all = [];
        for (let i = 0; i <= text.length; i++) all.push(text.slice(0, i));
        return all;
      }
    `,
  },
  {
    name: 'a loop from one that reads the one before',
    code: dedent`
      export function lines(rows) {
        for (let line = 1; line <= rows.length; line++) print(line, rows[line - 1]);
      }
    `,
  },
  {
    name: 'a round that looks at the end itself',
    code: dedent`
      export function parts(path) {
        for (let i = 0; i <= path.length; i++) {
          if (i === path.length || path[i] === 46) flush(i);
        }
      }
    `,
  },
  {
    name: 'a table with one more place',
    code: dedent`
      export function distance(a, b) {
        const row = [];
        for (let j = 0; j <= b.length; j++) row[j] = j;
        for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) row[j] = cost(a[i - 1], b[j - 1], row[j]);
        return row;
      }
    `,
  },
  {
    name: 'a list that grows',
    code: dedent`
      export function repeat(list) {
        for (let i = 0; i <= list.length && i < 9; i++) {
          list.push(1);
          use(list[i]);
        }
      }
    `,
  },
  {
    name: 'one less than the length',
    code: dedent`
    export function last(rows) {
      for (let i = 0; i <= rows.length - 1; i++) use(rows[i]);
    }
  `,
  },
  {
    name: 'the one that was looked for',
    code: dedent`
      export function rename(emotes, emote) {
        for (let i = 0; i < emotes.length; i++) {
          if (emotes[i].name === emote.name) {
            delete emotes[i].old;
            note(i);
            break;
          }
        }
      }
    `,
  },
  {
    name: 'the one that was looked for, and given back',
    code: dedent`
      export function take(users, id) {
        for (const user of users) {
          if (user.id !== id) continue;
          delete user.password;
          return user;
        }
      }
    `,
  },
];
