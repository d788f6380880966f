// Fix: the promise form of the call, with `await`, and `async` on the function and its callers in this file. Refused if it could change
// what the code does.
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { FIX_COSTS } from '../../knowledge/fix-costs.ts';
import { calledName } from '../../analysis/fix/make-async.ts';
import type { Edit, Fix, RefusedFix } from '../../analysis/rule.ts';
import { AsyncPlan, TITLE } from './async-plan.ts';
import { startsProcess, type BlockingMatch, type NoPromiseForm } from './blocking.ts';
import { callEdits } from './call-edits.ts';
import { AT_ONCE } from './child-processes.ts';
import { checkBefore, idiomEdits, isFixedPath, type Idiom } from './idioms.ts';
import { fileNameIn, otherUse, partsOfPath, pathUsesOf, valueOf } from './path-uses.ts';
import { whySamePath } from './same-path.ts';
import { unlessMocked } from './stubs.ts';

export type Conversion = { fix: Fix } | { refused: RefusedFix };

/** Each finding carries the edits of all of them. Nobody writes so many by hand. */
export const MOST_TOGETHER = 50;

/**
 * The conversion of one blocking call, and of all those of its function that can be converted (`siblings`); or the reason why it is not
 * offered. Half of them is not: `isFixedOtherwise` tells which others have a fix of their own, and `inCallbacks` are those in callbacks
 * that run at once, and `elsewhere` those of other modules in functions that this one calls.
 */
export function toAsync(
  match: BlockingMatch,
  facts: Facts,
  siblings: readonly BlockingMatch[] = [],
  isFixedOtherwise: (other: BlockingMatch) => boolean = () => false,
  inCallbacks: readonly BlockingMatch[] = [],
  findIdiom: FindIdiom = () => undefined,
  elsewhere: readonly BlockingMatch[] = [],
): readonly Conversion[] {
  const one = convert([match], facts, findIdiom);
  if ('refused' in one || siblings.length > MOST_TOGETHER) return [one];
  const own = findIdiom(match.call);
  const others = siblings.filter(({ call }) => call !== match.call && (own === undefined || findIdiom(call) !== own));
  const stays = own === undefined ? whyCheckStays(match, facts) : undefined;
  const why =
    stays ??
    (own === undefined && !siblings.some((one) => one.call !== match.call && !CHECKS.test(one.name))
      ? whyOnlyOnce(match, facts)
      : undefined);
  const alone = why === undefined ? one : { refused: { title: TITLE, reason: why } };
  if (others.length + inCallbacks.length === 0) return [alone];
  const family = familyOf(match);
  // The siblings are those that belong to the match.
  const kind = `${family}${isCheck(match) ? ', checks' : ''}`;
  const left = whatStillBlocks(match, siblings, isFixedOtherwise, inCallbacks, findIdiom, facts, kind);
  if (left) return [left];
  const known = facts.remember(`conversions of functions, ${kind}`, () => new Map<Node | undefined, Conversion | undefined>());
  const fn = enclosingFunction(match.call);
  // Of another module, all are converted, or none.
  const isWhole = (one: BlockingMatch): boolean =>
    familyOf(one) === family ||
    !whatStillBlocks(one, [...siblings, ...elsewhere], isFixedOtherwise, inCallbacks, findIdiom, facts, `${kind}, and others`);
  if (!known.has(fn)) known.set(fn, convertTogether(siblings.filter(isWhole), facts, findIdiom));
  const all = known.get(fn);
  if (!all || !('fix' in all) || stays !== undefined) return [alone];
  if (all.fix.named === undefined) return [all];
  const isHalf = siblings.some(({ call }) => findIdiom(call) === undefined && checkBefore(call, facts));
  if (isHalf) return [alone];
  return one.fix.named === undefined ? [alone, all] : [all];
}

/** An awaited `mkdir` gains nothing where `existsSync` blocks before it on each request. */
export function whyCheckStays(match: BlockingMatch, facts: Facts): string | undefined {
  const { call } = match;
  const check = checkBefore(call, facts);
  if (!check) {
    const asked = checkOfSame(match, facts);
    return (
      asked &&
      `\`${facts.source.slice(asked.callee)}\` on line ${facts.source.positionAt(startOf(asked)).line} asks for the same path, and would still block. Leave it out, and handle the error if the file is missing`
    );
  }
  const { line } = facts.source.positionAt(startOf(check));
  return `\`existsSync\` on line ${line} would still block on each request. \`mkdir\` with \`recursive\` needs no check: remove it first`;
}

/** `if (!existsSync(folder)) { log(folder); mkdirSync(folder, { recursive: true }); }` */
function whyOnlyOnce({ call, row }: BlockingMatch, facts: Facts): string | undefined {
  const [path] = call.arguments;
  if (!path || row.path.at(-1) !== 'mkdirSync') return undefined;
  for (let at = parentOf(call); at && !isFunction(at); at = parentOf(at)) {
    if (at.type !== 'IfStatement') continue;
    const test = unwrap(at.test);
    const asked = test.type === 'UnaryExpression' && test.operator === '!' ? unwrap(test.argument) : undefined;
    if (
      isCall(asked) &&
      /\bexistsSync$/.test(facts.source.slice(asked.callee)) &&
      facts.source.slice(asked.arguments[0] ?? asked) === facts.source.slice(path)
    )
      return `it runs only where the folder is missing, and \`existsSync\` on line ${facts.source.positionAt(startOf(asked)).line} would still block on each request`;
  }
  return undefined;
}

/** `if (existsSync(file)) send(readFileSync(file));` */
function checkOfSame({ call, row }: BlockingMatch, facts: Facts): CallNode | undefined {
  const [path] = call.arguments;
  if (!path || row.module !== 'fs' || CHECKS.test(row.path.join('.'))) return undefined;
  const text = facts.source.slice(path);
  for (let at: Node = call, up = parentOf(at); up && !isFunction(up); at = up, up = parentOf(up)) {
    const test = (up.type === 'IfStatement' || up.type === 'ConditionalExpression') && up.consequent === at ? unwrap(up.test) : undefined;
    const [asked] = test && isCall(test) ? test.arguments : [];
    if (test && isCall(test) && asked && /\bexistsSync$/.test(facts.source.slice(test.callee)) && facts.source.slice(asked) === text)
      return test;
  }
  return undefined;
}

/** The check with what depends on it that a call belongs to. */
export type FindIdiom = (call: CallNode) => Idiom | undefined;

interface Left {
  other: BlockingMatch;
  why: string;
  acrossFiles?: true;
  /** It has a reason of its own. */
  toOthers?: true;
}

/** What becomes async, or is async, where the call is awaited; nothing where it cannot be. */
export function functionsThatWait({ call }: BlockingMatch, facts: Facts, findIdiom: FindIdiom): Iterable<FunctionNode> {
  const fn = enclosingFunction(call);
  const plan = new AsyncPlan(facts);
  return fn && plan.makeAsync(fn, findIdiom(call)?.call ?? call) === undefined ? plan.asyncFunctions : [];
}

/** A maintainer sends back a fix that leaves every other call of its kind in the function: requests would wait as before. */
function whatStillBlocks(
  match: BlockingMatch,
  siblings: readonly BlockingMatch[],
  isFixedOtherwise: (other: BlockingMatch) => boolean,
  inCallbacks: readonly BlockingMatch[],
  findIdiom: FindIdiom,
  facts: Facts,
  kind: string,
): Conversion | undefined {
  const fn = enclosingFunction(match.call);
  const handler = facts.handlersOf(fn)[0];
  const known = facts.remember(`blocking calls that stay, ${kind}`, () => new Map<Node | undefined, readonly Left[]>());
  if (!known.has(fn))
    known.set(
      fn,
      [...siblings, ...inCallbacks].flatMap((other): Left[] => {
        if (isFixedOtherwise(other)) return [];
        if (inCallbacks.includes(other)) return [{ other, why: 'is in a callback that cannot wait' }];
        const converted = convert([other], facts, findIdiom);
        if (!('refused' in converted))
          // `if (existsSync(folder)) for (const name of readdirSync(folder)) …`
          return !/mkdir/.test(other.name) && !findIdiom(other.call) && whyCheckStays(other, facts) !== undefined
            ? [{ other, why: 'stays behind a check that blocks', toOthers: true }]
            : [];
        // The project may know more of a function that this one calls.
        const acrossFiles = enclosingFunction(other.call) !== fn && converted.refused.acrossFiles === true;
        return [{ other, why: 'cannot be converted', ...(acrossFiles ? { acrossFiles } : {}) }];
      }),
    );
  const all = (known.get(fn) ?? []).filter(({ other, toOthers }) => !toOthers || other.call !== match.call);
  // An instance of Lambda handles one event at a time (docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html).
  const isAlone = handler?.kind === 'invocation' && handler.framework === 'aws-lambda';
  const [left] = isAlone ? all : all.filter(({ other }) => isHalfOf(other, match));
  if (!left) return undefined;
  const effect = isAlone
    ? 'An instance of Lambda handles one event at a time, so no other request gains from awaiting this call alone'
    : undefined;
  return { refused: { ...stillBlocks(left.other, left.why, facts, effect), ...(left.acrossFiles ? { acrossFiles: true } : {}) } };
}

export function stillBlocks({ call, name }: BlockingMatch, why: string, facts: Facts, effect = 'Convert both, or neither'): RefusedFix {
  const { line } = facts.source.positionAt(startOf(call));
  return { title: TITLE, reason: `\`${name}\` on line ${line} ${why}, and would still block. ${effect}` };
}

/** A check of a file is over in microseconds; where its file is read next, it often has to stay. */
export function isHalfOf(other: BlockingMatch, match: BlockingMatch): boolean {
  return familyOf(other) === familyOf(match) && !isInCatch(other.call) && (!CHECKS.test(other.name) || CHECKS.test(match.name));
}

export const isCheck = ({ name }: BlockingMatch): boolean => CHECKS.test(name);

const CHECKS = /\b(?:existsSync|pathExistsSync|accessSync)$/;

/** `fs` and what extends it. */
const familyOf = ({ row }: BlockingMatch): string => (/^(?:fs-extra|graceful-fs)$/.test(row.module) ? 'fs' : row.module);

function isInCatch(node: Node): boolean {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at)) if (at.type === 'CatchClause') return true;
  return false;
}

function convertTogether(siblings: readonly BlockingMatch[], facts: Facts, findIdiom: FindIdiom): Conversion | undefined {
  const convertible = siblings.filter(
    (sibling) =>
      'fix' in convert([sibling], facts, findIdiom) &&
      (findIdiom(sibling.call) !== undefined || whyCheckStays(sibling, facts) === undefined),
  );
  const [first, ...others] = new Set(convertible.map(({ call }) => findIdiom(call) ?? call));
  return first === undefined || others.length === 0 ? undefined : convert(convertible, facts, findIdiom);
}

function convert(matches: readonly BlockingMatch[], facts: Facts, findIdiom: FindIdiom): Conversion {
  const refuse = (reason: string, acrossFiles = false): Conversion => ({
    refused: { title: TITLE, reason, ...(acrossFiles ? { acrossFiles } : {}) },
  });
  const plan = new AsyncPlan(facts);
  const edits: Edit[] = [];
  const idioms = new Set<Idiom>();
  let called = '';
  let label = '';
  if (matches.every(onlyDrawsSalt))
    return refuse(
      'it only draws 16 random bytes, which takes no longer than the await. What takes long is the hash that is made with them',
    );
  const useless = matches.map((match) => whyUseless(match, facts)).find((reason) => reason !== undefined);
  if (useless !== undefined) return refuse(`${useless.why}. ${useless.instead}`);
  for (const match of matches) {
    const { call, promiseForm } = match;
    const idiom = findIdiom(call);
    if (idiom) idioms.add(idiom);
    else if ('reason' in promiseForm) return refuse(withLine(promiseForm, facts));
    else if (asksTwice(call, facts))
      return refuse(
        '`existsSync` asks for the same path in the same condition, and would still block. One `await stat(path)` in a `try` tells both',
      );
    const fn = enclosingFunction(call);
    if (!fn) return refuse('the call is outside of any function');
    const reason = plan.makeAsync(fn, idiom?.call ?? call) ?? (idiom ? undefined : whySamePath(match, fn, facts));
    if (reason) return refuse(reason, plan.isAboutCallers);
    called = calledName(fn);
    if (idiom || 'reason' in promiseForm) continue;
    edits.push(...callEdits(match, promiseForm, facts));
    label = promiseForm.kind === 'helper' ? `\`${promiseForm.label}\`${AT_ONCE}` : `\`${promiseForm.label}\``;
  }
  const ofIdioms = idiomEdits([...idioms], plan, facts);
  const [idiom] = idioms;
  const isAlone = idiom !== undefined && matches.every(({ call }) => findIdiom(call) === idiom);
  const functions = new Set(matches.map(({ call }) => enclosingFunction(call))).size;
  const title = isAlone
    ? idiom.title
    : matches.length === 1
      ? `Convert to ${label}`
      : `Convert ${matches.length} blocking calls of ${functions === 1 ? called : `${functions} functions`} to promise forms`;
  const callees = [...matches.map(({ call }) => call.callee), ...ofIdioms.callees];
  const [match] = matches;
  // What a check with a read costs was measured for a path of the request only, which no longer gets the fix.
  const cost = !isAlone && matches.length === 1 && match ? costOfAwait(match) : undefined;
  const named = matches.some(startsProcess) ? ({ named: 'child-process' } as const) : {};
  const fix = plan.fix(title, [...edits, ...ofIdioms.edits], callees, ofIdioms.isOpen, functions);
  return { fix: { ...fix, ...named, ...unlessMocked(matches), ...(cost === undefined ? {} : { cost }) } };
}

/** Why an await takes longer than the call does, or lets messages overtake each other, and what to do instead. */
export function whyUseless(match: BlockingMatch, facts: Facts): { why: string; instead: string } | undefined {
  const { call, row } = match;
  if (isOfMessages(match, facts))
    return { why: 'a message that is ready sooner would overtake those before it', instead: 'Send them one at a time first' };
  const [path] = call.arguments;
  if (!path || !FILES.test(row.module)) return undefined;
  if (row.path.at(-1) === 'readFileSync' && usesHead(call, facts))
    return {
      why: 'only the first bytes are used, and the whole file would be read',
      instead: 'Open the file, and read only its first bytes',
    };
  if (path.type === 'StringLiteral' && /^\/(?:proc|sys)\//.test(path.value))
    return {
      why: `the kernel generates \`${facts.source.slice(path)}\`, so the read waits for no disk`,
      instead: 'Read it at intervals, and cache the result',
    };
  const value = valueOf(path, facts);
  const name = /^read(?:File|Json|JSON)Sync$/.test(row.path.at(-1) ?? '') && isFixedPath(value, facts) ? fileNameIn(value) : undefined;
  const { byText, byFileName, writtenFolders } = pathUsesOf(facts);
  const isChanged = (uses: Parameters<typeof otherUse>[0]): boolean =>
    otherUse(uses, 'change', call) !== undefined || otherUse(uses, 'write', call) !== undefined;
  return name !== undefined &&
    SMALL.test(name) &&
    !writtenFolders.has(partsOfPath(value, facts).folder) &&
    ![byText.get(facts.source.slice(unwrap(path))), byFileName.get(name)].some(isChanged)
    ? {
        why: `\`${name}\` is small, and stays the same while the program runs: awaiting it takes longer than reading it`,
        instead: 'Read it once, and keep the result',
      }
    : undefined;
}

/** `const bytes = readFileSync(path)`, of which nothing but `bytes[0]`, `bytes.subarray(0, 512)`, and the length is used. */
function usesHead(call: CallNode, facts: Facts): boolean {
  const declarator = parentOf(call);
  const binding =
    declarator?.type === 'VariableDeclarator' && declarator.id.type === 'Identifier' ? facts.bindings.resolve(declarator.id) : undefined;
  const uses = binding && facts.bindings.isConstant(binding) ? facts.bindings.references(binding) : [];
  let parts = 0;
  const isOfHead = (use: Node): boolean => {
    const member = parentOf(use);
    if (!isMember(member) || member.object !== use) return false;
    if (member.computed) {
      if (member.property.type !== 'NumericLiteral' || member.property.value >= MOST_OF_HEAD) return false;
      parts++;
      return true;
    }
    const name = memberName(member);
    if (name === 'length') return true;
    const user = parentOf(member);
    const [from, to] = isCall(user) && user.callee === member ? user.arguments : [];
    const isPart = /^(?:slice|subarray)$/.test(name ?? '') && from?.type === 'NumericLiteral' && from.value === 0 && to !== undefined;
    if (isPart) parts++;
    return isPart && isBounded(to);
  };
  return uses.length > 0 && uses.every(isOfHead) && parts > 0;
}

/** The first bytes of a file, at most: more than any format needs to be told by. */
const MOST_OF_HEAD = 4096;

/** `512`, `Math.min(512, bytes.length)` */
function isBounded(end: Node): boolean {
  const isFew = (one: Node): boolean => one.type === 'NumericLiteral' && one.value <= MOST_OF_HEAD;
  const node = unwrap(end);
  if (isFew(node)) return true;
  const callee = isCall(node) ? unwrap(node.callee) : undefined;
  return isCall(node) && isMember(callee) && memberName(callee) === 'min' && node.arguments.some(isFew);
}

const SENDS = /^(?:send|emit|publish|sendText|sendUTF|sendBytes)$/;

/** What messages are sent on, one after another. */
const SOCKETS =
  /socket|clients?$|peers?$|conn(?:ection)?s?$|channel|transport$|broker$|publisher$|^(?:ws|wss|io|nsp|mqtt|redis|nats|pub)$/i;

/** `ws.on('connection', (one) => …)`, `for (const one of clients)` */
const GIVES_SOCKETS = /connection|sockets?\b|clients\b|peers\b/i;

/** What makes another value of a compressed one, or of the text in it. */
const PASSES_ON = /^(?:JSON\.(?:stringify|parse)|Buffer\.(?:from|concat)|String|Array\.from)$/;

/** Our choice: the longest way from a call to a message. */
const MOST_STEPS = 6;

/**
 * Whether what a call compresses or uncompresses is sent as a message on a socket, without waiting for the end: the next message may follow.
 * An answer to a request is the only one.
 */
export function isOfMessages({ call, row }: BlockingMatch, facts: Facts): boolean {
  return row.category === 'compression' && enclosingFunction(call) !== undefined && becomesMessage(call, facts, 0);
}

function becomesMessage(value: Node, facts: Facts, steps: number): boolean {
  let node = value;
  for (let up = parentOf(node); up && !isFunction(up); node = up, up = parentOf(up)) {
    if (isCall(up) && up.callee !== node) {
      const callee = unwrap(up.callee);
      if (isMember(callee) && SENDS.test(memberName(callee) ?? '')) return isSocket(callee.object, facts) && !isAwaited(up);
      if (!PASSES_ON.test(facts.source.slice(callee))) return false;
    } else if (up.type === 'VariableDeclarator') return up.id.type === 'Identifier' && isVariableSent(up.id, facts, steps);
    else if (up.type === 'AssignmentExpression') return up.left.type === 'Identifier' && isVariableSent(up.left, facts, steps);
    // `gzipSync(text).toString('base64')`
    else if (isMember(up) ? up.object !== node : up.type === 'ConditionalExpression' && up.test === node) return false;
    else if (/(?:Statement|Await\w+|Unary\w+)$|^(?:Binary|Class)/.test(up.type)) return false;
  }
  return false;
}

function isVariableSent(variable: t.Identifier, facts: Facts, steps: number): boolean {
  const binding = steps < MOST_STEPS ? facts.bindings.resolve(variable) : undefined;
  if (!binding) return false;
  const known = facts.remember('variables that are sent as messages', () => new Map<unknown, boolean>());
  let isSent = known.get(binding);
  if (isSent === undefined) {
    // What is given from one variable to another and back is asked once.
    known.set(binding, false);
    isSent = facts.bindings.references(binding).some((one) => becomesMessage(one, facts, steps + 1));
    known.set(binding, isSent);
  }
  return isSent;
}

/** `await client.send(data)`, `return client.send(data)`, `client.send(data).then(…)`, `clients.map((client) => client.send(data))` */
function isAwaited(call: Node): boolean {
  let up = parentOf(call);
  while (up && /^(?:Logical|Conditional|Sequence|Unary|TS\w+|Parenthesized|Chain)Expression$/.test(up.type)) up = parentOf(up);
  if (up?.type === 'ExpressionStatement') return false;
  if (up?.type !== 'ArrowFunctionExpression' || up.async) return true;
  const given = parentOf(up);
  const callee = isCall(given) ? unwrap(given.callee) : undefined;
  return !isMember(callee) || memberName(callee) !== 'forEach';
}

/** Whether the names in an expression are those of a socket: `req.app.socket`, `io.to(room)`. */
function isSocket(expression: Node, facts: Facts): boolean {
  let node = unwrap(expression);
  while (isMember(node) || isCall(node)) {
    if (isMember(node) && SOCKETS.test(memberName(node) ?? '')) return true;
    node = unwrap(isMember(node) ? node.object : node.callee);
  }
  if (node.type !== 'Identifier') return false;
  if (SOCKETS.test(node.name)) return true;
  const binding = facts.bindings.resolve(node);
  const loop = binding && parentOf(parentOf(binding.declaration) ?? binding.declaration);
  if (loop?.type === 'ForOfStatement') return GIVES_SOCKETS.test(facts.source.slice(loop.right));
  const call = binding?.kind === 'param' ? parentOf(binding.scope) : undefined;
  return (
    isCall(call) &&
    [call.callee, ...call.arguments.slice(0, 1)].some((one) => !isFunction(one) && GIVES_SOCKETS.test(facts.source.slice(one)))
  );
}

const FILES = /^(?:fs|fs-extra|graceful-fs)$/;

/** What is deployed with a program: settings, and templates of letters and pages. */
const SMALL =
  /^(?:package\.json|\.env|version(?:\.(?:txt|json|md))?|[\w-]*\.?template\.(?:html?|txt|text|md|markdown|xml|json|ya?ml|toml|ini|conf|svg|css|eml|tex|rtf)|[\w.-]+\.(?:hbs|handlebars|ejs|mustache|mjml|pug|tpl))$/i;

/** `existsSync(file) && statSync(file).isFile()` */
function asksTwice(call: CallNode, facts: Facts): boolean {
  const [path] = call.arguments;
  if (!path || !/\bl?statSync$/.test(facts.source.slice(call.callee))) return false;
  const text = facts.source.slice(path);
  for (let at: Node = call, up = parentOf(at); up && !isFunction(up); at = up, up = parentOf(up))
    if (up.type === 'LogicalExpression' && up.operator === '&&' && up.right === at)
      return callsWithin(up.left).some(
        (one) => /\bexistsSync$/.test(facts.source.slice(one.callee)) && one.arguments[0] && facts.source.slice(one.arguments[0]) === text,
      );
  return false;
}

/** The calls of a chain of `&&`. */
function callsWithin(node: Node): CallNode[] {
  const one = unwrap(node);
  if (one.type === 'LogicalExpression') return [...callsWithin(one.left), ...callsWithin(one.right)];
  return isCall(one) ? [one] : [];
}

/** Of bcrypt and bcryptjs. */
export const onlyDrawsSalt = ({ row }: BlockingMatch): boolean => row.path.at(-1) === 'genSaltSync';

function withLine({ reason, at }: NoPromiseForm, facts: Facts): string {
  return at ? `${reason} (line ${facts.source.positionAt(startOf(at)).line})` : reason;
}

const MEASURED: Readonly<Record<string, string>> = {
  'fs.readFileSync': 'await-readFile',
  'fs.statSync': 'await-stat',
  'fs.writeFileSync': 'await-writeFile',
  'zlib.gzipSync': 'await-gzip',
  'crypto.scryptSync': 'await-scrypt',
  'child_process.execFileSync': 'await-execFile',
};

/** What the promise form of a call costs, where that was measured. */
export function costOfAwait({ row }: BlockingMatch): string | undefined {
  return FIX_COSTS[MEASURED[`${row.module}.${row.path.join('.')}`] ?? ''];
}
