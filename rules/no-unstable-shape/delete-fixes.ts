// Alternatives to `delete`: leaving the field out of a copy that is made anyway, or setting it to undefined.
import {
  contains,
  endOf,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { isReference, type Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { inBraces } from '../../analysis/fix/code-style.ts';
import { FIX_COSTS } from '../../knowledge/fix-costs.ts';
import type { Edit, Fix, RefusedFix } from '../../protocol/finding.ts';
import { functionOfFresh } from './fresh-parameter.ts';
import { isMadeHere, KeyQuestions } from './key-questions.ts';
import { listNames, statementOf, type DeletedFields, type Deletion } from './deleted-fields.ts';

export interface FixChoice {
  fixes: readonly Fix[];
  refused: readonly RefusedFix[];
}

export function chooseDeleteFixes(facts: Facts, found: DeletedFields): FixChoice {
  const left = leaveOutOfCopy(facts, found);
  const set = setToUndefined(facts, found);
  const fixes = [left, 'edits' in set ? set : undefined].filter((fix) => fix !== undefined);
  return { fixes, refused: fixes.length > 0 || 'edits' in set ? [] : [set] };
}

function setToUndefined(facts: Facts, found: DeletedFields): Fix | RefusedFix {
  const title = `Set ${listNames(found.fields)} to undefined instead`;
  const edits: Edit[] = [];
  if (isOfDictionary(found.deletions))
    return {
      title,
      reason: 'a key in brackets is an entry of a dictionary, and a dictionary lists its keys. Use a Map, or leave the key out of a copy',
    };
  const model = findModel(facts, found);
  if (model !== undefined)
    return {
      title,
      reason: `\`dataValues\` (line ${facts.source.positionAt(model).line}) shows that this is an instance of a Sequelize model, and its \`get()\` and \`toJSON()\` would still have the key. Leave it out of the query with \`attributes\``,
    };
  const own = findOwnConversion(facts, found);
  if (own)
    return {
      title,
      reason: `\`${facts.source.slice(own.callee)}()\` on line ${facts.source.positionAt(startOf(own)).line} shows that the object is an instance of a class, which may list the key. Delete it from what the call gives`,
    };
  for (const deletion of found.deletions) {
    const edited = assign(facts, deletion);
    if (typeof edited === 'string') return { title, reason: edited };
    edits.push(...edited);
  }
  const unknown = whyNotKnown(facts, found);
  if (unknown !== undefined) return { title, reason: unknown };
  return {
    title: `${title} (keeps the key: \`in\` and Object.keys still show it, but JSON.stringify omits it)`,
    kind: 'suggestion',
    named: 'undefined-field',
    cost: FIX_COSTS['undefined-field'],
    edits,
  };
}

/** Instances of Sequelize models keep what they read in `dataValues`; `toJSON()` copies it with all its keys. */
function findModel(facts: Facts, { deletions }: DeletedFields): number | undefined {
  for (const { argument } of deletions) {
    const object = facts.source.slice(argument.object);
    if (/\.dataValues$/.test(object)) return startOf(argument);
    const at = facts.source.text.indexOf(`${object}.dataValues`);
    if (at >= 0) return at;
  }
  return undefined;
}

/** A call of `toJSON()` or `toObject()` of the object: plain objects have none. */
function findOwnConversion(facts: Facts, { object, deletions: [first] }: DeletedFields): CallNode | undefined {
  const binding = object?.type === 'Identifier' ? facts.bindings.resolve(object) : undefined;
  const fn = first && enclosingFunction(first);
  if (!binding || !fn) return undefined;
  for (const reference of facts.bindings.references(binding)) {
    const member = parentOf(reference);
    if (!isMember(member) || member.object !== reference || !/^to(?:JSON|Object)$/.test(memberName(member) ?? '')) continue;
    const call = parentOf(member);
    if (isCall(call) && call.callee === member && contains(fn.body, call)) return call;
  }
  return undefined;
}

/**
 * Why something may see that the key is still there: the object comes from elsewhere, or goes to code that is not known to read it by its
 * names.
 */
function whyNotKnown(facts: Facts, { object, deletions: [first, ...others] }: DeletedFields): string | undefined {
  if (!object || !first)
    return 'parts of the object lose fields, too, and other code may hold them. Leave the fields out where the parts are made';
  const questions = new KeyQuestions(
    facts,
    [first, ...others].map(({ argument }) => memberName(argument) ?? ''),
  );
  const isOwn = isMadeHere(object, facts, questions);
  if (!isOwn)
    return `the object is not known to be made in this file, and other code may ask for its keys or store them. Leave the ${others.length > 0 ? 'keys' : 'key'} out of a copy: \`const { ${memberName(first.argument)}, ...rest } = ${facts.source.slice(object)}\``;
  const question = questions.found;
  return (
    question &&
    `${question} may ask for the keys of the object, and the key would still exist. Ask for its value there, or leave the key out of a copy`
  );
}

/** `delete headers['x-token']`. Brackets around what could follow a dot mean nothing next to fields that are written with one. */
function isOfDictionary(deletions: readonly Deletion[]): boolean {
  const inBrackets = deletions.filter(({ argument }) => argument.computed);
  return (
    inBrackets.length === deletions.length || inBrackets.some(({ argument }) => !/^[A-Za-z_$][\w$]*$/.test(memberName(argument) ?? ''))
  );
}

/** `delete o.x` to `o.x = undefined`, or the reason why not. */
function assign(facts: Facts, deletion: Deletion): Edit[] | string {
  const { text } = facts.source;
  const start = startOf(deletion);
  const operand = startOf(deletion.argument);
  if (isOptionalChain(deletion.argument)) return 'an optional chain cannot be assigned to';
  const lead = /^delete\s+/.exec(text.slice(start, operand));
  if (!lead || text.slice(start, operand).includes('(')) return 'the parentheses around the operand must be removed manually';
  const [before, after] = surroundings(facts, deletion) ?? [];
  if (before === undefined || after === undefined) return 'the value of `delete` is used';
  if (before === '' && /^[([`/+-]/.test(text.slice(operand, operand + 1)) && !/[;{]\s*$/.test(text.slice(0, start)))
    return 'without `delete`, the line would be parsed as part of the previous one';
  return [
    { start, end: start + lead[0].length, text: before },
    { start: endOf(deletion), end: endOf(deletion), text: ` = undefined${after}` },
  ];
}

function isOptionalChain(node: Node): boolean {
  for (let at = node; isMember(at); at = at.object) if (at.type === 'OptionalMemberExpression') return true;
  return false;
}

/** The text to put around the assignment if the value of the deletion is not used. */
function surroundings(facts: Facts, deletion: Deletion): [string, string] | undefined {
  let at: Node = deletion;
  let parent = parentOf(at);
  if (parent?.type === 'ExpressionStatement') return ['', ''];
  if (parent?.type === 'ArrowFunctionExpression' && parent.body === at)
    return isForEach(parent) ? ['{ ', `${usesSemicolons(facts) ? ';' : ''} }`] : undefined;
  while (
    parent &&
    ((parent.type === 'LogicalExpression' && parent.right === at) || (parent.type === 'ConditionalExpression' && parent.test !== at))
  ) {
    at = parent;
    parent = parentOf(at);
  }
  return parent?.type === 'ExpressionStatement' ? ['(', ')'] : undefined;
}

function isForEach(fn: t.ArrowFunctionExpression): boolean {
  const call = parentOf(fn);
  return (
    (call?.type === 'CallExpression' || call?.type === 'OptionalCallExpression') &&
    isMember(call.callee) &&
    memberName(call.callee) === 'forEach'
  );
}

export function usesSemicolons(facts: Facts): boolean {
  return facts.remember('semicolons', () => {
    const statements = facts.module.nodes('ExpressionStatement');
    return statements.length === 0 || statements.some((statement) => facts.source.text[endOf(statement) - 1] === ';');
  });
}

// A pattern with more fields than this is no improvement.
const MOST_TO_LEAVE_OUT = 12;

/** `const copy = { ...user }; delete copy.password;` to `const { password, ...copy } = user;` */
function leaveOutOfCopy(facts: Facts, found: DeletedFields): Fix | undefined {
  const binding = found.object?.type === 'Identifier' ? facts.bindings.resolve(found.object) : undefined;
  // ESLint would report the names that are left out.
  if (!binding || found.deletions.length > MOST_TO_LEAVE_OUT || facts.project.lint?.rules['unused-rest-siblings']) return undefined;
  const statements = found.deletions.map((deletion) => statementOf(deletion));
  if (statements.some((statement) => statement === undefined) || found.deletions.some((deletion) => isOptionalChain(deletion.argument)))
    return undefined;
  const removed = removals(facts, statements as t.ExpressionStatement[]);
  if (!removed) return undefined;
  const made = copyAt(facts, binding.identifier, found.fields);
  const [first] = statements;
  const block = first && parentOf(first);
  if (!made || block?.type !== 'BlockStatement') return undefined;
  // Only the deletions may be between the copy and the last of them. Anything else would still see the fields.
  const from = made.block === block ? block.body.findIndex((statement) => contains(statement, binding.identifier)) : -1;
  if (made.block !== block || statements.some((statement, i) => block.body[from + 1 + i] !== statement)) return undefined;
  // `copy.id = …` further down: in TypeScript, the rest has no such field.
  if (isSetLater(facts, binding, found.fields)) return undefined;
  const edits = [...made.edits, ...(onlyReturns(facts, binding.identifier, block, statements.length) ?? removed)];
  return { title: `Omit ${listNames(found.fields)} when copying`, kind: 'suggestion', edits };
}

function isSetLater(facts: Facts, { identifier }: Binding, fields: readonly string[]): boolean {
  return facts.module.nodes('AssignmentExpression').some(({ left }) => {
    const member = unwrap(left);
    if (!isMember(member) || !fields.includes(memberName(member) ?? '') || member.object.type !== 'Identifier') return false;
    return member.object.name === identifier.name && facts.bindings.resolve(member.object)?.identifier === identifier;
  });
}

/** `({ ...user }) => { delete user.password; return user; }` to `({ password, ...user }) => user`. */
function onlyReturns(facts: Facts, copy: t.Identifier, block: t.BlockStatement, deletions: number): Edit[] | undefined {
  const fn = parentOf(block);
  const [last, ...others] = block.body.slice(deletions);
  const isParameter = parentOf(copy)?.type === 'RestElement' || parentOf(copy) === fn;
  if (fn?.type !== 'ArrowFunctionExpression' || !isParameter || block.directives.length > 0) return undefined;
  const isReturned = last?.type === 'ReturnStatement' && last.argument?.type === 'Identifier' && last.argument.name === copy.name;
  if (!isReturned || others.length > 0 || hasComment(facts, startOf(block), endOf(block))) return undefined;
  return [{ start: startOf(block), end: endOf(block), text: copy.name }];
}

interface Copy {
  /** The block whose first statements (or those after the declaration) must be the deletions. */
  block: Node;
  edits: Edit[];
}

function copyAt(facts: Facts, copy: t.Identifier, fields: readonly string[]): Copy | undefined {
  const parent = parentOf(copy);
  if (parent?.type === 'RestElement') return ofRestParameter(facts, parent, fields);
  if (isFunction(parent)) return ofFreshParameter(facts, copy, fields);
  if (parent?.type !== 'VariableDeclarator' || parent.id !== copy || copy.typeAnnotation || !parent.init) return undefined;
  const literal = unwrap(parent.init);
  const statement = parentOf(parent);
  const block = statement && parentOf(statement);
  if (literal.type !== 'ObjectExpression' || literal !== parent.init || literal.properties.length !== 1 || block?.type !== 'BlockStatement')
    return undefined;
  const [spread] = literal.properties;
  if (spread?.type !== 'SpreadElement' || hasComment(facts, startOf(parent), endOf(parent))) return undefined;
  const names = localNames(facts, block, fields);
  if (!names) return undefined;
  if (!isObject(spread.argument, block, facts)) return undefined;
  const source = facts.source.slice(spread.argument);
  const space = /^\{\s/.test(facts.source.slice(literal)) ? ' ' : '';
  return {
    block,
    edits: [{ start: startOf(parent), end: endOf(parent), text: `{${space}${names.join(', ')}, ...${copy.name}${space}} = ${source}` }],
  };
}

/** Whether a value is an object, as far as the file shows: a spread accepts null and undefined, and a pattern throws. */
function isObject(value: t.Expression, block: t.BlockStatement, facts: Facts): boolean {
  const text = facts.source.slice(value);
  const node = unwrap(value);
  if (/^(?:This|Object|Array|New)Expression$/.test(node.type) || isTypedAsObject(node, facts) || isRowOfQuery(node, facts)) return true;
  const own = block.body.findIndex((statement) => contains(statement, value));
  const isKnown = block.body
    .slice(0, own)
    .some((statement) => readsMemberOf(text, statement, facts) || leavesWithout(text, statement, facts));
  return isKnown && !isAssignedAnew(node, text, block, facts);
}

/** `(user: User) => …`. Types that are null are written with `| null`, those of parameters that may be left out with `?`. */
function isTypedAsObject(value: Node, facts: Facts): boolean {
  const binding = value.type === 'Identifier' ? facts.bindings.resolve(value) : undefined;
  const identifier = binding && facts.bindings.isConstant(binding) ? binding.identifier : undefined;
  if (identifier?.type !== 'Identifier' || identifier.optional || identifier.typeAnnotation?.type !== 'TSTypeAnnotation') return false;
  const { typeAnnotation: type } = identifier.typeAnnotation;
  return type.type === 'TSTypeLiteral' || (type.type === 'TSTypeReference' && /^[A-Z]\w{2,}$/.test(facts.source.slice(type)));
}

/** Methods that give the rows of a query, and what finishes them. */
const QUERIES = /^(?:find|findAll|findMany|query|select|toArray|lean|exec|getMany|getRawMany|aggregate|scan)$/;

/** `(await User.findAll()).map((user) => …)`: no row is null. */
function isRowOfQuery(value: Node, facts: Facts): boolean {
  const binding = value.type === 'Identifier' ? facts.bindings.resolve(value) : undefined;
  const fn = binding && facts.bindings.isConstant(binding) ? binding.scope : undefined;
  const call = fn && isFunction(fn) && fn.params[0] === binding?.identifier ? parentOf(fn) : undefined;
  if (!isCall(call) || !isMember(call.callee) || !/^(?:map|forEach|flatMap)$/.test(memberName(call.callee) ?? '')) return false;
  let list = unwrap(call.callee.object);
  const declaration = list.type === 'Identifier' ? facts.bindings.resolve(list)?.declaration : undefined;
  if (declaration?.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' && declaration.init)
    list = unwrap(declaration.init);
  if (list.type === 'AwaitExpression') list = unwrap(list.argument);
  return isCall(list) && isMember(list.callee) && QUERIES.test(memberName(list.callee) ?? '');
}

/** What a statement before says about a value is no longer true where it was assigned since. */
function isAssignedAnew(value: Node, text: string, block: t.BlockStatement, facts: Facts): boolean {
  const binding = value.type === 'Identifier' ? facts.bindings.resolve(value) : undefined;
  if (binding) return !facts.bindings.isConstant(binding);
  let isAssigned = false;
  walkWithin(block, (node) => {
    isAssigned ||= node.type === 'AssignmentExpression' && facts.source.slice(node.left) === text;
    return !isAssigned;
  });
  return isAssigned;
}

/** `if (!row || row.isHidden) return row;` */
function leavesWithout(text: string, statement: t.Statement, facts: Facts): boolean {
  if (statement.type !== 'IfStatement') return false;
  const { consequent } = statement;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  if (!last || !/^(?:Return|Throw|Continue|Break)Statement$/.test(last.type)) return false;
  const alternatives = (node: Node): Node[] =>
    node.type === 'LogicalExpression' && node.operator === '||' ? [...alternatives(node.left), ...alternatives(node.right)] : [node];
  return alternatives(statement.test).some(
    (node) => node.type === 'UnaryExpression' && node.operator === '!' && facts.source.slice(node.argument) === text,
  );
}

/** Whether the statement would have thrown without an object in this place. What runs only under a condition does not tell. */
function readsMemberOf(text: string, statement: t.Statement, facts: Facts): boolean {
  if (!/^(?:Variable|Expression|Return|If)/.test(statement.type)) return false;
  let reads = false;
  walkWithin(statement.type === 'IfStatement' ? statement.test : statement, (node) => {
    if (isFunction(node) || /^(?:Logical|Conditional|Optional\w+|Assignment)Expression$/.test(node.type)) return false;
    reads ||= node.type === 'MemberExpression' && facts.source.slice(node.object) === text;
    return !reads;
  });
  return reads;
}

/** `({ ...user }) => { delete user.password; … }` */
function ofRestParameter(facts: Facts, rest: t.RestElement, fields: readonly string[]): Copy | undefined {
  const pattern = parentOf(rest);
  const fn = pattern && parentOf(pattern);
  if (pattern?.type !== 'ObjectPattern' || !isFunction(fn) || fn.body.type !== 'BlockStatement') return undefined;
  const taken = pattern.properties.map((property) =>
    property.type === 'ObjectProperty' && property.key.type === 'Identifier' ? property.key.name : '',
  );
  const names = localNames(facts, fn, fields);
  if (!names || fields.some((field) => taken.includes(field))) return undefined;
  return { block: fn.body, edits: [{ start: startOf(rest), end: startOf(rest), text: `${names.join(', ')}, ` }] };
}

/** `function toPublic(row) { delete row.margin; … }`, for rows that were copied for it. */
function ofFreshParameter(facts: Facts, parameter: t.Identifier, fields: readonly string[]): Copy | undefined {
  const fn = functionOfFresh(parameter, facts);
  const names = fn && localNames(facts, fn, fields);
  if (!names) return undefined;
  const pattern = inBraces(`${names.join(', ')}, ...${parameter.name}`, facts);
  const end = endOf(parameter);
  const isBare = !/^\s*[,)]/.test(facts.source.text.slice(end, end + MOST_SPACE));
  return { block: fn.body, edits: [{ start: startOf(parameter), end, text: isBare ? `(${pattern})` : pattern }] };
}

/** Longer white space is nothing that a person wrote. */
const MOST_SPACE = 200;

const RESERVED =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|arguments|eval)$/;

/** `password`, or `password: _password` if the name has another meaning there; undefined if both have. */
function localNames(facts: Facts, scope: Node, fields: readonly string[]): string[] | undefined {
  const names: string[] = [];
  for (const field of fields) {
    if (!/^[A-Za-z_$][\w$]*$/.test(field)) return undefined;
    const isTaken =
      RESERVED.test(field) ||
      facts.bindings
        .identifiersNamed(field)
        .some(
          (identifier) =>
            contains(scope, identifier) &&
            (identifier.type !== 'Identifier' || isReference(identifier) || facts.bindings.resolve(identifier)?.identifier === identifier),
        );
    if (!isTaken) names.push(field);
    else if (!facts.bindings.isNameUsed(`_${field}`)) names.push(`${field}: _${field}`);
    else return undefined;
  }
  return names;
}

/** Removes whole statements, with their line if it contains nothing else. */
export function removals(facts: Facts, statements: readonly t.Statement[]): Edit[] | undefined {
  const { source } = facts;
  const edits: Edit[] = [];
  for (const statement of statements) {
    const [start, end] = [startOf(statement), endOf(statement)];
    if (hasComment(facts, start, end)) return undefined;
    const { line } = source.positionAt(start);
    const rest = /^[\t ]*(?:\r\n|\n|\r)/.exec(source.text.slice(end));
    const isAlone = /^\s*$/.test(source.text.slice(source.lineStart(line), start)) && rest !== null;
    edits.push(isAlone ? { start: source.lineStart(line), end: end + rest[0].length, text: '' } : { start, end, text: '' });
  }
  const [first, last] = [edits[0], edits.at(-1)];
  if (first && last) withOneBlankLine(facts, first, last);
  return edits;
}

/** Of blank lines both before and after what is removed, one is enough. */
function withOneBlankLine(facts: Facts, first: Edit, last: Edit): void {
  const { text } = facts.source;
  const before = /(?:\r\n|\n|\r)[\t ]*(?:\r\n|\n|\r)$/.test(text.slice(Math.max(0, first.start - 200), first.start));
  const after = /^[\t ]*(?:\r\n|\n|\r)/.exec(text.slice(last.end, last.end + 200));
  if (before && after && last.end > last.start && text.slice(last.start, last.end).endsWith('\n')) last.end += after[0].length;
}

export function hasComment(facts: Facts, start: number, end: number): boolean {
  return (facts.module.ast.comments ?? []).some((comment) => (comment.start ?? 0) < end && (comment.end ?? 0) > start);
}
