// Fix: what the first read of a constant file gives is kept, where a read at startup would be wrong: the file may not be there yet, or the
// path is only known later.
import {
  contains,
  enclosingFunction,
  endOf,
  isCall,
  isMember,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { getCodeStyle, restOfLine, whyNotKept } from '../../analysis/fix/code-style.ts';
import { openingParenthesis } from '../../analysis/fix/make-async.ts';
import { offsetBefore } from '../../analysis/fix/offset-before.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Fix, RefusedFix } from '../../analysis/rule.ts';
import { FIX_COSTS } from '../../knowledge/fix-costs.ts';
import type { BlockingMatch } from './blocking.ts';
import { unlessWritten } from './path-uses.ts';
import { decoded, freeName, isConstant, isPathCall, keptOf, staysBeside, twinsOf, whyNotSame, whyParsedAgain } from './load-at-startup.ts';

const TITLE = 'Keep what the first read gives';

/** They watch files, or exchange code while the program runs: changes must be seen. */
const WATCHERS: ReadonlySet<string> = new Set(
  'chokidar vite webpack-dev-middleware webpack-hot-middleware browser-sync livereload reload nodemon watch gaze sane'.split(' '),
);

/** Undefined if the path depends on the request. */
export function keepFirstRead(
  blocking: BlockingMatch,
  facts: Facts,
  runsOn: (range: string) => boolean,
  siblings: readonly BlockingMatch[] = [],
): Fix | RefusedFix | undefined {
  const { call, row } = blocking;
  if (row.module !== 'fs' || row.path.join('.') !== 'readFileSync') return undefined;
  const bindings: Binding[] = [];
  const ofRequest = requestFunction(call, facts);
  const isOutside = (binding: Binding): boolean => {
    bindings.push(binding);
    return facts.bindings.isConstant(binding) && (binding.scope.type === 'Program' || isAround(binding.scope, ofRequest));
  };
  if (!ofRequest || ![call.callee, ...call.arguments].every((part) => isConstant(part, isOutside, facts))) return undefined;
  const [path] = call.arguments;
  const computed = path && unwrap(path);
  if (isCall(computed) && computed.type !== 'NewExpression' && !isPathCall(computed, facts))
    return {
      title: TITLE,
      reason: `\`${facts.source.slice(computed.callee)}\` computes its path, so that a later call may mean another file, or a new version of it`,
    };
  const statement = placeOf(ofRequest, bindings, facts);
  const kept = keptOf(call, facts);
  const type = typeOf(call.arguments, kept === decoded(call), facts);
  if (!statement || type === undefined) return undefined;
  const changed = whyNotSame(call, facts) ?? whyParsedAgain(call, facts) ?? whyUntyped(kept, call, facts);
  if (changed !== undefined) return { title: TITLE, reason: changed };
  const watcher = facts.remember('watchers', () => findWatcher(facts));
  if (watcher)
    return {
      title: TITLE,
      reason: `\`${watcher.name}\` is loaded (line ${facts.source.positionAt(startOf(watcher.node)).line}), and requests must see changes of files. Read the file again when the watcher reports a change`,
    };
  const forbidden = whyNotKept(facts, runsOn);
  if (forbidden !== undefined) return { title: TITLE, reason: forbidden };
  const other =
    staysBeside(blocking, siblings, facts) ??
    siblings.find((one) => {
      const kept = one.call === call ? undefined : keepFirstRead(one, facts, runsOn);
      return kept !== undefined && 'edits' in kept && textOf(one.call.arguments[0], facts) !== textOf(call.arguments[0], facts);
    });
  if (other)
    return {
      title: TITLE,
      reason: `\`${other.name}\` on line ${facts.source.positionAt(startOf(other.call)).line} would still read on each request. Keep both, or neither`,
    };
  const [twin] = twinsOf(call, facts).filter((one) => siblings.every((sibling) => sibling.call !== one));
  if (twin)
    return {
      title: TITLE,
      reason: `line ${facts.source.positionAt(startOf(twin)).line} reads the same file, and would still do so on each request. Let both call one function`,
    };
  const within = isArgument(kept, facts) ? statementOf(kept) : undefined;
  if (isArgument(kept, facts) && !within)
    return { title: TITLE, reason: 'the read is an argument of another call. Put it into a variable of its own first' };
  const name = freeName(call, facts);
  const { semicolon, lineBreak } = getCodeStyle(facts);
  const offset = offsetBefore(statement, facts);
  // Formatters leave the parentheses out in `body = page ??= …`, and in a statement of its own.
  const isPlain = isAssigned(kept) || parentOf(kept)?.type === 'ExpressionStatement';
  const isTop = parentOf(statement)?.type === 'Program';
  const indent = facts.source.indentAt(startOf(statement));
  const gap = isTop ? lineBreak + lineBreak : lineBreak + indent;
  // What an earlier fix has added stands together with it.
  const before = declaredBefore(statement, facts);
  return {
    title: `${TITLE} (changes on disk then require a restart)`,
    kind: 'suggestion',
    named: 'first-read',
    ...unlessWritten(TITLE, [path], facts),
    cost: FIX_COSTS['first-read'],
    edits: [
      before
        ? { start: endOf(before), end: endOf(before), text: `${lineBreak}${indent}let ${name}${type}${semicolon}` }
        : { start: offset, end: offset, text: `let ${name}${type}${semicolon}${gap}` },
      ...(within
        ? [
            {
              start: startOf(within),
              end: startOf(within),
              text: `${name} ??= ${textOf(kept, facts)}${semicolon || ';'}${gapBefore(within, facts)}`,
            },
            { start: startOf(kept), end: endOf(kept), text: name },
          ]
        : [
            { start: startOf(kept), end: startOf(kept), text: `${isPlain ? '' : openingParenthesis(kept, facts)}${name} ??= ` },
            ...(isPlain ? [] : [{ start: endOf(kept), end: endOf(kept), text: ')' }]),
          ]),
    ],
  };
}

/** The type of a variable for what `JSON.parse` gives: only its author knows it. */
function whyUntyped(kept: Node, call: Node, facts: Facts): string | undefined {
  if (kept === call || kept === decoded(call) || !/\.[cm]?tsx?$/i.test(facts.source.file)) return undefined;
  return 'what `JSON.parse` gives would be kept in a variable without a type. Keep it in one that you declare';
}

function declaredBefore(statement: Node, facts: Facts): Node | undefined {
  const list = parentOf(statement);
  if (list?.type !== 'Program' && list?.type !== 'BlockStatement') return undefined;
  const body: readonly Node[] = list.body;
  const before = body[body.indexOf(statement) - 1];
  const isPlain = before?.type === 'VariableDeclaration' && before.kind === 'let' && before.declarations.every(({ init }) => !init);
  return isPlain && restOfLine(facts, endOf(before)).trim() === '' ? before : undefined;
}

function isAssigned(call: Node): boolean {
  const parent = parentOf(call);
  return parent?.type === 'AssignmentExpression' && parent.right === call && parentOf(parent)?.type === 'ExpressionStatement';
}

/** `res.send(readFileSync(…))`. `JSON.parse(readFileSync(…))`, where only the text can be kept, reads well with an assignment in it. */
function isArgument(call: Node, facts: Facts): boolean {
  const parent = parentOf(call);
  return isCall(parent) && parent.callee !== call && !facts.origins.isGlobal(parent.callee, 'JSON.parse');
}

/**
 * The statement that is a call with the read as its first argument, `res.send(readFileSync(…))`, so that nothing else runs before the read.
 */
function statementOf(call: Node): Node | undefined {
  const outer = parentOf(call);
  const statement = outer && parentOf(outer);
  if (!isCall(outer) || outer.arguments[0] !== call || statement?.type !== 'ExpressionStatement') return undefined;
  let callee = unwrap(outer.callee);
  while (isMember(callee) && !callee.computed) callee = unwrap(callee.object);
  return callee.type === 'Identifier' && parentOf(statement)?.type === 'BlockStatement' ? statement : undefined;
}

function textOf(node: Node | undefined, { source }: Facts): string {
  return node ? source.slice(node) : '';
}

/** A line of its own where the statement begins one. */
function gapBefore(statement: Node, facts: Facts): string {
  const { source } = facts;
  const indent = source.indentAt(startOf(statement));
  const { column } = source.positionAt(startOf(statement));
  return column - 1 === indent.length ? `${getCodeStyle(facts).lineBreak}${indent}` : ' ';
}

/** The outermost function around the call that runs for each request. */
function requestFunction(call: Node, facts: Facts): FunctionNode | undefined {
  const handlers = facts.remember('functions of handlers', () => new Set(facts.handlers.handlers.map(({ fn }) => fn)));
  let handler: FunctionNode | undefined;
  let outermost: FunctionNode | undefined;
  for (let fn = enclosingFunction(call); fn; fn = enclosingFunction(fn)) {
    outermost = fn;
    if (handlers.has(fn)) handler = fn;
  }
  return handler ?? outermost;
}

function isAround(scope: Node, fn: FunctionNode | undefined): boolean {
  return fn !== undefined && scope !== fn && contains(scope, fn);
}

/** The statement before which the variable is declared: in the outermost block that sees all names of the path. */
function placeOf(fn: FunctionNode, bindings: readonly Binding[], facts: Facts): Node | undefined {
  let place: Node | undefined;
  let at: Node = fn;
  for (let up = parentOf(at); up; at = up, up = parentOf(up)) {
    const block = up;
    if (up.type === 'TSModuleBlock') return undefined;
    if ((up.type === 'Program' || up.type === 'BlockStatement') && bindings.every(({ scope }) => scope === block || contains(scope, block)))
      place = at;
  }
  return place && !mayRunBefore(fn, place, facts) ? place : undefined;
}

/** A function declaration can be called above its place, where the variable does not exist yet. */
function mayRunBefore(fn: FunctionNode, place: Node, facts: Facts): boolean {
  const outside = enclosingFunction(place);
  return (
    contains(place, fn) &&
    fn.type === 'FunctionDeclaration' &&
    facts.calls.callersOf(fn).some(({ edge }) => edge.via === 'call' && enclosingFunction(edge.site) === outside)
  );
}

/** The variable's type in TypeScript; undefined if the source does not show it. */
function typeOf([, options]: readonly Node[], isText: boolean, facts: Facts): string | undefined {
  if (!/\.[cm]?tsx?$/i.test(facts.source.file)) return '';
  if (isText) return ': string | undefined';
  if (!options) return ': Buffer | undefined';
  if (options.type === 'StringLiteral') return ': string | undefined';
  const encoding =
    options.type === 'ObjectExpression' &&
    options.properties.some(
      (property) =>
        property.type === 'ObjectProperty' &&
        property.key.type === 'Identifier' &&
        property.key.name === 'encoding' &&
        property.value.type === 'StringLiteral',
    );
  return encoding ? ': string | undefined' : undefined;
}

function findWatcher(facts: Facts): { name: string; node: Node } | undefined {
  for (const literal of facts.module.nodes('StringLiteral')) {
    const parent = parentOf(literal);
    const isLoaded =
      parent?.type === 'ImportDeclaration' ||
      parent?.type === 'ImportExpression' ||
      (parent?.type === 'CallExpression' &&
        (parent.callee.type === 'Import' || (parent.callee.type === 'Identifier' && parent.callee.name === 'require')));
    if (isLoaded && WATCHERS.has(literal.value)) return { name: literal.value, node: literal };
  }
  return undefined;
}
