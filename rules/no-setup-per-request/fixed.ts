// Whether an expression has the same value at every request, as far as the file shows.
import { isReference, type Binding } from '../../analysis/facts/bindings.ts';
import { importedFrom, typeNameOf } from '../../analysis/facts/handlers/imports.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { classAround } from '../../analysis/facts/origins.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type ClassNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { AJV_PACKAGES } from '../../knowledge/setup-calls.ts';
import { findSetup } from './builds.ts';

// The longest chain of constants to follow.
const MAX_STEPS = 6;

const GLOBALS: ReadonlySet<string> = new Set(
  'process console Number String Boolean BigInt Symbol parseInt parseFloat JSON Object Math Infinity NaN undefined URL Buffer Intl RegExp Array Set Map Date Error require __dirname __filename'.split(
    ' ',
  ),
);
/** Core modules whose functions only depend on their arguments and the machine. */
const STEADY_MODULES: ReadonlySet<string> = new Set(['path', 'url', 'os']);
const STEADY_CALLS =
  /^(?:Number|String|Boolean|BigInt|parseInt|parseFloat|require(?:\.resolve)?|JSON\.(?:parse|stringify)|Object\.(?:freeze|assign|keys|values|entries|fromEntries)|Buffer\.from|Symbol(?:\.for)?|URL|RegExp|Set|Map|Array\.of|Math\.(?:max|min|floor|ceil|round)|process\.cwd)$/;
/** Packages whose calls depend on their arguments only. */
const DESCRIBING: ReadonlySet<string> = new Set(['joi', '@hapi/joi', 'zod', 'yup', 'graphql', 'jsdom', ...AJV_PACKAGES]);
const TEXT_METHODS = /^(?:trim|split|toString|join|replace|replaceAll|toLowerCase|toUpperCase|concat|slice|map|filter|repeat)$/;
const READS: ReadonlySet<string> = new Set(['readFileSync', 'readFile']);

/**
 * Where what a request builds again could be built once: besides the top level, that is a field of a class of which there is one instance.
 * Undefined if a request may change one of the parts. What a function was given that makes handlers is no such part: other files may call
 * it for each request, or change what they gave it.
 */
export function homeOf(parts: readonly Node[], facts: Facts): 'top' | 'field' | undefined {
  if (parts.every((part) => isFixed(part, facts))) return 'top';
  return parts.every((part) => isFixed(part, facts, 0, true)) ? 'field' : undefined;
}

/** @param withFields also of classes of which there is one instance */
export function isFixed(expression: Node, facts: Facts, steps = 0, withFields = false): boolean {
  if (steps > MAX_STEPS) return false;
  let fixed = true;
  walkWithin(expression, (node) => {
    if (!fixed) return false;
    const inner = innerFunction(node, expression);
    switch (node.type) {
      case 'Identifier':
        if (isReference(node)) fixed = isFixedName(node, expression, facts, steps, withFields);
        break;
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        if (withFields && inner === undefined && isFixedField(node, facts, steps)) return false;
        break;
      case 'ThisExpression':
      case 'Super':
        fixed = inner !== undefined && hasOwnThis(inner, expression);
        break;
      case 'AwaitExpression':
        // The text of a file of a fixed name.
        fixed = inner !== undefined || isRead(unwrap(node.argument), facts);
        break;
      case 'YieldExpression':
      case 'AssignmentExpression':
      case 'UpdateExpression':
        fixed = inner !== undefined;
        break;
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        fixed = inner !== undefined || isSteadyCall(node, facts) || (withFields && isOfConfiguration(node, facts));
        break;
    }
    return fixed;
  });
  return fixed;
}

/** The outermost function between a node and the expression around it. */
function innerFunction(node: Node, expression: Node): Node | undefined {
  let found: Node | undefined;
  for (let at = enclosingFunction(node); at && contains(expression, at); at = enclosingFunction(at)) found = at;
  return found;
}

function hasOwnThis(outermost: Node, expression: Node): boolean {
  return contains(expression, outermost) && outermost.type !== 'ArrowFunctionExpression';
}

function isFixedName(node: Node & { type: 'Identifier' }, expression: Node, facts: Facts, steps: number, withFields: boolean): boolean {
  const binding = facts.bindings.resolve(node);
  if (!binding) return GLOBALS.has(node.name);
  if (contains(expression, binding.identifier)) return true;
  if (binding.kind === 'import' || binding.kind === 'enum') return true;
  if (binding.scope.type === 'Program')
    return (
      binding.kind === 'function' || binding.kind === 'class' || (facts.bindings.isConstant(binding) && !isChanged(binding, true, facts))
    );
  const { declaration } = binding;
  return (
    declaration.type === 'VariableDeclarator' &&
    declaration.init != null &&
    facts.bindings.isConstant(binding) &&
    !isChanged(binding, false, facts) &&
    isFixed(declaration.init, facts, steps + 1, withFields)
  );
}

/** Whether something is written into the object of a name. @param laterOnly what happens while the module loads does not count */
function isChanged(binding: Binding, laterOnly: boolean, facts: Facts): boolean {
  // Thousands of setups may ask about one name that all of them have.
  const known = facts.remember(`names that are changed${laterOnly ? ' later' : ''}`, () => new Map<Binding, boolean>());
  let changed = known.get(binding);
  if (changed === undefined) known.set(binding, (changed = findChange(binding, laterOnly, facts)));
  return changed;
}

function findChange(binding: Binding, laterOnly: boolean, facts: Facts): boolean {
  return facts.bindings.references(binding).some((reference) => {
    if (laterOnly && !enclosingFunction(reference)) return false;
    let at: Node = reference;
    let up = parentOf(at);
    while (isMember(up) && up.object === at) {
      at = up;
      up = parentOf(at);
    }
    if (at !== reference && up?.type === 'AssignmentExpression' && up.left === at) return true;
    if (up?.type === 'UpdateExpression' || (up?.type === 'UnaryExpression' && up.operator === 'delete')) return true;
    if (!isCall(up)) return false;
    if (up.callee === at)
      return isMember(at) && /^(?:push|unshift|pop|shift|splice|sort|reverse|set|add|delete|clear)$/.test(memberName(at) ?? '');
    return (
      up.arguments[0] === at && isMember(up.callee) && /^(?:assign|merge|defaults|extend|defineProperty)$/.test(memberName(up.callee) ?? '')
    );
  });
}

function isSteadyCall(call: CallNode, facts: Facts): boolean {
  if (isRead(call, facts) || findSetup(call, facts)) return true;
  const callee = unwrap(call.callee);
  const origin = facts.origins.of(callee);
  if (origin?.root === 'global') return STEADY_CALLS.test([origin.name, ...origin.path].join('.'));
  if (origin && (STEADY_MODULES.has(origin.name) || DESCRIBING.has(origin.name))) return true;
  // Configuration of the package `config` cannot change once it was read.
  if (origin?.name === 'config' && origin.path[0] === 'get') return true;
  if (!isMember(callee)) return false;
  if (TEXT_METHODS.test(memberName(callee) ?? '')) return true;
  // `z.string().min(1)`
  let root: Node = callee;
  while (isMember(root) || isCall(root)) root = unwrap(isMember(root) ? root.object : root.callee);
  const made = facts.origins.of(root);
  return made?.root === 'module' && DESCRIBING.has(made.name);
}

/**
 * `this.region`, of a class that a framework creates once: a text or number that only the class can write, and nothing in the file writes.
 * Fields that a constructor sets are those of its caller.
 */
function isFixedField(member: Node, facts: Facts, steps: number): boolean {
  const owner = ownerOf(member, facts);
  if (!owner || !isMember(member)) return false;
  if (isConfiguration(member, facts)) return true;
  const name = memberName(member);
  const field = owner.body.body.find(
    (one): one is Field =>
      (one.type === 'ClassProperty' || one.type === 'ClassPrivateProperty') &&
      !one.static &&
      staticName(one.key, one.type === 'ClassProperty' && one.computed) === name,
  );
  const isOwn = field?.type === 'ClassPrivateProperty' || field?.accessibility === 'private' || field?.readonly === true;
  // What an object holds may be written through another name.
  if (name === undefined || !isOwn || !field?.value || !TEXT_OR_NUMBER.test(field.value.type) || field.decorators?.length) return false;
  const written = facts.remember('members that are written', () => writtenMembers(facts));
  return !written.has(name) && !written.has(ANY) && isFixed(field.value, facts, steps + 1);
}

type Field = Extract<ClassNode['body']['body'][number], { type: 'ClassProperty' | 'ClassPrivateProperty' }>;

const TEXT_OR_NUMBER = /^(?:(?:String|Numeric|Boolean)Literal|TemplateLiteral)$/;
const ANY = '*';

/** `this.region = …`, `[this.region] = …`, `this.count++`; all of them for `this[key] = …` and `Object.assign(this, …)`. */
function writtenMembers({ module }: Facts): ReadonlySet<string> {
  const targets: Node[] = [
    ...module.nodes('AssignmentExpression').map(({ left }) => left),
    ...module.nodes('UpdateExpression').map(({ argument }) => argument),
    ...module.nodes('UnaryExpression').flatMap(({ operator, argument }) => (operator === 'delete' ? [argument] : [])),
    ...(['ForOfStatement', 'ForInStatement'] as const).flatMap((type) => module.nodes(type)).map(({ left }) => left),
  ];
  const names = new Set<string>();
  for (const target of targets)
    walkWithin(target, (node) => {
      const name = isMember(node) ? (memberName(node) ?? (node.object.type === 'ThisExpression' ? ANY : undefined)) : undefined;
      if (name !== undefined) names.add(name);
    });
  for (const { callee, arguments: args } of module.nodes('CallExpression'))
    if (args[0]?.type === 'ThisExpression' && isMember(callee) && WRITES_INTO.test(memberName(callee) ?? '')) names.add(ANY);
  return names;
}

const WRITES_INTO = /^(?:assign\w*|merge\w*|defaults\w*|extend|set|definePropert(?:y|ies))$/;

/** `this.config.get('REGION')` */
function isOfConfiguration({ callee }: CallNode, facts: Facts): boolean {
  const method = unwrap(callee);
  return isMember(method) && /^get(?:OrThrow)?$/.test(memberName(method) ?? '') && isConfiguration(unwrap(method.object), facts);
}

/** `this.config`, where the constructor declares `private config: ConfigService` of Nest: nobody changes it once it was read. */
function isConfiguration(member: Node, facts: Facts): boolean {
  const owner = ownerOf(member, facts);
  const create = owner?.body.body.find((one) => one.type === 'ClassMethod' && one.kind === 'constructor');
  if (create?.type !== 'ClassMethod' || !isMember(member)) return false;
  return create.params.some((param) => {
    const given = param.type === 'TSParameterProperty' ? param.parameter : undefined;
    if (given?.type !== 'Identifier' || given.name !== memberName(member)) return false;
    const type = typeNameOf(given.typeAnnotation);
    return type !== undefined && importedFrom(type, facts.module) === '@nestjs/config' && !isSet(given.name, facts);
  });
}

/** `this.config.set('REGION', region)` */
function isSet(name: string, { module }: Facts): boolean {
  return module.nodes('CallExpression').some(({ callee }) => {
    const object = isMember(callee) && memberName(callee) === 'set' ? unwrap(callee.object) : undefined;
    return object && (isMember(object) ? memberName(object) === name : object.type === 'Identifier' && object.name === name);
  });
}

/** The class of `this.…`, if Nest creates it once, and not for each request: `@Injectable()`. Other decorators may change that. */
function ownerOf(member: Node, facts: Facts): ClassNode | undefined {
  const owner = isMember(member) && member.object.type === 'ThisExpression' ? classAround(member) : undefined;
  if (!owner?.decorators?.length) return undefined;
  const known = facts.remember('classes of one instance', () => new Map<ClassNode, boolean>());
  const isOne = known.get(owner) ?? isCreatedOnce(owner, facts);
  known.set(owner, isOne);
  return isOne ? owner : undefined;
}

function isCreatedOnce(owner: ClassNode, { module, source }: Facts): boolean {
  // What a request is injected into is created for each of them.
  if (/\b(?:REQUEST|CONTEXT|INQUIRER)\b/.test(source.slice(owner))) return false;
  return (owner.decorators ?? []).every((one) => {
    const name = isCall(one.expression) ? one.expression.callee : one.expression;
    return (
      name.type === 'Identifier' &&
      ONE_INSTANCE.test(name.name) &&
      importedFrom(name.name, module)?.startsWith('@nestjs/') === true &&
      !/\bscope\b/i.test(source.slice(one))
    );
  });
}

const ONE_INSTANCE = /^(?:Injectable|Controller|Resolver|WebSocketGateway|Processor|Global|Module)$/;

export function isRead(node: Node, facts: Facts): boolean {
  if (!isCall(node)) return false;
  const origin = facts.origins.moduleMember(node.callee);
  return origin?.module === 'fs' && READS.has(origin.path.at(-1) ?? '') && !isFunction(node.arguments.at(-1));
}
