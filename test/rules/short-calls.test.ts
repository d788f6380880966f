// Blocking calls that take microseconds are hints, unless a loop in a loop, or a function that calls itself, repeats them within one turn
// of the event loop.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findBlockingCall } from '../../knowledge/blocking-calls.ts';
import { lintReal } from '../lsp/texts.ts';

function levelOf(body: string): string | undefined {
  const text = `const fs = require('node:fs');
const fse = require('fs-extra');
const app = require('express')();
app.post('/', async (req, res) => { ${body} res.end(); });
app.listen(3000);
`;
  const [found, ...others] = lintReal('/p/src/app.js', text).filter(({ ruleId }) => ruleId === 'no-sync-in-handler');
  assert.deepEqual(others, [], body);
  return found?.severity;
}

const LEVELS: readonly [body: string, level: string][] = [
  ['res.locals.a = fs.existsSync(req.body.name);', 'hint'],
  ['for (const one of req.body) res.write(String(fs.existsSync(one)));', 'hint'],
  ['req.body.forEach((one) => res.write(String(fs.existsSync(one))));', 'hint'],
  ['for (const all of req.body) for (const one of all) res.write(String(fs.existsSync(one)));', 'warning'],
  ['req.body.forEach((all) => all.forEach((one) => res.write(String(fs.existsSync(one)))));', 'warning'],
  ['for (const all of req.body) for (const one of all) if (!fs.existsSync(one)) await store(one);', 'hint'],
  ['const look = (one) => fs.existsSync(one) && look(one.next); res.locals.a = look(req.body);', 'warning'],
  ['for (const one of req.body) if (!fs.existsSync(one)) await store(one);', 'hint'],
  ['for await (const one of req) res.write(String(fs.existsSync(one)));', 'hint'],
  ['const look = (one) => fs.existsSync(one); for (const one of req.body) res.write(String(look(one)));', 'hint'],
  ['const look = (all) => all.map((one) => fs.existsSync(one)); for (const one of req.body) res.write(String(look(one)));', 'warning'],
  ['const look = async (one) => fs.existsSync(one); for (const one of req.body) await look(one);', 'hint'],
  ['res.locals.a = fse.pathExistsSync(req.body.name);', 'hint'],
  ['fse.ensureDirSync(req.body.name);', 'hint'],
  ['fse.removeSync(req.body.name);', 'warning'],
];

for (const [body, level] of LEVELS) it(`${level}: ${body}`, () => assert.equal(levelOf(body), level));

// A single file that loads shelljs is taken for a script, so that only a project has findings about it.
it('of shelljs, what may go through a tree is no short call', () => {
  const levelIn = (name: string): string => findBlockingCall('shelljs', [name])?.single ?? 'warning';
  assert.deepEqual(['test', 'which', 'tempdir', 'touch', 'ln', 'mkdir'].map(levelIn), Array(6).fill('hint'));
  assert.deepEqual(['rm', 'chmod', 'cp', 'find', 'mv'].map(levelIn), Array(5).fill('warning'));
});

it('a text is a short read beside no visitor, but not each of a folder', () => {
  const fixesOf = (body: string): number => {
    const text = `const fs = require('node:fs');
async function refresh(names) { ${body} }
setInterval(() => refresh(process.argv), 60000);
require('express')().get('/', (req, res) => res.end()).listen(3000);
`;
    const found = lintReal('/p/src/app.js', text).filter(({ ruleId }) => ruleId === 'no-sync-in-handler');
    assert.equal(found.length, 1, body);
    return found[0]?.fixes.length ?? 0;
  };
  assert.equal(fixesOf(`console.log(fs.readFileSync('/etc/pages', 'utf8'));`), 0);
  assert.equal(fixesOf(`for (const name of names) console.log(fs.readFileSync(name, 'utf8'));`), 1);
});
