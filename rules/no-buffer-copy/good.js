// A service that sends images as data URLs, with their text made by Buffer.
import { createServer } from 'node:http';

/** Stands in for a store of images. */
const store = { images: [] };

const toBase64 = (buffer) => Buffer.from(buffer).toString('base64');

async function answer(request, response) {
  const image = new Blob([store.images[Number(request.url.slice(1))]]);
  response.end(`data:image/jpeg;base64,${toBase64(await image.arrayBuffer())}`);
}

export const createService = () => createServer(answer);

/** What the service answers, without the way over a socket. Each image has other bytes. */
export async function handleRequests(count, size) {
  store.images = Array.from({ length: count }, (_, i) => new Uint8Array(size).fill(i + 1));
  let sent = 0;
  for (let i = 0; i < count; i++)
    await answer({ url: `/${i}` }, { end: (text) => (sent += text.length + text.charCodeAt(text.length - 1)) });
  return sent;
}
