'use strict';
const catalogue = require('./catalogue.json');

/**
 * What a visitor may see of a row.
 * @profile toPublic({ id: 1, name: 'Tea', margin: 0.4, price: 3 })
 */
function toPublic(row) {
  delete row.margin;
  // @3 no-unstable-shape: deletedField (confirmed)
  return row;
}

exports.index = function index(req, res) {
  const rows = catalogue.map((row) => ({ ...row }));
  res.render('products', { rows: rows.map(toPublic) });
};

exports.show = function show(req, res, next) {
  const row = catalogue.find((one) => one.id === req.params.id);
  if (!row) return next();
  res.json(row);
};

/** Eight shapes, but they only become JSON. */
exports.search = function search(req, res) {
  const found = [];
  for (const row of catalogue) {
    const hit = { id: row.id, name: row.name };
    if (row.price < req.body.below) hit.cheap = true;
    if (row.stock > 0) hit.stock = row.stock;
    if (row.image) hit.image = row.image;
    found.push(hit);
  }
  res.json(found);
};
