// What `nodometer load` and `compare --load` send: what was typed, and for the rest what a comment at the handler or an OpenAPI file says.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { textOfRequest } from '../../analysis/profile/requests.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { parseCompareLoadArguments, parseLoadArguments } from '../../cli/commands/load-arguments.ts';
import { askedRequest } from '../../cli/commands/load-request.ts';
import { formatAgentLoadDifference } from '../../cli/formats/agent-runs.ts';
import { formatLoadDifference } from '../../cli/formats/load-difference-text.ts';
import type { Host } from '../../cli/host.ts';
import type { LoadReport, RequestSource } from '../../protocol/load.ts';
import { rules } from '../../rules/index.ts';
import { requestSourceText } from '../../workspace/formats/request-source.ts';
import { loadRequestOf, typedRoute } from '../../workspace/load/load-request.ts';
import { EDITOR_LIMIT_MS, withinOneLimit } from '../../workspace/time-limit.ts';
import { MARKDOWN } from '../../workspace/formats/profile-style.ts';
import { folderWith, run, RUNNING_NODE } from './support.ts';

const FILES = {
  'package.json': '{ "name": "shop", "dependencies": { "express": "4" } }',
  'server.js': dedent`
    const express = require('express');
    const { show, me, list } = require('./users');
    const app = express();
    app.get('/users/me', me);
    app.get('/users/:id', show);
    app.get('/users', list);
    // @profile GET /orders/2/items/3
    app.get('/orders/:order/items/:item', (req, res) => res.end());
    /**
     * Adds one.
     * @profile POST /orders -H "x-key: 1" -H "x-user: ann" {"sku":"tea"}
     */
    app.post('/orders', (req, res) => res.end());
    // @profile GET /wide/1 -H "x-name: 漢" -H "x-key: é"
    app.get('/wide/:id', (req, res) => res.end());
    // @profile GET /opt/5
    app.get('/opt{/:id}', (req, res) => res.end());
    // @profile GET /digits/42
    app.get('/digits/:id{[0-9]{2}}', (req, res) => res.end());
    // @profile GET /typo/:id
    app.get('/typo/:id', (req, res) => res.end());
    app.get('/bare/:id', (req, res) => res.end());
    app.put('/bare/:id', (req, res) => res.end());
    app.listen(3000);
  `,
  'users.js': dedent`
    /** @profile GET /users/me?all=1 */
    exports.me = (req, res) => res.end();
    /**
     * @profile POST /users/3
     * @profile GET /users/{n}
     */
    exports.show = (req, res) => res.end();
    exports.list = (req, res) => res.end();
  `,
  'docs/openapi.yml': dedent`
    openapi: 3.0.0
    servers: [{ url: 'https://shop.example.com' }]
    paths:
      /users/{id}: { get: { parameters: [{ name: id, in: path, required: true, example: 8 }] } }
      /bare/{id}:
        get: { security: [{ token: [] }], parameters: [{ name: id, in: path, required: true, schema: { type: integer, minimum: 5 } }] }
      /users: { get: { parameters: [{ name: page, in: query, required: true, example: 2 }] } }
    components: { securitySchemes: { token: { type: http, scheme: bearer } } }
  `,
  'other/broken.yaml': 'openapi: [',
  'other/own.json':
    '{ "openapi": "3.1.0", "paths": { "/": { "get": { "parameters": [{ "name": "q", "in": "query", "required": true, "example": "x" }] } } } }',
};

/** The same route in another program of the repository, and a package of its own that has a file, but no operation. */
const MONOREPO = {
  'package.json': '{ "workspaces": ["a", "b"] }',
  'a/package.json': '{ "name": "a" }',
  'a/server.js': "const app = require('express')();\napp.get('/x/:id', (req, res) => res.end());\napp.listen(1);\n",
  'a/swagger.json': '{ "swagger": ',
  'b/package.json': '{ "name": "b" }',
  'b/server.js':
    "const app = require('express')();\n/** @profile GET /x/9 */\napp.get('/x/:id', (req, res) => res.end());\napp.listen(1);\n",
};

describe('the request of a load', () => {
  const folder = folderWith(FILES);
  const monorepo = folderWith(MONOREPO);
  after(() => {
    folder.dispose();
    monorepo.dispose();
  });
  const hostIn = (cwd: string) =>
    ({
      cwd,
      nodeVersion: RUNNING_NODE,
      platform: process.platform,
      now: () => performance.now(),
      signal: new AbortController().signal,
      loadRules: async () => rules,
    }) as unknown as Host;
  const asked = (argv: string[], cwd = folder.path, program = 'server.js') =>
    askedRequest(parseLoadArguments(argv), join(cwd, program), hostIn(cwd));
  const told = async (...argv: string[]) => {
    const one = await asked(argv);
    return (
      one &&
      [textOfRequest(one.request), one.source?.parts.join(', '), one.source?.line ?? one.source?.operation].filter(Boolean).join(' | ')
    );
  };

  it('is what was typed, where that is all or nothing else is known', async () => {
    assert.equal(await asked([]), undefined);
    assert.equal(await told('--route', 'GET /gone'), 'GET /gone');
    assert.equal(await told('--route', 'PUT /bare/1'), 'PUT /bare/1 {}');
    assert.equal(await told('--route', 'GET /users/me?all=0'), 'GET /users/me?all=0');
    assert.equal(await told('--route', 'GET /users?'), 'GET /users?');
    assert.equal(
      await told('--route', `POST /orders -H "X-Key: 2" -H "x-user: bob" {"sku":"milk"}`),
      'POST /orders -H "x-key: 2" -H "x-user: bob" {"sku":"milk"}',
    );
    // A colon within a name is no parameter.
    assert.equal(await told('--route', 'GET /things:all'), 'GET /things:all');
  });

  it('is completed by a comment at the handler of the route, part by part', async () => {
    const cases: [route: string, request: string][] = [
      ['GET /users/:id', 'GET /users/{n} | path | 5'],
      ['/users/{id}', 'GET /users/{n} | path | 5'],
      ['GET /users/me', 'GET /users/me?all=1 | query | 1'],
      ['POST /orders', 'POST /orders -H "x-key: 1" -H "x-user: ann" {"sku":"tea"} | header x-key, header x-user, body | 11'],
      ['POST /orders -H "x-user: bob"', 'POST /orders -H "x-key: 1" -H "x-user: bob" {"sku":"tea"} | header x-key, body | 11'],
      ['POST /orders {}', 'POST /orders -H "x-key: 1" -H "x-user: ann" {} | header x-key, header x-user | 11'],
      ['GET /orders/7/items/:id', 'GET /orders/7/items/3 | path | 7'],
    ];
    for (const [route, request] of cases) assert.equal(await told('--route', route), request, route);
    assert.equal(
      await told('--route', 'POST /orders', '--body', '[]'),
      'POST /orders -H "x-key: 1" -H "x-user: ann" [] | header x-key, header x-user | 11',
    );
  });

  it('is found at routes of Express 5 and Hono, too', async () => {
    for (const route of ['GET /opt/:id', 'GET /opt/{id}'])
      assert.match((await told('--route', route)) ?? '', /^GET \/opt\/5 \| path/, route);
    assert.equal((await asked(['--route', 'GET /opt']))?.request.path, '/opt');
    for (const route of ['GET /digits/:id', 'GET /digits/:id{[0-9]{2}}'])
      assert.match((await told('--route', route)) ?? '', /^GET \/digits\/42 \| path/, route);
  });

  it('has no header that cannot be sent, and its path encoded', async () => {
    const wide = await asked(['--route', 'GET /wide/:id']);
    assert.deepEqual(
      [wide?.request.headers, wide?.source?.parts, wide?.notes],
      [
        { 'x-key': 'é' },
        ['path', 'header x-key'],
        ['A header of the comment at the handler was left out: HTTP does not allow its name or a character of its value.'],
      ],
    );
    assert.equal((await asked(['--route', 'GET /漢%20/é?a=漢']))?.request.path, '/%E6%BC%A2%20/%C3%A9?a=%E6%BC%A2');
    assert.throws(() => parseLoadArguments(['--route', 'GET /users -H "x-name: 漢"']), /The header `x-name` cannot be sent/);
  });

  it('is completed by the OpenAPI file of the project, or by the one that was named', async () => {
    assert.equal(await told('--route', 'GET /users'), 'GET /users?page=2 | query page | GET /users');
    const bare = await asked(['--route', 'GET /bare/:id']);
    assert.ok(bare?.source);
    assert.equal(
      requestSourceText(bare.source, folder.path),
      `Request: path id from \`GET /bare/{id}\` in ${join('docs', 'openapi.yml')}. Made up from types: path id. The hosts that the file names are not used.`,
    );
    assert.deepEqual(bare.notes, [
      'The operation requires `token` (`-H "authorization: Bearer …"`). Nodometer does not make that up: add it to the request.',
    ]);
    // A file that was named goes before comments; without an operation, they are asked.
    assert.equal(await told('--route', 'GET /users/:id', '--openapi', 'docs/openapi.yml'), 'GET /users/8 | path id | GET /users/{id}');
    assert.equal(await told('--openapi', 'other/own.json'), 'GET /?q=x | query q | GET /');
    const other = await asked(['--route', 'GET /users/:id', '--openapi', 'other/own.json']);
    assert.deepEqual(
      [other?.request.path, other?.notes],
      ['/users/{n}', [`\`${join('other', 'own.json')}\` has no operation \`GET /users/:id\`.`]],
    );
  });

  it('is refused with what to do, where a parameter has no value or a file that was named cannot be read', async () => {
    const cases: [argv: string[], says: RegExp][] = [
      [
        ['--route', 'GET /typo/:id'],
        /^`GET \/typo\/:id` has a parameter without a value: `id`\. Specify a path with values \(`--route "GET \/typo\/1"`\), add a comment above the handler \(`\/\*\* @profile GET \/typo\/1 \*\/`\)/,
      ],
      [['--route', 'PUT /bare/:id/{x}'], /has parameters without a value: `id`, `x`\. .*"PUT \/bare\/1\/1"/],
      [['--route', 'GET /users/:id', '--openapi', 'gone.yaml'], /^File not found: `gone\.yaml`\.$/],
      [['--route', 'GET /users/:id', '--openapi', 'other'], /^`other` is a folder\.$/],
      [['--route', 'GET /users/:id', '--openapi', 'other/broken.yaml'], /^`other.broken\.yaml` is not valid YAML \(line 1\)\.$/],
    ];
    for (const [argv, says] of cases)
      await assert.rejects(asked(argv), (error: Error) => says.test(error.message) || assert.fail(error.message), argv.join(' '));
    assert.throws(
      () => parseCompareLoadArguments(['--load', '--fix', 'no-sync-in-handler', 'a.js:f', '--openapi', 'a.yaml']),
      /requires `--route`/,
    );
  });

  it('takes no comment of another program with the same route, and says that a file is broken', async () => {
    await assert.rejects(
      asked(['--route', 'GET /x/:id'], join(monorepo.path, 'a')),
      /^CommandError: `swagger\.json` is not valid JSON.*\. `GET \/x\/:id` has a parameter without a value/,
    );
    assert.equal((await asked(['--route', 'GET /x/:id'], join(monorepo.path, 'b')))?.request.path, '/x/9');
    const broken = await asked(['--route', 'GET /x/1'], join(monorepo.path, 'a'));
    assert.match(String(broken?.notes), /^`swagger\.json` is not valid JSON/);
  });

  it('does without an OpenAPI file that takes too long, and says so', async () => {
    const search = {
      typed: { method: 'GET', path: '/users', headers: {} },
      folders: [folder.path],
      cwd: folder.path,
      routes: () => Promise.resolve([]),
      factsOf: () => undefined,
    };
    const inTime = await loadRequestOf({ ...search, limited: withinOneLimit(EDITOR_LIMIT_MS) });
    assert.equal(inTime.ok && inTime.request.path, '/users?page=2');
    const slow = await loadRequestOf({ ...search, limited: withinOneLimit(0) });
    assert.deepEqual(slow, {
      ok: true,
      request: { method: 'GET', path: '/users' },
      notes: [`\`${join('docs', 'openapi.yml')}\` takes too long to read.`],
    });
  });

  it('does without comments where the configuration cannot be used', async () => {
    const mistaken = folderWith({ ...FILES, 'lib/nodometer.config.json': '{ "rules": { "no-such-rule": "off" } }' });
    try {
      const one = await asked(['--route', 'GET /users/:id'], mistaken.path);
      const said = `Comments above handlers were not read: ${join('lib', 'nodometer.config.json')}:1 has a mistake.`;
      assert.deepEqual([one?.request.path, one?.notes], ['/users/8', [said]]);
    } finally {
      mistaken.dispose();
    }
  });

  it('is that of a route as the project has it, where its path can be said', () => {
    const cases: [route: string, path: string | undefined][] = [
      ['GET /users/:id(\\d+)', 'GET /users/{p0}'],
      ['ALL /a/:b/:c?, /d', 'GET /a/{p0}/{p1}'],
      ['POST /files/*path', 'POST /files/{p0}'],
      ['GET /h/{n}', 'GET /h/{p0}'],
      ['GET /f/:name.:ending', 'GET /f/{p0}.{p1}'],
      ['GET /u{/:id}', 'GET /u/{p0}'],
      ['GET /u/:id{[0-9]{2}}/a/:b{[a-z]+}?', 'GET /u/{p0}/a/{p1}'],
      ['WS /a', undefined],
      ['middleware', undefined],
    ];
    for (const [route, path] of cases) {
      const typed = typedRoute(route);
      assert.equal(typed && `${typed.method} ${typed.path}`, path, route);
    }
  });

  it('stands in the reports, with what must be known', async () => {
    const source: RequestSource = {
      kind: 'comment',
      file: join('/p', 'a.js'),
      line: 3,
      parts: ['path', 'header x-key'],
      madeUp: [],
      hasHosts: false,
    };
    const side = (name: string) => ({ name, figures: [1], median: 1, p50: 1, p99: 1 });
    const report = {
      ...{ command: 'node a.js', request: { method: 'GET', path: '/' }, node: '20.0.0', connections: 10, measureMs: 2000 },
      ...{ source, notes: ['It needs a token.'] },
      difference: {
        verdict: 'same' as const,
        figure: 'rate' as const,
        first: side('a'),
        second: side('b'),
        ratio: 1,
        low: 1,
        high: 1,
        confidence: 0.997,
        problems: [],
      },
    };
    const text = formatLoadDifference(report, '/p', MARKDOWN);
    assert.match(text, /Request: path, header x-key from the comment at a\.js:3\./);
    assert.match(text, /! It needs a token\./);
    assert.match(
      formatAgentLoadDifference(report, '/p'),
      /\nproblem: It needs a token\.\nRequest: path, header x-key from the comment at a\.js:3\.\ndone: /,
    );
  });

  it('is sent to the server, and nowhere else', async () => {
    const served = folderWith({
      'package.json': '{ "name": "served" }',
      'server.js': dedent`
        require('node:http').createServer((request, response) => {
          let body = '';
          request.on('data', (text) => (body += text)).on('end', () => {
            const isRight = request.url === '/v1/orders/5' && body === '{"sku":"tea"}' && request.headers['x-tenant'] === 'acme';
            response.writeHead(isRight ? 200 : 400).end();
          });
        }).listen(3000);
      `,
      'api/openapi.json': JSON.stringify({
        openapi: '3.0.0',
        servers: [{ url: 'http://192.0.2.1/v1' }],
        paths: {
          '/orders/{id}': {
            put: {
              parameters: [
                { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 5 } },
                { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string', enum: ['acme'] } },
              ],
              requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { sku: { example: 'tea' } } } } } },
            },
          },
        },
      }),
    });
    try {
      const options = ['--duration', '0.5', '--warm-up', '0', '--connections', '2', '--yes', '-f', 'json'];
      const { code, out, err } = await run(['load', '--entry', 'server.js', '--route', 'PUT /v1/orders/:id', ...options], {
        cwd: served.path,
        env: { PATH: process.env.PATH ?? '' },
        rules,
      });
      assert.equal(code, 0, err);
      const report = JSON.parse(out) as LoadReport;
      assert.deepEqual(report.request, { method: 'PUT', path: '/v1/orders/5', headers: { 'x-tenant': 'acme' }, body: '{"sku":"tea"}' });
      assert.deepEqual(report.source?.parts, ['path id', 'header x-tenant', 'body']);
      assert.equal(report.traffic.errorShare, 0);
      const open = await run(['load', '--entry', 'server.js', '--route', 'GET /v1/gone/:id', '--yes'], {
        cwd: served.path,
        env: { PATH: process.env.PATH ?? '' },
        rules,
      });
      assert.deepEqual([open.code, open.out], [2, '']);
      assert.match(open.err, /has a parameter without a value/);
    } finally {
      served.dispose();
    }
  });
});
