// A service that tells each visitor the news: every request adds a listener, and nobody removes it.
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';

function createAnswer() {
  const news = new EventEmitter().setMaxListeners(0);
  return (request, response) => {
    let heard = '';
    news.on('line', (line) => {
      heard = line;
    });
    news.emit('line', request.url);
    response.end(heard);
  };
}

export const createService = () => createServer(createAnswer());

const handle = createAnswer();

/** What the service answers, without the way over a socket. */
export function answer(url) {
  let answered = '';
  handle(
    { url },
    {
      end: (text) => {
        answered = text;
      },
    },
  );
  return answered;
}
