// How much of what ran in production is in a function or behind a route. It orders findings, and judges none of them.
import { startOf } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { FoundFunction } from '../../analysis/profile/functions.ts';
import type { Finding, Span } from '../../protocol/finding.ts';
import type { KeptFunction, KeptRoute, Production, ProductionSource } from '../../protocol/production.ts';
import { count } from '../count.ts';
import { EDITOR_LIMIT_MS, limitFor, TookTooLong, withinTime } from '../time-limit.ts';
import { ParsedText } from './parsed-text.ts';
import type { ProductionOfFile } from './production-store.ts';

/** What is known of the functions of one text. */
export class FileProduction {
  readonly #known: ProductionOfFile;
  readonly #limit: number;
  readonly #text: ParsedText | undefined;
  readonly #kept = new Map<FoundFunction, KeptFunction>();
  #byFunction: Map<FoundFunction, Production> | undefined;
  #changed = 0;

  private constructor(known: ProductionOfFile, text: ParsedText | undefined, limit: number) {
    this.#limit = limit;
    this.#known = known;
    this.#text = text;
  }

  /** @param limit how long the text may take, in ms */
  static of(known: ProductionOfFile, file: string, text: string, limit?: number): FileProduction {
    return new FileProduction(known, known.functions.length > 0 ? ParsedText.of(file, text, limit) : undefined, limit ?? limitFor(text));
  }

  static ofFacts(known: ProductionOfFile, facts: Facts, functions: readonly FoundFunction[]): FileProduction {
    return new FileProduction(known, known.functions.length > 0 ? ParsedText.ofFacts(facts, functions) : undefined, EDITOR_LIMIT_MS);
  }

  /** Functions by what is known of them; only those that were recorded. */
  get functions(): ReadonlyMap<FoundFunction, Production> {
    return (this.#byFunction ??= this.#matchInTime());
  }

  /** How many functions were imported, and are another text by now. */
  get changed(): number {
    if (!this.#text) return this.#known.functions.length;
    this.#byFunction ??= this.#matchInTime();
    return this.#changed;
  }

  /** What was imported of the innermost function around a place. */
  keptAround(span: Span): KeptFunction | undefined {
    const around = this.functions.size > 0 ? this.#around(span) : undefined;
    return around && this.#kept.get(around);
  }

  /** The function whose head an offset is in. */
  atHead(offset: number): { head: Span; production: Production } | undefined {
    const found = this.#text?.withHeadAt(offset);
    const production = found && this.functions.get(found);
    return found && production && { head: { start: found.span.start, end: startOf(found.fn.body ?? found.fn) }, production };
  }

  /** Of the innermost function around the finding, and of its routes. Undefined where nothing is known. */
  ofFinding(finding: Pick<Finding, 'span' | 'route' | 'routes'>): Production | undefined {
    const around = this.#around(finding.span);
    const own = around && this.functions.get(around);
    const requests = requestsOf(this.#known.sources, routesOf(finding));
    return own || requests ? { ...own, ...(requests ? { requests } : {}) } : undefined;
  }

  #around({ start, end }: Span): FoundFunction | undefined {
    return this.#text?.functions.findLast(({ span }) => span.start <= start && end <= span.end);
  }

  /** A file that somebody wrote by hand may name any function of a text that has many. */
  #matchInTime(): Map<FoundFunction, Production> {
    try {
      return withinTime(() => this.#match(), this.#limit);
    } catch (error) {
      if (error instanceof TookTooLong) return new Map();
      throw error;
    }
  }

  #match(): Map<FoundFunction, Production> {
    const found = new Map<FoundFunction, Production>();
    const text = this.#text;
    if (!text) return found;
    // The newest source comes first, and its figures stay.
    for (const { source, kept } of this.#known.functions) {
      const fn = nearest(text, kept);
      if (!fn) {
        this.#changed++;
        continue;
      }
      found.set(fn, { ...productionOf(source, kept), ...found.get(fn) });
      if (!this.#kept.has(fn)) this.#kept.set(fn, kept);
    }
    return found;
  }
}

/** Functions of a text with the same text. */
const MOST_VISITS = 1000;

function nearest(text: ParsedText, { hash, line, function: name }: KeptFunction): FoundFunction | undefined {
  let best: { fn: FoundFunction; distance: number } | undefined;
  for (const fn of text.withHash(hash, name).slice(0, MOST_VISITS)) {
    const distance = Math.abs(text.lineOf(fn) - line);
    if (!best || distance < best.distance) best = { fn, distance };
  }
  return best?.fn;
}

function productionOf({ name, date, total }: ProductionSource, kept: KeptFunction): Production {
  const where = { source: name, date };
  return {
    ...(kept.total !== undefined && total > 0
      ? { samples: { share: Math.min(1, kept.total / total), self: Math.min(1, (kept.self ?? 0) / total), ...where } }
      : {}),
    ...(kept.calls !== undefined ? { calls: { count: kept.calls, ...where } } : {}),
  };
}

export function routesOf({ route, routes }: Pick<Finding, 'route' | 'routes'>): readonly string[] {
  return routes ?? (route === undefined ? [] : [route]);
}

/** Of the newest source that knows one of the routes. */
export function requestsOf(sources: readonly ProductionSource[], routes: readonly string[]): Production['requests'] {
  if (routes.length === 0) return undefined;
  for (const { name, date, total, routes: recorded } of sources) {
    const own = recorded.filter((one) => isRouteOf(one, routes));
    const requests = own.reduce((sum, one) => sum + one.requests, 0);
    if (own.length > 0 && total > 0) return { share: Math.min(1, requests / total), count: requests, source: name, date };
  }
  return undefined;
}

/** Names that frameworks have for every method. */
const ANY_METHOD: ReadonlySet<string> = new Set(['ALL', 'ANY', 'USE', '*', '']);

/** Whether what was recorded is one of the routes, such as `GET /users/:id`. */
export function isRouteOf({ method, route }: KeptRoute, routes: readonly string[]): boolean {
  const path = pathPattern(route);
  return routes.some((one) => {
    const space = one.indexOf(' ');
    const own = one.slice(0, Math.max(0, space)).toUpperCase();
    return (own === method || ANY_METHOD.has(own)) && pathPattern(one.slice(space + 1)) === path;
  });
}

/** `/users/:id`, `/users/{userId}`, and `/users/[id]/` are the same path. */
export function pathPattern(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return `/${parts.map((part) => (/^(?::|\{|\[)/.test(part) ? ':' : part)).join('/')}`;
}

/**
 * What findings are ordered by: their share of the samples times that of the requests. Where only one of the two is known, it alone counts;
 * undefined where none is.
 */
export function rankOf(production: Production | undefined): number | undefined {
  const { samples, requests } = production ?? {};
  if (!samples && !requests) return undefined;
  return (samples?.share ?? 1) * (requests?.share ?? 1);
}

/** The most first; what was not recorded comes last, in the order that it has. */
export function byProduction(a: Production | undefined, b: Production | undefined): number {
  return (rankOf(b) ?? -1) - (rankOf(a) ?? -1) || (b?.calls?.count ?? 0) - (a?.calls?.count ?? 0);
}

// ---- words

/** `4 % of samples in production, 21 November`. @param now in ms since 1970: the year is told where it is another one */
export function describeProduction({ samples, calls, requests }: Production, now: number): string {
  const parts = [
    samples && { text: `${percent(samples.share)} of samples`, date: samples.date },
    requests && { text: `${percent(requests.share)} of requests`, date: requests.date },
    calls && { text: count(calls.count, 'call'), date: calls.date },
  ].filter((part) => part !== undefined);
  const dates = [...new Set(parts.map(({ date }) => dayOf(date, now)))];
  return dates
    .map((day) => {
      const texts = parts.filter(({ date }) => dayOf(date, now) === day).map(({ text }) => text);
      return `${texts.length > 2 ? `${texts.slice(0, -1).join(', ')}, and ${texts.at(-1)}` : texts.join(' and ')} in production, ${day}`;
    })
    .join('; ');
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** `21 November`, `21 November 2025`. Of UTC, so that everybody reads the same day. */
export function dayOf(date: string, now: number): string {
  const at = new Date(date);
  const year = at.getUTCFullYear() === new Date(now).getUTCFullYear() ? '' : ` ${at.getUTCFullYear()}`;
  return Number.isNaN(at.getTime()) ? 'unknown date' : `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}${year}`;
}

/** `41 %`, `4 %`, `0.3 %`. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return 'less than 0.1 %';
  return `${value < 1 ? Number(value.toFixed(1)) : Math.round(value)} %`;
}
