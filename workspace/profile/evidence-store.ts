// `.nodometer/evidence.json`: what profiles have shown, kept beside the code, in an order that makes for small diffs.
import { isRecord } from '../../protocol/unknown-values.ts';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { lock } from '../lock.ts';
import { MOST_BYTES, readTextFile } from '../../files/read-text-file.ts';
import { DIFFERENCE_UNITS, DIFFERENCES, type Difference, type ProfileReport, type Timing } from '../../protocol/evidence.ts';
import type { EvidenceFile, KeptFix, KeptProfile } from '../../protocol/kept-evidence.ts';
import type { EvidenceOf } from '../../analysis/run/evidence.ts';
import { count } from '../count.ts';
import { hashOf } from '../hash.ts';
import { replaceWhole, whyElsewhere } from './kept-file.ts';
import type { Claims } from './profile-claims.ts';
import type { ProgramFile } from './profile-files.ts';
import type { PreparedTarget } from './profile-target.ts';
import { linkStatsOf } from '../../files/path-stats.ts';

export const EVIDENCE_FILE = join('.nodometer', 'evidence.json');

interface Kept {
  profiles: readonly KeptProfile[];
  fixes: readonly KeptFix[];
}

const NOTHING: Kept = { profiles: [], fixes: [] };
/** Each function that was ever fixed would stay for ever: the oldest go. Our choice. */
const MOST_FIXES = 200;
/** Share of the profiles that stay when the file has become too large, so that this does not happen with each run. Our choice. */
const KEPT_WHERE_FULL = 0.9;

export interface MeasuredFix {
  /** Absolute. */
  file: string;
  functionName: string;
  /** The function's source with the fix or the change. */
  normalized: string;
  /** Of a fix. */
  ruleId?: string;
  /** Of a change: what it was compared with. */
  base?: string;
  node: string;
  /** ISO 8601 */
  date: string;
  difference: Difference;
}

export class EvidenceStore {
  readonly #root: string;
  readonly #warn: (message: string) => void;
  #kept: Kept | undefined;
  /** Somebody may mend it or want to look at it: conflict markers of a merge, a later version's file. */
  #isUnreadable = false;
  #isElsewhereSaid = false;
  #hasBegun = false;

  /** `root` is the project's folder. */
  constructor(root: string, warn: (message: string) => void) {
    this.#root = root;
    this.#warn = warn;
  }

  get path(): string {
    return join(this.#root, EVIDENCE_FILE);
  }

  /** Whether it wrote the first evidence of its project. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** What is kept for a file; undefined when there is nothing, so that nothing needs to be hashed. */
  forFile(file: string): EvidenceOf | undefined {
    const profiles = this.#read().profiles.filter((profile) => profile.file === this.#nameOf(file));
    return profiles.length === 0 ? undefined : { profiles, hash: hashOf };
  }

  /** The fixes and changes of a file that were measured. */
  fixesOf(file: string): readonly KeptFix[] {
    return this.#read().fixes.filter((fix) => fix.file === this.#nameOf(file));
  }

  /** Keeps what a fix or a change gains in place of an earlier measurement of the same function, rule, and base on the same Node. */
  keepFix({ file, functionName, normalized, ...fix }: MeasuredFix): void {
    const { difference, ...rest } = fix;
    const { verdict: result, per, first, second, low, high, confidence } = difference;
    const times = { before: rounded(first.median), after: rounded(second.median), low: rounded(low), high: rounded(high) };
    const entry: KeptFix = {
      file: this.#nameOf(file),
      function: functionName,
      hash: hashOf(normalized),
      ...rest,
      result,
      per,
      ...times,
      confidence,
    };
    const isSame = (one: KeptFix) =>
      one.file === entry.file &&
      one.function === entry.function &&
      one.ruleId === entry.ruleId &&
      one.base === entry.base &&
      one.node === entry.node;
    this.#update(({ profiles, fixes }) => ({
      profiles,
      fixes: [
        ...fixes
          .filter((one) => !isSame(one))
          .sort((a, b) => compare(b.date, a.date))
          .slice(0, MOST_FIXES - 1),
        entry,
      ],
    }));
  }

  /** Keeps a profile in place of an earlier one of the same function on the same Node. */
  keep(report: ProfileReport, prepared: PreparedTarget, budgetMs: number): void {
    const { target, timing } = report;
    const entry: KeptProfile = {
      // Handlers without a name are distinguished by their requests.
      ...this.#entryOf(report, target.file, target.functionName ?? target.calls.join('; '), budgetMs),
      hash: hashOf(prepared.normalized),
      ...(timing ? { timing: keptTiming(timing) } : {}),
      ...keptOf(report, prepared),
    };
    this.#update(({ profiles, fixes }) => ({ profiles: [...profiles.filter((one) => !isOfSameRun(one, entry)), entry], fixes }));
  }

  /** Keeps what the run of a whole program showed of a file, in place of an earlier run's. Nothing of a file of which it showed nothing. */
  keepProgram(report: ProfileReport, { file, text, claims }: ProgramFile, runMs: number): void {
    const entry: KeptProfile = {
      ...this.#entryOf(report, file, report.program?.command ?? '', runMs),
      hash: hashOf(text),
      ...keptOf(report, claims),
    };
    const hasShown = entry.verdicts.length > 0 || entry.seen !== undefined;
    if (!hasShown && !this.#read().profiles.some((one) => isOfSameRun(one, entry))) return;
    this.#update(({ profiles, fixes }) => ({
      profiles: [...profiles.filter((one) => !isOfSameRun(one, entry)), ...(hasShown ? [entry] : [])],
      fixes,
    }));
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

  /** Forgets everything. False when there was nothing; null when it lies elsewhere and stays. */
  clear(): boolean | null {
    const elsewhere = whyElsewhere(this.path, this.#root);
    if (elsewhere !== undefined) {
      this.#warn(`The evidence was not cleared: ${elsewhere}.`);
      return null;
    }
    this.#kept = NOTHING;
    if (!linkStatsOf(this.path)) return false;
    rmSync(this.path);
    return true;
  }

  #nameOf(file: string): string {
    return relative(this.#root, file).split(sep).join('/');
  }

  #read(): Kept {
    return (this.#kept ??= this.#load());
  }

  #load(): Kept {
    const reading = readTextFile(this.path, MOST_BYTES.evidence);
    this.#isUnreadable = !reading.ok && reading.problem !== 'missing';
    if (!reading.ok) {
      if (reading.problem !== 'missing') this.#warn(`${this.path} ${reading.why} and is ignored.`);
      return NOTHING;
    }
    try {
      const value: unknown = JSON.parse(reading.text);
      if (!isRecord(value) || value.version !== 1 || !Array.isArray(value.profiles)) {
        this.#isUnreadable = true;
        this.#warn(`${this.path} is not an evidence file of this version and is ignored.`);
        return NOTHING;
      }
      const profiles = value.profiles.filter(isProfile);
      if (profiles.length < value.profiles.length)
        this.#warn(`${this.path}: ${count(value.profiles.length - profiles.length, 'invalid entry', 'invalid entries')} ignored.`);
      const fixes = Array.isArray(value.fixes) ? value.fixes.filter(isFix) : [];
      return { profiles, fixes };
    } catch (error) {
      this.#isUnreadable = true;
      this.#warn(`${this.path} cannot be read (${(error as Error).message}) and is ignored.`);
      return NOTHING;
    }
  }

  /** Reads again what others have written meanwhile: two commands, or a command and the editor, may keep verdicts at the same time. */
  #update(change: (before: Kept) => Kept): void {
    const elsewhere = whyElsewhere(this.path, this.#root);
    if (elsewhere !== undefined) {
      // Once, and not for each file of a program.
      if (!this.#isElsewhereSaid) this.#warn(`The verdicts were not saved: ${elsewhere}.`);
      this.#isElsewhereSaid = true;
      return;
    }
    mkdirSync(dirname(this.path), { recursive: true });
    const unlock = lock(`${this.path}.lock`);
    try {
      const before = this.#load();
      if (this.#isUnreadable) this.#warn(`The verdicts were not saved, to keep ${this.path} as it is. To start again, delete it.`);
      else this.#write(change(before));
    } finally {
      unlock();
    }
  }

  /** In one step, so that nobody ever reads half of it. */
  #write({ profiles, fixes }: Kept): void {
    const inOrder = (a: KeptProfile | KeptFix, b: KeptProfile | KeptFix): number =>
      compare(a.file, b.file) || compare(a.function, b.function) || compare(a.node, b.node);
    let kept: Kept = { profiles: [...profiles].sort(inOrder), fixes: [...fixes].sort(inOrder) };
    let text = textOf(kept);
    // What is larger than what is read would be lost as a whole the next time.
    while (Buffer.byteLength(text) > MOST_BYTES.evidence && kept.profiles.length > 1) {
      const newest = [...kept.profiles]
        .sort((a, b) => compare(b.date, a.date))
        .slice(0, Math.floor(kept.profiles.length * KEPT_WHERE_FULL));
      this.#warn(
        `${this.path} is full: the ${count(kept.profiles.length - newest.length, 'oldest profile was', 'oldest profiles were')} removed.`,
      );
      kept = { ...kept, profiles: newest.sort(inOrder) };
      text = textOf(kept);
    }
    this.#hasBegun ||= !existsSync(this.path);
    replaceWhole(this.path, text);
    this.#kept = kept;
  }
}

function textOf({ profiles, fixes }: Kept): string {
  const content: EvidenceFile = { version: 1, profiles, ...(fixes.length > 0 ? { fixes } : {}) };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function isFix(value: unknown): value is KeptFix {
  return (
    isRecord(value) &&
    TEXTS.every((name) => typeof value[name] === 'string') &&
    (typeof value.ruleId === 'string') !== (typeof value.base === 'string') &&
    ['before', 'after', 'low', 'high', 'confidence'].every((name) => typeof value[name] === 'number') &&
    DIFFERENCES.some((kind) => kind === value.result) &&
    DIFFERENCE_UNITS.some((unit) => unit === value.per)
  );
}

function isOfSameRun(a: KeptProfile, b: KeptProfile): boolean {
  return a.file === b.file && a.function === b.function && a.node === b.node;
}

function keptOf({ verdicts, unpredicted }: ProfileReport, claims: Claims): Pick<KeptProfile, 'verdicts' | 'seen'> {
  const seen = claims.keptSeen(unpredicted?.findings ?? []);
  return { verdicts: claims.keptVerdicts(verdicts), ...(seen.length > 0 ? { seen } : {}) };
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

  /** Evidence files that were made, of projects that had none. */
  get begun(): string[] {
    return [...this.#stores.values()].filter(({ hasBegun }) => hasBegun).map(({ path }) => path);
  }

  forFile(file: string): EvidenceOf | undefined {
    return this.storeOf(file).forFile(file);
  }

  fixesOf(file: string): readonly KeptFix[] {
    return this.storeOf(file).fixesOf(file);
  }
}

function keptTiming({ median, halfWidth, p99 }: Timing): NonNullable<KeptProfile['timing']> {
  return {
    median: rounded(median),
    ...(halfWidth === undefined ? {} : { halfWidth: rounded(halfWidth) }),
    ...(p99 === undefined ? {} : { p99: rounded(p99) }),
  };
}
