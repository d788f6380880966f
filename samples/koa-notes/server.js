'use strict';
const Koa = require('koa');
const Router = require('@koa/router');
const notes = require('./routes/notes');
const { migrate } = require('./migrations/001-folders');

const app = new Koa();
const router = new Router({ prefix: '/notes' });

const asyncHandler = (fn) => async (ctx, next) => fn(ctx, next);

router.get('/:name', asyncHandler(notes.read));
router.put('/:name', notes.write);
router.get('/', notes.list);
app.use(router.routes());

if (require.main === module) {
  migrate();
  app.listen(process.env.PORT || 3000);
}

module.exports = app;
