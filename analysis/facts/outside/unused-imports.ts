// Imports whose names nothing in the file uses any more: `const show = require('./show');`, after the last route with `show` was removed.
import { parentOf, type Node, type t } from '../../module/ast.ts';
import { patternIdentifiers, type Binding } from '../bindings.ts';
import type { Facts } from '../index.ts';

/** Specifiers of relative imports that have names, none of which is used. What is loaded without a name is loaded for what it does. */
export function unusedImports({ bindings, module, source }: Facts): string[] {
  const unused = new Set<string>();
  const used = new Set<string>();
  const add = (specifier: string, isUsed: boolean): void => {
    if (specifier.startsWith('.')) (isUsed ? used : unused).add(specifier);
  };
  // What injects dependencies reads the types of parameters. Types are not in the index.
  const words = module.has('Decorator') ? wordsIn(source.text) : undefined;
  const isNamed = (binding: Binding | undefined): boolean =>
    binding === undefined ||
    bindings.references(binding).length > 0 ||
    bindings.identifiersNamed(binding.name).some(({ type }) => type === 'JSXIdentifier') ||
    (words?.get(binding.name) ?? 0) > 1;
  for (const node of module.nodes('ImportDeclaration')) {
    if (node.importKind === 'type' || node.importKind === 'typeof') continue;
    const names = node.specifiers.map(({ local }) => local);
    add(node.source.value, names.length === 0 || names.some((name) => isNamed(bindings.resolve(name))));
  }
  for (const type of ['ExportNamedDeclaration', 'ExportAllDeclaration'] as const)
    for (const { source: from } of module.nodes(type)) if (from) add(from.value, true);
  for (const { moduleReference } of module.nodes('TSImportEqualsDeclaration'))
    if (moduleReference.type === 'TSExternalModuleReference') add(moduleReference.expression.value, true);
  for (const node of module.nodes('CallExpression')) {
    const [specifier] = node.arguments;
    if (specifier?.type !== 'StringLiteral') continue;
    const names = namesOfRequire(node);
    add(specifier.value, names === undefined || names.length === 0 || names.some((name) => isNamed(bindings.resolve(name))));
  }
  return [...unused].filter((specifier) => !used.has(specifier));
}

/** Specifiers of which only types are imported. A compiler leaves such imports out, so that they load nothing. */
export function typeImports({ module }: Facts): string[] {
  const types = new Set<string>();
  const values = new Set<string>();
  const isType = (kind: string | null | undefined): boolean => kind === 'type' || kind === 'typeof';
  for (const { importKind, specifiers, source } of module.nodes('ImportDeclaration')) {
    const areTypes = specifiers.length > 0 && specifiers.every((one) => one.type === 'ImportSpecifier' && isType(one.importKind));
    (isType(importKind) || areTypes ? types : values).add(source.value);
  }
  if (types.size === 0) return [];
  for (const { exportKind, source } of [...module.nodes('ExportNamedDeclaration'), ...module.nodes('ExportAllDeclaration')])
    if (source && !isType(exportKind)) values.add(source.value);
  for (const { importKind, moduleReference } of module.nodes('TSImportEqualsDeclaration'))
    if (moduleReference.type === 'TSExternalModuleReference' && !isType(importKind)) values.add(moduleReference.expression.value);
  for (const { arguments: args } of module.nodes('CallExpression')) if (args[0]?.type === 'StringLiteral') values.add(args[0].value);
  return [...types].filter((specifier) => !values.has(specifier));
}

/** `a` and `b` of `const { a, b } = require('./c')`; undefined for any other call. */
function namesOfRequire(node: t.CallExpression): t.Identifier[] | undefined {
  if (node.callee.type !== 'Identifier' || node.callee.name !== 'require') return undefined;
  const parent: Node | undefined = parentOf(node);
  return parent?.type === 'VariableDeclarator' && parent.init === node ? [...patternIdentifiers(parent.id)] : undefined;
}

function wordsIn(text: string): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(/[\w$]+/g)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}
