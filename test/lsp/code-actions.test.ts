// What the light bulb offers, in which order, to which client, and that choosing it does what it says.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CodeAction, Command } from 'vscode-languageserver/node';
import { FIX_COSTS } from '../../knowledge/fix-costs.ts';
import { titleWithCost, type Finding } from '../../protocol/finding.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { codeActions, resolveAction, type ActionData } from '../../server/actions/code-actions.ts';
import { fixText } from '../../workspace/fix.ts';
import { ABLE, applied, contextOf, convertOf, DEFAULTS, editsOf, lintAny, offered, titled, titlesOf } from './actions.ts';
import { caseTexts, lintReal, sampleScripts } from './texts.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const FILE = '/p/src/app.js';
const HANDLER = `const fs = require('fs');
const app = require('express')();

app.get('/terms', (request, response) => {
  response.send(fs.readFileSync('terms.html', 'utf8'));
});
`;

/** A finding made by hand, so that every kind of fix is there. */
function findingAt(text: string, part: string, more: Partial<Finding> = {}): Finding {
  const start = text.indexOf(part);
  return {
    ruleId: 'no-sync-in-handler',
    messageId: 'blocks',
    severity: 'warning',
    message: { what: 'What.', why: 'Why.', remedy: 'Remedy.' },
    data: {},
    file: FILE,
    span: { start, end: start + part.length },
    related: [],
    fixes: [],
    refused: [],
    ...more,
  };
}

const safe = (title: string, start: number, text: string) => ({ title, kind: 'safe' as const, edits: [{ start, end: start + 1, text }] });
const suggestion = (title: string, start: number, text: string) => ({ ...safe(title, start, text), kind: 'suggestion' as const });

describe('the light bulb', () => {
  it('offers fixes, comments and the page for a real finding', () => {
    const context = contextOf(FILE, HANDLER);
    const actions = offered(context, 'fs.readFileSync');
    assert.deepEqual(titlesOf(actions), [
      // The one that takes less time first, each with what was measured.
      `Read it once at startup (changes on disk then require a restart, and a missing file prevents startup) [${FIX_COSTS['startup-read']}]`,
      `Convert to \`fs.promises.readFile\` [${FIX_COSTS['await-readFile']}]`,
      'Disable no-sync-in-handler for this line',
      'Disable no-sync-in-handler for the entire file',
      'Show documentation for no-sync-in-handler',
    ]);
    assert.ok(
      actions.every(
        ({ kind, diagnostics }) => kind === 'quickfix' && diagnostics?.length === 1 && diagnostics[0]?.code === 'no-sync-in-handler',
      ),
    );
    assert.deepEqual(actions.at(-1)?.command, {
      title: 'Show documentation for no-sync-in-handler',
      command: 'nodometer.openRuleDocumentation',
      arguments: ['no-sync-in-handler'],
    });
    assert.equal(
      applied(context, titled(actions, 'Convert to `fs.promises.readFile`')),
      HANDLER.replace('(request, response) =>', 'async (request, response) =>').replace('fs.readFileSync(', 'await fs.promises.readFile('),
    );
    assert.deepEqual(
      actions[0]?.edit?.documentChanges?.map((change) => 'textDocument' in change && change.textDocument),
      [{ uri: 'file:///p/a.js', version: 7 }],
    );
  });

  it('offers nothing where nothing is found, and touches at both ends of a finding', () => {
    const context = contextOf(FILE, HANDLER);
    const start = HANDLER.indexOf('fs.readFileSync');
    const end = HANDLER.indexOf(');\n});');
    assert.deepEqual(offered(context, 'app.get'), []);
    assert.deepEqual(
      [start - 1, start, end, end + 2].map((offset) => offered(context, offset).length > 0),
      [false, true, true, false],
    );
  });

  it('puts safe fixes first, prefers one of them, and never a suggestion', () => {
    const text = 'abc;';
    const finding = findingAt(text, 'abc', {
      fixes: [suggestion('Maybe', 0, 'x'), safe('Surely', 0, 'y'), safe('Surely, too', 0, 'z')],
      refused: [{ title: 'Never', reason: 'it is made elsewhere' }],
    });
    const context = contextOf(FILE, text, { findings: [finding], findDamage: () => undefined });
    assert.deepEqual(titlesOf(offered(context, 1)).slice(0, 4), [
      'Surely (preferred)',
      'Surely, too',
      'Maybe',
      'Never (disabled: It is made elsewhere.)',
    ]);
  });

  it('shows a fix that would break something as one that cannot be chosen, and prefers the next', () => {
    const text = 'let abc = 1;';
    const finding = findingAt(text, 'abc', { fixes: [safe('Break', 4, '('), safe('Rename', 4, 'x')] });
    const context = contextOf(FILE, text, { findings: [finding] });
    const actions = offered(context, 4);
    assert.match(titlesOf(actions)[0] ?? '', /^Break \(disabled: The fix would break the code: the result would not parse: .*\.\)$/);
    assert.equal(actions[0]?.edit, undefined);
    assert.equal(titlesOf(actions)[1], 'Rename (preferred)');
  });

  it('has the finding nearest to the cursor first', () => {
    const text = 'outer(inner);';
    const findings = [
      findingAt(text, 'outer(inner)', { fixes: [safe('Outer', 0, 'x')] }),
      findingAt(text, 'inner', { fixes: [safe('Inner', 6, 'y')] }),
    ];
    assert.deepEqual(titlesOf(offered(contextOf(FILE, text, { findings, findDamage: () => undefined }), 'inner')).slice(0, 2), [
      'Inner (preferred)',
      'Outer (preferred)',
    ]);
  });

  it('works damage out once for each version of the text', () => {
    const text = 'abc;';
    let asked = 0;
    const context = contextOf(FILE, text, {
      findings: [findingAt(text, 'abc', { fixes: [safe('Surely', 0, 'y')] })],
      findDamage: () => (asked++, undefined),
    });
    for (let i = 0; i < 3; i++) offered(context, 1);
    assert.equal(asked, 1);
    offered({ ...context, convert: convertOf(text, 8) }, 1);
    assert.equal(asked, 2);
  });

  it('leaves out what the settings turn off', () => {
    const off = { ...DEFAULTS, 'codeAction.disableComment.enable': false, 'codeAction.showDocumentation': false };
    const titles = titlesOf(offered(contextOf(FILE, HANDLER, { settings: off }), 'fs.readFileSync'));
    assert.ok(titles.length === 2 && !titles.some((title) => /^(?:Disable|Open)/.test(title)), titles.join());
  });
});

describe('kinds', () => {
  const context = contextOf(FILE, HANDLER);
  const kindsFor = (only: readonly string[] | undefined) => [
    ...new Set(offered(context, 'fs.readFileSync', { only }).map((action) => action.kind)),
  ];

  it('are paths: who asks for one gets what lies below it', () => {
    const text = dedent`
      export const isUrl = (text) => {
        try {
          new URL(text);
          return true;
        } catch {
          return false;
        }
      };
      export const all = (list) => list.filter((one) => isUrl(one));

    `;
    const project = contextOf(FILE, text, {
      findings: [findingAt(text, 'try', { fixes: [safe('Surely', 0, 'y')] })],
      findDamage: () => undefined,
      lint: () => [],
    });
    const asked = (only: readonly string[]) =>
      offered(project, 'try', { only }).filter((action) => action.kind === 'source.fixAll.nodometer').length;
    assert.deepEqual(
      [
        ['source'],
        ['source.fixAll'],
        ['source.fixAll.nodometer'],
        ['quickfix', 'source.fixAll'],
        [''],
        ['quickfix'],
        ['source.fix'],
        ['source.fixAll.eslint'],
        ['refactor'],
      ].map(asked),
      [1, 1, 1, 1, 1, 0, 0, 0, 0],
    );
    assert.equal(offered(project, 'try').filter((action) => action.kind === 'source.fixAll.nodometer').length, 0);
  });

  it('leave quick fixes to who asks for them', () => {
    assert.deepEqual(
      [undefined, ['quickfix'], ['refactor'], ['quickfix.other'], []].map((only) => kindsFor(only).join()),
      ['quickfix', 'quickfix', '', '', ''],
    );
  });

  it('source.fixAll has no action when nothing is safe to fix', () => {
    assert.deepEqual(offered(context, 0, { only: ['source.fixAll'] }), []);
  });
});

describe('clients that understand less', () => {
  const text = 'abc;';
  const finding = findingAt(text, 'abc', { fixes: [safe('Surely', 0, 'y')], refused: [{ title: 'Never', reason: 'no' }] });
  const context = contextOf(FILE, text, { findings: [finding], findDamage: () => undefined });

  it('see no actions that cannot be chosen, no preference, no versions', () => {
    const abilities = { ...ABLE, disabled: false, preferred: false, documentChanges: false };
    const actions = offered({ ...context, abilities }, 1);
    assert.ok(!actions.some((action) => action.disabled ?? action.isPreferred));
    assert.deepEqual(actions[0]?.edit, {
      changes: { 'file:///p/a.js': [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, newText: 'y' }] },
    });
    const broken = offered({ ...context, abilities, findDamage: () => 'no', memory: contextOf(FILE, text).memory }, 1);
    assert.ok(!broken.some(({ title }) => title === 'Surely'));
  });

  it('get commands when they know no other actions, and none when they cannot run them', () => {
    const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 1 } };
    const asked = (commands: boolean): (CodeAction | Command)[] =>
      codeActions({ ...context, range, abilities: { ...ABLE, literals: false, commands } });
    assert.deepEqual(asked(true), [
      { title: 'Show documentation for no-sync-in-handler', command: 'nodometer.openRuleDocumentation', arguments: ['no-sync-in-handler'] },
    ]);
    assert.deepEqual(asked(false), []);
    assert.ok(!offered({ ...context, abilities: { ...ABLE, commands: false } }, 1).some((action) => action.command));
  });

  it('offer a profile of the function where one can be run', () => {
    assert.ok(!offered(context, 1).some(({ title }) => title === 'Profile this function'));
    const [action, ...more] = offered({ ...context, abilities: { ...ABLE, profiles: true } }, 1).filter(
      ({ title }) => title === 'Profile this function',
    );
    assert.deepEqual([action?.command?.command, more], ['nodometer.profileFunction', []]);
    const { document } = context.convert;
    const [target] = (action?.command?.arguments ?? []) as [{ uri: string; position: { line: number; character: number } }];
    assert.deepEqual(target, { uri: document.uri, position: document.positionAt(context.findings[0]?.span.start ?? -1) });
  });
});

describe('edits that wait until an action is chosen', () => {
  const abilities = { ...ABLE, resolveEdit: true };

  it('are the same as those worked out at once', () => {
    for (const { file, text } of sampleScripts()) {
      for (const finding of lintReal(file, text)) {
        const eager = contextOf(file, text);
        const wait = contextOf(file, text, { abilities });
        const waiting = offered(wait, finding.span.start);
        assert.ok(waiting.filter((action) => action.data).length >= 2);
        const without = ({ data: _, ...action }: CodeAction): CodeAction => action;
        assert.deepEqual(
          waiting.map((action) => without(action.data ? resolveAction(action, wait) : action)),
          offered(eager, finding.span.start),
        );
      }
    }
  });

  it('cost no look at the text until then', () => {
    const asked: string[] = [];
    const context = contextOf(FILE, HANDLER, {
      abilities,
      lint: () => (asked.push('lint'), []),
      findDamage: () => (asked.push('damage'), undefined),
    });
    const actions = offered(context, 'fs.readFileSync');
    assert.ok(titled(actions, 'Disable') && !asked.includes('lint'));
  });

  it('are looked for at once where there may be none', () => {
    const manifest = '{ "scripts": { "start": "node server.js" }, "dependencies": { "express": "^5.0.0" } }';
    const json = contextOf('/p/package.json', manifest, { abilities });
    assert.ok(json.findings.length > 0 && !titled(offered(json, 'node server'), 'Disable'));
    const ended = contextOf(
      FILE,
      dedent`
      f();
      /* nodometer-enable */
      ${HANDLER}
    `,
      { abilities },
    );
    assert.deepEqual(
      titlesOf(offered(ended, 'fs.readFileSync')).filter((title) => title.startsWith('Disable')),
      ['Disable no-sync-in-handler for this line'],
    );
  });

  it('are none for a finding that is not there any more', () => {
    const context = contextOf(FILE, HANDLER, { abilities });
    const action = titled(offered(context, 'fs.readFileSync'), 'Disable');
    assert.ok(action && resolveAction(action, context).edit);
    assert.equal(resolveAction(action, { ...context, findings: [] }).edit, undefined);
  });
});

describe('fix all of a rule', () => {
  const text = 'a; a; b; a;';
  /** One safe fix for each `a`, a suggestion for each `b`. */
  const lint = (one: string): readonly Finding[] =>
    [...one.matchAll(/[ab]/g)].map(({ 0: name, index }) =>
      findingAt(one, name, {
        ruleId: name === 'a' ? 'no-throw-in-hot-path' : 'no-sync-in-handler',
        span: { start: index, end: index + 1 },
        fixes: [name === 'a' ? safe('To c', index, 'c') : suggestion('To d', index, 'd')],
      }),
    );
  const context = contextOf(FILE, text, { findings: lint(text), lint, findDamage: () => undefined });
  const title = 'Fix all no-throw-in-hot-path problems in this file';

  it('is offered where two or more have a safe fix', () => {
    const action = titled(offered(context, 0), title);
    assert.equal(applied(context, action), 'c; c; b; c;');
    assert.equal(editsOf(action).length, 3 - 2, 'one line, one edit');
    assert.equal(titled(offered(context, 'b'), 'Fix all'), undefined);
    const single = contextOf(FILE, 'a; b;', { findings: lint('a; b;'), lint, findDamage: () => undefined });
    assert.equal(titled(offered(single, 0), 'Fix all'), undefined);
  });

  it('is worked out when it is chosen, where the client can wait for that', () => {
    let lints = 0;
    const lazy = {
      ...context,
      memory: contextOf(FILE, text).memory,
      abilities: { ...ABLE, resolveEdit: true },
      settings: { ...DEFAULTS, 'codeAction.disableComment.enable': false },
      lint: (one: string) => (lints++, lint(one)),
    };
    const action = titled(offered(lazy, 0), title);
    assert.ok(action);
    assert.deepEqual(
      [action.edit, action.data, lints],
      [undefined, { uri: 'file:///p/a.js', version: 7, make: 'fixAll', ruleId: 'no-throw-in-hot-path', index: 0 } satisfies ActionData, 0],
    );
    const resolved = resolveAction(action, lazy);
    assert.equal(applied(context, resolved), 'c; c; b; c;');
    assert.deepEqual({ ...resolved, edit: undefined }, { ...action, edit: undefined });
    assert.ok(lints > 0);
  });

  it('of all rules makes the safe ones only', () => {
    assert.equal(applied(context, offered(context, 0, { only: ['source.fixAll'] })[0]), 'c; c; b; c;');
  });
});

it("in every sample and case each fix that is offered makes exactly the rule's text, and fix-all the terminal's", () => {
  let fixes = 0;
  let refusals = 0;
  let all = 0;
  for (const { file, text: original } of [...sampleScripts(), ...caseTexts()]) {
    const text = original.replace(/\r?\n/g, '\r\n');
    const context = contextOf(file, text, { settings: { ...DEFAULTS, 'codeAction.disableComment.enable': false } });
    for (const finding of context.findings) {
      const actions = offered(context, finding.span.start);
      for (const fix of finding.fixes) {
        const action = actions.find(
          (one) => one.title === titleWithCost(fix) && !one.disabled && applied(context, one) === applyEdits(text, fix.edits),
        );
        assert.ok(action, `${fix.title} is not offered in\n${text}`);
        if (fix.kind === 'suggestion') assert.ok(!action.isPreferred);
        fixes++;
      }
      for (const refused of finding.refused) {
        assert.ok(actions.some((one) => one.title === refused.title && one.disabled));
        refusals++;
      }
    }
    const [fixAll] = offered(context, 0, { only: ['source.fixAll'] });
    const wanted = fixText({
      text,
      allowed: 'safe',
      lint: (one) => lintReal(file, one),
      findDamage: (before, after) => context.findDamage(before, after),
    }).text;
    assert.equal(applied(context, fixAll), wanted);
    if (fixAll) all++;
  }
  assert.ok(fixes > 100 && refusals > 30 && all > 2, `only ${fixes}, ${refusals}, ${all}`);
});

it('a deployment file gets its fixes, too', () => {
  const text = dedent`
    FROM node:22
    COPY . .
    CMD ["node", "server.js"]

  `;
  const context = contextOf('/p/Dockerfile', text);
  const actions = offered(context, 'CMD');
  assert.equal(
    applied(context, titled(actions, 'Add `ENV NODE_ENV=production`')),
    dedent`
      FROM node:22
      COPY . .
      ENV NODE_ENV=production
      CMD ["node", "server.js"]

    `,
  );
  assert.deepEqual(lintAny('/p/Dockerfile', applied(context, titled(actions, 'Add'))), []);
});
