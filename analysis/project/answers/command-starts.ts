// What users of a command, or of a serverless function, wait for before it does anything: the packages that its files load at once, and
// which of them a run needs only if it gets to a branch, or to one of several subcommands.
import { LOAD_TIMES } from '../../../knowledge/packages/load-times.ts';
import { EdgeKind, LOADING_STRIDE, LoadingField } from '../calls/call-edges.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import type { Specifiers } from '../files/layout.ts';
import type { FileBase } from '../points-to/numbering.ts';
import type { Reach } from '../routes/request-reach.ts';
import { FUNCTION_STRIDE, FunctionFlag, SiteFlag, type FileSummary } from '../summary/format.ts';
import type { LatePackage, StartAnswer } from './function-answer.ts';
import type { Places } from './places.ts';

/** Of one project. Our choice: each has a search of its own. */
const MOST_PROGRAMS = 100;
const MOST_CHOICES = 100;
/** Where a build puts what a command loads: `require('../dist/cli')`. */
const BUILT = /(^|\/)(?:dist|lib|build|out)\//;
/** What a code cache must save. Our choice: users do not feel less. */
const LEAST_GAIN_MS = 30;

/** A command, or one of the functions of a platform. */
interface Program {
  file: number;
  /** What a platform runs: the function itself, then the others of its file. A command runs what its files run while they are loaded. */
  handlers: readonly number[];
}

/** What a run gets to in any case, and what only some runs get to, with the call site where their ways part. */
interface Runs {
  always: Uint8Array;
  parting: Map<number, number>;
  /** What each subcommand gets to. */
  choices: readonly ReadonlySet<number>[];
}

export class CommandStarts {
  readonly #linked: LinkedProject;
  readonly #resolver: Specifiers;
  readonly #reach: Reach;
  readonly #places: Places;
  readonly #answers = new Map<number, { late: LatePackage[]; uncached?: StartAnswer['uncached'] }>();

  constructor(linked: LinkedProject, resolver: Specifiers, reach: Reach, places: Places) {
    this.#linked = linked;
    this.#resolver = resolver;
    this.#reach = reach;
    this.#places = places;
    for (const program of this.#programs().slice(0, MOST_PROGRAMS)) this.#judge(program);
  }

  answerOf(file: number): StartAnswer | undefined {
    return this.#answers.get(file);
  }

  #summary(file: number): FileSummary {
    return (this.#linked.numbering.files[file] as FileBase).summary;
  }

  #programs(): Program[] {
    const handlers = new Map<number, number[]>();
    for (const { root, file, fn } of this.#reach.roots)
      if (root.kind === 'invocation') handlers.set(file, [...(handlers.get(file) ?? []), fn]);
    return this.#linked.numbering.files.flatMap(({ summary }, file): Program[] => {
      if (summary.starts?.isCommand) return [{ file, handlers: [] }];
      const own = handlers.get(file) ?? [];
      return own.map((fn) => ({ file, handlers: [fn, ...own.filter((other) => other !== fn)] }));
    });
  }

  /** The files that a program always loads. */
  #loadedBy(file: number): number[] {
    const found = [file];
    const seen = new Set(found);
    for (const from of found) {
      const { file: path, starts, strings } = this.#summary(from);
      for (const text of starts?.loads ?? []) {
        const specifier = strings[text] as string;
        const by = path.replaceAll('\\', '/');
        const to = this.#resolver.resolve(by, specifier) ?? this.#resolver.resolve(by, specifier.replace(BUILT, '$1src/'));
        if (to === undefined || seen.has(to)) continue;
        seen.add(to);
        found.push(to);
      }
    }
    return found;
  }

  #judge({ file, handlers }: Program): void {
    const files = this.#loadedBy(file);
    const loaded = new Map<string, number[]>();
    for (const one of files)
      for (const { name, isLoaded } of this.#summary(one).starts?.packages ?? [])
        if (isLoaded) loaded.set(name, [...(loaded.get(name) ?? []), one]);
    if (loaded.size === 0) return;
    const runs = this.#runs(new Set(files), handlers);
    // A server starts once, and its users wait for its answers.
    if (handlers.length === 0 && (files.some((one) => this.#summary(one).starts?.listens) || this.#listens(runs))) return;
    const late = new Set([...loaded.keys()].filter((name) => this.#isLate(name, files, runs)));
    for (const name of late)
      for (const other of loaded.keys()) if (!late.has(other) && LOAD_TIMES[other]?.loads?.includes(name)) late.delete(name);
    for (const name of late) for (const one of loaded.get(name) ?? []) this.#addLate(one, name, file, handlers, runs);
    if (handlers.length === 0)
      this.#judgeCache(
        file,
        files,
        [...loaded.keys()].filter((name) => !late.has(name)),
      );
  }

  #listens({ always }: Runs): boolean {
    const { functions } = this.#linked.solver;
    return always.some((is, fn) => is === 1 && (functions.flagsOf(fn) & FunctionFlag.Listens) !== 0);
  }

  #runs(files: ReadonlySet<number>, handlers: readonly number[]): Runs {
    const { edges } = this.#reach;
    const alternatives = [...this.#alternatives(files), ...handlers.map((fn) => [fn])];
    const areSeveral = alternatives.length > 1;
    const always = new Uint8Array(this.#linked.numbering.fnCount);
    const parting = new Map<number, number>();
    const later: [number, number][] = [];
    const queue: number[] = [];
    const go = (to: number, site: number, flag: number): void => {
      if ((flag & SiteFlag.Seldom) !== 0 || ((flag & SiteFlag.OneOf) !== 0 && areSeveral)) later.push([to, site]);
      else if (always[to] === 0) {
        always[to] = 1;
        queue.push(to);
      }
    };
    handlers.forEach((fn, i) => {
      if (i === 0) go(fn, -1, 0);
      else later.push([fn, -1]);
    });
    this.#eachLoading(files, go);
    for (const fn of queue) this.#eachEdge(fn, go);
    const take = (to: number, site: number): void => {
      if (always[to] === 1 || parting.has(to)) return;
      parting.set(to, site);
      queue.push(to);
    };
    queue.length = 0;
    for (const [to, site] of later) take(to, site);
    for (const fn of queue)
      for (let k = edges.first[fn] as number; k < (edges.first[fn + 1] as number); k++)
        take(edges.to[k] as number, parting.get(fn) as number);
    return { always, parting, choices: areSeveral ? alternatives.map((functions) => this.#reachedFrom(functions)) : [] };
  }

  #eachLoading(files: ReadonlySet<number>, take: (to: number, site: number, flag: number) => void): void {
    const { loading } = this.#reach.edges;
    for (let i = 0; i < loading.length; i += LOADING_STRIDE) {
      const site = loading[i + LoadingField.Site] as number;
      if (!files.has(this.#places.siteOf(site).file)) continue;
      take(loading[i + LoadingField.Function] as number, site, this.#linked.sites.flags[site] as number);
    }
  }

  #eachEdge(fn: number, take: (to: number, site: number, flag: number) => void): void {
    const { first, to, site, flags } = this.#reach.edges;
    for (let k = first[fn] as number; k < (first[fn + 1] as number); k++) take(to[k] as number, site[k] as number, flags[k] as number);
  }

  /**
   * Of which a run chooses one: what each call registers for a subcommand, with the functions that describe it, and what is called out of
   * a table.
   */
  #alternatives(files: ReadonlySet<number>): number[][] {
    const { edges } = this.#reach;
    const found = new Map<number, Set<number>>();
    const take = (to: number, site: number, flag: number, via: number): void => {
      if ((flag & SiteFlag.OneOf) === 0) return;
      // Sites and functions are told apart by their sign.
      const key = via === EdgeKind.Callback ? site + 1 : -to - 1;
      const known = found.get(key);
      if (known) known.add(to);
      else if (found.size < MOST_CHOICES) found.set(key, new Set([to]));
    };
    const { loading } = edges;
    for (let i = 0; i < loading.length; i += LOADING_STRIDE) {
      const site = loading[i + LoadingField.Site] as number;
      if (!files.has(this.#places.siteOf(site).file)) continue;
      const [to, via] = [loading[i + LoadingField.Function] as number, loading[i + LoadingField.Kind] as number];
      take(to, site, this.#linked.sites.flags[site] as number, via);
    }
    for (const file of files) {
      const { fn, summary } = this.#linked.numbering.files[file] as FileBase;
      const end = edges.first[fn + summary.functions.length / FUNCTION_STRIDE] as number;
      for (let k = edges.first[fn] as number; k < end; k++)
        take(edges.to[k] as number, edges.site[k] as number, edges.flags[k] as number, edges.via[k] as number);
    }
    return [...found.values()].map((functions) => [...functions]);
  }

  /** What a choice runs in any case. */
  #reachedFrom(functions: readonly number[]): ReadonlySet<number> {
    const found = new Set(functions);
    for (const fn of found) this.#eachEdge(fn, (to, _, flag) => (flag & SiteFlag.Seldom) === 0 && found.add(to));
    return found;
  }

  /** Whether every use of a package, in the files that are loaded, is where only some runs get to. */
  #isLate(name: string, files: readonly number[], runs: Runs): boolean {
    const isLoaded = new Set(files);
    return (
      this.#linked.numbering.files.every(({ summary, fn: first }, file) => {
        const one = summary.starts?.packages.find((other) => other.name === name);
        if (!one) return true;
        if (!isLoaded.has(file)) return one.uses.every((fn) => fn < 0 || runs.always[first + fn] !== 1);
        return one.uses.every((fn) => fn >= 0 && this.#partingOf(first + fn, runs) !== undefined);
      }) && this.#isForFew(name, files, runs)
    );
  }

  /** Whether at most half of the choices need a package. */
  #isForFew(name: string, files: readonly number[], { choices }: Runs): boolean {
    if (choices.length === 0) return true;
    const users = files.flatMap((file) => {
      const { summary, fn: first } = this.#linked.numbering.files[file] as FileBase;
      return (summary.starts?.packages.find((one) => one.name === name)?.uses ?? []).map((fn) => first + fn);
    });
    const isIn = (reached: ReadonlySet<number>, fn: number): boolean => {
      for (let at = fn; at >= 0; at = this.#linked.solver.functions.outerOf(at)) if (reached.has(at)) return true;
      return false;
    };
    return choices.filter((reached) => users.some((fn) => isIn(reached, fn))).length * 2 <= choices.length;
  }

  /** Where the ways of runs part before a function; undefined if any run may get to it. An inner function runs after the one around it. */
  #partingOf(fn: number, { always, parting }: Runs): number | undefined {
    for (let at = fn; at >= 0; at = this.#linked.solver.functions.outerOf(at)) {
      if (always[at] === 1) return undefined;
      const site = parting.get(at);
      if (site !== undefined) return site;
    }
    return undefined;
  }

  #addLate(file: number, name: string, program: number, handlers: readonly number[], runs: Runs): void {
    const { summary, fn: first } = this.#linked.numbering.files[file] as FileBase;
    const uses = summary.starts?.packages.find((one) => one.name === name)?.uses ?? [];
    const sites = new Set(uses.flatMap((fn) => this.#partingOf(first + fn, runs) ?? []));
    const answer = this.#of(file);
    if (answer.late.some((one) => one.name === name)) return;
    answer.late.push({
      name,
      command: this.#nameOf(program, handlers),
      related: [...sites].slice(0, 3).flatMap((site) => {
        if (site < 0) return [];
        const { file: at, start, end } = this.#places.siteOf(site);
        return [this.#places.place(file, at, start, end, `only here does a run get to what uses \`${name}\``)];
      }),
    });
  }

  #nameOf(file: number, handlers: readonly number[]): string {
    const [fn] = handlers;
    const name = fn === undefined ? undefined : this.#places.nameOf(fn);
    return name ?? this.#summary(file).file.replace(/^.*[\\/]/, '');
  }

  #judgeCache(file: number, files: readonly number[], needed: readonly string[]): void {
    if (files.some((one) => this.#summary(one).starts?.cachesCode)) return;
    const gains = needed.flatMap((name) => {
      const gain = LOAD_TIMES[name]?.gain ?? 0;
      return gain > 0 ? [{ name, gain }] : [];
    });
    const ms = gains.reduce((sum, { gain }) => sum + gain, 0);
    if (ms < LEAST_GAIN_MS) return;
    this.#of(file).uncached = { packages: gains.map(({ name }) => name), ms };
  }

  #of(file: number): { late: LatePackage[]; uncached?: StartAnswer['uncached'] } {
    let answer = this.#answers.get(file);
    if (!answer) this.#answers.set(file, (answer = { late: [] }));
    return answer;
  }
}
