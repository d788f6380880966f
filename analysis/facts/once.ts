// "Only once" patterns: a blocking call behind a cache runs for the first request only.
import {
  contains,
  findAncestor,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import type { Facts } from './index.ts';
import { numberOf } from './constants.ts';
import { walkWithin } from '../module/module-index.ts';

const GOES_THROUGH = /^(?:forEach|map|flatMap|filter|some|every|find|findIndex|findLast|findLastIndex|reduce|reduceRight|sort|toSorted)$/;
const MEMOIZERS = /^(?:once|onetime|memo?|lazy|cached?|pOnce)$|memoi[sz]e/i;

/** Names of flags for a completed setup. */
const DONE = /(?:^|[a-z\d_])(?:[Ii]nitiali[sz]ed|[Ii]nstalled|[Ss]et_?[Uu]p_?(?:[Dd]one|[Cc]omplete))$/;

/** What exists once a server is set up, by the last part of its name. */
const SETTINGS = /(?:^|\.)(?:config(?:uration)?|settings|setup)$/i;
/** Forbidden, and Conflict. */
const REFUSALS: ReadonlySet<number> = new Set([403, 409]);

/** A statement that ends a function early if something exists, with the texts of what that may be. */
interface Guard {
  end: number;
  kept: readonly string[];
  /**
   * `if (isInitialized()) return`: what follows runs until the setup is done, wherever the flag is kept. With `throw`, a second setup is
   * rejected.
   */
  done: Once | undefined;
  /** `if (this.state === 'loaded') return` */
  state: { object: string; value: string } | undefined;
  /** `if (config) return res.status(403).send('Config exists')`: the request that sets the server up comes once. */
  refuses: boolean;
  /** `if (cache && cache.expires > Date.now()) return cache` */
  isTimed: boolean;
}

/**
 * `kept`: later calls read the result of the first. `expires`: they do until a time is over. `set-up`: later calls are rejected, so it runs
 * once for whatever is being set up.
 */
export type Once = 'kept' | 'expires' | 'set-up';

/** Whether a call's result is kept the first time and read from then on, or whether a repeated call is rejected. */
export function runsOnce(call: Node, facts: Facts): boolean {
  return onceOf(call, facts) !== undefined;
}

export function onceOf(call: Node, facts: Facts): Once | undefined {
  return findOnce(call, facts)?.once;
}

/** The functions of the file that empty the cache which a call fills, so that a later call fills it again: `this.config = null`. */
export function emptiersOf(call: Node, facts: Facts): readonly FunctionNode[] {
  const found = findOnce(call, facts);
  if (found?.once !== 'kept' || found.kept === undefined) return [];
  const around = functionAround(call);
  const owner = ownerOf(found.kept, call, facts);
  return owner === undefined ? [] : (emptiersIn(facts).get(found.kept)?.get(owner) ?? []).filter((fn) => fn !== around);
}

/** Whose it is: the class of `this`, or the variable that a text begins with. */
function ownerOf(text: string, at: Node, { bindings }: Facts): unknown {
  const root = /^(?:Object\.keys\()?([\w$]+)/.exec(text)?.[1];
  if (root === 'this') {
    let up = parentOf(at);
    while (up && up.type !== 'ClassBody' && up.type !== 'ObjectExpression') up = parentOf(up);
    return up;
  }
  return root === undefined ? undefined : bindings.lookUp(root, at);
}

/**
 * By the text of what they empty. Not those that give up what failed (`catch`), and not callbacks, which react to a connection that closes
 * more often than to a request.
 */
function emptiersIn(facts: Facts): ReadonlyMap<string, ReadonlyMap<unknown, readonly FunctionNode[]>> {
  return facts.remember('functions that empty caches', () => {
    const found = new Map<string, Map<unknown, FunctionNode[]>>();
    const filling = new Set<string>();
    for (const node of facts.module.nodes('AssignmentExpression'))
      if (!isNothing(unwrap(node.right))) filling.add(`${startOfFunction(node)} ${facts.source.slice(node.left)}`);
    const take = (node: Node, target: Node): void => {
      const fn = functionAround(node);
      if (!fn || isCall(parentOf(fn)) || (fn.type === 'ClassMethod' && fn.kind === 'constructor')) return;
      if (findAncestor(node, ({ type }) => type === 'CatchClause')) return;
      const text = facts.source.slice(target);
      const owner = ownerOf(text, target, facts);
      // One that fills it again leaves nothing empty.
      if (owner === undefined || filling.has(`${startOfFunction(node)} ${text}`)) return;
      const byOwner = found.get(text) ?? new Map<unknown, FunctionNode[]>();
      found.set(text, byOwner);
      const known = byOwner.get(owner);
      if (!known) byOwner.set(owner, [fn]);
      else if (known.at(-1) !== fn) known.push(fn);
    };
    for (const node of facts.module.nodes('AssignmentExpression'))
      if (node.operator === '=' && isNothing(unwrap(node.right))) take(node, node.left);
    for (const node of facts.module.nodes('CallExpression'))
      if (isMember(node.callee) && node.arguments.length === 0 && memberName(node.callee) === 'clear') take(node, node.callee.object);
    return found;
  });
}

interface Found {
  once: Once;
  /** The text of what is filled, where there is one. */
  kept?: string;
}

function findOnce(call: Node, facts: Facts): Found | undefined {
  let logical: t.LogicalExpression | undefined;
  let at = call;
  let up = parentOf(call);
  // Runs for every call of a file, so one walk up covers all patterns.
  for (; up && !isFunction(up); at = up, up = parentOf(up)) {
    if (up.type === 'IfStatement') {
      const kept = up.consequent === at ? filledInBranch(up, call, facts) : undefined;
      if (kept !== undefined || (up.consequent === at && isFilledWhileEmpty(up, call, facts)))
        return { once: asksTime(up.test, facts) ? 'expires' : 'kept', kept };
      if (up.alternate === at && isFilledOtherwise(up, call, facts)) return { once: 'kept' };
    } else if (up.type === 'AssignmentExpression') {
      if (up.right === at && isKept(up, call, facts)) return { once: 'kept', kept: facts.source.slice(up.left) };
    } else if (up.type === 'LogicalExpression' && up.right === at && up.operator !== '&&') {
      if (isFilledInPlace(up.left, call, facts)) return { once: 'kept', kept: facts.source.slice(up.left) };
    } else if (up.type === 'LogicalExpression' && !logical && up.operator === '&&' && contains(up.right, call)) logical = up;
  }
  return guardOf(call, logical, up, facts) ?? (up !== undefined && isMemoized(up) ? { once: 'kept' } : undefined);
}

/** `cache ??= read()`, `cache = cache || read()`, `cache || (cache = read())` */
function isKept(up: t.AssignmentExpression, call: Node, facts: Facts): boolean {
  if (!outlivesCall(up.left, call, facts)) return false;
  if (up.operator === '??=' || up.operator === '||=') return true;
  const kept = facts.source.slice(up.left);
  const right = unwrap(up.right);
  if (
    right.type === 'LogicalExpression' &&
    right.operator !== '&&' &&
    facts.source.slice(right.left) === kept &&
    contains(right.right, call)
  )
    return true;
  const outer = parentOf(up);
  const logical = outer?.type === 'ParenthesizedExpression' ? parentOf(outer) : outer;
  if (logical?.type === 'LogicalExpression' && logical.operator !== '&&' && facts.source.slice(logical.left) === kept) return true;
  return logical?.type === 'ConditionalExpression' && mentions(logical.test, kept, facts);
}

/** `return this.cache ?? this.load()`, where `load` itself sets `this.cache` */
function isFilledInPlace(left: Node, call: Node, facts: Facts): boolean {
  const kept = facts.source.slice(left);
  return outlivesText(kept, call, facts) && isFilledByCallee(call, kept, facts);
}

/** `if (!cache) cache = read()`, with any tests in between */
function filledInBranch({ test, consequent }: t.IfStatement, call: Node, facts: Facts): string | undefined {
  return absentInTest(test, facts)
    .flatMap((absent) => keptAs(absent, call, facts))
    .find((kept) => outlivesText(kept, call, facts) && (isFilledIn(consequent, kept, facts) || isFilledByCallee(call, kept, facts)));
}

/** `if (isLoaded) use(cache); else { isLoaded = true; load(); }` */
function isFilledOtherwise({ test, alternate }: t.IfStatement, call: Node, facts: Facts): boolean {
  return presentInTest(test, facts).some((kept) => outlivesText(kept, call, facts) && isFilledIn(alternate as Node, kept, facts));
}

/**
 * `if (this.state === 'loaded') return`, in a function that sets that state itself, maybe when the work is done: `self.state = 'loaded'` in
 * a callback.
 */
function setsState(fn: FunctionNode, { object, value }: NonNullable<Guard['state']>, facts: Facts): boolean {
  const property = object.slice(object.lastIndexOf('.'));
  return facts
    .remember(`states of ${property} ${value}`, () => {
      const setters = new Set<FunctionNode>();
      for (const { left, right } of facts.module.nodes('AssignmentExpression')) {
        const isOf =
          isMember(left) && right.type === 'StringLiteral' && right.value === value && facts.source.slice(left).endsWith(property);
        for (let at: Node | null | undefined = isOf ? left : undefined; at; at = parentOf(at)) if (isFunction(at)) setters.add(at);
      }
      return setters;
    })
    .has(fn);
}

/**
 * `if (!pages.size) load()`, where `pages` is a Map or Set of the module that nothing in the file empties.
 */
function isFilledWhileEmpty({ test, consequent }: t.IfStatement, call: Node, facts: Facts): boolean {
  const kept = emptyInTest(test);
  const binding = kept && facts.bindings.resolve(kept);
  if (!binding || binding.declaration.type !== 'VariableDeclarator' || !outlivesText(kept.name, call, facts)) return false;
  const init = binding.declaration.init && unwrap(binding.declaration.init);
  if (init?.type !== 'NewExpression' || init.callee.type !== 'Identifier' || !/^(?:Map|Set)$/.test(init.callee.name)) return false;
  const targets = isCall(call) ? facts.calls.functionsOf(call.callee).map((target) => target.body) : [];
  let fills = false;
  for (const reference of facts.bindings.references(binding)) {
    const member = parentOf(reference);
    const method = isMember(member) && member.object === reference && isCall(parentOf(member)) ? memberName(member) : undefined;
    if (method === 'clear' || method === 'delete') return false;
    // Callbacks count: `list.forEach((item) => pages.set(item.name, item))`.
    fills ||= /^(?:set|add)$/.test(method ?? '') && [consequent, ...targets].some((block) => contains(block, reference));
  }
  return fills;
}

/** `pages` in `!pages.size` and `pages.size === 0` */
function emptyInTest(test: Node): t.Identifier | undefined {
  const node = unwrap(test);
  const size =
    node.type === 'UnaryExpression' && node.operator === '!'
      ? unwrap(node.argument)
      : node.type === 'BinaryExpression' && /^===?$/.test(node.operator) && node.right.type === 'NumericLiteral' && node.right.value === 0
        ? unwrap(node.left)
        : undefined;
  const object = isMember(size) && memberName(size) === 'size' ? unwrap(size.object) : undefined;
  return object?.type === 'Identifier' ? object : undefined;
}

/**
 * The text itself, and what a variable was read from: `cache` for `page` after `const page = cache.get(name)`, `pages[name]` after `const
 * page = pages[name]`.
 */
function keptAs(text: string, call: Node, facts: Facts): readonly string[] {
  if (!/^[\w$]+$/.test(text)) return [text];
  const identifier = facts.bindings.lookUp(text, call)?.identifier;
  const declarator = identifier && parentOf(identifier);
  if (declarator?.type !== 'VariableDeclarator' || declarator.id !== identifier || !declarator.init) return [text];
  const init = unwrap(declarator.init);
  const taken = init.type === 'AwaitExpression' ? unwrap(init.argument) : init;
  if (isMember(taken)) return [text, facts.source.slice(taken)];
  if (!isCall(taken)) return [text];
  if (isMember(taken.callee) && memberName(taken.callee) === 'get') return [text, facts.source.slice(taken.callee.object)];
  const [key] = taken.arguments;
  return key && taken.callee.type === 'Identifier' ? [text, `${taken.callee.name}(${facts.source.slice(key)})`] : [text];
}

/** `if (cache) return cache; … cache = read()` */
function guardOf(call: Node, logical: t.LogicalExpression | undefined, fn: FunctionNode | undefined, facts: Facts): Found | undefined {
  // `settings === null && load()`
  if (logical) {
    for (const kept of absentInTest(logical.left, facts))
      if (outlivesText(kept, call, facts) && isFilledByCallee(call, kept, facts)) return { once: 'kept', kept };
  }
  if (fn?.body.type !== 'BlockStatement') return undefined;
  for (const { end, kept, done, refuses, state, isTimed } of guardsOf(fn, fn.body, facts)) {
    // What the guard itself calls runs each time: `if (page) return send(page)`.
    if (end > (call.start ?? 0)) break;
    if (done) return { once: done };
    if (state && setsState(fn, state, facts)) return { once: 'kept' };
    if (refuses && kept.some((text) => SETTINGS.test(text) && outlivesText(text, call, facts))) return { once: 'set-up' };
    for (const one of kept.flatMap((text) => keptAs(text, call, facts)))
      if (outlivesText(one, call, facts) && isFilledIn(fn.body, one, facts)) return { once: isTimed ? 'expires' : 'kept', kept: one };
  }
  return undefined;
}

/** Of one function: each call behind them asks for all. Our choice: only generated code has more. */
const MOST_GUARDS = 100;

function guardsOf(fn: FunctionNode, body: t.BlockStatement, facts: Facts): readonly Guard[] {
  const known = facts.remember('statements that end a function early', () => new Map<FunctionNode, readonly Guard[]>());
  let guards = known.get(fn);
  if (!guards) {
    guards = body.body.flatMap((statement) => {
      if (statement.type !== 'IfStatement') return [];
      const returns = endsWithReturn(statement.consequent);
      const done = !testsDone(statement.test) ? undefined : returns ? 'kept' : endsWithThrow(statement.consequent) ? 'set-up' : undefined;
      const present = presentInTest(statement.test, facts);
      const kept = returns ? present : present.filter((text) => returnsIt(statement.consequent, text, facts));
      const refuses = returns && kept.some((text) => SETTINGS.test(text)) && answersRefusal(statement.consequent);
      const state = returns ? stateIn(statement.test, facts) : undefined;
      return done || state || kept.length > 0
        ? [{ end: statement.end ?? 0, kept, done, refuses, state, isTimed: asksTime(statement.test, facts) }]
        : [];
    });
    guards = guards.slice(0, MOST_GUARDS);
    known.set(fn, guards);
  }
  return guards;
}

const OF_TIME = /\b(?:now|Date|\w*expir\w*|ttl|\w*stale\w*|\w*fresh\w*|max_?age|valid_?until)\b/i;

/** Whether a test of a cache asks how old it is: `cache.expires > Date.now()`, `isStale(cache)`. */
function asksTime(test: Node, facts: Facts): boolean {
  const text = facts.source.slice(test);
  return OF_TIME.test(text) && /[<>(]/.test(text);
}

/** `const load = once(() => read())`: it runs when `load` is called, and not where it is passed. */
export function isMemoized(fn: FunctionNode): boolean {
  const wrapper = parentOf(fn);
  if (!wrapper || !isCall(wrapper)) return false;
  const callee = unwrap(wrapper.callee);
  const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
  return name !== undefined && MEMOIZERS.test(name);
}

/** Texts of expressions that must be missing for the test to hold: `!cache`, `cache === undefined`, `!cache.has(key)`. */
function absentInTest(test: Node, facts: Facts): string[] {
  const node = unwrap(test);
  if (node.type === 'LogicalExpression') return [...absentInTest(node.left, facts), ...absentInTest(node.right, facts)];
  const sized = sizedIn(node, facts);
  if (sized !== undefined) return [sized];
  if (node.type === 'UnaryExpression' && node.operator === '!') return presentInTest(node.argument, facts);
  if (node.type === 'BinaryExpression' && /^===?$/.test(node.operator)) {
    if (isNothing(node.right)) return [facts.source.slice(node.left)];
    if (isZero(node.right)) return keysOf(node.left, facts);
  }
  return [];
}

/** `Loader.plugins` of `Loader.plugins.size === 0`: a Map or Set of a class, and nothing in the file empties one of that name. */
function sizedIn(test: Node, facts: Facts): string | undefined {
  const size =
    test.type === 'UnaryExpression' && test.operator === '!'
      ? unwrap(test.argument)
      : test.type === 'BinaryExpression' && /^===?$/.test(test.operator) && isZero(test.right)
        ? unwrap(test.left)
        : undefined;
  const object = isMember(size) && memberName(size) === 'size' ? unwrap(size.object) : undefined;
  if (!isMember(object) || unwrap(object.object).type !== 'Identifier') return undefined;
  return emptiedNames(facts).has(memberName(object) ?? '') ? undefined : facts.source.slice(object);
}

/** Names of variables and properties that something deletes from, clears, or sets to a new Map or Set. */
function emptiedNames(facts: Facts): ReadonlySet<string> {
  return facts.remember('names of what is emptied', () => {
    const names = new Set<string>();
    const add = (node: Node): void => {
      const object = unwrap(node);
      const name = isMember(object) ? memberName(object) : object.type === 'Identifier' ? object.name : undefined;
      if (name !== undefined) names.add(name);
    };
    for (const type of ['CallExpression', 'OptionalCallExpression'] as const)
      for (const { callee } of facts.module.nodes(type))
        if (isMember(callee) && /^(?:delete|clear)$/.test(memberName(callee) ?? '')) add(callee.object);
    for (const { left, right } of facts.module.nodes('AssignmentExpression'))
      if (right.type === 'NewExpression' && right.arguments.length === 0) add(left);
    return names;
  });
}

const isZero = (node: Node): boolean => node.type === 'NumericLiteral' && node.value === 0;

/** `Object.keys(cache)` of `Object.keys(cache).length`: what is there once a property of `cache` is set. */
function keysOf(node: Node, facts: Facts): string[] {
  const length = unwrap(node);
  if (!isMember(length) || memberName(length) !== 'length') return [];
  const keys = unwrap(length.object);
  if (!isCall(keys) || facts.source.slice(keys.callee) !== 'Object.keys') return [];
  const object = keys.arguments[0] && unwrap(keys.arguments[0]);
  return object?.type === 'Identifier' ? [`Object.keys(${object.name})`] : [];
}

/** Texts of expressions that must exist for the test to hold: `cache`, `cache !== null`, `cache.has(key)`. */
function presentInTest(test: Node, facts: Facts): string[] {
  const node = unwrap(test);
  const keys = keysOf(
    node.type === 'BinaryExpression' && /^(?:>|!==?)$/.test(node.operator) && isZero(node.right) ? node.left : node,
    facts,
  );
  if (keys.length > 0) return keys;
  if (node.type === 'Identifier' || isMember(node)) return [facts.source.slice(node)];
  if (node.type === 'LogicalExpression') return [...presentInTest(node.left, facts), ...presentInTest(node.right, facts)];
  if (node.type === 'BinaryExpression' && /^!==?$/.test(node.operator) && isNothing(node.right)) return [facts.source.slice(node.left)];
  if (isCall(node) && isMember(node.callee) && /^(?:has|get)$/.test(memberName(node.callee) ?? ''))
    return [facts.source.slice(node.callee.object)];
  return [];
}

function isNothing(node: Node): boolean {
  return node.type === 'NullLiteral' || (node.type === 'Identifier' && node.name === 'undefined');
}

/** `if (!isReady) prepare()`, where `prepare` itself sets `isReady = true`. */
function isFilledByCallee(call: Node, kept: string, facts: Facts): boolean {
  return isCall(call) && facts.calls.functionsOf(call.callee).some((target) => isFilledIn(target.body, kept, facts));
}

/**
 * Whether a block assigns the expression of that text: `cache = …`, `cache.set(key, …)`. Callbacks in the block do not count, because they
 * may not run.
 */
function isFilledIn(block: Node, kept: string, facts: Facts): boolean {
  // Each call behind a guard, and each guard, would walk the body of the same function.
  const known = facts.remember('what blocks give a value', () => new Map<Node, ReadonlySet<string>>());
  let filled = known.get(block);
  if (!filled) known.set(block, (filled = filledIn(block, facts)));
  return filled.has(kept);
}

function filledIn(block: Node, facts: Facts): ReadonlySet<string> {
  const filled = new Set<string>();
  walkWithin(block, (node) => {
    if (node !== block && isFunction(node)) return false;
    if (node.type === 'AssignmentExpression') {
      const name = facts.source.slice(node.left);
      if (isMember(node.left) && node.left.object.type === 'Identifier') filled.add(`Object.keys(${node.left.object.name})`);
      if (!isEmpty(node.right) && !isZero(node.right)) filled.add(name);
    }
    if (!isCall(node)) return true;
    if (isMember(node.callee) && memberName(node.callee) === 'set') filled.add(facts.source.slice(node.callee.object));
    // `const known = getShared(KEY)` and `setShared(KEY, made)`
    const [key, value] = node.arguments;
    const setter = node.callee.type === 'Identifier' ? /^set([A-Z]\w*)$/.exec(node.callee.name)?.[1] : undefined;
    if (setter && key && value && !isEmpty(value)) filled.add(`get${setter}(${facts.source.slice(key)})`);
    return true;
  });
  if (filled.size > 0) {
    const last = new Map<string, number>();
    const releases: t.AssignmentExpression[] = [];
    walkWithin(block, (node) => {
      if (node.type !== 'AssignmentExpression') return true;
      if (!isEmpty(node.right) && !isZero(node.right)) last.set(facts.source.slice(node.left), startOf(node));
      else if (isRelease(node, block, facts)) releases.push(node);
      return true;
    });
    // What is emptied first and filled then is a cache.
    for (const node of releases) {
      const name = facts.source.slice(node.left);
      if (startOf(node) > (last.get(name) ?? 0)) filled.delete(name);
    }
  }
  return filled;
}

/** In ms. Our choice: what is held for longer is taken for a cache that expires. */
const LONGEST_LOCK_MS = 10_000;
/** Methods and functions whose callbacks run when what was started is over. */
const AFTERWARD = /^(?:finally|then|setTimeout|setImmediate|nextTick)$/;

/**
 * `busy = true; …; busy = false` is a lock, also where what the block starts gives it up: `work().finally(() => { busy = null; })`. A failed
 * attempt is repeated.
 */
function isRelease({ left, right }: t.AssignmentExpression, block: Node, { bindings }: Facts): boolean {
  if (!isEmpty(right) && !isZero(right)) return false;
  let at: Node = left;
  for (let up = parentOf(at); up && at !== block; at = up, up = parentOf(up)) {
    if (up.type === 'TryStatement' && up.finalizer === at) return true;
    if (/^(?:CatchClause|IfStatement|LogicalExpression|ConditionalExpression|SwitchCase)$/.test(up.type)) return false;
    if (!isFunction(up) || up.body === block) continue;
    const around = parentOf(up);
    // The second function of `then` gets what failed.
    if (!isCall(around) || (around.callee !== up && around.arguments[0] !== up)) return false;
    const name = isMember(around.callee) ? memberName(around.callee) : around.callee.type === 'Identifier' ? around.callee.name : '';
    if (name === 'finally') return true;
    if (around.callee !== up && !AFTERWARD.test(name ?? '')) return false;
    // What is kept for longer is a cache that expires.
    if (name === 'setTimeout' && (numberOf(around.arguments[1], bindings) ?? 0) > LONGEST_LOCK_MS) return false;
  }
  return !isNothing(unwrap(right));
}

/** Of `this`: other objects may belong to a request. */
function stateIn(test: Node, facts: Facts): Guard['state'] {
  const node = unwrap(test);
  if (node.type !== 'BinaryExpression' || !/^===?$/.test(node.operator) || node.right.type !== 'StringLiteral') return undefined;
  const left = unwrap(node.left);
  return isMember(left) && unwrap(left.object).type === 'ThisExpression'
    ? { object: facts.source.slice(left), value: node.right.value }
    : undefined;
}

/** `cache = undefined` empties it. */
function isEmpty(value: Node): boolean {
  const node = unwrap(value);
  return isNothing(node) || (node.type === 'BooleanLiteral' && !node.value);
}

function testsDone(test: Node): boolean {
  const node = unwrap(test);
  const named = isCall(node) && node.arguments.length === 0 ? unwrap(node.callee) : node;
  const name = named.type === 'Identifier' ? named.name : isMember(named) ? memberName(named) : undefined;
  return name !== undefined && DONE.test(name);
}

function endsWithThrow(statement: t.Statement): boolean {
  return statement.type === 'ThrowStatement' || (statement.type === 'BlockStatement' && statement.body.at(-1)?.type === 'ThrowStatement');
}

/** `res.status(403)`, `res.sendStatus(409)`, `reply.code(403)`, `ctx.status = 403` */
function answersRefusal(branch: Node): boolean {
  let isRefusal = false;
  walkWithin(branch, (node) => {
    if (isFunction(node)) return false;
    const [name, value] =
      isCall(node) && isMember(node.callee)
        ? [memberName(node.callee), node.arguments[0]]
        : node.type === 'AssignmentExpression' && isMember(node.left)
          ? [memberName(node.left), node.right]
          : [];
    isRefusal ||=
      /^(?:status(?:Code)?|sendStatus|code|writeHead)$/.test(name ?? '') && value?.type === 'NumericLiteral' && REFUSALS.has(value.value);
    return true;
  });
  return isRefusal;
}

function endsWithReturn(statement: t.Statement): boolean {
  return statement.type === 'ReturnStatement' || (statement.type === 'BlockStatement' && statement.body.at(-1)?.type === 'ReturnStatement');
}

/** `if (pending) { if (isOpen) return pending; }` */
function returnsIt(branch: Node, text: string, facts: Facts): boolean {
  let found = false;
  walkWithin(branch, (node) => {
    if (isFunction(node)) return false;
    found ||= node.type === 'ReturnStatement' && node.argument != null && facts.source.slice(node.argument) === text;
    return !found;
  });
  return found;
}

function mentions(node: Node, text: string, facts: Facts): boolean {
  return facts.source.slice(node).includes(text);
}

const startOfFunction = (node: Node): number => {
  const fn = functionAround(node);
  return fn ? startOf(fn) : -1;
};

function functionAround(node: Node): FunctionNode | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}

/** Whether the target of an assignment still exists at the next request: it is not a local variable and does not belong to the request. */
function outlivesCall(target: Node, call: Node, facts: Facts): boolean {
  return outlivesText(facts.source.slice(target), call, facts);
}

function outlivesText(text: string, call: Node, facts: Facts): boolean {
  const root = /^(?:Object\.keys\()?([\w$]+)/.exec(text)?.[1];
  if (!root || root === 'this') return root === 'this';
  const binding = facts.bindings.lookUp(root, call);
  if (!binding) return root === 'global' || root === 'globalThis' || root === 'exports' || root === 'module';
  // `req.cached ??= read()` belongs to one request.
  if (binding.kind === 'param') return false;
  const fn = runningAround(call);
  if (!fn) return false;
  // `connect.kept = …` in `function connect()`
  if (binding.identifier === (fn as { id?: Node | null }).id) return functionAround(fn) === undefined;
  return !contains(fn, binding.identifier);
}

/** The function around a node. Callbacks that run immediately count as part of it: `list.forEach((item) => …)`. */
function runningAround(node: Node): FunctionNode | undefined {
  let fn = functionAround(node);
  for (
    let call = fn && parentOf(fn);
    fn &&
    call &&
    isCall(call) &&
    isMember(call.callee) &&
    call.arguments.includes(fn as t.Expression) &&
    GOES_THROUGH.test(memberName(call.callee) ?? '');
    call = fn && parentOf(fn)
  ) {
    const outer = functionAround(fn);
    if (!outer) break;
    fn = outer;
  }
  return fn;
}
