'use strict';
const path = require('node:path');
const fs = require('node:fs');
const express = require('express');
const products = require('./lib/products');
const { requireLogin } = require('./lib/session');
const invoices = require('./lib/invoices');

const app = express();
app.set('views', path.join(__dirname, 'views'));
app.set('view engine', 'pug');
app.use(express.json());
app.use(requireLogin);

// One argument reads a setting; it is no route.
if (app.get('env') === 'test') app.disable('x-powered-by');

const router = express.Router();
router.get('/', products.index);
router.get('/:id', products.show);
router.post('/search', products.search);
app.use('/products', router);

app.post('/invoices/:id', invoices.create);

app.get('/terms', (req, res) => {
  const terms = fs.readFileSync(path.join(__dirname, 'terms.txt'), 'utf8');
  //            ^ no-sync-in-handler: blocks (seen)
  res.type('text').send(terms);
});

module.exports = app;
