import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ProjectInfo } from '../../protocol/project.ts';

const EXPRESS = "const app = require('express')();\nconst os = require('node:os');\n";
const JWT = dedent`
  const app = require('express')();
  const jwt = require('jsonwebtoken');
  const { readFileSync } = require('node:fs');
  const { createPublicKey } = require('node:crypto');

`;
const verify = (key: string, options: string): string =>
  `app.get('/me', (req, res) => res.json(jwt.verify(req.get('authorization'), ${key}${options})));`;
const RS = ", { algorithms: ['RS256'] }";
const withVersion = (version: string): Pick<ProjectInfo, 'manifest'> => ({
  manifest: { bin: [], scripts: {}, dependencies: { jsonwebtoken: version }, devDependencies: {}, private: true },
});

export const cases: RuleCases<'each' | 'loop'> = {
  valid: [
    { name: 'asked for once', code: `${EXPRESS}const count = os.cpus().length;\napp.get('/', (req, res) => res.json(count));` },
    { name: 'not on a request path', code: `${EXPRESS}function workers() { return os.cpus().length; }\nmodule.exports = workers();` },
    {
      name: 'the times of the processors, which change',
      code: `${EXPRESS}app.get('/', (req, res) => res.json(os.cpus().map((one) => one.times)));`,
    },
    {
      name: 'another function with this name',
      code: dedent`
        ${EXPRESS}const shop = { cpus: () => [] };
        app.get('/', (req, res) => res.json(shop.cpus().length));
      `,
    },
    {
      name: 'only Node 18, which was not measured',
      project: { nodeRange: '18.x' },
      code: `${EXPRESS}app.get('/', (req, res) => res.json(os.cpus().length));`,
    },
    {
      name: 'at the first request only',
      code: dedent`
        ${EXPRESS}let count;
        app.get('/', (req, res) => { count ??= os.cpus().length; res.json(count); });
      `,
    },
    {
      name: 'a URL per request: 1 µs',
      code: dedent`
        const app = require('express')();
        const url = require('node:url');
        app.get('/', (req, res) => res.json(url.parse(req.url).pathname));
      `,
    },
    {
      name: 'with its query: not measured',
      code: dedent`
        const app = require('express')();
        const url = require('node:url');
        app.post('/', (req, res) => res.json(req.body.links.map((link) => url.parse(link, true).query)));
      `,
    },
    {
      name: 'a short loop',
      code: dedent`
        const app = require('express')();
        const url = require('node:url');
        app.post('/', (req, res) => { for (let i = 0; i < 5; i++) req.body[i] = url.parse(req.body[i]); res.end(); });
      `,
    },
    {
      name: 'one ID',
      code: dedent`
        const app = require('express')();
        const { randomBytes } = require('node:crypto');
        app.post('/', (req, res) => res.json(randomBytes(16).toString('hex')));
      `,
    },
    {
      name: 'longer, and in another form',
      code: dedent`
        const app = require('express')();
        const { randomBytes } = require('node:crypto');
        app.post('/', (req, res) => res.json(req.body.users.map(() => [randomBytes(32).toString('hex'), randomBytes(16).toString('base64')])));
      `,
    },
    {
      name: 'said to be slow, and not measured to be so',
      code: dedent`
        const app = require('express')();
        app.post('/', (req, res) => res.json(req.body.lines.map((line) => structuredClone({ n: parseInt(line, 10), last: line.at(-1) }))));
      `,
    },
    { name: 'a secret', code: `${JWT}${verify('process.env.JWT_SECRET', RS)}` },
    { name: 'a key that is kept', code: `${JWT}const key = createPublicKey(readFileSync('public.pem'));\n${verify('key', RS)}` },
    { name: 'a key of the request', code: `${JWT}${verify('req.tenant.key', RS)}` },
    {
      name: 'an algorithm that was not measured',
      code: `${JWT}const key = readFileSync('public.pem');\n${verify('key', ", { algorithms: ['ES256'] }")}`,
    },
    { name: 'no algorithm, so no kind of key', code: `${JWT}const key = readFileSync('public.pem');\n${verify('key', '')}` },
    {
      name: 'jsonwebtoken 8 parses each time',
      project: withVersion('^8.5.1'),
      code: `${JWT}const key = readFileSync('public.pem');\n${verify('key', RS)}`,
    },
  ],
  invalid: [
    {
      name: 'the processors at each request',
      code: `${EXPRESS}app.get('/share', (req, res) => res.json(Number(req.query.jobs) / «os.cpus()».length));`,
      findings: [
        {
          messageId: 'each',
          severity: 'hint',
          route: 'GET /share',
          data: { slow: '75 to 80 µs', fast: 'less than 0.1 µs', ratio: 'more than 100 times as fast', node: 'Node 20 to 26' },
        },
      ],
    },
    {
      name: 'the figures of the one version that the project runs on',
      project: { nodeRange: '24.x' },
      code: `${EXPRESS}app.get('/share', (req, res) => res.json(«os.cpus()».length));`,
      findings: [{ messageId: 'each', data: { slow: '75 µs', node: 'Node 24' } }],
    },
    {
      name: 'in a helper, imported by name',
      code: dedent`
        import express from 'express';
        import { cpus } from 'os';
        const app = express();
        const count = () => «cpus()».length;
        app.get('/', (req, res) => res.json(count()));
      `,
      findings: [{ messageId: 'each' }],
    },
    {
      name: 'a key from a file',
      code: dedent`
        ${JWT}const key = readFileSync('keys/public.pem', 'utf8');
        app.get('/me', (req, res) => res.json(«jwt.verify(req.get('authorization'), key, { algorithms: ['RS256'] })»));
      `,
      findings: [{ messageId: 'each', data: { other: 'a key that is kept', slow: '87 to 250 µs', fast: '36 to 51 µs' } }],
    },
    {
      name: 'a key of the environment, with jsonwebtoken 9',
      project: withVersion('^9.0.2'),
      code: `${JWT}app.get('/me', (req, res) => res.json(«jwt.verify(req.get('authorization'), process.env.JWT_PUBLIC_KEY.replace(/\\\\n/g, '\\n'), { algorithms: ['RS256'] })»));`,
      findings: [{ messageId: 'each' }],
    },
    {
      name: 'signed with ES256',
      code: `${JWT}app.get('/token', (req, res) => res.send(«jwt.sign({ id: req.user.id }, process.env.PRIVATE_KEY, { algorithm: 'ES256' })»));`,
      findings: [{ messageId: 'each', data: { call: 'jsonwebtoken.sign' } }],
    },
    {
      name: 'a list of links',
      code: dedent`
        const app = require('express')();
        const url = require('node:url');
        app.post('/', (req, res) => res.json(req.body.links.map((link) => «url.parse(link)».hostname)));
      `,
      findings: [{ messageId: 'loop', data: { ratio: '2.9 to 4.5 times as fast', slow: '1.6 to 1.8 µs' } }],
    },
    {
      name: 'an ID for each line',
      code: dedent`
        const app = require('express')();
        const crypto = require('crypto');
        app.post('/', (req, res) => { for (const line of req.body.lines) line.id = «crypto.randomBytes(16)».toString('hex'); res.end(); });
      `,
      findings: [{ messageId: 'loop', data: { other: 'crypto.randomUUID()' } }],
    },
  ],
};
