// Loggers that another file makes.
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
  findings: [{ messageId: 'elsewhere', severity: 'hint', refused: ['another file makes the logger'] }],
});

const PINO = "module.exports = require('pino')();\n";

export const innocentsElsewhere: readonly ValidCase[] = [
  silent('a logger that is turned on where it is made', maker("module.exports = require('pino')({ level: 'debug' });\n")),
  silent(
    'on unless the environment says otherwise',
    maker("const winston = require('winston');\nmodule.exports = winston.createLogger({ level: process.env.LEVEL ?? 'debug' });\n"),
  ),
  silent(
    'one of its transports is on',
    maker(
      "const winston = require('winston');\nmodule.exports = winston.createLogger({ transports: [new winston.transports.Console({ level: 'debug' })] });\n",
    ),
  ),
  silent(
    'turned on later, where it is made',
    maker("const logger = require('loglevel').getLogger('app');\nlogger.setLevel('debug');\nmodule.exports = logger;\n"),
  ),
  silent('a level that is on', maker(PINO), USE, 'logger.info(JSON.stringify(req.body));'),
  silent('a level that this library does not have', maker(PINO), USE, 'logger.silly(JSON.stringify(req.body));'),
  silent('guarded', maker(PINO), USE, `if (logger.isLevelEnabled('debug')) ${LINE}`),
  silent('short', maker(PINO), USE, 'logger.debug(JSON.stringify({ id: req.params.id }));'),
  silent('the value itself', maker(PINO), USE, "logger.debug({ body: req.body }, 'asked');"),
  silent('a logger of its own, which may print everything', maker('exports.debug = (text) => process.stdout.write(text);\n')),
  silent('one of two, the other of its own', {
    'src/logger.js':
      "const pino = require('pino');\nconst own = { debug(text) { process.stdout.write(text); } };\nmodule.exports = process.env.PLAIN ? own : pino();\n",
  }),
  silent(
    'another member of the same file',
    maker("exports.log = require('pino')();\nexports.store = { debug: (text) => text };\n"),
    `${APP}const { store: logger } = require('./logger');\n`,
  ),
  silent('a method of the same name of a package', maker("module.exports = require('signale');\n")),
  silent(
    'a database with a method `debug`',
    maker("const { createClient } = require('some-database');\nrequire('pino');\nmodule.exports = createClient();\n"),
  ),
  silent(
    'a class that is a logger itself',
    maker(
      "const pino = require('pino');\nclass Log {\n  log = pino();\n  debug(text) {\n    this.log.info(text);\n  }\n}\nmodule.exports = new Log();\n",
    ),
  ),
  {
    name: 'nobody calls it with a request',
    code: "const logger = require('./logger');\nfunction show(text) {\n  logger.debug(JSON.stringify(JSON.parse(text)));\n}\nshow('1');\n",
    others: maker(PINO),
  },
  {
    name: 'a logger that a caller passes, and another that prints',
    code: `${APP}class Orders {\n  constructor(logger) {\n    this.logger = logger;\n  }\n  add(req) {\n    this.logger.debug(JSON.stringify(req.body));\n  }\n}\nconst orders = [new Orders(require('./logger')), new Orders(require('./printer'))];\napp.post('/', (req, res) => {\n  for (const one of orders) one.add(req);\n  res.json(1);\n});\n`,
    others: { ...maker(PINO), 'src/printer.js': 'exports.debug = (text) => process.stdout.write(text);\n' },
  },
];

export const foundElsewhere: readonly InvalidCase<'elsewhere'>[] = [
  found('pino', maker(PINO)),
  found(
    'winston, by the level of the environment',
    maker("const winston = require('winston');\nmodule.exports = winston.createLogger({ level: process.env.LEVEL });\n"),
  ),
  found(
    'on for developers only',
    maker(
      "const winston = require('winston');\nconst isDev = process.env.NODE_ENV !== 'production';\nmodule.exports = winston.createLogger({ level: isDev ? 'debug' : 'info' });\n",
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
    "import express from 'express';\nimport { logger } from './log/index.js';\nconst app = express();\n",
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
    code: `${APP}class Orders {\n  constructor(logger) {\n    this.logger = logger;\n  }\n  add(req) {\n    this.logger.debug(«JSON.stringify(req.body)»);\n  }\n}\nconst orders = new Orders(require('./logger'));\napp.post('/', (req, res) => {\n  orders.add(req);\n  res.json(1);\n});\n`,
    others: maker(PINO),
    findings: [{ messageId: 'elsewhere', severity: 'hint', refused: ['another file makes the logger'] }],
  },
  {
    name: 'a field of a class of TypeScript',
    code: "import type { Request, Response } from 'express';\nimport express from 'express';\nimport { logger } from './logger';\nclass Orders {\n  private readonly log = logger;\n  add = (req: Request, res: Response) => {\n    this.log.debug(`order ${«JSON.stringify(req.body)»}`);\n    res.json(1);\n  };\n}\nexpress().post('/', new Orders().add);\n",
    file: 'src/orders.ts',
    others: { 'src/logger.ts': "import { createLogger, type Logger } from 'winston';\nexport const logger: Logger = createLogger({});\n" },
    findings: [{ messageId: 'elsewhere', severity: 'hint', refused: ['another file makes the logger'] }],
  },
];
