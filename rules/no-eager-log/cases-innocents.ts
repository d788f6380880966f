// Log lines that cost next to nothing, that somebody asked for, or whose level is on.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';

export const APP = "const app = require('express')();\n";
export const PINO = `${APP}const log = require('pino')();\n`;
export const WINSTON = `${APP}const winston = require('winston');\nconst log = winston.createLogger();\n`;
export const DEBUG = `${APP}const debug = require('debug')('app');\n`;
export const post = (head: string, ...lines: string[]): string =>
  dedent`
    ${head}app.post('/', async (req, res) => {
    ${lines.map((line) => `  ${line}\n`).join('')}  res.json(1);
    });

  `;

export const innocents: readonly ValidCase[] = [
  { name: 'a text of short values', code: post(PINO, 'log.debug(`asked for ${req.body.id} by ${req.ip}`);') },
  { name: 'the object itself', code: post(PINO, "log.debug({ body: req.body }, 'asked');") },
  { name: 'a formatter', code: post(DEBUG, "debug('body %j', req.body);") },
  { name: 'a level that is on', code: post(PINO, 'log.info(`body ${JSON.stringify(req.body)}`);', 'log.error(JSON.stringify(req.body));') },
  { name: 'a level of winston that is on', code: post(WINSTON, 'log.warn(JSON.stringify(req.body));') },
  { name: 'guarded by pino', code: post(PINO, "if (log.isLevelEnabled('debug')) log.debug(JSON.stringify(req.body));") },
  { name: 'guarded by winston', code: post(WINSTON, 'if (log.isDebugEnabled()) log.debug(JSON.stringify(req.body));') },
  { name: 'guarded by debug', code: post(DEBUG, "debug.enabled && debug('body ' + JSON.stringify(req.body));") },
  { name: 'guarded by the environment', code: post(DEBUG, "if (process.env.DEBUG) debug('body ' + JSON.stringify(req.body));") },
  {
    name: 'guarded by a way out',
    code: dedent`
      ${PINO}function show(req) {
        if (!log.isLevelEnabled('debug')) return;
        log.debug(JSON.stringify(req.body));
      }
      ${post('', 'show(req);')}
    `,
  },
  {
    name: 'guarded where it is called',
    code: dedent`
      ${PINO}function show(req) {
        log.debug(JSON.stringify(req.body));
      }
      ${post('', "if (log.isLevelEnabled('debug')) show(req);")}
    `,
  },
  {
    name: 'the level is set',
    code: post(`${APP}const log = require('pino')({ level: 'debug' });\n`, 'log.debug(JSON.stringify(req.body));'),
  },
  {
    name: 'the level is on unless the environment says otherwise',
    code: post(`${APP}const log = require('pino')({ level: process.env.LEVEL || 'debug' });\n`, 'log.debug(JSON.stringify(req.body));'),
  },
  { name: 'the level is set later', code: post(`${WINSTON}log.level = 'silly';\n`, 'log.debug(JSON.stringify(req.body));') },
  { name: 'debug is turned on', code: post(`${DEBUG}require('debug').enable('app');\n`, 'debug(JSON.stringify(req.body));') },
  { name: 'in a catch', code: post(PINO, 'try {', '  await save(req.body);', '} catch {', '  log.debug(JSON.stringify(req.body));', '}') },
  { name: 'in case of a failure', code: post(PINO, 'if (req.body.invalid) log.debug(JSON.stringify(req.body));') },
  { name: 'a value of a known size', code: post(PINO, 'const page = { size: 20, at: 1 };', 'log.debug(JSON.stringify(page));') },
  { name: 'of what nobody knows how large it is', code: post(PINO, 'log.debug(JSON.stringify(app.settings));') },
  { name: 'only some fields', code: post(PINO, "log.debug(JSON.stringify(req.body, ['id', 'name']));") },
  { name: 'a header', code: post(PINO, 'log.debug(JSON.stringify(req.headers.host));') },
  { name: 'a function that the logger may call', code: post(DEBUG, 'debug(() => JSON.stringify(req.body));') },
  {
    name: 'text that the answer needs, too',
    code: post(PINO, 'const text = JSON.stringify(req.body);', 'log.debug(text);', 'res.send(text);'),
  },
  { name: 'a logger from another file', code: post(`${APP}const log = require('./log');\n`, 'log.debug(JSON.stringify(req.body));') },
  {
    name: 'a logger that prints everything',
    code: post(`${APP}const log = require('signale');\n`, 'log.debug(JSON.stringify(req.body));'),
  },
  {
    name: 'a logger of Nest, which prints everything',
    code: dedent`
      import { Body, Controller, Logger, Post } from '@nestjs/common';
      @Controller()
      export class A {
        logger = new Logger('A');
        @Post()
        add(@Body() body) {
          this.logger.debug(JSON.stringify(body));
        }
      }

    `,
    file: 'src/a.controller.ts',
  },
  { name: 'the log of a request of what nobody knows', code: post(APP, 'req.log.debug(JSON.stringify(req.body));') },
  { name: 'the console', code: post(APP, 'console.debug(JSON.stringify(req.body));') },
  {
    name: 'at startup',
    code: dedent`
      ${PINO}log.debug(JSON.stringify(JSON.parse(process.env.SETTINGS)));
      app.get('/', (req, res) => res.json(1));

    `,
  },
  {
    name: 'nobody calls it with a request',
    code: dedent`
      const log = require('pino')();
      function show(text) {
        log.debug(JSON.stringify(JSON.parse(text)));
      }
      show('1');

    `,
  },
  {
    name: 'exported, without the option',
    code: dedent`
      const log = require('pino')();
      module.exports = (text) => {
        log.debug(JSON.stringify(JSON.parse(text)));
      };

    `,
  },
];
