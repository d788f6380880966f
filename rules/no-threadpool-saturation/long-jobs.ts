// Calls that occupy a thread of libuv's pool for milliseconds or longer. Most file operations take microseconds: they are not among them.
import { constantOf, numberOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import type { ProjectInfo } from '../../protocol/project.ts';

/** Key derivation, keys, and primes compute; a lookup waits for a name server (`getaddrinfo`). */
const CORE: ReadonlySet<string> = new Set([
  'crypto.pbkdf2',
  'crypto.scrypt',
  'crypto.argon2',
  'crypto.generateKeyPair',
  'crypto.generatePrime',
  'dns.lookup',
]);
/** `bcrypt` hashes on the pool, with and without a callback (bcrypt 6). `bcryptjs` does not. */
const BCRYPT: ReadonlySet<string> = new Set(['bcrypt.hash', 'bcrypt.compare']);
const ANY_NAME = /\b(?:pbkdf2|scrypt|argon2|generateKeyPair|generatePrime|lookup|bcrypt)\b/;
const DEFAULT_THREADS = 4;

/** Whether a text names one of the calls. Most files do not, and cost no more than this check. */
export function mayStartLongJobs(text: string): boolean {
  return ANY_NAME.test(text);
}

export function longJobOf(call: CallNode, facts: Facts): string | undefined {
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier' && !isMember(callee)) return undefined;
  const promisified = promisifiedOf(callee, facts);
  const name = nameOf(promisified ?? callee, facts);
  if (name === undefined) return undefined;
  if (BCRYPT.has(name)) return isShortHash(name, call, facts) ? undefined : name;
  if (!CORE.has(name)) return undefined;
  const last = call.arguments.at(-1);
  const hasCallback = last !== undefined && (isFunction(unwrap(last)) || last.type === 'Identifier');
  return promisified || hasCallback || isPromiseForm(callee, facts) ? name : undefined;
}

/** `bcrypt.hash(text, 1)`: the number is an exponent of two. Six take a sixteenth of the usual ten. */
function isShortHash(name: string, call: CallNode, facts: Facts): boolean {
  const rounds = name === 'bcrypt.hash' ? numberOf(call.arguments[1], facts.bindings) : undefined;
  return rounds !== undefined && rounds <= SHORT_ROUNDS;
}

const SHORT_ROUNDS = 6;

/** `promisify(crypto.scrypt)` for a variable that holds it. */
function promisifiedOf(callee: Node, facts: Facts): Node | undefined {
  const init = constantOf(callee, facts.bindings);
  const maker = init && unwrap(init);
  if (!isCall(maker)) return undefined;
  const origin = facts.origins.moduleMember(unwrap(maker.callee));
  return origin?.module === 'util' && origin.path.join('.') === 'promisify' ? maker.arguments[0] : undefined;
}

function nameOf(callee: Node, facts: Facts): string | undefined {
  const origin = facts.origins.moduleMember(unwrap(callee));
  return origin && [origin.module, ...(origin.path[0] === 'promises' ? origin.path.slice(1) : origin.path)].join('.');
}

function isPromiseForm(callee: Node, facts: Facts): boolean {
  return facts.origins.moduleMember(callee)?.path[0] === 'promises';
}

/** The size of the pool that the file or a script of package.json sets; otherwise four. */
export function threadsOf(text: string, { manifest }: ProjectInfo): number {
  const set = [text, ...Object.values(manifest?.scripts ?? {})].flatMap((one) => {
    const number = /UV_THREADPOOL_SIZE['"]?\]?\s{0,9}[=:]\s{0,9}['"]?(\d{1,4})/.exec(one)?.[1];
    return number === undefined ? [] : Number(number);
  });
  return Math.max(DEFAULT_THREADS, ...set);
}
