// Where a file gets what a fix makes once: after the statements that load modules.
import { endOf, unwrap, type t } from '../../analysis/module/ast.ts';
import { isTaken, requiredBy } from '../../analysis/fix/add-import.ts';
import { getCodeStyle, restOfLine } from '../../analysis/fix/code-style.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Edit } from '../../analysis/rule.ts';

/** The last statement at the top level that loads a module. */
export function findLoads(facts: Facts): t.Statement | undefined {
  return facts.remember('last load', () => facts.module.program.body.findLast((statement) => isLoad(statement, facts)));
}

/** A statement after the last load, on lines of its own; undefined if nothing is loaded. */
export function addAfterLoads(text: string, facts: Facts): Edit | undefined {
  const loads = findLoads(facts);
  if (!loads) return undefined;
  const { lineBreak } = getCodeStyle(facts);
  const at = endOf(loads) + restOfLine(facts, endOf(loads)).length;
  // A group of its own, where one follows.
  const gap = /^(?:\r\n|\n|\r)[\t ]*(?:\r|\n)/.test(facts.source.text.slice(at)) ? lineBreak : '';
  return { start: at, end: at, text: `${gap}${lineBreak}${text}` };
}

/** The same for a declaration of several lines, with blank lines around it. */
export function addBlockAfterLoads(text: string, facts: Facts): Edit | undefined {
  const edit = addAfterLoads(text, facts);
  if (!edit) return undefined;
  const { lineBreak } = getCodeStyle(facts);
  const after = facts.source.text.slice(edit.start);
  const isFollowed = /^(?:\r\n|\n|\r)[\t ]*[^\s]/.test(after);
  return { ...edit, text: `${edit.text.startsWith(lineBreak + lineBreak) ? '' : lineBreak}${edit.text}${isFollowed ? lineBreak : ''}` };
}

export function freeName(name: string, facts: Facts): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}${n}`;
    if (!isTaken(facts, free)) return free;
  }
}

function isLoad(statement: t.Statement, facts: Facts): boolean {
  if (statement.type === 'ImportDeclaration') return true;
  if (statement.type !== 'VariableDeclaration') return false;
  return statement.declarations.some(({ init }) => {
    const value = init ? unwrap(init) : undefined;
    return value !== undefined && requiredBy(facts, value.type === 'MemberExpression' ? value.object : value) !== undefined;
  });
}

/** Whether what an expression names is declared before the last load has ended. */
export function isDeclaredBeforeLoads(expression: string, facts: Facts): boolean {
  const loads = findLoads(facts);
  const [root = ''] = expression.split('.');
  const binding = facts.bindings.identifiersNamed(root).find((identifier) => facts.bindings.resolve(identifier) !== undefined);
  const declaredAt = binding && facts.bindings.resolve(binding);
  return !declaredAt || (declaredAt.scope.type === 'Program' && loads !== undefined && endOf(declaredAt.identifier) <= endOf(loads));
}
