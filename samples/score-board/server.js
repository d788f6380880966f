'use strict';
const { EventEmitter } = require('node:events');
const http = require('node:http');

const MOST_LINES = 50;
const goals = new EventEmitter().setMaxListeners(0);
const visits = [];
const lastLines = [];

/** @profile GET /visits */
function countVisit(url) {
  visits.push({ path: url.pathname, at: Date.now() });
  // @3 no-unbounded-growth: entries (confirmed)
  return String(visits.length);
}

/** @profile GET /goals */
function nextGoal(url) {
  let heard = 0;
  goals.on('goal', (points) => (heard += points));
  // @3 no-unbounded-growth: listener (confirmed)
  goals.emit('goal', Number(url.searchParams.get('points') ?? 1));
  return String(heard);
}

/** @profile GET /lines */
function addLine(url) {
  // Only the last ones are kept.
  lastLines.push(url.searchParams.get('line') ?? 'kick-off');
  if (lastLines.length > MOST_LINES) lastLines.shift();
  return lastLines.join('\n');
}

const PAGES = { '/visits': countVisit, '/goals': nextGoal, '/lines': addLine };

const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const page = PAGES[url.pathname] ?? countVisit;
  response.setHeader('Content-Type', 'text/plain');
  response.end(page(url));
});

server.listen(process.env.PORT || 3000);
