// Names of folders that are the same for all requests, or for those of a day. What the file does not show may be another for each.
import type { Binding } from '../../../analysis/facts/bindings.ts';
import { constantOf, numberOf, textOf } from '../../../analysis/facts/constants.ts';
import type { Facts } from '../../../analysis/facts/index.ts';
import {
  enclosingFunction,
  isCall,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../../analysis/module/ast.ts';
import { callbackAtOnce } from '../conditions.ts';
import { calledName, valueOf } from '../path-uses.ts';

/** Functions of core modules that give the same for the same arguments while a process runs. */
const PURE: ReadonlyMap<string, RegExp> = new Map([
  ['path', /^(?:join|resolve|normalize|dirname|basename)$/],
  ['os', /^(?:tmpdir|homedir)$/],
  ['url', /^fileURLToPath$/],
]);
/** Methods of strings and numbers, and `join` of arrays. */
const PURE_METHOD = /^(?:toString|padStart|padEnd|slice|substring|substr|toLowerCase|toUpperCase|trim|concat|replace|replaceAll|join)$/;
const DAY_METHOD = /^(?:get(?:UTC)?(?:FullYear|Month|Date|Day)|toDateString)$/;
const CALENDARS = /^(?:moment|moment-timezone|dayjs)$/;
/** A pattern of these: years, months and days. */
const DAY_PATTERN = /^[YMD\-_/. ]+$/;
/** Of `2026-11-28T06:00:00.000Z`. */
const LENGTH_OF_DAY = 10;
const REMOVES = /^(?:rm|rmdir|rimraf|remove|del|delete|move|rename|trash)(?:Sync|Async)?$/;

// Of an expression, with the values of its variables.
const MOST_NODES = 400;
const MOST_STEPS = 24;
// Of a function.
const MOST_CALLS = 50;

export class FolderNames {
  readonly #facts: Facts;
  #nodes = 0;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Whether a path is the same for all requests, and the file does not remove what is there. */
  isFixed(path: Node, steps = 0): boolean {
    if (++this.#nodes > MOST_NODES || steps > MOST_STEPS) return false;
    const node = unwrap(path);
    if (removedIn(this.#facts).has(this.#facts.source.slice(node))) return false;
    const areFixed = (parts: readonly (Node | null)[]): boolean => parts.every((part) => part !== null && this.isFixed(part, steps + 1));
    switch (node.type) {
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'RegExpLiteral':
        return true;
      case 'TemplateLiteral':
        return areFixed(node.expressions);
      case 'ArrayExpression':
        return areFixed(node.elements);
      case 'BinaryExpression':
      case 'LogicalExpression':
        return areFixed([node.left, node.right]);
      case 'ConditionalExpression':
        return areFixed([node.consequent, node.alternate]);
      case 'Identifier':
        return this.#isFixedVariable(node, steps);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#isFixedMember(node);
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        return this.#isDay(node) || (this.#isPure(node, steps) && areFixed(node.arguments));
      default:
        return false;
    }
  }

  /** `process.env.UPLOADS`, `import.meta.dirname`, `path.sep`, `new Date().toISOString().split('T')[0]` */
  #isFixedMember(member: t.MemberExpression | t.OptionalMemberExpression): boolean {
    const { origins, bindings } = this.#facts;
    const name = memberName(member);
    const object = unwrap(member.object);
    if (name === undefined) return false;
    if (object.type === 'MetaProperty') return /^(?:dirname|filename|url)$/.test(name);
    if (origins.isGlobal(object, 'process.env')) return true;
    if (name === 'sep') return origins.moduleMember(member)?.module === 'path';
    if (name !== '0' || !isCall(object) || !isMember(object.callee) || memberName(object.callee) !== 'split') return false;
    const [separator] = object.arguments;
    return separator !== undefined && textOf(separator, bindings) === 'T' && this.#isTextOfNow(object.callee.object);
  }

  /** Whether a call gives the same for the same arguments; for a method, of an object that is the same. */
  #isPure(call: CallNode, steps: number): boolean {
    const { origins, bindings } = this.#facts;
    const callee = unwrap(call.callee);
    if (callee.type === 'Identifier' && /^(?:String|URL)$/.test(callee.name) && bindings.isGlobal(callee)) return true;
    if (call.type === 'NewExpression') return false;
    const origin = origins.moduleMember(callee);
    if (origin) return PURE.get(origin.module)?.test(origin.path.at(-1) ?? '') === true;
    if (origins.isGlobal(callee, 'process.cwd')) return true;
    return isMember(callee) && PURE_METHOD.test(memberName(callee) ?? '') && this.isFixed(callee.object, steps + 1);
  }

  /**
   * Whether only the day of this moment is used, or a part of it: `now.getFullYear()`, `now.toISOString().slice(0, 10)`,
   * `dayjs().format('YYYY-MM')`.
   */
  #isDay(call: CallNode): boolean {
    const { origins, bindings } = this.#facts;
    const callee = unwrap(call.callee);
    if (!isMember(callee)) return false;
    const name = memberName(callee) ?? '';
    const [first, second] = call.arguments;
    if (DAY_METHOD.test(name)) return this.#isNow(callee.object);
    if (/^(?:slice|substring|substr)$/.test(name)) {
      const end = numberOf(second, bindings);
      return numberOf(first, bindings) === 0 && end !== undefined && end >= 0 && end <= LENGTH_OF_DAY && this.#isTextOfNow(callee.object);
    }
    if (name !== 'format' || !first) return false;
    const now = this.#valueOf(callee.object);
    const pattern = textOf(first, bindings);
    if (!isCall(now) || now.arguments.length > 0 || pattern === undefined || !DAY_PATTERN.test(pattern)) return false;
    const origin = origins.moduleMember(now.callee);
    return origin !== undefined && CALENDARS.test(origin.module) && /^(?:default|utc)?$/.test(origin.path.join('.'));
  }

  /** `new Date().toISOString()` */
  #isTextOfNow(text: Node): boolean {
    const call = this.#valueOf(text);
    const callee = isCall(call) ? unwrap(call.callee) : undefined;
    return callee !== undefined && isMember(callee) && memberName(callee) === 'toISOString' && this.#isNow(callee.object);
  }

  #isNow(time: Node): boolean {
    const made = this.#valueOf(time);
    return made.type === 'NewExpression' && made.arguments.length === 0 && calledName(made) === 'Date';
  }

  #valueOf(value: Node): Node {
    const node = unwrap(value);
    return unwrap(constantOf(node, this.#facts.bindings) ?? node);
  }

  #isFixedVariable(variable: t.Identifier, steps: number): boolean {
    const { bindings } = this.#facts;
    const binding = bindings.resolve(variable);
    if (!binding) return /^__(?:dir|file)name$/.test(variable.name);
    const value = constantOf(variable, bindings);
    if (value) return unwrap(value).type !== 'ArrayExpression' && this.isFixed(value, steps + 1);
    if (binding.kind === 'param') return bindings.isConstant(binding) && this.#isFixedParameter(binding, steps);
    // `for (const name of ['a', 'b'])`
    const list = parentOf(binding.declaration);
    const loop = list && parentOf(list);
    if (binding.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.identifier) return false;
    return (
      loop?.type === 'ForOfStatement' &&
      loop.left === list &&
      list.type === 'VariableDeclaration' &&
      list.kind === 'const' &&
      this.#isFixedList(loop.right, steps)
    );
  }

  /** The elements of an array that is written where it is used may not be others. */
  #isFixedList(value: Node, steps: number): boolean {
    const list = unwrap(value);
    return list.type === 'ArrayExpression' && this.isFixed(list, steps + 1);
  }

  #isFixedParameter({ identifier }: Binding, steps: number): boolean {
    const fn = enclosingFunction(identifier);
    const index = fn ? fn.params.indexOf(identifier) : -1;
    if (!fn || index < 0) return false;
    const around = parentOf(fn);
    // `['a', 'b'].forEach((name) => …)`
    if (isCall(around) && index === 0 && callbackAtOnce(around) === fn) {
      const callee = unwrap(around.callee);
      return isMember(callee) && /^(?:forEach|map)$/.test(memberName(callee) ?? '') && this.#isFixedList(callee.object, steps);
    }
    const passed = this.#passedTo(fn, index);
    return passed !== undefined && passed.every((argument) => this.isFixed(argument, steps + 1));
  }

  /** What a function is passed, if all of its callers are known. */
  #passedTo(fn: FunctionNode, index: number): readonly Node[] | undefined {
    const { bindings, exports } = this.#facts;
    const around = parentOf(fn);
    const variable = around?.type === 'VariableDeclarator' && around.id.type === 'Identifier' ? around.id : undefined;
    const own = fn.type === 'FunctionDeclaration' ? fn.id : variable;
    const binding = own ? bindings.resolve(own) : undefined;
    if (!binding || !bindings.isConstant(binding) || exports.functions.has(fn)) return undefined;
    const references = bindings.references(binding);
    if (references.length === 0 || references.length > MOST_CALLS) return undefined;
    const passed: Node[] = [];
    for (const reference of references) {
      const call = parentOf(reference);
      if (!isCall(call) || call.callee !== reference || call.arguments.some((one) => one.type === 'SpreadElement')) return undefined;
      const argument = call.arguments[index];
      if (!argument) return undefined;
      passed.push(argument);
    }
    return passed;
  }
}

/** The texts of what the file removes or moves, and of what variables hold that it removes: such a folder is made again. */
function removedIn(facts: Facts): ReadonlySet<string> {
  return facts.remember('texts of what a file removes', () => {
    const found = new Set<string>();
    for (const type of ['CallExpression', 'OptionalCallExpression'] as const)
      for (const call of facts.module.nodes(type)) {
        if (!removes(call)) continue;
        const first = call.arguments[0] && unwrap(call.arguments[0]);
        for (const removed of first?.type === 'ArrayExpression' ? first.elements : [first])
          if (removed) for (const one of [removed, valueOf(removed, facts)]) found.add(facts.source.slice(unwrap(one)));
      }
    return found;
  });
}

/** `rimraf.sync(folder)`, `fs.rm(folder, …)` */
function removes(call: CallNode): boolean {
  const name = calledName(call) ?? '';
  const callee = unwrap(call.callee);
  return REMOVES.test(name) || (name === 'sync' && isMember(callee) && REMOVES.test(calledObject(callee.object)));
}

function calledObject(object: Node): string {
  const node = unwrap(object);
  return node.type === 'Identifier' ? node.name : '';
}
