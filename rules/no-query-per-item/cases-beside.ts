// Queries of each element beside a rest, a message, or a warning that only some elements have, and beside what is no message.
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const MONGOOSE = dedent`
  const app = require('express')();
  const mongoose = require('mongoose');
  const User = mongoose.model('User');

`;
const QUERY = '«User.findById(id)»';
const reported = (name: string, body: readonly string[], ...more: readonly string[]): InvalidCase<'one'> => ({
  name,
  code: `${MONGOOSE}${[
    ...more,
    "app.post('/', async (req, res) => {",
    '  const out = [];',
    '  for (const [i, id] of req.body.ids.entries()) {',
    ...body.map((line) => `    ${line}`),
    '  }',
    '  res.json(out);',
    '});',
  ].join('\n')}\n`,
  findings: [{ messageId: 'one' }],
});

export const besideOthers: readonly InvalidCase<'one'>[] = [
  reported('a rest after every thousandth element', [`out.push(await ${QUERY});`, 'if (i % 1000 === 999) await sleep(10);']),
  reported('a rest only where nothing is found', [
    `const user = await ${QUERY};`,
    'if (!user) {',
    '  await new Promise((resolve) => setTimeout(resolve, 1000));',
    '  continue;',
    '}',
    'out.push(user.name);',
  ]),
  reported('a rest before the answer that ends the loop', [
    `const user = await ${QUERY};`,
    'if (!user) {',
    '  await sleep(200);',
    '  return res.status(404).end();',
    '}',
    'out.push(user.name);',
  ]),
  reported('a message for some of the elements', [`out.push(await ${QUERY});`, 'if (req.body.urgent.includes(id)) await mailer.send(id);']),
  reported(
    'a read of a Map',
    ['const name = await fetchName(id);', `out.push([name, await ${QUERY}]);`],
    'const names = new Map();',
    'const fetchName = async (id) => names.get(id);',
  ),
  reported('a read of another service by a bare `send`, which may be a database', [
    `const user = await ${QUERY};`,
    "out.push(user, await store.send(new GetCommand({ TableName: 'teams', Key: { id } })));",
  ]),
  reported(
    'a command of Redis is no message',
    ["out.push(await redis.sendCommand(['HGETALL', id]));", `out.push(await ${QUERY});`],
    "const redis = require('redis').createClient();",
  ),
  reported(
    'a function that sounds like a message, and adds a row',
    [`out.push(await ${QUERY});`, 'await sendAlert(id);'],
    "const sendAlert = (id) => mongoose.model('Alert').create({ id });",
  ),
  {
    name: 'two helpers that ask the database',
    code: dedent`
      ${MONGOOSE}const fetchUser = (id) => User.findById(id);
      const fetchTeam = (id) => mongoose.model('Team').findById(id);
      app.post('/', async (req, res) => {
        const out = [];
        for (const id of req.body.ids) {
          const user = await «fetchUser(id)»;
          const team = await fetchTeam(id);
          out.push({ user, team });
        }
        res.json(out);
      });
    `,
    findings: [{ messageId: 'one' }],
  },
  reported('an error is logged where the environment says so, with what was found', [
    "if (process.env.DEBUG !== 'x') {",
    `  const user = await ${QUERY};`,
    '  console.error(user);',
    '  out.push(user);',
    '}',
  ]),
  reported('a log in front of the query, unless the environment turns it off', [
    'if (!process.env.QUIET) {',
    "  console.error('looking for', id);",
    `  out.push(await ${QUERY});`,
    '}',
  ]),
];
