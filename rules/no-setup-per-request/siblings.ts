// What else the file builds: the same once more, and what belongs together.
import type { Facts } from '../../analysis/facts/index.ts';
import { runsOnce } from '../../analysis/facts/once.ts';
import type { SetupCall } from '../../knowledge/setup-calls.ts';
import { endOf, enclosingFunction, isFunction, parentOf, startOf, type Node } from '../../analysis/module/ast.ts';
import { isKept } from '../shared/kept.ts';
import { findSetup, isPartOfSetup, type Setup } from './builds.ts';
import { isFixed } from './fixed.ts';
import { belongsToRequest } from './uses.ts';

/** All that functions of the file build again each time, in source order. */
export function setupsOf(facts: Facts): readonly Setup[] {
  return facts.remember('setups of the file', () => {
    const { module } = facts;
    const calls = [...module.nodes('CallExpression'), ...module.nodes('OptionalCallExpression'), ...module.nodes('NewExpression')];
    return calls
      .flatMap((call) => {
        const setup = findSetup(call, facts);
        if (!setup || setup.row.makes === 'call' || setup.holder || !enclosingFunction(call)) return [];
        const { whole, parts, row } = setup;
        if (!parts.every((part) => isFixed(part, facts)) || isPartOfSetup(call, facts)) return [];
        if (isAgentRow(setup) && goesIntoKept(setup, facts)) return [];
        return isKept(call, facts) || belongsToRequest(whole, row.makes, facts) ? [] : [setup];
      })
      .sort((a, b) => (a.whole.start ?? 0) - (b.whole.start ?? 0));
  });
}

/** The same as it stands in the list of the file. */
const known = ({ whole }: Setup, facts: Facts): Setup | undefined => setupsOf(facts).find((one) => one.whole === whole);

/** This one, and where functions of the file build the same once more; in source order. */
export function twinsOf(setup: Setup, facts: Facts): readonly Setup[] {
  const own = known(setup, facts);
  if (!own) return [setup];
  return twins(facts).get(own.row)?.get(textOf(own.whole, facts)) ?? [own];
}

/** All setups of the file by what they build and by their text: a file may have thousands. */
function twins(facts: Facts): ReadonlyMap<SetupCall, ReadonlyMap<string, readonly Setup[]>> {
  return facts.remember('setups that are the same', () => {
    const byRow = new Map<SetupCall, Map<string, Setup[]>>();
    for (const one of setupsOf(facts)) {
      const byText = byRow.get(one.row) ?? new Map<string, Setup[]>();
      byRow.set(one.row, byText);
      const text = textOf(one.whole, facts);
      const same = byText.get(text);
      if (same) same.push(one);
      else byText.set(text, [one]);
    }
    return byRow;
  });
}

/** Another name for the same at the top level. */
export function builtAtTop({ whole }: Setup, facts: Facts): Node | undefined {
  const text = textOf(whole, facts);
  return facts.module.program.body.find(
    (one) =>
      one.type === 'VariableDeclaration' &&
      one.kind === 'const' &&
      one.declarations.some(({ id, init }) => id.type === 'Identifier' && init && init.type === whole.type && textOf(init, facts) === text),
  );
}

const textOf = (node: Node, facts: Facts): string =>
  facts.source
    .slice(node)
    .replace(/\s+/g, ' ')
    .replace(/,? (?=[}\])])/g, '')
    .replace(/(?<=[{[(]) /g, '');

/** The agents for HTTP and HTTPS of one function belong together, and so do all of a kind in one statement. */
export function partnersOf(setup: Setup, facts: Facts): readonly Setup[] {
  const own = known(setup, facts);
  if (!own) return [];
  const isAgent = isAgentRow(own);
  const fn = enclosingFunction(own.whole);
  return setupsOf(facts).filter(
    (one) =>
      one !== own &&
      enclosingFunction(one.whole) === fn &&
      (isAgent ? isAgentRow(one) : one.row.measured === own.row.measured && statementOf(one.whole) === statementOf(own.whole)),
  );
}

export const isAgentRow = ({ row }: Pick<Setup, 'row'>): boolean => row.path.at(-1) === 'Agent' && /^https?$/.test(row.module);

function statementOf(node: Node): Node {
  let at = node;
  for (
    let up = parentOf(at);
    up && up.type !== 'VariableDeclaration' && up.type !== 'BlockStatement' && up.type !== 'Program' && !isFunction(up);
    up = parentOf(at)
  )
    at = up;
  return at;
}

/** What a value passes through on its way into a client: `config.handler = new Handler({ agent })`. */
const INTO_CLIENTS: ReadonlySet<string> = new Set([
  'ObjectProperty',
  'ObjectExpression',
  'NewExpression',
  'AssignmentExpression',
  'VariableDeclarator',
]);

/**
 * Whether an agent only goes into a client that its function makes later, if none is kept: `client = clients[key]; if (!client)
 * clients[key] = new Client(config)`. It opens no connection before it is used.
 */
export function goesIntoKept({ whole }: Setup, facts: Facts): boolean {
  const declarator = parentOf(whole);
  if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(declarator.id);
  const fn = enclosingFunction(whole);
  const isIngredient = (reference: Node): boolean => {
    let up = parentOf(reference);
    while (up && INTO_CLIENTS.has(up.type)) up = parentOf(up);
    return up?.type === 'ExpressionStatement' || up?.type === 'VariableDeclaration';
  };
  return (
    binding !== undefined &&
    facts.bindings.references(binding).every(isIngredient) &&
    facts.module.nodes('NewExpression').some((one) => enclosingFunction(one) === fn && startOf(one) > endOf(whole) && runsOnce(one, facts))
  );
}
