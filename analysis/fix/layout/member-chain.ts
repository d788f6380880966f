// Chains of calls: `a.b().c().d()`, on one line, or with one call per line.
import { isCall, isMember, type CallNode, type Node, type t } from '../../module/ast.ts';
import { breakParent, firstThatFits, group, hardLine, indent, join, willBreak, type Doc } from './doc.ts';
import { isParenthesized, isSimpleArgument } from './kinds.ts';
import type { LayoutStyle } from './source-text.ts';

/** The part of the layout of expressions that a chain needs. */
interface ChainLayout {
  readonly style: LayoutStyle;
  readonly parent: Node | undefined;
  within<T>(node: Node, print: () => T): T;
  print(node: Node): Doc;
  afterCallee(node: CallNode): Doc[];
  lookup(node: t.MemberExpression | t.OptionalMemberExpression): Doc;
}

interface Link {
  node: Node;
  doc: Doc;
}

/** `isChain`: whether it has more calls than are kept on one line as a matter of course. */
export function memberChain(node: CallNode, layout: ChainLayout): { doc: Doc; isChain: boolean } {
  const isStatement = layout.parent?.type === 'ExpressionStatement';
  const links = linksOf(node, layout);
  const groups = groupsOf(links);
  const [head = [], second] = groups;
  const merges = second !== undefined && staysTogether(head, second, isStatement, layout.style.step);
  const docs = groups.map((links_) => links_.map(({ doc }) => doc));
  const most = merges ? 3 : 2;
  const oneLine: Doc = docs;
  if (groups.length <= most) return { doc: isCallOfCall(node, layout) ? oneLine : group(oneLine), isChain: false };
  const first = merges ? 2 : 1;
  const expanded: Doc = [...docs.slice(0, first), indent([hardLine, ...join(hardLine, docs.slice(first))])];
  const calls = links.flatMap((link) => (isCall(link.node) ? [link.node] : []));
  const lastDoc = docs.at(-1) ?? '';
  const lastNode = groups.at(-1)?.at(-1)?.node;
  const isExpanded =
    (calls.length > 2 && calls.some((call) => call.arguments.some((arg) => !isSimpleArgument(arg)))) ||
    docs.slice(0, -1).some(willBreak) ||
    (lastNode !== undefined &&
      isCall(lastNode) &&
      willBreak(lastDoc) &&
      calls
        .slice(0, -1)
        .some((call) => call.arguments.some(({ type }) => type === 'FunctionExpression' || type === 'ArrowFunctionExpression')));
  const doc: Doc = isExpanded ? group(expanded) : [willBreak(oneLine) ? breakParent : '', firstThatFits([oneLine, expanded])];
  return { doc, isChain: true };
}

function linksOf(node: CallNode, layout: ChainLayout): Link[] {
  const links: Link[] = [];
  const add = (one: Node): void => {
    if (isCall(one) && one.type !== 'NewExpression' && !isEnd(one) && (isMember(one.callee) || isCall(one.callee))) {
      layout.within(one, () => add(one.callee as Node));
      links.push({ node: one, doc: layout.within(one, () => layout.afterCallee(one)) });
    } else if (isMember(one) && !isEnd(one)) {
      layout.within(one, () => add(one.object));
      links.push({ node: one, doc: layout.within(one, () => layout.lookup(one)) });
    } else if (one.type === 'TSNonNullExpression' && !isEnd(one)) {
      layout.within(one, () => add(one.expression));
      links.push({ node: one, doc: '!' });
    } else links.push({ node: one, doc: layout.print(one) });
  };
  const isEnd = (one: Node): boolean => one !== node && isParenthesized(one);
  add(node.callee as Node);
  links.push({ node, doc: layout.afterCallee(node) });
  return links;
}

/** The object, then one group per call. */
function groupsOf(links: readonly Link[]): Link[][] {
  const [start] = links;
  if (!start) return [];
  const head = [start];
  let i = 1;
  for (let link = links[i]; link; link = links[++i]) {
    const isIndex = isMember(link.node) && link.node.computed && /Literal$/.test(link.node.property.type);
    if (link.node.type !== 'TSNonNullExpression' && !isCall(link.node) && !isIndex) break;
    head.push(link);
  }
  if (!isCall(start.node) || isParenthesized(start.node)) {
    for (let link = links[i]; link; link = links[++i]) {
      const next = links[i + 1];
      if (!next || !isMember(link.node) || !isMember(next.node)) break;
      head.push(link);
    }
  }
  const groups = [head];
  let current: Link[] = [];
  let hasCall = false;
  for (const link of links.slice(i)) {
    if (hasCall && isMember(link.node) && !(link.node.computed && /Literal$/.test(link.node.property.type))) {
      groups.push(current);
      current = [];
      hasCall = false;
    }
    if (isCall(link.node)) hasCall = true;
    current.push(link);
  }
  if (current.length > 0) groups.push(current);
  return groups;
}

/** Whether the first call stays on the line of its object: `this.load()`, `Object.keys()`, `z.object()`. */
function staysTogether(head: readonly Link[], second: readonly Link[], isStatement: boolean, step: string): boolean {
  const isFactory = (name: string): boolean => /^[A-Z]|^[$_]+$/.test(name);
  const isComputed = second[0] !== undefined && isMember(second[0].node) && second[0].node.computed;
  const last = head.at(-1)?.node;
  if (!last) return false;
  if (head.length > 1) {
    if (!isMember(last) || last.property.type !== 'Identifier') return false;
    return isFactory(last.property.name) || isComputed;
  }
  if (last.type === 'ThisExpression') return true;
  const width = step === '\t' ? 2 : step.length;
  return last.type === 'Identifier' && (isFactory(last.name) || (isStatement && last.name.length <= width) || isComputed);
}

/** `f(a)(b)` with more arguments in the first call. */
function isCallOfCall(node: CallNode, { parent }: ChainLayout): boolean {
  return (
    parent !== undefined &&
    isCall(parent) &&
    parent.callee === node &&
    parent.arguments.length > 0 &&
    node.arguments.length > parent.arguments.length
  );
}
