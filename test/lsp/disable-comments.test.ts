// "Disable … for this line" and "… for the entire file": the comment stands where a comment may stand, and silences just that.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { posix } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Finding } from '../../protocol/finding.ts';
import type { DeploymentFile } from '../../protocol/project.ts';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import { lintDeployment } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rules } from '../../rules/index.ts';
import { composeCases } from '../rules/node-env/compose-cases.ts';
import { dockerCases } from '../rules/node-env/docker-cases.ts';
import { kubernetesCases } from '../rules/node-env/kubernetes-cases.ts';
import { processCases } from '../rules/node-env/process-cases.ts';
import { scriptCases } from '../rules/node-env/script-cases.ts';
import { applied, contextOf, DEFAULTS, lintAny, offered, titled } from './actions.ts';
import { caseTexts, lintReal, PROJECT, sampleScripts, type FileText } from './texts.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const RULE = 'no-sync-in-handler';
const FOR_LINE = `Disable ${RULE} for this line`;
const FOR_FILE = `Disable ${RULE} for the entire file`;
const SAME_LINE = { ...DEFAULTS, 'codeAction.disableComment.location': 'sameLine' as const };

/** A handler with the given lines; the call stands in them as `fs.readFileSync('a')`. */
function handler(lines: string, file = '/p/src/app.jsx'): { file: string; text: string } {
  return {
    file,
    text: dedent`
    const fs = require('fs');
    require('express')().get('/', (req, res) => {
    ${lines}
    });

  `,
  };
}

/** The handler's lines with the comment for the call's line. */
function silenced({ file, text }: { file: string; text: string }, settings = DEFAULTS): string {
  const context = contextOf(file, text, { settings });
  const result = applied(context, titled(offered(context, 'fs.readFileSync'), FOR_LINE));
  checkSilenced(
    file,
    text,
    result,
    context.findings.find((finding) => finding.span.start === text.indexOf('fs.readFileSync')) as Finding,
    false,
  );
  return result.split('\n').slice(2, -2).join('\n');
}

/** What a finding says of which code, wherever it stands. */
function kindOf(text: string, { ruleId, messageId, span }: Finding): string {
  return `${ruleId} ${messageId} ${
    ruleId === 'nodometer-disable'
      ? ''
      : text
          .slice(span.start, span.end)
          .replace(/(?:\/\*|\/\/|\{\/\*) nodometer-.*?(?:\*\/\}?|(?:\r\n|[\r\n]))[\t ]*/g, '')
          .replace(/\s+/g, ' ')
  }`;
}

/** `all`: the findings of the text before, with all rules. */
function checkSilenced(
  file: string,
  before: string,
  after: string,
  finding: Finding,
  wholeFile: boolean,
  all = lintAny(file, before),
): void {
  const lineOf = (one: Finding): number => before.slice(0, one.span.start).split(/\r\n|[\n\r\u2028\u2029]/).length;
  const expected = all.filter((one) => one.ruleId !== finding.ruleId || (!wholeFile && lineOf(one) !== lineOf(finding)));
  assert.deepEqual(
    lintAny(file, after)
      .map((one) => kindOf(after, one))
      .sort(),
    expected.map((one) => kindOf(before, one)).sort(),
    after,
  );
}

describe('a comment for the line', () => {
  const call = `fs.readFileSync('a')`;
  const next = `// nodometer-disable-next-line ${RULE}`;
  const block = `/* nodometer-disable-line ${RULE} */`;
  const table: readonly [name: string, lines: string, separate: string, same: string][] = [
    [
      'stands above, indented',
      `  res.end(${call});`,
      `  ${next}\n  res.end(${call});`,
      `  res.end(${call}); // nodometer-disable-line ${RULE}`,
    ],
    [
      'keeps tabs',
      `\t\tres.end(${call});`,
      `\t\t${next}\n\t\tres.end(${call});`,
      `\t\tres.end(${call}); // nodometer-disable-line ${RULE}`,
    ],
    [
      'may stand in an expression',
      `  res.end(\n    ${call},\n  );`,
      `  res.end(\n    ${next}\n    ${call},\n  );`,
      `  res.end(\n    ${call}, // nodometer-disable-line ${RULE}\n  );`,
    ],
    [
      'extends one that is there',
      `  // nodometer-disable-next-line no-other -- why\n  res.end(${call});`,
      `  // nodometer-disable-next-line no-other, ${RULE} -- why\n  res.end(${call});`,
      `  // nodometer-disable-next-line no-other, ${RULE} -- why\n  res.end(${call});`,
    ],
    [
      'extends one on the line',
      `  res.end(${call}); /* nodometer-disable-line no-other */`,
      `  res.end(${call}); /* nodometer-disable-line no-other, ${RULE} */`,
      `  res.end(${call}); /* nodometer-disable-line no-other, ${RULE} */`,
    ],
    [
      'leaves the line above to another tool',
      `  // eslint-disable-next-line n/no-sync\n  res.end(${call});`,
      `  // eslint-disable-next-line n/no-sync\n  res.end(${call}); // nodometer-disable-line ${RULE}`,
      `  // eslint-disable-next-line n/no-sync\n  res.end(${call}); // nodometer-disable-line ${RULE}`,
    ],
    [
      'goes before the call where a comment ends the line',
      `  res.end(${call}); // why`,
      `  ${next}\n  res.end(${call}); // why`,
      `  res.end(${block} ${call}); // why`,
    ],
    [
      'is braced in JSX',
      `  res.end(\n    <ul>\n      {${call}}\n    </ul>,\n  );`,
      `  res.end(\n    <ul>\n      {/* nodometer-disable-next-line ${RULE} */}\n      {${call}}\n    </ul>,\n  );`,
      `  res.end(\n    <ul>\n      {${call}}{/* nodometer-disable-line ${RULE} */}\n    </ul>,\n  );`,
    ],
    [
      'splits no JSX text of several lines',
      `  res.end(\n    <p>\n      Hello\n      world {${call}}\n    </p>,\n  );`,
      `  res.end(\n    <p>\n      Hello\n      world {${block} ${call}}\n    </p>,\n  );`,
      `  res.end(\n    <p>\n      Hello\n      world {${call}}{/* nodometer-disable-line ${RULE} */}\n    </p>,\n  );`,
    ],
    [
      'stands among attributes',
      `  res.end(\n    <p\n      title={${call}}\n    />,\n  );`,
      `  res.end(\n    <p\n      ${next}\n      title={${call}}\n    />,\n  );`,
      `  res.end(\n    <p\n      title={${call}} // nodometer-disable-line ${RULE}\n    />,\n  );`,
    ],
    [
      'never goes into a template',
      `  res.end(\`\n    a \${${call}} b\n  \`);`,
      `  res.end(\`\n    a \${${block} ${call}} b\n  \`);`,
      `  res.end(\`\n    a \${${block} ${call}} b\n  \`);`,
    ],
    [
      "goes between the lines of a template's expression",
      `  res.end(\`\${\n    ${call}\n  }\`);`,
      `  res.end(\`\${\n    ${next}\n    ${call}\n  }\`);`,
      `  res.end(\`\${\n    ${call} // nodometer-disable-line ${RULE}\n  }\`);`,
    ],
    [
      'keeps clear of a string over two lines',
      `  res.end('a\\\n    b' + ${call});`,
      `  res.end('a\\\n    b' + ${block} ${call});`,
      `  res.end('a\\\n    b' + ${call}); // nodometer-disable-line ${RULE}`,
    ],
    [
      'keeps clear of a block comment',
      `  /* a\n  b */ res.end(${call});`,
      `  /* a\n  b */ res.end(${block} ${call});`,
      `  /* a\n  b */ res.end(${call}); // nodometer-disable-line ${RULE}`,
    ],
    [
      'counts lines as JavaScript does',
      `  "\u2028"; res.end(${call});`,
      `  "\u2028"; res.end(${block} ${call});`,
      `  "\u2028"; res.end(${call}); // nodometer-disable-line ${RULE}`,
    ],
    [
      'counts 😀 as two',
      `  res.end("😀😀" + ${call});`,
      `  ${next}\n  res.end("😀😀" + ${call});`,
      `  res.end("😀😀" + ${call}); // nodometer-disable-line ${RULE}`,
    ],
  ];
  for (const [name, lines, separate, same] of table) {
    it(name, () => {
      assert.equal(silenced(handler(lines)), separate);
      assert.equal(silenced(handler(lines), SAME_LINE), same);
    });
  }

  it('keeps line breaks, whatever they are', () => {
    for (const lineBreak of ['\r\n', '\r']) {
      const text = handler(`  res.end(${call});`).text.replaceAll('\n', lineBreak);
      const context = contextOf('/p/src/app.js', text);
      const result = applied(context, titled(offered(context, 'fs.readFileSync'), FOR_LINE));
      assert.equal(result, handler(`  ${next}\n  res.end(${call});`).text.replaceAll('\n', lineBreak));
    }
  });

  it('stands after a byte order mark, and works without a final line break', () => {
    const text = `\uFEFFrequire('http').createServer((q, r) => r.end(require('fs').readFileSync('a')))`;
    const context = contextOf('/p/src/app.js', text);
    const result = applied(context, titled(offered(context, `require('fs')`), FOR_LINE));
    assert.equal(result, `\uFEFF${next}\n${text.slice(1)}`);
    assert.deepEqual(lintReal('/p/src/app.js', result), []);
  });

  it('is offered once for two findings of a rule on a line, and carries both', () => {
    const { file, text } = handler(`  const both = [${call}, ${call}];`);
    const context = contextOf(file, text);
    const position = (offset: number) => context.convert.document.positionAt(offset);
    const range = { start: position(text.indexOf(call)), end: position(text.lastIndexOf(call)) };
    const actions = offered(context, 0, { range }).filter(({ title }) => title === FOR_LINE);
    assert.deepEqual(
      actions.map((action) => action.diagnostics?.length),
      [2],
    );
  });
});

describe('a comment for the file', () => {
  const body = `require('http').createServer((q, r) => r.end(require('fs').readFileSync('a')));\n`;
  const comment = `/* nodometer-disable ${RULE} */\n`;
  const table: readonly [name: string, before: string, after: string][] = [
    ['stands first', body, `${comment}${body}`],
    ['leaves the shebang first', `#!/usr/bin/env node\n${body}`, `#!/usr/bin/env node\n${comment}${body}`],
    ["leaves 'use strict' first", `'use strict';\n${body}`, `'use strict';\n${comment}${body}`],
    [
      "leaves shebang, header and 'use strict' first",
      dedent`
        #!/usr/bin/env node
        // Copyright
        'use strict';

        ${body}
      `,
      dedent`
        #!/usr/bin/env node
        // Copyright
        'use strict';
        ${comment}
        ${body}
      `,
    ],
    ["goes above where 'use strict' shares its line with the call", `'use strict'; ${body}`, `${comment}'use strict'; ${body}`],
    [
      'leaves a header first',
      dedent`
      /*
       * Ours.
       */

      ${body}
    `,
      dedent`
      /*
       * Ours.
       */
      ${comment}
      ${body}
    `,
    ],
    [
      'leaves a header of line comments first',
      dedent`
      // One.
      // Two.

      ${body}
    `,
      dedent`
      // One.
      // Two.
      ${comment}
      ${body}
    `,
    ],
    ['leaves a docblock with a pragma first', `/** @jest-environment node */\n${body}`, `/** @jest-environment node */\n${comment}${body}`],
    ['stands above the comment of the first statement', `/** Serves. */\n${body}`, `${comment}/** Serves. */\n${body}`],
    ['extends one that is there', `/* nodometer-disable no-other */\n${body}`, `/* nodometer-disable no-other, ${RULE} */\n${body}`],
    ['stands after a byte order mark', `\uFEFF${body}`, `\uFEFF${comment}${body}`],
    [
      'keeps CRLF',
      `'use strict';\r\n${body.replace('\n', '\r\n')}`,
      `'use strict';\r\n${comment.replace('\n', '\r\n')}${body.replace('\n', '\r\n')}`,
    ],
    ['needs no line break at the end', body.trimEnd(), `${comment}${body.trimEnd()}`],
  ];
  for (const [name, before, after] of table) {
    it(name, () => {
      const context = contextOf('/p/src/app.js', before);
      assert.equal(applied(context, titled(offered(context, `require('fs')`), FOR_FILE)), after);
      assert.deepEqual(
        lintReal('/p/src/app.js', after).filter((finding) => finding.ruleId === RULE),
        [],
      );
    });
  }

  it('is not offered where a comment would end it before it reached the finding', () => {
    const context = contextOf(
      '/p/src/app.js',
      dedent`
      f();
      /* nodometer-enable */
      ${body}
    `,
    );
    const actions = offered(context, `require('fs')`);
    assert.equal(titled(actions, FOR_FILE), undefined);
    assert.ok(titled(actions, FOR_LINE));
  });
});

it('in every sample in every disguise, and in every case in one, a comment silences just what it names', () => {
  let checked = 0;
  const samples = sampleScripts();
  for (const [i, { file, text: original }] of [...samples, ...caseTexts()].entries()) {
    const disguises = [
      [original, DEFAULTS],
      [original.replace(/\r?\n/g, '\r\n'), SAME_LINE],
      [original.startsWith('#!') ? original : `\uFEFF/*😀\u2028*/ ${original.trimEnd()}`, DEFAULTS],
    ] as const;
    for (const [text, settings] of i < samples.length ? disguises : disguises.slice(i % 3, (i % 3) + 1)) {
      const context = contextOf(file, text, { findDamage: () => undefined });
      const all = context.findings.length > 0 ? lintAny(file, text) : [];
      for (const finding of context.findings) {
        if (finding.ruleId === 'nodometer-disable') continue;
        const actions = offered({ ...context, settings }, finding.span.start, {
          range: {
            start: context.convert.document.positionAt(finding.span.start),
            end: context.convert.document.positionAt(finding.span.end),
          },
        });
        const action = actions.find(
          ({ title, diagnostics }) =>
            title === `Disable ${finding.ruleId} for this line` &&
            diagnostics?.some((one) => (one.data as { index: number }).index === context.findings.indexOf(finding)),
        );
        assert.ok(action, `no comment for ${kindOf(text, finding)} in\n${text}`);
        checkSilenced(file, text, applied(context, action), finding, false, all);
        const whole = titled(actions, `Disable ${finding.ruleId} for the entire file`);
        assert.ok(whole, `no comment for all ${finding.ruleId} in\n${text}`);
        checkSilenced(file, text, applied(context, whole), finding, true, all);
        checked++;
      }
    }
  }
  assert.ok(checked > 500, `only ${checked}`);
});

describe('in files that say how a program is started', () => {
  const ruleId = 'require-node-env';
  const table: readonly [file: string, before: string, part: string, line: string | undefined, file: string | undefined][] = [
    [
      '/p/Dockerfile',
      dedent`
        # syntax=docker/dockerfile:1
        FROM node:22
        COPY . .
        CMD ["node", "server.js"]

      `,
      'CMD',
      dedent`
        # syntax=docker/dockerfile:1
        FROM node:22
        COPY . .
        # nodometer-disable-next-line R
        CMD ["node", "server.js"]

      `,
      dedent`
        # syntax=docker/dockerfile:1
        # nodometer-disable R
        FROM node:22
        COPY . .
        CMD ["node", "server.js"]

      `,
    ],
    [
      '/p/Dockerfile',
      'FROM node:22\r\nCOPY . .\r\nCMD ["node", "server.js"]',
      'CMD',
      'FROM node:22\r\nCOPY . .\r\n# nodometer-disable-next-line R\r\nCMD ["node", "server.js"]',
      '# nodometer-disable R\r\nFROM node:22\r\nCOPY . .\r\nCMD ["node", "server.js"]',
    ],
    [
      '/p/Procfile',
      'web: NODE_ENV=development node server.js\n',
      'development',
      dedent`
        # nodometer-disable-next-line R
        web: NODE_ENV=development node server.js

      `,
      dedent`
        # nodometer-disable R
        web: NODE_ENV=development node server.js

      `,
    ],
    [
      '/p/app.service',
      dedent`
        [Service]
        ExecStart=/usr/bin/node /p/server.js

      `,
      'ExecStart',
      dedent`
        [Service]
        # nodometer-disable-next-line R
        ExecStart=/usr/bin/node /p/server.js

      `,
      dedent`
        # nodometer-disable R
        [Service]
        ExecStart=/usr/bin/node /p/server.js

      `,
    ],
    [
      '/p/compose.yaml',
      dedent`
        services:
          web:
            image: node:22
            command: node server.js

      `,
      'web:',
      dedent`
        services:
          web:
            image: node:22
            # nodometer-disable-next-line R
            command: node server.js

      `,
      dedent`
        # nodometer-disable R
        services:
          web:
            image: node:22
            command: node server.js

      `,
    ],
    [
      '/p/ecosystem.config.js',
      dedent`
        module.exports = {
          apps: [{ name: 'web', script: 'server.js' }],
        };

      `,
      `{ name`,
      dedent`
        module.exports = {
          // nodometer-disable-next-line R
          apps: [{ name: 'web', script: 'server.js' }],
        };

      `,
      dedent`
        // nodometer-disable R
        module.exports = {
          apps: [{ name: 'web', script: 'server.js' }],
        };

      `,
    ],
    [
      '/p/package.json',
      dedent`
        {
          "scripts": { "start": "node server.js" },
          "dependencies": { "express": "^5.0.0" }
        }

      `,
      '"node',
      undefined,
      undefined,
    ],
  ];
  for (const [file, before, part, line, whole] of table) {
    it(`${file}${before.includes('\r') ? ', CRLF' : ''}`, () => {
      const context = contextOf(file, before);
      const [finding] = context.findings;
      assert.equal(finding?.ruleId, ruleId, `nothing is found in ${before}`);
      const actions = offered(context, part, {
        range: {
          start: context.convert.document.positionAt(finding.span.start),
          end: context.convert.document.positionAt(finding.span.end),
        },
      });
      for (const [title, expected] of [
        ['for this line', line],
        ['for the entire file', whole],
      ] as const) {
        const action = titled(actions, `Disable ${ruleId} ${title}`);
        if (expected === undefined) {
          assert.equal(action, undefined);
          continue;
        }
        const result = applied(context, action);
        assert.equal(result, expected.replace(' R', ` ${ruleId}`));
        assert.deepEqual(lintAny(file, result), []);
      }
    });
  }
});

it("in every project of require-node-env's cases, comments silence just what they name, and JSON gets none", () => {
  let offers = 0;
  let refusals = 0;
  for (const one of [...dockerCases, ...composeCases, ...kubernetesCases, ...processCases, ...scriptCases]) {
    const files = Object.entries(one.files).map(
      ([path, text]): FileText => ({ file: posix.join('/project', path), text: text.replace(/[«»]/g, '') }),
    );
    const lint = (changed?: FileText): readonly Finding[] =>
      lintProject(files.map((file) => (file.file === changed?.file ? changed : file)));
    for (const { file, text } of files) {
      const findings = lint().filter((finding) => finding.file === file);
      const context = contextOf(file, text, {
        findings,
        lint: (changed) => lint({ file, text: changed }).filter((finding) => finding.file === file),
      });
      for (const finding of findings) {
        const actions = offered(context, finding.span.start).filter(({ title }) => title.startsWith('Disable'));
        if (file.endsWith('.json')) {
          assert.deepEqual(actions, []);
          refusals++;
          continue;
        }
        assert.equal(
          actions.length,
          2,
          dedent`
          ${one.name}: no comment for ${finding.message.what} in
          ${text}
        `,
        );
        for (const action of actions) {
          const after = applied(context, action);
          const left = lint({ file, text: after });
          assert.ok(left.length < lint().length && left.every(({ ruleId }) => ruleId !== 'nodometer-disable'), after);
          if (/\.ya?ml$/.test(file))
            assert.deepEqual(
              parseAllDocuments(after).map((document): unknown => document.toJS()),
              parseAllDocuments(text).map((document): unknown => document.toJS()),
            );
          offers++;
        }
      }
    }
  }
  assert.ok(offers > 100 && refusals > 10, `only ${offers} and ${refusals}`);
});

/** What is found in a project's deployment files. */
function lintProject(files: readonly FileText[]): readonly Finding[] {
  const deployment = files.flatMap(({ file: path, text }): DeploymentFile[] => {
    const kind = path.startsWith('/project/') ? deploymentKindOf(path) : undefined;
    return kind ? [{ path, kind, text }] : [];
  });
  const readText = (path: string) => files.find(({ file }) => file === path)?.text;
  return lintDeployment({ root: '/project', info: PROJECT, files: deployment, readText }, rules, defaultSettings(rules)).findings;
}

describe('a comment that silences nothing', () => {
  const table: readonly [name: string, file: string, before: string, part: string, title: string, after: string][] = [
    [
      'goes with its line',
      '/p/a.js',
      dedent`
        a();
          // nodometer-disable-next-line no-sync-in-handler
        b();

      `,
      '// nodo',
      'Remove this comment',
      dedent`
        a();
        b();

      `,
    ],
    [
      'goes with the spaces before it',
      '/p/a.js',
      'a(); // nodometer-disable-line\r\nb();\r\n',
      '// nodo',
      'Remove this comment',
      'a();\r\nb();\r\n',
    ],
    ['goes from the middle of a line', '/p/a.js', 'a(/* nodometer-disable-line */ 1);', '/* nodo', 'Remove this comment', 'a(1);'],
    [
      'goes with its braces in JSX',
      '/p/a.jsx',
      dedent`
        f(<ul>
          {/* nodometer-disable-next-line no-x */}
          {a}
        </ul>);

      `,
      '/* nodo',
      'Remove this comment',
      dedent`
        f(<ul>
          {a}
        </ul>);

      `,
    ],
    [
      'keeps braces that are not its own',
      '/p/a.jsx',
      'f(() => {/* nodometer-disable-line no-x */});\n',
      '/* nodo',
      'Remove this comment',
      'f(() => {});\n',
    ],
    [
      'keeps the other rules',
      '/p/a.js',
      '// nodometer-disable no-x, no-y -- why\n',
      '// nodo',
      'Remove no-x from this comment',
      '// nodometer-disable no-y -- why\n',
    ],
    ['after a byte order mark', '/p/a.js', '\uFEFF// nodometer-disable\na();', '// nodo', 'Remove this comment', '\uFEFFa();'],
    [
      'in a Dockerfile',
      '/p/Dockerfile',
      dedent`
        FROM node:22
        # nodometer-disable-next-line require-node-env
        RUN ls

      `,
      '# nodo',
      'Remove this comment',
      dedent`
        FROM node:22
        RUN ls

      `,
    ],
  ];
  for (const [name, file, before, part, title, after] of table) {
    it(name, () => {
      const context = contextOf(file, before);
      const actions = offered(context, part);
      assert.equal(applied(context, titled(actions, title)), after, actions.map((action) => action.title).join());
      assert.ok(actions.every((action) => action.kind === 'quickfix' && !action.title.startsWith('Disable')));
    });
  }
});
