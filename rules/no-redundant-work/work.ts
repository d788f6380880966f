// Calls that only compute or read, and cost enough to be worth keeping their result.
import type { Facts } from '../../analysis/facts/index.ts';
import { findQuery, runsEachTime } from '../../analysis/facts/queries.ts';
import { isCall, isMember, memberName, parentOf, unwrap, type CallNode, type FunctionNode, type Node } from '../../analysis/module/ast.ts';
import { findRead, isPlain } from '../shared/reads.ts';

export interface Work {
  /**
   * `made`: a text or a pattern; `helper`: a function that sends a query; `elsewhere`: a function of another file, of which the project
   * knows whether it does.
   */
  kind: 'query' | 'parse' | 'text' | 'hash' | 'file' | 'helper' | 'elsewhere' | 'made';
  /** The call, or the `await` around it. */
  whole: Node;
  call: CallNode;
  name: string;
  /** It ends the function where there is no answer. */
  isGuard: boolean;
  /** What it does is only told by its name: the function may be any. */
  isByName?: true;
}

/** Answers that differ each time. */
const CHANGES = /\b(?:now|random\w{0,12}|uuid\w{0,4}|nanoid|nextval|newid|rand|\$sample|getRandomValues|time)\b|new Date\(\s{0,9}\)/i;
/** Functions that read, by their names. */
const READERS = /^(?:get|find|load|fetch|read|list|count|query)(?:$|[A-Z_])/;
const NOT_READERS =
  /Or(?:Create|Insert|Make|New|Add|Init|Set)|And(?:Create|Update|Delete|Remove|Modify|Lock|Replace)|Create|Next|Random|Token|Lock|Nonce|Session|Status|Secret|Queue|Job|Pending|Fresh|Latest|Config|Settings|Logger|Client|Connection|Repository|Time|Balance|Progress|State/;

/** What an awaited expression reads; undefined for all that is not known. */
export function awaitedWork(awaited: Node & { type: 'AwaitExpression' }, facts: Facts): Work | undefined {
  const text = facts.source.slice(awaited);
  if (CHANGES.test(text)) return undefined;
  const read = findRead(awaited.argument, facts);
  if (read) return { kind: 'query', whole: awaited, call: read.call, name: read.name, isGuard: read.isGuard };
  const call = unwrap(awaited.argument);
  if (!isCall(call) || call.type === 'NewExpression') return undefined;
  const name = nameOf(call, facts);
  if (/^(?:readFile)$/.test(lastName(call)) && isOfFs(call, facts) && isPlain(call, facts, [call]))
    return { kind: 'file', whole: awaited, call, name, isGuard: true };
  if (!READERS.test(lastName(call)) || NOT_READERS.test(lastName(call)) || call.arguments.length === 0) return undefined;
  if (!isPlain(call, facts, [call])) return undefined;
  const targets = facts.calls.functionsOf(call.callee);
  const [target] = targets;
  if (targets.length > 1) return undefined;
  if (target) return sendsRead(target, facts) ? { kind: 'helper', whole: awaited, call, name, isGuard: true } : undefined;
  return isOfProject(call, facts) ? { kind: 'elsewhere', whole: awaited, call, name, isGuard: true } : undefined;
}

/** Functions that make a text of what they are given, by their names. */
const MAKES_TEXT =
  /^(?:stringify|serialize|slugify|normalize|escape|encode|format)$|^(?:stringify|serialize|slugify|normalize|escape|format|encode)[A-Z]\w*$/;
/** Functions that prepare a pattern, by their names. */
const MAKES_PATTERN =
  /^(?:makeRe|compile|picomatch|globToRegExp|globToRegex|escapeRegExp|escapeStringRegexp)$|(?:To|Make|make|create|build|compile|parse|get)(?:RegExp|Regexp|Regex|Matcher|Glob|Pattern|Template)$/;
const OF_TEXT =
  /^(?:toLowerCase|toUpperCase|toLocaleLowerCase|toLocaleUpperCase|trim|replace|replaceAll|normalize|split|join|slice|padStart)$/;
const COSTS = /^(?:replace|replaceAll|normalize|split)$/;

/** Whether a call may be worth doing once, by its last name. */
export function mayBeMade(call: CallNode): boolean {
  const name = lastName(call);
  return MAKES_TEXT.test(name) || MAKES_PATTERN.test(name) || OF_TEXT.test(name) || MAKES_DATE.test(name) || name === 'RegExp';
}

/** Functions of packages that read a date. */
const MAKES_DATE = /^(?:moment|dayjs|utc|unix|fromISO|fromJSDate|fromFormat|fromMillis|parseISO)$/;
const OF_DATES = /^(?:moment|moment-timezone|dayjs|luxon|date-fns)$/;
const COMPARES = /^(?:isSame|isBefore|isAfter|isBetween|isSameOrBefore|isSameOrAfter|isEqual|diff|differenceIn[A-Z]\w+)$/;

/** `moment(day)` that is only compared: nobody changes it. */
export function isComparedDate(call: CallNode, facts: Facts): boolean {
  if (!MAKES_DATE.test(lastName(call)) || !OF_DATES.test(facts.origins.moduleMember(call.callee)?.module ?? '')) return false;
  const [first] = call.arguments;
  const binding = first?.type === 'Identifier' ? facts.bindings.resolve(first) : undefined;
  if (!binding || !facts.bindings.isConstant(binding) || !isPlain(call, facts, [call])) return false;
  let up = parentOf(call);
  if (up && isMember(up) && up.object === call) up = parentOf(up);
  return isCall(up) && COMPARES.test(lastName(up));
}

/** A text that a function makes of the same arguments: `stringify(cookie)`. */
export function madeText(call: CallNode, facts: Facts): Work | undefined {
  const { callee } = call;
  if (call.type !== 'CallExpression' || !MAKES_TEXT.test(lastName(call)) || !isFunctionByName(callee, facts)) return undefined;
  const [first] = call.arguments;
  if (!first || !isName(first) || parentOf(call)?.type === 'AwaitExpression' || CHANGES.test(facts.source.slice(call))) return undefined;
  return isPlain(call, facts, [call]) ? { ...madeOf(call, facts), isByName: true } : undefined;
}

/** What is worth doing once for all elements of a list: a pattern, or a text that several calls make of another one. */
export function madeInRounds(call: CallNode, facts: Facts): Work | undefined {
  if (CHANGES.test(facts.source.slice(call))) return undefined;
  if (facts.origins.isGlobal(call.callee, 'RegExp')) return isPatternOfNames(call, facts) ? madeOf(call, facts) : undefined;
  if (call.type === 'NewExpression') return undefined;
  if (isComparedDate(call, facts)) return madeOf(call, facts);
  const name = lastName(call);
  if (MAKES_PATTERN.test(name))
    return call.arguments.length > 0 && isPlain(call, facts, [call]) ? { ...madeOf(call, facts), isByName: true } : undefined;
  if (!OF_TEXT.test(name) || isPartOfChain(call)) return undefined;
  const chain = chainOf(call);
  const names = chain.map(lastName);
  const root = chain.at(-1)?.callee;
  if (chain.length < 2 || !names.every((one) => OF_TEXT.test(one)) || !names.some((one) => COSTS.test(one))) return undefined;
  return root && isMember(root) && isName(root.object) && isPlain(call, facts, chain) ? madeOf(call, facts) : undefined;
}

function madeOf(call: CallNode, facts: Facts): Work {
  const name = call.type === 'NewExpression' ? `new ${nameOf(call, facts)}` : nameOf(call, facts);
  return { kind: 'made', whole: call, call, name, isGuard: false };
}

/** A function, and not the method of an object: those may depend on what it holds. */
function isFunctionByName(callee: Node, facts: Facts): boolean {
  const node = unwrap(callee);
  if (node.type === 'Identifier') return facts.bindings.resolve(node) !== undefined;
  return facts.origins.moduleMember(node) !== undefined;
}

/** `new RegExp(word, 'i')`. One with `g` or `y` remembers where it was, and may only be shared by what begins anew. */
function isPatternOfNames(call: CallNode, facts: Facts): boolean {
  const [pattern, flags] = call.arguments;
  if (!pattern || unwrap(pattern).type === 'StringLiteral' || unwrap(pattern).type === 'RegExpLiteral') return false;
  if (!isPlain(call, facts, [call])) return false;
  if (flags && flags.type !== 'StringLiteral') return false;
  const up = parentOf(call);
  return (
    !(flags && /[gy]/.test(flags.value)) || (isCall(up) && up.callee !== call && /^(?:replace|replaceAll|split|match)$/.test(lastName(up)))
  );
}

function isPartOfChain(call: CallNode): boolean {
  const up = parentOf(call);
  const around = up && isMember(up) && up.object === call ? parentOf(up) : undefined;
  return isCall(around) && around.callee === up && OF_TEXT.test(lastName(around));
}

/** What a call computes, without waiting. */
export function syncWork(call: CallNode, facts: Facts): Work | undefined {
  if (call.type === 'NewExpression') return undefined;
  const kind = kindOf(call, facts);
  if (!kind || parentOf(call)?.type === 'AwaitExpression' || CHANGES.test(facts.source.slice(call))) return undefined;
  const chain = kind === 'hash' ? chainOf(call) : [call];
  if (!isPlain(call, facts, chain)) return undefined;
  return { kind, whole: call, call, name: kind === 'hash' ? 'createHash' : nameOf(call, facts), isGuard: kind !== 'hash' };
}

function kindOf(call: CallNode, facts: Facts): Work['kind'] | undefined {
  const method = lastName(call);
  const [first] = call.arguments;
  if (!first && method !== 'digest') return undefined;
  if (method === 'parse' && facts.origins.isGlobal(call.callee, 'JSON.parse'))
    // `JSON.parse(JSON.stringify(x))` makes a copy.
    return call.arguments.length === 1 && first && isName(first) ? 'parse' : undefined;
  if (method === 'stringify' && facts.origins.isGlobal(call.callee, 'JSON.stringify')) return first && isName(first) ? 'text' : undefined;
  if (method === 'readFileSync' && isOfFs(call, facts)) return 'file';
  if (method !== 'digest') return undefined;
  const made = chainOf(call).at(-1);
  const origin = made && facts.origins.moduleMember(made.callee);
  return /^(?:node:)?crypto$/.test(origin?.module ?? '') && /^create(?:Hash|Hmac)$/.test(lastName(made as CallNode)) ? 'hash' : undefined;
}

/** A variable or property: what is written in the code itself is short. */
function isName(argument: Node): boolean {
  let node = unwrap(argument);
  for (let i = 0; i < 8 && isMember(node); i++) node = unwrap(node.object);
  return node.type === 'Identifier' || node.type === 'ThisExpression';
}

function chainOf(call: CallNode): CallNode[] {
  const chain: CallNode[] = [];
  let at: Node = call;
  for (let i = 0; i < 8 && isCall(at); i++) {
    chain.push(at);
    const callee: Node = unwrap(at.callee);
    if (!isMember(callee)) break;
    at = unwrap(callee.object);
  }
  return chain;
}

function isOfFs(call: CallNode, facts: Facts): boolean {
  const origin = facts.origins.moduleMember(call.callee);
  return origin !== undefined && /^(?:(?:node:)?fs(?:\/promises)?|fs-extra|graceful-fs)$/.test(origin.module);
}

/** Whether a function of the file sends a query that reads, each time, and writes nothing. */
function sendsRead(fn: FunctionNode, facts: Facts): boolean {
  return facts.remember(`reads in the function at ${fn.start}`, () => {
    let reads = false;
    for (const call of facts.calls.callsIn(fn)) {
      const query = findQuery(call, facts, true);
      if (query?.isWrite) return false;
      if (query && !query.isHttp && runsEachTime(call, fn, facts)) reads = true;
    }
    return reads && !/cache|memo/i.test(facts.source.slice(fn));
  });
}

function isOfProject(call: CallNode, facts: Facts): boolean {
  const origin = facts.origins.of(call.callee);
  return !origin || (origin.root === 'module' && /^[./#~@]/.test(origin.name));
}

export function lastName(call: CallNode): string {
  const callee = unwrap(call.callee);
  return callee.type === 'Identifier' ? callee.name : isMember(callee) ? (memberName(callee) ?? '') : '';
}

// Longer names are shortened.
const MAX_NAME = 40;

function nameOf(call: CallNode, facts: Facts): string {
  const written = facts.source.slice(unwrap(call.callee));
  return written.length <= MAX_NAME && !/\s/.test(written) ? written : `….${lastName(call)}`;
}
