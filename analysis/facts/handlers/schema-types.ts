// Which types of GraphQL a file's fields return in lists: the resolvers of such a type run once for each element.
import type { Facts } from '../index.ts';
import {
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  endOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import { propertyValue } from './route-paths.ts';
import { readSchemaText } from './schema-text.ts';

export interface ListedType {
  /** Of the type, or of what holds it in the code. */
  type: string;
  /** `Query.users`, or `users` where the code does not show the type. */
  field: string;
  start: number;
  end: number;
}

export interface SchemaTypes {
  lists: readonly ListedType[];
  /** A name in the code, and that of the type: `const UserType = new GraphQLObjectType({ name: 'User' })`. */
  names: readonly (readonly [string, string])[];
  /** A type, and one that stands for it in lists. */
  members: readonly (readonly [string, string])[];
}

const PACKAGES = ['graphql', '@nestjs/graphql', 'type-graphql', '@pothos/core', 'nexus', '@nexus/schema'];
const MENTIONS = /graphql|\bgql\b|typeDefs|\bnexus\b|pothos/i;
const SCHEMA = /\b(?:type|interface|union)\s{1,9}[A-Za-z_]/;
const MAKERS = /^GraphQL(?:Object|Interface|Union)Type$/;
const FIELD_DECORATOR = /^(?:Field|Query|Mutation|ResolveField|FieldResolver|Subscription)$/;
/** Of Pothos and Nexus. */
const CONNECTIONS = /^(?:prismaConnection|connection|connectionField)$/;
const REFERENCES =
  /^(?:objectRef|interfaceRef|unionType|objectType|interfaceType|prismaObject|prismaNode|prismaInterface|node|loadableObject)$/;
/** Functions that make a class for a page of objects. */
const PAGES = /^(?:create|make)?(?:Paginat|Paged|Connection|Relay|Edge|Page)/i;
const MAX_STEPS = 4;

/** Whether the project, or the file itself, has to do with GraphQL. Asked for each call, and the text may be long. */
export function isOfGraphql(facts: Facts): boolean {
  return facts.remember('has to do with GraphQL', () => {
    const { manifest } = facts.project;
    return (
      MENTIONS.test(facts.source.text) ||
      PACKAGES.some((name) => manifest?.dependencies[name] !== undefined || manifest?.devDependencies[name] !== undefined)
    );
  });
}

/** Undefined for files that say nothing about types. Nearly all say nothing. */
export function findSchemaTypes(facts: Facts): SchemaTypes | undefined {
  if (!isOfGraphql(facts) && !facts.source.text.includes('__typename')) return undefined;
  const found = new Schema(facts);
  found.read();
  const { lists, names, members } = found;
  return lists.length + names.length + members.length > 0 ? { lists, names, members } : undefined;
}

class Schema {
  readonly lists: ListedType[] = [];
  readonly names: (readonly [string, string])[] = [];
  readonly members: (readonly [string, string])[] = [];
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  read(): void {
    const { module } = this.#facts;
    for (const node of module.nodes('TemplateLiteral')) this.#readTemplate(node);
    for (const type of ['NewExpression', 'CallExpression'] as const) for (const call of module.nodes(type)) this.#readCall(call);
    for (const node of module.nodes('Decorator')) this.#readDecorator(node);
    for (const node of module.nodes('ClassDeclaration')) this.#readPage(node);
    for (const node of module.nodes('TSTypeAliasDeclaration')) this.#readGenerated(node);
  }

  /** `gql` and other templates with a schema in them. */
  #readTemplate(node: t.TemplateLiteral): void {
    for (const part of node.quasis) {
      const { raw } = part.value;
      if (!SCHEMA.test(raw)) continue;
      const { lists, members } = readSchemaText(raw);
      for (const { type, field, at } of lists) {
        const start = startOf(part) + at;
        this.lists.push({ type, field, start, end: start + field.length - field.indexOf('.') - 1 });
      }
      this.members.push(...members);
    }
  }

  #readCall(call: CallNode): void {
    const callee = unwrap(call.callee);
    const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
    const [first, second] = call.arguments;
    if (name === undefined || !first) return;
    // `new GraphQLList(new GraphQLNonNull(User))`, `list(nonNull('User'))`
    if (name === 'GraphQLList' || (name === 'list' && callee.type === 'Identifier')) this.#add(this.#typeOf(first), call);
    else if (MAKERS.test(name)) this.#readType(first, call);
    else if (isMember(callee)) this.#readBuilder(name, callee, call, first, second);
  }

  /** `new GraphQLObjectType({ name: 'User', interfaces: [Node], fields })`, `new GraphQLUnionType({ name, types: [User, Group] })` */
  #readType(argument: Node, call: Node): void {
    const options = unwrap(argument);
    if (options.type !== 'ObjectExpression') return;
    const named = propertyValue(options, 'name');
    const name = named && staticName(unwrap(named), true);
    if (name === undefined) return;
    this.#nameOf(call, name);
    for (const one of this.#namesIn(propertyValue(options, 'interfaces'))) this.members.push([name, one]);
    for (const one of this.#namesIn(propertyValue(options, 'types'))) this.members.push([one, name]);
  }

  /**
   * `t.field({ type: [User] })`, `t.prismaConnection({ type: 'User' })`, `t.list.field('users', { type: 'User' })`,
   * `builder.objectRef('User')`
   */
  #readBuilder(name: string, callee: t.MemberExpression | t.OptionalMemberExpression, call: CallNode, first: Node, second?: Node): void {
    const made = REFERENCES.test(name) ? staticName(unwrap(first), true) : undefined;
    if (made !== undefined) this.#nameOf(call, made);
    const options = [second, first].map((one) => one && unwrap(one)).find((one) => one?.type === 'ObjectExpression');
    if (options?.type !== 'ObjectExpression') return;
    const type = propertyValue(options, 'type');
    if (!type) return;
    const value = unwrap(type);
    if (value.type === 'ArrayExpression') this.#add(this.#typeOf(value.elements[0]), call);
    else if (CONNECTIONS.test(name) || this.#isInList(callee.object)) this.#add(this.#typeOf(value), call);
  }

  /** `t.list.field`, `t.nonNull.list.nonNull.field` */
  #isInList(object: Node): boolean {
    for (let at = unwrap(object), i = 0; i < MAX_STEPS && isMember(at); at = unwrap(at.object), i++)
      if (memberName(at) === 'list') return true;
    return false;
  }

  /** `@Field(() => [Post])` */
  #readDecorator({ expression }: t.Decorator): void {
    const call = unwrap(expression);
    if (!isCall(call) || call.callee.type !== 'Identifier') return;
    const [first] = call.arguments;
    if (!first) return;
    const member = parentOf(parentOf(call) ?? call);
    if (call.callee.name === 'ObjectType' && member && 'id' in member && member.id?.type === 'Identifier') {
      const name = staticName(unwrap(first), true);
      if (name !== undefined) this.names.push([member.id.name, name]);
    }
    if (!FIELD_DECORATOR.test(call.callee.name) || !isFunction(unwrap(first))) return;
    const { body } = unwrap(first) as t.ArrowFunctionExpression;
    const returned = unwrap(body);
    if (returned.type === 'ArrayExpression') this.#add(this.#typeOf(returned.elements[0]), call, member);
  }

  /** What GraphQL Code Generator writes: `export type Query = { __typename?: 'Query'; users: Array<User> }`. */
  #readGenerated({ typeAnnotation: type, id }: t.TSTypeAliasDeclaration): void {
    if (type.type !== 'TSTypeLiteral') return;
    const members = type.members.flatMap((one) => (one.type === 'TSPropertySignature' ? [one] : []));
    if (!members.some(({ key, computed }) => staticName(key, computed === true) === '__typename')) return;
    for (const member of members) {
      const field = staticName(member.key, member.computed === true);
      const text = member.typeAnnotation ? this.#facts.source.slice(member.typeAnnotation) : '';
      const of = /\bArray<(?:Maybe<)?([A-Z]\w{0,100})/.exec(text)?.[1];
      if (of !== undefined && field !== undefined)
        this.lists.push({ type: of, field: `${id.name}.${field}`, start: startOf(member.key), end: endOf(member.key) });
      else if (field === 'node' && /Edge$/.test(id.name)) {
        const node = /^:\s{0,3}(?:Maybe<)?([A-Z]\w{0,100})/.exec(text)?.[1];
        if (node !== undefined) this.members.push([node, id.name]);
      }
    }
  }

  /** `class Authors extends Paginated(Author)`: https://docs.nestjs.com/graphql/resolvers#generics */
  #readPage({ superClass, id }: t.ClassDeclaration): void {
    const call = superClass ? unwrap(superClass) : undefined;
    const callee = isCall(call) ? unwrap(call.callee) : undefined;
    const [first] = isCall(call) ? call.arguments : [];
    if (!id || !first || callee?.type !== 'Identifier' || !PAGES.test(callee.name)) return;
    const type = this.#typeOf(first);
    if (type !== undefined) this.lists.push({ type, field: id.name, start: startOf(id), end: endOf(id) });
  }

  #add(type: string | undefined, call: Node, member?: Node): void {
    if (type !== undefined) this.lists.push({ type, field: this.#fieldAround(member ?? call), start: startOf(call), end: endOf(call) });
  }

  /** The name of a field: that of a method, `users` for `users: { type: … }`, or for `t.field('users', …)`. */
  #fieldAround(node: Node): string {
    if (isCall(node)) {
      const name = node.arguments.length > 1 ? staticName(unwrap(node.arguments[0] as Node), true) : undefined;
      if (name !== undefined) return name;
    }
    for (let at: Node | undefined = node; at; at = parentOf(at)) {
      if (at.type !== 'ObjectProperty' && at.type !== 'ClassMethod' && at.type !== 'ClassProperty') continue;
      const name = staticName(at.key, at.computed === true);
      if (name !== undefined && name !== 'type') return name;
    }
    return '';
  }

  #nameOf(call: Node, name: string): void {
    let at = parentOf(call);
    // `const UserType: GraphQLObjectType<User> = new GraphQLObjectType({ … }) as Type`, `builder.objectRef('User').implement({ … })`
    for (let i = 0; i < MAX_STEPS && at && (isMember(at) || isCall(at) || /^TS\w+Expression$/.test(at.type)); i++) at = parentOf(at);
    if (at?.type === 'VariableDeclarator' && at.id.type === 'Identifier' && at.id.name !== name) this.names.push([at.id.name, name]);
    else if (at?.type === 'ExportDefaultDeclaration') {
      const file = this.#facts.source.file.split(/[\\/]/).at(-1)?.split('.')[0] ?? '';
      if (file !== '' && file !== name) this.names.push([file, name]);
    }
  }

  #namesIn(list: Node | undefined): readonly string[] {
    let node = list && unwrap(list);
    if (isFunction(node)) node = unwrap(node.body);
    return node?.type === 'ArrayExpression' ? node.elements.flatMap((one) => this.#typeOf(one) ?? []) : [];
  }

  /** `User`, `'User'`, `new GraphQLNonNull(User)`, `nonNull('User')` */
  #typeOf(argument: Node | null | undefined): string | undefined {
    let node = argument ? unwrap(argument) : undefined;
    for (let i = 0; i < MAX_STEPS && isCall(node) && node.arguments[0]; i++) node = unwrap(node.arguments[0]);
    if (node?.type === 'StringLiteral') return node.value;
    if (isMember(node)) return memberName(node);
    return node?.type === 'Identifier' ? this.#importedName(node) : undefined;
  }

  /** `import { Order as OrderType }` */
  #importedName(node: t.Identifier): string {
    const declaration: Node | undefined = this.#facts.bindings.resolve(node)?.declaration;
    if (declaration?.type !== 'ImportSpecifier' || declaration.imported.type !== 'Identifier') return node.name;
    return declaration.imported.name === 'default' ? node.name : declaration.imported.name;
  }
}
