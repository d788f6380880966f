// Child processes: what the blocking call gives, with the same errors, an empty standard input, and standard error passed on. Where a
// program does not start, its output is null on Node 20, and undefined from Node 22 on; the fix gives null.
import { dedent } from '../../../analysis/testing/dedent.ts';
import { EXPRESS_4, type FixCase } from '../fix-case.ts';

const RULE = 'no-sync-in-handler';
const APP = dedent`
  const { execSync, execFileSync, spawnSync } = require('child_process');
  const app = require('express')();

`;
// What goes to standard error is part of the answers.
const SERVE = `
let shown = '';
const { write } = process.stderr;
process.stderr.write = (text) => { shown += text; return true; };
app.get('/shown', (req, res) => { res.json(shown); });
app.use((error, req, res, next) => {
  const { status, signal, stdout, stderr, message } = error;
  const told = /spawn/.test(message) ? error.code : message;
  res.status(500);
  res.json({ status, signal, stdout: String(stdout ?? 'none'), stderr: String(stderr ?? 'none'), isBuffer: Buffer.isBuffer(stderr), told });
});
exports.server = require('http').createServer(app);
exports.server.on('close', () => { process.stderr.write = write; });
`;
const SCRIPT = [
  "let input = '';",
  "process.stdin.on('data', (part) => (input += part)).on('end', () => {",
  '  const [, , word, code] = process.argv;',
  '  console.log(`${word} ${input.length} ${process.env.MARK}`);',
  "  if (word === 'noisy') console.error('noise');",
  "  if (word === 'large') console.log('x'.repeat(2000));",
  "  if (word === 'killed') process.kill(process.pid, 'SIGKILL');",
  '  process.exitCode = Number(code);',
  '});',
].join('\n');

const starts = (name: string, body: string, more: Partial<FixCase> = {}): FixCase => ({
  name,
  files: {
    'main.js': dedent`
    ${APP}app.get('/', (req, res) => {
      const word = String(req.query.word);
      ${body}
    });${SERVE}
  `,
  },
  data: { 'child.js': SCRIPT },
  rule: RULE,
  fix: /^Convert to `child_process\./,
  expect: 'same',
  requests: [
    { path: '/?word=plain&code=0' },
    { path: '/?word=noisy&code=0' },
    { path: '/?word=plain&code=3' },
    { path: '/?word=noisy&code=3' },
    { path: '/?word=killed' },
    [{ path: '/?word=a&code=0' }, { path: '/?word=b&code=1' }],
    { path: '/shown' },
  ],
  ...more,
});

const refused = (name: string, body: string, reason: RegExp): FixCase => starts(name, body, { expect: { refused: reason } });

const COMMAND = '`"${process.execPath}" child.js ${word} ${Number(req.query.code)}`';
const ARGUMENTS = "['child.js', word, String(req.query.code)]";

export const processCases: readonly FixCase[] = [
  starts('a command, as bytes', `const out = execSync(${COMMAND});\n  res.json([Buffer.isBuffer(out), out.toString()]);`),
  starts('a command, as text', `res.json(execSync(${COMMAND}, { encoding: 'utf8' }).trim().split(' '));`),
  starts('a command, in Express 4', `res.send(execSync(${COMMAND}, { encoding: 'utf8' }));`, { manifest: EXPRESS_4 }),
  starts(
    'a command whose errors are answered',
    dedent`
      try {
          res.send(execSync(${COMMAND}, { stdio: 'pipe' }));
        } catch (error) {
          res.status(400).send([error.status, error.message, String(error.stderr), String(error.stdout)].join('|'));
        }
    `,
  ),
  starts(
    'a command with its own environment, folder, and input',
    `res.send(execSync(${COMMAND}, { cwd: '.', env: { ...process.env, MARK: word }, stdio: ['ignore', 'pipe', 'pipe'] }));`,
  ),
  starts('a program', `res.send(execFileSync(process.execPath, ${ARGUMENTS}));`),
  starts('a program, as text', `res.send(execFileSync(process.execPath, ${ARGUMENTS}, { encoding: 'utf8', stdio: 'pipe' }));`),
  starts('a program without arguments', "res.send(String(execFileSync('true', { env: process.env }).length));"),
  starts('a program that is missing', `res.send(execFileSync('no-such-program', ${ARGUMENTS}));`),
  starts(
    'too much output',
    dedent`
      try {
          res.send(execFileSync(process.execPath, ${ARGUMENTS}, { maxBuffer: 100, stdio: 'pipe' }));
        } catch (error) {
          res.status(400).json(error.status);
        }
    `,
    { requests: [{ path: '/?word=large&code=0' }, { path: '/?word=plain&code=0' }] },
  ),
  starts(
    'the result of a program',
    dedent`
      const { status, signal, stdout, stderr, error } = spawnSync(process.execPath, ${ARGUMENTS});
        res.json({ status, signal, out: String(stdout), err: String(stderr), error: error === undefined });
    `,
  ),
  starts(
    'the result of a program, as text',
    dedent`
      const result = spawnSync(process.execPath, ${ARGUMENTS}, { encoding: 'utf8' });
        res.json({ ...result, pid: typeof result.pid });
    `,
  ),
  starts(
    'the result of a program that is missing',
    dedent`
      const { pid, error, status, signal, stdout = null, output } = spawnSync('no-such-program', [word]);
        res.json({ status, signal, stdout, output, pid, code: error.code });
    `,
  ),
  starts(
    'two programs of one handler',
    dedent`
      const first = execFileSync(process.execPath, ${ARGUMENTS}, { encoding: 'utf8' });
        const second = execFileSync(process.execPath, ${ARGUMENTS}, { encoding: 'utf8' });
        res.send(first + second);
    `,
    { fix: /^Convert 2 blocking calls/ },
  ),
  {
    ...starts('a program in a helper of the file', ''),
    files: {
      'main.js': dedent`
        ${APP}function ask(word) {
          return execFileSync(process.execPath, ['child.js', word, '0'], { encoding: 'utf8' });
        }
        app.get('/', (req, res) => { res.send(ask(String(req.query.word)).trim()); });${SERVE}
      `,
    },
  },
  refused(
    'a program with a time limit',
    `res.send(execSync(${COMMAND}, { timeout: 5000 }));`,
    /`timeout` without the code `ETIMEDOUT`.*\(line 5\)/,
  ),
  refused('a program with input', `res.send(execSync(${COMMAND}, { input: word }));`, /EPIPE.*\(line 5\)/),
  refused(
    'a program that writes to the terminal',
    `execSync(${COMMAND}, { stdio: 'inherit' });\n  res.send('done');`,
    /Use `spawn` with this `stdio`.*\(line 5\)/,
  ),
  refused(
    'options from elsewhere',
    `const options = { timeout: 1 };\n  res.send(execSync(${COMMAND}, options));`,
    /come from elsewhere.*\(line 6\)/,
  ),
  refused(
    'options that are spread',
    `const options = { timeout: 1 };\n  res.send(execSync(${COMMAND}, { ...options }));`,
    /does not show which option.*\(line 6\)/,
  ),
  refused(
    'arguments or options',
    'const list = req.query.list;\n  res.send(execFileSync(word, list));',
    /arguments or options.*\(line 6\)/,
  ),
  {
    ...refused('a program in TypeScript', '', /the type of the result depends on `encoding`/),
    files: {
      'main.ts': dedent`
          import { execSync } from 'child_process';
          import express from 'express';
          const app = express();
          app.get('/', (req, res) => { res.send(execSync('true')); });

        `,
    },
  },
];
