// Converting a blocking call with all of its callers: what the files become, and that the linter agrees; where it is refused, and why.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../../analysis/module/edit.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { summarize } from '../../analysis/project/summary/summarize.ts';
import { findDamage } from '../../analysis/fix/verify.ts';
import { ProjectGraph } from '../../analysis/project/graph.ts';
import { analyzeModule, conclude, type LintRequest } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { Source } from '../../analysis/module/source.ts';
import { readModule } from '../../analysis/module/text-reader.ts';
import type { Finding, Span } from '../../protocol/finding.ts';
import type { PackageManifest, ProjectInfo } from '../../protocol/project.ts';
import { convertWithCallers } from '../../rules/no-sync-in-handler/across-files.ts';
import { rules } from '../../rules/index.ts';
import { conversions, refusals, type Application } from './across-files-cases.ts';

const ROOT = '/app/';

class Project {
  readonly #texts = new Map<string, string>();
  readonly #info: ProjectInfo;
  readonly #graph: ProjectGraph;
  readonly #facts = new Map<string, Facts>();

  constructor(files: ReadonlyMap<string, string>, manifest: Partial<PackageManifest>) {
    this.#texts = new Map(files);
    this.#info = {
      root: ROOT.slice(0, -1),
      manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true, ...manifest },
      nodeRange: '>=20',
      nodeRangeSource: 'the test',
    };
    this.#graph = new ProjectGraph({ packages: [{ root: ROOT.slice(0, -1), name: manifest.name, main: manifest.main }], aliases: [] });
    for (const [file, text] of this.#texts) {
      const read = readModule(file, text);
      assert.ok(read.ok, `${file} does not parse:\n${text}`);
      const facts = new Facts(read.module, new Source(file, text), this.#info);
      this.#facts.set(file, facts);
      this.#graph.set(summarize(facts).summary);
    }
  }

  findings(): Finding[] {
    return [...this.#texts].flatMap(([file, text]) => {
      const request: LintRequest = {
        file,
        text,
        project: this.#info,
        rules,
        settings: defaultSettings(rules),
        repairs: false,
        forRuns: true,
        mode: 'summary',
      };
      const read = readModule(file, text);
      assert.ok(read.ok);
      const { analysis } = analyzeModule(request, read.module);
      assert.deepEqual(analysis.crashes, []);
      return conclude(analysis, request, this.#graph.lookup).findings;
    });
  }

  convert(file: string, span: Span): { refused: string } | { title: string; after: Map<string, string> } {
    const outcome = convertWithCallers(file, span, { calls: this.#graph.callSites(), factsOf: (path) => this.#facts.get(path) });
    assert.ok(outcome, 'there is a blocking call');
    if ('refused' in outcome) {
      const { file: where, offset, reason } = outcome.refused;
      return { refused: `${where.slice(ROOT.length)}:${this.#facts.get(where)?.source.positionAt(offset).line}: ${reason}` };
    }
    const after = new Map(this.#texts);
    for (const [path, edits] of outcome.conversion.edits) {
      const text = this.#texts.get(path) ?? '';
      after.set(path, applyEdits(text, edits));
      assert.equal(findDamage(path, text, after.get(path) ?? ''), undefined, path);
    }
    return { title: outcome.conversion.title, after };
  }
}

/** The marked call of the one file that has a mark. */
function open({ files, manifest = {} }: Application): { project: Project; file: string; span: Span; manifest: Partial<PackageManifest> } {
  const texts = new Map(Object.entries(files).map(([name, text]) => [ROOT + name, text.replace(/[«»]/g, '')]));
  const [marked] = Object.entries(files).filter(([, text]) => text.includes('«'));
  assert.ok(marked);
  const start = marked[1].indexOf('«');
  return { project: new Project(texts, manifest), file: ROOT + marked[0], span: { start, end: marked[1].indexOf('»') - 1 }, manifest };
}

const told = ({ ruleId, file, message }: Finding): string => `${ruleId} ${file} ${message.what}`;

describe('a blocking call is converted with its callers', () => {
  for (const one of conversions) {
    it(one.name, () => {
      const { project, file, span, manifest } = open(one);
      const before = project.findings();
      assert.ok(
        before.some((finding) => finding.ruleId === 'no-sync-in-handler' && finding.file === file && finding.span.start === span.start),
        `it is found: ${before.map(told).join('\n')}`,
      );
      const result = project.convert(file, span);
      assert.ok('after' in result, 'refused' in result ? result.refused : '');
      for (const [name, text] of Object.entries(one.becomes)) assert.equal(result.after.get(ROOT + name), text, name);
      const changed = [...result.after]
        .filter(([path, text]) => text !== one.files[path.slice(ROOT.length)]?.replace(/[«»]/g, ''))
        .map(([path]) => path.slice(ROOT.length));
      assert.deepEqual(changed.sort(), Object.keys(one.becomes).sort(), 'only these files change');
      if (one.title !== undefined) assert.equal(result.title, one.title);
      const left = new Project(result.after, manifest).findings();
      const known = before.map(told);
      const blocking = (findings: readonly Finding[]): number =>
        findings.filter((finding) => finding.ruleId === 'no-sync-in-handler' && finding.file === file).length;
      const converted = Number(/^Convert (\d+) blocking calls/.exec(result.title)?.[1] ?? 1);
      assert.equal(blocking(left), blocking(before) - converted, 'the finding is gone');
      assert.deepEqual(
        left.map(told).filter((text) => !known.includes(text)),
        [],
        'and nothing new is found',
      );
    });
  }
});

describe('a blocking call is not converted, and the place is named', () => {
  for (const one of refusals) {
    it(one.name, () => {
      const { project, file, span } = open(one);
      const result = project.convert(file, span);
      assert.ok('refused' in result, 'after' in result ? [...result.after].map(([path, text]) => `${path}\n${text}`).join('\n') : '');
      assert.match(result.refused, one.because);
    });
  }
});
