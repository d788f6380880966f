// Bodies that a program gathers by hand, whatever their size, and parses at once: `data += chunk`, `chunks.push(chunk)`, `json(request)`.
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import { constantOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

/** Whether a text may gather a body. Most files do not, and cost no more than this check. */
export function mayGather(text: string): boolean {
  return /\bJSON\b|stream\/consumers/.test(text) && /\bdata\b|\bfor await\b|stream\/consumers/.test(text);
}

// The longest chain of constants and conversions to follow.
const MAX_STEPS = 8;
/** A helper gets the request under one of its usual names. */
const REQUEST_NAME = /^_?(?:req|request|incoming|incomingMessage|httpReq|httpRequest)$/;

export class GatheredBodies {
  readonly #facts: Facts;
  readonly #checked = new Map<Node, boolean>();
  readonly #gathered = new Map<Binding, boolean>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Whether a call parses a whole body of which nothing limits the size. */
  isParsed(call: CallNode): boolean {
    const [first] = call.arguments;
    if (!first) return false;
    if (this.#isConsumer(call, 'json')) return this.#isRequest(first) && !this.#checksSize(call);
    return this.#facts.origins.isGlobal(call.callee, 'JSON.parse') && this.#isBody(first, 0);
  }

  #isConsumer(call: CallNode, name: string): boolean {
    const origin = this.#facts.origins.moduleMember(call.callee);
    return origin?.module === 'stream/consumers' && origin.path.join('.') === name;
  }

  #isBody(expression: Node, steps: number): boolean {
    if (steps > MAX_STEPS) return false;
    const node = unwrap(expression);
    if (node.type === 'AwaitExpression') return this.#isBody(node.argument, steps + 1);
    if (node.type === 'LogicalExpression') return this.#isBody(node.left, steps + 1);
    if (node.type === 'TemplateLiteral') return node.expressions.length === 1 && this.#isBody(node.expressions[0] as Node, steps + 1);
    if (isCall(node)) return this.#isBodyOfCall(node, steps);
    if (node.type !== 'Identifier') return false;
    const init = constantOf(node, this.#facts.bindings);
    if (init && unwrap(init).type !== 'ArrayExpression') return this.#isBody(init, steps + 1);
    const binding = this.#facts.bindings.resolve(node);
    return binding !== undefined && this.#isGathered(binding);
  }

  #isBodyOfCall(call: CallNode, steps: number): boolean {
    const callee = unwrap(call.callee);
    const [first] = call.arguments;
    if (first && ['text', 'buffer'].some((name) => this.#isConsumer(call, name))) return this.#isRequest(first) && !this.#checksSize(call);
    const { origins } = this.#facts;
    if (first && (origins.isGlobal(callee, 'Buffer.concat') || origins.isGlobal(callee, 'String'))) return this.#isBody(first, steps + 1);
    return isMember(callee) && /^(?:toString|join|trim)$/.test(memberName(callee) ?? '') && this.#isBody(callee.object, steps + 1);
  }

  /** Whether pieces of a request are added to a variable, in `request.on('data', …)` or `for await (… of request)`. */
  #isGathered(binding: Binding): boolean {
    const known = this.#gathered.get(binding);
    if (known !== undefined) return known;
    const found = this.#findGathered(binding);
    this.#gathered.set(binding, found);
    return found;
  }

  #findGathered(binding: Binding): boolean {
    if (binding.declaration.type !== 'VariableDeclarator') return false;
    const additions = this.#facts.bindings.references(binding).flatMap((reference): Node[] => {
      const up = parentOf(reference);
      // `data += chunk`, `data = data + chunk`, `data = Buffer.concat([data, chunk])`
      if (up?.type === 'AssignmentExpression' && up.left === reference)
        return up.operator === '+=' || /^(?:BinaryExpression|CallExpression)$/.test(up.right.type) ? [up] : [];
      if (!up || !isMember(up) || up.object !== reference || memberName(up) !== 'push') return [];
      const call = parentOf(up);
      return isCall(call) && call.callee === up ? [call] : [];
    });
    return additions.some((one) => this.#isFed(one)) && !this.#checksSize(binding.declaration);
  }

  #isFed(addition: Node): boolean {
    const fn = enclosingFunction(addition);
    for (let at: Node | undefined = addition; at && at !== fn; at = parentOf(at))
      if (at.type === 'ForOfStatement' && at.await) return this.#isRequest(at.right);
    const call = fn && parentOf(fn);
    if (!isCall(call) || call.callee === fn || !isMember(call.callee) || memberName(call.callee) !== 'on') return false;
    const [event] = call.arguments;
    if (event?.type !== 'StringLiteral' || event.value !== 'data') return false;
    let object = unwrap(call.callee.object);
    // `request.setEncoding('utf8').on('error', …).on('data', …)`
    for (let i = 0; i < MAX_STEPS && isCall(object) && isMember(object.callee); i += 1) object = unwrap(object.callee.object);
    return this.#isRequest(object);
  }

  #isRequest(expression: Node): boolean {
    const node = unwrap(expression);
    // Koa: `context.req`
    if (isMember(node)) return memberName(node) === 'req' && node.object.type === 'Identifier' && this.#isHandlerParameter(node.object, 0);
    if (node.type !== 'Identifier') return false;
    const binding = this.#facts.bindings.resolve(node);
    if (binding?.kind !== 'param') return false;
    return REQUEST_NAME.test(binding.name) || this.#isHandlerParameter(node, 0);
  }

  #isHandlerParameter(identifier: Node, index: number): boolean {
    const binding = identifier.type === 'Identifier' ? this.#facts.bindings.resolve(identifier) : undefined;
    if (binding?.kind !== 'param' || !isFunction(binding.declaration)) return false;
    const fn: FunctionNode = binding.declaration;
    const handler = this.#facts.handlersOf(fn)[0];
    return (handler?.kind === 'route' || handler?.kind === 'middleware') && fn.params[index] === binding.identifier;
  }

  /** Whether the function around it does anything about sizes: compares one, reads `content-length`, answers 413, ends the request. */
  #checksSize(node: Node): boolean {
    const fn = enclosingFunction(node);
    if (!fn) return true;
    const known = this.#checked.get(fn);
    if (known !== undefined) return known;
    let found = false;
    walkWithin(fn.body, (one) => {
      if (this.#isCheck(one)) found = true;
      return found ? 'stop' : true;
    });
    this.#checked.set(fn, found);
    return found;
  }

  #isCheck(node: Node): boolean {
    switch (node.type) {
      case 'BinaryExpression':
        return (
          /^[<>]=?$/.test(node.operator) &&
          parentOf(node)?.type !== 'ForStatement' &&
          [node.left, node.right].some((side) => SIZE_NAME.test(nameOf(side)))
        );
      case 'NumericLiteral':
        return node.value === PAYLOAD_TOO_LARGE;
      case 'StringLiteral':
        return /^content-length$/i.test(node.value);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return /^(?:destroy|abort|pause|unpipe)$/.test(memberName(node) ?? '');
      default:
        return false;
    }
  }
}

const PAYLOAD_TOO_LARGE = 413;
const SIZE_NAME = /size|length|bytes|total|received|limit|max|count/i;

function nameOf(expression: Node): string {
  const node = unwrap(expression);
  return node.type === 'Identifier' ? node.name : isMember(node) ? (memberName(node) ?? '') : isCall(node) ? nameOf(node.callee) : '';
}
