// Which calls take a connection, a process, or an open file each.
import { constantOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isMember, memberName, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { CLIENT_MAKERS, TAKING_CALLS, type Taken } from '../../knowledge/fan-out-calls.ts';

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
