// What is said to be slow, beside what does the same. `inputs` are many, so that nothing can be computed once; both forms must return the
// same for each of them. With `done`, a form is asynchronous.
const crypto = require('node:crypto');
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const querystring = require('node:querystring');
const { Readable } = require('node:stream');
const { ReadableStream } = require('node:stream/web');
const url = require('node:url');
const util = require('node:util');

const COUNT = 64;
const many = (make) => Array.from({ length: COUNT }, (_, i) => make(i));
const text = (i) => `text number ${i} with some more words in it ${'abcdefgh'.repeat(i % 8)}`;
const order = (i) => ({
  id: i,
  name: `order ${i}`,
  open: i % 2 === 0,
  lines: Array.from({ length: 10 }, (_, n) => ({ item: `item ${n + i}`, price: n * 1.5 + i, tags: ['a', 'b'] })),
});

class Base {
  constructor(value) {
    this.value = value;
  }
  twice() {
    return this.value * 2;
  }
}
class BySuper extends Base {
  slow() {
    return super.twice();
  }
  fast() {
    return this.twice();
  }
}

const emitter = new EventEmitter();
const target = new EventTarget();
let heard = 0;
emitter.on('order', (n) => {
  heard = n;
});
target.addEventListener('order', (event) => {
  heard = event.detail;
});

const { privateKey, publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signed = many((i) => ({ data: Buffer.from(text(i)), signature: crypto.sign('sha256', Buffer.from(text(i)), privateKey) }));
process.env.NODOMETER_BENCH_MODE = 'yes';
const pems = {
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
};
const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsaPem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
const rsaSigned = many((i) => ({ data: Buffer.from(text(i)), signature: crypto.sign('sha256', Buffer.from(text(i)), rsa.privateKey) }));
const MODE = process.env.NODOMETER_BENCH_MODE;
const WORDS = /number 7/;
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const CORES = os.cpus().length;
const readFile = util.promisify(fs.readFile);
const CHUNKS = 32;
const pieces = many((i) => Array.from({ length: CHUNKS }, (_, n) => Buffer.from(text(i + n))));
const URL_OF = (i) => `http://example.org:8080/orders/${i}/lines?sort=name&page=${i}`;
const QUERY_OF = (i) => `sort=name&page=${i}&color=red%20blue&size=${i % 5}`;

const nested = (i) => Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`key${n}`, n + i]));
const assigned = many((i) => {
  const made = {};
  for (const [key, value] of Object.entries(nested(i))) made[key] = value;
  return made;
});
const defined = many((i) => {
  const made = {};
  for (const [key, value] of Object.entries(nested(i)))
    Object.defineProperty(made, key, { value, writable: true, enumerable: true, configurable: true });
  return made;
});

/** By name: `since` is the first Node that has the other form. @param jwt the package jsonwebtoken */
exports.rowsOf = (jwt) => ({
  'parseInt(text, 10) / +text': {
    source: 'S20',
    inputs: many((i) => String(i * 7919)),
    slow: (one) => Number.parseInt(one, 10),
    fast: (one) => +one,
  },
  'parseInt(text, 10) / +text, 15 digits': {
    source: 'S20',
    inputs: many((i) => String(900719925474000 + i * 7919)),
    slow: (one) => Number.parseInt(one, 10),
    fast: (one) => +one,
  },
  'super.method() / this.method()': {
    source: 'S20',
    inputs: many((i) => new BySuper(i)),
    slow: (one) => one.slow(),
    fast: (one) => one.fast(),
  },
  'read after Object.defineProperty / after assignment': {
    source: 'S20',
    inputs: many((i) => i),
    slow: (i) => defined[i].key0 + defined[i].key3 + defined[i].key7,
    fast: (i) => assigned[i].key0 + assigned[i].key3 + assigned[i].key7,
  },
  'Object.defineProperty / assignment': {
    source: 'S20',
    inputs: many((i) => i),
    slow: (i) => {
      const made = { id: i };
      Object.defineProperty(made, 'name', { value: i + 1, writable: true, enumerable: true, configurable: true });
      return made.name;
    },
    fast: (i) => {
      const made = { id: i };
      made.name = i + 1;
      return made.name;
    },
  },
  'list.at(-1) / list[list.length - 1]': {
    source: 'S20',
    inputs: many((i) => Array.from({ length: 1 + (i % 9) }, (_, n) => n * i)),
    slow: (one) => one.at(-1),
    fast: (one) => one[one.length - 1],
  },
  '/constant/.test(text) / text.includes()': {
    source: 'S20',
    inputs: many(text),
    slow: (one) => WORDS.test(one),
    fast: (one) => one.includes('number 7'),
  },
  'url.parse(text) / new URL(text)': {
    source: 'S20',
    inputs: many(URL_OF),
    slow: (one) => url.parse(one).pathname,
    fast: (one) => new URL(one).pathname,
  },
  'new URL(text) / url.parse(text)': {
    source: 'S19, S20',
    inputs: many(URL_OF),
    slow: (one) => new URL(one).pathname,
    fast: (one) => url.parse(one).pathname,
  },
  'crypto.createVerify() / crypto.verify()': {
    source: 'S20',
    inputs: signed,
    slow: ({ data, signature }) => crypto.createVerify('sha256').update(data).verify(publicKey, signature),
    fast: ({ data, signature }) => crypto.verify('sha256', data, publicKey, signature),
  },
  'crypto.createHash() / crypto.hash()': {
    source: 'https://nodejs.org/api/crypto.html#cryptohashalgorithm-data-options',
    since: '20.12.0',
    inputs: many(text),
    slow: (one) => crypto.createHash('sha256').update(one).digest('hex'),
    fast: (one) => crypto.hash('sha256', one, 'hex'),
  },
  'EventTarget and CustomEvent / EventEmitter': {
    source: 'S19',
    inputs: many((i) => i),
    slow: (i) => {
      target.dispatchEvent(new CustomEvent('order', { detail: i }));
      return heard;
    },
    fast: (i) => {
      emitter.emit('order', i);
      return heard;
    },
  },
  'querystring.parse / URLSearchParams': {
    source: 'S19',
    inputs: many(QUERY_OF),
    slow: (one) => querystring.parse(one).page,
    fast: (one) => new URLSearchParams(one).get('page'),
  },
  'URLSearchParams / querystring.parse': {
    source: 'S19',
    inputs: many(QUERY_OF),
    slow: (one) => new URLSearchParams(one).get('page'),
    fast: (one) => querystring.parse(one).page,
  },
  'TextDecoder / buffer.toString()': {
    source: 'S19',
    inputs: many((i) => Buffer.from(text(i))),
    slow: (one) => decoder.decode(one),
    fast: (one) => one.toString(),
  },
  'TextEncoder / Buffer.from(text)': {
    source: 'S19',
    inputs: many(text),
    slow: (one) => encoder.encode(one).length,
    fast: (one) => Buffer.from(one).length,
  },
  'structuredClone / JSON round trip': {
    source: 'https://nodejs.org/api/globals.html#structuredclonevalue-options',
    inputs: many(order),
    slow: (one) => structuredClone(one),
    fast: (one) => JSON.parse(JSON.stringify(one)),
  },
  'JSON round trip / structuredClone': {
    source: 'https://nodejs.org/api/globals.html#structuredclonevalue-options',
    inputs: many(order),
    slow: (one) => JSON.parse(JSON.stringify(one)),
    fast: (one) => structuredClone(one),
  },
  'process.env.NAME / a constant': {
    source: 'https://nodejs.org/api/process.html#processenv',
    inputs: many((i) => i),
    slow: (i) => (process.env.NODOMETER_BENCH_MODE === 'yes' ? i : 0),
    fast: (i) => (MODE === 'yes' ? i : 0),
  },
  'os.cpus().length / a constant': {
    source: 'https://nodejs.org/api/os.html#oscpus',
    inputs: many((i) => i),
    slow: (i) => os.cpus().length * i,
    fast: (i) => CORES * i,
  },
  'process.memoryUsage().rss / process.memoryUsage.rss()': {
    source: 'https://nodejs.org/api/process.html#processmemoryusagerss',
    inputs: many((i) => i),
    slow: (i) => (process.memoryUsage().rss > 0 ? i : 0),
    fast: (i) => (process.memoryUsage.rss() > 0 ? i : 0),
  },
  'crypto.randomBytes(16) / crypto.randomUUID()': {
    source: 'https://nodejs.org/api/crypto.html#cryptorandomuuidoptions',
    inputs: many((i) => i),
    slow: (i) => (crypto.randomBytes(16).toString('hex').length === 32 ? i : 0),
    fast: (i) => (crypto.randomUUID().length === 36 ? i : 0),
  },
  'util.inspect(value) / JSON.stringify(value)': {
    source: 'https://nodejs.org/api/util.html#utilinspectobject-options',
    inputs: many(order),
    slow: (one) => (util.inspect(one, { depth: 9 }).length > 0 ? one.id : 0),
    fast: (one) => (JSON.stringify(one).length > 0 ? one.id : 0),
  },
  'fs.promises.readFile / promisify(fs.readFile)': {
    source: 'S19',
    done: true,
    inputs: many(() => __filename),
    slow: async (one) => (await fs.promises.readFile(one)).length,
    fast: async (one) => (await readFile(one)).length,
  },
  'web ReadableStream / stream.Readable, 32 chunks': {
    source: 'S19',
    done: true,
    inputs: pieces,
    slow: async (chunks) => {
      let size = 0;
      const it = chunks[Symbol.iterator]();
      const stream = new ReadableStream({
        pull(controller) {
          const { done, value } = it.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      });
      for await (const chunk of stream) size += chunk.length;
      return size;
    },
    fast: async (chunks) => {
      let size = 0;
      const it = chunks[Symbol.iterator]();
      const stream = new Readable({
        read() {
          const { done, value } = it.next();
          this.push(done ? null : value);
        },
      });
      for await (const chunk of stream) size += chunk.length;
      return size;
    },
  },
  'crypto.verify with a PEM text / with a KeyObject, RSA': {
    source: 'S20',
    inputs: rsaSigned,
    slow: ({ data, signature }) => crypto.verify('sha256', data, rsaPem, signature),
    fast: ({ data, signature }) => crypto.verify('sha256', data, rsa.publicKey, signature),
  },
  'crypto.sign with a PEM text / with a KeyObject, P-256': {
    source: 'S20',
    inputs: many((i) => Buffer.from(text(i))),
    slow: (one) => crypto.sign('sha256', one, pems.privateKey).length > 0,
    fast: (one) => crypto.sign('sha256', one, privateKey).length > 0,
  },
  'jsonwebtoken.verify with a PEM text / with a KeyObject, RS256': {
    source: 'https://www.npmjs.com/package/jsonwebtoken',
    inputs: many((i) => jwt.sign({ id: i }, rsa.privateKey, { algorithm: 'RS256' })),
    slow: (one) => jwt.verify(one, rsaPem, { algorithms: ['RS256'] }).id,
    fast: (one) => jwt.verify(one, rsa.publicKey, { algorithms: ['RS256'] }).id,
  },
  'jsonwebtoken.sign with a PEM text / with a KeyObject, ES256': {
    source: 'https://www.npmjs.com/package/jsonwebtoken',
    inputs: many((i) => i),
    slow: (i) => jwt.sign({ id: i }, pems.privateKey, { algorithm: 'ES256' }).length > 0,
    fast: (i) => jwt.sign({ id: i }, privateKey, { algorithm: 'ES256' }).length > 0,
  },
});
