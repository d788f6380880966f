// Names of types, and the packages that they are imported from.
import type { Node } from '../../module/ast.ts';
import type { ModuleIndex } from '../../module/module-index.ts';

/** Relative paths, and aliases that projects use for their own folders. */
export function isLocalModule(specifier: string): boolean {
  return /^(?:[./~#]|@\/|src\/|app\/|server\/|lib\/)/.test(specifier);
}

/** The last part of an annotation's type name: `Application` for `express.Application`. */
export function typeNameOf(annotation: Node | null | undefined): string | undefined {
  const type = annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : undefined;
  if (!type) return undefined;
  if (type.type === 'TSAnyKeyword' || type.type === 'TSUnknownKeyword') return 'any';
  if (type.type !== 'TSTypeReference') return undefined;
  const { typeName } = type;
  return typeName.type === 'Identifier' ? typeName.name : typeName.type === 'TSQualifiedName' ? typeName.right.name : undefined;
}

/** `express` in `express.Application`. */
export function qualifierOf(annotation: Node | null | undefined): string | undefined {
  const type = annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : undefined;
  const name = type?.type === 'TSTypeReference' ? type.typeName : undefined;
  return name?.type === 'TSQualifiedName' && name.left.type === 'Identifier' ? name.left.name : undefined;
}

/** The package that a name is imported from, also by a type-only import. */
export function importedFrom(name: string, module: ModuleIndex): string | undefined {
  for (const node of module.nodes('ImportDeclaration')) {
    if (node.specifiers.some((specifier) => specifier.local.name === name)) return node.source.value.replace(/^node:/, '');
  }
  return undefined;
}
