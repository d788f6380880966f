// How long it takes to copy or convert bytes, beside the form that does not, by the number of bytes.
//   node bench/buffer-copies.js [--header]           rows of the Markdown table on the page of the rule no-buffer-copy
//   node bench/buffer-copies.js --server [--header]  processor time of a server for a request, with what it sends as text or as bytes
// No dependencies, Node 18 or later. Each figure is the median of several turns, in which the forms take turns.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { header: { type: 'boolean' }, server: { type: 'boolean' } } });
const TURNS = 7;
/** Of one turn of one form, at least. */
const LEAST_MS = 20;
const KB = 1024;
const SIZES = [KB, 64 * KB, KB * KB];
/** Only for what an upload may be copied by. */
const LARGE = 10 * KB * KB;
const major = process.versions.node;

const record = (i, isWide) => ({ id: i, name: isWide ? `Größe „${i}“ 漢字` : `Name ${i} of many`, mail: `name${i}@example.org` });

/** JSON of records, of that many bytes about. */
function bytesOf(size, isWide) {
  const records = [];
  for (let length = 0; length < size; length += Buffer.byteLength(JSON.stringify(records.at(-1))) + 1)
    records.push(record(records.length, isWide));
  return Buffer.from(JSON.stringify(records));
}

let sink;

const forms = [
  ['bytes → text → bytes, ASCII', ({ ascii }) => Buffer.from(ascii.toString())],
  ['bytes → text → bytes, other letters', ({ wide }) => Buffer.from(wide.toString())],
  ['an image → text', ({ image }) => image.toString()],
  ['`hash.update(buffer)`', ({ wide }) => createHash('sha256').update(wide).digest()],
  ['`hash.update(buffer.toString())`, ASCII', ({ ascii }) => createHash('sha256').update(ascii.toString()).digest()],
  ['`hash.update(buffer.toString())`, other letters', ({ wide }) => createHash('sha256').update(wide.toString()).digest()],
  ["`buffer.toString('base64')`", ({ image }) => image.toString('base64')],
  ['`btoa(text)`, with `text += String.fromCharCode(byte)`', ({ image }) => btoa(loop(image))],
  ['`Array.from(buffer)`', ({ image }) => Array.from(image)],
  ['`[...buffer]`', ({ image }) => [...image]],
  ["`buffer.toString('hex')`", ({ image }) => image.toString('hex')],
  ["`Array.from(buffer).map((byte) => byte.toString(16).padStart(2, '0')).join('')`", ({ image }) => hexOf(image)],
  ['`Buffer.byteLength(text)`, ASCII', ({ text }) => Buffer.byteLength(text)],
  ['`Buffer.from(text).length`, ASCII', ({ text }) => Buffer.from(text).length],
  ['`Buffer.byteLength(text)`, other letters', ({ wideText }) => Buffer.byteLength(wideText)],
  ['`Buffer.from(text).length`, other letters', ({ wideText }) => Buffer.from(wideText).length],
  ['`new Blob([text]).size`, ASCII', ({ text }) => new Blob([text]).size],
  ['`hash.update(text)`', ({ text }) => createHash('sha256').update(text).digest()],
  ['`hash.update(Buffer.from(text))`', ({ text }) => createHash('sha256').update(Buffer.from(text)).digest()],
  ['`Buffer.from(buffer)`', ({ image }) => Buffer.from(image)],
  ['`Buffer.from(arrayBuffer)`', ({ image }) => Buffer.from(image.buffer)],
  ['base64 and back', ({ image }) => Buffer.from(image.toString('base64'), 'base64')],
  ['`JSON.parse(buffer.toString())`', ({ ascii }) => JSON.parse(ascii.toString())],
  ['`JSON.parse(buffer)`', ({ ascii }) => JSON.parse(ascii)],
];

function loop(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 1) text += String.fromCharCode(bytes[i]);
  return text;
}

function hexOf(bytes) {
  return Array.from(bytes)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** Waiting for a processor is not the form's fault: where the processor worked for less, that counts. */
function timeOf(form, input, calls) {
  const before = process.cpuUsage();
  const start = performance.now();
  for (let i = 0; i < calls; i += 1) sink = form(input);
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return Math.min(wall, (user + system) / 1000);
}

function callsFor(form, input) {
  let calls = 1;
  while (timeOf(form, input, calls) < LEAST_MS) calls *= 2;
  return calls;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** `0.41 µs`, `1.2 ms` */
function worded(ms) {
  const [value, unit] = ms >= 1 ? [ms, 'ms'] : ms >= 1e-3 ? [ms * 1e3, 'µs'] : [ms * 1e6, 'ns'];
  return `${Number(value.toPrecision(2))} ${unit}`;
}

/** Of one call. */
const MOST_RANDOM = 64 * KB;

function inputOf(size) {
  // As in a compressed file, any byte follows any other.
  const image = new Uint8Array(new ArrayBuffer(size));
  for (let at = 0; at < size; at += MOST_RANDOM) crypto.getRandomValues(image.subarray(at, at + MOST_RANDOM));
  const [ascii, wide] = [bytesOf(size, false), bytesOf(size, true)];
  return { image: Buffer.from(image.buffer), ascii, wide, text: ascii.toString(), wideText: wide.toString() };
}

function compareForms() {
  if (values.header) console.log('| Node | form | 1 kB | 64 kB | 1 MB | 10 MB |\n|--|--|--|--|--|--|');
  const inputs = [...SIZES, LARGE].map(inputOf);
  for (const [name, form] of forms) {
    const cells = inputs.map((input, i) => {
      if (i === SIZES.length && !/^`Buffer\.from\((?:buffer|arrayBuffer)\)`|^bytes/.test(name)) return '–';
      const calls = callsFor(form, input);
      return worded(median(Array.from({ length: TURNS }, () => timeOf(form, input, calls) / calls)));
    });
    console.log(`| ${major} | ${name} | ${cells.join(' | ')} |`);
  }
  if (sink === undefined) throw new Error('nothing was made');
}

const answers = {
  'file as text': async (response, file) => response.end(await readFile(file, 'utf8')),
  'file as bytes': async (response, file) => response.end(await readFile(file)),
  'JSON as text': (response, _, list) => response.end(JSON.stringify(list)),
  'JSON as bytes': (response, _, list) => response.end(Buffer.from(JSON.stringify(list))),
};

/** In the process that is measured: answers, and says how long the processor has worked. */
function serve(file) {
  let list;
  const server = createServer(async ({ url }, response) => {
    const name = decodeURIComponent(url.slice(1));
    if (name === 'time') {
      const { user, system } = process.cpuUsage();
      response.end(String(user + system));
      return;
    }
    list ??= JSON.parse(await readFile(file, 'utf8'));
    await answers[name](response, file, list);
  });
  server.listen(0, () => process.send(server.address().port));
}

const WORK_BYTES = 32 * KB * KB;
const MOST_REQUESTS = 1500;
const CONNECTIONS = 4;

async function compareServers() {
  if (values.header)
    console.log(
      `| Node | bytes | ${Object.keys(answers).join(' | ')} |\n|--|--|${Object.keys(answers)
        .map(() => '--|')
        .join('')}`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'copies-'));
  for (const isWide of [false, true])
    for (const size of SIZES) {
      const file = join(folder, 'records.json');
      writeFileSync(file, bytesOf(size, isWide));
      const child = fork(fileURLToPath(import.meta.url), { env: { ...process.env, SERVED_FILE: file } });
      const port = await new Promise((resolve) => child.once('message', resolve));
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
      const ask = (name) =>
        new Promise((resolve, reject) => {
          get({ port, agent, path: `/${encodeURIComponent(name)}` }, (response) => {
            const chunks = [];
            response.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)));
          }).on('error', reject);
        });
      const requests = Math.min(MOST_REQUESTS, Math.ceil(WORK_BYTES / size));
      const times = Object.keys(answers).map(() => []);
      for (let turn = 0; turn <= TURNS; turn += 1)
        for (const [i, name] of Object.keys(answers).entries()) {
          const before = Number(await ask('time'));
          let sent = 0;
          const connection = async () => {
            while (sent++ < requests) await ask(name);
          };
          await Promise.all(Array.from({ length: CONNECTIONS }, connection));
          // In the first turn, nothing is compiled yet.
          if (turn > 0) times[i].push((Number(await ask('time')) - before) / requests / 1000);
        }
      const cells = times.map((one) => worded(median(one)));
      console.log(`| ${major} | ${size / KB} kB, ${isWide ? 'other letters' : 'ASCII'} | ${cells.join(' | ')} |`);
      child.kill();
      agent.destroy();
    }
  rmSync(folder, { recursive: true });
}

if (process.env.SERVED_FILE) serve(process.env.SERVED_FILE);
else if (values.server) await compareServers();
else compareForms();
