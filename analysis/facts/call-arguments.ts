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
    for (const call of this.#callsNamed(nameToCall(fn))) {
      if (call.type !== 'NewExpression' && this.#calls.functionsOf(call.callee).length !== 1) continue;
      if (!this.#calls.edgesOfCall(call).some((edge) => edge.target === fn && edge.via !== 'callback')) continue;
      const before = call.arguments.slice(0, index + 1);
      const argument = before[index];
      if (argument && argument.type !== 'ArgumentPlaceholder' && !before.some((item) => item.type === 'SpreadElement'))
        found.push({ argument, call });
    }
    return found;
  }

  #callsNamed(name: string | undefined): readonly CallNode[] {
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
    return name === undefined ? [] : (this.#callsByName.get(name) ?? []);
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
