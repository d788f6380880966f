'use strict';
const fs = require('node:fs');
const path = require('node:path');

const FILE = path.join(__dirname, '..', 'data', 'books.json');

/** Start-up calls it, and `find` on every request. */
exports.loadBooks = function loadBooks() {
  return JSON.parse(fs.readFileSync(FILE, 'utf8'));
  //                ^ no-sync-in-handler: blocks (seen)
};

/** Only bin/seed.js writes. */
exports.saveBooks = function saveBooks(books) {
  fs.writeFileSync(FILE, JSON.stringify(books, null, 2));
};
