// Folders that are made where they are missing: most of them once, however many requests ask for them.
import type { Binding } from '../../../analysis/facts/bindings.ts';
import type { Facts } from '../../../analysis/facts/index.ts';
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
  type FunctionNode,
  type Node,
  type t,
} from '../../../analysis/module/ast.ts';
import { constantOf } from '../../../analysis/facts/constants.ts';
import { isReference } from '../../../analysis/facts/bindings.ts';
import { walkWithin } from '../../../analysis/module/module-index.ts';
import { runsAtOnce } from '../conditions.ts';
import { calledName } from '../path-uses.ts';
import { asksIn, makesFolder } from './failing-paths.ts';

const ASKS = /^(?:existsSync|exists|pathExists|pathExistsSync|fileExists|dirExists|isDirectorySync)$/;

/** Whether a call makes a folder only where it is missing, and requests share that folder. */
export function isSharedFolderMadeOnce(call: CallNode, facts: Facts): boolean {
  if (!makesFolder(call)) return false;
  const path = call.arguments.find((argument) => runsIfMissing(call, facts.source.slice(argument), facts));
  return path !== undefined && !new FolderNames(facts).mayChange(path);
}

/** Whether a call runs only where an entry of that path is missing: `if (!existsSync(folder)) …`, `existsSync(folder) || …`. */
function runsIfMissing(call: CallNode, path: string, facts: Facts): boolean {
  let from: Node = call;
  for (let at = parentOf(from); at && !isFunction(from); from = at, at = parentOf(at)) {
    switch (at.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        if (at.test !== from && (at.consequent === from ? isMissing(at.test, path, facts) : exists(at.test, path, facts))) return true;
        break;
      case 'LogicalExpression':
        if (at.right === from && (at.operator === '&&' ? isMissing(at.left, path, facts) : exists(at.left, path, facts))) return true;
        break;
      case 'CatchClause': {
        const around = parentOf(at);
        if (around?.type === 'TryStatement' && asksIn(around.block, facts).has(path)) return true;
        break;
      }
      case 'BlockStatement': {
        // `if (existsSync(folder)) return folder;`
        const before = at.body[at.body.indexOf(from as t.Statement) - 1];
        if (before?.type === 'IfStatement' && !before.alternate && leaves(before.consequent) && exists(before.test, path, facts))
          return true;
        break;
      }
    }
  }
  return false;
}

function leaves(statement: t.Statement): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement;
  return last?.type === 'ReturnStatement' || last?.type === 'ContinueStatement' || last?.type === 'ThrowStatement';
}

// The longest chain of tests to follow.
const MOST_TESTS = 8;

function isMissing(test: Node, path: string, facts: Facts, steps = 0): boolean {
  const node = unwrap(test);
  if (steps > MOST_TESTS) return false;
  if (node.type === 'UnaryExpression' && node.operator === '!') return exists(node.argument, path, facts, steps + 1);
  if (node.type === 'BinaryExpression' && /^===?$/.test(node.operator) && node.right.type === 'BooleanLiteral')
    return !node.right.value && exists(node.left, path, facts, steps + 1);
  return (
    node.type === 'LogicalExpression' &&
    node.operator === '&&' &&
    (isMissing(node.left, path, facts, steps + 1) || isMissing(node.right, path, facts, steps + 1))
  );
}

function exists(test: Node, path: string, facts: Facts, steps = 0): boolean {
  const node = unwrap(test);
  if (steps > MOST_TESTS) return false;
  if (node.type === 'UnaryExpression' && node.operator === '!') return isMissing(node.argument, path, facts, steps + 1);
  if (node.type === 'AwaitExpression') return exists(node.argument, path, facts, steps + 1);
  if (isCall(node)) {
    const [asked] = node.arguments;
    return asked !== undefined && ASKS.test(calledName(node) ?? '') && facts.source.slice(asked) === path;
  }
  const value = constantOf(node, facts.bindings);
  return value !== undefined && exists(value, path, facts, steps + 1);
}

/** Functions that return another value each time. */
const CHANGING_CALLS =
  /^(?:v[1-7]|now|hrtime|get(?:UTC)?(?:Time|Hours|Minutes|Seconds|Milliseconds)|valueOf|createHash|createId|digest|mkdtemp(?:Sync)?)$|uuid|ulid|cuid|nanoid|unique|random/i;
/** Names of what differs between requests. */
const CHANGING_NAMES =
  /(?:^|[a-z\d_])(?:[Ii]ds?|ID|[Uu]uid|UUID|[Gg]uid|[Ss]lug|[Tt]oken|[Hh]ash|[Nn]once|[Tt]imestamp|[Nn]ow|[Uu]ser|[Uu]ser[Nn]ame|[Ee]mail|[Ff]ile[Nn]ame|[Oo]riginal[Nn]ame|[Ss]ession|[Kk]ey)$/;
/** A constant of the configuration: `APP_ID`. */
const CONSTANT = /^[A-Z][A-Z\d_]*$/;
const SETTINGS = /^(?:opts|options|config|cfg|conf|settings|env|defaults|this|process)$/;

// Of an expression, with the values of its variables.
const MOST_NODES = 400;
const MOST_STEPS = 8;

/** Whether the name of a folder may be another one for each request. */
class FolderNames {
  readonly #facts: Facts;
  readonly #seen = new Set<Binding>();
  #nodes = 0;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  mayChange(path: Node, steps = 0): boolean {
    const { bindings } = this.#facts;
    let changes = steps > MOST_STEPS;
    walkWithin(path, (node) => {
      if (++this.#nodes > MOST_NODES) changes = true;
      if (changes) return 'stop';
      // `file.fieldname` of multer: a form has few fields.
      if (isFunction(node) || (isMember(node) && memberName(node) === 'fieldname')) return false;
      if (isCall(node)) changes = this.#isChangingCall(node);
      else if (isMember(node)) changes = isChangingName(memberName(node)) && !isSetting(node);
      else if (node.type === 'Identifier' && isReference(node) && !isDayOf(node)) {
        const binding = bindings.resolve(node);
        if (!binding) changes = isChangingName(node.name);
        else if (!this.#seen.has(binding)) {
          this.#seen.add(binding);
          changes = this.#isChangingBinding(binding, node, steps);
        }
      }
      return changes ? 'stop' : undefined;
    });
    return changes;
  }

  #isChangingCall(call: CallNode): boolean {
    const name = calledName(call) ?? '';
    if (CHANGING_CALLS.test(name)) return true;
    return call.type === 'NewExpression' && name === 'Date' && call.arguments.length === 0 && !isDayOf(call);
  }

  #isChangingBinding(binding: Binding, use: t.Identifier, steps: number): boolean {
    const { declaration, identifier, scope } = binding;
    if (scope.type === 'Program' && (binding.kind === 'import' || CONSTANT.test(binding.name))) return false;
    if (binding.kind === 'param') return this.#isChangingParameter(binding, use, steps);
    if (isChangingName(binding.name)) return true;
    if (declaration.type !== 'VariableDeclarator') return false;
    const values = [declaration.init, ...this.#facts.bindings.assignedValues(binding)];
    const list = declaration.init ? undefined : parentOf(parentOf(declaration) ?? declaration);
    if (list?.type === 'ForOfStatement') values.push(list.right);
    // `const { folder } = options`
    if (declaration.id !== identifier && declaration.init && isSettingObject(declaration.init)) return false;
    return values.some((value) => value != null && this.mayChange(value, steps + 1));
  }

  #isChangingParameter({ identifier, name }: Binding, use: t.Identifier, steps: number): boolean {
    const fn = enclosingFunction(identifier);
    const index = fn
      ? fn.params.findIndex((one) => one === identifier || (one.type === 'AssignmentPattern' && one.left === identifier))
      : -1;
    if (!fn) return true;
    const around = parentOf(fn);
    // `folders.forEach((folder) => …)`
    if (isCall(around) && index === 0 && runsAtOnce(fn)) {
      const list = around.arguments[0] === fn && isMember(around.callee) ? around.callee.object : around.arguments[0];
      return list === undefined || this.mayChange(list, steps + 1);
    }
    if (isMember(parentOf(use)) && SETTINGS.test(name)) return false;
    // Other files may pass anything.
    const given = index < 0 || this.#facts.exports.functions.has(fn) ? undefined : this.#argumentsFor(fn, index);
    return !given || given.some((argument) => this.mayChange(argument, steps + 1));
  }

  /** What the file passes; undefined where nothing is known. */
  #argumentsFor(fn: FunctionNode, index: number): Node[] | undefined {
    const { calls } = this.#facts;
    const callers = calls.callersOf(fn).filter(({ edge }) => edge.via === 'call' && isCall(edge.site));
    const passed = callers.map(({ edge }) => (edge.site as CallNode).arguments[index]);
    return callers.length > 0 && passed.every((one) => one !== undefined && one.type !== 'SpreadElement') ? (passed as Node[]) : undefined;
  }
}

const isChangingName = (name: string | undefined): boolean => name !== undefined && !CONSTANT.test(name) && CHANGING_NAMES.test(name);

/** `process.env.USER`, `config.userKey` */
function isSetting(member: Node): boolean {
  let at = unwrap(member);
  while (isMember(at)) at = unwrap(at.object);
  return isSettingObject(at);
}

const isSettingObject = (node: Node): boolean => {
  const one = unwrap(node);
  return one.type === 'Identifier' && SETTINGS.test(one.name);
};

/** Whether only the day of a time is used, or a part of it: `now.getFullYear()`, `now.toISOString().slice(0, 10)`, `dayjs().format('YYYY-MM')`. */
function isDayOf(time: Node): boolean {
  const member = parentOf(time);
  if (!isMember(member) || member.object !== time) return false;
  const name = memberName(member) ?? '';
  if (/^get(?:UTC)?(?:FullYear|Month|Date|Day)$|^toLocaleDateString$|^toDateString$/.test(name)) return true;
  const call = parentOf(member);
  const next = call && parentOf(call);
  if (name === 'toISOString') return isMember(next) && /^(?:slice|split|substring|substr)$/.test(memberName(next) ?? '');
  if (name !== 'format' || !isCall(call) || !call.arguments[0]) return false;
  const pattern = staticName(unwrap(call.arguments[0]), true);
  return pattern !== undefined && !/[HhsSxX]/.test(pattern);
}
