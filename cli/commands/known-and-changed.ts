// `--baseline` and `--since`: which findings of a run are reported, and what is said of the others.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding, Span } from '../../protocol/finding.ts';
import { findBaseline, folderOfBaseline, readBaseline, writeBaseline, type KnownEntry } from '../../workspace/baseline/baseline-file.ts';
import { changesSince, type GitChanges } from '../../workspace/baseline/git-changes.ts';
import type { ChangedVerdict } from '../../workspace/baseline/changed-verdicts.ts';
import { matchKnown, placeFindings } from '../../workspace/baseline/known-findings.ts';
import { isNewToGit } from '../../workspace/profile/evidence-in-git.ts';
import { findRepositoryRoot } from '../../workspace/discovery/git-ignore.ts';
import { count } from '../../workspace/count.ts';
import { CommandError } from '../../workspace/errors.ts';
import type { FileReport, LintRun } from '../../workspace/lint-run.ts';
import { visible } from '../formats/display-text.ts';
import type { Host } from '../host.ts';
import type { KnownFinding } from '../report.ts';
import type { LintArguments } from './lint-arguments.ts';
import { insideOf } from '../../files/inside.ts';

/** Entries that are gone and named one by one. */
const SHOWN_GONE = 10;

export interface Chosen {
  /** What is reported. */
  files: readonly FileReport[];
  known: readonly KnownFinding[];
  /** What the baseline knows and the code no longer has. */
  gone: readonly KnownEntry[];
  /** Findings that nothing of the change touches. */
  unchanged: number;
  /** By `--since`. */
  verdicts: readonly ChangedVerdict[];
}

interface Baseline {
  path: string;
  folder: string;
  /** Undefined where there is no file yet. */
  entries: readonly KnownEntry[] | undefined;
}

export class KnownAndChanged {
  readonly #args: LintArguments;
  readonly #host: Host;
  readonly #say: (message: string) => void;
  readonly #baseline: Baseline | undefined;
  #changes: GitChanges | undefined;
  #gone: readonly KnownEntry[] = [];

  /** A baseline that cannot be used ends the command before it has worked for minutes. */
  constructor(args: LintArguments, host: Host, say: (message: string) => void) {
    this.#args = args;
    this.#host = host;
    this.#say = say;
    if (!args.baseline) return;
    const path = findBaseline(host.cwd, args.baseline.file);
    const entries = readBaseline(path);
    if (!entries && !args.baseline.update)
      throw new CommandError(
        `There is no baseline ${this.#shown(path)}. To accept all findings of today, run \`nodometer lint --update-baseline\`.`,
      );
    this.#baseline = { path, folder: folderOfBaseline(path), entries };
  }

  async prepare(): Promise<void> {
    const { since } = this.#args;
    if (since !== undefined) this.#changes = await changesSince(this.#host.cwd, since, this.#host.signal);
  }

  /** `wasSearched`: whether the run would have found what is in a file. */
  choose(run: LintRun, wasSearched: (file: string) => boolean): Chosen {
    const known = this.#baseline ? this.#applyBaseline(this.#baseline, run, wasSearched) : new Map<Finding, KnownEntry>();
    let unchanged = 0;
    const files: FileReport[] = [];
    for (const { file, findings } of run.files) {
      const unknown = findings.filter((finding) => !known.has(finding));
      const kept = unknown.filter((finding) => this.#isChanged(finding, run));
      unchanged += unknown.length - kept.length;
      if (kept.length > 0) files.push({ file, findings: kept });
    }
    return {
      files,
      known: [...known].map(([finding, { date, reason }]) => ({ finding, date, reason })),
      gone: this.#gone,
      unchanged,
      verdicts: this.#changes?.verdicts ?? [],
    };
  }

  #applyBaseline(baseline: Baseline, run: LintRun, wasSearched: (file: string) => boolean): ReadonlyMap<Finding, KnownEntry> {
    const { folder, entries = [] } = baseline;
    const { severities, baseline: { update = false, prune = false, reason } = {} } = this.#args;
    const isLookedFor = ({ file, rule }: KnownEntry): boolean => {
      const path = join(folder, ...file.split('/'));
      return severities.get(rule) !== 'off' && (wasSearched(path) || !existsSync(path));
    };
    const placed = run.files.flatMap(({ file, findings }) => placeFindings(findings, run.sources.get(file)?.text ?? '', folder));
    const { known, unmatched } = matchKnown(placed, entries, isLookedFor);
    const gone = unmatched.filter(isLookedFor);
    this.#gone = gone.map((entry) => ({ ...entry, file: join(folder, ...entry.file.split('/')) }));
    const kept = unmatched.filter((entry) => !gone.includes(entry));
    if (update) {
      const today = new Date(this.#host.date()).toISOString().slice(0, 'yyyy-mm-dd'.length);
      const all = new Map(
        placed.map(({ finding, entry }): [Finding, KnownEntry] => {
          const before = known.get(finding);
          const why = before ? before.reason : reason;
          return [finding, { ...entry, date: before?.date ?? today, ...(why === undefined ? {} : { reason: why }) }];
        }),
      );
      this.#write(baseline, [...all.values(), ...kept], all.size - known.size, gone.length);
      return all;
    }
    if (prune && gone.length > 0) this.#write(baseline, [...known.values(), ...kept], 0, gone.length);
    else this.#tellGone(baseline, gone);
    return known;
  }

  #write({ path, entries }: Baseline, now: readonly KnownEntry[], added: number, removed: number): void {
    writeBaseline(path, entries, now);
    this.#say(`${this.#shown(path)} has ${count(now.length, 'finding')} now: ${added} added, ${removed} removed.`);
    if (entries === undefined && findRepositoryRoot(dirname(path)) !== undefined && !isNewToGit(path, this.#host.platform))
      this.#say(`Git ignores ${this.#shown(path)}. To share it with your team, add it with \`git add --force\`.`);
  }

  #tellGone({ path }: Baseline, gone: readonly KnownEntry[]): void {
    if (gone.length === 0) return;
    const lines = gone
      .slice(0, SHOWN_GONE)
      .map(({ file, rule, function: fn, code }) => `\n  ${visible(`${file}${fn === undefined ? '' : `, ${fn}()`}: ${code} (${rule})`)}`);
    const more = gone.length > SHOWN_GONE ? `\n  and ${gone.length - SHOWN_GONE} more` : '';
    this.#say(
      `${count(gone.length, 'finding')} of ${this.#shown(path)} ${gone.length === 1 ? 'is' : 'are'} gone. To remove ${gone.length === 1 ? 'it' : 'them'} from the baseline, use \`--prune-baseline\`.${lines.join('')}${more}`,
    );
  }

  /** Whether the change touches the place, or a step of the way that leads there. */
  #isChanged({ file, span, related }: Finding, run: LintRun): boolean {
    const changes = this.#changes;
    if (!changes) return true;
    const touches = (path: string, place: Span): boolean => {
      const source = run.sources.get(path);
      if (!source) return changes.touches(path, 1, 1);
      return changes.touches(path, source.positionAt(place.start).line, source.positionAt(Math.max(place.start, place.end - 1)).line);
    };
    return touches(file, span) || related.some((place) => touches(place.file ?? file, place.span));
  }

  #shown(path: string): string {
    return insideOf(this.#host.cwd, path)?.replaceAll('\\', '/') ?? path;
  }
}
