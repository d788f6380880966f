// Folders that are made where they are missing: most of them once, however many requests ask for them.
import type { Facts } from '../../../analysis/facts/index.ts';
import { isCall, isFunction, parentOf, unwrap, type CallNode, type Node, type t } from '../../../analysis/module/ast.ts';
import { constantOf } from '../../../analysis/facts/constants.ts';
import { calledName } from '../path-uses.ts';
import { FolderNames } from './folder-names.ts';
import { asksIn, makesFolder } from './failing-paths.ts';

const ASKS = /^(?:existsSync|exists|pathExists|pathExistsSync|fileExists|dirExists|isDirectorySync)$/;

/** Whether a call makes a folder only where it is missing, and requests share that folder. */
export function isSharedFolderMadeOnce(call: CallNode, facts: Facts): boolean {
  if (!makesFolder(call)) return false;
  const path = call.arguments.find((argument) => runsIfMissing(call, facts.source.slice(argument), facts));
  return path !== undefined && new FolderNames(facts).isFixed(path);
}

/** Whether a call runs only where an entry of that path is missing: `if (!existsSync(folder)) …`, `existsSync(folder) || …`. */
function runsIfMissing(call: CallNode, path: string, facts: Facts): boolean {
  let from: Node = call;
  for (let at = parentOf(from); at && !isFunction(from); from = at, at = parentOf(at)) {
    switch (at.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        if (at.test !== from && (at.consequent === from ? isMissing(at.test, path, facts) : exists(at.test, path, facts))) return true;
        break;
      case 'LogicalExpression':
        if (at.right === from && (at.operator === '&&' ? isMissing(at.left, path, facts) : exists(at.left, path, facts))) return true;
        break;
      case 'CatchClause': {
        const around = parentOf(at);
        if (around?.type === 'TryStatement' && asksIn(around.block, facts).has(path)) return true;
        break;
      }
      case 'BlockStatement': {
        // `if (existsSync(folder)) return folder;`
        const before = at.body[at.body.indexOf(from as t.Statement) - 1];
        if (before?.type === 'IfStatement' && !before.alternate && leaves(before.consequent) && exists(before.test, path, facts))
          return true;
        break;
      }
    }
  }
  return false;
}

function leaves(statement: t.Statement): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement;
  return last?.type === 'ReturnStatement' || last?.type === 'ContinueStatement' || last?.type === 'ThrowStatement';
}

// The longest chain of tests to follow.
const MOST_TESTS = 8;

function isMissing(test: Node, path: string, facts: Facts, steps = 0): boolean {
  const node = unwrap(test);
  if (steps > MOST_TESTS) return false;
  if (node.type === 'UnaryExpression' && node.operator === '!') return exists(node.argument, path, facts, steps + 1);
  if (node.type === 'BinaryExpression' && /^===?$/.test(node.operator) && node.right.type === 'BooleanLiteral')
    return !node.right.value && exists(node.left, path, facts, steps + 1);
  return (
    node.type === 'LogicalExpression' &&
    node.operator === '&&' &&
    (isMissing(node.left, path, facts, steps + 1) || isMissing(node.right, path, facts, steps + 1))
  );
}

function exists(test: Node, path: string, facts: Facts, steps = 0): boolean {
  const node = unwrap(test);
  if (steps > MOST_TESTS) return false;
  if (node.type === 'UnaryExpression' && node.operator === '!') return isMissing(node.argument, path, facts, steps + 1);
  if (node.type === 'AwaitExpression') return exists(node.argument, path, facts, steps + 1);
  if (isCall(node)) {
    const [asked] = node.arguments;
    return asked !== undefined && ASKS.test(calledName(node) ?? '') && facts.source.slice(asked) === path;
  }
  const value = constantOf(node, facts.bindings);
  return value !== undefined && exists(value, path, facts, steps + 1);
}
