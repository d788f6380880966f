// The answering thread's side of the project's index: what it knows of the open documents' functions, moved along with the edits until it
// says more.
import type { IndexState } from '../protocol/editor.ts';
import type { FoundCall } from '../analysis/profile/calls.ts';
import { answerAt, OTHER_FUNCTIONS, withPlaces, type FunctionLookup } from '../analysis/project/answers/function-answer.ts';
import type { Span } from '../protocol/finding.ts';
import type { ConvertOutcome } from './index-thread/convert-callers.ts';
import type { RunningIndex, ServerDeps } from './deps.ts';
import type { OpenDocument } from './documents/documents.ts';
import { IndexQuestions } from './shared/index-questions.ts';
import { moveSpan, type OffsetChange } from './shared/moved-findings.ts';
import type { IndexJob, IndexMessage, PathAnswer } from './shared/index-messages.ts';
import type { LintedFile } from './workers/lint-job.ts';
import type { ListedRoute, RouteAnswer } from './index-thread/route-answers.ts';

export interface IndexClientRequest {
  startIndex: ServerDeps['startIndex'];
  /** Has the client ask again for the diagnostics of all open documents. */
  refresh(): void;
  /** Findings of modules that are not open. */
  linted(files: readonly LintedFile[]): void;
  state(state: IndexState): void;
  /** Files have changed, and what is known of the project may be something else. */
  changed(): void;
  /** Has the client ask again for code lenses. */
  lenses(): void;
  /** Where another session has the index: `convert` of that one. */
  convert?(uri: string, span: Span, isChosen: boolean): Promise<ConvertOutcome | undefined>;
  /** The same for `callsOf`. */
  callsOf?(uri: string, offset: number): Promise<readonly FoundCall[] | null>;
  log(message: string): void;
}

interface Known {
  /** Of the text that was sent last. */
  sequence: number;
  /** Edits since it was sent, in order. */
  changes: OffsetChange[];
  answers: readonly PathAnswer[] | undefined;
  /**
   * Another function whenever it answers otherwise; the same one while only places move, for which the linter of an idle change asks
   * (`text-linter.ts`).
   */
  lookup: FunctionLookup | undefined;
  byStart: ReadonlyMap<number, PathAnswer['answer']>;
  /** Of the routes that the document registers. */
  routes: readonly RouteAnswer[];
  timer: NodeJS.Timeout | undefined;
  revision: number;
  /** How often the index has said something of it. */
  news: number;
  /** Settles with the first answer. */
  first: Promise<void>;
  resolveFirst(): void;
  /** When the oldest edit that was not sent came, in ms. */
  waitingSince: number | undefined;
}

/** Edits that come together are sent together, in ms: half of the time between two keystrokes at 200 words a minute is 30. */
const GATHER_MS = 40;
/** What people take for immediate when they open a file, in ms (RAIL's limit for a response is 100). */
const FIRST_WAIT_MS = 100;
/** But not later than this, in ms. */
const MOST_WAIT_MS = 250;
/** Who has just run a program for a minute waits for the verdicts, in ms. */
const MOST_READING_MS = 30_000;
/** An index that keeps dying is let go. */
const MOST_STARTS = 3;

export class IndexClient {
  readonly #request: IndexClientRequest;
  readonly #known = new Map<OpenDocument, Known>();
  readonly #conversions = new IndexQuestions<ConvertOutcome>();
  readonly #calls = new IndexQuestions<readonly FoundCall[]>();
  readonly #listed = new IndexQuestions<readonly ListedRoute[]>();
  readonly #pathQuestions = new IndexQuestions<ReadonlyMap<string, readonly PathAnswer[]>>();
  #index: RunningIndex | undefined;
  #job: (() => IndexJob) | undefined;
  #starts = 0;
  #revision = 0;
  #isBuilt = false;
  #isReporting = false;

  constructor(request: IndexClientRequest) {
    this.#request = request;
  }

  /** Another text whenever it has learned something of the document. */
  revisionOf(document: OpenDocument): string {
    return `${this.#revision}.${this.#known.get(document)?.revision ?? 0}`;
  }

  get isOn(): boolean {
    return this.#index !== undefined;
  }

  /** The routes that the document registers, with what is found on their paths. */
  routesOf(document: OpenDocument): readonly RouteAnswer[] {
    return this.#known.get(document)?.routes ?? [];
  }

  /** What the whole project knows of the document's functions; undefined until it does. */
  lookupFor(document: OpenDocument): FunctionLookup | undefined {
    return this.#known.get(document)?.lookup;
  }

  /**
   * The same for a text that the document does not have, such as one with a fix: its functions are known by their order, since no fix adds
   * one before another.
   */
  lookupByNumber(document: OpenDocument): FunctionLookup | undefined {
    const answers = this.#known.get(document)?.answers;
    return (
      answers &&
      ((_, { number }) => {
        const answerOf = (fn: number | undefined) => answers.find((one) => one.fn === fn)?.answer;
        return answerOf(number) ?? answerOf(OTHER_FUNCTIONS);
      })
    );
  }

  /** What another session needs to know of a document; `news` is another number whenever the index has said something of it. */
  knownOf(document: OpenDocument): Pick<Known, 'answers' | 'routes' | 'news'> | undefined {
    return this.#known.get(document);
  }

  /** What another session knows of a document's text. */
  told(document: OpenDocument, answers: readonly PathAnswer[] | undefined, routes: readonly RouteAnswer[]): void {
    this.#forget(document.path);
    const known = this.#knownOf(document);
    known.routes = routes;
    if (answers) this.#take(known, answers);
  }

  /** `documents`: those that are open. Both are asked again should the index die. */
  build(documents: () => readonly OpenDocument[], job: (documents: readonly OpenDocument[]) => IndexJob): void {
    this.#job = () => {
      const open = documents();
      for (const document of open) this.#sent(this.#knownOf(document), 0);
      return job(open);
    };
    this.#isBuilt = false;
    this.#index ??= this.#start();
    if (!this.#index) return;
    this.#request.state({ kind: 'building', done: 0, total: 0 });
    this.#index.post({ kind: 'build', job: this.#job() });
    if (this.#isReporting) this.#index.post({ kind: 'report', on: true });
  }

  /** Nothing is indexed any more: each file is taken for itself. */
  async stop(): Promise<void> {
    const index = this.#index;
    this.#index = undefined;
    this.#job = undefined;
    this.#forgetAll();
    this.#request.state({ kind: 'off' });
    await index?.stop();
  }

  /**
   * Waits a moment for what the project knows of a document that was just opened: otherwise its findings would be sent twice, in different
   * words. Not
   * while the project is still being read.
   */
  async firstAnswer(document: OpenDocument): Promise<void> {
    const known = this.#known.get(document);
    if (!known || known.answers || !this.#isBuilt) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      known.first,
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FIRST_WAIT_MS);
      }),
    ]);
    clearTimeout(timer);
    known.resolveFirst();
  }

  opened(document: OpenDocument): void {
    if (!this.#index || !isIndexed(document)) return;
    this.#send(document, this.#knownOf(document));
  }

  /** To be called before a change is applied. */
  changed(document: OpenDocument, change: OffsetChange): void {
    const known = this.#known.get(document);
    if (!known) return;
    known.changes.push(change);
    if (known.answers) this.#place(known, moved(known.answers, change));
    known.routes = movedRoutes(known.routes, change, document.path);
  }

  /** To be called when a change was applied. */
  edited(document: OpenDocument): void {
    if (!this.#index || !isIndexed(document)) return;
    const known = this.#knownOf(document);
    const now = performance.now();
    known.waitingSince ??= now;
    clearTimeout(known.timer);
    const wait = Math.min(GATHER_MS, Math.max(0, known.waitingSince + MOST_WAIT_MS - now));
    known.timer = setTimeout(() => this.#send(document, known), wait);
  }

  closed(document: OpenDocument): void {
    const known = this.#known.get(document);
    clearTimeout(known?.timer);
    known?.resolveFirst();
    if (!this.#known.delete(document) || !isIndexed(document)) return;
    this.#index?.post({ kind: 'close', path: document.path });
  }

  /** What can be done about the blocking call at a span, in the texts as they are now. Whoever has chosen it waits for the answer. */
  async convert(document: OpenDocument, span: Span, isChosen: boolean): Promise<ConvertOutcome | undefined> {
    const index = this.#index;
    if (this.#request.convert) return this.#request.convert(document.uri, span, isChosen);
    if (!index || !this.#isBuilt || !this.#known.has(document)) return undefined;
    for (const [open, known] of this.#known) if (known.waitingSince !== undefined) this.#send(open, known);
    return this.#conversions.ask(
      (id) => index.post({ kind: 'convert', id, path: document.path, span }),
      isChosen ? MOST_READING_MS : undefined,
    );
  }

  /**
   * How the project calls the function at an offset, by the texts as they are now; a project that is being read is waited for. Undefined
   * where that is not known.
   */
  async callsOf(document: OpenDocument, offset: number): Promise<readonly FoundCall[] | undefined> {
    const index = this.#index;
    if (this.#request.callsOf) return (await this.#request.callsOf(document.uri, offset)) ?? undefined;
    if (!index || !this.#known.has(document)) return undefined;
    for (const [open, known] of this.#known) if (known.waitingSince !== undefined) this.#send(open, known);
    return this.#calls.ask((id) => index.post({ kind: 'calls', id, path: document.path, offset }), MOST_READING_MS);
  }

  /**
   * What the whole project knows of the functions of some files, by their texts as they are now; a project that is being read is waited
   * for.
   */
  async lookupsFor(paths: readonly string[]): Promise<ReadonlyMap<string, FunctionLookup>> {
    const index = this.#index;
    if (!index) return new Map();
    for (const [open, known] of this.#known) if (known.waitingSince !== undefined) this.#send(open, known);
    const files = await this.#pathQuestions.ask((id) => index.post({ kind: 'ask', id, paths }), MOST_READING_MS);
    return new Map(
      [...(files ?? [])].map(([path, answers]) => {
        const byStart = new Map(answers.map(({ start, answer }) => [start, answer]));
        return [path, (_, { start }) => answerAt(byStart, start)];
      }),
    );
  }

  /** All routes of the project, which is waited for while it is being read; undefined where there is no index. */
  async listRoutes(): Promise<readonly ListedRoute[] | undefined> {
    const index = this.#index;
    return index && this.#listed.ask((id) => index.post({ kind: 'list', id }), MOST_READING_MS);
  }

  diskChanged(paths: readonly string[]): void {
    if (paths.length > 0) this.#index?.post({ kind: 'disk', paths });
  }

  /** Whether `linted` is called from now on. */
  report(on: boolean): void {
    if (this.#isReporting === on) return;
    this.#isReporting = on;
    this.#index?.post({ kind: 'report', on });
  }

  #start(): RunningIndex | undefined {
    const { startIndex, log } = this.#request;
    if (!startIndex || this.#starts >= MOST_STARTS) return undefined;
    this.#starts++;
    return startIndex(
      (message) => this.#listen(message),
      (error) => {
        log(`The project index ended: ${error.message}`);
        this.#index = undefined;
        this.#forgetAll();
        this.#request.refresh();
        const job = this.#job;
        this.#index = job && this.#start();
        if (!job || !this.#index) return this.#request.state({ kind: 'off' });
        this.#isBuilt = false;
        this.#index.post({ kind: 'build', job: job() });
        if (this.#isReporting) this.#index.post({ kind: 'report', on: true });
        return undefined;
      },
    );
  }

  #listen(message: IndexMessage): void {
    const { refresh, linted, state, log } = this.#request;
    switch (message.kind) {
      case 'progress':
        return state({ kind: 'building', done: message.done, total: message.total });
      case 'built':
        this.#starts = 0;
        this.#isBuilt = true;
        log(`${message.files} files of the project were read in ${Math.round(message.ms)} ms.`);
        state({ kind: 'built', files: message.files });
        return undefined;
      case 'paths':
        if (this.#learn(message.path, message.sequence, message.answers)) refresh();
        return undefined;
      case 'routes':
        if (this.#learnRoutes(message.path, message.sequence, message.routes)) this.#request.lenses();
        return undefined;
      case 'unknown':
        if (this.#forget(message.path)) refresh();
        return undefined;
      case 'converted':
        return this.#conversions.answer(message.id, message.outcome);
      case 'answered':
        return this.#pathQuestions.answer(message.id, new Map(message.files.map(({ path, answers }) => [path, answers])));
      case 'called':
        return this.#calls.answer(message.id, message.calls);
      case 'listed':
        return this.#listed.answer(message.id, message.routes);
      case 'changed':
        return this.#request.changed();
      case 'files':
        return linted(message.files);
      case 'log':
        return log(message.message);
    }
  }

  /** Whether a document's findings may be other ones now. */
  #learn(path: string, sequence: number, answers: readonly PathAnswer[]): boolean {
    for (const [document, known] of this.#known) {
      // What is about an older text is about to be answered again.
      if (document.path !== path || known.sequence !== sequence) continue;
      known.resolveFirst();
      const now = known.changes.reduce<readonly PathAnswer[]>(moved, answers);
      const isNews = JSON.stringify(now) !== JSON.stringify(known.answers);
      if (isNews) this.#take(known, now);
      return isNews;
    }
    return false;
  }

  #learnRoutes(path: string, sequence: number, routes: readonly RouteAnswer[]): boolean {
    for (const [document, known] of this.#known) {
      if (document.path !== path || known.sequence !== sequence) continue;
      const now = known.changes.reduce<readonly RouteAnswer[]>((list, change) => movedRoutes(list, change, path), routes);
      const isNews = JSON.stringify(now) !== JSON.stringify(known.routes);
      known.routes = now;
      known.news++;
      return isNews;
    }
    return false;
  }

  /** The file is taken for itself again. Whether its findings may be other ones now. */
  #forget(path: string): boolean {
    let isNews = false;
    for (const [document, known] of this.#known) {
      if (document.path !== path) continue;
      known.resolveFirst();
      isNews ||= known.lookup !== undefined;
      known.answers = undefined;
      known.lookup = undefined;
      known.routes = [];
      known.revision++;
      known.news++;
    }
    return isNews;
  }

  #take(known: Known, answers: readonly PathAnswer[]): void {
    this.#place(known, answers);
    known.lookup = (_, { start }) => answerAt(known.byStart, start);
    known.news++;
  }

  #place(known: Known, answers: readonly PathAnswer[]): void {
    known.answers = answers;
    known.byStart = new Map(answers.map(({ start, answer }) => [start, answer]));
    known.revision++;
  }

  #send(document: OpenDocument, known: Known): void {
    this.#sent(known, known.sequence + 1);
    this.#index?.post({ kind: 'edit', path: document.path, text: document.text.getText(), sequence: known.sequence });
  }

  #sent(known: Known, sequence: number): void {
    clearTimeout(known.timer);
    known.sequence = sequence;
    known.changes = [];
    known.waitingSince = undefined;
  }

  #knownOf(document: OpenDocument): Known {
    const before = this.#known.get(document);
    if (before) return before;
    let resolveFirst: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      resolveFirst = resolve;
    });
    const known: Known = {
      sequence: 0,
      changes: [],
      answers: undefined,
      lookup: undefined,
      byStart: new Map(),
      routes: [],
      timer: undefined,
      revision: 0,
      news: 0,
      waitingSince: undefined,
      first,
      resolveFirst,
    };
    this.#known.set(document, known);
    return known;
  }

  #forgetAll(): void {
    for (const known of this.#known.values()) {
      clearTimeout(known.timer);
      known.resolveFirst();
    }
    this.#known.clear();
    this.#conversions.giveUp();
    this.#pathQuestions.giveUp();
    this.#calls.giveUp();
    this.#listed.giveUp();
    this.#revision++;
  }
}

export function isIndexed({ onDisk, isScript }: OpenDocument): boolean {
  return onDisk && isScript;
}

/** The function, and the places of its answer that are in the same file. */
function moved(answers: readonly PathAnswer[], change: OffsetChange): PathAnswer[] {
  return answers.flatMap(({ fn, start, answer }) => {
    const at = moveSpan({ start, end: start + 1 }, change);
    const movedAnswer = withPlaces(answer, (place) => {
      if (place.file !== undefined) return place;
      const span = moveSpan(place.span, change);
      return span && { ...place, span };
    });
    return at ? [{ fn, start: at.start, answer: movedAnswer }] : [];
  });
}

/** The places of registrations and handlers; where findings are is sent anew soon. */
function movedRoutes(routes: readonly RouteAnswer[], change: OffsetChange, path: string): RouteAnswer[] {
  const startOf = (start: number): number | undefined => moveSpan({ start, end: start + 1 }, change)?.start;
  return routes.flatMap((one) => {
    const start = startOf(one.start);
    const handlers = one.handlers.map((handler) =>
      handler.file === path ? { ...handler, start: startOf(handler.start) ?? handler.start } : handler,
    );
    return start === undefined ? [] : [{ ...one, start, handlers }];
  });
}
