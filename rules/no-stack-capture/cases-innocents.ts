// Stacks that a failure needs, that developers ask for, or that are captured once.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';

export const APP = "const app = require('express')();\n";
export const get = (head: string, ...lines: string[]): string =>
  dedent`
    ${head}app.get('/', async (req, res, next) => {
    ${lines.map((line) => `  ${line}\n`).join('')}});

  `;

export const innocents: readonly ValidCase[] = [
  { name: 'thrown', code: get(APP, "if (!req.query.id) throw new Error('no id');", 'res.json(1);') },
  { name: 'passed on', code: get(APP, "return next(new Error('not found'));") },
  {
    name: 'a promise that is rejected',
    code: get(APP, "await new Promise((resolve, reject) => req.query.id ? resolve() : reject(new Error('no id')));", 'res.json(1);'),
  },
  {
    name: 'created in the timer',
    code: get(
      APP,
      'await new Promise((resolve, reject) => {',
      "  const timer = setTimeout(() => reject(new Error('late')), 1000);",
      '  ask(() => { clearTimeout(timer); resolve(); });',
      '});',
      'res.json(1);',
    ),
  },
  {
    name: 'made, changed, and thrown',
    code: get(APP, "const error = new Error('gone');", 'error.status = 410;', 'throw error;'),
  },
  {
    name: 'made in the branch of the failure',
    code: get(
      APP,
      'if (!req.query.id) {',
      "  const error = new Error('no id');",
      '  if (req.query.strict) throw error;',
      '  return next(error);',
      '}',
      'res.json(1);',
    ),
  },
  {
    name: 'read in a catch',
    code: get(APP, 'try {', '  res.json(await ask());', '} catch {', "  console.error(new Error('at').stack);", '  console.trace();', '}'),
  },
  {
    name: 'in a listener for errors',
    code: get(APP, "req.on('error', (problem) => logger.info({ problem, stack: new Error('at').stack }));", 'res.json(1);'),
  },
  {
    name: 'in the catch of a promise',
    code: get(APP, "ask().catch((problem) => save(problem, new Error('at').stack));", 'res.json(1);'),
  },
  {
    name: 'in a function that logs errors',
    code: dedent`
      ${APP}const logError = (context, error) => logger.info({ context, error, stack: new Error('at').stack });
      ${get('', 'if (!req.query.id) logError({}, 1);', 'res.json(1);')}
    `,
  },
  {
    name: 'in a function that only a catch calls',
    code: dedent`
      ${APP}const stackOf = () => new Error('at').stack;
      ${get('', 'try {', '  res.json(await ask());', '} catch {', '  save(stackOf());', '}')}
    `,
  },
  {
    name: 'for developers',
    code: get(
      APP,
      'if (config.debug) console.trace();',
      "if (process.env.NODE_ENV !== 'production') save(new Error('at').stack);",
      'res.json(1);',
    ),
  },
  {
    name: 'behind a way out for everybody but developers',
    code: dedent`
      ${APP}function note() {
        if (!debug.enabled) return;
        save(new Error('at').stack);
      }
      ${get('', 'note();', 'res.json(1);')}
    `,
  },
  {
    name: 'a use that is deprecated',
    code: get(
      APP,
      'if (req.query.old) {',
      "  const at = new Error('old').stack.split('\\n')[2];",
      '  logger.warn(at);',
      '}',
      'res.json(1);',
    ),
  },
  {
    name: 'after the way out of what is right',
    code: get(APP, 'if (isKnown(req.query.id)) return res.json(1);', "console.trace('unknown', req.query.id);", 'res.json(2);'),
  },
  {
    name: 'the error is kept, and its stack read in case of a failure',
    code: get(
      APP,
      'const at = new Error();',
      'await ask().catch((problem) => {',
      "  problem.stack += at.stack.replace('Error', '');",
      '  throw problem;',
      '});',
      'res.json(1);',
    ),
  },
  {
    name: 'the error is kept as a cause',
    code: get(
      APP,
      "const cause = new Error('from here');",
      'await ask().catch(() => { throw new Error("failed", { cause }); });',
      'res.json(1);',
    ),
  },
  {
    name: 'an error that is logged each time',
    code: get(APP, "const error = new Error('gone');", 'report(error);', 'if (req.query.strict) throw error;', 'res.json(1);'),
  },
  {
    name: 'a class of errors',
    code: dedent`
      ${APP}class Missing extends Error {
        constructor(text) {
          super(text);
          Error.captureStackTrace(this, Missing);
          this.text = new Error(text).stack;
        }
      }
      ${get('', "if (!req.query.id) throw new Missing('no id');", 'res.json(1);')}
    `,
  },
  {
    name: 'a function that makes errors',
    code: dedent`
      ${APP}function Missing(text) {
        this.message = text;
        Error.captureStackTrace(this, Missing);
      }
      ${get('', "if (!req.query.id) throw new Missing('no id');", 'res.json(1);')}
    `,
  },
  {
    name: 'an object that is thrown',
    code: get(APP, 'const problem = {};', 'Error.captureStackTrace(problem);', 'throw problem;'),
  },
  {
    name: 'call sites, for what needs its caller',
    code: dedent`
      ${APP}function callSites() {
        const before = Error.prepareStackTrace;
        Error.prepareStackTrace = (_, sites) => sites;
        const sites = new Error('at').stack;
        Error.prepareStackTrace = before;
        return sites;
      }
      ${get('', 'res.json(callSites().length);')}
    `,
  },
  { name: 'at startup', code: `${APP}const at = new Error('at').stack;\n${get('', 'res.json(at);')}` },
  { name: 'once', code: `${APP}let at;\n${get('', "at ??= new Error('at').stack;", 'res.json(at);')}` },
  {
    name: 'a class of another kind',
    code: get(APP, 'const { stack } = new Stack();', 'const at = new Response().stack;', 'res.json([stack, at]);'),
  },
  { name: 'a field of another name', code: get(APP, "res.json({ message: new Error('at').message });") },
  {
    name: 'a console of another kind',
    code: `${APP}const console = require('./console');\n${get('', 'console.trace();', 'res.json(1);')}`,
  },
  {
    name: 'a parameter of a helper for timeouts',
    code: get(APP, "res.json(await within(ask(), 1000, new Error('late')));"),
  },
  {
    name: 'a field that others read',
    code: dedent`
      ${APP}class Job {
        run() {
          this.late = new Error('late');
          setTimeout(() => this.end(this.late), 1000);
        }
        state() {
          return this.late;
        }
      }
      ${get('', 'new Job().run();', 'res.json(1);')}
    `,
  },
  {
    name: 'nobody calls it with a request',
    code: dedent`
      function at() {
        return new Error('at').stack;
      }
      at();

    `,
  },
  {
    name: 'exported, without the option',
    code: dedent`
      module.exports = function at() {
        return new Error('at').stack;
      };

    `,
  },
  {
    name: 'in a constructor that only others call',
    code: dedent`
      export class Timeout {
        constructor(end, ms) {
          this.error = new Error('late');
          this.timer = setTimeout(() => end(this.error), ms);
        }
      }

    `,
    options: { exports: true },
  },
  {
    name: 'exported, in case of a failure',
    code: dedent`
      module.exports = function at(problem) {
        if (problem.failed) return new Error('at').stack;
        return '';
      };

    `,
    options: { exports: true },
  },
];
