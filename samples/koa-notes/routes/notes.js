'use strict';
const fs = require('node:fs');
const path = require('node:path');
const store = require('./store');

const DATA = path.join(__dirname, '..', 'data');

function fileOf(name) {
  return path.join(DATA, `${path.basename(name)}.txt`);
}

exports.read = async (ctx) => {
  ctx.body = await fs.promises.readFile(fileOf(ctx.params.name), 'utf8');
};

/** @profile PUT /notes/scratch?text=a */
exports.write = async (ctx) => {
  const file = fileOf(ctx.params.name);
  fs.writeFileSync(file, String(ctx.query.text ?? ''));
  // @3 no-sync-in-handler: blocks (confirmed)
  ctx.status = 204;
};

/** @profile GET /notes */
exports.list = async (ctx) => {
  const names = fs.readdirSync(DATA);
  //            ^ no-sync-in-handler: blocks (seen)
  ctx.body = { names, synced: store.triggerSync() };
};
