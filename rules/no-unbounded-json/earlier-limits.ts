// A parser that runs before another one for the same application: bodies beyond its limit get 413, and others are parsed by then. A larger
// limit after it does nothing, measured with Express 4 and 5.
import {
  enclosingFunction,
  isCall,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { bytesOf } from '../shared/body-sizes.ts';

const DEFAULT_BYTES = 100 * 1024;

/** Whether a parser with a smaller limit takes all bodies of the application first. `isParser`: whether a call makes such a parser. */
export function comesLater(parser: Node, bytes: number, isParser: (call: t.CallExpression) => boolean, facts: Facts): boolean {
  const use = parentOf(parser);
  const target = isCall(use) && isMember(use.callee) ? facts.source.slice(use.callee.object) : undefined;
  if (target === undefined) return false;
  return facts.module.nodes('CallExpression').some((other) => {
    const earlier = parentOf(other);
    return (
      other !== parser &&
      isCall(earlier) &&
      isMember(earlier.callee) &&
      earlier.arguments[0] === other &&
      memberName(earlier.callee) === 'use' &&
      facts.source.slice(earlier.callee.object) === target &&
      parentOf(earlier)?.type === 'ExpressionStatement' &&
      isParser(other) &&
      (limitOf(other, facts) ?? bytes) < bytes &&
      runsBefore(earlier, use as Node, facts)
    );
  });
}

/** Undefined if it is not known, or if the parser takes only some types. */
function limitOf({ arguments: [options] }: t.CallExpression, facts: Facts): number | undefined {
  if (!options) return DEFAULT_BYTES;
  if (options.type !== 'ObjectExpression') return undefined;
  let bytes: number | undefined = DEFAULT_BYTES;
  for (const property of options.properties) {
    const name = property.type === 'ObjectProperty' ? staticName(property.key, property.computed) : undefined;
    if (property.type !== 'ObjectProperty' || name === undefined || name === 'type') return undefined;
    if (name === 'limit') bytes = bytesOf(unwrap(property.value), facts);
  }
  return bytes;
}

/** In the same function, or in two methods that one function calls in this order. Each without a condition. */
function runsBefore(first: Node, second: Node, facts: Facts): boolean {
  const [one, other] = [enclosingFunction(first), enclosingFunction(second)];
  if (!isUnconditional(first)) return false;
  if (one === other) return (first.start ?? 0) < (second.start ?? 0);
  const [callOfOne, callOfOther] = [one, other].map((fn) => onlyCallOf(fn, facts));
  return (
    callOfOne !== undefined &&
    callOfOther !== undefined &&
    isUnconditional(callOfOne) &&
    enclosingFunction(callOfOne) === enclosingFunction(callOfOther) &&
    (callOfOne.start ?? 0) < (callOfOther.start ?? 0)
  );
}

function isUnconditional(call: Node): boolean {
  const statement = parentOf(call);
  const block = statement && parentOf(statement);
  const owner = block && parentOf(block);
  return block?.type === 'Program' || (block?.type === 'BlockStatement' && owner !== undefined && owner === enclosingFunction(call));
}

/** `this.initMiddlewares()` */
function onlyCallOf(fn: Node | undefined, facts: Facts): Node | undefined {
  const name = fn?.type === 'ClassMethod' ? staticName(fn.key, fn.computed) : undefined;
  if (name === undefined) return undefined;
  const calls = facts.module.nodes('CallExpression').filter(({ callee }) => isMember(callee) && memberName(callee) === name);
  return calls.length === 1 ? calls[0] : undefined;
}
