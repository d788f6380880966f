// Finds what reads NODE_ENV before a line of the same file sets it. Express reads it in `express()`, not while it is loaded, so the exact
// moment counts (tested with express 4.22.3 and 5.3.0: set between `require('express')` and `express()`, the view cache is on).
import { enclosingFunction, parentOf, type Node, type t } from '../../analysis/module/ast.ts';
import { groupBy } from '../../analysis/module/group-by.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { NODE_ENV_PACKAGES } from '../../knowledge/node-env-packages.ts';
import type { Span } from '../../protocol/finding.ts';
import type { NodeEnvWrite } from './node-env-writes.ts';

export interface EarlierRead {
  package: string;
  effect: string;
  /** Why it was read there, as a whole sentence. */
  reason: string;
  span: Span;
  node: Node;
  /** An import of an ES module: no line of the module runs before it. */
  isHoisted: boolean;
}

export function findEarlierRead(write: NodeEnvWrite, facts: Facts): EarlierRead | undefined {
  const { imports, calls } = facts.remember('what reads NODE_ENV', () => ({
    imports: [...importsThatRead(facts)],
    calls: groupBy(
      [...requiresThatRead(facts), ...callsThatRead(facts)].sort((a, b) => a.span.start - b.span.start),
      ({ node }) => enclosingFunction(node),
    ),
  }));
  // TypeScript that is compiled to CommonJS keeps the order of the lines.
  const isInOrder = /\.[cm]?tsx?$/.test(facts.source.file);
  const [first] = imports;
  const hoisted = first && isInOrder && first.span.start > (write.node.start ?? 0) ? undefined : first;
  const called = calls.get(enclosingFunction(write.node))?.find(({ node }) => runsBefore(node, write));
  return hoisted && called ? (called.span.start < hoisted.span.start ? called : hoisted) : (hoisted ?? called);
}

function* importsThatRead(facts: Facts): Generator<EarlierRead> {
  for (const node of facts.module.nodes('ImportDeclaration')) {
    const row = node.importKind === 'type' || node.importKind === 'typeof' ? undefined : rowThatLoads(node.source.value);
    if (!row) continue;
    yield {
      package: row.name,
      effect: row.effect,
      reason: `${row.name} reads it while it loads, and imports run before the module's own code.`,
      span: spanOf(node),
      node,
      isHoisted: true,
    };
  }
}

function* requiresThatRead(facts: Facts): Generator<EarlierRead> {
  for (const call of facts.module.nodes('CallExpression')) {
    const [argument] = call.arguments;
    if (call.callee.type !== 'Identifier' || call.callee.name !== 'require' || argument?.type !== 'StringLiteral') continue;
    const row = rowThatLoads(argument.value);
    if (row)
      yield {
        package: row.name,
        effect: row.effect,
        reason: `${row.name} reads it while it loads.`,
        span: spanOf(call),
        node: call,
        isHoisted: false,
      };
  }
}

function* callsThatRead(facts: Facts): Generator<EarlierRead> {
  for (const call of [...facts.module.nodes('CallExpression'), ...facts.module.nodes('NewExpression')]) {
    const member = facts.origins.moduleMember(call.callee);
    const row = member && NODE_ENV_PACKAGES.find((one) => one.name === member.module && one.reads === 'create');
    if (!row || !member || !row.creators?.includes(member.path.length === 0 ? 'default' : member.path.join('.'))) continue;
    yield {
      package: row.name,
      effect: row.effect,
      reason: `${row.name} reads it when ${row.creators[0] === 'default' ? `\`${row.name}()\` is called` : `a \`${row.creators[0]}\` is created`}.`,
      span: spanOf(call),
      node: call,
      isHoisted: false,
    };
  }
}

function rowThatLoads(specifier: string): (typeof NODE_ENV_PACKAGES)[number] | undefined {
  return NODE_ENV_PACKAGES.find((row) => row.reads === 'load' && (row.name === specifier || specifier.startsWith(`${row.name}/`)));
}

/** Whether `node`, of the same function or also at the top level, certainly runs before the write: in no branch without the write. */
function runsBefore(node: t.Node, write: NodeEnvWrite): boolean {
  if ((node.start ?? 0) >= (write.node.start ?? 0)) return false;
  for (let at = parentOf(node); at; at = parentOf(at)) {
    const isBranch =
      at.type === 'IfStatement' ||
      at.type === 'ConditionalExpression' ||
      at.type === 'LogicalExpression' ||
      at.type === 'SwitchStatement' ||
      at.type === 'TryStatement';
    if (isBranch && !((at.start ?? 0) <= (write.node.start ?? 0) && (write.node.end ?? 0) <= (at.end ?? 0))) return false;
  }
  return true;
}

function spanOf(node: Node): Span {
  return { start: node.start ?? 0, end: node.end ?? 0 };
}
