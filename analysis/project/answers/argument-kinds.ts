// The kinds of values that a function is handed by all calls of the project, where several files' calls pass several kinds.
import type { Related } from '../../../protocol/finding.ts';
import { MOST_ARGUMENTS } from '../../facts/argument-kinds.ts';
import type { ParameterKinds, ArgumentKind } from './function-answer.ts';
import { EdgeKind } from '../calls/call-edges.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import type { Places } from './places.ts';
import type { Reach } from '../routes/request-reach.ts';
import { FunctionFlag, ArgumentFlag, KindCode, ObjectKind, SITE_STRIDE, SiteField, SiteFlag } from '../summary/format.ts';
import type { CallRecord } from '../points-to/tasks.ts';

/** One call of a function. */
interface Feed {
  site: number;
  flags: number;
  /** By argument; missing ones were left out. */
  kinds: readonly number[];
}

/** What calls hand over is hot through so many callers of theirs; further up nobody connects the loop with the function. */
const MOST_CALLERS = 3;
// More keys than this are not read in a message.
const KEYS_SHOWN = 5;
/** What thousands of places call is a helper of everybody's: so many callers are looked at. */
const MOST_LOOKED_AT = 2_000;
/** Instances: above all codes that a summary can have. */
const FIRST_INSTANCE = 2 ** 31;

const LABELS: Readonly<Record<number, string>> = {
  [KindCode.Number]: 'a number',
  [KindCode.String]: 'a string',
  [KindCode.Boolean]: 'a boolean',
  [KindCode.Bigint]: 'a bigint',
  [KindCode.Date]: 'a Date',
};

export class ArgumentKinds {
  readonly #linked: LinkedProject;
  readonly #reach: Reach;
  readonly #places: Places;

  constructor(linked: LinkedProject, reach: Reach, places: Places) {
    this.#linked = linked;
    this.#reach = reach;
    this.#places = places;
  }

  /** By parameter, of those that get several kinds. `ownFile`: number of the function's file. */
  kindsOf(fn: number, ownFile: number): readonly ParameterKinds[] {
    const { feeds, isSure } = this.#feedsOf(fn);
    // What one file hands over is that file's own to judge.
    if (feeds.length < 2 || feeds.every(({ site }) => this.#places.siteOf(site).file === ownFile)) return [];
    const count = this.#linked.solver.functions.parameterCountOf(fn);
    const byParameter = Array.from({ length: count }, (_, parameter) => this.#byCode(feeds, parameter));
    // One kind each is what everybody expects; which other parameters are texts matters where something is added to them.
    if (byParameter.every((codes) => codes.size < 2)) return [];
    const isWhole = isSure && !this.#isPassedOn(fn);
    return byParameter.flatMap((codes, parameter) => {
      if (codes.size === 0) return [];
      return [
        {
          parameter,
          isCertain: isWhole && feeds.every((feed) => this.#codeOf(feed, parameter) !== KindCode.Unknown),
          kinds: this.#kindsOf(codes, ownFile),
        },
      ];
    });
  }

  #byCode(feeds: readonly Feed[], parameter: number): ReadonlyMap<number, readonly Feed[]> {
    const byCode = new Map<number, Feed[]>();
    for (const feed of feeds) {
      const code = this.#codeOf(feed, parameter);
      if (code === KindCode.Unknown || code === KindCode.Absent || code === KindCode.Other) continue;
      const known = byCode.get(code);
      if (known) known.push(feed);
      else byCode.set(code, [feed]);
    }
    return byCode;
  }

  #kindsOf(byCode: ReadonlyMap<number, readonly Feed[]>, ownFile: number): ArgumentKind[] {
    return [...byCode].map(([code, of]): ArgumentKind => {
      const shown = of.find(({ flags }) => (flags & ArgumentFlag.Hot) !== 0) ?? (of[0] as Feed);
      const isOwn = of.some(({ flags }) => (flags & ArgumentFlag.Hot) !== 0);
      return {
        label: this.#labelOf(code),
        isShape: code >= KindCode.Keys,
        calls: of.length,
        heat: isOwn ? 'own' : of.some(({ site }) => this.#isHotByCallers(site)) ? 'callers' : 'cold',
        isBesideLoop: of.some(({ flags }) => (flags & ArgumentFlag.Light) !== 0),
        place: this.#placeOf(shown, ownFile),
      };
    });
  }

  #placeOf({ site }: Feed, ownFile: number): Related {
    const { file, start, end } = this.#places.siteOf(site);
    return this.#places.place(ownFile, file, start, end, '');
  }

  /** An argument's kind; an instance is identified by its class. */
  #codeOf({ site, kinds }: Feed, parameter: number): number {
    // Of so many arguments the last ones are left out.
    const code = kinds[parameter] ?? (kinds.length < MOST_ARGUMENTS ? KindCode.Absent : KindCode.Unknown);
    if (code !== KindCode.Instance) return code;
    const { solver } = this.#linked;
    const node = this.#argumentAt(site, parameter);
    const objects = node === undefined ? [] : solver.objectsIn(node);
    const [only] = objects;
    return only !== undefined && objects.length === 1 && solver.kinds[only] === ObjectKind.Instance
      ? FIRST_INSTANCE + only
      : KindCode.Unknown;
  }

  #argumentAt(site: number, index: number): number | undefined {
    const call = this.#linked.solver.calls[this.#linked.sites.call[site] as number];
    const node = call?.args[index];
    return node === undefined || node <= 0 ? undefined : node;
  }

  #labelOf(code: number): string {
    if (code >= FIRST_INSTANCE) {
      const { solver, numbering } = this.#linked;
      const link = solver.counterpart[code - FIRST_INSTANCE] as number;
      const name = link >= 0 ? numbering.names[solver.objectName[link] as number] : undefined;
      return name === undefined ? 'an instance' : `${/^[AEIOU]/i.test(name) ? 'an' : 'a'} \`${name}\``;
    }
    if (code < KindCode.Keys) return LABELS[code] ?? '';
    const keys = (this.#linked.numbering.names[code - KindCode.Keys] ?? '').split(', ');
    return `\`{ ${keys.slice(0, KEYS_SHOWN).join(', ')}${keys.length > KEYS_SHOWN ? ', …' : ''} }\``;
  }

  /** Whether the function around a call is called in a loop, or by such a function. */
  #isHotByCallers(site: number): boolean {
    const own = this.#functionAround(site);
    const seen = new Set([own]);
    let level = own < 0 ? [] : [own];
    for (let depth = 0; depth < MOST_CALLERS && level.length > 0; depth++) {
      const next: number[] = [];
      for (const fn of level) {
        for (const { caller, edge } of this.#reach.callersOf(fn)) {
          if (seen.size > MOST_LOOKED_AT) return false;
          if (((this.#reach.edges.flags[edge] as number) & (SiteFlag.Repeated | SiteFlag.Iterates)) !== 0) return true;
          if (seen.has(caller)) continue;
          seen.add(caller);
          next.push(caller);
        }
      }
      level = next;
    }
    return false;
  }

  #functionAround(site: number): number {
    const { files } = this.#linked.numbering;
    const base = files[this.#places.siteOf(site).file];
    const local = base?.summary.sites[(site - base.site) * SITE_STRIDE + SiteField.Function] ?? -1;
    return local < 0 ? -1 : local + (base?.fn ?? 0);
  }

  /** Whether something else than these calls may call it: it was passed as a value. */
  #isPassedOn(fn: number): boolean {
    for (const { edge } of this.#reach.callersOf(fn)) if (this.#reach.edges.via[edge] === EdgeKind.Callback) return true;
    return false;
  }

  /** What its calls hand to a function, and whether something is known of all of them. */
  #feedsOf(fn: number): { feeds: readonly Feed[]; isSure: boolean } {
    const {
      solver,
      callers: { first, calls },
    } = this.#linked;
    const feeds: Feed[] = [];
    let isSure = true;
    if ((solver.functions.flagsOf(fn) & FunctionFlag.Rest) !== 0) return { feeds, isSure };
    for (let k = first[fn] as number; k < (first[fn + 1] as number); k++) {
      const { site, flags, isExternal, targets } = solver.calls[calls[k] as number] as CallRecord;
      const feed = (flags & SiteFlag.FlowOnly) === 0 ? this.#feedAt(site) : undefined;
      // A call that never runs in a program that works says nothing.
      if (feed && (feed.flags & ArgumentFlag.Never) !== 0) continue;
      if (feed && !isExternal && targets.length === 1) feeds.push(feed);
      else isSure = false;
    }
    return { feeds, isSure };
  }

  #feedAt(site: number): Feed | undefined {
    const {
      sites,
      numbering: { files },
    } = this.#linked;
    const at = sites.argumentKinds[site] as number;
    if (at < 0) return undefined;
    const {
      summary: { argumentKinds },
      names,
    } = files[this.#places.siteOf(site).file] as LinkedProject['numbering']['files'][number];
    const kinds = argumentKinds
      .slice(at + 3, at + 3 + (argumentKinds[at + 2] as number))
      .map((code) => (code < KindCode.Keys ? code : KindCode.Keys + (names[code - KindCode.Keys] as number)));
    return { site, flags: argumentKinds[at + 1] as number, kinds };
  }
}
