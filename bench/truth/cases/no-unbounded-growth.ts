// What stays of each request: containers that grow, and some that only look so. The truth is a counter of the container, by hand.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { Check, TruthCase } from '../case.ts';
import { cannotTell, edit, neverRuns } from '../checks.ts';
import { asked, server } from './shared.ts';

const ROUNDS = 300;
const growth = (at: string, messageId = 'keys', file?: string) => ({
  ruleId: 'no-unbounded-growth',
  messageId,
  at,
  ...(file === undefined ? {} : { file }),
});

/** @param size an expression of how many there are; it is looked at in each request, behind the place. `find` is the statement there */
const grows = (find: string, size: string, file?: string): Check => ({
  by: 'counters',
  insert: [edit(find, `${find} if (${size} > ${ROUNDS / 2}) __hit('grown');`, file)],
  holds: ({ hits }) => (hits.grown ?? 0) >= ROUNDS / 2 - 10,
  says: `the container, looked at after each of ${ROUNDS} requests, has over ${ROUNDS / 2} in nearly half of them`,
});
const staysSmall = (find: string, size: string, file?: string): Check => ({
  by: 'counters',
  insert: [edit(find, `${find} __hit('place'); if (${size} > ${ROUNDS / 2}) __hit('grown');`, file)],
  holds: ({ hits }) => (hits.place ?? 0) >= ROUNDS && (hits.grown ?? 0) === 0,
  says: `the container, looked at after each of ${ROUNDS} requests, never has over ${ROUNDS / 2}`,
});

const withRounds = (parts: Pick<TruthCase, 'files' | 'target'>): Pick<TruthCase, 'files' | 'target'> => ({
  ...parts,
  target: { ...parts.target, rounds: ROUNDS },
});
const handled = (handler: string, before: string, request: string | readonly string[] = 'GET /') =>
  withRounds(asked(server(handler, before), request));

const EVENTS = "const { EventEmitter } = require('node:events');";
const JOURNAL = `class Journal {
  lines = [];
  add(line) {
    this.lines.push(line);
  }
}
const journal = new Journal();
`;

export const cases: readonly TruthCase[] = [
  {
    name: 'a list of all requests',
    ...handled("visits.push({ url: req.url });\nres.end('ok');", 'const visits = [];'),
    finding: growth('visits.push', 'entries'),
    truth: 'confirmed',
    established: [grows('visits.push({ url: req.url });', 'visits.length')],
    inCi: true,
  },
  {
    name: 'jobs by a random id',
    ...handled(
      dedent`
        const id = randomUUID();
        jobs.set(id, req.url);
        res.end(id);
      `,
      "const { randomUUID } = require('node:crypto');\nconst jobs = new Map();",
    ),
    finding: growth('jobs.set'),
    truth: 'confirmed',
    established: [grows('jobs.set(id, req.url);', 'jobs.size')],
  },
  {
    name: 'a set of the requests themselves',
    ...handled("all.add(req);\nres.end('ok');", 'const all = new Set();'),
    finding: growth('all.add'),
    truth: 'confirmed',
    established: [grows('all.add(req);', 'all.size')],
  },
  {
    name: 'an object by the time',
    ...handled("log[process.hrtime.bigint()] = req.url;\nres.end('ok');", 'const log = {};'),
    finding: growth('log['),
    truth: 'confirmed',
    established: [grows('log[process.hrtime.bigint()] = req.url;', 'Object.keys(log).length')],
  },
  {
    name: 'a cache of what is asked for, asked for once each',
    ...handled(
      dedent`
        const key = new URL(req.url, 'http://a').searchParams.get('q');
        if (!cache[key]) cache[key] = { key };
        res.end('ok');
      `,
      'const cache = {};',
      'GET /?q={n}',
    ),
    finding: growth('cache[key] ='),
    truth: 'confirmed',
    // The driver sends its requests as they are.
    established: [
      {
        by: 'counters',
        insert: [
          edit(
            'if (!cache[key]) cache[key] = { key };',
            "const other = key + Object.keys(cache).length; if (!cache[other]) cache[other] = { key }; if (Object.keys(cache).length > 150) __hit('grown');",
          ),
        ],
        holds: ({ hits }) => (hits.grown ?? 0) >= ROUNDS / 2 - 10,
        says: 'with another key in each request, the object has over 150 keys in nearly half of 300 requests',
      },
    ],
  },
  {
    name: 'a cache of what is asked for, the same each time',
    ...handled(
      dedent`
        const key = new URL(req.url, 'http://a').searchParams.get('q');
        cache[key] = { key };
        res.end('ok');
      `,
      'const cache = {};',
      'GET /?q=paris',
    ),
    finding: growth('cache[key] ='),
    truth: 'inconclusive',
    established: [
      cannotTell('all requests have one key: nothing can be said of others'),
      staysSmall('cache[key] = { key };', 'Object.keys(cache).length'),
    ],
    inCi: true,
  },
  {
    name: 'a listener for each request',
    ...handled(
      "news.on('line', (line) => res.write(line));\nres.end('ok');",
      `${EVENTS}\nconst news = new EventEmitter().setMaxListeners(0);`,
    ),
    finding: growth('news.on', 'listener'),
    truth: 'confirmed',
    established: [grows("news.on('line', (line) => res.write(line));", "news.listenerCount('line')")],
  },
  {
    name: 'a listener that is removed as another function',
    ...handled(
      dedent`
        const send = (line) => res.write(line);
        news.on('line', send.bind(res));
        res.on('finish', () => news.off('line', send.bind(res)));
        res.end('ok');
      `,
      `${EVENTS}\nconst news = new EventEmitter().setMaxListeners(0);`,
    ),
    finding: growth('news.on', 'otherListener'),
    truth: 'confirmed',
    established: [grows("news.on('line', send.bind(res));", "news.listenerCount('line')")],
  },
  {
    name: 'a timer for each request',
    ...handled("setInterval(() => res.writableEnded, 60_000);\nres.end('ok');", ''),
    finding: growth('setInterval', 'timer'),
    truth: 'confirmed',
    established: [
      grows('setInterval(() => res.writableEnded, 60_000);', "process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length"),
    ],
  },
  {
    name: 'an emitter of another file that keeps the last five listeners',
    ...withRounds({
      files: {
        'a.js': server("news.on('line', (line) => res.write(line));\nres.end('ok');", "const news = require('./news.js');"),
        'news.js': dedent`
          ${EVENTS}
          class News extends EventEmitter {
            on(name, listener) {
              if (this.listenerCount(name) >= 5) this.removeListener(name, this.listeners(name)[0]);
              return super.on(name, listener);
            }
          }
          module.exports = new News();

        `,
      },
      target: { file: 'a.js', function: 'handle', requests: ['GET /'] },
    }),
    finding: growth('news.on', 'listener'),
    truth: 'refuted',
    established: [staysSmall("news.on('line', (line) => res.write(line));", "news.listenerCount('line')")],
    inCi: true,
  },
  {
    name: 'lines that another file takes out',
    ...withRounds({
      files: {
        'a.js': server(
          dedent`
            journal.add(req.url);
            trim(journal);
            res.end('ok');
          `,
          `const { trim } = require('./trim.js');\n${JOURNAL}`,
        ),
        'trim.js': dedent`
          exports.trim = (journal) => {
            while (journal.lines.length > 20) journal.lines.shift();
          };

        `,
      },
      target: { file: 'a.js', function: 'handle', requests: ['GET /'] },
    }),
    finding: growth('this.lines.push', 'entries'),
    truth: 'refuted',
    established: [staysSmall('trim(journal);', 'journal.lines.length')],
  },
  {
    name: 'lines that a timer of another file sends every minute',
    ...withRounds({
      files: {
        'a.js': server(
          "journal.add(req.url);\nres.end('ok');",
          `const { sendOften } = require('./send.js');\n${JOURNAL}sendOften(journal);`,
        ),
        'send.js': dedent`
          exports.sendOften = (journal) => {
            setInterval(() => journal.lines.splice(0), 60_000);
          };

        `,
      },
      target: { file: 'a.js', function: 'handle', requests: ['GET /'] },
    }),
    finding: growth('this.lines.push', 'entries'),
    truth: 'inconclusive',
    established: [
      cannotTell('each minute all lines are taken out; no run of seconds shows that'),
      grows('journal.add(req.url);', 'journal.lines.length'),
    ],
  },
  {
    name: 'a list of another kind of request than those that come',
    ...handled("if (req.method === 'POST') visits.push({ url: req.url });\nres.end('ok');", 'const visits = [];'),
    finding: growth('visits.push', 'entries'),
    truth: 'not-reached',
    established: [neverRuns(edit('visits.push({ url: req.url });', "{ __hit('place'); visits.push({ url: req.url }); }"))],
    inCi: true,
  },
  {
    name: 'requests by address, all of which come from one',
    ...handled(
      dedent`
        const from = req.socket.remoteAddress;
        hits[from] = (hits[from] || 0) + 1;
        res.end('ok');
      `,
      'const hits = {};',
    ),
    finding: growth('hits[from] ='),
    truth: 'inconclusive',
    established: [
      cannotTell('all requests come from one address: nothing can be said of others'),
      staysSmall('hits[from] = (hits[from] || 0) + 1;', 'Object.keys(hits).length'),
    ],
  },
];
