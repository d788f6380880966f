// The findings that hold on request paths, by the function that they are in.
import type { Finding } from '../../protocol/finding.ts';
import type { LintRun } from '../lint-run.ts';

/** One of a run whose files are analyzed; to be made anew after a change. Files are concluded when they are first asked for. */
export class PathFindings {
  readonly #run: LintRun;
  readonly #files = new Map<string, ReadonlyMap<number, readonly Finding[]>>();

  constructor(run: LintRun) {
    this.#run = run;
  }

  /** `fn`: by its number in the file's summary. What comments silence is not among them. */
  of(file: string, fn: number): readonly Finding[] {
    let found = this.#files.get(file);
    if (!found) this.#files.set(file, (found = this.#inFile(file)));
    return found.get(fn) ?? [];
  }

  #inFile(file: string): ReadonlyMap<number, readonly Finding[]> {
    const found = new Map<number, Finding[]>();
    const proposals = this.#run.project.analysisOf(file)?.proposals ?? [];
    const text = proposals.length > 0 ? this.#run.textNow(file) : undefined;
    if (text === undefined) return found;
    const { findings } = this.#run.concluded(file, text);
    for (const { fn, finding: proposed } of proposals) {
      const { ruleId, span } = proposed;
      const finding = findings.find((one) => one.ruleId === ruleId && one.span.start === span.start && one.span.end === span.end);
      if (finding && fn.number !== undefined) found.set(fn.number, [...(found.get(fn.number) ?? []), finding]);
    }
    return found;
  }
}
