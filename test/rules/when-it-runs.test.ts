// How often a request, a message, or a connection makes code run: what start-up has kept is there, and a listener on a connection runs for
// each message.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf, type Files } from './whole-project.ts';

const PAGES = `
const fs = require('fs');
let pages;
exports.pagesIn = function pagesIn() {
  if (pages) return pages;
  pages = fs.readdirSync('pages');
  return pages;
};
`;

const serverWith = (atStart: string): Files => ({
  'pages.js': PAGES,
  'server.js': `
const app = require('express')();
const { pagesIn } = require('./pages');
${atStart}
app.get('/pages', (req, res) => res.json(pagesIn()));
app.listen(3000);
`,
});

const SERVER = `
const net = require('net');
const { Commands } = require('./commands');
const server = net.createServer();
server.on('connection', (socket) => { new Commands(socket).listen(); });
server.listen(6379);
`;

const commandsWith = (listen: string): Files => ({
  'server.js': SERVER,
  'commands.js': `
const fs = require('fs');
const { EventEmitter } = require('events');
exports.Commands = class Commands extends EventEmitter {
  constructor(socket) { super(); this.socket = socket; }
  listen() { ${listen} }
  read(name) { return fs.readFileSync(name); }
};
`,
});

const said = (files: Files): string[] =>
  findingsOf(['no-sync-in-handler'], files).map(
    ({ messageId, message }) => `${messageId} ${/on (?:each|every) .*?(?= that|\.)/.exec(message.what)?.[0]}`,
  );

describe('what is kept from the first time on', () => {
  it('is there when the first request comes, if start-up asks for it', () => {
    assert.deepEqual(said(serverWith('console.log(pagesIn());')), []);
    assert.deepEqual(said(serverWith('Promise.resolve().then(() => console.log(pagesIn()));')), []);
  });

  it('is not, if only a worker thread asks for it: it keeps its own', () => {
    const worker = dedent`
        const { parentPort } = require('worker_threads');
        const { pagesIn } = require('./pages');
        parentPort.postMessage(pagesIn());

      `;
    assert.deepEqual(said({ ...serverWith(''), 'worker.js': worker }), ['blocksOnce on each `GET /pages`']);
  });

  it('is not, if only requests ask for it', () => {
    assert.deepEqual(said(serverWith('')), ['blocksOnce on each `GET /pages`']);
    assert.deepEqual(said(serverWith("app.get('/count', (req, res) => res.json(pagesIn().length));")), ['blocksOnce on each `GET /count`']);
  });
});

describe('a connection', () => {
  it('makes its listeners run for each message', () => {
    assert.deepEqual(said(commandsWith("this.on('get', (name) => this.read(name));")), ['blocks on every message on a `TCP connection`']);
  });

  it('runs the rest once', () => {
    assert.deepEqual(said(commandsWith("this.read('motd');")), ['blocks on every `TCP connection`']);
  });
});

describe('a route that a variable of the environment chooses', () => {
  const routeIf = (test: string): Files => ({
    'server.js': `
const fs = require('fs');
const app = require('express')();
if (${test}) app.post('/reset', (req, res) => res.send(fs.readFileSync('state')));
app.listen(3000);
`,
  });

  it('does not exist for users, if it is for tests', () => {
    for (const test of ["process.env.APP_INTEGRATION_TEST === 'memory'", 'process.env.E2E', 'process.env.UNIT_TEST_ENV && ready'])
      assert.deepEqual(said(routeIf(test)), [], test);
  });

  it('exists, if it is for anything else', () => {
    for (const test of [
      "process.env.UNIT_TEST !== '1'",
      '!process.env.E2E',
      'process.env.TEST_URL',
      'process.env.LATEST',
      'process.env.E2EE',
    ])
      assert.equal(said(routeIf(test)).length, 1, test);
  });
});
