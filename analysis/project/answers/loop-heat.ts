// What runs in each iteration of a loop while a request waits, and which calls in a `try` throw, as far as one file alone does not show it.
import type { Key } from '../../facts/outside/query-keys.ts';
import { remedyOf } from '../../facts/outside/query-remedies.ts';
import { takingWords } from '../../facts/outside/taken.ts';
import type { HeatAnswer, QueryingAnswer, ThrowingAnswer } from './function-answer.ts';
import { EdgeKind } from '../calls/call-edges.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import type { Places } from './places.ts';
import { SentTexts } from './sent-texts.ts';
import type { Reach } from '../routes/request-reach.ts';
import {
  EACH_ARGUMENTS,
  eachFlag,
  FUNCTION_STRIDE,
  FunctionField,
  FunctionFlag,
  GETTER_STRIDE,
  GetterField,
  QUERY_STRIDE,
  QueryField,
  SiteFlag,
  THROW_STRIDE,
  ThrowField,
} from '../summary/format.ts';

/**
 * How many calls a loop may be away: that of a handler, three files up. Further away, a report would name places that nobody connects with
 * the function.
 */
const MOST_CALLS = 4;
/** A limit for widely used helpers, which may have thousands of callers. */
const MOST_LOOKED_AT = 2_000;
/** How many calls below the call in the `try` a `throw` may be. */
const MOST_BELOW = 2;
/** The functions that a call may run: those of as many drivers. */
const MOST_TARGETS = 4;
/** A function that only forwards to another has no more calls than this. */
const MOST_CALLS_OF_THIN = 3;

/** For any object: it is enough that the function runs often. */
const OFTEN = -1;

/**
 * Functions that write, whether they wait for it (`return db.insert(row).then(…)`) or block: `save`, `Entity.save`, `sendAll`. Writing
 * takes far longer than their computations.
 */
const WRITING = /(?:^|\.)_*(?:save|insert|upsert|persist|write|send|publish|enqueue|commit|flush)(?![a-z])/;

interface Step {
  /** A function with what `this` is in it: a state of `Reach`. */
  state: number;
  /** The parameter that must be another object in each iteration. */
  parameter: number;
  /** The step below and the edge that leads to it; undefined for the queried function. */
  below: Step | undefined;
  edge: number;
  depth: number;
}

/** A call that may run only one function. */
interface SingleCall {
  site: number;
  target: number;
  edge: number;
}

export class Heat {
  readonly sent: SentTexts;
  readonly #linked: LinkedProject;
  readonly #reach: Reach;
  readonly #places: Places;
  /** The names of all getters of associations. */
  #getters: ReadonlySet<string> | undefined;
  /** By function: a function with thousands of calls may be asked about for each of them. */
  readonly #edgesByFunction = new Map<number, ReadonlyMap<number, readonly number[]>>();
  readonly #guardedCalls = new Map<number, readonly SingleCall[]>();
  readonly #otherCalls = new Map<number, readonly SingleCall[]>();

  constructor(linked: LinkedProject, reach: Reach, places: Places) {
    this.#linked = linked;
    this.#reach = reach;
    this.#places = places;
    this.sent = new SentTexts(linked, reach, places);
  }

  /** `ownFile`: number of the function's file. */
  heatOf(fn: number, ownFile: number): readonly HeatAnswer[] {
    const often = this.#find(fn, OFTEN, ownFile);
    if (!often) return [];
    const count = Math.min(EACH_ARGUMENTS, this.#linked.solver.functions.parameterCountOf(fn));
    return [often, ...Array.from({ length: count }, (_, parameter) => this.#find(fn, parameter, ownFile) ?? [])].flat();
  }

  /** Breadth first towards the callers, to find the nearest loop. */
  #find(fn: number, parameter: number, ownFile: number): HeatAnswer | undefined {
    const seen = new Set<number>();
    const queue: Step[] = this.#reach
      .statesOf(fn)
      .filter((state) => this.#reach.isStateReached(state))
      .map((state) => ({ state, parameter, below: undefined, edge: -1, depth: 0 }));
    let looked = 0;
    for (const step of queue) {
      const key = step.state * (EACH_ARGUMENTS + 1) + step.parameter + 1;
      if (seen.has(key)) continue;
      seen.add(key);
      const own = this.#fnOf(step.state);
      // An async function computes little compared with what it waits for. That was so in all 6 places of real code that were checked.
      if ((this.#flagsOf(own) & (FunctionFlag.Async | FunctionFlag.Generator)) !== 0 || WRITING.test(this.#places.nameOf(own) ?? ''))
        continue;
      for (const { caller, edge } of this.#reach.callersOfState(step.state)) {
        if (++looked > MOST_LOOKED_AT) return undefined;
        const flags = this.#reach.edges.flags[edge] as number;
        if (
          this.#fnOf(caller) === own ||
          (flags & (SiteFlag.DevelopmentOnly | SiteFlag.Once)) !== 0 ||
          !this.#reach.isStateReached(caller) ||
          this.#reach.isStateOnce(caller)
        )
          continue;
        const next = this.#above(step.parameter, this.#fnOf(caller), edge, flags);
        if (next === 'loop')
          return this.#answer({ state: caller, parameter: OFTEN, below: step, edge, depth: step.depth + 1 }, parameter, ownFile);
        if (next !== undefined && step.depth + 1 < MOST_CALLS)
          queue.push({ state: caller, parameter: next, below: step, edge, depth: step.depth + 1 });
      }
    }
    return undefined;
  }

  #fnOf(state: number): number {
    return this.#reach.states.fn[state] as number;
  }

  /** 'loop' if the call is in the loop. Otherwise what to look for in its caller; undefined if the path ends here. */
  #above(parameter: number, caller: number, edge: number, flags: number): number | 'loop' | undefined {
    if (this.#reach.edges.via[edge] === EdgeKind.Callback) {
      if ((flags & SiteFlag.Iterates) !== 0) return parameter <= 0 ? 'loop' : undefined;
      // `p.then(f)` runs f once. What other functions do with a callback is unknown.
      return (flags & SiteFlag.Callback) === 0 || parameter !== OFTEN ? undefined : (flags & SiteFlag.Repeated) !== 0 ? 'loop' : OFTEN;
    }
    const isEach = parameter === OFTEN || (flags & eachFlag(parameter)) !== 0;
    const isRepeated = (flags & SiteFlag.Repeated) !== 0 && (flags & SiteFlag.EndsLoop) === 0;
    if (isEach) return isRepeated ? 'loop' : OFTEN;
    const passedOn = this.#parameterAt(this.#reach.edges.site[edge] as number, parameter, caller);
    return passedOn < 0 ? undefined : passedOn;
  }

  /** The parameter of the caller that a call passes at a position; -1 for none. */
  #parameterAt(site: number, place: number, caller: number): number {
    const { solver, sites } = this.#linked;
    const argument = solver.calls[sites.call[site] as number]?.args[place] ?? 0;
    const first = solver.functions.firstParameterOf(caller);
    const index = argument - first;
    return argument > 0 && index >= 0 && index < Math.min(EACH_ARGUMENTS, solver.functions.parameterCountOf(caller)) ? index : -1;
  }

  #answer(top: Step, parameter: number, ownFile: number): HeatAnswer {
    const { root, edges } = this.#reach.pathToState(top.state);
    const below: number[] = [];
    for (let step = top.below; step?.below; step = step.below) below.push(step.edge);
    const isConditional = [top.edge, ...below].some((edge) => ((this.#reach.edges.flags[edge] as number) & SiteFlag.Conditional) !== 0);
    const related = [
      this.#places.root(root, ownFile),
      ...this.#places.path(edges, ownFile),
      this.#places.edge(top.edge, ownFile, ' in each iteration'),
      ...this.#places.path(below, ownFile),
    ];
    return {
      parameter,
      loop: `a loop in \`${this.#nameAround(this.#fnOf(top.state)) ?? this.#places.fileNameOf(this.#fnOf(top.state))}\``,
      ...(isConditional ? { isConditional } : {}),
      related,
      ...(root.root.route === undefined ? {} : { route: root.root.route }),
    };
  }

  #nameAround(fn: number): string | undefined {
    for (let at = fn; at >= 0; at = this.#linked.solver.functions.outerOf(at)) {
      const name = this.#places.nameOf(at);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  #flagsOf(fn: number): number {
    return this.#linked.solver.functions.flagsOf(fn);
  }

  /** Calls in a `try` that may run only one function, which throws. */
  throwingIn(fn: number, ownFile: number): readonly ThrowingAnswer[] {
    const found: ThrowingAnswer[] = [];
    for (const { site, target, edge } of this.#callsOf(fn, true)) {
      const thrown = this.#thrownBy(target, ownFile, 0);
      if (!thrown) continue;
      const { file, start, end } = this.#places.siteOf(site);
      const name = this.#places.nameOf(this.#reach.edges.to[edge] as number);
      found.push({
        call: this.#places.place(ownFile, file, start, end, 'this call throws'),
        name: name ? `\`${name}\`` : 'the function',
        related: thrown,
      });
    }
    return found;
  }

  /** The calls from a function to a `throw`. */
  #thrownBy(fn: number, ownFile: number, depth: number): ThrowingAnswer['related'] | undefined {
    if ((this.#flagsOf(fn) & (FunctionFlag.Async | FunctionFlag.Generator)) !== 0) return undefined;
    const own = this.#throwAt(fn);
    if (own) return [this.#places.place(ownFile, own.file, own.start, own.end, 'thrown here')];
    if (depth >= MOST_BELOW) return undefined;
    const calls = this.#callsOf(fn, false);
    if (calls.length > MOST_CALLS_OF_THIN) return undefined;
    for (const { target, edge } of calls) {
      const below = this.#thrownBy(target, ownFile, depth + 1);
      if (below) return [this.#places.edge(edge, ownFile), ...below];
    }
    return undefined;
  }

  /** Calls that may run only one function, inside a `try` or outside. */
  #callsOf(fn: number, isGuarded: boolean): readonly SingleCall[] {
    const calls = isGuarded ? this.#guardedCalls : this.#otherCalls;
    const known = calls.get(fn);
    if (known) return known;
    const { first, to, site, via, flags } = this.#reach.edges;
    const bySite = new Map<number, SingleCall | undefined>();
    for (let edge = first[fn] as number; edge < (first[fn + 1] as number); edge++) {
      if (via[edge] === EdgeKind.Callback || (((flags[edge] as number) & SiteFlag.Guarded) !== 0) !== isGuarded) continue;
      const at = site[edge] as number;
      bySite.set(at, bySite.has(at) ? undefined : { site: at, target: to[edge] as number, edge });
    }
    const found = [...bySite.values()].flatMap((one) => one ?? []);
    calls.set(fn, found);
    return found;
  }

  /** Calls that send a query, or take something, each time, whichever function they run: one for each driver, as a rule. */
  queryingIn(fn: number, ownFile: number): readonly QueryingAnswer[] {
    const found: QueryingAnswer[] = [];
    for (const [site, edges] of this.#edgesIn(fn)) {
      const sent = [this.#queryOfAny(edges, ownFile, 0, false), this.#queryOfAny(edges, ownFile, 0, true)].flatMap((one) => one ?? []);
      if (sent.length === 0) continue;
      const { file, start, end } = this.#places.siteOf(site);
      const call = this.#places.place(ownFile, file, start, end, 'this call sends a query');
      found.push(...sent.map((one) => ({ call, ...one })));
    }
    return [...found, ...this.#gettersIn(fn, ownFile)];
  }

  /** By call site: one for each function that the call may run. */
  #edgesIn(fn: number): ReadonlyMap<number, readonly number[]> {
    const ofFunction = this.#edgesByFunction.get(fn);
    if (ofFunction) return ofFunction;
    const { first, to, site, via } = this.#reach.edges;
    const bySite = new Map<number, number[]>();
    for (let edge = first[fn] as number; edge < (first[fn + 1] as number); edge++) {
      if (via[edge] === EdgeKind.Callback) continue;
      const known = bySite.get(site[edge] as number);
      if (!known) bySite.set(site[edge] as number, [edge]);
      else if (!known.some((one) => to[one] === to[edge])) known.push(edge);
    }
    this.#edgesByFunction.set(fn, bySite);
    return bySite;
  }

  /** The query of the first function that a call may run, if all that it may run send one. */
  #queryOfAny(edges: readonly number[], ownFile: number, depth: number, isTaking: boolean): Omit<QueryingAnswer, 'call'> | undefined {
    if (edges.length > MOST_TARGETS) return undefined;
    let found: Omit<QueryingAnswer, 'call'> | undefined;
    for (const edge of edges) {
      const sent = this.#queryOf(this.#reach.edges.to[edge] as number, ownFile, depth, isTaking);
      if (!sent) return undefined;
      found ??= sent;
    }
    return found;
  }

  /** Calls of getters that associations of a model make, where the project has no function of that name. */
  #gettersIn(fn: number, ownFile: number): QueryingAnswer[] {
    const file = this.#places.fileOf(fn);
    const { summary, fn: base } = this.#linked.numbering.files[file] as LinkedProject['numbering']['files'][number];
    const { getters = [], strings } = summary;
    const found: QueryingAnswer[] = [];
    for (let at = 0; at < getters.length; at += GETTER_STRIDE) {
      if ((getters[at + GetterField.Function] as number) + base !== fn) continue;
      if (!this.#associations.has(strings[getters[at + GetterField.Name] as number] ?? '')) continue;
      const [start, end] = [getters[at + GetterField.Start] as number, getters[at + GetterField.End] as number];
      found.push({
        call: this.#places.place(ownFile, file, start, end, 'this call sends a query'),
        remedy: 'Load the association with the rows: `include` in the query that finds them, or one query with the keys of all.',
        related: [],
      });
    }
    return found;
  }

  get #associations(): ReadonlySet<string> {
    return (this.#getters ??= this.#findAssociations());
  }

  /** Without those that have the name of a function of the project: which of the two runs is not known. */
  #findAssociations(): ReadonlySet<string> {
    const { files } = this.#linked.numbering;
    const found = new Set(files.flatMap(({ summary }) => summary.associations ?? []));
    if (found.size === 0) return found;
    for (const { summary } of files)
      for (let at = 0; at < summary.functions.length; at += FUNCTION_STRIDE) {
        const name = summary.strings[summary.functions[at + FunctionField.Name] as number];
        if (name !== undefined) found.delete(name.slice(name.lastIndexOf('.') + 1));
      }
    return found;
  }

  /** The calls from a function to a query, through functions that do little else. */
  #queryOf(fn: number, ownFile: number, depth: number, isTaking: boolean): Omit<QueryingAnswer, 'call'> | undefined {
    const { file, at, queries } = this.#queryAt(fn, isTaking);
    if (at >= 0) {
      const code = queries[at + QueryField.Code] as number;
      const [start, end] = [queries[at + QueryField.Start] as number, queries[at + QueryField.End] as number];
      const what = isTaking ? 'what it starts' : 'the query';
      return {
        remedy: isTaking ? takingWords(code) : remedyOf(code, this.#keyAt(file, queries[at + QueryField.Key] as number)),
        ...(isTaking ? { isTaking } : {}),
        related: [this.#places.place(ownFile, file, start, end, what)],
      };
    }
    if (depth >= MOST_BELOW) return undefined;
    const calls = this.#edgesIn(fn);
    if (calls.size > MOST_CALLS_OF_THIN) return undefined;
    for (const edges of calls.values()) {
      const [edge] = edges;
      if (edge === undefined || edges.some((one) => this.#isNotEachTime(one) || this.#reach.edges.to[one] === fn)) continue;
      const below = this.#queryOfAny(edges, ownFile, depth + 1, isTaking);
      if (below) return { ...below, related: [this.#places.edge(edge, ownFile), ...below.related] };
    }
    return undefined;
  }

  /** Whether the call is in a branch, behind a cache, or in a loop of its function. */
  #isNotEachTime(edge: number): boolean {
    const not = SiteFlag.Conditional | SiteFlag.Once | SiteFlag.DevelopmentOnly | SiteFlag.Repeated;
    return ((this.#reach.edges.flags[edge] as number) & not) !== 0;
  }

  #keyAt(file: number, text: number): Key {
    const name = this.#linked.numbering.files[file]?.summary.strings[text];
    return name === undefined ? undefined : { name: name === '' ? undefined : name };
  }

  #queryAt(fn: number, isTaking: boolean): { file: number; at: number; queries: readonly number[] } {
    const file = this.#places.fileOf(fn);
    const {
      summary: { queries },
      fn: base,
    } = this.#linked.numbering.files[file] as LinkedProject['numbering']['files'][number];
    for (let at = 0; at < queries.length; at += QUERY_STRIDE) {
      if ((queries[at + QueryField.Function] as number) + base !== fn) continue;
      if ((queries[at + QueryField.Code] as number) < 0 === isTaking) return { file, at, queries };
    }
    return { file, at: -1, queries };
  }

  /** Where a function throws. */
  #throwAt(fn: number): { file: number; start: number; end: number } | undefined {
    const file = this.#places.fileOf(fn);
    const {
      summary: { throws },
      fn: base,
    } = this.#linked.numbering.files[file] as LinkedProject['numbering']['files'][number];
    for (let at = throws.length - THROW_STRIDE; at >= 0; at -= THROW_STRIDE)
      if ((throws[at + ThrowField.Function] as number) + base === fn)
        return { file, start: throws[at + ThrowField.Start] as number, end: throws[at + ThrowField.End] as number };
    return undefined;
  }
}
