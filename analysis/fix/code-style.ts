// The style of the code around a fix, so that inserted text looks the same.
import { endOf, startOf, type Node, type t } from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';

export interface CodeStyle {
  quote: "'" | '"';
  semicolon: ';' | '';
  lineBreak: string;
  /** One step of indentation. */
  indent: string;
  /** Between braces and what is in them, on one line: `{ a }` or `{a}`. */
  braceSpace: ' ' | '';
}

const ENDED_BY_SEMICOLON: ReadonlySet<string> = new Set([
  'ImportDeclaration',
  'ExpressionStatement',
  'VariableDeclaration',
  'ReturnStatement',
  'ThrowStatement',
]);

export function getCodeStyle(facts: Facts): CodeStyle {
  return facts.remember('code style', () => ({
    quote: quoteOf(facts),
    semicolon: semicolonOf(facts),
    lineBreak: facts.source.lineBreak,
    indent: indentOf(facts),
    braceSpace: braceSpaceOf(facts),
  }));
}

function quoteOf(facts: Facts): "'" | '"' {
  let single = 0;
  let double = 0;
  for (const literal of facts.module.nodes('StringLiteral')) {
    const mark = facts.source.text[startOf(literal)];
    if (mark === "'") single++;
    else if (mark === '"') double++;
  }
  return double > single ? '"' : "'";
}

function semicolonOf(facts: Facts): ';' | '' {
  let withMark = 0;
  let without = 0;
  for (const type of ENDED_BY_SEMICOLON) {
    for (const node of facts.module.nodes(type as 'ExpressionStatement')) {
      if (facts.source.text[endOf(node) - 1] === ';') withMark++;
      else without++;
    }
  }
  return without > withMark ? '' : ';';
}

function indentOf(facts: Facts): string {
  for (const block of facts.module.nodes('BlockStatement')) {
    const [first] = block.body;
    if (!first) continue;
    const outer = facts.source.indentAt(startOf(block));
    const inner = facts.source.indentAt(startOf(first));
    if (inner.length > outer.length && inner.startsWith(outer)) return inner.slice(outer.length);
  }
  return '  ';
}

/** Why no variable is declared that `??=` gives its value; undefined if the project takes that. */
export function whyNotKept({ project: { lint } }: Facts, runsOn: (range: string) => boolean): string | undefined {
  if (runsOn('<15.0.0-0')) return 'the project may run on Node 14, which does not know `??=`. Set `engines.node` to a later version';
  const version = lint?.ecmaVersion;
  if (version !== undefined && version < LOGICAL_ASSIGNMENT)
    return `ESLint parses the language of ${version} here, which does not know \`??=\`. Set its \`ecmaVersion\` to ${LOGICAL_ASSIGNMENT} or later`;
  return lint?.rules['functional/no-let'] ? 'ESLint forbids `let` here (`functional/no-let`)' : undefined;
}

const LOGICAL_ASSIGNMENT = 2021;

/** `{ a }`, or `{a}` where the file is written so. */
export function inBraces(text: string, facts: Facts): string {
  const { braceSpace } = getCodeStyle(facts);
  return `{${braceSpace}${text}${braceSpace}}`;
}

function braceSpaceOf(facts: Facts): ' ' | '' {
  let spaced = 0;
  let tight = 0;
  const count = (start: number): void => {
    const after = facts.source.text[start + 1];
    if (after === ' ') spaced++;
    else if (after !== undefined && /[\w$'"]/.test(after)) tight++;
  };
  for (const type of ['ObjectPattern', 'ObjectExpression'] as const)
    for (const node of facts.module.nodes(type)) if (node.properties.length > 0) count(startOf(node));
  for (const { specifiers } of facts.module.nodes('ImportDeclaration')) {
    const first = specifiers.find(({ type }) => type === 'ImportSpecifier');
    if (first) count(facts.source.text.lastIndexOf('{', startOf(first)));
  }
  return tight > spaced ? '' : ' ';
}

/** Whether the file loads its modules with `import` (true) or `require`. */
export function usesImports(facts: Facts): boolean {
  return facts.remember('uses imports', () => loadsWithImport(facts));
}

function loadsWithImport(facts: Facts): boolean {
  const { module, project } = facts;
  const { file } = facts.source;
  if (/\.(?:mjs|mts)$/i.test(file)) return true;
  if (/\.cjs$/i.test(file)) return false;
  if (module.program.body.some(isModuleSyntax)) return true;
  if (/\.(?:cts|tsx?)$/i.test(file)) return !hasRequire(facts);
  if (hasRequire(facts)) return false;
  return (
    project.manifest?.type === 'module' ||
    (module.has('MetaProperty') && module.nodes('MetaProperty').some((node) => node.meta.name === 'import'))
  );
}

function isModuleSyntax(node: t.Statement): boolean {
  return (
    node.type === 'ImportDeclaration' ||
    node.type === 'ExportNamedDeclaration' ||
    node.type === 'ExportDefaultDeclaration' ||
    node.type === 'ExportAllDeclaration'
  );
}

function hasRequire(facts: Facts): boolean {
  return (
    facts.module
      .nodes('CallExpression')
      .some(({ callee }) => callee.type === 'Identifier' && callee.name === 'require' && facts.bindings.isGlobal(callee)) ||
    facts.module
      .nodes('MemberExpression')
      .some(
        ({ object, property }) =>
          object.type === 'Identifier' && object.name === 'module' && property.type === 'Identifier' && property.name === 'exports',
      )
  );
}

/** Whether only white space and at most one line comment follow a node on its line. */
export function endsItsLine(facts: Facts, node: Node): boolean {
  const rest = restOfLine(facts, endOf(node));
  return /^[\t ]*(?:\/\/.*)?$/.test(rest);
}

/** The text from an offset to the end of its line. */
export function restOfLine(facts: Facts, offset: number): string {
  return /^[^\r\n\u2028\u2029]*/.exec(facts.source.text.slice(offset))?.[0] ?? '';
}
