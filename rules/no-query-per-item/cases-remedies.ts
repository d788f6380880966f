// What the finding advises: only what gives the same result in that form.
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

type Message = 'one' | 'all' | 'http' | 'resolver';

const PRISMA = dedent`
  const app = require('express')();
  const { PrismaClient } = require('@prisma/client');
  const prisma = new PrismaClient();

`;
const MONGOOSE = dedent`
  const app = require('express')();
  const mongoose = require('mongoose');
  const User = mongoose.model('User');

`;
const PG = dedent`
  const app = require('express')();
  const { Pool } = require('pg');
  const pool = new Pool();

`;

/** @param body of the loop */
function advised(name: string, setup: string, body: string, remedy: string, which = ''): InvalidCase<Message> {
  return {
    name,
    code: dedent`
      ${setup}app.post('/', async (req, res) => { for (const row of req.body.rows) { ${body} } res.end(); });
    `,
    findings: [{ messageId: 'one', data: { remedy, which } }],
  };
}

export const remedyCases: readonly InvalidCase<Message>[] = [
  advised(
    'the field of a filter in a variable',
    MONGOOSE,
    'const match = { ownerId: row.id }; const users = await «User.find(match)»; show(users);',
    'Ask once for all of them: `find({ ownerId: { $in: ids } })`.',
  ),
  advised(
    'a filter in a variable that something adds to',
    MONGOOSE,
    'const match = {}; if (row.at) match.at = row.at; show(await «User.find(match)»);',
    'Ask once for all of them.',
  ),
  advised('a filter that a function makes', MONGOOSE, 'show(await «User.find(filterOf(row))»);', 'Ask once for all of them.'),
  advised(
    'a list of values for each element, in a variable',
    MONGOOSE,
    'const match = { placeId: { $in: [row.id, row.parent] } }; show(await «User.find(match)»);',
    'Ask once for all of them.',
  ),
  advised(
    'an aggregation, which no search replaces',
    MONGOOSE,
    'const pipeline = [{ $match: { owner: row.id } }]; show(await «User.aggregate(pipeline)»);',
    'Ask once for all of them.',
  ),
  advised(
    'the condition of a builder, with what ends it',
    dedent`
      const app = require('express')();
      const knex = require('knex')({ client: 'pg' });

    `,
    "show(await «knex('users').where('owner_id', row.id).first()»);",
    "Ask once for all of them: `whereIn('owner_id', ids)`.",
  ),
  advised(
    'SQL whose values are in a variable',
    PG,
    "const values = [row.id]; show(await «pool.query('SELECT * FROM users WHERE owner = $1', values)»);",
    'Ask once for all of them.',
  ),
  advised(
    'changed rows that the loop keeps',
    MONGOOSE,
    'const user = await «User.findOneAndUpdate({ _id: row.id }, { name: row.name })».lean(); show(user);',
    'If all rows get the same values, change them at once: `updateMany` with `_id: { $in: ids }`. Different values take `bulkWrite`. Neither returns the rows: read them with one query afterward.',
  ),
  advised(
    'rows that the loop puts into a list in the order of the elements',
    MONGOOSE,
    'const users = await «User.find({ ownerId: row.id })».sort("name"); all = all.concat(users);',
    'Ask once for all of them: `find({ ownerId: { $in: ids } })`. Then put the rows into the order of the list, if what follows depends on it.',
  ),
  advised(
    'the same values for all rows',
    PRISMA,
    'await «prisma.user.update({ where: { id: row.id }, data: { seen: true } })»;',
    'Change all rows at once: `updateMany` with `id: { in: ids }`.',
  ),
  advised(
    'other values for each row',
    PRISMA,
    'await «prisma.user.update({ where: { id: row.id }, data: { name: row.name } })»;',
    'If all rows get the same values, change them at once: `updateMany` with `id: { in: ids }`. Different values take one statement of SQL with `$executeRaw`.',
  ),
  advised(
    'one row, again and again',
    PRISMA,
    'await «prisma.user.update({ where: { id: req.body.id }, data: { name: row.name } })»;',
    'All of them change the same row: gather the values, and write it once.',
  ),
  advised(
    'deletes, which no insertion can do',
    MONGOOSE,
    'await «User.findOneAndDelete({ _id: row.id })»;',
    'Delete all of them at once: `deleteMany({ _id: { $in: ids } })`.',
  ),
  advised(
    'changes that a bulk write takes',
    MONGOOSE,
    'await «User.findByIdAndUpdate(row.id, { name: row.name })»;',
    'If all rows get the same values, change them at once: `updateMany` with `_id: { $in: ids }`. Different values take `bulkWrite`.',
  ),
  advised(
    'SQL that sets the same for all',
    PG,
    "await «pool.query('UPDATE users SET seen = true WHERE id = $1', [row.id])»;",
    'Change all rows at once: `WHERE id = ANY($1)` with the list as its value.',
  ),
  advised(
    'SQL that sets other values',
    PG,
    "await «pool.query('UPDATE users SET name = $2 WHERE id = $1', [row.id, row.name])»;",
    'If all rows get the same values, change them at once: `WHERE id = ANY($1)` with the list as its value. Different values take `UPDATE … FROM unnest($1::int[], $2::text[])`.',
  ),
  advised(
    'SQL that deletes',
    PG,
    "await «pool.query('DELETE FROM users WHERE id = $1', [row.id])»;",
    'Delete all of them at once: `WHERE id = ANY($1)` with the list as its value.',
  ),
  advised(
    'reads in a loop that also writes',
    MONGOOSE,
    'const user = await «User.findOne({ name: row.name })»; await User.updateOne({ _id: user.id }, { at: row.at });',
    'If no iteration changes what it or a later one reads, read all rows before the loop: `find({ name: { $in: values } })`.',
  ),
  advised(
    'a search for what an earlier iteration may have inserted',
    MONGOOSE,
    'if (await «User.findOne({ email: row.email })») continue; await User.create(row);',
    'Read all rows before the loop: `find({ email: { $in: values } })`. Add what the loop inserts to them, because a later element may look for it.',
  ),
  advised(
    'SQL that looks for what an earlier iteration may have inserted, and updates',
    PG,
    "const { rows: [old] } = await «pool.query('SELECT id FROM files WHERE hash = $1 AND tenant = $2', [row.hash, req.tenant])»; if (!old) await pool.query('INSERT INTO files (hash) VALUES ($1)', [row.hash]);",
    'Read all rows before the loop: `WHERE hash = ANY($1)` with the list as its value. Add what the loop inserts to them, because a later element may look for it.',
  ),
  advised(
    'insertions into another table',
    PG,
    "const { rows: [owner] } = await «pool.query('SELECT id FROM users WHERE id = $1', [row.owner])»; await pool.query('INSERT INTO files (owner) VALUES ($1)', [owner.id]);",
    'If no iteration changes what it or a later one reads, read all rows before the loop: `WHERE id = ANY($1)` with the list as its value.',
  ),
  advised(
    'a helper that inserts what it has looked for',
    dedent`
      ${PG}async function store(row, tenant) {
        const { rows } = await pool.query('SELECT id FROM files WHERE hash = $1', [row.hash]);
        if (rows.length > 0) return rows[0].id;
        return insert(row);
      }
      const insert = (row) => pool.query('INSERT INTO files (hash) VALUES ($1) RETURNING id', [row.hash]);

    `,
    'await «store(row, req.tenant)»;',
    'Read all rows before the loop: `WHERE hash = ANY($1)` with the list as its value. Add what the loop inserts to them, because a later element may look for it.',
  ),
  {
    name: 'a function of another file that inserts what it has looked for',
    code: dedent`
      const app = require('express')();
      const { store } = require('./store');
      app.post('/', async (req, res) => { for (const row of req.body.rows) await «store(row)»; res.end(); });
    `,
    others: {
      'src/store.js': dedent`
        const { Pool } = require('pg');
        const pool = new Pool();
        exports.store = async (row) => {
          const { rows } = await pool.query('SELECT id FROM files WHERE hash = $1', [row.hash]);
          if (rows.length === 0) await pool.query('INSERT INTO files (hash) VALUES ($1)', [row.hash]);
        };
      `,
    },
    findings: [
      {
        messageId: 'one',
        data: {
          remedy:
            'Read all rows before the loop: `WHERE hash = ANY($1)` with the list as its value. Add what the loop inserts to them, because a later element may look for it.',
        },
      },
    ],
  },
  advised(
    'SQL that updates rows which exist: one statement may not do so twice',
    PG,
    'await «pool.query(`INSERT INTO notes (name, text) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET text = EXCLUDED.text`, [row.name, row.text])»;',
    'Write all rows at once: one statement with many rows, and `ON CONFLICT`. Combine rows with the same key first: PostgreSQL rejects a statement that would update one row twice.',
  ),
  advised(
    'SQL that leaves rows which exist alone',
    PG,
    'await «pool.query(`INSERT INTO notes (name) VALUES ($1) ON CONFLICT (name) DO NOTHING`, [row.name])»;',
    'Insert all rows at once: one statement with `unnest($1::int[])`, or with many rows.',
  ),
  advised(
    'the key of the query, behind one that is the same for all',
    MONGOOSE,
    'row.posts = await «User.find({ open: true, tenant: req.tenant, patientId: row.id })»;',
    'Ask once for all of them: `find({ patientId: { $in: ids } })`.',
  ),
  advised(
    'a key that is converted',
    MONGOOSE,
    'row.posts = await «User.find({ patientId: ObjectId(row.id) })»;',
    'Ask once for all of them: `find({ patientId: { $in: ids } })`.',
  ),
  advised(
    'a filter that is also printed, counted, and copied',
    MONGOOSE,
    'const filter = { owner: row.id }; console.log(filter, Object.assign({}, filter)); row.posts = await «User.find(filter)»; row.count = await User.countDocuments(filter);',
    'Ask once for all of them: `find({ owner: { $in: values } })`.',
  ),
  advised(
    'a filter that a function may change',
    MONGOOSE,
    'const filter = { owner: row.id }; addDates(filter); row.posts = await «User.find(filter)»;',
    'Ask once for all of them.',
  ),
  advised('no single key', MONGOOSE, 'row.like = await «User.findOne({ post: row.post, user: row.user })»;', 'Ask once for all of them.'),
  advised('no equality', MONGOOSE, 'row.later = await «User.find({ at: { $gt: row.at } })»;', 'Ask once for all of them.'),
  advised(
    'the key of SQL, behind an alias',
    PG,
    "row.posts = await «pool.query('SELECT * FROM posts p WHERE p.open = $1 AND p.owner_id = $2', [true, row.id])»;",
    'Ask once for all of them: `WHERE owner_id = ANY($1)` with the list as its value.',
  ),
  advised(
    'the key of a deletion',
    PRISMA,
    'await «prisma.user.deleteMany({ where: { email: row.email } })»;',
    'Delete all of them at once: `deleteMany({ where: { email: { in: values } } })`.',
  ),
  advised(
    'only for elements that pass a check',
    MONGOOSE,
    'if (row.isNew) await «User.create(row)»;',
    'Insert all rows at once: `insertMany`, which runs no hooks of `save`.',
    ' for which its conditions hold',
  ),
  advised(
    'elements that are left out before',
    MONGOOSE,
    'if (!row.name) continue; row.user = await «User.findOne({ name: row.name })»;',
    'Ask once for all of them: `find({ name: { $in: values } })`.',
    ' for which its conditions hold',
  ),
  advised(
    'rows that a Map of those that exist lacks',
    PRISMA,
    'const old = res.locals.known.get(row.id); if (!old) await «prisma.user.create({ data: row })»;',
    'Insert all rows at once: `createMany`, or `createManyAndReturn` if the rows are needed. Neither writes related rows.',
    ' for which its conditions hold',
  ),
  {
    name: 'a repository of TypeORM in a property of what is named `db`, although the project has the driver of MongoDB, too',
    code: dedent`
      import { Injectable, Controller, Post, Body } from '@nestjs/common';
      import { Repository } from 'typeorm';
      import { MongoClient } from 'mongodb';
      @Controller('games')
      export class Games {
        constructor(private readonly db: { gameRepository: Repository<Game> }) {}
        @Post()
        async store(@Body() games: Game[]) { for (const game of games) game.old = await «this.db.gameRepository.findOne({ where: { url: game.url } })»; }
      }
    `,
    file: 'src/games.ts',
    findings: [{ messageId: 'one', data: { remedy: 'Ask once for all of them: `findBy({ url: In(values) })`, or `relations`.' } }],
  },
  {
    name: '`save` of TypeORM, which inserts together and changes one by one',
    code: dedent`
      import { Injectable, Controller, Post, Body } from '@nestjs/common';
      import { Repository } from 'typeorm';
      @Controller('users')
      export class Users {
        constructor(private readonly usersRepository: Repository<User>) {}
        @Post()
        async store(@Body() users: User[]) { for (const user of users) await «this.usersRepository.save(user)»; }
      }
    `,
    file: 'src/users.ts',
    findings: [
      {
        messageId: 'one',
        data: {
          remedy:
            '`save` takes the whole list, in one transaction: new rows are inserted together. Changed rows still take a statement each.',
        },
      },
    ],
  },
];
