// Holds our answer to "which declaration does this identifier mean" against the one of @babel/traverse's scopes.
// `npx tsx bench/compare-scopes.ts <folder or file>…` prints every difference that is not explained below.
import { readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import traverseModule, { type NodePath, type Scope } from '@babel/traverse';
import { isReferenced } from '@babel/types';
import { parentOf, type Node, type t } from '../analysis/module/ast.ts';
import { Bindings, isReference, type Binding } from '../analysis/facts/bindings.ts';
import { ModuleIndex } from '../analysis/module/module-index.ts';
import { parse } from '../analysis/module/parse.ts';
import { scriptsBelow } from './script-files.ts';

// The package is CommonJS: under Node's own loader the function is one level further down than under a bundler.
const traverse = (traverseModule as unknown as { default?: typeof traverseModule }).default ?? traverseModule;

export interface ScopeDifference {
  name: string;
  offset: number;
  /** What each side says: a declaring offset, `global`, `reference` or `not a reference`. */
  ours: string;
  babel: string;
}

export interface ScopeComparison {
  compared: number;
  differences: readonly ScopeDifference[];
  /** Set when the text was not compared: it does not parse, or Babel's own scopes refuse it. */
  skipped?: string;
}

/** Compares every identifier that either side takes for a use of a variable. */
export function compareScopes(file: string, text: string): ScopeComparison {
  const outcome = parse(file, text);
  if (!outcome.ok) return { compared: 0, differences: [], skipped: outcome.issue.message };
  const bindings = new Bindings(new ModuleIndex(outcome.ast));
  const differences: ScopeDifference[] = [];
  let compared = 0;
  const visit = (path: NodePath<t.Identifier> | NodePath<t.JSXIdentifier>): void => {
    const node = path.node;
    // Types are not in our index, and they are no references at run time.
    if (!parentOf(node)) return;
    const babelUses = isUseForBabel(path);
    const weUse = isReference(node);
    if (babelUses !== weUse) {
      if (weUse || !isTypeScriptDeclaration(node))
        differences.push({
          name: node.name,
          offset: node.start ?? 0,
          ours: weUse ? 'reference' : 'not a reference',
          babel: babelUses ? 'reference' : 'not a reference',
        });
      return;
    }
    if (!weUse) return;
    compared++;
    const binding = bindings.resolve(node);
    const ours = binding?.identifier;
    const theirs = valueBinding(path.scope, node.name);
    if (ours === theirs || (ours && isTypeScriptDeclaration(ours)) || isSameVariable(path.scope, node.name, binding)) return;
    differences.push({ name: node.name, offset: node.start ?? 0, ours: describe(ours), babel: describe(theirs) });
  };
  try {
    traverse(outcome.ast, { Identifier: visit, JSXIdentifier: visit });
  } catch (error) {
    // Babel refuses duplicate declarations, which its parser has recovered from.
    return { compared: 0, differences: [], skipped: String((error as Error).message).split('\n')[0] };
  }
  return { compared, differences };
}

function describe(identifier: t.Identifier | undefined): string {
  return identifier ? `declared at ${identifier.start}` : 'global';
}

/** The binding's identifier, unless Babel's binding exists at compile time only. */
function valueBinding(scope: Scope, name: string): t.Identifier | undefined {
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    const binding = at.getBinding(name);
    if (!binding) return undefined;
    if (!isTypeOnly(binding.path)) return binding.identifier;
    at = binding.scope;
  }
  return undefined;
}

function isTypeOnly(path: NodePath): boolean {
  const { node, parent } = path;
  switch (node.type) {
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier': {
      const kinds = [
        node.type === 'ImportSpecifier' ? node.importKind : undefined,
        parent.type === 'ImportDeclaration' ? parent.importKind : undefined,
      ];
      return kinds.includes('type') || kinds.includes('typeof');
    }
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSDeclareFunction':
    case 'InterfaceDeclaration':
    case 'TypeAlias':
    case 'OpaqueType':
      return true;
    case 'VariableDeclarator':
      return parent.type === 'VariableDeclaration' && parent.declare === true;
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
      return node.declare === true;
    default:
      return node.type.startsWith('Declare');
  }
}

/** Babel calls reads "referenced"; targets of assignments, which are uses too, it keeps elsewhere. */
function isUseForBabel(path: NodePath<t.Identifier> | NodePath<t.JSXIdentifier>): boolean {
  const { node, parent } = path;
  // Babel also takes the tags `<my-Tag>` and `<Svg:path>` for variables, which no JavaScript name can be.
  if (node.type === 'JSXIdentifier')
    return !node.name.includes('-') && parent.type !== 'JSXNamespacedName' && path.isReferencedIdentifier();
  if (isReferenced(node, parent, path.parentPath?.parent)) return true;
  return isAssignmentTarget(path);
}

function isAssignmentTarget(path: NodePath): boolean {
  let from: NodePath = path;
  for (let at = path.parentPath; at; from = at, at = at.parentPath) {
    const node: Node = at.node;
    switch (node.type) {
      case 'AssignmentExpression':
      case 'ForInStatement':
      case 'ForOfStatement':
        return node.left === from.node;
      case 'AssignmentPattern':
        if (node.left !== from.node) return false;
        continue;
      case 'ObjectProperty':
        if (node.value !== from.node) return false;
        continue;
      case 'ObjectPattern':
      case 'ArrayPattern':
      case 'RestElement':
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
        continue;
      default:
        return false;
    }
  }
  return false;
}

/**
 * Where Babel's scopes do not know TypeScript (7.29): the names of enums and namespaces and the parameters of
 * `constructor(private name)` are run-time variables, which Babel takes for reads of globals.
 */
function isTypeScriptDeclaration(identifier: Node): boolean {
  const parent = parentOf(identifier);
  switch (parent?.type) {
    case 'TSParameterProperty':
      return true;
    case 'AssignmentPattern':
      return parent.left === identifier && isTypeScriptDeclaration(parent);
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
    case 'TSImportEqualsDeclaration':
    case 'EnumDeclaration':
      return parent.id === identifier;
    default:
      return false;
  }
}

/** The same variable, declared twice: each side may name the other declaration. */
function isSameVariable(scope: Scope, name: string, ours: Binding | undefined): boolean {
  const theirs = scope.getBinding(name);
  if (!ours || !theirs) return false;
  return theirs.scope.block === ours.scope || theirs.scope.block === parentOf(ours.scope);
}

// Bundles take minutes in @babel/traverse and teach nothing that their sources do not.
const LARGEST_FILE = 500_000;

function main(paths: readonly string[]): void {
  const skipped = new Map<string, number>();
  let files = 0;
  let compared = 0;
  let different = 0;
  for (const path of paths) {
    for (const file of scriptsBelow(path)) {
      if (statSync(file).size > LARGEST_FILE) continue;
      const text = readFileSync(file, 'utf8');
      const result = compareScopes(file, text);
      files++;
      compared += result.compared;
      different += result.differences.length;
      if (result.skipped) {
        const reason = result.skipped.replace(/["'`‘].*/, '');
        skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      }
      for (const { name, offset, ours, babel } of result.differences) {
        const line = text.slice(0, offset).split('\n').length;
        console.log(`${file}:${line} ${name}: ours ${ours}, Babel ${babel}`);
      }
    }
  }
  console.log(
    `${files} files, ${compared} identifiers compared, ${different} differences, ${[...skipped.values()].reduce((sum, n) => sum + n, 0)} files not compared`,
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));
