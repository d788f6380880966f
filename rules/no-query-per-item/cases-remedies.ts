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
    'If no iteration changes what a later one reads, read all rows before the loop: `find({ _id: { $in: ids } })`.',
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
    'Ask once for all of them: `find({ _id: { $in: ids } })`.',
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
    findings: [{ messageId: 'one', data: { remedy: 'Ask once for all of them: `findBy({ id: In(ids) })`, or `relations`.' } }],
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
