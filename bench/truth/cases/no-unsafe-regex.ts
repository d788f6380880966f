// Regular expressions that backtrack, on texts that make them and on texts that do not.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { edit, holds, neverRuns } from '../checks.ts';
import { asked, BUSY, moduleServer, program, server } from './shared.ts';

const finding = (at: string, messageId = 'exponential') => ({ ruleId: 'no-unsafe-regex', messageId, at });
const timed = (call: string) => edit(call, `__timed('place', () => ${call})`);
const hit = (call: string) => edit(call, `(__hit('place'), ${call})`);
/** Requests may bring other texts than those of the run: one that is known to take long is put in by hand. */
const attacked = (call: string, ...without: [text: string, attack: string]) =>
  holds(edit(call, `__timed('place', () => ${call.replace(...without)})`));
const SLOW = "'0'.repeat(25)";
const TEXT = "const text = new URL(req.url, 'http://a').searchParams.get('text');";
const ATTACK = `GET /?text=${'0'.repeat(22)}`;
const MARKED = 'const MARKED = /^([0-9]+)+!$/;';

export const cases: readonly TruthCase[] = [
  {
    name: 'above its handler, and the text makes it',
    ...asked(server(`${TEXT}\nres.end(String(MARKED.test(text)));`, MARKED), ATTACK),
    finding: finding('const MARKED'),
    truth: 'confirmed',
    established: [holds(timed('MARKED.test(text)'))],
    inCi: true,
  },
  {
    name: 'above its handler, and the text matches at once',
    ...asked(server(`${TEXT}\nres.end(String(MARKED.test(text)));`, MARKED), 'GET /?text=12!'),
    finding: finding('const MARKED'),
    truth: 'confirmed',
    established: [attacked('MARKED.test(text)', 'text', SLOW)],
    inCi: true,
  },
  {
    name: 'the text matches at once, beside a busy wait',
    ...asked(
      server(
        dedent`
          ${TEXT}
          const is = MARKED.test(text);
          busy(80);
          res.end(String(is));
        `,
        `${MARKED}\n${BUSY}`,
      ),
      'GET /?text=12!',
    ),
    finding: finding('const MARKED'),
    truth: 'confirmed',
    established: [attacked('MARKED.test(text)', 'text', SLOW)],
  },
  {
    name: 'never come to, beside a busy wait',
    ...asked(
      server(
        dedent`
          ${TEXT}
          if (req.url.startsWith('/check')) return res.end(String(/^([0-9]+)+!$/.test(text)));
          busy(80);
          res.end('ok');
        `,
        BUSY,
      ),
      ATTACK,
    ),
    finding: finding('/^([0-9]'),
    truth: 'not-reached',
    established: [neverRuns(hit('/^([0-9]+)+!$/.test(text)'))],
    inCi: true,
  },
  {
    name: 'above its handler, and never come to',
    ...asked(
      server(
        dedent`
          ${TEXT}
          if (req.method === 'POST') return res.end(String(MARKED.test(text)));
          res.end('ok');
        `,
        MARKED,
      ),
      ATTACK,
    ),
    finding: finding('const MARKED'),
    truth: 'not-reached',
    established: [neverRuns(hit('MARKED.test(text)'))],
  },
  {
    name: 'never come to, and another expression holds',
    ...asked(
      server(
        dedent`
          ${TEXT}
          if (req.url.startsWith('/names')) return res.end(String(NAMES.test(text)));
          res.end(String(MARKED.test(text)));
        `,
        `${MARKED}\nconst NAMES = /^([a-z]+)+$/;`,
      ),
      ATTACK,
    ),
    finding: finding('const NAMES'),
    truth: 'not-reached',
    established: [neverRuns(hit('NAMES.test(text)'))],
  },
  {
    name: 'used on two texts, and the second makes it',
    ...asked(
      server(
        dedent`
          ${TEXT}
          const first = MARKED.test(req.url);
          res.end(String(first && MARKED.test('')) + String(text.match(MARKED)));
        `,
        MARKED,
      ),
      ATTACK,
    ),
    finding: finding('const MARKED'),
    truth: 'confirmed',
    established: [holds(timed('text.match(MARKED)'))],
  },
  {
    name: 'in place, in an ES module',
    ...asked(moduleServer(`${TEXT}\nres.end(String(/^(\\w+\\s?)*$/.test(text)));`), `GET /?text=${'a'.repeat(22)}-`, 'a.mjs'),
    finding: finding('/^(\\w+'),
    truth: 'confirmed',
    established: [holds(timed('/^(\\w+\\s?)*$/.test(text)'))],
  },
  {
    name: 'in TypeScript, behind a helper',
    ...asked(
      dedent`
        import http from 'node:http';
        import type { IncomingMessage, ServerResponse } from 'node:http';
        const isName = (text: string | null): boolean => /^([a-z]+)+$/.test(text ?? '');
        function handle(req: IncomingMessage, res: ServerResponse): void {
          const text: string | null = new URL(req.url ?? '/', 'http://a').searchParams.get('text');
          res.end(String(isName(text)));
        }
        http.createServer(handle).listen(3000);
      `,
      `GET /?text=${'a'.repeat(22)}-`,
      'a.mts',
    ),
    finding: finding('const isName'),
    // Older Nodes need a loader for it.
    truth: { 22: 'confirmed', 24: 'confirmed', 26: 'confirmed' },
    established: [holds(timed("/^([a-z]+)+$/.test(text ?? '')"))],
  },
  {
    name: 'made with `new`',
    ...asked(server(`${TEXT}\nres.end(String(new RegExp('^(a+)+$', 'i').test(text)));`), `GET /?text=${'a'.repeat(22)}-`),
    finding: finding('new RegExp'),
    truth: 'confirmed',
    established: [holds(timed("new RegExp('^(a+)+$', 'i').test(text)"))],
  },
  {
    name: 'in a table of patterns, by its key',
    ...asked(
      server(`${TEXT}\nres.end(String(patterns.marked.test(text)));`, 'const patterns = { marked: /^([0-9]+)+!$/, host: /^[a-z.]+$/ };'),
      ATTACK,
    ),
    finding: finding('const patterns'),
    truth: 'confirmed',
    established: [holds(timed('patterns.marked.test(text)'))],
  },
  {
    name: 'behind a second name',
    ...asked(
      server(
        dedent`
          ${TEXT}
          const is = isMarked(text);
          res.end(String(is));
        `,
        dedent`
          ${MARKED}
          function isMarked(text) {
            return MARKED.exec(text) !== null;
          }
        `,
      ),
      ATTACK,
    ),
    finding: finding('const MARKED'),
    truth: 'confirmed',
    established: [holds(timed('MARKED.exec(text)'))],
  },
  {
    name: 'the third power, on a long text',
    ...asked(server(`${TEXT}\nres.end(text.replace(/.*.*=.*/, ''));`), `GET /?text=${'x'.repeat(500)}`),
    finding: finding('/.*.*=', 'polynomial'),
    truth: 'confirmed',
    established: [holds(timed("text.replace(/.*.*=.*/, '')"))],
  },
  {
    name: 'the third power, on a short text',
    ...asked(server(`${TEXT}\nres.end(text.replace(/.*.*=.*/, ''));`), 'GET /?text=a=b'),
    finding: finding('/.*.*=', 'polynomial'),
    truth: 'confirmed',
    established: [attacked("text.replace(/.*.*=.*/, '')", 'text', "'x'.repeat(600)")],
  },
  {
    name: 'the square, on a short text of a body without a limit',
    ...asked(
      server(
        dedent`
          let body = '';
          req.on('data', (piece) => {
            body += piece;
          });
          req.on('end', () => {
            res.end(body.replace(/\\s+$/, ''));
          });
        `,
      ),
      'POST /',
    ),
    finding: finding('/\\s+$/', 'quadratic'),
    truth: 'confirmed',
    established: [attacked("body.replace(/\\s+$/, '')", 'body', "('a' + ' '.repeat(12_000) + 'a')")],
  },
  {
    name: 'the square, in a function that a table picks',
    ...program(
      dedent`
        const http = require('node:http');
        const express = require('express');
        const app = express();
        app.use(express.json());
        const kinds = { plain: (text) => text.replace(/\\s+$/, '') };
        app.post('/notes', (req, res) => res.send(kinds[req.query.kind](req.body.text)));
        const body = JSON.stringify({ text: 'a' + ' '.repeat(12_000) + 'a' });
        const server = app.listen(0, () => ask(2));
        function ask(left) {
          if (left === 0) return server.close();
          const headers = { 'content-type': 'application/json', connection: 'close' };
          const options = { method: 'POST', port: server.address().port, path: '/notes?kind=plain', headers };
          http.request(options, (res) => res.resume().once('end', () => ask(left - 1))).end(body);
        }
      `,
    ),
    finding: finding('/\\s+$/', 'passed'),
    truth: 'confirmed',
    established: [holds(timed("text.replace(/\\s+$/, '')"))],
  },
  {
    name: 'the square, never come to',
    files: {
      'a.js': server(
        dedent`
          let body = '';
          req.on('data', (piece) => {
            body += piece;
          });
          req.on('end', () => {
            if (req.method === 'PUT') res.end(body.replace(/\\s+$/, ''));
            else res.end('ok');
          });
        `,
      ),
    },
    target: { file: 'a.js', function: 'handle', requests: ['POST /'] },
    finding: finding('/\\s+$/', 'quadratic'),
    truth: 'not-reached',
    established: [neverRuns(hit("res.end(body.replace(/\\s+$/, ''))"))],
  },
  {
    name: 'a text of the source',
    ...asked(server(`const text = '${'a'.repeat(24)}!';\nres.end(String(/^([a-z]+)+$/.test(text)));`)),
    finding: finding('/^([a-z]', 'constant'),
    truth: 'confirmed',
    established: [holds(timed('/^([a-z]+)+$/.test(text)'))],
  },
  {
    name: 'a text of the source, never come to',
    ...asked(
      server(
        dedent`
          const text = '${'a'.repeat(24)}!';
          if (req.method === 'PUT') return res.end(String(/^([a-z]+)+$/.test(text)));
          res.end('ok');
        `,
      ),
    ),
    finding: finding('/^([a-z]', 'constant'),
    truth: 'not-reached',
    established: [neverRuns(hit('/^([a-z]+)+$/.test(text)'))],
  },
  {
    name: 'the program asks itself',
    ...program(
      dedent`
        const http = require('node:http');
        const MARKED = /^([0-9]+)+!$/;
        const server = http.createServer((req, res) => {
          res.end(String(MARKED.test(req.url.slice(1))));
        });
        let left = 3;
        const ask = () => http.get({ port: server.address().port, path: '/00000000000000000000000' }, (res) => {
          res.resume().once('end', () => (left-- > 0 ? ask() : server.close()));
        });
        server.listen(0, ask);
      `,
    ),
    finding: finding('const MARKED'),
    truth: 'confirmed',
    established: [holds(timed('MARKED.test(req.url.slice(1))'))],
  },
  {
    name: 'the pattern of a schema, tried by its package',
    files: {
      'a.js': server(
        `${TEXT}\nres.end(String(schema.validate(text)));`,
        "const Joi = require('joi');\nconst schema = Joi.string().pattern(/^([0-9]+)+!$/);",
      ),
      'package.json': '{ "name": "case", "version": "1.0.0", "private": true, "dependencies": { "joi": "17" } }',
      'node_modules/joi/package.json': '{ "name": "joi", "version": "17.0.0", "main": "index.js" }',
      'node_modules/joi/index.js':
        'exports.string = () => ({ pattern: (expression) => ({ validate: (text) => expression.test(text) }) });\n',
    },
    target: { file: 'a.js', function: 'handle', requests: [ATTACK] },
    finding: finding('const schema', 'schema'),
    truth: 'confirmed',
    established: [holds(timed('schema.validate(text)'))],
  },
];
