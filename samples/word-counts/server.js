// Counts the words that it is sent, for all texts together. The planted problem is in the container's memory and heap: compose.yaml.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const counts = new Map();

const server = createServer(async (request, response) => {
  for (const [word] of (await text(request)).matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  response.end(`${counts.size} words\n`);
});

server.listen(process.env.PORT ?? 3000);
