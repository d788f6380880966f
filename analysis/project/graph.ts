// The whole project's request paths: takes files' summaries, is patched file by file, answers what runs while a request waits.
import type { FunctionAnswer, RequestAnswer } from './answers.ts';
import { CallGraph } from './call-graph.ts';
import { CallSites } from './call-sites.ts';
import { HandedKinds } from './handed-kinds.ts';
import { Heat } from './heat.ts';
import { link, type Linked } from './link.ts';
import { participants } from './participants.ts';
import { EMPTY_LAYOUT, Resolver, type ProjectLayout } from './layout.ts';
import { Places } from './places.ts';
import { Reach } from './reach.ts';
import { refresh } from './registrations.ts';
import { Rounds } from './rounds.ts';
import { isSameStructure } from './same-structure.ts';
import { FUNCTION_STRIDE, FunctionFlag, type FileSummary } from './summary.ts';

export class ProjectGraph {
  readonly #summaries = new Map<string, FileSummary>();
  #layout: ProjectLayout;
  #solved: Solved | undefined;
  /** Of these files and this layout. */
  #resolver: Resolver | undefined;

  constructor(layout: ProjectLayout = EMPTY_LAYOUT) {
    this.#layout = layout;
  }

  get size(): number {
    return this.#summaries.size;
  }

  setLayout(layout: ProjectLayout): void {
    this.#layout = layout;
    this.#solved = undefined;
    this.#resolver = undefined;
  }

  /** Adds a file or takes its new summary. Whether who reaches whom may be another now; otherwise only places in the file are. */
  set(summary: FileSummary): boolean {
    const before = this.#summaries.get(summary.file);
    this.#summaries.set(summary.file, summary);
    if (before === undefined) this.#resolver = undefined;
    const isSame = before !== undefined && isSameStructure(before, summary);
    if (isSame) this.#solved?.replace(summary);
    else this.#solved = undefined;
    return !isSame;
  }

  delete(file: string): void {
    if (!this.#summaries.delete(file)) return;
    this.#solved = undefined;
    this.#resolver = undefined;
  }

  has(file: string): boolean {
    return this.#summaries.has(file);
  }

  /** How many functions a file's summary numbers; 0 for a file that is not there. */
  functionCount(file: string): number {
    return (this.#summaries.get(file)?.functions.length ?? 0) / FUNCTION_STRIDE;
  }

  /** All functions of a file of which there is something to say, by their number and by where they start. */
  answersIn(file: string): { fn: number; start: number; answer: FunctionAnswer }[] {
    const functions = this.#summaries.get(file)?.functions ?? [];
    const found: { fn: number; start: number; answer: FunctionAnswer }[] = [];
    for (let fn = 0; fn * FUNCTION_STRIDE < functions.length; fn++) {
      const answer = this.answerOf(file, fn);
      if (answer) found.push({ fn, start: functions[fn * FUNCTION_STRIDE + 1] as number, answer });
    }
    return found;
  }

  /** What is known of a function, by the number that the file's summary gave it; undefined when that is nothing. */
  answerOf(file: string, fn: number): FunctionAnswer | undefined {
    return this.#answers().answerOf(file, fn);
  }

  /** What leads from a request to a function, by the number that the file's summary gave it; undefined when nothing does. */
  requestPath(file: string, fn: number): RequestAnswer | undefined {
    return this.answerOf(file, fn)?.request;
  }

  /** Who calls whom; to be asked for anew after a change. */
  get calls(): CallGraph {
    return this.#answers().calls;
  }

  /** Who calls which function, for fixes that change callers. */
  callSites(): CallSites {
    return this.#answers().callSites();
  }

  #answers(): Solved {
    if (this.#solved) return this.#solved;
    const summaries = [...this.#summaries.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
    this.#resolver ??= new Resolver(new Map(summaries.map(({ file }, i) => [file.replaceAll('\\', '/'), i])), this.#layout);
    return (this.#solved = new Solved(summaries, this.#resolver));
  }
}

class Solved {
  readonly #summaries: readonly FileSummary[];
  readonly #resolver: Resolver;
  readonly #linked: Linked;
  readonly #reach: Reach;
  readonly #places: Places;
  readonly #heat: Heat;
  readonly #rounds: Rounds;
  readonly #handed: HandedKinds;
  readonly #indexes: ReadonlyMap<string, number>;
  #calls: CallGraph | undefined;

  /** The resolver numbers the files as they are listed. */
  constructor(summaries: readonly FileSummary[], resolver: Resolver) {
    this.#summaries = summaries;
    this.#resolver = resolver;
    const { taking, places } = participants(summaries, resolver);
    this.#linked = link(taking, resolver.renumbered(places));
    this.#reach = new Reach(this.#linked);
    this.#places = new Places(this.#linked, this.#reach);
    this.#heat = new Heat(this.#linked, this.#reach, this.#places);
    this.#rounds = new Rounds(this.#linked, this.#reach, this.#places);
    this.#handed = new HandedKinds(this.#linked, this.#reach, this.#places);
    this.#indexes = new Map(taking.map(({ file }, i) => [file, i]));
  }

  get calls(): CallGraph {
    return (this.#calls ??= new CallGraph(this.#linked, this.#reach));
  }

  /** As of now: not to be kept, since `replace` moves places. */
  callSites(): CallSites {
    return new CallSites(this.#summaries, this.#linked, this.#reach.roots, this.#resolver);
  }

  /** Takes a summary of the same structure, for its places. */
  replace(summary: FileSummary): void {
    const base = this.#linked.numbering.files[this.#indexes.get(summary.file) ?? -1];
    if (!base) return;
    const roots = new Map(base.summary.roots.map((root, i) => [root, summary.roots[i]]));
    base.summary = summary;
    for (const use of this.#reach.roots) refresh(use, roots, this.#linked);
    this.#calls = undefined;
    this.#heat.forgetPlaces();
  }

  answerOf(file: string, local: number): FunctionAnswer | undefined {
    const index = this.#indexes.get(file);
    const base = index === undefined ? undefined : this.#linked.numbering.files[index];
    if (index === undefined || !base || local < 0 || local >= base.summary.functions.length / FUNCTION_STRIDE) return undefined;
    const fn = base.fn + local;
    const rounds = this.#rounds.roundsIn(fn, index);
    const handed = this.#handed.handedTo(fn, index);
    const always = rounds.length + handed.length > 0 ? { ...(rounds.length > 0 ? { rounds } : {}), ...(handed.length > 0 ? { handed } : {}) } : undefined;
    if (!this.#reach.isReached(fn)) return always;
    const heat = this.#heat.heatOf(fn, index);
    const throwing = this.#heat.throwingIn(fn, index);
    return { request: this.#requestPath(fn, index), ...(heat.length > 0 ? { heat } : {}), ...(throwing.length > 0 ? { throwing } : {}), ...always };
  }

  #requestPath(fn: number, index: number): RequestAnswer {
    const { root, edges } = this.#reach.pathTo(fn);
    const isCall = ((this.#linked.solver.fns[fn * FUNCTION_STRIDE + 7] ?? 0) & FunctionFlag.Call) !== 0;
    // What stands for the call itself is no step on the way to it.
    const related = [this.#places.root(root, index), ...(isCall ? edges.slice(0, -1) : edges).map((edge) => this.#places.edge(edge, index))];
    return {
      ...(root.root.route === undefined ? {} : { route: root.root.route }), kind: root.root.kind, isOnce: this.#reach.isOnce(fn), related,
      routes: [...new Set([root, ...this.#reach.rootsTo(fn)].flatMap((one) => one.root.route ?? []))],
    };
  }
}
