// Branches that refuse a request: what is behind them runs for the others.
import type { Facts } from '../../analysis/facts/index.ts';
import { unwrap, type t } from '../../analysis/module/ast.ts';

/** `if (!user) return …`, `if (isLocked) return res.status(403).end()` */
export function isRefusal({ test, consequent }: t.IfStatement, facts: Facts): boolean {
  const asked = unwrap(test);
  return (
    (asked.type === 'UnaryExpression' && asked.operator === '!') ||
    /\bthrow\b|\b(?:status|sendStatus|code|writeHead)\([45]\d\d\b|\breject\(|\bnext\(\w/.test(
      facts.source.slice(consequent).slice(0, MOST_READ),
    )
  );
}

/** Of a branch, in characters. */
const MOST_READ = 400;
