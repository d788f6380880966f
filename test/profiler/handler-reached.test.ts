// Which program is asked for a handler, and what is said where no request reached it.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { ProfileReport } from '../../protocol/evidence.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { folderWith, run } from '../cli/support.ts';
import { prepared } from './prepared.ts';

const CONTROLLER = dedent`
  import { readFileSync } from 'node:fs';
  import { Controller, Get, Param } from '@nestjs/common';
  @Controller('users')
  export class UsersController {
    @Get(':id')
    show(@Param('id') id: string) {
      return readFileSync('package.json', 'utf8') + id;
    }
  }

`;
const SERVER = dedent`
  const { createServer } = require('node:http');
  createServer((req, res) => {
    res.statusCode = 404;
    res.end();
  }).listen(3000);

`;

describe('a method of a Nest controller', () => {
  const folder = folderWith({
    'package.json': '{ "name": "p", "dependencies": { "@nestjs/core": "12.0.0", "@nestjs/common": "12.0.0" } }',
    'server.js': SERVER,
    'src/users.controller.ts': CONTROLLER,
  });
  after(() => folder.dispose());
  const file = join(folder.path, 'src/users.controller.ts');

  it('is not asked of a server beside it that starts no Nest application', async () => {
    const outcome = await prepared(file, { name: 'show' });
    assert.ok(!outcome.ok);
    assert.match(outcome.why, /belongs to a Nest application, which server\.js does not start/);
    assert.match(outcome.remedy, /`--entry src\/main\.ts`/);
  });

  it('is asked of a server that starts one, also where another file does that for it', async () => {
    writeFileSync(
      join(folder.path, 'server.js'),
      dedent`
      const { start } = require('./src/start');
      start();
      ${SERVER}
    `,
    );
    writeFileSync(join(folder.path, 'src/start.js'), "exports.start = () => require('@nestjs/core').NestFactory.create(class {});\n");
    const outcome = await prepared(file, { name: 'show' });
    assert.equal(outcome.ok && outcome.prepared.program?.entry, join(folder.path, 'server.js'));
    writeFileSync(join(folder.path, 'server.js'), SERVER);
    rmSync(join(folder.path, 'src/start.js'));
  });
});

describe('a handler that no request reached', () => {
  const folder = folderWith({
    'package.json': '{ "name": "p", "dependencies": { "express": "5.0.0" } }',
    'server.js': dedent`
      const { page } = require('./pages');
      module.exports = page;
      ${SERVER}
    `,
    'pages.js': dedent`
      const fs = require('node:fs');
      exports.page = function page(req, res) {
        res.end(fs.readFileSync('package.json'));
      };

    `,
    'unloaded.js': dedent`
      const fs = require('node:fs');
      const app = require('express')();
      app.get('/page', function other(req, res) {
        res.end(fs.readFileSync('package.json'));
      });

    `,
  });
  after(() => folder.dispose());
  const profile = async (target: string) => {
    const argv = ['profile', target, '--request', 'GET /page', '--entry', 'server.js', '--time', '2', '--yes', '--no-save', '-f', 'json'];
    const { out, err } = await run(argv, { cwd: folder.path, env: { PATH: process.env.PATH ?? '' } });
    assert.notEqual(out, '', err);
    return JSON.parse(out) as ProfileReport;
  };

  it('is said to be behind another server, where the program has several', async () => {
    const two = folderWith({
      'app.js': dedent`
        const http = require('node:http');
        http.createServer((request, response) => response.end('stub')).listen(3001);
        function page(request, response) {
          response.end('page');
        }
        http.createServer(page).listen(3000);
      `,
    });
    try {
      const argv = ['profile', 'app.js:page', '--request', 'GET /page', '--time', '2', '--yes', '--no-save', '-f', 'json'];
      const { out, err } = await run(argv, { cwd: two.path, env: { PATH: process.env.PATH ?? '' } });
      assert.notEqual(out, '', err);
      const { problems } = JSON.parse(out) as ProfileReport;
      assert.ok(
        problems.some((one) => /^No request reached .* The program has 2 servers\. Each request goes to the first one/.test(one)),
        problems.join('\n'),
      );
    } finally {
      two.dispose();
    }
  });

  it('has no time, and that is said', async () => {
    const { timing, problems } = await profile('pages.js:page');
    assert.equal(timing, undefined);
    assert.ok(
      problems.some((one) => /^No request reached `[\w.]*page`\. Its time was not measured\.$/.test(one)),
      problems.join('\n'),
    );
    assert.ok(
      problems.some((one) => /`GET \/page` returned status 404 in/.test(one)),
      problems.join('\n'),
    );
  });

  it('was not even loaded, where its file was not', async () => {
    const { timing, problems } = await profile('unloaded.js:other');
    assert.equal(timing, undefined);
    assert.ok(
      problems.some((one) => /^No request reached `[\w.]*other`: `server\.js` never loaded its file\./.test(one)),
      problems.join('\n'),
    );
  });
});
