// Which functions of this file a call may run: the call graph of one module.
import {
  isCall,
  isClass,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import { walkWithin, type ModuleIndex } from '../module/module-index.ts';
import type { Bindings } from './bindings.ts';
import { eachOnce, type Holders } from './holders.ts';

/** A function, or the top level of the module. */
export type Unit = FunctionNode | t.Program;

export interface CallEdge {
  /** The call, or the argument that passes the function. */
  site: Node;
  target: FunctionNode;
  /** `callback`: passed to another function, which may call it now, later or many times. */
  via: 'call' | 'construct' | 'callback';
}

const NONE: readonly FunctionNode[] = [];

// An expression that may be more functions than this is a registry.
const MOST = 256;

// The longest chain of names, members and wrappers to follow.
const MAX_STEPS = 12;
/** Calls that give a list of what their callback returns. */
const MAPPING = /^(?:map|flatMap)$/;

export class Calls {
  readonly #module: ModuleIndex;
  readonly #bindings: Bindings;
  readonly #holders: Holders;
  readonly #functions = new Map<Node, readonly FunctionNode[]>();
  readonly #edges = new Map<Unit, readonly CallEdge[]>();
  #callsByUnit: Map<Unit, CallNode[]> | undefined;
  #callers: Map<FunctionNode, { from: Unit; edge: CallEdge }[]> | undefined;

  constructor(module: ModuleIndex, bindings: Bindings, holders: Holders) {
    this.#module = module;
    this.#bindings = bindings;
    this.#holders = holders;
  }

  /**
   * The functions of this file that an expression may evaluate to: through names, members, `bind`, wrappers
   * (`asyncHandler(fn)`), factories (`makeHandler()`), conditions and arrays.
   */
  functionsOf(expression: Node): readonly FunctionNode[] {
    return this.#find(expression, 0);
  }

  /** Calls directly in a function (or at the top level), without those in nested functions, in source order. */
  callsIn(unit: Unit): readonly CallNode[] {
    return this.#groupedCalls().get(unit) ?? [];
  }

  /** What running a function may run next. */
  edgesFrom(unit: Unit): readonly CallEdge[] {
    let edges = this.#edges.get(unit);
    if (!edges) this.#edges.set(unit, (edges = this.callsIn(unit).flatMap((call) => this.edgesOfCall(call))));
    return edges;
  }

  /** Every place in the file that may run a function. */
  callersOf(fn: FunctionNode): readonly { from: Unit; edge: CallEdge }[] {
    if (!this.#callers) {
      this.#callers = new Map();
      for (const unit of this.#groupedCalls().keys()) {
        for (const edge of this.edgesFrom(unit)) {
          const list = this.#callers.get(edge.target);
          if (list) list.push({ from: unit, edge });
          else this.#callers.set(edge.target, [{ from: unit, edge }]);
        }
      }
    }
    return this.#callers.get(fn) ?? [];
  }

  /** The functions that one call runs or passes. */
  edgesOfCall(call: CallNode): CallEdge[] {
    const via = call.type === 'NewExpression' ? 'construct' : 'call';
    const edges: CallEdge[] = [];
    for (const target of via === 'construct' ? this.#constructorsOf(call.callee) : this.functionsOf(call.callee))
      edges.push({ site: call, target, via });
    for (const argument of call.arguments) this.#addPassed(argument, edges);
    return edges;
  }

  #addPassed(argument: Node, edges: CallEdge[]): void {
    const node = unwrap(argument);
    if (node.type === 'ObjectExpression') {
      // `fetchAll({ onRow() { … } })`: functions in an options object are meant to be called.
      for (const property of node.properties) {
        if (property.type === 'ObjectMethod') edges.push({ site: property, target: property, via: 'callback' });
        else if (property.type === 'ObjectProperty' && isFunction(unwrap(property.value)))
          edges.push({ site: property.value, target: unwrap(property.value) as FunctionNode, via: 'callback' });
      }
      return;
    }
    if (node.type === 'ArrayExpression') {
      for (const element of node.elements) if (element) this.#addPassed(element, edges);
      return;
    }
    // A call among the arguments runs by itself. Only its result is passed.
    if (isCall(node) && !isBind(node)) return;
    for (const target of this.functionsOf(node)) edges.push({ site: argument, target, via: 'callback' });
  }

  /** Caches every step, as the holders do. */
  #find(expression: Node, steps: number): readonly FunctionNode[] {
    const known = this.#functions.get(expression);
    if (known) return known;
    if (steps > MAX_STEPS) return NONE;
    this.#functions.set(expression, NONE);
    const found = eachOnce(this.#look(unwrap(expression), steps), MOST);
    this.#functions.set(expression, found);
    return found;
  }

  #look(node: Node, steps: number): readonly FunctionNode[] {
    if (isFunction(node)) return [node];
    switch (node.type) {
      case 'Identifier':
        return this.#ofIdentifier(node, steps);
      case 'MemberExpression':
      case 'OptionalMemberExpression': {
        const name = memberName(node);
        const values = this.#holders.valuesOf(node.object, name);
        // `handlers[name]` may be any function of the table; `list[i]` too.
        return values.flatMap((value) => this.#find(value, steps + 1));
      }
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#ofCall(node, steps);
      case 'AwaitExpression':
        return this.#find(node.argument, steps + 1);
      case 'AssignmentExpression':
        return this.#find(node.right, steps + 1);
      case 'LogicalExpression':
        return [...this.#find(node.left, steps + 1), ...this.#find(node.right, steps + 1)];
      case 'ConditionalExpression':
        return [...this.#find(node.consequent, steps + 1), ...this.#find(node.alternate, steps + 1)];
      case 'ArrayExpression':
        return node.elements.flatMap((element) =>
          element ? this.#find(element.type === 'SpreadElement' ? element.argument : element, steps + 1) : [],
        );
      default:
        return NONE;
    }
  }

  #ofIdentifier(node: t.Identifier, steps: number): readonly FunctionNode[] {
    const binding = this.#bindings.resolve(node);
    if (!binding) return [];
    const { declaration } = binding;
    if (isFunction(declaration)) return binding.kind === 'param' ? [] : [declaration];
    if (declaration.type !== 'VariableDeclarator') return [];
    const found: FunctionNode[] = [];
    if (declaration.init) {
      if (declaration.id === binding.identifier) found.push(...this.#find(declaration.init, steps + 1));
      else if (declaration.id.type === 'ObjectPattern') {
        // `const { show } = controller`
        const property = declaration.id.properties.find(
          (item) =>
            item.type === 'ObjectProperty' &&
            (item.value === binding.identifier || (item.value.type === 'AssignmentPattern' && item.value.left === binding.identifier)),
        );
        if (property?.type === 'ObjectProperty' && property.key.type === 'Identifier') {
          const values = this.#holders.valuesOf(declaration.init, property.key.name);
          found.push(...values.flatMap((value) => this.#find(value, steps + 1)));
        }
      }
    }
    if (binding.kind !== 'const')
      for (const value of this.#bindings.assignedValues(binding)) if (value) found.push(...this.#find(value, steps + 1));
    return found;
  }

  #ofCall(node: t.CallExpression | t.OptionalCallExpression, steps: number): readonly FunctionNode[] {
    const callee = unwrap(node.callee);
    if (isMember(callee)) {
      const method = memberName(callee);
      if (method === 'bind') return this.#find(callee.object, steps + 1);
      if (method === 'call' || method === 'apply') {
        const direct = this.#find(callee.object, steps + 1);
        if (direct.length > 0) return direct.flatMap((fn) => this.returnedFunctions(fn, steps + 1));
      }
    }
    const last = node.arguments.at(-1);
    // `steps.map((step) => makeHandler(step))`: what the callback returns.
    if (
      last &&
      isFunction(last) &&
      MAPPING.test((isMember(callee) ? memberName(callee) : callee.type === 'Identifier' && callee.name) || '')
    )
      return this.returnedFunctions(last, steps + 1);
    const makers = this.#find(callee, steps + 1);
    const returned = makers.flatMap((maker) => this.returnedFunctions(maker, steps + 1));
    // `asyncHandler(fn)`: what the wrapper returns calls its argument.
    const passed = node.arguments.flatMap((argument) => {
      const inner = unwrap(argument);
      return isFunction(inner) || inner.type === 'Identifier' || isMember(inner) || isBind(inner) ? this.#find(inner, steps + 1) : [];
    });
    return [...returned, ...passed];
  }

  /** Functions that a call of `fn` may return. */
  returnedFunctions(fn: FunctionNode, steps = 0): readonly FunctionNode[] {
    if (steps > MAX_STEPS) return [];
    if (fn.body.type !== 'BlockStatement') return this.#find(fn.body, steps + 1);
    const found: FunctionNode[] = [];
    walkWithin(fn.body, (node) => {
      if (isFunction(node) || isClass(node)) return false;
      if (node.type === 'ReturnStatement' && node.argument) found.push(...this.#find(node.argument, steps + 1));
      return true;
    });
    return found;
  }

  #constructorsOf(callee: Node): FunctionNode[] {
    const found: FunctionNode[] = [];
    for (const holder of this.#holders.of(callee)) {
      if (!('type' in holder) || !isClass(holder)) continue;
      for (let at: typeof holder | undefined = holder, depth = 0; at && depth < MAX_STEPS; depth++) {
        const own: Node | undefined = at.body.body.find((member) => member.type === 'ClassMethod' && member.kind === 'constructor');
        if (own) {
          found.push(own as t.ClassMethod);
          break;
        }
        at = at.superClass ? this.#holders.classOf(at.superClass) : undefined;
      }
    }
    return found.length > 0 ? found : callee.type === 'Identifier' ? [...this.functionsOf(callee)] : found;
  }

  #groupedCalls(): Map<Unit, CallNode[]> {
    if (this.#callsByUnit) return this.#callsByUnit;
    const byUnit = new Map<Unit, CallNode[]>();
    const module = this.#module;
    for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const) {
      for (const call of module.nodes(type)) {
        const unit = unitAround(call, module.program);
        const list = byUnit.get(unit);
        if (list) list.push(call);
        else byUnit.set(unit, [call]);
      }
    }
    for (const list of byUnit.values()) list.sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
    return (this.#callsByUnit = byUnit);
  }
}

/**
 * The function that evaluates a node when it runs. Default values of parameters belong to their function; decorators and class fields
 * belong to the code around them.
 */
export function unitAround(node: Node, program: t.Program): Unit {
  for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at;
  return program;
}

function isBind(node: Node): boolean {
  return isCall(node) && isMember(node.callee) && memberName(node.callee) === 'bind';
}
