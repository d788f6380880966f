'use strict';
const { Router } = require('express');
const { BooksController } = require('./controllers/books');
const catalogue = require('./services/catalogue');

const books = new BooksController(catalogue);
const TABLE = [
  ['get', '/books', (req, res) => books.index(req, res)],
  ['get', '/books/:id', (req, res) => books.show(req, res)],
];

const router = Router();
for (const [method, path, handler] of TABLE) router[method](path, handler);

module.exports = router;
