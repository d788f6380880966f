// Fix: a check and what follows from it in one asynchronous call, so that no other request can come between the two.
import {
  enclosingFunction,
  endOf,
  findAncestor,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { hasComment, hasCommentBetween } from '../../analysis/fix/blocks.ts';
import { getCodeStyle, inBraces } from '../../analysis/fix/code-style.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Edit } from '../../analysis/rule.ts';
import { AsyncPlan } from './async-plan.ts';
import { promiseTarget } from './call-edits.ts';

export interface Idiom {
  title: string;
  /** What is replaced, in one piece. */
  start: number;
  end: number;
  /** The call that becomes the awaited one. */
  call: CallNode;
  check: CallNode;
  name: 'mkdir' | 'rm' | 'readFile';
  /** The check runs where the call has failed. */
  keepsCheck?: true;
  text(awaited: string, indent: string, slice: (exits: readonly Node[]) => readonly string[]): string;
}

/** `rm` came with Node 14.14; the others are older. */
const WITHOUT_RM = '<14.14.0-0';

/** A check with the call that depends on it, in a function that can wait; undefined where there is no such pair. */
export function findIdiom(call: CallNode, facts: Facts, runsOn: (range: string) => boolean): Idiom | undefined {
  const known = facts.remember('checks in functions that can wait', () => new Map<Idiom, boolean>());
  const idiom = findPair(call, facts, runsOn);
  const fn = idiom && enclosingFunction(idiom.call);
  if (!idiom || !fn) return undefined;
  const canWait = known.get(idiom) ?? new AsyncPlan(facts).makeAsync(fn, idiom.call) === undefined;
  known.set(idiom, canWait);
  return canWait ? idiom : undefined;
}

/** The same, whether or not this file alone shows that the function can wait. None where other code has a part in it. */
export function findPair(call: CallNode, facts: Facts, runsOn: (range: string) => boolean): Idiom | undefined {
  const known = facts.remember('checks with what depends on them', () => new Map<CallNode, Idiom | undefined>());
  if (!known.has(call)) {
    const idiom = idiomOf(call, facts, runsOn);
    for (const one of !idiom ? [call] : idiom.keepsCheck ? [idiom.call] : [idiom.call, idiom.check]) known.set(one, idiom);
  }
  return known.get(call);
}

function idiomOf(call: CallNode, facts: Facts, runsOn: (range: string) => boolean): Idiom | undefined {
  const statement = findAncestor(call, ({ type }) => type === 'IfStatement' || type === 'VariableDeclaration');
  const test = statement?.type === 'VariableDeclaration' ? previousStatement(statement) : statement;
  const idiom = repeated(call, facts) ?? (test?.type === 'IfStatement' ? (ensured(test, facts) ?? read(test, facts)) : undefined);
  const fn = enclosingFunction(call);
  if (!idiom || !fn || (idiom.call !== call && (idiom.keepsCheck || idiom.check !== call)) || (idiom.name === 'rm' && runsOn(WITHOUT_RM)))
    return undefined;
  return isUsedElsewhere(idiom, fn, facts) ? undefined : idiom;
}

/** The edits of idioms for a plan that has their functions, and which of its edits they contain already. */
export function idiomEdits(
  idioms: readonly Idiom[],
  plan: Pick<AsyncPlan, 'edits' | 'passesErrorsOn'>,
  facts: Facts,
): { edits: Edit[]; callees: Node[]; isOpen: (edit: Edit) => boolean } {
  // What the handler needs within the replaced lines: `return` before `reply.send(…)`.
  const isInside = (edit: Edit, { start, end }: Idiom): boolean => edit.start >= start && edit.end <= end;
  const indent = plan.passesErrorsOn ? getCodeStyle(facts).indent : '';
  const edits = idioms.flatMap((idiom): Edit[] => {
    const { start, end } = idiom;
    const target = promiseTarget(idiom.call.callee, 'fs', 'node:fs/promises', idiom.name, facts);
    const inside = plan.edits().filter((edit) => isInside(edit, idiom));
    const text = idiom.text(`await ${target.local}`, facts.source.indentAt(start) + indent, (exits) => sliceWith(exits, inside, facts));
    return [...target.edits, { start, end, text }];
  });
  return {
    edits,
    callees: idioms.flatMap(({ call, check, keepsCheck }) => (keepsCheck ? [call.callee] : [call.callee, check.callee])),
    isOpen: (edit) => !idioms.some((idiom) => isInside(edit, idiom)),
  };
}

/** `if (!existsSync(folder)) mkdirSync(folder)` and `if (existsSync(file)) unlinkSync(file)` */
function ensured(test: t.IfStatement, facts: Facts): Idiom | undefined {
  const check = checkedBy(test.test, facts);
  const only = onlyStatement(test.consequent);
  const call = only?.type === 'ExpressionStatement' ? unwrap(only.expression) : undefined;
  if (!check || test.alternate || !call || !isCall(call) || hasComment(facts, test)) return undefined;
  const [path, options, more] = call.arguments;
  const name = fsName(call, facts);
  if (!path || more || facts.source.slice(path) !== check.path) return undefined;
  const { semicolon } = getCodeStyle(facts);
  const place = { start: startOf(test), end: endOf(test), call, check: check.call };
  const withOption = (option: string): string | undefined => optionsWith(options, option, facts);
  if (check.isNegated && name === 'mkdirSync') {
    const option = withOption('recursive');
    const isRecursive = options !== undefined && option === facts.source.slice(options);
    // Where a request names the folder, its parents would be made, too, and a file of that name would be an error.
    return option === undefined || !isFixedPath(path, facts)
      ? undefined
      : {
          ...place,
          name: 'mkdir',
          title: `Replace the check by \`mkdir\` with \`recursive\` (${isRecursive ? '' : 'creates missing parents, too, and '}rejects if it is a file)`,
          text: (awaited) => `${awaited}(${check.path}, ${option})${semicolon}`,
        };
  }
  // For a name from outside that no file can have, `existsSync` is false, and `rm` rejects.
  if (check.isNegated || (name !== 'unlinkSync' && name !== 'rmSync') || !isFixedPath(path, facts)) return undefined;
  const option = withOption('force');
  return option === undefined
    ? undefined
    : {
        ...place,
        name: 'rm',
        title: 'Replace the check by `rm` with `force`',
        text: (awaited) => `${awaited}(${check.path}, ${option})${semicolon}`,
      };
}

/** `if (!existsSync(file)) return none; const text = readFileSync(file, 'utf8');` */
function read(test: t.IfStatement, facts: Facts): Idiom | undefined {
  const check = checkedBy(test.test, facts);
  const next = nextStatement(test);
  if (!check?.isNegated || test.alternate || next?.type !== 'VariableDeclaration' || next.kind === 'var' || next.declarations.length !== 1)
    return undefined;
  const [declarator] = next.declarations;
  const value = declarator?.init ? unwrap(declarator.init) : undefined;
  if (declarator?.id.type !== 'Identifier' || declarator.id.typeAnnotation || !value || !leaves(test.consequent)) return undefined;
  // `JSON.parse(readFileSync(…))`: an error of the parser is none of the file system's, and goes on.
  const call = isJsonParse(value, facts) ? unwrap(value.arguments[0] as Node) : value;
  if (!isCall(call) || fsName(call, facts) !== 'readFileSync' || hasCommentBetween(facts, startOf(test), endOf(next))) return undefined;
  const [path] = call.arguments;
  if (!path || facts.source.slice(path) !== check.path || !isText(path, facts) || !onlyReads(call)) return undefined;
  // Nobody writes a `try` in a `try`.
  if (facts.project.lint?.rules['functional/no-let'] || tryAround(next)) return undefined;
  const { lineBreak, indent: step, semicolon } = getCodeStyle(facts);
  const { name } = declarator.id;
  const isTypeScript = /\.[cm]?tsx?$/i.test(facts.source.file);
  const code = isTypeScript ? '(error as NodeJS.ErrnoException).code' : 'error.code';
  // For a path from outside, `existsSync` is false for many reasons that only it can tell from an error of the read: a folder that may not
  // be searched, and a file that may not be read, have the same code.
  const keepsCheck = !isFixedPath(path, facts);
  const isThere = keepsCheck ? facts.source.slice(check.call) : `${code} !== 'ENOENT'`;
  const exits = test.consequent.type === 'BlockStatement' ? test.consequent.body : [test.consequent];
  const source = facts.source.text;
  if (exits.some((exit) => /\berror\b/.test(facts.source.slice(exit)))) return undefined;
  // With `as Settings`.
  const whole = declarator.init ?? value;
  const [before, after] = [source.slice(startOf(whole), startOf(call)), source.slice(endOf(call), endOf(whole))];
  const args = source.slice(source.indexOf('(', endOf(call.callee)), endOf(call));
  return {
    start: startOf(test),
    end: endOf(next),
    call,
    check: check.call,
    name: 'readFile',
    ...(keepsCheck ? { keepsCheck } : {}),
    title: keepsCheck
      ? 'Read the file first, and check whether it is missing if that fails'
      : 'Read the file without the check, and handle the error if it is missing',
    text: (awaited, indent, slice) =>
      [
        `let ${name}${semicolon}`,
        'try {',
        `${step}${name} = ${before}${awaited}${args}${after}${semicolon}`,
        '} catch (error) {',
        `${step}if (${isThere}) throw error${semicolon}`,
        ...slice(exits).map((exit) => `${step}${exit}`),
        '}',
      ].join(`${lineBreak}${indent}`),
  };
}

/** `if (!existsSync(file)) return none; try { return JSON.parse(readFileSync(file, 'utf8')); } catch { return none; }`, or with the check in it. */
function repeated(call: CallNode, facts: Facts): Idiom | undefined {
  const isCheck = fsName(call, facts) === 'existsSync';
  const own = findAncestor(call, ({ type }) => /^(?:IfStatement|VariableDeclaration|ReturnStatement|ExpressionStatement)$/.test(type));
  if (!own) return undefined;
  const following = isCheck ? nextStatement(own) : own;
  const reading = isCheck && following?.type === 'TryStatement' ? following.block.body[0] : following;
  const around = reading && parentOf(parentOf(reading) ?? reading);
  if (!reading || around?.type !== 'TryStatement' || around.block !== parentOf(reading) || around.finalizer || !around.handler)
    return undefined;
  const before = previousStatement(reading);
  const test = before ?? previousStatement(around);
  const check = test?.type === 'IfStatement' && !test.alternate ? checkedBy(test.test, facts) : undefined;
  if (test?.type !== 'IfStatement' || !check?.isNegated || (isCheck && test !== own)) return undefined;
  const value =
    reading.type === 'VariableDeclaration' && reading.declarations.length === 1
      ? reading.declarations[0]?.init
      : reading.type === 'ReturnStatement'
        ? reading.argument
        : undefined;
  const kept = value ? unwrap(value) : undefined;
  const read = kept && isJsonParse(kept, facts) ? unwrap(kept.arguments[0] as Node) : kept;
  if (!read || !isCall(read) || fsName(read, facts) !== 'readFileSync' || !onlyReads(read)) return undefined;
  const [path] = read.arguments;
  if (!path || facts.source.slice(path) !== check.path || !isText(path, facts)) return undefined;
  const { consequent } = test;
  const exits = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
  const textOf = (statements: readonly Node[]): string => statements.map((one) => facts.source.slice(one).replace(/;$/, '')).join();
  const [exit] = exits;
  // The same name may mean another variable in the `catch`, and a call may throw.
  const isPlainExit = exits.length === 1 && exit?.type === 'ReturnStatement' && (!exit.argument || isLiteral(unwrap(exit.argument)));
  const isSame = isPlainExit && textOf(exits) === textOf(around.handler.body.body);
  if (!isSame || hasComment(facts, around.handler) || hasCommentBetween(facts, startOf(test), startOf(before ? reading : around)))
    return undefined;
  const { text } = facts.source;
  const args = text.slice(text.indexOf('(', endOf(read.callee)), endOf(read));
  return {
    start: startOf(test),
    end: endOf(read),
    call: read,
    check: check.call,
    name: 'readFile',
    title: 'Read the file without the check: the `catch` returns the same',
    text: (awaited) => `${text.slice(startOf(before ? reading : around), startOf(read))}${awaited}${args}`,
  };
}

function isLiteral(node: Node): boolean {
  if (node.type === 'ArrayExpression') return node.elements.length === 0;
  if (node.type === 'ObjectExpression') return node.properties.length === 0;
  return /^(?:Null|Boolean|Numeric|String)Literal$/.test(node.type) || (node.type === 'Identifier' && node.name === 'undefined');
}

function tryAround(node: Node): boolean {
  for (let at = node, up = parentOf(at); up && !isFunction(at); at = up, up = parentOf(up))
    if (up.type === 'TryStatement' && up.block === at) return true;
  return false;
}

const ENCODING = /^(?:utf-?8|ascii|latin1|binary|base64(?:url)?|hex|ucs-?2|utf-?16le)$/i;

/** The flag `a+` makes the file, and an encoding that does not exist is an error also where the file is missing. */
function onlyReads({ arguments: [, options, more] }: CallNode): boolean {
  if (!options || more) return !more;
  const isKnown = (node: Node): boolean => node.type === 'StringLiteral' && ENCODING.test(node.value);
  if (options.type !== 'ObjectExpression') return isKnown(options);
  return options.properties.every(
    (one) =>
      one.type === 'ObjectProperty' &&
      one.key.type === 'Identifier' &&
      (one.key.name === 'encoding'
        ? isKnown(one.value)
        : one.key.name === 'flag' && one.value.type === 'StringLiteral' && one.value.value === 'r'),
  );
}

/** The statements' texts with what edits make of them; a statement that is gone is left out. */
function sliceWith(statements: readonly Node[], edits: readonly Edit[], facts: Facts): string[] {
  return statements
    .map((statement) => {
      const [from, to] = [startOf(statement), endOf(statement)];
      const own = edits
        .filter((edit) => edit.start < to && edit.end > from - 1)
        .map((edit) => ({ ...edit, start: Math.max(edit.start, from) - from, end: Math.min(edit.end, to) - from }));
      return applyEdits(facts.source.slice(statement), own);
    })
    .filter((text) => text !== '');
}

interface Check {
  call: CallNode;
  path: string;
  isNegated: boolean;
}

/** `existsSync(path)` or `!existsSync(path)`, of a path that is the same when it is read twice. */
function checkedBy(test: Node, facts: Facts): Check | undefined {
  let node = unwrap(test);
  const isNegated =
    (node.type === 'UnaryExpression' && node.operator === '!') ||
    (node.type === 'BinaryExpression' && node.operator === '===' && node.right.type === 'BooleanLiteral' && !node.right.value);
  if (isNegated) node = unwrap(node.type === 'UnaryExpression' ? node.argument : node.type === 'BinaryExpression' ? node.left : node);
  if (!isCall(node) || fsName(node, facts) !== 'existsSync' || node.arguments.length !== 1) return undefined;
  const [path] = node.arguments;
  return path && isPlain(path) ? { call: node, path: facts.source.slice(path), isNegated } : undefined;
}

const MAKES = /^(?:mkdirSync|ensureDirSync|mkdirpSync|writeFileSync|copyFileSync|copySync)$/;

/**
 * `if (!existsSync(FOLDER)) mkdirSync(FOLDER)`: where the path is the same for all requests, only the first one makes it. The check runs
 * for each.
 */
export function makesWhatIsMissing(call: CallNode, facts: Facts): boolean {
  const callee = unwrap(call.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (name === undefined || !MAKES.test(name)) return false;
  for (let from: Node = call, at = parentOf(call); at && !isFunction(at); from = at, at = parentOf(at)) {
    if (at.type !== 'IfStatement' || at.consequent !== from) continue;
    const check = checkedBy(at.test, facts);
    const path = call.arguments.find((argument) => facts.source.slice(argument) === check?.path);
    if (check?.isNegated && path && isFixedPath(path, facts)) return true;
  }
  return false;
}

/** The check of `if (!existsSync(folder)) mkdirSync(folder)`. */
export function checkBefore(call: CallNode, facts: Facts): CallNode | undefined {
  const test = findAncestor(call, ({ type }) => type === 'IfStatement');
  if (test?.type !== 'IfStatement' || fsName(call, facts) !== 'mkdirSync') return undefined;
  const check = checkedBy(test.test, facts);
  const only = onlyStatement(test.consequent);
  const isOnly = only?.type === 'ExpressionStatement' && unwrap(only.expression) === call;
  const [path] = call.arguments;
  return isOnly && check?.isNegated && path && facts.source.slice(path) === check.path ? check.call : undefined;
}

/** Variables, members, texts, and calls that join paths. */
function isPlain(path: Node): boolean {
  let plain = true;
  walkWithin(path, (node) => {
    if (isCall(node))
      plain &&= isMember(node.callee) && /^(?:join|resolve|normalize|basename|toString)$/.test(memberName(node.callee) ?? '');
    else
      plain &&=
        /^(?:Identifier|StringLiteral|NumericLiteral|TemplateLiteral|TemplateElement|BinaryExpression|ThisExpression|(?:Optional)?MemberExpression)$/.test(
          node.type,
        );
    return plain;
  });
  return plain;
}

function fsName(call: CallNode, facts: Facts): string | undefined {
  const member = facts.origins.moduleMember(call.callee);
  return member?.module === 'fs' && member.path.length === 1 ? member.path[0] : undefined;
}

/** The second argument with the option set; undefined where it is unknown what it sets. */
function optionsWith(options: Node | undefined, option: string, facts: Facts): string | undefined {
  if (!options) return inBraces(`${option}: true`, facts);
  if (options.type !== 'ObjectExpression') return undefined;
  const known = options.properties.map((property) =>
    property.type === 'ObjectProperty' && property.key.type === 'Identifier' && !property.computed ? property.key.name : undefined,
  );
  if (known.includes(undefined)) return undefined;
  const text = facts.source.slice(options);
  const index = known.indexOf(option);
  const set = options.properties[index];
  if (index < 0)
    return options.properties.length === 0
      ? inBraces(`${option}: true`, facts)
      : text.replace(/^\{\s*/, (start) => `${start}${option}: true, `);
  return set?.type === 'ObjectProperty' && set.value.type === 'BooleanLiteral' && set.value.value ? text : undefined;
}

function isJsonParse(node: Node, facts: Facts): node is t.CallExpression {
  return node.type === 'CallExpression' && node.arguments.length === 1 && facts.origins.isGlobal(node.callee, 'JSON.parse');
}

/** Whether a path is a text: `existsSync` is false for anything else, and a read of it throws, or takes a number for a descriptor. */
function isText(path: Node, facts: Facts, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  const node = unwrap(path);
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return true;
  if (node.type === 'BinaryExpression')
    return node.operator === '+' && (isText(node.left, facts, depth + 1) || isText(node.right, facts, depth + 1)) && depth < DEEPEST;
  if (isCall(node)) {
    const name = isMember(node.callee) ? memberName(node.callee) : undefined;
    return name === undefined
      ? facts.origins.isGlobal(node.callee, 'String')
      : name === 'toString' ||
          (facts.origins.moduleMember(node.callee)?.module === 'path' && /^(?:join|resolve|normalize|basename)$/.test(name));
  }
  if (node.type !== 'Identifier') return false;
  if (node.name === '__filename' || node.name === '__dirname') return true;
  const binding = facts.bindings.resolve(node);
  if (!binding || !facts.bindings.isConstant(binding)) return false;
  const { identifier, declaration } = binding;
  if (identifier.type === 'Identifier' && identifier.typeAnnotation?.type === 'TSTypeAnnotation')
    return identifier.typeAnnotation.typeAnnotation.type === 'TSStringKeyword';
  const init = declaration.type === 'VariableDeclarator' && declaration.id === identifier ? declaration.init : undefined;
  return init != null && depth < DEEPEST && isText(init, facts, depth + 1);
}

const DEEPEST = 20;

/** Nothing in the path comes from what the function is given. */
export function isFixedPath(path: Node, facts: Facts): boolean {
  let fixed = true;
  walkWithin(path, (node) => {
    if (node.type === 'Identifier') {
      const scope = facts.bindings.resolve(node)?.scope;
      fixed &&= scope === undefined || scope.type === 'Program';
    }
    if (node.type === 'ThisExpression') fixed = false;
    return fixed;
  });
  return fixed;
}

/** Other calls of the function with the same path would run while this one waits. That a folder is made twice changes nothing. */
function isUsedElsewhere({ call, start, end, name }: Idiom, fn: FunctionNode, facts: Facts): boolean {
  const uses = usesOf(fn, facts).get(facts.source.slice(call.arguments[0] as Node));
  return uses?.[name === 'mkdir' ? 'notMaking' : 'all'].some((one) => startOf(one) < start || endOf(one) > end) ?? false;
}

/** Calls of `fs` with one argument, in the order of the source. */
interface Uses {
  all: CallNode[];
  /** Without those that ask for a folder or make it. */
  notMaking: CallNode[];
}

/** What a function calls of `fs`, by the text of each argument: a function may have a check in each of its lines. */
function usesOf(fn: FunctionNode, facts: Facts): ReadonlyMap<string, Uses> {
  const known = facts.remember('calls of fs by their arguments', () => new Map<FunctionNode, Map<string, Uses>>());
  let uses = known.get(fn);
  if (uses) return uses;
  known.set(fn, (uses = new Map()));
  const own = uses;
  walkWithin(fn.body, (node) => {
    const called = isCall(node) ? fsName(node, facts) : undefined;
    if (!isCall(node) || called === undefined) return true;
    for (const text of new Set(node.arguments.map((argument) => facts.source.slice(argument)))) {
      const same = own.get(text) ?? { all: [], notMaking: [] };
      same.all.push(node);
      if (!/^(?:existsSync|mkdir(?:Sync)?)$/.test(called)) same.notMaking.push(node);
      own.set(text, same);
    }
    return true;
  });
  return uses;
}

function onlyStatement(node: t.Statement): t.Statement | undefined {
  return node.type !== 'BlockStatement' ? node : node.body.length === 1 && node.directives.length === 0 ? node.body[0] : undefined;
}

function leaves(node: t.Statement): boolean {
  const last = node.type === 'BlockStatement' ? node.body.at(-1) : node;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement';
}

function siblingsOf(statement: Node): readonly Node[] {
  const block = parentOf(statement);
  return block?.type === 'BlockStatement' ? block.body : [];
}

function previousStatement(statement: Node): Node | undefined {
  const all = siblingsOf(statement);
  return all[all.indexOf(statement) - 1];
}

function nextStatement(statement: Node): Node | undefined {
  const all = siblingsOf(statement);
  return all[all.indexOf(statement) + 1];
}
