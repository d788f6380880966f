// What serves files calls a function of its options for each file that it sends: with the response, the path, and the result of `stat`.
// Rows of message-handlers.ts.

export const SERVED_FILES = [
  {
    framework: 'serve-static',
    // Those of sirv and koa-send: https://github.com/lukeed/sirv/tree/v3.0.2/packages/sirv#optssetheaders,
    // https://github.com/koajs/send#setheaders. koa-static passes its options to koa-send.
    source: 'https://github.com/expressjs/serve-static#setheaders',
    packages: ['express', 'serve-static', 'sirv', 'koa-send', 'koa-static'],
    kind: 'route',
    makers: ['', 'static', 'default'],
    options: ['setHeaders'],
  },
  {
    framework: '@fastify/static',
    source: 'https://github.com/fastify/fastify-static#setheaders',
    packages: ['@fastify/static', 'fastify-static'],
    kind: 'route',
    methods: ['register'],
    isPlugin: true,
    options: ['setHeaders', 'allowedPath'],
  },
] as const;
