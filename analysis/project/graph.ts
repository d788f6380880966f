// The request paths of the whole project. It takes one summary per file, is updated file by file, and answers what runs while a request
// waits.
import {
  OTHER_FUNCTIONS,
  type BehindAnswer,
  type FunctionAnswer,
  type FunctionLookup,
  type RequestAnswer,
} from './answers/function-answer.ts';
import { CallGraph } from './answers/call-graph.ts';
import { CallSites } from './answers/call-sites.ts';
import { CommandStarts } from './answers/command-starts.ts';
import { findMockedFiles, type MockedFiles } from './answers/mocked-files.ts';
import { EdgeKind } from './calls/call-edges.ts';
import { ArgumentKinds } from './answers/argument-kinds.ts';
import { Heat } from './answers/loop-heat.ts';
import { HopTable } from './answers/queue-hop-table.ts';
import type { FileBase } from './points-to/numbering.ts';
import { Project } from './linker.ts';
import { Imports, mayTakeMore, participants } from './files/participants.ts';
import { askingFiles } from './files/asking.ts';
import { programsIn } from './files/programs.ts';
import { loadedFiles } from './files/unloaded.ts';
import { ListedTypes } from './answers/listed-types.ts';
import { EMPTY_LAYOUT, Resolver, type ProjectLayout } from './files/layout.ts';
import { Places } from './answers/places.ts';
import { secondsBetweenJobs } from './routes/job-schedule.ts';
import { Reach, type RootUse } from './routes/request-reach.ts';
import { refresh } from './routes/registrations.ts';
import { Rounds } from './answers/queue-rounds.ts';
import { isSameStructure } from './summary/same-structure.ts';
import { FUNCTION_STRIDE, FunctionField, FunctionFlag, SiteFlag, type FileSummary } from './summary/format.ts';

/** `(error, req, res, next)`: https://expressjs.com/en/guide/error-handling.html */
const ERROR_PARAMETERS = 4;
/** How many edited files are kept loose. Each change solves all of them again. */
const MOST_LOOSE = 3;

export type Limited = <T>(work: () => T) => T;

export class ProjectGraph {
  readonly #summaries = new Map<string, FileSummary>();
  #layout: ProjectLayout;
  #solved: Solved | undefined;
  /** For these files and this layout. */
  #imports: Imports | undefined;
  /** New summaries of files that have already been solved. */
  #changed = new Map<string, FileSummary>();
  /** Files that are being edited, the most recent first. */
  #loose: readonly string[] = [];
  #solvedAnew = 0;
  /** The answers in the usual order of files, if they differ. They hold until the next change. */
  #usual: Solved | undefined;
  /** Whether the solved graph gives the same answers as in the usual order, as far as they were queried. */
  #isUsual = true;

  readonly #limited: Limited;

  /** `limited` may end what solves the graph: it throws then. */
  constructor(layout: ProjectLayout = EMPTY_LAYOUT, limited: Limited = (work) => work()) {
    this.#layout = layout;
    this.#limited = limited;
  }

  get size(): number {
    return this.#summaries.size;
  }

  /** How often the whole project was solved, not only its edited files. */
  get solvedAnew(): number {
    return this.#solvedAnew;
  }

  setLayout(layout: ProjectLayout): void {
    this.#layout = layout;
    this.#forget();
    this.#imports = undefined;
  }

  /** Adds a file or replaces its summary. Returns whether call paths may have changed; if not, only positions in the file did. */
  set(summary: FileSummary): boolean {
    const { file } = summary;
    const before = this.#summaries.get(file);
    this.#summaries.set(file, summary);
    const isSame = before !== undefined && isSameStructure(before, summary);
    if (isSame && !this.#changed.has(file)) {
      this.#solved?.replace(summary);
      this.#usual?.replace(summary);
    } else if (before !== undefined) this.#changed.set(file, summary);
    else {
      this.#forget();
      this.#imports = undefined;
    }
    return !isSame;
  }

  delete(file: string): void {
    if (!this.#summaries.delete(file)) return;
    this.#forget();
    this.#imports = undefined;
  }

  /**
   * Prepares the graph for edits of a file: each edit then costs only what the file contributes. `queried`: files whose answers are in use.
   * Their answers stay the same until something changes.
   */
  prepare(file: string, queried: Iterable<string> = []): void {
    if (!this.#summaries.has(file)) return;
    if (!this.#solved) {
      this.#loosen([file]);
      this.#answers();
      return;
    }
    const usual = this.#answers();
    if (this.#loose.includes(file)) return;
    const before = this.#isUsual ? this.#answersOf(queried) : undefined;
    this.#loosen([file]);
    this.#forget();
    this.#answers();
    if (before === undefined) return;
    this.#isUsual = true;
    if ([...this.#answersOf(before.keys())].some(([one, text]) => before.get(one) !== text)) this.#usual = usual;
  }

  /**
   * Solves all files in their usual order, and uses that until the next change. Edited files come last otherwise, and what exceeds the
   * limit of a points-to set depends on the order. Returns whether the answers about the queried files have changed.
   */
  rebuild(queried: Iterable<string>): boolean {
    this.#answers();
    if (this.#isUsual) return false;
    const before = this.#answersOf(queried);
    this.#usual = this.#limited(() => this.#solve([]));
    this.#isUsual = true;
    const isOther = [...this.#answersOf(before.keys())].some(([file, text]) => before.get(file) !== text);
    if (!isOther) this.#usual = undefined;
    return isOther;
  }

  /** The answers by file, as text to compare. */
  #answersOf(files: Iterable<string>): Map<string, string> {
    return new Map([...files].map((file) => [file, JSON.stringify(this.answersIn(file))]));
  }

  #loosen(files: readonly string[]): void {
    this.#loose = [...new Set([...files, ...this.#loose])].slice(0, MOST_LOOSE);
  }

  #forget(): void {
    this.#solved = undefined;
    this.#usual = undefined;
    this.#changed.clear();
  }

  /** Files with only an outline that participating files import. They need a full summary. */
  wanting(): string[] {
    return this.#limited(() => {
      const { summaries, imports } = this.#inOrder();
      return participants(summaries, imports)
        .taking.filter(({ isOutline }) => isOutline)
        .map(({ file }) => file);
    });
  }

  has(file: string): boolean {
    return this.#summaries.has(file);
  }

  /** How many functions a file's summary has; 0 if there is no such file. */
  functionCount(file: string): number {
    return (this.#summaries.get(file)?.functions.length ?? 0) / FUNCTION_STRIDE;
  }

  /** The functions of a file that have answers of their own, with their number and start offset, and one answer for all others. */
  answersIn(file: string): { fn: number; start: number; answer: FunctionAnswer }[] {
    const functions = this.#summaries.get(file)?.functions ?? [];
    const found: { fn: number; start: number; answer: FunctionAnswer }[] = [];
    const others = this.answerOf(file, OTHER_FUNCTIONS);
    if (others) found.push({ fn: OTHER_FUNCTIONS, start: OTHER_FUNCTIONS, answer: others });
    for (let fn = 0; fn * FUNCTION_STRIDE < functions.length; fn++) {
      const answer = this.answerOf(file, fn);
      if (answer && answer !== others) found.push({ fn, start: functions[fn * FUNCTION_STRIDE + FunctionField.Start] as number, answer });
    }
    return found;
  }

  /** What is known of a function, by its number in the summary or as one without a number; undefined if nothing is. */
  answerOf(file: string, fn: number): FunctionAnswer | undefined {
    return this.#answers().answerOf(file, fn);
  }

  /** The same for callers that have a function key, by its number. */
  readonly lookup: FunctionLookup = (file, { number }) => this.answerOf(file, number ?? OTHER_FUNCTIONS);

  /** How a request reaches a function, by its number in the summary; undefined if none does. */
  requestPath(file: string, fn: number): RequestAnswer | undefined {
    return this.answerOf(file, fn)?.request;
  }

  /** Who calls whom. Read it again after a change. */
  get calls(): CallGraph {
    return this.#answers().calls;
  }

  /** The callers of each function, for fixes that change callers. */
  callSites(): CallSites {
    return this.#answers().callSites();
  }

  #answers(): Solved {
    if (this.#usual && this.#changed.size === 0) return this.#usual;
    this.#usual = undefined;
    if (this.#solved && this.#changed.size === 0) return this.#solved;
    try {
      return this.#limited(() => this.#solveChanged());
    } catch (error) {
      // It may be half changed.
      this.#forget();
      throw error;
    }
  }

  #solveChanged(): Solved {
    if (this.#solved?.change(this.#changed)) this.#changed.clear();
    else {
      // Many changed files at once are not an edit.
      if (this.#changed.size <= MOST_LOOSE) this.#loosen([...this.#changed.keys()]);
      this.#forget();
      this.#solved = this.#solve(this.#loose);
    }
    this.#isUsual = this.#loose.length === 0;
    return this.#solved;
  }

  #solve(loose: readonly string[]): Solved {
    const { summaries, imports } = this.#inOrder();
    this.#solvedAnew++;
    return new Solved(summaries, imports, loose, this.#layout);
  }

  #inOrder(): { summaries: FileSummary[]; imports: Imports } {
    const summaries = [...this.#summaries.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
    this.#imports ??= new Imports(new Resolver(new Map(summaries.map(({ file }, i) => [file.replaceAll('\\', '/'), i])), this.#layout));
    return { summaries, imports: this.#imports };
  }
}

const OFF_PATH: FunctionAnswer = { isOffPath: true };

/** What is derived from the solved calls. */
interface Read {
  reach: Reach;
  places: Places;
  heat: Heat;
  /** Computed on first use. */
  listed: ListedTypes | undefined;
  starts: CommandStarts | undefined;
  /** By function. */
  neverRun: ReadonlyMap<number, readonly number[]> | undefined;
  rounds: Rounds;
  parameterKinds: ArgumentKinds;
  calls: CallGraph | undefined;
  /** By the entry points of a function, and the route of its shortest path. */
  routes: Map<readonly RootUse[], Map<string | undefined, readonly string[]>>;
  /** The folders of packages with functions to which an entry point leads. */
  serving: ReadonlySet<string> | undefined;
  /** By the entry points of a function: whether only administrators get to it. */
  administrators: Map<readonly RootUse[], boolean>;
}

/** Of one function. Our choice: where more lead to a function, each of thousands of findings would list them all. */
const MOST_ROUTES = 1000;

class Solved {
  readonly #summaries: FileSummary[];
  readonly #imports: Imports;
  /** By file number: the number among the participating files, or -1. */
  readonly #taking: Int32Array;
  readonly #project: Project;
  readonly #hops: HopTable;
  /** By the folder of a package: a test that replaces functions of `fs`. */
  #mocks: MockedFiles | undefined;
  readonly #layout: ProjectLayout;
  /** Numbers among all files, and among those that participate. */
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #indexes: ReadonlyMap<string, number>;
  #read: Read;

  /** The resolver numbers the files in the order of `summaries`. */
  constructor(summaries: readonly FileSummary[], imports: Imports, loose: readonly string[], layout: ProjectLayout) {
    this.#layout = layout;
    this.#summaries = [...summaries];
    this.#imports = imports;
    const { taking, places } = participants(summaries, this.#imports);
    this.#taking = places;
    this.#numbers = new Map(summaries.map(({ file }, i) => [file, i]));
    this.#indexes = new Map(taking.map(({ file }, i) => [file, i]));
    this.#project = new Project(
      taking,
      imports.resolver.renumbered(places),
      new Set(loose.flatMap((file) => this.#indexes.get(file) ?? [])),
    );
    this.#hops = new HopTable(this.#project.numbering);
    this.#read = this.#derive();
  }

  #derive(): Read {
    const files = this.#project.numbering.files.map(({ summary }) => summary);
    const off = new Set(
      files.flatMap(({ file, commentedOut = [] }) =>
        commentedOut.flatMap(
          (specifier) => this.#taking[this.#imports.resolver.resolve(file.replaceAll('\\', '/'), specifier) ?? -1] ?? [],
        ),
      ),
    );
    const programs = programsIn(files, this.#imports, this.#taking, this.#layout);
    const loaded = loadedFiles(files, this.#imports, this.#taking, this.#layout);
    const asking = askingFiles(files, this.#imports, this.#taking);
    return read(this.#project, this.#hops, new Reach(this.#project, programs, { off, asking, ...loaded }));
  }

  /** Replaces summaries of files. Returns false if the whole project must be solved again. */
  change(changed: ReadonlyMap<string, FileSummary>): boolean {
    this.#mocks = undefined;
    const summaries = [...this.#summaries];
    for (const [file, summary] of changed) summaries[this.#numbers.get(file) as number] = summary;
    // Files that are no longer imported stay until the whole project is solved again, at the latest when editing pauses.
    if (
      [...changed].some(([file, summary]) =>
        mayTakeMore(this.#summaries[this.#numbers.get(file) as number] as FileSummary, summary, this.#imports),
      )
    ) {
      const { places } = participants(summaries, this.#imports);
      if (places.some((place, i) => place >= 0 && (this.#taking[i] as number) < 0)) return false;
    }
    const taking = new Map(
      [...changed].flatMap(([file, summary]) => (this.#indexes.has(file) ? [[this.#indexes.get(file) as number, summary] as const] : [])),
    );
    if (taking.size > 0) {
      if (!this.#project.replace(taking)) return false;
      for (const index of taking.keys()) this.#hops.take(index, this.#project.numbering.files[index] as FileBase);
      this.#read = this.#derive();
    }
    for (const [file, summary] of changed) this.#summaries[this.#numbers.get(file) as number] = summary;
    return true;
  }

  get calls(): CallGraph {
    return (this.#read.calls ??= new CallGraph(this.#project, this.#read.reach));
  }

  /** Valid until the next `replace`, which moves positions. */
  callSites(): CallSites {
    return new CallSites(this.#summaries, this.#project, this.#read.reach.roots, this.#imports.resolver);
  }

  /** Takes a summary of the same structure, with new positions. */
  replace(summary: FileSummary): void {
    this.#mocks = undefined;
    this.#summaries[this.#numbers.get(summary.file) as number] = summary;
    const base = this.#project.numbering.files[this.#indexes.get(summary.file) ?? -1];
    if (!base) return;
    const roots = new Map(base.summary.roots.map((root, i) => [root, summary.roots[i]]));
    base.summary.timers?.forEach((timer, i) => roots.set(timer, summary.timers?.[i]));
    base.summary = summary;
    for (const use of this.#read.reach.roots) refresh(use, roots, this.#project);
    this.#read.calls = undefined;
    this.#read.listed = undefined;
    this.#read.starts = undefined;
    this.#read.routes.clear();
    this.#read.administrators.clear();
  }

  answerOf(file: string, local: number): FunctionAnswer | undefined {
    const index = this.#indexes.get(file);
    const base = index === undefined ? undefined : this.#project.numbering.files[index];
    const offPath = this.#isServing(file) ? OFF_PATH : undefined;
    if (index !== undefined && local === OTHER_FUNCTIONS) {
      const starts = this.#startsOf(index);
      if (starts) return { ...offPath, starts };
    }
    if (index === undefined || !base || local < 0 || local >= base.summary.functions.length / FUNCTION_STRIDE) return offPath;
    const fn = base.fn + local;
    const rounds = this.#read.rounds.roundsIn(fn, index);
    const parameterKinds = this.#read.parameterKinds.kindsOf(fn, index);
    const always =
      rounds.length + parameterKinds.length > 0
        ? { ...(rounds.length > 0 ? { rounds } : {}), ...(parameterKinds.length > 0 ? { parameterKinds } : {}) }
        : undefined;
    if (!this.#read.reach.isReached(fn)) return always && offPath ? { ...always, ...offPath } : (always ?? offPath);
    const heat = this.#read.heat.heatOf(fn, index);
    const sent = this.#read.heat.sent.sentTo(fn, index);
    const throwing = this.#read.heat.throwingIn(fn, index);
    const querying = this.#read.heat.queryingIn(fn, index);
    const element = (this.#read.listed ??= this.#readLists()).elementOf(fn, index);
    const behind = this.#behindIn(fn, index);
    return {
      request: this.#requestPath(fn, index),
      ...(behind.length > 0 ? { behind } : {}),
      ...(heat.length > 0 ? { heat } : {}),
      ...(sent.length > 0 ? { sent } : {}),
      ...(throwing.length > 0 ? { throwing } : {}),
      ...(querying.length > 0 ? { querying } : {}),
      ...(element ? { element } : {}),
      ...always,
    };
  }

  #behindIn(fn: number, index: number): BehindAnswer[] {
    const calls = (this.#read.neverRun ??= bySiteFunction(this.#project, this.#read.reach.neverRun)).get(fn) ?? [];
    return calls.length > 0 ? [{ calls: calls.map((site) => this.#read.places.site(site, index)) }] : [];
  }

  /** Only files that load something, or are commands, have an answer. */
  #startsOf(index: number): FunctionAnswer['starts'] {
    const { reach, places } = this.#read;
    const resolver = this.#imports.resolver.renumbered(this.#taking);
    return (this.#read.starts ??= new CommandStarts(this.#project, resolver, reach, places)).answerOf(index);
  }

  #readLists(): ListedTypes {
    return new ListedTypes(this.#project, this.#layout.schemas ?? [], this.#read.reach, this.#read.places);
  }

  /** By a test: they do not take part, and are known by their outlines. */
  #mockedIn(index: number): Pick<RequestAnswer, 'mockedBy' | 'hasRequire'> {
    const { resolver } = this.#imports;
    const { files, packages, requiring } = (this.#mocks ??= findMockedFiles(this.#summaries, resolver));
    if (files.size + packages.size + requiring.size === 0) return {};
    const { file } = (this.#project.numbering.files[index] as FileBase).summary;
    const root = resolver.packageRootOf(file);
    const mockedBy = files.get(this.#numbers.get(file) ?? -1) ?? packages.get(root);
    return { ...(mockedBy === undefined ? {} : { mockedBy }), ...(requiring.has(root) ? { hasRequire: true } : {}) };
  }

  /** Which of the files that it reads others of its package write. Scripts and tests take no part. */
  #writtenIn(index: number): Pick<RequestAnswer, 'written'> {
    const { resolver } = this.#imports;
    const { files } = this.#project.numbering;
    const { file, reads = [] } = (files[index] as FileBase).summary;
    if (reads.length === 0) return {};
    const root = resolver.packageRootOf(file);
    const written = reads.flatMap((name) => {
      const writer = files.find(({ summary }) => summary.writes?.includes(name) && resolver.packageRootOf(summary.file) === root);
      return writer ? [[name, writer.summary.file] as const] : [];
    });
    return written.length > 0 ? { written: Object.fromEntries(written) } : {};
  }

  /** Whether an entry point leads to any function of the package that the file belongs to. */
  #isServing(file: string): boolean {
    const { resolver } = this.#imports;
    this.#read.serving ??= new Set(
      this.#project.numbering.files.flatMap(({ summary, fn }) => {
        const count = summary.functions.length / FUNCTION_STRIDE;
        for (let one = fn; one < fn + count; one++) if (this.#read.reach.isReached(one)) return [resolver.packageRootOf(summary.file)];
        return [];
      }),
    );
    return this.#read.serving.has(resolver.packageRootOf(file));
  }

  #requestPath(fn: number, index: number): RequestAnswer {
    const { root, edges } = this.#read.reach.pathTo(fn);
    const isCall = (this.#project.solver.functions.flagsOf(fn) & FunctionFlag.Call) !== 0;
    // If the function stands for the call itself, its edge is not a step of the path.
    const steps = isCall ? edges.slice(0, -1) : edges;
    const related = [this.#read.places.root(root, index), ...this.#read.places.path(steps, index)];
    return {
      ...(root.root.route === undefined ? {} : { route: root.root.route }),
      kind: root.root.kind,
      isOnce: this.#read.reach.isOnce(fn),
      ...(this.#read.reach.runsAtStartup(fn) ? { runsAtStartup: true } : {}),
      ...(CONNECTION.test(root.root.route ?? '') && steps.some((edge) => this.#isListener(edge)) ? { isForMessages: true } : {}),
      isConditional: this.#isForSome(root) || steps.some((edge) => this.#isConditional(edge)),
      isForAdministrators: this.#isForAdministrators(root, fn),
      ...this.#intervalOf(root, fn),
      ...this.#jobIntervalOf(root, fn),
      ...this.#mockedIn(index),
      ...this.#writtenIn(index),
      ...this.#dropping(fn),
      isOnlyRegistered: this.#read.reach.isOnlyRegistered(fn),
      related,
      routes: this.#routesOf(root, fn),
    };
  }

  #dropping(fn: number): Pick<RequestAnswer, 'droppedBy'> {
    const { reach, places } = this.#read;
    if ((this.#project.solver.functions.flagsOf(fn) & FunctionFlag.Async) === 0) return {};
    for (const { caller, edge } of reach.callersOf(fn)) {
      if (reach.edges.via[edge] !== EdgeKind.Call || ((reach.edges.flags[edge] as number) & SiteFlag.Dropped) === 0) continue;
      const name = places.nameOf(caller);
      return { droppedBy: `${name ? `\`${name}\` in ` : ''}${places.fileNameOf(caller)}` };
    }
    return {};
  }

  /** `connection.on('command', fn)` */
  #isListener(edge: number): boolean {
    const { via, call } = this.#read.reach.edges;
    const { solver, tables, numbering } = this.#project;
    const callee = solver.calls[call[edge] as number]?.callee ?? 0;
    return via[edge] === EdgeKind.Callback && LISTENING.test(numbering.names[tables.loads.name[callee] ?? -1] ?? '');
  }

  /** Whether a step of a path is behind a condition, or only passes on a function that may not run. */
  #isConditional(edge: number): boolean {
    const { flags, via } = this.#read.reach.edges;
    const flag = flags[edge] as number;
    return (flag & SiteFlag.Conditional) !== 0 || (via[edge] === EdgeKind.Callback && (flag & SiteFlag.RunsPassed) === 0);
  }

  /** Whether an entry point without a name gets only some requests, or some messages: one of a server's routes, of a queue's jobs. */
  #isForSome({ root: { kind, framework, route, isLeftover, isBehindFiles }, fn }: RootUse): boolean {
    // The functions of a passport strategy only run at a login.
    if (isLeftover || isBehindFiles || framework === 'passport') return true;
    // A hook of Fastify may have four, too: `(request, reply, payload, done)`.
    if (kind === 'middleware') return framework !== 'fastify' && this.#project.solver.functions.parameterCountOf(fn) === ERROR_PARAMETERS;
    return route === undefined && kind !== 'invocation' && kind !== 'hook' && framework !== 'node-http';
  }

  /**
   * Few requests, made by people who run the server. Names decide that, and so no more than how loud a finding is: a warning becomes a
   * hint, and a hint silent. Most of these are findings that readers of unseen applications would leave (bench/unseen-applications.md).
   */
  #isForAdministrators(root: RootUse, fn: number): boolean {
    const { reach, administrators } = this.#read;
    const isFor = ({ root: { route, isForAdministrators } }: RootUse): boolean => isForAdministrators || ADMINISTRATORS.test(route ?? '');
    // What looks like a handler, and is registered, is no entry point of its own.
    const isOwn = ({ root: { kind }, fn: of }: RootUse): boolean =>
      kind !== 'signature' || reach.rootsTo(of).every((one) => one.root.kind === 'signature');
    const roots = reach.rootsTo(fn);
    if (!administrators.has(roots)) administrators.set(roots, isFor(root) && roots.every((one) => isFor(one) || !isOwn(one)));
    return isFor(root) && administrators.get(roots) === true;
  }

  /** That of the route which is named, if each of the entry points has one. */
  #intervalOf(root: RootUse, fn: number): Pick<RequestAnswer, 'interval'> {
    const { reach } = this.#read;
    const interval = reach.intervalOf(root);
    return interval > 0 && reach.rootsTo(fn).every((one) => reach.intervalOf(one) > 0) ? { interval } : {};
  }

  /** That of all jobs together, if nothing else leads there. */
  #jobIntervalOf(root: RootUse, fn: number): Pick<RequestAnswer, 'jobInterval'> {
    const jobInterval = root.root.kind === 'job' ? secondsBetweenJobs(this.#read.reach.rootsTo(fn).map((one) => one.root)) : 0;
    return jobInterval > 0 ? { jobInterval } : {};
  }

  /** That of the shortest path first. Functions with the same routes share one list. */
  #routesOf(root: RootUse, fn: number): readonly string[] {
    const roots = this.#read.reach.rootsTo(fn);
    const ofRoots = this.#read.routes.get(roots) ?? new Map<string | undefined, readonly string[]>();
    this.#read.routes.set(roots, ofRoots);
    const { route } = root.root;
    let routes = ofRoots.get(route);
    if (!routes) {
      routes = [...new Set([root, ...roots].flatMap((one) => one.root.route ?? []))].slice(0, MOST_ROUTES);
      ofRoots.set(route, routes);
    }
    return routes;
  }
}

/** Routes of connections. */
const CONNECTION = /^(?:WS|TCP) connection$/;
const LISTENING = /^(?:on|addListener|prependListener|addEventListener)$/;

/** A part of a route. */
const ADMINISTRATORS = /\/(?:(?:super|sys)?-?admins?|administration|administrators?)(?:\/|$)/i;

function read(project: Project, hops: HopTable, reach: Reach): Read {
  const places = new Places(project, reach);
  return {
    reach,
    places,
    heat: new Heat(project, reach, places),
    listed: undefined,
    starts: undefined,
    neverRun: undefined,
    rounds: new Rounds(project, reach, places, hops),
    parameterKinds: new ArgumentKinds(project, reach, places),
    calls: undefined,
    routes: new Map(),
    serving: undefined,
    administrators: new Map(),
  };
}

function bySiteFunction({ sites }: Project, of: Iterable<number>): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const site of of) {
    const fn = sites.fn[site] as number;
    const known = found.get(fn);
    if (known) known.push(site);
    else found.set(fn, [site]);
  }
  return found;
}
