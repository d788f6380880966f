// Reads of texts and listings that are usually over in microseconds: awaiting them takes longer than they do, so that it gains nothing next to
// what the same function waits for, or where no visitor waits. Readers of unseen applications merged one of these, and called the others useless
// (bench/fixes-read.md).
import { conditionsOn } from '../../../analysis/facts/control-flow.ts';
import type { Facts } from '../../../analysis/facts/index.ts';
import { findQuery } from '../../../analysis/facts/queries.ts';
import {
  enclosingFunction,
  contains,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../../analysis/module/ast.ts';
import { walkWithin } from '../../../analysis/module/module-index.ts';
import type { Fix, RefusedFix } from '../../../analysis/rule.ts';
import { TITLE } from '../async-plan.ts';
import type { BlockingMatch } from '../blocking.ts';
import { valueOf } from '../path-uses.ts';
import { isOfMicroseconds, isRepeated } from '../remedies.ts';

const OF_FILES = /^(?:fs|fs-extra|graceful-fs|jsonfile|glob|fast-glob|globby)$/;
/** What asks about one entry, lists entries, or makes a folder. */
const SHORT = /^(?:(?:l?stat|exists|pathExists|access|realpath|readlink|readdir|mkdir|ensureDir|glob|globby)Sync|sync)$/;
const TEXT = /^read(?:File|JSON|Json)Sync$/;
/** Files of any size. */
const MAY_BE_LARGE =
  /upload|\w\.path\b|document|attachment|te?mp|csv|tsv|xlsx?|ndjson|\.log\b|logs?\b|backup|dump|export|import|archive|download|media|audio|video/i;

/** Whether a call takes microseconds, or is a short read that nothing repeats. */
export const isSmallRead = (one: BlockingMatch, facts: Facts): boolean =>
  isOfMicroseconds(one) || (isShortRead(one, facts) && !isRepeated(one.call, facts));

/** Whether all blocking calls of a function are such. Found once: each of them asks. */
export function areSmall(fn: FunctionNode, all: readonly BlockingMatch[], facts: Facts): boolean {
  const known = facts.remember('functions whose blocking calls are all small', () => new Map<FunctionNode, boolean>());
  let are = known.get(fn);
  if (are === undefined) known.set(fn, (are = all.every((one) => isSmallRead(one, facts))));
  return are;
}

/** Whether a call reads a text that nothing says to be large, or tells about entries of a folder. Found once: a fix asks about all it changes. */
function isShortRead(match: BlockingMatch, facts: Facts): boolean {
  const known = facts.remember('short reads', () => new Map<Node, boolean>());
  let isShort = known.get(match.call);
  if (isShort === undefined) known.set(match.call, (isShort = findShortRead(match, facts)));
  return isShort;
}

function findShortRead({ call, row }: BlockingMatch, facts: Facts): boolean {
  const name = row.path.at(-1) ?? '';
  if (!OF_FILES.test(row.module)) return false;
  if (SHORT.test(name)) return true;
  const [path, options] = call.arguments;
  if (!TEXT.test(name) || !path || MAY_BE_LARGE.test(facts.source.slice(path) + facts.source.slice(valueOf(path, facts)))) return false;
  return name !== 'readFileSync' || isEncoding(options) || becomesText(call);
}

/** `'utf8'`, `{ encoding: 'utf8' }` */
function isEncoding(options: Node | undefined): boolean {
  const given = options && unwrap(options);
  if (given?.type === 'StringLiteral') return given.value !== 'binary' && given.value !== 'base64' && given.value !== 'latin1';
  return (
    given?.type === 'ObjectExpression' &&
    given.properties.some(
      (one) => one.type === 'ObjectProperty' && staticName(one.key, one.computed) === 'encoding' && isEncoding(one.value),
    )
  );
}

/** `readFileSync(path).toString()`, `JSON.parse(readFileSync(path))` */
function becomesText(call: CallNode): boolean {
  const user = parentOf(call);
  if (isMember(user))
    return memberName(user) === 'toString' && isCall(parentOf(user)) && (parentOf(user) as CallNode).arguments.length === 0;
  const callee = isCall(user) ? unwrap(user.callee) : undefined;
  return isMember(callee) && memberName(callee) === 'parse' && unwrap(callee.object).type === 'Identifier';
}

/**
 * Why a function does not gain from awaiting short reads only: what else it waits for takes longer. `all`: what would be converted together.
 * Not in a loop without such a wait, which repeats the read while nothing else runs.
 */
export function whyBeside(match: BlockingMatch, all: readonly BlockingMatch[], facts: Facts): RefusedFix | undefined {
  const fn = enclosingFunction(match.call);
  const reads = [match, ...all];
  if (!fn || !reads.every((one) => isShortRead(one, facts)) || reads.some(({ call }) => isRepeated(call, facts))) return undefined;
  const longer = longerBeside(match.call, fn, facts) ?? longerInCallers(fn, facts);
  return (
    longer && {
      title: TITLE,
      reason: `what line ${facts.source.positionAt(startOf(longer)).line} waits for takes much longer, and for a small file an await takes 1.6 times as long on the event loop as the read (1 KiB in the page cache). Convert it by hand where the file is large, or the disk is slow`,
    }
  );
}

/** Whether a fix changes a call. */
export const isWithin = ({ call }: BlockingMatch, { edits }: Fix): boolean =>
  edits.some(({ start, end }) => start <= startOf(call) && end > startOf(call));

/** What the callers in the file wait for; undefined if one of them waits for nothing that takes long, or calls the function in a loop. */
function longerInCallers(fn: FunctionNode, facts: Facts): Node | undefined {
  const known = facts.remember('waits of callers, beside short reads', () => new Map<Node, Node | undefined>());
  if (!known.has(fn)) known.set(fn, findInCallers(fn, facts));
  return known.get(fn);
}

function findInCallers(fn: FunctionNode, facts: Facts): Node | undefined {
  let first: Node | undefined;
  for (const { edge, from } of facts.calls.callersOf(fn)) {
    const { site, via } = edge;
    if (via !== 'call' || !isCall(site) || !isFunction(from) || isRepeated(site, facts)) return undefined;
    const longer = longerBeside(site, from, facts);
    if (!longer) return undefined;
    first ??= longer;
  }
  return first;
}

/** A request to another service, a child process, or the first of two queries, which the function waits for whenever it gets to the place. */
function longerBeside(place: Node, fn: FunctionNode, facts: Facts): Node | undefined {
  const { longer, queries } = waitsOf(fn, facts);
  const causes = new Set(conditionsOn(place, fn));
  const isSure = (one: Node): boolean =>
    conditionsOn(one, fn).every((cause) => {
      const branch = parentOf(cause);
      if (branch?.type !== 'IfStatement' && branch?.type !== 'ConditionalExpression') return causes.has(cause);
      if (contains(branch, one) || contains(branch, place)) return causes.has(cause) && armOf(branch, one) === armOf(branch, place);
      return causes.has(cause) || (branch.type === 'IfStatement' && failsOnly(branch, facts));
    });
  const sure = longer.find(isSure);
  if (sure) return sure;
  const [first, second] = queries.filter(isSure);
  return second && first;
}

/** `if (!text) return;`, `if (!user) throw error`, `return res.status(404).end()`: not `return res.send(text)`, which is an answer. */
function failsOnly({ test, consequent, alternate }: t.IfStatement, facts: Facts): boolean {
  if (alternate) return false;
  const text = facts.source.slice(consequent).slice(0, MOST_READ);
  const asked = unwrap(test);
  return FAILS.test(text) || (asked.type === 'UnaryExpression' && asked.operator === '!' && LEAVES.test(text));
}

const FAILS = /\bthrow\b|\b(?:status|sendStatus|code|writeHead)\([45]\d\d\b|\bstatus(?:Code)?: ?[45]\d\d\b|\breject\(|\bnext\(\w/;
const LEAVES = /^(?:\{\s*)?return(?: (?:null|undefined|false))?(?:;|\s*\}|$)/;

/** Of a branch, in characters. */
const MOST_READ = 400;

/** Which part of an `if` or `?:` a place is in; undefined if it is outside. */
const armOf = (branch: t.IfStatement | t.ConditionalExpression, place: Node): Node | undefined =>
  [branch.test, branch.consequent, branch.alternate].find((one) => one && contains(one, place)) ?? undefined;

interface Waits {
  longer: readonly Node[];
  queries: readonly Node[];
}

function waitsOf(fn: FunctionNode, facts: Facts): Waits {
  const known = facts.remember('waits of functions, beside short reads', () => new Map<Node, Waits>());
  let waits = known.get(fn);
  if (!waits) known.set(fn, (waits = findWaits(fn, facts)));
  return waits;
}

function findWaits(fn: FunctionNode, facts: Facts): Waits {
  const longer: Node[] = [];
  const queries: Node[] = [];
  walkWithin(fn.body, (node) => {
    if (longer.length + queries.length >= MOST_WAITS) return 'stop';
    if (isFunction(node)) return false;
    if (!isCall(node)) return undefined;
    const query = isAwaited(node) ? findQuery(node, facts, true) : undefined;
    if (query?.isHttp || (isAwaited(node) && isSlow(node, facts)) || waitsForChild(node, facts)) longer.push(node);
    else if (query) queries.push(node);
    return undefined;
  });
  return { longer, queries };
}

/** Of one function. Generated ones have thousands, and each of their reads asks which of them it always comes to. */
const MOST_WAITS = 50;

/** `await db.users.find().lean()`, `return fetch(url)` of an async function, `await Promise.all([fetch(a), fetch(b)])` */
function isAwaited(call: Node): boolean {
  let at = parentOf(call);
  while (at && (isMember(at) || isCall(at) || at.type === 'ArrayExpression')) at = parentOf(at);
  return at?.type === 'AwaitExpression' || (at?.type === 'ReturnStatement' && enclosingFunction(call)?.async === true);
}

/** Calls whose names tell that they leave the machine, or work for seconds. */
const SLOW = /^(?:fetch\w{0,20}|axios|sendMail|sendEmail|goto|screenshot|generateContent\w{0,20})$/;
const OF_MODELS = /\b(?:completions|messages|responses|images|embeddings)\.(?:create|generate|stream)$/;

function isSlow(call: CallNode, facts: Facts): boolean {
  // What a function of the file does, its name does not tell.
  if (facts.calls.edgesOfCall(call).some(({ via }) => via === 'call')) return false;
  const callee = unwrap(call.callee);
  if (callee.type === 'Identifier') return SLOW.test(callee.name);
  const names: string[] = [];
  for (let at: Node = callee; isMember(at); at = unwrap(at.object)) names.unshift(memberName(at) ?? '');
  return SLOW.test(names.at(-1) ?? '') || OF_MODELS.test(names.join('.'));
}

/** `await execa('git')`, `execFileSync('git')`, `exec('git', callback)`: not a program that runs on for itself. */
function waitsForChild(call: CallNode, facts: Facts): boolean {
  const started = facts.origins.moduleMember(call.callee);
  if (started?.module !== 'child_process' && started?.module !== 'execa') return false;
  return isAwaited(call) || (started.path.at(-1) ?? '').endsWith('Sync') || isFunction(call.arguments.at(-1));
}
