// How long the text can be that an expression is applied to: what the source says of the text, of the field that holds it, and of the body
// that brought it.
import { isCall, isMember, memberName, parentOf, staticName, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { propertyValue } from '../../analysis/facts/handlers/route-paths.ts';
import { constantOf, numberOf, textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { BODY_LIMITS, HEAD_BYTES, type BodyLimit } from '../../knowledge/text-limits.ts';

export interface TextSize {
  /** Undefined: there is no limit. */
  bytes: number | undefined;
  /** Where that is from: `body-parser accepts 102,400 bytes unless another limit is set`. */
  limit: string;
}

/** A text out of a body or a message that other functions pass on. The limit is not known, and the lowest that frameworks have is this. */
export const PASSED_ON: TextSize = { bytes: 102_400, limit: 'body-parser accepts 102,400 bytes unless another limit is set' };

/** Members of a request that come in its first line and its headers. */
const IN_HEAD =
  /^(?:query|params?|headers?|get|cookies?|url|originalUrl|path|querystring|search|searchParams|hostname|host|queryStringParameters|pathParameters|multiValueQueryStringParameters|rawPath|rawQueryString|nextUrl|href|pathname)$/;
const IN_BODY = /^(?:body|rawBody|payload|fields|input|data|text|json|formData|message|args|request|req)$/;

/** @param member of the request in which it came. Undefined where nothing is known of it. */
export function sizeOf(member: string | undefined, text: Node, use: Node, facts: Facts): TextSize | undefined {
  const field = limitOfField(text, facts);
  if (field !== undefined) return { bytes: field, limit: `the field accepts ${shownBytes(field, 'characters')}` };
  if (member === undefined) return undefined;
  if (IN_HEAD.test(member)) return { bytes: HEAD_BYTES, limit: `Node.js accepts ${shownBytes(HEAD_BYTES)} of URL and headers` };
  if (!IN_BODY.test(member)) return undefined;
  const row = bodyLimitAt(use, facts);
  if (!row) return undefined;
  const set = row.options.length > 0 ? setLimit(row, facts) : undefined;
  if (set !== undefined) return { bytes: set.bytes, limit: `\`${row.options[0]}\` is ${shownBytes(set.bytes)}${set.unless}` };
  return row.bytes === undefined
    ? { bytes: undefined, limit: 'nothing limits the body' }
    : { bytes: row.bytes, limit: `${row.by} accepts ${shownBytes(row.bytes)} unless another limit is set` };
}

/** `102,400 bytes` */
export function shownBytes(n: number, unit = 'bytes'): string {
  return `${n.toLocaleString('en-US')} ${unit}`;
}

function bodyLimitAt(use: Node, facts: Facts): BodyLimit | undefined {
  const { handlers } = facts.handlers;
  let framework: string | undefined;
  for (let at: Node | undefined = use; at && framework === undefined; at = parentOf(at)) {
    const own = at;
    framework = handlers.find(({ fn }) => fn === own)?.framework;
  }
  framework ??= handlers[0]?.framework;
  return BODY_LIMITS.find(({ frameworks }) => framework !== undefined && frameworks.includes(framework));
}

/** The largest limit that the file sets: which of several parsers a route has is not looked into. */
function setLimit({ options }: BodyLimit, facts: Facts): { bytes: number; unless: string } | undefined {
  const found = facts.module.nodes('ObjectProperty').flatMap((property) => {
    const name = staticName(property.key, property.computed);
    if (name === undefined || !options.includes(name)) return [];
    // `{ limit: 20 }` of a query to a database is another matter.
    if (name === 'limit' && !isOfParser(property)) return [];
    const bytes = bytesOf(property.value, facts);
    return bytes === undefined ? [] : { bytes, unless: unlessSet(property.value, facts) };
  });
  return found.sort((a, b) => b.bytes - a.bytes)[0];
}

function isOfParser(property: t.ObjectProperty): boolean {
  const call = parentOf(parentOf(property) ?? property);
  if (!isCall(call)) return false;
  const callee = unwrap(call.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  return /^(?:json|urlencoded|text|raw|bodyParser)$/.test(name ?? '');
}

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** `process.env.JSON_BODY_LIMIT || '10mb'`, `process.env.A || process.env.B || '10mb'` */
function fallbackOf(value: Node, facts: Facts): { settings: readonly Node[]; fallback: Node } | undefined {
  const written = unwrap(value);
  const node = unwrap(constantOf(written, facts.bindings) ?? written);
  if (node.type !== 'LogicalExpression' || node.operator === '&&') return undefined;
  const settings = alternativesOf(node.left);
  if (!settings.every(isMember)) return undefined;
  // `const limits = { json: '20mb' }; limits.json || '10mb'`
  for (const [i, setting] of settings.entries()) {
    const fixed = fixedField(setting, facts);
    if (fixed) return { settings: settings.slice(0, i), fallback: fixed };
  }
  return { settings, fallback: node.right };
}

function alternativesOf(value: Node): readonly Node[] {
  const node = unwrap(value);
  return node.type === 'LogicalExpression' && node.operator !== '&&'
    ? [...alternativesOf(node.left), ...alternativesOf(node.right)]
    : [node];
}

/** What a field of an object of the file always is: a text or a number other than 0. */
function fixedField(member: Node, facts: Facts): Node | undefined {
  const object = isMember(member) ? unwrap(member.object) : undefined;
  const name = isMember(member) ? memberName(member) : undefined;
  const init = object && constantOf(object, facts.bindings);
  const literal = init && unwrap(init);
  const binding = object?.type === 'Identifier' ? facts.bindings.resolve(object) : undefined;
  if (!binding || name === undefined || literal?.type !== 'ObjectExpression') return undefined;
  const isWritten = facts.bindings.references(binding).some((one) => {
    const field = parentOf(one);
    const above = field && parentOf(field);
    return isMember(field) && above?.type === 'AssignmentExpression' && above.left === field && (memberName(field) ?? name) === name;
  });
  const value = isWritten ? undefined : propertyValue(literal, name);
  return value && (numberOf(value, facts.bindings) || textOf(value, facts.bindings)) ? value : undefined;
}

// Longer expressions are not shown.
const MAX_NAME = 60;

/** For messages: ` unless \`process.env.JSON_BODY_LIMIT\` is set`, or nothing if the source alone says how much it is. */
export function unlessSet(value: Node, facts: Facts): string {
  const settings = fallbackOf(value, facts)?.settings ?? [];
  if (settings.length === 0) return '';
  const names = settings.map((setting) => facts.source.slice(setting));
  const isShown = names.length <= 2 && names.every((name) => name.length <= MAX_NAME && !/[\s`]/.test(name));
  return isShown ? ` unless ${names.map((name) => `\`${name}\``).join(' or ')} is set` : ' unless a setting says otherwise';
}

/** `1048576`, `'1mb'`, as the package bytes reads it; and of `setting || '1mb'` what holds without the setting */
export function bytesOf(value: Node, facts: Facts): number | undefined {
  const other = fallbackOf(value, facts);
  if (other) return bytesOf(other.fallback, facts);
  const number = numberOf(value, facts.bindings);
  if (number !== undefined) return number;
  const parts = /^(\d{1,12}(?:\.\d{1,6})?) ?(b|kb|mb|gb)?$/i.exec(textOf(value, facts.bindings) ?? '');
  return parts?.[1] === undefined ? undefined : Math.floor(Number(parts[1]) * (UNITS[parts[2]?.toLowerCase() ?? 'b'] ?? 1));
}

/**
 * What a schema of the file says of a field with this name: `maxLength` (JSON Schema), `z.string().max(n)`, `body('name').isLength({ max
 * })`, `maxlength` (mongoose). Which schema checks which route is not looked into: a limit for the name is believed.
 */
function limitOfField(text: Node, facts: Facts): number | undefined {
  const name = fieldName(text, facts);
  if (name === undefined) return undefined;
  for (const property of facts.module.nodes('ObjectProperty')) {
    if (staticName(property.key, property.computed) !== name) continue;
    const value = unwrap(property.value);
    const limit = value.type === 'ObjectExpression' ? limitInObject(value, facts) : limitInChain(value, facts);
    if (limit !== undefined) return limit;
  }
  for (const call of facts.module.nodes('CallExpression')) {
    const [first] = call.arguments;
    if (call.callee.type !== 'Identifier' || first?.type !== 'StringLiteral' || first.value !== name) continue;
    let chain: Node = call;
    for (let up = parentOf(chain); up && ((isMember(up) && up.object === chain) || (isCall(up) && up.callee === chain)); up = parentOf(up))
      chain = up;
    const limit = limitInChain(chain, facts);
    if (limit !== undefined) return limit;
  }
  return undefined;
}

function fieldName(text: Node, facts: Facts): string | undefined {
  let node = unwrap(text);
  while (node.type === 'CallExpression' && isMember(node.callee)) node = unwrap(node.callee.object);
  if (isMember(node)) return memberName(node);
  if (node.type !== 'Identifier') return undefined;
  const declaration = facts.bindings.resolve(node)?.declaration;
  const init = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  return init && isMember(init) && declaration?.type === 'VariableDeclarator' && declaration.id.type === 'Identifier'
    ? memberName(init)
    : node.name;
}

function limitInObject(object: t.ObjectExpression, facts: Facts): number | undefined {
  for (const property of object.properties)
    if (property.type === 'ObjectProperty' && /^max_?length$/i.test(staticName(property.key, property.computed) ?? ''))
      return numberOf(
        property.value.type === 'ArrayExpression' ? (property.value.elements[0] ?? undefined) : property.value,
        facts.bindings,
      );
  return undefined;
}

/** `z.string().max(40).regex(re)`, `body('name').isLength({ max: 40 })` */
function limitInChain(chain: Node, facts: Facts): number | undefined {
  for (let node = unwrap(chain); isCall(node) || isMember(node); ) {
    if (isCall(node) && isMember(node.callee)) {
      const method = memberName(node.callee) ?? '';
      const [first] = node.arguments;
      if (/^(?:max|maxLength|length)$/.test(method)) {
        const limit = numberOf(first, facts.bindings);
        if (limit !== undefined) return limit;
      }
      if (method === 'isLength' && first?.type === 'ObjectExpression')
        for (const property of first.properties)
          if (property.type === 'ObjectProperty' && staticName(property.key, property.computed) === 'max')
            return numberOf(property.value, facts.bindings);
    }
    node = unwrap(isCall(node) ? node.callee : node.object);
  }
  return undefined;
}
