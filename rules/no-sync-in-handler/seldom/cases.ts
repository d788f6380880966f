// Calls of microseconds on paths that are the exception, and those that only look so.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { InvalidCase, ValidCase } from '../../../analysis/testing/rule-tester.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

const found = (severity: 'hint' | 'warning', ...refused: string[]) => ({ messageId: 'blocks', severity, refused }) as const;
const CHECK = found('hint', 'the check takes');
const CHANGE = found('hint', 'it takes');
const READ = found('hint', 'is also read in this file');
const OTHER = found('hint', 'on line 8');
const ANY = found('hint', '');

export const seldomInnocents: readonly ValidCase[] = [
  {
    name: 'microseconds in a catch, a handler of a rejection, and a listener for errors',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      const { receive, send } = require('./files');
      app.post('/a', async (req, res, next) => {
        try {
          res.json(await receive(req));
        } catch (error) {
          if (fs.existsSync(req.path)) fs.unlinkSync(req.path);
          res.json({ error: error.message });
        }
      });
      app.post('/b', (req, res, next) => {
        receive(req).then((file) => res.json(file), () => fs.rmSync(req.path, { force: true }));
        send(req).then((file) => res.json(file)).catch((error) => { fs.rmdirSync(req.path); next(error); });
        req.on('error', () => { [req.path, req.url].forEach((name) => fs.unlinkSync(name)); });
        req.once('error', () => { Array.from(req.files, (name) => fs.unlinkSync(name)); });
      });
      app.use((error, req, res, next) => { fs.existsSync('/maintenance') ? res.send('later') : next(error); });
    `,
  },
  {
    name: 'microseconds in branches that reject a request',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      const { StatusCodes } = require('http-status-codes');
      const clean = (files) => files.forEach((file) => fs.unlinkSync(file.path));
      app.post('/a', (req, res, next) => {
        if (!req.body.name) {
          fs.unlinkSync(req.file.path);
          return res.status(400).json({ error: 'no name' });
        }
        if (req.body.name.length > 9) {
          try { fs.statSync(req.file.path) && fs.unlinkSync(req.file.path); } catch {}
          res.status(StatusCodes.BAD_REQUEST).send('too long');
          return;
        }
        if (req.body.old) {
          fs.rmSync(req.file.path);
          throw new Error('old');
        } else if (req.body.other) {
          clean(req.files);
          return next(new Error('other'));
        }
        switch (req.body.kind) {
          case 'none':
            fs.unlinkSync(req.file.path);
            res.statusCode = 404;
            res.end();
            break;
          default:
            res.end();
        }
      });
    `,
  },
  {
    name: 'the same in Fastify and Koa, and in a filter of multer',
    code: dedent`
      import fs from 'node:fs';
      import fastify from 'fastify';
      import Koa from 'koa';
      import multer from 'multer';
      import express from 'express';
      fastify().post('/a', async (request, reply) => {
        if (!request.body) {
          fs.unlinkSync(request.query.name);
          return reply.code(415).send();
        }
        return {};
      });
      new Koa().use(async (ctx) => {
        if (ctx.query.name) {
          fs.unlinkSync(ctx.query.name);
          ctx.throw(400);
        } else if (ctx.query.other) {
          ctx.status = 404;
          ctx.body = String(fs.existsSync(ctx.query.other));
        }
      });
      const upload = multer({
        fileFilter: (req, file, cb) => {
          if (!file.mimetype.startsWith('image/')) {
            fs.unlinkSync(req.query.name);
            return cb(new Error('only pictures'), false);
          }
          cb(null, true);
        },
      });
      express().post('/b', upload.single('a'), (req, res) => res.end());
    `,
  },
  {
    name: 'an error that is one where it is passed, and middleware for errors that is declared elsewhere',
    code: dedent`
      const fs = require('fs');
      const { z } = require('zod');
      const app = require('express')();
      const store = (temp, callback) => {
        fs.readFile(temp, (err, text) => {
          if (err) {
            fs.unlinkSync(temp);
            return callback(err, null);
          }
          if (!err) callback(null, text);
          else {
            fs.unlinkSync(temp);
            callback(err);
          }
        });
      };
      app.post('/a', (req, res, next) => {
        const { error } = z.parse(req.body);
        if (error && req.file) {
          fs.unlinkSync(req.file.path);
          return next(error);
        }
        if (req.body.old) {
          const oldError = new Error('old');
          fs.unlinkSync(req.file.path);
          return next(oldError);
        }
        store(req.body.name, (err, text) => {
          if (err instanceof TypeError) { fs.unlinkSync(text); next(err); return; }
          if (err != null) { fs.unlinkSync(text); return next(err); }
          if (err.code === 'ENOENT') { fs.unlinkSync(text); return next(err); }
          res.send(text);
        });
      });
      const report = (error, request, response, next) => { fs.existsSync(request.path) ? response.send('later') : next(error); };
      function last(e, a, b, c) { fs.existsSync(a.path) ? b.send('later') : c(e); }
      app.use(report);
      app.use(last);
      exports.report = (err, _req, res, _next) => { res.send(fs.existsSync('/maintenance')); };
    `,
  },
  {
    name: 'a throw that is caught, and answered with an error; a case that ends; answers by other names',
    code: dedent`
      import fs from 'node:fs';
      import express from 'express';
      import { Hono } from 'hono';
      const app = express();
      app.post('/a', (req, res) => {
        try {
          if (req.query.old) {
            fs.unlinkSync(req.query.old);
            throw new Error('old');
          }
          try {
            if (req.query.other) {
              fs.unlinkSync(req.query.other);
              throw new Error('other');
            }
          } catch (error) {
            console.error(error);
            throw error;
          }
          res.send('new');
        } catch (error) {
          res.status(error.status || 500).json({ message: error.message });
        }
        switch (req.query.kind) {
          case 'a': {
            fs.unlinkSync('a');
            res.set('a', 'b').status(404);
            break;
          }
          case 'b':
            fs.unlinkSync('b');
            res.sendStatus(404);
        }
      });
      new Hono().post('/b', (c) => {
        if (c.req.query('a')) {
          fs.unlinkSync(c.req.query('a'));
          return c.json({}, 404);
        }
        if (c.req.query('b')) {
          fs.unlinkSync(c.req.query('b'));
          return Response.json({}, { status: 404 });
        }
        if (c.req.query('c')) {
          fs.unlinkSync(c.req.query('c'));
          return new Response('c', { status: 404 });
        }
        return c.notFound();
      });
    `,
  },
  {
    name: 'a rejection that is caught, and answered with an error',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      const { find } = require('./store');
      app.post('/a', (req, res, next) => {
        find(req.query.a).then((found) => {
          if (!found) { fs.unlinkSync(req.query.a); throw new Error('a'); }
          res.send(found);
        }).catch((error) => { console.error(error); next(error); });
        find(req.query.b).then((found) => {
          if (!found) { fs.unlinkSync(req.query.b); throw new Error('b'); }
          res.send(found);
        }).catch(next);
        new Promise((resolve, reject) => {
          if (!req.query.c) { fs.statSync(req.path); return reject(new Error('c')); }
          resolve();
        }).then(() => res.end(), (error) => res.status(500).send(error.message));
        try {
          req.files.forEach((file) => { if (!file.size) { fs.unlinkSync(file.path); throw new Error('empty'); } });
        } catch (error) { return res.status(400).end(); }
      });
    `,
  },
];

export const seldomCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  {
    name: 'what takes longer counts where requests fail, too; and what follows a catch, or is in a finally',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      const { receive } = require('./files');
      app.post('/a', async (req, res) => {
        try {
          await receive(req);
        } catch (error) {
          «fs.appendFileSync('errors.log', error.message)»;
          «fs.readdirSync(req.path)»;
          «fs.rmSync(req.path, { recursive: true })»;
          return res.status(500).end();
        } finally {
          «fs.unlinkSync(req.path)»;
        }
        «fs.existsSync(req.path)»;
        if (!req.body.a) {
          «fs.writeFileSync('last', req.path)»;
          return res.status(400).end();
        }
        res.end();
      });
    `,
    findings: [
      found('warning', 'line 13'),
      found('hint', 'written'),
      found('warning', 'read'),
      found('hint', 'read'),
      CHECK,
      found('warning', 'at the same time'),
    ],
  },
  {
    name: 'the test of a branch that rejects, and branches that a request also succeeds in',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/a', (req, res) => {
        if (!«fs.existsSync(req.path)») return res.status(404).end();
        if (req.query.all) {
          for (const name of ['a', 'b']) if («fs.existsSync(req.path + name)») return res.sendFile(req.path + name);
          return res.status(404).end();
        }
        if (req.query.old) {
          «fs.unlinkSync(req.path)»;
          return res.status(204).end();
        }
        if (req.query.moved) {
          «fs.unlinkSync(req.path)»;
          return res.redirect('/');
        }
        res.end();
      });
    `,
    findings: [CHECK, CHECK, found('hint', 'read'), found('hint', 'read')],
  },
  {
    name: 'what only looks like an error: a redirect that is thrown, a result, a next that goes on',
    code: dedent`
      const fs = require('fs');
      const { redirect } = require('./answers');
      const app = require('express')();
      const find = (name, callback) => {
        if (name) {
          «fs.statSync(name)»;
          return callback(null, name);
        }
        callback(new Error('none'));
      };
      app.get('/a', (req, res, next) => {
        if (req.query.a) {
          «fs.unlinkSync(req.path)»;
          throw redirect('/');
        }
        if (req.query.b) {
          «fs.unlinkSync(req.path)»;
          return next();
        }
        find(req.query.name, (error, name) => res.send(name));
      });
    `,
    findings: [CHANGE, CHANGE, CHANGE],
  },
  {
    name: 'an error that may be null: a callback is passed it when all went well, too',
    code: dedent`
      const fs = require('fs');
      const { exec } = require('child_process');
      const app = require('express')();
      const convert = (temp, callback) => {
        exec('convert x', (err, stdout) => {
          if (temp) {
            «fs.unlinkSync(temp)»;
            return callback(err, stdout);
          }
          callback(err, stdout);
        });
      };
      app.get('/a', (req, res, done) => {
        convert(req.query.temp, (error) => {
          if (req.query.temp) {
            «fs.unlinkSync(req.query.temp)»;
            done(error);
          } else if (error || req.query.other) {
            «fs.unlinkSync(req.query.other)»;
            done(error);
          } else if (error !== req.query.last) {
            «fs.unlinkSync(req.query.last)»;
            done(error);
          } else done(error);
        });
      });
    `,
    findings: [ANY, ANY, ANY, ANY],
  },
  {
    name: 'four parameters of which the first is named for an error, or an event, in what handles no errors',
    code: dedent`
      const fs = require('fs');
      const gm = require('gm');
      const app = require('express')();
      app.get('/a', (req, res) => {
        gm('x').resize(1).write('y', function (err, stdout, stderr, command) {
          «fs.unlinkSync(req.query.file)»;
          res.end('ok');
        });
        const listen = (e, name, folder, options) => { «fs.existsSync(name)»; };
        listen(null, req.query.name);
        gm('x').identify(listen);
      });
    `,
    findings: [ANY, ANY],
  },
  {
    name: 'numbers that are no status of an answer',
    code: dedent`
      const fs = require('fs');
      const PDFDocument = require('pdfkit');
      const app = require('express')();
      const log = require('./log');
      const c = require('./chart');
      app.get('/a', (req, res) => {
        const doc = new PDFDocument();
        doc.pipe(res);
        if (req.query.header) {
          if («fs.existsSync(req.query.logo)») doc.image(req.query.logo, 50, 50);
          doc.text('Total', 450, 100);
        }
        if (req.query.code) {
          «fs.unlinkSync(req.query.code)»;
          log.code(500);
        }
        if (req.query.logged) {
          «fs.unlinkSync(req.query.logged)»;
          res.locals.log.code(500);
        }
        if (req.query.chart) {
          «fs.unlinkSync(req.query.chart)»;
          c.text('Total', 404);
        }
        if (req.query.job) {
          «fs.unlinkSync(req.query.job)»;
          log.status = 500;
        }
        doc.end();
      });
    `,
    findings: [ANY, ANY, ANY, ANY, ANY],
  },
  {
    name: 'a throw that the same function catches, and answers well; a case that goes on with the next',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.post('/a', (req, res) => {
        try {
          if (req.query.old) {
            «fs.unlinkSync(req.query.old)»;
            throw new Error('old');
          }
          res.send('new');
        } catch { res.send('fallback'); }
        try {
          try {
            if (req.query.other) {
              «fs.unlinkSync(req.query.other)»;
              throw new Error('other');
            }
          } catch (error) { throw error; }
        } catch (error) {
          if (error.code === 'ENOENT') return res.send('none');
          res.status(500).end();
        }
        switch (req.query.kind) {
          case 'a':
            «fs.unlinkSync('a')»;
            res.status(404);
          case 'b': {
            «fs.unlinkSync('b')»;
            res.status(404);
          }
          default:
            res.send('b');
        }
      });
    `,
    findings: [ANY, ANY, ANY, ANY],
  },
  {
    name: 'a rejection that is caught, and answered well',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      const { find } = require('./store');
      app.post('/a', async (req, res) => {
        find(req.query.a).then((found) => {
          if (!found) { «fs.unlinkSync(req.query.a)»; throw new Error('a'); }
          res.send(found);
        }).catch(() => res.send('none'));
        new Promise((resolve, reject) => {
          if (!req.query.b) { «fs.statSync(req.path)»; return reject(new Error('b')); }
          resolve();
        }).then(() => res.end(), () => { res.send('b'); });
        try {
          await new Promise((resolve, reject) => {
            if (!req.query.c) { «fs.unlinkSync(req.path)»; reject(new Error('c')); } else resolve();
          });
          req.files.forEach((file) => { if (!file.size) { «fs.unlinkSync(file.path)»; throw new Error('empty'); } });
        } catch {}
        res.end();
      });
    `,
    findings: [ANY, ANY, ANY, ANY],
  },
  ...['', "fs.unlinkSync('first');"].map(
    (first): InvalidCase<'blocks' | 'blocksOnce'> => ({
      name: `callers are followed the same number of calls, whatever was asked before: ${first || 'nothing'}`,
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        function b(x) { c(x); }
        function c(x) { ${first} d(x); }
        function d(x) { e(x); }
        function e(x) { «fs.unlinkSync(x)»; }
        app.get('/a', (req, res) => { try { JSON.parse(req.query.a); } catch { b(req.query.x); } res.end(); });
      `,
      findings: [ANY],
    }),
  ),
  {
    name: 'a catch that says that something is missing, and a function that others call, too',
    code: dedent`
      const fs = require('fs');
      const path = require('path');
      const { randomUUID } = require('crypto');
      const app = require('express')();
      const remove = (name) => «fs.unlinkSync(name)»;
      const drop = (name) => fs.unlinkSync(name);
      app.get('/a', async (req, res) => {
        try { await fs.promises.access(req.path); } catch { res.send(«fs.statSync('other')»); }
        const folder = path.join('made', randomUUID());
        try { await fs.promises.access(folder); res.send('old'); } catch { «fs.mkdirSync(folder)»; }
        if (!req.body) { remove(req.path); drop(req.path); return res.status(400).end(); }
        remove(req.path);
        res.end();
      });
    `,
    findings: [CHANGE, CHANGE, found('hint', 'read')],
  },
  {
    name: 'folders that requests share are made once; the check runs for each',
    code: dedent`
      const fs = require('fs');
      const path = require('path');
      const app = require('express')();
      const ROOT = path.join(__dirname, 'uploads');
      const ensure = (folder) => { if (!«fs.existsSync(folder)») fs.mkdirSync(folder, { recursive: true }); };
      app.post('/a', (req, res) => {
        const folder = path.join(ROOT, 'avatars');
        if (!«fs.existsSync(folder)») fs.mkdirSync(folder, { recursive: true });
        const now = new Date();
        const month = path.join(ROOT, String(now.getFullYear()) + (now.getMonth() + 1));
        «fs.existsSync(month)» || fs.mkdirSync(month);
        const day = ROOT + '/' + new Date().toISOString().slice(0, 10);
        const isThere = «fs.existsSync(day)»;
        if (!isThere) { console.log(day); fs.mkdirSync(day); }
        ensure(path.join(ROOT, 'thumbs'));
        ['a', 'b'].forEach((name) => { const one = path.join(ROOT, name); if (!«fs.existsSync(one)») fs.mkdirSync(one); });
        res.end();
      });
    `,
    findings: [CHECK, CHECK, CHECK, CHECK, CHECK],
  },
  {
    name: 'other ways to say a folder that is there for all requests, or for those of a day',
    code: dedent`
      import fs from 'node:fs';
      import os, { tmpdir } from 'node:os';
      import path from 'node:path';
      import { fileURLToPath } from 'node:url';
      import dayjs from 'dayjs';
      import moment from 'moment';
      import express from 'express';
      const app = express();
      const HERE = path.dirname(fileURLToPath(import.meta.url));
      const uploads = process.env.UPLOADS || path.resolve(process.cwd(), 'uploads');
      app.post('/a', (req, res) => {
        const temp = req.query.mine ? path.join(os.homedir(), 'temp') : path.join(tmpdir(), 'temp');
        if (!«fs.existsSync(temp)») fs.mkdirSync(temp);
        if (!«fs.existsSync(uploads)») fs.mkdirSync(uploads);
        const old = HERE + path.sep + 'old';
        if (!«fs.existsSync(old)») fs.mkdirSync(old);
        const now = new Date();
        const month = path.join(uploads, String(now.getMonth() + 1).padStart(2, '0'));
        if (!«fs.existsSync(month)») fs.mkdirSync(month);
        const iso = now.toISOString();
        const day = path.join(uploads, iso.split('T')[0]);
        if (!«fs.existsSync(day)») fs.mkdirSync(day);
        const other = \`\${import.meta.dirname}/\${dayjs().format('YYYY-MM-DD')}/\${moment().format('YYYY')}\`;
        if (!«fs.existsSync(other)») fs.mkdirSync(other);
        for (const name of ['a', 'b']) {
          const one = path.join(uploads, name);
          if (!«fs.existsSync(one)») fs.mkdirSync(one);
        }
        fs.rm(path.join(uploads, req.query.old), () => res.end());
      });
    `,
    findings: [ANY, ANY, ANY, ANY, ANY, ANY, ANY],
  },
  ...(
    [
      ["path.join(ROOT, moment().format('YYYYMMDD-HHmmss'))", 'minutes of moment'],
      ["path.join(ROOT, moment(req.body.date).format('YYYY'))", 'the day of a request'],
      ['path.join(ROOT, moment().unix().toString())', 'seconds'],
      ['path.join(ROOT, shortid.generate())', 'what a package makes'],
      ['path.join(ROOT, new ObjectId().toString())', 'what a class of a package makes'],
      ['path.join(ROOT, new Date().toISOString().slice(0, 19))', 'seconds of a date'],
      ["path.join(ROOT, new Date().toISOString().split('.')[0])", 'seconds of a date that is split'],
      ['path.join(ROOT, String(new Date(req.body.date).getFullYear()))', 'the year of a request'],
      ["path.join(ROOT, 'run' + count++)", 'a counter'],
      ['path.join(ROOT, String(count))', 'a variable that is written'],
      ['path.join(ROOT, new Album().name)', 'a field of an object'],
      ['path.join(ROOT, req.file.fieldname)', 'a field of a form'],
      ['config.folder', 'a setting of another file'],
      ['req.app.folder', 'a field of the request'],
      ['path.join(ROOT, ...names)', 'a list'],
      ["path.join(ROOT, 'removed')", 'what is removed'],
    ] as const
  ).map(
    ([folder, what]): InvalidCase<'blocks' | 'blocksOnce'> => ({
      name: `a folder that may be another one for each request, or is removed again: ${what}`,
      code: dedent`
        import fs from 'node:fs';
        import path from 'node:path';
        import express from 'express';
        import { ObjectId } from 'mongodb';
        import moment from 'moment';
        import shortid from 'shortid';
        import { Album, names } from './album.js';
        import config from './config.js';
        const app = express();
        const ROOT = 'made';
        let count = 0;
        app.get('/a', (req, res) => {
          const folder = ${folder};
          if (!«fs.existsSync(folder)») «fs.mkdirSync(folder)»;
          count++;
          res.end();
        });
        const removed = path.join(ROOT, 'removed');
        app.get('/b', (req, res) => fs.rm(removed, { recursive: true }, () => res.end()));
      `,
      findings: [ANY, ANY],
    }),
  ),
  {
    name: 'folders that are fields, options, rows, and parameters of functions that others may call',
    code: dedent`
      const fs = require('fs');
      const path = require('path');
      const app = require('express')();
      const { Album } = require('./album');
      class Job {
        constructor(name) { this.dir = path.join('jobs', name); }
        run() { if (!«fs.existsSync(this.dir)») «fs.mkdirSync(this.dir)»; }
      }
      function save(options) { if (!«fs.existsSync(options.dir)») «fs.mkdirSync(options.dir)»; }
      function store(options) { const { dir } = options; if (!«fs.existsSync(dir)») «fs.mkdirSync(dir)»; }
      const ensure = (folder) => { if (!«fs.existsSync(folder)») «fs.mkdirSync(folder)»; };
      const own = [];
      app.post('/a', async (req, res) => {
        new Job(req.body.name).run();
        save({ dir: req.body.a });
        store({ dir: req.body.b });
        ensure('made');
        req.app.locals.ensure = ensure;
        own.push(req.body.own);
        own.forEach((one) => { if (!«fs.existsSync(one)») «fs.mkdirSync(one)»; });
        for (const album of await Album.find()) if (!«fs.existsSync(album.title)») «fs.mkdirSync(album.title)»;
        res.end();
      });
    `,
    findings: [ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY],
  },
  {
    name: 'folders of a request may be made for each of them',
    code: dedent`
      const fs = require('fs');
      const path = require('path');
      const { v4: uuid } = require('uuid');
      const app = require('express')();
      const ensure = (folder) => { if (!«fs.existsSync(folder)») «fs.mkdirSync(folder)»; };
      app.post('/a', (req, res) => {
        const own = path.join('made', uuid());
        if (!«fs.existsSync(own)») «fs.mkdirSync(own)»;
        const timed = 'made/' + Date.now();
        if (!«fs.existsSync(timed)») «fs.mkdirSync(timed)»;
        const { name } = req.body;
        const named = path.join('made', name);
        if (!«fs.existsSync(named)») «fs.mkdirSync(named)»;
        ensure(path.join('made', String(req.user.id)));
        if (!«fs.existsSync(req.path)») «fs.mkdirSync('shared/' + req.path)»;
        «fs.mkdirSync('always', { recursive: true })»;
        exports.make('made');
        res.end();
      });
      exports.make = (folder) => { if (!«fs.existsSync(folder)») «fs.mkdirSync(folder)»; };
    `,
    findings: [CHECK, READ, CHECK, READ, CHECK, READ, CHECK, READ, CHECK, OTHER, OTHER, CHECK, found('hint', 'callers in other files')],
  },
  {
    name: 'a check and its mkdir are replaced together',
    code: dedent`
      import fs from 'node:fs';
      import express from 'express';
      const app = express();
      const FOLDER = 'made';
      app.post('/a', async (req, res) => {
        if (!«fs.existsSync(FOLDER)») {
          fs.mkdirSync(FOLDER, { recursive: true });
        }
        res.end();
      });
    `,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        severity: 'hint',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              import fs from 'node:fs';
              import express from 'express';
              const app = express();
              const FOLDER = 'made';
              app.post('/a', async (req, res) => {
                await fs.promises.mkdir(FOLDER, { recursive: true });
                res.end();
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'what is not reported is converted with what is',
    code: dedent`
      import fs from 'node:fs';
      import express from 'express';
      const app = express();
      app.post('/a', async (req, res) => {
        try {
          res.send(«fs.readFileSync(req.body.name)»);
        } catch (error) {
          fs.unlinkSync(req.body.other);
          res.status(500).end();
        }
      });
    `,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        severity: 'warning',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Convert 2 blocking calls of the function to promise forms',
            output: dedent`
              import fs from 'node:fs';
              import express from 'express';
              const app = express();
              app.post('/a', async (req, res) => {
                try {
                  res.send(await fs.promises.readFile(req.body.name));
                } catch (error) {
                  await fs.promises.unlink(req.body.other);
                  res.status(500).end();
                }
              });
            `,
          },
        ],
      },
    ],
  },
  ...(
    [
      ['export const revalidate = 60;', '', 60],
      ["export const dynamic = 'force-static';\nexport const revalidate = 5 * 60;", 'request', 300],
      ['export const revalidate = 60;', 'request', 0],
      ["export const dynamic = 'force-dynamic';\nexport const revalidate = 60;", '', 0],
      ['export const revalidate = 0;', '', 0],
    ] as const
  ).map(([config, parameter, seconds]): InvalidCase<'blocks' | 'blocksOnce'> => {
    const text = (module: string, call: string): string =>
      [
        `import { ${module === 'node:fs' ? 'readFileSync' : 'readFile'} } from '${module}';`,
        config,
        `export async function GET(${parameter}) {`,
        `  return new Response(${call});`,
        '}',
        '',
      ].join('\n');
    const file = parameter ? `${parameter}.url` : "process.env.FILE ?? 'prices.json'";
    return {
      name: `a route of Next.js with: ${config} ${parameter}`,
      file: 'src/app/api/prices/route.ts',
      code: text('node:fs', `«readFileSync(${file})»`),
      project: { manifest: { bin: [], scripts: {}, dependencies: { next: '^15.0.0' }, devDependencies: {}, private: true } },
      findings: [
        {
          messageId: 'blocks',
          severity: seconds > 0 ? 'hint' : 'warning',
          data: { where: `\`GET /api/prices\`${seconds > 0 ? ` (at most once in ${seconds} s)` : ''}` },
          route: 'GET /api/prices',
          fixes: [{ kind: 'suggestion', output: text('node:fs/promises', `await readFile(${file})`) }],
        },
      ],
    };
  }),
];
