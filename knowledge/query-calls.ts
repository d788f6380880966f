// Calls that send a query or a request and wait for the answer, and what sends one for many elements.

/**
 * How a call is recognized:
 * - `sql`: by the text of the query
 * - `model`: a method of a model or repository: `User.findByPk(id)`
 * - `collection`: a method of a collection: `db.collection('users').findOne({ … })`
 * - `delegate`: a method of a model of the client: `prisma.user.findFirst({ … })`
 * - `builder`: a chain that begins with a table: `knex('users').where({ id })`
 * - `command`: a method of the client: `redis.get(key)`
 * - `http`: a function of a package, or a global
 */
export type QueryShape = 'sql' | 'model' | 'collection' | 'delegate' | 'builder' | 'command' | 'http';

/** The forms for many elements, for messages. */
export interface Batch {
  read: string;
  insert: string;
  /** The same values for all rows. */
  change: string;
  /** Other values for each row. */
  each: string;
  delete: string;
  upsert: string;
  /** A sentence of its own, where `save` inserts or updates. */
  save?: string;
}

export interface QueryDriver {
  packages: readonly string[];
  shape: QueryShape;
  /** Methods that only read, and those that write. For `sql`, the text of the query decides. */
  reads: readonly string[];
  writes: readonly string[];
  batch: Batch;
  /** Calls of the same tick travel together: only calls that wait for each other count. */
  sameTick?: readonly string[];
  /** Cites the batch form. */
  source: string;
}

const SQL = ['query', 'execute', 'queryRow', 'one', 'oneOrNone', 'many', 'manyOrNone', 'any', 'none', 'result'] as const;
const FIND_AND = ['findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete'] as const;

export const QUERY_DRIVERS: readonly QueryDriver[] = [
  {
    packages: ['pg', 'pg-promise', 'postgres', 'slonik', '@neondatabase/serverless', '@vercel/postgres'],
    shape: 'sql',
    reads: SQL,
    writes: [],
    batch: {
      read: '`WHERE id = ANY($1)` with the list as its value',
      insert: 'one statement with `unnest($1::int[])`, or with many rows',
      change: '`WHERE id = ANY($1)` with the list as its value',
      each: '`UPDATE … FROM unnest($1::int[], $2::text[])`',
      delete: '`WHERE id = ANY($1)` with the list as its value',
      upsert: 'one statement with many rows, and `ON CONFLICT`',
    },
    source: 'https://www.postgresql.org/docs/current/functions-comparisons.html#FUNCTIONS-COMPARISONS-ANY-SOME',
  },
  {
    packages: ['mysql2', 'mysql', 'mariadb', 'promise-mysql'],
    shape: 'sql',
    reads: SQL,
    writes: [],
    batch: {
      read: '`WHERE id IN (?)` with the list as its value',
      insert: 'one statement with many rows: `VALUES ?`',
      change: '`WHERE id IN (?)` with the list as its value',
      each: 'one statement with `CASE`',
      delete: '`WHERE id IN (?)` with the list as its value',
      upsert: 'one statement with many rows, and `ON DUPLICATE KEY UPDATE`',
    },
    source: 'https://sidorares.github.io/node-mysql2/docs/documentation',
  },
  {
    packages: ['prisma', '@prisma/client'],
    shape: 'delegate',
    reads: ['findUnique', 'findUniqueOrThrow', 'findFirst', 'findFirstOrThrow', 'findMany', 'count', 'aggregate', 'groupBy'],
    writes: ['create', 'update', 'upsert', 'delete', 'updateMany', 'deleteMany'],
    // No `upsertMany`: https://github.com/prisma/prisma/issues/4134
    batch: {
      read: '`findMany({ where: { id: { in: ids } } })`',
      insert: '`createMany`, or `createManyAndReturn` if the rows are needed. Neither writes related rows',
      change: '`updateMany` with `id: { in: ids }`',
      each: 'one statement of SQL with `$executeRaw`',
      delete: '`deleteMany({ where: { id: { in: ids } } })`',
      upsert: 'one statement with `$executeRaw`, because `upsert` has no form for many',
    },
    // "findUnique queries that occur in the same tick and have the same where and include parameters are automatically batched"
    sameTick: ['findUnique', 'findUniqueOrThrow'],
    source: 'https://www.prisma.io/docs/orm/prisma-client/queries/query-optimization-performance',
  },
  {
    packages: ['mongoose', '@nestjs/mongoose'],
    shape: 'model',
    reads: ['find', 'findOne', 'findById', 'count', 'countDocuments', 'exists', 'distinct', 'aggregate'],
    writes: [
      ...FIND_AND,
      'findByIdAndUpdate',
      'findByIdAndDelete',
      'findByIdAndRemove',
      'findOneAndRemove',
      'updateOne',
      'updateMany',
      'deleteOne',
      'deleteMany',
      'create',
    ],
    batch: {
      read: '`find({ _id: { $in: ids } })`',
      insert: '`insertMany`, which runs no hooks of `save`',
      change: '`updateMany` with `_id: { $in: ids }`',
      each: '`bulkWrite`',
      delete: '`deleteMany({ _id: { $in: ids } })`',
      upsert: '`bulkWrite`',
    },
    source: 'https://mongoosejs.com/docs/api/model.html#Model.bulkWrite()',
  },
  {
    packages: ['mongodb'],
    shape: 'collection',
    reads: ['find', 'findOne', 'count', 'countDocuments', 'distinct', 'aggregate'],
    writes: [...FIND_AND, 'insertOne', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany'],
    batch: {
      read: '`find({ _id: { $in: ids } })`',
      insert: '`insertMany`',
      change: '`updateMany` with `_id: { $in: ids }`',
      each: '`bulkWrite`',
      delete: '`deleteMany({ _id: { $in: ids } })`',
      upsert: '`bulkWrite`',
    },
    source: 'https://www.mongodb.com/docs/drivers/node/current/crud/bulk-write/',
  },
  {
    packages: ['sequelize', 'sequelize-typescript', '@nestjs/sequelize'],
    shape: 'model',
    reads: ['findOne', 'findByPk', 'findById', 'findAll', 'count', 'findAndCountAll'],
    writes: ['create', 'update', 'destroy', 'upsert', 'findOrCreate'],
    batch: {
      read: '`findAll({ where: { id: ids } })`, or `include`',
      insert: '`bulkCreate`',
      change: '`update` with `where: { id: ids }`',
      each: '`bulkCreate` of whole rows with `updateOnDuplicate`',
      delete: '`destroy({ where: { id: ids } })`',
      upsert: '`bulkCreate` with `updateOnDuplicate`',
    },
    source: 'https://sequelize.org/docs/v6/core-concepts/model-querying-basics/',
  },
  {
    packages: ['typeorm', '@nestjs/typeorm'],
    shape: 'model',
    reads: ['findOne', 'findOneBy', 'findOneOrFail', 'findOneByOrFail', 'find', 'findBy', 'count', 'countBy'],
    writes: ['save', 'insert', 'update', 'delete', 'upsert'],
    batch: {
      read: '`findBy({ id: In(ids) })`, or `relations`',
      insert: '`insert` with the whole list',
      change: '`update({ id: In(ids) }, values)`',
      each: 'one statement of SQL, or `upsert` of whole rows',
      delete: '`delete({ id: In(ids) })`',
      upsert: '`upsert` with the whole list',
      // https://github.com/typeorm/typeorm/blob/0.3.20/src/persistence/SubjectExecutor.ts: new rows in bulk, changed ones one by one
      save: '`save` takes the whole list, in one transaction: new rows are inserted together. Changed rows still take a statement each.',
    },
    source: 'https://typeorm.io/docs/working-with-entity-manager/find-options/',
  },
  {
    packages: ['knex', 'objection'],
    shape: 'builder',
    reads: ['select', 'first', 'where', 'pluck', 'count', 'findById', 'findOne'],
    writes: ['insert', 'update', 'del', 'delete', 'patch', 'increment', 'decrement'],
    batch: {
      read: "`whereIn('id', ids)`",
      insert: '`insert` with the whole list',
      change: "`whereIn('id', ids)`",
      each: "`insert` of whole rows with `onConflict('id').merge()`",
      delete: "`whereIn('id', ids)`",
      upsert: "`insert` with `onConflict('id').merge()`",
    },
    source: 'https://knexjs.org/guide/query-builder.html#wherein',
  },
  {
    packages: ['redis', 'ioredis', '@redis/client'],
    shape: 'command',
    reads: [
      'get',
      'hget',
      'hGet',
      'hgetall',
      'hGetAll',
      'exists',
      'ttl',
      'smembers',
      'sMembers',
      'sismember',
      'sIsMember',
      'scard',
      'sCard',
      'zscore',
      'zScore',
      'zrange',
      'zRange',
      'zcard',
      'zCard',
      'lrange',
      'lRange',
      'llen',
      'lLen',
      'getAsync',
      'hgetAsync',
      'hgetallAsync',
    ],
    writes: [
      'set',
      'setex',
      'setEx',
      'hset',
      'hSet',
      'hdel',
      'hDel',
      'del',
      'unlink',
      'incr',
      'incrby',
      'incrBy',
      'expire',
      'sadd',
      'sAdd',
      'srem',
      'sRem',
      'zadd',
      'zAdd',
      'zrem',
      'zRem',
      'lpush',
      'lPush',
      'rpush',
      'rPush',
    ],
    batch: {
      read: '`mget(keys)`, or a pipeline',
      insert: 'a pipeline, or `mset`',
      change: 'a pipeline',
      each: 'a pipeline',
      delete: 'one `del` or `unlink` with all keys, or a pipeline',
      upsert: 'a pipeline',
    },
    // "node-redis … automatically pipelines requests that are made during the same tick"; ioredis sends commands without waiting for
    // replies.
    sameTick: ['*'],
    source: 'https://redis.io/docs/latest/develop/clients/nodejs/transpipe/',
  },
  {
    packages: [
      'axios',
      'got',
      'undici',
      'node-fetch',
      'cross-fetch',
      'ky',
      'superagent',
      'needle',
      'request-promise',
      'request-promise-native',
    ],
    shape: 'http',
    reads: ['get', 'fetch', 'request', 'json'],
    writes: [],
    batch: { read: '', insert: '', change: '', each: '', delete: '', upsert: '' },
    source: 'https://developer.mozilla.org/docs/Web/API/Window/fetch',
  },
];

/**
 * Databases in the same process. There, a query is a call of a function: "SQLite is not client/server … the N+1 query problem … is not a
 * problem with SQLite" (https://www.sqlite.org/np1queryprob.html). A project whose only database is one of these is not reported.
 */
export const IN_PROCESS_DATABASES: ReadonlySet<string> = new Set([
  'better-sqlite3',
  'sqlite3',
  'sqlite',
  'node:sqlite',
  'sql.js',
  '@louislam/sqlite3',
  '@vscode/sqlite3',
  'nedb',
  'lowdb',
  'level',
]);

/** Drivers whose query crosses a connection, below a query builder or mapper. */
export const DRIVERS_WITH_CONNECTION: ReadonlySet<string> = new Set([
  'pg',
  'mysql',
  'mysql2',
  'mariadb',
  'tedious',
  'oracledb',
  'mssql',
  'postgres',
  'pg-native',
  'cockroachdb',
]);

/** The form for many elements, where the package is not known. */
export const BATCH_OF_SQL: Batch = {
  read: '`WHERE id IN (…)` with all values',
  insert: 'one statement with many rows',
  change: '`WHERE id IN (…)` with all values',
  each: 'one statement with `CASE`',
  delete: '`WHERE id IN (…)` with all values',
  upsert: 'one statement with many rows',
};
