// Whether what is built can be shared by all requests: nobody changes it, and it is the same when the module is loaded.
import { isReference } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type Node,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { AJV_PACKAGES, type SetupCall } from '../../knowledge/setup-calls.ts';
import { usesOf } from './uses.ts';

const LATER = ', and that may be another value when the module is loaded';

/** Why it has to stay where it is, with the place; undefined where it need not. @param statement of the module, around `whole` */
export function whyNotShared(whole: Node, row: SetupCall, statement: Node, facts: Facts): string | undefined {
  const shared = whySharingShows(whole, row, facts);
  if (shared) return shared;
  const caught = tryAround(whole, statement);
  if (caught && !(row.immutable && isLiteral(whole)))
    return `the \`try\` on line ${lineOf(caught, facts)} catches what goes wrong while it is built, and nothing would when the module is loaded`;
  return readsState(whole, facts) ?? comesFrom(whole, facts);
}

/** Nobody can change it, and it depends on nothing. */
export const isSafeToShare = (whole: Node, row: SetupCall): boolean => row.immutable === true && isLiteral(whole);

/** Compiled templates, validators, and keys are not changed by those who get them; methods of a schema return another one. */
export const isValue = (row: SetupCall): boolean =>
  row.immutable === true ||
  row.chain === true ||
  row.onlyFirst === true ||
  row.module === 'crypto' ||
  row.module === 'tls' ||
  AJV_PACKAGES.includes(row.module);

/** Why requests that share what is built would see each other. */
export function whySharingShows(whole: Node, row: SetupCall, facts: Facts): string | undefined {
  if (row.module === 'zod' && hasObjectDefault(whole)) return 'a default in it is an object, which all requests would share';
  const { changes, handed, names } = usesOf(whole, row.makes, facts);
  if (changes.length > 0) return 'it is changed after it was built, which each request would then repeat';
  if (AJV_PACKAGES.includes(row.module) && names.has('errors') && mayWait(whole))
    return 'its `errors` are those of the last validation, and while a request waits, another one may validate. Read them at once';
  // A pool hands out its connections.
  if (row.makes === 'client' && names.has('connect') && row.module !== 'pg')
    return '`connect` is called on it, which each request would then repeat. Connect once, before the server listens';
  const [first] = handed.filter((node) => !(row.path.at(-1) === 'Agent' && isAgentOption(node)));
  return isValue(row) || !first
    ? undefined
    : `it is passed on (line ${lineOf(first, facts)}), and what is changed there for one request, such as a header, would be seen by all`;
}

/** zod 4 copies the top level of `.default({ … })`, and nothing of `.catch({ … })`. */
function hasObjectDefault(whole: Node): boolean {
  let has = false;
  walkWithin(whole, (node) => {
    if (isCall(node) && isMember(node.callee) && /^(?:default|prefault|catch)$/.test(memberName(node.callee) ?? '')) {
      const given = node.arguments[0];
      has ||= given !== undefined && !isFunction(given) && !/Literal$|^(?:Unary|Identifier)/.test(given.type);
    }
    return has ? 'stop' : undefined;
  });
  return has;
}

const mayWait = (node: Node): boolean => {
  const fn = enclosingFunction(node);
  return fn?.async === true || fn?.generator === true;
};

/** `{ agent: new https.Agent() }` */
const isAgentOption = (node: Node): boolean =>
  node.type === 'ObjectProperty' && node.key.type === 'Identifier' && /agent$/i.test(node.key.name);

/** The innermost `try` with a `catch` around a node, below a statement of the module. */
function tryAround(node: Node, statement: Node): Node | undefined {
  let at = node;
  for (let up = parentOf(at); up && at !== statement; up = parentOf(at)) {
    if (up.type === 'TryStatement' && up.block === at && up.handler) return up;
    at = up;
  }
  return undefined;
}

/** What may change between the start and the first request: the environment, a file, a property of a configuration. */
function readsState(whole: Node, facts: Facts): string | undefined {
  let found: string | undefined;
  walkWithin(whole, (node) => {
    if (node.type === 'AwaitExpression') found = `it waits for something${LATER}`;
    else if (isMember(node) && isCallee(node) && FILE_READS.test(memberName(node) ?? '')) found = `it reads a file${LATER}`;
    else if (node.type === 'Identifier' && isCallee(node) && FILE_READS.test(node.name)) found = `it reads a file${LATER}`;
    else if (isMember(node) && !isCallee(node) && unwrap(node.object).type !== 'NewExpression') {
      const root = rootOf(node);
      const isConstructor = parentOf(node)?.type === 'NewExpression' || parentOf(node)?.type === 'MemberExpression';
      const env = isMember(node.object) ? node.object : node;
      if (root.type === 'Identifier' && root.name === 'process' && isOfLambda(env, facts)) return false;
      if (root.type === 'Identifier' && root.name === 'process') found = `it reads the environment${LATER}`;
      else if (!isConstructor) found = `it reads a property of another object${LATER}`;
    }
    return found === undefined && !isFunction(node) ? undefined : found === undefined ? false : 'stop';
  });
  return found;
}

/** `process.env.AWS_REGION`, which AWS Lambda sets before it loads a function (docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html). */
export function isOfLambda(env: Node | undefined, { handlers }: Facts): boolean {
  const variable = env && parentOf(env);
  const name = isMember(env) && memberName(env) === 'env' && isMember(variable) ? memberName(variable) : undefined;
  return (
    name !== undefined &&
    /^AWS_(?:REGION|DEFAULT_REGION)$/.test(name) &&
    handlers.handlers.some(({ framework }) => framework === 'aws-lambda')
  );
}

const FILE_READS = /^readFile(?:Sync)?$/;

/** The same of the constants that it is built from, and what another file of the project may set after it was loaded. */
function comesFrom(whole: Node, facts: Facts): string | undefined {
  let found: string | undefined;
  walkWithin(whole, (node) => {
    if (found !== undefined || isFunction(node)) return false;
    if (node.type !== 'Identifier' || !isReference(node) || isCallee(node)) return undefined;
    const parent = parentOf(node);
    // `z` of `z.object()`
    if (isMember(parent) && parent.object === node) return undefined;
    const binding = facts.bindings.resolve(node);
    if (!binding || binding.scope.type !== 'Program') return undefined;
    const origin = facts.origins.of(node);
    if (origin?.root === 'module' && isOfProject(origin.name, facts))
      found = `\`${node.name}\` comes from another file, which may set it later`;
    const { declaration } = binding;
    if (declaration.type === 'VariableDeclarator' && declaration.init && readsEnvironment(declaration.init))
      found = `\`${node.name}\` comes from the environment. Without the variable, the process may then end at its start`;
    return undefined;
  });
  return found;
}

/** `./settings`, and `@/settings` or `@environments`, which a compiler resolves. */
function isOfProject(specifier: string, { project: { manifest } }: Facts): boolean {
  if (/^\.{0,2}\//.test(specifier)) return true;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return manifest !== undefined && manifest.dependencies[name] === undefined && manifest.devDependencies[name] === undefined;
}

function readsEnvironment(init: Node): boolean {
  let found = false;
  walkWithin(init, (node) => {
    if (isMember(node) && memberName(node) === 'env') {
      const object = unwrap(node.object);
      found ||= object.type === 'Identifier' && object.name === 'process';
    }
    return found ? 'stop' : undefined;
  });
  return found;
}

function isCallee(node: Node): boolean {
  const parent = parentOf(node);
  return (parent?.type === 'CallExpression' || parent?.type === 'NewExpression') && parent.callee === node;
}

function rootOf(node: Node): Node {
  let root = unwrap(node);
  while (isMember(root)) root = unwrap(root.object);
  return root;
}

/** Only literals, which are the same whenever they are read. */
function isLiteral(whole: Node): boolean {
  if (whole.type !== 'NewExpression' && whole.type !== 'CallExpression') return false;
  return whole.arguments.every((argument) => {
    let literal = true;
    walkWithin(argument, (node) => {
      if (!/^(?:ObjectExpression|ObjectProperty|ArrayExpression|StringLiteral|NumericLiteral|BooleanLiteral|Identifier)$/.test(node.type))
        literal = false;
      if (node.type === 'Identifier' && isReference(node)) literal = false;
      return literal ? undefined : 'stop';
    });
    return literal;
  });
}

export function hasKey(whole: Node, name: string): boolean {
  let found = false;
  walkWithin(whole, (node) => {
    found ||= node.type === 'ObjectProperty' && node.key.type === 'Identifier' && node.key.name === name;
    return found ? 'stop' : undefined;
  });
  return found;
}

function lineOf(node: Node, facts: Facts): number {
  return facts.source.positionAt(startOf(node)).line;
}
