// The requests of this window's loads: what was typed last for a route, and where what was suggested came from.
import type { LoadExample } from '../../protocol/editor.ts';
import type { RequestOrigin } from '../../protocol/load.ts';

/** What the user is asked to confirm or to change. */
export interface SuggestedRequest {
  request: string;
  /** Undefined for what the user typed before. */
  origin?: RequestOrigin;
}

const DEFAULT_REQUEST = 'GET /';

export class KnownRequests {
  /** By route. */
  readonly #typed = new Map<string, string>();
  /** By program and request. */
  readonly #origins = new Map<string, RequestOrigin>();

  /** @param route what the route is known by; empty without one */
  suggestionFor(route: string, example: LoadExample | undefined): SuggestedRequest {
    const request = this.#typed.get(route) ?? example?.request ?? DEFAULT_REQUEST;
    return { request, ...(example?.request === request && { origin: example.origin }) };
  }

  /** What the user made of a suggestion, with the origin that it still has. */
  typed(route: string, suggested: SuggestedRequest, text: string): SuggestedRequest {
    const request = text.trim();
    this.#typed.set(route, request);
    return { request, ...(suggested.origin && suggested.request === request && { origin: suggested.origin }) };
  }

  /** For the same program and the same request, measured again. */
  keep(program: string, { request, origin }: SuggestedRequest): void {
    const key = `${program} ${request}`;
    if (origin) this.#origins.set(key, origin);
    else this.#origins.delete(key);
  }

  originOf(program: string, request: string): RequestOrigin | undefined {
    return this.#origins.get(`${program} ${request}`);
  }
}
