// Code that asks which keys an object has. To it, a field that is undefined and one that is missing are not the same. Whatever is not known
// to read fields by their names, or to write JSON, may ask.
import {
  contains,
  enclosingFunction,
  isCall,
  isClass,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type CallNode,
  type ClassNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { writeOf, type Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';

type Kind = 'record' | 'list';

/** An object that more places use is in generated code. */
const MOST_VISITS = 1000;

const CALLED_FOR_EACH =
  /^(?:forEach|map|flatMap|filter|some|every|find|findIndex|findLast|findLastIndex|sort|toSorted|reduce|reduceRight)$/;
const GIVES_SAME = /^(?:filter|sort|toSorted|slice|concat|reverse|toReversed|splice)$/;
const GIVES_ONE = /^(?:find|findLast|shift|pop|at)$/;
const ASKS_NO_ITEM = /^(?:push|unshift|length|includes|indexOf|lastIndexOf)$/;
const ASKS_ONE_KEY = /^(?:hasOwn|hasOwnProperty|propertyIsEnumerable)$/;
const RESPONSE = /^(?:res|resp|response|reply)$/;

/** Follows records from where they are made to all that gets them. */
export class KeyQuestions {
  readonly #facts: Facts;
  readonly #fields: readonly string[];
  /** Methods of the class whose instances are followed: their `this` is looked at where it stands. */
  readonly #methods: ReadonlySet<string>;
  /** Whether the order of the keys matters, which JSON shows. */
  readonly #isOrder: boolean;
  readonly #seen = new Set<string>();
  #visits = 0;
  #found: Node | undefined;

  constructor(
    facts: Facts,
    fields: readonly string[],
    { methods = [], isOrder = false }: { methods?: readonly string[]; isOrder?: boolean } = {},
  ) {
    this.#facts = facts;
    this.#fields = fields;
    this.#methods = new Set(methods);
    this.#isOrder = isOrder;
  }

  /** What may ask first, with its line, as a message says it. */
  get found(): string | undefined {
    const node = this.#found;
    if (!node) return undefined;
    const { line } = this.#facts.source.positionAt(startOf(node));
    const parent = parentOf(node);
    if (node.type === 'ReturnStatement' || (parent?.type === 'ArrowFunctionExpression' && parent.body === node))
      return `a caller that gets what line ${line} returns`;
    if (node.type === 'Identifier' && (isClass(parent) || isFunction(parent) || parent?.type === 'VariableDeclarator'))
      return `code that knows \`${node.name}\` (line ${line})`;
    return `\`${shortened(node, this.#facts)}\` (line ${line})`;
  }

  /** An expression that gives a record, or a list of records. */
  follow(expression: Node, kind: Kind = 'record'): void {
    if (this.#found) return;
    this.#visits += 1;
    const asking = this.#visits > MOST_VISITS ? expression : this.#use(expression, kind);
    this.#found ??= asking;
  }

  /** A variable that holds it. */
  followVariable(binding: Binding, kind: Kind): void {
    const key = `${binding.identifier.start ?? ''} ${kind}`;
    if (this.#found || this.#seen.has(key)) return;
    this.#seen.add(key);
    const outer = parentOf(parentOf(parentOf(binding.identifier) ?? binding.identifier) ?? binding.identifier);
    if (outer?.type === 'ExportNamedDeclaration') this.#found = binding.identifier;
    for (const reference of this.#facts.bindings.references(binding)) {
      const isOnlyWritten = writeOf(reference as t.Identifier) !== undefined;
      if (!isOnlyWritten) this.follow(reference, kind);
    }
  }

  /** Instances: all that `new` gives, and `this` in the class or in the functions of the prototype. */
  followInstances(owner: ClassNode | FunctionNode): void {
    const id = 'id' in owner ? owner.id : undefined;
    const binding = id?.type === 'Identifier' ? this.#facts.bindings.resolve(id) : undefined;
    if (!binding || /^Export/.test(parentOf(owner)?.type ?? '') || ('decorators' in owner && owner.decorators?.length)) {
      this.#found ??= id ?? owner;
      return;
    }
    this.#followThis(owner);
    for (const reference of this.#facts.bindings.references(binding)) {
      const parent = parentOf(reference);
      if (parent?.type === 'NewExpression' && parent.callee === reference) this.follow(parent);
      else if (parent?.type === 'BinaryExpression' && parent.operator === 'instanceof') continue;
      else if (parent?.type.startsWith('TSType')) continue;
      else {
        const method = prototypeMethod(reference);
        if (method) this.#followThis(method);
        else this.#found ??= parent ?? reference;
      }
    }
  }

  #followThis(within: Node): void {
    const own: Node[] = [];
    walkWithin(within, (node) => {
      if (node.type === 'ThisExpression') own.push(node);
      return true;
    });
    for (const one of own) this.follow(one);
  }

  /** What may ask for the keys of the value where it stands; undefined if nothing does, and what it is given to is followed. */
  #use(value: Node, kind: Kind): Node | undefined {
    const parent = parentOf(value);
    if (!parent) return value;
    switch (parent.type) {
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return parent.object === value ? this.#member(parent, kind) : parent;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
        return this.#onto(parent, kind);
      case 'ExpressionStatement':
      case 'IfStatement':
      case 'UnaryExpression':
      case 'TemplateLiteral':
        return undefined;
      case 'LogicalExpression':
        return parent.left === value && parent.operator === '&&' ? undefined : this.#onto(parent, kind);
      case 'ConditionalExpression':
        return parent.test === value ? undefined : this.#onto(parent, kind);
      case 'BinaryExpression': {
        const isOther = parent.left.type === 'StringLiteral' && !this.#fields.includes(parent.left.value);
        return parent.operator === 'in' && parent.right === value && !isOther ? parent : undefined;
      }
      case 'VariableDeclarator':
        return this.#into(parent.id, kind);
      case 'AssignmentExpression':
        return this.#assigned(parent, value, kind);
      case 'ForOfStatement':
        if (parent.right !== value || kind !== 'list') return parent.right;
        return this.#into(parent.left.type === 'VariableDeclaration' ? (parent.left.declarations[0]?.id ?? parent) : parent.left, 'record');
      case 'ReturnStatement': {
        const fn = enclosingFunction(parent);
        return fn ? this.#returned(fn, parent, kind) : parent;
      }
      case 'ArrowFunctionExpression':
        return this.#returned(parent, value, kind);
      case 'ArrayExpression':
        if (this.#isSent(parent)) return undefined;
        return kind === 'record' ? this.#onto(parent, 'list') : parent;
      case 'ObjectProperty':
        return this.#isSent(value) ? undefined : parentOf(parent);
      case 'SpreadElement':
        return this.#spread(parent, kind);
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#call(parent, value, kind);
      default:
        return parent;
    }
  }

  #isSent(value: Node): boolean {
    return !this.#isOrder && isSent(value, this.#facts);
  }

  #onto(expression: Node, kind: Kind): undefined {
    this.follow(expression, kind);
  }

  #into(pattern: Node, kind: Kind): Node | undefined {
    switch (pattern.type) {
      case 'Identifier': {
        const binding = this.#facts.bindings.resolve(pattern);
        if (!binding) return pattern;
        this.followVariable(binding, kind);
        return undefined;
      }
      case 'AssignmentPattern':
        return this.#into(pattern.left, kind);
      case 'ArrayPattern':
        if (kind !== 'list') return pattern;
        for (const element of pattern.elements) {
          const asking = element && (element.type === 'RestElement' ? this.#into(element.argument, 'list') : this.#into(element, 'record'));
          if (asking) return asking;
        }
        return undefined;
      case 'ObjectPattern': {
        const named = pattern.properties.map((one) => (one.type === 'ObjectProperty' ? staticName(one.key, one.computed) : undefined));
        // A rest without the fields is the same with and without them.
        const hasRest = pattern.properties.some(({ type }) => type === 'RestElement');
        return hasRest && !this.#fields.every((field) => named.includes(field)) ? pattern : undefined;
      }
      default:
        return pattern;
    }
  }

  #assigned(assignment: t.AssignmentExpression, value: Node, kind: Kind): Node | undefined {
    if (assignment.right !== value) return undefined;
    // `ctx.body = rows`
    if (isMember(assignment.left)) return this.#isSent(value) ? undefined : assignment;
    if (parentOf(assignment)?.type !== 'ExpressionStatement') this.follow(assignment, kind);
    return this.#into(assignment.left, kind);
  }

  #member(member: t.MemberExpression | t.OptionalMemberExpression, kind: Kind): Node | undefined {
    const name = memberName(member);
    const call = parentOf(member);
    const isCalled = isCall(call) && call.callee === member;
    if (kind === 'record') {
      if (!isCalled || this.#methods.has(name ?? '')) return undefined;
      const isOfOther =
        ASKS_ONE_KEY.test(name ?? '') && call.arguments.every((one) => one.type === 'StringLiteral' && !this.#fields.includes(one.value));
      return isOfOther ? undefined : call;
    }
    if (name === undefined || /^\d+$/.test(name)) {
      if (isCalled) return call;
      return call?.type === 'AssignmentExpression' && call.left === member ? undefined : this.#onto(member, 'record');
    }
    if (ASKS_NO_ITEM.test(name)) return undefined;
    if (!isCalled) return member;
    if (GIVES_ONE.test(name)) this.follow(call, 'record');
    else if (GIVES_SAME.test(name)) this.follow(call, 'list');
    else if (!CALLED_FOR_EACH.test(name)) return call;
    return CALLED_FOR_EACH.test(name) ? this.#forEach(call, name) : undefined;
  }

  #forEach(call: CallNode, name: string): Node | undefined {
    const [callback, first] = call.arguments;
    if (!callback) return /ort/.test(name) ? undefined : call;
    if (callback.type === 'Identifier' && callback.name === 'Boolean' && this.#facts.bindings.isGlobal(callback)) return undefined;
    const places = /ort/.test(name) ? [0, 1] : /^reduce/.test(name) ? [1] : [0];
    if (/^reduce/.test(name) && !first) return call;
    return this.#given(callback, places, 'record', /^reduce/.test(name) ? 3 : 2);
  }

  /** Follows parameters of a function. @param list place of the parameter that is the whole list */
  #given(callee: Node, places: readonly number[], kind: Kind, list = Infinity): Node | undefined {
    const fn = this.#functionAt(callee);
    if (!fn || fn.params.length > list || this.#usesArguments(fn)) return callee;
    for (const place of places) {
      const parameter = fn.params[place];
      if (!parameter && fn.params.at(-1)?.type !== 'RestElement') continue;
      const asking = parameter ? this.#into(parameter, kind) : callee;
      if (asking) return asking;
    }
    return undefined;
  }

  /** A function of this file, and no other. */
  #functionAt(callee: Node): FunctionNode | undefined {
    const node = unwrap(callee);
    if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression') return node;
    const binding = node.type === 'Identifier' ? this.#facts.bindings.resolve(node) : undefined;
    return binding && functionOf(binding, this.#facts);
  }

  #usesArguments(fn: FunctionNode): boolean {
    return this.#facts.bindings.identifiersNamed('arguments').some((one) => contains(fn, one));
  }

  #call(call: CallNode, value: Node, kind: Kind): Node | undefined {
    const callee = unwrap(call.callee);
    const place = call.arguments.indexOf(value as t.Expression);
    if (this.#isSent(value)) return undefined;
    const name = isMember(callee) ? memberName(callee) : undefined;
    if (isMember(callee)) {
      if (/^(?:includes|indexOf|lastIndexOf)$/.test(name ?? '')) return undefined;
      const list = unwrap(callee.object);
      const binding = list.type === 'Identifier' ? this.#facts.bindings.resolve(list) : undefined;
      if (binding && /^(?:push|unshift)$/.test(name ?? '') && kind === 'record') {
        this.followVariable(binding, 'list');
        return undefined;
      }
      if (name === 'concat' && kind === 'list') return this.#onto(call, 'list');
      return call;
    }
    if (place < 0 || call.arguments.slice(0, place).some(({ type }) => type === 'SpreadElement')) return call;
    if (this.#facts.origins.isGlobal(callee, 'Boolean')) return undefined;
    return this.#given(callee, [place], kind) && call;
  }

  #spread(spread: t.SpreadElement, kind: Kind): Node | undefined {
    const around = parentOf(spread);
    if (around?.type === 'ObjectExpression') {
      if (kind !== 'record') return spread;
      // Behind other properties, an undefined field replaces theirs.
      const before = around.properties.slice(0, around.properties.indexOf(spread));
      const replaces = before.some((one) => {
        const name = one.type === 'SpreadElement' ? undefined : staticName(one.key, one.computed);
        return name === undefined || this.#fields.includes(name);
      });
      return replaces ? around : this.#onto(around, 'record');
    }
    if (kind !== 'list' || !around) return spread;
    if (around.type === 'ArrayExpression') return this.#onto(around, 'list');
    const callee = isCall(around) ? unwrap(around.callee) : undefined;
    const list = isMember(callee) && memberName(callee) === 'push' ? unwrap(callee.object) : undefined;
    const binding = list?.type === 'Identifier' ? this.#facts.bindings.resolve(list) : undefined;
    if (!binding) return around;
    this.followVariable(binding, 'list');
    return undefined;
  }

  #returned(fn: FunctionNode, from: Node, kind: Kind): Node | undefined {
    const call = parentOf(fn);
    if (fn.generator) return from;
    if (isCall(call) && call.callee !== fn) return this.#givenBack(fn, call, kind);
    const binding = bindingOfFunction(fn, this.#facts);
    if (!binding || /^Export/.test(exportOf(fn)?.type ?? '')) return from;
    for (const reference of this.#facts.bindings.references(binding)) {
      const use = parentOf(reference);
      if (!isCall(use)) return use ?? reference;
      const asking = use.callee === reference ? this.#onto(use, kind) : this.#givenBack(reference, use, kind);
      if (asking) return asking;
    }
    return undefined;
  }

  /** What a function that is passed to a call gives back. */
  #givenBack(passed: Node, call: CallNode, kind: Kind): Node | undefined {
    const callee = unwrap(call.callee);
    const name = isMember(callee) ? memberName(callee) : undefined;
    if (name === 'from' && call.arguments[1] === passed && this.#facts.origins.isGlobal(callee, 'Array.from'))
      return kind === 'record' ? this.#onto(call, 'list') : call;
    if (name === undefined || call.arguments[0] !== passed) return call;
    if (name === 'flatMap' || (name === 'map' && kind === 'record')) return this.#onto(call, 'list');
    return /^(?:forEach|filter|some|every|find|findIndex|findLast|findLastIndex|sort|toSorted)$/.test(name) ? undefined : call;
  }
}

/** Why the keys of the objects are not known to belong to this file alone; undefined where it makes them. */
export function isMadeHere(object: Node, facts: Facts, questions: KeyQuestions, depth = 0): boolean {
  const binding = object.type === 'Identifier' ? facts.bindings.resolve(object) : undefined;
  if (!binding || depth > DEEPEST || !facts.bindings.isConstant(binding)) return false;
  questions.followVariable(binding, 'record');
  const declarator = parentOf(binding.identifier);
  if (declarator?.type === 'VariableDeclarator' && declarator.id === binding.identifier) {
    const loop = parentOf(parentOf(declarator) ?? declarator);
    if (!declarator.init) return loop?.type === 'ForOfStatement' && isListMadeHere(loop.right, facts, questions, depth + 1);
    return isRecord(declarator.init, facts);
  }
  const fn = isFunction(declarator) && declarator.params[0] === binding.identifier ? declarator : undefined;
  const call = fn && parentOf(fn);
  if (!isCall(call) || call.arguments[0] !== fn || !isMember(call.callee) || !CALLED_FOR_EACH.test(memberName(call.callee) ?? ''))
    return false;
  return (
    !/^(?:reduce|sort|toSorted)/.test(memberName(call.callee) ?? '') && isListMadeHere(call.callee.object, facts, questions, depth + 1)
  );
}

const DEEPEST = 12;

export function isRecord(expression: Node, facts: Facts): boolean {
  const node = unwrap(expression);
  return node.type === 'ObjectExpression' || (isCall(node) && facts.origins.isGlobal(node.callee, 'JSON.parse'));
}

function isListMadeHere(expression: Node, facts: Facts, questions: KeyQuestions, depth: number): boolean {
  const node = unwrap(expression);
  if (depth > DEEPEST) return false;
  if (node.type === 'ArrayExpression') return node.elements.every((element) => element && isRecord(element, facts));
  if (node.type === 'Identifier') {
    const binding = facts.bindings.resolve(node);
    const declarator = binding && parentOf(binding.identifier);
    if (!binding || !facts.bindings.isConstant(binding) || declarator?.type !== 'VariableDeclarator' || !declarator.init) return false;
    if (declarator.id !== binding.identifier || !isListMadeHere(declarator.init, facts, questions, depth + 1)) return false;
    questions.followVariable(binding, 'list');
    return facts.bindings.references(binding).every((reference) => addsOnlyRecords(reference, facts));
  }
  if (!isCall(node)) return false;
  const callee = unwrap(node.callee);
  if (facts.origins.isGlobal(callee, 'JSON.parse')) return true;
  const name = isMember(callee) ? memberName(callee) : undefined;
  if (facts.origins.isGlobal(callee, 'Array.from')) return givesRecord(node.arguments[1], facts);
  if (isMember(callee) && name === 'map') return givesRecord(node.arguments[0], facts);
  if (isMember(callee) && GIVES_SAME.test(name ?? '') && !/^(?:concat|splice)$/.test(name ?? ''))
    return isListMadeHere(callee.object, facts, questions, depth + 1);
  const binding = callee.type === 'Identifier' ? facts.bindings.resolve(callee) : undefined;
  const fn = binding && functionOf(binding, facts);
  const results = fn && !fn.async && !fn.generator ? resultsOf(fn) : [];
  return results.length > 0 && results.every((one) => isListMadeHere(one, facts, questions, depth + 1));
}

/** Whether a list is not filled here, or with records alone. */
function addsOnlyRecords(reference: Node, facts: Facts): boolean {
  const member = parentOf(reference);
  const outer = isMember(member) && member.object === reference ? parentOf(member) : undefined;
  if (!isMember(member) || !outer) return true;
  if (outer.type === 'AssignmentExpression' && outer.left === member) return memberName(member) === 'length';
  if (!isCall(outer) || outer.callee !== member || !/^(?:push|unshift|splice|fill)$/.test(memberName(member) ?? '')) return true;
  return outer.arguments.every((argument) => isRecord(argument, facts));
}

export function givesRecord(callback: Node | undefined, facts: Facts): boolean {
  const node = callback && unwrap(callback);
  if (!isFunction(node) || node.async || node.generator) return false;
  const results = resultsOf(node);
  return results.length > 0 && results.every((one) => isRecord(one, facts));
}

function resultsOf(fn: FunctionNode): Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const results: Node[] = [];
  walkWithin(fn.body, (node) => {
    if (node.type === 'ReturnStatement') results.push(node.argument ?? node);
    return !isFunction(node);
  });
  return results;
}

function functionOf(binding: Binding, facts: Facts): FunctionNode | undefined {
  if (!facts.bindings.isConstant(binding)) return undefined;
  const { declaration } = binding;
  if (declaration.type === 'FunctionDeclaration') return declaration.id === binding.identifier ? declaration : undefined;
  if (declaration.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !declaration.init) return undefined;
  const value = unwrap(declaration.init);
  return isFunction(value) ? value : undefined;
}

export function bindingOfFunction(fn: FunctionNode, facts: Facts): Binding | undefined {
  const parent = parentOf(fn);
  const id =
    fn.type === 'FunctionDeclaration'
      ? fn.id
      : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' && fn.type !== 'ClassMethod'
        ? parent.id
        : undefined;
  const binding = id ? facts.bindings.resolve(id) : undefined;
  return binding && facts.bindings.isConstant(binding) ? binding : undefined;
}

function exportOf(fn: FunctionNode): Node | undefined {
  return fn.type === 'FunctionDeclaration' ? parentOf(fn) : parentOf(parentOf(parentOf(fn) ?? fn) ?? fn);
}

/** The function in `Parser.prototype.read = function () { … }`, of the name `Parser`. */
function prototypeMethod(reference: Node): FunctionNode | undefined {
  const prototype = parentOf(reference);
  const member = prototype && parentOf(prototype);
  const assignment = member && parentOf(member);
  return isMember(prototype) &&
    memberName(prototype) === 'prototype' &&
    isMember(member) &&
    memberName(member) !== undefined &&
    assignment?.type === 'AssignmentExpression' &&
    isFunction(assignment.right)
    ? assignment.right
    : undefined;
}

/** Whether a value only becomes a part of an answer or of a JSON text, which both leave out what is undefined. */
function isSent(value: Node, facts: Facts): boolean {
  let at = value;
  for (let up = parentOf(at); up; at = up, up = parentOf(up)) {
    switch (up.type) {
      case 'ObjectProperty':
        if (up.value !== at) return false;
        break;
      case 'ObjectExpression':
      case 'ArrayExpression':
      case 'AwaitExpression':
      case 'TSAsExpression':
        break;
      case 'AssignmentExpression':
        return up.right === at && isMember(up.left) && memberName(up.left) === 'body' && rootName(up.left) === 'ctx';
      default:
        return isCall(up) && up.arguments[0] === at && isWriter(up, facts);
    }
  }
  return false;
}

function isWriter(call: CallNode, facts: Facts): boolean {
  const [, replacer] = call.arguments;
  const callee = unwrap(call.callee);
  // A replacer sees each key.
  if (facts.origins.isGlobal(callee, 'JSON.stringify'))
    return !replacer || replacer.type === 'NullLiteral' || replacer.type === 'ArrayExpression';
  return isMember(callee) && /^(?:json|jsonp|send)$/.test(memberName(callee) ?? '') && RESPONSE.test(rootName(callee) ?? '');
}

/** `res` of `res.status(200).json`. */
function rootName(member: Node): string | undefined {
  let at: Node = member;
  while (isMember(at) || isCall(at)) at = unwrap(isMember(at) ? at.object : at.callee);
  return at.type === 'Identifier' ? at.name : undefined;
}

function shortened(node: Node, facts: Facts): string {
  const text = facts.source.slice(node).replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
