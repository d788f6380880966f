import { dedent } from '../../analysis/testing/dedent.ts';
import type { InvalidCase, RuleCases } from '../../analysis/testing/rule-tester.ts';
import { foundElsewhere, innocentsElsewhere } from './cases-elsewhere.ts';
import { APP, DEBUG, innocents, PINO, post, WINSTON } from './cases-innocents.ts';

const found = (name: string, code: string, refused: readonly string[] = []): InvalidCase<'eager'> => ({
  name,
  code,
  findings: [{ messageId: 'eager', severity: 'hint', refused }],
});
const fixed = (name: string, code: string, output: string): InvalidCase<'eager'> => ({
  name,
  code,
  findings: [
    { messageId: 'eager', severity: 'hint', fixes: [{ kind: 'suggestion', title: 'Check first whether the level is on', output }] },
  ],
});
const NO_TEST = 'this logger has no method';

export const cases: RuleCases<'eager' | 'elsewhere'> = {
  valid: [...innocents, ...innocentsElsewhere],
  invalid: [
    ...foundElsewhere,
    fixed(
      'pino, in a template',
      post(PINO, 'log.debug(`body ${«JSON.stringify(req.body)»} of ${req.ip}`);'),
      post(PINO, "if (log.isLevelEnabled('debug'))", '  log.debug(`body ${JSON.stringify(req.body)} of ${req.ip}`);'),
    ),
    fixed(
      'pino, in a field',
      post(PINO, "log.trace({ body: «JSON.stringify(req.body, null, 2)» }, 'asked');"),
      post(PINO, "if (log.isLevelEnabled('trace'))", "  log.trace({ body: JSON.stringify(req.body, null, 2) }, 'asked');"),
    ),
    fixed(
      'winston',
      post(WINSTON, "log.silly('body ' + «JSON.stringify(req.body)»);"),
      post(WINSTON, "if (log.isLevelEnabled('silly'))", "  log.silly('body ' + JSON.stringify(req.body));"),
    ),
    fixed(
      'debug',
      post(DEBUG, "debug('body ' + «JSON.stringify(req.body)»);"),
      post(DEBUG, "if (debug.enabled) debug('body ' + JSON.stringify(req.body));"),
    ),
    fixed(
      'util.debuglog',
      post(`${APP}const { debuglog, inspect } = require('node:util');\nconst debug = debuglog('app');\n`, 'debug(«inspect(req.body)»);'),
      post(
        `${APP}const { debuglog, inspect } = require('node:util');\nconst debug = debuglog('app');\n`,
        'if (debug.enabled) debug(inspect(req.body));',
      ),
    ),
    fixed(
      'rows',
      post(
        `${PINO}const { Pool } = require('pg');\nconst pool = new Pool();\n`,
        "const { rows } = await pool.query('SELECT * FROM users');",
        "log.debug('users ' + «rows.map((row) => row.name).join(', ')»);",
      ),
      post(
        `${PINO}const { Pool } = require('pg');\nconst pool = new Pool();\n`,
        "const { rows } = await pool.query('SELECT * FROM users');",
        "if (log.isLevelEnabled('debug'))",
        "  log.debug('users ' + rows.map((row) => row.name).join(', '));",
      ),
    ),
    fixed(
      'in a branch',
      post(PINO, 'if (req.body.items) {', '  log.debug(«JSON.stringify(req.body.items)»);', '}'),
      post(PINO, 'if (req.body.items) {', "  if (log.isLevelEnabled('debug')) log.debug(JSON.stringify(req.body.items));", '}'),
    ),
    found(
      'of a child',
      post(`${PINO}const child = log.child({ part: 'a' });\n`, 'await log.child({}).debug(«JSON.stringify(req.body)»);'),
      [NO_TEST],
    ),
    found(
      'bunyan',
      post(`${APP}const log = require('bunyan').createLogger({ name: 'app' });\n`, 'log.debug(«JSON.stringify(req.body)»);'),
      [NO_TEST],
    ),
    found('log4js', post(`${APP}const log = require('log4js').getLogger();\n`, 'log.trace(«JSON.stringify(req.body)»);'), [NO_TEST]),
    found('loglevel', post(`${APP}const log = require('loglevel');\n`, 'log.debug(«JSON.stringify(req.body)»);'), [NO_TEST]),
    found('consola', post(`${APP}const { consola } = require('consola');\n`, 'consola.debug(«JSON.stringify(req.body)»);'), [NO_TEST]),
    found(
      'the logger of winston itself',
      post(`${APP}const winston = require('winston');\n`, 'winston.debug(«JSON.stringify(req.body)», mark());'),
      ['may do more'],
    ),
    found('an argument with an effect', post(DEBUG, "debug('body ' + «JSON.stringify(req.body)» + next());"), ['may do more']),
    found(
      'of a field',
      dedent`
        ${APP}const pino = require('pino');
        class Users {
          log = pino();
          add(body) {
            this.log.debug(«JSON.stringify(JSON.parse(body.text))», mark());
          }
        }
        ${post('', 'new Users().add(req.body);')}
      `,
      ['may do more'],
    ),
    fixed(
      'the log of a request of Fastify',
      dedent`
        const app = require('fastify')();
        app.post('/', async (request) => {
          request.log.debug(«JSON.stringify(request.body)»);
          return 1;
        });

      `,
      dedent`
        const app = require('fastify')();
        app.post('/', async (request) => {
          if (request.log.isLevelEnabled('debug'))
            request.log.debug(JSON.stringify(request.body));
          return 1;
        });

      `,
    ),
    {
      name: 'a logger of Nest that writes to pino',
      code: dedent`
        import { Body, Controller, Logger, Post } from '@nestjs/common';
        @Controller()
        export class A {
          logger = new Logger('A');
          @Post()
          add(@Body() body) {
            this.logger.debug(«JSON.stringify(body)»);
          }
        }

      `,
      file: 'src/a.controller.ts',
      project: {
        manifest: {
          bin: [],
          scripts: {},
          dependencies: { '@nestjs/core': '^11.0.0', 'nestjs-pino': '^4.0.0' },
          devDependencies: {},
          private: true,
        },
      },
      findings: [{ messageId: 'eager', severity: 'hint', refused: [NO_TEST] }],
    },
    {
      name: 'exported, with the option',
      code: dedent`
        const log = require('bunyan').createLogger({ name: 'app' });
        module.exports = (text) => {
          log.debug(«JSON.stringify(JSON.parse(text))»);
        };

      `,
      options: { exports: true },
      findings: [{ messageId: 'eager', severity: 'hint', refused: [NO_TEST] }],
    },
  ],
};
