// PM2's configuration files: JavaScript, JSON or YAML, read into one form with positions.
import { isFunction, staticName, unwrap, type Node, type t } from '../module/ast.ts';
import { Facts } from '../facts/index.ts';
import { ModuleIndex } from '../module/module-index.ts';
import { parse } from '../module/parse.ts';
import { Source } from '../module/source.ts';
import type { Edit, Span } from '../../protocol/finding.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { UNKNOWN, type EnvState } from './launch.ts';
import { indentBefore, indentStep, insertBeforeKey, lineBreakOf } from './yaml-edits.ts';
import { YamlFile, isYamlList, isYamlMap, isYamlScalar, spanOf, type YamlDocument, type YamlNode } from './yaml-nodes.ts';

export interface Pm2App {
  path: string;
  name: string;
  script: string;
  /** The value of `script`. A missing variable is reported there. */
  span: Span;
  args: string;
  nodeArgs: string;
  interpreter: string | undefined;
  cwd: string | undefined;
  isWatching: boolean;
  /** NODE_ENV by environment name; `''` is `env`. Only objects that the app has are listed, with undefined if they do not set NODE_ENV. */
  envs: ReadonlyMap<string, EnvState | undefined>;
  addition: Edit | undefined;
}

type Value =
  | { kind: 'text'; text: string; span: Span }
  | { kind: 'object'; entries: readonly Entry[]; isOpen: boolean; span: Span }
  | { kind: 'list'; items: readonly Value[] }
  | { kind: 'other' };

interface Entry {
  key: string;
  span: Span;
  value: Value;
}

const OTHER: Value = { kind: 'other' };
// How many variables to follow in a configuration file.
const MAX_STEPS = 8;
/** Real files have some hundred values. Aliases and variables that stand for each other can make a billion of a few lines. */
const MOST_VALUES = 10_000;

interface Budget {
  values: number;
}

export function parsePm2(path: string, text: string, info: ProjectInfo): Pm2App[] {
  if (/\.ya?ml$/i.test(path)) return readApps(yamlValue(path, text), path, text, 'yaml');
  const isJson = /\.json5?$/i.test(path);
  return readApps(isJson ? jsonValue(path, text, info) : scriptValue(path, text, info), path, text, isJson ? 'json' : 'js');
}

type Style = 'js' | 'json' | 'yaml';

function readApps(root: Value, path: string, text: string, style: Style): Pm2App[] {
  const listed = root.kind === 'list' ? root : find(root, 'apps')?.value;
  const items =
    listed?.kind === 'list'
      ? listed.items
      : listed?.kind === 'object'
        ? [listed]
        : root.kind === 'object' && find(root, 'script')
          ? [root]
          : [];
  return items.flatMap((item) => readApp(item, path, text, style) ?? []);
}

function readApp(app: Value, path: string, text: string, style: Style): Pm2App | undefined {
  const script = find(app, 'script');
  if (app.kind !== 'object' || script?.value.kind !== 'text') return undefined;
  const textAt = (key: string): string | undefined => {
    const value = find(app, key)?.value;
    if (value?.kind === 'list') return value.items.map((item) => (item.kind === 'text' ? item.text : '')).join(' ');
    return value?.kind === 'text' ? value.text : undefined;
  };
  const envs = new Map<string, EnvState | undefined>();
  for (const { key, value } of app.entries) {
    const name = /^env(?:_(\w+))?$/.exec(key);
    if (name) envs.set(name[1] ?? '', envState(value, path));
  }
  const watch = textAt('watch');
  return {
    path,
    script: script.value.text,
    span: script.value.span,
    name: textAt('name') ?? script.value.text,
    args: textAt('args') ?? '',
    nodeArgs: textAt('node_args') ?? textAt('nodeArgs') ?? textAt('interpreter_args') ?? '',
    interpreter: textAt('interpreter') ?? textAt('exec_interpreter'),
    cwd: textAt('cwd'),
    isWatching: (watch !== undefined && watch !== 'false') || find(app, 'watch')?.value.kind === 'list',
    // An app with a spread may get its environment from there.
    envs: app.isOpen && !envs.has('') ? new Map([...envs, ['', UNKNOWN]]) : envs,
    addition: addition(app, script, text, style),
  };
}

function envState(env: Value, path: string): EnvState | undefined {
  if (env.kind !== 'object') return UNKNOWN;
  const entry = env.entries.findLast(({ key }) => key === 'NODE_ENV');
  if (!entry) return env.isOpen ? UNKNOWN : undefined;
  return entry.value.kind === 'text' ? { kind: 'value', value: entry.value.text, place: { path, span: entry.value.span } } : UNKNOWN;
}

function addition(app: Value, script: Entry, text: string, style: Style): Edit | undefined {
  const env = find(app, 'env')?.value;
  const quote = style === 'json' ? '"' : (text[script.value.kind === 'text' ? script.value.span.start - 1 : 0] ?? "'");
  const mark = quote === '"' || quote === '`' ? '"' : "'";
  const variable =
    style === 'json' ? '"NODE_ENV": "production"' : style === 'yaml' ? 'NODE_ENV: production' : `NODE_ENV: ${mark}production${mark}`;
  if (env) {
    if (env.kind !== 'object') return undefined;
    const first = env.entries[0];
    if (!first) return style === 'yaml' || env.isOpen ? undefined : { ...env.span, text: `{ ${variable} }` };
    const at = first.span.start;
    if (style === 'yaml') return insertBeforeKey(text, at, [variable]);
    return indentBefore(text, at) === undefined
      ? { start: at, end: at, text: `${variable}, ` }
      : insertBeforeKey(text, at, [`${variable},`]);
  }
  if (style === 'yaml') {
    const before = insertBeforeKey(text, script.span.start, ['env:', `  ${variable}`]);
    if (before) return before;
    // `- script: app.js`: the entry goes below it, indented like the key.
    const column = script.span.start - (text.lastIndexOf('\n', script.span.start - 1) + 1);
    const lead = `${lineBreakOf(text)}${' '.repeat(column)}`;
    const end =
      script.value.kind === 'text' && /["']/.test(text[script.value.span.end] ?? '')
        ? script.value.span.end + 1
        : script.value.kind === 'text'
          ? script.value.span.end
          : script.span.end;
    return { start: end, end, text: `${lead}env:${lead}${indentStep(text, 0, 0)}${variable}` };
  }
  const end = script.span.end;
  const indent = indentBefore(text, script.span.start);
  const key = style === 'json' ? '"env"' : 'env';
  return { start: end, end, text: `,${indent === undefined ? ' ' : `${lineBreakOf(text)}${indent}`}${key}: { ${variable} }` };
}

function find(value: Value | undefined, key: string): Entry | undefined {
  return value?.kind === 'object' ? value.entries.findLast((entry) => entry.key === key) : undefined;
}

function jsonValue(path: string, text: string, info: ProjectInfo): Value {
  // Parsed as a JavaScript expression, which allows comments and trailing commas, as PM2's own reader does.
  const shift = 1;
  const outcome = parse(`${path}.js`, `(${text}\n)`);
  if (!outcome.ok) return OTHER;
  const statement = outcome.ast.program.body[0];
  if (statement?.type !== 'ExpressionStatement') return OTHER;
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source(path, text), info);
  return nodeValue(statement.expression, { facts, shift, values: MOST_VALUES }, 0);
}

function scriptValue(path: string, text: string, info: ProjectInfo): Value {
  const outcome = parse(path, text);
  if (!outcome.ok) return OTHER;
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source(path, text), info);
  // `module.exports = { apps: […] }`, `export default …`, a function that returns it: the name of the property is enough.
  const property = facts.module.nodes('ObjectProperty').find((node) => staticName(node.key, node.computed) === 'apps');
  if (!property) return OTHER;
  const value = nodeValue(property.value, { facts, shift: 0, values: MOST_VALUES }, 0);
  return { kind: 'object', entries: [{ key: 'apps', span: { start: 0, end: 0 }, value }], isOpen: true, span: { start: 0, end: 0 } };
}

interface Reader extends Budget {
  facts: Facts;
  /** What stands before the text that offsets count in. */
  shift: number;
}

function nodeValue(node: Node, reader: Reader, steps: number): Value {
  if (reader.values-- <= 0) return OTHER;
  const { facts, shift } = reader;
  const target = unwrap(node);
  const span = { start: (target.start ?? 0) - shift, end: (target.end ?? 0) - shift };
  switch (target.type) {
    case 'StringLiteral':
      return { kind: 'text', text: target.value, span: { start: span.start + 1, end: span.end - 1 } };
    case 'TemplateLiteral':
      return target.expressions.length === 0
        ? { kind: 'text', text: target.quasis[0]?.value.cooked ?? '', span: { start: span.start + 1, end: span.end - 1 } }
        : OTHER;
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return { kind: 'text', text: String(target.value), span };
    case 'LogicalExpression':
      // `process.env.NODE_ENV || 'production'`: the default applies if nothing else is set.
      return target.operator === '&&' ? OTHER : nodeValue(target.right, reader, steps + 1);
    case 'ArrayExpression':
      return {
        kind: 'list',
        items: target.elements.flatMap((element) =>
          element && element.type !== 'SpreadElement' ? [nodeValue(element, reader, steps + 1)] : [],
        ),
      };
    case 'ObjectExpression':
      return objectValue(target, reader, steps, span);
    case 'Identifier': {
      const binding = steps < MAX_STEPS ? facts.bindings.resolve(target) : undefined;
      const init =
        binding?.declaration.type === 'VariableDeclarator' && binding.declaration.id.type === 'Identifier'
          ? binding.declaration.init
          : undefined;
      return init && binding && facts.bindings.isConstant(binding) && !isFunction(init) ? nodeValue(init, reader, steps + 1) : OTHER;
    }
    default:
      return OTHER;
  }
}

function objectValue(node: t.ObjectExpression, reader: Reader, steps: number, span: Span): Value {
  const { shift } = reader;
  const entries: Entry[] = [];
  let isOpen = false;
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = nodeValue(property.argument, reader, steps + 1);
      if (spread.kind === 'object') {
        entries.push(...spread.entries);
        isOpen ||= spread.isOpen;
      } else isOpen = true;
      continue;
    }
    const key = staticName(property.key, property.computed);
    if (key === undefined) isOpen = true;
    else
      entries.push({
        key,
        span: { start: (property.start ?? 0) - shift, end: (property.end ?? 0) - shift },
        value: property.type === 'ObjectProperty' ? nodeValue(property.value, reader, steps + 1) : OTHER,
      });
  }
  return { kind: 'object', entries, isOpen, span };
}

function yamlValue(path: string, text: string): Value {
  const file = new YamlFile(path, text);
  const document = file.documents[0];
  return document ? yamlNodeValue(file, document, document.contents, { values: MOST_VALUES }) : OTHER;
}

function yamlNodeValue(file: YamlFile, document: YamlDocument, node: YamlNode | null | undefined, budget: Budget): Value {
  if (budget.values-- <= 0) return OTHER;
  if (isYamlMap(node)) {
    const entries = file
      .entries(node, document)
      .map(({ key, keySpan, value }) => ({ key, span: keySpan, value: yamlNodeValue(file, document, value, budget) }));
    return { kind: 'object', entries, isOpen: false, span: spanOf(node) };
  }
  if (isYamlList(node))
    return { kind: 'list', items: file.items(node, document).map((item) => yamlNodeValue(file, document, item, budget)) };
  const text = isYamlScalar(node) ? file.scalar(node) : undefined;
  return text !== undefined && node ? { kind: 'text', text, span: file.valueSpan(node) } : OTHER;
}
