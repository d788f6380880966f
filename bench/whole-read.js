// What a server holds in memory, and when it sends the first byte, if it reads whole what it only passes on.
//   node bench/whole-read.js [--header] [--runs 3]    rows of the Markdown tables on the page of the rule no-whole-read
//   node bench/whole-read.js --small [--header]       the processor time of small files, where reading whole may be cheaper
// No dependencies, Node 18 or later, up to 4 GB of free memory and 3 GB in the folder for temporary files. Each run is a fresh server.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { Agent, createServer, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const KIB = 1024;
const MIB = KIB * KIB;
const LINE = `${'a line of a log with a few words and a number '.repeat(2)}1234567\n`;

let uploads = 0;
const uploadPath = (folder) => join(folder, `upload-${process.pid}-${uploads++}`);

/** Each in two forms: whole, and as a stream. */
const FORMS = {
  'a file, sent': [
    async (_, response, { file }) => void response.end(await readFile(file)),
    (_, response, { file }) => pipeline(createReadStream(file), response),
  ],
  'an answer, passed on': [
    async (_, response, { upstream }) => void response.end(Buffer.from(await (await fetch(upstream)).arrayBuffer())),
    async (_, response, { upstream }) => pipeline(Readable.fromWeb((await fetch(upstream)).body), response),
  ],
  'a body, stored': [
    async (request, response, { folder }) => {
      const pieces = [];
      for await (const piece of request) pieces.push(piece);
      const path = uploadPath(folder);
      await writeFile(path, Buffer.concat(pieces));
      response.end('stored');
      await unlink(path);
    },
    async (request, response, { folder }) => {
      const path = uploadPath(folder);
      await pipeline(request, createWriteStream(path));
      response.end('stored');
      await unlink(path);
    },
  ],
  'a file, hashed': [
    async (_, response, { file }) =>
      void response.end(
        createHash('sha256')
          .update(await readFile(file))
          .digest('hex'),
      ),
    async (_, response, { file }) => {
      const hash = createHash('sha256');
      await pipeline(createReadStream(file), hash);
      response.end(hash.digest('hex'));
    },
  ],
  'a file, by lines': [
    async (_, response, { file }) => {
      let count = 0;
      for (const line of (await readFile(file, 'utf8')).split('\n')) if (line.includes('7')) count += 1;
      response.end(String(count));
    },
    async (_, response, { file }) => {
      let count = 0;
      const lines = createInterface({ input: createReadStream(file) });
      lines.on('line', (line) => void (line.includes('7') && (count += 1)));
      await once(lines, 'close');
      response.end(String(count));
    },
  ],
};

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    header: { type: 'boolean' },
    small: { type: 'boolean' },
    runs: { type: 'string', default: '3' },
  },
});

/** Of this process alone: `maxRSS` may have what its parent held when it started it (Linux). */
function memory() {
  if (process.platform !== 'linux') return { peak: process.resourceUsage().maxRSS * KIB, now: process.memoryUsage.rss() };
  const status = readFileSync('/proc/self/status', 'utf8');
  const bytesOf = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)[1]) * KIB;
  return { peak: bytesOf('VmHWM'), now: bytesOf('VmRSS') };
}

function serve({ name, form, ...paths }) {
  const answer = FORMS[name][form];
  const server = createServer((request, response) => {
    // The first request only shows that the server is there.
    if (request.url === '/ready') return void response.end('ready');
    answer(request, response, paths).catch((error) => {
      console.error(error);
      response.destroy();
    });
  }).listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
  process.on('message', (question) => {
    const { user, system } = process.cpuUsage();
    process.send({ ...memory(), cpu: user + system });
    if (question === 'end') process.disconnect();
  });
  process.on('disconnect', () => process.exit());
}

/** Asks once, and says after how many milliseconds the first byte came. */
async function ask(agent, port, path, bytes) {
  const start = performance.now();
  const request = send({ host: '127.0.0.1', port, path, agent, method: bytes > 0 ? 'POST' : 'GET' });
  if (bytes > 0) pipeline(Readable.from(pieces(bytes)), request).catch(() => {});
  else request.end();
  const [response] = await once(request, 'response');
  let first;
  response.on('data', () => (first ??= performance.now() - start));
  await once(response, 'end');
  return first;
}

function* pieces(bytes) {
  const piece = Buffer.alloc(64 * KIB, 97);
  for (let left = bytes; left > 0; left -= piece.length) yield left >= piece.length ? piece : piece.subarray(0, left);
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

async function withServer(settings, use) {
  const child = fork(fileURLToPath(import.meta.url), ['serve', JSON.stringify(settings)]);
  const [{ port }] = await once(child, 'message');
  const question = async (text) => {
    child.send(text);
    return (await once(child, 'message'))[0];
  };
  const agent = new Agent({ keepAlive: true });
  try {
    return await use({ port, agent, question });
  } finally {
    agent.destroy();
    child.disconnect();
    await once(child, 'exit');
  }
}

async function measure(name, form, size, requests, paths) {
  return withServer({ name, form, ...paths }, async ({ port, agent, question }) => {
    await ask(agent, port, '/ready', 0);
    const before = await question('peak');
    const bytes = name === 'a body, stored' ? size : 0;
    const firsts = await Promise.all(Array.from({ length: requests }, () => ask(agent, port, '/', bytes)));
    const { peak } = await question('peak');
    return { peak: peak - before.now, first: median(firsts) };
  });
}

/** Microseconds of processor time of the server for each request. */
async function cost(form, paths) {
  const CONNECTIONS = 10;
  const REQUESTS = 100;
  return withServer({ name: 'a file, sent', form, ...paths }, async ({ port, agent, question }) => {
    const turn = () =>
      Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          for (let i = 0; i < REQUESTS; i += 1) await ask(agent, port, '/', 0);
        }),
      );
    await turn();
    const before = await question('cpu');
    await turn();
    await turn();
    const after = await question('cpu');
    return (after.cpu - before.cpu) / (2 * CONNECTIONS * REQUESTS);
  });
}

const rounded = (value) => Number(value.toPrecision(2));
const mb = (bytes) => {
  const value = Math.max(0, bytes) / MIB;
  if (value >= KIB) return `${rounded(value / KIB)} GB`;
  return value < 1 ? 'under 1 MB' : `${rounded(value)} MB`;
};
const ms = (value) => (value >= 1000 ? `${rounded(value / 1000)} s` : `${rounded(value)} ms`);
const us = (value) => (value >= 1000 ? `${rounded(value / 1000)} ms` : `${rounded(value)} µs`);

function fileOf(folder, bytes) {
  const path = join(folder, `file-${bytes}`);
  writeFileSync(path, LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes));
  return path;
}

async function measureLarge(folder) {
  if (values.header)
    console.log(
      '| Node | what | size | requests at once | peak memory, whole | as a stream | first byte, whole | as a stream |\n|--|--|--|--|--|--|--|--|',
    );
  for (const size of [1, 16, 128].map((one) => one * MIB)) {
    const file = fileOf(folder, size);
    const upstream = createServer((_, response) => void pipeline(Readable.from(pieces(size)), response).catch(() => {}));
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const paths = { file, folder, upstream: `http://127.0.0.1:${upstream.address().port}/` };
    for (const name of Object.keys(FORMS))
      for (const requests of [1, 20]) {
        const found = [[], []];
        for (let run = 0; run < Number(values.runs); run += 1)
          for (const form of [0, 1]) found[form].push(await measure(name, form, size, requests, paths));
        const [whole, stream] = found.map((runs) => ({
          peak: median(runs.map((one) => one.peak)),
          first: median(runs.map((one) => one.first)),
        }));
        console.log(
          `| ${process.versions.node} | ${name} | ${size / MIB} MB | ${requests} | ${mb(whole.peak)} | ${mb(stream.peak)} | ${ms(whole.first)} | ${ms(stream.first)} |`,
        );
      }
    upstream.closeAllConnections();
    upstream.close();
    rmSync(file);
  }
}

async function measureSmall(folder) {
  const sizes = [1, 16, 64, 256, 1024, 4096];
  if (values.header)
    console.log(
      `| Node | form | ${sizes.map((one) => (one < KIB ? `${one} KiB` : `${one / KIB} MiB`)).join(' | ')} |\n|--|--|${'--|'.repeat(sizes.length)}`,
    );
  const found = [[], []];
  for (const size of sizes) {
    const paths = { file: fileOf(folder, size * KIB), folder };
    const turns = [[], []];
    for (let run = 0; run < Number(values.runs); run += 1) for (const form of [0, 1]) turns[form].push(await cost(form, paths));
    for (const form of [0, 1]) found[form].push(median(turns[form]));
  }
  for (const form of [0, 1])
    console.log(`| ${process.versions.node} | ${form === 0 ? '`readFile`' : '`createReadStream`'} | ${found[form].map(us).join(' | ')} |`);
}

if (process.argv[2] === 'serve') serve(JSON.parse(process.argv[3]));
else {
  const folder = mkdtempSync(join(tmpdir(), 'nodometer-whole-read-'));
  try {
    await (values.small ? measureSmall(folder) : measureLarge(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
