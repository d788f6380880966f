// What the whole project knows of one function, beyond what its own file shows. Plain data: it is cached, and sent between threads.
import type { Related } from '../../../protocol/finding.ts';
import type { RootKind } from '../summary/format.ts';

export interface RequestAnswer {
  /** `GET /users/:id`, when it is known. */
  route?: string;
  kind: RootKind;
  /** Every way there is behind a cache that the first request fills. */
  isOnce: boolean;
  /** The registration, then every call on the way; a place's `file` is absent where it is the queried file itself. */
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
  /** In the queried file. */
  call: Related;
  /** For messages: what is called. */
  name: string;
  /** The way from there to the `throw`. */
  related: readonly Related[];
}

/** A step of the function into a queue of ticks or microtasks from which other files' functions lead back to it. */
export interface RoundAnswer {
  /** The call, in the queried file. */
  site: Related;
  /** Whether nothing in the source ends it. */
  isEndless: boolean;
  /** The steps that lead back. */
  related: readonly Related[];
}

/** One of the kinds that a parameter gets. */
export interface ArgumentKind {
  /** For people: `a number`, `{ x, y }`, `a Circle`. */
  label: string;
  /** An object, identified by its shape; otherwise a value of one of the language's types. */
  isShape: boolean;
  /** How many calls hand it over. */
  calls: number;
  /** Whether one of them goes round often by itself, or through its callers. */
  heat: 'own' | 'callers' | 'cold';
  /** Whether one of them does, in a loop that does little else. */
  isBesideLoop: boolean;
  /** One of them, one that goes round often where there is one. */
  place: Related;
}

/** What a parameter of the function is passed by calls of several files. */
export interface ParameterKinds {
  parameter: number;
  /** Whether all calls are known, and what each hands over. */
  isCertain: boolean;
  kinds: readonly ArgumentKind[];
}

/** A part is absent where there is nothing to say. */
export interface FunctionAnswer {
  /** How a request leads there. */
  request?: RequestAnswer;
  /** The nearest loop for any object, then one for each parameter for which there is one. */
  heat?: readonly HeatAnswer[];
  throwing?: readonly ThrowingAnswer[];
  rounds?: readonly RoundAnswer[];
  /** By parameter. */
  parameterKinds?: readonly ParameterKinds[];
}

/** Which function of a file is meant. */
export interface FunctionKey {
  /** Its number in the file's summary; undefined where functions were not numbered. */
  readonly number?: number;
  /** Where its text starts: it is found again by it while the file is edited. */
  readonly start: number;
}

export type FunctionLookup = (file: string, fn: FunctionKey) => FunctionAnswer | undefined;

/** All places that an answer names, of the queried file itself and of others. */
export function placesOf({ request, heat = [], throwing = [], rounds = [], parameterKinds = [] }: FunctionAnswer): readonly Related[] {
  return [
    ...(request?.related ?? []),
    ...[...heat, ...throwing, ...rounds].flatMap(({ related }) => related),
    ...parameterKinds.flatMap(({ kinds }) => kinds.map(({ place }) => place)),
  ];
}

/** The answer with its places put elsewhere; those for which there is none are left out. */
export function withPlaces(answer: FunctionAnswer, move: (place: Related) => Related | undefined): FunctionAnswer {
  const moved = (places: readonly Related[]): Related[] => places.flatMap((place) => move(place) ?? []);
  const { request, heat, throwing, rounds, parameterKinds } = answer;
  return {
    ...answer,
    ...(request ? { request: { ...request, related: moved(request.related) } } : {}),
    ...(heat ? { heat: heat.map((one) => ({ ...one, related: moved(one.related) })) } : {}),
    ...(throwing
      ? { throwing: throwing.flatMap((one) => moved([one.call]).map((call) => ({ ...one, call, related: moved(one.related) }))) }
      : {}),
    ...(parameterKinds
      ? {
          parameterKinds: parameterKinds.map((one) => ({
            ...one,
            kinds: one.kinds.flatMap((kind) => moved([kind.place]).map((place) => ({ ...kind, place }))),
          })),
        }
      : {}),
    ...(rounds
      ? { rounds: rounds.flatMap((one) => moved([one.site]).map((site) => ({ ...one, site, related: moved(one.related) }))) }
      : {}),
  };
}
