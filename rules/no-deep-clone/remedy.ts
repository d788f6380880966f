// Fix: the value itself, or a copy of its top level.
import { hasComment } from '../../analysis/fix/blocks.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { withoutUnusedImports } from '../../analysis/fix/unused-imports.ts';
import { endOf, isCall, isMember, parentOf, startOf, unwrap, type Node } from '../../analysis/module/ast.ts';
import type { Repair } from '../../analysis/rule.ts';
import { FIX_COSTS } from '../../knowledge/fix-costs.ts';
import type { Needless } from './needless.ts';

const VALUE = 'Use the value itself';
const TOP = 'Copy the top level only';
const refusal = (title: string, reason: string): Repair => ({ fixes: [], refused: [{ title, reason }] });

export function remedyFor({ kind, clone, source, uses }: Needless, facts: Facts): Repair {
  const title = kind === 'shallow' ? TOP : VALUE;
  const value = unwrap(clone.source);
  if (hasComment(facts, clone.call)) return refusal(title, 'there is a comment in the call, which would be lost');
  const text = facts.source.slice(clone.source);
  const cost = kind === 'fresh' ? FIX_COSTS['value-itself'] : undefined;
  const edit = (inserted: string): Repair => ({
    fixes: [
      {
        title,
        kind: 'suggestion',
        ...(cost === undefined ? {} : { cost }),
        edits: withoutUnusedImports([{ start: startOf(clone.call), end: endOf(clone.call), text: inserted }], [clone.call.callee], facts),
      },
    ],
    refused: [],
  });
  if (kind === 'fresh') {
    if (!/^(?:Identifier|AwaitExpression)$/.test(value.type) && !isMember(value) && !isCall(value))
      return refusal(title, 'what is copied is more than a name or a call');
    return edit(value.type === 'AwaitExpression' && isReadOn(clone.whole) ? `(${text})` : text);
  }
  if (kind === 'read') {
    if (!source.isPlain && !(source.from === 'rows' && clone.kind === 'deep'))
      return refusal(
        title,
        'the code does not show whether the value is plain data. The copy may leave something out, such as a class or what is undefined',
      );
    if (value.type !== 'Identifier' && !isMember(value)) return refusal(title, 'what is copied is more than a name');
    return edit(text);
  }
  if (uses.isHandedOut) return refusal(title, 'the copy is passed on, and the receiver may change what is in it');
  if (source.from !== 'rows' || !source.isRow || !source.isElement || clone.kind === 'json' || uses.isChangedAsList)
    return refusal(title, 'the code does not show whether the value is an object or a list. Use `{ ...value }` or `[...value]`');
  const isStatement = parentOf(clone.whole)?.type === 'ExpressionStatement' || parentOf(clone.whole)?.type === 'ArrowFunctionExpression';
  return edit(isStatement ? `({ ...${text} })` : `{ ...${text} }`);
}

/** `structuredClone(await response.json()).items` */
function isReadOn(whole: Node): boolean {
  const up = parentOf(whole);
  return up !== undefined && ((isMember(up) && up.object === whole) || (isCall(up) && up.callee === whole));
}
