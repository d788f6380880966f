// Branches that production does not take.
import type { Bindings } from './bindings.ts';
import { constantOf } from './constants.ts';
import { isFunction, parentOf, startOf, unwrap, type Node, type t } from '../module/ast.ts';

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
export function endsInProduction(statement: Node, textOf: (node: Node) => string): boolean {
  if (statement.type !== 'IfStatement' || statement.alternate) return false;
  const { consequent, test } = statement;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  if (last?.type !== 'ReturnStatement' && last?.type !== 'ThrowStatement') return false;
  const text = textOf(test);
  return text.length <= LONGEST_TEST && ONLY_PRODUCTION.test(text);
}

/** By block: where the first such statement starts. */
const PRODUCTION_ENDS = new WeakMap<Node, number>();

function productionEndOf(block: t.BlockStatement, textOf: (node: Node) => string): number {
  let start = PRODUCTION_ENDS.get(block);
  if (start === undefined) {
    const end = block.body.find((one) => endsInProduction(one, textOf));
    PRODUCTION_ENDS.set(block, (start = end ? startOf(end) : Infinity));
  }
  return start;
}

/** Whether a node is in such a branch, or behind what ends a function in production. Branches around the enclosing functions count, too. */
export function isInDevelopmentBranch(site: Node, textOf: (node: Node) => string, acrossFunctions = true): boolean {
  let from = site;
  for (let at = parentOf(site); at && (acrossFunctions || !isFunction(at)); from = at, at = parentOf(at)) {
    if (at.type === 'BlockStatement' && productionEndOf(at, textOf) < startOf(from)) return true;
    if (at.type !== 'IfStatement' && at.type !== 'ConditionalExpression') continue;
    if (at.test === from) continue;
    const branch = developmentBranchOf(textOf(at.test));
    if ((branch === 'consequent' && at.consequent === from) || (branch === 'alternate' && at.alternate === from)) return true;
  }
  return false;
}

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
