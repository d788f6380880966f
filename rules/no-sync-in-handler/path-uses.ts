// Which paths the calls of a file are given. Found once for a file: it may have thousands of calls.
import {
  contains,
  enclosingFunction,
  findAncestor,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Fix } from '../../analysis/rule.ts';

const READS = /^(?:read|stat|lstat|exists|access|opendir|realpath|createReadStream)/;
const WRITES =
  /^(?:write|rename|unlink|rm|truncate|ftruncate|copy|cp|move|mkdir|mkdtemp|output|ensure|empty|remove|symlink|link|createWriteStream)/;
const APPENDS = /^append/;
/** After these, a file has another content, or will tell when it has. */
const CHANGES =
  /^(?:(?:f?write|append|output|copy|cp|rename|move|unlink|rm|remove|f?truncate|ensure)(?:File|Json|JSON|Stream|Dir)?|createWriteStream|watch|watchFile|chokidar)(?:Sync)?$/;

/** What tells whether a file has changed. */
const STATES = /^f?l?stat(?:Sync)?$/;

const KINDS = { state: STATES, read: READS, write: WRITES, append: APPENDS, change: CHANGES } as const;
export type PathUse = keyof typeof KINDS;

/** Two of each: one of them may be the call that is looked at. */
type Uses = { [K in PathUse]?: [CallNode, CallNode?] };

/** A part of a path, as far as its text tells. */
export interface PathPart {
  text: string;
  isKnown: boolean;
  /** `'/var'` is from the root of the file system, where it is the first part. */
  isFromRoot?: boolean;
}

export interface PathUses {
  byText: ReadonlyMap<string, Uses>;
  /** By the last part of a literal in the expression: `path.join(__dirname, 'data.json')` and `'./data.json'`. */
  byFileName: ReadonlyMap<string, Uses>;
  changesFolder: CallNode | undefined;
  /** In which files are written whose names the file does not know, with a call for each: `path.join(FOLDER, req.params.name)`. */
  writtenFolders: ReadonlyMap<string, CallNode>;
}

export function useOf(name: string): PathUse | undefined {
  return (['read', 'write', 'append'] as const).find((kind) => KINDS[kind].test(name));
}

export function pathUsesOf(facts: Facts): PathUses {
  return facts.remember('paths that calls are given', () => find(facts));
}

/** A call other than `call` that does this with the path. */
export function otherUse(uses: Uses | undefined, kind: PathUse, call: Node): CallNode | undefined {
  return uses?.[kind]?.find((one) => one !== undefined && one !== call);
}

function find(facts: Facts): PathUses {
  const byText = new Map<string, Uses>();
  const byFileName = new Map<string, Uses>();
  let changesFolder: CallNode | undefined;
  const writtenFolders = new Map<string, CallNode>();
  for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const)
    for (const call of facts.module.nodes(type)) {
      const name = calledName(call);
      if (name === undefined) continue;
      if (name === 'chdir') changesFolder ??= call;
      const kinds = (Object.keys(KINDS) as PathUse[]).filter((kind) => KINDS[kind].test(name));
      if (kinds.length === 0) continue;
      for (const argument of call.arguments) {
        put(byText, facts.source.slice(unwrap(argument)), kinds, call);
        const file = fileNameIn(valueOf(argument, facts));
        if (file !== undefined) put(byFileName, file, kinds, call);
      }
      for (const path of kinds.includes('change') ? writtenPaths(call, name) : []) {
        const { folder, isKnown } = partsOfPath(path, facts);
        if (!isKnown && folder !== '' && !writtenFolders.has(folder)) writtenFolders.set(folder, call);
      }
    }
  return { byText, byFileName, changesFolder, writtenFolders };
}

/** The paths at which a call that changes files does so. */
function writtenPaths({ arguments: [first, second] }: CallNode, name: string): Node[] {
  const paths = /^(?:copy|cp)/.test(name)
    ? [second]
    : /^(?:rename|move)/.test(name)
      ? [first, second]
      : /watch|chokidar/.test(name)
        ? []
        : [first];
  return paths.filter((path) => path !== undefined);
}

/** The folder of a path, as far as its text tells, and whether the name in it is known. */
export function partsOfPath(path: Node, facts: Facts): { folder: string; isKnown: boolean } {
  const parts = partsOf(path, facts);
  const last = parts.pop();
  return { folder: parts.map(({ text }) => text).join('/'), isKnown: last?.isKnown ?? true };
}

/** `path.join(__dirname, 'a', name)`, `` `${__dirname}/a/${name}` ``, `FOLDER + '/' + name` */
export function partsOf(expression: Node, facts: Facts, steps = 0): PathPart[] {
  const node = valueOf(expression, facts);
  const of = (parts: readonly Node[]) => parts.flatMap((part) => partsOf(part, facts, steps + 1));
  if (node.type === 'StringLiteral') return literalParts(node.value);
  if (steps < MOST_STEPS) {
    if (isCall(node) && /^(?:join|resolve)$/.test(calledName(node) ?? '')) return of(node.arguments);
    if (node.type === 'BinaryExpression' && node.operator === '+') return of([node.left, node.right]);
    if (node.type === 'TemplateLiteral')
      return node.quasis.flatMap((quasi, index) => [...literalParts(quasi.value.raw), ...of(node.expressions.slice(index, index + 1))]);
  }
  return [{ text: facts.source.slice(node), isKnown: false }];
}

const literalParts = (text: string): PathPart[] =>
  text
    .split('/')
    .flatMap((part, index) =>
      part === '' || part === '.' ? [] : [{ text: part, isKnown: true, isFromRoot: index === 1 && text.startsWith('/') }],
    );

/**
 * Whether a written path may lie in a folder, or in one under it or above it: the first part that differs decides, if the text tells both.
 * A part may be cut by a variable (`` `cache-${name}` ``), and `..` leads anywhere.
 */
export function mayBeInFolder(written: readonly PathPart[], folder: readonly PathPart[]): boolean {
  if ([...written, ...folder].some(({ text, isKnown }) => isKnown && text === '..')) return true;
  const at = written.findIndex(({ text, isKnown }, index) => text !== folder[index]?.text || isKnown !== folder[index].isKnown);
  const [one, other] = [written[at], folder[at]];
  if (!one?.isKnown || !other?.isKnown) return true;
  if (at === 0 && one.isFromRoot !== other.isFromRoot) return true;
  return one.text.startsWith(other.text) || other.text.startsWith(one.text);
}

/** Variables and calls within each other. */
const MOST_STEPS = 4;

/** What a variable was declared with: `const file = path.join(__dirname, 'settings.json')`. */
export function valueOf(argument: Node, facts: Facts): Node {
  const node = unwrap(argument);
  const declaration = node.type === 'Identifier' ? facts.bindings.resolve(node)?.declaration : undefined;
  return declaration?.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' && declaration.init ? declaration.init : node;
}

function put(map: Map<string, Uses>, key: string, kinds: readonly PathUse[], call: CallNode): void {
  let uses = map.get(key);
  if (!uses) map.set(key, (uses = {}));
  for (const kind of kinds) {
    const known = uses[kind];
    if (!known) uses[kind] = [call];
    else if (known.length === 1 && known[0] !== call) known.push(call);
  }
}

export function calledName(call: Node): string | undefined {
  if (!isCall(call)) return undefined;
  const callee = unwrap(call.callee);
  return isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
}

/**
 * For a fix that keeps what a read gives: what the project says instead if another file of the package writes a file of one of these names.
 */
export function unlessWritten(title: string, paths: readonly (Node | undefined)[], facts: Facts): Pick<Fix, 'unlessWritten'> {
  const names = paths.flatMap((path) => (path && fileNameIn(valueOf(path, facts))) || []);
  const refused = { title, reason: '`{{writer}}` writes a file of this name (`{{file}}`), so requests must see its changes' };
  return names.length > 0 ? { unlessWritten: { names, refused } } : {};
}

export function fileNameIn(expression: Node): string | undefined {
  let name: string | undefined;
  walkWithin(expression, (node) => {
    if (node.type === 'StringLiteral') name = node.value.split('/').at(-1);
    return !isFunction(node);
  });
  return name;
}

/** What is done with a path after it was checked, and how that goes without a check. */
const WITHOUT_CHECK: readonly [name: RegExp, remedy: string][] = [
  [/^(?:mkdir|ensureDir|mkdirp)/, 'Create the folder without a check: with `recursive`, `mkdir` does nothing if it is there.'],
  [/^(?:readdir|opendir|scandir)/, 'Read the folder instead, and handle the error if it is missing.'],
  [/^(?:unlink|rm|rmdir|remove)(?:Sync)?$/, 'Remove it without a check: `rm` with `force` does not mind if it is missing.'],
  [
    /^(?:read(?:File|Json|JSON|link)?(?:Sync)?|open(?:Sync|AsBlob)?|createReadStream|sendFile|download|f?l?stat(?:Sync)?)$/,
    'Open the file instead, and handle the error if it is missing.',
  ],
];

/**
 * What to do instead of a check whether a path exists, by what depends on its answer and has the same path; undefined if that is not known.
 */
export function afterCheck(check: CallNode, facts: Facts): string | undefined {
  const [path] = check.arguments;
  if (!path || !enclosingFunction(check)) return undefined;
  const text = facts.source.slice(unwrap(path));
  let remedy: string | undefined;
  let answers = false;
  for (const dependent of dependingOn(check, facts))
    walkWithin(dependent, (node) => {
      answers ||= node.type === 'ReturnStatement' && node.argument != null;
      const name = node === check ? undefined : calledName(node);
      // What comes first decides: a file that is read, and then removed, must be there.
      if (name !== undefined && isCall(node) && node.arguments.some((one) => facts.source.slice(unwrap(one)) === text))
        remedy ??= WITHOUT_CHECK.find(([pattern]) => pattern.test(name))?.[1];
      return undefined;
    });
  // `if (exists) { rm(path); return true; } return false`: without the check, nobody knows which.
  return answers && remedy !== undefined && /^(?:Create|Remove)/.test(remedy) ? undefined : remedy;
}

/** The branches that the answer of a check chooses, and what follows them if they leave the function. */
function dependingOn(check: CallNode, facts: Facts): Node[] {
  const declarator = parentOf(check);
  const id = declarator?.type === 'VariableDeclarator' ? declarator.id : undefined;
  const binding = id?.type === 'Identifier' ? facts.bindings.resolve(id) : undefined;
  const answers = binding ? facts.bindings.references(binding).filter((one) => one !== binding.identifier) : [check];
  return answers.flatMap((answer) => {
    let from: Node = answer;
    for (let at = parentOf(from); at; from = at, at = parentOf(at)) {
      if (at.type === 'LogicalExpression' && at.left === from) return [at.right, ...branchesOf(at)];
      if (at.type === 'ConditionalExpression' || at.type === 'IfStatement') return at.test === from ? branchesOf(from) : [];
      if (at.type !== 'UnaryExpression' && at.type !== 'LogicalExpression') return [];
    }
    return [];
  });
}

/** Those of the `if` or `?:` whose test has the node. */
function branchesOf(node: Node): Node[] {
  const at = findAncestor(node, ({ type }) => type === 'IfStatement' || type === 'ConditionalExpression' || type === 'ExpressionStatement');
  if (at?.type === 'ConditionalExpression' && contains(at.test, node)) return [at.consequent, at.alternate];
  if (at?.type !== 'IfStatement' || !contains(at.test, node)) return [];
  const branches = [at.consequent, ...(at.alternate ? [at.alternate] : [])];
  const block = parentOf(at);
  const last = at.consequent.type === 'BlockStatement' ? at.consequent.body.at(-1) : at.consequent;
  const leaves = /^(?:Return|Throw|Continue|Break)Statement$/.test(last?.type ?? '');
  const behind = leaves && block?.type === 'BlockStatement' ? block.body.filter((one) => startOf(one) > startOf(at)) : [];
  return [...branches, ...behind];
}
