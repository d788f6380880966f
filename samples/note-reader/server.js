'use strict';
const { readdir, readFile } = require('node:fs/promises');
const http = require('node:http');
const path = require('node:path');

/** What it shows is its own files. */
const NOTES = __dirname;
const AT_ONCE = 8;

/** @profile GET /notes */
async function allNotes() {
  const names = await readdir(NOTES);
  return Promise.all(names.map((name) => readFile(path.join(NOTES, name), 'utf8')));
  //                                     ^ no-unbounded-fan-out: file (seen)
}

/** A few at a time, however many there are. */
async function someAtOnce() {
  const names = await readdir(NOTES);
  const notes = [];
  for (let i = 0; i < names.length; i += AT_ONCE) {
    const part = names.slice(i, i + AT_ONCE);
    notes.push(...(await Promise.all(part.map((name) => readFile(path.join(NOTES, name), 'utf8')))));
  }
  return notes;
}

/** The newest three. */
async function newest() {
  const names = (await readdir(NOTES)).sort().slice(-3);
  return Promise.all(names.map((name) => readFile(path.join(NOTES, name), 'utf8')));
}

const server = http.createServer(async (request, response) => {
  const notes = request.url === '/notes' ? await allNotes() : request.url === '/newest' ? await newest() : await someAtOnce();
  response.end(JSON.stringify(notes));
});
server.listen(process.env.PORT ?? 3000);
