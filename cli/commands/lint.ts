// `nodometer lint`: arguments to exit code.
import { dirname, relative, resolve } from 'node:path';
import pc from 'picocolors';
import { FindingIds } from '../../workspace/baseline/finding-ids.ts';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { didYouMean } from '../../workspace/config/closest-name.ts';
import { count } from '../../workspace/count.ts';
import { runDeployment } from '../../workspace/deployment-run.ts';
import type { Discovery, FoundFile } from '../../workspace/discovery/discover.ts';
import { visible } from '../formats/display-text.ts';
import { regionOf } from '../formats/region.ts';
import { findRepositoryRoot } from '../../workspace/discovery/git-ignore.ts';
import { LINT_HELP } from '../help.ts';
import { CommandError } from '../../workspace/errors.ts';
import { EXIT_FAILED, EXIT_FINDINGS, EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { productionOf } from '../production-of.ts';
import { KnownAndChanged, type Chosen } from './known-and-changed.ts';
import { parseLintArguments, type LintArguments, type Output } from './lint-arguments.ts';
import type { LintRun } from '../../workspace/lint-run.ts';
import { errorsOnly, evidenceIn, evidenceSentence, tallyOf, type Report } from '../report.ts';
import { safeJson, safeText } from '../safe-output.ts';
import { checkNodeRange, RunSetup, writeReport } from '../run-setup.ts';
import { Skipped } from '../../workspace/discovery/skipped.ts';
import { hasColors, hasUnicode } from '../terminal.ts';

const NOTHING_CHOSEN: Chosen = { files: [], known: [], gone: [], unchanged: 0, verdicts: [] };
/** Files with syntax errors that are named one by one. */
const SHOWN_UNREAD = 10;

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
    if (!ids.includes(id))
      throw new CommandError(`Unknown rule \`${id}\`.${didYouMean(id, ids) || ' Run `nodometer rules` to list all rules.'}`);
  }
  checkNodeRange(args.nodeRange);
}

class LintSession {
  readonly #args: LintArguments;
  readonly #host: Host;
  readonly #rules: readonly AnyRule[];
  readonly #started: number;
  readonly #setup: RunSetup;

  constructor(args: LintArguments, host: Host, rules: readonly AnyRule[]) {
    this.#args = args;
    this.#host = host;
    this.#rules = rules;
    this.#started = host.now();
    this.#setup = new RunSetup(args, host, rules);
  }

  async run(): Promise<ExitCode> {
    const { stdin, listFiles, shard, fix, namedFixes, dryRun } = this.#args;
    const setup = this.#setup;
    try {
      await setup.configs.prepare();
      const chooser = new KnownAndChanged(this.#args, this.#host, (message) => setup.say(message));
      await chooser.prepare();
      const discovery = stdin ? await this.#readStdin() : await setup.discover(this.#args.paths);
      if (listFiles) return this.#list(discovery);
      const paths = stdin ? [...setup.overlay.keys()] : this.#args.paths;
      const run = setup.newRun(paths[0] ?? '.', { fix, namedFixes, dryRun, onlyFindings: true });
      await run.prepare();
      const others = await setup.othersOf(paths, discovery);
      const { own, left } = this.#share(discovery.scripts);
      await run.scripts(own, [...left, ...others], discovery.scripts);
      run.project.save(others.length > 0 || !stdin);
      const deploymentCount =
        shard && shard.index > 1
          ? 0
          : await runDeployment({
              run,
              discovery,
              discoverIn: async (folder) => (await setup.discover([folder], new Skipped())).deployment,
            });
      // Of several machines, one may be left without files.
      const isShareOfNone = left.length > 0 || (shard !== undefined && discovery.deployment.length > 0);
      const isNothing = run.scriptCount + deploymentCount === 0 && !isShareOfNone;
      // A mistyped path must not empty a baseline.
      const chosen = isNothing ? NOTHING_CHOSEN : chooser.choose(run, searchedFiles(run, discovery, left));
      return this.#finish(run, chosen, deploymentCount, isNothing);
    } finally {
      setup.progress.clear();
    }
  }

  /** Standard input takes the place of its file, which need not exist. */
  async #readStdin(): Promise<Discovery> {
    const path = resolve(this.#host.cwd, this.#args.stdinFilename ?? 'stdin.js');
    this.#setup.overlay.set(path, await this.#host.readStdin());
    await this.#setup.configs.forFolder(dirname(path));
    const kind = deploymentKindOf(path);
    const isScript = kind === undefined || SCRIPT_FILE.test(path);
    return {
      scripts: isScript ? [{ path, named: true, needsShebang: false }] : [],
      deployment: kind ? [{ path, kind }] : [],
      folders: new Set(),
    };
  }

  /** The files that this machine reports, and those that others report. */
  #share(files: readonly FoundFile[]): { own: readonly FoundFile[]; left: readonly FoundFile[] } {
    const { shard } = this.#args;
    if (!shard) return { own: files, left: [] };
    const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
    const isOwn = (_: FoundFile, i: number) => i % shard.count === shard.index - 1;
    return { own: sorted.filter(isOwn), left: sorted.filter((file, i) => !isOwn(file, i)) };
  }

  #list({ scripts, deployment }: Discovery): ExitCode {
    const paths = [...new Set([...scripts, ...deployment].map(({ path }) => relative(this.#host.cwd, path)))].sort();
    writeReport(safeText(paths.map((path) => `${visible(path)}\n`).join(''), false), this.#args.outputs[0]?.file, this.#host);
    const skipped = this.#setup.skipped.describe();
    if (skipped.length > 0) this.#setup.say(`skipped: ${skipped.join(', ')}`);
    return EXIT_OK;
  }

  async #finish(
    run: LintRun,
    { files, known, gone, unchanged, verdicts }: Chosen,
    deploymentCount: number,
    isNothing: boolean,
  ): Promise<ExitCode> {
    const args = this.#args;
    const host = this.#host;
    const sourceRoot = findRepositoryRoot(host.cwd) ?? host.cwd;
    const ids = new FindingIds(run, sourceRoot);
    const report: Report = {
      files,
      unread: run.unread,
      crashes: run.crashes,
      sources: run.sources,
      rules: this.#rules,
      cwd: host.cwd,
      sourceRoot,
      production: args.useEvidence ? productionOf(run, files, (message) => this.#setup.say(message)) : new Map(),
      order: args.order,
      now: host.date(),
      idOf: (finding) => ids.of(finding),
      version: host.version,
      scriptCount: run.scriptCount,
      deploymentCount,
      silenced: run.silenced,
      ...(args.baseline ? { known, gone } : {}),
      ...(args.since === undefined ? {} : { since: { ref: args.since, unchanged, verdicts } }),
      evidence: evidenceIn(files),
      skipped: this.#setup.skipped,
      nodeRanges: run.nodeRanges,
      fixes: { made: run.fixesMade, files: run.fixedFileCount, dryRun: args.dryRun, rejected: run.rejected },
      elapsedMs: host.now() - this.#started,
    };
    this.#setup.progress.clear();
    this.#tellProblems(report);
    if (isNothing) this.#tellNothing();
    // The other formats hold findings alone.
    const judged = evidenceSentence(report.evidence);
    if (!args.outputs.some(({ format }) => format === 'stylish') && judged !== '')
      this.#setup.say(`${judged}. To ignore evidence, use \`--no-evidence\`.`);
    if (args.requireEvidence) this.#tellUnverified(report);
    const shown = args.quiet ? errorsOnly(report) : report;
    const isFixedText = args.stdin && args.fix !== undefined && !args.dryRun;
    if (isFixedText) {
      const [path] = this.#setup.overlay.keys();
      host.stdout.write(this.#setup.overlay.get(path ?? '') ?? '');
    }
    for (const output of args.outputs) {
      const text = await this.#render(shown, output);
      if (isFixedText && output.file === undefined) host.stderr.write(text);
      else writeReport(text, output.file, host);
    }
    // With reports in files alone, the log of a build that fails would be empty.
    if (args.outputs.length > 1 && args.outputs.every(({ file }) => file !== undefined)) this.#setup.say(shortSummary(shown));
    // A mistyped folder must not pass a build.
    return isNothing && !args.passOnNoFiles ? EXIT_FAILED : exitCodeOf(report, args);
  }

  #tellNothing(): void {
    const { paths, stdin, passOnNoFiles } = this.#args;
    const where = stdin ? 'standard input' : paths.map((path) => (path === '.' ? 'the current folder' : `\`${visible(path)}\``)).join(', ');
    const remedy = passOnNoFiles ? '' : ' To exit with 0 instead of 2, use `--pass-on-no-files`.';
    this.#setup.say(`Nothing to lint: no JavaScript, TypeScript, or deployment files to check in ${where}.${remedy}`);
  }

  #tellUnverified(report: Report): void {
    const findings = unverified(report);
    if (findings.length === 0) return;
    this.#setup.say(
      `${count(findings.length, 'warning')} without evidence (--require-evidence). To collect it, run \`nodometer profile file.js:function\`.`,
    );
  }

  /** Files without a report and rules that crashed go to standard error in every format: the formats hold findings only. */
  #tellProblems({ unread, crashes, sources, cwd }: Report): void {
    // A machine reads them all; a person only learns that there are many. SARIF and the summary have the rest.
    const shown = this.#args.outputs.some(({ format }) => format === 'json') ? unread : unread.slice(0, SHOWN_UNREAD);
    for (const { file, issue } of shown) {
      const { line, column } = regionOf(sources.get(file), { start: issue.offset, end: issue.offset });
      this.#setup.say(
        issue.tookTooLong
          ? `${relative(cwd, file)}: not read: ${visible(issue.message)}`
          : `${relative(cwd, file)}:${line}:${column}: could not be parsed: ${visible(issue.message)}`,
      );
    }
    const more = unread.length - shown.length;
    if (more > 0) this.#setup.say(`${count(more, 'more file')} could not be parsed; use \`--format json\` to list all of them.`);
    for (const { ruleId, file, error } of crashes) {
      this.#setup.say(`Rule ${ruleId} crashed on ${relative(cwd, file) || '.'}: ${error.message}. Its findings for this file are missing.`);
    }
  }

  async #render(report: Report, { format, file }: Output): Promise<string> {
    const { color } = this.#args;
    const host = this.#host;
    switch (format) {
      case 'json':
        return safeJson((await import('../formats/json.ts')).formatJson(report));
      case 'sarif':
        return safeJson(
          (await import('../formats/sarif.ts')).formatSarif(report, {
            findRuleDoc: host.findRuleDoc,
            withSuppressed: this.#args.reportsSuppressed,
          }),
        );
      case 'github':
        return (await import('../formats/github.ts')).formatGithub(report);
      case 'gitlab':
        return safeJson((await import('../formats/gitlab.ts')).formatGitlab(report));
      case 'agent':
        return safeText((await import('../formats/agent.ts')).formatAgent(report), false);
      case 'junit':
        return (await import('../formats/junit.ts')).formatJunit(report);
      case 'markdown':
        return safeText((await import('../formats/markdown.ts')).formatMarkdown(report), false);
      case 'stylish': {
        const stream = file === undefined ? host.stdout : undefined;
        const { formatStylish } = await import('../formats/stylish.ts');
        const isColored = hasColors(host, stream, color);
        const text = formatStylish(report, {
          colors: pc.createColors(isColored),
          columns: stream?.isTTY ? stream.columns : undefined,
          unicode: hasUnicode(host),
        });
        return safeText(text, isColored);
      }
    }
  }
}

function withoutCallers(report: Report): Report {
  return { ...report, files: report.files.map((file) => ({ ...file, findings: file.findings.filter((one) => !one.isForCallers) })) };
}

/** Whether a finding in a file would have been found: it was read, or no longer counts although its folder was searched. */
function searchedFiles(run: LintRun, { scripts, deployment, folders }: Discovery, left: readonly FoundFile[]): (file: string) => boolean {
  const read = new Set([...scripts, ...deployment].map(({ path }) => path));
  const missed = new Set([...left.map(({ path }) => path), ...run.unread.map(({ file }) => file), ...run.crashes.map(({ file }) => file)]);
  return (file) => !missed.has(file) && (read.has(file) || folders.has(dirname(file)));
}

function shortSummary({ files }: Report): string {
  const { errors, warnings, hints } = tallyOf(files);
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}, ${count(hints, 'hint')}.`;
}

/** Errors and warnings that no run has judged, or whose code has changed since. */
function unverified({ files }: Report): Finding[] {
  return files.flatMap(({ findings }) =>
    findings.filter(({ severity, evidence }) => severity !== 'hint' && (evidence === undefined || evidence.stale)),
  );
}

function exitCodeOf(all: Report, { maxWarnings, exitZero, requireEvidence, exports }: LintArguments): ExitCode {
  if (all.crashes.length > 0) return EXIT_FAILED;
  // What only the format for agents adds must not fail a build.
  const report = exports === 'in-libraries' ? withoutCallers(all) : all;
  const { errors, warnings } = tallyOf(report.files);
  const failed = errors > 0 || (requireEvidence && unverified(report).length > 0) || (maxWarnings !== undefined && warnings > maxWarnings);
  return failed && !exitZero ? EXIT_FINDINGS : EXIT_OK;
}
