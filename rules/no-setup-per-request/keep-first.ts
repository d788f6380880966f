// Fix: what may fail when the program starts is built on first use, where it was, and kept in a variable of the module.
import { getCodeStyle, whyNotKept } from '../../analysis/fix/code-style.ts';
import { openingParenthesis } from '../../analysis/fix/make-async.ts';
import { offsetBefore } from '../../analysis/fix/offset-before.ts';
import { isReference, type Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { contains, enclosingFunction, endOf, isMember, parentOf, startOf, unwrap, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Repair } from '../../analysis/rule.ts';
import { topLevelStatement, unusedName } from '../shared/top-level.ts';
import type { Setup } from './builds.ts';
import { declarationOf } from './declared.ts';
import { isRead } from './fixed.ts';
import { placeFor } from './hoist.ts';
import { dependsOnLocale } from './may-fail.ts';
import { isFreeAt, nameFor } from './names.ts';
import { isValue, whySharingShows } from './shareable.ts';
import { partnersOf, twinsOf, whyTooMany } from './siblings.ts';

const TITLE = 'Create it on first use, and keep it';
const NOTHING: Repair = { fixes: [], refused: [] };
const refusal = (reason: string): Repair => ({ fixes: [], refused: [{ title: TITLE, reason }] });

export function keepFirst(setup: Setup, facts: Facts, runsOn: (range: string) => boolean): Repair {
  const { row, whole, holder } = setup;
  const statement = topLevelStatement(whole);
  // An instance of Ajv of its own would have to be kept, too.
  if (!statement || holder) return NOTHING;
  const why =
    whySharingShows(whole, row, facts) ??
    whyNotLocale(whole, row, facts) ??
    readsFile(whole, facts) ??
    followsSettings(whole, row, facts) ??
    whyTooMany(setup, facts);
  if (why) return refusal(why);
  const twin = twinsOf(setup, facts).find((one) => one.whole !== whole);
  if (twin) return refusal(`the same is built on line ${lineOf(twin.whole, facts)}, too. Keep one for both`);
  const [partner] = partnersOf(setup, facts);
  if (partner) return refusal(`what is built on line ${lineOf(partner.whole, facts)} belongs to it, and would stay`);
  const forbidden = whyNotKept(facts, runsOn);
  if (forbidden !== undefined) return refusal(forbidden);
  const type = typeOf(whole, facts);
  if (type === undefined)
    return refusal('the file does not name the type that its variable needs. Declare a variable of that type, and assign it with `??=`');
  const { semicolon } = getCodeStyle(facts);
  const line = facts.source.lineBreak;
  const offset = offsetBefore(placeFor(statement, facts), facts);
  const own = declaredAs(whole, type !== '', facts);
  const declared = declarationOf(whole, facts)?.id.name;
  const name = own?.name ?? freshName(declared === undefined ? nameFor(row) : sharedAs(declared), facts);
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

/** Node takes the zone of `process.env.TZ` whenever it is set, and a desktop may be carried to another one. */
const whyNotLocale = (whole: Node, row: Setup['row'], facts: Facts): string | undefined =>
  dependsOnLocale(whole, row, facts)
    ? 'its language or time zone is that of the process, which may change. Name it, and build it at the top level'
    : undefined;

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
  const binding = root.type === 'Identifier' ? facts.bindings.resolve(root) : undefined;
  const isClass = root.type === 'Identifier' && (binding ? binding.kind === 'import' : root.name === 'Intl');
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
  if (!own || !isFreeAt(id.name, [own], [declaration], facts)) return undefined;
  // Within a callback, TypeScript does not know that the variable has its value.
  const fn = enclosingFunction(declaration);
  if (isTypeScript && facts.bindings.references(own).some((reference) => enclosingFunction(reference) !== fn)) return undefined;
  return { name: id.name, start: startOf(declaration) };
}

function freshName(base: string, facts: Facts): string {
  const name = unusedName(base, facts);
  return name === base ? base : unusedName(sharedAs(base), facts);
}

const sharedAs = (base: string): string => `shared${base.charAt(0).toUpperCase()}${base.slice(1)}`;

const lineOf = (node: Node, facts: Facts): number => facts.source.positionAt(startOf(node)).line;

/**
 * Settings of another file may be replaced while the program runs: `config.program = await load()`. A schema by them must follow; a client
 * only if the file shows that they change.
 */
function followsSettings(expression: Node, row: Setup['row'], facts: Facts, steps = 0): string | undefined {
  let found: string | undefined;
  walkWithin(expression, (node) => {
    if (node.type === 'Identifier' && isReference(node) && steps < MAX_STEPS) {
      const binding = facts.bindings.resolve(node);
      const { declaration } = binding ?? {};
      if (binding && facts.projectImports.has(node)) {
        if (isReplaced(node, binding, row, facts))
          found = `\`${node.name}\` comes from another file, which may set it again while the program runs`;
      } else if (declaration?.type === 'VariableDeclarator' && declaration.init && !contains(expression, declaration))
        found = followsSettings(declaration.init, row, facts, steps + 1);
    }
    return found === undefined ? undefined : 'stop';
  });
  return found;
}

function isReplaced(node: Node, binding: Binding, row: Setup['row'], facts: Facts): boolean {
  const member = parentOf(node);
  const outer = member && parentOf(member);
  // `config.program.port`, of `import * as config`: `program` may be a variable.
  const isLive =
    binding.declaration.type === 'ImportNamespaceSpecifier' && isMember(member) && isMember(outer) && unwrap(outer.object) === member;
  return isLive || (isValue(row) && isMember(member)) || facts.bindings.references(binding).some((one) => isWrittenInto(one));
}

/** `config.program = next`, in a function */
function isWrittenInto(reference: Node): boolean {
  if (!enclosingFunction(reference)) return false;
  let at = reference;
  let up = parentOf(at);
  while (isMember(up) && unwrap(up.object) === at) {
    at = up;
    up = parentOf(at);
  }
  return at !== reference && ((up?.type === 'AssignmentExpression' && up.left === at) || up?.type === 'UpdateExpression');
}
