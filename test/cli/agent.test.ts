// `--format agent` and `nodometer fix`: what programs that read text are told.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import { agentLine, shellWord } from '../../cli/formats/agent-line.ts';
import { formatAgentDifference } from '../../cli/formats/agent-runs.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, run, runIn } from './support.ts';

const APP = dedent`
  const app = require('express')();
  const { readFileSync } = require('node:fs');
  app.get('/users', (req, res) => {
    res.send(readFileSync('a.html', 'utf8'));
  });

`;

const LIBRARY = dedent`
  exports.isList = function isList(text) {
    return /^(\\w+,?)+$/.test(text);
  };
  exports.format = function format(date) {
    return new Intl.DateTimeFormat('en').format(date);
  };

`;

function idsIn(out: string): string[] {
  return [...out.matchAll(/^\S+ (?:error|warning|hint) \S+ ([0-9a-f]{12}) \|/gm)].map(([, id = '']) => id);
}

describe('--format agent', () => {
  it('has one line for each finding with place, cost, fix, and proof, and a closing line', async () => {
    const { code, out, err } = await runIn({ 'app.js': APP, 'package.json': '{}' }, ['lint', '--format', 'agent'], { rules });
    assert.equal(err, '');
    assert.equal(code, 0);
    const lines = out.trimEnd().split('\n');
    assert.equal(lines.length, 2, out);
    assert.match(
      lines[0] ?? '',
      /^app\.js:4:12 warning no-sync-in-handler [0-9a-f]{12} \| GET \/users \| `fs\.readFileSync` blocks .* \| cost: not measured \| fix: nodometer fix [0-9a-f]{12} \(\w+: .*\) \| prove: nodometer profile app\.js:4:12$/,
    );
    assert.equal(lines[1], 'done: 0 errors, 1 warning, 0 hints in 1 file | 2 files read');
  });

  it('tells of a library what its callers run, and of nothing else', async () => {
    const files = { 'index.js': LIBRARY, 'package.json': '{"main":"index.js"}' };
    const { code, out } = await runIn(files, ['lint', '--format', 'agent'], { rules });
    // Exponential for callers is more than a hint.
    assert.equal(code, 0);
    const [first = '', second = '', ...more] = out.trimEnd().split('\n');
    assert.match(
      first,
      /^index\.js:2:10 warning no-unsafe-regex [0-9a-f]{12} \| for callers of this package \| .* \| prove: nodometer profile --exports index\.js:2:10$/,
    );
    assert.match(
      second,
      /^index\.js:5:\d+ hint no-setup-per-request \S+ \| for callers of this package \| .* `format`, which this module exports/,
    );
    assert.equal(more.length, 1, out);
    const plain = await runIn(files, ['lint', '--format', 'json'], { rules });
    assert.equal(plain.out.trim(), '[]');
    // No build fails because of the format.
    const strict = ['lint', '--max-warnings', '0', '--format', 'agent'];
    assert.equal((await runIn(files, strict, { rules })).code, 0);
    assert.equal((await runIn(files, [...strict, '--exports'], { rules })).code, 1);
    for (const manifest of ['{"main":"index.js","private":true}', '{"main":"index.js","scripts":{"start":"node ."}}', '{}']) {
      const other = await runIn({ ...files, 'package.json': manifest }, ['lint', '--format', 'agent'], { rules });
      assert.equal(other.out, 'done: no findings | 2 files read\n', manifest);
    }
  });

  it('tells it of the libraries in a repository only', async () => {
    const { out } = await runIn(
      {
        'package.json': '{"private":true}',
        'packages/a/package.json': '{"main":"index.js"}',
        'packages/a/index.js': LIBRARY,
        'packages/b/package.json': '{"main":"index.js","scripts":{"start":"node ."}}',
        'packages/b/index.js': LIBRARY,
      },
      ['lint', '--format', 'agent'],
      { rules },
    );
    assert.deepEqual([...out.matchAll(/^(\S+?):/gm)].map(([, file]) => file).slice(0, -1), ['packages/a/index.js', 'packages/a/index.js']);
  });

  it('compares with a baseline what is in it without the format', async () => {
    const folder = folderWith({ 'index.js': LIBRARY, 'package.json': '{"main":"index.js"}' });
    try {
      await run(['lint', '--update-baseline'], { cwd: folder.path, rules });
      const { out } = await run(['lint', '--baseline', '--format', 'agent'], { cwd: folder.path, rules });
      assert.equal(out, 'done: no findings | 2 files read | not shown: 0 findings in the baseline\n');
    } finally {
      folder.dispose();
    }
  });

  it('is never empty', async () => {
    const { out } = await runIn({ 'app.js': 'ok();' }, ['lint', '--format', 'agent']);
    assert.equal(out, 'done: no findings | 1 file read\n');
    const unread = await runIn({ 'app.js': 'foo(' }, ['lint', '--format', 'agent']);
    assert.equal(unread.out, 'done: no findings | 1 file read | 1 file could not be parsed\n');
    const nothing = await runIn({ 'a.txt': '' }, ['lint', '--format', 'agent']);
    assert.equal(nothing.out, 'done: no findings | 0 files read\n');
  });

  it('says what the baseline leaves out', async () => {
    const folder = folderWith({ 'app.js': 'slow();' });
    try {
      await run(['lint', '--update-baseline'], { cwd: folder.path });
      const { out } = await run(['lint', '--baseline', '--format', 'agent'], { cwd: folder.path });
      assert.equal(out, 'done: no findings | 1 file read | not shown: 1 finding in the baseline\n');
    } finally {
      folder.dispose();
    }
  });

  it('keeps each finding on its line, whatever names and code hold', async () => {
    const name = "a'; rm -rf ~ #\n::error::x\u001b[31m.js";
    const { out } = await runIn({ [name]: 'slow();', "it's $HOME.js": 'slow();' }, ['lint', '--format', 'agent']);
    const lines = out.trimEnd().split('\n');
    assert.equal(lines.length, 3, out);
    assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f]|^\s*::/m);
  });

  it('writes places so that a shell takes them for one word', () => {
    assert.equal(shellWord('src/app.js:4:12'), 'src/app.js:4:12');
    assert.equal(shellWord("it's $HOME.js"), `'it'\\''s $HOME.js'`);
    assert.equal(shellWord('-rf.js'), './-rf.js');
    assert.equal(shellWord('a\n.js'), undefined);
    assert.equal(agentLine('a\nb', undefined, '', 'c'), 'a b | c\n');
    assert.ok(agentLine('x'.repeat(10_000)).length < 500);
  });

  it('gives a finding the same ID when lines move, and equal places different ones', async () => {
    const folder = folderWith({ 'app.js': 'slow();\nslow();\n' });
    try {
      const ids = async () => idsIn((await run(['lint', '--format', 'agent'], { cwd: folder.path })).out);
      const before = await ids();
      assert.equal(new Set(before).size, 2);
      writeFileSync(
        join(folder.path, 'app.js'),
        dedent`
        // moved

          slow( ) ;
        slow();

      `,
      );
      assert.deepEqual(await ids(), before);
    } finally {
      folder.dispose();
    }
  });

  it('tells differences', () => {
    const side = (name: string, median: number) => ({ name, median, figures: [median, median] });
    const report = {
      functionName: 'add',
      file: 'a.js',
      node: '20.20.2',
      calls: ['add(1)'],
      difference: {
        verdict: 'faster' as const,
        per: 'call' as const,
        first: side('HEAD (abc)', 2_000_000),
        second: side('now', 1_000_000),
        ns: -1_000_000,
        low: -1_100_000,
        high: -900_000,
        confidence: 0.997,
        ratio: 0.5,
      },
    };
    const [first = '', last = ''] = formatAgentDifference(report).split('\n');
    assert.match(first, /^result: faster \| now is faster by 1\.00 ms per call, 0\.50 times the time \| HEAD \(abc\): 2\.00 ms per call/);
    assert.equal(last, 'done: add on Node 20.20.2 | add(1)');
  });
});

describe('nodometer fix', () => {
  it('makes the fix of one finding and no other', async () => {
    const folder = folderWith({ 'app.js': 'slow();\nslow();\n' });
    try {
      const [, second = ''] = idsIn((await run(['lint', '--format', 'agent'], { cwd: folder.path })).out);
      const text = () => readFileSync(join(folder.path, 'app.js'), 'utf8');
      const dry = await run(['fix', second, '--dry-run', '--format', 'agent'], { cwd: folder.path });
      assert.equal(dry.out, 'would fix app.js:2:1 no-slow | safe: Call quick() instead\ndone: nothing was changed\n');
      assert.equal(text(), 'slow();\nslow();\n');
      const { code, out } = await run(['fix', second, '--format', 'agent'], { cwd: folder.path });
      assert.equal(code, 0);
      assert.equal(
        out,
        dedent`
          fixed app.js:2:1 no-slow | safe: Call quick() instead
          done: 1 fix made | compare: nodometer compare --base HEAD app.js:2

        `,
      );
      assert.equal(text(), 'slow();\nquick();\n');
      const again = await run(['fix', second], { cwd: folder.path });
      assert.equal(again.code, 2);
      assert.match(again.err, /No finding has the ID/);
    } finally {
      folder.dispose();
    }
  });

  it('changes nothing that would break', async () => {
    const folder = folderWith({ 'app.js': 'slow();\n', 'b.js': 'note();\n' });
    try {
      const [slowId = '', noteId = ''] = idsIn((await run(['lint', '--format', 'agent'], { cwd: folder.path })).out);
      const broken = await run(['fix', slowId], { cwd: folder.path, fixCheck: () => 'the result could not be parsed' });
      assert.equal(broken.code, 2);
      assert.match(broken.err, /Nothing was changed: the result could not be parsed/);
      assert.equal(readFileSync(join(folder.path, 'app.js'), 'utf8'), 'slow();\n');
      const without = await run(['fix', noteId], { cwd: folder.path });
      assert.equal(without.code, 2);
      assert.match(without.err, /There is no fix for no-note at b\.js:1:1/);
    } finally {
      folder.dispose();
    }
  });

  it('makes fixes in deployment files', async () => {
    const folder = folderWith({ 'package.json': '{"scripts": {"start": "node a.js"}}', 'a.js': '' });
    try {
      const [id = ''] = idsIn((await run(['lint', '--format', 'agent'], { cwd: folder.path })).out);
      const { code } = await run(['fix', id], { cwd: folder.path });
      assert.equal(code, 0);
      assert.match(readFileSync(join(folder.path, 'package.json'), 'utf8'), /"start": "FLAG=on node a\.js"/);
    } finally {
      folder.dispose();
    }
  });

  it('refuses what it does not know', async () => {
    assert.match((await runIn({ 'a.js': '' }, ['fix'])).err, /requires the ID of a finding/);
    assert.match((await runIn({ 'a.js': '' }, ['fix', 'a', 'b'])).err, /takes one ID, not 2/);
    assert.match((await runIn({ 'a.js': '' }, ['fix', 'x', '--format', 'json'])).err, /must be text or agent/);
  });
});
