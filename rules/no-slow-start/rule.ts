// What users of a command wait for at each start: packages that only some of its runs use, and code that is compiled again each time.
import { isCommandFile, loadTimeOf, startsOf } from '../../analysis/facts/outside/starts.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule } from '../../analysis/rule.ts';
import type { t } from '../../analysis/module/ast.ts';
import type { LoadTime } from '../../knowledge/packages/load-times.ts';

/** `import()` in a CommonJS file works, too, but makes the function around it asynchronous. */
function isModule({ module, project, source }: Facts): boolean {
  if (/\.m[jt]s$/.test(source.file)) return true;
  return module.has('ImportDeclaration') || (project.manifest?.type === 'module' && !/\.c[jt]s$/.test(source.file));
}

const timeOf = ({ low, high }: LoadTime): string => (low === high ? `${low} ms` : `${low} to ${high} ms`);

export const rule = defineRule<'late' | 'program' | 'uncached'>({
  meta: {
    id: 'no-slow-start',
    group: 'api',
    summary:
      'Packages that a command or serverless function loads on every start but few runs use, and large packages that are recompiled on every start',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      late: {
        what: '`{{package}}` is loaded every time `{{command}}` starts, but only some runs use it.',
        why: 'Loading it takes {{time}} (Node 20 to 24).',
        remedy: 'Load it where it is used: `{{form}}`.',
      },
      program: {
        what: '`{{call}}` runs a program every time `{{command}}` starts, but only some runs use its output.',
        why: 'Startup waits for it. `git rev-parse HEAD` takes 3 to 25 ms.',
        remedy: 'Run it where the result is used.',
      },
      uncached: {
        what: 'V8 compiles {{packages}} again every time this command starts.',
        why: 'Node 22.1 and newer can keep the compiled code on disk, which saves {{ms}} ms or more.',
        remedy: 'Call `module.enableCompileCache{{optional}}()` of `node:module` before anything else is loaded: {{how}}.',
      },
    },
    options: {},
    confirmedBy: [],
  },
  create({ facts, report, runsOn, source }) {
    return {
      Program() {
        const { packages, first } = startsOf(facts);
        const form = isModule(facts) ? 'await import' : 'require';
        for (const { name, place, isProgram } of packages) {
          if (place && isProgram)
            report({
              at: place,
              messageId: 'program',
              data: { call: source.slice((place as t.CallExpression).callee) },
              request: { at: place, isOnce: false, start: name },
            });
          const time = place && loadTimeOf(name, facts);
          if (!time) continue;
          report({
            at: place,
            messageId: 'late',
            data: { package: name, time: timeOf(time), form: `${form}('${name}')` },
            request: { at: place, isOnce: false, start: name },
          });
        }
        if (first && isCommandFile(facts) && runsOn('>=22.1'))
          report({
            at: first,
            messageId: 'uncached',
            data: {
              optional: runsOn('<22.1') ? '?.' : '',
              how: isModule(facts) ? 'in a file of its own, which then loads the rest by `await import()`' : 'at the top of this file',
            },
            request: { at: first, isOnce: false, start: { cache: true } },
          });
      },
    };
  },
});
