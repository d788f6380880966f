import { dedent } from '../../analysis/testing/dedent.ts';
import type { InvalidCase, RuleCases } from '../../analysis/testing/rule-tester.ts';
import { APP, get, innocents } from './cases-innocents.ts';

type Kind = 'read' | 'early' | 'printed';
const found = (name: string, messageId: Kind, code: string, refused: readonly string[] = []): InvalidCase<Kind> => ({
  name,
  code,
  findings: [{ messageId, severity: 'hint', refused }],
});
const fixed = (name: string, code: string, output: string): InvalidCase<Kind> => ({
  name,
  code,
  findings: [{ messageId: 'early', severity: 'hint', fixes: [{ kind: 'suggestion', title: 'Create the error where it is used', output }] }],
});

export const cases: RuleCases<Kind> = {
  valid: innocents,
  invalid: [
    found('read at once', 'read', get(APP, "const at = «new Error('at').stack»;", 'res.json(await ask(at));')),
    found('without `new`', 'read', get(APP, 'res.json(await ask(«Error().stack»));')),
    found('split into lines', 'read', get(APP, "const lines = «(new Error()).stack».split('\\n');", 'res.json(await ask(lines));')),
    found('through a variable', 'read', get(APP, 'const error = new Error();', 'const at = «error.stack»;', 'res.json(await ask(at));')),
    found('for a line of a log', 'read', get(APP, 'logger.debug({ at: «new Error().stack» });', 'res.json(await ask());')),
    found(
      'for each line of a log',
      'read',
      dedent`
        ${APP}function log(text) {
          const at = «new Error().stack».split('\\n')[2];
          process.stdout.write(at + text);
        }
        ${get('', "log('asked');", 'res.json(1);')}
      `,
    ),
    found(
      'after a check',
      'read',
      get(APP, "if (!req.query.id) return next(new Error('no id'));", 'res.json(await ask(«new Error().stack»));'),
    ),
    found(
      'for stacks of asynchronous calls, where they are turned on',
      'read',
      dedent`
        ${APP}function save(query) {
          if (query.config.asyncStackTraces) {
            const lines = «new Error().stack».split('\\n');
            query.stack = lines;
          }
        }
        ${get('', 'save(req.query);', 'res.json(1);')}
      `,
    ),
    found('into an object', 'read', get(APP, 'const at = {};', '«Error.captureStackTrace(at)»;', 'res.json(at.stack);')),
    found('printed', 'printed', get(APP, "«console.trace('here')»;", 'res.json(1);')),
    fixed(
      'an error for a timer',
      get(
        APP,
        'await new Promise((resolve, reject) => {',
        "  const late = «new Error('late')»;",
        '  const timer = setTimeout(() => reject(late), 1000);',
        '  ask(() => { clearTimeout(timer); resolve(); });',
        '});',
        'res.json(1);',
      ),
      get(
        APP,
        'await new Promise((resolve, reject) => {',
        "  const timer = setTimeout(() => reject(new Error('late')), 1000);",
        '  ask(() => { clearTimeout(timer); resolve(); });',
        '});',
        'res.json(1);',
      ),
    ),
    fixed(
      'an error that only a check throws',
      get(
        APP,
        "const missing = «new TypeError('missing')»;",
        'const user = await ask(req.query.id);',
        'if (!user) throw missing;',
        'res.json(user);',
      ),
      get(APP, 'const user = await ask(req.query.id);', "if (!user) throw new TypeError('missing');", 'res.json(user);'),
    ),
    fixed(
      'thrown if nothing came before',
      get(
        APP,
        'const id = String(req.query.id);',
        'const missing = «new Error(`no ${id}`)»;',
        'const user = await ask(id);',
        'if (user) return res.json(user);',
        'throw missing;',
      ),
      get(
        APP,
        'const id = String(req.query.id);',
        'const user = await ask(id);',
        'if (user) return res.json(user);',
        'throw new Error(`no ${id}`);',
      ),
    ),
    fixed(
      'with options, in a callback that runs at once',
      get(
        APP,
        "const conflict = «new RangeError('busy', { cause: 'another' })»;",
        'await transaction(async (tx) => {',
        '  const user = await tx.ask(1);',
        '  if (!user) throw conflict;',
        '});',
        'res.json(1);',
      ),
      get(
        APP,
        'await transaction(async (tx) => {',
        '  const user = await tx.ask(1);',
        "  if (!user) throw new RangeError('busy', { cause: 'another' });",
        '});',
        'res.json(1);',
      ),
    ),
    found(
      'a text that may be another by then',
      'early',
      get(
        APP,
        'const missing = «new Error(`no ${req.user}`)»;',
        'const user = await ask();',
        'if (!user) throw missing;',
        'res.json(user);',
      ),
      ['may be another'],
    ),
    found(
      'used twice',
      'early',
      get(
        APP,
        "const missing = «new Error('missing')»;",
        'const user = await ask(1);',
        'if (!user) throw missing;',
        'if (!user.name) throw missing;',
        'res.json(user);',
      ),
      ['several places'],
    ),
    found(
      'with a code',
      'early',
      get(
        APP,
        "const missing = «new Error('missing')»;",
        'missing.status = 404;',
        'const user = await ask(1);',
        'if (!user) throw missing;',
        'res.json(user);',
      ),
      ['properties of the error'],
    ),
    found(
      'an argument of the timer',
      'early',
      get(
        APP,
        'await new Promise((resolve, reject) => {',
        "  setTimeout(reject, 1000, «new Error('late')»);",
        '  ask(resolve);',
        '});',
        'res.json(1);',
      ),
      ['not the value of a variable'],
    ),
    found(
      'a field that a timer uses',
      'early',
      dedent`
        ${APP}class LateError extends Error {}
        class Job {
          run(end) {
            this.late = «new LateError('late')»;
            this.timer = setTimeout(() => end(this.late), 1000);
          }
        }
        ${get('', 'new Job().run(next);', 'res.json(1);')}
      `,
      ['not the value of a variable'],
    ),
    {
      name: 'in a constructor that an exported function calls',
      code: dedent`
        class LateError extends Error {}
        export class Timeout {
          constructor(end, ms) {
            this.error = «new LateError('late')»;
            if (ms > 0) this.timer = setTimeout(() => end(this.error), ms);
          }
          static after(end, ms) {
            return new Timeout(end, ms);
          }
        }

      `,
      options: { exports: true },
      findings: [{ messageId: 'early', severity: 'hint', refused: ['not the value of a variable'] }],
    },
    {
      name: 'exported, with the option',
      code: dedent`
        module.exports = function save(query) {
          query.stack = «new Error('at').stack»;
        };

      `,
      options: { exports: true },
      findings: [{ messageId: 'read', severity: 'hint' }],
    },
  ],
};
