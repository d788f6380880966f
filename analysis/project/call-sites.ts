// Who calls a function of the project, for fixes that have to change every caller: every place, and what each place may run.
import type { Resolver } from './layout.ts';
import type { Linked } from './link.ts';
import { lengthAt } from './operations.ts';
import type { RootUse } from './reach.ts';
import { FUNCTION_STRIDE, FunctionFlag, Op, SITE_STRIDE, SiteFlag, type FileSummary } from './summary.ts';

export interface CallSite {
  /** Absolute path. */
  file: string;
  /** Where the call's expression starts, and where its callee ends. */
  start: number;
  end: number;
}

/** What a call may run. */
export interface CallTargets {
  /** Whether the function that was asked about is among them. */
  isOwn: boolean;
  /** Whether it runs other functions of the project, or something that is none of the project's. */
  isOther: boolean;
  /** Whether other functions of the project are among them. */
  isProject: boolean;
}

/** A function of a file, by where it starts. */
export interface FunctionPlace {
  file: string;
  start: number;
}

/** What the fixes ask; `CallSites` answers for a solved project. */
export interface CallerLookup {
  /** Every call that may run it, whatever it is called there; calls of functions that are handed on to packages are not among them. */
  callsOf(fn: FunctionPlace): readonly CallSite[];
  /** What one call may run; undefined for calls in files that take no part, such as tests. */
  targetsAt(file: string, start: number, end: number, fn: FunctionPlace): CallTargets | undefined;
  /** Files where a name is mentioned: as a property, or as what is imported or exported. */
  mentioning(name: string): readonly string[];
  /** The file of the project that a specifier means. */
  resolve(from: string, specifier: string): string | undefined;
  /** Files that import the file. */
  importersOf(file: string): readonly string[];
  /** What a registration (the head that starts there) hands over; `isOwn`: the function that was asked about. */
  registeredAt(file: string, start: number, fn: FunctionPlace): CallTargets;
}

const NOTHING: CallTargets = { isOwn: false, isOther: false, isProject: false };

export class CallSites implements CallerLookup {
  readonly #summaries: readonly FileSummary[];
  readonly #linked: Linked;
  readonly #roots: readonly RootUse[];
  readonly #resolver: Resolver;
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #functions = new Map<string, number>();
  readonly #bySite = new Map<string, { targets: number[]; isExternal: boolean }>();
  readonly #callers = new Map<number, CallSite[]>();
  #importers: Map<string, string[]> | undefined;

  /** `summaries`: all files, in the order that the resolver numbers them; `linked`: those that take part. */
  constructor(summaries: readonly FileSummary[], linked: Linked, roots: readonly RootUse[], resolver: Resolver) {
    this.#summaries = summaries;
    this.#linked = linked;
    this.#roots = roots;
    this.#resolver = resolver;
    this.#indexes = new Map(linked.numbering.files.map(({ summary }, i) => [summary.file, i]));
    for (const { summary: { file, functions }, fn } of linked.numbering.files) {
      for (let i = 0; i < functions.length; i += FUNCTION_STRIDE) {
        // What is made up for a promise's `resolve` stands nowhere.
        if ((functions[i + 1] as number) >= 0 && ((functions[i + 7] as number) & FunctionFlag.Call) === 0) this.#functions.set(`${file} ${functions[i + 1]}`, fn + i / FUNCTION_STRIDE);
      }
    }
    this.#readCalls();
  }

  callsOf({ file, start }: FunctionPlace): readonly CallSite[] {
    return this.#callers.get(this.#functions.get(`${file} ${start}`) ?? -1) ?? [];
  }

  targetsAt(file: string, start: number, end: number, fn: FunctionPlace): CallTargets | undefined {
    if (!this.#indexes.has(file)) return undefined;
    const found = this.#bySite.get(`${file} ${start} ${end}`);
    return found ? this.#told(found.targets, found.isExternal, fn) : NOTHING;
  }

  mentioning(name: string): readonly string[] {
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
    const targets = this.#roots.filter((use) => use.root.start === start && this.#linked.numbering.files[use.file]?.summary.file === file).map((use) => use.fn);
    return this.#told(targets, false, fn);
  }

  #told(targets: readonly number[], isExternal: boolean, { file, start }: FunctionPlace): CallTargets {
    const own = this.#functions.get(`${file} ${start}`) ?? -1;
    const isProject = targets.some((target) => target !== own);
    return { isOwn: targets.includes(own), isOther: isExternal || isProject, isProject };
  }

  #readCalls(): void {
    const { numbering, solver } = this.#linked;
    const places: CallSite[] = [];
    for (const { summary: { file, sites }, site } of numbering.files) {
      for (let i = 0; i < sites.length; i += SITE_STRIDE) places[site + i / SITE_STRIDE] = { file, start: sites[i + 1] as number, end: sites[i + 2] as number };
    }
    for (const call of solver.calls) {
      const place = places[call.site];
      if (!place || (call.flags & SiteFlag.FlowOnly) !== 0) continue;
      const key = `${place.file} ${place.start} ${place.end}`;
      let known = this.#bySite.get(key);
      if (!known) this.#bySite.set(key, (known = { targets: [], isExternal: false }));
      known.targets.push(...call.targets);
      known.isExternal ||= call.isExternal;
      for (const target of call.targets) {
        const list = this.#callers.get(target);
        if (!list) this.#callers.set(target, [place]);
        else if (!list.includes(place)) list.push(place);
      }
    }
  }

  #readImporters(): Map<string, string[]> {
    const importers = new Map<string, string[]>();
    for (const { file, ops, strings } of this.#summaries) {
      const path = file.replaceAll('\\', '/');
      const targets = new Set<number>();
      for (let i = 0; i < ops.length; i += lengthAt(ops, i)) {
        const specifier = strings[ops[i + 2] as number] as string;
        if (ops[i] === Op.Import || ops[i] === Op.ImportDefault) targets.add(this.#resolver.resolve(path, specifier) ?? -1);
        else if (ops[i] === Op.ImportPattern) for (const target of this.#resolver.matching(path, specifier)) targets.add(target);
      }
      for (const target of targets) {
        const of = this.#summaries[target]?.file;
        if (of === undefined) continue;
        const list = importers.get(of);
        if (list) list.push(file);
        else importers.set(of, [file]);
      }
    }
    return importers;
  }
}
