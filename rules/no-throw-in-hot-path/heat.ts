// Whether a try runs often enough for a throw to matter: in a loop that continues after it, or at least once per request.
import {
  contains,
  enclosingFunction,
  isCall,
  isClass,
  isFunction,
  isMember,
  memberName,
  parentOf,
  functionName,
  startOf,
  endOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { isUnconditional } from '../../analysis/facts/control-flow.ts';
import { findQuery } from '../../analysis/facts/queries.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Repetition } from '../../analysis/facts/hotness.ts';
import { describePath } from '../../analysis/facts/request-paths.ts';
import type { Related } from '../../protocol/finding.ts';
import { isPageCode } from '../shared/page-code.ts';
import type { GuardedTry } from './catch-clause.ts';

export interface Heat {
  /** `request`: once per request, so a few microseconds only count as a hint. `offered`: as often as other files call it. */
  level: 'repeated' | 'request' | 'offered';
  /** For the message: `in each iteration of the loop`. */
  often: string;
  related: readonly Related[];
  route?: string;
  /** The repetition, if it is in the function of the node itself. */
  repetition?: Repetition;
  /** What the repetition walks, also if it is in another function. */
  list?: Node | undefined;
  /** The function with the repetition, if it is another one. */
  loopIn?: FunctionNode | undefined;
}

// A list with this many candidates costs microseconds per walk, which is not worth a look.
const SHORT_LIST = 10;

// At the top level of a module, a loop only counts with this many iterations. Everything else there runs once, at startup.
const MANY_ROUNDS = 1000;

/** Work done once per process, judged by the name of the function. */
const STARTUP_NAME = new RegExp(
  '^_*(?:' +
    '(?:init|initiali[sz]e|setup|bootstrap|boot|configure|migrate|upgrade|seed|install|uninstall|shutdown|tear[dD]own|destroy|dispose|start|stop|close|autoload)(?![a-z])(?:All|App|Application|Server)?$' +
    '|(?:init|initiali[sz]e|setup|set[uU]p|bootstrap|configure|migrate|seed|install|autoload|discover)[A-Z_]\\w*$' +
    '|(?:load|reload|register|start|stop|close|read|parse|get|prepare|create|build|apply|resolve|validate|check)[A-Z_]?\\w*(?:Config|Configs|Configuration|Plugins?|Modules?|Extensions?|Routes?|Commands?|Env|Environment|EnvironmentVariables|EnvVars?|Schemas?|Models?|Locales?|Translations?|Middlewares?|Migrations?|Theme|Themes|Addons?|ConnectionStrings?|Connections?)$' +
    '|(?:connection|config|options|settings)(?:Object|String|From[A-Z]\\w*)$' +
    ')',
);

/** Whether other files may call the code: its function is exported, in a program that serves. */
export function isOfferedTest(facts: Facts, node: Node): boolean {
  const unit = unitOf(node);
  return unit !== undefined && isServing(facts) && !isStartup(node) && facts.calls.callersOf(unit).length === 0 && isExported(facts, unit);
}

function isExported(facts: Facts, fn: FunctionNode): boolean {
  const parent = parentOf(fn);
  if (parent?.type === 'ExportNamedDeclaration' || parent?.type === 'ExportDefaultDeclaration') return true;
  if (parent?.type === 'VariableDeclarator' && parentOf(parentOf(parent) ?? parent)?.type === 'ExportNamedDeclaration') return true;
  if (parent?.type === 'AssignmentExpression') return isMember(parent.left);
  if (fn.type === 'ClassMethod' || fn.type === 'ObjectMethod' || parent?.type === 'ObjectProperty') return true;
  const name =
    fn.type === 'FunctionDeclaration'
      ? fn.id
      : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
        ? parent.id
        : undefined;
  const binding = name ? facts.bindings.resolve(name) : undefined;
  return (
    binding !== undefined &&
    facts.bindings
      .references(binding)
      .some((reference) =>
        /^(?:ExportSpecifier|ExportDefaultDeclaration|ObjectProperty|AssignmentExpression)$/.test(parentOf(reference)?.type ?? ''),
      )
  );
}

/** The heat of a node. `skip` selects repetitions that end before they repeat it. */
export function findHeat(facts: Facts, node: Node, skip: (repetition: Repetition) => boolean = () => false): Heat | undefined {
  if (!isServing(facts) || isStartup(node)) return undefined;
  const heat = facts.hotness.heatOf(node);
  const counted = heat.repetitions.find(
    (repetition) =>
      !skip(repetition) && isLong(facts, repetition) && !isStartup(repetition.node) && !isRegistration(facts, repetition.node),
  );
  if (counted) {
    const path = heat.path.filter((place) => place.span.start !== startOf(node));
    return {
      level: 'repeated',
      often: `${phrase(counted)}${isInEach(facts, node, counted.node, heat.sites) ? '' : ' that reaches this line'}`,
      ...(heat.path.length === 0 ? { repetition: counted } : { loopIn: enclosingFunction(counted.node) }),
      list: listOf(counted.node),
      related: [
        ...path,
        {
          span: headOf(counted.node),
          message: counted.by === 'loop' ? 'this loop repeats it' : `\`${counted.by}\` calls it once per item`,
        },
      ],
    };
  }
  const request = facts.requestPaths.toNode(node);
  if (!request) return undefined;
  const isSometimes = [node, ...request.edges.map(({ site }) => site)].some((place) => facts.chosenPlaces.has(place));
  const requests = request.handler.route ? `request to ${request.handler.route}` : 'request';
  return {
    level: 'request',
    often: `on each ${requests}${isSometimes || !request.handler.route ? ' that reaches this line' : ''}`,
    related: describePath(request),
    route: request.handler.route,
  };
}

/** Whether no condition between a loop and a place chooses some iterations. `sites`: the calls from the loop to the place, the last first. */
function isInEach(facts: Facts, node: Node, loop: Node, sites: readonly Node[]): boolean {
  for (const place of [node, ...sites]) {
    if (contains(loop, place)) return isUnconditional(place, loop);
    if (facts.chosenPlaces.has(place)) return false;
  }
  return true;
}

/** Whether the function also sends a query or a request, which takes a thousand times as long as a throw. */
function isBesideTrip(facts: Facts, node: Node): boolean {
  const unit = unitOf(node);
  return unit !== undefined && facts.calls.callsIn(unit).some((call) => findQuery(call, facts, true) !== undefined);
}

/** Where a request tests one address: a query takes longer, and an address that is answered with an error is seldom wrong. */
export function isSeldomCounted(facts: Facts, node: GuardedTry): boolean {
  return isBesideTrip(facts, node) || isAnsweredWithError(facts, node);
}

/** `if (!isUrl(text)) return res.status(400).end()` in all callers, or in the `catch` itself. */
function isAnsweredWithError(facts: Facts, node: GuardedTry): boolean {
  if (isError(node.handler.body, facts)) return true;
  const unit = unitOf(node);
  const callers = unit ? facts.calls.callersOf(unit) : [];
  return (
    callers.length > 0 &&
    callers.every(({ edge }) => {
      const not = parentOf(edge.site);
      if (not?.type !== 'UnaryExpression' || not.operator !== '!') return false;
      let test: Node = not;
      for (let up = parentOf(test); up?.type === 'LogicalExpression'; up = parentOf(test)) test = up;
      const statement = parentOf(test);
      return statement?.type === 'IfStatement' && statement.test === test && isError(statement.consequent, facts);
    })
  );
}

const isError = (branch: Node, facts: Facts): boolean => ERROR_ANSWER.test(facts.source.slice(branch).slice(0, MOST_READ));
const ERROR_ANSWER = /\bthrow\b|\b(?:status|sendStatus|code|writeHead)\([45]\d\d\b|\breject\(|\bnext\(\w/;
/** Of a branch, in characters. */
const MOST_READ = 400;

/** The heat that a loop of other functions would cause. Whether there is one, the project knows. */
export const HEAT_FROM_ELSEWHERE: Heat = { level: 'repeated', often: 'in each iteration of {{loop}}', related: [] };

/** Whether a loop in another file would make a place hot: its function waits for nothing and is not part of startup. */
export function mayBeHeated(facts: Facts, node: Node): boolean {
  const unit = unitOf(node);
  return unit !== undefined && !unit.async && isServing(facts) && !isStartup(node);
}

// `const text = row.text; const value = text.trim(); JSON.parse(value)`
const MOST_STEPS = 4;

/** Whether an expression depends on the arguments of its function. Settings, for example, are the same in each iteration. */
export function isOfParameters(facts: Facts, expression: Node): boolean {
  const unit = unitOf(expression);
  return unit !== undefined && mentionsParameter(facts, expression, unit, 0);
}

function mentionsParameter(facts: Facts, expression: Node, unit: FunctionNode, steps: number): boolean {
  let found = false;
  walkWithin(expression, (node) => {
    if (found || node.type !== 'Identifier') return !found;
    const parent = parentOf(node);
    if (isMember(parent) && parent.property === node && !parent.computed) return true;
    const binding = facts.bindings.resolve(node);
    const declaration = binding?.declaration;
    if (binding?.kind === 'param') found = declaration !== undefined && contains(unit, declaration);
    else if (declaration?.type === 'VariableDeclarator' && contains(unit, declaration) && steps < MOST_STEPS) {
      const loop = parentOf(parentOf(declaration) ?? declaration);
      const from = declaration.init ?? (loop?.type === 'ForOfStatement' || loop?.type === 'ForInStatement' ? loop.right : undefined);
      found = from != null && mentionsParameter(facts, from, unit, steps + 1);
    }
    return !found;
  });
  return found;
}

/** Whether a node runs each time its function does. */
export function isSteady(node: Node): boolean {
  const unit = unitOf(node);
  return unit !== undefined && isUnconditional(node, unit);
}

/** The heat of a place that the events of a stream run, once per chunk. */
export function findChunkHeat(facts: Facts, node: Node): Heat | undefined {
  return isServing(facts) && !isStartup(node) ? { level: 'repeated', often: 'for each chunk', related: [] } : undefined;
}

/** The name of the function around a node. */
export function findNameAround(node: Node): string | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) {
    const name = isFunction(at) ? functionName(at) : undefined;
    if (name) return name;
  }
  return undefined;
}

/** The heat of a node that runs in every iteration or every request, not only after a failure. */
export function findSteadyHeat(facts: Facts, node: Node): Heat | undefined {
  const heat = findHeat(facts, node);
  if (!heat) return undefined;
  const [loop] = facts.hotness.repetitionsInFunction(node);
  if (loop) return isUnconditional(node, loop.node) ? heat : undefined;
  const unit = unitOf(node);
  if (!unit || !isUnconditional(node, unit)) return undefined;
  if (heat.level === 'request') return facts.requestPaths.toNode(node)?.edges.length === 0 ? heat : undefined;
  // One step up: the call is also in the loop, without a condition.
  const isSteadilyCalled = facts.calls.callersOf(unit).some(({ edge }) => {
    const [around] = facts.hotness.repetitionsInFunction(edge.site);
    return around !== undefined && isUnconditional(edge.site, around.node);
  });
  return isSteadilyCalled ? heat : undefined;
}

/** Whether the code of the file runs in a process that serves or computes, not in a test, a build or a migration. */
function isServing(facts: Facts): boolean {
  return !facts.module.has('JSXElement') && (facts.role === 'worker' || facts.isApplication()) && !isPageCode(facts);
}

function isLong(facts: Facts, repetition: Repetition): boolean {
  const rounds = repetition.atMost ?? roundsOfList(facts, repetition);
  if (isOfSettings(repetition)) return false;
  if (rounds !== undefined && rounds < SHORT_LIST) return false;
  if (unitOf(repetition.node) !== undefined) return true;
  return (rounds ?? 0) >= MANY_ROUNDS || (repetition.node.type === 'ForOfStatement' && repetition.node.await === true);
}

/** What a loop, or a method with a callback, walks. */
export function listOf(node: Node): Node | undefined {
  if (node.type === 'ForOfStatement') return node.right;
  return isCall(node) && isMember(node.callee) ? node.callee.object : undefined;
}

/** `config.allowedOrigins.some(…)`: a few entries that an administrator wrote. */
function isOfSettings({ node }: Repetition): boolean {
  const list = listOf(node);
  const given = list && unwrap(list);
  // `(allowedOrigins || [])`
  const source = given?.type === 'LogicalExpression' ? unwrap(given.left) : given;
  const name = source?.type === 'Identifier' ? source.name : isMember(source) ? memberName(source) : undefined;
  return name !== undefined && SETTINGS_LIST.test(name);
}

const SETTINGS_LIST =
  /^(?:allowed|trusted|blocked|forbidden|whitelisted|blacklisted)[A-Z]|(?:[aA]llow|[wW]hite|[bB]lack|[bB]lock|[dD]eny)[lL]ist/;

/** The named or passed function around a node. Callbacks of `map` and similar methods belong to the function that calls `map`. */
function unitOf(node: Node): FunctionNode | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (!isFunction(at)) continue;
    const parent = parentOf(at);
    const isImmediate =
      parent?.type === 'CallExpression' &&
      (parent.callee === at ||
        (isMember(parent.callee) &&
          parent.arguments.includes(at as t.Expression) &&
          /^(?:forEach|map|filter|reduce|some|every|find|flatMap|each)$/.test(memberName(parent.callee) ?? '')));
    if (!isImmediate) return at;
  }
  return undefined;
}

/** The length of the constant list that a loop walks: `const KEYS = ['new', 'old']`, `[url, other].filter(Boolean)`. */
function roundsOfList(facts: Facts, { node }: Repetition): number | undefined {
  const list = listOf(node);
  return list && mostElements(facts, list, 0);
}

/** These give at most one element for each of the list's. */
const NEVER_LONGER = /^(?:filter|map|slice|sort|toSorted|reverse|toReversed|values)$/;

/** How many elements a list has at most, if the source shows it. */
function mostElements(facts: Facts, list: Node, steps: number): number | undefined {
  const node = unwrap(list);
  if (steps > MOST_STEPS) return undefined;
  if (node.type === 'ArrayExpression')
    return node.elements.some((element) => element?.type === 'SpreadElement') ? undefined : node.elements.length;
  if (isCall(node) && /^Object\.(?:keys|values|entries)$/.test(facts.source.slice(node.callee))) return fieldsOf(facts, node.arguments[0]);
  if (isCall(node))
    return isMember(node.callee) && NEVER_LONGER.test(memberName(node.callee) ?? '')
      ? mostElements(facts, node.callee.object, steps + 1)
      : undefined;
  if (node.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(node);
  const tuple = binding && lengthOfTuple(binding.identifier);
  if (tuple !== undefined) return tuple;
  if (
    binding?.declaration.type !== 'VariableDeclarator' ||
    binding.declaration.id !== binding.identifier ||
    !binding.declaration.init ||
    !facts.bindings.isConstant(binding)
  )
    return undefined;
  const grows = facts.bindings.references(binding).some((reference) => {
    const parent = parentOf(reference);
    return isMember(parent) && parent.object === reference && (parent.computed || GROWS.test(memberName(parent) ?? ''));
  });
  const length = grows ? undefined : mostElements(facts, binding.declaration.init, steps + 1);
  // An empty list is filled elsewhere.
  return length === 0 ? undefined : length;
}

/** How many fields a literal has that nobody adds to: `Object.keys(KINDS)` for `const KINDS = { a: 1, b: 2 }`. */
function fieldsOf(facts: Facts, object: Node | undefined): number | undefined {
  const node = object && unwrap(object);
  const binding = node?.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  const declaration = binding?.declaration;
  const made = !binding ? node : declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  if (made?.type !== 'ObjectExpression' || made.properties.length === 0) return undefined;
  if (made.properties.some(({ type }) => type === 'SpreadElement')) return undefined;
  const isExtended =
    binding !== undefined &&
    (!facts.bindings.isConstant(binding) ||
      facts.bindings.references(binding).some((reference) => {
        const member = parentOf(reference);
        const up = isMember(member) && member.object === reference ? parentOf(member) : undefined;
        return up?.type === 'AssignmentExpression' && up.left === member;
      }));
  return isExtended ? undefined : made.properties.length;
}

/** `pair: [string, string]` */
function lengthOfTuple({ typeAnnotation }: t.Identifier): number | undefined {
  const type = typeAnnotation?.type === 'TSTypeAnnotation' ? typeAnnotation.typeAnnotation : undefined;
  const tuple = type?.type === 'TSTypeOperator' ? type.typeAnnotation : type;
  if (tuple?.type !== 'TSTupleType') return undefined;
  return tuple.elementTypes.some((one) => one.type === 'TSRestType') ? undefined : tuple.elementTypes.length;
}

const GROWS = /^(?:push|unshift|splice)$/;

/** Whether a node belongs to work that is done once: a constructor, or a function named for startup or shutdown. */
function isStartup(node: Node): boolean {
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (!isFunction(at)) continue;
    if (at.type === 'ClassMethod' && at.kind === 'constructor') return true;
    const qualified = functionName(at);
    const name = qualified?.split('.').at(-1);
    if (name && (STARTUP_NAME.test(name) || /^\w*Config(?:uration)?\./.test(qualified ?? ''))) return true;
    // `function ChangeNode(n) { this.rules = …` is a constructor function.
    if (name && /^[A-Z][a-z]/.test(name) && at.type === 'FunctionDeclaration' && setsThis(at)) return true;
  }
  return false;
}

/** Whether a loop ends before the first request: its function registers routes, or only such functions of this file call it. */
function isRegistration(facts: Facts, node: Node): boolean {
  const unit = unitOf(node);
  if (!unit || facts.requestPaths.toFunction(unit)) return false;
  if (registersRoutes(facts, unit)) return true;
  const callers = isExported(facts, unit) ? [] : facts.calls.callersOf(unit);
  return (
    callers.length > 0 &&
    callers.every(({ edge }) => {
      const from = unitOf(edge.site);
      return from !== undefined && registersRoutes(facts, from) && !facts.requestPaths.toFunction(from);
    })
  );
}

function registersRoutes(facts: Facts, fn: FunctionNode): boolean {
  return facts.handlers.handlers.some(({ kind, site }) => kind === 'route' && contains(fn, site) && site !== fn);
}

function setsThis(fn: t.FunctionDeclaration): boolean {
  return fn.body.body.some(
    (statement) =>
      statement.type === 'ExpressionStatement' &&
      statement.expression.type === 'AssignmentExpression' &&
      isMember(statement.expression.left) &&
      statement.expression.left.object.type === 'ThisExpression',
  );
}

function phrase(repetition: Repetition): string {
  return repetition.by === 'loop' ? 'in each iteration of the loop' : `for each item of \`${repetition.by}\``;
}

/** A loop without its body, a call without its arguments. */
export function headOf(node: Node): { start: number; end: number } {
  const start = startOf(node);
  if (isClass(node) || isFunction(node)) return { start, end: startOf(node.body) };
  if ('callee' in node && node.callee) return { start, end: endOf(node.callee as Node) };
  if (node.type === 'DoWhileStatement') return { start, end: start + 'do'.length };
  if ('body' in node && node.body && !Array.isArray(node.body)) return { start, end: Math.max(start, startOf(node.body as Node) - 1) };
  return { start, end: endOf(node) };
}
