// One run over the files found: read, lint, fix, collect. Says nothing to anyone; lint.ts prints what comes out.
import { dirname } from 'node:path';
import { textOfFile } from '../files/read-text-file.ts';
import type { Finding, FixKind, NamedFix } from '../protocol/finding.ts';
import type { ProjectInfo } from '../protocol/project.ts';
import type { AnyRule } from '../analysis/rule.ts';
import type { ParseIssue } from '../analysis/module/parse.ts';
import type { EvidenceOf } from '../analysis/run/evidence.ts';
import type { LintRequest, LintResult, RuleCrash } from '../analysis/run/run.ts';
import type { Silenced } from '../analysis/run/suppress.ts';
import { Source } from '../analysis/module/source.ts';
import type { ConfigFinder, LoadedConfig } from './config/config-finder.ts';
import type { FoundFile } from './discovery/discover.ts';
import { fixText, type FixCheck } from './fix.ts';
import { startsNode } from './discovery/left-out.ts';
import type { ProjectFinder } from './project.ts';
import { findRepositoryRoot } from './discovery/git-ignore.ts';
import { findProjectRoot } from './project-index/project-root.ts';
import { ProjectRun, type ProjectRunRequest } from './project-index/project-run.ts';
import { DEFAULT_MAX_FILE_SIZE, readSource, type IsLinted } from './discovery/read-source.ts';
import { replaceFile } from './replace-file.ts';
import type { SettingsResolver } from './config/rule-settings.ts';
import type { Skipped } from './discovery/skipped.ts';
import type { Turns } from './turns.ts';
import { insideOf } from '../files/inside.ts';

export interface FileReport {
  /** Absolute path. */
  file: string;
  findings: readonly Finding[];
}

/** A file that could not be parsed, so that nothing is known about it. */
export interface UnreadFile {
  file: string;
  issue: ParseIssue;
}

export interface RejectedFix {
  file: string;
  ruleId: string;
  title: string;
  reason: string;
}

export interface NodeRangeUse {
  range: string;
  source: string;
  files: number;
}

/** What holds where the configuration says nothing. */
export interface RunDefaults {
  /** Bytes. */
  maxFileSize?: number;
  node?: { range: string; source: string };
  reportUnusedDisables?: boolean;
}

export interface RunRequest {
  rules: readonly AnyRule[];
  configs: ConfigFinder;
  settings: SettingsResolver;
  projects: ProjectFinder;
  skipped: Skipped;
  fix?: FixKind;
  /** Suggestions that are made only if they are named. */
  namedFixes?: readonly NamedFix[];
  loadFixCheck(): Promise<FixCheck>;
  /** Whether fixes are worked out; true unless said. */
  repairs?: boolean;
  /** Whether nothing but the findings is asked for; not where files are changed. */
  onlyFindings?: boolean;
  /** Fixes are made in memory only. */
  dryRun: boolean;
  cwd: string;
  turns: Turns;
  warn(message: string): void;
  note(message: string): void;
  progress(done: number, total: number, path: string): void;
  /** Texts that stand in for files: standard input, and what a dry run has fixed. */
  overlay: Map<string, string>;
  defaults?: RunDefaults;
  /** Further threads, and what earlier runs have found out; without them all is worked out here and now. */
  threads?: Pick<ProjectRunRequest, 'threads' | 'entry' | 'cache'>;
  /** What profiles have shown of a file. */
  evidenceFor?(file: string): EvidenceOf | undefined;
}

export class LintRun {
  readonly request: RunRequest;
  readonly unread: UnreadFile[] = [];
  readonly crashes: RuleCrash[] = [];
  readonly rejected: RejectedFix[] = [];
  readonly sources = new Map<string, Source>();
  readonly project: ProjectRun;
  readonly #findings = new Map<string, readonly Finding[]>();
  readonly #fixedFiles = new Set<string>();
  readonly #ranges = new Map<string, NodeRangeUse>();
  /** Scripts that were asked for, and with those that only take part. What is compiled from one of them is left out. */
  readonly #found = new Set<string>();
  readonly #all = new Set<string>();
  fixesMade = 0;
  readonly silenced: Silenced[] = [];
  scriptCount = 0;
  #fixCheck: FixCheck | undefined;

  constructor(request: RunRequest) {
    this.request = request;
    const { rules, turns, note, warn, threads, fix, onlyFindings } = request;
    this.project = new ProjectRun({ rules, turns, log: note, warn, threads: 1, ...threads, onlyFindings: onlyFindings === true && !fix });
  }

  get fixedFileCount(): number {
    return this.#fixedFiles.size;
  }

  get nodeRanges(): NodeRangeUse[] {
    return [...this.#ranges.values()].sort((a, b) => b.files - a.files);
  }

  get files(): FileReport[] {
    return [...this.#findings]
      .filter(([, findings]) => findings.length > 0)
      .map(([file, findings]) => ({ file, findings: [...findings].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end) }))
      .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  }

  /** To be awaited before files are linted: what checks fixes is loaded only where fixes are made. */
  async prepare(): Promise<void> {
    if (this.request.fix) this.#fixCheck = await this.request.loadFixCheck();
  }

  /**
   * All files are read before anything is said of one: what runs while a request waits is known when the whole project is. `others` take
   * part and are not reported. `found`: all that was asked for, where `files` are a share of it.
   */
  async scripts(files: readonly FoundFile[], others: readonly FoundFile[] = [], found = files): Promise<void> {
    await this.#concludeAll(await this.analyze(files, others, found));
  }

  /** Gives those of `files` that could be read. */
  async analyze(files: readonly FoundFile[], others: readonly FoundFile[] = [], found = files): Promise<LintRequest[]> {
    const { project } = this;
    const all = [...files, ...others];
    for (const { path } of found) this.#found.add(path);
    for (const { path } of all) this.#all.add(path);
    project.expect(all.length);
    try {
      return await this.#analyzeAll(all, files.length);
    } catch (error) {
      await project.dismiss();
      throw error;
    }
  }

  async #analyzeAll(all: readonly FoundFile[], reportedCount: number): Promise<LintRequest[]> {
    const { project } = this;
    const requests: LintRequest[] = [];
    const reported = new Set<string>();
    for (const [i, file] of all.entries()) {
      await this.request.turns.take();
      const config = await this.#prepare(file.path);
      const text = this.request.overlay.get(file.path) ?? (i < reportedCount ? this.#read(file, config) : this.#readSilently(file, config));
      if (text === undefined) continue;
      requests.push(this.#lintRequest(file.path, text));
      if (i >= reportedCount) continue;
      reported.add(file.path);
      this.countScript(file.path);
    }
    await project.analyze(requests, (done) => this.request.progress(done, requests.length, requests[done]?.file ?? ''));
    return requests.filter(({ file }) => reported.has(file));
  }

  async #concludeAll(own: readonly LintRequest[]): Promise<void> {
    const { project } = this;
    const results = new Map<string, LintResult>();
    const fixed: LintRequest[] = [];
    for (const [i, request] of own.entries()) {
      await this.breathe(i, own.length, request.file);
      // Fixes have a time limit, and a signal that comes just before such work is lost.
      if (project.hasFindings(request.file)) await this.request.turns.turn();
      const result = project.conclude(request);
      results.set(request.file, result);
      const text = this.#fix(request, result);
      if (text !== request.text) fixed.push({ ...request, text });
    }
    // A fix may change what other files are reached by.
    for (const request of fixed) project.change(request);
    const texts = new Map(fixed.map(({ file, text }) => [file, text]));
    for (const [i, before] of own.entries()) {
      await this.breathe(i, own.length, before.file);
      const request = { ...before, text: texts.get(before.file) ?? before.text };
      const result = fixed.length === 0 ? results.get(before.file) : project.conclude(request);
      if (result) this.#take(request, result);
    }
  }

  countScript(path: string): void {
    this.scriptCount++;
    const folder = dirname(path);
    const { nodeRange: range, nodeRangeSource: source } = this.projectOf(folder, this.request.configs.known(folder));
    const key = `${range}\n${source}`;
    const use = this.#ranges.get(key);
    if (use) use.files++;
    else this.#ranges.set(key, { range, source, files: 1 });
  }

  /** Lets the loop turn now and then, and stops when the user asked to. */
  async breathe(done: number, total: number, path: string): Promise<void> {
    if (await this.request.turns.take()) this.request.progress(done, total, path);
  }

  /** Reads what holds for a file, once for each folder. */
  async #prepare(path: string): Promise<LoadedConfig> {
    const { configs, settings } = this.request;
    const config = await configs.forFolder(dirname(path));
    await settings.prepare(config);
    return config;
  }

  /** What is found in a file that was analyzed with this text. */
  concluded(path: string, text: string): LintResult {
    return this.project.conclude(this.#lintRequest(path, text));
  }

  /** A file that came later, or has another text. */
  async requestFor(path: string, text: string): Promise<LintRequest> {
    await this.#prepare(path);
    this.#all.add(path);
    return this.#lintRequest(path, text);
  }

  /** A file's text as `scripts` reads it; undefined where it is left out. */
  async textOf(file: FoundFile): Promise<string | undefined> {
    return this.#readSilently(file, await this.#prepare(file.path));
  }

  /** The text of a file that was analyzed, as it is now. */
  textNow(path: string): string | undefined {
    return (
      this.request.overlay.get(path) ??
      this.#readSilently({ path, named: false, needsShebang: false }, this.request.configs.known(dirname(path)), () => false)
    );
  }

  #lintRequest(path: string, text: string): LintRequest {
    const { settings, configs, rules } = this.request;
    const config = configs.known(dirname(path));
    return {
      file: path,
      text,
      project: this.projectOf(dirname(path), config),
      rules,
      settings: settings.forFile(path, config),
      repairs: this.request.repairs,
      reportUnusedDisables: this.request.defaults?.reportUnusedDisables,
      evidence: this.request.evidenceFor?.(path),
    };
  }

  /** The text with all fixes that are allowed. */
  #fix(request: LintRequest, result: LintResult): string {
    const { file, text } = request;
    const allowed = this.request.fix;
    if (!allowed || !result.findings.some((finding) => finding.fixes.length > 0)) return text;
    // Each fix is tried for itself where one of them breaks something, and a file may have thousands.
    const outcome = this.project.inTime(text, () =>
      fixText({
        text,
        allowed,
        named: this.request.namedFixes,
        lint: (one) => (one === text ? result : this.project.lint({ ...request, text: one })).findings,
        findDamage: (was, is) => this.#fixCheck?.(file, was, is),
      }),
    );
    if (outcome) return this.keepFixed(file, text, outcome);
    this.request.warn(`${this.shown(file)} was not fixed because that took too long.`);
    return text;
  }

  #take({ file, text }: LintRequest, { findings, crashes, silenced, issue }: LintResult): void {
    this.crashes.push(...crashes);
    this.silenced.push(...silenced);
    if (silenced.length > 0) this.sources.set(file, new Source(file, text));
    if (issue) {
      this.unread.push({ file, issue });
      this.sources.set(file, new Source(file, text));
    }
    this.addFindings(file, text, findings);
  }

  /** Writes a fixed text and counts its fixes; gives the text that stands from now on. */
  keepFixed(path: string, before: string, outcome: { text: string; made: number; rejected: readonly Omit<RejectedFix, 'file'>[] }): string {
    for (const one of outcome.rejected) {
      // Deployment files are gone over again when a neighbor changes; what was refused before is refused again.
      const isKnown = this.rejected.some(
        (other) => other.file === path && other.ruleId === one.ruleId && other.title === one.title && other.reason === one.reason,
      );
      if (!isKnown) this.rejected.push({ ...one, file: path });
    }
    if (outcome.text === before) return before;
    if (this.request.dryRun || this.request.overlay.has(path)) this.request.overlay.set(path, outcome.text);
    else {
      const written = replaceFile(path, before, outcome.text, treeOf(path));
      if (!written.ok) {
        this.request.warn(`${this.shown(path)} was not fixed because it ${written.why}.`);
        return before;
      }
    }
    this.fixesMade += outcome.made;
    this.#fixedFiles.add(path);
    return outcome.text;
  }

  addFindings(path: string, text: string, findings: readonly Finding[]): void {
    if (findings.length === 0) return;
    this.#findings.set(path, [...(this.#findings.get(path) ?? []), ...findings]);
    this.sources.set(path, new Source(path, text));
    for (const finding of findings) {
      for (const { file } of finding.related) {
        if (file === undefined || this.sources.has(file)) continue;
        const other = this.readText(file);
        if (other !== undefined) this.sources.set(file, new Source(file, other));
      }
    }
  }

  /** A file whose text has changed since: what was found in it no longer stands where it stood. */
  relint(path: string, text: string): void {
    this.#findings.delete(path);
    const request = this.#lintRequest(path, text);
    this.project.change(request);
    this.#take(request, this.project.conclude(request));
  }

  hasFindings(path: string): boolean {
    return this.#findings.has(path);
  }

  projectOf(folder: string, config: LoadedConfig): ProjectInfo {
    const { node, path } = config;
    const given =
      node === undefined
        ? this.request.defaults?.node
        : { range: node, source: `node in ${path ? this.shown(path) : 'the configuration'}` };
    return this.request.projects.infoFor(folder, given);
  }

  /** A file's text for a rule that looks at other files; undefined when there is none to be had. */
  readText(path: string): string | undefined {
    const instead = this.request.overlay.get(path);
    if (instead !== undefined) return instead;
    // Rules ask for files that may not be there or not be readable; both mean "nothing to read".
    return textOfFile(path, DEFAULT_MAX_FILE_SIZE);
  }

  shown(path: string): string {
    return (insideOf(this.request.cwd, path) ?? path) || '.';
  }

  #readSilently(
    { path, needsShebang }: FoundFile,
    config: LoadedConfig,
    isLinted: IsLinted = (source) => this.#all.has(source),
  ): string | undefined {
    const reading = readSource(path, this.#limitIn(config), false, isLinted);
    return reading.kind === 'text' && (!needsShebang || startsNode(reading.text)) ? reading.text : undefined;
  }

  #limitIn({ maxFileSize }: LoadedConfig): number {
    return maxFileSize ?? this.request.defaults?.maxFileSize ?? DEFAULT_MAX_FILE_SIZE;
  }

  #read(file: FoundFile, config: LoadedConfig): string | undefined {
    const { skipped, warn, note } = this.request;
    const reading = readSource(file.path, this.#limitIn(config), file.named, (source) => this.#found.has(source));
    if (reading.kind === 'text') {
      if (file.needsShebang && !startsNode(reading.text)) return undefined;
      return reading.text;
    }
    if (reading.kind === 'skip') {
      skipped.add(reading.reason);
      if (file.named) note(`${this.shown(file.path)} is skipped because it ${reading.why}.`);
      return undefined;
    }
    skipped.add('unreadable');
    warn(`${this.shown(file.path)} ${reading.why}.`);
    return undefined;
  }
}

/** The folder that a fix of the file may write in: its repository, else its project. */
function treeOf(path: string): string {
  const folder = dirname(path);
  return findRepositoryRoot(folder) ?? findProjectRoot(path) ?? folder;
}
