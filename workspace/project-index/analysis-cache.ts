// Analyses of earlier runs: found again by the text of the file and everything else that they were worked out from.
import { createHash } from 'node:crypto';
import type { FileAnalysis } from '../../analysis/run/run.ts';
import { SUMMARY_VERSION, type FileSummary } from '../../analysis/project/summary/format.ts';
import { hashOf } from '../hash.ts';
import type { FunctionAnswer } from '../../analysis/project/answers/function-answer.ts';
import { read, summaryOf, written, type AnalyzedText, type AnalysisTask } from './file-analysis.ts';
import { RecordCache } from './record-cache.ts';

/** By file and function: what the graph said where it was asked and knew something. */
export type Answers = Readonly<Record<string, Readonly<Record<number, FunctionAnswer>>>>;

/** No file has this name. */
const ANSWERS = '';

export interface AnalysisCacheRequest {
  /** Absolute path. */
  path: string;
  /** Of the program that analyses: its version and its build. */
  fingerprint: string;
  /** In ms since 1970. */
  now(): number;
  log(message: string): void;
}

export class AnalysisCache {
  readonly #records: RecordCache;
  readonly #keys = new WeakMap<object, string>();
  /** Files that were asked for: what nobody asks for any more is let go. */
  readonly #used = new Set<string>();

  constructor({ path, fingerprint, now, log }: AnalysisCacheRequest) {
    this.#records = new RecordCache({ path, key: `${fingerprint} ${SUMMARY_VERSION}`, now, log });
  }

  /** Files of which something is kept, about. */
  get size(): number {
    return this.#records.size;
  }

  /** `hash`: of the task. */
  find(file: string, hash: string): FileAnalysis | undefined {
    this.#used.add(file);
    const result = this.#records.result(file, hash);
    return result === undefined ? undefined : read(result);
  }

  /** The part of the graph, which is read only where the graph is needed. */
  summary(file: string, hash: string): FileSummary | undefined {
    const summary = this.#records.summary(file, hash);
    return summary === undefined ? undefined : summaryOf(summary);
  }

  /**
   * What the graph answered when the project was the same; undefined when it was another. `project`: hash of all that the graph is made of.
   */
  answers(project: string): Answers | undefined {
    const text = this.#records.result(ANSWERS, project);
    return text === undefined ? undefined : (JSON.parse(text) as Answers);
  }

  keepAnswers(project: string, answers: Answers): void {
    this.#records.set(ANSWERS, { hash: project, result: JSON.stringify(answers), summary: '' });
  }

  /** A rule that failed may not fail again: such an analysis is not kept. */
  keep(file: string, hash: string, analysis: FileAnalysis, text: AnalyzedText = written(analysis)): void {
    this.#used.add(file);
    if (analysis.crashes.length === 0) this.#records.set(file, { hash, ...text });
    else this.#records.delete(file);
  }

  /** Fixes were worked out since the file was kept. */
  repair(file: string, hash: string, analysis: FileAnalysis): void {
    if (this.#records.hashOf(file) === hash && analysis.crashes.length === 0)
      this.#records.setResult(file, written({ ...analysis, summary: undefined }).result);
  }

  /** `isWhole`: everything of the project was asked for, so that what was not is gone. */
  save(isWhole: boolean): void {
    if (isWhole) for (const file of [...this.#records.files()]) if (file !== ANSWERS && !this.#used.has(file)) this.#records.delete(file);
    this.#records.save();
  }

  /** Of everything that an analysis depends on, but whether fixes are worked out. */
  hashOf({ text, project, settings, profiles }: AnalysisTask): string {
    const hash = createHash('sha1')
      .update(this.#keyOf(project))
      .update(this.#keyOf(settings))
      .update(`${profiles ? JSON.stringify(profiles) : ''}\n`);
    return hash.update(text).digest('base64url');
  }

  /** Files of a folder share these objects. */
  #keyOf(value: object): string {
    let key = this.#keys.get(value);
    if (key === undefined) this.#keys.set(value, (key = `${hashOf(JSON.stringify(value))}\n`));
    return key;
  }
}
