// Whether other code uses the path of a blocking call, so that an `await` would let other requests come between the two.
import { contains, isCall, unwrap, type FunctionNode, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { BlockingMatch } from './blocking.ts';
import { calledName, fileNameIn, otherUse, pathUsesOf, useOf, valueOf } from './path-uses.ts';

/** What takes a path as a text only: maps, paths, and logs. */
const KEEPS: ReadonlySet<string> = new Set(
  'get has set add push includes indexOf log info warn error debug join resolve relative normalize basename dirname extname parse String'.split(
    ' ',
  ),
);

/** Why the call cannot be awaited because of its path; undefined if it can. */
export function whySamePath({ call, row, promiseForm }: BlockingMatch, fn: FunctionNode, facts: Facts): string | undefined {
  const [first] = call.arguments;
  const name = row.path.at(-1) ?? '';
  const kind = useOf(name);
  if (!first || first.type === 'SpreadElement' || kind === undefined || kind === 'append') return undefined;
  // A folder that is there already stays as it is, however many requests make it.
  if (name === 'mkdirSync' && isRecursive(call.arguments[1])) return undefined;
  const text = facts.source.slice(unwrap(first));
  const isProbe = 'probe' in promiseForm && promiseForm.probe;
  if (isProbe) {
    const use = callsWith(text, fn.body, facts).find((one) => one !== call && !KEEPS.has(calledName(one) ?? ''));
    return (
      use &&
      `\`${text}\` is checked here and used in \`${calleeText(use, facts)}(…)\`. While the check waits, another request may create or remove it`
    );
  }
  const { byText, byFileName } = pathUsesOf(facts);
  const uses = byText.get(text);
  const file = fileNameIn(valueOf(first, facts));
  // `path.join(folder, 'settings.json')` in one place, and a variable with it in another.
  const named = file !== undefined && /\.\w+$/.test(file) ? byFileName.get(file) : undefined;
  if (kind === 'write') {
    const read = otherUse(uses, 'read', call) ?? otherUse(named, 'read', call);
    if (read)
      return `\`${text}\` is also read in this file, by \`${calleeText(read, facts)}(…)\`. A request would read it while another one writes it`;
    return isOwn(first, fn, facts) ? undefined : `requests at the same time would write \`${text}\` at the same time`;
  }
  const write =
    otherUse(uses, 'write', call) ?? otherUse(uses, 'append', call) ?? otherUse(named, 'write', call) ?? otherUse(named, 'append', call);
  return (
    write &&
    `\`${text}\` is also written in this file, by \`${calleeText(write, facts)}(…)\`. With an await between reading and writing, requests at the same time would lose changes`
  );
}

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

/** The calls within a node that pass an expression with this text. */
function callsWith(text: string, within: Node, facts: Facts): Node[] {
  const found: Node[] = [];
  walkWithin(within, (node) => {
    if (isCall(node) && node.arguments.some((argument) => facts.source.slice(unwrap(argument)) === text)) found.push(node);
    return true;
  });
  return found;
}

function calleeText(call: Node, facts: Facts): string {
  return isCall(call) ? facts.source.slice(call.callee) : '';
}

/** Whether a path is made from what the function itself was given or made. */
function isOwn(path: Node, fn: FunctionNode, facts: Facts): boolean {
  let own = false;
  walkWithin(path, (node) => {
    if (node.type === 'Identifier') {
      const scope = facts.bindings.resolve(node)?.scope;
      own ||= scope !== undefined && (scope === fn || contains(fn, scope));
    }
    return true;
  });
  return own;
}
