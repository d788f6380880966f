// How values flow between files: imports, exports, `require`, whole folders that are loaded by name.
import { isCall, isMember, memberName, unwrap, type Node, type t } from '../ast.ts';
import { EXPORTS_NODE, EXPORTS_OBJECT } from './builder.ts';
import { evaluate } from './expressions.ts';
import type { Flow } from './flow.ts';
import { Op } from './summary.ts';
import { exportType } from './type-flow.ts';

// A path put together of more parts than this is not understood.
const MAX_STEPS = 6;

/** `require(x)`, `import(x)`: the module's exports. */
export function readImport(flow: Flow, source: Node): number {
  const { out } = flow;
  const pattern = pathPattern(flow, unwrap(source), 0);
  const node = out.node();
  if (pattern === undefined || pattern === '*') {
    evaluate(flow, source, false);
    return 0;
  }
  if (pattern.includes('*')) out.op(Op.ImportPattern, node, out.text(pattern));
  else out.op(Op.Import, node, out.text(pattern));
  return node;
}

/** Nodes of what the import declarations bring in. To be done before the walk: they are hoisted. */
export function declareImports(flow: Flow): void {
  const { out, facts: { module, bindings } } = flow;
  const wholes = new Map<string, number>();
  const whole = (specifier: string): number => {
    let node = wholes.get(specifier);
    if (node === undefined) {
      wholes.set(specifier, (node = out.node()));
      out.op(Op.Import, node, out.text(specifier));
    }
    return node;
  };
  for (const statement of module.nodes('ImportDeclaration')) {
    if (statement.importKind === 'type' || statement.importKind === 'typeof') continue;
    const from = statement.source.value;
    for (const specifier of statement.specifiers) {
      const binding = bindings.lookUp(specifier.local.name, module.program);
      if (!binding || (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type')) continue;
      const node = flow.nodeOf(binding);
      if (specifier.type === 'ImportNamespaceSpecifier') out.copy(node, whole(from));
      else {
        const name = specifier.type === 'ImportDefaultSpecifier' ? 'default' : specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value;
        if (name === 'default') out.op(Op.ImportDefault, node, out.text(from));
        else out.op(Op.Load, node, whole(from), out.text(name));
      }
    }
  }
}

export function readExport(flow: Flow, node: t.ExportNamedDeclaration | t.ExportDefaultDeclaration | t.ExportAllDeclaration | t.TSExportAssignment | t.TSImportEqualsDeclaration): void {
  const { out } = flow;
  switch (node.type) {
    case 'ExportDefaultDeclaration':
      out.store(EXPORTS_NODE, out.text('default'), evaluate(flow, node.declaration));
      return;
    case 'TSExportAssignment':
      out.copy(EXPORTS_NODE, evaluate(flow, node.expression));
      return;
    case 'TSImportEqualsDeclaration': {
      const binding = flow.binding(node.id.name);
      if (!binding) return;
      if (node.moduleReference.type === 'TSExternalModuleReference') out.op(Op.Import, flow.nodeOf(binding), out.text(node.moduleReference.expression.value));
      return;
    }
    case 'ExportAllDeclaration': {
      const from = out.node();
      out.op(Op.Import, from, out.text(node.source.value));
      out.op(Op.Inherit, EXPORTS_OBJECT, from);
      return;
    }
    case 'ExportNamedDeclaration':
      readNamedExport(flow, node);
  }
}

function readNamedExport(flow: Flow, node: t.ExportNamedDeclaration): void {
  const { out } = flow;
  const { declaration, source } = node;
  if (declaration) {
    evaluate(flow, declaration, false);
    if (declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'TSTypeAliasDeclaration') exportType(flow, declaration.id.name);
    const names = declaration.type === 'VariableDeclaration' ? declaration.declarations.flatMap(({ id }) => namesIn(id)) : (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') && declaration.id ? [declaration.id.name] : [];
    for (const name of names) {
      const binding = flow.binding(name);
      if (binding) out.store(EXPORTS_NODE, out.text(name), flow.nodeOf(binding));
    }
    return;
  }
  const from = source ? out.node() : 0;
  if (source) out.op(Op.Import, from, out.text(source.value));
  for (const specifier of node.specifiers) {
    const exported = specifier.exported.type === 'Identifier' ? specifier.exported.name : specifier.exported.value;
    if (specifier.type === 'ExportNamespaceSpecifier') out.store(EXPORTS_NODE, out.text(exported), from);
    else if (specifier.type === 'ExportSpecifier') {
      const { local } = specifier;
      if (source) {
        let value = flow.load(from, local.name);
        if (local.name === 'default') {
          value = out.node();
          out.op(Op.ImportDefault, value, out.text(source.value));
        }
        out.store(EXPORTS_NODE, out.text(exported), value);
        continue;
      }
      const binding = flow.binding(local.name);
      const value = binding ? flow.nodeOf(binding) : flow.typeNodes.get(local.name);
      if (value !== undefined) out.store(EXPORTS_NODE, out.text(exported), value);
    }
  }
}

function namesIn(pattern: Node): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => namesIn(property.type === 'RestElement' ? property.argument : property.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? namesIn(element) : []));
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/** A path with `*` for what is not known; `./` stands for the file's own folder. Undefined when nothing of it is known. */
function pathPattern(flow: Flow, node: Node, steps: number): string | undefined {
  if (steps > MAX_STEPS) return undefined;
  switch (node.type) {
    case 'StringLiteral':
      return node.value;
    case 'TemplateLiteral': {
      let text = '';
      node.quasis.forEach((quasi, i) => {
        text += quasi.value.cooked ?? '';
        const inner = node.expressions[i];
        if (inner) text += pathPattern(flow, unwrap(inner), steps + 1) ?? '*';
      });
      return simplify(text);
    }
    case 'BinaryExpression': {
      if (node.operator !== '+') return undefined;
      const left = pathPattern(flow, unwrap(node.left), steps + 1);
      const right = pathPattern(flow, unwrap(node.right), steps + 1);
      return left === undefined && right === undefined ? undefined : simplify(`${left ?? '*'}${right ?? '*'}`);
    }
    case 'Identifier': {
      if (node.name === '__dirname') return '.';
      const declaration = flow.binding(node.name)?.declaration;
      if (declaration?.type !== 'VariableDeclarator' || declaration.id.type !== 'Identifier' || !declaration.init) return undefined;
      return pathPattern(flow, unwrap(declaration.init), steps + 1);
    }
    case 'MemberExpression':
      return memberName(node) === 'dirname' && node.object.type === 'MetaProperty' ? '.' : undefined;
    default:
      return isCall(node) ? joinedPattern(flow, node, steps) : undefined;
  }
}

/** `path.join(__dirname, 'routes', name)` */
function joinedPattern(flow: Flow, node: t.CallExpression | t.OptionalCallExpression | t.NewExpression, steps: number): string | undefined {
  const callee = unwrap(node.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (name === 'require' || name === 'resolve' && isMember(callee) && callee.object.type === 'Identifier' && callee.object.name === 'require') {
    const [first] = node.arguments;
    return first ? pathPattern(flow, unwrap(first), steps + 1) : undefined;
  }
  if (name !== 'join' && name !== 'resolve') return undefined;
  const parts = node.arguments.map((argument) => pathPattern(flow, unwrap(argument), steps + 1) ?? '*');
  if (parts.length === 0 || parts.every((part) => part === '*')) return undefined;
  const text = parts.join('/');
  return simplify(parts[0]?.startsWith('.') ? (text.startsWith('./') || text.startsWith('..') ? text : `./${text}`) : text);
}

function simplify(pattern: string): string {
  return pattern.replace(/\*+/g, '*').replace(/\/\/+/g, '/').replace(/(?:\/\.)+\//g, '/').replace(/^\.\/\.(?=\/|$)/, '.');
}
