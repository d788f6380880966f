// Which calls take a connection, a process, or an open file each.
import { constantOf } from '../constants.ts';
import type { Facts } from '../index.ts';
import { enclosingFunction, isCall, isMember, memberName, unwrap, type CallNode, type FunctionNode, type Node } from '../../module/ast.ts';
import { findQuery, runsEachTime, usesParameter } from '../queries.ts';
import { CLIENT_MAKERS, TAKING_CALLS, type Taken } from '../../../knowledge/fan-out-calls.ts';

const BY_NAME: ReadonlyMap<string, Taken> = new Map(
  TAKING_CALLS.flatMap(({ module, names, takes }) =>
    names.map((name): [string, Taken] => [name === '' ? module : `${module}.${name}`, takes]),
  ),
);
const METHODS: ReadonlySet<string> = new Set(TAKING_CALLS.find(({ module }) => module === 'axios')?.names ?? []);

/** What a call takes until it is done. */
export function takenBy(call: CallNode, facts: Facts): Taken | undefined {
  if (call.type === 'NewExpression') return undefined;
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier' && !isMember(callee)) return undefined;
  if (facts.origins.isGlobal(callee, 'fetch')) return 'request';
  const name = nameOf(promisifiedOf(callee, facts) ?? callee, facts);
  return (name === undefined ? undefined : BY_NAME.get(name)) ?? (isOfMadeClient(callee, facts) ? 'request' : undefined);
}

function nameOf(callee: Node, facts: Facts): string | undefined {
  const origin = facts.origins.moduleMember(unwrap(callee));
  return origin && [origin.module, ...(origin.path[0] === 'promises' ? origin.path.slice(1) : origin.path)].join('.');
}

/** `promisify(execFile)` for a variable that holds it. */
function promisifiedOf(callee: Node, facts: Facts): Node | undefined {
  const init = constantOf(callee, facts.bindings);
  const maker = init && unwrap(init);
  return isCall(maker) && nameOf(maker.callee, facts) === 'util.promisify' ? maker.arguments[0] : undefined;
}

/** `const api = axios.create({ … }); api.get(url)` */
function isOfMadeClient(callee: Node, facts: Facts): boolean {
  const client = isMember(callee) ? unwrap(callee.object) : callee;
  if (client.type !== 'Identifier' || !METHODS.has(isMember(callee) ? (memberName(callee) ?? '?') : '')) return false;
  const init = constantOf(client, facts.bindings);
  const maker = init && unwrap(init);
  return isCall(maker) && CLIENT_MAKERS.has(nameOf(maker.callee, facts) ?? '');
}

/** The codes of what a function takes, among those of queries, which begin at 0. */
const CODES: readonly Taken[] = ['request', 'process', 'file'];
const MAY_TAKE =
  /\bfetch\b|child_process|execa|cross-spawn|axios|\bgot\b|\bky\b|superagent|needle|undici|request|readFile|writeFile|appendFile|ReadStream|WriteStream/;
/** It waits for its turn, or keeps what it got. */
const IS_LIMITED = /semaphore|mutex|limiter|bottleneck|acquire|throttl|\bp?[lL]imit\w{0,20}\(|\bqueue\w{0,20}\.|cache|memo/i;

export interface TakenElsewhere {
  fn: FunctionNode;
  call: CallNode;
  code: number;
}

/** The first call of each function that takes something whenever it is called, about what it is passed. */
export function takenByFunctions(facts: Facts): TakenElsewhere[] {
  if (!MAY_TAKE.test(facts.source.text)) return [];
  const found = new Map<FunctionNode, TakenElsewhere>();
  for (const call of facts.module.nodes('CallExpression')) {
    const taken = takenBy(call, facts);
    if (!taken || (taken === 'request' && findQuery(call, facts)?.isHttp)) continue;
    const fn = enclosingFunction(call);
    if (!fn || found.has(fn) || facts.hotness.repetitionsInFunction(call).length > 0) continue;
    if (runsEachTime(call, fn, facts) && usesParameter(call, fn, facts) && !IS_LIMITED.test(facts.source.slice(fn)))
      found.set(fn, { fn, call, code: -1 - CODES.indexOf(taken) });
  }
  return [...found.values()];
}

/** For messages. */
export function takingWords(code: number): string {
  const taken = CODES[-1 - code];
  return taken === 'process' ? 'starts a process' : taken === 'file' ? 'opens a file' : 'sends a request';
}
