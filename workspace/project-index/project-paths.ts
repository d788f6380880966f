// What the whole project knows of its functions, for those who look at single files of it.
import type { FoundCall } from '../../analysis/profile/calls.ts';
import type { FunctionQuery } from '../../analysis/profile/functions.ts';
import { answerAt, type FunctionLookup } from '../../analysis/project/answers/function-answer.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import type { ConfigFinder } from '../config/config-finder.ts';
import { discover, type Discovery } from '../discovery/discover.ts';
import { LintRun } from '../lint-run.ts';
import type { ProjectFinder } from '../project.ts';
import type { SettingsResolver } from '../config/rule-settings.ts';
import { gitIgnoreOptions } from '../discovery/git-ignore.ts';
import { Skipped } from '../discovery/skipped.ts';
import { Turns } from '../turns.ts';
import { openAnalysis, type AnalysisPlace } from './analysis-place.ts';
import { projectCalls } from './project-calls.ts';
import { findProjectRoot } from './project-root.ts';

export interface ProjectPathsRequest {
  rules: readonly AnyRule[];
  configs: ConfigFinder;
  settings: SettingsResolver;
  projects: ProjectFinder;
  platform: string;
  /** In ms; of any beginning. */
  now(): number;
  signal: AbortSignal;
  /** Without it all is worked out anew, on this thread. */
  analysis?: AnalysisPlace;
}

/** Reads each project once. */
export class ProjectPaths {
  readonly #request: ProjectPathsRequest;
  readonly #runs = new Map<string, Promise<LintRun>>();
  readonly #discoveries = new Map<string, Promise<Discovery>>();

  constructor(request: ProjectPathsRequest) {
    this.#request = request;
  }

  /**
   * By where the functions start. Undefined where the file belongs to no project, or is left out of it: it is taken for itself then.
   * `file`: absolute path.
   */
  async lookupFor(file: string): Promise<FunctionLookup | undefined> {
    const root = findProjectRoot(file);
    if (root === undefined) return undefined;
    const { project } = await this.#runOf(root);
    if (!project.analysisOf(file)) return undefined;
    const answers = new Map(project.graph.answersIn(file).map(({ start, answer }) => [start, answer]));
    return (_, { start }) => answerAt(answers, start);
  }

  /** How the project calls a function of the file; undefined where the project does not know it. */
  async callsOf(file: string, query: FunctionQuery): Promise<readonly FoundCall[] | undefined> {
    const root = findProjectRoot(file);
    if (root === undefined) return undefined;
    const run = await this.#runOf(root);
    // The next profile need not read the tests again.
    if (await run.project.complete()) run.project.save(false);
    return run.project.analysisOf(file) && projectCalls(run, file, query);
  }

  /** The whole project, if its files are found to be worth reading. @param root absolute */
  async runIn(root: string, isWorthReading: (files: readonly string[]) => boolean): Promise<LintRun | undefined> {
    const { scripts } = await this.#discover(root);
    return isWorthReading(scripts.map(({ path }) => path)) ? this.#runOf(root) : undefined;
  }

  #runOf(root: string): Promise<LintRun> {
    let read = this.#runs.get(root);
    if (!read) this.#runs.set(root, (read = this.#read(root)));
    return read;
  }

  #discover(root: string): Promise<Discovery> {
    let found = this.#discoveries.get(root);
    if (!found) {
      const { configs, platform, now, signal } = this.#request;
      const silent = () => undefined;
      found = discover({
        paths: [root],
        cwd: root,
        useIgnoreFiles: true,
        configs,
        turns: new Turns({ now, signal }),
        skipped: new Skipped(),
        warn: silent,
        note: silent,
        git: gitIgnoreOptions(platform, silent),
      });
      this.#discoveries.set(root, found);
    }
    return found;
  }

  /** Those who lint tell of everything that is wrong with the files. */
  async #read(root: string): Promise<LintRun> {
    const { rules, configs, settings, projects, now, signal, analysis } = this.#request;
    const silent = () => undefined;
    const { scripts } = await this.#discover(root);
    const run = new LintRun({
      rules,
      configs,
      settings,
      projects,
      turns: new Turns({ now, signal }),
      skipped: new Skipped(),
      repairs: false,
      onlyFindings: true,
      dryRun: false,
      cwd: root,
      warn: silent,
      note: silent,
      progress: silent,
      overlay: new Map(),
      // What a lint run has kept is used; nothing is kept of this one but what lint runs leave out.
      threads: analysis && openAnalysis(analysis, root, () => Date.now()),
      loadFixCheck: () => Promise.reject(new Error('nothing is fixed here')),
    });
    await run.analyze(scripts);
    return run;
  }
}
