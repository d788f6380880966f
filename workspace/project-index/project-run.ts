// All files of one run: each is analyzed, or taken from the cache; the graph of all of them decides what is found.
import { stackOf } from '../../protocol/unknown-values.ts';
import { createHash } from 'node:crypto';
import { OTHER_FUNCTIONS, placesOf, type FunctionAnswer, type FunctionLookup } from '../../analysis/project/answers/function-answer.ts';
import { ProjectGraph } from '../../analysis/project/graph.ts';
import type { ProjectLayout } from '../../analysis/project/files/layout.ts';
import { FUNCTION_STRIDE, type FileSummary } from '../../analysis/project/summary/format.ts';
import { conclude, type FileAnalysis, type LintRequest, type LintResult } from '../../analysis/run/run.ts';
import { functionsAsked } from '../../analysis/run/proposal.ts';
import { readProjectLayout } from './project-layout.ts';
import type { AnalysisCache, Answers } from './analysis-cache.ts';
import { analyzeAll, startHelpers, stopAll, type AnalyzeRequest, type HelperThread } from './analysis-threads.ts';
import { likelyParticipants } from './likely-participants.ts';
import { withoutFixes } from '../fix.ts';
import { GraphLimit, GraphTookTooLong } from './graph-limit.ts';
import { SlowFiles } from './slow-files.ts';
import { Interrupted } from '../errors.ts';
import { TookTooLong, withinTimeUnlessStopped } from '../time-limit.ts';
import { analyzeFile, repaired, taskOf, type AnalysisTask } from './file-analysis.ts';

export interface ProjectRunRequest extends Omit<AnalyzeRequest, 'progress' | 'isWritten'> {
  cache?: AnalysisCache;
  /** Whether only the findings count: of files that take no part, as most tests, no more is worked out then. */
  onlyFindings?: boolean;
  /** Called once when paths across files could not be worked out. */
  warn(message: string): void;
}

/** Files to be analyzed; to guess which of them an outline is enough for, all texts are looked through. */
const LEAST_FOR_OUTLINES = 60;

/** `hash`: of the task; undefined without a cache. */
interface FileTask {
  task: AnalysisTask;
  hash: string | undefined;
}

interface Known {
  analysis: FileAnalysis;
  /** Of the task; undefined without a cache. */
  hash?: string;
}

export class ProjectRun {
  readonly #request: ProjectRunRequest;
  readonly #slow = new SlowFiles();
  readonly #limit = new GraphLimit();
  readonly #files = new Map<string, Known>();
  readonly #answers = new Map<string, Map<number, FunctionAnswer>>();
  #layout: ProjectLayout | undefined;
  #graph: ProjectGraph | undefined;
  #project: string | undefined;
  #saved: Answers | undefined;
  #hasFailed = false;
  readonly #alone = new Map<string, ProjectGraph>();
  #helpers: readonly HelperThread[] | undefined;
  /** Files that an outline was enough for. */
  #outlined = new Map<string, FileTask>();

  constructor(request: ProjectRunRequest) {
    this.#request = request;
  }

  /** So many files are about to come: threads that they will need load while they are read. */
  expect(files: number): void {
    this.#helpers ??= startHelpers(files - (this.#request.cache?.size ?? 0), this.#request);
  }

  /** Nothing will come. */
  async dismiss(): Promise<void> {
    await Promise.all((this.#helpers ?? []).map((helper) => helper.stop()));
    this.#helpers = undefined;
  }

  /** To be called once, with everything that takes part. */
  async analyze(requests: readonly LintRequest[], progress: (done: number) => void): Promise<void> {
    const { cache, onlyFindings = false } = this.#request;
    const tasks = requests.map((request): AnalysisTask => ({ ...taskOf(request), repairs: false }));
    const hashes = cache ? tasks.map((task) => cache.hashOf(task)) : [];
    const missing: number[] = [];
    for (const [i, { file }] of tasks.entries()) {
      const hash = hashes[i];
      const analysis = hash === undefined ? undefined : cache?.find(file, hash);
      if (analysis && (onlyFindings || !analysis.isOutlined)) this.#files.set(file, { analysis, hash });
      else missing.push(i);
    }
    const known = tasks.length - missing.length;
    const helpers = this.#helpers ?? startHelpers(missing.length, this.#request);
    this.#helpers = undefined;
    this.#layout = readProjectLayout(tasks.map(({ file }) => file));
    // Where little is to be done there is little to be saved.
    const outlines = onlyFindings && missing.length >= LEAST_FOR_OUTLINES;
    const likely = outlines ? likelyParticipants(tasks, this.#layout) : new Set<string>();
    try {
      await this.#work(
        missing.flatMap((i): FileTask[] =>
          tasks[i]
            ? [{ task: { ...tasks[i], mode: outlines && !likely.has(tasks[i].file) ? 'outline' : 'summary' }, hash: hashes[i] }]
            : [],
        ),
        helpers,
        (done) => progress(known + done),
      );
      if (cache && tasks.length > 0) {
        this.#project = projectHash(
          tasks.map(({ file }, i) => `${file} ${hashes[i]}`),
          this.#layout,
        );
        this.#saved = cache.answers(this.#project);
      }
      this.#outlined = new Map(
        tasks.flatMap((task, i) =>
          this.#files.get(task.file)?.analysis.isOutlined ? [[task.file, { task, hash: hashes[i] }] as const] : [],
        ),
      );
      // A file that takes no part by itself does so where others import it. What it imports is known only after that.
      for (let wanting = this.#wanting(); wanting.length > 0; wanting = this.#wanting()) await this.#fillIn(wanting, helpers);
    } finally {
      stopAll(helpers);
    }
  }

  /** Works out what `onlyFindings` has left out, for those who ask for more. Whether there was any. */
  async complete(): Promise<boolean> {
    const files = [...this.#outlined.keys()];
    if (files.length === 0) return false;
    const helpers = startHelpers(files.length, this.#request);
    try {
      await this.#fillIn(files, helpers);
    } finally {
      stopAll(helpers);
    }
    return true;
  }

  async #fillIn(files: readonly string[], helpers: readonly HelperThread[]): Promise<void> {
    await this.#work(
      files.flatMap((file) => this.#outlined.get(file) ?? []),
      helpers,
      () => undefined,
    );
    for (const file of files) {
      this.#outlined.delete(file);
      if (!this.#graph) continue;
      const summary = this.#summaryOf(file);
      if (summary) this.#graph.set(summary);
      else this.#graph.delete(file);
    }
  }

  async #work(tasks: readonly FileTask[], helpers: readonly HelperThread[], progress: (done: number) => void): Promise<void> {
    const { cache } = this.#request;
    const analyzed = await analyzeAll(
      tasks.map(({ task }) => task),
      { slow: this.#slow, ...this.#request, isWritten: cache !== undefined, progress },
      helpers,
    );
    for (const [i, { analysis, text }] of analyzed.entries()) {
      const hash = tasks[i]?.hash;
      this.#files.set(analysis.file, { analysis, hash });
      // Another machine, or this one when it is less busy, may be through with it.
      if (hash !== undefined && !analysis.issue?.tookTooLong) cache?.keep(analysis.file, hash, analysis, text);
    }
  }

  #wanting(): readonly string[] {
    if (this.#saved || this.#outlined.size === 0) return [];
    try {
      return this.graph.wanting();
    } catch (error) {
      this.#fail(error);
      return [];
    }
  }

  /** What is known of a file; undefined where it was not among those that were analyzed. */
  analysisOf(file: string): FileAnalysis | undefined {
    return this.#files.get(file)?.analysis;
  }

  /** Whether something may be found in a file. */
  hasFindings(file: string): boolean {
    const { findings, proposals } = this.#files.get(file)?.analysis ?? { findings: [], proposals: [] };
    return findings.length + proposals.length > 0;
  }

  /** The graph of all files, which is made when it is first asked for. */
  get graph(): ProjectGraph {
    if (!this.#graph) {
      this.#graph = new ProjectGraph(this.#layout, (work) => this.#limit.run(work, this.#files.size));
      for (const file of this.#files.keys()) {
        const summary = this.#summaryOf(file);
        if (summary) this.#graph.set(summary);
      }
    }
    return this.#graph;
  }

  /** Whether there is no graph of all files to ask. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The findings of a file with the text that was analyzed. */
  conclude(request: LintRequest): LintResult {
    const known = this.#files.get(request.file);
    if (!known) return this.lint(request);
    const result = conclude(known.analysis, request, this.#lookup);
    if ((request.repairs ?? true) === false) return result;
    const { repaired: done = [] } = known.analysis;
    const missing = new Set(result.findings.map(({ ruleId }) => ruleId).filter((ruleId) => !done.includes(ruleId)));
    if (missing.size === 0) return result;
    const analysis = this.#slow.limited(request.text, (limit) =>
      repaired(known.analysis, request, missing, limit, withinTimeUnlessStopped),
    );
    // The findings are known, whatever their fixes take. A later run tries again: this machine may have been busy.
    if (!analysis)
      return { ...result, findings: result.findings.map((finding) => (missing.has(finding.ruleId) ? withoutFixes(finding) : finding)) };
    known.analysis = analysis;
    // So that the next run, which most often finds the same, need not read the file again.
    if (known.hash !== undefined) this.#request.cache?.repair(request.file, known.hash, known.analysis);
    return conclude(known.analysis, request, this.#lookup);
  }

  /**
   * What would be said of a file with another text, all others as they are. As long as its functions are the same ones, their paths are
   * taken to be.
   */
  lint(request: LintRequest): LintResult {
    const analysis = this.#slow.limited(request.text, (limit) => analyzeFile(request, limit, withinTimeUnlessStopped));
    const before = this.graph.functionCount(request.file);
    if (before === (analysis.summary?.functions.length ?? 0) / FUNCTION_STRIDE) return conclude(analysis, request, this.#lookup);
    const graph = graphOf(analysis.summary, this.#slow);
    return conclude(analysis, request, graph.lookup);
  }

  /** Other work on a text, with what slow files may take together. Undefined where it was ended. */
  inTime<T>(text: string, work: () => T): T | undefined {
    try {
      return this.#slow.limited(text, (limit) => withinTimeUnlessStopped(work, limit));
    } catch (error) {
      if (error instanceof TookTooLong) return undefined;
      throw error;
    }
  }

  /** A file has another text from now on. Whether others may be reached in another way. */
  change(request: LintRequest): boolean {
    const graph = this.graph;
    const analysis = analyzeFile(request);
    const before = this.#files.get(request.file)?.analysis;
    // Text that cannot be read is half typed: it goes on being what it was.
    if (analysis.issue && before) {
      this.#files.set(request.file, { analysis });
      return false;
    }
    this.#files.set(request.file, { analysis });
    this.#forget();
    if (analysis.summary) return graph.set(analysis.summary);
    graph.delete(request.file);
    return true;
  }

  /** The file is no more. Whether it took part. */
  remove(file: string): boolean {
    const graph = this.graph;
    if (!this.#files.delete(file)) return false;
    graph.delete(file);
    this.#forget();
    return true;
  }

  /** Files came or went, or what says how they are found did. */
  layOut(): void {
    this.#layout = readProjectLayout(this.#files.keys());
    this.graph.setLayout(this.#layout);
    this.#forget();
  }

  files(): IterableIterator<string> {
    return this.#files.keys();
  }

  /** Files that say something where a request leads to them. */
  *proposing(): IterableIterator<string> {
    for (const [file, { analysis }] of this.#files) if (analysis.proposals.length > 0) yield file;
  }

  /** What is known of the functions of a file. */
  answersIn(file: string): ReturnType<ProjectGraph['answersIn']> {
    if (!this.#hasFailed) {
      try {
        return this.graph.answersIn(file);
      } catch (error) {
        this.#fail(error);
      }
    }
    try {
      return (this.#alone.get(file) ?? graphOf(this.#summaryOf(file), this.#slow)).answersIn(file);
    } catch (error) {
      this.#request.log(stackOf(error));
      return [];
    }
  }

  /** What decides what is found in a file, as long as it is not changed itself. */
  answersTo(file: string): readonly (FunctionAnswer | undefined)[] {
    return (this.#files.get(file)?.analysis.proposals ?? []).flatMap(functionsAsked).map((fn) => this.#lookup(file, fn));
  }

  /** Whether what is said of a file leads through another. */
  leadsThrough(file: string, other: string): boolean {
    const proposals = this.#files.get(file)?.analysis.proposals ?? [];
    return proposals.flatMap(functionsAsked).some((fn) => {
      const answer = this.#lookup(file, fn);
      return answer !== undefined && placesOf(answer).some((place) => place.file === other);
    });
  }

  #forget(): void {
    this.#project = undefined;
    this.#saved = undefined;
    this.#alone.clear();
  }

  /** Keeps what was worked out for the next run. `isWhole`: nothing but these files belongs to the project. */
  save(isWhole: boolean): void {
    const { cache } = this.#request;
    if (!cache) return;
    // The next run may report other files of the same project.
    if (this.#project !== undefined && !this.#saved)
      for (const { analysis } of this.#files.values())
        for (const fn of analysis.proposals.flatMap(functionsAsked)) this.#lookup(analysis.file, fn);
    if (this.#project !== undefined && !this.#saved)
      cache.keepAnswers(
        this.#project,
        Object.fromEntries([...this.#answers].map(([file, answers]) => [file, Object.fromEntries(answers)])),
      );
    cache.save(isWhole);
  }

  /** A mistake of ours in the graph must not lose what is known without it: then each file stands for itself. */
  #answerOf(file: string, fn: number): FunctionAnswer | undefined {
    if (!this.#hasFailed) {
      try {
        return this.graph.answerOf(file, fn);
      } catch (error) {
        this.#fail(error);
      }
    }
    let alone = this.#alone.get(file);
    if (!alone) this.#alone.set(file, (alone = graphOf(this.#summaryOf(file), this.#slow)));
    try {
      return alone.answerOf(file, fn);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      if (!(error instanceof TookTooLong)) this.#request.log(stackOf(error));
      return undefined;
    }
  }

  #fail(error: unknown): void {
    if (error instanceof Interrupted) throw error;
    this.#hasFailed = true;
    this.#forget();
    if (error instanceof GraphTookTooLong) {
      this.#request.warn(`${error.message} Each file is analyzed in isolation.`);
      return;
    }
    this.#request.warn(
      'The call graph across files could not be built, so each file is analyzed in isolation. This is a bug in Nodometer; please report it.',
    );
    this.#request.log(stackOf(error));
  }

  #summaryOf(file: string): FileSummary | undefined {
    const known = this.#files.get(file);
    return known && (known.analysis.summary ?? (known.hash === undefined ? undefined : this.#request.cache?.summary(file, known.hash)));
  }

  readonly #lookup: FunctionLookup = (file, { number: fn = OTHER_FUNCTIONS }) => {
    if (this.#saved) return this.#saved[file]?.[fn];
    const answer = this.#answerOf(file, fn);
    if (answer && !this.#hasFailed) {
      let answers = this.#answers.get(file);
      if (!answers) this.#answers.set(file, (answers = new Map()));
      answers.set(fn, answer);
    }
    return answer;
  };
}

/** A graph of one file, which is limited as the file is. */
function graphOf(summary: FileSummary | undefined, slow: SlowFiles): ProjectGraph {
  const graph = new ProjectGraph(undefined, (work) => slow.limited('', (limit) => withinTimeUnlessStopped(work, limit)));
  if (summary) graph.set(summary);
  return graph;
}

function projectHash(files: readonly string[], layout: ProjectLayout): string {
  const hash = createHash('sha1');
  for (const file of [...files].sort()) hash.update(`${file}\n`);
  return hash.update(JSON.stringify(layout)).digest('base64url');
}
