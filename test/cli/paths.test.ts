// `nodometer paths` and `nodometer graph`: what is matched, what is told, what is left out.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rules } from '../../rules/index.ts';
import { runIn, type RunResult } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const FILES = {
  'package.json': '{ "name": "shop", "dependencies": { "express": "4" } }',
  'app.js': `const express = require('express');
const users = require('./controllers/users');
const app = express();
app.get('/users', users.index);
app.get('/users/:id', users.show);
app.post('/orders', function order(req, res) { res.end(); });
app.listen(3000);
`,
  'controllers/users.js': `const { loadConfig } = require('../config');
const { render } = require('../view');
exports.index = (req, res) => { res.end(render()); };
exports.show = (req, res) => {
  loadConfig();
  render();
  res.end();
};
`,
  'config.js': `const fs = require('fs');
exports.loadConfig = function loadConfig() {
  return JSON.parse(fs.readFileSync('config.json', 'utf8'));
};
`,
  'view.js': `exports.render = function render() { return header() + [1].map(row).join(''); };
function header() { return 'a'; }
function row(n) { return n; }
exports.unused = function unused() { return header(); };
`,
};

const runHere = (argv: readonly string[], files: Readonly<Record<string, string>> = FILES): Promise<RunResult> =>
  runIn(files, argv, { rules });

interface Tree {
  name: string | null;
  file: string;
  line: number;
  calledAt: { file: string; line: number } | null;
  findings: { ruleId: string; line: number; code: string }[];
  calls: Tree[];
}
interface Answer {
  routes: { route: string | null; line: number; functions: number; findings: number; leftOut: number; handler: Tree }[];
  functions: {
    function: Tree;
    leftOut: number;
    routes: { route: string; handler: string; calls: { file: string; line: number; to: string }[] }[];
  }[];
}
interface Graph {
  functions: { id: string; name: string; file: string; onRequestPath: boolean; findings: unknown[] }[];
  calls: { from: string; to: string; line: number }[];
  routes: { route: string; handler: string }[];
  leftOut: number;
}

async function paths(query: string[], more: string[] = []): Promise<Answer> {
  const { code, out, err } = await runHere(['paths', ...query, '--format', 'json', ...more]);
  assert.equal(code, 0, err);
  return JSON.parse(out) as Answer;
}

async function graph(...more: string[]): Promise<Graph> {
  const { code, out, err } = await runHere(['graph', ...more]);
  assert.equal(code, 0, err);
  return JSON.parse(out) as Graph;
}

describe('nodometer paths', () => {
  it('lists the routes with what is found on their ways', async () => {
    const { routes } = await paths([]);
    assert.deepEqual(
      routes.map(({ route, line, functions, findings }) => [route, line, functions, findings]),
      [
        ['POST /orders', 6, 1, 0],
        ['GET /users', 4, 4, 0],
        ['GET /users/:id', 5, 5, 1],
      ],
    );
  });

  it('prints what a route reaches, with the places of calls and findings', async () => {
    const { code, out } = await runHere(['paths', 'GET /users/:id']);
    assert.equal(code, 0);
    assert.equal(
      out,
      `GET /users/:id (app.js:5)
└─ show (controllers/users.js:4)
   ├─ loadConfig (config.js:2, called at controllers/users.js:5)
   │     ▲ warning fs.readFileSync('config.json', 'utf8') no-sync-in-handler config.js:3
   └─ render (view.js:1, called at controllers/users.js:6)
      ├─ header (view.js:2, called at view.js:1)
      └─ row (view.js:3, passed as a callback at view.js:1)
5 functions, 1 finding.
`,
    );
  });

  it('prints the handlers of one registration below one head, and counts what they share once', async () => {
    const { out } = await runHere(['paths', '/users'], {
      ...FILES,
      'app.js': FILES['app.js']
        .replace("app.get('/users', ", "app.get('/users', users.show, ")
        .replace("app.get('/users/:id', users.show);\n", ''),
    });
    assert.equal(
      out,
      `GET /users (app.js:4)
├─ show (controllers/users.js:4)
│  ├─ loadConfig (config.js:2, called at controllers/users.js:5)
│  │     ▲ warning fs.readFileSync('config.json', 'utf8') no-sync-in-handler config.js:3
│  └─ render (view.js:1, called at controllers/users.js:6)
│     ├─ header (view.js:2, called at view.js:1)
│     └─ row (view.js:3, passed as a callback at view.js:1)
└─ index (controllers/users.js:3)
   └─ render (view.js:1, called at controllers/users.js:3)
      ├─ header (view.js:2, called at view.js:1)
      └─ row (view.js:3, passed as a callback at view.js:1)
2 handlers, 6 functions, 1 finding.
`,
    );
  });

  it('finds a route by what a request asks for, by a part, and without quotation marks', async () => {
    const routesOf = async (...query: string[]): Promise<(string | null)[]> => (await paths(query)).routes.map(({ route }) => route);
    assert.deepEqual(await routesOf('GET', '/users/:id'), ['GET /users/:id']);
    assert.deepEqual(await routesOf('/users/12'), ['GET /users/:id']);
    assert.deepEqual(await routesOf('get /users'), ['GET /users']);
    assert.deepEqual(await routesOf('/user'), ['GET /users', 'GET /users/:id']);
    assert.deepEqual(await routesOf('orders'), ['POST /orders']);
  });

  it('finds a function by its name, its file and its line, and tells which routes reach it', async () => {
    const namesOf = async (query: string): Promise<(string | null)[]> => (await paths([query])).functions.map((one) => one.function.name);
    assert.deepEqual(await namesOf('config.js:loadConfig'), ['loadConfig']);
    assert.deepEqual(await namesOf('controllers/users.js:6'), ['show']);
    assert.deepEqual(await namesOf('view.js:2'), ['header']);
    const [one] = (await paths(['header'])).functions;
    assert.deepEqual(
      one?.routes.map(({ route, handler, calls }) => [
        route,
        handler,
        ...calls.map(({ file, line, to }) => `${file.replace('<folder>/', '')}:${line} ${to}`),
      ]),
      [
        ['GET /users', 'index', 'controllers/users.js:3 render', 'view.js:1 header'],
        ['GET /users/:id', 'show', 'controllers/users.js:6 render', 'view.js:1 header'],
      ],
    );
  });

  it('tells of twenty routes of a function, and how many more there are', async () => {
    const routes = Array.from({ length: 23 }, (_, i) => `app.get('/r${i}', (req, res) => res.end(page()));\n`).join('');
    const { out } = await runHere(['paths', 'page'], {
      'package.json': '{}',
      'app.js': dedent`
        const app = require('express')();
        const page = () => 'a';
        ${routes}
      `,
    });
    assert.match(out, /Reached by 23 registrations/);
    assert.equal(out.match(/GET \/r/g)?.length, 20);
    assert.match(out, /\n {2}and 3 more; /);
  });

  it('says of a function that no request reaches that none does', async () => {
    const { code, out } = await runHere(['paths', 'unused']);
    assert.equal(code, 0);
    assert.match(out, /Not reached by any request\./);
  });

  it('says where the search stopped, rather than that no request reaches a function', async () => {
    const names = Array.from({ length: 1100 }, (_, i) => `act${i}`);
    const files = {
      'package.json': '{}',
      'app.js': dedent`
        const app = require('express')();
        const acts = require('./acts');
        app.post('/act', (req, res) => {
          res.json(acts[req.body.act](req.body));
        });
      `,
      'acts.js': names.map((name) => `exports.${name} = function ${name}(body) { return body; };\n`).join(''),
    };
    const lost = await runHere(['paths', 'act1099'], files);
    assert.doesNotMatch(lost.out, /Not reached by any request/);
    assert.match(lost.out, /No request is known to reach it, but the search is incomplete: .*\n {2}app\.js:4\n/);
    assert.match((await runHere(['paths', 'act0'], files)).out, /Reached by 1 registration/);
    const { functions } = JSON.parse((await runHere(['paths', 'act1099', '--format', 'json'], files)).out) as {
      functions: { cutAt: unknown[] }[];
    };
    assert.equal(functions[0]?.cutAt.length, 1);
  });

  it('keeps the ways to findings where a tree is cut off, and counts the rest', async () => {
    const [route] = (await paths(['GET /users/:id'], ['--max-nodes', '2'])).routes;
    assert.deepEqual([route?.functions, route?.leftOut, route?.handler.calls.map(({ name }) => name)], [5, 3, ['loadConfig']]);
  });

  it('ends with 2 and names the folder where there is no code', async () => {
    const { code, err } = await runHere(['paths'], { 'a.md': '' });
    assert.equal(code, 2);
    assert.equal(err, 'nodometer: No JavaScript or TypeScript files were found in the current folder.\n');
  });

  it('goes through 20,000 calls, each in the function that the one before calls', async () => {
    const most = 20_000;
    const calls = Array.from({ length: most }, (_, i) => `function f${i}() { f${i + 1}(); }\n`).join('');
    const app = `require('express')().get('/', (req, res) => { f0(); res.end(); });\n`;
    const files = { 'package.json': '{}', 'app.js': `${app}${calls}function f${most}() { require('fs').readFileSync('a'); }\n` };
    const { code, out, err } = await runHere(['paths', `f${most}`, '--format', 'json'], files);
    assert.equal(err, '');
    assert.equal(code, 0);
    const [found] = (JSON.parse(out) as Answer).functions;
    assert.equal(found?.routes[0]?.calls.length, most + 1);
  });

  it('ends with 2 and the closest names where nothing matches', async () => {
    const { code, out, err } = await runHere(['paths', 'GET /user/:ids']);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /matches `GET \/user\/:ids`\. Closest matches: `GET \/users\/:id`/);
    assert.match((await runHere(['paths', 'lodConfig'])).err, /Closest matches: `loadConfig`/);
    const empty = await runHere(['paths'], { 'readme.md': '' });
    assert.deepEqual(
      { code: empty.code, err: empty.err },
      { code: 2, err: 'nodometer: No JavaScript or TypeScript files were found in the current folder.\n' },
    );
  });

  it('refuses options that it does not have', async () => {
    assert.match((await runHere(['paths', '--max-nodes', '0'])).err, /`--max-nodes` must be a positive integer, not `0`/);
    assert.match((await runHere(['paths', '--all'])).err, /Unknown option `--all`/);
    assert.match((await runHere(['graph', '--format', 'svg'])).err, /`--format` must be json, dot, or mermaid/);
  });
});

describe('nodometer graph', () => {
  it('gives functions on request paths, their calls and the routes', async () => {
    const { functions, calls, routes, leftOut } = await graph();
    const names = new Map(functions.map(({ id, name }) => [id, name]));
    assert.deepEqual([...names.values()], ['order', 'loadConfig', 'index', 'show', 'render', 'header', 'row']);
    assert.deepEqual(
      calls.map(({ from, to }) => `${names.get(from)} ${names.get(to)}`),
      ['index render', 'show loadConfig', 'show render', 'render header', 'render row'],
    );
    assert.deepEqual(
      routes.map(({ route, handler }) => [route, names.get(handler)]),
      [
        ['GET /users', 'index'],
        ['GET /users/:id', 'show'],
        ['POST /orders', 'order'],
      ],
    );
    assert.deepEqual([leftOut, functions.filter(({ findings }) => findings.length > 0).length], [0, 1]);
  });

  it('gives everything with --all, and the same text each time', async () => {
    const { functions } = await graph('--all');
    assert.deepEqual(
      functions.filter(({ onRequestPath }) => !onRequestPath).map(({ name }) => name),
      ['unused'],
    );
    for (const format of ['json', 'dot', 'mermaid']) assert.equal((await runHere(['graph', '--format', format])).out.length > 100, true);
    assert.equal((await runHere(['graph', '--format', 'dot'])).out, (await runHere(['graph', '--format', 'dot'])).out);
  });

  it('leaves out what is more than --max-nodes, and says so', async () => {
    const { out, err } = await runHere(['graph', '--max-nodes', '2']);
    assert.deepEqual(
      (JSON.parse(out) as Graph).functions.map(({ name }) => name),
      ['loadConfig', 'show'],
    );
    assert.match(err, /5 functions omitted/);
  });

  it('takes the whole project where a part of it is named', async () => {
    assert.deepEqual((await graph('controllers')).functions.length, 7);
  });

  it('writes texts that Graphviz and Mermaid can read', async () => {
    const files = {
      'package.json': '{}',
      'app.js': dedent`
        const app = require("express")();
        app.get("/a\\"<b>", (req, res) => res.end(require("fs").readFileSync("x")));

      `,
    };
    const dot = await runHere(['graph', '--format', 'dot'], files);
    assert.match(dot.out, /^digraph calls \{\n(?: {2}.*;\n)+\}\n$/);
    assert.match(dot.out, /label="GET \/a\\"<b>"/);
    const mermaid = await runHere(['graph', '--format', 'mermaid'], files);
    assert.match(mermaid.out, /^flowchart LR\n {2}f1\["\(function\)<br>app\.js:2<br>! require\(#quot;fs#quot;\)/);
    assert.match(mermaid.out, /r1\(\["GET \/a#quot;#lt;b#gt;"\]\)\n {2}r1 --> f1\n/);
  });
});
