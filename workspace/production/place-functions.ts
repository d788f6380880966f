// What was recorded, found again in the project: by the text of each function. What is not found is counted, and never guessed.
import { relative, sep } from 'node:path';
import { MOST_BYTES, textOfFile } from '../../files/read-text-file.ts';
import { findBuild, type Build } from '../../profiler/parse/built-files.ts';
import { SourceMaps } from '../../profiler/parse/source-maps.ts';
import type { KeptFunction } from '../../protocol/production.ts';
import type { FoundFunction } from '../../analysis/profile/functions.ts';
import type { CommitTexts } from './commit-texts.ts';
import { ParsedText } from './parsed-text.ts';
import type { ProjectPaths } from './project-paths.ts';
import type { Recorded, RecordedFunction } from './recorded.ts';
import { insideOf } from '../../files/inside.ts';

/** Why a function of the recording is not one of the project's: as a person is told. */
export const LEFT_OVER = {
  changed: 'the code has changed since, or another version ran',
  outdated: 'the source map is older than the source; build again, or use --commit',
  gone: 'the file cannot be read or parsed',
  ambiguous: 'several files or functions match',
  unknown: 'no such file in the project; to say where it is, use --path-prefix',
  outside: 'code of files, outside of functions',
  uncommitted: 'the file is not in the commit',
  compiler: 'added by V8 or a compiler',
  beyond: 'left out, because others are hotter',
  wasm: 'WebAssembly',
} as const;
export type Leftover = keyof typeof LEFT_OVER;

export interface Placed {
  functions: KeptFunction[];
  /** Functions, and their own samples or calls, by why they were not placed. */
  left: ReadonlyMap<Leftover, { functions: number; self: number; examples: readonly string[] }>;
  packages: ReadonlyMap<string, number>;
  /** Own samples of Node, V8, and the garbage collector. */
  core: number;
  /** Files that match equally well, for the first paths of which that is so. */
  ambiguous: ReadonlyMap<string, readonly string[]>;
}

export interface PlacingRequest {
  recorded: Recorded;
  /** The project's folder. */
  root: string;
  paths: ProjectPaths;
  commit?: CommitTexts;
  breathe(): Promise<void>;
}

/** Functions that are looked for, the hottest first. */
const MOST_LOOKED_FOR = 20_000;
const MOST_KEPT = 2000;
const MOST_EXAMPLES = 3;
const MOST_SHOWN = 200;

export async function placeFunctions(request: PlacingRequest): Promise<Placed> {
  const placing = new Placing(request);
  const { functions } = request.recorded;
  const ordered = [...functions].sort((a, b) => b.total - a.total || b.self - a.self || b.calls - a.calls);
  let looked = 0;
  for (const one of ordered) {
    await request.breathe();
    if (await placing.add(one, looked < MOST_LOOKED_FOR)) looked++;
  }
  return placing.placed();
}

type Outcome = { file: string; found: FoundFunction; now: ParsedText } | Leftover;

class Placing {
  readonly #request: PlacingRequest;
  readonly #kept = new Map<string, KeptFunction>();
  readonly #left = new Map<Leftover, { functions: number; self: number; examples: string[] }>();
  readonly #packages = new Map<string, number>();
  readonly #ambiguous = new Map<string, readonly string[]>();
  readonly #now = new Map<string, ParsedText | undefined>();
  readonly #then = new Map<string, ParsedText | undefined>();
  readonly #builds = new Map<string, { build: Build; maps: SourceMaps } | undefined>();
  #core = 0;

  constructor(request: PlacingRequest) {
    this.#request = request;
  }

  /** To be asked for once. */
  placed(): Placed {
    const sorted = [...this.#kept.values()].sort((a, b) => (b.total ?? 0) - (a.total ?? 0) || (b.calls ?? 0) - (a.calls ?? 0));
    const functions = sorted.slice(0, MOST_KEPT);
    for (const { function: name, file: url, self = 0, calls = 0 } of sorted.slice(MOST_KEPT))
      this.#leave('beyond', { name, url, self, calls });
    return { functions, left: this.#left, packages: this.#packages, core: this.#core, ambiguous: this.#ambiguous };
  }

  /** Whether it was one of the user's functions. */
  async add(recorded: RecordedFunction, isLookedFor: boolean): Promise<boolean> {
    const { self, calls, url } = recorded;
    const path = this.#request.paths.find(url);
    switch (path.kind) {
      case 'core':
        this.#core += self;
        return false;
      case 'package':
        this.#packages.set(path.name, (this.#packages.get(path.name) ?? 0) + (self || calls));
        return false;
      case 'unknown':
        this.#leave(url.startsWith('wasm:') ? 'wasm' : 'unknown', recorded);
        return false;
      case 'ambiguous':
        if (this.#ambiguous.size < MOST_EXAMPLES) this.#ambiguous.set(shortened(url), path.files);
        this.#leave('ambiguous', recorded);
        return false;
    }
    const outcome = isLookedFor ? await this.#outcomeOf(path.file, recorded) : 'beyond';
    if (typeof outcome === 'string') this.#leave(outcome, recorded);
    else this.#keep(outcome, recorded);
    return true;
  }

  async #outcomeOf(file: string, recorded: RecordedFunction): Promise<Outcome> {
    const { place, range, name } = recorded;
    // `<instance_members_initializer>`
    if (/^<\w+>$/.test(name)) return 'compiler';
    if (name === '' && ((place?.line === 1 && place.column === 1) || range?.start === 0)) return 'outside';
    const built = this.#buildOf(file);
    if (built) return this.#outcomeOfBuilt(file, recorded, built);
    const then = await this.#textThen(file);
    if (typeof then !== 'object') return then ?? 'gone';
    const found = then.find(recorded);
    if (found === 'ambiguous') return 'ambiguous';
    if (found) return this.#outcomeNow(file, then, found);
    // Without columns, the code of a file is a function without a name on its first line.
    if (name === '' && place?.line === 1 && place.column === 0) return 'outside';
    // Of a function without a name, pprof may tell where samples were, and not where it starts.
    return name === '' && this.#request.recorded.kind === 'pprof' ? 'ambiguous' : 'changed';
  }

  /** The function of the built file that ran must be there, too: otherwise it was another build. */
  async #outcomeOfBuilt(file: string, recorded: RecordedFunction, { build, maps }: { build: Build; maps: SourceMaps }): Promise<Outcome> {
    const compiled = this.#parsedNow(file);
    if (!compiled) return 'gone';
    const found = compiled.find(recorded);
    if (found === 'ambiguous') return 'ambiguous';
    if (!found) return 'changed';
    // The map knows names and heads better than the beginning of `async` or `static`.
    const starts = [found.span.start, found.fn.body?.start ?? found.span.start];
    const head =
      recorded.place && recorded.place.column > 0 ? [recorded.place] : starts.map((offset) => compiled.source.positionAt(offset));
    for (const place of head) {
      const source = maps.toSource({ file, ...place });
      if (!source) continue;
      const index = (build.compiled.sources ?? []).indexOf(source.file);
      const content = build.contents[index];
      // Without its own copy of the source, a map that is older says nothing of the lines of today.
      const then =
        content === undefined ? await this.#textThen(source.file) : this.#parsedThen(`${file}\n${source.file}`, source.file, content);
      if (content === undefined && build.changed.includes(source.file) && !this.#request.commit) return 'outdated';
      if (typeof then !== 'object') return then ?? 'gone';
      const origin = then.withHeadAt(then.source.offsetAt(source));
      if (origin) return this.#outcomeNow(source.file, then, origin);
    }
    return 'compiler';
  }

  /** The function with the same text now, in whichever place of the file it is; of several, the one that is as far down as it was. */
  #outcomeNow(fileThen: string, then: ParsedText, found: FoundFunction): Outcome {
    const file = this.#request.commit?.nameNow(fileThen) ?? fileThen;
    const now = this.#parsedNow(file);
    if (!now) return 'gone';
    const hash = then.hashOf(found);
    const name = found.name ?? '';
    const before = then.withHash(hash, name);
    const after = now.withHash(hash, name);
    if (after.length === 0) return 'changed';
    if (after.length !== before.length) return 'ambiguous';
    const same = after[before.indexOf(found)];
    return same ? { file, found: same, now } : 'changed';
  }

  #keep({ file, found, now }: Exclude<Outcome, string>, { total, self, calls }: RecordedFunction): void {
    const line = now.lineOf(found);
    const name = relative(this.#request.root, file).split(sep).join('/');
    const key = `${name}\n${found.span.start}`;
    const known = this.#kept.get(key);
    const isOfTime = total > 0 || self > 0;
    this.#kept.set(key, {
      file: name,
      function: found.name ?? '',
      line,
      hash: now.hashOf(found),
      // Two functions of a built file may come from one: what was on both stacks would count twice, so that this is an upper limit.
      ...(isOfTime || known?.total !== undefined
        ? { total: Math.min((known?.total ?? 0) + total, this.#request.recorded.total), self: (known?.self ?? 0) + self }
        : {}),
      ...(calls > 0 || known?.calls !== undefined ? { calls: (known?.calls ?? 0) + calls } : {}),
    });
  }

  #leave(why: Leftover, { name, url, self, calls }: Pick<RecordedFunction, 'name' | 'url' | 'self' | 'calls'>): void {
    const entry = this.#left.get(why) ?? { functions: 0, self: 0, examples: [] };
    entry.functions++;
    entry.self += self || calls;
    if (entry.examples.length < MOST_EXAMPLES) entry.examples.push(`${shortened(name) || '(anonymous)'} in ${shortened(url)}`);
    this.#left.set(why, entry);
  }

  #buildOf(file: string): { build: Build; maps: SourceMaps } | undefined {
    if (!this.#builds.has(file)) {
      const text = textOfFile(file, MOST_BYTES.namedSource);
      const build = text === undefined ? undefined : findBuild(file, text, (source) => this.#isOwn(source));
      const maps = build && new SourceMaps([build.compiled], (source) => textOfFile(source, MOST_BYTES.namedSource));
      this.#builds.set(file, build && maps && !maps.isEmpty ? { build, maps } : undefined);
    }
    return this.#builds.get(file);
  }

  #isOwn(source: string): boolean {
    const inside = insideOf(this.#request.root, source);
    return inside !== undefined && !inside.split(sep).includes('node_modules');
  }

  #parsedNow(file: string): ParsedText | undefined {
    if (!this.#now.has(file)) {
      const text = textOfFile(file, MOST_BYTES.namedSource);
      this.#now.set(file, text === undefined ? undefined : ParsedText.of(file, text));
    }
    return this.#now.get(file);
  }

  /** As it ran: in the commit, or as it is now. */
  async #textThen(file: string): Promise<ParsedText | 'uncommitted' | undefined> {
    const { commit } = this.#request;
    if (!commit) return this.#parsedNow(file);
    const text = await commit.textOf(file);
    return text === undefined ? 'uncommitted' : this.#parsedThen(file, file, text);
  }

  #parsedThen(key: string, file: string, text: string): ParsedText | undefined {
    if (!this.#then.has(key)) this.#then.set(key, ParsedText.of(file, text));
    return this.#then.get(key);
  }
}

/** Names of a recording may be of any length. */
function shortened(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
}
