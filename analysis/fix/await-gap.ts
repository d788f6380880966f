// What an `await` in the middle of a function would change: between the call and what follows it, other requests run, and events arrive.
import {
  contains,
  endOf,
  findAncestor,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  enclosingFunction,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import { waitsBefore } from '../facts/awaits/dropped-results.ts';
import type { Facts } from '../facts/index.ts';
import type { Binding } from '../facts/bindings.ts';
import { walkWithin } from '../module/module-index.ts';
import { MUTATES, setForRequest, sharedUses, type SharedUse } from './shared-state.ts';

const LISTENS: ReadonlySet<string> = new Set(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener', 'addEventListener']);
/** Events that bring a client. */
const CONNECTIONS: ReadonlySet<string> = new Set(['connection', 'connect', 'secureConnection']);

/** Why the rest of a function cannot wait for `site`, although it could be awaited; undefined if it can. */
export function whyNoGap(fn: FunctionNode, site: Node, facts: Facts): string | undefined {
  // In a loop, what stands before the call also runs after it.
  const loop = findAncestor(site, (node) => isLoop(node) && contains(fn.body, node));
  const isInLoop = (node: Node): boolean => loop !== undefined && contains(loop, node);
  // A call runs after its arguments.
  const isAfter = (node: Node): boolean =>
    startOf(node) >= endOf(site) || isInLoop(node) || (isCall(node) && node !== site && contains(node, site));
  const { devDependencies = {} } = facts.project.manifest ?? {};
  const told = facts.project.lint?.rules['no-await-in-loop'];
  if (loop && told) return 'ESLint forbids an `await` in a loop here (`no-await-in-loop`)';
  const airbnb =
    told === undefined && loop && ['eslint-config-airbnb', 'eslint-config-airbnb-base'].find((name) => devDependencies[name] !== undefined);
  if (airbnb) return `\`${airbnb}\` forbids an \`await\` in a loop (\`no-await-in-loop\`)`;
  return (
    whyNotNamed(fn, facts) ??
    whyDecorated(fn, facts) ??
    whyUnhandled(fn, site, isAfter, facts) ??
    whyScheduled(fn, site, facts) ??
    whyOrder(fn, site, isAfter, facts) ??
    whyListener(fn, isAfter, facts) ??
    whyNextListener(fn, facts) ??
    whyShared(fn, site, { isAfter, isInLoop }, facts)
  );
}

/** In a script, `await` may be the name of a variable; an async function cannot use it. */
function whyNotNamed(fn: FunctionNode, facts: Facts): string | undefined {
  const names = facts.remember('variables named await', () => facts.module.nodes('Identifier').filter(({ name }) => name === 'await'));
  const own = names.find((one) => contains(fn, one));
  return own && `\`await\` is a variable here (line ${lineOf(own, facts)}). Give it another name`;
}

/** `@catches show() {}`: a decorator of the project may call the method and expect its result, or its error, at once. */
function whyDecorated(fn: FunctionNode, facts: Facts): string | undefined {
  if (fn.type !== 'ClassMethod' || fn.async) return undefined;
  for (const { expression } of fn.decorators ?? []) {
    const callee = unwrap(isCall(expression) ? expression.callee : expression);
    // A method that replaces another one calls it by its descriptor.
    if (facts.calls.functionsOf(callee).some((one) => /\bvalue\b|\.(?:apply|call)\(/.test(facts.source.slice(one))))
      return `\`@${facts.source.slice(callee)}\` (line ${lineOf(expression, facts)}) may call the method and expect its result at once. Let it await that`;
  }
  return undefined;
}

/** `const p = load(); const text = read(); await p`: an error of the promise ends the process if nothing handles it when it comes. */
function whyUnhandled(fn: FunctionNode, site: Node, isAfter: (node: Node) => boolean, facts: Facts): string | undefined {
  for (const { identifier, handled } of gapsOf(fn, facts).promises) {
    const [first] = handled;
    if (first && endOf(identifier) <= startOf(site) && isAfter(first))
      return `\`${identifier.name}\` (line ${lineOf(identifier, facts)}) is a promise that is handled after the call: if it is rejected while the function waits, the process ends. Await it first, or start it later`;
  }
  return undefined;
}

/** A variable that holds a promise, or several, and where they are handled: in the order of the text. */
interface Pending {
  identifier: t.Identifier;
  handled: readonly Node[];
}

function promisesIn(fn: FunctionNode, facts: Facts): Pending[] {
  const found: Pending[] = [];
  walkWithin(fn.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return true;
    const init = unwrap(node.init);
    const binding = isCall(init) || init.type === 'ArrayExpression' ? facts.bindings.resolve(node.id) : undefined;
    const handled = binding ? facts.bindings.references(binding).filter(handlesPromise) : [];
    if (handled.length > 0) found.push({ identifier: node.id, handled });
    return true;
  });
  return found;
}

/** `await p`, `p.then(…)`, `Promise.all(p)`, `Promise.all([p])` */
function handlesPromise(reference: Node): boolean {
  const parent = parentOf(reference);
  if (parent?.type === 'AwaitExpression') return true;
  if (isMember(parent)) return parent.object === reference && /^(?:then|catch|finally)$/.test(memberName(parent) ?? '');
  const call = parent?.type === 'ArrayExpression' || parent?.type === 'SpreadElement' ? parentOf(parent) : parent;
  const callee = isCall(call) ? unwrap(call.callee) : undefined;
  return (
    isMember(callee) &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Promise' &&
    /^(?:all|allSettled|any|race)$/.test(memberName(callee) ?? '')
  );
}

/**
 * `Promise.all(files.map(async (file) => { const text = read(file); texts.push(text); }))`: so far, the texts are in the order of the
 * files.
 */
function whyOrder(fn: FunctionNode, site: Node, isAfter: (node: Node) => boolean, facts: Facts): string | undefined {
  const call = parentOf(fn);
  const callee = isCall(call) && call.callee !== fn ? unwrap(call.callee) : undefined;
  if (!fn.async || !isMember(callee) || !/^(?:map|flatMap|forEach)$/.test(memberName(callee) ?? '') || waitsBefore(fn, site, facts))
    return undefined;
  let found: t.Identifier | undefined;
  walkWithin(fn.body, (node) => {
    const target = changedInOrder(node, site);
    const binding = target?.type === 'Identifier' ? facts.bindings.resolve(target) : undefined;
    if (
      target?.type === 'Identifier' &&
      binding &&
      binding.scope !== fn &&
      contains(binding.scope, fn) &&
      (isAfter(node) || contains(node, site))
    )
      found ??= target;
    return found === undefined;
  });
  return (
    found &&
    `\`${found.name}\` is changed after the call (line ${lineOf(found, facts)}), and the elements would no longer do that one after the other. Let the callback return a value instead`
  );
}

/** `list.push(…)`, `text += …`, `n = n + read()` */
function changedInOrder(node: Node, site: Node): Node | undefined {
  if (isCall(node)) {
    const callee = unwrap(node.callee);
    return isMember(callee) && /^(?:push|unshift|splice)$/.test(memberName(callee) ?? '') ? unwrap(callee.object) : undefined;
  }
  if (node.type !== 'AssignmentExpression') return undefined;
  return node.operator !== '=' || contains(node.right, site) ? node.left : undefined;
}

/** `setImmediate(() => res.headersSent || res.end('late'))`, `load().then(show)`: so far, it runs after the rest of the function. */
function whyScheduled(fn: FunctionNode, site: Node, facts: Facts): string | undefined {
  const { scheduled } = gapsOf(fn, facts);
  const before = scheduled.find((call) => endOf(call) <= startOf(site));
  if (!before) return undefined;
  const name = facts.source.slice(before.callee).slice(-MAX_NAME);
  return `what \`${name}\` starts (line ${facts.source.positionAt(startOf(before)).line}) would run during the \`await\`, and no longer after the function`;
}

const MAX_NAME = 24;
/** A timer that is longer stands for a time, and not for the end of the function. */
const SHORT_TIMER_MS = 100;

function scheduledIn(fn: FunctionNode): CallNode[] {
  const found: CallNode[] = [];
  walkWithin(fn.body, (node) => {
    if (isFunction(node)) return false;
    if (isCall(node) && isScheduling(node)) found.push(node);
    return true;
  });
  return found;
}

function isScheduling(call: CallNode): boolean {
  const {
    callee,
    arguments: [first, delay],
  } = call;
  const node = unwrap(callee);
  const name = isMember(node) ? memberName(node) : node.type === 'Identifier' ? node.name : undefined;
  const user = parentOf(call)?.type ?? '';
  // A timer may be kept so that it can be cleared.
  const isTimer = /^set(?:Timeout|Immediate)$/.test(name ?? '') && /^(?:VariableDeclarator|AssignmentExpression)$/.test(user);
  if (!isTimer && user !== 'ExpressionStatement' && user !== 'UnaryExpression') return false;
  if (name === 'setTimeout') return !delay || (delay.type === 'NumericLiteral' && delay.value < SHORT_TIMER_MS);
  return /^(?:setImmediate|nextTick|queueMicrotask|then)$/.test(name ?? '') && first !== undefined;
}

interface Gaps {
  scheduled: readonly CallNode[];
  listeners: readonly Listener[];
  promises: readonly Pending[];
  /** In source order. */
  shared: readonly SharedUse[];
}

/** What listens for events, and to which object. */
interface Listener {
  node: Node;
  object: Node;
}

/** Found once for a function: it may have thousands of findings. */
function gapsOf(fn: FunctionNode, facts: Facts): Gaps {
  const known = facts.remember('what an await would part', () => new Map<FunctionNode, Gaps>());
  let gaps = known.get(fn);
  if (!gaps) {
    gaps = {
      scheduled: scheduledIn(fn),
      listeners: listenersIn(fn, facts),
      promises: promisesIn(fn, facts),
      shared: sharedUses(fn, facts),
    };
    known.set(fn, gaps);
  }
  return gaps;
}

function listenersIn(fn: FunctionNode, facts: Facts): Listener[] {
  const connection = connectionOf(fn, facts);
  const listeners: Listener[] = [];
  walkWithin(fn.body, (node) => {
    if (isFunction(node)) return isExecutor(node);
    const object = listenedObject(node) ?? (isCall(node) ? listenedArgument(node, connection, facts) : undefined);
    if (object) listeners.push({ node, object });
    return true;
  });
  return listeners;
}

/** `new Promise((resolve, reject) => …)` runs it at once. */
function isExecutor(fn: FunctionNode): boolean {
  const made = parentOf(fn);
  return made?.type === 'NewExpression' && made.arguments[0] === fn && made.callee.type === 'Identifier' && made.callee.name === 'Promise';
}

/** The argument to which a called function attaches listeners. Where a function is not known, a connection is for that. */
function listenedArgument(call: CallNode, connection: Binding | undefined, facts: Facts): Node | undefined {
  const called = call.type === 'NewExpression' ? [] : facts.calls.functionsOf(call.callee);
  const callee = unwrap(call.callee);
  const isStored = isMember(callee) && MUTATES.has(memberName(callee) ?? '');
  return call.arguments.find((argument, index) => {
    if (argument.type !== 'Identifier') return false;
    if (called.length > 0) return called.some((fn) => listensTo(fn, index, facts));
    return connection !== undefined && !isStored && facts.bindings.resolve(argument) === connection;
  });
}

function listensTo(fn: FunctionNode, index: number, facts: Facts): boolean {
  const parameter = fn.params[index];
  const binding = parameter?.type === 'Identifier' ? facts.bindings.resolve(parameter) : undefined;
  return (
    binding !== undefined &&
    facts.bindings.references(binding).some((reference) => {
      const member = parentOf(reference);
      const use = isMember(member) && member.object === reference ? parentOf(member) : undefined;
      return use !== undefined && listenedObject(use) === reference;
    })
  );
}

/** `socket` in `io.on('connection', (socket) => …)` */
function connectionOf(fn: FunctionNode, facts: Facts): Binding | undefined {
  const [first] = fn.params;
  const { event } = listenerCallOf(fn, facts) ?? {};
  return event !== undefined && CONNECTIONS.has(event) && first?.type === 'Identifier' ? facts.bindings.resolve(first) : undefined;
}

/** The call that makes a function a listener, written in the call or named in it. */
function listenerCallOf(fn: FunctionNode, facts: Facts): { call: CallNode; event: string; object: Node } | undefined {
  const parent = parentOf(fn);
  const site = isCall(parent) ? parent : facts.handlersOf(fn)[0]?.site;
  if (!site || !isCall(site)) return undefined;
  const callee = unwrap(site.callee);
  const variable = parentOf(site);
  // `const server = createServer(listener)`
  if ((isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined) === 'createServer')
    return variable?.type === 'VariableDeclarator' ? { call: site, event: 'request', object: variable.id } : undefined;
  const object = listenedObject(site);
  const [event] = site.arguments;
  return object && event?.type === 'StringLiteral' ? { call: site, event: event.value, object } : undefined;
}

/** The next listener of the same event runs when the function first waits, and no longer when it has ended. */
function whyNextListener(fn: FunctionNode, facts: Facts): string | undefined {
  const own = listenerCallOf(fn, facts);
  if (!own) return undefined;
  const emitter = facts.source.slice(own.object);
  const next = facts.module
    .nodes('CallExpression')
    .find(
      (call) =>
        startOf(call) > startOf(own.call) &&
        !contains(own.call, call) &&
        call.arguments[0]?.type === 'StringLiteral' &&
        call.arguments[0].value === own.event &&
        facts.source.slice(listenedObject(call) ?? call) === emitter &&
        enclosingFunction(call) === enclosingFunction(own.call),
    );
  return (
    next &&
    `another listener of \`${own.event}\` (line ${lineOf(next, facts)}) runs when this one returns, and would no longer see what it has done. Put both into one listener`
  );
}

/** `socket.on('message', …)` behind the call: a message that arrives while it waits would be lost. */
function whyListener(fn: FunctionNode, isAfter: (node: Node) => boolean, facts: Facts): string | undefined {
  const found = gapsOf(fn, facts).listeners.find(({ node, object }) => isAfter(node) && !isMadeAfter(object, isAfter, facts))?.node;
  if (!found) return undefined;
  const what = isCall(found) ? facts.source.slice(found.callee) : facts.source.slice(found).split('=')[0]?.trim();
  return `\`${what}\` (line ${lineOf(found, facts)}) listens for events after the call, and would miss those that arrive while it waits. Attach the listener first`;
}

function listenedObject(node: Node): Node | undefined {
  if (isCall(node)) {
    const callee = unwrap(node.callee);
    if (!isMember(callee) || !LISTENS.has(memberName(callee) ?? '') || node.arguments.length < 2) return undefined;
    return unwrap(callee.object);
  }
  if (node.type !== 'AssignmentExpression' || !isMember(node.left) || !isFunction(unwrap(node.right))) return undefined;
  return /^on[a-z]+$/.test(memberName(node.left) ?? '') ? unwrap(node.left.object) : undefined;
}

/** What is made after the call has no events before. */
function isMadeAfter(object: Node, isAfter: (node: Node) => boolean, facts: Facts): boolean {
  let root = object;
  while (isMember(root) || isCall(root)) {
    if (isCall(root) && (root.type === 'NewExpression' || !isMember(unwrap(root.callee)))) return true;
    root = unwrap(isMember(root) ? root.object : root.callee);
  }
  if (root.type !== 'Identifier') return false;
  const declaration = facts.bindings.resolve(root)?.declaration;
  return declaration !== undefined && isAfter(declaration) && declaration.type === 'VariableDeclarator';
}

/**
 * A variable from outside of the function, or a field of `this`, that the function writes, and that it uses both before and after the
 * call: while it waits, another request may have changed it.
 */
function whyShared(
  fn: FunctionNode,
  site: Node,
  { isAfter, isInLoop }: { isAfter(node: Node): boolean; isInLoop(node: Node): boolean },
  facts: Facts,
): string | undefined {
  const uses = new Map<unknown, { name: string; before: Uses; after: Uses }>();
  // `total += await …` reads first and writes last.
  const target = assignedFrom(site);
  for (const use of gapsOf(fn, facts).shared) {
    const { key, name, node, access } = use;
    if (access === 'process')
      return `\`${name}\` (line ${lineOf(node, facts)}) is for the whole process: while it waits, other requests would run with it. Resolve the path instead`;
    const isTarget = target !== undefined && contains(target.left, node);
    const isBefore = !isAfter(node) || isInLoop(node) || (isTarget && target.isUpdate);
    if (isAfter(node) && !isInLoop(node)) {
      const set = setForRequest(use, fn, facts);
      if (set)
        return `\`${name}\` is set for each request (line ${lineOf(set, facts)}) and used after the call: while it waits, another request may set it. Keep it in a variable of the function, or on the request`;
    }
    const known = uses.get(key) ?? { name, before: new Map(), after: new Map() };
    if (isBefore && !known.before.has(access)) known.before.set(access, node);
    if ((isAfter(node) || isTarget) && !known.after.has(access)) known.after.set(access, node);
    uses.set(key, known);
  }
  const shared = [...uses.values()].find(({ before, after }) => dependsOnOrder(before, after));
  if (!shared) return undefined;
  const [before, after] = [firstLine(shared.before, facts), firstLine(shared.after, facts)];
  const lines = before === after ? `line ${before}` : `lines ${before} and ${after}`;
  return `\`${shared.name}\` outlives the request and is used before and after the call (${lines}): while it waits, another request may change it. Use it on one side of the call only`;
}

/** By kind of use: the first one. */
type Uses = Map<SharedUse['access'], Node>;
type Accesses = Pick<ReadonlyMap<SharedUse['access'], Node>, 'has'>;

function firstLine(uses: Uses, facts: Facts): number {
  return Math.min(...[...uses.values()].map((node) => lineOf(node, facts)));
}

function lineOf(node: Node, facts: Facts): number {
  return facts.source.positionAt(startOf(node)).line;
}

function dependsOnOrder(before: Accesses, after: Accesses): boolean {
  const changes = (accesses: Accesses): boolean => accesses.has('write') || accesses.has('append');
  const sees = (accesses: Accesses): boolean => accesses.has('read') || accesses.has('write') || accesses.has('ask');
  return (
    (changes(after) && sees(before)) || (changes(before) && (sees(after) || after.has('tell'))) || (before.has('ask') && after.has('tell'))
  );
}

function assignedFrom(site: Node): { left: Node; isUpdate: boolean } | undefined {
  const assignment = findAncestor(site, (node) => node.type === 'AssignmentExpression' && contains(node.right, site));
  return assignment?.type === 'AssignmentExpression' ? { left: assignment.left, isUpdate: assignment.operator !== '=' } : undefined;
}
