// Views that are compiled for each response, because the program turns off their cache whatever the environment is.
import type { Facts } from '../../analysis/facts/index.ts';
import {
  endOf,
  functionName,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import type { Repair } from '../../analysis/rule.ts';
import { VIEW_ENGINES, type ViewEngine } from '../../knowledge/setup-calls.ts';

export interface Uncached {
  at: Node;
  call: string;
  engine: ViewEngine;
  name: string;
  remedy: string;
  /** What to write instead. */
  edit: { node: Node; text: string };
}

const CACHE = 'view cache';
const DEVELOPMENT = /dev|debug|test|local|watch|preview|demo|example|sample/i;
const PRODUCTION = "process.env.NODE_ENV === 'production'";
const MAY_TURN_OFF = /['"`]view cache['"`]|\bnoCache\b/;
const EXPRESS_REMEDY = 'Remove it: with `NODE_ENV=production`, Express keeps compiled views, and otherwise it does not.';
const NUNJUCKS_REMEDY = 'Set `noCache` in development only.';

export const mayTurnOffCache = (text: string): boolean => MAY_TURN_OFF.test(text);

export function findUncached(call: CallNode, facts: Facts): Uncached | undefined {
  if (facts.role !== 'application' || call.type === 'NewExpression') return undefined;
  const found = findExpress(call, facts) ?? findNunjucks(call, facts);
  return found && isAlways(call, facts) ? found : undefined;
}

/** `app.set('view cache', false)`, `app.disable('view cache')`, with an engine that keeps nothing then. */
function findExpress(call: CallNode, facts: Facts): Uncached | undefined {
  const callee = unwrap(call.callee);
  if (!isMember(callee)) return undefined;
  const method = memberName(callee);
  const [name, value] = call.arguments;
  if (name?.type !== 'StringLiteral' || name.value !== CACHE) return undefined;
  const isOff = method === 'disable' || (method === 'set' && value?.type === 'BooleanLiteral' && !value.value);
  // A second setting, or one for each render, may turn it on again.
  if (!isOff || facts.remember('caches of views', () => /\bcache\s?[:=]\s?/.test(facts.source.text))) return undefined;
  if (facts.module.nodes('StringLiteral').filter((one) => one.value === CACHE).length > 1) return undefined;
  const engine = findEngine(facts);
  if (!engine) return undefined;
  const object = facts.source.slice(callee.object);
  return {
    at: call,
    call: `${method ?? ''}('${CACHE}'${method === 'set' ? ', false' : ''})`,
    ...engine,
    remedy: EXPRESS_REMEDY,
    edit: { node: call, text: `${object}.set('${CACHE}', ${PRODUCTION})` },
  };
}

/** The engine of the views, as the file says. Swig and nunjucks have caches of their own. */
function findEngine(facts: Facts): Pick<Uncached, 'engine' | 'name'> | undefined {
  const endings = new Set<string>();
  const packages = new Map<string, string>();
  for (const call of facts.module.nodes('CallExpression')) {
    const callee = unwrap(call.callee);
    const [first, second] = call.arguments;
    if (!isMember(callee) || first?.type !== 'StringLiteral' || !second) continue;
    const method = memberName(callee);
    if (method === 'set' && first.value === 'view engine' && second.type === 'StringLiteral') endings.add(second.value);
    if (method !== 'engine') continue;
    const made = unwrap(second);
    const origin = facts.origins.of(isCall(made) ? made.callee : made);
    if (origin?.root !== 'module') return undefined;
    packages.set(first.value, origin.name === 'consolidate' ? (origin.path[0] ?? '') : origin.name);
  }
  const names = new Set([...packages.values(), ...[...endings].filter((one) => !packages.has(one))]);
  const [name, ...more] = names;
  const engine = name === undefined || more.length > 0 ? undefined : VIEW_ENGINES.get(name);
  return engine && name !== undefined ? { engine, name } : undefined;
}

/** `nunjucks.configure('views', { express: app, noCache: true })` */
function findNunjucks(call: CallNode, facts: Facts): Uncached | undefined {
  const origin = facts.origins.moduleMember(call.callee);
  const engine = VIEW_ENGINES.get('nunjucks');
  if (origin?.module !== 'nunjucks' || origin.path.join('.') !== 'configure' || !engine) return undefined;
  const options = call.arguments.at(-1);
  if (options?.type !== 'ObjectExpression') return undefined;
  const keyed = (key: string): Node | undefined => {
    for (const one of options.properties)
      if (one.type === 'ObjectProperty' && !one.computed && one.key.type === 'Identifier' && one.key.name === key) return one.value;
    return undefined;
  };
  const value = keyed('noCache');
  // Without a server, it may write pages once.
  if (value?.type !== 'BooleanLiteral' || !value.value || !keyed('express')) return undefined;
  const edit = { node: value, text: "process.env.NODE_ENV !== 'production'" };
  return { at: parentOf(value) ?? value, call: 'noCache: true', engine, name: 'nunjucks', remedy: NUNJUCKS_REMEDY, edit };
}

/** Not in a condition, not after one that may end the function, and not in a function or a file for development. */
function isAlways(call: CallNode, facts: Facts): boolean {
  if (DEVELOPMENT.test(facts.source.file.replace(/^.*[\\/]/, ''))) return false;
  let from: Node = call;
  for (let at = parentOf(call); at; from = at, at = parentOf(at)) {
    if (/^(?:IfStatement|ConditionalExpression|LogicalExpression|SwitchCase|CatchClause)$/.test(at.type)) return false;
    if ((at.type === 'BlockStatement' || at.type === 'Program') && at.body.slice(0, at.body.indexOf(from as never)).some(mayLeave))
      return false;
    if (!isFunction(at)) continue;
    if (DEVELOPMENT.test(functionName(at) ?? '')) return false;
    const up = parentOf(at);
    // `app.configure('development', function () { … })`
    if (isCall(up) && up.arguments.some((one) => one.type === 'StringLiteral' && DEVELOPMENT.test(one.value))) return false;
  }
  return true;
}

function mayLeave(statement: Node): boolean {
  if (statement.type !== 'IfStatement') return false;
  const { consequent } = statement;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  return last?.type === 'ReturnStatement';
}

export function onlyInDevelopment({ edit }: Uncached): Repair {
  return {
    fixes: [
      {
        title: 'Keep compiled views in production',
        kind: 'suggestion',
        edits: [{ start: startOf(edit.node), end: endOf(edit.node), text: edit.text }],
      },
    ],
    refused: [],
  };
}
