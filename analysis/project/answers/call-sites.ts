// The callers of a function, for fixes that must change all of them: every call site, and what each may run.
import type { Resolver } from '../files/layout.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import { ImportOperand, lengthAt } from '../summary/operations.ts';
import type { RootUse } from '../routes/request-reach.ts';
import {
  FUNCTION_STRIDE,
  FunctionField,
  FunctionFlag,
  Op,
  SITE_STRIDE,
  SiteField,
  SiteFlag,
  siteSpan,
  type FileSummary,
} from '../summary/format.ts';

export interface CallSite {
  /** Absolute path. */
  file: string;
  /** Start of the call expression, and end of its callee. */
  start: number;
  end: number;
}

/** What a call may run. */
export interface CallTargets {
  /** Whether the queried function is among them. */
  isOwn: boolean;
  /** Whether it runs other functions of the project, or something outside the project. */
  isOther: boolean;
  /** Whether other functions of the project are among them. */
  isProject: boolean;
}

/** A function of a file, identified by its start offset. */
export interface FunctionPlace {
  file: string;
  start: number;
}

/** What fixes need to know. `CallSites` answers for a solved project. */
export interface CallerLookup {
  /** Every call that may run it, under any name. Calls made by packages that it was passed to are not included. */
  callsOf(fn: FunctionPlace): readonly CallSite[];
  /** What one call may run; undefined for calls in files that do not participate, such as tests. */
  targetsAt(file: string, start: number, end: number, fn: FunctionPlace): CallTargets | undefined;
  /** The functions of the project that one call runs; undefined if it may run others, or if that is unknown. */
  functionsAt(file: string, start: number, end: number): readonly FunctionPlace[] | undefined;
  /** Files that mention a name: as a property, an import or an export. */
  filesMentioning(name: string): readonly string[];
  /** The file of the project that a specifier means. */
  resolve(from: string, specifier: string): string | undefined;
  /** Files that import the file. */
  importersOf(file: string): readonly string[];
  /** The functions passed by the registration that starts at `start`. `isOwn` refers to the queried function. */
  registeredAt(file: string, start: number, fn: FunctionPlace): CallTargets;
}

export class CallSites implements CallerLookup {
  readonly #summaries: readonly FileSummary[];
  readonly #linked: LinkedProject;
  readonly #roots: readonly RootUse[];
  readonly #resolver: Resolver;
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #functions = new Map<string, number>();
  /** By site: its last call. By call: the previous one at its site. -1 for none. */
  readonly #lastCall: Int32Array;
  readonly #callBefore: Int32Array;
  #importers: Map<string, string[]> | undefined;

  /** `summaries`: all files, in the order in which the resolver numbers them. `linked`: those that participate. */
  constructor(summaries: readonly FileSummary[], linked: LinkedProject, roots: readonly RootUse[], resolver: Resolver) {
    this.#summaries = summaries;
    this.#linked = linked;
    this.#roots = roots;
    this.#resolver = resolver;
    this.#indexes = new Map(linked.numbering.files.map(({ summary }, i) => [summary.file, i]));
    for (const {
      summary: { file, functions },
      fn,
    } of linked.numbering.files) {
      for (let i = 0; i < functions.length; i += FUNCTION_STRIDE) {
        // The function that stands for a promise's `resolve` has no position.
        const start = functions[i + FunctionField.Start] as number;
        if (start >= 0 && ((functions[i + FunctionField.Flags] as number) & FunctionFlag.Call) === 0)
          this.#functions.set(`${file} ${start}`, fn + i / FUNCTION_STRIDE);
      }
    }
    // In arrays: maps with text keys took half a second for 2,700 files.
    const { calls } = linked.solver;
    this.#lastCall = new Int32Array(linked.numbering.siteCount).fill(-1);
    this.#callBefore = new Int32Array(calls.length).fill(-1);
    calls.forEach(({ site, flags }, i) => {
      if ((flags & SiteFlag.FlowOnly) !== 0) return;
      this.#callBefore[i] = this.#lastCall[site] as number;
      this.#lastCall[site] = i;
    });
  }

  callsOf({ file, start }: FunctionPlace): readonly CallSite[] {
    const target = this.#functions.get(`${file} ${start}`);
    const sites = new Set<number>();
    if (target !== undefined)
      for (const { site, flags, targets } of this.#linked.solver.calls)
        if ((flags & SiteFlag.FlowOnly) === 0 && targets.includes(target)) sites.add(site);
    return [...sites].map((site) => this.#placeOf(site));
  }

  targetsAt(file: string, start: number, end: number, fn: FunctionPlace): CallTargets | undefined {
    const run = this.#runAt(file, start, end);
    return run && this.#targetsFor(run.targets, run.isExternal, fn);
  }

  functionsAt(file: string, start: number, end: number): readonly FunctionPlace[] | undefined {
    const run = this.#runAt(file, start, end);
    if (!run || run.isExternal || run.targets.length === 0) return undefined;
    const { files } = this.#linked.numbering;
    const places: FunctionPlace[] = [];
    for (const fn of run.targets) {
      const base = files[files.findLastIndex((one) => one.fn <= fn)];
      const at = base?.summary.functions[(fn - base.fn) * FUNCTION_STRIDE + FunctionField.Start];
      if (!base || at === undefined || at < 0) return undefined;
      places.push({ file: base.summary.file, start: at });
    }
    return places;
  }

  /** Undefined for calls in files that do not participate. */
  #runAt(file: string, start: number, end: number): { targets: readonly number[]; isExternal: boolean } | undefined {
    const base = this.#linked.numbering.files[this.#indexes.get(file) ?? -1];
    if (!base) return undefined;
    const { sites } = base.summary;
    const targets: number[] = [];
    let isExternal = false;
    for (let i = 0; i < sites.length; i += SITE_STRIDE) {
      if (sites[i + SiteField.Start] !== start || sites[i + SiteField.End] !== end) continue;
      for (let call = this.#lastCall[base.site + i / SITE_STRIDE] as number; call >= 0; call = this.#callBefore[call] as number) {
        const record = this.#linked.solver.calls[call];
        if (!record) continue;
        targets.push(...record.targets);
        isExternal ||= record.isExternal;
      }
    }
    return { targets, isExternal };
  }

  filesMentioning(name: string): readonly string[] {
    return this.#summaries.filter(({ strings }) => strings.includes(name)).map(({ file }) => file);
  }

  resolve(from: string, specifier: string): string | undefined {
    const index = this.#resolver.resolve(from.replaceAll('\\', '/'), specifier);
    return index === undefined ? undefined : this.#summaries[index]?.file;
  }

  importersOf(file: string): readonly string[] {
    return (this.#importers ??= this.#readImporters()).get(file) ?? [];
  }

  registeredAt(file: string, start: number, fn: FunctionPlace): CallTargets {
    const targets = this.#roots
      .filter((use) => use.root.start === start && this.#linked.numbering.files[use.file]?.summary.file === file)
      .map((use) => use.fn);
    return this.#targetsFor(targets, false, fn);
  }

  #targetsFor(targets: readonly number[], isExternal: boolean, { file, start }: FunctionPlace): CallTargets {
    const own = this.#functions.get(`${file} ${start}`) ?? -1;
    const isProject = targets.some((target) => target !== own);
    return { isOwn: targets.includes(own), isOther: isExternal || isProject, isProject };
  }

  #placeOf(site: number): CallSite {
    const { files } = this.#linked.numbering;
    // Files without a call site have the same number as their successor, so the last one found is the right one.
    const base = files[files.findLastIndex((one) => one.site <= site)];
    return base ? { file: base.summary.file, ...siteSpan(base.summary.sites, site - base.site) } : { file: '', start: 0, end: 0 };
  }

  #readImporters(): Map<string, string[]> {
    const importers = new Map<string, string[]>();
    for (const summary of this.#summaries)
      for (const target of importedBy(summary, this.#resolver)) {
        const of = this.#summaries[target]?.file;
        if (of === undefined) continue;
        const list = importers.get(of);
        if (list) list.push(summary.file);
        else importers.set(of, [summary.file]);
      }
    return importers;
  }
}

/** The files of the project that a file loads, by number; -1 for others. */
export function importedBy({ file, ops, strings }: FileSummary, resolver: Resolver): ReadonlySet<number> {
  const path = file.replaceAll('\\', '/');
  const targets = new Set<number>();
  for (let i = 0; i < ops.length; i += lengthAt(ops, i)) {
    const specifier = strings[ops[i + ImportOperand.Specifier] as number] as string;
    if (ops[i] === Op.Import || ops[i] === Op.ImportDefault) targets.add(resolver.resolve(path, specifier) ?? -1);
    else if (ops[i] === Op.ImportPattern) for (const target of resolver.matching(path, specifier)) targets.add(target);
  }
  return targets;
}
