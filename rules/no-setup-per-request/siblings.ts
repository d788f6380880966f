// What else the file builds: the same once more, and what belongs together.
import type { Facts } from '../../analysis/facts/index.ts';
import { runsOnce } from '../../analysis/facts/once.ts';
import type { SetupCall } from '../../knowledge/setup-calls.ts';
import { contains, endOf, enclosingFunction, isCall, isFunction, parentOf, startOf, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { groupBy } from '../../analysis/module/group-by.ts';
import { MOST_TOGETHER } from '../shared/together.ts';
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
const known = ({ whole }: Setup, facts: Facts): Setup | undefined =>
  facts.remember('setups by what they build', () => new Map(setupsOf(facts).map((one) => [one.whole, one]))).get(whole);

/** This one, and where functions of the file build the same once more, unless these are many; in source order. */
export function twinsOf(setup: Setup, facts: Facts): readonly Setup[] {
  const all = allTwins(setup, facts);
  return all.length === 0 || all.length > MOST_TOGETHER ? [known(setup, facts) ?? setup] : all;
}

/** To give each of many a constant of its own would be no better than to leave them. */
export function whyTooMany(setup: Setup, facts: Facts): string | undefined {
  const same = allTwins(setup, facts).length;
  if (same > MOST_TOGETHER) return `${same} places of this file build the same. Build it once by hand`;
  const kin = allPartners(setup, facts).length;
  return kin > MOST_TOGETHER ? `${kin} objects that belong together are built here. Build them once by hand` : undefined;
}

function allTwins(setup: Setup, facts: Facts): readonly Setup[] {
  const own = known(setup, facts);
  return (own && twins(facts).get(own.row)?.get(textOf(own.whole, facts))) ?? [];
}

/** All setups of the file by what they build and by their text: a file may have thousands. */
function twins(facts: Facts): ReadonlyMap<SetupCall, ReadonlyMap<string, readonly Setup[]>> {
  return facts.remember('setups that are the same', () => {
    const byRow = groupBy(setupsOf(facts), ({ row }) => row);
    return new Map([...byRow].map(([row, setups]) => [row, groupBy(setups, ({ whole }) => textOf(whole, facts))]));
  });
}

/** Another name for the same at the top level. */
export function builtAtTop({ whole }: Setup, facts: Facts): Node | undefined {
  const keyOf = (node: Node): string => `${node.type} ${textOf(node, facts)}`;
  const known = facts.remember('constants of the module by what they build', () => {
    const first = new Map<string, Node>();
    for (const one of facts.module.program.body) {
      if (one.type !== 'VariableDeclaration' || one.kind !== 'const') continue;
      for (const { id, init } of one.declarations)
        if (id.type === 'Identifier' && isCall(init) && !first.has(keyOf(init))) first.set(keyOf(init), one);
    }
    return first;
  });
  return known.get(keyOf(whole));
}

/** The name of the same at the top level. */
export function nameAtTop(setup: Setup, facts: Facts): string | undefined {
  const top = builtAtTop(setup, facts);
  if (top?.type !== 'VariableDeclaration') return undefined;
  const same = top.declarations.find(({ init }) => init && textOf(init, facts) === textOf(setup.whole, facts));
  return same?.id.type === 'Identifier' ? same.id.name : undefined;
}

/** The same for what builds the same: spaces in the code do not matter, those of texts do, and a name stands for its variable. */
function textOf(node: Node, facts: Facts): string {
  const kept: { from: number; to: number; text: string }[] = [];
  walkWithin(node, (one) => {
    const keep = (part: Node, text = facts.source.slice(part)): unknown => kept.push({ from: startOf(part), to: endOf(part), text });
    if (one.type === 'StringLiteral' || one.type === 'RegExpLiteral') keep(one);
    if (one.type === 'TemplateLiteral') for (const quasi of one.quasis) keep(quasi);
    if (one.type !== 'Identifier') return;
    const declared = facts.bindings.resolve(one)?.identifier;
    if (declared && !contains(node, declared)) keep(one, `${one.name}@${startOf(declared)}`);
  });
  let at = 0;
  let key = '';
  const whole = facts.source.slice(node);
  const offset = startOf(node);
  for (const { from, to, text } of kept.sort((a, b) => a.from - b.from)) {
    // `{ locale }` is a key and a value.
    if (from - offset < at) continue;
    key += withoutSpaces(whole.slice(at, from - offset)) + text;
    at = to - offset;
  }
  return key + withoutSpaces(whole.slice(at));
}

const withoutSpaces = (code: string): string =>
  code
    .replace(/\s+/g, ' ')
    .replace(/,? (?=[}\])])/g, '')
    .replace(/(?<=[{[(]) /g, '');

/** The agents for HTTP and HTTPS of one function belong together, and so do all of a kind in one statement. */
export function partnersOf(setup: Setup, facts: Facts): readonly Setup[] {
  const all = allPartners(setup, facts);
  return all.length > MOST_TOGETHER ? [] : all.filter(({ whole }) => whole !== setup.whole);
}

function allPartners(setup: Setup, facts: Facts): readonly Setup[] {
  const own = known(setup, facts);
  if (!own) return [];
  const { agents, byKind } = facts.remember('setups that belong together', () => ({
    agents: groupBy(setupsOf(facts).filter(isAgentRow), ({ whole }) => enclosingFunction(whole)),
    byKind: new Map(
      [...groupBy(setupsOf(facts), ({ row }) => row.measured)].map(([kind, all]) => [
        kind,
        groupBy(all, ({ whole }) => statementOf(whole)),
      ]),
    ),
  }));
  // A statement is within one function.
  const all = isAgentRow(own) ? agents.get(enclosingFunction(own.whole)) : byKind.get(own.row.measured)?.get(statementOf(own.whole));
  return all ?? [];
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
  if (!binding || !facts.bindings.references(binding).every(isIngredient)) return false;
  const last = facts.remember('last objects that functions create once', () => {
    const once = facts.module.nodes('NewExpression').filter((one) => runsOnce(one, facts));
    return new Map(once.map((one) => [enclosingFunction(one), startOf(one)]));
  });
  return (last.get(fn) ?? 0) > endOf(whole);
}
