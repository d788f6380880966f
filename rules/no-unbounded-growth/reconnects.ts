// A connection whose `error` and `close` listeners both connect again. Both run when it fails, so that each failure doubles the
// connections.
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { mentions } from './uses.ts';

export interface Reconnect {
  /** The connection as the code names it. */
  name: string;
  /** Where the listeners for `error` and for `close` connect again. */
  sites: readonly [Node, Node];
}

/** What makes a connection that always emits `close` after `error`. The global `WebSocket` of Node 22 does not. */
const MAKERS = /^(?:ws(?:\.WebSocket)?|net\.(?:Socket|connect|createConnection)|tls\.(?:connect|TLSSocket))$/;
// The longest chain of functions between a listener and what connects again.
const MAX_STEPS = 4;
const MOST_WAYS = 50;
/** Each is compared with all calls of its function. */
const MOST_LISTENERS = 100;
/** Who does one of these tells the two listeners apart, or gives up. */
const TELLS_APART = /^(?:clearTimeout|removeAllListeners|removeListener|off|exit|abort|debounce|throttle|throw)$/;

/** What the connection itself says, which is another thing on `close`. */
const STATES = /^(?:readyState|destroyed|connecting|pending)$/;

/** `socket.on('error', again)` beside `socket.on('close', again)` */
export function findReconnect(call: CallNode, facts: Facts): Reconnect | undefined {
  const fn = enclosingFunction(call);
  const emitter = listenedObject(call, 'error');
  if (!fn || !emitter) return undefined;
  const count = facts.remember('listeners for errors', () => ({ seen: 0 }));
  if (++count.seen > MOST_LISTENERS) return undefined;
  const name = facts.source.slice(emitter);
  const other = facts.calls.callsIn(fn).find((one) => {
    const object = listenedObject(one, 'close');
    return object && facts.source.slice(object) === name;
  });
  const makers = makersAround(fn, facts);
  const first = other && wayBack(call, makers, facts);
  const second = first && wayBack(other, makers, facts);
  if (!second) return undefined;
  const passed = [...first.passed, ...second.passed];
  if (passed.some((one) => mentions(one.body, TELLS_APART))) return undefined;
  // What the connection does when it opens comes too late.
  const all = [...passed, fn, ...makers];
  if (all.some((one) => facts.calls.callsIn(one).some(({ callee }) => mentions(callee, TELLS_APART)))) return undefined;
  const tests = [...first.conditions, ...second.conditions].map((test) => facts.source.slice(test).split(/[^\w$]+/));
  // `close` has whether there was an error, or a code.
  const told = facts.calls
    .functionsOf(other.arguments[1] as Node)
    .flatMap(({ params }) => params.map((one) => facts.source.slice(one).replace(/\W.*/s, '')));
  if (tests.some((words) => words.some((word) => STATES.test(word) || told.includes(word)))) return undefined;
  const isChanged = (['AssignmentExpression', 'UpdateExpression'] as const).some((type) =>
    facts.module.nodes(type).some((change) => {
      if (!all.some((one) => contains(one, change))) return false;
      const target = facts.source.slice(change.type === 'UpdateExpression' ? change.argument : change.left);
      return tests.some((words) => words.includes(target.slice(target.lastIndexOf('.') + 1)));
    }),
  );
  // A condition on what these functions change may let only one of the listeners through.
  return isChanged ? undefined : { name, sites: [first.site, second.site] };
}

function listenedObject(call: CallNode, event: string): Node | undefined {
  const callee = unwrap(call.callee);
  const [first] = call.arguments;
  if (first?.type !== 'StringLiteral' || first.value !== event || !isMember(callee) || call.arguments.length < 2) return undefined;
  return /^(?:on|once|addListener)$/.test(memberName(callee) ?? '') ? callee.object : undefined;
}

/** Functions that make a connection: the one that listens, or those that pass it the connection. */
function makersAround(fn: FunctionNode, facts: Facts): readonly FunctionNode[] {
  const callers = facts.calls.callersOf(fn).flatMap(({ from, edge }) => (edge.via === 'call' && from.type !== 'Program' ? [from] : []));
  return [fn, ...callers].filter((one) =>
    facts.calls.callsIn(one).some(({ callee }) => {
      const origin = facts.origins.moduleMember(unwrap(callee));
      return origin && MAKERS.test([origin.module, ...origin.path].join('.'));
    }),
  );
}

interface Way {
  fn: FunctionNode;
  /** The first step: what the listener calls, or the listener itself. */
  site: Node;
  conditions: readonly Node[];
  passed: readonly FunctionNode[];
}

/** The shortest way from a listener to one of the functions that make the connection, by calls and timers. */
function wayBack({ arguments: [, listener] }: CallNode, makers: readonly FunctionNode[], facts: Facts): Way | undefined {
  if (!listener) return undefined;
  let ways: Way[] = facts.calls.functionsOf(listener).map((fn) => ({ fn, site: listener, conditions: [], passed: [] }));
  for (let steps = 0; steps <= MAX_STEPS; steps++) {
    const found = ways.find(({ fn }) => makers.includes(fn));
    if (found) return found;
    ways = ways.slice(0, MOST_WAYS).flatMap((way) =>
      facts.calls.edgesFrom(way.fn).flatMap(({ site, target, via }) => {
        const call = isCall(site) ? site : parentOf(site);
        if (!isCall(call) || way.passed.includes(target) || via === 'construct' || (via === 'callback' && !isLater(call, facts))) return [];
        return {
          fn: target,
          site: way.site === listener ? call.callee : way.site,
          conditions: [...way.conditions, ...conditionsOn(site, way.fn)],
          passed: [...way.passed, way.fn],
        };
      }),
    );
  }
  return undefined;
}

/** `setTimeout(connect, 3000)`, `setTimeout(() => connect(), 3000)` */
function isLater(call: CallNode, facts: Facts): boolean {
  return ['setTimeout', 'setImmediate', 'process.nextTick'].some((name) => facts.origins.isGlobal(call.callee, name));
}
