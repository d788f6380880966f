const { readFileSync } = require('node:fs');
const { join } = require('node:path');

exports.readTerms = function readTerms() {
  return readFileSync(join(__dirname, 'terms.txt'), 'utf8');
};
