// What every command over a project's files begins with: configurations, files, threads and cache, and what it says meanwhile.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import ignore from 'ignore';
import semver from 'semver';
import type { Severity } from '../protocol/finding.ts';
import type { AnyRule } from '../analysis/rule.ts';
import { ConfigFinder } from '../workspace/config/config-finder.ts';
import { discover, type Discovery, type DiscoveryRequest, type FoundFile } from '../workspace/discovery/discover.ts';
import { CommandError } from '../workspace/errors.ts';
import { EvidenceStores } from '../workspace/profile/evidence-store.ts';
import { LintRun, type RunRequest } from '../workspace/lint-run.ts';
import { cacheFileOf, openAnalysis } from '../workspace/project-index/analysis-place.ts';
import { findProjectRoot } from '../workspace/project-index/project-root.ts';
import { ProjectFinder } from '../workspace/project.ts';
import { settingsWith, type ExportsMode } from '../workspace/config/rule-settings.ts';
import { gitIgnoreOptions } from '../workspace/discovery/git-ignore.ts';
import { Skipped } from '../workspace/discovery/skipped.ts';
import { statsOf } from '../files/path-stats.ts';
import { Turns } from '../workspace/turns.ts';
import type { Host } from './host.ts';
import { ProgressLine } from './progress.ts';
import { hasProgress } from './terminal.ts';

export interface SetupArguments {
  /** Rule id to severity, as `--rule` gave them. */
  severities: ReadonlyMap<string, Severity>;
  /** Whether callers of exported functions count, too. */
  exports?: ExportsMode;
  configFile?: string;
  useConfig: boolean;
  /** Whether the rest of the project counts where only a part of it is named. */
  useProject: boolean;
  useCache: boolean;
  /** A file, or a folder for it. */
  cacheLocation?: string;
  ignores: readonly string[];
  useIgnoreFiles: boolean;
  /** False: kept verdicts are not looked at. */
  useEvidence?: boolean;
  nodeRange?: string;
  progress: boolean;
}

export function checkNodeRange(range: string | undefined): void {
  if (range !== undefined && semver.validRange(range) === null)
    throw new CommandError(`\`--node\` must be a semver range such as ">=20", not \`${range}\`.`);
}

/** To the file that was named, or to standard output. The text is safe (`safe-output.ts`). */
export function writeReport(text: string, outputFile: string | undefined, { cwd, stdout }: Pick<Host, 'cwd' | 'stdout'>): void {
  if (outputFile === undefined) {
    stdout.write(text);
    return;
  }
  try {
    const path = resolve(cwd, outputFile);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandError(`Cannot write ${outputFile}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  }
}

export class RunSetup {
  readonly skipped = new Skipped();
  readonly configs: ConfigFinder;
  readonly projects: ProjectFinder;
  readonly progress: ProgressLine;
  /** Texts that stand in for files. */
  readonly overlay = new Map<string, string>();
  readonly #args: SetupArguments;
  readonly #host: Host;
  readonly #rules: readonly AnyRule[];
  readonly #turns: Turns;
  readonly #said = new Set<string>();

  constructor(args: SetupArguments, host: Host, rules: readonly AnyRule[]) {
    this.#args = args;
    this.#host = host;
    this.#rules = rules;
    this.#turns = new Turns(host);
    const fixed = args.configFile === undefined ? undefined : resolve(host.cwd, args.configFile);
    this.configs = new ConfigFinder({ fixed, search: args.useConfig, cwd: host.cwd, rules, warn: (message) => this.say(message) });
    this.projects = new ProjectFinder({ nodeOption: args.nodeRange, runningNode: host.nodeVersion, warn: (message) => this.say(message) });
    this.progress = new ProgressLine(host.stderr, args.progress && hasProgress(host));
  }

  discover(paths: readonly string[], skipped: Skipped = this.skipped): Promise<Discovery> {
    return discover(this.#discoveryRequest(paths, skipped));
  }

  /** What is not reported and counts all the same: the rest of the projects that `paths` belong to. */
  async othersOf(paths: readonly string[], { scripts }: Discovery): Promise<readonly FoundFile[]> {
    const absolute = paths.map((path) => resolve(this.#host.cwd, path));
    const roots = [...new Set(absolute.flatMap((path) => findProjectRoot(path) ?? []))].filter((root) => !absolute.includes(root));
    if (!this.#args.useProject || roots.length === 0) return [];
    const named = new Set(scripts.map(({ path }) => path));
    const silently = { warn: () => undefined, note: () => undefined, ignores: undefined };
    const { scripts: all } = await discover({ ...this.#discoveryRequest(roots, new Skipped()), ...silently });
    return all.filter(({ path }) => !named.has(path));
  }

  /** `first`: the first path that was named; the cache is its project's. */
  newRun(first: string, how: Pick<RunRequest, 'fix' | 'namedFixes' | 'dryRun' | 'repairs' | 'onlyFindings'>): LintRun {
    const { cwd } = this.#host;
    const say = (message: string) => this.say(message);
    const evidence = new EvidenceStores((folder) => this.projects.findRoot(folder), say);
    return new LintRun({
      ...how,
      rules: this.#rules,
      configs: this.configs,
      projects: this.projects,
      skipped: this.skipped,
      turns: this.#turns,
      cwd,
      settings: settingsWith(this.#args.exports, this.#rules, this.#args.severities, this.projects),
      loadFixCheck: () => this.#host.loadFixCheck(),
      warn: say,
      note: say,
      progress: (done, total, path) => this.progress.show(done, total, relative(cwd, path)),
      overlay: this.overlay,
      evidenceFor: this.#args.useEvidence === false ? undefined : (file) => evidence.forFile(file),
      threads: this.#threads(resolve(cwd, first)),
    });
  }

  /** Each message once, whatever asks how often. */
  say(message: string): void {
    if (this.#said.has(message)) return;
    this.#said.add(message);
    this.progress.clear();
    this.#host.stderr.write(`nodometer: ${message}\n`);
  }

  #discoveryRequest(paths: readonly string[], skipped: Skipped): DiscoveryRequest {
    const { cwd, platform } = this.#host;
    const say = (message: string) => this.say(message);
    return {
      paths,
      cwd,
      skipped,
      turns: this.#turns,
      configs: this.configs,
      warn: say,
      note: say,
      ignores: this.#args.ignores.length > 0 ? ignore().add([...this.#args.ignores]) : undefined,
      useIgnoreFiles: this.#args.useIgnoreFiles,
      git: gitIgnoreOptions(platform, say),
    };
  }

  #threads(first: string): RunRequest['threads'] {
    const { analysis, date } = this.#host;
    if (!analysis) return undefined;
    const { useCache, cacheLocation } = this.#args;
    const root = findProjectRoot(first) ?? first;
    return openAnalysis(analysis, root, date, useCache ? this.#cacheFile(cacheLocation, cacheFileOf(root, analysis)) : false);
  }

  #cacheFile(given: string | undefined, usual: string): string | undefined {
    if (given === undefined) return undefined;
    const path = resolve(this.#host.cwd, given);
    return /[\\/]$/.test(given) || statsOf(path)?.isDirectory() ? join(path, basename(usual)) : path;
  }
}
