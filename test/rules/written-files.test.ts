// What the first read of a file gives is not kept where another file of the package writes it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf, type Files } from './whole-project.ts';

const SERVER = `
const fs = require('fs');
const path = require('path');
const app = require('express')();
const store = require('./store');
app.get('/', (req, res) => res.send(fs.readFileSync(path.join(__dirname, 'page.html'), 'utf8')));
app.get('/old', (req, res) => { if (req.query.x) res.send(fs.readFileSync('./page.html', 'utf8').trim()); });
app.post('/', (req, res) => { store.save(req.query.text); res.end(); });
app.listen(3000);
`;

const keeps = (files: Files): (readonly [titles: string, refused: string])[] =>
  findingsOf(['no-sync-in-handler'], { 'server.js': SERVER, ...files })
    .filter(({ file }) => file.endsWith('server.js'))
    .map(({ fixes, refused }) => [
      fixes.flatMap(({ title }) => /^(?:Keep|Read it once)/.exec(title) ?? []).join(),
      refused.map(({ reason }) => reason).join(' '),
    ]);

describe('files that are kept', () => {
  for (const store of [
    "const fs = require('fs'); exports.save = (text) => fs.writeFileSync('data/page.html', text);",
    "const fs = require('fs'); const FILE = require('path').join(__dirname, 'page.html'); exports.save = (text) => fs.promises.writeFile(FILE, text);",
    "const { createWriteStream } = require('fs'); exports.save = (text) => createWriteStream(`${__dirname}/page.html`).end(text);",
    "const fs = require('fs'); exports.save = (text) => fs.renameSync('new.tmp', __dirname + '/page.html');",
  ])
    it(`are not: ${store}`, () => {
      for (const [titles, refused] of keeps({ 'store.js': store })) {
        assert.equal(titles, '');
        assert.match(refused, /`store\.js` writes a file of this name \(`page\.html`\)/);
      }
    });

  it('are where only others are written, or a test writes it', () => {
    const store = "const fs = require('fs'); exports.save = (text) => fs.writeFileSync('data/other.html', text);";
    const test = "const fs = require('fs'); fs.writeFileSync('page.html', '');";
    assert.deepEqual(
      keeps({ 'store.js': store, 'test/page.test.js': test }).map(([titles]) => titles),
      ['Read it once', 'Keep'],
    );
  });
});
