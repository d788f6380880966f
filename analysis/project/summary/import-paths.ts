// The files that a computed `require` may load: paths with `*` for unknown parts, lists and tables of paths, the results of `glob`.
import {
  contains,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import type { Binding } from '../../facts/bindings.ts';
import type { CallArgument } from '../../facts/call-arguments.ts';
import type { Flow } from './walk.ts';

// A path with more parts than this is not resolved.
const MAX_STEPS = 6;
/** No file has a longer path (Linux: 4,096 bytes). */
const LONGEST_PATH = 4096;
/** A table with more paths than this is not followed. */
const MOST_PATHS = 60;
/** Array methods that call their function once per item, with the item as the first argument. */
const EACH: ReadonlySet<string> = new Set(['forEach', 'map', 'flatMap', 'filter', 'each', 'mapSeries', 'eachSeries']);
/** Array methods that return a part of the array, or the same items in another order. */
const PART: ReadonlySet<string> = new Set(['filter', 'slice', 'sort', 'reverse', 'concat']);
/** `**` in a pattern of `glob` means any number of folders. Here it means up to two. */
const GLOB_DEPTHS = ['', '*/', '*/*/'];
/** In a path: the folders below that a function goes into by calling itself. No path has this character. */
const DEEPER = '\u0001';

/** All paths that an argument of `require` or `import` may be. `./` means the file's own folder. */
export function pathsOf(flow: Flow, source: Node): readonly string[] {
  const pattern = pathPattern(flow, source, 0);
  if (pattern?.includes(DEEPER))
    return GLOB_DEPTHS.map((depth) => simplify(pattern.replaceAll(`${DEEPER}/`, depth).replaceAll(DEEPER, '')));
  if (pattern !== undefined && pattern !== '*') return [pattern];
  const list = listOf(flow, source);
  return list && list.length <= MOST_PATHS ? list : [];
}

/** The paths of the list that a variable iterates over, or of the table that is read. */
function listOf(flow: Flow, source: Node): string[] | undefined {
  const node = inPath(source);
  if (node.type === 'Identifier') {
    const binding = flow.bindings.resolve(node);
    const list = binding && iteratedList(binding);
    return list && pathsIn(flow, list);
  }
  if (node.type !== 'MemberExpression' || !node.computed) return undefined;
  return pathsIn(flow, node.object);
}

/**
 * `*.routes` for the names that a loop takes of a folder: `if (!file.endsWith('.routes.js')) continue`, and the same as a filter of the list
 * or around the import. Undefined where it takes all, or several kinds.
 */
function patternOfItem(flow: Flow, item: t.Identifier, binding: Binding): string | undefined {
  const list = iteratedList(binding);
  if (!list) return undefined;
  // All of these hold for each item, so that the longest ending tells the most.
  const endings = endingsOfFilters(flow, list);
  const around = binding.declaration;
  const body = isFunction(around) ? around.body : (parentOf(parentOf(around) ?? around) as t.ForOfStatement).body;
  for (const statement of body.type === 'BlockStatement' ? body.body : []) {
    if (statement.type !== 'IfStatement') continue;
    const [only] = statement.consequent.type === 'BlockStatement' ? statement.consequent.body : [statement.consequent];
    const isLeft = only?.type === 'ContinueStatement' || (only?.type === 'ReturnStatement' && !only.argument);
    const holds = isLeft ? (statement.end ?? 0) <= (item.start ?? 0) : contains(statement.consequent, item);
    if (holds) endings.push(endingOf(flow, statement.test, isLeft, binding));
  }
  const ending = endings.reduce(longer, undefined);
  return ending === undefined || ending === '' ? undefined : `*${ending}`;
}

/** `list.filter((file) => file.endsWith('.routes.js'))` */
function endingsOfFilters(flow: Flow, list: Node): (string | undefined)[] {
  const endings: (string | undefined)[] = [];
  for (let one = unwrap(list); isCall(one) && isMember(one.callee); one = unwrap(one.callee.object)) {
    const name = memberName(one.callee) ?? '';
    const [filter] = one.arguments;
    const fn = filter && isFunction(filter) && filter.body.type !== 'BlockStatement' ? filter : undefined;
    const [parameter] = fn?.params ?? [];
    const binding = fn && parameter?.type === 'Identifier' ? flow.bindings.resolve(parameter) : undefined;
    if (name === 'filter') {
      if (fn && binding) endings.push(endingOf(flow, fn.body, false, binding));
    } else if (name === 'map') {
      // What else it makes of the names may end in another way.
      if (!fn || !binding || !isItem(flow, fn.body, binding)) break;
    } else if (!PART.has(name) || name === 'concat') break;
  }
  return endings;
}

/** How an item ends for which the test holds, or does not (`isNot`). Undefined where that is not known, or there are several endings. */
function endingOf(flow: Flow, test: Node, isNot: boolean, item: Binding): string | undefined {
  const node = unwrap(test);
  if (node.type === 'UnaryExpression') return node.operator === '!' ? endingOf(flow, node.argument, !isNot, item) : undefined;
  if (node.type === 'LogicalExpression') {
    if (node.operator === '??') return undefined;
    const left = endingOf(flow, node.left, isNot, item);
    const right = endingOf(flow, node.right, isNot, item);
    // Of conditions that all hold, one is enough to know.
    if (node.operator === (isNot ? '||' : '&&')) return longer(left, right);
    return left === right ? left : undefined;
  }
  if (isNot || !isCall(node) || !isMember(node.callee) || memberName(node.callee) !== 'endsWith') return undefined;
  const [text, ...others] = node.arguments;
  return text?.type === 'StringLiteral' && others.length === 0 && isItem(flow, node.callee.object, item)
    ? text.value.replace(/\.[cm]?[jt]sx?$/, '')
    : undefined;
}

function longer(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b.length > a.length) ? b : a;
}

/** Whether an expression ends as the item does: `file`, `entry.name`, `path.join(folder, file)`. */
function isItem(flow: Flow, expression: Node, item: Binding, steps = 0): boolean {
  if (steps > MAX_STEPS) return false;
  const node = unwrap(expression);
  const isSame = (part: Node | null | undefined): boolean => !!part && isItem(flow, part, item, steps + 1);
  if (node.type === 'Identifier') {
    const binding = flow.bindings.resolve(node);
    if (binding === item) return true;
    const declaration = binding?.kind === 'const' ? binding.declaration : undefined;
    return declaration?.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' && isSame(declaration.init);
  }
  if (node.type === 'BinaryExpression') return node.operator === '+' && isSame(node.right);
  if (node.type === 'TemplateLiteral') return node.quasis.at(-1)?.value.raw === '' && isSame(node.expressions.at(-1));
  if (isMember(node)) return memberName(node) === 'name' && isSame(node.object);
  const callee = isCall(node) ? unwrap(node.callee) : undefined;
  if (!isCall(node) || !callee) return false;
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  const isPath = /^(?:join|resolve|normalize)$/.test(name ?? '') || (name === 'basename' && node.arguments.length === 1);
  return isPath && isSame(node.arguments.at(-1));
}

/** What all calls in the file pass, the same: `load('commands')`; with the folders below it if the function calls itself with them. */
function patternOfParameter(flow: Flow, binding: Binding, steps: number): string | undefined {
  const fn = binding.declaration;
  if (!isFunction(fn)) return undefined;
  const index = fn.params.indexOf(binding.identifier);
  if (index < 0) return undefined;
  const passed = flow.facts.callArguments.of(fn, index);
  if (!isOnlyCalled(flow, fn, passed)) return undefined;
  const others = passed.filter(({ call }) => !contains(fn, call));
  const patterns = new Set(others.map(({ argument }) => pathPattern(flow, unwrap(argument), steps + 1)));
  const [pattern] = patterns;
  if (patterns.size !== 1 || pattern === undefined || pattern === '*') return undefined;
  return others.length < passed.length ? `${pattern}/${DEEPER}` : pattern;
}

/** Whether these are all calls that there are: a function that is exported, stored, or passed on may be called with other paths. */
function isOnlyCalled(flow: Flow, fn: FunctionNode, passed: readonly CallArgument[]): boolean {
  const parent = parentOf(fn);
  const name =
    fn.type === 'FunctionDeclaration'
      ? fn.id
      : parent?.type === 'VariableDeclarator' && parent.init === fn && parent.id.type === 'Identifier'
        ? parent.id
        : undefined;
  const binding = name && flow.bindings.resolve(name);
  if (!binding || parentOf(binding.declaration)?.type.startsWith('Export')) return false;
  const callees = new Set<Node>(passed.map(({ call }) => unwrap(call.callee)));
  return flow.bindings.references(binding).every((reference) => callees.has(reference));
}

/** The argument of `path.resolve(file)` or `'./' + file`, if it is already a path. */
function inPath(node: Node): Node {
  if (!isCall(node) || node.arguments.length !== 1) return node;
  const callee = unwrap(node.callee);
  const first = node.arguments[0];
  return first && isMember(callee) && /^(?:resolve|join|normalize)$/.test(memberName(callee) ?? '') ? unwrap(first) : node;
}

/** `list` in `list.forEach((file) => …)` and `for (const file of list)`. */
function iteratedList(binding: Binding): Node | undefined {
  const { declaration } = binding;
  if (isFunction(declaration)) {
    const call = parentOf(declaration);
    if (binding.identifier !== declaration.params[0] || !isCall(call) || call.arguments[0] !== declaration) return undefined;
    const callee = unwrap(call.callee);
    return isMember(callee) && EACH.has(memberName(callee) ?? '') ? callee.object : undefined;
  }
  const loop = parentOf(parentOf(declaration) ?? declaration);
  return declaration.type === 'VariableDeclarator' && loop?.type === 'ForOfStatement' && loop.left === parentOf(declaration)
    ? loop.right
    : undefined;
}

function pathsIn(flow: Flow, list: Node, steps = 0): string[] | undefined {
  if (steps > MAX_STEPS) return undefined;
  const node = unwrap(list);
  if (node.type === 'Identifier') {
    const binding = flow.bindings.resolve(node);
    const { declaration } = binding ?? {};
    return binding?.kind === 'const' &&
      declaration?.type === 'VariableDeclarator' &&
      declaration.init &&
      declaration.id.type === 'Identifier'
      ? pathsIn(flow, declaration.init, steps + 1)
      : undefined;
  }
  if (node.type === 'ArrayExpression') return known(flow, node.elements);
  if (node.type === 'ObjectExpression')
    return known(
      flow,
      node.properties.map((property) => (property.type === 'ObjectProperty' ? property.value : null)),
    );
  if (node.type === 'AwaitExpression') return pathsIn(flow, node.argument, steps);
  return isCall(node) ? pathsOfCall(flow, node, steps) : undefined;
}

/** Undefined unless all are known and are paths: a table of package names imports nothing of the project. */
function known(flow: Flow, nodes: readonly (Node | null)[]): string[] | undefined {
  const paths = nodes.map((node) => (node ? pathPattern(flow, unwrap(node), 0) : undefined));
  return paths.length > 0 && paths.every((path): path is string => path !== undefined && /^\.{0,2}\//.test(path)) ? paths : undefined;
}

/** `glob.sync('./routes/*.js')`, `globSync(…)`, `list.filter(…)` */
function pathsOfCall(flow: Flow, node: CallNode, steps: number): string[] | undefined {
  const callee = unwrap(node.callee);
  const first = node.arguments[0];
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (isMember(callee) && PART.has(name ?? '')) return pathsIn(flow, callee.object, steps);
  const root = isMember(callee) ? unwrap(callee.object) : callee;
  const isGlob =
    root.type === 'Identifier' &&
    (root.name === 'globSync' ||
      (/^(?:fast)?glob(?:by)?$|^fg$/i.test(root.name) && (root === callee || name === 'sync' || name === 'globSync')));
  const pattern = isGlob && first ? pathPattern(flow, unwrap(first), 0, true) : undefined;
  if (pattern === undefined || pattern.startsWith('*')) return undefined;
  const text = (/^\.{0,2}\//.test(pattern) ? pattern : `./${pattern}`).replace(/\{([^{},]+)(?:,[^{}]+)?\}/g, '$1');
  return text.includes('**/') ? GLOB_DEPTHS.map((depth) => simplify(text.replace('**/', depth))) : [simplify(text)];
}

/** A path with `*` for unknown parts. `./` means the file's own folder. Undefined if nothing of it is known. */
function pathPattern(flow: Flow, node: Node, steps: number, isGlob = false, bound?: ReadonlyMap<string, string>): string | undefined {
  if (steps > MAX_STEPS) return undefined;
  switch (node.type) {
    case 'StringLiteral':
      return node.value;
    case 'TemplateLiteral': {
      let text = '';
      node.quasis.forEach((quasi, i) => {
        text += quasi.value.cooked ?? '';
        const inner = node.expressions[i];
        if (text === '' && inner && isRootFolder(flow, inner)) {
          text = '/';
          return;
        }
        // Templates of templates would multiply.
        if (text.length <= LONGEST_PATH && inner) text += pathPattern(flow, unwrap(inner), steps + 1, false, bound) ?? '*';
      });
      return text.length > LONGEST_PATH ? undefined : simplify(text);
    }
    case 'BinaryExpression': {
      if (node.operator !== '+') return undefined;
      const left = isRootFolder(flow, node.left) ? '/' : pathPattern(flow, unwrap(node.left), steps + 1, false, bound);
      const right = pathPattern(flow, unwrap(node.right), steps + 1, false, bound);
      if (left === '/' && right === undefined) return undefined;
      return left === undefined && right === undefined ? undefined : simplify(`${left ?? '*'}${right ?? '*'}`);
    }
    case 'Identifier': {
      if (node.name === '__dirname') return '.';
      if (bound?.has(node.name)) return bound.get(node.name);
      return patternOfVariable(flow, node, steps);
    }
    case 'MemberExpression':
      return memberName(node) === 'dirname' && node.object.type === 'MetaProperty' ? '.' : undefined;
    default:
      return isCall(node) ? (joinedPattern(flow, node, steps, isGlob, bound) ?? pathFromCall(flow, node, steps, bound)) : undefined;
  }
}

/** Each variable is worked out once at each depth: functions that pass a path on may call each other in very many ways. */
function patternOfVariable(flow: Flow, node: t.Identifier, steps: number): string | undefined {
  const binding = flow.bindings.resolve(node);
  if (!binding) return undefined;
  const item = patternOfItem(flow, node, binding);
  if (item !== undefined) return item;
  const known = flow.pathsOfVariables.get(binding) ?? [];
  flow.pathsOfVariables.set(binding, known);
  if (steps in known) return known[steps];
  const { declaration } = binding;
  const pattern =
    declaration.type !== 'VariableDeclarator' || declaration.id.type !== 'Identifier' || !declaration.init
      ? patternOfParameter(flow, binding, steps)
      : pathPattern(flow, unwrap(declaration.init), steps + 1);
  known[steps] = pattern;
  return pattern;
}

/** `routeFile('users')` where `const routeFile = (name) => ROOT + 'routes/' + name`. */
function pathFromCall(flow: Flow, node: CallNode, steps: number, bound: ReadonlyMap<string, string> | undefined): string | undefined {
  const callee = unwrap(node.callee);
  const declaration = callee.type === 'Identifier' ? flow.bindings.resolve(callee)?.declaration : undefined;
  const fn = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : declaration;
  if (!fn || !isFunction(fn) || fn.params.length === 0 || fn.params.some(({ type }) => type !== 'Identifier')) return undefined;
  const [only] = fn.body.type === 'BlockStatement' ? fn.body.body : [];
  const result = fn.body.type !== 'BlockStatement' ? fn.body : only?.type === 'ReturnStatement' ? only.argument : undefined;
  if (!result) return undefined;
  const parts = new Map(
    fn.params.map((parameter, i) => {
      const argument = node.arguments[i];
      return [(parameter as t.Identifier).name, (argument && pathPattern(flow, unwrap(argument), steps + 1, false, bound)) ?? '*'];
    }),
  );
  return pathPattern(flow, unwrap(result), steps + 1, false, parts);
}

/** `path.join(__dirname, 'routes', name)` */
function joinedPattern(
  flow: Flow,
  node: CallNode,
  steps: number,
  isGlob: boolean,
  bound: ReadonlyMap<string, string> | undefined,
): string | undefined {
  const callee = unwrap(node.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (
    name === 'require' ||
    (name === 'resolve' && isMember(callee) && callee.object.type === 'Identifier' && callee.object.name === 'require')
  ) {
    const first = node.arguments[0];
    return first ? pathPattern(flow, unwrap(first), steps + 1, false, bound) : undefined;
  }
  // A package's folder and the folder where the program starts are treated as the same.
  if (isWorkingFolder(node)) return '.';
  if (name !== 'join' && name !== 'resolve') return undefined;
  const parts = node.arguments.map((argument, i) =>
    i === 0 && isRootFolder(flow, argument) ? '/' : (pathPattern(flow, unwrap(argument), steps + 1, false, bound) ?? '*'),
  );
  if (parts.length === 0 || parts.every((part) => part === '*')) return undefined;
  // Any file in the folder where the program starts is likely settings, not code.
  if (parts.slice(1).every((part) => part === '*') && isWorkingFolder(node.arguments[0])) return undefined;
  const text = parts.join('/');
  const put = isGlob ? (path: string) => path : simplify;
  return put(parts[0]?.startsWith('.') ? (text.startsWith('./') || text.startsWith('..') ? text : `./${text}`) : text);
}

const ROOT_NAME = /base|root|home|app|src|path|dir(?:name)?$|folder$/i;
const OTHER_FOLDER = /plugin|module|ext|addon|config|data|log|temp|tmp|static|public|upload/i;

/**
 * Folders that a program sets before it loads anything, nearly always its root: `process.env.APP_ROOT`, the globals `__base` and
 * `global.root`, https://www.npmjs.com/package/app-root-path.
 */
function isRootFolder(flow: Flow, expression: Node): boolean {
  const node = unwrap(expression);
  const name = node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
  if (name === undefined || !ROOT_NAME.test(name) || OTHER_FOLDER.test(name)) return false;
  if (node.type === 'Identifier')
    return flow.bindings.resolve(node)
      ? flow.facts.origins.of(node)?.name === 'app-root-path'
      : !/^(?:__dirname|__filename|undefined)$/.test(node.name);
  if (!isMember(node)) return false;
  const object = unwrap(node.object);
  if (object.type === 'Identifier')
    return (
      /^global(?:This)?$/.test(object.name) || (memberName(node) === 'path' && isRootFolder(flow, object) && !!flow.binding(object.name))
    );
  return (
    isMember(object) &&
    memberName(object) === 'env' &&
    object.object.type === 'Identifier' &&
    object.object.name === 'process' &&
    !node.computed
  );
}

/** `process.cwd()` */
function isWorkingFolder(node: Node | undefined): boolean {
  if (!node || !isCall(node)) return false;
  const callee = unwrap(node.callee);
  return isMember(callee) && memberName(callee) === 'cwd' && callee.object.type === 'Identifier' && callee.object.name === 'process';
}

function simplify(pattern: string): string {
  return pattern
    .replace(/\*+/g, '*')
    .replace(/\/\/+/g, '/')
    .replace(/(?:\/\.)+\//g, '/')
    .replace(/^\.\/\.(?=\/|$)/, '.');
}
