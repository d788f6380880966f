'use strict';
const fs = require('node:fs');
const path = require('node:path');

// Runs before the server listens.
exports.migrate = function migrate() {
  fs.mkdirSync(path.join(__dirname, '..', 'data'), { recursive: true });
};
