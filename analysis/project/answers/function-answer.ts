// What the whole project knows of one function, beyond its own file. Plain data: it is cached and sent between threads.
import type { Related } from '../../../protocol/finding.ts';
import type { RootKind } from '../summary/format.ts';

export interface RequestAnswer {
  /** `GET /users/:id`, if known. */
  route?: string;
  kind: RootKind;
  /** Whether every path to it goes through a cache that the first request fills. */
  isOnce: boolean;
  /** Whether a listener on a connection leads to it: it runs for each message, and not once. */
  isForMessages?: boolean;
  /** Whether the program also runs it while it starts: what it keeps is there when the first request comes. */
  runsAtStartup?: boolean;
  /** Whether a call on the path is in a branch, so that not every request gets to the function. */
  isConditional: boolean;
  /** Whether only administrators' requests lead to it, by the names of routes, of checks before handlers, or of folders. */
  isForAdministrators: boolean;
  /** In s: whatever leads to it runs at most once in that time. */
  interval?: number;
  /** In s: only jobs lead to it, whose schedules together run them no more often on average. */
  jobInterval?: number;
  /** A test of its package that replaces functions of `fs`. */
  mockedBy?: string;
  /** Whether a file of its package makes a global of `require`. */
  hasRequire?: true;
  /** Base names of files that its file reads at once and its package writes, and who does. */
  written?: Readonly<Record<string, string>>;
  /** Who calls it without waiting for its promise, and goes on: "`close` in close.js". */
  droppedBy?: string;
  /** Whether it is registered itself, and nothing in the project calls it. */
  isOnlyRegistered: boolean;
  /** The registration, then every call on the path. A place has no `file` if it is in the queried file itself. */
  related: readonly Related[];
  /** The routes that lead to it, 1,000 at most, that of the shortest path first. Handlers without a known route are left out. */
  routes: readonly string[];
}

/** A loop that runs the function while a request waits, with no async function in between. */
export interface HeatAnswer {
  /** The parameter that is another object in each iteration; -1 if only the repetition is known. */
  parameter: number;
  /** For messages: "a loop in `listUsers`", or in a file. */
  loop: string;
  /** Whether a condition chooses the call in the loop, or one below it. */
  isConditional?: true;
  route?: string;
  /** As for a request, then the call in the loop and those below it. */
  related: readonly Related[];
}

/** A parameter that gets what a request or message brought, as a whole or in part, and that other functions pass on. */
export interface SentAnswer {
  parameter: number;
  /** For messages: "the body of `POST /notes`", "a message `WS save`". */
  sent: string;
  route?: string;
  /** The registration, then every call from the handler to the function. */
  related: readonly Related[];
}

/** A call in a `try` of the function that runs something that throws. */
export interface ThrowingAnswer {
  /** In the queried file. */
  call: Related;
  /** For messages: the callee. */
  name: string;
  /** The calls from there to the `throw`. */
  related: readonly Related[];
}

/** A call of the function that runs something that sends a query each time. */
export interface QueryingAnswer {
  /** In the queried file. */
  call: Related;
  /** For messages: what to do instead of one query for each element. */
  remedy: string;
  /** It takes a connection, a process, or a file, and `remedy` says which. */
  isTaking?: true;
  /** The calls from there to the query. */
  related: readonly Related[];
}

/** The function resolves a field of a type of GraphQL that another field returns a list of: it runs once for each element. */
export interface ElementAnswer {
  /** For messages: `User.posts`. */
  field: string;
  /** For messages: "`Query.users` returns", or "Another field returns". */
  lister: string;
  /** Where the list is declared. */
  related: readonly Related[];
}

/** A hop of the function into a queue of ticks or microtasks, from which functions of other files lead back to it. */
export interface RoundAnswer {
  /** The call, in the queried file. */
  site: Related;
  /** Whether nothing in the source ends the round. */
  isEndless: boolean;
  /** The hops that lead back. */
  related: readonly Related[];
}

/** One of the kinds that a parameter gets. */
export interface ArgumentKind {
  /** For messages: `a number`, `{ x, y }`, `a Circle`. */
  label: string;
  /** An object, identified by its shape. Otherwise a primitive or a built-in type. */
  isShape: boolean;
  /** How many calls pass it. */
  calls: number;
  /** Whether one of those calls is hot, by itself or through its callers. */
  heat: 'own' | 'callers' | 'cold';
  /** Whether one of them is in a hot loop that does little else. */
  isInLightLoop: boolean;
  /** One of those calls, preferably a hot one. */
  place: Related;
}

/** The kinds that calls in several files pass to a parameter. */
export interface ParameterKinds {
  parameter: number;
  /** Whether all calls are known, and the kind that each passes. */
  isCertain: boolean;
  kinds: readonly ArgumentKind[];
}

/** A package that a program loads at its start, and only some of its runs use. */
export interface LatePackage {
  name: string;
  /** For messages: the file of the command, or the function of a platform. */
  command: string;
  /** Where the ways of runs part. */
  related: readonly Related[];
}

/** What loading a file costs those who wait for a command, or for a serverless function. */
export interface StartAnswer {
  late: readonly LatePackage[];
  /** The file is a command that needs these packages, and nothing turns on V8's code cache on disk. */
  uncached?: { packages: readonly string[]; ms: number };
}

/** Calls of the function behind a condition that the values of some paths, or of all, rule out. */
export interface BehindAnswer {
  /** In the queried file. */
  calls: readonly Related[];
  /** How a request reaches them; undefined if none does. */
  request?: RequestAnswer;
}

/** A part is absent if there is nothing to report. */
export interface FunctionAnswer {
  /** How a request reaches it. */
  request?: RequestAnswer;
  /** The nearest loop for any object, then one for each parameter that has one. */
  behind?: readonly BehindAnswer[];
  heat?: readonly HeatAnswer[];
  sent?: readonly SentAnswer[];
  throwing?: readonly ThrowingAnswer[];
  querying?: readonly QueryingAnswer[];
  element?: ElementAnswer;
  rounds?: readonly RoundAnswer[];
  /** By parameter. */
  parameterKinds?: readonly ParameterKinds[];
  /** Whether entry points lead to functions of its package, and none leads to it. */
  isOffPath?: true;
  /** Only of the file: in the answer for all other functions. */
  starts?: StartAnswer;
}

/** In a list of a file's answers, the number and the start of the answer for all functions that are not in the list. */
export const OTHER_FUNCTIONS = -1;

/** Identifies a function of a file. */
export interface FunctionKey {
  /** Its number in the file's summary; undefined if functions were not numbered. */
  readonly number?: number;
  /** Start offset. It identifies the function while the file is edited. */
  readonly start: number;
}

export type FunctionLookup = (file: string, fn: FunctionKey) => FunctionAnswer | undefined;

/** The answer for a function by its start, or the one for all others. */
export function answerAt(answers: ReadonlyMap<number, FunctionAnswer>, start: number): FunctionAnswer | undefined {
  return answers.get(start) ?? answers.get(OTHER_FUNCTIONS);
}

/** All places that an answer names, in the queried file and in others. */
export function placesOf({
  request,
  behind = [],
  heat = [],
  sent = [],
  throwing = [],
  querying = [],
  element,
  rounds = [],
  parameterKinds = [],
  starts,
}: FunctionAnswer): readonly Related[] {
  return [
    ...(request?.related ?? []),
    ...behind.flatMap((one) => [...one.calls, ...(one.request?.related ?? [])]),
    ...(element?.related ?? []),
    ...[...heat, ...sent, ...throwing, ...querying, ...rounds].flatMap(({ related }) => related),
    ...(starts?.late ?? []).flatMap(({ related }) => related),
    ...parameterKinds.flatMap(({ kinds }) => kinds.map(({ place }) => place)),
  ];
}

/** The answer with its places moved. Places without a new position are left out. */
export function withPlaces(answer: FunctionAnswer, move: (place: Related) => Related | undefined): FunctionAnswer {
  const moved = (places: readonly Related[]): Related[] => places.flatMap((place) => move(place) ?? []);
  const { request, behind, heat, sent, throwing, querying, element, rounds, parameterKinds, starts } = answer;
  return {
    ...answer,
    ...(request ? { request: { ...request, related: moved(request.related) } } : {}),
    ...(behind
      ? {
          behind: behind.map((one) => ({
            calls: moved(one.calls),
            ...(one.request ? { request: { ...one.request, related: moved(one.request.related) } } : {}),
          })),
        }
      : {}),
    ...(element ? { element: { ...element, related: moved(element.related) } } : {}),
    ...(starts ? { starts: { ...starts, late: starts.late.map((one) => ({ ...one, related: moved(one.related) })) } } : {}),
    ...(heat ? { heat: heat.map((one) => ({ ...one, related: moved(one.related) })) } : {}),
    ...(sent ? { sent: sent.map((one) => ({ ...one, related: moved(one.related) })) } : {}),
    ...(throwing
      ? { throwing: throwing.flatMap((one) => moved([one.call]).map((call) => ({ ...one, call, related: moved(one.related) }))) }
      : {}),
    ...(querying
      ? { querying: querying.flatMap((one) => moved([one.call]).map((call) => ({ ...one, call, related: moved(one.related) }))) }
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
