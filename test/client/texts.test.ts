// What the status items and the commands say, and that every text of the extension can be translated.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fixMessage, rejectedLines, workspaceMessage } from '../../client/result-text.ts';
import { labelOf, nodeView, shortened, stateView, type StatusFacts } from '../../client/session/status-text.ts';
import { COMMANDS, type DocumentState } from '../../protocol/editor.ts';
import { ROOT } from '../../scripts/generate.ts';
import { shownStrings } from '../../scripts/l10n-bundle.ts';
import { english as t } from './english.ts';

const READY: StatusFacts = { server: { kind: 'running' }, lintingWorkspace: false, node: {} };
const about = (state: DocumentState, more: object = {}): StatusFacts => ({ ...READY, document: { uri: 'file:///a.js', state, ...more } });

describe('the status item', () => {
  it('tells the state of the file in words', () => {
    const cases: [facts: StatusFacts, label: string][] = [
      [READY, 'Nodometer: Ready'],
      [about('linted'), 'Nodometer: No findings'],
      [about('linted', { findings: 1 }), 'Nodometer: 1 finding'],
      [about('linted', { findings: 12 }), 'Nodometer: 12 findings'],
      [about('skipped', { reason: 'The file is larger than 1 MiB.' }), 'Nodometer: File skipped, The file is larger than 1 MiB.'],
      [about('failed', { reason: 'no-a crashed.' }), 'Nodometer: Incomplete, Warning, no-a crashed.'],
      [about('off'), 'Nodometer: Off, `nodometer.enable` is false.'],
      [{ ...about('linted'), lintingWorkspace: true }, 'Nodometer: Linting the workspace'],
    ];
    for (const [facts, label] of cases) {
      const view = stateView(facts, t);
      assert.equal(labelOf(view, t), label);
      assert.equal(view.command.id, COMMANDS.showOutput);
      assert.equal(view.busy, facts.lintingWorkspace);
    }
  });

  it('says which files with JavaScript are not linted', () => {
    const say = (unlinted: StatusFacts['unlinted'], server: StatusFacts['server'] = { kind: 'running' }): string =>
      labelOf(stateView({ ...READY, server, index: { kind: 'built', files: 3 }, unlinted }, t), t);
    for (const [kind, words] of [
      ['vue', 'Vue components'],
      ['svelte', 'Svelte components'],
      ['astro', 'Astro components'],
      ['notebook', 'Notebook cells'],
    ] as const) {
      const text = `${words} are not linted, only JavaScript and TypeScript files.`;
      assert.equal(say(kind), `Nodometer: Not linted, ${text}`);
      assert.equal(shortened(text), text, 'nothing is cut off');
    }
    assert.match(say('vue', { kind: 'given-up' }), /crashed repeatedly/, 'that comes first');
  });

  it('tells how far the index of the project is, and when there is none', () => {
    const say = (index: StatusFacts['index'], facts = about('linted', { findings: 2 })): string =>
      labelOf(stateView({ ...facts, index }, t), t);
    assert.equal(
      say({ kind: 'building', done: 0, total: 0 }),
      'Nodometer: Reading the project, Warnings that depend on other files appear when all files have been read.',
    );
    assert.match(say({ kind: 'building', done: 1200, total: 3000 }), /^Nodometer: Reading the project: 1,200 of 3,000 files, /);
    assert.equal(stateView({ ...about('linted'), index: { kind: 'building', done: 1, total: 2 } }, t).busy, true);
    assert.equal(say({ kind: 'built', files: 3000 }), 'Nodometer: 2 findings');
    assert.equal(say({ kind: 'off' }), 'Nodometer: 2 findings, The project index is off: each file is analyzed in isolation.');
    assert.equal(say({ kind: 'off' }, about('linted', { findings: 2, reason: 'Said first.' })), 'Nodometer: 2 findings, Said first.');
  });

  it('tells the state of the server, and offers what helps', () => {
    const cases: [server: StatusFacts['server'], text: string, severity: string, busy: boolean, command: string][] = [
      [{ kind: 'starting' }, 'Starting', 'information', true, COMMANDS.showOutput],
      [{ kind: 'waiting', delay: 250 }, 'Restarting', 'warning', true, COMMANDS.showOutput],
      [{ kind: 'given-up' }, 'Stopped', 'error', false, COMMANDS.restartServer],
      [{ kind: 'impossible', reason: 'no file' }, 'Cannot start', 'error', false, COMMANDS.restartServer],
      [{ kind: 'stopped' }, 'Stopped', 'information', false, COMMANDS.restartServer],
    ];
    for (const [server, text, severity, busy, command] of cases) {
      const view = stateView({ ...about('linted', { findings: 3 }), server }, t);
      assert.deepEqual([view.text.replace('Nodometer: ', ''), view.severity, view.busy, view.command.id], [text, severity, busy, command]);
      assert.notEqual(view.detail, '');
    }
  });

  it('keeps its command in sight behind a long reason, and tells the whole to screen readers', () => {
    const reason = `Line 3 cannot be parsed (${'Unexpected token, '.repeat(20)}). The previous findings are shown.`;
    const view = stateView(about('failed', { reason }), t);
    assert.ok(labelOf(view, t).includes(reason));
    assert.match(shortened(view.detail), /^Line 3 cannot be parsed .{50,56}…$/);
    assert.equal(shortened('short'), 'short');
  });

  it('tells which Node the rules think of, and how they know', () => {
    const say = (facts: StatusFacts): string => labelOf(nodeView(facts, t), t);
    assert.equal(say(READY), 'Nodometer: any Node, Neither the project nor this machine specifies one.');
    assert.equal(say({ ...READY, node: { version: '22.11.0', source: '`node` on PATH' } }), 'Nodometer: Node 22.11.0, `node` on PATH');
    assert.equal(
      say({ ...about('linted', { nodeRange: '>=20', nodeRangeSource: 'engines.node in package.json' }), node: { version: '22.11.0' } }),
      'Nodometer: Node >=20, engines.node in package.json',
    );
    assert.equal(say({ ...READY, node: { problem: 'there is no file' } }), 'Nodometer: Node setting ignored, Warning, there is no file');
  });
});

describe('messages of commands', () => {
  it('count what was found', () => {
    const result = { files: 340, findings: 12, errors: 3, warnings: 8, hints: 1, cancelled: false };
    assert.equal(workspaceMessage(result, t), 'Nodometer: 12 findings in 340 files (errors: 3, warnings: 8, hints: 1).');
    assert.equal(workspaceMessage({ ...result, findings: 0, files: 1 }, t), 'Nodometer: no findings in 1 file.');
    assert.equal(workspaceMessage({ ...result, findings: 1, cancelled: true }, t), 'Nodometer: stopped after 340 files: 1 finding so far.');
  });

  it('say what was fixed and what was not, and why', () => {
    const rejected = [
      { ruleId: 'no-a', title: 'Await it', reason: 'it overlaps another fix' },
      { ruleId: 'no-b', title: 'Move it', reason: 'it does not parse' },
    ];
    assert.equal(fixMessage({ made: 0, rejected: [] }, t), 'Nodometer: no safe fixes.');
    assert.equal(fixMessage({ made: 1, rejected: [] }, t), 'Nodometer: 1 fix applied.');
    assert.equal(fixMessage({ made: 3, rejected }, t), 'Nodometer: 3 fixes applied, 2 not applied. no-a: it overlaps another fix');
    assert.deepEqual(rejectedLines({ rejected }), [
      'not fixed: no-a: Await it: it overlaps another fix',
      'not fixed: no-b: Move it: it does not parse',
    ]);
  });
});

describe('texts', () => {
  it('of the manifest exist and are all used', () => {
    const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8');
    const texts = JSON.parse(readFileSync(join(ROOT, 'package.nls.json'), 'utf8')) as Record<string, string>;
    const used = new Set([...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? ''));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
    assert.deepEqual(
      Object.entries(texts).filter(([, text]) => text.trim() === ''),
      [],
    );
  });

  it('of commands are titles, and name what they do it to', () => {
    const texts = JSON.parse(readFileSync(join(ROOT, 'package.nls.json'), 'utf8')) as Record<string, string>;
    const titles = Object.entries(texts).flatMap(([key, text]) => (key.startsWith('commands.') ? [text] : []));
    const small = /^(?:a|and|as|at|for|in|it|npm|of|the|to)$/;
    for (const title of titles) {
      assert.match(title, /^[A-Z]\w+ \S/, 'one word alone says too little in the palette of all extensions');
      assert.deepEqual(
        title.split(' ').filter((word, at) => at > 0 && /^[a-z]/.test(word) && !small.test(word)),
        [],
        title,
      );
    }
    assert.ok(titles.length > 25);
  });

  it('of the sources are found, and must be literal', () => {
    assert.deepEqual(shownStrings('a.ts', "l10n.t('One {0}', x); t('Two'); vscode.l10n.t('Three'); other('Four'); a.tt('Five');"), [
      'One {0}',
      'Two',
      'Three',
    ]);
    assert.throws(() => shownStrings('a.ts', '\nl10n.t(`One ${x}`)'), /a\.ts:2: the first argument of t is not a string literal/);
    assert.throws(() => shownStrings('a.ts', 't('), /a\.ts/);
  });
});
