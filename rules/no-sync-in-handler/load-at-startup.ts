// Fix: a read whose arguments never change is done once, before the first request.
import {
  enclosingFunction,
  endOf,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { groupBy } from '../../analysis/module/group-by.ts';
import { commentsBefore } from '../../analysis/fix/blocks.ts';
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { offsetBefore } from '../../analysis/fix/offset-before.ts';
import { isReference, type Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { FIX_COSTS } from '../../knowledge/fix-costs.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Fix, RefusedFix, Span } from '../../analysis/rule.ts';
import { MOST_TOGETHER } from '../shared/together.ts';
import { inChain, outdented, topLevelStatement, unusedName } from '../shared/top-level.ts';
import type { BlockingMatch } from './blocking.ts';
import { calledName, fileNameIn, otherUse, partsOfPath, pathUsesOf, unlessWritten, valueOf } from './path-uses.ts';

// Calls that only read, and whose result all requests can share.
const READS: ReadonlySet<string> = new Set(['readFileSync', 'readJsonSync', 'readJSONSync', 'machineIdSync']);

/** How the title of the fix begins, and the remedy that it replaces. */
export const AT_STARTUP = 'Read it once at startup';

export function canLoadAtStartup(blocking: BlockingMatch, facts: Facts): boolean {
  return findStatement(blocking, facts) !== undefined && whyNotAtStartup(blocking, facts) === undefined;
}

/** Why the read stays where it is, though its arguments never change: it may not run, or give something else each time. */
function whyNotAtStartup({ call }: BlockingMatch, facts: Facts): string | undefined {
  const line = (node: Node): number => facts.source.positionAt(startOf(node)).line;
  const condition = conditionOf(call, facts);
  if (condition?.type === 'TryStatement')
    return `a \`catch\` handles a missing file (line ${line(condition)}); at startup, it would prevent the server from starting`;
  if (condition)
    return `the read is under a condition (line ${line(condition)}), and a file that is missing then would prevent the server from starting`;
  const early = earlyCall(call, facts);
  if (early)
    return `\`${calledName(early)}\` on line ${line(early)} may run the function before the read above it is done. Declare the function before that line`;
  return whyNotSame(call, facts);
}

/**
 * A call of this file's code before the declaration of the function that reads: the function can be called already, and a constant above it
 * has no value yet.
 */
function earlyCall(call: CallNode, facts: Facts): CallNode | undefined {
  const statement = topLevelStatement(call);
  const isExport = statement?.type === 'ExportNamedDeclaration' || statement?.type === 'ExportDefaultDeclaration';
  const declared = isExport ? statement.declaration : statement;
  if (!statement || declared?.type !== 'FunctionDeclaration') return undefined;
  const first = facts.remember('first call of own code', () => ({ call: firstOwnCall(facts) })).call;
  return first && startOf(first) < startOf(statement) ? first : undefined;
}

function firstOwnCall(facts: Facts): CallNode | undefined {
  let first: CallNode | undefined;
  walkWithin(facts.module.program, (node) => {
    if (isCall(node) && !first) {
      const isImmediate = isMember(node.callee) && RUNS_NOW.test(memberName(node.callee) ?? '');
      if (facts.calls.edgesOfCall(node).some(({ via }) => via !== 'callback' || isImmediate)) first = node;
    }
    return !first && !isFunction(node);
  });
  return first;
}

const RUNS_NOW = /^(?:map|forEach|filter|reduce|some|every|find|findIndex|flatMap|sort|from|then)$/;

/** Why the same path may give something else later. */
export function whyNotSame(call: CallNode, facts: Facts): string | undefined {
  const line = (node: Node): number => facts.source.positionAt(startOf(node)).line;
  const { byText, byFileName, changesFolder, writtenFolders } = pathUsesOf(facts);
  if (changesFolder) return `the working directory changes (line ${line(changesFolder)}), so the same path may mean another file`;
  const [path] = call.arguments;
  const file = path && fileNameIn(valueOf(path, facts));
  const watch = facts.remember('calls that watch', () => ({ call: watchIn(facts) })).call;
  if (watch) return `\`${calledName(watch)}\` watches files (line ${line(watch)}), and requests must see changes`;
  const asked = path && otherUse(byText.get(facts.source.slice(unwrap(path))), 'state', call);
  if (asked) return `\`${calledName(asked)}\` (line ${line(asked)}) may ask whether it has changed, and requests must see its changes`;
  const other =
    path &&
    (otherUse(byText.get(facts.source.slice(unwrap(path))), 'change', call) ??
      (file === undefined ? undefined : otherUse(byFileName.get(file), 'change', call)));
  if (other) return `\`${calledName(other)}\` uses the same file (line ${line(other)}), so requests must see its changes`;
  const { folder, isKnown } = path ? partsOfPath(path, facts) : { isKnown: false };
  const written = isKnown && folder !== undefined ? writtenFolders.get(folder) : undefined;
  if (written) return `\`${calledName(written)}\` may write the same file (line ${line(written)}), so requests must see its changes`;
  if (path && CHANGED_BY_OTHERS.test(textIn(valueOf(path, facts))))
    return `\`${facts.source.slice(path)}\` changes while the program runs. Ask for it without blocking, or at intervals`;
  const change = changeOf(call, facts);
  return change && `requests may change the bytes that it gives (line ${line(change)}), and all of them would share these`;
}

/** Devices, states of the system, logs: read again, they have something else. */
const CHANGED_BY_OTHERS =
  /^\/(?:proc|sys|dev|run|tmp|var\/(?:run|log|lib|spool))\/|^\/etc\/(?:passwd|group|shadow|hosts|resolv\.conf)$|\.(?:log|pid|lock|sock|sqlite3?|db)$/;

/** The literal parts of a path. */
function textIn(path: Node): string {
  let text = '';
  walkWithin(path, (node) => {
    if (node.type === 'StringLiteral') text += node.value;
    if (node.type === 'TemplateElement') text += node.value.cooked ?? '';
    return true;
  });
  return text;
}

function watchIn(facts: Facts): CallNode | undefined {
  return facts.module
    .nodes('CallExpression')
    .find((call) => /^(?:watch|watchFile)$/.test(calledName(call) ?? '') && facts.origins.moduleMember(call.callee)?.module === 'fs');
}

/** Methods that read bytes, or make others of them. */
const READS_BYTES =
  /^(?:toString|toJSON|equals|compare|includes|indexOf|lastIndexOf|at|length|byteLength|copy|read\w+|forEach|map|join|slice)$/;

/** The same of a list. */
const READS_LIST = /^(?:toString|includes|indexOf|lastIndexOf|at|join|slice)$/;

/** Where the bytes, or the object, that a read gives may be changed: they are shared where the read happens once. */
function changeOf(call: CallNode, facts: Facts): Node | undefined {
  const [, options] = call.arguments;
  const isJson = /json/i.test(calledName(call) ?? '');
  const isText =
    options !== undefined &&
    (options.type === 'StringLiteral' ||
      (options.type === 'ObjectExpression' && /\bencoding\s*:\s*(?!null|undefined)/.test(facts.source.slice(options))));
  return !isJson && (isText || calledName(call) === 'machineIdSync') ? undefined : useThatMayChange(call, isJson, facts, new Set());
}

/** What is kept of a read: with it the `JSON.parse` around it, unless requests may change what that gives. */
export function keptOf(call: CallNode, facts: Facts): CallNode {
  const text = decoded(call) ?? call;
  const parse = parentOf(text);
  return parse && isJsonParse(parse, text, facts) && useThatMayChange(parse, true, facts, new Set()) === undefined ? parse : text;
}

/** `readFileSync(file).toString('utf8')` */
export function decoded(call: Node): CallNode | undefined {
  const member = parentOf(call);
  const outer = member && parentOf(member);
  const isText = isMember(member) && member.object === call && memberName(member) === 'toString';
  return isText && isCall(outer) && outer.callee === member && outer.arguments.every(({ type }) => type === 'StringLiteral')
    ? outer
    : undefined;
}

/** Why only a text would be kept that each request parses again: `const text = readFileSync(…); const rows = JSON.parse(text).rows`. */
export function whyParsedAgain(call: CallNode, facts: Facts): string | undefined {
  const text = decoded(call) ?? call;
  const outer = parentOf(text);
  const binding = outer?.type === 'VariableDeclarator' && outer.id.type === 'Identifier' ? facts.bindings.resolve(outer.id) : undefined;
  const [use, second] = binding ? facts.bindings.references(binding).filter((one) => one !== binding.identifier) : [text];
  const parse = use && parentOf(use);
  if (second || !use || !parse || !isJsonParse(parse, use, facts) || keptOf(call, facts) === parse) return undefined;
  const mayChange = useThatMayChange(parse, true, facts, new Set()) !== undefined;
  const { line } = facts.source.positionAt(startOf(parse));
  const how = mayChange
    ? 'What it gives may be changed there, so it cannot be shared as it is'
    : 'Put the read into its parentheses, so that both are kept';
  return `\`JSON.parse\` on line ${line} would still parse the text on each request. ${how}`;
}

function isJsonParse(node: Node, argument: Node, facts: Facts): node is CallNode {
  return isCall(node) && node.arguments.length === 1 && node.arguments[0] === argument && facts.origins.isGlobal(node.callee, 'JSON.parse');
}

function useThatMayChange(value: Node, isJson: boolean, facts: Facts, seen: Set<Node>): Node | undefined {
  const parent = parentOf(value);
  if (seen.has(value)) return undefined;
  seen.add(value);
  if (!parent || seen.size > MOST_VISITS) return value;
  switch (parent.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      if (parent.object !== value) return parent;
      const outer = parentOf(parent);
      const isWritten =
        (outer?.type === 'AssignmentExpression' && outer.left === parent) ||
        outer?.type === 'UpdateExpression' ||
        outer?.type === 'UnaryExpression';
      const name = memberName(parent);
      if (isWritten) return outer;
      if (isCall(outer) && outer.callee === parent) {
        if (isJson && /^(?:forEach|some|every|map)$/.test(name ?? '')) return changeInCallback(outer, facts, seen);
        const isReading = isJson ? READS_LIST.test(name ?? '') : READS_BYTES.test(name ?? '');
        // A slice of bytes shares them, an element of a list is part of it.
        return !isReading ? outer : /^(?:slice|at)$/.test(name ?? '') ? useThatMayChange(outer, isJson, facts, seen) : undefined;
      }
      // The memory of the bytes, which others may write to, or give away.
      if (name === 'buffer') return useThatMayChange(parent, isJson, facts, seen);
      // `bytes[0]` and `bytes.length` are numbers; what a field of an object holds may be another object.
      return isJson && name !== 'length' ? useThatMayChange(parent, isJson, facts, seen) : undefined;
    }
    case 'AssignmentExpression': {
      if (parent.right !== value) return parent.left === value ? undefined : parent;
      // `ctx.body = bytes`
      if (isMember(parent.left)) return memberName(parent.left) === 'body' ? undefined : parent;
      const binding = parent.left.type === 'Identifier' ? facts.bindings.resolve(parent.left) : undefined;
      return binding ? changeIn(binding, isJson, facts, seen) : parent;
    }
    case 'VariableDeclarator': {
      const binding = parent.id.type === 'Identifier' ? facts.bindings.resolve(parent.id) : undefined;
      return binding ? changeIn(binding, isJson, facts, seen) : parent;
    }
    case 'TemplateLiteral':
    case 'BinaryExpression':
    case 'IfStatement':
    case 'UnaryExpression':
    case 'ExpressionStatement':
      return undefined;
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'AwaitExpression':
      return useThatMayChange(parent, isJson, facts, seen);
    case 'CallExpression':
    case 'OptionalCallExpression': {
      const callee = unwrap(parent.callee);
      const name = isMember(callee) ? memberName(callee) : undefined;
      const isReader =
        facts.origins.isGlobal(callee, 'String') ||
        facts.origins.isGlobal(callee, 'JSON.parse') ||
        facts.origins.isGlobal(callee, 'JSON.stringify') ||
        facts.origins.isGlobal(callee, 'Buffer.from') ||
        /^(?:send|end|json|update|write)$/.test(name ?? '');
      return isReader ? undefined : parent;
    }
    default:
      return parent;
  }
}

/** `rows.forEach((row) => …)` */
function changeInCallback(call: CallNode, facts: Facts, seen: Set<Node>): Node | undefined {
  const [callback, second] = call.arguments;
  const [element, index, list] = isFunction(callback) ? callback.params : [];
  const binding = element?.type === 'Identifier' ? facts.bindings.resolve(element) : undefined;
  return binding && !second && !list && index?.type !== 'RestElement' ? changeIn(binding, true, facts, seen) : call;
}

function changeIn(binding: Binding, isJson: boolean, facts: Facts, seen: Set<Node>): Node | undefined {
  for (const reference of facts.bindings.references(binding)) {
    const change = useThatMayChange(reference, isJson, facts, seen);
    if (change) return change;
  }
  return undefined;
}

/** An object that more places use is in generated code. */
const MOST_VISITS = 300;

/** What decides whether the node runs when its function does: a branch, a \`catch\`, an early return before it. */
function conditionOf(node: Node, facts: Facts): Node | undefined {
  let at = node;
  for (let up = parentOf(at); up && up.type !== 'Program'; at = up, up = parentOf(up)) {
    if (
      (up.type === 'IfStatement' && up.test !== at) ||
      (up.type === 'ConditionalExpression' && up.test !== at) ||
      (up.type === 'LogicalExpression' && up.right === at) ||
      (up.type === 'TryStatement' && up.handler != null && up.block === at) ||
      up.type === 'CatchClause' ||
      up.type === 'SwitchCase' ||
      up.type === 'WhileStatement' ||
      up.type === 'ForOfStatement' ||
      up.type === 'ForInStatement' ||
      up.type === 'ForStatement'
    )
      return up;
    if (up.type !== 'BlockStatement') continue;
    const early = firstExit(up, facts);
    if (early && startOf(early) < startOf(at)) return early;
  }
  return undefined;
}

/** The first statement of a block that may leave the function. Found once for a block: many calls may follow it. */
function firstExit(block: t.BlockStatement, facts: Facts): Node | undefined {
  const known = facts.remember('first exits', () => new Map<Node, Node | undefined>());
  if (!known.has(block))
    known.set(
      block,
      block.body.find((statement) => leaves(statement)),
    );
  return known.get(block);
}

function leaves(statement: Node): boolean {
  let found = false;
  walkWithin(statement, (node) => {
    if (node.type === 'ReturnStatement' || node.type === 'ThrowStatement') found = true;
    return !isFunction(node);
  });
  return found;
}

/** The statement before which the read can be inserted, if it does not depend on the request. */
function findStatement({ call, row }: BlockingMatch, facts: Facts): Node | undefined {
  const statement = READS.has(row.path.at(-1) ?? row.module) ? topLevelStatement(call) : undefined;
  // Nothing uses the file: the read may be there for its error.
  if (parentOf(call)?.type === 'ExpressionStatement') return undefined;
  return statement && isConstantCall(call, startOf(statement), facts) ? statement : undefined;
}

function isConstantCall(call: CallNode, offset: number, facts: Facts): boolean {
  return [call.callee, ...call.arguments].every((part) => isConstantBefore(part, offset, facts));
}

/** The same read in other functions, or the first of very many: a maintainer keeps one for all. */
export function twinsOf(call: CallNode, facts: Facts): CallNode[] {
  const name = calledName(call);
  if (name === undefined) return [];
  const byName = facts.remember('calls of functions, by the name that they call', () => callsByName(facts));
  const byText = facts.remember('calls of functions, by their text', () => new Map<string, Map<string, CallNode[]>>());
  let known = byText.get(name);
  // Each read of a generated file would look through all others.
  if (!known) byText.set(name, (known = groupBy(byName.get(name) ?? [], (one) => tight(one, facts))));
  const twins = (known.get(tight(call, facts)) ?? []).slice(0, MOST_TOGETHER + 2);
  return twins.filter((one) => one !== call);
}

function callsByName(facts: Facts): Map<string, CallNode[]> {
  return groupBy(
    facts.module.nodes('CallExpression').filter((call) => enclosingFunction(call) !== undefined),
    (call) => calledName(call) ?? '',
  );
}

/** A constant file of the same function that would still be read each time: under a condition, or because its bytes are passed on. */
export function staysBeside({ call }: BlockingMatch, siblings: readonly BlockingMatch[], facts: Facts): BlockingMatch | undefined {
  return siblings.find(
    (one) =>
      textOf(one.call.arguments[0] ?? one.call, facts) !== textOf(call.arguments[0] ?? call, facts) &&
      findStatement(one, facts) !== undefined &&
      whyNotAtStartup(one, facts) !== undefined &&
      (changeOf(one.call, facts) !== undefined || whyNotSame(one.call, facts) === undefined),
  );
}

/** A fix that moves the reads of a function to the top level; undefined if this one depends on the request. */
export function loadAtStartup(
  blocking: BlockingMatch,
  facts: Facts,
  siblings: readonly BlockingMatch[] = [],
): Fix | RefusedFix | undefined {
  const statement = findStatement(blocking, facts);
  if (!statement) return undefined;
  const reason = whyNotAtStartup(blocking, facts);
  if (reason !== undefined) return { title: AT_STARTUP, reason };
  const again = whyParsedAgain(blocking.call, facts);
  if (again !== undefined) return { title: AT_STARTUP, reason: again };
  const other = staysBeside(blocking, siblings, facts);
  if (other)
    return {
      title: AT_STARTUP,
      reason: `\`${other.name}\` on line ${facts.source.positionAt(startOf(other.call)).line} would still read on each request. Read both at startup, or neither`,
    };
  const own = [blocking, ...siblings.filter((one) => one.call !== blocking.call && canLoadAtStartup(one, facts))].map(({ call }) => call);
  const twins = own.flatMap((call) => twinsOf(call, facts)).filter((call) => !own.includes(call));
  const together = [...own, ...twins].sort((one, two) => startOf(one) - startOf(two));
  const place = topLevelStatement(together[0] as CallNode) ?? statement;
  const apart = twins.find((call) => changeOf(call, facts) !== undefined);
  if (apart || twins.length > MOST_TOGETHER || (twins.length > 0 && !own.every((call) => isConstantCall(call, startOf(place), facts))))
    return {
      title: AT_STARTUP,
      reason: `line ${facts.source.positionAt(startOf(apart ?? (twins[0] as CallNode))).line} reads the same file, and would still do so on each request`,
    };
  const offset = offsetBefore(place, facts);
  const line = facts.source.lineBreak;
  const { semicolon } = getCodeStyle(facts);
  const names = new Map<string, string>();
  const values = new Set<string>();
  const edits: Fix['edits'][number][] = [];
  let text = '';
  const alike = groupBy(together, (one) => tight(one, facts));
  const isSame = new Map([...alike].map(([read, all]) => [read, new Set(all.map((one) => tight(keptOf(one, facts), facts))).size === 1]));
  // One use may parse what another one has as text.
  const keptAlike = (call: CallNode): CallNode => (isSame.get(tight(call, facts)) ? keptOf(call, facts) : call);
  for (const call of together) {
    const kept = keptAlike(call);
    const read = tight(kept, facts);
    const known = names.get(read);
    const declared = known === undefined && twins.length === 0 ? movable(kept, facts) : undefined;
    const name = known ?? declared?.name ?? freeName(call, facts);
    if (known === undefined && values.has(name))
      return { title: AT_STARTUP, reason: `\`${name}\` would stand for two files of the function` };
    if (known === undefined) text += `const ${name} = ${inChain(outdented(kept, facts))}${semicolon}${line}`;
    names.set(read, name);
    values.add(name);
    edits.push(declared ? { ...declared.line, text: '' } : { start: startOf(kept), end: endOf(kept), text: name });
  }
  const isParsed = together.some((call) => facts.origins.isGlobal(keptAlike(call).callee, 'JSON.parse'));
  const what = names.size === 1 ? AT_STARTUP : `Read ${names.size} files once at startup`;
  return {
    title: `${what} (changes on disk then require a restart, and a missing ${isParsed ? 'or broken ' : ''}file prevents startup)`,
    kind: 'suggestion',
    named: 'startup-read',
    ...unlessWritten(
      AT_STARTUP,
      together.map((call) => call.arguments[0]),
      facts,
    ),
    cost: blocking.row.path.at(-1) === 'readFileSync' && names.size === 1 ? FIX_COSTS['startup-read'] : undefined,
    edits: [{ start: offset, end: offset, text: `${text}${line}` }, ...edits],
  };
}

const textOf = (node: Node, { source }: Facts): string => source.slice(node);
/** However its lines are broken. */
const tight = (node: Node, facts: Facts): string => textOf(node, facts).replace(/\s+/g, '');

/** `const terms = readFileSync(…)` on a line of its own, which can move as it is: nothing else in the file has the name. */
function movable(call: CallNode, facts: Facts): { name: string; line: Span } | undefined {
  const declarator = parentOf(call);
  if (declarator?.type !== 'VariableDeclarator' || declarator.init !== call || declarator.id.type !== 'Identifier') return undefined;
  const { id } = declarator;
  const statement = parentOf(declarator);
  const binding = facts.bindings.resolve(id);
  if (!binding || id.typeAnnotation || statement?.type !== 'VariableDeclaration' || statement.kind !== 'const') return undefined;
  if (statement.declarations.length !== 1 || parentOf(statement)?.type !== 'BlockStatement') return undefined;
  const isOther = (one: t.Identifier | t.JSXIdentifier): boolean => {
    const means = facts.bindings.resolve(one);
    return means !== binding && (one.type !== 'Identifier' || isReference(one) || means?.identifier === one);
  };
  if (facts.bindings.identifiersNamed(id.name).some(isOther)) return undefined;
  const line = wholeLine(statement, facts);
  return line && { name: id.name, line };
}

/** The statement with its line and one of the blank lines around it; undefined if a comment stands above, which may be about it. */
function wholeLine(statement: Node, facts: Facts): Span | undefined {
  const { text } = facts.source;
  const start = facts.source.lineStart(facts.source.positionAt(startOf(statement)).line);
  const rest = /^[\t ]*(?:\r\n|\n|\r)/.exec(text.slice(endOf(statement)))?.[0];
  const before = text.slice(0, start).trimEnd();
  if (rest === undefined || /\S/.test(text.slice(start, startOf(statement)))) return undefined;
  if (facts.module.ast.comments?.[commentsBefore(facts, before.length) - 1]?.end === before.length) return undefined;
  const end = endOf(statement) + rest.length;
  const isAfterBlank = /(?:\n|\r)[\t ]*(?:\r\n|\n|\r)$/.test(text.slice(before.length, start));
  const blank = before.endsWith('{') || isAfterBlank ? (/^[\t ]*(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0].length ?? 0) : 0;
  return { start, end: end + blank };
}

/** Whether an expression has the same value at every request, and only uses what is declared before the offset. */
function isConstantBefore(expression: Node, offset: number, facts: Facts): boolean {
  const isBefore = (binding: Binding): boolean =>
    binding.scope.type === 'Program' &&
    facts.bindings.isConstant(binding) &&
    (binding.kind === 'import' || binding.kind === 'function' || (binding.identifier.start ?? 0) < offset);
  return isConstant(expression, isBefore, facts);
}

/** Whether an expression has the same value at every request. `isFixed` decides about the variables that the file declares. */
export function isConstant(expression: Node, isFixed: (binding: Binding) => boolean, facts: Facts): boolean {
  let constant = true;
  walkWithin(expression, (node) => {
    switch (node.type) {
      case 'Identifier': {
        const parent = parentOf(node);
        const isName =
          (isMember(parent) && parent.property === node && !parent.computed) ||
          (parent?.type === 'ObjectProperty' && parent.key === node && !parent.computed && parent.value !== node);
        if (isName) return true;
        const binding = facts.bindings.resolve(node);
        if (!binding)
          constant &&=
            node.name === '__dirname' ||
            node.name === '__filename' ||
            node.name === 'require' ||
            node.name === 'process' ||
            node.name === 'URL' ||
            node.name === 'undefined';
        else constant &&= isFixed(binding);
        return constant;
      }
      case 'CallExpression':
        constant &&= isPathCall(node, facts) || node === unwrap(expression);
        return constant;
      case 'NewExpression':
        constant &&= node.callee.type === 'Identifier' && node.callee.name === 'URL';
        return constant;
      case 'MemberExpression':
        // `config.file` may be set later, or changed. `path.join`, `process.cwd` and `import.meta.url` are constant.
        constant &&=
          isCallee(node) || isNodeOwn(node, facts) || unwrap(node.object).type === 'MetaProperty' || isPathCall(node.object, facts);
        return constant;
      case 'ThisExpression':
      case 'AwaitExpression':
      case 'YieldExpression':
      case 'AssignmentExpression':
      case 'UpdateExpression':
        constant = false;
        return false;
      default:
        if (isFunction(node)) constant = false;
        return constant;
    }
  });
  return constant;
}

function isCallee(node: Node): boolean {
  const parent = parentOf(node);
  return parent?.type === 'CallExpression' && parent.callee === node;
}

/** A member of a core module that never changes: `path.sep`, `os.EOL`. */
function isNodeOwn(node: Node, facts: Facts): boolean {
  const origin = facts.origins.moduleMember(node);
  return origin !== undefined && (origin.module === 'path' || origin.module === 'url' || origin.module === 'os' || origin.module === 'fs');
}

/** `path.join(…)`, `path.resolve(…)`, `fileURLToPath(…)`, `require.resolve(…)`, `process.cwd()` */
export function isPathCall(node: Node, facts: Facts): boolean {
  if (node.type !== 'CallExpression') return false;
  const origin = facts.origins.of(node.callee);
  if (!origin) return false;
  const last = origin.path.at(-1) ?? origin.name;
  return (
    (origin.root === 'module' && (origin.name === 'path' || origin.name === 'url')) ||
    (origin.root === 'global' && ((origin.name === 'require' && last === 'resolve') || (origin.name === 'process' && last === 'cwd')))
  );
}

/** An unused variable name derived from the file name: `templateHtml` for `views/template.html`. */
export function freeName(call: CallNode, facts: Facts): string {
  let literal = '';
  for (const argument of call.arguments.slice(0, 1)) {
    walkWithin(argument, (node) => {
      if (node.type === 'StringLiteral') literal = node.value;
      if (node.type === 'TemplateElement' && node.value.cooked) literal = node.value.cooked;
    });
  }
  const words = (literal.split(/[\\/]/).pop() ?? '').split(/[^A-Za-z0-9]+/).filter(Boolean);
  // `CHANGELOG.md` is written in capitals for other reasons.
  const [first = '', ...others] = words.map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word));
  const joined = [
    first.charAt(0).toLowerCase() + first.slice(1),
    ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
  ].join('');
  const base = /^[A-Za-z]\w*$/.test(joined) && joined.length > 2 ? joined : 'fileContents';
  return unusedName(base, facts);
}
