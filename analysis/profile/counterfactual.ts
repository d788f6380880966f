// The same work without what a finding is about, so that the difference in time is what it costs: with the finding's own fix, with a copy
// of the function for each call that passes something else, or with one kind of arguments at a time.
import { parseExpression, type ParserPlugin } from '@babel/parser';
import type { Edit, Finding, Span } from '../../protocol/finding.ts';
import type { Facts } from '../facts/index.ts';
import { deletionsAmong } from './claim-spans.ts';
import { endOf, isFunction, isMember, parentOf, staticName, startOf, unwrap, type Node, type t } from '../module/ast.ts';

/** One process of its own. */
export interface CounterfactualPart {
  /** Of the file's text. */
  edits: readonly Edit[];
  /** Undefined for those of the profile. */
  calls?: readonly string[];
  /** Its share in the whole, 0 to 1: those of all parts make 1. */
  weight: number;
}

export interface Counterfactual {
  /** For "Compared with …". */
  description: string;
  parts: readonly CounterfactualPart[];
}

/** More copies or kinds than these take too many processes. */
const MOST_PARTS = 4;
const MOST_COPIES = 8;
const COMPARED: ReadonlySet<string> = new Set(['no-polymorphic-call', 'no-unstable-shape', 'no-setup-per-request']);

/** @param calls of the profile, as source text */
export function counterfactualOf(finding: Finding, facts: Facts, calls: readonly string[]): Counterfactual | undefined {
  if (finding.messageId === 'stackRead') return whole('a version that reads no stack', [{ ...finding.span, text: "''" }]);
  if (!COMPARED.has(finding.ruleId)) return undefined;
  const [fix] = finding.fixes;
  if (fix) return { description: `the fix "${fix.title}"`, parts: [{ edits: fix.edits, weight: 1 }] };
  if (finding.ruleId === 'no-setup-per-request') return undefined;
  return withoutState(finding, facts) ?? oneCopyForEachCall(finding, facts) ?? oneKindAtATime(facts.source.file, calls);
}

/** What no fix is offered for, since it may change what a program does; the time is another matter. */
function withoutState(finding: Finding, facts: Facts): Counterfactual | undefined {
  const { span } = finding;
  const { source } = facts;
  const text = source.text.slice(span.start, span.end);
  if (finding.messageId === 'overrunRead') {
    const at = text.indexOf('<=');
    return at === -1 || text.includes('<=', at + 1)
      ? undefined
      : whole('a loop that ends at the last element', [{ start: span.start + at, end: span.start + at + 2, text: '<' }]);
  }
  if (finding.messageId === 'deletedField') {
    const own = finding.related.filter(({ file }) => file === undefined || file === finding.file).map((one) => one.span);
    const nodes = deletionsAmong([span, ...own], facts);
    return nodes.length === 0
      ? undefined
      : whole(
          `a version that sets the ${nodes.length === 1 ? 'field' : 'fields'} to undefined`,
          nodes.flatMap((node) => [
            { start: startOf(node), end: startOf(node.argument), text: '' },
            { start: endOf(node.argument), end: endOf(node.argument), text: ' = undefined' },
          ]),
        );
  }
  if (finding.messageId === 'sparseArray') return withoutGap(span, facts);
  if (!finding.messageId.startsWith('replaced')) return undefined;
  return withPrototypeInLiteral(span, facts) ?? withoutReplacing(span, facts);
}

/** `list[50_000_000] = 1` becomes `list[list.length] = 1`, and `new Array(70_000_000)` becomes `[]`. */
function withoutGap(span: Span, { module }: Facts): Counterfactual | undefined {
  const isNear = (node: Node): boolean => startOf(node) <= span.start && span.end <= endOf(node);
  const made = [...module.nodes('NewExpression'), ...module.nodes('CallExpression')].find(
    (node) => isSpanOf(node, span) && unwrap(node.callee).type === 'Identifier' && node.arguments.length === 1,
  );
  if (made) return whole('an array that grows from nothing', [{ start: span.start, end: span.end, text: '[]' }]);
  const assignment =
    module.nodes('AssignmentExpression').find((node) => isNear(node) && isMember(node.left) && isSpanOf(node.left, span)) ??
    module.nodes('AssignmentExpression').find((node) => isSpanOf(node, span));
  const left = assignment?.left;
  if (!left || !isMember(left) || !left.computed || unwrap(left.object).type !== 'Identifier') return undefined;
  const name = (unwrap(left.object) as t.Identifier).name;
  return whole('a write at the end of the array', [{ start: startOf(left.property), end: endOf(left.property), text: `${name}.length` }]);
}

/** What needs the other prototype then throws, and the comparison says so. */
function withoutReplacing(span: Span, { module }: Facts): Counterfactual | undefined {
  const call = module.nodes('CallExpression').find((one) => isSpanOf(one, span));
  const [object] = call?.arguments ?? [];
  if (call && object && object.type !== 'SpreadElement')
    return whole('a version that leaves the prototype as it is', [
      { start: span.start, end: startOf(object), text: '(' },
      { start: endOf(object), end: span.end, text: ')' },
    ]);
  const assignment = module.nodes('AssignmentExpression').find((one) => isSpanOf(one, span));
  return assignment && parentOf(assignment)?.type === 'ExpressionStatement'
    ? whole('a version that leaves the prototype as it is', [{ start: span.start, end: span.end, text: 'void 0' }])
    : undefined;
}

/** `Object.setPrototypeOf({ a }, base)` becomes `({ __proto__: base, a })`, for a constant made of a literal, too. */
function withPrototypeInLiteral(span: Span, { module, bindings, source }: Facts): Counterfactual | undefined {
  const description = 'an object literal that has the prototype from the start';
  const call = module.nodes('CallExpression').find((one) => isSpanOf(one, span));
  const assignment = module.nodes('AssignmentExpression').find((one) => isSpanOf(one, span));
  const object = call ? call.arguments[0] : assignment?.left.type === 'MemberExpression' ? assignment.left.object : undefined;
  const base = call ? call.arguments[1] : assignment?.right;
  if (!object || !base) return undefined;
  const proto = `__proto__: ${source.text.slice(startOf(base), endOf(base))}, `;
  const literal = unwrap(object);
  if (literal.type === 'ObjectExpression')
    return whole(description, [
      { start: span.start, end: startOf(literal) + 1, text: `({ ${proto}` },
      { start: endOf(literal), end: span.end, text: ')' },
    ]);
  // Only where nothing else looks at it before, and where the prototype is known by then.
  const binding = literal.type === 'Identifier' ? bindings.resolve(literal) : undefined;
  const made = binding?.declaration.type === 'VariableDeclarator' ? binding.declaration.init : undefined;
  const statement = parentOf(call ?? assignment ?? literal);
  if (made?.type !== 'ObjectExpression' || statement?.type !== 'ExpressionStatement' || unwrap(base).type !== 'Identifier')
    return undefined;
  return whole(description, [
    { start: startOf(made) + 1, end: startOf(made) + 1, text: proto },
    { start: startOf(statement), end: endOf(statement), text: ';' },
  ]);
}

function whole(description: string, edits: readonly Edit[]): Counterfactual {
  return { description, parts: [{ edits, weight: 1 }] };
}

/** `measure(square); measure(circle)` become `measure(square); measure$copy1(circle)`: what meets them keeps one kind each. */
function oneCopyForEachCall(finding: Finding, facts: Facts): Counterfactual | undefined {
  if (finding.ruleId !== 'no-polymorphic-call') return undefined;
  const { module, bindings, source } = facts;
  const own = finding.related.filter(({ file }) => file === undefined || file === finding.file).map(({ span }) => span);
  // What meets the values is named last; the calls that hand them over come before.
  const meets = own.at(-1);
  const sites = module.nodes('CallExpression').filter((node) => [finding.span, ...own].some((span) => isSpanOf(node, span)));
  const byFunction = new Map<Node, t.Identifier[]>();
  for (const site of sites) {
    const callee = unwrap(site.callee);
    const binding = callee.type === 'Identifier' ? bindings.resolve(callee) : undefined;
    if (callee.type !== 'Identifier' || !binding) continue;
    byFunction.set(binding.declaration, [...(byFunction.get(binding.declaration) ?? []), callee]);
  }
  const [declaration, callees] = [...byFunction].find(([, list]) => list.length > 1 && list.length <= MOST_COPIES) ?? [];
  const copied = declaration && copyable(declaration);
  if (!copied || !callees || !meets || meets.start < startOf(copied.fn) || meets.end > endOf(copied.fn)) return undefined;
  const { name } = copied;
  // One that calls itself would go on in the original.
  const isRecursive = bindings
    .references(copied.binding(facts))
    .some((one) => startOf(copied.fn) < startOf(one) && endOf(one) < endOf(copied.fn));
  const copyName = (i: number): string => `${name.name}$copy${i}`;
  if (isRecursive || source.text.includes(`${name.name}$copy`)) return undefined;
  const { text } = source;
  const edits: Edit[] = [];
  let copies = '';
  for (const [i, callee] of callees.slice(1).entries()) {
    edits.push({ start: startOf(callee), end: startOf(callee) + name.name.length, text: copyName(i + 1) });
    const from = copied.statement;
    copies += `\n${text.slice(startOf(from), startOf(name))}${copyName(i + 1)}${text.slice(startOf(name) + name.name.length, endOf(from))}`;
  }
  edits.push({ start: endOf(copied.statement), end: endOf(copied.statement), text: copies });
  return {
    description: `a copy of \`${name.name}\` for each of the ${callees.length} calls`,
    parts: [{ edits: edits.sort((a, b) => a.start - b.start), weight: 1 }],
  };
}

interface Copyable {
  fn: Node;
  /** What is copied as a whole. */
  statement: Node;
  name: t.Identifier;
  binding(facts: Facts): NonNullable<ReturnType<Facts['bindings']['resolve']>>;
}

/** `function f() {}` and `const f = () => …`. */
function copyable(declaration: Node): Copyable | undefined {
  const isAlone = declaration.type === 'VariableDeclarator' && declaration.init && isFunction(declaration.init);
  const statement = isAlone ? parentOf(declaration) : declaration;
  const id = declaration.type === 'FunctionDeclaration' || isAlone ? declaration.id : undefined;
  if (!statement || id?.type !== 'Identifier') return undefined;
  if (isAlone && (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1)) return undefined;
  return {
    fn: isAlone ? (declaration.init as Node) : declaration,
    statement,
    name: id,
    binding: (facts) => {
      const binding = facts.bindings.resolve(id);
      if (!binding) throw new Error(`No binding declares \`${id.name}\`.`);
      return binding;
    },
  };
}

/** `add(1, 2)` and `add('a', 'b')` in processes of their own; a list of several kinds as lists of one kind each. */
function oneKindAtATime(file: string, calls: readonly string[]): Counterfactual | undefined {
  const parsed = calls.map((call) => parsedCall(call, file));
  const byKind = new Map<string, string[]>();
  for (const [i, node] of parsed.entries()) {
    if (!node) return undefined;
    const kind = kindOf(node);
    byKind.set(kind, [...(byKind.get(kind) ?? []), calls[i] ?? '']);
  }
  const description = 'the same calls with one kind of arguments at a time';
  if (byKind.size > 1)
    return byKind.size > MOST_PARTS
      ? undefined
      : { description, parts: [...byKind.values()].map((own) => ({ edits: [], calls: own, weight: own.length / calls.length })) };
  const [call] = calls;
  const [node] = parsed;
  if (calls.length !== 1 || call === undefined || !node) return undefined;
  const lists = node.arguments.filter((one): one is t.ArrayExpression => one.type === 'ArrayExpression' && kindsIn(one).size > 1);
  const [list] = lists;
  if (lists.length !== 1 || !list) return undefined;
  const kinds = kindsIn(list);
  if (kinds.size > MOST_PARTS) return undefined;
  const parts = [...kinds.values()].map((own): CounterfactualPart => {
    const texts = list.elements.map((_, i) => {
      const element = own[i % own.length];
      return element ? call.slice(startOf(element), endOf(element)) : '';
    });
    return {
      edits: [],
      calls: [`${call.slice(0, startOf(list))}[${texts.join(', ')}]${call.slice(endOf(list))}`],
      weight: own.length / list.elements.length,
    };
  });
  return { description: 'the same call with lists of one kind of elements each', parts };
}

/** The elements of a list by their kinds; none where some are not written out. */
function kindsIn({ elements }: t.ArrayExpression): Map<string, Node[]> {
  const kinds = new Map<string, Node[]>();
  for (const element of elements) {
    if (!element || element.type === 'SpreadElement') return new Map();
    const kind = kindOf(element);
    kinds.set(kind, [...(kinds.get(kind) ?? []), element]);
  }
  return kinds;
}

/** What V8 would tell apart: types, keys in their order, classes. */
function kindOf(expression: Node): string {
  const node = unwrap(expression);
  switch (node.type) {
    case 'NumericLiteral':
      return Number.isInteger(node.value) && Math.abs(node.value) < 2 ** 30 ? 'integer' : 'number';
    case 'UnaryExpression':
      return node.operator === '-' ? kindOf(node.argument) : node.operator;
    case 'StringLiteral':
    case 'TemplateLiteral':
      return 'string';
    case 'BooleanLiteral':
    case 'NullLiteral':
    case 'BigIntLiteral':
      return node.type;
    case 'ArrayExpression':
      return `[${[...new Set(node.elements.map((one) => (one ? kindOf(one) : 'hole')))].sort().join('|')}]`;
    case 'ObjectExpression':
      return `{${node.properties.map((one) => (one.type === 'ObjectProperty' ? `${staticName(one.key, one.computed) ?? '?'}:${kindOf(one.value)}` : one.type)).join(',')}}`;
    case 'NewExpression':
    case 'CallExpression':
    case 'OptionalCallExpression':
      return `${node.type} ${nameOf(node.callee)}(${node.arguments.map(kindOf).join(',')})`;
    case 'Identifier':
      return node.name;
    default:
      return isFunction(node) ? 'function' : node.type;
  }
}

function nameOf(callee: Node): string {
  const node = unwrap(callee);
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression')
    return `${kindOf(node.object)}.${staticName(node.property, node.computed) ?? '?'}`;
  return kindOf(node);
}

function parsedCall(text: string, file: string): t.CallExpression | t.NewExpression | undefined {
  const plugins: ParserPlugin[] = /\.[cm]?tsx?$/i.test(file) ? ['typescript', 'topLevelAwait'] : ['topLevelAwait'];
  try {
    const root = parseExpression(text, { plugins, sourceType: 'module' }) as Node;
    const call = root.type === 'AwaitExpression' ? unwrap(root.argument) : root;
    return call.type === 'CallExpression' || call.type === 'NewExpression' ? call : undefined;
  } catch {
    // Whoever runs it says so.
    return undefined;
  }
}

function isSpanOf(node: Node, span: Span): boolean {
  return startOf(node) === span.start && endOf(node) === span.end;
}
