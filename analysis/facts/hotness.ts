// How often a place runs: the loops around it, and those around its callers in this file.
import {
  contains,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type LoopNode,
  type Node,
  type t,
} from '../module/ast.ts';
import type { Related } from '../../protocol/finding.ts';
import { unitAround, type Calls } from './calls.ts';
import type { Bindings } from './bindings.ts';
import { constantOf } from './constants.ts';
import { walkWithin, type ModuleIndex } from '../module/module-index.ts';

/** A loop statement, or a call such as `items.map(fn)` that runs its callback once per item. */
export interface Repetition {
  node: LoopNode | t.CallExpression | t.OptionalCallExpression;
  /** `loop` for statements, the name of the method for iterating calls. */
  by: string;
  /** The maximum number of iterations, if the source shows it: `for (let i = 0; i < 3; i++)`, `[a, b].map(…)`. */
  atMost?: number;
}

export interface Heat {
  /** Repetitions around the place, innermost first, including those of callers. */
  repetitions: readonly Repetition[];
  /** The calls from a repetition in a caller to the place, for the report. */
  path: readonly Related[];
  /** The calls of `path`. */
  sites: readonly Node[];
}

/** Methods of arrays and collections (also of lodash, async and bluebird) that call their callback once per item. */
const ITERATING: ReadonlySet<string> = new Set([
  'forEach',
  'map',
  'filter',
  'reduce',
  'reduceRight',
  'some',
  'every',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flatMap',
  'sort',
  'toSorted',
  'each',
  'eachSeries',
  'eachLimit',
  'mapSeries',
  'mapLimit',
  'filterSeries',
  'forOwn',
  'forIn',
  'mapValues',
  'mapKeys',
  'groupBy',
  'keyBy',
  'sortBy',
  'sumBy',
  'partition',
  'times',
  'eachOf',
  'mapObject',
  'omitBy',
  'pickBy',
  'uniqBy',
  'replaceAll',
]);

// How many callers up to follow. Further up, a report would name places that nobody connects with the finding.
const MAX_CALLERS = 3;

// One loop over the entries of a folder is as long as the folder. A loop in a loop, and a tree that is walked, multiply.
const MULTIPLIED = 2;

export class Hotness {
  readonly #module: ModuleIndex;
  readonly #calls: Calls;
  readonly #bindings: Bindings;
  readonly #ofCallers = new Map<FunctionNode, Heat>();
  readonly #loopsOfCallers = new Map<FunctionNode, number>();
  readonly #awaiting = new Map<LoopNode, boolean>();

  constructor(module: ModuleIndex, calls: Calls, bindings: Bindings) {
    this.#module = module;
    this.#bindings = bindings;
    this.#calls = calls;
  }

  /**
   * The repetitions around a node in its own function: loops that run it in each iteration (not the start value of a `for` or the iterated
   * list), and iterating callbacks that contain it.
   */
  repetitionsInFunction(node: Node): Repetition[] {
    const found: Repetition[] = [];
    let from = node;
    for (let at = parentOf(node); at; from = at, at = parentOf(at)) {
      if (isLoop(at)) {
        if (runsEachRound(at, from)) found.push(loopRepetition(at, this.#bindings));
      } else if (isFunction(at)) {
        const call = iteratingCallOf(at);
        if (!call) break;
        found.push(call);
        from = call.node;
        at = call.node;
      }
    }
    return found;
  }

  /** All repetitions around a node, including those of its callers in this file. The caller with the most counts. */
  heatOf(node: Node): Heat {
    return this.#heatOf(node, MAX_CALLERS, new Set());
  }

  /**
   * Whether a place may run many times *many* times in one turn of the event loop: two loops without an `await`, or iterating calls, that
   * are not known to be short are around it and around the calls of its function in this file, or the function calls itself.
   */
  isMultipliedInOneTurn(node: Node): boolean {
    return this.#loopsInOneTurn(node, MAX_CALLERS, new Set(), undefined) >= MULTIPLIED;
  }

  /**
   * How many loops of one turn are around a place, up to `MULTIPLIED`. `start`: the function that was asked for, from whose callers this
   * comes.
   */
  #loopsInOneTurn(node: Node, depth: number, seen: Set<Node>, start: FunctionNode | undefined): number {
    const own = this.repetitionsInFunction(node);
    const loops = own.filter((repetition) => this.#isManyInOneTurn(repetition)).length;
    const unit = this.#unitOutsideOfIterations(own.at(-1)?.node ?? node);
    if (loops >= MULTIPLIED || unit === start) return MULTIPLIED;
    if (depth === 0 || !isFunction(unit) || seen.has(unit)) return loops;
    // Found once for a function, however many of its places are asked for.
    let ofCallers = start ? undefined : this.#loopsOfCallers.get(unit);
    if (ofCallers === undefined) {
      seen.add(unit);
      ofCallers = 0;
      for (const { edge } of this.#calls.callersOf(unit)) {
        let around = 0;
        if (edge.via === 'callback') {
          // What a function is passed to otherwise may call it in a turn of its own: `promise.then(next)`.
          const iterating = iteratingCallAround(edge.site);
          if (!iterating) continue;
          around = isMany(iterating) ? 1 : 0;
        }
        ofCallers = Math.max(ofCallers, around + this.#loopsInOneTurn(edge.site, depth - 1, seen, start ?? unit));
        if (ofCallers >= MULTIPLIED) break;
      }
      if (!start) this.#loopsOfCallers.set(unit, ofCallers);
    }
    return Math.min(MULTIPLIED, loops + ofCallers);
  }

  #isManyInOneTurn(repetition: Repetition): boolean {
    return isMany(repetition) && !(isLoop(repetition.node) && (this.#awaits(repetition.node) || climbsFolders(repetition.node)));
  }

  /** Whether the rounds of a loop may be in different turns. */
  #awaits(loop: LoopNode): boolean {
    let awaits = this.#awaiting.get(loop);
    if (awaits === undefined) {
      awaits = loop.type === 'ForOfStatement' && loop.await;
      walkWithin(loop.body, (node) => {
        awaits ||= node.type === 'AwaitExpression';
        return awaits ? 'stop' : !isFunction(node);
      });
      this.#awaiting.set(loop, awaits);
    }
    return awaits;
  }

  /** The innermost function around a node that is not an iterating callback. */
  #unitOutsideOfIterations(node: Node): ReturnType<typeof unitAround> {
    const unit = unitAround(node, this.#module.program);
    const iterating = isFunction(unit) ? iteratingCallOf(unit) : undefined;
    return iterating ? this.#unitOutsideOfIterations(iterating.node) : unit;
  }

  #heatOf(node: Node, depth: number, seen: Set<Node>): Heat {
    const own = this.repetitionsInFunction(node);
    if (depth === 0) return { repetitions: own, path: [], sites: [] };
    // The function that contains the outermost iterating callback.
    const outer = own.at(-1)?.node ?? node;
    const unit = this.#unitOutsideOfIterations(outer);
    if (!isFunction(unit) || seen.has(unit)) return { repetitions: own, path: [], sites: [] };
    const ofCallers = seen.size === 0 ? this.#heatOfAllCallers(unit) : this.#heatOfCallers(unit, depth, seen);
    return { ...ofCallers, repetitions: [...own, ...ofCallers.repetitions] };
  }

  /** Found once for a function, however many of its places are asked for. */
  #heatOfAllCallers(unit: FunctionNode): Heat {
    let heat = this.#ofCallers.get(unit);
    if (!heat) this.#ofCallers.set(unit, (heat = this.#heatOfCallers(unit, MAX_CALLERS, new Set())));
    return heat;
  }

  /** The repetitions around the calls of a function: of the caller with the most of them. */
  #heatOfCallers(unit: FunctionNode, depth: number, seen: Set<Node>): Heat {
    seen.add(unit);
    let best: Heat = { repetitions: [], path: [], sites: [] };
    for (const { edge } of this.#calls.callersOf(unit)) {
      const iterating = edge.via === 'callback' ? iteratingCallAround(edge.site) : undefined;
      const above = this.#heatOf(edge.site, depth - 1, seen);
      const repetitions = [...(iterating ? [iterating] : []), ...above.repetitions];
      if (repetitions.length <= best.repetitions.length) continue;
      best = {
        repetitions,
        path: [
          { span: { start: startOf(edge.site), end: edge.site.end ?? startOf(edge.site) }, message: 'called from here' },
          ...above.path,
        ],
        sites: [edge.site, ...above.sites],
      };
    }
    return best;
  }
}

// Loops known to have fewer iterations than this are not worth a warning: as many times 2 µs are still microseconds.
const SHORT_LOOP = 10;

/** `while (folder !== '/') { …; folder = path.dirname(folder); }`: as many rounds as a path has folders, which are few. */
function climbsFolders(loop: LoopNode): boolean {
  let climbs = false;
  const look = (node: Node): boolean | 'stop' => {
    const value = node.type === 'AssignmentExpression' && node.operator === '=' ? unwrap(node.right) : undefined;
    const callee = value?.type === 'CallExpression' ? unwrap(value.callee) : undefined;
    climbs ||= (isMember(callee) ? memberName(callee) : callee?.type === 'Identifier' ? callee.name : undefined) === 'dirname';
    return climbs ? 'stop' : !isFunction(node);
  };
  if (loop.type === 'ForInStatement' || loop.type === 'ForOfStatement') return false;
  walkWithin(loop.body, look);
  if (!climbs && loop.type === 'ForStatement' && loop.update) walkWithin(loop.update, look);
  return climbs;
}

function isMany({ atMost }: Repetition): boolean {
  return atMost === undefined || atMost >= SHORT_LOOP;
}

function runsEachRound(loop: LoopNode, child: Node): boolean {
  switch (loop.type) {
    case 'ForStatement':
      return child !== loop.init;
    case 'ForInStatement':
    case 'ForOfStatement':
      return child !== loop.right;
    default:
      return true;
  }
}

/** The iterating call that gets a function as a direct argument. */
export function iteratingCallOf(fn: FunctionNode): Repetition | undefined {
  return iteratingCallAround(fn);
}

/** The same for a function that is passed by name. */
export function iteratingCallAround(argument: Node): Repetition | undefined {
  let call = parentOf(argument);
  while (call && call.type !== 'CallExpression' && call.type !== 'OptionalCallExpression' && unwrap(call) === unwrap(argument))
    call = parentOf(call);
  if (call?.type !== 'CallExpression' && call?.type !== 'OptionalCallExpression') return undefined;
  const position = call.arguments.findIndex((item) => contains(item, argument));
  if (position < 0 || !isMember(call.callee)) return undefined;
  // `async.map(items, work, done)`: the argument after the work is called once, at the end.
  if (call.arguments.slice(0, position).some((item) => isFunction(unwrap(item)))) return undefined;
  const name = memberName(call.callee);
  if (!name || !ITERATING.has(name)) return undefined;
  const list = unwrap(call.callee.object);
  // The same if the work is passed by name. `eachLimit` and `reduce` have one more argument before it.
  if (list.type === 'Identifier' && list.name === 'async' && position > (/Limit$|^reduce/.test(name) ? 2 : 1)) return undefined;
  return {
    node: call,
    by: name,
    atMost:
      list.type === 'ArrayExpression' && list.elements.every((element) => element?.type !== 'SpreadElement')
        ? list.elements.length
        : undefined,
  };
}

export function loopRepetition(loop: LoopNode, bindings: Bindings): Repetition {
  return { node: loop, by: 'loop', atMost: roundsOfLoop(loop, bindings) };
}

/** A list as it stands in the loop, or as a constant that only loops and its own reading members use: `const tools = ['zip', 'tar']`. */
function listOf(expression: Node, bindings: Bindings): Node {
  const node = unwrap(expression);
  if (node.type !== 'Identifier') return node;
  const init = constantOf(node, bindings);
  const binding = init && bindings.resolve(node);
  const isOnlyRead =
    binding &&
    bindings.references(binding).every((reference) => {
      const parent = parentOf(reference);
      if (parent?.type === 'ForOfStatement') return parent.right === reference;
      return isMember(parent) && parent.object === reference && READS_LIST.test(memberName(parent) ?? '');
    });
  return init && isOnlyRead ? unwrap(init) : node;
}

const READS_LIST = /^(?:length|join|includes|indexOf|map|filter|some|every|find|forEach)$/;

/** The iterations over a literal list, or of a counting loop whose start, end and step are literals. */
function roundsOfLoop(loop: LoopNode, bindings: Bindings): number | undefined {
  if (loop.type === 'ForOfStatement') {
    const list = listOf(loop.right, bindings);
    return list.type === 'ArrayExpression' && list.elements.every((element) => element?.type !== 'SpreadElement')
      ? list.elements.length
      : undefined;
  }
  if (loop.type !== 'ForStatement' || loop.init?.type !== 'VariableDeclaration' || loop.test?.type !== 'BinaryExpression') return undefined;
  const start = loop.init.declarations[0]?.init;
  const end = loop.test.right;
  if (start?.type !== 'NumericLiteral' || end.type !== 'NumericLiteral' || !/^(?:<|<=|>|>=|!==?)$/.test(loop.test.operator))
    return undefined;
  return Math.abs(end.value - start.value) + (loop.test.operator.endsWith('=') && loop.test.operator.length === 2 ? 1 : 0);
}
