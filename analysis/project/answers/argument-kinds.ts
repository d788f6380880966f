// The kinds of values that calls in several files pass to a function, if they differ.
import type { Related } from '../../../protocol/finding.ts';
import { MOST_ARGUMENTS } from '../../facts/argument-kinds.ts';
import type { ParameterKinds, ArgumentKind } from './function-answer.ts';
import { EdgeKind } from '../calls/call-edges.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import type { Places } from './places.ts';
import type { Reach } from '../routes/request-reach.ts';
import { FunctionFlag, ArgumentFlag, ArgumentsField, KindCode, ObjectKind, SITE_STRIDE, SiteField, SiteFlag } from '../summary/format.ts';
import type { CallRecord } from '../points-to/tasks.ts';

/** The arguments of one call of a function. */
interface Feed {
  site: number;
  flags: number;
  /** By argument. Arguments that the call leaves out have no entry. */
  kinds: readonly number[];
}

/** How many callers up a loop still makes a call hot. Further up, nobody would connect the loop with the function. */
const MOST_CALLERS = 3;
// A message names at most this many keys.
const KEYS_SHOWN = 5;
/** A limit for widely used helpers, which may have thousands of callers. */
const MOST_LOOKED_AT = 2_000;
/** Codes of instances start above all codes of a summary. */
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

  /** By parameter, if any parameter gets several kinds. `ownFile`: number of the function's file. */
  kindsOf(fn: number, ownFile: number): readonly ParameterKinds[] {
    const { feeds, isSure } = this.#feedsOf(fn);
    // Calls in the function's own file are judged by the analysis of that file.
    if (feeds.length < 2 || feeds.every(({ site }) => this.#places.siteOf(site).file === ownFile)) return [];
    const count = this.#linked.solver.functions.parameterCountOf(fn);
    const byParameter = Array.from({ length: count }, (_, parameter) => this.#byCode(feeds, parameter));
    // Something to report only if some parameter gets several kinds. Then the others count too: an addition depends on what is added.
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
        isInLightLoop: of.some(({ flags }) => (flags & ArgumentFlag.Light) !== 0),
        place: this.#placeOf(shown, ownFile),
      };
    });
  }

  #placeOf({ site }: Feed, ownFile: number): Related {
    const { file, start, end } = this.#places.siteOf(site);
    return this.#places.place(ownFile, file, start, end, '');
  }

  /** The kind of an argument. An instance is identified by its class. */
  #codeOf({ site, kinds }: Feed, parameter: number): number {
    // A summary lists only the first arguments of a call.
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

  /** Whether the function around a call, or one of its callers, is called in a loop. */
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

  /** Whether the function is also passed as a value, so that other calls may run it. */
  #isPassedOn(fn: number): boolean {
    for (const { edge } of this.#reach.callersOf(fn)) if (this.#reach.edges.via[edge] === EdgeKind.Callback) return true;
    return false;
  }

  /** The arguments of each call, and whether all calls are known. */
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
      // A call that never runs in a working program tells nothing.
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
    const first = at + ArgumentsField.FirstKind;
    const kinds = argumentKinds
      .slice(first, first + (argumentKinds[at + ArgumentsField.Count] as number))
      .map((code) => (code < KindCode.Keys ? code : KindCode.Keys + (names[code - KindCode.Keys] as number)));
    return { site, flags: argumentKinds[at + ArgumentsField.Flags] as number, kinds };
  }
}
