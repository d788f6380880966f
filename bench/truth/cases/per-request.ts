// What each request makes, copies, logs, or starts although it need not. The truth is the same program without it, or the clock around it.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { edit, holds, holdsNot, pair, pairOfWork } from '../checks.ts';
import { asked, BODY, pool, served, server, WAIT } from './shared.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, id) => id);
const post = (body: unknown) => `POST / ${JSON.stringify(body)}`;
const items = (count: number) => post({ items: numbers(count).map((id) => ({ id, name: `n${id}`, tags: [id] })), name: 'x' });
const about = (ruleId: string, messageId: string, at: string) => ({ ruleId, messageId, at });

const LOG = "const log = require('node:util').debuglog('shop');";
const LOGGED = dedent`
  const order = await body(req);
  log('order %s', JSON.stringify(order));
  res.end('ok');
`;
const VM = "const vm = require('node:vm');\nconst script = new vm.Script('result = doc.parts.length + 1');";
const FILES = "const fs = require('node:fs/promises');";
const RUN = dedent`
  const { promisify } = require('node:util');
  const run = promisify(require('node:child_process').execFile);
`;
const PARTS = 'await Promise.all(names.map((name) => run(process.execPath, ["-e", "0", name])))';
const READS = 'await Promise.all(names.map((name) => fs.readFile(name).catch(() => null)))';
const NAMES = (count: number) => post({ names: numbers(count).map((id) => `file ${id}`) });
const EACH_USER = "await Promise.all(rows.map((row) => pool.query('SELECT * FROM users WHERE id = $1', [row])))";
const HASHES = "await Promise.all(users.map((user) => scrypt(user.password, 'salt', 64)))";
/** Whose answers take 4 ms. */
const withAxios = ({ files, target }: Pick<TruthCase, 'files' | 'target'>) => ({
  files: {
    ...files,
    'node_modules/axios/index.js': 'exports.get = (url) => new Promise((resolve) => setTimeout(resolve, 4, { data: url }));\n',
    'node_modules/axios/package.json': '{ "name": "axios", "version": "1.0.0", "main": "index.js" }',
  },
  target,
});
const SORTED = "names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))";

export const cases: readonly TruthCase[] = [
  {
    name: 'a copy of a body of 2,000 items that is only read',
    ...served(
      BODY,
      dedent`
        const given = await body(req);
        const copy = structuredClone(given);
        res.end(String(copy.items.length));
      `,
      items(2000),
    ),
    finding: about('no-deep-clone', 'read', 'structuredClone'),
    truth: 'confirmed',
    established: [pairOfWork(edit('structuredClone(given)', 'given'))],
  },
  {
    name: 'a copy of a body of 2,000 items whose top level is changed',
    ...served(
      BODY,
      dedent`
        const given = await body(req);
        const copy = structuredClone(given);
        delete copy.name;
        res.end(String(Object.keys(copy).length));
      `,
      items(2000),
    ),
    finding: about('no-deep-clone', 'shallow', 'structuredClone'),
    truth: 'confirmed',
    established: [pairOfWork(edit('structuredClone(given)', '{ ...given }'))],
  },
  {
    name: 'a text of 2,000 items for a log line that nobody sees',
    ...served(`${BODY}\n${LOG}`, LOGGED, items(2000)),
    finding: about('no-eager-log', 'eager', 'JSON.stringify'),
    truth: 'confirmed',
    established: [pairOfWork(edit("log('order %s', JSON.stringify(order));", "if (log.enabled) log('order %s', JSON.stringify(order));"))],
  },
  {
    name: 'a text of one number for a log line that nobody sees',
    ...served(`${BODY}\n${LOG}`, LOGGED, post({ id: 1 })),
    finding: about('no-eager-log', 'eager', 'JSON.stringify'),
    truth: 'seen',
    established: [pairOfWork(edit("log('order %s', JSON.stringify(order));", "if (log.enabled) log('order %s', JSON.stringify(order));"))],
  },
  {
    name: 'a stack that is printed for each request',
    ...asked(server("console.trace('asked');\nres.end('ok');")),
    finding: about('no-stack-capture', 'printed', 'console.trace'),
    truth: 'confirmed',
    established: [pairOfWork(edit("console.trace('asked');", ''))],
  },
  {
    name: 'an error for a timer, beside a wait of 4 ms',
    ...served(
      WAIT,
      dedent`
        const late = new Error('late');
        const timer = setTimeout(() => req.destroy(late), 1000);
        await wait(4);
        clearTimeout(timer);
        res.end('ok');
      `,
    ),
    finding: about('no-stack-capture', 'early', 'new Error'),
    truth: 'seen',
    established: [pair(edit("const late = new Error('late');\n", ''), edit('req.destroy(late)', "req.destroy(new Error('late'))"))],
  },
  {
    name: '24 processes at once for what a client sends',
    ...served(
      `${BODY}\n${RUN}`,
      dedent`
        const { names } = await body(req);
        ${PARTS};
        res.end(String(names.length));
      `,
      NAMES(24),
      2,
    ),
    finding: about('no-unbounded-fan-out', 'process', 'Promise.all'),
    truth: 'confirmed',
    established: [holds(edit(PARTS, PARTS.replace('names.map(', "__timed('place', () => names.map(").replace(/\)$/, '))')))],
  },
  {
    name: 'all files of a folder at once, which has two',
    ...served(
      FILES,
      dedent`
        const names = await fs.readdir(__dirname);
        ${READS};
        res.end(String(names.length));
      `,
    ),
    finding: about('no-unbounded-fan-out', 'file', 'Promise.all'),
    truth: 'seen',
    established: [holdsNot(edit(READS, READS.replace('names.map(', "__timed('place', () => names.map(").replace(/\)$/, '))')))],
  },
  {
    name: 'a filter of 10,000 numbers that is parsed twice',
    ...served(
      BODY,
      dedent`
        const { text } = await body(req);
        const filter = JSON.parse(text);
        if (filter.length === 0) return res.end('none');
        res.end(String(JSON.parse(text).length));
      `,
      post({ text: JSON.stringify(numbers(10_000)) }),
    ),
    finding: about('no-redundant-work', 'computed', 'String(JSON.parse(text)'),
    truth: 'confirmed',
    established: [pairOfWork(edit('String(JSON.parse(text).length)', 'String(filter.length)'))],
  },
  {
    name: 'rows of 4 ms that nothing uses',
    ...served(pool('wait(4, { rows: [1] })'), "const { rows } = await pool.query('SELECT id FROM users');\nres.end('ok');"),
    finding: about('no-redundant-work', 'unused', 'pool.query('),
    truth: 'confirmed',
    established: [pair(edit("const { rows } = await pool.query('SELECT id FROM users');", ''))],
  },
  {
    name: 'the same query of 3 ms for each of four rows',
    ...served(
      pool('wait(3, { rows: [1, 2, 3, 4] })'),
      dedent`
        const { rows } = await pool.query('SELECT id FROM posts');
        let count = 0;
        for (const row of rows) {
          const kinds = await pool.query('SELECT kind FROM kinds');
          if (kinds.rows.includes(row)) count += 1;
        }
        res.end(String(count));
      `,
    ),
    finding: about('no-redundant-work', 'each', 'SELECT kind'),
    truth: 'confirmed',
    established: [
      pair(
        edit("  const kinds = await pool.query('SELECT kind FROM kinds');\n", ''),
        edit('let count = 0;', "let count = 0;\nconst kinds = await pool.query('SELECT kind FROM kinds');"),
      ),
    ],
  },
  {
    name: 'a query of 4 ms before a check that sends the request away',
    ...served(
      pool('wait(4, { rows: [1] })'),
      dedent`
        const { rows } = await pool.query('SELECT id FROM users');
        if (!req.headers['x-member']) return res.end('no');
        res.end(String(rows.length));
      `,
    ),
    finding: about('no-redundant-work', 'early', 'pool.query('),
    truth: 'confirmed',
    established: [
      pair(
        edit("const { rows } = await pool.query('SELECT id FROM users');\n", ''),
        edit("return res.end('no');", "return res.end('no');\nconst { rows } = await pool.query('SELECT id FROM users');"),
      ),
    ],
  },
  {
    name: 'a context for a script at each request',
    ...served(
      `${BODY}\n${VM}`,
      dedent`
        const doc = await body(req);
        const sandbox = { doc };
        script.runInNewContext(sandbox);
        res.end(String(sandbox.result));
      `,
      post({ parts: [1, 2] }),
    ),
    finding: about('no-setup-per-request', 'context', 'runInNewContext'),
    truth: 'confirmed',
    established: [
      pairOfWork(
        edit('const script =', 'const sandbox = vm.createContext({});\nconst script ='),
        edit('const sandbox = { doc };\n  script.runInNewContext(sandbox);', 'sandbox.doc = doc;\n  script.runInContext(sandbox);'),
      ),
    ],
  },
  {
    name: '500 names sorted by what a language says of numbers',
    ...served(
      BODY,
      dedent`
        const { names } = await body(req);
        ${SORTED};
        res.end(names[0]);
      `,
      NAMES(500),
    ),
    finding: about('no-setup-per-request', 'compared', 'localeCompare'),
    truth: 'confirmed',
    established: [
      pairOfWork(
        edit("names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))", 'names.sort(collator.compare)'),
        edit(
          "const http = require('node:http');",
          "const http = require('node:http');\nconst collator = new Intl.Collator('en', { numeric: true });",
        ),
      ),
    ],
  },
  {
    name: 'the processors counted at each request',
    ...asked(server('res.end(String(os.cpus().length));', "const os = require('node:os');")),
    finding: about('no-slow-api', 'each', 'os.cpus'),
    truth: 'confirmed',
    established: [pairOfWork(edit('os.cpus().length', 'os.availableParallelism()'))],
  },
  {
    name: '1,000 links of a body taken apart by the old parser',
    ...served(
      `${BODY}\nconst url = require('node:url');`,
      dedent`
        const { links } = await body(req);
        const hosts = links.map((link) => url.parse(link).hostname);
        res.end(String(hosts.length));
      `,
      post({ links: numbers(1000).map((id) => `https://example.org/${id}?q=${id}`) }),
    ),
    finding: about('no-slow-api', 'loop', 'url.parse'),
    truth: 'confirmed',
    established: [pairOfWork(edit('url.parse(link)', 'new URL(link)'))],
  },
  {
    name: 'a JSON body of 100 KB that is gathered as text',
    ...asked(
      server(
        dedent`
          let body = '';
          req.on('data', (chunk) => { body += chunk; });
          req.on('end', () => res.end(String(JSON.parse(body).text.length)));
        `,
      ),
      post({ text: 'x'.repeat(100_000) }),
    ),
    finding: about('no-unbounded-json', 'gathered', 'JSON.parse'),
    truth: 'confirmed',
    // Nothing limits the body.
    established: [
      holds(edit('JSON.parse(body)', "(__timed('place', () => JSON.parse('[' + '{},'.repeat(1_000_000) + '{}]')), JSON.parse(body))")),
    ],
  },
  {
    name: 'sums of parts of a list of 20',
    ...served(
      dedent`
        ${BODY}
        function sums(list, n) {
          if (n === 0) return true;
          if (list.length === 0) return false;
          return sums(list.slice(1), n) || sums(list.slice(1), n - list[0]);
        }
      `,
      'const { list, n } = await body(req);\nres.end(String(sums(list, n)));',
      post({ list: numbers(20).map((id) => id + 1), n: 1000 }),
    ),
    finding: about('no-blocking-loop', 'doublingList', 'res.end(String(sums'),
    truth: 'confirmed',
    established: [holds(edit('String(sums(list, n))', "String(__timed('place', () => sums(list, n)))"))],
  },
  {
    name: 'a request of 4 ms for each of six users of a body',
    ...withAxios(
      served(
        `const axios = require('axios');\n${BODY}`,
        dedent`
          const { ids } = await body(req);
          const found = [];
          for (const id of ids) found.push(await axios.get(\`http://users/\${id}\`));
          res.end(String(found.length));
        `,
        post({ ids: numbers(6) }),
      ),
    ),
    finding: about('no-query-per-item', 'http', 'axios.get('),
    truth: 'confirmed',
    established: [
      pair(
        edit(
          'for (const id of ids) found.push(await axios.get(`http://users/${id}`));',
          'found.push(await axios.get(`http://users?ids=${ids}`));',
        ),
      ),
    ],
  },
  {
    name: 'six queries at once on one connection of 3 ms each',
    ...served(
      dedent`
        ${WAIT}
        let last = Promise.resolve();
        const pool = { query: (text, values) => (last = last.then(() => wait(3, { rows: [1, 2, 3, 4, 5, 6] }))) };
      `,
      dedent`
        const { rows } = await pool.query('SELECT id FROM orders');
        const users = ${EACH_USER};
        res.end(String(users.length));
      `,
    ),
    finding: about('no-query-per-item', 'all', 'WHERE id'),
    truth: 'confirmed',
    established: [pair(edit(EACH_USER, "[await pool.query('SELECT * FROM users WHERE id = ANY($1)', [rows])]"))],
  },
  {
    name: 'twelve hashes at once for what a client sends',
    ...served(
      dedent`
        ${BODY}
        const crypto = require('node:crypto');
        const scrypt = require('node:util').promisify(crypto.scrypt);
      `,
      dedent`
        const { users } = await body(req);
        const hashes = ${HASHES};
        res.end(String(hashes.length));
      `,
      post({ users: numbers(12).map((id) => ({ password: `p${id}` })) }),
    ),
    finding: about('no-threadpool-saturation', 'sent', 'Promise.all'),
    truth: 'confirmed',
    established: [
      // A file that is read meanwhile waits for a thread.
      holds(
        edit(
          HASHES,
          `(await Promise.all([...users.map((user) => scrypt(user.password, 'salt', 64)), new Promise((resolve) => { __from('place'); require('node:fs').readFile(__filename, () => { __to('place'); resolve(); }); })]))`,
        ),
      ),
    ],
  },
  {
    name: 'a process for each request, by the shell',
    ...asked(
      server(
        "exec('cd / && perl -e 1 ' + encodeURIComponent(req.url), (error, out) => res.end(out));",
        "const { exec } = require('node:child_process');",
      ),
    ),
    finding: about('no-worker-per-request', 'program', 'exec('),
    truth: 'confirmed',
    established: [pair(edit("exec('cd / && perl -e 1 ' + encodeURIComponent(req.url), (error, out) => res.end(out));", "res.end('');"))],
  },
];
