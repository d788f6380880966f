// What a fix leaves behind: an import that nothing uses any more, and import statements that belong into one.
import type { Edit, Span } from '../../protocol/finding.ts';
import { endOf, isMember, parentOf, startOf, unwrap, type Node, type t } from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';
import { isCoreModule, loadedBy, requiredBy } from './add-import.ts';
import { lineOf, ownEnd, waitsInstead, whyStays } from './removed-statements.ts';

/**
 * The edits of a fix, without the imported names that only `callees` used, which are the expressions that the fix replaces. The last
 * name of a package stays with its statement: the package may do something when it is loaded.
 */
export function withoutUnusedImports(edits: readonly Edit[], callees: readonly Node[], facts: Facts): Edit[] {
  let result = joinImports(edits);
  const roots = new Set<t.Identifier>();
  for (const callee of callees) {
    let root = unwrap(callee);
    while (isMember(root)) root = unwrap(root.object);
    const binding = root.type === 'Identifier' ? facts.bindings.resolve(root) : undefined;
    if (binding) roots.add(binding.identifier);
  }
  const replaced = callees.map((node) => ({ start: startOf(node), end: endOf(node) }));
  const places = new Map<Node, ImportPlace>();
  const gone = new Set<Node>();
  const canGo = ({ statement, isQuiet, isAwaited }: ImportPlace): boolean =>
    isQuiet &&
    whyStays(statement, result, facts) === undefined &&
    (!isAwaited || waitsInstead(statement, callees, result, (one) => gone.has(one), facts));
  // What a statement that goes was the last to use is behind it in the set.
  for (const identifier of roots) {
    if (isUsedBeside(identifier, replaced, result, facts)) continue;
    const place = importPlace(identifier, facts);
    if (!place) continue;
    const known = places.get(place.statement) ?? place;
    if (known === place) places.set(place.statement, place);
    else known.unused.push(...place.unused);
    const isUnused = known.items.length === 0 || known.items.every((item) => known.unused.includes(item));
    if (!isUnused || gone.has(place.statement) || !canGo(place)) continue;
    gone.add(place.statement);
    const alias = place.alias && facts.bindings.resolve(place.alias)?.identifier;
    if (!alias) continue;
    replaced.push({ start: startOf(place.statement), end: endOf(place.statement) });
    // Also where it has been looked at before.
    roots.delete(alias);
    roots.add(alias);
  }
  for (const place of places.values()) result = withoutUnused(result, place, gone.has(place.statement), facts);
  return result;
}

/** `'fs/promises'` of an inserted statement does not use `fs`. */
const SPECIFIER = /(?<=\bfrom |\brequire\(|\bimport\()(?:'[^'\n]*'|"[^"\n]*")/g;

function isUsedBeside(identifier: t.Identifier, replaced: readonly Span[], edits: readonly Edit[], facts: Facts): boolean {
  const name = new RegExp(`(?<![\\w$.])${identifier.name.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
  if (edits.some(({ text }) => text.replace(SPECIFIER, "''").search(name) >= 0)) return true;
  const binding = facts.bindings.resolve(identifier);
  if (!binding || !facts.bindings.isConstant(binding) || hasDirectEval(facts)) return true;
  const isReplaced = (at: number): boolean => replaced.some(({ start, end }) => at >= start && at < end);
  if (facts.bindings.references(binding).some((reference) => !isReplaced(startOf(reference)))) return true;
  // Types are no references: `fs.Stats`.
  if (!/\.[cm]?tsx?$/i.test(facts.source.file)) return false;
  const others = [...(facts.module.ast.comments ?? []), ...facts.module.nodes('StringLiteral')];
  return [...facts.source.text.matchAll(name)].some(
    ({ index }) =>
      index !== startOf(identifier) && !isReplaced(index) && !others.some(({ start, end }) => (start ?? 0) <= index && index < (end ?? 0)),
  );
}

/** The text that `eval` runs may use any name. */
function hasDirectEval(facts: Facts): boolean {
  return facts.remember('has a direct eval', () =>
    facts.module.nodes('CallExpression').some(({ callee }) => callee.type === 'Identifier' && callee.name === 'eval'),
  );
}

/** Whether loading it does nothing but load it: a core module, or a package of functions that copy. */
function isQuiet(module: string): boolean {
  return isCoreModule(module) || /^(?:lodash(?:-es)?(?:[./]\w+)?|underscore|clone|clone-deep|rfdc|klona(?:\/\w+)?|fast-copy)$/.test(module);
}

interface ImportPlace {
  statement: Node;
  /** Whether the whole statement can go. */
  isQuiet: boolean;
  /** The names in braces; none where the statement declares one name only. */
  items: readonly Node[];
  unused: Node[];
  /** `fs` of `import fs, { stat } from 'fs'`, which stays. */
  beside?: Node;
  /** `await import('fs')`, for which the function waits. */
  isAwaited?: boolean;
  /** `glob` of `const globSync = glob.sync`, and `fs` of `const { statSync } = fs`. */
  alias?: t.Identifier;
}

/** Where an import stands, also one in a function, or another name of what is imported; undefined for other declarations. */
function importPlace(identifier: t.Identifier, facts: Facts): ImportPlace | undefined {
  let item: Node = identifier;
  let parent = parentOf(item);
  if (parent?.type === 'ObjectProperty') [item, parent] = [parent, parentOf(parent)];
  const items = parent?.type === 'ObjectPattern' ? parent.properties : [];
  const declarator = parent?.type === 'ObjectPattern' ? parentOf(parent) : parent;
  if (declarator?.type === 'VariableDeclarator') {
    const statement = parentOf(declarator);
    if (statement?.type !== 'VariableDeclaration' || statement.declarations.length !== 1 || !declarator.init) return undefined;
    if (!/^(?:Program|BlockStatement)$/.test(parentOf(statement)?.type ?? '') || items.some(({ type }) => type === 'RestElement'))
      return undefined;
    const alias = aliasedBy(declarator.init, facts);
    if (alias) return { statement, isQuiet: true, items, unused: [item], alias };
    const loaded = loadedBy(declarator.init);
    const required = requiredBy(facts, declarator.init) ?? loaded;
    if (required === undefined) return undefined;
    return { statement, isQuiet: isQuiet(required), isAwaited: loaded !== undefined, items, unused: [item] };
  }
  const statement = parent && parentOf(parent);
  if (!parent || statement?.type !== 'ImportDeclaration') return undefined;
  const isQuietOne = isQuiet(statement.source.value);
  const named = statement.specifiers.filter(({ type }) => type === 'ImportSpecifier');
  if (statement.specifiers.length === 1 && named.length === 0) return { statement, isQuiet: isQuietOne, items: [], unused: [parent] };
  const [beside] = statement.specifiers;
  if (beside && named.length === statement.specifiers.length - 1 && parent !== beside)
    return { statement, isQuiet: false, items: named, unused: [parent], beside };
  return named.length === statement.specifiers.length ? { statement, isQuiet: isQuietOne, items: named, unused: [parent] } : undefined;
}

/** `fs` of `fs.statSync`, and of `fs` itself, where it is imported. */
function aliasedBy(init: Node, facts: Facts): t.Identifier | undefined {
  let root = unwrap(init);
  while (isMember(root) && !root.computed) root = unwrap(root.object);
  if (root.type !== 'Identifier' || facts.origins.of(root)?.root !== 'module') return undefined;
  const binding = facts.bindings.resolve(root);
  return binding && facts.bindings.isConstant(binding) ? root : undefined;
}

/** The edits without the names that are unused: those left in the braces, or nothing in place of the statement. */
function withoutUnused(edits: readonly Edit[], place: ImportPlace, isGone: boolean, facts: Facts): Edit[] {
  const { statement, items, unused, beside } = place;
  const [first, second] = items;
  const last = items.at(-1);
  const kept = items.filter((item) => !unused.includes(item)).map((item) => facts.source.slice(item));
  if (first && last) {
    const added = edits.filter(({ start, end, text }) => start === end && start === endOf(last) && text.startsWith(','));
    const names = [...kept, ...added.map(({ text }) => text.replace(/^[,\s]+/, ''))];
    const separator = second ? facts.source.text.slice(endOf(first), startOf(second)) : ', ';
    // A comment between two names is about one of them.
    if (/\/[/*]/.test(facts.source.text.slice(startOf(first), endOf(last)))) return [...edits];
    if (names.length > 0)
      return [
        ...edits.filter((edit) => !added.includes(edit)),
        { start: startOf(first), end: endOf(last), text: names.join(separator.trim() === ',' ? separator : ', ') },
      ];
    // `, { stat }`
    if (beside) return [...edits, { start: endOf(beside), end: facts.source.text.indexOf('}', endOf(last)) + 1, text: '' }];
  }
  if (!isGone) return [...edits];
  const removed = lineOf(statement, facts);
  const own = ownEnd(statement, facts);
  // `async ` behind it is about what begins there.
  const isThere = ({ start, end, text }: Edit): boolean =>
    start >= removed.start && (end < removed.end || (end === own && (start < own || /^[\t ]*[\r\n]/.test(text))));
  const others = edits.filter((edit) => !isThere(edit));
  const inserted = edits.filter(isThere).map(({ text }) => text.trim());
  if (inserted.length === 0) {
    const instead = parentOf(statement)?.type === 'Program' ? others.filter((edit) => takesItsPlace(edit, statement, facts)) : [];
    const [only] = instead;
    if (only && instead.length === 1)
      return [...others.filter((edit) => edit !== only), { start: startOf(statement), end: own, text: only.text.trim() }];
    return [...others, { ...removed, text: '' }];
  }
  return [...others, { start: startOf(statement), end: own, text: inserted.join(facts.source.lineBreak) }];
}

/** `fs/promises` stands where `fs` stood: import lists are often sorted. */
function takesItsPlace({ start, end, text }: Edit, statement: Node, facts: Facts): boolean {
  const added = IMPORT.exec(text.trim());
  const module = /['"](?:node:)?(\w+)\/promises['"]/.exec(added?.[3] ?? '')?.[1];
  return start === end && module !== undefined && new RegExp(`['"](?:node:)?${module}['"]`).test(facts.source.slice(statement));
}

const IMPORT = /^(\s*(?:import|const|var) \{ )([^{}]*)( \} (?:from |= require\()[^\n]*)$/;

/** Imports of several names from one module, inserted at one place, become one statement. */
function joinImports(edits: readonly Edit[]): Edit[] {
  const joined: Edit[] = [];
  for (const edit of new Set(edits)) {
    const [, head, names, tail] = edit.start === edit.end ? (IMPORT.exec(edit.text.trimEnd()) ?? []) : [];
    const index = joined.findIndex((other) => {
      const [, otherHead, , otherTail] = IMPORT.exec(other.text.trimEnd()) ?? [];
      return head !== undefined && other.start === edit.start && other.end === edit.end && otherHead === head && otherTail === tail;
    });
    const other = joined[index];
    if (!other) joined.push(edit);
    else joined[index] = { ...other, text: other.text.replace(' } ', () => `, ${names} } `) };
  }
  return joined;
}
