// The names of the files that a module writes or reads at once, as far as it says them: what another module writes is not the same forever.
import { textOf } from '../constants.ts';
import type { Facts } from '../index.ts';
import { isCall, isMember, memberName, unwrap, type CallNode, type Node } from '../../module/ast.ts';

const WRITES = /^(?:write|append|output|copy|cp|rename|move|unlink|rm|remove|truncate)(?:File|Json|JSON)?(?:Sync)?$|^createWriteStream$/;
const READS = /^read(?:File|Json|JSON)Sync$/;
const MAY_READ = /\bread(?:File|Json|JSON)Sync\b/;
const MAY_WRITE = /\b(?:write|append|output|copy|cp|rename|move|unlink|rm|remove|truncate|createWriteStream)/;
/** Of path and url: the last argument, or the first, names the file. */
const MAKES_PATH = /^(?:join|resolve|URL|fileURLToPath|normalize)$/;
// The longest chain of calls and names to follow.
const MAX_STEPS = 6;

export const writtenFiles = (facts: Facts): readonly string[] => (MAY_WRITE.test(facts.source.text) ? filesOf(WRITES, facts) : []);

export const readFiles = (facts: Facts): readonly string[] => (MAY_READ.test(facts.source.text) ? filesOf(READS, facts) : []);

function filesOf(calls: RegExp, facts: Facts): readonly string[] {
  const names = new Set<string>();
  for (const call of facts.module.nodes('CallExpression'))
    if (calls.test(nameOf(call) ?? ''))
      for (const argument of call.arguments.slice(0, 2)) {
        const name = fileIn(argument, facts, 0);
        if (name !== undefined) names.add(name);
      }
  return [...names];
}

function nameOf({ callee }: CallNode): string | undefined {
  const node = unwrap(callee);
  return isMember(node) ? memberName(node) : node.type === 'Identifier' ? node.name : undefined;
}

/** `data.json` of `path.join(FOLDER, 'data.json')`, also in a constant. A text without an extension is none. */
function fileIn(path: Node, facts: Facts, steps: number): string | undefined {
  const node = unwrap(path);
  if (steps > MAX_STEPS) return undefined;
  const text = textOf(node, facts.bindings);
  if (text !== undefined) return /[^/\\]{1,80}\.\w{1,10}$/.exec(text.slice(-MOST_READ))?.[0];
  if (node.type === 'TemplateLiteral')
    return /[^/\\]{1,80}\.\w{1,10}$/.exec(node.quasis.at(-1)?.value.cooked?.slice(-MOST_READ) ?? '')?.[0];
  if (node.type === 'BinaryExpression') return fileIn(node.right, facts, steps + 1);
  if (isCall(node)) {
    const argument = MAKES_PATH.test(nameOf(node) ?? '') ? (nameOf(node) === 'URL' ? node.arguments[0] : node.arguments.at(-1)) : undefined;
    return argument && fileIn(argument, facts, steps + 1);
  }
  const declaration = node.type === 'Identifier' ? facts.bindings.resolve(node)?.declaration : undefined;
  return declaration?.type === 'VariableDeclarator' && declaration.init ? fileIn(declaration.init, facts, steps + 1) : undefined;
}

/** Of a text, from its end. */
const MOST_READ = 100;
