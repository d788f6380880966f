// Short names of findings: for a person or a program that asks for one of them in the next command.
import type { Finding } from '../../protocol/finding.ts';
import { hashOf } from '../hash.ts';
import type { LintRun } from '../lint-run.ts';
import { placeFindings } from './known-findings.ts';

/** 48 bits in hexadecimal tell the findings of any project apart. */
const ID_LENGTH = 12;

export interface FindingId {
  /** The same as long as the code of the place, its function, and its file are called the same. Lines do not count. */
  id: string;
  /** Whether a function can be run to judge it. Undefined where the syntax is not known. */
  isInFunction: boolean | undefined;
}

export class FindingIds {
  readonly #run: Pick<LintRun, 'files' | 'sources'>;
  readonly #folder: string;
  readonly #known = new Map<Finding, FindingId>();
  readonly #done = new Set<string>();

  /** @param folder that the names of files in IDs start from */
  constructor(run: Pick<LintRun, 'files' | 'sources'>, folder: string) {
    this.#run = run;
    this.#folder = folder;
  }

  of(finding: Finding): FindingId {
    if (!this.#done.has(finding.file)) this.#read(finding.file);
    const known = this.#known.get(finding);
    if (!known) throw new Error(`A finding of another run has no ID: ${finding.ruleId} in ${finding.file}`);
    return known;
  }

  /** All of a file at once: of several findings with the same code, their order tells which is which. */
  #read(file: string): void {
    this.#done.add(file);
    const findings = this.#run.files.find((one) => one.file === file)?.findings ?? [];
    const seen = new Map<string, number>();
    for (const { finding, entry, isInFunction } of placeFindings(findings, this.#run.sources.get(file)?.text ?? '', this.#folder)) {
      const key = JSON.stringify([entry.file, entry.rule, finding.messageId, entry.function, entry.print]);
      const before = seen.get(key) ?? 0;
      seen.set(key, before + 1);
      this.#known.set(finding, { id: hashOf(`${key}${before === 0 ? '' : before}`).slice(0, ID_LENGTH), isInFunction });
    }
  }
}
