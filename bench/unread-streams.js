// What a stream keeps that a request is piped into and nobody reads, and how much another reader of the request gets.
//   node bench/unread-streams.js
import { once } from 'node:events';
import http from 'node:http';
import { PassThrough, Readable } from 'node:stream';

const PIECES = 160;
const PIECE = Buffer.alloc(64 * 1024);
/** A reader that has not got the end by then never will. */
const MOST_MS = 1500;

const READERS = {
  'for await': async (request, count) => {
    for await (const piece of request) count(piece);
  },
  "on('data')": (request, count) => request.on('data', count),
  'another pipe': (request, count) => request.pipe(new PassThrough()).on('data', count),
};

for (const [name, read] of Object.entries(READERS)) {
  let got = 0;
  const server = http.createServer(async (request, response) => {
    const copy = new PassThrough();
    request.pipe(copy);
    const end = once(request, 'end');
    await Promise.all([
      read(request, (piece) => {
        got += piece.length;
      }),
      Promise.race([end, new Promise((resolve) => setTimeout(resolve, MOST_MS))]),
    ]);
    response.end(String(copy.readableLength + copy.writableLength));
  });
  await once(server.listen(0), 'listening');
  const request = http.request({ port: server.address().port, method: 'POST' });
  request.on('error', () => undefined);
  Readable.from(Array.from({ length: PIECES }, () => PIECE)).pipe(request);
  const [response] = await once(request, 'response');
  const held = (await response.toArray()).join('');
  console.log(process.version, name, `read ${got} of ${PIECES * PIECE.length} bytes, held ${held}`);
  server.closeAllConnections();
  server.close();
}
