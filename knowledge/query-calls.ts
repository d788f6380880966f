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

export interface QueryDriver {
  packages: readonly string[];
  shape: QueryShape;
  /** Methods that only read, and those that write. For `sql`, the text of the query decides. */
  reads: readonly string[];
  writes: readonly string[];
  /** The form for many elements, for messages. */
  batch: {
    read: string;
    write: string;
    /** Where it is not the form for other writes. */
    upsert?: string;
  };
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
    batch: { read: '`WHERE id = ANY($1)` with the list as its value', write: 'one statement with `unnest($1::int[])`, or with many rows' },
    source: 'https://www.postgresql.org/docs/current/functions-comparisons.html#FUNCTIONS-COMPARISONS-ANY-SOME',
  },
  {
    packages: ['mysql2', 'mysql', 'mariadb', 'promise-mysql'],
    shape: 'sql',
    reads: SQL,
    writes: [],
    batch: { read: '`WHERE id IN (?)` with the list as its value', write: 'one statement with many rows: `VALUES ?`' },
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
      write: '`createMany`, or `updateMany` with `id: { in: ids }`',
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
    batch: { read: '`find({ _id: { $in: ids } })`', write: '`insertMany`, or `bulkWrite`' },
    source: 'https://mongoosejs.com/docs/api/model.html#Model.bulkWrite()',
  },
  {
    packages: ['mongodb'],
    shape: 'collection',
    reads: ['find', 'findOne', 'count', 'countDocuments', 'distinct', 'aggregate'],
    writes: [...FIND_AND, 'insertOne', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany'],
    batch: { read: '`find({ _id: { $in: ids } })`', write: '`insertMany`, or `bulkWrite`' },
    source: 'https://www.mongodb.com/docs/drivers/node/current/crud/bulk-write/',
  },
  {
    packages: ['sequelize', 'sequelize-typescript', '@nestjs/sequelize'],
    shape: 'model',
    reads: ['findOne', 'findByPk', 'findById', 'findAll', 'count', 'findAndCountAll'],
    writes: ['create', 'update', 'destroy', 'upsert', 'findOrCreate'],
    batch: { read: '`findAll({ where: { id: ids } })`, or `include`', write: '`bulkCreate`, or `update` with `where: { id: ids }`' },
    source: 'https://sequelize.org/docs/v6/core-concepts/model-querying-basics/',
  },
  {
    packages: ['typeorm', '@nestjs/typeorm'],
    shape: 'model',
    reads: ['findOne', 'findOneBy', 'findOneOrFail', 'findOneByOrFail', 'find', 'findBy', 'count', 'countBy'],
    writes: ['save', 'insert', 'update', 'delete', 'upsert'],
    batch: { read: '`findBy({ id: In(ids) })`, or `relations`', write: '`save` or `insert` with the whole list' },
    source: 'https://typeorm.io/docs/working-with-entity-manager/find-options/',
  },
  {
    packages: ['knex', 'objection'],
    shape: 'builder',
    reads: ['select', 'first', 'where', 'pluck', 'count', 'findById', 'findOne'],
    writes: ['insert', 'update', 'del', 'delete', 'patch', 'increment', 'decrement'],
    batch: { read: "`whereIn('id', ids)`", write: '`insert` with the whole list, or `whereIn`' },
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
    batch: { read: '`mget(keys)`, or a pipeline', write: 'a pipeline, or `mset`' },
    // "node-redis … automatically pipelines requests that are made during the same tick"; ioredis sends commands without waiting for replies.
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
    batch: { read: '', write: '' },
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
export const BATCH_OF_SQL: QueryDriver['batch'] = { read: '`WHERE id IN (…)` with all values', write: 'one statement with many rows' };
