// The arguments that calls in a function's own file pass to it.
import {
  functionName,
  isClass,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../module/ast.ts';
import type { ModuleIndex } from '../module/module-index.ts';
import type { Calls } from './calls.ts';

export interface CallArgument {
  argument: Node;
  call: CallNode;
}

export class CallArguments {
  readonly #module: ModuleIndex;
  readonly #calls: Calls;
  #callsByName: Map<string, CallNode[]> | undefined;
  /** By name. A file may have as many functions of one name as it has calls of them. */
  readonly #callsByTarget = new Map<string, ReadonlyMap<FunctionNode, readonly CallNode[]>>();

  constructor(module: ModuleIndex, calls: Calls) {
    this.#module = module;
    this.#calls = calls;
  }

  /**
   * The arguments for a parameter in this file; callers in other files may pass anything. Calls are found by the function's name, so that
   * the call graph of the file need not be built. A call through another name is left out.
   */
  of(fn: FunctionNode, index: number): readonly CallArgument[] {
    const found: CallArgument[] = [];
    for (const call of this.#callsOf(fn)) {
      const before = call.arguments.slice(0, index + 1);
      const argument = before[index];
      if (argument && argument.type !== 'ArgumentPlaceholder' && !before.some((item) => item.type === 'SpreadElement'))
        found.push({ argument, call });
    }
    return found;
  }

  #callsOf(fn: FunctionNode): readonly CallNode[] {
    const name = nameToCall(fn);
    if (name === undefined) return [];
    const known = this.#callsByTarget.get(name);
    if (known) return known.get(fn) ?? [];
    const byTarget = new Map<FunctionNode, CallNode[]>();
    for (const call of this.#callsNamed(name)) {
      if (call.type !== 'NewExpression' && this.#calls.functionsOf(call.callee).length !== 1) continue;
      const targets = this.#calls.edgesOfCall(call).flatMap(({ target, via }) => (via === 'callback' ? [] : [target]));
      for (const target of new Set(targets)) {
        const list = byTarget.get(target);
        if (list) list.push(call);
        else byTarget.set(target, [call]);
      }
    }
    this.#callsByTarget.set(name, byTarget);
    return byTarget.get(fn) ?? [];
  }

  #callsNamed(name: string): readonly CallNode[] {
    if (!this.#callsByName) {
      this.#callsByName = new Map();
      for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const) {
        for (const call of this.#module.nodes(type)) {
          const callee = unwrap(call.callee);
          const called = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
          if (called === undefined) continue;
          const list = this.#callsByName.get(called);
          if (list) list.push(call);
          else this.#callsByName.set(called, [call]);
        }
      }
    }
    return this.#callsByName.get(name) ?? [];
  }
}

/** The name that a function is called by: for a constructor, the name of its class. */
function nameToCall(fn: FunctionNode): string | undefined {
  if (fn.type === 'ClassMethod' && fn.kind === 'constructor') {
    const owner = parentOf(parentOf(fn) ?? fn);
    return isClass(owner) ? owner.id?.name : undefined;
  }
  const name = functionName(fn);
  return name?.slice(name.lastIndexOf('.') + 1);
}
