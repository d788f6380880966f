'use strict';
const { loadBooks } = require('../lib/store');

let books = [];

/** Called once, before the server listens. */
exports.warmUp = function warmUp() {
  books = loadBooks();
};

exports.all = function all() {
  return books;
};

exports.find = function find(id) {
  return loadBooks().find((book) => book.id === id);
};
