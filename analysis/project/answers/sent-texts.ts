// Which parameters of a function get what a request or message brought, where other functions pass it on.
import type { SentAnswer } from './function-answer.ts';
import { EdgeKind } from '../calls/call-edges.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import type { Places } from './places.ts';
import type { Reach, RootUse } from '../routes/request-reach.ts';
import { CallOperand, CopyOperand, lengthAt } from '../summary/operations.ts';
import { Op, SiteFlag, type FileSummary } from '../summary/format.ts';

/** How many calls the handler may be away. Further away, what is passed is seldom still what came. */
const MOST_CALLS = 4;
/** A limit for widely used helpers, which may have thousands of callers. */
const MOST_LOOKED_AT = 500;
const MOST_PARAMETERS = 6;
/** Variables and properties between a parameter and an argument. */
const MOST_STEPS = 6;
/** Only the first names tell where a value came from: `body` of a request, `request` and `body` of a context. */
const MOST_NAMES = 2;

/** Members of a request, or of what holds one, that may be long. What comes in URL and headers is short. */
const BODIES: ReadonlySet<string> = new Set(['body', 'rawBody', 'payload']);
const REQUESTS: ReadonlySet<string> = new Set(['request', 'req']);
/** What a client sends on a socket that it has opened. */
const MESSAGE = /^WS (?!connect|disconnect)/;

interface Step {
  state: number;
  parameter: number;
  /** The properties from the parameter to the value, outermost first. */
  names: readonly string[];
  edges: readonly number[];
}

/** Where a node of a file gets its value: one copy or one property of another node. */
interface Source {
  from: number;
  name: string | undefined;
}

export class SentTexts {
  readonly #linked: LinkedProject;
  readonly #reach: Reach;
  readonly #places: Places;
  readonly #sources = new WeakMap<FileSummary, ReadonlyMap<number, Source | undefined>>();

  constructor(linked: LinkedProject, reach: Reach, places: Places) {
    this.#linked = linked;
    this.#reach = reach;
    this.#places = places;
  }

  /** `ownFile`: number of the function's file. */
  sentTo(fn: number, ownFile: number): readonly SentAnswer[] {
    const count = Math.min(MOST_PARAMETERS, this.#linked.solver.functions.parameterCountOf(fn));
    return Array.from({ length: count }, (_, parameter) => this.#find(fn, parameter, ownFile) ?? []).flat();
  }

  /** Breadth first towards the callers, to find the nearest handler. */
  #find(fn: number, parameter: number, ownFile: number): SentAnswer | undefined {
    const seen = new Set<string>();
    const queue: Step[] = this.#reach.statesOf(fn).map((state) => ({ state, parameter, names: [], edges: [] }));
    let looked = 0;
    for (const step of queue) {
      const key = `${step.state} ${step.parameter} ${step.names.join(' ')}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const { caller, edge } of this.#reach.callersOfState(step.state)) {
        if (++looked > MOST_LOOKED_AT) return undefined;
        const above = this.#above(step, caller, edge);
        if (!above) continue;
        const handler = this.#handlerOf(above);
        if (handler) return this.#answer(handler, above, parameter, ownFile);
        if (above.edges.length < MOST_CALLS) queue.push(above);
      }
    }
    return undefined;
  }

  /** What the caller passes, if it is one of its own parameters, or a property of one. */
  #above({ parameter, names, edges: below }: Step, caller: number, edge: number): Step | undefined {
    const { edges } = this.#reach;
    const flags = edges.flags[edge] as number;
    if (
      edges.via[edge] === EdgeKind.Callback ||
      (flags & (SiteFlag.DevelopmentOnly | SiteFlag.Once)) !== 0 ||
      !this.#reach.isStateReached(caller) ||
      this.#reach.isStateOnce(caller)
    )
      return undefined;
    const fn = this.#reach.states.fn[caller] as number;
    const { solver, sites, numbering } = this.#linked;
    const args = solver.calls[sites.call[edges.site[edge] as number] as number]?.args ?? [];
    // After a spread, the positions of the arguments are not known.
    const argument = args.slice(0, parameter + 1).some((one) => one < 0) ? 0 : (args[parameter] ?? 0);
    const base = numbering.files[this.#places.fileOf(fn)];
    if (argument <= 0 || !base) return undefined;
    const first = solver.functions.firstParameterOf(fn);
    const count = solver.functions.parameterCountOf(fn);
    const own: string[] = [];
    for (let node = argument, steps = 0; steps <= MOST_STEPS; steps++) {
      const index = node - first;
      if (index >= 0 && index < count)
        return { state: caller, parameter: index, names: [...own, ...names].slice(0, MOST_NAMES), edges: [edge, ...below] };
      const source = this.#sourcesOf(base.summary).get(node - base.node);
      if (!source) return undefined;
      if (source.name !== undefined) own.unshift(source.name);
      node = source.from + base.node;
    }
    return undefined;
  }

  /** By node of the file; undefined for one that several operations write. */
  #sourcesOf(summary: FileSummary): ReadonlyMap<number, Source | undefined> {
    let sources = this.#sources.get(summary);
    if (!sources) this.#sources.set(summary, (sources = readSources(summary)));
    return sources;
  }

  #handlerOf({ state, parameter, names: [first, second] }: Step): RootUse | undefined {
    if (parameter !== 0) return undefined;
    const body = first !== undefined && REQUESTS.has(first) ? second : first;
    return this.#reach.ownRootsOf(this.#reach.states.fn[state] as number).find(({ root: { kind, route } }) => {
      if (kind === 'socket') return MESSAGE.test(route ?? '');
      return (kind === 'route' || kind === 'middleware' || kind === 'signature') && body !== undefined && BODIES.has(body);
    });
  }

  #answer(root: RootUse, { edges }: Step, parameter: number, ownFile: number): SentAnswer {
    const { kind, route } = root.root;
    const name = route === undefined ? '' : ` \`${route}\``;
    return {
      parameter,
      sent: kind === 'socket' ? `a message${name}` : `the body of ${name === '' ? 'a request' : name.trim()}`,
      ...(route === undefined ? {} : { route }),
      related: [this.#places.root(root, ownFile), ...this.#places.path(edges, ownFile)],
    };
  }
}

function readSources({ ops, strings }: FileSummary): ReadonlyMap<number, Source | undefined> {
  const sources = new Map<number, Source | undefined>();
  const add = (to: number, source: Source): void => {
    sources.set(to, sources.has(to) ? undefined : source);
  };
  for (let i = 0; i < ops.length; i += lengthAt(ops, i)) {
    const [code, to = 0, from = 0, name = -1] = ops.slice(i, i + 4);
    if (code === Op.Copy) add(ops[i + CopyOperand.To] as number, { from: ops[i + CopyOperand.From] as number, name: undefined });
    // What a function makes of a text is another one: `text.slice(0, 100)`, `schema.parse(body)`.
    else if (code === Op.Call) sources.set(ops[i + CallOperand.Result] as number, undefined);
    else if (code === Op.Load || code === Op.LoadOpen) add(to, { from, name: strings[name] ?? '' });
  }
  return sources;
}
