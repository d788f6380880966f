// Branches that production does not take.
import type { Bindings } from './bindings.ts';
import { constantOf } from './constants.ts';
import { isCall, isMember, parentOf, startOf, unwrap, type Node, type t } from '../module/ast.ts';

const UNLESS_PRODUCTION =
  /NODE_ENV[\s\S]*(?:!==?\s*['"]production['"]|===?\s*['"](?:development|dev|test)['"])|^\s*!\s*(?:is|in|IS_)?_?[Pp]rod(?:uction)?(?:Mode)?\b|^\s*!\s*(?:IS_PROD(?:UCTION)?\b|__PROD(?:UCTION)?__)/;
const IF_PRODUCTION = /NODE_ENV[\s\S]*===?\s*['"]production['"]/;
/** Flags recognized by name: `isDev`, `config.isDevelopment`, `__DEV__`, `IS_TEST`. */
const DEVELOPMENT_FLAG =
  /^\s*(?:[\w$]+\.)*(?:(?:is|in)(?:Dev|Development|Test|Testing|E2E)(?:Mode|Env|elopment)?|__DEV__|IS_(?:DEV|DEVELOPMENT|TEST)|devMode|development)(?:\(\))?\s*(?:&&[\s\S]*)?$/;
/** `process.env.APP_INTEGRATION_TEST === 'memory'`, `process.env.E2E`; not `TEST_DATABASE_URL` or `LATEST`. */
const TEST_RUN =
  /^\s*process\.env\.(?:(?:[A-Z\d]+_)*(?:E2E|(?:UNIT|INTEGRATION|SMOKE)_?TESTS?)(?:_(?:ENV|MODE|RUN))?|JEST_WORKER_ID|VITEST)\s*(?:$|===?|&&)/;

// Real tests have 20 to 200 characters. In a long one, each NODE_ENV would be compared with all that follows, for each call below the test.
const LONGEST_TEST = 1000;

// Our choice: each test of a chain looks at those to its left.
const DEEPEST_TEST = 20;

/** The branch of a test that only development takes. `test`: its source text. */
export function developmentBranchOf(test: string): 'consequent' | 'alternate' | undefined {
  if (test.length > LONGEST_TEST) return undefined;
  if (UNLESS_PRODUCTION.test(test) || DEVELOPMENT_FLAG.test(test) || TEST_RUN.test(test)) return 'consequent';
  return IF_PRODUCTION.test(test) ? 'alternate' : undefined;
}

/**
 * A test that holds in production, and nowhere else. What is asked beside it (`&& cached`) may not hold there, and `tenant.isProduction`
 * says nothing of the process.
 */
const ONLY_PRODUCTION =
  /^\s*(?:(?:process\.)?env\.NODE_ENV\s*===?\s*['"]production['"]|(?:(?:this|app|config|env|environment|settings|constants)\.){0,3}(?:(?:is|in)_?[Pp]rod(?:uction)?(?:Mode|Env)?(?:\(\))?|IS_PROD(?:UCTION)?))\s*$/;

/** `if (process.env.NODE_ENV === 'production') return res.status(403).end();`: production does not get to what follows. */
export function endsInProduction(statement: Node, textOf: (node: Node) => string, bindings: Bindings): boolean {
  if (statement.type !== 'IfStatement' || statement.alternate) return false;
  const { consequent, test } = statement;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  if (last?.type !== 'ReturnStatement' && last?.type !== 'ThrowStatement') return false;
  const text = textOf(test);
  return text.length <= LONGEST_TEST && ONLY_PRODUCTION.test(text) && isOfProcess(test, textOf, bindings);
}

// Our choice: the longest chain of constants to follow.
const MOST_CONSTANTS = 4;

/**
 * Whether a flag is a global, an import, or a constant of the module, or comes from one: `const { isProduction } = config`. A parameter, and
 * what a request or a database gives, say nothing of the process.
 */
function isOfProcess(flag: Node, textOf: (node: Node) => string, bindings: Bindings, steps = 0): boolean {
  let node = unwrap(flag);
  if (node.type === 'BinaryExpression') node = unwrap(node.left);
  while (isMember(node) || (isCall(node) && (node.arguments.length === 0 || textOf(node.callee) === 'require')))
    node = unwrap(isMember(node) ? node.object : node.callee);
  // Of an object's own flag, its class must show where it is from.
  if (node.type === 'ThisExpression')
    return /^this\.(?:app|config|env|environment|constants)\./.test(textOf(flag)) || isSetByNodeEnv(flag, textOf);
  if (node.type !== 'Identifier') return false;
  const binding = bindings.resolve(node);
  if (!binding || binding.kind === 'import') return true;
  if (binding.scope.type === 'Program') return bindings.isConstant(binding);
  const { declaration } = binding;
  if (declaration.type !== 'VariableDeclarator' || !declaration.init || !bindings.isConstant(binding) || steps >= MOST_CONSTANTS)
    return false;
  const { init } = declaration;
  if (unwrap(init).type === 'BinaryExpression' && !ONLY_PRODUCTION.test(textOf(init).slice(0, LONGEST_TEST))) return false;
  // `for (const app of apps)` has no init.
  return isOfProcess(init, textOf, bindings, steps + 1);
}

/** `this.isProduction = process.env.NODE_ENV === 'production'`, in the class around a flag. */
function isSetByNodeEnv(flag: Node, textOf: (node: Node) => string): boolean {
  for (let at = parentOf(flag); at; at = parentOf(at)) if (at.type === 'ClassBody') return textOf(at).includes('NODE_ENV');
  return false;
}

/** By block: where the first such statement starts. */
const PRODUCTION_ENDS = new WeakMap<Node, number>();

function productionEndOf(block: t.BlockStatement, textOf: (node: Node) => string, bindings: Bindings): number {
  let start = PRODUCTION_ENDS.get(block);
  if (start === undefined) {
    const end = block.body.find((one) => endsInProduction(one, textOf, bindings));
    PRODUCTION_ENDS.set(block, (start = end ? startOf(end) : Infinity));
  }
  return start;
}

/**
 * Whether a node is in such a branch, or behind what ends a function in production. Branches around the enclosing functions count, too. What
 * comes before the end may call a function that is declared after it.
 */
export function isInDevelopmentBranch(site: Node, textOf: (node: Node) => string, bindings: Bindings): boolean {
  let from = site;
  for (let at = parentOf(site); at; from = at, at = parentOf(at)) {
    if (at.type === 'BlockStatement' && !isHoisted(from) && productionEndOf(at, textOf, bindings) < startOf(from)) return true;
    if (at.type !== 'IfStatement' && at.type !== 'ConditionalExpression') continue;
    if (at.test === from) continue;
    const branch = developmentBranchOf(textOf(at.test));
    if ((branch === 'consequent' && at.consequent === from) || (branch === 'alternate' && at.alternate === from)) return true;
  }
  return false;
}

/** Whether a statement has its value before the statements around it run. */
export const isHoisted = (statement: Node): boolean => statement.type === 'FunctionDeclaration';

/** Whether a node is in a branch that nothing takes: `if (USE_FIXTURES && …)`, of a `const` that is false, or `false && …`. */
export function isInDeadBranch(site: Node, bindings: Bindings): boolean {
  let from = site;
  for (let at = parentOf(site); at; from = at, at = parentOf(at)) {
    if (
      at.type === 'IfStatement' || at.type === 'ConditionalExpression'
        ? at.consequent === from && isFalse(at.test, bindings)
        : at.type === 'LogicalExpression' && at.operator === '&&' && at.right === from && isFalse(at.left, bindings)
    )
      return true;
  }
  return false;
}

/** Whether a test never holds: `false && …`, or a `const` that is false. */
export function isFalse(test: Node, bindings: Bindings, depth = 0): boolean {
  const node = unwrap(test);
  if (node.type === 'LogicalExpression')
    return (
      node.operator === '&&' &&
      depth < DEEPEST_TEST &&
      (isFalse(node.left, bindings, depth + 1) || isFalse(node.right, bindings, depth + 1))
    );
  const value = constantOf(node, bindings) ?? node;
  return value.type === 'BooleanLiteral' && !value.value;
}
