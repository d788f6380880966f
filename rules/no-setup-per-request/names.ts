// What a constant of the module is called. A name such as `schema` says enough within one handler, but not at the top of a module with
// several.
import { isReference, type Binding } from '../../analysis/facts/bindings.ts';
import { textOf } from '../../analysis/facts/constants.ts';
import { isTaken } from '../../analysis/fix/add-import.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  functionName,
  isCall,
  isFunction,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { groupBy } from '../../analysis/module/group-by.ts';
import { unusedName } from '../shared/top-level.ts';
import type { Setup } from './builds.ts';
import { declarationOf } from './declared.ts';
import { setupsOf } from './siblings.ts';
import { isFormatter } from './worth.ts';

const GENERIC =
  /^(?:schema|validator|validate|client|options|opts|config|formatter|format|fmt|regex|regexp|re|parser|instance|agent|template|compiled|tpl|pool|api|http|db|conn|connection|body|query|params|rules|shape)$/i;
/** Functions whose names tell nothing of what they are for. */
const NAMELESS =
  /^(?:setup|handler?|default|index|main|init|initialize|register\w*|(?:\w*[a-z])?(?:Routes?|Routers?|Server|App|Middlewares?)|routes?|routers?|app|server|start|run|exec|execute|fn|func|callback|cb|next|middleware|constructor|plugin|load|bootstrap|mount|configure|fetch|call|apply|then|wrap\w*)$/;
/** Parts of a path that all routes have. */
const COMMON = /^(?:api|rest|v\d+)$/i;
const MAX_KEYS = 2;

/** The name for what all of these share, or why there is none. */
export function sharedName(group: readonly Setup[], facts: Facts): { name: string } | { reason: string } {
  const [first, ...twins] = group;
  if (!first) return { reason: 'there is no name for it' };
  const declared = group.map(({ whole }) => declarationOf(whole, facts)?.id.name).find((one) => one !== undefined);
  const base = declared ?? nameAt(first, facts);
  const candidates = twins.length > 0 ? inStyle(namesOfKeys(first, base), first, facts) : namesOfPlace(first, base, facts);
  if (isFree(base, group, declared === undefined, facts)) {
    // Among several handlers, `schema` would not say whose it is.
    const isVague = declared === undefined && GENERIC.test(base) && facts.handlers.handlers.length > 1;
    const better = isVague ? candidates.find((one) => unusedName(one, facts) === one) : undefined;
    return { name: better ?? base };
  }
  const isWanted = (name: string): boolean =>
    !(wantedBy(base, facts).get(name) ?? []).every((one) => group.includes(one) || (isFormatter(first) && isBehind(one, first)));
  const name = candidates.find((one) => !isWanted(one) && unusedName(one, facts) === one);
  if (name !== undefined) return { name };
  // `numberFormat2` says what it is, `schema2` does not.
  if (declared === undefined && !GENERIC.test(base)) return { name: unusedName(base, facts) };
  const [twin] = twins;
  if (twin)
    return {
      reason: `the same is built on line ${lineOf(twin.whole, facts)}, and the code has no name for both. Name it, and build it once`,
    };
  return {
    reason: isTaken(facts, base)
      ? `\`${base}\` stands for something else in this file, too, and neither a route nor a function names this one`
      : `neither a route nor a function names it, and \`${base}\` would suit others of this file as well`,
  };
}

const baseOf = (setup: Setup, facts: Facts): string => declarationOf(setup.whole, facts)?.id.name ?? nameAt(setup, facts);

/** As for the row, and in the style of the file: `brlFormat` for amounts of that currency, `number_format` beside `add_days`. */
function nameAt({ row, whole }: Setup, facts: Facts): string {
  const currency = row.path.join('.') === 'Intl.NumberFormat' && isCall(whole) ? currencyIn(whole.arguments[1], facts) : undefined;
  const name = currency === undefined ? nameFor(row) : `${currency.toLowerCase()}Format`;
  return inStyle([name], { row, whole }, facts)[0] ?? name;
}

/** Two of one function would have the same name. */
const isBehind = (one: Setup, first: Setup): boolean => startOf(one.whole) > startOf(first.whole);

/** `show_total_schema` for `show_totalSchema`, where the file has names in snake case; `DAY_FORMAT`, where its constants are written so. */
function inStyle(names: readonly string[], setup: Pick<Setup, 'row' | 'whole'>, facts: Facts): string[] {
  const isUpper = isFormatter(setup) && hasUpperCase(facts);
  if (!isUpper && !hasSnakeCase(facts)) return [...names];
  const snakes = names.map((name) => name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return isUpper ? snakes.map((name) => name.toUpperCase()) : snakes;
}

/** A literal, or a formatter: clients and applications are named otherwise. */
const isData = (value: Node, facts: Facts): boolean =>
  /^(?:\w*Literal|ArrayExpression|ObjectExpression)$/.test(value.type) ||
  (value.type === 'NewExpression' && /^Intl\./.test(facts.source.slice(value.callee)));

/** Whether most constants of the module that hold data have names such as `TIME_ZONE`. */
function hasUpperCase(facts: Facts): boolean {
  return facts.remember('constants in upper case', () => {
    const declared = facts.module.program.body.flatMap((statement) => {
      const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      return inner?.type === 'VariableDeclaration' && inner.kind === 'const' ? inner.declarations : [];
    });
    const names = declared.flatMap(({ id, init }) => (id.type === 'Identifier' && init && isData(unwrap(init), facts) ? [id.name] : []));
    const upper = names.filter((name) => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(name)).length;
    return upper > names.length - upper;
  });
}

/** `BRL` of `{ style: 'currency', currency: 'BRL' }`. Another style, such as `percent`, shows no currency. */
function currencyIn(options: Node | undefined, facts: Facts): string | undefined {
  const object = options && unwrap(options);
  if (object?.type !== 'ObjectExpression') return undefined;
  const givenAs = (name: string): string | undefined => {
    const given = object.properties.find((one) => one.type === 'ObjectProperty' && staticName(one.key, one.computed) === name);
    return given?.type === 'ObjectProperty' ? textOf(given.value, facts.bindings) : undefined;
  };
  const code = givenAs('style') === 'currency' ? givenAs('currency') : undefined;
  return code !== undefined && /^[A-Z]{3}$/.test(code) ? code : undefined;
}

/** Whether most functions of the file with a name of several words have it in snake case. */
function hasSnakeCase(facts: Facts): boolean {
  return facts.remember('names in snake case', () => {
    const names = facts.module.nodes('FunctionDeclaration').map(({ id }) => id?.name ?? '');
    const snakes = names.filter((name) => /^[a-z][a-z0-9]*_[a-z0-9_]+$/.test(name)).length;
    return snakes > names.filter((name) => /^[a-z]+[A-Z]/.test(name)).length;
  });
}
const lineOf = (node: Node, facts: Facts): number => facts.source.positionAt(startOf(node)).line;

/** Whether nothing else in the file has the name, or only variables of other functions, if it says what it stands for. */
function isFree(name: string, group: readonly Setup[], isNew: boolean, facts: Facts): boolean {
  if (isNew) return !isTaken(facts, name) && unusedName(name, facts) === name && hasNoSibling(name, group, facts);
  const own = group.flatMap(({ whole }) => {
    const declared = declarationOf(whole, facts);
    return (declared && facts.bindings.resolve(declared.id)) ?? [];
  });
  // What has another name now gets this one wherever it is used.
  const places = [...group.map(({ whole }) => whole), ...own.flatMap((one) => facts.bindings.references(one))];
  if (!isFreeAt(name, own, places, facts)) return false;
  return !GENERIC.test(name) || (bindingsNamed(name, facts).all.every((one) => own.includes(one)) && hasNoSibling(name, group, facts));
}

/** Another variable of that name in another function hides the constant there, where nothing asks for it. */
export function isFreeAt(name: string, own: readonly (Binding | undefined)[], places: readonly Node[], facts: Facts): boolean {
  const { isGlobal, byScope } = bindingsNamed(name, facts);
  const isHidden = (place: Node): boolean => {
    for (let at: Node | undefined = place; at; at = parentOf(at)) if (byScope.get(at)?.some((one) => !own.includes(one))) return true;
    return false;
  };
  return !isGlobal && !places.some(isHidden);
}

/** In generated files, thousands of functions have a variable of that name. */
function bindingsNamed(name: string, facts: Facts) {
  const known = facts.remember('bindings by name', () => new Map<string, ReturnType<typeof findBindings>>());
  const found = known.get(name) ?? findBindings(name, facts);
  known.set(name, found);
  return found;
}

function findBindings(name: string, { bindings }: Facts) {
  const identifiers = bindings.identifiersNamed(name);
  const all = [...new Set(identifiers.flatMap((one) => bindings.resolve(one) ?? []))];
  const isGlobal = identifiers.some((one) => isReference(one) && bindings.resolve(one) === undefined);
  return { all, isGlobal, byScope: groupBy(all, (one): Node => one.scope) };
}

const hasNoSibling = (name: string, group: readonly Setup[], facts: Facts): boolean =>
  byBase(facts)
    .get(name)
    ?.every((one) => group.includes(one)) ?? true;

const byBase = (facts: Facts): ReadonlyMap<string, readonly Setup[]> =>
  facts.remember('setups by name', () => groupBy(setupsOf(facts), (one) => baseOf(one, facts)));

/** Those of the same base by the name that suits them best. */
function wantedBy(base: string, facts: Facts): ReadonlyMap<string | undefined, readonly Setup[]> {
  const known = facts.remember('setups by their best name', () => new Map<string, Map<string | undefined, Setup[]>>());
  const found = known.get(base) ?? groupBy(byBase(facts).get(base) ?? [], (one) => namesOfPlace(one, base, facts)[0]);
  known.set(base, found);
  return found;
}

/** `urlSchema` for `Joi.object({ url: … })` */
function namesOfKeys({ whole, row }: Setup, base: string): string[] {
  let call = whole;
  while (isCall(call) && call.callee.type === 'MemberExpression' && isCall(call.callee.object)) call = call.callee.object;
  const [shape] = isCall(call) ? call.arguments : [];
  if (!row.chain || shape?.type !== 'ObjectExpression' || shape.properties.length > MAX_KEYS) return [];
  const keys = shape.properties.flatMap((one) => (one.type === 'ObjectProperty' && one.key.type === 'Identifier' ? [one.key.name] : []));
  return keys.length > 0 && keys.length === shape.properties.length ? [join(keys, base)] : [];
}

/** By the route that a function answers, or else by the name of the function; the best first. */
function namesOfPlace(setup: Setup, base: string, facts: Facts): string[] {
  const { whole } = setup;
  for (let fn = enclosingFunction(whole); fn; fn = enclosingFunction(fn)) {
    const route = routeOf(fn, facts);
    if (route !== undefined) return inStyle(namesOfRoute(route, base), setup, facts);
    const name = functionName(fn)?.split('.').at(-1);
    if (name === undefined) continue;
    const short = name.replace(/(?<=[a-z])(?:Handler|Controller|Action|Async)$/, '');
    if (NAMELESS.test(short) || !/^[A-Za-z]\w*$/.test(short)) return [];
    const subject = isFormatter(setup) ? subjectOf(short) : '';
    return inStyle(
      [
        subject
          ? join([subject], OWN_NAME.test(base) ? 'format' : base)
          : join([/^[A-Z]+$/.test(short) ? short.toLowerCase() : short], base),
      ],
      setup,
      facts,
    );
  }
  return [];
}

/** Of `Intl.DateTimeFormat`, without what is special about it. */
const OWN_NAME = /^(?:date_?time|number|relative_?time|list|plural_?rules)_?format$/i;

/** What a function is about: `pstYmd` for `getPstYmdFromDate`, and `pstTime` for `formatPSTTime`. */
function subjectOf(name: string): string {
  const made = name.replace(/^(?:get|format|to|build|make|create|compute|parse|calculate|render|print)_?(?=[A-Z0-9]|(?<=_)[a-z])/, '');
  const source = made.search(/_?(?:From|from|Of|of|In|in)(?:_[a-z]|[A-Z])/);
  // No name begins with a digit: `get2024DayFormat`.
  if (!/^[A-Za-z]/.test(made)) return name;
  return (source < 0 ? made : made.slice(0, source)).replace(/^[A-Z]+(?=[A-Z][a-z]|$)/, (letters) => letters.toLowerCase());
}

function routeOf(fn: FunctionNode, facts: Facts): string | undefined {
  const known = facts.handlersOf(fn).find(({ route }) => route !== undefined)?.route;
  if (known !== undefined) return known;
  const call = parentOf(fn);
  const [path] = isCall(call) ? call.arguments : [];
  return path?.type === 'StringLiteral' && path.value.startsWith('/') && isFunction(fn) ? path.value : undefined;
}

/** `setFromUrlSchema` for `POST /api/v1/art/set-from-url`, `playlistDeleteSchema` for `POST /api/v1/playlist/delete` */
function namesOfRoute(route: string, base: string): string[] {
  const [, method, path] = /^(?:([A-Z]+) )?(.*)$/.exec(route) ?? [];
  const words = (path ?? '')
    .split('/')
    .flatMap((part) => (/^[A-Za-z][\w.-]*$/.test(part) && !COMMON.test(part) ? [part.split(/[^A-Za-z0-9]+/)] : []));
  if (words.length === 0) return [];
  const few = (words.at(-1)?.length ?? 0) > 1 ? 1 : 2;
  const tail = words.slice(-few).flat();
  const verb = method && method !== 'ALL' ? [join([method.toLowerCase(), ...tail], base)] : [];
  return [join(tail, base), join(words.slice(-few - 1).flat(), base), ...verb];
}

function join(words: readonly string[], base: string): string {
  const name = words
    .filter((word) => word !== '')
    .map((word, i) => (i === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('');
  if (plain(name).endsWith(plain(base))) return name;
  // `brl` and `brlFormat`
  const rest = base.replace(/^[a-z0-9]+_?(?=.)/, '');
  const isRepeated = rest !== base && plain(name).endsWith(plain(base.slice(0, base.length - rest.length)));
  const tail = isRepeated ? rest : base;
  return `${name}${tail.charAt(0).toUpperCase()}${tail.slice(1)}`;
}

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** `numberFormat` for `Intl.NumberFormat`, `httpsAgent` for `https.Agent`, `schema` for `Joi.object`. */
export function nameFor({ module, path, makes, chain }: Setup['row']): string {
  const last = path.at(-1) ?? module;
  if (chain) return 'schema';
  if (/^(?:compile|template)$/.test(last)) return 'template';
  const word = (last === 'Agent' ? `${module}Agent` : last)
    .replace(/^.*\//, '')
    .replace(/^create(?=[A-Z])/, '')
    .replace(/[^A-Za-z0-9]+(\w)?/g, (_, letter?: string) => letter?.toUpperCase() ?? '');
  const start = /^[A-Z]+(?![a-z])/.exec(word)?.[0] ?? word.slice(0, 1);
  const name = start.toLowerCase() + word.slice(start.length);
  return /^[A-Za-z]\w*$/.test(name) ? name : makes;
}
