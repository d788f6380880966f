// Which call builds something dear, by the table of what was measured.
import semver from 'semver';
import { textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isMember, memberName, parentOf, staticName, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import {
  AJV_ANOTHER,
  AJV_NEW,
  AJV_PACKAGES,
  COMPARED,
  FORMATTED,
  FORMATTED_BY_DEFAULT,
  PURIFIER,
  SETUP_CALLS,
  USES_OF_SCHEMAS,
  type SetupCall,
} from '../../knowledge/setup-calls.ts';

export interface Setup {
  row: SetupCall;
  /** The whole of what could be built once: `Joi.object({…}).required()`. */
  whole: Node;
  /** What must be the same at every request. */
  parts: readonly Node[];
  /** What holds the built thing, where another call uses it: the Ajv instance, the page of DOMPurify. It would have to move, too. */
  holder?: Node;
}

const PURIFIERS: ReadonlySet<string> = new Set(['dompurify', 'isomorphic-dompurify']);
const MODULES = [...new Set(SETUP_CALLS.map((row) => row.module))].filter((name) => name !== 'global');
const ANY = new RegExp(
  `['"](?:node:)?(?:${[...MODULES, ...AJV_PACKAGES, ...PURIFIERS, 'vm'].join('|')})['"]|\\bIntl\\.|\\.toLocale|\\.localeCompare`,
);
const MAX_STEPS = 4;
const FORMATTING: ReadonlySet<string> = new Set(['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']);

const byModule = new Map<string, SetupCall[]>();
for (const row of SETUP_CALLS) byModule.set(row.module, [...(byModule.get(row.module) ?? []), row]);

/** Whether a text may hold such a call. Most files do not, and cost no more than this check. */
export function mayBuild(text: string): boolean {
  return ANY.test(text);
}

export function findSetup(call: CallNode, facts: Facts): Setup | undefined {
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier' && !isMember(callee)) return undefined;
  const isNew = call.type === 'NewExpression';
  if (!isNew && isMember(callee)) {
    const name = memberName(callee) ?? '';
    if (FORMATTING.has(name)) {
      if (!isFormatting(call, facts)) return undefined;
      return { row: namesFields(name, call, facts) ? FORMATTED : FORMATTED_BY_DEFAULT, whole: call, parts: call.arguments };
    }
    if (name === 'localeCompare') return isComparing(call) ? { row: COMPARED, whole: call, parts: call.arguments.slice(1) } : undefined;
    if (name === 'compile' || name === 'validate') {
      const found = findAjv(call, callee.object, facts);
      if (found) return found;
    }
  }
  const origin = facts.origins.of(callee);
  if (!origin) return undefined;
  if (!isNew && PURIFIERS.has(origin.name)) return findPurifier(call, facts);
  const rows = byModule.get(origin.root === 'global' ? 'global' : origin.name) ?? [];
  const path = origin.root === 'global' ? [origin.name, ...origin.path] : origin.path;
  const row = rows.find(
    (one) =>
      (one.by === 'either' || (one.by === 'new') === isNew) &&
      one.path.length === path.length &&
      one.path.every((name, i) => name === path[i]),
  );
  if (!row) return undefined;
  if (row.onlyFirst && call.arguments.some((argument, i) => i > 0 && mayNameCache(argument, facts))) return undefined;
  if (path[0] === 'Intl' && call.arguments.length === 0 && asksForSettings(call)) return undefined;
  if (row.since !== undefined && isOlder(facts, row.module, row.since)) return undefined;
  const whole = row.chain ? wholeOfLibrary(call, row.module, facts) : call;
  return { row, whole, parts: row.onlyFirst ? call.arguments.slice(0, 1) : [whole] };
}

/** `Intl.DateTimeFormat().resolvedOptions()`: which language or time zone the process has. Naming it would change the answer. */
function asksForSettings(call: CallNode): boolean {
  const member = parentOf(call);
  return isMember(member) && unwrap(member.object) === call && memberName(member) === 'resolvedOptions';
}

/** Whether the manifest asks for an older major version of a package. A range that names none (`workspace:*`) says nothing. */
function isOlder({ project: { manifest } }: Facts, name: string, major: number): boolean {
  const range = manifest?.dependencies[name] ?? manifest?.devDependencies[name];
  return range !== undefined && semver.validRange(range) !== null && !semver.intersects(range, `>=${major}.0.0-0`);
}

/** `value.toLocaleString('en-US', { style: 'currency' })`; without options, V8 keeps the formatter. */
function isFormatting({ arguments: [locale, options, more] }: CallNode, { bindings }: Facts): boolean {
  if (!locale || !options || more) return false;
  const isLocale =
    (locale.type === 'Identifier' && locale.name === 'undefined') ||
    textOf(locale, bindings) !== undefined ||
    locale.type === 'ArrayExpression';
  return isLocale && options.type !== 'SpreadElement' && !(options.type === 'Identifier' && options.name === 'undefined');
}

const DATE_FIELD = /^(?:weekday|year|month|day|dateStyle)$/;
const TIME_FIELD = /^(?:dayPeriod|hour|minute|second|fractionalSecondDigits|timeStyle)$/;
/** Options that a number has, too, and those of zones and notations. */
const NO_FIELD = /^(?:timeZone|timeZoneName|era|hour12|hourCycle|calendar|numberingSystem|localeMatcher|formatMatcher)$/;

/** Whether a formatter with the same options prints the same; false where the options are not known. */
function namesFields(method: string, { arguments: [, given] }: CallNode, { bindings }: Facts): boolean {
  const declaration = given?.type === 'Identifier' ? bindings.resolve(given)?.declaration : undefined;
  const init = declaration?.type === 'VariableDeclarator' && declaration.init ? declaration.init : given;
  const options = init && unwrap(init);
  if (options?.type !== 'ObjectExpression') return false;
  const names = options.properties.map((one) => (one.type === 'ObjectProperty' ? staticName(one.key, one.computed) : undefined));
  if (names.some((name) => name === undefined)) return false;
  const has = (fields: RegExp): boolean => names.some((name) => fields.test(name ?? ''));
  if (method === 'toLocaleDateString') return has(DATE_FIELD) || !has(TIME_FIELD);
  if (method === 'toLocaleTimeString') return has(TIME_FIELD);
  return has(DATE_FIELD) || has(TIME_FIELD) || names.some((name) => !NO_FIELD.test(name ?? ''));
}

/** In the comparator of a sort, with options: without them, V8 keeps the collator. */
function isComparing(call: CallNode): boolean {
  if (call.arguments.length < 3) return false;
  for (let at = parentOf(call); at; at = parentOf(at)) {
    if (at.type !== 'ArrowFunctionExpression' && at.type !== 'FunctionExpression') continue;
    const sort = parentOf(at);
    return isCall(sort) && isMember(sort.callee) && /^(?:sort|toSorted)$/.test(memberName(sort.callee) ?? '');
  }
  return false;
}

/** `ajv.compile({ … })`: an instance keeps what it compiled, by the identity of the schema. */
function findAjv(call: CallNode, object: Node, facts: Facts): Setup | undefined {
  const [schema] = call.arguments;
  if (!schema || schema.type === 'SpreadElement') return undefined;
  const instance = unwrap(object);
  if (isAjv(instance, facts)) return { row: AJV_NEW, whole: call, parts: [instance, schema] };
  const binding = instance.type === 'Identifier' ? facts.bindings.resolve(instance) : undefined;
  const declaration = binding?.declaration;
  if (!binding || declaration?.type !== 'VariableDeclarator' || !declaration.init) return undefined;
  const made = unwrap(declaration.init);
  if (!isAjv(made, facts)) return undefined;
  if (binding.scope.type !== 'Program') return { row: AJV_NEW, whole: call, parts: [made, schema], holder: declaration };
  return unwrap(schema).type === 'ObjectExpression' ? { row: AJV_ANOTHER, whole: call, parts: [schema], holder: declaration } : undefined;
}

function isAjv(node: Node, facts: Facts): boolean {
  if (node.type !== 'NewExpression') return false;
  const origin = facts.origins.moduleMember(node.callee);
  return origin !== undefined && AJV_PACKAGES.includes(origin.module);
}

/** `createDOMPurify(new JSDOM('').window)` */
function findPurifier(call: CallNode, facts: Facts): Setup | undefined {
  const [given] = call.arguments;
  if (!given) return undefined;
  let page: Node = unwrap(given);
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    if (isMember(page)) page = unwrap(page.object);
    const declaration = page.type === 'Identifier' ? facts.bindings.resolve(page) : undefined;
    // A page of the module is built once.
    if (declaration?.scope.type === 'Program') return undefined;
    if (declaration?.declaration.type !== 'VariableDeclarator' || !declaration.declaration.init) break;
    page = unwrap(declaration.declaration.init);
  }
  const isPage = page.type === 'NewExpression' && facts.origins.moduleMember(page.callee)?.module === 'jsdom';
  return isPage ? { row: PURIFIER, whole: call, parts: [given], holder: page } : undefined;
}

/** `ejs.render(template, data, { cache: true, filename })`, and options of which the file does not show what they say. */
function mayNameCache(argument: Node, facts: Facts): boolean {
  const node = unwrap(argument);
  if (node.type !== 'Identifier') return namesCache(node);
  const binding = facts.bindings.resolve(node);
  const init = binding?.declaration.type === 'VariableDeclarator' ? binding.declaration.init : undefined;
  if (!binding || !init || unwrap(init).type !== 'ObjectExpression') return /^(?:opts|options?|settings|config)$/i.test(node.name);
  return (
    namesCache(init) ||
    facts.bindings.references(binding).some((one) => {
      const member = parentOf(one);
      return isMember(member) && member.object === one && memberName(member) === 'cache';
    })
  );
}

function namesCache(node: Node): boolean {
  let found = false;
  walkWithin(node, (one) => {
    if (one.type === 'ObjectProperty' && one.key.type === 'Identifier' && one.key.name === 'cache') found = true;
    return found ? 'stop' : undefined;
  });
  return found;
}

function moduleOf(callee: Node, facts: Facts): string | undefined {
  let at = callee;
  while (isMember(at) && isCall(unwrap(at.object))) at = (unwrap(at.object) as CallNode).callee;
  return facts.origins.moduleMember(at)?.module;
}

/** `z.array(z.object({ … }))`, `Joi.array().items(Joi.object({ … }))` */
function wholeOfLibrary(call: Node, module: string, facts: Facts): Node {
  const whole = wholeChain(call);
  const outer = parentOf(whole);
  return outer?.type === 'CallExpression' &&
    outer.arguments.length === 1 &&
    outer.arguments[0] === whole &&
    isMember(outer.callee) &&
    !USES_OF_SCHEMAS.test(memberName(outer.callee) ?? '') &&
    moduleOf(outer.callee, facts) === module
    ? wholeOfLibrary(outer, module, facts)
    : whole;
}

/** `Joi.object().keys({ … }).required()`, without `.validate(data)`. */
function wholeChain(call: Node): Node {
  let whole = call;
  for (;;) {
    const member = parentOf(whole);
    const outer = member && parentOf(member);
    if (
      !isMember(member) ||
      member.object !== whole ||
      !isCall(outer) ||
      outer.callee !== member ||
      USES_OF_SCHEMAS.test(memberName(member) ?? '')
    )
      return whole;
    whole = outer;
  }
}

/** Whether the call is a part of something that is built, too: an object within an object. */
export function isPartOfSetup(call: CallNode, facts: Facts): boolean {
  for (let at = parentOf(call); at; at = parentOf(at)) {
    if (/Statement$|Declaration$|Function/.test(at.type) || at.type === 'VariableDeclarator') return false;
    if (isCall(at)) {
      const outer = findSetup(at, facts);
      if (outer?.parts.some((part) => part === call || includes(part, call))) return true;
    }
  }
  return false;
}

function includes(outer: Node, inner: Node): boolean {
  for (let at: Node | undefined = inner; at; at = parentOf(at)) if (at === outer) return true;
  return false;
}
