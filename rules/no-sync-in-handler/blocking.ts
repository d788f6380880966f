// Which row of the knowledge table a call matches, and how to write it without blocking.
import semver from 'semver';
import { isMember, memberName, parentOf, staticName, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { numberOf, textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { BlockingCall, BlockingCost, BlockingLevel } from '../../knowledge/blocking-call.ts';
import {
  CORE_CALLS,
  findBlockingCall as findRow,
  findBlockingMethods,
  findBlockingName,
  hasBlockingCalls,
  NAMES_WITHOUT_SYNC,
  PACKAGE_CALLS,
} from '../../knowledge/blocking-calls.ts';
import { asyncStartOf, isSyncStart, whyNoStart, type SyncStart } from './child-processes.ts';
import { meetsCondition } from './conditions.ts';
import { isMadeBy } from './made-by.ts';
import { levelOfRounds } from './seldom/few-rounds.ts';

export type PromiseForm =
  /** An export to import and await; `promisify` if it takes a callback. */
  | { kind: 'export'; module: string; name: string; label: string; promisify: boolean }
  /** Another method of the same object. */
  | { kind: 'method'; name: string; label: string }
  /** A function that the fix adds to the file. */
  | { kind: 'helper'; of: SyncStart; label: string };

export interface BlockingMatch {
  call: CallNode;
  row: BlockingCall;
  /** As in the message: `fs.readFileSync`, `Dir#readSync`. */
  name: string;
  level: Exclude<BlockingLevel, 'off'>;
  promiseForm: PromiseForm | NoPromiseForm;
}

export function startsProcess({ promiseForm }: BlockingMatch): boolean {
  return 'kind' in promiseForm && promiseForm.kind === 'helper';
}

/** `at`: what of the call the reason is about, if it is not the function itself. `remedy`: what to do instead. */
export interface NoPromiseForm {
  reason: string;
  at?: Node;
  remedy?: string;
}

/** What the other requests wait for. */
export const WAITS_FOR: Readonly<Record<BlockingCost, string>> = {
  io: 'the file system responds',
  spawn: 'the child process exits',
  cpu: 'the computation finishes',
  wait: 'the wait ends',
};

// Searching the text excludes most files: nothing in the table can be called without one of these words. Most calls end in `Sync`. The
// other names (`get`, `find`) say little, but the file must mention the module that they come from.
const needsOwnWord = (row: BlockingCall): boolean => row.level !== 'off' && !row.path.some((name) => name.endsWith('Sync'));
// `wait` is in every second file, `Atomics` is not.
const CORE_WORDS = CORE_CALLS.filter(needsOwnWord).map(
  (row) => `${row.madeBy || row.module === 'Atomics' ? row.module : (row.path.at(-1) ?? row.module)}\\b`,
);
const PACKAGE_WORDS = PACKAGE_CALLS.filter(needsOwnWord).map((row) => `['"]${row.module.replace(/[^\w]/g, '\\$&')}`);
const ANY_WORD = new RegExp(
  [
    'Sync\\b',
    ...NAMES_WITHOUT_SYNC.map((name) => `\\b${name}\\(`),
    ...PACKAGE_CALLS.filter(({ byDependency }) => byDependency).map(({ path }) => `\\.${path.join('.')}\\(`),
    ...new Set([...CORE_WORDS, ...PACKAGE_WORDS]),
  ].join('|'),
);

/** Whether a text mentions anything in the table. */
export function mayBlock(text: string): boolean {
  return ANY_WORD.test(text);
}

// Names under which a member of the table can be called.
const MEMBER_NAMES: ReadonlySet<string> = new Set([...CORE_CALLS, ...PACKAGE_CALLS].map((row) => row.path.at(-1) ?? row.module));

/** A cheap check of one call: whether its name may be in the table. A plain name may be an alias of anything. */
export function mayBeBlocking(call: CallNode): boolean {
  const callee = unwrap(call.callee);
  if (callee.type === 'Identifier') return true;
  if (!isMember(callee)) return false;
  const name = memberName(callee);
  return name === undefined || name.endsWith('Sync') || MEMBER_NAMES.has(name);
}

/** Whether the file stores a blocking function under another name in an object: `{ read: fs.readFileSync }`. Then any member may be one. */
export function hasRenamedMember(facts: Facts): boolean {
  return facts.module.nodes('ObjectProperty').some((property) => {
    const value = unwrap(property.value);
    const name = isMember(value) ? memberName(value) : value.type === 'Identifier' && !property.shorthand ? value.name : undefined;
    return name !== undefined && name.endsWith('Sync');
  });
}

export function findBlockingCall(call: CallNode, facts: Facts, runsOn: (range: string) => boolean): BlockingMatch | undefined {
  const row = findRowOf(call, facts);
  if (!row || (row.by ?? 'call') !== (call.type === 'NewExpression' ? 'new' : 'call') || (row.nodeRange && !runsOn(row.nodeRange)))
    return undefined;
  if (row.when && !meetsCondition(call, row.module, row.when, facts)) return undefined;
  const level = levelOf(call, row, facts);
  return level === 'off' ? undefined : { call, row, name: nameOf(row), level, promiseForm: promiseFormOf(call, row, facts) };
}

/** A call that is a blocking function if other files confirm it: `app.fs.readFileSync(path)`. */
export function findUnprovenCall(call: CallNode, facts: Facts, runsOn: (range: string) => boolean): BlockingMatch | undefined {
  const callee = unwrap(call.callee);
  const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
  const row = name === undefined ? undefined : findBlockingName(name);
  const origin = row && facts.origins.of(callee);
  if (!row || call.type === 'NewExpression' || (origin?.root === 'module' && hasBlockingCalls(origin.name))) return undefined;
  if (isMember(callee) && isOwnMethod(callee.object, name, call)) return undefined;
  if ((row.nodeRange && !runsOn(row.nodeRange)) || (row.when && !meetsCondition(call, row.module, row.when, facts))) return undefined;
  const level = levelOf(call, row, facts);
  return level === 'off' ? undefined : { call, row, name: nameOf(row), level, promiseForm: promiseFormOf(call, row, facts) };
}

/** `this.readFileSync(path)` in a class that has a method of that name. */
function isOwnMethod(object: Node, name: string | undefined, call: CallNode): boolean {
  if (unwrap(object).type !== 'ThisExpression') return false;
  let at: Node | undefined = call;
  while (at && at.type !== 'ClassBody') at = parentOf(at);
  return at?.body.some((one) => one.type === 'ClassMethod' && !one.static && staticName(one.key, one.computed) === name) ?? false;
}

function findRowOf(call: CallNode, facts: Facts): BlockingCall | undefined {
  const callee = unwrap(call.callee);
  const origin = facts.origins.of(callee);
  if (origin) {
    const row = findRow(origin.name, origin.path);
    return row && (row.root ?? 'module') === origin.root && isInstalled(row, facts) ? row : undefined;
  }
  if (!isMember(callee)) return oneOfSeveral(callee, facts);
  return findBlockingMethods(memberName(callee) ?? '').find(
    (row) =>
      (row.byImport && importsPackage(row.module, facts)) ||
      (row.byDependency && isGivenTo(callee.object, row.module, facts)) ||
      row.madeBy?.some((maker) => isMadeBy(callee.object, row.module, maker, facts)),
  );
}

/** `const toJson = isOld ? xlsToJson : xlsxToJson`: each of them blocks, and none has another form. */
function oneOfSeveral(callee: Node, facts: Facts): BlockingCall | undefined {
  const binding = callee.type === 'Identifier' ? facts.bindings.resolve(callee) : undefined;
  const declaration = binding?.declaration;
  if (!binding || declaration?.type !== 'VariableDeclarator' || declaration.id !== binding.identifier) return undefined;
  const assigned = facts.bindings.assignedValues(binding);
  if (assigned.length > MOST_VALUES) return undefined;
  const values = [...(declaration.init ? [declaration.init] : []), ...assigned].flatMap((value) => branchesOf(value, 0));
  const rows = values.map((value) => {
    const origin = value && facts.origins.moduleMember(value);
    const row = origin && findRow(origin.module, origin.path);
    return row && (row.root ?? 'module') === 'module' && row.asyncForm.kind === 'none' && !row.when ? row : undefined;
  });
  return rows.every((row) => row !== undefined) ? rows[0] : undefined;
}

/** Our choices: a variable that chooses between functions of packages has few. */
const MOST_VALUES = 8;
const MOST_BRANCHES = 4;

function branchesOf(value: Node | undefined, depth: number): readonly (Node | undefined)[] {
  const node = value && unwrap(value);
  if (node?.type !== 'ConditionalExpression' || depth > MOST_BRANCHES) return [node];
  return [...branchesOf(node.consequent, depth + 1), ...branchesOf(node.alternate, depth + 1)];
}

/** Whether the project may depend on a version of the package in which the call blocks. */
function isInstalled({ module, versions }: BlockingCall, { project: { manifest } }: Facts): boolean {
  const range = versions === undefined ? undefined : (manifest?.dependencies[module] ?? manifest?.devDependencies[module]);
  if (versions === undefined || range === undefined || semver.validRange(range) === null) return true;
  return semver.intersects(range, versions);
}

/** Whether an object is what a function is given, in a project that depends on the package. */
function isGivenTo(object: Node, module: string, { bindings, project: { manifest } }: Facts): boolean {
  const node = unwrap(object);
  return node.type === 'Identifier' && bindings.resolve(node)?.kind === 'param' && manifest?.dependencies[module] !== undefined;
}

/** Whether the file loads a package under its name. */
function importsPackage(name: string, { source: { text } }: Facts): boolean {
  return [`'${name}'`, `"${name}"`].some((word) => text.includes(word));
}

function nameOf(row: BlockingCall): string {
  if (row.className) return `${row.className}#${row.path.at(-1) ?? ''}`;
  return row.path.length === 0 ? row.module : `${row.module}.${row.path.join('.')}`;
}

function levelOf(call: CallNode, row: BlockingCall, facts: Facts): BlockingLevel {
  const byRounds = levelOfRounds(call, row, facts);
  if (byRounds) return byRounds;
  const { cheaper } = row;
  const argument = cheaper && call.arguments[cheaper.argument];
  if (cheaper?.orNone && !argument) return cheaper.level;
  if (cheaper && argument) {
    const text = textOf(argument, facts.bindings) ?? numberOf(argument, facts.bindings)?.toString();
    if (text !== undefined && cheaper.oneOf.includes(text)) return cheaper.level;
  }
  if (row.single && !facts.hotness.isMultipliedInOneTurn(call) && !isOfTree(call, row)) return row.single;
  return row.level ?? 'warning';
}

/** `rmSync(folder, { recursive: true })`: as many entries as the folder has. Options that are not visible may say so. */
function isOfTree(call: CallNode, { path }: BlockingCall): boolean {
  const options = call.arguments[1];
  if (!options || !/^(?:rm(?:dir)?|readdir)Sync$/.test(path.at(-1) ?? '')) return false;
  const node = unwrap(options);
  // `readdirSync(folder, 'utf8')`
  if (node.type === 'StringLiteral') return false;
  return (
    node.type !== 'ObjectExpression' ||
    node.properties.some((property) => property.type === 'SpreadElement' || staticName(property.key, property.computed) === 'recursive')
  );
}

function promiseFormOf(call: CallNode, row: BlockingCall, facts: Facts): BlockingMatch['promiseForm'] {
  const form = row.asyncForm;
  const start = row.module === 'child_process' ? row.path[0] : undefined;
  if (isSyncStart(start)) {
    const label = `child_process.${asyncStartOf(start)}`;
    return whyNoStart(call, start, facts) ?? { kind: 'helper', of: start, label };
  }
  if (form.kind === 'none') return { reason: form.advice, ...(form.remedy !== undefined && { remedy: form.remedy }) };
  if (isProbe(row)) return NO_PROBE;
  if (row.module === 'crypto' && row.path.at(-1) === 'hkdfSync') return NO_HKDF;
  if (form.result === 'differs') return ofOtherForm(form);
  if (form.kind === 'method')
    return form.style === 'promise'
      ? { kind: 'method', name: form.name, label: `${row.className ?? row.module}#${form.name}` }
      : { reason: form.note ?? `\`${form.name}\` takes a callback` };
  const [name] = form.path;
  if (name === undefined && form.kind === 'promise' && form.note === undefined) return ofWholeModule(call, form.module, facts);
  if (name === undefined || form.path.length !== 1) return { reason: form.note ?? `\`${form.module}\` must be called differently` };
  if (isDescriptor(call.arguments[0], facts) && form.module === 'node:fs/promises')
    return { reason: 'the promise form takes a path or a FileHandle, not a numeric file descriptor' };
  if (facts.source.slice(call).includes('throwIfNoEntry'))
    return { reason: 'the promise form does not honor `throwIfNoEntry` on every Node version: it rejects if the file is missing' };
  if (form.module === 'node:fs/promises' && mayLackPromises(facts))
    return { reason: `${facts.project.nodeRangeSource} allows versions before Node 10, which have no \`fs.promises\`` };
  if (form.module === 'node:crypto' && name === 'scrypt' && call.arguments.length > 3 && /\.[cm]?tsx?$/i.test(facts.source.file))
    return {
      reason: 'TypeScript takes the types of `promisify(scrypt)` from an overload without options. Write a promise around `scrypt`',
    };
  const label = `${labelOf(form.module)}.${name}`;
  const promisify = form.kind === 'callback';
  return { kind: 'export', module: form.module, name, label: promisify ? `util.promisify(${label})` : label, promisify };
}

/** A form that gives something else, or takes other arguments. */
function ofOtherForm(form: Exclude<BlockingCall['asyncForm'], { kind: 'none' }>): NoPromiseForm {
  const reason = form.note ?? 'its asynchronous form returns a different result';
  if (form.kind === 'method') return { reason };
  const label = [labelOf(form.module), ...form.path].join('.');
  return { reason, remedy: `Use \`${label}\` instead. What differs: ${reason}.` };
}

/** `fs.promises` for `node:fs/promises` */
const labelOf = (module: string): string => (module.startsWith('node:') ? module.slice('node:'.length).replace('/', '.') : module);

/** `fg.sync(patterns, options)`: `await fg(patterns, options)` gives the same. */
function ofWholeModule(call: CallNode, module: string, facts: Facts): NoPromiseForm {
  const callee = unwrap(call.callee);
  const object = isMember(callee) ? unwrap(callee.object) : undefined;
  const instead = object?.type === 'Identifier' ? `\`${facts.source.slice(object)}(…)\`` : `the function that \`${module}\` exports`;
  return {
    reason: `the promise form is ${instead}, which takes the same arguments. Write it by hand`,
    remedy: `Await ${instead}, which takes the same arguments.`,
  };
}

/** https://nodejs.org/docs/latest/api/fs.html#promises-api: since 10.0.0. A range that names no version says nothing. */
export function mayLackPromises({ project: { nodeRange } }: Facts): boolean {
  const least = semver.validRange(nodeRange) === null ? null : semver.minVersion(nodeRange);
  return least !== null && semver.gt(least, '0.0.0') && semver.lt(least, '10.0.0');
}

/** `existsSync`, which `access` replaces: with an error instead of `false`. `pathExists` of fs-extra calls that, too. */
export const isProbe = ({ path, asyncForm: form }: BlockingCall): boolean =>
  /^(?:existsSync|pathExistsSync)$/.test(path.at(-1) ?? '') && 'path' in form && /^(?:access|pathExists)$/.test(form.path.at(-1) ?? '');

// Measured with Node 20 on Linux, processor time of all threads: 1.5 µs, and 22 µs for `await access(path).then(() => true, () => false)`.
const NO_PROBE: NoPromiseForm = {
  reason:
    'the check takes about 2 µs, and `await access(path)` ten times as much processor time. If the path is used next, skip the check, and handle the error of that call',
  remedy: 'If the path is used next, skip the check, and handle the error of that call.',
};

/** Measured with Node 20, 22, and 24 on Linux: see the row in knowledge/blocking-core.ts. */
const NO_HKDF: NoPromiseForm = {
  reason: 'it takes 4 to 9 µs for 64 bytes, and the thread pool costs more. If the key is the same each time, derive it once',
  remedy: 'If the key is the same each time, derive it once.',
};

/** Whether an argument is a file descriptor: `0`, `fd`, the result of `fs.openSync`. */
function isDescriptor(argument: Node | undefined, facts: Facts): boolean {
  if (!argument) return false;
  const node = unwrap(argument);
  if (node.type === 'NumericLiteral') return true;
  if (node.type !== 'Identifier') return isMember(node) && /fd$/i.test(memberName(node) ?? '');
  if (/^(?:fd|fileDescriptor|descriptor)$|Fd$/.test(node.name)) return true;
  const declaration = facts.bindings.resolve(node)?.declaration;
  return (
    declaration?.type === 'VariableDeclarator' &&
    declaration.init?.type === 'CallExpression' &&
    facts.origins.moduleMember(declaration.init.callee)?.path.at(-1) === 'openSync'
  );
}
