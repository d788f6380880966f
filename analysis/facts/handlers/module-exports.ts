// What a file exports, in any form: `export`, `module.exports = …`, `exports.name = …`.
import { isClass, isFunction, isMember, memberName, staticName, unwrap, type FunctionNode, type Node } from '../../module/ast.ts';
import type { HandlerSources } from './handler.ts';

export interface ExportedValue {
  /** `default` for the default export and for `module.exports` itself. */
  name: string;
  value: Node;
}

export class ModuleExports {
  readonly values: readonly ExportedValue[];
  readonly #sources: HandlerSources;
  #functions: Map<FunctionNode, string> | undefined;

  constructor(sources: HandlerSources) {
    this.#sources = sources;
    this.values = readExports(sources);
  }

  /** Exported functions with the names of their exports. Includes members of exported objects and methods of exported classes. */
  get functions(): ReadonlyMap<FunctionNode, string> {
    if (this.#functions) return this.#functions;
    const { calls, holders } = this.#sources;
    const found = new Map<FunctionNode, string>();
    for (const { name, value } of this.values) {
      for (const fn of calls.functionsOf(baseOfChain(value))) if (!found.has(fn)) found.set(fn, name);
      const of = holders.of(value);
      // An exported class is meant to be constructed, so its methods count as exported.
      const instances = of.flatMap((holder) => ('type' in holder && isClass(holder) ? [holders.instancesOf(holder)] : []));
      for (const member of holders.memberValues([...of, ...instances], undefined)) {
        const node = unwrap(member);
        if (isFunction(node) && !found.has(node)) found.set(node, name);
      }
    }
    return (this.#functions = found);
  }
}

/** `middy(handler)` for `middy(handler).use(cors()).use(log())`. */
export function baseOfChain(value: Node): Node {
  let at = unwrap(value);
  while (at.type === 'CallExpression' && isMember(at.callee)) {
    const object = unwrap(at.callee.object);
    if (object.type !== 'CallExpression') break;
    at = object;
  }
  return at;
}

function readExports({ module, bindings }: HandlerSources): ExportedValue[] {
  const found: ExportedValue[] = [];
  const addMembers = (node: Node) => {
    const object = unwrap(node);
    if (object.type !== 'ObjectExpression') return;
    for (const property of object.properties) {
      if (property.type === 'SpreadElement') continue;
      const name = staticName(property.key, property.computed);
      if (name !== undefined) found.push({ name, value: property.type === 'ObjectMethod' ? property : property.value });
    }
  };
  for (const node of module.nodes('ExportNamedDeclaration')) {
    const { declaration } = node;
    if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration') {
      if (declaration.id) found.push({ name: declaration.id.name, value: declaration });
    } else if (declaration?.type === 'VariableDeclaration') {
      for (const { id, init } of declaration.declarations) if (id.type === 'Identifier' && init) found.push({ name: id.name, value: init });
    }
    if (node.source) continue;
    for (const specifier of node.specifiers) {
      if (specifier.type !== 'ExportSpecifier') continue;
      found.push({
        name: specifier.exported.type === 'Identifier' ? specifier.exported.name : specifier.exported.value,
        value: declaredBy(bindings.resolve(specifier.local)?.declaration) ?? specifier.local,
      });
    }
  }
  for (const node of module.nodes('ExportDefaultDeclaration')) {
    found.push({ name: 'default', value: node.declaration });
    addMembers(node.declaration);
  }
  for (const node of module.nodes('TSExportAssignment')) found.push({ name: 'default', value: node.expression });
  for (const node of module.nodes('AssignmentExpression')) {
    if (node.operator !== '=' || !isMember(node.left)) continue;
    const name = memberName(node.left);
    const object = unwrap(node.left.object);
    const isModuleExports = isMember(object)
      ? memberName(object) === 'exports' && object.object.type === 'Identifier' && object.object.name === 'module'
      : false;
    if (object.type === 'Identifier' && object.name === 'module' && name === 'exports' && bindings.isGlobal(object)) {
      found.push({ name: 'default', value: node.right });
      addMembers(node.right);
    } else if (
      name !== undefined &&
      (isModuleExports || (object.type === 'Identifier' && object.name === 'exports' && bindings.isGlobal(object)))
    ) {
      found.push({ name, value: node.right });
    }
  }
  return found;
}

function declaredBy(declaration: Node | undefined): Node | undefined {
  if (!declaration) return undefined;
  if (isFunction(declaration)) return declaration;
  return declaration.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' ? (declaration.init ?? undefined) : undefined;
}
