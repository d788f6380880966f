// Whether a copy does what a smaller one, or none, would do as well.
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  endOf,
  isCall,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type Node,
} from '../../analysis/module/ast.ts';
import { firstFrom, groupBy } from '../../analysis/module/group-by.ts';
import type { Clone } from './clones.ts';
import { hasDocuments, sourceOf, type CopiedSource } from '../shared/value-source.ts';
import { usesOf, type Uses } from './uses.ts';

export interface Needless {
  /** `read`: nobody changes the copy or the original; `shallow`: only the top level is changed; `fresh`: nobody else has the original. */
  kind: 'read' | 'shallow' | 'fresh';
  clone: Clone;
  source: CopiedSource;
  uses: Uses;
}

export function needlessCopy(clone: Clone, facts: Facts): Needless | undefined {
  const source = sourceOf(clone.source, facts);
  if (source.isLiteral) return undefined;
  const uses = usesOfCopy(clone, source, facts);
  if (isFresh(clone, source, facts)) return { kind: 'fresh', clone, source, uses: uses ?? usesOf([], facts) };
  if (!uses || uses.isUnknown) return undefined;
  const original = usesOfOriginal(clone, source, facts);
  if (original.isUnknown) return undefined;
  const isOfOthers = source.from === 'shared' || source.from === 'unknown';
  // Meanwhile, others may change what this function does not own.
  if (isOfOthers && waitsWithin(clone, uses.last, facts)) return undefined;
  const isChanged = uses.isChangedOnTop || uses.isChangedAsList || uses.isSpread;
  if (!isUnlimited(clone, source, uses, facts)) return undefined;
  if (isChanged) {
    if (uses.isHandedOut && (source.from === 'shared' || original.isHandedOut)) return undefined;
    // Without a class, a date, or what is undefined in it, a copy through JSON is only a copy.
    if (clone.kind === 'json' && !source.isPlain && (source.from !== 'unknown' || !facts.project.manifest || hasDocuments(facts)))
      return undefined;
    if (clone.kind === 'json' && !source.isPlain && !uses.isChangedOnTop) return undefined;
    return { kind: 'shallow', clone, source, uses };
  }
  // What is handed out as it is, is copied to keep others from changing the original.
  if (uses.isHandedOut || original.isChangedOnTop || original.isChangedAsList) return undefined;
  if (clone.kind === 'json' && !source.isPlain && !isAnswered(clone, facts)) return undefined;
  return { kind: 'read', clone, source, uses };
}

function isUnlimited(clone: Clone, { from }: CopiedSource, uses: Uses, facts: Facts): boolean {
  return (
    from === 'parsed' ||
    from === 'sent' ||
    from === 'rows' ||
    uses.isList ||
    isPerElement(clone, facts) ||
    isAnswered(clone, facts) ||
    isRecursive(clone, facts)
  );
}

/** A function that copies, and calls itself for what is below, copies what is at the bottom once for each level. */
function isRecursive({ call }: Clone, facts: Facts): boolean {
  const fn = enclosingFunction(call);
  return fn !== undefined && facts.calls.edgesFrom(fn).some(({ target, via }) => target === fn && via === 'call');
}

const PER_ELEMENT = /^(?:map|forEach|filter|flatMap|reduce)$/;

/** `users.map((user) => structuredClone(user))`, `for (const user of users)` */
function isPerElement({ call, source }: Clone, facts: Facts): boolean {
  if (isElement(source, call, facts)) return true;
  const root = rootOf(source);
  const fn = enclosingFunction(call);
  const binding = root.type === 'Identifier' ? facts.bindings.resolve(root) : undefined;
  if (!fn || !binding) return false;
  const index = fn.params.indexOf(binding.identifier);
  return index >= 0 && facts.callArguments.of(fn, index).some(({ argument }) => isElement(argument, argument, facts));
}

function isElement(value: Node, place: Node, facts: Facts): boolean {
  const root = rootOf(value);
  const binding = root.type === 'Identifier' ? facts.bindings.resolve(root) : undefined;
  if (!binding) return false;
  for (let at = parentOf(place); at; at = parentOf(at)) {
    if (at.type === 'ForOfStatement') return contains(at.left, binding.identifier) && unwrap(at.right).type !== 'ArrayExpression';
    if (isLoop(at)) return false;
    if (!/Function/.test(at.type)) continue;
    const up = parentOf(at);
    if (!up || !isCall(up) || up.arguments[0] !== at || !isMember(up.callee)) return false;
    return (
      PER_ELEMENT.test(memberName(up.callee) ?? '') && binding.declaration === at && unwrap(up.callee.object).type !== 'ArrayExpression'
    );
  }
  return false;
}

function rootOf(expression: Node): Node {
  let at = unwrap(expression);
  while (isMember(at)) at = unwrap(at.object);
  return at;
}

/** `res.json(JSON.parse(JSON.stringify(value)))`, `JSON.stringify(structuredClone(value))`: it is made to text anyway. */
function isAnswered({ whole }: Clone, facts: Facts): boolean {
  const call = parentOf(whole);
  if (!isCall(call) || !call.arguments.some((one) => one === whole) || !isMember(call.callee)) return false;
  if (facts.origins.isGlobal(call.callee, 'JSON.stringify')) return call.arguments.length === 1;
  let object = unwrap(call.callee.object);
  if (isCall(object) && isMember(object.callee)) object = unwrap(object.callee.object);
  return memberName(call.callee) === 'json' && object.type === 'Identifier' && /^(?:res|response)$/.test(object.name);
}

/** Undefined where another value is in the same variable. */
function usesOfCopy({ whole, call }: Clone, source: CopiedSource, facts: Facts): Uses | undefined {
  const up = parentOf(whole);
  if (up?.type !== 'AssignmentExpression' || up.left.type !== 'Identifier') return usesOf([whole], facts);
  const binding = up.operator === '=' ? facts.bindings.resolve(up.left) : undefined;
  if (!binding || binding.scope.type === 'Program') return undefined;
  const isOwn = source.root === binding && source.path.length === 0;
  if (isOwn && facts.bindings.writes(binding).length !== 1) return undefined;
  // `video = cloneDeep(video)`
  if (!isOwn && binding.declaration.type !== 'VariableDeclarator') return undefined;
  if (isOwn && loopAround(call, binding.scope)) return undefined;
  const references = facts.bindings.references(binding).filter((one) => one !== up.left && !contains(call, one));
  return usesOf(isOwn ? references.filter((one) => startOf(one) > endOf(call)) : references, facts);
}

function loopAround(node: Node, scope: Node): Node | undefined {
  for (let at = parentOf(node); at && at !== scope; at = parentOf(at)) if (isLoop(at)) return at;
  return undefined;
}

/** What happens to the original beside the copy. */
function usesOfOriginal({ call, whole }: Clone, source: CopiedSource, facts: Facts): Uses {
  const { root, path, from } = source;
  if (!root) return usesOf([], facts);
  const up = parentOf(whole);
  const isReplaced = up?.type === 'AssignmentExpression' && up.left.type === 'Identifier' && facts.bindings.resolve(up.left) === root;
  if (isReplaced && path.length === 0) return usesOf([], facts);
  const loop = loopAround(call, root.scope);
  const fn = enclosingFunction(call);
  const places = facts.bindings.references(root).flatMap((reference): Node[] => {
    if (contains(call, reference)) return [];
    const isBefore = startOf(reference) < startOf(call) && !(loop && contains(loop, reference));
    if (isBefore && (from === 'shared' || from === 'unknown') && functionAround(reference, facts) === fn) return [];
    if (from === 'shared' && functionAround(reference, facts) !== fn) return [];
    // A part that was read before is not the whole, which others may have got, and change later.
    return placeOnPath(reference, path, from === 'sent').filter((one) => !isBefore || !isPartRead(one));
  });
  return usesOf(places, facts);
}

/** A list of the module may be copied at thousands of places, and all of its references are looked at for each. */
function functionAround(reference: Node, facts: Facts): Node | undefined {
  const known = facts.remember('functions around references', () => new Map<Node, Node | undefined>());
  if (!known.has(reference)) known.set(reference, enclosingFunction(reference));
  return known.get(reference);
}

function isPartRead(place: Node): boolean {
  const up = parentOf(place);
  return isMember(up) || (up?.type === 'VariableDeclarator' && up.id.type === 'ObjectPattern');
}

/** Where a reference is about what is copied, or what is around it; nothing where it is about something else. */
function placeOnPath(reference: Node, path: readonly string[], isRequest: boolean): Node[] {
  let at: Node = reference;
  for (const name of path) {
    let up = parentOf(at);
    while (up && !isMember(up) && unwrap(up) === unwrap(at)) up = parentOf(up);
    // What gets the whole request has the body, too, and is not asked.
    if (!up || !isMember(up) || unwrap(up.object) !== unwrap(at)) return isRequest ? [] : [at];
    const other = memberName(up);
    if (name !== '*' && other !== undefined && other !== name) return [];
    at = up;
  }
  return [at];
}

/** Whether nobody but this call has what is copied. */
function isFresh(clone: Clone, source: CopiedSource, facts: Facts): boolean {
  if (!source.isWhole || source.isElement) return false;
  if (clone.kind === 'json' && !source.isPlain) return false;
  // Without its class, an ID of MongoDB is another value.
  if (clone.kind === 'structured' && source.from === 'rows' && !source.isRow) return false;
  const { root } = source;
  if (!root) return true;
  if (enclosingFunction(root.identifier) !== enclosingFunction(clone.call) || loopAround(clone.call, root.scope)) return false;
  const others = facts.bindings.references(root).filter((one) => !contains(clone.call, one));
  const before = others.filter((one) => endOf(one) < startOf(clone.call));
  if (before.length < others.length) return false;
  const { isUnknown, isHandedOut, last } = usesOf(before, facts);
  return !isUnknown && !isHandedOut && last < startOf(clone.call);
}

function waitsWithin({ call }: Clone, until: number, facts: Facts): boolean {
  const byFunction = facts.remember('waits by function', () =>
    (['AwaitExpression', 'YieldExpression'] as const).map((type) =>
      groupBy(facts.module.nodes(type) as readonly Node[], enclosingFunction),
    ),
  );
  return byFunction.some((waits) => {
    const own = waits.get(enclosingFunction(call)) ?? [];
    const first = own[firstFrom(own, endOf(call) + 1)];
    return first !== undefined && startOf(first) < until;
  });
}
