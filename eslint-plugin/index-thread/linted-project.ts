// One project as ESLint lints it: the run of the command over its files, kept, and told of other texts.
import { dirname, join } from 'node:path';
import type { Host } from '../../cli/host.ts';
import { analysisPlace, packageVersion } from '../../cli/installed-analysis.ts';
import { RunSetup, type SetupArguments } from '../../cli/run-setup.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import type { LintResult } from '../../analysis/run/run.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { titleWithCost, type Edit, type Finding, type Fix } from '../../protocol/finding.ts';
import { CONFIG_NAME } from '../../workspace/config/config-finder.ts';
import { runDeployment } from '../../workspace/deployment-run.ts';
import type { Discovery, FoundFile } from '../../workspace/discovery/discover.ts';
import { startsNode } from '../../workspace/discovery/left-out.ts';
import { DEFAULT_MAX_FILE_SIZE } from '../../workspace/discovery/read-source.ts';
import { Skipped } from '../../workspace/discovery/skipped.ts';
import { statsOf } from '../../files/path-stats.ts';
import type { FixCheck } from '../../workspace/fix.ts';
import type { LintRun } from '../../workspace/lint-run.ts';
import { BABEL_FILES } from '../../workspace/project-index/module-aliases.ts';
import { EVIDENCE_FILE } from '../../workspace/profile/evidence-store.ts';
import type { Answer, Change, Reported } from '../questions.ts';

/** A run of ESLint over many files asks without a pause; after one of so many ms, somebody may have saved a file. */
const PAUSE_MS = 1_000;
/** In a run that lasts, the disk is looked at this often, in ms. */
const MOST_AGE_MS = 30_000;
/** A text that is not the disk's counts for other files, too, for so many ms after ESLint gave it: then its editor may have dropped it. */
const GIVEN_MS = 60_000;
/** What decides how all files are read. */
const SETTINGS_FILES = [CONFIG_NAME, EVIDENCE_FILE, 'package.json', 'tsconfig.json', 'jsconfig.json', ...BABEL_FILES];

/** As `nodometer lint` reads a project without options. */
const AS_COMMAND: SetupArguments = {
  severities: new Map(),
  useConfig: true,
  useProject: true,
  useCache: true,
  ignores: [],
  useIgnoreFiles: true,
  progress: false,
};

interface Given {
  at: number;
  /** Of the file on the disk at that time. */
  stamp: string;
}

/** What is read of a project. All of it is replaced when its settings change. */
interface Project {
  setup: RunSetup;
  run: LintRun;
  settings: string;
  /** By file: the text that was analyzed. */
  texts: Map<string, string>;
  /** By file: what tells its state on the disk from others. */
  stamps: Map<string, string>;
  /** Findings of deployment files that are programs, such as `ecosystem.config.js`. */
  deployment: ReadonlyMap<string, readonly Finding[]>;
}

export class LintedProject {
  readonly #folder: string;
  readonly #isAlone: boolean;
  readonly #rules: readonly AnyRule[];
  readonly #given = new Map<string, Given>();
  #project: Project;
  #lookedAt: number;
  #askedAt: number;
  #rebuildTimer: NodeJS.Timeout | undefined;
  #findDamage: FixCheck | undefined;

  private constructor(folder: string, isAlone: boolean, rules: readonly AnyRule[], project: Project) {
    this.#folder = folder;
    this.#isAlone = isAlone;
    this.#rules = rules;
    this.#project = project;
    this.#lookedAt = this.#askedAt = performance.now();
  }

  /** `isAlone`: no folder says that it is a project, so that each file stands for itself. Throws `CommandError`. */
  static async open(folder: string, isAlone: boolean, rules: readonly AnyRule[]): Promise<LintedProject> {
    return new LintedProject(folder, isAlone, rules, await readProject(folder, isAlone, rules));
  }

  /** Throws `CommandError` where the configuration has become unusable. */
  async answerFor(file: string, text: string): Promise<Omit<Answer, 'id'>> {
    const now = performance.now();
    const isUnknown = !this.#project.texts.has(file);
    const sinceLook = now - this.#lookedAt;
    if (now - this.#askedAt > PAUSE_MS || sinceLook > MOST_AGE_MS || (isUnknown && sinceLook > PAUSE_MS)) await this.#lookAtDisk(now);
    const result = await this.#resultOf(file, text, now);
    this.#askedAt = performance.now();
    return result ? this.#answer(file, text, result) : { found: [] };
  }

  /** Undefined where the command leaves the file out, too. */
  async #resultOf(file: string, text: string, now: number): Promise<LintResult | undefined> {
    const { run, texts, setup } = this.#project;
    const isKnown = texts.get(file);
    if (isKnown === text) return run.concluded(file, text);
    if (isKnown === undefined && !SCRIPT_FILE.test(file) && !startsNode(text)) return undefined;
    const request = await run.requestFor(file, text);
    const { maxFileSize = DEFAULT_MAX_FILE_SIZE } = setup.configs.known(dirname(file));
    if (Buffer.byteLength(text) > maxFileSize) return undefined;
    if (this.#isAlone) return run.project.lint(request);
    const stamp = stampOf(file);
    // A file on the disk that was not found is one that git or the configuration ignores, or that a build wrote.
    if (isKnown === undefined && stamp !== '') return undefined;
    run.project.change(request);
    if (isKnown === undefined) run.project.layOut();
    texts.set(file, text);
    this.#given.set(file, { at: now, stamp });
    this.#rebuildLater();
    return run.project.conclude(request);
  }

  /** Edits leave another order in the graph than the command's. While nobody asks, it is put right. */
  #rebuildLater(): void {
    clearTimeout(this.#rebuildTimer);
    const { project } = this.#project.run;
    this.#rebuildTimer = setTimeout(() => {
      try {
        project.graph.rebuild(new Set(project.proposing()));
      } catch {
        // A mistake of ours in the graph: who asks it next meets it, too, and `ProjectRun` then takes each file for itself.
      }
    }, PAUSE_MS);
    this.#rebuildTimer.unref();
  }

  async #lookAtDisk(now: number): Promise<void> {
    if (this.#isAlone) {
      this.#project = await readProject(this.#folder, true, this.#rules);
      this.#lookedAt = performance.now();
      return;
    }
    const { setup, run, texts, stamps, settings } = this.#project;
    const discovery = await setup.discover(['.'], new Skipped());
    if (settingsOf(this.#folder, discovery) !== settings) {
      this.#given.clear();
      this.#project = await readProject(this.#folder, false, this.#rules);
      this.#lookedAt = performance.now();
      return;
    }
    let hasChanged = false;
    let hasMoved = false;
    const found = new Set<string>();
    for (const one of discovery.scripts) {
      found.add(one.path);
      const stamp = stampOf(one.path);
      const given = this.#given.get(one.path);
      if (given && given.stamp === stamp && now - given.at < GIVEN_MS) continue;
      if (!given && stamps.get(one.path) === stamp) continue;
      this.#given.delete(one.path);
      stamps.set(one.path, stamp);
      const text = await run.textOf(one);
      if (text === texts.get(one.path)) continue;
      hasChanged = true;
      hasMoved ||= text === undefined || !texts.has(one.path);
      if (text === undefined) {
        texts.delete(one.path);
        run.project.remove(one.path);
      } else {
        texts.set(one.path, text);
        run.project.change(await run.requestFor(one.path, text));
      }
    }
    for (const file of [...texts.keys()]) {
      const given = this.#given.get(file);
      // A new document need not be saved yet.
      if (found.has(file) || (given?.stamp === '' && now - given.at < GIVEN_MS)) continue;
      this.#given.delete(file);
      texts.delete(file);
      stamps.delete(file);
      run.project.remove(file);
      hasChanged = hasMoved = true;
    }
    if (hasMoved) run.project.layOut();
    // Who comes back after a pause goes on changing files: then all of them are followed, as the editor's server does.
    if (hasChanged && (await run.project.complete())) run.project.save(false);
    if (hasChanged) this.#rebuildLater();
    this.#lookedAt = performance.now();
  }

  async #answer(file: string, text: string, { findings, issue, crashes }: LintResult): Promise<Omit<Answer, 'id'>> {
    const deployment = this.#given.has(file) ? [] : (this.#project.deployment.get(file) ?? []);
    const all = [...findings, ...deployment].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
    const found: Reported[] = [];
    for (const finding of all) found.push(await this.#reported(file, text, finding));
    const safe = found.flatMap(({ fix }) => fix ?? []);
    // ESLint makes fixes of several findings at once. Where they do not go together, one is left to be made.
    if (safe.length > 1 && !(await this.#isSound(file, text, apart(safe))))
      for (const one of found.filter(({ fix }) => fix !== undefined).slice(1)) delete one.fix;
    const [crash] = crashes;
    if (issue) {
      const said = issue.tookTooLong ? 'Nodometer did not read this file' : 'Nodometer could not parse this file';
      return { found, problem: { message: `${said}: ${issue.message}`, at: { start: issue.offset, end: issue.offset } } };
    }
    if (crash) {
      const message = `Rule ${crash.ruleId} crashed on this file: ${crash.error.message}. Its findings are missing.`;
      return { found, problem: { message, at: { start: 0, end: 0 } } };
    }
    return { found };
  }

  async #reported(file: string, text: string, { ruleId, message, severity, span, fixes }: Finding): Promise<Reported> {
    const reported: Reported = {
      ruleId,
      message: `${message.what} ${message.why} ${message.remedy}`,
      isHint: severity === 'hint',
      ...span,
      suggestions: [],
    };
    const suggestions: { title: string; change: Change }[] = [];
    for (const [i, fix] of fixes.entries()) {
      if (fix.edits.length === 0 || !(await this.#isSound(file, text, fix.edits))) continue;
      const change = changeOf(text, fix);
      if (i === 0 && fix.kind === 'safe' && fix.named === undefined) reported.fix = change;
      else suggestions.push({ title: titleWithCost(fix), change });
    }
    return { ...reported, suggestions };
  }

  async #isSound(file: string, text: string, edits: readonly Edit[]): Promise<boolean> {
    this.#findDamage ??= (await import('../../analysis/fix/verify.ts')).findDamage;
    return this.#findDamage(file, text, applyEdits(text, edits)) === undefined;
  }
}

/** Those that ESLint makes in one pass: the first of each group that overlaps. */
function apart(changes: readonly Change[]): Change[] {
  let last = -1;
  return [...changes]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .filter(({ start, end }) => {
      if (start <= last) return false;
      last = end;
      return true;
    });
}

/** The edits as one, from the first to the last. */
function changeOf(text: string, { edits }: Fix): Change {
  const start = Math.min(...edits.map((edit) => edit.start));
  const end = Math.max(...edits.map((edit) => edit.end));
  const after = applyEdits(text, edits);
  return { start, end, text: after.slice(start, after.length - (text.length - end)) };
}

async function readProject(folder: string, isAlone: boolean, rules: readonly AnyRule[]): Promise<Project> {
  const setup = new RunSetup(AS_COMMAND, hostIn(folder), rules);
  const run = setup.newRun('.', { dryRun: true, onlyFindings: true });
  const stamps = new Map<string, string>();
  const texts = new Map<string, string>();
  const nothing = { setup, run, texts, stamps, settings: '', deployment: new Map() };
  if (isAlone) return nothing;
  await setup.configs.prepare();
  const discovery = await setup.discover(['.']);
  const settings = settingsOf(folder, discovery);
  for (const { path } of discovery.scripts) stamps.set(path, stampOf(path));
  const requests = await run.analyze(discovery.scripts);
  for (const { file, text } of requests) texts.set(file, text);
  // Fixes are worked out here, so that the cache has them for the next process.
  for (const request of requests) run.project.conclude(request);
  run.project.save(true);
  await runDeployment({ run, discovery, discoverIn: async (path) => (await setup.discover([path], new Skipped())).deployment });
  const deployment = new Map(run.files.filter(({ file }) => SCRIPT_FILE.test(file)).map(({ file, findings }) => [file, findings]));
  return { ...nothing, settings, deployment };
}

function settingsOf(folder: string, { folders, deployment, scripts }: Discovery): string {
  const isScript = new Set(scripts.map(({ path }: FoundFile) => path));
  const settings = [...new Set([folder, ...folders])].flatMap((one) => SETTINGS_FILES.map((name) => join(one, name)));
  const files = [...settings, ...deployment.map(({ path }) => path).filter((path) => !isScript.has(path))];
  return files.flatMap((path) => (stampOf(path) === '' ? [] : [`${path} ${stampOf(path)}`])).join('\n');
}

/** Empty where there is no file. */
function stampOf(path: string): string {
  const stats = statsOf(path);
  return stats?.isFile() ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : '';
}

/** ESLint's output is not ours: what the command writes to standard error is left to the command. */
function hostIn(cwd: string): Host {
  const silent = { write: () => undefined };
  const notHere = () => Promise.reject(new Error('not part of a run of ESLint'));
  return {
    cwd,
    env: {},
    platform: process.platform,
    stdout: silent,
    stderr: silent,
    readStdin: notHere,
    signal: new AbortController().signal,
    now: () => performance.now(),
    nodeVersion: process.versions.node,
    analysis: analysisPlace(),
    date: () => Date.now(),
    nodePath: process.execPath,
    confirm: async () => false,
    version: packageVersion(),
    loadRules: notHere,
    loadFixCheck: notHere,
    startLanguageServer: notHere,
    findRuleDoc: () => undefined,
  };
}
