// Fix: fields that are added under a condition get a value in each record, at the same place: `row.tax = tax || undefined;`, or in the
// literal.
import {
  contains,
  endOf,
  findAncestor,
  isCall,
  isClass,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Edit, Fix, RefusedFix } from '../../protocol/finding.ts';
import type { ConditionalFields, Constructor } from './conditional-fields.ts';
import { hasComment, removals, usesSemicolons } from './delete-fixes.ts';
import { listNames } from './deleted-fields.ts';
import { whyHidden } from './inherited-members.ts';
import { KeyQuestions } from './key-questions.ts';
import type { AddedField } from './shape-paths.ts';

/** `if (row.tax) line.tax = row.tax;` */
interface Conditional {
  statement: t.Statement;
  fields: readonly { name: string; target: string; value: string; node: Node }[];
}

export function declareInLiteral(facts: Facts, found: ConditionalFields): Fix | RefusedFix {
  const names = found.added.map(({ name }) => name);
  const title = `Give every record ${listNames(names)} from the start`;
  const refuse = (reason: string): RefusedFix => ({ title, reason });
  const { made } = found;
  if (made.type === 'NewExpression')
    return refuse(
      `the fields belong in the class that line ${lineOf(made, facts)} creates an object of, and other code may also use it. Set them in its constructor`,
    );
  if (found.isOrder) {
    const [first, second] = found.added;
    return refuse(
      `every record has the fields, but in different orders (lines ${lineOf(first?.site ?? made, facts)} and ${lineOf(second?.site ?? made, facts)}), and JSON shows the order. Assign them in one order`,
    );
  }
  const hidden = made.type === 'ObjectExpression' ? inheritedByLiterals(names) : whyHidden(facts, made, names);
  if (hidden !== undefined) return refuse(hidden);
  const conditionals = new Map<t.Statement, Conditional>();
  for (const field of found.added) {
    const one = readConditional(field, made, facts);
    if (typeof one === 'string') return refuse(one);
    conditionals.set(one.statement, one);
  }
  const untyped = whyNoType(names, made, facts);
  if (untyped !== undefined) return refuse(untyped);
  const question = whoSeesKeys(names, made, facts);
  if (question)
    return refuse(
      `${question} may list or store the keys of the records, and they would have one more. Read the fields by their names there`,
    );
  const all = [...conditionals.values()];
  return {
    title: `${title} (the keys then always exist)`,
    kind: 'suggestion',
    named: 'initial-field',
    edits: (made.type === 'ObjectExpression' ? intoLiteral(all, made, facts) : undefined) ?? inPlace(all, facts),
  };
}

function whoSeesKeys(names: readonly string[], made: t.ObjectExpression | Constructor, facts: Facts): string | undefined {
  if (made.type === 'ObjectExpression') {
    const questions = new KeyQuestions(facts, names);
    questions.follow(made);
    return questions.found;
  }
  const owner = made.type === 'ClassMethod' ? parentOf(parentOf(made) ?? made) : made;
  if (!owner || (!isClass(owner) && owner.type === 'ClassMethod')) return 'code of other files';
  const methods = isClass(owner)
    ? owner.body.body.flatMap((one) =>
        one.type === 'ClassMethod' && !one.static ? (staticName(one.key, Boolean(one.computed)) ?? []) : [],
      )
    : prototypeMethodsOf(owner as Constructor, facts);
  const questions = new KeyQuestions(facts, names, { methods });
  questions.followInstances(owner as Constructor);
  return questions.found;
}

function prototypeMethodsOf(fn: Constructor, facts: Facts): string[] {
  const binding = 'id' in fn && fn.id ? facts.bindings.resolve(fn.id) : undefined;
  return (binding ? facts.bindings.references(binding) : []).flatMap((reference) => {
    const member = parentOf(parentOf(reference) ?? reference);
    return member?.type === 'MemberExpression' && member.property.type === 'Identifier' && !member.computed ? [member.property.name] : [];
  });
}

function readConditional({ name, site }: AddedField, made: t.ObjectExpression | Constructor, facts: Facts): Conditional | string {
  const line = lineOf(site, facts);
  const by = `\`${name}\` is set among other statements of a branch (line ${line}). Set it where there is no value, too`;
  const expression = parentOf(site);
  // `row.tax && (line.tax = row.tax);`
  if (expression?.type === 'LogicalExpression') {
    const statement = parentOf(expression);
    if (statement?.type !== 'ExpressionStatement' || expression.operator !== '&&' || !isBeside(statement, made)) return by;
    return conditionalOf(statement, expression.left, [site], facts) ?? by;
  }
  if (expression?.type !== 'ExpressionStatement') return by;
  const branch = parentOf(expression);
  const test = branch?.type === 'BlockStatement' ? parentOf(branch) : branch;
  if (test?.type !== 'IfStatement' || test.alternate || !isBeside(test, made)) return by;
  const statements = branch?.type === 'BlockStatement' ? branch.body : [expression];
  const sites = statements.map((statement) => (statement.type === 'ExpressionStatement' ? statement.expression : undefined));
  const target = facts.source.slice((site.left as t.MemberExpression).object);
  const isField = (one: Node | undefined): one is t.AssignmentExpression =>
    one?.type === 'AssignmentExpression' &&
    one.operator === '=' &&
    one.left.type === 'MemberExpression' &&
    !one.left.computed &&
    facts.source.slice(one.left.object) === target;
  if (test.consequent !== branch && test.consequent !== expression) return by;
  return sites.every(isField) ? (conditionalOf(test, test.test, sites, facts) ?? by) : by;
}

/** In the block of the declaration, or directly in the constructor. */
function isBeside(statement: Node, made: t.ObjectExpression | Constructor): boolean {
  const block = parentOf(statement);
  if (made.type !== 'ObjectExpression') return block === made.body;
  const declaration = findAncestor(made, ({ type }) => type === 'VariableDeclaration');
  return block?.type === 'BlockStatement' && declaration !== undefined && parentOf(declaration) === block;
}

function conditionalOf(
  statement: t.Statement,
  test: Node,
  sites: readonly t.AssignmentExpression[],
  facts: Facts,
): Conditional | undefined {
  if (hasComment(facts, startOf(statement), endOf(statement)) || !isSimple(test)) return undefined;
  // What is asked once would be asked for each of them.
  if (
    sites.length > 1 &&
    !(isPure(test) && sites.every(({ right }) => isPure(right)) && sites.every(({ left }) => !mentions(test, left, facts)))
  )
    return undefined;
  const fields: { name: string; target: string; value: string; node: Node }[] = [];
  for (const { left, right } of sites) {
    const value = valueOf(test, right, facts);
    const name = left.type === 'MemberExpression' && left.property.type === 'Identifier' ? left.property.name : undefined;
    if (value === undefined || name === undefined || value.includes('\n')) return undefined;
    fields.push({ name, target: facts.source.slice(left), value, node: right });
  }
  return { statement, fields };
}

/** What the field is where the test is true, and undefined otherwise, as a person writes it. */
function valueOf(test: Node, value: Node, facts: Facts): string | undefined {
  if (!isSimple(value)) return undefined;
  const [condition, text] = [facts.source.slice(test), facts.source.slice(value)];
  if (isPure(value)) {
    const isOperator = value.type === 'LogicalExpression' || value.type === 'BinaryExpression';
    if (condition === text && !isOperator) return `${text} || undefined`;
    if (condition === `${text} !== undefined` && !isOperator) return text;
  }
  return `${condition} ? ${text} : undefined`;
}

/** What can stand in a condition without parentheses. */
function isSimple(node: Node): boolean {
  return /^(?:Identifier|This|\w*Literal|TemplateLiteral|(?:Optional)?(?:Member|Call)|New|Binary|Logical|Unary|Array|Object|Await)(?:Expression)?$/.test(
    node.type,
  );
}

function isPure(expression: Node): boolean {
  let pure = true;
  walkWithin(expression, (node) => {
    pure &&=
      !isCall(node) &&
      !/^(?:New|Assignment|Update|Await|Yield|TaggedTemplate|Import|Function|ArrowFunction|Class)Expression$/.test(node.type);
    return pure;
  });
  return pure;
}

function mentions(test: Node, field: Node, facts: Facts): boolean {
  const text = facts.source.slice(field);
  let found = false;
  walkWithin(test, (node) => {
    found ||= facts.source.slice(node) === text;
    return !found;
  });
  return found;
}

function inPlace(conditionals: readonly Conditional[], facts: Facts): Edit[] {
  const { source } = facts;
  const end = usesSemicolons(facts) ? ';' : '';
  return conditionals.map(({ statement, fields }) => ({
    start: startOf(statement),
    end: endOf(statement),
    text: fields.map(({ target, value }) => `${target} = ${value}${end}`).join(source.lineBreak + source.indentAt(startOf(statement))),
  }));
}

/** Where they follow the declaration, and nothing else does, a person writes them in the literal. */
function intoLiteral(conditionals: readonly Conditional[], literal: t.ObjectExpression, facts: Facts): Edit[] | undefined {
  const declarator = parentOf(literal);
  const declaration = declarator && parentOf(declarator);
  const block = declaration && parentOf(declaration);
  if (declarator?.type !== 'VariableDeclarator' || declaration?.type !== 'VariableDeclaration' || block?.type !== 'BlockStatement')
    return undefined;
  if (declaration.declarations.length !== 1 || declarator.id.type !== 'Identifier') return undefined;
  const from = block.body.indexOf(declaration) + 1;
  if (conditionals.some(({ statement }, i) => block.body[from + i] !== statement)) return undefined;
  const record = facts.bindings.resolve(declarator.id);
  const references = record ? facts.bindings.references(record) : [];
  const isOwn = (one: Node, { statement, fields }: Conditional): boolean =>
    contains(statement, one) &&
    !fields.some(({ target }) => facts.source.slice(parentOf(one) ?? one) === target && isTarget(parentOf(one)));
  if (references.some((one) => conditionals.some((conditional) => isOwn(one, conditional)))) return undefined;
  const removed = removals(
    facts,
    conditionals.map(({ statement }) => statement),
  );
  if (!removed) return undefined;
  const fields = conditionals.flatMap((one) => one.fields).map(({ name, value }) => (name === value ? name : `${name}: ${value}`));
  return [...appendFields(facts, literal, fields), ...removed];
}

function isTarget(member: Node | undefined): boolean {
  const assignment = member && parentOf(member);
  return assignment?.type === 'AssignmentExpression' && assignment.left === member;
}

/** In TypeScript, the field's type must allow undefined, also where optional properties are exact. */
function whyNoType(names: readonly string[], made: t.ObjectExpression | Constructor, facts: Facts): string | undefined {
  if (!/\.[cm]?tsx?$/i.test(facts.source.file)) return undefined;
  const members = made.type === 'ObjectExpression' ? membersOfType(made, facts) : membersOfClass(made);
  const missing = names.find((name) => {
    const type = members?.find((one) => 'key' in one && staticName(one.key as Node, false) === name);
    const annotation =
      type && 'typeAnnotation' in type && type.typeAnnotation?.type === 'TSTypeAnnotation' ? type.typeAnnotation : undefined;
    return !annotation || !allowsUndefined(annotation.typeAnnotation);
  });
  return missing === undefined
    ? undefined
    : `the type of \`${missing}\` is not known to allow \`undefined\`. Declare it in this file, as \`${missing}?: … | undefined\``;
}

function allowsUndefined(type: t.TSType): boolean {
  return type.type === 'TSUnionType' ? type.types.some(allowsUndefined) : /^TS(?:Undefined|Any|Unknown)Keyword$/.test(type.type);
}

function membersOfType(literal: t.ObjectExpression, facts: Facts): readonly Node[] | undefined {
  const declarator = findAncestor(literal, ({ type }) => type === 'VariableDeclarator');
  const id = declarator?.type === 'VariableDeclarator' && unwrap(declarator.init as Node) === literal ? declarator.id : undefined;
  const annotation =
    id?.type === 'Identifier' && id.typeAnnotation?.type === 'TSTypeAnnotation' ? id.typeAnnotation.typeAnnotation : undefined;
  if (annotation?.type === 'TSTypeLiteral') return annotation.members;
  const name = annotation?.type === 'TSTypeReference' && annotation.typeName.type === 'Identifier' ? annotation.typeName.name : undefined;
  if (name === undefined) return undefined;
  for (const one of facts.module.nodes('TSInterfaceDeclaration')) if (one.id.name === name) return one.body.body;
  for (const one of facts.module.nodes('TSTypeAliasDeclaration'))
    if (one.id.name === name && one.typeAnnotation.type === 'TSTypeLiteral') return one.typeAnnotation.members;
  return undefined;
}

function membersOfClass(made: Constructor): readonly Node[] | undefined {
  const body = made.type === 'ClassMethod' ? parentOf(made) : undefined;
  return body?.type === 'ClassBody' ? body.body : undefined;
}

function inheritedByLiterals(names: readonly string[]): string | undefined {
  const name = names.find((one) => one in Object.prototype);
  return name === undefined ? undefined : `every object inherits \`${name}\`, and the field would hide it. Give the field another name`;
}

function appendFields(facts: Facts, literal: t.ObjectExpression, fields: readonly string[]): Edit[] {
  const { source } = facts;
  const last = literal.properties.at(-1);
  const close = endOf(literal) - 1;
  if (!last) return [{ start: startOf(literal), end: endOf(literal), text: `{ ${fields.join(', ')} }` }];
  const isOneLine = source.positionAt(endOf(last)).line === source.positionAt(close).line;
  if (isOneLine) return [{ start: endOf(last), end: endOf(last), text: `, ${fields.join(', ')}` }];
  const hasTrailingComma = /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*,/.test(source.text.slice(endOf(last), close));
  const indent = source.indentAt(startOf(last));
  const line = source.lineStart(source.positionAt(close).line);
  const added = fields
    .map((field, i) => `${indent}${field}${i < fields.length - 1 || hasTrailingComma ? ',' : ''}${source.lineBreak}`)
    .join('');
  return [...(hasTrailingComma ? [] : [{ start: endOf(last), end: endOf(last), text: ',' }]), { start: line, end: line, text: added }];
}

function lineOf(node: Node, facts: Facts): number {
  return facts.source.positionAt(startOf(node)).line;
}
