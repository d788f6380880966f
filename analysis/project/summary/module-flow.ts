// How values flow between files: imports, exports, `require`, and loaders of whole folders.
import { walkWithin } from '../../module/module-index.ts';
import { isFunction, isMember, memberName, unwrap, type Node, type t } from '../../module/ast.ts';
import { propertyValue } from '../../facts/handlers/route-paths.ts';
import { EXPORTS_NODE, EXPORTS_OBJECT } from './builder.ts';
import { evaluate, siteOf } from './expressions.ts';
import type { Flow } from './walk.ts';
import { pathsOf } from './import-paths.ts';
import { ANY_NAME, Op, SiteFlag } from './format.ts';
import { exportType } from './type-flow.ts';

/**
 * Packages with a function that loads all files of a folder: https://www.npmjs.com/package/require-all, …/include-all, …/require-directory,
 * …/require-dir, …/auto-load
 */
const FOLDER_LOADERS: ReadonlySet<string> = new Set(['require-all', 'include-all', 'require-directory', 'require-dir', 'auto-load']);
const FOLDER_LOADER_NAME = /require|include|load/i;
/** The same in a file of such a name, of the project or of a package. It may pass the exports of each file to a function. */
const FOLDER_LOADER_FILE = /[\\/](?:require|include|load)-?(?:all|dir(?:ectory)?|folder|files)(?:\.[cm]?[jt]s)?$/i;

/** `require(x)`, `import(x)`: the module's exports. */
export function readImport(flow: Flow, source: Node): number {
  const { out } = flow;
  const paths = pathsOf(flow, unwrap(source));
  if (paths.length === 0) {
    evaluate(flow, source, false);
    if (isAnyFile(flow, unwrap(source))) out.loadsOthers = true;
    return 0;
  }
  const node = out.node();
  for (const path of paths) out.op(path.includes('*') ? Op.ImportPattern : Op.Import, node, out.text(path));
  return node;
}

/** How many variables a path may be made of, one after the other. */
const MOST_STEPS = 4;

/** Names of paths to data rather than code: `require(serviceAccountPath)`. */
const DATA_NAME = /account|config|settings?|credentials?|secret|json|package|manifest|locale|lang|messages|translations?|cert/i;

/** Whether a path that is not known may be that of one file with code after the other. What settings name is one file. */
function isAnyFile(flow: Flow, path: Node, steps = 0): boolean {
  if (path.type === 'Identifier' && DATA_NAME.test(path.name)) return false;
  if (path.type === 'NewExpression') return true;
  let found = false;
  walkWithin(path, (node) => {
    const binding = node.type === 'Identifier' ? flow.binding(node.name) : undefined;
    if (!binding) return undefined;
    const { declaration } = binding;
    const init = declaration.type === 'VariableDeclarator' ? declaration.init : undefined;
    // `const { fromRoot } = require('./paths')`
    if (init && isRequire(unwrap(init)) && !isCoreModule(flow, node)) {
      found = true;
      return 'stop';
    }
    // `path.join(process.env.HOME, …)`, not a function of another file
    if (declaration.type.startsWith('Import') || isCoreModule(flow, node)) {
      found = !isCoreModule(flow, node);
      return found ? 'stop' : undefined;
    }
    if (init && steps < MOST_STEPS && flow.facts.bindings.isConstant(binding) ? isAnyFile(flow, init, steps + 1) : true) found = true;
    return found ? 'stop' : undefined;
  });
  return found;
}

const isRequire = (node: Node): boolean =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'require';

/** What paths are made with. */
const isCoreModule = (flow: Flow, node: Node): boolean => {
  const origin = flow.facts.origins.of(node);
  return origin?.root === 'module' && /^(?:node:)?(?:fs|os|path|process|url)(?:\/|$)/.test(origin.name);
};

/** Packages whose function, or whose method `require`, takes a path from the root of the project. */
const ROOT_LOADERS: ReadonlySet<string> = new Set(['rfr', 'app-root-path', 'root-require', 'rootrequire']);

/**
 * `rfr('src/users')`, `appRoot.require('/src/users')`, `require.main.require('./src/users')`: the exports of a file that is named from the
 * root; undefined for any other call. https://www.npmjs.com/package/rfr, …/app-root-path
 */
export function readFromRoot(flow: Flow, node: t.CallExpression | t.OptionalCallExpression): number | undefined {
  const callee = unwrap(node.callee);
  const holder = isMember(callee) && memberName(callee) === 'require' ? unwrap(callee.object) : callee;
  if (holder === callee && callee.type !== 'Identifier') return undefined;
  const first = node.arguments[0] && unwrap(node.arguments[0]);
  const isMain =
    isMember(holder) && memberName(holder) === 'main' && holder.object.type === 'Identifier' && holder.object.name === 'require';
  if (!isMain) {
    const origin = holder.type === 'Identifier' && flow.binding(holder.name) ? flow.facts.origins.of(holder) : undefined;
    if (origin?.root !== 'module' || !ROOT_LOADERS.has(origin.name)) return undefined;
  }
  if (first?.type !== 'StringLiteral') return undefined;
  const { out } = flow;
  const exports = out.node();
  out.op(Op.Import, exports, out.text(`/${first.value.replace(/^\.?\//, '')}`));
  return exports;
}

/** `requireAll(path.join(__dirname, 'models'))`: a table of the exports of the folder's files; undefined for any other call. */
export function readFolder(flow: Flow, node: t.CallExpression | t.OptionalCallExpression): number | undefined {
  const { out, facts } = flow;
  const callee = unwrap(node.callee);
  const origin = callee.type === 'Identifier' && FOLDER_LOADER_NAME.test(callee.name) ? facts.origins.of(callee) : undefined;
  if (origin?.root !== 'module' || !(FOLDER_LOADERS.has(origin.name) || FOLDER_LOADER_FILE.test(origin.name))) return undefined;
  const folder = node.arguments.map((argument) => folderPath(flow, unwrap(argument))).find((path) => path !== undefined && path !== '*');
  if (folder === undefined) return undefined;
  const exports = out.node();
  out.op(Op.ImportPattern, exports, out.text(`${folder}/*`));
  for (const argument of node.arguments) {
    if (isFunction(argument))
      out.call({
        site: siteOf(flow, node, argument, SiteFlag.Callback),
        callee: evaluate(flow, argument),
        args: [exports],
        flags: SiteFlag.Callback,
      });
  }
  const table = flow.literal();
  out.field(table, ANY_NAME, exports);
  return out.holding(table);
}

function folderPath(flow: Flow, argument: Node): string | undefined {
  const folder = argument.type === 'ObjectExpression' ? propertyValue(argument, 'dirname') : argument;
  return folder && pathsOf(flow, unwrap(folder))[0];
}

/** Nodes of the imported names. Must run before the walk, because import declarations are hoisted. */
export function declareImports(flow: Flow): void {
  const {
    out,
    facts: { module, bindings },
  } = flow;
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
        const name =
          specifier.type === 'ImportDefaultSpecifier'
            ? 'default'
            : specifier.imported.type === 'Identifier'
              ? specifier.imported.name
              : specifier.imported.value;
        if (name === 'default') out.op(Op.ImportDefault, node, out.text(from));
        else out.op(Op.Load, node, whole(from), out.text(name));
      }
    }
  }
}

export function readExport(
  flow: Flow,
  node: t.ExportNamedDeclaration | t.ExportDefaultDeclaration | t.ExportAllDeclaration | t.TSExportAssignment | t.TSImportEqualsDeclaration,
): void {
  const { out } = flow;
  switch (node.type) {
    case 'ExportDefaultDeclaration':
      out.store(EXPORTS_NODE, out.text('default'), exportedValue(flow, node.declaration));
      return;
    case 'TSExportAssignment':
      out.copy(EXPORTS_NODE, exportedValue(flow, node.expression));
      return;
    case 'TSImportEqualsDeclaration': {
      const binding = flow.binding(node.id.name);
      if (!binding) return;
      if (node.moduleReference.type === 'TSExternalModuleReference')
        out.op(Op.Import, flow.nodeOf(binding), out.text(node.moduleReference.expression.value));
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

/** The value of `export default …`, or a type that nothing but its name stands for: `declare namespace App {} export default App`. */
function exportedValue(flow: Flow, node: Node): number {
  const type = node.type === 'Identifier' && !flow.binding(node.name) ? flow.typeNodes.get(node.name) : undefined;
  return type ?? evaluate(flow, node);
}

function readNamedExport(flow: Flow, node: t.ExportNamedDeclaration): void {
  const { out } = flow;
  const { declaration, source } = node;
  if (declaration) {
    evaluate(flow, declaration, false);
    if (declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'TSTypeAliasDeclaration')
      exportType(flow, declaration.id.name);
    const names =
      declaration.type === 'VariableDeclaration'
        ? declaration.declarations.flatMap(({ id }) => namesIn(id))
        : (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') && declaration.id
          ? [declaration.id.name]
          : declaration.type === 'TSModuleDeclaration' && declaration.id.type === 'Identifier'
            ? [declaration.id.name]
            : [];
    for (const name of names) {
      const binding = flow.binding(name);
      if (binding) out.store(EXPORTS_NODE, out.text(name), flow.nodeOf(binding));
      else exportType(flow, name);
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
