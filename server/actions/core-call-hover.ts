// Over a call of Node's own: where it runs, what it blocks, how to write it so that it does not. Where nothing is found, too.
import { isMember, memberName, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { CORE_CALLS, findBlockingCall } from '../../knowledge/blocking-calls.ts';
import type { BlockingCall } from '../../knowledge/blocking-call.ts';
import { CORE_PLACES, findCallPlace, promiseFormOf, type CallPlace, type CorePlace } from '../../knowledge/core-call-places.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import type { Span } from '../../protocol/finding.ts';
import type { Writer } from '../shared/markdown.ts';

export interface CoreCallRequest {
  /** Absolute path of the document. */
  file: string;
  text: string;
  offset: number;
  project: ProjectInfo;
}

export interface CoreCallHover {
  /** Of what is called. */
  span: Span;
  value: string;
}

/** Parsing waits for a name that may be one of these: a hover over anything else costs nothing. */
const NAMES: ReadonlySet<string> = new Set([
  ...CORE_PLACES.flatMap(({ module, names }) => [module, ...names.flatMap((name) => name.split('.'))]),
  ...CORE_CALLS.flatMap(({ module, path }) => [module, ...path]),
  'promises',
]);
const MOST_NAME = 64;
/** The answering thread parses it: larger files are not linted by default, either. In characters. */
const MOST_TEXT = 1024 * 1024;
/** Globals that Node's documentation lists under this module. */
const TIMERS = 'timers';

const PLACES: Readonly<Record<CallPlace, string>> = {
  pool: "runs on libuv's thread pool. It waits behind other file, `dns.lookup`, crypto, and zlib jobs: the pool has four threads unless `UV_THREADPOOL_SIZE` is set. The event loop goes on meanwhile.",
  os: 'waits in the operating system. It occupies no thread of the pool, and the event loop continues meanwhile.',
  loop: "runs on the event loop's own thread.",
  thread: "runs in a thread of its own. Starting it takes time of the event loop's thread.",
  process: "runs in a process of its own. Starting it takes time of the event loop's thread.",
};
const WAITS: Readonly<Record<BlockingCall['cost'], string>> = {
  io: 'until the file system responds',
  spawn: 'until the child process exits',
  cpu: 'while it computes',
  wait: 'until the wait ends',
};

/** Undefined where no function of Node is called. */
export function coreCallHover({ file, text, offset, project }: CoreCallRequest, write: Writer): CoreCallHover | undefined {
  if (text.length > MOST_TEXT || !NAMES.has(wordAt(text, offset))) return undefined;
  const outcome = parse(file, text);
  if (!outcome.ok) return undefined;
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source(file, text), project);
  const callee = calleeAt(facts, offset);
  const origin = callee && facts.origins.of(callee);
  if (!callee || !origin) return undefined;
  const span = { start: callee.start ?? offset, end: callee.end ?? offset };
  const blocking = findBlockingCall(origin.name, origin.path);
  // Packages have rows, too; what they do is for their findings to say.
  // What blocks without a callback alone has a row of its own there, which says so.
  if (blocking && !blocking.when && CORE_CALLS.includes(blocking) && (blocking.root ?? 'module') === origin.root)
    return { span, value: blockingText(nameOf(origin.name, origin.path), blocking, write) };
  const isTimer = origin.root === 'global' && origin.path.length === 0;
  const [module, path] = isTimer ? [TIMERS, [origin.name]] : [origin.name, origin.path];
  const place = findCallPlace(module, path);
  return place && { span, value: placeText(isTimer ? origin.name : nameOf(module, path), place, { module, path }, write) };
}

function wordAt(text: string, offset: number): string {
  const isPart = (at: number): boolean => /[\w$]/.test(text.charAt(at));
  let [start, end] = [offset, offset];
  while (offset - start < MOST_NAME && isPart(start - 1)) start -= 1;
  while (end - offset < MOST_NAME && isPart(end)) end += 1;
  return text.slice(start, end);
}

/** What the innermost call there calls. Over an argument there is no call. */
function calleeAt({ module }: Facts, offset: number): Node | undefined {
  const calls: CallNode[] = [
    ...module.nodes('CallExpression'),
    ...module.nodes('OptionalCallExpression'),
    ...module.nodes('NewExpression'),
  ];
  const callees = calls.map(({ callee }) => unwrap(callee as Node)).filter((callee) => isNamed(callee) && contains(callee, offset));
  return callees.sort((a, b) => lengthOf(a) - lengthOf(b))[0];
}

function isNamed(callee: Node): boolean {
  return callee.type === 'Identifier' || (isMember(callee) && memberName(callee) !== undefined);
}

function contains({ start, end }: Node, offset: number): boolean {
  return (start ?? Infinity) <= offset && offset <= (end ?? -1);
}

function lengthOf({ start, end }: Node): number {
  return (end ?? 0) - (start ?? 0);
}

function nameOf(module: string, path: readonly string[]): string {
  return [module, ...path].join('.');
}

function blockingText(name: string, { cost, asyncForm, nodeRange }: BlockingCall, write: Writer): string {
  const form =
    asyncForm.kind === 'none'
      ? asyncForm.advice
      : asyncForm.kind === 'method'
        ? `Without blocking: its method \`${asyncForm.name}\`${asyncForm.style === 'callback' ? ', with a callback' : ''}.`
        : `Without blocking: \`${asyncForm.path.join('.')}\` of \`${asyncForm.module}\`${asyncForm.kind === 'callback' ? ', with a callback' : ''}.`;
  return write.blocks([
    `${write.code(name)} ${write.prose(`blocks the event loop ${WAITS[cost]}.`)}`,
    write.prose(form),
    ...since(nodeRange, write),
  ]);
}

function placeText(name: string, row: CorePlace, call: { module: string; path: readonly string[] }, write: Writer): string {
  const form = promiseFormOf(call.module, call.path);
  return write.blocks([
    `${write.code(name)} ${write.prose(PLACES[row.place])}`,
    ...(row.note === undefined ? [] : [write.prose(`${row.note.charAt(0).toUpperCase()}${row.note.slice(1)}.`)]),
    ...(form === undefined ? [] : [`With a promise: ${write.code(form)}.`]),
    ...since(row.nodeRange, write),
    write.link('Source', row.source),
  ]);
}

function since(range: string | undefined, write: Writer): string[] {
  return range === undefined ? [] : [`Available in Node ${write.code(range)}.`];
}
