// Jobs of the thread pool that a request starts all at once. The truth is a clock around a file that the same process reads meanwhile.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { edit, holds, holdsNot, neverRuns } from '../checks.ts';
import { asked, BODY, called, served, server } from './shared.ts';

const finding = (messageId: string, at: string) => ({ ruleId: 'no-threadpool-saturation', messageId, at });

const CRYPTO = "const crypto = require('node:crypto');";
const SCRYPT = `${CRYPTO}\nconst scrypt = require('node:util').promisify(crypto.scrypt);`;
const users = (count: number) => `POST / ${JSON.stringify({ users: Array.from({ length: count }, (_, id) => ({ password: `p${id}` })) })}`;

const READ = "__from('place'); require('node:fs').readFile(__filename, () => __to('place'));";
/** A file is read right behind the jobs, which have all been started by then. */
const readsBehind = (statement: string) => [edit(statement, READ)];
const EACH = "const jobs = users.map((user) => scrypt(user.password, 'salt', 64));";
const ALL = 'const hashes = await Promise.all(jobs);';
const ONE = "const hashes = await Promise.all(users.map((user) => scrypt(user.password, 'salt', 64)));";
const SPLIT = edit(ONE, `${EACH} ${READ} ${ALL}`);

/** As many as the text says, one callback for all of them. */
const counted = (count: number, iterations: number) =>
  dedent`
    let left = ${count};
    for (let i = 0; i < ${count}; i++) crypto.pbkdf2('secret', 'salt', ${iterations}, 64, 'sha512', () => {
      if (--left === 0) res.end('done');
    });
    /* behind */
  `;

export const cases: readonly TruthCase[] = [
  {
    name: 'six long hashes at once, with a callback',
    ...asked(server(counted(6, 100_000), CRYPTO)),
    finding: finding('count', 'crypto.pbkdf2'),
    truth: 'confirmed',
    established: [holds(...readsBehind('/* behind */'))],
  },
  {
    name: 'six hashes of one round at once, with a callback',
    ...asked(server(counted(6, 1), CRYPTO)),
    finding: finding('count', 'crypto.pbkdf2'),
    truth: 'seen',
    established: [holdsNot(...readsBehind('/* behind */'))],
  },
  {
    name: 'eight hashes at once for a list from elsewhere',
    ...served(
      dedent`
        ${SCRYPT}
        const load = async () => Array.from({ length: 8 }, (_, id) => ({ password: 'p' + id }));
      `,
      dedent`
        const users = await load();
        ${ONE}
        res.end(String(hashes.length));
      `,
    ),
    finding: finding('list', 'Promise.all'),
    truth: 'confirmed',
    established: [holds(SPLIT)],
  },
  {
    name: 'two hashes at once for what a client sends',
    ...served(
      `${BODY}\n${SCRYPT}`,
      dedent`
        const { users } = await body(req);
        ${ONE}
        res.end(String(hashes.length));
      `,
      users(2),
    ),
    finding: finding('sent', 'Promise.all'),
    truth: 'seen',
    established: [holdsNot(SPLIT)],
  },
  {
    name: 'three hashes at once for what a client sends, which nobody waits for',
    ...served(
      `${BODY}\n${SCRYPT}`,
      dedent`
        const { users } = await body(req);
        users.forEach((user) => scrypt(user.password, 'salt', 64));
        /* behind */
        setTimeout(() => res.end('soon'), 150);
      `,
      users(3),
    ),
    finding: finding('sent', 'scrypt(user.password'),
    truth: 'seen',
    established: [holdsNot(...readsBehind('/* behind */'))],
  },
  {
    name: 'twelve hashes at once, for another request than those that come',
    ...served(
      `${BODY}\n${SCRYPT}`,
      dedent`
        if (req.method === 'GET') return res.end('ok');
        const { users } = await body(req);
        ${ONE}
        res.end(String(hashes.length));
      `,
    ),
    finding: finding('sent', 'Promise.all'),
    truth: 'not-reached',
    established: [neverRuns(edit(ONE, `__hit('place'); ${ONE}`))],
  },
  {
    name: 'ten hashes at once, by the function that the handler calls',
    ...called(
      `${server(
        dedent`
          const { users } = JSON.parse(req.headers["x-body"]);
          hashAll(users).then((hashes) => res.end(String(hashes.length)));
        `,
        dedent`
          ${SCRYPT}
          async function hashAll(users) {
            ${ONE}
            return hashes;
          }
        `,
      ).replace('.listen(3000)', '.on("x", () => {})')}module.exports = { hashAll };\n`,
      'hashAll',
      "hashAll(Array.from({ length: 10 }, (_, id) => ({ password: 'p' + id })))",
      { rounds: 2 },
    ),
    finding: finding('sent', 'Promise.all'),
    truth: 'confirmed',
    established: [holds(SPLIT)],
  },
];
