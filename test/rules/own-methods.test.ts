// A method that is named like a function of Node is not Node's, whatever else its caller may hold.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import { findingsOf } from './whole-project.ts';

const APP = dedent`
  const fs = require('fs');
  const store = require('./store');
  const app = require('express')();
  const used = process.env.REAL ? fs : store;
  app.get('/a', (req, res) => used.readFile(req.path, (text) => res.send(text)));
  app.listen(3000);
`;

const storeWith = (method: string): string => dedent`
  class Store {
    constructor(files) { this.files = files; }
    ${method}(path) { return this.files.get(path); }
    readFile(path, done) { done(this.readFileSync(path)); }
  }
  module.exports = new Store(new Map());
`;

describe('a method of the own class', () => {
  const placesIn = (method: string): readonly string[] => {
    const findings = findingsOf(['no-sync-in-handler'], { 'app.js': APP, 'store.js': storeWith(method) });
    return findings.map(({ file }) => file);
  };

  it('is not a function of Node that has its name', () => {
    assert.deepEqual(placesIn('readFileSync'), []);
  });

  it('is asked for by its name: what the class lacks, the other object may have', () => {
    assert.equal(placesIn('lookUp').length, 1);
  });
});

describe('a function of a package that another file exports', () => {
  const placesWith = (files: Record<string, string>): readonly string[] =>
    findingsOf(['no-sync-in-handler'], files).map(({ file, message }) => `${file}: ${message.what.split(' ')[0]}`);
  const app = (from: string): string => dedent`
    import express from 'express';
    import { sanitizer } from '${from}';
    const app = express();
    app.post('/a', (req, res) => res.send(sanitizer.sanitize(req.body.text)));
    app.post('/b', (req, res) => res.send(sanitizer.sanitize('<b>known</b>')));
    app.listen(3000);
  `;

  it('is what it is there', () => {
    const files = {
      'app.js': app('./sanitizer.js'),
      'sanitizer.js': `import DOMPurify from 'isomorphic-dompurify';\nexport const sanitizer = DOMPurify;`,
    };
    assert.deepEqual(placesWith(files), ['/app/app.js: `isomorphic-dompurify.sanitize`']);
  });

  it('is not what only has the name', () => {
    const own = { 'app.js': app('./sanitizer.js'), 'sanitizer.js': 'export const sanitizer = { sanitize: (text) => text.trim() };' };
    assert.deepEqual(placesWith(own), []);
    const other = {
      'app.js': app('./sanitizer.js'),
      'sanitizer.js': `import mongo from 'mongo-sanitize';\nexport const sanitizer = mongo;`,
    };
    assert.deepEqual(placesWith(other), []);
    assert.deepEqual(placesWith({ 'app.js': app('@scope/sanitizer') }), []);
  });
});
