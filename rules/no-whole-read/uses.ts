// What is done with bytes that were gathered: only passed on, in an order in which parts would do, or more than that.
import { writeOf, type Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { initOf, isMethod, type Whole } from './sources.ts';

/** `web`: sent as a `Response`; `blob`: sent as a part of a form. */
export type UseKind = 'sent' | 'web' | 'stored' | 'uploaded' | 'blob' | 'split' | 'hashed';

// Further is not followed.
const MAX_STEPS = 16;
const MAX_CALLERS = 3;
const MOST_REFERENCES = 30;

const ANSWERING = /^(?:res|resp|response|reply|rep|ctx|context|c|h|httpRes|httpResponse)$/;
/** Frameworks that send what a handler returns. */
const RETURNING = /^(?:fastify|hapi|nestjs|elysia|h3)$/;
const TEXT = /^(?:utf-?8|latin1|ascii|binary)$/i;
const FILE_MODULES = /^(?:fs|fs-extra|graceful-fs)$/;

/** The only kind of use that the bytes have; undefined if they have none, several, or one that may need all of them. */
export function useOf(call: CallNode, whole: Whole, facts: Facts): UseKind | undefined {
  const reader = new BytesReader(facts);
  if (whole.parameter) reader.readPattern(whole.parameter, whole.inner, 0);
  else reader.follow(call, whole.inner, 0);
  return !reader.isUnknown && reader.kinds.size === 1 ? [...reader.kinds][0] : undefined;
}

type Inner = string | 0 | undefined;

class BytesReader {
  isUnknown = false;
  readonly kinds = new Set<UseKind>();
  readonly #facts: Facts;
  readonly #seen = new Set<Binding>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** @param inner the part of the value that has the bytes, if it is not the value itself */
  follow(place: Node, inner: Inner, steps: number): void {
    if (this.isUnknown) return;
    if (steps > MAX_STEPS) return this.#unknown();
    let at = place;
    let up = parentOf(at);
    while (up && unwrap(up) === unwrap(at) && up.type !== 'SequenceExpression') {
      at = up;
      up = parentOf(at);
    }
    switch (up?.type) {
      case 'AwaitExpression':
        return this.follow(up, inner, steps + 1);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return up.object === at ? this.#readMember(up, inner, steps) : this.#unknown();
      case 'VariableDeclarator':
        return this.readPattern(up.id, inner, steps);
      case 'AssignmentExpression':
        return this.#readAssigned(up, inner, steps);
      case 'LogicalExpression':
        // `data && response.send(data)`
        return up.operator === '&&' && up.left === at ? undefined : this.follow(up, inner, steps + 1);
      case 'ConditionalExpression':
        return up.test === at ? undefined : this.follow(up, inner, steps + 1);
      case 'IfStatement':
      case 'ExpressionStatement':
        return;
      case 'UnaryExpression':
        return up.operator === '!' ? undefined : this.#unknown();
      case 'BinaryExpression':
        return /^[!=]==?$/.test(up.operator) ? undefined : this.#unknown();
      case 'ReturnStatement':
      case 'ArrowFunctionExpression':
        return this.#readReturned(up, inner, steps);
      case 'ObjectProperty':
        return this.#readProperty(up, at, inner);
      case 'ArrayExpression':
        return inner === undefined && isBlobOf(up) ? void this.kinds.add('blob') : this.#unknown();
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        return up.callee === at || inner !== undefined ? this.#unknown() : this.#readArgument(up, at, steps);
      default:
        return this.#unknown();
    }
  }

  readPattern(pattern: Node, inner: Inner, steps: number): void {
    if (pattern.type === 'Identifier') {
      const binding = this.#facts.bindings.resolve(pattern) ?? this.#facts.bindings.lookUp(pattern.name, pattern);
      return binding ? this.#readBinding(binding, inner, steps) : this.#unknown();
    }
    if (pattern.type === 'ArrayPattern' && inner === 0 && pattern.elements[0])
      return this.readPattern(pattern.elements[0], undefined, steps);
    if (pattern.type !== 'ObjectPattern' || inner === undefined) return this.#unknown();
    for (const property of pattern.properties) {
      if (property.type === 'RestElement') return this.#unknown();
      if (staticName(property.key, property.computed) === inner) this.readPattern(property.value, undefined, steps);
    }
  }

  #unknown(): void {
    this.isUnknown = true;
  }

  #readBinding(binding: Binding, inner: Inner, steps: number): void {
    // What outlives the request is kept for others.
    if (binding.scope.type === 'Program') return this.#unknown();
    if (this.#seen.has(binding)) return;
    this.#seen.add(binding);
    const references = this.#facts.bindings.references(binding).filter((one) => !writeOf(one));
    if (references.length > MOST_REFERENCES) return this.#unknown();
    for (const reference of references) this.follow(reference, inner, steps + 1);
  }

  #readMember(member: t.MemberExpression | t.OptionalMemberExpression, inner: Inner, steps: number): void {
    const name = memberName(member);
    const parent = parentOf(member);
    const call = isCall(parent) && parent.callee === member ? parent : undefined;
    const [first] = call?.arguments ?? [];
    if (call && name === 'then') return first && isFunction(first) ? this.#readFirst(first, inner, steps) : this.#unknown();
    if (call && (name === 'catch' || name === 'finally')) return this.follow(call, inner, steps + 1);
    if (inner !== undefined) return name === inner ? this.follow(member, undefined, steps + 1) : undefined;
    if (!call) return /^(?:length|byteLength)$/.test(name ?? '') ? this.#readLength(member) : this.#unknown();
    if (name === 'toString' && (!first || (first.type === 'StringLiteral' && TEXT.test(first.value))))
      return this.follow(call, undefined, steps + 1);
    if (name === 'trim' && !first) return this.follow(call, undefined, steps + 1);
    if (name === 'split' && isNewline(first)) return void this.kinds.add('split');
    // `Readable.from(data).pipe(response)`
    if (name === 'pipe' && first && this.#isAnswer(first)) return void this.kinds.add('sent');
    this.#unknown();
  }

  #readFirst(fn: Node & t.Function, inner: Inner, steps: number): void {
    if (fn.params[0]) this.readPattern(fn.params[0], inner, steps + 1);
  }

  /** A comparison may be a limit. */
  #readLength(member: Node): void {
    const parent = parentOf(member);
    if (parent?.type === 'BinaryExpression' && /^[<>]=?$/.test(parent.operator)) this.#unknown();
  }

  #readAssigned(assignment: t.AssignmentExpression, inner: Inner, steps: number): void {
    const left = unwrap(assignment.left);
    // `data ??= await read()` is kept.
    if (assignment.operator !== '=') return this.#unknown();
    if (parentOf(assignment)?.type !== 'ExpressionStatement') return this.#unknown();
    if (isMember(left) && memberName(left) === 'body' && inner === undefined && this.#isContext(left.object))
      return void this.kinds.add('sent');
    if (left.type === 'Identifier') return this.readPattern(left, inner, steps);
    this.#unknown();
  }

  #readReturned(place: Node, inner: Inner, steps: number): void {
    const fn = place.type === 'ArrowFunctionExpression' ? place : enclosingFunction(place);
    if (!fn || fn.generator) return this.#unknown();
    const { handlers } = this.#facts.handlers;
    if (inner === undefined && handlers.some((one) => one.fn === fn && one.kind === 'route' && RETURNING.test(one.framework)))
      return void this.kinds.add('sent');
    const call = parentOf(fn);
    if (isCall(call) && call.callee !== fn)
      return isMember(call.callee) && memberName(call.callee) === 'then' ? this.follow(call, inner, steps + 1) : this.#unknown();
    const callers = this.#facts.calls.callersOf(fn);
    if (callers.length === 0 || callers.length > MAX_CALLERS || this.#facts.exports.functions.has(fn)) return this.#unknown();
    for (const { edge } of callers) isCall(edge.site) ? this.follow(edge.site, inner, steps + 1) : this.#unknown();
  }

  /** `{ Bucket: 'files', Body: data }` */
  #readProperty(property: t.ObjectProperty, at: Node, inner: Inner): void {
    const object = parentOf(property);
    const isOfBucket =
      object?.type === 'ObjectExpression' &&
      object.properties.some((one) => one.type === 'ObjectProperty' && staticName(one.key, one.computed) === 'Bucket');
    if (property.value === at && inner === undefined && isOfBucket && staticName(property.key, property.computed) === 'Body')
      this.kinds.add('uploaded');
    else this.#unknown();
  }

  #readArgument(call: CallNode, at: Node, steps: number): void {
    const { origins } = this.#facts;
    const index = call.arguments.indexOf(at as t.Expression);
    const callee = unwrap(call.callee);
    const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
    const isPlainCopy =
      index === 0 &&
      (origins.isGlobal(callee, 'Buffer.from') || origins.isGlobal(callee, 'Uint8Array') || origins.isGlobal(callee, 'String'));
    if (isPlainCopy) return this.#isText(call.arguments[1]) ? this.follow(call, undefined, steps + 1) : this.#unknown();
    const origin = origins.moduleMember(callee);
    const member = origin?.path.at(-1);
    if (origin?.module === 'stream' && member === 'from' && index === 0) return this.follow(call, undefined, steps + 1);
    if (call.type === 'NewExpression') {
      if (index !== 0) return this.#unknown();
      if (name === 'StreamableFile') return void this.kinds.add('sent');
      return /^(?:Next)?Response$/.test(name ?? '') ? void this.kinds.add('web') : this.#unknown();
    }
    if (origin && FILE_MODULES.test(origin.module))
      return index === 1 && /^(?:writeFile|appendFile|outputFile)$/.test(member ?? '') ? void this.kinds.add('stored') : this.#unknown();
    if (origin?.module === 'crypto' && member === 'hash' && index === 1) return void this.kinds.add('hashed');
    const object = isMember(callee) ? unwrap(callee.object) : undefined;
    if (object && index === 0) {
      if (/^(?:send|end|write|body|response)$/.test(name ?? '') && this.#isAnswer(object)) return void this.kinds.add('sent');
      if (name === 'update' && this.#isHash(object)) return void this.kinds.add('hashed');
      if (name === 'save' && isMethod(initOf(object, this.#facts), 'file')) return void this.kinds.add('uploaded');
    }
    const promise = index === 0 ? this.#promiseOf(callee) : undefined;
    if (promise) return this.follow(promise, undefined, steps + 1);
    // A helper of the file.
    const functions = this.#facts.calls.functionsOf(callee);
    const parameter = functions.length === 1 ? functions[0]?.params[index] : undefined;
    return parameter ? this.readPattern(parameter, undefined, steps + 1) : this.#unknown();
  }

  /** Koa: `ctx.body`, `ctx.response.body`. A `response` of another name may be any object. */
  #isContext(object: Node): boolean {
    const node = initOf(object, this.#facts);
    const root = isMember(node) && memberName(node) === 'response' ? unwrap(node.object) : node;
    return root.type === 'Identifier' && /^(?:ctx|context)$/.test(root.name);
  }

  /** `new Promise((resolve) => stream.on('end', () => resolve(Buffer.concat(chunks))))` */
  #promiseOf(callee: Node): Node | undefined {
    const binding = callee.type === 'Identifier' ? this.#facts.bindings.resolve(callee) : undefined;
    const fn = binding?.kind === 'param' && isFunction(binding.declaration) ? binding.declaration : undefined;
    const made = fn?.params[0] === binding?.identifier && fn ? parentOf(fn) : undefined;
    return made?.type === 'NewExpression' && this.#facts.origins.isGlobal(made.callee, 'Promise') ? made : undefined;
  }

  #isText(encoding: Node | undefined): boolean {
    return !encoding || (encoding.type === 'StringLiteral' && TEXT.test(encoding.value));
  }

  #isHash(object: Node): boolean {
    const made = initOf(object, this.#facts);
    const origin = isCall(made) ? this.#facts.origins.moduleMember(made.callee) : undefined;
    return origin?.module === 'crypto' && origin.path.at(-1) === 'createHash';
  }

  /** `res`, `res.status(200)`, `reply.code(200).type('…')`, `ctx.res` */
  #isAnswer(object: Node): boolean {
    let at = unwrap(object);
    for (let i = 0; i < MAX_STEPS && isCall(at) && isMember(at.callee); i += 1) at = unwrap(at.callee.object);
    return (at.type === 'Identifier' && ANSWERING.test(at.name)) || (isMember(at) && /^(?:res|response|reply)$/.test(memberName(at) ?? ''));
  }
}

/** `new Blob([data])`, which is then sent as a part of a form. */
function isBlobOf(list: t.ArrayExpression): boolean {
  const made = parentOf(list);
  return (
    list.elements.length === 1 &&
    made?.type === 'NewExpression' &&
    made.arguments[0] === list &&
    made.callee.type === 'Identifier' &&
    /^(?:Blob|File)$/.test(made.callee.name)
  );
}

function isNewline(separator: Node | undefined): boolean {
  if (separator?.type === 'StringLiteral') return /^\r?\n$/.test(separator.value);
  return separator?.type === 'RegExpLiteral' && separator.pattern.includes('\\n') && !/\\n.{0,2}\\n/.test(separator.pattern);
}
