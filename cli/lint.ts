// `nodometer lint`: arguments to exit code.
import { statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import ignore from 'ignore';
import pc from 'picocolors';
import semver from 'semver';
import { deploymentKindOf } from '../analysis/deployment-files.ts';
import { SCRIPT_FILE } from '../analysis/parse.ts';
import type { Finding } from '../protocol/finding.ts';
import type { AnyRule } from '../analysis/rule.ts';
import { didYouMean } from '../workspace/closest-name.ts';
import { count } from '../workspace/count.ts';
import { ConfigFinder } from '../workspace/config-finder.ts';
import { runDeployment } from '../workspace/deployment-run.ts';
import { discover, type Discovery, type DiscoveryRequest, type FoundFile } from '../workspace/discover.ts';
import { visible } from './formats/display-text.ts';
import { regionOf } from './formats/region.ts';
import { findRepositoryRoot } from '../workspace/git-ignore.ts';
import { LINT_HELP } from './help.ts';
import { CommandError } from '../workspace/errors.ts';
import { EXIT_FAILED, EXIT_FINDINGS, EXIT_OK, type ExitCode, type Host } from './host.ts';
import { parseLintArguments, type LintArguments } from './lint-arguments.ts';
import { LintRun, type RunRequest } from '../workspace/lint-run.ts';
import { cacheFileOf, openAnalysis } from '../workspace/project-index/analysis-place.ts';
import { findProjectRoot } from '../workspace/project-index/project-root.ts';
import { ProgressLine } from './progress.ts';
import { EvidenceStores } from '../workspace/evidence-store.ts';
import { ProjectFinder } from '../workspace/project.ts';
import { errorsOnly, tallyOf, type Report } from './report.ts';
import { SettingsResolver } from '../workspace/rule-settings.ts';
import { Skipped } from '../workspace/skipped.ts';
import { hasColors, hasProgress, hasUnicode } from './terminal.ts';
import { Turns } from '../workspace/turns.ts';

/** Files with syntax errors that are named one by one. */
const TOLD_UNREAD = 10;

export async function lintCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parseLintArguments(argv);
  if (args.help) {
    host.stdout.write(LINT_HELP);
    return EXIT_OK;
  }
  const rules = await host.loadRules();
  checkArguments(args, rules);
  const session = new LintSession(args, host, rules);
  return session.run();
}

function checkArguments(args: LintArguments, rules: readonly AnyRule[]): void {
  const ids = rules.map((rule) => rule.meta.id);
  for (const id of args.severities.keys()) {
    if (!ids.includes(id)) throw new CommandError(`There is no rule \`${id}\`.${didYouMean(id, ids) || ' `nodometer rules` lists them.'}`);
  }
  if (args.nodeRange !== undefined && semver.validRange(args.nodeRange) === null) {
    throw new CommandError(`\`--node\` takes a semver range such as ">=20", not \`${args.nodeRange}\`.`);
  }
}

class LintSession {
  readonly #args: LintArguments;
  readonly #host: Host;
  readonly #rules: readonly AnyRule[];
  readonly #started: number;
  readonly #skipped = new Skipped();
  readonly #configs: ConfigFinder;
  readonly #projects: ProjectFinder;
  readonly #progress: ProgressLine;
  readonly #turns: Turns;
  readonly #said = new Set<string>();
  readonly #overlay = new Map<string, string>();

  constructor(args: LintArguments, host: Host, rules: readonly AnyRule[]) {
    this.#args = args;
    this.#host = host;
    this.#rules = rules;
    this.#started = host.now();
    this.#turns = new Turns(host);
    const fixed = args.configFile === undefined ? undefined : resolve(host.cwd, args.configFile);
    this.#configs = new ConfigFinder({ fixed, search: args.useConfig, cwd: host.cwd, rules });
    this.#projects = new ProjectFinder({ nodeOption: args.nodeRange, runningNode: host.nodeVersion, warn: (message) => this.#say(message) });
    this.#progress = new ProgressLine(host.stderr, args.progress && hasProgress(host));
  }

  async run(): Promise<ExitCode> {
    const { stdin, listFiles, shard } = this.#args;
    try {
      await this.#configs.prepare();
      const discovery = stdin ? await this.#readStdin() : await discover(this.#discoveryRequest(this.#args.paths, this.#skipped));
      if (listFiles) return this.#list(discovery);
      const run = this.#newRun();
      await run.prepare();
      const others = await this.#othersOf(discovery);
      const { own, left } = this.#share(discovery.scripts);
      await run.scripts(own, [...left, ...others]);
      run.project.save(others.length > 0 || !stdin);
      const deploymentCount = shard && shard.index > 1 ? 0 : await runDeployment({
        run, discovery,
        discoverIn: async (folder) => (await discover(this.#discoveryRequest([folder], new Skipped()))).deployment,
      });
      return this.#finish(run, deploymentCount);
    } finally {
      this.#progress.clear();
    }
  }

  #newRun(): LintRun {
    const { fix, dryRun, severities } = this.#args;
    const { cwd } = this.#host;
    const evidence = new EvidenceStores((folder) => this.#projects.findRoot(folder), (message) => this.#say(message));
    return new LintRun({
      rules: this.#rules, configs: this.#configs, projects: this.#projects, skipped: this.#skipped, turns: this.#turns, fix, dryRun, cwd,
      settings: new SettingsResolver(this.#rules, severities),
      loadFixCheck: () => this.#host.loadFixCheck(),
      warn: (message) => this.#say(message),
      note: (message) => this.#say(message),
      progress: (done, total, path) => this.#progress.show(done, total, relative(cwd, path)),
      overlay: this.#overlay,
      evidenceFor: (file) => evidence.forFile(file),
      threads: this.#threads(),
    });
  }

  #discoveryRequest(paths: readonly string[], skipped: Skipped): DiscoveryRequest {
    const { cwd, platform } = this.#host;
    const say = (message: string) => this.#say(message);
    return {
      paths, cwd, skipped, turns: this.#turns, configs: this.#configs, warn: say, note: say,
      ignores: this.#args.ignores.length > 0 ? ignore().add([...this.#args.ignores]) : undefined,
      useIgnoreFiles: this.#args.useIgnoreFiles,
      git: { ignorecase: platform === 'win32' || platform === 'darwin', warn: say },
    };
  }

  /** Standard input takes the place of its file, which need not exist. */
  async #readStdin(): Promise<Discovery> {
    const path = resolve(this.#host.cwd, this.#args.stdinFilename ?? 'stdin.js');
    this.#overlay.set(path, await this.#host.readStdin());
    await this.#configs.forFolder(dirname(path));
    const kind = deploymentKindOf(path);
    const isScript = kind === undefined || SCRIPT_FILE.test(path);
    return {
      scripts: isScript ? [{ path, named: true, needsShebang: false }] : [],
      deployment: kind ? [{ path, kind }] : [],
      folders: new Set(),
    };
  }

  /** What is not reported and counts all the same: the rest of the project that the named files belong to. */
  async #othersOf({ scripts }: Discovery): Promise<readonly FoundFile[]> {
    const roots = this.#roots();
    if (!this.#args.useProject || roots.length === 0) return [];
    const named = new Set(scripts.map(({ path }) => path));
    const silently = { skipped: new Skipped(), warn: () => undefined, note: () => undefined, ignores: undefined };
    const { scripts: all } = await discover({ ...this.#discoveryRequest(roots, silently.skipped), ...silently });
    return all.filter(({ path }) => !named.has(path));
  }

  /** Projects that are not named as a whole. */
  #roots(): string[] {
    const { cwd } = this.#host;
    const paths = (this.#args.stdin ? [...this.#overlay.keys()] : this.#args.paths).map((path) => resolve(cwd, path));
    const roots = new Set(paths.flatMap((path) => findProjectRoot(path) ?? []));
    return [...roots].filter((root) => !paths.includes(root));
  }

  /** The files that this machine reports, and those that others report. */
  #share(files: readonly FoundFile[]): { own: readonly FoundFile[]; left: readonly FoundFile[] } {
    const { shard } = this.#args;
    if (!shard) return { own: files, left: [] };
    const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
    const isOwn = (_: FoundFile, i: number) => i % shard.count === shard.index - 1;
    return { own: sorted.filter(isOwn), left: sorted.filter((file, i) => !isOwn(file, i)) };
  }

  #threads(): RunRequest['threads'] {
    const { analysis, cwd, date } = this.#host;
    if (!analysis) return undefined;
    const { useCache, cacheLocation, stdin } = this.#args;
    const given = resolve(cwd, (stdin ? [...this.#overlay.keys()][0] : this.#args.paths[0]) ?? '.');
    const root = findProjectRoot(given) ?? given;
    return openAnalysis(analysis, root, date, useCache ? this.#cacheFile(cacheLocation, cacheFileOf(root, analysis)) : false);
  }

  #cacheFile(given: string | undefined, usual: string): string | undefined {
    if (given === undefined) return undefined;
    const path = resolve(this.#host.cwd, given);
    return /[\\/]$/.test(given) || statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, basename(usual)) : path;
  }

  #list({ scripts, deployment }: Discovery): ExitCode {
    const paths = [...new Set([...scripts, ...deployment].map(({ path }) => relative(this.#host.cwd, path)))].sort();
    this.#write(paths.map((path) => `${path}\n`).join(''));
    const skipped = this.#skipped.describe();
    if (skipped.length > 0) this.#say(`skipped: ${skipped.join(', ')}`);
    return EXIT_OK;
  }

  async #finish(run: LintRun, deploymentCount: number): Promise<ExitCode> {
    const args = this.#args;
    const host = this.#host;
    const report: Report = {
      files: run.files, unread: run.unread, crashes: run.crashes, sources: run.sources, rules: this.#rules,
      cwd: host.cwd, sourceRoot: findRepositoryRoot(host.cwd) ?? host.cwd, version: host.version,
      scriptCount: run.scriptCount, deploymentCount, suppressed: run.suppressed, skipped: this.#skipped, nodeRanges: run.nodeRanges,
      fixes: { made: run.fixesMade, files: run.fixedFileCount, dryRun: args.dryRun, rejected: run.rejected },
      elapsedMs: host.now() - this.#started,
    };
    this.#progress.clear();
    this.#tellProblems(report);
    if (args.requireEvidence) this.#tellUnverified(report);
    const text = await this.#render(args.quiet ? errorsOnly(report) : report);
    if (args.stdin && args.fix && !args.dryRun) {
      const [path] = this.#overlay.keys();
      host.stdout.write(this.#overlay.get(path ?? '') ?? '');
      if (args.outputFile === undefined) host.stderr.write(text);
      else this.#write(text);
    } else this.#write(text);
    return exitCodeOf(report, args);
  }

  #tellUnverified(report: Report): void {
    const findings = unverified(report);
    if (findings.length === 0) return;
    this.#say(`${count(findings.length, 'warning')} without evidence (--require-evidence). \`nodometer profile file.js:function\` brings it.`);
  }

  /** Files without a report and rules that crashed go to standard error in every format: the formats hold findings only. */
  #tellProblems({ unread, crashes, sources, cwd }: Report): void {
    // A machine reads them all; a person only learns that there are many. SARIF and the summary have the rest.
    const told = this.#args.format === 'json' ? unread : unread.slice(0, TOLD_UNREAD);
    for (const { file, issue } of told) {
      const { line, column } = regionOf(sources.get(file), { start: issue.offset, end: issue.offset });
      this.#say(`${relative(cwd, file)}:${line}:${column}: could not be read: ${visible(issue.message)}`);
    }
    const more = unread.length - told.length;
    if (more > 0) this.#say(`${count(more, 'more file')} could not be read; \`--format json\` names them all.`);
    for (const { ruleId, file, error } of crashes) {
      this.#say(`The rule ${ruleId} crashed on ${relative(cwd, file) || '.'}: ${error.message}. Its findings there are missing.`);
    }
  }

  async #render(report: Report): Promise<string> {
    const { format, color, outputFile } = this.#args;
    const host = this.#host;
    switch (format) {
      case 'json':
        return (await import('./formats/json.ts')).formatJson(report);
      case 'sarif':
        return (await import('./formats/sarif.ts')).formatSarif(report, host);
      case 'github':
        return (await import('./formats/github.ts')).formatGithub(report);
      case 'stylish': {
        const stream = outputFile === undefined ? host.stdout : undefined;
        const { formatStylish } = await import('./formats/stylish.ts');
        return formatStylish(report, {
          colors: pc.createColors(hasColors(host, stream, color)),
          columns: stream?.isTTY ? stream.columns : undefined,
          unicode: hasUnicode(host),
        });
      }
    }
  }

  #write(text: string): void {
    const { outputFile } = this.#args;
    if (outputFile === undefined) {
      this.#host.stdout.write(text);
      return;
    }
    try {
      writeFileSync(resolve(this.#host.cwd, outputFile), text);
    } catch (error) {
      throw new CommandError(`Cannot write ${outputFile}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
    }
  }

  /** Each message once, whatever asks how often. */
  #say(message: string): void {
    if (this.#said.has(message)) return;
    this.#said.add(message);
    this.#progress.clear();
    this.#host.stderr.write(`nodometer: ${message}\n`);
  }
}

/** Errors and warnings that no run has judged, or whose code has changed since. */
function unverified({ files }: Report): Finding[] {
  return files.flatMap(({ findings }) => findings.filter(({ severity, evidence }) => severity !== 'hint' && (evidence === undefined || evidence.stale)));
}

function exitCodeOf(report: Report, { maxWarnings, exitZero, requireEvidence }: LintArguments): ExitCode {
  if (report.crashes.length > 0) return EXIT_FAILED;
  const { errors, warnings } = tallyOf(report.files);
  const failed = errors > 0 || (requireEvidence && unverified(report).length > 0) || (maxWarnings !== undefined && warnings > maxWarnings);
  return failed && !exitZero ? EXIT_FINDINGS : EXIT_OK;
}
