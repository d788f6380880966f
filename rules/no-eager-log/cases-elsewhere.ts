// Loggers that another file makes.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { APP, post } from './cases-innocents.ts';

type Others = Readonly<Record<string, string>>;

const LINE = 'logger.debug(JSON.stringify(req.body));';
const FOUND = 'logger.debug(«JSON.stringify(req.body)»);';
const USE = `${APP}const logger = require('./logger');\n`;
const maker = (code: string): Others => ({ 'src/logger.js': code });

const silent = (name: string, others: Others, head = USE, line = LINE): ValidCase => ({ name, code: post(head, line), others });
const found = (name: string, others: Others, head = USE, line = FOUND): InvalidCase<'elsewhere'> => ({
  name,
  code: post(head, line),
  others,
  findings: [{ messageId: 'elsewhere', severity: 'hint', refused: ['the logger is created in another file'] }],
});

const PINO = "module.exports = require('pino')();\n";

export const innocentsElsewhere: readonly ValidCase[] = [
  silent('a logger that is turned on where it is made', maker("module.exports = require('pino')({ level: 'debug' });\n")),
  silent(
    'on unless the environment says otherwise',
    maker(dedent`
      const winston = require('winston');
      module.exports = winston.createLogger({ level: process.env.LEVEL ?? 'debug' });

    `),
  ),
  silent(
    'one of its transports is on',
    maker(
      dedent`
        const winston = require('winston');
        module.exports = winston.createLogger({ transports: [new winston.transports.Console({ level: 'debug' })] });

      `,
    ),
  ),
  silent(
    'turned on later, where it is made',
    maker(dedent`
      const logger = require('loglevel').getLogger('app');
      logger.setLevel('debug');
      module.exports = logger;

    `),
  ),
  silent('a level that is on', maker(PINO), USE, 'logger.info(JSON.stringify(req.body));'),
  silent('a level that this library does not have', maker(PINO), USE, 'logger.silly(JSON.stringify(req.body));'),
  silent('guarded', maker(PINO), USE, `if (logger.isLevelEnabled('debug')) ${LINE}`),
  silent('short', maker(PINO), USE, 'logger.debug(JSON.stringify({ id: req.params.id }));'),
  silent('the value itself', maker(PINO), USE, "logger.debug({ body: req.body }, 'asked');"),
  silent('a logger of its own, which may print everything', maker('exports.debug = (text) => process.stdout.write(text);\n')),
  silent('one of two, the other of its own', {
    'src/logger.js': dedent`
      const pino = require('pino');
      const own = { debug(text) { process.stdout.write(text); } };
      module.exports = process.env.PLAIN ? own : pino();

    `,
  }),
  silent(
    'another member of the same file',
    maker("exports.log = require('pino')();\nexports.store = { debug: (text) => text };\n"),
    `${APP}const { store: logger } = require('./logger');\n`,
  ),
  silent('a method of the same name of a package', maker("module.exports = require('signale');\n")),
  silent(
    'a database with a method `debug`',
    maker(dedent`
      const { createClient } = require('some-database');
      require('pino');
      module.exports = createClient();

    `),
  ),
  silent(
    'a class that is a logger itself',
    maker(
      dedent`
        const pino = require('pino');
        class Log {
          log = pino();
          debug(text) {
            this.log.info(text);
          }
        }
        module.exports = new Log();

      `,
    ),
  ),
  {
    name: 'nobody calls it with a request',
    code: dedent`
      const logger = require('./logger');
      function show(text) {
        logger.debug(JSON.stringify(JSON.parse(text)));
      }
      show('1');

    `,
    others: maker(PINO),
  },
  {
    name: 'a logger that a caller passes, and another that prints',
    code: dedent`
      ${APP}class Orders {
        constructor(logger) {
          this.logger = logger;
        }
        add(req) {
          this.logger.debug(JSON.stringify(req.body));
        }
      }
      const orders = [new Orders(require('./logger')), new Orders(require('./printer'))];
      app.post('/', (req, res) => {
        for (const one of orders) one.add(req);
        res.json(1);
      });

    `,
    others: { ...maker(PINO), 'src/printer.js': 'exports.debug = (text) => process.stdout.write(text);\n' },
  },
];

export const foundElsewhere: readonly InvalidCase<'elsewhere'>[] = [
  found('pino', maker(PINO)),
  found(
    'winston, by the level of the environment',
    maker(dedent`
      const winston = require('winston');
      module.exports = winston.createLogger({ level: process.env.LEVEL });

    `),
  ),
  found(
    'on for developers only',
    maker(
      dedent`
        const winston = require('winston');
        const isDev = process.env.NODE_ENV !== 'production';
        module.exports = winston.createLogger({ level: isDev ? 'debug' : 'info' });

      `,
    ),
  ),
  found('the console in development', maker("module.exports = process.env.NODE_ENV === 'production' ? require('pino')() : console;\n")),
  found('a named export', maker("exports.logger = require('pino')();\n"), `${APP}const { logger } = require('./logger');\n`),
  found(
    'a default export, through a barrel',
    {
      'src/log/logger.js': "import pino from 'pino';\nexport const logger = pino({ name: 'app' });\n",
      'src/log/index.js': "export * from './logger.js';\n",
    },
    dedent`
      import express from 'express';
      import { logger } from './log/index.js';
      const app = express();

    `,
  ),
  found(
    'a function that makes one for each file',
    maker("const log4js = require('log4js');\nmodule.exports = (name) => log4js.getLogger(name);\n"),
    `${APP}const logger = require('./logger')('orders');\n`,
  ),
  found('a child', maker(PINO), `${APP}const logger = require('./logger').child({ part: 'orders' });\n`),
  found('a child that another file makes', { 'src/logger.js': "module.exports = require('./root').child({});\n", 'src/root.js': PINO }),
  found('winston 2', maker("const { Logger } = require('winston');\nmodule.exports = new Logger({});\n")),
  found(
    'debug',
    maker("exports.debug = require('debug')('app');\n"),
    `${APP}const { debug } = require('./logger');\n`,
    'debug(«JSON.stringify(req.body)»);',
  ),
  {
    name: 'a logger that a caller passes to a constructor',
    code: dedent`
      ${APP}class Orders {
        constructor(logger) {
          this.logger = logger;
        }
        add(req) {
          this.logger.debug(«JSON.stringify(req.body)»);
        }
      }
      const orders = new Orders(require('./logger'));
      app.post('/', (req, res) => {
        orders.add(req);
        res.json(1);
      });

    `,
    others: maker(PINO),
    findings: [{ messageId: 'elsewhere', severity: 'hint', refused: ['the logger is created in another file'] }],
  },
  {
    name: 'a field of a class of TypeScript',
    code: dedent`
      import type { Request, Response } from 'express';
      import express from 'express';
      import { logger } from './logger';
      class Orders {
        private readonly log = logger;
        add = (req: Request, res: Response) => {
          this.log.debug(\`order \${«JSON.stringify(req.body)»}\`);
          res.json(1);
        };
      }
      express().post('/', new Orders().add);

    `,
    file: 'src/orders.ts',
    others: {
      'src/logger.ts': dedent`
        import { createLogger, type Logger } from 'winston';
        export const logger: Logger = createLogger({});

      `,
    },
    findings: [{ messageId: 'elsewhere', severity: 'hint', refused: ['the logger is created in another file'] }],
  },
];
