// Fix: a read whose arguments never change is done once, before the first request.
import {
  enclosingFunction,
  endOf,
  isFunction,
  isMember,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { offsetBefore } from '../../analysis/fix/offset-before.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Fix } from '../../analysis/rule.ts';
import type { BlockingMatch } from './blocking.ts';
import { isWritten } from './same-path.ts';

// Calls that only read, and whose result all requests can share.
const READS: ReadonlySet<string> = new Set(['readFileSync', 'readJsonSync', 'readJSONSync', 'machineIdSync']);

/** How the title of the fix begins, and the remedy that it replaces. */
export const AT_STARTUP = 'Read it once at startup';

export function canLoadAtStartup(blocking: BlockingMatch, facts: Facts): boolean {
  return findStatement(blocking, facts) !== undefined;
}

/** The statement before which the read can be inserted, if it does not depend on the request. */
function findStatement({ call, row }: BlockingMatch, facts: Facts): Node | undefined {
  const statement = READS.has(row.path.at(-1) ?? row.module) && !mayBeMissing(call, facts) ? topLevelStatement(call) : undefined;
  return statement && [call.callee, ...call.arguments].every((part) => isConstantBefore(part, startOf(statement), facts))
    ? statement
    : undefined;
}

/**
 * Whether the program is ready for a file that is not there, or reads it each time for a reason: under a condition or a `catch`, after it
 * writes the file itself, or where it changes its folder. Then a read at startup may keep it from starting, or answer with what was.
 */
function mayBeMissing(call: CallNode, facts: Facts): boolean {
  const fn = enclosingFunction(call);
  const [path] = call.arguments;
  if (!fn || !path) return true;
  for (let at: Node = call, up = parentOf(at); up && at !== fn; at = up, up = parentOf(at)) {
    if ((up.type === 'IfStatement' || up.type === 'ConditionalExpression') && up.test !== at) return true;
    if (up.type === 'LogicalExpression' && up.right === at) return true;
    if (up.type === 'SwitchCase' || (up.type === 'TryStatement' && up.block === at && up.handler)) return true;
  }
  return isWritten(path, facts) || /\bprocess\.chdir\b/.test(facts.source.text);
}

/** A fix that moves the read to the top level. */
export function loadAtStartup(blocking: BlockingMatch, facts: Facts): Fix | undefined {
  const statement = findStatement(blocking, facts);
  if (!statement) return undefined;
  const { call } = blocking;
  const offset = offsetBefore(statement, facts);
  const variable = freeName(call, facts);
  const line = facts.source.lineBreak;
  const { semicolon } = getCodeStyle(facts);
  return {
    title: `${AT_STARTUP} (changes on disk then require a restart, and a missing file prevents startup)`,
    kind: 'suggestion',
    edits: [
      { start: offset, end: offset, text: `const ${variable} = ${outdented(call, facts)}${semicolon}${line}${line}` },
      { start: startOf(call), end: endOf(call), text: variable },
    ],
  };
}

/** The top-level statement around a node; none if it is inside a namespace or follows another one on the same line. */
function topLevelStatement(node: Node): Node | undefined {
  let at = node;
  for (let up = parentOf(at); up; up = parentOf(up)) {
    if (up.type === 'Program') return at;
    if (up.type === 'TSModuleBlock') return undefined;
    at = up;
  }
  return undefined;
}

/** Whether an expression has the same value at every request, and only uses what is declared before the offset. */
function isConstantBefore(expression: Node, offset: number, facts: Facts): boolean {
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
        else
          constant &&=
            binding.scope.type === 'Program' &&
            facts.bindings.isConstant(binding) &&
            (binding.kind === 'import' || binding.kind === 'function' || (binding.identifier.start ?? 0) < offset);
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
function isPathCall(node: Node, facts: Facts): boolean {
  if (node.type !== 'CallExpression') return false;
  const origin = facts.origins.of(node.callee);
  if (!origin) return false;
  const last = origin.path.at(-1) ?? origin.name;
  return (
    (origin.root === 'module' && (origin.name === 'path' || origin.name === 'url')) ||
    (origin.root === 'global' && ((origin.name === 'require' && last === 'resolve') || (origin.name === 'process' && last === 'cwd')))
  );
}

/** The text of the call, with its later lines moved to the left margin as a whole. */
function outdented(call: CallNode, facts: Facts): string {
  const indent = facts.source.indentAt(startOf(call));
  return facts.source
    .slice(call)
    .split('\n')
    .map((text, i) => (i > 0 && text.startsWith(indent) ? text.slice(indent.length) : text))
    .join('\n');
}

/** An unused variable name derived from the file name: `templateHtml` for `views/template.html`. */
function freeName(call: CallNode, facts: Facts): string {
  let literal = '';
  for (const argument of call.arguments.slice(0, 1)) {
    walkWithin(argument, (node) => {
      if (node.type === 'StringLiteral') literal = node.value;
      if (node.type === 'TemplateElement' && node.value.cooked) literal = node.value.cooked;
    });
  }
  const words = (literal.split(/[\\/]/).pop() ?? '').split(/[^A-Za-z0-9]+/).filter(Boolean);
  const joined = words.map((word, i) => (i === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1)).join('');
  const base = /^[A-Za-z]\w*$/.test(joined) && joined.length > 2 ? joined : 'fileContents';
  for (let i = 1; ; i++) {
    const name = i === 1 ? base : `${base}${i}`;
    if (!facts.bindings.isNameUsed(name) && !RESERVED.has(name)) return name;
  }
}

const RESERVED: ReadonlySet<string> = new Set([
  'default',
  'function',
  'class',
  'return',
  'import',
  'export',
  'package',
  'private',
  'public',
  'static',
  'switch',
  'delete',
  'typeof',
  'while',
  'with',
  'yield',
  'await',
  'this',
  'throw',
  'super',
  'null',
  'true',
  'false',
  'case',
  'catch',
  'const',
  'continue',
  'debugger',
  'else',
  'enum',
  'extends',
  'finally',
  'for',
  'new',
  'try',
  'var',
  'void',
  'let',
  'interface',
  'implements',
  'protected',
  'arguments',
  'eval',
]);
