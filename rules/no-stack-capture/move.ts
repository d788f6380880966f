// The fix: an error is created where it is used.
import { hasCommentBetween } from '../../analysis/fix/blocks.ts';
import { endsItsLine } from '../../analysis/fix/code-style.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { endOf, isCall, isMember, parentOf, startOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Repair } from '../../analysis/rule.ts';
import type { Capture } from './captures.ts';

const TITLE = 'Create the error where it is used';

export function moveToUse({ error }: Capture, facts: Facts): Repair {
  const refusal = (reason: string): Repair => ({ fixes: [], refused: [{ title: TITLE, reason }] });
  if (!error) return { fixes: [], refused: [] };
  const { made, declarator, uses, isChanged } = error;
  const [use, other] = uses;
  const declaration = declarator && parentOf(declarator);
  if (!declarator || !use || declaration?.type !== 'VariableDeclaration' || declaration.declarations.length > 1)
    return refusal('it is not the value of a variable of its own');
  if (isChanged) return refusal('properties of the error are set before it is used');
  if (other) return refusal('several places use it');
  if (!isWhole(use)) return refusal('its use is not the whole of an argument or of what is thrown');
  const maker = unwrap(made.callee);
  if (maker.type !== 'Identifier' || facts.bindings.lookUp(maker.name, use) !== facts.bindings.resolve(maker))
    return refusal('its class has another meaning there');
  if (!made.arguments.every((argument) => isFixed(argument, use, facts))) return refusal('its text may be another by then');
  const start = facts.source.text.lastIndexOf('\n', startOf(declaration) - 1) + 1;
  const next = facts.source.text.indexOf('\n', endOf(declaration));
  if (facts.source.text.slice(start, startOf(declaration)).trim() !== '' || !endsItsLine(facts, declaration) || next < 0)
    return refusal('it shares its line with other code');
  const before = facts.source.text.lastIndexOf('\n', start - 2) + 1;
  if (hasCommentBetween(facts, before, next + 1)) return refusal('there is a comment beside it, which may be about it');
  return {
    fixes: [
      {
        title: TITLE,
        kind: 'suggestion',
        edits: [
          { start, end: next + 1, text: '' },
          { start: startOf(use), end: endOf(use), text: facts.source.slice(declarator.init ?? made) },
        ],
      },
    ],
    refused: [],
  };
}

/** `throw error`, `reject(error)`, `return error` */
function isWhole(use: Node): boolean {
  const user = parentOf(use);
  if (user?.type === 'ThrowStatement' || user?.type === 'ReturnStatement') return true;
  return isCall(user) && user.callee !== use;
}

/** Whether an expression has the same value where the error is used: literals, and variables that nobody writes. */
function isFixed(argument: Node, use: Node, facts: Facts): boolean {
  const node = unwrap(argument);
  if (/^(?:String|Numeric|Boolean|Null)Literal$/.test(node.type)) return true;
  if (node.type === 'TemplateLiteral') return (node.expressions as t.Expression[]).every((one) => isFixed(one, use, facts));
  if (node.type === 'BinaryExpression') return isFixed(node.left, use, facts) && isFixed(node.right, use, facts);
  if (node.type === 'ObjectExpression')
    return node.properties.every((one) => one.type === 'ObjectProperty' && !one.computed && isFixed(one.value, use, facts));
  // An object may change, and its text with it. A variable with another of its name between the two is another one.
  if (node.type !== 'Identifier' || isMember(parentOf(node))) return false;
  const binding = facts.bindings.resolve(node);
  if (!binding || facts.bindings.lookUp(node.name, use) !== binding || !facts.bindings.isConstant(binding)) return false;
  const type = facts.values.valueOf(node).kind;
  return binding.kind === 'import' ? false : /^(?:string|int|double|number|boolean|bigint)$/.test(type);
}
