// Which documents the extension sends, and the configuration file that it writes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import picomatch from 'picomatch';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import { configTemplate } from '../../client/config-template.ts';
import { DEPLOYMENT_PATTERNS, documentSelector, schemesOf, statusSelector, unlintedKind } from '../../client/session/document-selector.ts';
import { rulesOfManifest } from '../../client/rule-list.ts';
import { rules } from '../../rules/index.ts';
import { ROOT } from '../../scripts/generate.ts';
import { decodeConfig } from '../../workspace/config/config-decode.ts';

const DEPLOYMENT_FILES = [
  'package.json',
  'Dockerfile',
  'dockerfile',
  'Dockerfile.prod',
  'api.Dockerfile',
  'api-dockerfile',
  'Containerfile',
  'docker-compose.yml',
  'compose.prod.yaml',
  'docker-stack.yml',
  'Procfile',
  'procfile',
  'Procfile.dev',
  'shop.service',
  'shop.service.d/override.conf',
  '.env',
  '.env.production',
  '.env_local',
  'shop.env',
  'ecosystem.json',
  'pm2.json5',
  'process.yml',
  'processes.prod.json',
  'shop.ecosystem.json',
  'k8s/shop.yaml',
  'deployment.yml',
  'helm/templates/shop.yaml',
];
/** PM2's configuration in JavaScript is sent for its language. */
const SCRIPTS = ['ecosystem.config.js', 'pm2.config.cjs'];

const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('documents that are sent', () => {
  it('are all that the analysis takes for deployment files', () => {
    const sent = picomatch([...DEPLOYMENT_PATTERNS], { dot: true });
    for (const file of DEPLOYMENT_FILES) {
      assert.notEqual(deploymentKindOf(file), undefined, `${file} is none`);
      assert.ok(sent(`/home/ann/shop/${file}`), file);
    }
    for (const file of SCRIPTS) assert.equal(deploymentKindOf(file), 'pm2', file);
    for (const file of ['README.md', 'data.json', 'style.css', 'main.py']) assert.ok(!sent(`/home/ann/shop/${file}`), file);
  });

  it('lie on disk, are new, or belong to a folder of another kind', () => {
    assert.deepEqual(schemesOf([]), ['file', 'untitled']);
    assert.deepEqual(schemesOf(['vscode-vfs', 'file', 'vscode-vfs']), ['file', 'untitled', 'vscode-vfs']);
    const filters = documentSelector(['vscode-vfs', 'git', 'output']);
    assert.deepEqual([...new Set(filters.map(({ scheme }) => scheme))], ['file', 'untitled', 'vscode-vfs']);
    assert.ok(filters.some(({ scheme, language }) => scheme === 'untitled' && language === 'typescriptreact'));
  });
});

describe('documents that hold JavaScript and are not sent', () => {
  it('have a status that says so', () => {
    const kinds = [
      ['file', '/a/App.vue', 'vue'],
      ['file', '/a/App.VUE', 'vue'],
      ['vscode-vfs', '/a/App.svelte', 'svelte'],
      ['untitled', 'page.astro', 'astro'],
      ['vscode-notebook-cell', '/a/b.ipynb', 'notebook'],
      ['file', '/a/vue.js', undefined],
      ['file', '/a/App.vue.ts', undefined],
    ] as const;
    for (const [scheme, path, kind] of kinds) assert.equal(unlintedKind({ scheme, path }), kind, path);
    const sent = documentSelector(['vscode-vfs']);
    const shown = statusSelector(['vscode-vfs']);
    assert.deepEqual(shown.slice(0, sent.length), sent);
    assert.deepEqual(
      shown.slice(sent.length).map(({ scheme, pattern, language }) => `${scheme} ${pattern ?? language}`),
      [
        ...['file', 'untitled', 'vscode-vfs'].map((scheme) => `${scheme} **/*.{vue,svelte,astro}`),
        ...['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'dockerfile', 'dockercompose'].map(
          (language) => `vscode-notebook-cell ${language}`,
        ),
      ],
    );
  });
});

describe('the configuration file that the extension writes', () => {
  const text = configTemplate(rulesOfManifest(manifest));

  it('can be read, and changes nothing', () => {
    const decoded = decodeConfig('/a/nodometer.config.json', text, rules);
    assert.ok(decoded.ok, JSON.stringify(decoded));
    assert.deepEqual(
      [decoded.config.rules.size, decoded.config.ignores, decoded.config.overrides, decoded.config.node],
      [0, [], [], undefined],
    );
  });

  it('can be read with every line switched on, and names each rule with its own severity', () => {
    const decoded = decodeConfig(
      '/a/nodometer.config.json',
      text.replace(/^(\s*)\/\/ (?=")/gm, '$1').replace(/^\s*"off", .*$/m, ''),
      rules,
    );
    assert.ok(decoded.ok, JSON.stringify(decoded));
    assert.deepEqual(
      [...decoded.config.rules].map(([id, { severity }]) => [id, severity]),
      rules.map(({ meta }) => [meta.id, meta.severity]),
    );
    assert.equal(decoded.config.node, '>=20');
    assert.equal(decoded.config.overrides.length, 1);
  });
});

describe('the rules that the extension knows', () => {
  it('are those of its manifest, none where it has another form', () => {
    assert.deepEqual(
      rulesOfManifest(manifest).map(({ id }) => id),
      rules.map(({ meta }) => meta.id),
    );
    for (const odd of [undefined, null, 1, {}, { contributes: { configuration: [] } }]) assert.deepEqual(rulesOfManifest(odd), []);
  });
});
