import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { photos } from './photos.js';

/** @profile GET /url?name=lake */
async function dataUrl(name) {
  const answer = await photos.get(name);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const text = btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ''));
  //                ^ no-buffer-copy: single (confirmed)
  return `data:image/jpeg;base64,${text}`;
}

/** @profile GET /list?name=lake */
async function list(name) {
  const answer = await photos.list(name);
  const size = Buffer.from(JSON.stringify(answer)).length;
  //           ^ no-buffer-copy: encoded (confirmed)
  return JSON.stringify({ size, photos: answer.map(({ id }) => id) });
}

/** @profile GET /icon?name=lake */
async function icon(name) {
  const answer = await photos.icon(name);
  const photo = Buffer.from(new Uint8Array(await answer.arrayBuffer()));
  //            ^ no-buffer-copy: copied (seen)
  return createHash('sha512').update(photo).digest('hex');
}

/** The bytes of an ArrayBuffer are not copied, and a digest is short. */
async function version(name) {
  const answer = await photos.get(name);
  const digest = createHash('sha256').update(Buffer.from(await answer.arrayBuffer())).digest();
  return Array.from(digest)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** @profile GET /about?name=lake */
async function about(name, response) {
  const text = await readFile(new URL(`./${name}.txt`, import.meta.url), 'utf8');
  //                 ^ no-buffer-copy: decoded (seen)
  response.end(text);
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const name = searchParams.get('name') ?? 'lake';
  if (pathname === '/about') await about(name, response);
  else if (pathname === '/url') response.end(await dataUrl(name));
  else if (pathname === '/list') response.end(await list(name));
  else if (pathname === '/icon') response.end(await icon(name));
  else response.end(await version(name));
});
server.listen(process.env.PORT ?? 3000);
