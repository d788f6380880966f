// Arguments as source text that means the same in another place: at the end of their own module, or of another one. What exists only where
// the call stands is dropped; nothing is made up.
import { endOf, isLoop, memberName, parentOf, startOf, type CallNode, type FunctionNode, type Node, type t } from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';
import type { Binding } from '../facts/bindings.ts';
import { isReference } from '../facts/identifiers.ts';
import { walkWithin } from '../module/module-index.ts';
import { TYPESCRIPT_FILE } from '../module/parse.ts';
import { PLAIN_GLOBALS } from '../project/summary/expressions.ts';
import { blankTypes } from './blank-types.ts';

/** From the module of the call to that at whose end the text is to hold; mostly the same. */
export interface Move {
  from: Facts;
  into: Facts;
  /** `from` is an example: what is nothing in it is what it is in `into`, and its author means what it calls to be called. */
  isExample?: boolean;
  /**
   * `from` is a test, an example that calls much else: the names that it imports from `into`. What it imports elsewhere, and what it calls
   * for its arguments, is its own.
   */
  ownNames?: ReadonlySet<string>;
}

/** The arguments as text that means the same at the end of `into`; undefined when some of them exist only where the call stands. */
export function argumentsText(move: Move, { arguments: args }: CallNode): string | undefined {
  const texts: string[] = [];
  for (const arg of args) {
    const text = rebuilt(move, arg);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts.join(', ');
}

interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** An expression as text that means the same at the end of `into`. */
export function rebuilt(move: Move, node: Node): string | undefined {
  const replacements: Replacement[] = [];
  let holds = true;
  walkWithin(node, (at): boolean | 'stop' | void => {
    const answer = judge(move, at, node);
    if (answer === 'leave') return false;
    if (answer === 'lost') {
      holds = false;
      return 'stop';
    }
    if (typeof answer === 'object') replacements.push(answer);
    return undefined;
  });
  if (!holds) return undefined;
  const base = startOf(node);
  let text = '';
  let at = base;
  for (const { start, end, text: instead } of replacements.sort((a, b) => a.start - b.start)) {
    text += move.from.source.text.slice(at, start) + instead;
    at = end;
  }
  return text + move.from.source.text.slice(at, endOf(node));
}

/** Types of another file mean nothing in the module: the text of an expression without them; undefined where they cannot be taken out. */
export function withoutTypes({ source: { file } }: Facts, text: string): string | undefined {
  if (!TYPESCRIPT_FILE.test(file)) return text;
  const blanked = blankTypes(file, `(${text})`);
  return blanked.ok ? blanked.text.slice(1, -1) : undefined;
}

/** What to do with one node of an argument: `keep` it, take other text for it, or give the call up. */
function judge(move: Move, node: Node, root: Node): 'keep' | 'leave' | 'lost' | Replacement {
  switch (node.type) {
    case 'Identifier':
      return judgeName(move, node, root);
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BigIntLiteral':
    case 'BooleanLiteral':
    case 'NullLiteral':
    case 'RegExpLiteral':
    case 'TemplateLiteral':
    case 'TemplateElement':
    case 'ArrayExpression':
    case 'ObjectExpression':
    case 'ObjectProperty':
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'ConditionalExpression':
    case 'SpreadElement':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return 'keep';
    case 'MemberExpression':
      // A constant's member is read again, and a getter runs again; neither writes anything in decent code.
      return 'keep';
    case 'NewExpression':
    case 'CallExpression':
      return isPlainMaker(move, node) ? 'keep' : 'lost';
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return hasOnlyOuterNames(move, node) ? 'leave' : 'lost';
    default:
      return 'lost';
  }
}

function judgeName(move: Move, node: t.Identifier, root: Node): 'keep' | 'lost' | Replacement {
  if (!isReference(node)) return 'keep';
  const binding = bindingOf(move, node);
  if (holdsThere(move, node.name, binding)) return 'keep';
  if (!binding) return 'lost';
  // A loop's counter stands for any small whole number.
  const { declaration } = binding;
  const loop = declaration.type === 'VariableDeclarator' ? parentOf(parentOf(declaration) ?? declaration) : undefined;
  const init = declaration.type === 'VariableDeclarator' ? declaration.init : undefined;
  if (loop && isLoop(loop) && loop.type === 'ForStatement' && init?.type === 'NumericLiteral')
    return replacement(node, String(init.value + 1));
  // Written once, from something that holds elsewhere: as good as that.
  if (
    declaration.type === 'VariableDeclarator' &&
    declaration.id.type === 'Identifier' &&
    init &&
    init !== root &&
    startOf(init) < startOf(root) &&
    move.from.bindings.isConstant(binding)
  ) {
    const text = rebuilt(move, init);
    return text === undefined ? 'lost' : replacement(node, `(${text})`);
  }
  return 'lost';
}

/** `{ rate }` names the property, too. */
function replacement(node: t.Identifier, text: string): Replacement {
  const parent = parentOf(node);
  const isShort = parent?.type === 'ObjectProperty' && parent.shorthand;
  return { start: startOf(node), end: endOf(node), text: isShort ? `${node.name}: ${text}` : text };
}

/** Globals that make a value out of their arguments and do nothing else. */
const MAKERS: ReadonlySet<string> = new Set([
  'Date',
  'Map',
  'Set',
  'URL',
  'URLSearchParams',
  'RegExp',
  'Error',
  'TypeError',
  'RangeError',
  'Array',
  'Object',
  'String',
  'Number',
  'Boolean',
  'BigInt',
  'Symbol',
  'Uint8Array',
  'Uint16Array',
  'Uint32Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
  'ArrayBuffer',
]);
const MAKER_METHODS: ReadonlySet<string> = new Set([
  'Buffer.from',
  'Buffer.alloc',
  'Array.from',
  'Array.of',
  'Object.create',
  'Object.fromEntries',
  'Object.freeze',
  'Date.now',
  'Math.floor',
  'Math.round',
  'Math.max',
  'Math.min',
  'JSON.parse',
]);

function isPlainMaker(move: Move, { callee, type }: t.NewExpression | t.CallExpression): boolean {
  const { from, into, isExample, ownNames } = move;
  if (isExample && !ownNames) return true;
  if (isExample && type === 'NewExpression' && callee.type === 'Identifier' && !bindingOf(move, callee))
    return MAKERS.has(callee.name) || into.bindings.lookUp(callee.name, into.module.program)?.kind === 'class';
  if (callee.type === 'Identifier') {
    const binding = from.bindings.resolve(callee);
    // Classes of this file are made by their own constructors; those of records and errors do nothing else.
    return binding ? binding.kind === 'class' && binding.scope.type === 'Program' && from === into : MAKERS.has(callee.name);
  }
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || from.bindings.resolve(callee.object)) return false;
  return MAKER_METHODS.has(`${callee.object.name}.${memberName(callee) ?? ''}`);
}

function hasOnlyOuterNames(move: Move, fn: FunctionNode): boolean {
  let outer = true;
  walkWithin(fn, (node) => {
    if (node.type === 'ThisExpression' || node.type === 'Super' || node.type === 'YieldExpression') outer = false;
    if (node.type !== 'Identifier' || !isReference(node)) return;
    const binding = bindingOf(move, node);
    const isOwn = binding && startOf(fn) <= startOf(binding.scope) && endOf(binding.scope) <= endOf(fn);
    if (!isOwn && !holdsThere(move, node.name, binding)) outer = false;
  });
  return outer;
}

/** What an example imports is the function's own package: the module has it itself. */
function bindingOf({ from, isExample, ownNames }: Move, node: t.Identifier): Binding | undefined {
  const binding = from.bindings.resolve(node);
  if (!isExample || !binding || ownNames?.has(node.name) === false) return binding;
  const { declaration } = binding;
  const init = declaration.type === 'VariableDeclarator' ? declaration.init : undefined;
  const isRequired = init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'require';
  return binding.kind === 'import' || isRequired ? undefined : binding;
}

/**
 * Whether a name means the same at the end of the other module: in its own module if it is the module's, elsewhere if it is a global of
 * both.
 */
function holdsThere({ from, into, isExample }: Move, name: string, binding: Binding | undefined): boolean {
  if (from === into) return !binding || binding.scope.type === 'Program';
  if (isExample)
    return (
      !binding &&
      (PLAIN_GLOBALS.has(name) ||
        MAKERS.has(name) ||
        OF_A_MODULE.has(name) ||
        into.bindings.lookUp(name, into.module.program) !== undefined)
    );
  return !binding && !OF_A_MODULE.has(name) && !into.bindings.lookUp(name, into.module.program);
}

/** Each CommonJS module has its own. */
const OF_A_MODULE: ReadonlySet<string> = new Set(['require', 'module', 'exports', '__filename', '__dirname', 'arguments']);
