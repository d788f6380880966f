// Settings as editors send them: defaults, both ways to nest, and a message for everything that cannot be used.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeSettings, defaultEditorSettings, SETTINGS, type SettingKey, type SettingSpec } from '../../protocol/settings.ts';

const KNOWLEDGE = { ruleIds: ['no-a', 'no-b'], isNodeRange: (text: string) => /^[<>=\d. ]+$/.test(text) };

describe('editor settings', () => {
  it('take their defaults when an editor says nothing', () => {
    const defaults = Object.fromEntries(Object.entries<SettingSpec>(SETTINGS).map(([key, spec]) => [key, spec.default]));
    for (const nothing of [undefined, null, {}, { rules: null, hover: { enable: null } }]) {
      assert.deepEqual(decodeSettings(nothing, KNOWLEDGE), { settings: defaults, problems: [] }, JSON.stringify(nothing));
    }
    assert.deepEqual(defaultEditorSettings(), defaults);
  });

  it('are read nested and with dots', () => {
    const nested = decodeSettings(
      {
        run: 'onSave',
        hover: { enable: false },
        codeAction: { disableComment: { location: 'sameLine' } },
        rules: { 'no-a': 'off' },
        node: ' >=20 ',
      },
      KNOWLEDGE,
    );
    const dotted = decodeSettings(
      { run: 'onSave', 'hover.enable': false, 'codeAction.disableComment.location': 'sameLine', rules: { 'no-a': 'off' }, node: '>=20' },
      KNOWLEDGE,
    );
    assert.deepEqual(nested, dotted);
    assert.deepEqual(nested.problems, []);
    assert.equal(nested.settings['hover.enable'], false);
    assert.equal(nested.settings['codeAction.disableComment.location'], 'sameLine');
    assert.deepEqual(nested.settings.rules, { 'no-a': 'off' });
    assert.equal(nested.settings.node, '>=20');
  });

  it('that cannot be used give one message each and the default', () => {
    const wrong: [section: unknown, key: SettingKey, says: string][] = [
      [{ enable: 'yes' }, 'enable', '`nodometer.enable` must be true or false, not "yes". The default (true) is used.'],
      [{ run: 'always' }, 'run', '`nodometer.run` must be "onType" or "onSave", not "always". The default ("onType") is used.'],
      [
        { trace: { server: 1 } },
        'trace.server',
        '`nodometer.trace.server` must be "off", "messages" or "verbose", not 1. The default ("off") is used.',
      ],
      [
        { maxFileSize: 0 },
        'maxFileSize',
        '`nodometer.maxFileSize` must be a whole number of at least 1, not 0. The default (1048576) is used.',
      ],
      [
        { maxFileSize: 1.5 },
        'maxFileSize',
        '`nodometer.maxFileSize` must be a whole number of at least 1, not 1.5. The default (1048576) is used.',
      ],
      [{ node: 'new' }, 'node', '`nodometer.node` must be a semver range such as ">=20", or empty, not "new". The default ("") is used.'],
      [{ nodePath: ['node'] }, 'nodePath', '`nodometer.nodePath` must be a string, not ["node"]. The default ("") is used.'],
      [{ rules: ['no-a'] }, 'rules', '`nodometer.rules` must be an object with rule ids as keys, not ["no-a"]. The default ({}) is used.'],
      [
        { hover: { enable: 'x'.repeat(100) } },
        'hover.enable',
        `\`nodometer.hover.enable\` must be true or false, not "${'x'.repeat(59)}…. The default (true) is used.`,
      ],
    ];
    for (const [section, key, says] of wrong) {
      const { settings, problems } = decodeSettings(section, KNOWLEDGE);
      assert.deepEqual(problems, [says]);
      assert.deepEqual(settings[key], SETTINGS[key].default);
    }
  });

  it('tell of keys, rules and sections that do not exist, and keep the rest', () => {
    const { settings, problems } = decodeSettings(
      { enabel: true, hover: { enalbe: false }, rules: { 'no-a': 'hint', 'no-c': 'off', 'no-b': 'loud' } },
      KNOWLEDGE,
    );
    assert.deepEqual(problems, [
      '`nodometer.rules` names an unknown rule, "no-c". Known rules: no-a, no-b.',
      '`nodometer.rules.no-b` must be "off", "hint", "warning" or "error", not "loud". The rule keeps its default severity.',
      'Unknown setting `nodometer.enabel` is ignored.',
      'Unknown setting `nodometer.hover.enalbe` is ignored.',
    ]);
    assert.deepEqual(settings.rules, { 'no-a': 'hint' });
    assert.deepEqual(decodeSettings('on').problems, ['`nodometer` must be an object with settings, not "on". The defaults are used.']);
    assert.deepEqual(decodeSettings([]).settings, defaultEditorSettings());
  });

  it('of an object with odd keys harm nothing', () => {
    const section: unknown = JSON.parse('{"__proto__": {"enable": false}, "constructor": 1, "toString": {"a": 1}}');
    const { settings, problems } = decodeSettings(section);
    assert.equal(settings.enable, true);
    assert.equal(problems.length, 3);
    assert.equal(({} as { enable?: boolean }).enable, undefined);
  });
});
