// Which requests reach a function, and what says so.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { findAt, findByName } from '../../analysis/profile/functions.ts';
import {
  fillPath,
  findRequests,
  readRequest,
  requestsInComments,
  requestsOfRoute,
  startsServer,
  VARIED,
} from '../../analysis/profile/requests.ts';
import { Source } from '../../analysis/module/source.ts';
import { startedProgram, type StartScript } from '../../workspace/profile/profile-program.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

function factsOf(text: string): Facts {
  const outcome = parse('/p/a.js', text);
  if (!outcome.ok) throw new Error(outcome.issue.message);
  return new Facts(new ModuleIndex(outcome.ast), new Source('/p/a.js', text), { nodeRange: '>=20', nodeRangeSource: 'test' });
}

/** Of the function with the name, or of the one that the mark stands in. */
function requestsOf(text: string, name?: string): string[] | string {
  const facts = factsOf(text);
  const found = name === undefined ? findAt(facts, text.indexOf('/*here*/')) : findByName(facts, name)[0];
  assert.ok(found, 'no function');
  const told = requestsInComments(facts, found.fn);
  if (told.length > 0) return told.map(({ method, path, body }) => `told ${method} ${path}${body === undefined ? '' : ` ${body}`}`);
  const search = findRequests(facts, found.fn);
  if (search.ok) return search.requests.map(({ method, path, body }) => `${method} ${path}${body === undefined ? '' : ` ${body}`}`);
  return search.reached ? search.why : 'not reached';
}

const EXPRESS = "const app = require('express')();\n";

describe('requests', () => {
  it('are read from text', () => {
    assert.deepEqual(readRequest('GET /users/1?all=1'), { method: 'GET', path: '/users/1?all=1' });
    assert.deepEqual(readRequest('POST /users {"name": "a b"}'), { method: 'POST', path: '/users', body: '{"name": "a b"}' });
    assert.deepEqual(readRequest('PUT /users/1'), { method: 'PUT', path: '/users/1', body: '{}' });
    assert.deepEqual(readRequest('PATCH /users/1', 'x'), { method: 'PATCH', path: '/users/1', body: 'x' });
    assert.deepEqual(readRequest(`POST /users -H "X-Key: a b" -H 'accept: text/html' {"name": "a -H b"}`), {
      method: 'POST',
      path: '/users',
      headers: { 'x-key': 'a b', accept: 'text/html' },
      body: '{"name": "a -H b"}',
    });
    assert.deepEqual(readRequest('GET /users -H "authorization: Bearer a.b"'), {
      method: 'GET',
      path: '/users',
      headers: { authorization: 'Bearer a.b' },
    });
    for (const text of ['get /x', 'GET x', 'GET http://example.com/', 'GET', 'add(1, 2)', 'TRACE /'])
      assert.equal(readRequest(text), undefined, text);
  });

  it('take plain values for what a path leaves open', () => {
    const paths = {
      '/users/:id': '/users/1',
      '/:a/:b?': '/1/1',
      '/u/:id(\\d+)': '/u/1',
      '/files/*': '/files/1',
      '/files/*path': '/files/1',
      '/users{/:id}': '/users/1',
      '/h/{id}/{rest*}': '/h/1/1',
      bare: '/bare',
      '/a(.*)': '/a1',
      '/with space': '/with%20space',
      '/x/y': '/x/y',
    };
    for (const [pattern, path] of Object.entries(paths)) assert.equal(fillPath(pattern), path, pattern);
    assert.equal(fillPath('/^\\/a/i'), undefined);
    assert.deepEqual(
      requestsOfRoute('ALL /a, /b/:c').map(({ method, path }) => `${method} ${path}`),
      ['GET /a', 'GET /b/1'],
    );
    assert.deepEqual(requestsOfRoute('WS /a'), []);
  });

  it('take a number for each value, where each request is to have another', () => {
    const paths = {
      '/users/:id': '/users/{n}',
      '/u/:id(\\d+)': '/u/{n}',
      '/files/*': '/files/{n}',
      '/users{/:id}': '/users/{n}',
      '/h/{id}/{rest*}': '/h/{n}/{n}',
      '/with space/:id': '/with%20space/{n}',
      '/x/1': '/x/1',
    };
    for (const [pattern, path] of Object.entries(paths)) assert.equal(fillPath(pattern, VARIED), path, pattern);
    const varied = (text: string) => {
      const facts = factsOf(text);
      const found = findAt(facts, text.indexOf('/*here*/'));
      const search = found && findRequests(facts, found.fn, VARIED);
      return search?.ok ? search.requests.map(({ method, path, body }) => [method, path, body].filter(Boolean).join(' ')) : 'none';
    };
    assert.deepEqual(
      varied(`${EXPRESS}app.get('/a/:id', (req, res) => { /*here*/ res.json(cache[req.query.q] ?? req.query['lang']); });`),
      ['GET /a/{n}?q={n}&lang={n}'],
    );
    assert.deepEqual(
      varied(`${EXPRESS}app.post('/a', (req, res) => { /*here*/ const { delivery, at = 1 } = req.body; seen.add(delivery); });`),
      ['POST /a {"delivery":"{n}","at":"{n}"}'],
    );
    assert.deepEqual(
      varied("require('http').createServer((req, res) => { /*here*/ new URL(req.url).searchParams.get('q'); }).listen(1);"),
      ['GET /?q={n}'],
    );
    // What the user asks for is asked for.
    assert.deepEqual(
      varied(dedent`
        ${EXPRESS}/** @profile GET /a/7 */
        app.get('/a/:id', (req, res) => { /*here*/ res.json(req.query.q); });
      `),
      ['GET /a/7'],
    );
  });

  it('come from the routes that lead to the function', () => {
    assert.deepEqual(requestsOf(`${EXPRESS}app.get('/users/:id', (req, res) => { /*here*/ res.end(); });`), ['GET /users/1']);
    const helper = `${EXPRESS}function load(id) { return read(id); }\nfunction read(id) { return id; }
app.get('/a/:id', (req, res) => res.json(load(req.params.id)));\napp.post('/b', (req, res) => res.json([1].map(() => read(2))));\napp.get('/c', (req, res) => res.end());`;
    assert.deepEqual(requestsOf(helper, 'load'), ['GET /a/1']);
    assert.deepEqual(requestsOf(helper, 'read'), ['GET /a/1', 'POST /b {}']);
    assert.deepEqual(
      requestsOf(
        `function build() { const app = require('fastify')(); app.addHook('preHandler', async (request) => { /*here*/ }); app.get('/x', async () => 1); return app; }`,
      ),
      ['GET /x'],
    );
    assert.equal(
      requestsOf(
        dedent`
          ${EXPRESS}function other() {}
          app.get('/a', (req, res) => res.end());
        `,
        'other',
      ),
      'not reached',
    );
  });

  it('come from the paths that a server of its own compares', () => {
    const server = (body: string) => `require('http').createServer((request, response) => { ${body} /*here*/ });`;
    assert.deepEqual(
      requestsOf(
        server(
          "if (request.url === '/a') response.end(); else if ('/b' == request.url) response.end(); if (request.method === '/c') return;",
        ),
      ),
      ['GET /a', 'GET /b'],
    );
    assert.deepEqual(
      requestsOf(server("const { pathname } = new URL(request.url, 'http://x'); switch (pathname) { case '/a': response.end(); }")),
      ['GET /a'],
    );
    assert.deepEqual(requestsOf(server('response.end();')), ['GET /']);
  });

  it('are told by comments, at the function and at the handlers that lead to it', () => {
    const text = dedent`
      /** Finds.
       * @profile GET /users/7 */
      exports.show = (req, res) => { res.json(load(req)); };
      function load(req) { return req.params; }

    `;
    assert.deepEqual(requestsOf(text, 'exports.show'), ['told GET /users/7']);
    assert.deepEqual(requestsOf(text, 'load'), ['GET /users/7']);
    assert.deepEqual(
      requestsOf(dedent`
        ${EXPRESS}// @profile POST /users {"name":"a"}
        app.post('/users', (req, res) => { /*here*/ });
      `),
      ['told POST /users {"name":"a"}'],
    );
    // Of lines one above the other, all are sent; what stands above other code is of that.
    assert.deepEqual(
      requestsOf(dedent`
        ${EXPRESS}// @profile GET /old
        app.get('/old', (req, res) => { res.end(); });
        // @profile GET /a/1
        // @profile GET /a/2

        // @profile GET /a/3
        // @profile GET /a/4
        app.get('/a/:id', (req, res) => { /*here*/ });
      `),
      [1, 2, 3, 4].map((n) => `told GET /a/${n}`),
    );
    assert.equal(
      requestsOf('exports.show = (req, res) => { res.json(1); };', 'exports.show'),
      'it handles requests, but this file does not define its path',
    );
  });

  it('go to the program that starts a server', () => {
    assert.deepEqual(
      [
        'app.listen(3000);',
        'if (require.main === module) { server.listen(1); }',
        'async function main() { await app.listen(1); } main();',
        'function main() { app.listen(1); }',
        'listen(1);',
        'job.start();',
        "const server = require('@hapi/hapi').server({ port: 1 }); server.start();",
      ].map((text) => startsServer(factsOf(text))),
      [true, true, true, false, false, false, true],
    );
    const scripts: Record<string, StartScript | undefined> = {
      'node server.js': { file: 'server.js', flags: [], env: {} },
      'NODE_ENV=production node --enable-source-maps --watch -r ./setup.js src/main.mjs --port 1': {
        file: 'src/main.mjs',
        flags: ['--enable-source-maps', '-r', './setup.js'],
        env: { NODE_ENV: 'production' },
        arguments: ['--port', '1'],
      },
      'node server.js -c data.json && echo done': { file: 'server.js', flags: [], env: {}, arguments: ['-c', 'data.json'] },
      // Only a shell knows what these are.
      'node server.js --port $PORT': { file: 'server.js', flags: [], env: {} },
      'node server.js "a b"': { file: 'server.js', flags: [], env: {} },
      'cross-env A=1 node a.ts': { file: 'a.ts', flags: [], env: { A: '1' } },
      'NODE_ENV=production tsx src/main.ts': { file: 'src/main.ts', flags: [], env: { NODE_ENV: 'production' }, loader: 'tsx' },
      'tsx watch --clear-screen=false src/main.ts': { file: 'src/main.ts', flags: [], env: {}, loader: 'tsx' },
      'npx ts-node-dev --respawn src/main.ts': { file: 'src/main.ts', flags: [], env: {}, loader: 'ts-node' },
      'nest start --watch': { file: 'src/main.ts', flags: [], env: {}, loader: 'any' },
      'node -r ts-node/register src/main.ts': { file: 'src/main.ts', flags: ['-r', 'ts-node/register'], env: {} },
      'pm2 start server.js': undefined,
      'next start': undefined,
      node: undefined,
      'node "$ENTRY"': undefined,
      'node .': { file: '.', flags: [], env: {} },
      'node ./bin/www': { file: './bin/www', flags: [], env: {} },
    };
    for (const [script, program] of Object.entries(scripts)) assert.deepEqual(startedProgram(script), program, script);
    assert.equal(startedProgram(undefined), undefined);
  });
});
