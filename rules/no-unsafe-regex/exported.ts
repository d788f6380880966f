// Library code: whether a text may come from the caller of an exported function. It is followed through the variables and helpers of a
// file.
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type FunctionNode, type Node } from '../../analysis/module/ast.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';

// The longest chain of variables and calls to follow.
const MAX_STEPS = 14;

/** Modules whose results are the machine's, whatever they are called with. */
const OF_THE_MACHINE = /^(?:node:)?(?:fs|fs\/promises|os|child_process|process|dns|crypto|zlib)$/;

export class CallersData {
  readonly #facts: Facts;
  readonly #inProgress = new Set<Binding>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  mayBe(expression: Node, steps = 0): boolean {
    if (steps > MAX_STEPS) return false;
    const node = unwrap(expression);
    const some = (...parts: readonly Node[]): boolean => parts.some((part) => this.mayBe(part, steps + 1));
    switch (node.type) {
      case 'Identifier':
        return this.#mayBeVariable(node, steps);
      case 'ThisExpression':
        return true;
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return memberName(node) !== 'length' && some(node.object);
      case 'CallExpression':
      case 'OptionalCallExpression': {
        const callee = unwrap(node.callee);
        // What the machine has is nobody's argument: `fs.readFileSync(path)`, `os.type()`.
        if (OF_THE_MACHINE.test(this.#facts.origins.moduleMember(callee)?.module ?? '')) return false;
        return some(...node.arguments.filter((one) => !isFunction(one)), ...(isMember(callee) ? [callee.object] : []));
      }
      case 'NewExpression':
        return some(...node.arguments);
      case 'AwaitExpression':
      case 'SpreadElement':
        return some(node.argument);
      case 'LogicalExpression':
        return some(node.left, node.right);
      case 'BinaryExpression':
        return node.operator === '+' && some(node.left, node.right);
      case 'ConditionalExpression':
        return some(node.consequent, node.alternate);
      case 'AssignmentExpression':
        return some(node.right);
      case 'TemplateLiteral':
        return some(...node.expressions);
      case 'ArrayExpression':
        return some(...node.elements.filter((one) => one !== null));
      case 'SequenceExpression':
        return some(...node.expressions.slice(-1));
      default:
        return false;
    }
  }

  #mayBeVariable(node: Node & { type: 'Identifier' }, steps: number): boolean {
    const binding = this.#facts.bindings.resolve(node);
    if (!binding) return node.name === 'arguments';
    if (this.#inProgress.has(binding)) return false;
    this.#inProgress.add(binding);
    const answer = this.#mayBeBinding(binding, steps);
    this.#inProgress.delete(binding);
    return answer;
  }

  #mayBeBinding(binding: Binding, steps: number): boolean {
    const { declaration } = binding;
    if (binding.kind === 'param' && isFunction(declaration))
      return (
        this.#mayBeParameter(binding, declaration, steps) ||
        this.#facts.bindings.assignedValues(binding).some((value) => value !== undefined && this.mayBe(value, steps + 1))
      );
    if (declaration.type !== 'VariableDeclarator') return false;
    if (declaration.init) {
      if (this.mayBe(declaration.init, steps + 1)) return true;
    } else {
      const loop = parentOf(parentOf(declaration) ?? declaration);
      if ((loop?.type === 'ForOfStatement' || loop?.type === 'ForInStatement') && this.mayBe(loop.right, steps + 1)) return true;
    }
    return (
      binding.kind !== 'const' &&
      this.#facts.bindings.assignedValues(binding).some((value) => value !== undefined && this.mayBe(value, steps + 1))
    );
  }

  #mayBeParameter(binding: Binding, fn: FunctionNode, steps: number): boolean {
    const call = parentOf(fn);
    // `text.split(' ').map((word) => …)`: what the receiver holds; of other functions nobody knows what they call with.
    if (isCall(call) && call.callee !== fn && isMember(call.callee)) return this.mayBe(call.callee.object, steps + 1);
    const index = fn.params.findIndex(
      (param) => param === binding.identifier || (param.type === 'AssignmentPattern' && param.left === binding.identifier),
    );
    const passed = index < 0 ? [] : this.#facts.callArguments.of(fn, index);
    // Nothing in the file calls it: others do.
    return passed.length === 0 || this.#isUsedAsValue(fn) || passed.some(({ argument }) => this.mayBe(argument, steps + 1));
  }

  /** `exports.parse = parse`, `export { parse }`, `module.exports = { parse }` */
  #isUsedAsValue(fn: FunctionNode): boolean {
    const parent = parentOf(fn);
    if (parent?.type === 'ExportDefaultDeclaration' || parent?.type === 'ExportNamedDeclaration') return true;
    const id =
      fn.type === 'FunctionDeclaration'
        ? fn.id
        : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
          ? parent.id
          : undefined;
    if (!id)
      return (
        parent?.type === 'AssignmentExpression' ||
        parent?.type === 'ObjectProperty' ||
        fn.type === 'ClassMethod' ||
        fn.type === 'ObjectMethod'
      );
    const binding = this.#facts.bindings.resolve(id);
    return (
      binding !== undefined &&
      this.#facts.bindings.references(binding).some((reference) => {
        const up = parentOf(reference);
        return up !== undefined && !(isCall(up) && up.callee === reference) && reference !== id;
      })
    );
  }
}
