// What a finding advises, and which calls are told and not converted by themselves: those that take microseconds.
import {
  enclosingFunction,
  findAncestor,
  isCall,
  isFunction,
  isMember,
  memberName,
  isLoop,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { isReference } from '../../analysis/facts/bindings.ts';
import { constantOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { RefusedFix } from '../../analysis/rule.ts';
import { TITLE } from './async-plan.ts';
import { isProbe, type BlockingMatch } from './blocking.ts';
import { runsAtOnce } from './conditions.ts';
import { AT_STARTUP } from './load-at-startup.ts';
import { afterCheck, calledName, valueOf } from './path-uses.ts';
import { isObjectKept } from './seldom/unchanged.ts';
import { isOfMessages, whyUseless } from './to-async.ts';

/** What asks about one entry of a folder, or changes one. A listing is as long as its folder. */
export const isOfMicroseconds = ({ level, row }: BlockingMatch): boolean =>
  level === 'hint' && row.single === 'hint' && row.module === 'fs' && row.path.at(-1) !== 'readdirSync';

/**
 * A reader of unseen applications would not have merged 16 of 17 such changes (bench/fixes-read.md). What replaces a check and the call behind
 * it is offered: it also closes the gap between the two.
 */
export function whySmall({ call, row }: BlockingMatch, facts: Facts): RefusedFix | undefined {
  if (isRepeated(call, facts)) return undefined;
  const took = /took (.+) on a local disk/.exec(row.took ?? '')?.[1];
  return took === undefined
    ? undefined
    : { title: TITLE, reason: `it takes ${took} on a local disk, and awaiting it costs a request at least as much processor time` };
}

/**
 * In a loop of its function, or in a callback of an array method. What a loop starts with, or goes through, runs once. Where each round waits
 * for something else, others have their turn after each call.
 */
export function isRepeated(call: CallNode, facts: Facts): boolean {
  for (let from: Node = call, at = parentOf(call); at; from = at, at = parentOf(at)) {
    if (isFunction(at)) return runsAtOnce(at) && !(at.async && waitsBesides(at.body, facts));
    if (at.type === 'ForStatement' ? at.init === from : isForEach(at) && at.right === from) continue;
    if (isLoop(at)) return !waitsBesides(at.body, facts);
  }
  return false;
}

/** Whether each round of a loop waits: an `await` in a statement of its body, under no condition. Found once for all calls in it. */
function waitsBesides(body: Node, facts: Facts): boolean {
  const known = facts.remember('bodies that wait in each round', () => new Map<Node, boolean>());
  let waits = known.get(body);
  if (waits === undefined) known.set(body, (waits = (body.type === 'BlockStatement' ? body.body : [body]).some(waitsIn)));
  return waits;
}

function waitsIn(statement: Node): boolean {
  let waits = false;
  walkWithin(statement, (node) => {
    if (isFunction(node) || isLoop(node) || MAY_NOT_RUN.test(node.type)) return false;
    waits ||= node.type === 'AwaitExpression';
    return waits ? 'stop' : undefined;
  });
  return waits;
}

const MAY_NOT_RUN = /^(?:IfStatement|SwitchStatement|CatchClause|ConditionalExpression|LogicalExpression)$/;

const isForEach = (node: Node): node is t.ForOfStatement | t.ForInStatement =>
  node.type === 'ForOfStatement' || node.type === 'ForInStatement';

/** What a getter or setter advises, which cannot wait; undefined for other functions. */
function remedyOfAccessor(fn: FunctionNode, facts: Facts): string | undefined {
  if ((fn.type === 'ObjectMethod' || fn.type === 'ClassMethod') && (fn.kind === 'get' || fn.kind === 'set'))
    return 'A getter or setter cannot wait: use an asynchronous method instead.';
  const property = fn.type === 'ObjectMethod' ? fn : parentOf(fn);
  const column = property?.type === 'ObjectMethod' || property?.type === 'ObjectProperty' ? parentOf(property) : undefined;
  if (column?.type !== 'ObjectExpression' || !('key' in (property as Node))) return undefined;
  // `{ type: DataTypes.STRING, set(value) { … } }` in a model of Sequelize or Mongoose. A driver of a storage has keys, and values.
  const nameIn = (one: (typeof column.properties)[number]): string | undefined =>
    one.type === 'SpreadElement' ? undefined : staticName(one.key, one.computed);
  const name = nameIn(property as (typeof column.properties)[number]);
  return (name === 'get' || name === 'set') && fn.params.length <= 1 && isColumn(column, facts)
    ? `\`${name}\` of a column cannot wait: use a hook that may be asynchronous, such as \`beforeSave\`.`
    : undefined;
}

const MODEL_PACKAGES = /['"](?:sequelize|sequelize-typescript|mongoose)['"]/;

/** Whether an object with a type describes a column: of `new Schema({ … })`, `sequelize.define('user', { … })`, or in a file that imports them. */
function isColumn(object: t.ObjectExpression, facts: Facts): boolean {
  const type = object.properties.find((one) => one.type === 'ObjectProperty' && staticName(one.key, one.computed) === 'type');
  if (type?.type !== 'ObjectProperty') return false;
  if (/^(?:DataTypes|Sequelize)\./.test(facts.source.slice(type.value)) || MODEL_PACKAGES.test(facts.source.text)) return true;
  const call = findAncestor(object, ({ type: kind }) => kind !== 'ObjectExpression' && kind !== 'ObjectProperty');
  return isCall(call) && /^(?:define|Schema)$/.test(calledName(call) ?? '');
}

/** A file that requests read, change, and write: between two awaits, another request may read what is not written yet. */
const ONE_AT_A_TIME =
  ' If requests also change the file, let them do so one at a time: while one waits, another could overwrite what it changes.';

/** Whether the file of the call is both read and written where it stands. */
function isChangedInPlace({ call, row }: BlockingMatch, facts: Facts): boolean {
  const [path] = call.arguments;
  if (row.module !== 'fs' || !/^(?:read|write)FileSync$/.test(row.path.at(-1) ?? '') || !path) return false;
  const { read, written } = facts.remember('files that are read and written', () => filesOf(facts));
  const file = fileOf(path, facts);
  return read.has(file) && written.has(file);
}

function filesOf(facts: Facts): { read: ReadonlySet<string>; written: ReadonlySet<string> } {
  const read = new Set<string>();
  const written = new Set<string>();
  for (const type of ['CallExpression', 'OptionalCallExpression'] as const)
    for (const call of facts.module.nodes(type)) {
      const [path] = call.arguments;
      const name = calledName(call) ?? '';
      const files = /^read(?:File|J)/.test(name) ? read : /^(?:write|output)/.test(name) ? written : undefined;
      if (path && files) files.add(fileOf(path, facts));
    }
  return { read, written };
}

/** The text of a path, or of what a variable was declared with, and which variables of functions are in it: other functions may name others so. */
function fileOf(path: Node, facts: Facts): string {
  const value = valueOf(path, facts);
  const parts = [facts.source.slice(value)];
  walkWithin(value, (node) => {
    const binding = node.type === 'Identifier' && isReference(node) ? facts.bindings.resolve(node) : undefined;
    if (binding && binding.scope.type !== 'Program') parts.push(String(startOf(binding.identifier)));
    return !isFunction(node);
  });
  return parts.join(' ');
}

/** https://nodejs.org/docs/latest/api/fs.html#fspromiseswritefilefile-data-options: unsafe without waiting for the promise. */
const ONE_WRITE = ' Let writes of this file run one at a time: it is unsafe to start one before another has ended.';

/** Whether each run of a call writes the same file: its path is of the module, or each caller in the file passes such a path. */
function isSameFileEachTime({ call, row }: BlockingMatch, facts: Facts): boolean {
  const [path] = call.arguments;
  if (row.module !== 'fs' || row.path.at(-1) !== 'writeFileSync' || !path) return false;
  if (isOfModule(path, facts)) return true;
  const fn = enclosingFunction(call);
  const binding = path.type === 'Identifier' ? facts.bindings.resolve(path) : undefined;
  const place = fn && binding ? (fn.params as readonly Node[]).indexOf(binding.identifier) : -1;
  const passed =
    place < 0 || !fn
      ? []
      : facts.calls.callersOf(fn).map(({ edge: { site, via } }) => (via === 'call' && isCall(site) ? site.arguments[place] : undefined));
  return passed.length > 0 && passed.every((one) => one !== undefined && isOfModule(one, facts));
}

/** Whether an expression is a literal, or made of constants of the module and of globals alone, without calls but `path.join(…)`. */
function isOfModule(expression: Node, facts: Facts): boolean {
  let isOf = true;
  walkWithin(valueOf(expression, facts), (node) => {
    if (node.type === 'ThisExpression' || node.type === 'UpdateExpression' || node.type === 'AssignmentExpression') isOf = false;
    if (isCall(node) && facts.origins.moduleMember(node.callee)?.module !== 'path') isOf = false;
    const variable = node.type === 'Identifier' && isReference(node) ? node : undefined;
    const binding = variable && facts.bindings.resolve(variable);
    if (binding && (binding.scope.type !== 'Program' || !facts.bindings.isConstant(binding))) isOf = false;
    // `state.count`, of an object of the file that may count.
    if (variable && isMember(parentOf(variable)) && constantOf(variable, facts.bindings)?.type === 'ObjectExpression')
      isOf &&= isObjectKept(variable, facts.bindings);
    return isOf ? undefined : 'stop';
  });
  return isOf;
}

/** What is compressed on several threads need not be ready in the order in which it was given. */
const IN_ORDER = ' Send messages one at a time: one that is ready sooner would overtake those before it.';

/** What a caller in the same file cannot do: `super(Config.read(path))`. */
function ofCallers(fn: FunctionNode | undefined, facts: Facts): string {
  const callers = (fn ? facts.calls.callersOf(fn) : []).map(({ from }) => from);
  if (callers.some((from) => from.type === 'ClassMethod' && from.kind === 'constructor'))
    return ' A constructor that calls it cannot wait: let an asynchronous function that makes the object await it.';
  return callers.some(
    (from) => (from.type === 'ClassMethod' || from.type === 'ObjectMethod') && (from.kind === 'get' || from.kind === 'set'),
  )
    ? ' A getter or setter that calls it cannot wait: use an asynchronous method instead.'
    : '';
}

/** In a function that an array method calls, and that cannot wait: `names.sort((a, b) => statSync(a).size - statSync(b).size)`. */
function remedyOfCallback(fn: FunctionNode, label: string): string | undefined {
  const call = parentOf(fn);
  const callee = isCall(call) ? unwrap(call.callee) : undefined;
  const name = isMember(callee) ? memberName(callee) : undefined;
  if (name === undefined || fn.async) return undefined;
  if (name === 'sort' || name === 'toSorted')
    return `A comparator cannot wait: await \`${label}\` for what it compares before the sort, and keep the results.`;
  return name === 'map' || name === 'flatMap'
    ? `Await \`${label}\` in an asynchronous function for each element, and all of them with \`Promise.all\`.`
    : undefined;
}

/** `isSmall`: nothing that would be converted with it takes longer than microseconds. */
export function remedyFor(match: BlockingMatch, atStartup: boolean, isSmall: boolean, facts: Facts): string {
  const { call, promiseForm, row } = match;
  if (atStartup) return `${AT_STARTUP}${'reason' in promiseForm ? '' : `, or await \`${promiseForm.label}\``}.`;
  const fn = enclosingFunction(call);
  const ofAccessor = fn && remedyOfAccessor(fn, facts);
  if (ofAccessor !== undefined) return ofAccessor;
  if ('reason' in promiseForm && promiseForm.remedy !== undefined)
    return (isProbe(row) ? afterCheck(call, facts) : undefined) ?? promiseForm.remedy;
  if ('reason' in promiseForm)
    return `Move it off the request path: to startup, a worker, or a queue. No direct replacement: ${promiseForm.reason}.`;
  const { label } = promiseForm;
  const inConstructor = fn?.type === 'ClassMethod' && fn.kind === 'constructor';
  if (inConstructor && !(isSmall && whySmall(match, facts)))
    return `A constructor cannot wait: await \`${label}\` first, in an asynchronous function, and pass the result to the constructor.`;
  const ofCallback = fn && remedyOfCallback(fn, label);
  if (ofCallback !== undefined && !(isSmall && whySmall(match, facts))) return ofCallback;
  if (promiseForm.kind === 'helper') return `Start the child process with \`${label}\`, and await its end.`;
  // The asynchronous forms of crypto and zlib run on libuv's thread pool (nodejs.org/api/cli.html, UV_THREADPOOL_SIZE).
  if (isSmall && whySmall(match, facts))
    return `Await \`${label}\` only where the file system is slow, such as a network disk: on a local disk, awaiting it costs at least as much processor time.`;
  const more = ofCallers(fn, facts);
  if (row.cost === 'cpu' && row.asyncForm.kind === 'callback')
    return `Await \`${label}\`, which runs on the thread pool.${isOfMessages(match, facts) ? IN_ORDER : ''}${more}`;
  const useless = isOfMessages(match, facts) ? undefined : whyUseless(match, facts);
  if (useless) return `${useless.instead}.`;
  return `Await \`${label}\`.${isChangedInPlace(match, facts) ? ONE_AT_A_TIME : isSameFileEachTime(match, facts) ? ONE_WRITE : ''}${more}`;
}
