// What is done with what was built: whether it belongs to the request after all.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { SetupKind } from '../../knowledge/setup-calls.ts';
import { isFixed } from './fixed.ts';

/** Methods that change what they are called on. */
const CHANGES_THING = /^(?:use|on|once|plugin|plugins|configure|enable|disable|extend|register\w*|set[A-Z]\w*|add[A-Z]?\w*|remove\w*)$/;
const CHANGES_CLIENT = /^(?:use|on|once|addListener|prependListener|\$use|addHook|setConfig)$/;
const CLOSES = /^(?:end|quit|close|disconnect|\$disconnect|destroy|terminate|shutdown|stop)$/;
/** `Object.assign(api.defaults, { … })` */
const CHANGES_FIRST = /^(?:assign|merge|defaults|defaultsDeep|extend|defineProperty|defineProperties|set|setPrototypeOf)$/;
/** Functions and names to follow what was built through. */
const MAX_PLACES = 64;

export interface Uses {
  /** What it is changed by: `md.use(plugin)`, `api.defaults.timeout = 5`, `Object.assign(api.defaults, options)`. */
  changes: readonly (readonly Node[])[];
  isClosed: boolean;
  /** Where somebody gets it, or a part of it, whose doings cannot be seen: a call, an object, a caller in another file. */
  handed: readonly Node[];
  /** The methods that are called on it, and the properties that are read. */
  names: ReadonlySet<string>;
}

/**
 * Whether the request changes it (`md.use(pluginOf(request))`), hears it, or closes it at the end. A client of its own that is closed may
 * be meant: it shares nothing with other requests.
 */
export function belongsToRequest(built: Node, kind: SetupKind, facts: Facts): boolean {
  const { changes, isClosed } = usesOf(built, kind, facts);
  return isClosed || changes.some((by) => !by.every((one) => isFixed(one, facts)));
}

/**
 * What happens to it: by its names, in parts of it, in functions of the file that get it, and where the function that returns it is called.
 */
export function usesOf(built: Node, kind: SetupKind, facts: Facts): Uses {
  const changes: (readonly Node[])[] = [];
  const handed: Node[] = [];
  const names = new Set<string>();
  let isClosed = false;
  const seen = new Set<Node>();
  const pending: Node[] = [built];

  const follow = (binding: Binding | undefined, otherwise: Node): void => {
    if (binding) pending.push(...facts.bindings.references(binding));
    else handed.push(otherwise);
  };
  const followPattern = (pattern: Node, otherwise: Node): void => {
    if (pattern.type === 'Identifier') {
      follow(facts.bindings.resolve(pattern), otherwise);
      return;
    }
    walkWithin(pattern, (node) => {
      const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
      if (binding?.identifier === node) follow(binding, otherwise);
      return undefined;
    });
  };
  const passTo = (call: CallNode, value: Node): void => {
    const position = (call.arguments as readonly Node[]).indexOf(value);
    const name = isMember(call.callee) ? memberName(call.callee) : undefined;
    if (position === 0 && name !== undefined && CHANGES_FIRST.test(name)) {
      changes.push(call.arguments.slice(1));
      return;
    }
    const edges = facts.calls.edgesOfCall(call).filter(({ via }) => via !== 'callback');
    const parameters = edges.map(({ target }) => target.params[position]);
    if (edges.length === 0 || parameters.some((one) => one?.type !== 'Identifier')) handed.push(call);
    else for (const parameter of parameters) if (parameter) followPattern(parameter, call);
  };

  for (let value = pending.pop(); value; value = pending.pop()) {
    if (seen.has(value)) continue;
    seen.add(value);
    if (seen.size > MAX_PLACES) {
      handed.push(value);
      break;
    }
    let at = value;
    let method: string | undefined;
    let up = parentOf(at);
    while (up && isSame(up, at)) {
      at = up;
      up = parentOf(at);
    }
    while (isMember(up) && up.object === at) {
      method = memberName(up) ?? '';
      names.add(method);
      at = up;
      up = parentOf(at);
    }
    const isPart = method !== undefined;
    if (!up) continue;
    switch (up.type) {
      case 'AssignmentExpression':
        if (up.left === at) {
          if (isPart) changes.push([up.right]);
        } else {
          // `request.api = api`, `({ headers } = api.defaults)`
          if (up.left.type === 'Identifier') followPattern(up.left, up);
          else handed.push(up);
          pending.push(up);
        }
        break;
      case 'UpdateExpression':
        changes.push([]);
        break;
      case 'UnaryExpression':
        if (up.operator === 'delete') changes.push([]);
        break;
      case 'VariableDeclarator':
        if (up.init === at) followPattern(up.id, up);
        break;
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        if (up.callee !== at) passTo(up, at);
        else if (method !== undefined) {
          // The promise of a maker: its callbacks get what was built.
          if (method === 'then') handed.push(up);
          if (kind === 'client' && CLOSES.test(method)) isClosed = true;
          else if ((kind === 'client' ? CHANGES_CLIENT : CHANGES_THING).test(method)) changes.push(up.arguments);
        }
        break;
      case 'ConditionalExpression':
      case 'LogicalExpression':
        if (up.type === 'LogicalExpression' || up.test !== at) pending.push(up);
        break;
      case 'ReturnStatement':
      case 'ArrowFunctionExpression': {
        const maker = up.type === 'ReturnStatement' ? enclosingFunction(up) : up;
        const callers = maker && isFunction(maker) ? facts.calls.callersOf(maker) : [];
        if (!maker || !isCalledHereOnly(maker, facts)) handed.push(up);
        pending.push(...callers.filter(({ edge }) => edge.via !== 'callback').map(({ edge }) => edge.site));
        break;
      }
      case 'ExpressionStatement':
      case 'BinaryExpression':
      case 'IfStatement':
      case 'TemplateLiteral':
        break;
      default:
        handed.push(up);
    }
  }
  return { changes, isClosed, handed, names };
}

/** `await value`, `(value)`, `value as Client`, `value!` */
function isSame(up: Node, at: Node): boolean {
  return (
    up.type === 'AwaitExpression' ||
    up.type === 'ParenthesizedExpression' ||
    (/^TS.*Expression$/.test(up.type) && 'expression' in up && up.expression === at)
  );
}

/** Whether the function is only ever called, and in this file: by its name, which no export and no other function gets. */
function isCalledHereOnly(maker: Node, { bindings }: Facts): boolean {
  const up = parentOf(maker);
  const name = maker.type === 'FunctionDeclaration' ? maker.id : up?.type === 'VariableDeclarator' ? up.id : undefined;
  const binding = name?.type === 'Identifier' ? bindings.resolve(name) : undefined;
  if (!binding || /^Export/.test(parentOf(maker.type === 'FunctionDeclaration' ? maker : (parentOf(up ?? maker) ?? maker))?.type ?? ''))
    return false;
  return bindings.references(binding).every((reference) => {
    const call = parentOf(reference);
    return isCall(call) && call.callee === reference;
  });
}
