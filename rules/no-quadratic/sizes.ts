// How long a list can get, as far as the file shows.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { passedElementsOf } from '../../analysis/facts/value-types.ts';
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type CallNode, type Node, type t } from '../../analysis/module/ast.ts';
import { RequestData } from '../shared/request-data.ts';
import { isFiltered, listsAskedFor } from './filters.ts';
import { callsOn, roundsAround } from './rounds.ts';

/**
 * - `input`: the body of a request, a whole table, or a file decides, and nothing in the file limits it.
 * - `some`: a query that asks for some of the rows. They may be many, and those of one customer are few, as a rule.
 * - `open`: the caller of the function decides.
 * - `unknown`: nothing says that it can be long.
 * - `short`: its name or its literal says that it cannot.
 */
export type Size = 'input' | 'some' | 'open' | 'unknown' | 'short';

// The longest chain of variables and calls to follow, and how many places to visit for one question.
const MAX_STEPS = 10;
const MAX_VISITS = 200;

/** Lists that a schema, a configuration or a person writes: short, whoever passes them. */
const SHORT_BY_NAME =
  /(?:^|_|[a-z])(?:allowed|roles?|types?|fields?|keys|columns?|cols|options?|opts|extensions?|methods?|permissions?|privileges?|scopes?|locales?|languages?|langs?|ignored?|excluded?|includes?|excludes?|whitelist|blacklist|allowlist|denylist|propert(?:y|ies)|props|attributes?|attrs|params?|parameters|args?|argv|arguments|headers?|plugins?|middlewares?|modules|formats?|states?|status(?:es)?|enums?|flags?|features?|hooks?|handlers?|listeners?|relations?|includes|associations?|decorators?|primary|tags|levels|modes|kinds|units|sections?|tabs|steps|config(?:s|uration)?|settings|rules|validators?|filters?|sorts?|orders?|criteria|conditions|mappings?|aliases|prefixes|suffixes|protocols|origins|domains|hosts|ports|cpus|envs?|paths?|segments?|parts|chain|stack|parents|ancestors|schemas?|models?|indexes|indices|constraints|dependencies|deps|channels|strategies|providers|transports|drivers|adapters|themes|widgets|operators?|selectors?|commands?|subcommands?)$/i;

/** What one service has a few of, unless a database or a request tells that there are rows of that name. */
const FEW_BY_NAME = /(?:^|_|[a-z])(?:networks|volumes|mounts)$/i;

/** Calls that ask a database, and their results, if awaited: of drivers, query builders, and object mappers. */
const QUERIES =
  /^(?:find|findAll|findMany|findBy|findAndCount|findAndCountAll|findAndCountBy|query|\$queryRaw|toArray|lean|exec|execute|getMany|getRawMany|getRawAndEntities|all|any|manyOrNone|many|aggregate|select|selectAll|scan|hgetall|hGetAll|smembers|sMembers|zrange|zRange|lrange|lRange|keys)$/;
/** What the rest of a chain asks for is not many rows. */
const LIMITED = /\b(?:limit|take|first|top|perPage|pageSize|page|offset|skip|count|findOne|getOne)\b/i;
/** Members in which drivers return rows. */
const ROWS = /^(?:rows|docs|documents|items|records|results|data|Items|Contents|hits|entries|nodes)$/;
/** Nobody calls a list of three that. */
const NAMES_OF_ROWS = /^(?:rows|docs|documents|results|records)$/;
const KEEPING = /^(?:map|filter|flatMap|flat|sort|reverse|concat|toSorted|toReversed|slice|values|entries|keys)$/;
const OF_LODASH =
  /^(?:uniq|uniqBy|map|filter|flatten|flatMap|compact|sortBy|orderBy|values|keys|union|concat|difference|castArray|reject)$/;

/** Where nothing tells the size. */
const fewByName = (name: string, size: Size): Size => (FEW_BY_NAME.test(name) && (size === 'open' || size === 'unknown') ? 'short' : size);

export class Sizes {
  readonly #facts: Facts;
  readonly #inProgress = new Set<Binding>();
  #visits = 0;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  of(expression: Node): Size {
    this.#visits = 0;
    return this.#of(expression, 0);
  }

  #of(expression: Node, steps: number): Size {
    if (steps > MAX_STEPS || ++this.#visits > MAX_VISITS) return 'unknown';
    const node = unwrap(expression);
    switch (node.type) {
      case 'Identifier':
        if (SHORT_BY_NAME.test(node.name) && sentIn(node, this.#facts) !== 'input') return 'short';
        return fewByName(node.name, this.#ofVariable(node, steps));
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#ofMember(node, steps);
      case 'AwaitExpression':
        return this.#ofQuery(node.argument, steps) ?? this.#of(node.argument, steps + 1);
      case 'LogicalExpression':
        return longest(this.#of(node.left, steps + 1), this.#of(node.right, steps + 1));
      case 'ConditionalExpression':
        return longest(this.#of(node.consequent, steps + 1), this.#of(node.alternate, steps + 1));
      case 'ArrayExpression':
        return longest(...node.elements.map((one) => (one?.type === 'SpreadElement' ? this.#of(one.argument, steps + 1) : 'short')));
      case 'NewExpression': {
        const [first] = node.arguments;
        return first && this.#facts.origins.isGlobal(node.callee, 'Set') ? this.#of(first, steps + 1) : 'unknown';
      }
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#ofCall(node, steps);
      default:
        return 'unknown';
    }
  }

  /** The rows of a query; undefined if it is none. Those of the IDs in a list are as many as these. */
  #ofQuery(expression: Node, steps: number): Size | undefined {
    const call = unwrap(expression);
    if (!isCall(call) || !isQuery(call, this.#facts)) return undefined;
    if (!isFiltered(call, this.#facts)) return 'input';
    return listsAskedFor(call).some((list) => this.#of(list, steps + 1) === 'input') ? 'input' : 'some';
  }

  #ofMember(node: t.MemberExpression | t.OptionalMemberExpression, steps: number): Size {
    const name = memberName(node);
    if (name === undefined) return 'unknown';
    if (SHORT_BY_NAME.test(name)) return 'short';
    const sent = sentIn(node, this.#facts);
    if (sent) return sent;
    if (!ROWS.test(name)) return fewByName(name, 'unknown');
    const whole = this.#of(node.object, steps + 1);
    return whole === 'unknown' && NAMES_OF_ROWS.test(name) ? 'open' : whole;
  }

  #ofCall(node: t.CallExpression | t.OptionalCallExpression, steps: number): Size {
    const callee = unwrap(node.callee);
    const [first, second] = node.arguments;
    if (!isMember(callee)) return 'unknown';
    const method = memberName(callee) ?? '';
    const { origins } = this.#facts;
    const origin = origins.of(callee);
    const name = origin ? [origin.name, ...origin.path].join('.') : '';
    if (origin?.root === 'module' && /^fs(?:\.promises)?\.readdir(?:Sync)?$/.test(name))
      return first && isOwnFolder(first, this.#facts) ? 'short' : 'input';
    if (origin?.root === 'module' && /^(?:lodash|underscore)\./.test(name))
      return OF_LODASH.test(method) && first ? this.#of(first, steps + 1) : 'unknown';
    if (origin?.root === 'global' && /^Array\.from$/.test(name)) return first ? this.#of(first, steps + 1) : 'unknown';
    // An object with a thousand keys is rare.
    if (origin?.root === 'global' && /^Object\.(?:keys|values|entries)$/.test(name)) return 'short';
    if (origin?.root === 'global' && name === 'JSON.parse') {
      if (!first) return 'unknown';
      return this.#isText(first, steps) || isLongInRequest(first, this.#facts) ? 'input' : 'unknown';
    }
    if (method === 'split') return this.#isText(callee.object, steps) ? 'input' : 'unknown';
    // A part: `list.slice(0, 10)`.
    if (method === 'slice' && second) return 'short';
    return KEEPING.test(method) ? this.#of(callee.object, steps + 1) : 'unknown';
  }

  /** A text that is as long as a file or the body of a request. */
  #isText(expression: Node, steps: number): boolean {
    let node = unwrap(expression);
    if (node.type === 'AwaitExpression') node = unwrap(node.argument);
    if (steps > MAX_STEPS || ++this.#visits > MAX_VISITS) return false;
    if (node.type === 'Identifier') {
      const declaration = this.#facts.bindings.resolve(node)?.declaration;
      return declaration?.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' && declaration.init
        ? this.#isText(declaration.init, steps + 1)
        : false;
    }
    if (isCall(node) && isMember(node.callee)) {
      const origin = this.#facts.origins.moduleMember(node.callee);
      if (origin?.module === 'fs' && /^readFile(?:Sync)?$/.test(origin.path.at(-1) ?? '')) return true;
      return /^(?:toString|trim|replace|replaceAll)$/.test(memberName(node.callee) ?? '') && this.#isText(node.callee.object, steps + 1);
    }
    return false;
  }

  #ofVariable(node: t.Identifier, steps: number): Size {
    const binding = this.#facts.bindings.resolve(node);
    if (!binding || this.#inProgress.has(binding)) return 'unknown';
    this.#inProgress.add(binding);
    const size = this.#ofBinding(binding, steps);
    this.#inProgress.delete(binding);
    return size === 'unknown' && binding.scope.type !== 'Program' && NAMES_OF_ROWS.test(node.name) ? 'open' : size;
  }

  #ofBinding(binding: Binding, steps: number): Size {
    const { declaration, identifier, scope } = binding;
    if (binding.kind === 'param' && isFunction(declaration)) return this.#ofParameter(binding, declaration, steps);
    // What the module keeps is a table, as a rule.
    if (declaration.type !== 'VariableDeclarator' || scope.type === 'Program') return 'unknown';
    const sizes: Size[] = [this.#pushed(binding, steps)];
    const { init } = declaration;
    if (init)
      sizes.push(declaration.id === identifier ? this.#of(init, steps + 1) : this.#throughPattern(declaration.id, identifier, init, steps));
    if (binding.kind !== 'const')
      for (const { value } of this.#facts.bindings.writes(binding)) if (value) sizes.push(this.#of(value, steps + 1));
    return longest(...sizes);
  }

  /** `const { rows } = await pool.query(…)`, `const [rows] = await …`, `const { ids } = request.body` */
  #throughPattern(pattern: Node, identifier: t.Identifier, value: Node, steps: number): Size {
    const init = unwrap(value);
    if (pattern.type === 'ArrayPattern') {
      const index = pattern.elements.indexOf(identifier);
      const all = init.type === 'AwaitExpression' ? unwrap(init.argument) : init;
      const list = isCall(all) && this.#facts.origins.isGlobal(all.callee, 'Promise.all') ? all.arguments[0] : undefined;
      const element = list?.type === 'ArrayExpression' ? list.elements[index] : undefined;
      if (element) return this.#ofQuery(element, steps) ?? this.#of(element, steps + 1);
      return index === 0 ? this.#of(init, steps + 1) : 'unknown';
    }
    if (pattern.type !== 'ObjectPattern') return 'unknown';
    const name = pattern.properties.find(
      (one): one is t.ObjectProperty => one.type === 'ObjectProperty' && (one.value === identifier || innerOf(one.value) === identifier),
    );
    if (!name) return 'unknown';
    const sent = sentIn(identifier, this.#facts);
    if (sent) return sent;
    return name.key.type === 'Identifier' && ROWS.test(name.key.name) ? this.#of(init, steps + 1) : 'unknown';
  }

  /** A list that a loop fills is as long as what the loop walks. */
  #pushed(binding: Binding, steps: number): Size {
    const sizes: Size[] = [];
    for (const call of callsOn(binding, /^(?:push|unshift)$/, this.#facts)) {
      for (const argument of call.arguments) if (argument.type === 'SpreadElement') sizes.push(this.#of(argument.argument, steps + 1));
      for (const { list, node } of roundsAround(call))
        if (node !== binding.scope && (node.start ?? 0) > (binding.identifier.start ?? 0)) sizes.push(this.#of(list, steps + 1));
      // Nothing says how often such a loop runs: the list is not as short as it was written.
      if (isInEndlessLoop(call, binding)) sizes.push('unknown');
    }
    return longest(...sizes);
  }

  #ofParameter(binding: Binding, fn: Node & t.Function, steps: number): Size {
    const index = fn.params.findIndex(
      (param) => param === binding.identifier || (param.type === 'AssignmentPattern' && param.left === binding.identifier),
    );
    const sent = sentIn(binding.identifier, this.#facts);
    if (sent) return sent;
    // An element of a list is not the list; what other callbacks get, nobody knows.
    if (index < 0 || !isFunction(fn) || passedElementsOf(fn, index) !== undefined) return 'unknown';
    const call = parentOf(fn);
    if (isCall(call) && call.callee !== fn)
      return (isThen(call) && isMember(call.callee) && this.#ofQuery(call.callee.object, steps)) || 'unknown';
    const passed = this.#facts.callArguments.of(fn, index);
    if (passed.length === 0) return 'open';
    const size = longest(...passed.map(({ argument }) => this.#of(argument, steps + 1)));
    return size === 'unknown' && isForOthers(fn) ? 'open' : size;
  }
}

/** `while (token = next()) list.push(token)`, within the scope of the list; not `while (list.length < 9)`. */
function isInEndlessLoop(call: Node, binding: Binding): boolean {
  for (let at = parentOf(call); at && at !== binding.scope && !isFunction(at); at = parentOf(at)) {
    if (at.type !== 'WhileStatement' && at.type !== 'DoWhileStatement' && at.type !== 'ForStatement') continue;
    if ((at.start ?? 0) > (binding.identifier.start ?? 0) && !(at.test && comparesWithNumber(at.test))) return true;
  }
  return false;
}

function comparesWithNumber(test: Node): boolean {
  const node = unwrap(test);
  if (node.type === 'LogicalExpression') return comparesWithNumber(node.left) || comparesWithNumber(node.right);
  return node.type === 'BinaryExpression' && (node.left.type === 'NumericLiteral' || node.right.type === 'NumericLiteral');
}

/** Whether code of other files may call a function. */
function isForOthers(fn: Node): boolean {
  const parent = parentOf(fn);
  return (
    fn.type === 'ClassMethod' ||
    (parent?.type ?? '').startsWith('Export') ||
    (isMember(assignedTo(parent)) && parent?.type === 'AssignmentExpression')
  );
}

function assignedTo(node: Node | undefined): Node | undefined {
  return node?.type === 'AssignmentExpression' ? node.left : undefined;
}

/** What a request sent: its body can be long, and its path and its headers cannot. */
function sentIn(expression: Node, facts: Facts): Size | undefined {
  // Of a text that pieces are added to, and of numbers: one follows the pieces, and the other one the numbers.
  const sent = (['any', 'text'] as const).map((wanted) => new RequestData(facts, wanted)).find((data) => data.isSent(expression));
  if (!sent) return undefined;
  return /^(?:body|rawBody|message|data|payload|json|request|req)$/.test(sent.member ?? '') ? 'input' : 'short';
}

function isLongInRequest(expression: Node, facts: Facts): boolean {
  return sentIn(expression, facts) === 'input';
}

function innerOf(pattern: Node): Node {
  return pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
}

function isThen(call: CallNode): boolean {
  return isMember(call.callee) && memberName(call.callee) === 'then';
}

/** `User.findAll({ where })`, `db.select().from(users)`, `collection.find().toArray()`, unless it asks for a page of the rows. */
export function isQuery(expression: Node, facts: Facts): boolean {
  const call = unwrap(expression);
  if (call.type !== 'CallExpression' && call.type !== 'OptionalCallExpression') return false;
  if (LIMITED.test(facts.source.slice(call))) return false;
  let at: Node = call;
  let calls = 0;
  for (;;) {
    if (at.type === 'CallExpression' || at.type === 'OptionalCallExpression') {
      const callee = unwrap(at.callee);
      if (!isMember(callee)) return false;
      const [first] = at.arguments;
      // `list.find((one) => …)` asks no database.
      if (QUERIES.test(memberName(callee) ?? '') && !(first && isFunction(unwrap(first))) && !isStandard(callee.object, facts)) return true;
      at = unwrap(callee.object);
      calls++;
    } else return false;
    if (calls > MAX_STEPS) return false;
  }
}

function isStandard(object: Node, facts: Facts): boolean {
  const origin = facts.origins.of(object);
  if (origin?.root === 'global') return /^(?:Promise|Object|Array|JSON|Reflect|process)$/.test(origin.name);
  return origin?.root === 'module' && /^(?:bluebird|async|lodash|underscore|q)$/.test(origin.name);
}

function longest(...sizes: readonly Size[]): Size {
  return (['input', 'some', 'open', 'unknown'] as const).find((size) => sizes.includes(size)) ?? 'short';
}

/** `path.join(__dirname, 'models')`: a folder of the program itself. */
function isOwnFolder(path: Node, facts: Facts): boolean {
  return /\b__dirname\b|\bimport\.meta\.(?:dirname|url)\b/.test(facts.source.slice(path));
}

/**
 * What is known of two lists together: the one that is less certain to be long decides. Undefined if one of them is not known to be long.
 */
export function together(a: Size, b: Size): 'input' | 'some' | 'open' | undefined {
  if (!isLong(a) || !isLong(b)) return undefined;
  return (['open', 'some'] as const).find((size) => a === size || b === size) ?? 'input';
}

export function isLong(size: Size): size is 'input' | 'some' | 'open' {
  return size === 'input' || size === 'some' || size === 'open';
}
