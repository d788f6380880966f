// Whether other code uses the path of a blocking call, so that an `await` would let other requests come between the two.
import {
  contains,
  enclosingFunction,
  isCall,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { BlockingMatch } from './blocking.ts';
import { runsAtOnce } from './conditions.ts';
import { calledName, fileNameIn, mayBeInFolder, otherUse, partsOf, pathUsesOf, useOf, valueOf, type PathPart } from './path-uses.ts';

/** Why the call cannot be awaited because of its path; undefined if it can. */
export function whySamePath({ call, row }: BlockingMatch, fn: FunctionNode, facts: Facts): string | undefined {
  if (row.module === 'child_process') return whyChangedLater(call, fn, facts);
  const meanwhile = whyRemovedMeanwhile(call, fn, facts);
  if (meanwhile !== undefined) return meanwhile;
  const [first] = call.arguments;
  const name = row.path.at(-1) ?? '';
  const kind = useOf(name);
  if (!first || first.type === 'SpreadElement' || kind === undefined || kind === 'append') return undefined;
  // A folder that is there already stays as it is, however many requests make it.
  if (name === 'mkdirSync' && isRecursive(call.arguments[1])) return undefined;
  const text = facts.source.slice(unwrap(first));
  const { byText, byFileName } = pathUsesOf(facts);
  const uses = byText.get(text);
  const member = parentOf(call);
  const isLinkCheck = name === 'lstatSync' && isMember(member) && memberName(member) === 'isSymbolicLink';
  // The callers of a helper may read what it has checked.
  const next = isLinkCheck
    ? (readAfter(text, call, fn, facts) ??
      (facts.calls.callersOf(fn).some(({ edge }) => edge.via === 'call') ? otherUse(uses, 'read', call) : undefined))
    : undefined;
  if (next)
    return `\`${calleeText(next, facts)}(${text})\` on line ${facts.source.positionAt(startOf(next)).line} relies on this check, and a link could take the file's place while it waits. Open the file with \`O_NOFOLLOW\` instead`;
  const file = fileNameIn(valueOf(first, facts));
  // `path.join(folder, 'settings.json')` in one place, and a variable with it in another.
  const named = file !== undefined && /\.\w+$/.test(file) ? byFileName.get(file) : undefined;
  if (kind === 'write') {
    const read = otherUse(uses, 'read', call) ?? otherUse(named, 'read', call);
    if (read)
      return `\`${text}\` is also read in this file, by \`${calleeText(read, facts)}(…)\`. A request would read it while another one writes it`;
    if (/^(?:write|output)File/.test(name) && isJson(call.arguments[1], facts) && !isForOnce(first, facts))
      return `\`${text}\` is written as JSON, which other code may read again: an awaited write empties the file first, and a request would read it half written. Write to a temporary file beside it, and rename that file`;
    if (!isOwn(first, fn, facts)) return `requests at the same time would write \`${text}\` at the same time`;
    const later = isForOnce(first, facts) ? undefined : usedLater(first, call, fn, facts);
    return later === undefined
      ? undefined
      : `\`${text}\` is used again on line ${later}. With an await between, another request for the same path could change it before. Use a path that no other request has`;
  }
  // A folder of this request alone, which the function itself has made.
  if (isOwn(first, fn, facts) && UNIQUE.test(facts.source.slice(valueOf(first, facts)))) return undefined;
  const write =
    otherUse(uses, 'write', call) ?? otherUse(uses, 'append', call) ?? otherUse(named, 'write', call) ?? otherUse(named, 'append', call);
  return (
    write &&
    `\`${text}\` is also written in this file, by \`${calleeText(write, facts)}(…)\`. With an await between reading and writing, requests at the same time would lose changes`
  );
}

const LISTS = /^(?:readdir|scandir|opendir|glob)/i;
const REMOVES = /^(?:unlink|rm|rmdir|rename)(?:Sync)?$/;

/**
 * Why a list of files, and what is done with each of them, cannot be awaited: another function of the file removes files. The same for
 * several files that are written together.
 */
function whyRemovedMeanwhile(call: Node, fn: FunctionNode, facts: Facts): string | undefined {
  const name = calledName(call) ?? '';
  const all = outerOf(fn);
  const known = facts.remember('functions that list or write files', () => new Map<FunctionNode, { lists: boolean; writes: number }>());
  let found = known.get(all);
  if (!found) known.set(all, (found = filesOf(all, facts)));
  const { lists, writes } = found;
  const isOfSeveral = lists ? useOf(name) !== 'write' : writes > 1 && useOf(name) !== undefined;
  const removal = isOfSeveral ? callsNamed(REMOVES, facts).find((one) => !contains(all, one)) : undefined;
  const listed = !removal && useOf(name) === 'write' && !lists ? readBesideWrite(call, all, facts) : undefined;
  if (listed)
    return `line ${facts.source.positionAt(startOf(listed)).line} lists files, and the function there reads them: an awaited write empties its file first, and a request could read it half written. Write to a temporary file elsewhere, and rename that file`;
  return (
    removal &&
    `\`${calleeText(removal, facts)}(…)\` on line ${facts.source.positionAt(startOf(removal)).line} removes files. With an await between, a request could remove ${lists ? 'one after it was listed' : 'one of them before the next one is written'}`
  );
}

/** Also those that functions of the file write which it calls. */
function filesOf(fn: FunctionNode, facts: Facts): { lists: boolean; writes: number } {
  const found = { lists: false, writes: 0 };
  walkWithin(fn.body, (node) => {
    const name = isCall(node) ? calledName(node) : undefined;
    if (!isCall(node) || name === undefined) return;
    found.lists ||= LISTS.test(name);
    if (WRITES.test(name)) found.writes += 1;
    else for (const { via, target } of facts.calls.edgesOfCall(node)) if (via === 'call') found.writes += writesIn(target, facts);
  });
  return found;
}

const WRITES = /^(?:write|output)/;

/** Found once for all calls of a helper. */
function writesIn(fn: FunctionNode, facts: Facts): number {
  const known = facts.remember('writes in functions', () => new Map<FunctionNode, number>());
  let writes = known.get(fn);
  if (writes !== undefined) return writes;
  writes = 0;
  walkWithin(fn.body, (node) => {
    if (isCall(node) && WRITES.test(calledName(node) ?? '')) writes = (writes ?? 0) + 1;
  });
  known.set(fn, writes);
  return writes;
}

/** A call that lists files which its function then reads. */
interface Listing {
  list: CallNode;
  fn: FunctionNode;
  /** What is listed, and what is read. */
  paths: readonly PathPart[][];
}

/** A list of files that may have what a call writes, and whose function reads them or what is beside them. Not in the function that writes. */
function readBesideWrite(call: Node, writing: FunctionNode, facts: Facts): CallNode | undefined {
  const [first] = isCall(call) ? call.arguments : [];
  const written = first ? partsOf(first, facts) : [];
  return listingsOf(facts).find(
    ({ list, fn, paths }, index) =>
      !contains(fn, writing) && !contains(writing, list) && (index >= MOST_COMPARED || paths.some((read) => mayBeInFolder(written, read))),
  )?.list;
}

/** Of the lists of a file: more are taken for the same folder. */
const MOST_COMPARED = 100;

function listingsOf(facts: Facts): readonly Listing[] {
  return facts.remember('lists of files that are read', () =>
    callsNamed(LISTS, facts).flatMap((list) => {
      const inner = enclosingFunction(list);
      if (!inner) return [];
      const fn = outerOf(inner);
      const known = facts.remember('paths that functions read', () => new Map<FunctionNode, PathPart[][]>());
      let reads = known.get(fn);
      if (!reads) known.set(fn, (reads = readsIn(fn, facts)));
      return reads.length > 0 ? [{ list, fn, paths: [pathOf(list, facts), ...reads] }] : [];
    }),
  );
}

function readsIn(fn: FunctionNode, facts: Facts): PathPart[][] {
  const paths: PathPart[][] = [];
  walkWithin(fn.body, (node) => {
    if (isCall(node) && paths.length < MOST_COMPARED && /^read(?:File|JSON|Json)/.test(calledName(node) ?? ''))
      paths.push(pathOf(node, facts));
  });
  return paths;
}

/** Patterns may go on from any folder: `{ cwd }`. */
function pathOf(call: CallNode, facts: Facts): PathPart[] {
  const [first] = call.arguments;
  return first && !/glob/i.test(calledName(call) ?? '') ? partsOf(first, facts) : [];
}

const callsNamed = (names: RegExp, facts: Facts): readonly CallNode[] =>
  facts.remember(`calls of functions named ${names.source}`, () =>
    (['CallExpression', 'OptionalCallExpression'] as const)
      .flatMap((type) => facts.module.nodes(type))
      .filter((call) => names.test(calledName(call) ?? '')),
  );

/** The function around callbacks that run at once: `names.map((name) => statSync(name))`. */
function outerOf(fn: FunctionNode): FunctionNode {
  let at = fn;
  for (let outer = runsAtOnce(at) ? enclosingFunction(at) : undefined; outer; outer = runsAtOnce(at) ? enclosingFunction(at) : undefined)
    at = outer;
  return at;
}

/** A read of the same path below the call, in the same function. */
function readAfter(text: string, call: Node, fn: FunctionNode, facts: Facts): Node | undefined {
  let found: Node | undefined;
  walkWithin(fn.body, (node) => {
    if (isCall(node) && startOf(node) > startOf(call) && useOf(calledName(node) ?? '') === 'read')
      found ??= node.arguments.some((one) => facts.source.slice(unwrap(one)) === text) ? node : undefined;
    return found ? 'stop' : true;
  });
  return found;
}

/** Why a program cannot run without blocking: the function goes on to change files that another request may have changed meanwhile. */
function whyChangedLater(call: Node, fn: FunctionNode, facts: Facts): string | undefined {
  let changed: { path: Node; line: number } | undefined;
  walkWithin(fn.body, (node) => {
    if (changed || !isCall(node) || startOf(node) < startOf(call)) return true;
    const callee = unwrap(node.callee);
    const name = (isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined) ?? '';
    const [path] = node.arguments;
    if (path && CHANGES.test(name) && isOwn(path, fn, facts) && !isForOnce(path, facts))
      changed = { path, line: facts.source.positionAt(startOf(node)).line };
    return true;
  });
  return (
    changed &&
    `line ${changed.line} then changes \`${facts.source.slice(changed.path)}\`. With an await between, another request could change it while the program runs. Use a path that no other request has`
  );
}

/** The line below the call where the function uses its path again. A file of a request that the server itself has named is its own. */
function usedLater(path: Node, call: Node, fn: FunctionNode, facts: Facts): number | undefined {
  const node = unwrap(path);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  if (node.type !== 'Identifier' || !binding) return undefined;
  const later = facts.bindings
    .identifiersNamed(node.name)
    .find((one) => startOf(one) > startOf(call) && !contains(call, one) && contains(fn, one) && facts.bindings.resolve(one) === binding);
  return later && facts.source.positionAt(startOf(later)).line;
}

/**
 * Why callers cannot wait for a call that changes what is under a path: they go on with it, and another request could come between the
 * change and what follows.
 */
export function whyNotBetweenCallers({ call, row }: BlockingMatch, facts: Facts): string | undefined {
  const [first] = call.arguments;
  const name = row.path.at(-1) ?? '';
  if (!first || row.module === 'child_process' || !CHANGES.test(name)) return undefined;
  if (name === 'mkdirSync' && isRecursive(call.arguments[1])) return undefined;
  if (isForOnce(first, facts)) return undefined;
  return `\`${facts.source.slice(unwrap(first))}\` is changed, and the callers go on with it. With an await between, another request for the same path would come between the two. Convert the whole sequence by hand`;
}

const CHANGES = /^(?:write|output|append|unlink|rm|rmdir|remove|rename|move|copy|cp|open|truncate|mkdir|ensure|empty)\w*Sync$/;

/** `JSON.stringify(settings)` */
function isJson(content: Node | undefined, facts: Facts): boolean {
  const value = content && valueOf(content, facts);
  return isCall(value) && facts.origins.isGlobal(value.callee, 'JSON.stringify');
}

/** A path that nothing else has: `path.join(os.tmpdir(), …)`, `${randomUUID()}.json`. */
function isForOnce(path: Node, facts: Facts): boolean {
  const value = valueOf(path, facts);
  // `const name = 'temp.json'` is the same for all requests.
  if (isText(value)) return false;
  return ONCE.test(facts.source.slice(path)) || (value !== undefined && ONCE.test(facts.source.slice(value)));
}

/** Only calls: `req.params.uuid` is the same in many requests. */
const UNIQUE = /\brandom(?:Bytes|UUID|Int)\(|\buuid(?:v[1467])?\(|\bnanoid\(|\bmkdtemp(?:Sync)?\(/;

const ONCE = /tmp|temp|random|uuid\w*\(|\buuid\.v\d|nanoid\(|Date\.now|mkdtemp/i;

function isRecursive(options: Node | undefined): boolean {
  return (
    options?.type === 'ObjectExpression' &&
    options.properties.some(
      (property) =>
        property.type === 'ObjectProperty' &&
        property.key.type === 'Identifier' &&
        property.key.name === 'recursive' &&
        property.value.type === 'BooleanLiteral' &&
        property.value.value,
    )
  );
}

function calleeText(call: Node, facts: Facts): string {
  return isCall(call) ? facts.source.slice(call.callee) : '';
}

/** Whether a path is made from what the function itself was given or made, not from texts alone. */
function isOwn(path: Node, fn: FunctionNode, facts: Facts): boolean {
  let own = false;
  walkWithin(path, (node) => {
    if (node.type === 'Identifier') {
      const scope = facts.bindings.resolve(node)?.scope;
      const isInside = scope !== undefined && (scope === fn || contains(fn, scope));
      own ||= isInside && !isText(valueOf(node, facts));
    }
    return true;
  });
  return own;
}

function isText(node: Node): boolean {
  return node.type === 'StringLiteral' || (node.type === 'TemplateLiteral' && node.expressions.length === 0);
}
