// How the time grows with what calls and requests hand over, in real runs: what grows is confirmed, and what does not is left as it is.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import type { Verdict } from '../../protocol/evidence.ts';
import { prepared, profiled } from './prepared.ts';
import { nodesToTest } from './runs.ts';

const SERVER = dedent`
  'use strict';
  const http = require('node:http');

  /** @profile POST /parts {"text":"a,b"} */
  function parts(response, body) {
    response.end(JSON.stringify(unique(body.text.split(','))));
  }
  function unique(names) {
    return names.filter((one, i) => names.indexOf(one) === i);
  }

  /** @profile POST /limited {"wanted":["A-1","A-2"],"known":["A-2"]} */
  function limited(response, { wanted, known }) {
    if (!isAllowed(wanted)) {
      response.statusCode = 400;
      return response.end('too many');
    }
    response.end(JSON.stringify(wanted.filter((sku) => known.some((one) => one === sku))));
  }
  function isAllowed(list) {
    return JSON.stringify(list).length < 500;
  }

  /** @profile POST /few {"wanted":["A-1","A-2"],"known":["A-2"]} */
  function few(response, { wanted, known }) {
    cut(known);
    response.end(JSON.stringify(wanted.filter((sku) => known.some((one) => one === sku))));
  }
  function cut(list) {
    list.length = Math.min(3, list.length);
  }

  /** @profile POST /once {"wanted":["A-1","A-2"],"known":["A-2"]} */
  function once(response, { wanted, known }) {
    response.end(JSON.stringify(remembered(wanted.length, () => wanted.filter((sku) => known.some((one) => one === sku))).length));
  }
  const kept = new Map();
  function remembered(key, make) {
    if (!kept.has(key)) kept.set(key, make());
    return kept.get(key);
  }

  /** @profile POST /ignored {"wanted":["A-1","A-2"],"known":["A-2"]} */
  function ignored(response, { wanted, known }) {
    cut(wanted);
    cut(known);
    response.end(JSON.stringify(wanted.filter((sku) => known.some((one) => one === sku))));
  }

  /** @profile POST /silent {"wanted":["A-1","A-2"],"known":["A-2"]} */
  function silent(response, { wanted, known }) {
    if (isLong(wanted)) return undefined;
    response.end(JSON.stringify(wanted.filter((sku) => known.some((one) => one === sku))));
  }
  function isLong(list) {
    return JSON.stringify(list).length > 100;
  }

  /** @profile POST /trimmed {"text":"a b"} */
  function trimmed(response, body) {
    response.end(body.text.replace(/\\s+$/, ''));
  }

  const server = http.createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece) => {
      text += piece;
      if (text.length > 1_000_000) request.destroy();
    });
    request.on('end', () => {
      const body = JSON.parse(text);
      if (request.url === '/parts') return parts(response, body);
      if (request.url === '/limited') return limited(response, body);
      if (request.url === '/few') return few(response, body);
      if (request.url === '/once') return once(response, body);
      if (request.url === '/silent') return silent(response, body);
      if (request.url === '/trimmed') return trimmed(response, body);
      return ignored(response, body);
    });
  });
  server.listen(process.env.PORT || 3000);
`;

const CALLED = dedent`
  'use strict';
  const app = require('express')();

  /** @profile parts('a,b') */
  function parts(text) {
    return unique(text.split(','));
  }
  function unique(names) {
    return names.filter((one, i) => names.indexOf(one) === i);
  }

  /** @profile trimmed('a b') */
  function trimmed(text) {
    return text.replace(/\\s+$/, '');
  }

  app.post('/', (req, res) => res.send(trimmed(req.body.text)));
  app.post('/parts', (req, res) => res.send(parts(req.body.text)));
`;

describe('growth of real runs', () => {
  let folder: string;
  let node: NodeBinary;
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-growth-')));
    writeFileSync(join(folder, 'package.json'), '{"name":"app","private":true,"scripts":{"start":"node server.js"}}');
    writeFileSync(join(folder, 'server.js'), SERVER);
    writeFileSync(join(folder, 'called.js'), CALLED);
    // Only its name matters: what is called here is called by itself.
    mkdirSync(join(folder, 'node_modules/express'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/express/index.js'), 'module.exports = () => ({ post() {} });\n');
    [node] = (await nodesToTest()) as [NodeBinary];
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A machine that stands still for a second leaves a run without figures: once more, then. */
  const verdictOn = async (file: string, name: string, isLast = false): Promise<Verdict> => {
    const target = await prepared(join(folder, file), { name });
    assert.ok(target.ok, target.ok ? '' : target.why);
    const outcome = await profiled(target.prepared, node, 3000, new Set(['time', 'counts', 'io', 'watch']));
    assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
    const [verdict, ...others] = outcome.report.verdicts.filter(({ verdict }) => verdict !== 'not-reached');
    assert.ok(verdict, JSON.stringify(outcome.report.verdicts));
    assert.deepEqual(others, []);
    return isLast || verdict.scaling || (verdict.verdict === 'inconclusive' && verdict.figure !== 'growth not measured')
      ? verdict
      : verdictOn(file, name, true);
  };

  it('confirms what grows with the square of a text that requests bring, split into a list', async () => {
    const { verdict, scaling, cost } = await verdictOn('server.js', 'parts');
    assert.equal(verdict, 'confirmed', JSON.stringify(scaling ?? 'not measured'));
    assert.ok((scaling?.exponent.low ?? 0) >= 1.5, JSON.stringify(scaling ?? 'not measured'));
    assert.deepEqual([scaling?.unit, scaling?.per, cost?.per], ['element', 'request', 'request']);
  });

  it('confirms an expression by the text that it takes long for, in a request', async () => {
    const { ruleId, verdict, scaling } = await verdictOn('server.js', 'trimmed');
    assert.deepEqual([ruleId, verdict, scaling?.unit, scaling?.per], ['no-unsafe-regex', 'confirmed', 'character', 'request']);
  });

  it('leaves open what a handler refuses, and says so', async () => {
    const { verdict, figure, grounds, scaling } = await verdictOn('server.js', 'limited');
    assert.deepEqual([verdict, figure, scaling], ['inconclusive', 'longer input is refused', undefined]);
    assert.match(grounds[0] ?? '', /because longer input is refused: `POST \/limited` returned status 400 with 64 elements\.$/);
  });

  it('leaves open what gets no response, and says so', async () => {
    const { verdict, figure, grounds, scaling } = await verdictOn('server.js', 'silent', true);
    assert.deepEqual([verdict, figure, scaling], ['inconclusive', 'growth not measured', undefined]);
    assert.match(grounds[0] ?? '', /How the time grows was not measured: `POST \/silent` got no response in time with 64 elements\.$/);
  });

  it('neither confirms nor refutes what grows with the size alone', async () => {
    const { verdict, scaling } = await verdictOn('server.js', 'few');
    assert.equal(verdict, 'seen');
    assert.ok((scaling?.exponent.low ?? 9) < 1.5, JSON.stringify(scaling ?? 'not measured'));
  });

  it('neither confirms nor refutes what costs only while it warms up', async () => {
    const { verdict, scaling } = await verdictOn('server.js', 'once');
    assert.equal(verdict, 'seen');
    assert.ok((scaling?.exponent.low ?? 9) < 1.5, JSON.stringify(scaling ?? 'not measured'));
  });

  it('neither confirms nor refutes where the input is ignored', async () => {
    const { verdict, scaling } = await verdictOn('server.js', 'ignored');
    assert.equal(verdict, 'seen');
    assert.ok((scaling?.exponent.low ?? 9) < 1.5, JSON.stringify(scaling ?? 'not measured'));
  });

  it('lengthens the texts that calls pass', async () => {
    for (const [name, unit] of [
      ['parts', 'element'],
      ['trimmed', 'character'],
    ] as const) {
      const { verdict, scaling } = await verdictOn('called.js', name);
      assert.equal(verdict, 'confirmed', name);
      assert.deepEqual([scaling?.unit, scaling?.per], [unit, 'call']);
      assert.ok((scaling?.exponent.low ?? 0) >= 1.5, JSON.stringify(scaling ?? 'not measured'));
    }
  });
});
