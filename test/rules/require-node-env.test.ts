// The deployment side of require-node-env: small projects in memory, the place of every finding marked in the file itself with « and ».
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DockerfileParser } from 'dockerfile-ast';
import { parseTree, type ParseError } from 'jsonc-parser';
import { parseAllDocuments } from 'yaml';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { parse } from '../../analysis/module/parse.ts';
import { lintDeployment } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { readMarks } from '../../analysis/testing/rule-tester.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { DeploymentFile, DeploymentProject } from '../../protocol/project.ts';
import { rule } from '../../rules/require-node-env/rule.ts';
import type { DeploymentCase } from './node-env/case.ts';
import { answerCases } from './node-env/answer-cases.ts';
import { codeCases } from './node-env/code-cases.ts';
import { composeCases } from './node-env/compose-cases.ts';
import { dockerCases } from './node-env/docker-cases.ts';
import { kubernetesCases } from './node-env/kubernetes-cases.ts';
import { processCases } from './node-env/process-cases.ts';
import { scriptCases } from './node-env/script-cases.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const ROOT = '/project';
const ALL: Readonly<Record<string, readonly DeploymentCase[]>> = {
  Dockerfiles: dockerCases,
  compose: composeCases,
  'package.json scripts': scriptCases,
  'process managers': processCases,
  Kubernetes: kubernetesCases,
  'NODE_ENV in code': codeCases,
  'what programs answer themselves': answerCases,
};

/** `files` by path below the project's folder; `../` lies above it. */
function projectOf(files: Readonly<Record<string, string>>): DeploymentProject {
  const texts = new Map(
    Object.entries(files).map(([path, text]) => [path.startsWith('../') ? `/${path.slice(3)}` : `${ROOT}/${path}`, text]),
  );
  const deployment: DeploymentFile[] = [];
  const around: DeploymentFile[] = [];
  for (const [path, text] of texts) {
    const kind = deploymentKindOf(path);
    if (kind && path.startsWith(`${ROOT}/`)) deployment.push({ path, kind, text });
    else if (kind === 'kubernetes') around.push({ path, kind, text });
  }
  return {
    root: ROOT,
    info: { root: ROOT, nodeRange: '>=18', nodeRangeSource: 'the test' },
    files: deployment,
    around,
    readText: (path) => texts.get(path),
  };
}

function lint(files: Readonly<Record<string, string>>): readonly Finding[] {
  const { findings, crashes } = lintDeployment(projectOf(files), [rule], defaultSettings([rule]));
  for (const crash of crashes) throw crash.error;
  return findings;
}

function unmarked(one: DeploymentCase): { files: Record<string, string>; places: string[] } {
  const files: Record<string, string> = {};
  const places: string[] = [];
  for (const [path, text] of Object.entries(one.files)) {
    const { code, spans } = readMarks(text);
    files[path] = code;
    for (const span of spans) places.push(`${path}:${span.start}-${span.end} ${code.slice(span.start, span.end)}`);
  }
  return { files, places: places.sort() };
}

function placeOf(finding: Finding, files: Readonly<Record<string, string>>): string {
  const path = finding.file.slice(ROOT.length + 1);
  return `${path}:${finding.span.start}-${finding.span.end} ${files[path]?.slice(finding.span.start, finding.span.end)}`;
}

/** A fixed file must still be what it was. */
function assertParses(path: string, text: string): void {
  switch (deploymentKindOf(path)) {
    case 'package-json': {
      const errors: ParseError[] = [];
      parseTree(text, errors);
      assert.deepEqual(errors, [], `${path} is no JSON any more:\n${text}`);
      break;
    }
    case 'dockerfile':
      assert.ok(DockerfileParser.parse(text).getFROMs().length > 0);
      break;
    case 'compose':
    case 'kubernetes':
      for (const document of parseAllDocuments(text, { merge: true })) assert.deepEqual(document.errors, [], text);
      break;
    case 'pm2':
      if (/\.ya?ml$/.test(path)) for (const document of parseAllDocuments(text)) assert.deepEqual(document.errors, [], text);
      else
        assert.ok(
          parse(path.replace(/\.json$/, '.js'), path.endsWith('.json') ? `(${text})` : text).ok,
          `${path} is no JavaScript any more:\n${text}`,
        );
      break;
    default:
      break;
  }
}

for (const [group, cases] of Object.entries(ALL)) {
  describe(`require-node-env: ${group}`, () => {
    for (const one of cases) {
      it(one.name, () => {
        const { files, places } = unmarked(one);
        const findings = lint(files);
        assert.deepEqual(findings.map((finding) => placeOf(finding, files)).sort(), places);
        assert.equal(findings.length, one.finds?.length ?? 0, 'as many expectations as marks');
        for (const [i, expected] of (one.finds ?? []).entries()) {
          const finding = findings[i] as Finding;
          assert.equal(finding.messageId, expected.messageId);
          assert.equal(finding.severity, expected.severity ?? 'hint');
          const text = `${finding.message.what} ${finding.message.why} ${finding.message.remedy}`;
          assert.ok(!/\{\{|\}\}|undefined|\[object/.test(text), `message has a hole: ${text}`);
          for (const part of expected.says ?? []) assert.ok(text.includes(part), `"${text}" lacks "${part}"`);
          for (const part of expected.saysNot ?? []) assert.ok(!text.includes(part), `"${text}" has "${part}"`);
          if (expected.related)
            assert.deepEqual(
              finding.related.map(
                (place) =>
                  `${place.file?.slice(ROOT.length + 1)}: ${files[place.file?.slice(ROOT.length + 1) ?? '']?.slice(place.span.start, place.span.end)}`,
              ),
              expected.related,
            );
          checkFixes(finding, files, expected.fixed);
        }
      });
    }

    it('is the same with CRLF', () => {
      for (const one of cases) {
        const { files, places } = unmarked(one);
        const crlf = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]));
        assert.equal(lint(crlf).length, places.length, one.name);
        for (const finding of lint(crlf))
          for (const fix of finding.fixes) {
            const path = finding.file.slice(ROOT.length + 1);
            const fixed = applyEdits(crlf[path] ?? '', fix.edits);
            assert.ok(!/[^\r]\n/.test(fixed), `${one.name}: the fix mixes line breaks`);
          }
      }
    });
  });
}

function checkFixes(finding: Finding, files: Readonly<Record<string, string>>, fixed: string | undefined): void {
  const path = finding.file.slice(ROOT.length + 1);
  const outputs = finding.fixes.map((fix) => applyEdits(files[path] ?? '', fix.edits));
  if (fixed !== undefined) assert.equal(outputs[0], fixed);
  for (const fix of finding.fixes) assert.equal(fix.kind, 'suggestion', 'NODE_ENV changes what a program does: no fix is applied unseen');
  for (const output of outputs) {
    assertParses(path, output);
    const left = lint({ ...files, [path]: output }).filter((other) => other.file === finding.file && other.messageId === finding.messageId);
    const before = lint(files).filter((other) => other.file === finding.file && other.messageId === finding.messageId);
    assert.ok(left.length < before.length, `the fix does not clear the finding:\n${output}`);
  }
}

describe('require-node-env: where the project lies', () => {
  const texts = {
    'package.json': '{"name":"app","dependencies":{"express":"5"},"scripts":{"start":"node server.js"}}',
    'server.js': "require('express')().listen(1)",
    Dockerfile: dedent`
      FROM node:22
      WORKDIR /app
      COPY . .
      CMD ["npm", "start"]

    `,
  };
  const count = (root: string, separator: string, above: Readonly<Record<string, string>> = {}): number => {
    const all = new Map([
      ...Object.entries(texts).map(([name, text]) => [`${root}${separator}${name}`, text] as const),
      ...Object.entries(above),
    ]);
    const files = [...all].flatMap(([path, text]) => {
      const kind = deploymentKindOf(path);
      return kind && path.startsWith(root) ? [{ path, kind, text }] : [];
    });
    const readText = (path: string) => all.get(path) ?? all.get(path.replaceAll('/', separator));
    return lintDeployment(
      { root, info: { root, nodeRange: '>=18', nodeRangeSource: 'the test' }, files, readText },
      [rule],
      defaultSettings([rule]),
    ).findings.length;
  };

  it('is reported anywhere on its own, under a folder called examples too', () => {
    assert.equal(count('/home/me/app', '/'), 1);
    assert.equal(count('/home/me/examples/app', '/'), 1);
  });

  it('is left alone as an example of a larger project', () => {
    assert.equal(count('/home/me/lib/examples/app', '/', { '/home/me/lib/package.json': '{"name":"lib"}' }), 0);
    assert.equal(count('/home/me/lib/packages/app', '/', { '/home/me/lib/package.json': '{"name":"lib"}' }), 1);
  });

  it('may be written with backslashes', () => {
    assert.equal(count('C:\\work\\app', '\\'), 1);
  });
});

describe('require-node-env: broken files', () => {
  const projects = Object.values(ALL)
    .flat()
    .map((one) => unmarked(one).files);

  it('never throws on a file cut short anywhere', () => {
    for (const files of projects) {
      for (const path of Object.keys(files)) {
        const text = files[path] ?? '';
        // Every thirty-first place: over so many files enough to stop inside every kind of token.
        for (let at = 0; at < text.length; at += 31) lint({ ...files, [path]: text.slice(0, at) });
      }
    }
  });

  it('never throws on binary and templated text', () => {
    const odd = [
      '\0\0\0',
      '\uFEFF',
      '{{ .Values.x }}',
      '<<<<<<< HEAD',
      '[',
      '{',
      '"',
      "'",
      '- ',
      ': :',
      'FROM',
      'FROM a AS',
      'CMD [',
      '*a',
      '&a *a',
      '<<: *x',
      '\u2028',
      '🙂',
      '${',
      '$(',
      '`',
      '\\',
    ];
    for (const path of [
      'package.json',
      'Dockerfile',
      'docker-compose.yml',
      'ecosystem.config.js',
      'ecosystem.json',
      'ecosystem.yml',
      'Procfile',
      'app.service',
      'k8s/app.yaml',
      '.env.production',
    ]) {
      for (const text of odd) {
        lint({
          'package.json': '{"dependencies":{"express":"5"},"scripts":{"start":"node server.js"}}',
          'server.js': 'require("express")()',
          [path]: text,
        });
        lint({ [path]: `${text}\n${text}` });
      }
    }
  });
});
