// The sample applications: every planted problem is found where its author marked it, nothing else is, and the applications run.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readExpectations, readSidecar } from '../analysis/testing/annotated.ts';
import { NAMED_FIXES } from '../protocol/finding.ts';
import { rules } from '../rules/index.ts';
import { run } from './cli/support.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SAMPLES = join(ROOT, 'samples');
const SIDECAR = 'nodometer-expect.txt';

interface Row {
  file: string;
  line: number;
  column: number;
  ruleId: string;
  messageId: string;
  fixes: { title: string; kind: string }[];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** `http-files/server.js:12:3 rule: message` for everything that the authors marked. */
function expectedIn(folder: string): string[] {
  const rows: string[] = [];
  for (const file of filesBelow(folder)) {
    const name = relative(folder, file).split(sep).join('/');
    const text = readFileSync(file, 'utf8');
    if (name.endsWith(SIDECAR)) {
      for (const [beside, expectations] of readSidecar(text))
        for (const one of expectations)
          rows.push(`${name.slice(0, -SIDECAR.length)}${beside}:${one.line}:${one.column} ${one.ruleId}: ${one.messageId}`);
    } else for (const one of readExpectations(text)) rows.push(`${name}:${one.line}:${one.column} ${one.ruleId}: ${one.messageId}`);
  }
  return rows.sort();
}

async function lint(folder: string, ...more: string[]): Promise<Row[]> {
  const result = await run(['lint', folder, '--format', 'json', '--exit-zero', ...more], { cwd: folder, rules });
  assert.equal(result.code, 0, result.err);
  return JSON.parse(result.out) as Row[];
}

describe('samples', () => {
  it('report what is marked, and nothing else', async () => {
    const found = (await lint(SAMPLES)).map(
      (row) => `${relative(SAMPLES, row.file).split(sep).join('/')}:${row.line}:${row.column} ${row.ruleId}: ${row.messageId}`,
    );
    assert.deepEqual(found.sort(), expectedIn(SAMPLES));
  });

  it('have a planted problem of every rule', () => {
    const planted = new Set(expectedIn(SAMPLES).map((row) => row.split(' ')[1]?.replace(':', '')));
    assert.deepEqual([...planted].sort(), rules.map((rule) => rule.meta.id).sort());
  });
});

describe('samples, with their fixes made', () => {
  let copy = '';
  before(async () => {
    copy = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-samples-')));
    cpSync(SAMPLES, copy, { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
    await lint(copy, '--fix', '--fix-type', 'suggestion', ...NAMED_FIXES.flatMap((name) => ['--fix-kind', name]));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it('have no finding left that had a fix', async () => {
    const left = (await lint(copy)).filter((row) => row.fixes.length > 0);
    assert.deepEqual(
      left.map((row) => `${relative(copy, row.file)}:${row.line} ${row.ruleId} ${row.fixes[0]?.title ?? ''}`),
      [],
    );
  });

  for (const [name, answers] of Object.entries(ANSWERS())) {
    it(`${name} answers the same as before`, async () => {
      const original = await answers(SAMPLES);
      assert.deepEqual(await answers(copy), original);
      assert.ok(
        original.every((answer) => !answer.startsWith('500')),
        original.join('\n'),
      );
    });
  }
});

/** For each sample that runs without a compiler: what it answers, asked over HTTP on a free loopback port. */
function ANSWERS(): Record<string, (folder: string) => Promise<string[]>> {
  const load = async (folder: string, path: string) =>
    (await import(pathToFileURL(join(folder, path)).href)) as Record<string, unknown> & { default: unknown };
  return {
    'http-files': async (folder) => {
      const { server } = (await load(folder, 'http-files/server.js')).default as { server: Server };
      return ask(server, ['GET /list', 'GET /banner', 'GET /links', 'GET /archive', 'GET /missing']);
    },
    'number-service': async (folder) => {
      const { server } = (await load(folder, 'number-service/server.js')).default as { server: Server };
      return ask(server, [
        'GET /double?n=21',
        'GET /double-anew?n=21',
        'GET /sum?n=10',
        'GET /prime?n=97',
        'GET /marked?text=12!',
        'POST /threads?n=8',
        'GET /again',
        'GET /missing',
      ]);
    },
    'express-shop': async (folder) => {
      const app = (await load(folder, 'express-shop/app.js')).default as RequestListener;
      return ask(createServer(app), ['GET /products', 'GET /products/1', 'GET /terms', 'POST /invoices/3']);
    },
    'express-library': async (folder) => {
      const { warmUp } = (await load(folder, 'express-library/services/catalogue.js')) as unknown as { warmUp(): void };
      const { createApp } = (await load(folder, 'express-library/app.js')) as unknown as { createApp(): RequestListener };
      warmUp();
      return ask(createServer(createApp()), ['GET /api/books', 'GET /api/books/2', 'GET /api/books/none']);
    },
    'fastify-orders': async (folder) => {
      const { buildApp } = (await load(folder, 'fastify-orders/app.js')) as unknown as {
        buildApp(): { inject(options: object): Promise<{ statusCode: number; body: string }>; close(): Promise<void> };
      };
      const app = buildApp();
      const results = await Promise.all(['/orders/3/total', '/notes/hello'].map((url) => app.inject({ url })));
      await app.close();
      return results.map((result) => `${result.statusCode} ${result.body}`);
    },
    'koa-notes': async (folder) => {
      const app = (await load(folder, 'koa-notes/server.js')).default as { callback(): RequestListener };
      return ask(createServer(app.callback()), ['GET /notes/', 'GET /notes/hello']);
    },
    'batch-report': async (folder) => {
      const { run: job } = (await load(folder, 'batch-report/job.js')) as unknown as { run(): Promise<unknown> };
      return [JSON.stringify(await job())];
    },
  };
}

/** Status and body of each request. The server is closed afterwards. */
async function ask(server: Server, requests: readonly string[]): Promise<string[]> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answers: string[] = [];
  for (const line of requests) {
    const [method = 'GET', path = '/'] = line.split(' ');
    answers.push(
      await new Promise<string>((resolve, reject) => {
        const call = request({ port, host: '127.0.0.1', method, path, headers: { 'x-token': 'test', connection: 'close' } }, (response) => {
          let body = '';
          response
            .setEncoding('latin1')
            .on('data', (part: string) => (body += part))
            .on('end', () => resolve(`${response.statusCode ?? 0} ${body}`));
        });
        call.on('error', reject).end();
      }),
    );
  }
  await new Promise((resolve) => server.close(resolve));
  return answers;
}

it('every sample has a package.json and a start script', () => {
  for (const name of readdirSync(SAMPLES)) {
    const manifest = join(SAMPLES, name, 'package.json');
    if (!existsSync(manifest)) continue;
    const { scripts } = JSON.parse(readFileSync(manifest, 'utf8')) as { scripts?: { start?: string } };
    assert.ok(scripts?.start, `${name} cannot be started`);
  }
});
