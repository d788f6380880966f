'use strict';
// Everything here is asynchronous already.
const fs = require('node:fs');
const path = require('node:path');

exports.list = function list(done) {
  fs.readdir(path.join(__dirname, 'files'), (error, names) => done(error ? [] : names));
};
