// Functions of the project that send one query for the element that they are passed, and those that do not always.
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** A layer over several drivers: methods that a require of the chosen one adds. */
const LAYER = {
  'src/db/index.js': 'module.exports = require(`./${process.env.DRIVER}`);\n',
  'src/db/mongo/index.js': dedent`
    const { MongoClient } = require('mongodb');
    const layer = module.exports;
    layer.start = async () => { layer.client = new MongoClient('mongodb://db').db(); };
    require('./hash')(layer);

  `,
  'src/db/mongo/hash.js': dedent`
    module.exports = function (layer) {
      layer.getObject = async function (key) { if (!key) { return null; } return await layer.client.collection('objects').findOne({ key }); };
      layer.name = async function (key) { return key; };
    };
    // mongodb
    require('mongodb');

  `,
  'src/db/sql/index.js': dedent`
    const { Pool } = require('pg');
    const layer = module.exports;
    layer.start = async () => { layer.pool = new Pool(); };
    require('./hash')(layer);

  `,
  'src/db/sql/hash.js': dedent`
    module.exports = function (layer) {
      layer.getObject = async function (key) { const { rows } = await layer.pool.query('SELECT data FROM objects WHERE key = $1', [key]); return rows[0]; };
      layer.name = async function (key) { return layer.pool.query('SELECT name FROM objects WHERE key = $1', [key]); };
    };
    require('pg');

  `,
};
const MODELS = dedent`
  const { User, Order, Item } = require('./all');
  Order.hasMany(Item);
  Order.belongsTo(User);

`;

export const innocentHelpers: readonly ValidCase[] = [
  {
    name: 'the fields of a record',
    code: dedent`
      const app = require('express')();
      const mongoose = require('mongoose');
      const User = mongoose.model('User');
      app.post('/', async (req, res) => { const record = req.body; for (const field in record) await User.findById(record[field]); res.end(); });
    `,
  },
  {
    name: 'not each driver sends a query',
    code: dedent`
      const app = require('express')();
      const db = require('./db');
      app.post('/', async (req, res) => { for (const key of req.body.keys) await db.name(key); res.end(); });
    `,
    others: LAYER,
  },
  {
    name: 'a helper that asks only for what it does not know',
    code: dedent`
      const app = require('express')();
      const { find } = require('./users');
      app.post('/', async (req, res) => { for (const id of req.body.ids) await find(id); res.end(); });
    `,
    others: {
      'src/users.js': dedent`
        const mongoose = require('mongoose');
        const User = mongoose.model('User');
        const known = new Map();
        exports.find = async (id) => { if (known.has(id)) return known.get(id); return load(id); };
        async function load(id) { return User.findById(id); }

      `,
    },
  },
  {
    name: 'a getter that no association makes, and one that the class has',
    code: dedent`
      const app = require('express')();
      const { Sequelize } = require('sequelize');
      const { Order } = require('./models');
      app.get('/', async (req, res) => {
        const orders = await Order.findAll();
        for (const order of orders) { await order.getPrice(); await order.getItems(); }
        res.json(orders);
      });
    `,
    others: {
      'src/models.js': dedent`
        require('sequelize');
        class Order { getItems() { return this.items; } }
        exports.Order = { findAll: async () => [new Order()] };

      `,
      'src/associations.js': `require('sequelize');\n${MODELS}`,
    },
  },
];

const USERS = `const mongoose = require('mongoose');\nconst User = mongoose.model('User');\n`;

export const helperCases: readonly InvalidCase<'one' | 'all' | 'http' | 'resolver'>[] = [
  {
    name: 'a data layer whose driver a setting chooses',
    code: dedent`
      const app = require('express')();
      const db = require('./db');
      app.post('/', async (req, res) => { for (const key of req.body.keys) await «db.getObject(key)»; res.end(); });
    `,
    others: LAYER,
    findings: [{ messageId: 'one', related: ['for each element here', 'the query', 'handled'] }],
  },
  {
    name: 'a helper of a service whose failure is handled: its own name is told',
    code: dedent`
      const app = require('express')();
      const service = require('./service');
      app.get('/', async (req, res) => {
        res.json(await Promise.all(req.query.ids.map((id) => «service.load(id)».catch(() => null))));
      });
    `,
    others: {
      'service.js':
        "const { Pool } = require('pg');\nconst pool = new Pool();\nexports.load = async (id) => { const { rows } = await pool.query('SELECT * FROM users WHERE id = $1', [id]); return rows[0]; };\n",
    },
    findings: [{ messageId: 'all', data: { call: 'service.load' } }],
  },
  {
    name: 'one helper in several loops of a function is told once',
    code: dedent`
      const app = require('express')();
      const db = require('./db');
      const load = async (id) => db.getObject('user:' + id);
      app.post('/', async (req, res) => {
        for (const key of req.body.keys) await «load(key)»;
        for (const key of req.body.others) await load(key);
        for (const key of req.body.groups) await «db.getObject('group:' + key)»;
        for (const key of req.body.posts) await «db.getObject('post:' + key)»;
        res.end();
      });
    `,
    others: LAYER,
    findings: [{ messageId: 'one', data: { list: 'req.body.keys' } }, { messageId: 'one' }, { messageId: 'one' }],
  },
  {
    name: 'one database that is passed together with what the element tells',
    code: dedent`
      const app = require('express')();
      const { Pool } = require('pg');
      const pool = new Pool();
      const BY_ID = 'SELECT * FROM users WHERE id = $1';
      async function loadOne({ pool, id }) { return pool.query(BY_ID, [id]); }
      async function loadTwo(options) { return options.db.query(BY_ID, [options.id]); }
      async function loadThree({ of: { db = pool }, id } = {}) { return db.query(BY_ID, [id]); }
      app.post('/', async (req, res) => {
        for (const id of req.body.ones) await «loadOne({ pool, id })»;
        for (const id of req.body.twos) await «loadTwo({ ...req.app, db: pool, id })»;
        for (const id of req.body.threes) { const options = { of: { db: pool, id }, id }; await «loadThree(options)»; }
        res.end();
      });
    `,
    findings: [{ messageId: 'one' }, { messageId: 'one' }, { messageId: 'one' }],
  },
  {
    name: 'a function of the same file that calls the data layer, whose promises are gathered',
    code: dedent`
      const app = require('express')();
      const db = require('./db');
      const Users = module.exports;
      Users.load = async function (id) { return await db.getObject('user:' + id); };
      app.post('/', async (req, res) => {
        const found = [];
        req.body.ids.forEach((id) => { found.push(«Users.load(id)»); });
        res.json(await Promise.all(found));
      });
    `,
    others: LAYER,
    findings: [{ messageId: 'all' }],
  },
  {
    name: 'a table with a key for each of many',
    code: dedent`
      const app = require('express')();
      ${USERS}app.post('/', async (req, res) => { const { users } = req.body; for (const id in users) await «User.findById(id)»; res.end(); });
    `,
    findings: [{ messageId: 'one' }],
  },
  {
    name: 'getters that associations of Sequelize make',
    code: dedent`
      const app = require('express')();
      const { Sequelize } = require('sequelize');
      const { Order } = require('./models');
      app.get('/', async (req, res) => {
        const orders = await Order.findAll();
        for (const order of orders) order.lines = await «order.getItems()»;
        res.json(await Promise.all(orders.map((order) => «order.getUser()»)));
      });
    `,
    others: { 'src/models.js': `require('sequelize');\n${MODELS}module.exports = { Order };\n` },
    findings: [{ messageId: 'one', data: { call: 'order.getItems', list: 'orders' } }, { messageId: 'all' }],
  },
];
