// Fix: what may fail when the program starts is built on first use, where it was, and kept in a variable of the module.
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { openingParenthesis } from '../../analysis/fix/make-async.ts';
import { offsetBefore } from '../../analysis/fix/offset-before.ts';
import { isReference } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { contains, enclosingFunction, endOf, isMember, parentOf, startOf, unwrap, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Repair } from '../../analysis/rule.ts';
import { topLevelStatement, unusedName } from '../shared/top-level.ts';
import type { Setup } from './builds.ts';
import { isRead } from './fixed.ts';
import { nameFor, placeFor } from './hoist.ts';
import { whySharingShows } from './shareable.ts';

const TITLE = 'Create it on first use, and keep it';
const NOTHING: Repair = { fixes: [], refused: [] };
const refusal = (reason: string): Repair => ({ fixes: [], refused: [{ title: TITLE, reason }] });

export function keepFirst({ row, whole, holder }: Setup, facts: Facts, runsOn: (range: string) => boolean): Repair {
  const statement = topLevelStatement(whole);
  // An instance of Ajv of its own would have to be kept, too.
  if (!statement || holder) return NOTHING;
  const why = whySharingShows(whole, row, facts) ?? readsFile(whole, facts);
  if (why) return refusal(why);
  if (runsOn('<15.0.0-0'))
    return refusal('the project may run on Node 14, which does not know `??=`. Set `engines.node` to a later version');
  const type = typeOf(whole, facts);
  if (type === undefined)
    return refusal('the file does not name the type that its variable needs. Declare a variable of that type, and assign it with `??=`');
  const { semicolon } = getCodeStyle(facts);
  const line = facts.source.lineBreak;
  const offset = offsetBefore(placeFor(statement, facts), facts);
  const own = declaredAs(whole, type !== '', facts);
  const name = own?.name ?? freshName(nameFor(row), facts);
  return {
    fixes: [
      {
        title: `${TITLE} (changed settings then require a restart)`,
        kind: 'suggestion',
        edits: [
          { start: offset, end: offset, text: `let ${name}${type}${semicolon}${line}${line}` },
          ...(own
            ? [{ start: own.start, end: startOf(whole), text: `${name} ??= ` }]
            : [
                { start: startOf(whole), end: startOf(whole), text: `${openingParenthesis(whole, facts)}${name} ??= ` },
                { start: endOf(whole), end: endOf(whole), text: ')' },
              ]),
        ],
      },
    ],
    refused: [],
  };
}

// The longest chain of constants to follow.
const MAX_STEPS = 6;

/** A file may be another one at the next request. */
function readsFile(expression: Node, facts: Facts, steps = 0): string | undefined {
  let found: string | undefined;
  walkWithin(expression, (node) => {
    if (isRead(node, facts)) found = 'it reads a file, and requests may have to see its changes';
    else if (node.type === 'Identifier' && isReference(node) && steps < MAX_STEPS) {
      const declaration = facts.bindings.resolve(node)?.declaration;
      if (declaration?.type === 'VariableDeclarator' && declaration.init && !contains(expression, declaration))
        found = readsFile(declaration.init, facts, steps + 1);
    }
    return found === undefined ? undefined : 'stop';
  });
  return found;
}

/** The type of the variable in TypeScript: that of the class. Undefined if the file does not name it. */
function typeOf(whole: Node, facts: Facts): string | undefined {
  if (!/\.[cm]?tsx?$/i.test(facts.source.file)) return '';
  if (whole.type !== 'NewExpression') return undefined;
  let root = unwrap(whole.callee);
  while (isMember(root)) {
    if (root.computed) return undefined;
    root = unwrap(root.object);
  }
  const isClass = root.type === 'Identifier' && facts.bindings.resolve(root)?.kind === 'import';
  const types = whole.typeParameters ?? whole.typeArguments;
  return isClass ? `: ${facts.source.slice(whole.callee)}${types ? facts.source.slice(types) : ''} | undefined` : undefined;
}

/** `const stripe = new Stripe(key)`, whose name the variable can have: then the declaration becomes an assignment. */
function declaredAs(whole: Node, isTypeScript: boolean, facts: Facts): { name: string; start: number } | undefined {
  const declarator = parentOf(whole);
  const declaration = declarator && parentOf(declarator);
  if (declarator?.type !== 'VariableDeclarator' || declarator.init !== whole || declarator.id.type !== 'Identifier') return undefined;
  const { id } = declarator;
  if (id.typeAnnotation || declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return undefined;
  if (declaration.declarations.length !== 1 || parentOf(declaration)?.type !== 'BlockStatement') return undefined;
  const own = facts.bindings.resolve(id);
  const isFree = facts.bindings.identifiersNamed(id.name).every((one) => {
    const binding = facts.bindings.resolve(one);
    return binding ? binding === own || (binding.scope.type !== 'Program' && !contains(binding.scope, declaration)) : !isReference(one);
  });
  if (!own || !isFree) return undefined;
  // Within a callback, TypeScript does not know that the variable has its value.
  const fn = enclosingFunction(declaration);
  if (isTypeScript && facts.bindings.references(own).some((reference) => enclosingFunction(reference) !== fn)) return undefined;
  return { name: id.name, start: startOf(declaration) };
}

function freshName(base: string, facts: Facts): string {
  const name = unusedName(base, facts);
  return name === base ? base : unusedName(`shared${base.charAt(0).toUpperCase()}${base.slice(1)}`, facts);
}
