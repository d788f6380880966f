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

/** A loop that runs the function while a request waits, with no async function between them. */
export interface HeatAnswer {
  /** The parameter that is another object in each round; -1 where it is only said that the function runs in each. */
  parameter: number;
  /** For messages: "a loop in `listUsers`", or in a file. */
  loop: string;
  route?: string;
  /** As of a request, with the call in the loop and those behind it. */
  related: readonly Related[];
}

/** A call in a `try` of the function, of something that throws for what it rejects. */
export interface ThrowingAnswer {
  /** In the asked file. */
  call: Related;
  /** For messages: what is called. */
  name: string;
  /** The way from there to the `throw`. */
  related: readonly Related[];
}

/** A step of the function into a queue of ticks or microtasks from which other files' functions lead back to it. */
export interface RoundAnswer {
  /** The call, in the asked file. */
  site: Related;
  /** Whether nothing in the source ends it. */
  isEndless: boolean;
  /** The steps that lead back. */
  related: readonly Related[];
}

/** A part is absent where there is nothing to say. */
export interface FunctionAnswer {
  /** How a request leads there. */
  request?: RequestAnswer;
  /** The nearest loop for any object, then one for each parameter for which there is one. */
  heat?: readonly HeatAnswer[];
  throwing?: readonly ThrowingAnswer[];
  rounds?: readonly RoundAnswer[];
}

/** By the function's number in its file's summary, or by where it starts. */
export type FunctionLookup = (file: string, fn: number, fnStart: number) => FunctionAnswer | undefined;

/** All places that an answer names, of the asked file itself and of others. */
export function placesOf({ request, heat = [], throwing = [], rounds = [] }: FunctionAnswer): readonly Related[] {
  return [...(request?.related ?? []), ...[...heat, ...throwing, ...rounds].flatMap(({ related }) => related)];
}

/** The answer with its places put elsewhere; those for which there is none are left out. */
export function withPlaces(answer: FunctionAnswer, move: (place: Related) => Related | undefined): FunctionAnswer {
  const moved = (places: readonly Related[]): Related[] => places.flatMap((place) => move(place) ?? []);
  const { request, heat, throwing, rounds } = answer;
  return {
    ...answer,
    ...(request ? { request: { ...request, related: moved(request.related) } } : {}),
    ...(heat ? { heat: heat.map((one) => ({ ...one, related: moved(one.related) })) } : {}),
    ...(throwing ? { throwing: throwing.flatMap((one) => moved([one.call]).map((call) => ({ ...one, call, related: moved(one.related) }))) } : {}),
    ...(rounds ? { rounds: rounds.flatMap((one) => moved([one.site]).map((site) => ({ ...one, site, related: moved(one.related) }))) } : {}),
  };
}
