// What happens to an object, as far as the file shows it: read, changed at its top level, handed out, or more than that.
import type { Binding } from '../../analysis/facts/bindings.ts';
import { patternIdentifiers } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { findQuery } from '../../analysis/facts/queries.ts';
import {
  endOf,
  isCall,
  isFunction,
  isLoop,
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

export interface Uses {
  /** Properties of its own are set, added, or removed: nothing below them. */
  isChangedOnTop: boolean;
  /** Elements are added, removed, or sorted. */
  isChangedAsList: boolean;
  /** Its properties become those of another object or list. */
  isSpread: boolean;
  /** It is returned, or kept by something else. */
  isHandedOut: boolean;
  /** It is used as a list, which may be long. */
  isList: boolean;
  /** Something else happens to it, or to a part of it. */
  isUnknown: boolean;
  /** Where it is read last. */
  last: number;
}

// Further is not followed.
const MAX_STEPS = 24;
const MOST_REFERENCES = 60;

/** Methods that change nothing, and return no part of the object. */
const READS =
  /^(?:includes|indexOf|lastIndexOf|join|toString|toLocaleString|has|keys|startsWith|endsWith|trim|toLowerCase|toUpperCase|toFixed|split|replace|replaceAll|match|test|charAt|substring|substr|padStart|getTime|toISOString|localeCompare|hasOwnProperty)$/;
/** Methods that return a list of the same parts, or one of them. */
const SAME_PARTS = /^(?:slice|concat|filter|flat|values|entries|toSorted|toReversed|with)$/;
const ONE_PART = /^(?:at|find|findLast)$/;
const CALLS_BACK = /^(?:map|forEach|filter|some|every|find|findLast|findIndex|flatMap)$/;
const CHANGES_LIST = /^(?:push|pop|shift|unshift|splice|sort|reverse|fill)$/;
const TEXT_NAMES =
  /^(?:id|_id|uuid|key|name|type|kind|email|mail|url|path|title|status|code|length|size|count|total|index|message|username|password|slug|token|locale|lang|text|date|amount|price|enabled|active)$|(?:Id|ID|Name|Type|Url|URL|Email|Count|Code|Key)$/;
const LOGS = /^(?:console|logger|log|winston|debug)$/;
const PLAIN_READS =
  /^(?:Object\.(?:keys|hasOwn)|Array\.isArray|JSON\.stringify|String|Number|Boolean|parseInt|parseFloat|isNaN|Number\.\w+|Buffer\.byteLength)$/;
const PARTS_OF = /^(?:Object\.(?:values|entries|fromEntries)|Array\.from|Promise\.(?:all|resolve))$/;
const ANSWERS = /^(?:json|send|jsonp|render|end|write|success|status)$/;
const ANSWERING = /^(?:res|response|reply|ctx|context|h|c)$/;

export function usesOf(places: readonly Node[], facts: Facts): Uses {
  const uses = new UseReader(facts);
  for (const place of places) uses.read(place, 0, 0);
  return uses;
}

class UseReader implements Uses {
  isChangedOnTop = false;
  isChangedAsList = false;
  isSpread = false;
  isHandedOut = false;
  isList = false;
  isUnknown = false;
  last = 0;
  readonly #facts: Facts;
  /** Whether they were followed as the object itself, or as what is in it, of which more is unknown. */
  readonly #seen = new Map<Binding, 'whole' | 'part'>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** @param depth 0 for the object itself, 1 and more for what is in it */
  read(place: Node, depth: number, steps: number): void {
    if (this.isUnknown) return;
    this.last = Math.max(this.last, place.end ?? 0);
    let at = place;
    let up = parentOf(at);
    while (up && unwrap(up) === unwrap(at) && up.type !== 'SequenceExpression') {
      at = up;
      up = parentOf(at);
    }
    if (!up || steps > MAX_STEPS) return this.#unknown();
    switch (up.type) {
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        if (up.object === at) this.#readMember(up, depth, steps);
        return;
      case 'IfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForInStatement':
      case 'SwitchStatement':
      case 'SwitchCase':
      case 'BinaryExpression':
      case 'TemplateLiteral':
      case 'ExpressionStatement':
        return;
      case 'UnaryExpression':
        if (up.operator === 'delete') this.#unknown();
        return;
      case 'ConditionalExpression':
        if (up.test !== at) this.read(up, depth, steps + 1);
        return;
      case 'LogicalExpression':
      case 'AwaitExpression':
        this.read(up, depth, steps + 1);
        return;
      case 'SpreadElement':
        this.#readSpread(up, depth, steps);
        return;
      case 'ArrayExpression':
        this.#readContained(up, depth, steps);
        return;
      case 'ObjectProperty': {
        const object = parentOf(up);
        if (up.value === at && object?.type === 'ObjectExpression') this.#readContained(object, depth, steps);
        else if (up.key === at) return;
        else this.#unknown();
        return;
      }
      case 'ReturnStatement':
      case 'ArrowFunctionExpression':
        this.#readReturned(up, depth, steps);
        return;
      case 'VariableDeclarator':
        if (up.init === at) this.#readPattern(up.id, depth, steps);
        return;
      case 'AssignmentExpression':
        this.#readAssigned(up, at, depth, steps);
        return;
      case 'ForOfStatement':
        this.isList ||= depth === 0;
        if (up.right === at && up.left.type === 'VariableDeclaration' && up.left.declarations[0])
          this.#readPattern(up.left.declarations[0].id, depth + 1, steps);
        else this.#unknown();
        return;
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        if (up.callee === at) this.#unknown();
        else this.#readArgument(up, at, depth, steps);
        return;
      default:
        this.#unknown();
    }
  }

  #unknown(): void {
    this.isUnknown = true;
  }

  #readMember(member: Node, depth: number, steps: number): void {
    if (!isMember(member)) return;
    const name = memberName(member);
    const { target, parent } = outermost(member);
    if (isCall(parent) && parent.callee === target) return this.#readMethod(parent, name ?? '', depth, steps);
    if (name === 'length' && depth === 0) this.isList = true;
    const isChange =
      (parent?.type === 'AssignmentExpression' && parent.left === target) ||
      parent?.type === 'UpdateExpression' ||
      (parent?.type === 'UnaryExpression' && parent.operator === 'delete');
    if (isChange) {
      if (depth > 0) return this.#unknown();
      this.isChangedOnTop = true;
      if (name === undefined) this.isChangedAsList = true;
      return;
    }
    // A pattern on the left, `for (copy.a of …)`
    if (parent?.type === 'ForOfStatement' && parent.left === target) return this.#unknown();
    // Texts and numbers, which nobody can change.
    if (name !== undefined && TEXT_NAMES.test(name) && isCall(parent)) return;
    this.read(member, depth + 1, steps + 1);
  }

  #readMethod(call: CallNode, method: string, depth: number, steps: number): void {
    if (READS.test(method)) {
      if (/^(?:includes|indexOf|join)$/.test(method) && depth === 0) this.isList = true;
      return;
    }
    if (CHANGES_LIST.test(method)) {
      if (depth > 0) return this.#unknown();
      this.isChangedAsList = true;
      this.isList = true;
      this.#readCallback(call, 0, depth + 1, steps);
      this.#readCallback(call, 1, depth + 1, steps);
      if (method === 'sort' || method === 'reverse') this.read(call, depth, steps + 1);
      else if (method !== 'push' && method !== 'unshift') this.read(call, depth + 1, steps + 1);
      return;
    }
    if (method === 'reduce') {
      this.isList ||= depth === 0;
      // Without a value to begin with, the first part is the result.
      if (call.arguments.length !== 2 || !this.#readCallback(call, 1, depth + 1, steps)) this.#unknown();
      return;
    }
    if (!CALLS_BACK.test(method) && !SAME_PARTS.test(method) && !ONE_PART.test(method)) return this.#unknown();
    if (depth === 0) this.isList = true;
    if (CALLS_BACK.test(method) && !this.#readCallback(call, 0, depth + 1, steps)) return this.#unknown();
    if (SAME_PARTS.test(method) || ONE_PART.test(method)) this.read(call, depth + 1, steps + 1);
  }

  /** Whether what a callback gets is known. */
  #readCallback(call: CallNode, index: number, depth: number, steps: number): boolean {
    const fn = call.arguments[0] && unwrap(call.arguments[0]);
    if (!fn || !isFunction(fn)) return false;
    const param = fn.params[index];
    if (param) this.#readPattern(param, depth, steps + 1);
    if (fn.params.length > 2) this.#unknown();
    return true;
  }

  #readPattern(pattern: Node, depth: number, steps: number): void {
    const target = pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
    const isWhole = target.type === 'Identifier';
    for (const identifier of patternIdentifiers(target)) {
      const binding = this.#facts.bindings.resolve(identifier);
      if (!binding) return this.#unknown();
      this.readBinding(binding, isWhole ? depth : depth + 1, steps);
    }
  }

  readBinding(binding: Binding, depth: number, steps: number, after = 0): void {
    const role = depth === 0 ? 'whole' : 'part';
    const seen = this.#seen.get(binding);
    if (seen === role || seen === 'part') return;
    this.#seen.set(binding, role);
    const references = this.#facts.bindings.references(binding);
    if (references.length > MOST_REFERENCES) return this.#unknown();
    for (const reference of references) if (startOf(reference) >= after) this.read(reference, depth, steps + 1);
  }

  #readSpread(spread: Node, depth: number, steps: number): void {
    const literal = parentOf(spread);
    if (literal?.type !== 'ObjectExpression' && literal?.type !== 'ArrayExpression') return this.#unknown();
    // `{ ...copy }` has the same parts, and a top level of its own.
    if (depth === 0) this.isSpread = true;
    if (depth === 0 && literal.type === 'ArrayExpression') this.isList = true;
    this.read(literal, depth, steps + 1);
  }

  /** `{ user: copy }`: whoever gets the outer object gets this one. */
  #readContained(literal: Node, depth: number, steps: number): void {
    this.read(literal, depth + 1, steps + 1);
  }

  #readReturned(at: Node, depth: number, steps: number): void {
    const fn = isFunction(at) ? at : this.#functionAround(at);
    if (!fn) return this.#unknown();
    if (this.#facts.handlersOf(fn).some(({ kind }) => kind !== 'signature')) return;
    const call = parentOf(fn);
    if (call && isCall(call) && call.arguments.some((one) => one === fn)) {
      const callee = unwrap(call.callee);
      const method = isMember(callee) ? memberName(callee) : undefined;
      if (method !== undefined && /^(?:map|flatMap)$/.test(method)) return this.read(call, depth + 1, steps + 1);
      if (method !== undefined && /^(?:filter|some|every|find|findIndex|forEach|sort)$/.test(method)) return;
    }
    this.isHandedOut = true;
  }

  #functionAround(node: Node): FunctionNode | undefined {
    for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at;
    return undefined;
  }

  #readAssigned(assignment: t.AssignmentExpression, at: Node, depth: number, steps: number): void {
    if (assignment.left === at) return;
    if (assignment.right !== at) return this.#unknown();
    // `total += item.price`
    if (!/^(?:[?|&]{2})?=$/.test(assignment.operator)) return;
    if (isMember(assignment.left)) this.isHandedOut = true;
    else if (assignment.left.type === 'Identifier') {
      const binding = this.#facts.bindings.resolve(assignment.left);
      if (!binding || binding.scope.type === 'Program') return this.#unknown();
      // What the variable was before is another value.
      this.readBinding(binding, depth, steps, isInLoop(assignment, binding.scope) ? 0 : endOf(assignment));
    } else this.#unknown();
  }

  #readArgument(call: CallNode, at: Node, depth: number, steps: number): void {
    const callee = unwrap(call.callee);
    const method = isMember(callee) ? (memberName(callee) ?? '') : callee.type === 'Identifier' ? callee.name : '';
    const index = call.arguments.indexOf(at as (typeof call.arguments)[number]);
    const object = isMember(callee) ? unwrap(callee.object) : undefined;
    const owner = object?.type === 'Identifier' ? object.name : object && isMember(object) ? (memberName(object) ?? '') : '';
    if (isMember(callee) && ANSWERS.test(method) && this.#isAnswer(callee.object)) return;
    if (isMember(callee) && LOGS.test(owner)) return;
    const origin = this.#facts.origins.of(callee);
    const global = origin?.root === 'global' ? [origin.name, ...origin.path].join('.') : '';
    if (PLAIN_READS.test(global)) return;
    if (PARTS_OF.test(global)) {
      this.isList ||= depth === 0;
      return this.read(call, depth + 1, steps + 1);
    }
    if (global === 'Object.assign') {
      if (index === 0 && depth > 0) return this.#unknown();
      if (index === 0) this.isChangedOnTop = true;
      return this.read(call, depth, steps + 1);
    }
    if (/^(?:Set|Map)$/.test(global)) return this.#unknown();
    // A driver reads what it sends. `insertOne` puts `_id` on top.
    const query = call.type === 'NewExpression' ? undefined : findQuery(call, this.#facts, true);
    if (query) {
      if (query.isWrite && depth === 0) this.isChangedOnTop = true;
      return;
    }
    if (global === 'fetch' || (origin?.root === 'module' && /^(?:axios|got|ky|node-fetch|undici|superagent)$/.test(origin.name))) return;
    if (
      origin?.root === 'module' &&
      /^(?:lodash|lodash-es)$/.test(origin.name) &&
      /^(?:isEqual|isEmpty|isNil|get|size|has|keys)$/.test(method)
    ) {
      if (method === 'get') this.read(call, depth + 1, steps + 1);
      return;
    }
    // `_.find(list, copy)` compares.
    if (
      origin?.root === 'module' &&
      /^(?:lodash|lodash-es)$/.test(origin.name) &&
      index === 1 &&
      /^(?:find|filter|some|findIndex)$/.test(method)
    )
      return;
    // `list.push(copy)`, `map.set(id, copy)`
    if (isMember(callee) && /^(?:push|unshift|set|add|concat)$/.test(method)) {
      this.isHandedOut = true;
      return;
    }
    const functions = this.#facts.calls.functionsOf(callee);
    const param = functions.length === 1 ? functions[0]?.params[index] : undefined;
    if (param && call.type !== 'NewExpression' && !call.arguments.some((one) => one.type === 'SpreadElement'))
      return this.#readPattern(param, depth, steps);
    this.#unknown();
  }

  /** `res`, `res.status(200)`, `reply.code(200).type('…')` */
  #isAnswer(object: Node): boolean {
    let at = unwrap(object);
    for (let i = 0; i < MAX_STEPS && isCall(at) && isMember(at.callee); i++) at = unwrap(at.callee.object);
    return at.type === 'Identifier' && ANSWERING.test(at.name);
  }
}

function isInLoop(node: Node, scope: Node): boolean {
  for (let at = parentOf(node); at && at !== scope; at = parentOf(at)) if (isLoop(at)) return true;
  return false;
}

/** The member with the casts around it, and what is around that. */
function outermost(member: Node): { target: Node; parent: Node | undefined } {
  let target = member;
  let parent = parentOf(target);
  while (parent && unwrap(parent) === member && parent.type !== 'SequenceExpression') {
    target = parent;
    parent = parentOf(target);
  }
  return { target, parent };
}
