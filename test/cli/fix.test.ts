// --fix: passes, kinds, fixes that break or undo each other, and how files are written.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Fix } from '../../protocol/finding.ts';
import { defineRule, type AnyRule } from '../../analysis/rule.ts';
import { lintText } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { findDamage } from '../../analysis/fix/verify.ts';
import { parse } from '../../analysis/module/parse.ts';
import { fixText, type FixOutcome } from '../../workspace/fix.ts';
import { replaceFile } from '../../workspace/replace-file.ts';
import { folderWith, placesOf, run, runIn, slow, testRules } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** Reports identifiers of a name; each fix puts its text in the place of the name. */
function renaming(from: string, fixes: readonly Omit<Fix, 'edits'>[], to: string, id = `no-${from}`): AnyRule {
  return defineRule<'named'>({
    meta: {
      id,
      group: 'api',
      summary: 'A name',
      severity: 'warning',
      proof: 'documented',
      nodeRange: '*',
      fix: 'safe',
      messages: { named: { what: 'a', why: 'b', remedy: 'c' } },
      options: {},
      confirmedBy: [],
    },
    create: ({ report }) => ({
      Identifier(node) {
        if (node.name !== from) return;
        const { start, end } = node as { start: number; end: number };
        report({ at: node, messageId: 'named', fixes: fixes.map((fix) => ({ ...fix, edits: [{ start, end, text: to }] })) });
      },
    }),
  });
}

const safe: Omit<Fix, 'edits'> = { title: 'Rename', kind: 'safe' };

function errorsIn(text: string): number {
  const outcome = parse('/a.js', text);
  return outcome.ok ? outcome.recovered.length : Infinity;
}

function fix(text: string, rules: readonly AnyRule[], allowed: Fix['kind'] = 'safe'): FixOutcome {
  return fixText({
    text,
    allowed,
    lint: (one) =>
      lintText({ file: '/a.js', text: one, project: { nodeRange: '*', nodeRangeSource: '' }, rules, settings: defaultSettings(rules) })
        .findings,
    findDamage: (before, after) => (errorsIn(after) > errorsIn(before) ? 'the result could not be parsed' : undefined),
  });
}

describe('making fixes', () => {
  it('goes on until nothing is left: one fix may call for the next', () => {
    assert.deepEqual(fix('a; a;', [renaming('a', [safe], 'b'), renaming('b', [safe], 'c')]), { text: 'c; c;', made: 4, rejected: [] });
  });

  it('makes the first fix of the kind allowed', () => {
    const rules = [renaming('a', [{ title: 'Maybe', kind: 'suggestion' }, safe], 'b')];
    assert.equal(fix('a', rules).made, 1);
    const suggestion = [renaming('a', [{ title: 'Maybe', kind: 'suggestion' }], 'b')];
    assert.deepEqual(fix('a', suggestion), { text: 'a', made: 0, rejected: [] });
    assert.deepEqual(fix('a', suggestion, 'suggestion'), { text: 'b', made: 1, rejected: [] });
  });

  it('takes back the fix that breaks the syntax and keeps the others', () => {
    const outcome = fix('a; x; a;', [renaming('a', [safe], 'b'), renaming('x', [{ ...safe, title: 'Break' }], '(')]);
    assert.deepEqual(outcome, {
      text: 'b; x; b;',
      made: 2,
      rejected: [{ ruleId: 'no-x', title: 'Break', reason: 'the result could not be parsed' }],
    });
  });

  it('makes fixes in a file that had recoverable errors before, and none that add one', () => {
    assert.equal(fix('const a = 1; const a = 2;', [renaming('a', [safe], 'b')]).text, 'const b = 1; const b = 2;');
    assert.equal(fix('const x = 1; const y = 2;', [renaming('x', [safe], 'y')]).made, 0);
  });

  it('stops when two rules undo each other', () => {
    const outcome = fix('a', [renaming('a', [safe], 'b'), renaming('b', [safe], 'a')]);
    assert.deepEqual(outcome, { text: 'b', made: 1, rejected: [{ ruleId: 'no-b', title: 'Rename', reason: 'another fix reverts it' }] });
  });

  it('stops when a fix calls for itself for ever', () => {
    const growing = defineRule<'grow'>({
      meta: { ...renaming('q', [], '').meta, id: 'no-end', messages: { grow: { what: 'a', why: 'b', remedy: 'c' } } },
      create: ({ report }) => ({
        Program: (node) => report({ at: node, messageId: 'grow', fixes: [{ ...safe, edits: [{ start: 0, end: 0, text: ';' }] }] }),
      }),
    });
    assert.equal(fix('a', [growing]).text, `${';'.repeat(10)}a`);
  });

  it('leaves overlapping fixes for the next pass', () => {
    const outer = defineRule<'outer'>({
      meta: { ...renaming('q', [], '').meta, id: 'no-outer', messages: { outer: { what: 'a', why: 'b', remedy: 'c' } } },
      create: ({ report, source }) => ({
        CallExpression(node) {
          if (source.slice(node.callee) !== 'f') return;
          const { start, end } = node as { start: number; end: number };
          report({
            at: node,
            messageId: 'outer',
            fixes: [{ ...safe, edits: [{ start, end, text: source.slice(node).replace('f(', 'g(') }] }],
          });
        },
      }),
    });
    assert.deepEqual(fix('f(a)', [outer, renaming('a', [safe], 'b')]), { text: 'g(b)', made: 2, rejected: [] });
  });
});

describe('--fix on files', () => {
  it('takes back a fix that names what nothing declares, and says so', async () => {
    const { out } = await runIn({ 'a.js': 'slow();\n' }, ['lint', '--fix'], { fixCheck: findDamage });
    assert.match(out, /not fixed +a\.js: .*the result would not declare `quick`/);
  });

  async function fixIn(
    files: Readonly<Record<string, string>>,
    argv: readonly string[],
    check: (path: string, result: { code: number; out: string; err: string }) => void | Promise<void>,
    prepare?: (path: string) => void,
  ): Promise<void> {
    const folder = folderWith(files);
    try {
      prepare?.(folder.path);
      const result = await run(['lint', ...argv], { cwd: folder.path });
      await check(folder.path, result);
    } finally {
      folder.dispose();
    }
  }
  const read = (path: string, name: string) => readFileSync(join(path, name), 'utf8');

  it('makes safe fixes, reports what is left, and a second run has nothing to do', async () => {
    await fixIn(
      {
        'a.js': dedent`
      slow();
      block();

    `,
        'b.js': 'ok();\n',
      },
      ['--fix'],
      async (path, { code, out }) => {
        assert.equal(code, 1);
        assert.equal(
          read(path, 'a.js'),
          dedent`
        quick();
        block();

      `,
        );
        assert.match(out, /fixed +1 finding in 1 file\n/);
        assert.match(out, /1 error in 1 file \(.*\n +checked +2 files\n/);
        const before = statSync(join(path, 'a.js')).mtimeMs;
        const again = await run(['lint', '--fix'], { cwd: path });
        assert.doesNotMatch(again.out, /fixed/);
        assert.equal(statSync(join(path, 'a.js')).mtimeMs, before);
      },
    );
  });

  it('makes suggestions only when they are asked for', async () => {
    await fixIn(
      {
        'a.js': dedent`
      slow();
      block();

    `,
      },
      ['--fix-type', 'suggestion'],
      (path, { code, out }) => {
        assert.equal(code, 0);
        assert.equal(
          read(path, 'a.js'),
          dedent`
        quick();
        await unblock();

      `,
        );
        assert.match(out, /No problems found/);
      },
    );
    await fixIn(
      {
        'a.js': dedent`
      slow();
      block();

    `,
      },
      ['--fix', '--fix-type=safe'],
      (path) =>
        assert.equal(
          read(path, 'a.js'),
          dedent`
        quick();
        block();

      `,
        ),
    );
  });

  it('writes nothing in a dry run', async () => {
    await fixIn({ 'a.js': 'slow();\n', 'package.json': '{"scripts":{"start":"node ."}}' }, ['--fix-dry-run'], (path, { out }) => {
      assert.equal(read(path, 'a.js'), 'slow();\n');
      assert.equal(read(path, 'package.json'), '{"scripts":{"start":"node ."}}');
      assert.match(out, /No problems found/);
      assert.match(out, /fixed +2 findings in 2 files \(dry run: no files were changed\)/);
    });
  });

  it('keeps byte order mark, line breaks, mode and links, and leaves no other file behind', async () => {
    await fixIn(
      { 'a.js': '\uFEFFslow();\r\nslow();\r\n' },
      ['--fix'],
      (path) => {
        assert.equal(read(path, 'a.js'), '\uFEFFquick();\r\nquick();\r\n');
        assert.equal(statSync(join(path, 'a.js')).mode & 0o777, 0o751);
      },
      (path) => chmodSync(join(path, 'a.js'), 0o751),
    );
    await fixIn(
      { 'real/a.js': 'slow();' },
      ['--fix', 'link.js'],
      (path) => {
        assert.ok(lstatSync(join(path, 'link.js')).isSymbolicLink());
        assert.equal(read(path, 'real/a.js'), 'quick();');
        assert.deepEqual(readdirSync(join(path, 'real')), ['a.js']);
      },
      (path) => symlinkSync(join('real', 'a.js'), join(path, 'link.js')),
    );
  });

  it('changes nothing outside of the repository or project through a link, found or named, and says so', async () => {
    const outside = folderWith({ 'victim.js': 'slow();', 'package.json': '{"scripts":{"start":"node ."}}' });
    try {
      const prepare = (path: string) => {
        symlinkSync(join(outside.path, 'victim.js'), join(path, 'app', 'link.js'));
        symlinkSync(join(outside.path, 'package.json'), join(path, 'app', 'package.json'));
        symlinkSync(outside.path, join(path, 'app', 'linked'), 'junction');
        symlinkSync(join('..', '..', 'lib', 'b.js'), join(path, 'app', 'src', 'b.js'));
      };
      const files = { 'app/src/a.js': 'slow();', 'lib/b.js': 'slow();', '.git/HEAD': 'ref: refs/heads/main\n' };
      for (const argv of [['app'], ['app/link.js', 'app/package.json', 'app/src'], ['app/linked', 'app/src']])
        await fixIn(
          files,
          ['--fix', ...argv],
          (path, { out, err }) => {
            assert.equal(read(outside.path, 'victim.js'), 'slow();');
            assert.equal(read(outside.path, 'package.json'), '{"scripts":{"start":"node ."}}');
            assert.match(err, /was not fixed because it is a link to .*victim\.js, outside of /);
            assert.match(err, /was not fixed because it is a link to .*package\.json, outside of /);
            // In the same repository, though not in the folder that was named.
            assert.equal(read(path, 'lib/b.js'), 'quick();');
            assert.match(out, /fixed +2 findings in 2 files/);
          },
          prepare,
        );
    } finally {
      outside.dispose();
    }
  });

  it('keeps the owner and the group of a file, and leaves it alone where it cannot', async () => {
    const { getuid, getgid, getgroups, seteuid } = process;
    const isRoot = getuid?.() === 0;
    // Only root may give a file to another user; others may give it to another of their groups.
    const uid = isRoot ? 4321 : (getuid?.() ?? 0);
    const gid = isRoot ? 4321 : (getgroups?.().find((one) => one !== getgid?.()) ?? getgid?.() ?? 0);
    await fixIn(
      { 'a.js': 'slow();' },
      ['--fix'],
      (path) => {
        const file = join(path, 'a.js');
        assert.equal(read(path, 'a.js'), 'quick();');
        const { uid: owner, gid: group, mode } = statSync(file);
        assert.deepEqual({ owner, group }, { owner: uid, group: gid });
        if (!isRoot || !seteuid) return;
        assert.equal(mode & 0o7777, 0o666);
        chmodSync(path, 0o777);
        seteuid(1234);
        try {
          const why = 'belongs to another user or group, and would become yours';
          assert.deepEqual(replaceFile(file, 'quick();', 'other', path), { ok: false, why });
        } finally {
          seteuid(0);
        }
        assert.deepEqual([read(path, 'a.js'), readdirSync(path)], ['quick();', ['a.js']]);
      },
      (path) => {
        chownSync(join(path, 'a.js'), uid, gid);
        chmodSync(join(path, 'a.js'), 0o666);
      },
    );
  });

  it('fixes deployment files, and modules that are both', async () => {
    await fixIn({ 'package.json': '{"scripts":{"start":"node ."}}', 'ecosystem.config.js': 'slow();' }, ['--fix'], (path, { out }) => {
      assert.equal(read(path, 'package.json'), '{"scripts":{"start":"FLAG=on node ."}}');
      assert.equal(read(path, 'ecosystem.config.js'), 'quick();');
      assert.match(out, /fixed +2 findings in 2 files/);
    });
  });

  it('takes back what would break a deployment file', async () => {
    const breaking = defineRule<'broken'>({
      meta: { ...renaming('q', [], '').meta, id: 'no-reading', messages: { broken: { what: 'a', why: 'b', remedy: 'c' } } },
      checkDeployment({ project, report }) {
        for (const file of project.files) {
          if (file.text.includes('BREAK')) continue;
          report({
            file,
            at: { start: 0, end: 1 },
            messageId: 'broken',
            fixes: [{ ...safe, edits: [{ start: 0, end: 0, text: 'BREAK: [' }] }],
          });
        }
      },
    });
    const files = { 'package.json': '{}', 'docker-compose.yml': 'services: {}\n', 'ecosystem.config.js': 'a', Procfile: 'web: node .\n' };
    const folder = folderWith(files);
    try {
      const { out } = await run(['lint', '--fix'], { cwd: folder.path, rules: [breaking] });
      for (const name of ['package.json', 'docker-compose.yml', 'ecosystem.config.js']) {
        assert.equal(read(folder.path, name), files[name as keyof typeof files], name);
        assert.match(out, new RegExp(`not fixed +${name}: Rename \\(no-reading\\): the result could not be parsed`));
      }
      assert.equal(out.match(/not fixed/g)?.length, 3, 'each is told once');
      assert.equal(read(folder.path, 'Procfile'), 'BREAK: [web: node .\n', 'nothing reads a Procfile as a whole');
    } finally {
      folder.dispose();
    }
  });

  it('says which fixes were taken back', async () => {
    const folder = folderWith({ 'a.js': 'x; slow();' });
    try {
      const breaking = renaming('x', [{ ...safe, title: 'Break' }], '(');
      const { out } = await run(['lint', '--fix'], { cwd: folder.path, rules: [slow, breaking] });
      assert.equal(readFileSync(join(folder.path, 'a.js'), 'utf8'), 'x; quick();');
      assert.match(out, /not fixed +a\.js: Break \(no-x\): the result could not be parsed/);
    } finally {
      folder.dispose();
    }
  });

  it('leaves files alone that are no UTF-8 or were changed meanwhile', async () => {
    await fixIn(
      { 'b.js': 'slow();' },
      ['--fix', '-f', 'json'],
      (path, { out, err }) => {
        assert.match(err, /a\.js was not fixed because it is not valid UTF-8/);
        assert.deepEqual(readFileSync(join(path, 'a.js')), Buffer.from([0x73, 0x6c, 0x6f, 0x77, 0x28, 0x29, 0x3b, 0x2f, 0x2f, 0xe9]));
        assert.deepEqual(placesOf(out.replaceAll(path, '<folder>')), ['a.js:1:1 no-slow']);
      },
      (path) => writeFileSync(join(path, 'a.js'), Buffer.from('slow();//\u00e9', 'latin1')),
    );
    const folder = folderWith({ 'a.js': 'new text' });
    try {
      assert.deepEqual(replaceFile(join(folder.path, 'a.js'), 'old text', 'fixed', folder.path), {
        ok: false,
        why: 'was changed by another program in the meantime',
      });
      assert.deepEqual(replaceFile(join(folder.path, 'gone.js'), '', 'fixed', folder.path), { ok: false, why: 'no longer exists' });
      assert.equal(read(folder.path, 'a.js'), 'new text');
      assert.deepEqual(readdirSync(folder.path), ['a.js']);
    } finally {
      folder.dispose();
    }
  });

  it('makes no fix that a comment silences', async () => {
    await fixIn({ 'a.js': 'slow(); // nodometer-disable-line no-slow\n' }, ['--fix'], (path) =>
      assert.equal(read(path, 'a.js'), 'slow(); // nodometer-disable-line no-slow\n'),
    );
  });

  it('can be seen in the fixes of the json format before', async () => {
    await fixIn({ 'a.js': 'slow(); block();' }, ['-f', 'json'], (_, { out }) => {
      assert.deepEqual(
        (JSON.parse(out) as { fixes: unknown }[]).map((finding) => finding.fixes),
        [[{ title: 'Call quick() instead', kind: 'safe' }], [{ title: 'Await unblock()', kind: 'suggestion', cost: 'twice the time' }]],
      );
    });
  });
});

it('test rules are of every severity', () => {
  assert.deepEqual([...new Set(testRules.map((rule) => rule.meta.severity))].sort(), ['error', 'hint', 'warning']);
});
