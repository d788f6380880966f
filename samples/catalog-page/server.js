import { createServer } from 'node:http';
import { cache, stock } from './catalog.js';

/** @profile GET /products?currency=EUR */
async function productsIn(currency) {
  const catalog = JSON.parse(await cache.get('catalog'));
  const own = structuredClone(catalog);
  //          ^ no-deep-clone: fresh (confirmed)
  for (const product of own.products) product.price = { amount: product.price, currency };
  return own.products.slice(0, 20);
}

/** A round trip through JSON may be there to drop a class. */
function cheapNames(below) {
  const products = JSON.parse(JSON.stringify(stock.products));
  return products.filter((product) => product.price < below).map((product) => product.name);
}

/** @profile GET /sizes */
function sizes() {
  const products = structuredClone(stock.products);
  //               ^ no-deep-clone: read (confirmed)
  return products.map((product) => product.size.width * product.size.height).join();
}

/** What all requests share is not to be changed by one of them. */
function offers() {
  const products = structuredClone(stock.products);
  for (const product of products) product.labels.push('offer');
  return products.slice(0, 20);
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  let answer;
  if (pathname === '/products') answer = await productsIn(searchParams.get('currency'));
  else if (pathname === '/cheap') answer = cheapNames(Number(searchParams.get('below')));
  else if (pathname === '/sizes') answer = sizes();
  else answer = offers();
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(answer));
});
server.listen(process.env.PORT ?? 3000);
