// What the whole project knows of one function, beyond what its own file shows. Plain data: it is cached, and sent between threads.
import type { Related } from '../../protocol/finding.ts';
import type { RootKind } from './summary.ts';

export interface RequestAnswer {
  /** `GET /users/:id`, when it is known. */
  route?: string;
  kind: RootKind;
  /** Every way there is behind a cache that the first request fills. */
  isOnce: boolean;
  /** The registration, then every call on the way; a place's `file` is absent where it is the asked file itself. */
  related: readonly Related[];
  /** All routes that lead there, the shortest path's first; handlers without a known route are left out. */
  routes: readonly string[];
}

/** A part is absent where there is nothing to say. */
export interface FunctionAnswer {
  /** How a request leads there. */
  request?: RequestAnswer;
}

/** By the function's number in its file's summary, or by where it starts. */
export type FunctionLookup = (file: string, fn: number, fnStart: number) => FunctionAnswer | undefined;

/** All places that an answer names, of the asked file itself and of others. */
export function placesOf({ request }: FunctionAnswer): readonly Related[] {
  return request?.related ?? [];
}

/** The answer with its places put elsewhere; those for which there is none are left out. */
export function withPlaces(answer: FunctionAnswer, move: (place: Related) => Related | undefined): FunctionAnswer {
  const moved = (places: readonly Related[]): Related[] => places.flatMap((place) => move(place) ?? []);
  const { request } = answer;
  return { ...answer, ...(request ? { request: { ...request, related: moved(request.related) } } : {}) };
}
