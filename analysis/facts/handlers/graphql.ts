// Resolvers of GraphQL, with the names of their fields: `FIELD Query.user`.
import { MESSAGE_MODELS, type MessageModel } from '../../../knowledge/message-handlers.ts';
import { isFunction, staticName, unwrap, type CallNode, type FunctionNode, type Node, type t } from '../../module/ast.ts';
import { objectsIn } from './arguments.ts';
import type { Found } from './found.ts';
import type { HandlerSources } from './handler.ts';
import type { ModuleExports } from './module-exports.ts';
import { propertyValue, readText } from './route-paths.ts';

/** Functions that a field runs for a request: https://graphql.org/graphql-js/type/#graphqlobjecttype */
const FIELD_FUNCTIONS: readonly string[] = ['resolve', 'subscribe'];

/** The resolvers in the argument of a call, as far as this file shows their tables. */
export function addResolvers(argument: Node, model: MessageModel, call: CallNode, sources: HandlerSources, found: Found): void {
  for (const options of objectsIn(argument, sources)) {
    const name = propertyValue(options, 'name');
    const type = name ? readText(name, sources) : undefined;
    for (const option of model.options ?? []) {
      const value = propertyValue(options, option);
      if (!value) continue;
      const fields = new Fields(model, call, sources, found);
      if (model.graphql === 'fields') fields.addTable(type, value);
      else for (const table of objectsIn(value, sources)) fields.addTypes(table);
    }
  }
}

const OPERATION_TYPES: readonly string[] = ['Query', 'Mutation', 'Subscription'];
/** Packages that serve GraphQL. */
const SERVES = /graphql|apollo-server|@apollo\/server|mercurius/;

/** Names of folders that hold resolvers, and how files of resolvers are called. */
const FOLDER = /^(?:graphql|gql|resolvers?)$/i;
const FILE = /resolver|graphql/i;
/** How many folders above a file are looked at. */
const MOST_FOLDERS = 4;

/**
 * `export default { Query: { users(parent, args) { … } } }`: resolvers of a project that serves GraphQL, wherever it puts them together. The
 * file has to be about GraphQL: `{ Query: { users(table, file) { … } } }` may be anything.
 * https://www.apollographql.com/docs/apollo-server/data/resolvers
 */
export function addExportedResolvers(sources: HandlerSources, { values }: ModuleExports, found: Found): void {
  if (![...sources.dependencies].some((name) => SERVES.test(name))) return;
  const model = MESSAGE_MODELS.find(({ graphql }) => graphql === 'resolvers') as MessageModel;
  const isAbout = isAboutGraphql(sources);
  for (const { name, value } of values)
    for (const types of objectsIn(value, sources)) {
      const fields = membersOf(types)
        .filter(([type]) => OPERATION_TYPES.includes(type))
        .flatMap(([, table]) => objectsIn(table, sources).flatMap(membersOf));
      const isMeant = isAbout || FILE.test(name) ? takesArguments : isNamedAsResolver;
      if (fields.some(([field, fn]) => !OF_VISITOR.test(field) && isFunction(fn) && isMeant(fn)))
        new Fields(model, types, sources, found).addTypes(types);
    }
}

function isAboutGraphql({ module, file }: HandlerSources): boolean {
  const segments = file.split(/[\\/]/);
  return (
    FILE.test(segments.at(-1) ?? '') ||
    segments.slice(-1 - MOST_FOLDERS, -1).some((folder) => FOLDER.test(folder)) ||
    [...module.importedModules()].some((name) => !/^[./]/.test(name) && SERVES.test(name))
  );
}

/** Functions of a visitor of syntax trees: https://graphql.org/graphql-js/language/#visit */
const OF_VISITOR = /^(?:enter|leave)$/;

/** Whether a function takes arguments after the parent: `users(parent, args)`. */
function takesArguments({ params }: FunctionNode): boolean {
  return params.length > 1;
}

/** `(parent, args)`, `(_, { input })`: parameters as those of resolvers are usually called. */
function isNamedAsResolver({ params: [first, second] }: FunctionNode): boolean {
  return (
    first?.type === 'Identifier' &&
    /^_*(?:parent|root|obj|source)?$/.test(first.name) &&
    (second?.type === 'ObjectPattern' || (second?.type === 'Identifier' && /^_*arg(?:s|uments)$/.test(second.name)))
  );
}

class Fields {
  readonly #model: MessageModel;
  readonly #call: Node;
  readonly #sources: HandlerSources;
  readonly #found: Found;

  constructor(model: MessageModel, call: Node, sources: HandlerSources, found: Found) {
    this.#model = model;
    this.#call = call;
    this.#sources = sources;
    this.#found = found;
  }

  /** `{ Query: { user(parent, args) { … } } }` */
  addTypes(types: t.ObjectExpression): void {
    for (const [type, value] of membersOf(types)) for (const table of objectsIn(value, this.#sources)) this.#addFields(type, table);
  }

  /** `{ user: { type: User, resolve() { … } } }`, or a function that returns such a table: it runs once, for the schema. */
  addTable(type: string | undefined, value: Node): void {
    const tables = this.#tablesIn(value);
    for (const table of tables) this.#addFields(type, table);
    // A table from another file. Whether it is a function is not known, so only its members count.
    if (tables.length === 0 && !isFunction(unwrap(value)))
      this.#found.addArgument(
        value,
        this.#model.kind,
        this.#model.framework,
        type === undefined ? undefined : `FIELD ${type}`,
        this.#call,
        {
          options: [],
          isDeep: true,
        },
      );
  }

  #tablesIn(value: Node): readonly t.ObjectExpression[] {
    const tables = objectsIn(value, this.#sources);
    if (tables.length > 0) return tables;
    // `...commonFields()`
    const node = unwrap(value);
    return this.#sources.calls.functionsOf(node.type === 'CallExpression' ? node.callee : node).flatMap((fn) => {
      const { body } = fn;
      const returned = body.type === 'BlockStatement' ? body.body.find((one) => one.type === 'ReturnStatement')?.argument : body;
      return returned ? [...objectsIn(returned, this.#sources)] : [];
    });
  }

  #addFields(type: string | undefined, table: t.ObjectExpression): void {
    for (const [field, value] of membersOf(table)) {
      const route = type === undefined ? undefined : `FIELD ${type}.${field}`;
      const objects = isFunction(value) ? [] : objectsIn(value, this.#sources);
      for (const object of objects)
        for (const name of FIELD_FUNCTIONS) {
          const resolver = propertyValue(object, name);
          if (resolver) this.#add(resolver, route, object);
        }
      if (objects.length > 0) continue;
      if (this.#model.graphql === 'resolvers') this.#add(value, route, value);
      else this.#found.addArgument(value, this.#model.kind, this.#model.framework, route, this.#call, { options: [...FIELD_FUNCTIONS] });
    }
    if (this.#model.graphql === 'fields')
      for (const property of table.properties) if (property.type === 'SpreadElement') this.addTable(type, property.argument);
  }

  #add(resolver: Node, route: string | undefined, site: Node): void {
    const { kind, framework } = this.#model;
    this.#found.addArgument(resolver, kind, framework, route, site);
    for (const fn of this.#sources.calls.functionsOf(resolver)) this.#found.addHandler(fn, kind, framework, route, site);
  }
}

function membersOf({ properties }: t.ObjectExpression): [string, Node][] {
  return properties.flatMap((property): [string, Node][] => {
    const name = property.type === 'SpreadElement' ? undefined : staticName(property.key, property.computed);
    return property.type === 'SpreadElement' || name === undefined
      ? []
      : [[name, property.type === 'ObjectMethod' ? property : property.value]];
  });
}
