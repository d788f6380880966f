// Short reads beside what takes longer: they are reported, and not converted.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { InvalidCase } from '../../../analysis/testing/rule-tester.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };
const REFUSED = { messageId: 'blocks', fixes: [], refused: ['waits for takes much longer'] } as const;

const CONVERTED = dedent`
  import fs from 'node:fs';
  import express from 'express';
  const app = express();
  app.post('/a', async (req, res) => {
    const rows = «fs.readFileSync(req.document.path, 'utf8')»;
    await fetch('https://imports.example.com', { method: 'POST', body: rows });
    res.end();
  });
  app.post('/b', async (req, res) => {
    const image = «fs.readFileSync(req.query.picture)»;
    await fetch('https://models.example.com', { method: 'POST', body: image });
    res.end();
  });
  app.get('/c', async (req, res) => {
    if (req.query.isOwn) {
      const text = «fs.readFileSync(req.query.name, 'utf8')»;
      return res.send(text);
    }
    const answer = await fetch('https://pages.example.com');
    res.send(await answer.text());
  });
  app.get('/d', async (req, res) => {
    const found = [];
    for (const name of req.query.names) found.push(«fs.readFileSync(name, 'utf8')»);
    await fetch('https://pages.example.com', { method: 'POST', body: found.join() });
    res.end();
  });
`;

/** With one of the reads as a promise. */
function awaitedAt(place: number): string {
  let at = 0;
  return CONVERTED.replaceAll(/«fs\.readFileSync(.*?)»/g, (_, rest: string) =>
    at++ === place ? `await fs.promises.readFile${rest}` : `fs.readFileSync${rest}`,
  );
}

const LOADS = dedent`
  import { spawn } from 'node:child_process';
  import fs from 'node:fs';
  import express from 'express';
  const app = express();
`;

export const shortReadCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  {
    name: 'texts and listings beside a request, a child process, or two queries',
    code: dedent`
      import { execFile } from 'node:child_process';
      import fs from 'node:fs';
      import { promisify } from 'node:util';
      import express from 'express';
      import { Pool } from 'pg';
      const app = express();
      const pool = new Pool();
      const run = promisify(execFile);
      app.get('/a', async (req, res) => {
        const prompt = «fs.readFileSync(req.query.name, 'utf8')»;
        if (!prompt) return res.status(404).end();
        const answer = await fetch('https://models.example.com', { method: 'POST', body: prompt });
        res.json(await answer.json());
      });
      app.get('/b', async (req, res) => {
        const { rows } = await pool.query('SELECT name FROM users WHERE id = $1', [req.query.id]);
        const other = await pool.query('SELECT name FROM orders WHERE id = $1', [rows[0].name]);
        res.json([other, «fs.readdirSync(req.query.folder)»]);
      });
    `,
    project: EXPRESS_5,
    findings: [REFUSED, REFUSED],
  },
  {
    name: 'what may be large, or is repeated, and what waits only where the read does not run',
    code: CONVERTED,
    project: EXPRESS_5,
    findings: [0, 1, 2, 3].map((place) => ({ messageId: 'blocks', fixes: [{ kind: 'suggestion', output: awaitedAt(place) }] })),
  },
  ...(
    [
      [
        'a program that runs on for itself',
        `app.get('/', async (req, res) => {
        const text = «fs.readFileSync(req.query.name, 'utf8')»;
        spawn('logger', [text.length], { detached: true }).unref();
        res.send(text);
      });`,
      ],
      [
        'a request in the other arm',
        `app.get('/', async (req, res) => {
        const text = req.query.own ? «fs.readFileSync(req.query.name, 'utf8')» : await (await fetch('https://pages.example.com')).text();
        res.send(text.trim());
      });`,
      ],
      [
        'a function of the file that is named as if it sent a request',
        `const cache = new Map();
      async function fetchFromMemory(text) { return cache.get(text) ?? text; }
      app.get('/', async (req, res) => {
        const text = «fs.readFileSync(req.query.name, 'utf8')»;
        const all = await fetchFromMemory(text);
        res.send(all.trim());
      });`,
      ],
      [
        'a request behind an answer',
        `app.get('/', async (req, res) => {
        const text = «fs.readFileSync(req.query.name, 'utf8')»;
        if (!text.includes(req.query.q)) return res.send(text.trim());
        const answer = await fetch('https://pages.example.com');
        res.send(await answer.text());
      });`,
      ],
      [
        'more than the first bytes of a file',
        `app.get('/', async (req, res) => {
        const bytes = «fs.readFileSync(req.query.name)»;
        res.json([bytes[0], bytes.subarray(0, 900000000).toString()]);
      });`,
      ],
    ] as const
  ).map(
    ([name, code]): InvalidCase<'blocks' | 'blocksOnce'> => ({
      name,
      code: `${LOADS}\n${code}\n`,
      project: EXPRESS_5,
      findings: [
        {
          messageId: 'blocks',
          fixes: [{ kind: 'suggestion', output: `${LOADS}\n${code}\n`.replace(/«fs\.readFileSync(.*?)»/, 'await fs.promises.readFile$1') }],
        },
      ],
    }),
  ),
  {
    name: 'a helper that a loop of its caller runs',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      function readOne(name) { return «fs.readFileSync(name, 'utf8')»; }
      app.get('/', async (req, res) => {
        const out = [];
        for (const name of req.query.names) out.push(readOne(name));
        await fetch('https://pages.example.com', { method: 'POST', body: out.join() });
        res.end();
      });
    `,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();
              async function readOne(name) { return await fs.promises.readFile(name, 'utf8'); }
              app.get('/', async (req, res) => {
                const out = [];
                for (const name of req.query.names) out.push(await readOne(name));
                await fetch('https://pages.example.com', { method: 'POST', body: out.join() });
                res.end();
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a file of which only the first bytes are used',
    code: dedent`
      import fs from 'node:fs';
      import express from 'express';
      const app = express();
      app.get('/a', (req, res) => {
        const bytes = «fs.readFileSync(req.query.name)»;
        if (bytes.length < 4) return res.end();
        const head = bytes.subarray(0, Math.min(512, bytes.length)).toString();
        res.json([bytes[0] === 0x25, head.startsWith('<')]);
      });
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', fixes: [], refused: ['only the first bytes are used'] }],
  },
];
