'use strict';
const http = require('node:http');

const FIRST_DAY = Date.UTC(2023, 10, 30);
const WEEK_MS = 604_800_000;
const ITEMS = Array.from({ length: 60 }, (_, i) => ({ name: `Chair ${i + 1}`, price: 129.9 + i, since: FIRST_DAY + i * WEEK_MS }));

// Built once: every request uses the same one.
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** @profile GET /new */
function newest() {
  return ITEMS.map(({ name, since }) => {
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
    //          ^ no-setup-per-request: thing (confirmed)
    return `${name}: ${day.format(since)}`;
  }).join('\n');
}

/** @profile GET /prices?currency=EUR */
function prices(currency) {
  // The request chooses: nothing to share.
  const format = currency ? new Intl.NumberFormat('en-US', { style: 'currency', currency }) : money;
  return ITEMS.map(({ name, price }) => `${name}: ${format.format(price)}`).join('\n');
}

const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  response.setHeader('Content-Type', 'text/plain');
  response.end(url.pathname === '/new' ? newest() : prices(url.searchParams.get('currency')));
});

server.listen(process.env.PORT || 3000);
