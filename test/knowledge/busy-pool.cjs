// Runs with UV_THREADPOOL_SIZE=1 and the path of a named pipe. Keeps the pool's one thread waiting at the pipe, starts one call of each
// kind, sees which finish all the same, then lets the thread go and sees which finish after that. Prints both lists as JSON.
'use strict';
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const crypto = require('node:crypto');
const zlib = require('node:zlib');
const dns = require('node:dns');
const net = require('node:net');
const http = require('node:http');
const dgram = require('node:dgram');
const childProcess = require('node:child_process');
const { Worker } = require('node:worker_threads');

const [fifo, expected] = [process.argv[2], JSON.parse(process.argv[3])];
const folder = path.dirname(fifo);
const file = path.join(folder, 'file');

function load(name) {
  try {
    return require(name);
  } catch {
    return undefined; // This version of Node does not have it: its probes are left out.
  }
}

async function main() {
  fs.writeFileSync(file, 'text');
  const fd = fs.openSync(file, 'r+');
  const bytes = Buffer.from('text '.repeat(100));
  const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
  const rsaKem = crypto.encapsulate && crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signature = crypto.sign('sha256', bytes, rsa.privateKey);
  const sealed = rsaKem && crypto.encapsulate(rsaKem.publicKey);
  const sqlite = load('node:sqlite');
  const database = sqlite && new sqlite.DatabaseSync(':memory:');
  // `importKey` may use the pool too, so it comes before the pool is busy.
  const { subtle } = crypto.webcrypto;
  const aes = await subtle.importKey('raw', Buffer.alloc(16), 'AES-GCM', false, ['encrypt']);

  const tcp = net.createServer((socket) => socket.end('x')).listen(0, '127.0.0.1');
  const web = http.createServer((request, response) => response.end('x')).listen(0, '127.0.0.1');
  const names = dgram.createSocket('udp4');
  names.on('message', (query, from) => {
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8183, 2); // No such name: an answer all the same.
    names.send(answer, from.port, from.address);
  });
  names.bind(0, '127.0.0.1');
  await Promise.all([once(tcp, 'listening'), once(web, 'listening'), once(names, 'listening')]);
  const resolver = new dns.Resolver();
  resolver.setServers([`127.0.0.1:${names.address().port}`]);

  const probes = {
    'fs.readFile': (end) => fs.readFile(file, end),
    'fs.stat': (end) => fs.promises.stat(file).then(end),
    'fs.readdir': (end) => fs.readdir(folder, end),
    'fs.fstat': (end) => fs.fstat(fd, end),
    'fs.writeFile': (end) => fs.promises.writeFile(path.join(folder, 'other'), 'x').then(end),
    'fs.exists': (end) => fs.exists(file, end),
    'fs.cp': (end) => fs.promises.cp(file, path.join(folder, 'copy')).then(end),
    'fs.createReadStream': (end) => fs.createReadStream(file).on('data', end),
    'fs.watchFile': (end) => fs.watchFile(path.join(folder, 'missing'), { interval: 5, persistent: false }, end),
    'fs.glob': fs.glob && ((end) => fs.glob('*', { cwd: folder }, end)),
    'dns.lookup': (end) => dns.lookup('localhost', end),
    'dns.lookupService': (end) => dns.lookupService('127.0.0.1', 80, end),
    'dns.resolve4': (end) => resolver.resolve4('example.test', end),
    'crypto.pbkdf2': (end) => crypto.pbkdf2('a', 'b', 1, 16, 'sha256', end),
    'crypto.scrypt': (end) => crypto.scrypt('a', 'b', 16, { N: 2 }, end),
    'crypto.hkdf': (end) => crypto.hkdf('sha256', 'a', 'b', 'c', 16, end),
    'crypto.randomBytes': (end) => crypto.randomBytes(16, end),
    'crypto.randomFill': (end) => crypto.randomFill(Buffer.alloc(16), end),
    'crypto.generateKeyPair': (end) => crypto.generateKeyPair('ed25519', {}, end),
    'crypto.generateKey': (end) => crypto.generateKey('hmac', { length: 64 }, end),
    'crypto.generatePrime': (end) => crypto.generatePrime(32, end),
    'crypto.checkPrime': (end) => crypto.checkPrime(7n, end),
    'crypto.sign': (end) => crypto.sign('sha256', bytes, rsa.privateKey, end),
    'crypto.verify': (end) => crypto.verify('sha256', bytes, rsa.publicKey, signature, end),
    'crypto.argon2':
      crypto.argon2 &&
      ((end) =>
        crypto.argon2('argon2id', { message: 'a', nonce: Buffer.alloc(16), parallelism: 1, tagLength: 16, memory: 64, passes: 1 }, end)),
    'crypto.encapsulate': crypto.encapsulate && ((end) => crypto.encapsulate(rsaKem.publicKey, end)),
    'crypto.decapsulate': crypto.encapsulate && ((end) => crypto.decapsulate(rsaKem.privateKey, sealed.ciphertext, end)),
    'crypto.subtle.digest': (end) => subtle.digest('SHA-256', bytes).then(end),
    'crypto.subtle.encrypt': (end) => subtle.encrypt({ name: 'AES-GCM', iv: Buffer.alloc(12) }, aes, bytes).then(end),
    'crypto.createHash': (end) => crypto.createHash('sha256').on('data', end).end(bytes),
    'crypto.createCipheriv': (end) => crypto.createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).on('data', end).end(bytes),
    'zlib.gzip': (end) => zlib.gzip(bytes, end),
    'zlib.brotliCompress': (end) => zlib.brotliCompress(bytes, end),
    'zlib.zstdCompress': zlib.zstdCompress && ((end) => zlib.zstdCompress(bytes, end)),
    'zlib.createGzip': (end) => zlib.createGzip().on('end', end).resume().end(bytes),
    'sqlite.backup': sqlite && sqlite.backup && ((end) => sqlite.backup(database, path.join(folder, 'backup')).then(end)),
    'net.connect': (end) => net.connect(tcp.address().port, '127.0.0.1').on('data', end),
    'http.get': (end) => http.get({ host: '127.0.0.1', port: web.address().port }, (response) => response.on('end', end).resume()),
    'dgram.createSocket': (end) => dgram.createSocket('udp4').on('message', end).send(Buffer.alloc(12), names.address().port, '127.0.0.1'),
    'child_process.execFile': (end) => childProcess.execFile(process.execPath, ['--version'], end),
    'worker_threads.Worker': (end) => new Worker('require("worker_threads").parentPort.postMessage(1)', { eval: true }).on('message', end),
    'timers.setTimeout': (end) => setTimeout(end, 1),
    'timers.setImmediate': (end) => setImmediate(end),
    'process.nextTick': (end) => process.nextTick(end),
  };

  const before = new Set();
  const after = new Set();
  let finished = before;
  const waits = new Map();
  fs.open(fifo, 'r', () => {}); // The pool's thread waits here until somebody opens the other end.
  for (const [name, start] of Object.entries(probes)) {
    if (!start) continue;
    waits.set(
      name,
      new Promise((resolve) =>
        start(() => {
          if (!before.has(name)) finished.add(name);
          resolve();
        }),
      ),
    );
  }
  await Promise.all(expected.filter((name) => waits.has(name)).map((name) => waits.get(name)));
  // A fair chance for those that should have to wait, in turns of the loop and not in time.
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
  finished = after;
  fs.openSync(fifo, 'w');
  await Promise.all([...waits.values()]);
  process.stdout.write(JSON.stringify({ before: [...before], after: [...after] }), () => process.exit(0));
}

main();
