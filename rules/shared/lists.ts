// Whether the source shows that a list can have any length: it comes from a query, from a request, or from a file.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { RequestData } from './request-data.ts';
import { elementsAround } from './elements.ts';

// The longest chain of variables and calls to follow, and how many places to visit for one question.
const MAX_STEPS = 12;
const MAX_VISITS = 200;

/** Lists that a program or an administrator writes: short, wherever they come from. */
const SHORT_BY_NAME =
  /(?:^|_|[a-z])(?:roles?|types?|fields?|columns?|cols|options?|opts|extensions?|methods?|permissions?|privileges?|scopes?|locales?|languages?|langs?|excluded?|includes?|whitelist|blacklist|allowlist|denylist|props|properties|attributes?|attrs|headers?|plugins?|middlewares?|modules|formats?|enums?|flags?|features?|integrations?|hooks?|handlers?|listeners?|relations?|associations?|decorators?|levels|modes|kinds|units|tabs|config(?:s|uration)?|settings|validators?|schemas?|models?|indexes|indices|migrations?|seeds?|tables?|collections|adapters?|drivers?|providers?|strategies|servers|tasks|hosts|envs?)$/i;
const KEEPING =
  /^(?:map|filter|flatMap|flat|sort|reverse|concat|toSorted|toReversed|slice|values|entries|keys|split|trim|toArray|lean|exec|toString|get|getAll|all|then|catch|json|reduce)$/;
const OF_LODASH =
  /^(?:uniq|uniqBy|map|filter|flatten|flatMap|compact|sortBy|orderBy|values|keys|union|concat|difference|castArray|reject|without)$/;
/** A few of the rows: `.limit(3)`. */
const FEW = /\b(?:limit|take|first)\W{1,4}\d(?!\d)|\bLIMIT \d(?!\d)/;

export class Lists {
  readonly #facts: Facts;
  readonly #data: RequestData;
  readonly #inProgress = new Set<Binding>();
  #visits = 0;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#data = new RequestData(facts, 'any');
  }

  /** Whether nothing in the file limits it. */
  isOpen(expression: Node): boolean {
    this.#visits = 0;
    return this.#is(expression, 0);
  }

  #is(expression: Node, steps: number): boolean {
    if (steps > MAX_STEPS || ++this.#visits > MAX_VISITS) return false;
    const node = unwrap(expression);
    switch (node.type) {
      case 'Identifier':
        return !SHORT_BY_NAME.test(node.name) && this.#isVariable(node, steps);
      case 'MemberExpression':
      case 'OptionalMemberExpression': {
        const name = memberName(node);
        if (name !== undefined && SHORT_BY_NAME.test(name)) return false;
        return this.#data.isSent(node) || this.#isObject(node.object, steps + 1);
      }
      case 'AwaitExpression':
        return !FEW.test(this.#facts.source.slice(node)) && this.#isAwaited(node.argument, steps + 1);
      case 'LogicalExpression':
        return this.#is(node.left, steps + 1) || this.#is(node.right, steps + 1);
      case 'ConditionalExpression':
        return this.#is(node.consequent, steps + 1) || this.#is(node.alternate, steps + 1);
      case 'AssignmentExpression':
        return this.#is(node.right, steps + 1);
      case 'ArrayExpression':
        return node.elements.some((one) => one?.type === 'SpreadElement' && this.#is(one.argument, steps + 1));
      case 'NewExpression': {
        const [first] = node.arguments;
        return first !== undefined && this.#facts.origins.isGlobal(node.callee, 'Set') && this.#is(first, steps + 1);
      }
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#isResult(node, steps);
      default:
        return false;
    }
  }

  /** `order.items`, where the order comes from a query, a request, or a caller. */
  #isObject(expression: Node, steps: number): boolean {
    const node = unwrap(expression);
    return node.type !== 'ThisExpression' && this.#is(node, steps);
  }

  #isAwaited(expression: Node, steps: number): boolean {
    const node = unwrap(expression);
    if (!isCall(node)) return this.#is(node, steps);
    const [first] = node.arguments;
    const isAll =
      this.#facts.origins.isGlobal(node.callee, 'Promise.all') || this.#facts.origins.isGlobal(node.callee, 'Promise.allSettled');
    if (isAll) return first !== undefined && this.#is(first, steps + 1);
    const callee = unwrap(node.callee);
    const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? (memberName(callee) ?? '') : '';
    return !SHORT_BY_NAME.test(name);
  }

  #isResult(node: t.CallExpression | t.OptionalCallExpression, steps: number): boolean {
    const callee = unwrap(node.callee);
    const [first, second] = node.arguments;
    const { origins } = this.#facts;
    const origin = origins.of(callee);
    const name = origin ? [origin.name, ...origin.path].join('.') : '';
    // Keys are fields, as a rule.
    if (origin?.root === 'global' && /^Object\.(?:keys|entries)$/.test(name)) return false;
    if (this.#data.isSent(node)) return true;
    if (origin?.root === 'module' && /^fs(?:\.promises)?\.readdirSync$/.test(name)) return true;
    if (origin?.root === 'global' && /^(?:Array\.from|Object\.values|JSON\.parse)$/.test(name))
      return first !== undefined && this.#is(first, steps + 1);
    if (!isMember(callee)) return false;
    const method = memberName(callee) ?? '';
    if (origin?.root === 'module' && /^(?:lodash|underscore)\./.test(name))
      return OF_LODASH.test(method) && first !== undefined && this.#is(first, steps + 1);
    // A document has as many elements as whoever wrote it likes.
    if (method === 'querySelectorAll') return true;
    // A part: `list.slice(0, 10)`.
    if (method === 'slice' && second) return false;
    return KEEPING.test(method) && this.#is(callee.object, steps + 1);
  }

  #isVariable(node: t.Identifier, steps: number): boolean {
    const binding = this.#facts.bindings.resolve(node);
    if (!binding || this.#inProgress.has(binding)) return false;
    this.#inProgress.add(binding);
    const is = this.#isBinding(binding, steps);
    this.#inProgress.delete(binding);
    return is;
  }

  #isBinding(binding: Binding, steps: number): boolean {
    const { declaration, identifier, scope } = binding;
    if (binding.kind === 'param') return isFunction(declaration) && this.#isParameter(binding, declaration, steps);
    // What the module keeps is a table, as a rule.
    if (declaration.type !== 'VariableDeclarator' || scope.type === 'Program') return false;
    const loop = parentOf(parentOf(declaration) ?? declaration);
    if (!declaration.init) {
      if (loop?.type === 'ForOfStatement' && loop.left === parentOf(declaration)) return this.#is(loop.right, steps + 1);
    } else if (
      declaration.id === identifier
        ? this.#is(declaration.init, steps + 1)
        : this.#isTaken(declaration.id, identifier, declaration.init, steps)
    )
      return true;
    if (this.#isPushed(binding, steps)) return true;
    return binding.kind !== 'const' && this.#facts.bindings.writes(binding).some(({ value }) => value && this.#is(value, steps + 1));
  }

  /** `const { rows } = await pool.query(…)`, `const [rows] = await …`, `const { ids } = request.body` */
  #isTaken(pattern: Node, identifier: t.Identifier, value: Node, steps: number): boolean {
    if (this.#data.isSent(identifier)) return true;
    const init = unwrap(value);
    if (pattern.type === 'ArrayPattern' && init.type === 'AwaitExpression' && isCall(unwrap(init.argument))) {
      const call = unwrap(init.argument) as t.CallExpression;
      const list = call.arguments[0] && unwrap(call.arguments[0]);
      const element = list?.type === 'ArrayExpression' ? list.elements[pattern.elements.indexOf(identifier)] : undefined;
      if (element) return !FEW.test(this.#facts.source.slice(element)) && this.#isAwaited(element, steps + 1);
    }
    return this.#is(init, steps + 1);
  }

  /** A list that a loop fills is as long as what the loop walks. */
  #isPushed(binding: Binding, steps: number): boolean {
    return this.#facts.bindings.references(binding).some((reference) => {
      const member = parentOf(reference);
      const call = isMember(member) && member.object === reference ? parentOf(member) : undefined;
      if (!isMember(member) || !isCall(call) || call.callee !== member || !/^(?:push|unshift|add)$/.test(memberName(member) ?? ''))
        return false;
      if (call.arguments.some((one) => one.type === 'SpreadElement' && this.#is(one.argument, steps + 1))) return true;
      const around = elementsAround(call, this.#facts);
      return around !== undefined && this.#is(around.list, steps + 1);
    });
  }

  #isParameter(binding: Binding, fn: Node & t.Function, steps: number): boolean {
    if (this.#data.isSent(binding.identifier)) return true;
    const call = parentOf(fn);
    if (isCall(call) && call.callee !== fn && isMember(call.callee)) {
      // `.then((rows) => …)`, an element of a list, or what a callback gets: `find({}, (error, rows) => …)`
      const method = memberName(call.callee) ?? '';
      if (method === 'then') return !FEW.test(this.#facts.source.slice(call.callee));
      if (/^(?:map|forEach|flatMap|filter)$/.test(method)) return this.#is(call.callee.object, steps + 1);
      return /^err/.test(nameOfFirst(fn) ?? '') && fn.params[1] === binding.identifier && !FEW.test(this.#facts.source.slice(call));
    }
    const index = fn.params.findIndex(
      (param) => param === binding.identifier || (param.type === 'AssignmentPattern' && param.left === binding.identifier),
    );
    const passed = index < 0 ? [] : this.#facts.callArguments.of(fn, index);
    // The caller decides, in another file.
    return passed.length === 0 || passed.some(({ argument }) => this.#is(argument, steps + 1));
  }
}

function nameOfFirst(fn: Node & t.Function): string | undefined {
  const [first] = fn.params;
  return first?.type === 'Identifier' ? first.name : undefined;
}
