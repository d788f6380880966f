// `.nodometer/evidence.json`: what profiles have shown, kept beside the code, in an order that makes for small diffs.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { ProfileReport, Timing } from '../../protocol/evidence.ts';
import type { EvidenceFile, KeptProfile } from '../../protocol/kept-evidence.ts';
import type { EvidenceOf } from '../../analysis/run/evidence.ts';
import { count } from '../count.ts';
import { hashOf } from '../hash.ts';
import { isRecord } from '../node-range.ts';
import type { ProgramFile } from './profile-files.ts';
import type { PreparedTarget } from './profile-target.ts';

export const EVIDENCE_FILE = join('.nodometer', 'evidence.json');

export class EvidenceStore {
  readonly #root: string;
  readonly #warn: (message: string) => void;
  #profiles: readonly KeptProfile[] | undefined;

  /** `root` is the project's folder. */
  constructor(root: string, warn: (message: string) => void) {
    this.#root = root;
    this.#warn = warn;
  }

  get path(): string {
    return join(this.#root, EVIDENCE_FILE);
  }

  /** What is kept for a file; undefined when there is nothing, so that nothing needs to be hashed. */
  forFile(file: string): EvidenceOf | undefined {
    const profiles = this.#read().filter((profile) => profile.file === this.#nameOf(file));
    return profiles.length === 0 ? undefined : { profiles, hash: hashOf };
  }

  /** Keeps a profile in place of an earlier one of the same function on the same Node. */
  keep(report: ProfileReport, prepared: PreparedTarget, budgetMs: number): void {
    const { target, timing } = report;
    const entry: KeptProfile = {
      // Handlers without a name are told apart by their requests.
      ...this.#entryOf(report, target.file, target.functionName ?? target.calls.join('; '), budgetMs),
      hash: hashOf(prepared.normalized),
      ...(timing ? { timing: keptTiming(timing) } : {}),
      verdicts: prepared.keptVerdicts(report.verdicts),
    };
    const others = this.#read().filter((one) => one.file !== entry.file || one.function !== entry.function || one.node !== entry.node);
    this.#write([...others, entry]);
  }

  /** Keeps what the run of a whole program showed of a file, in place of an earlier run's. Nothing of a file without a verdict. */
  keepProgram(report: ProfileReport, { file, text, claims }: ProgramFile, runMs: number): void {
    const entry: KeptProfile = {
      ...this.#entryOf(report, file, report.program?.command ?? '', runMs),
      hash: hashOf(text),
      verdicts: claims.keptVerdicts(report.verdicts),
    };
    const before = this.#read();
    const others = before.filter((one) => one.file !== entry.file || one.function !== entry.function || one.node !== entry.node);
    if (entry.verdicts.length > 0) this.#write([...others, entry]);
    else if (others.length < before.length) this.#write(others);
  }

  #entryOf(
    { machine, target, date }: ProfileReport,
    file: string,
    name: string,
    budgetMs: number,
  ): Omit<KeptProfile, 'hash' | 'verdicts'> & { hash: string } {
    return {
      file: this.#nameOf(file),
      function: name,
      hash: '',
      node: machine.node,
      v8: machine.v8,
      platform: machine.platform,
      cpu: machine.cpu,
      date,
      budgetMs,
      origin: target.origin,
      calls: target.calls,
    };
  }

  /** Forgets everything. False when there was nothing. */
  clear(): boolean {
    this.#profiles = [];
    if (!existsSync(this.path)) return false;
    rmSync(this.path);
    return true;
  }

  #nameOf(file: string): string {
    return relative(this.#root, file).split(sep).join('/');
  }

  #read(): readonly KeptProfile[] {
    return (this.#profiles ??= this.#load());
  }

  #load(): readonly KeptProfile[] {
    if (!existsSync(this.path)) return [];
    try {
      const value: unknown = JSON.parse(readFileSync(this.path, 'utf8'));
      if (!isRecord(value) || value.version !== 1 || !Array.isArray(value.profiles)) {
        this.#warn(`${this.path} is not an evidence file of this version and is ignored.`);
        return [];
      }
      const profiles = value.profiles.filter(isProfile);
      if (profiles.length < value.profiles.length)
        this.#warn(`${this.path}: ${count(value.profiles.length - profiles.length, 'invalid entry', 'invalid entries')} ignored.`);
      return profiles;
    } catch (error) {
      this.#warn(`${this.path} cannot be read (${(error as Error).message}) and is ignored.`);
      return [];
    }
  }

  /** In one step, so that nobody ever reads half of it. */
  #write(profiles: readonly KeptProfile[]): void {
    const sorted = [...profiles].sort((a, b) => compare(a.file, b.file) || compare(a.function, b.function) || compare(a.node, b.node));
    const content: EvidenceFile = { version: 1, profiles: sorted };
    mkdirSync(dirname(this.path), { recursive: true });
    const partial = `${this.path}.${process.pid}.tmp`;
    writeFileSync(partial, `${JSON.stringify(content, null, 2)}\n`);
    renameSync(partial, this.path);
    this.#profiles = sorted;
  }
}

const TEXTS = ['file', 'function', 'hash', 'node', 'date'] as const;

function isProfile(value: unknown): value is KeptProfile {
  if (!isRecord(value) || !TEXTS.every((name) => typeof value[name] === 'string') || !Array.isArray(value.verdicts)) return false;
  return value.verdicts.every(
    (one) => isRecord(one) && ['ruleId', 'messageId', 'code', 'hash', 'verdict', 'figure'].every((name) => typeof one[name] === 'string'),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Tenths of a nanosecond: more digits are noise and make for diffs. */
function rounded(ns: number): number {
  return Math.round(ns * 10) / 10;
}

/** The stores of many projects: each file's evidence lies in the folder of its package.json, or in its own folder without one. */
export class EvidenceStores {
  readonly #findRoot: (folder: string) => string | undefined;
  readonly #warn: (message: string) => void;
  readonly #stores = new Map<string, EvidenceStore>();

  constructor(findRoot: (folder: string) => string | undefined, warn: (message: string) => void) {
    this.#findRoot = findRoot;
    this.#warn = warn;
  }

  storeOf(file: string): EvidenceStore {
    const folder = dirname(file);
    const root = this.#findRoot(folder) ?? folder;
    let store = this.#stores.get(root);
    if (!store) this.#stores.set(root, (store = new EvidenceStore(root, this.#warn)));
    return store;
  }

  forFile(file: string): EvidenceOf | undefined {
    return this.storeOf(file).forFile(file);
  }
}

function keptTiming({ median, halfWidth, p99 }: Timing): NonNullable<KeptProfile['timing']> {
  return {
    median: rounded(median),
    ...(halfWidth === undefined ? {} : { halfWidth: rounded(halfWidth) }),
    ...(p99 === undefined ? {} : { p99: rounded(p99) }),
  };
}
