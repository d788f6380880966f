import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const FOLDER = import.meta.dirname;
const FILES = join(FOLDER, 'files');
const EVENTS = join(FILES, 'events.jsonl');

/** @profile GET /files?name=sales.csv */
async function sendFile(response, name) {
  const data = await readFile(join(FILES, basename(name)));
  //                 ^ no-whole-read: sent (inconclusive)
  response.writeHead(200, { 'content-length': data.length });
  response.end(data);
}

/** @profile GET /events?word=error */
async function sendLines(response, word) {
  const lines = (await readFile(EVENTS, 'utf8')).split('\n');
  //                   ^ no-whole-read: split (inconclusive)
  response.end(lines.filter((line) => line.includes(word)).join('\n'));
}

// The files of the program itself are small.
async function sendStart(response) {
  response.end(await readFile(join(FOLDER, 'start.html')));
}

async function sendInParts(response, name) {
  await pipeline(createReadStream(join(FILES, basename(name))), response);
}

export const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  try {
    if (pathname === '/files') await sendFile(response, searchParams.get('name'));
    else if (pathname === '/parts') await sendInParts(response, searchParams.get('name'));
    else if (pathname === '/events') await sendLines(response, searchParams.get('word'));
    else await sendStart(response);
  } catch {
    response.writeHead(404).end();
  }
});

server.listen(process.env.PORT ?? 0);
