// Whether what is built depends on what may be missing when the program starts: then it must not be built while the module is loaded. `new
// Stripe(undefined)` throws, and a program without that key would no longer start.
import { isReference } from '../../analysis/facts/bindings.ts';
import { constantOf, textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { contains, isCall, isFunction, isMember, parentOf, unwrap, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { AJV_PACKAGES, PURIFIER, type SetupCall } from '../../knowledge/setup-calls.ts';
import { isRead } from './fixed.ts';
import { hasKey, isOfLambda } from './shareable.ts';
import { isAgentRow } from './siblings.ts';

// The longest chain of constants to follow.
const MAX_STEPS = 6;

/** Names of what holds the settings of a program. */
const SETTINGS =
  /^(?:\w*_)?(?:env|envs|environment|environments|config|configs|configuration|settings|secrets?)$|(?:Env|Config|Settings|Secrets?)$/i;
/** Their members are constants of the platform. */
const CORE: ReadonlySet<string> = new Set(['constants', 'crypto', 'http', 'https', 'os', 'path', 'tls', 'url']);

export function mayFail(whole: Node, row: SetupCall, facts: Facts): boolean {
  if (row.needsKey !== undefined && !hasKey(whole, row.needsKey)) return true;
  if (dependsOnLocale(whole, row, facts)) return true;
  // The constructor only keeps its options. Where a constant of the module holds them, all that may be missing was read before.
  if (isAgentRow({ row }) && isCall(whole) && whole.arguments.every((one) => isConstantOfModule(one, facts))) return false;
  // Schemas, formatters, and templates are described by constants, which other files may hold. A client gets its key from there.
  const isDescribed =
    row.immutable === true ||
    row.chain === true ||
    row.onlyFirst === true ||
    row.measured === PURIFIER.measured ||
    AJV_PACKAGES.includes(row.module);
  return dependsOnSettings(whole, isDescribed, facts, 0);
}

/** `new Intl.DateTimeFormat()`: the language or the time zone is that of the process. A setting may name none, and then they are, too. */
export function dependsOnLocale(whole: Node, { path }: SetupCall, { bindings }: Facts): boolean {
  if (path[0] !== 'Intl' || !isCall(whole)) return false;
  const locale = whole.arguments[0] && unwrap(whole.arguments[0]);
  const isOpen =
    !locale ||
    locale.type === 'NullLiteral' ||
    (locale.type === 'Identifier' && locale.name === 'undefined') ||
    (locale.type === 'ArrayExpression' && locale.elements.length === 0);
  return isOpen || (path[1] === 'DateTimeFormat' && !namesZone(whole.arguments[1], bindings));
}

/** `{ timeZone: 'UTC' }`, with nothing behind it that may name none. */
export function namesZone(options: Node | undefined, bindings: Facts['bindings']): boolean {
  const given = options && unwrap(options);
  const object = given && unwrap(constantOf(given, bindings) ?? given);
  if (object?.type !== 'ObjectExpression') return false;
  const at = object.properties.findLastIndex(
    (one) => one.type === 'ObjectProperty' && !one.computed && one.key.type === 'Identifier' && one.key.name === 'timeZone',
  );
  const zone = object.properties[at];
  const isLast = object.properties.slice(at + 1).every((one) => one.type === 'ObjectProperty' && !one.computed);
  return zone?.type === 'ObjectProperty' && isLast && Boolean(textOf(zone.value, bindings));
}

function isConstantOfModule(node: Node, { bindings }: Facts): boolean {
  if (node.type !== 'Identifier') return false;
  const binding = bindings.resolve(node);
  return binding?.scope.type === 'Program' && binding.declaration.type === 'VariableDeclarator' && bindings.isConstant(binding);
}

function dependsOnSettings(expression: Node, isDescribed: boolean, facts: Facts, steps: number): boolean {
  if (steps > MAX_STEPS) return true;
  let found = false;
  walkWithin(expression, (node) => {
    if (found) return 'stop';
    if (isFunction(node)) return false;
    if (node.type === 'AwaitExpression' || isRead(node, facts)) found = true;
    else if (node.type === 'Identifier' && isReference(node)) found = isSetting(node, expression, isDescribed, facts, steps);
    return found ? 'stop' : undefined;
  });
  return found;
}

function isSetting(node: Node & { type: 'Identifier' }, expression: Node, isDescribed: boolean, facts: Facts, steps: number): boolean {
  const binding = facts.bindings.resolve(node);
  if (!binding) return node.name === 'process' && !isOfLambda(parentOf(node), facts);
  if (contains(expression, binding.identifier)) return false;
  const origin = facts.origins.of(node);
  if (origin?.root === 'module') {
    // `config.get('key')` throws where there is no such key.
    if (isCalled(node)) return origin.name === 'config';
    return isDescribed ? SETTINGS.test(node.name) : !CORE.has(origin.name);
  }
  const { declaration } = binding;
  return (
    declaration.type === 'VariableDeclarator' &&
    declaration.init != null &&
    dependsOnSettings(declaration.init, isDescribed, facts, steps + 1)
  );
}

/** `z` of `z.object()`, `Stripe` of `new Stripe()`, `path` of `path.join()` */
function isCalled(node: Node): boolean {
  let at = node;
  let up = parentOf(at);
  while (isMember(up) && unwrap(up.object) === at) {
    at = up;
    up = parentOf(at);
  }
  return isCall(up) && up.callee === at;
}
