// Classes whose one instance Nest makes while the program starts: https://docs.nestjs.com/fundamentals/injection-scopes
import {
  isCall,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type ClassNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import type { Facts } from '../index.ts';
import { propertyValue } from '../handlers/route-paths.ts';

export interface Providers {
  /** Names of classes that a module, or a decorator, names to be made. */
  named: readonly string[];
  /** Names of classes of the project that the file makes itself: `new Job('a')`, `moduleRef.create(Job)`. */
  made: readonly string[];
  /** What Nest runs before it listens: constructors, and hooks (https://docs.nestjs.com/fundamentals/lifecycle-events). By class. */
  starting: readonly { name: string; isModule: boolean; fn: FunctionNode }[];
  /** Whether the file has a class that is made for each request. What it is injected into is, too. */
  hasPerRequest: boolean;
}

const CLASSES: ReadonlySet<string> = new Set(['Injectable', 'Controller', 'Module', 'Resolver', 'WebSocketGateway']);
const USES = /^Use(?:Guards|Interceptors|Pipes|Filters)$/;
const HOOKS: ReadonlySet<string> = new Set(['constructor', 'onModuleInit', 'onApplicationBootstrap']);

/** What a file says of providers; undefined if it says nothing. */
export function providersOf(facts: Facts): Providers | undefined {
  const { module, project, source } = facts;
  if (!source.text.includes('@nestjs/')) {
    if (!Object.keys(project.manifest?.dependencies ?? {}).some((name) => name.startsWith('@nestjs/'))) return undefined;
    const made = madeIn(facts);
    return made.length > 0 ? { named: [], made, starting: [], hasPerRequest: false } : undefined;
  }
  const named = new Set<string>();
  const add = (node: Node | null | undefined): void => {
    const one = node && unwrap(node);
    if (one?.type === 'Identifier' && /^[A-Z]/.test(one.name)) named.add(one.name);
  };
  for (const list of module.nodes('ArrayExpression')) if (isOfModule(list, facts)) list.elements.forEach(add);
  for (const { key, computed, value } of module.nodes('ObjectProperty')) if (staticName(key, computed) === 'useClass') add(value);
  let hasPerRequest = false;
  for (const { expression } of module.nodes('Decorator')) {
    const call = unwrap(expression);
    if (!isCall(call)) continue;
    const name = nameOf(call.callee);
    if (USES.test(name)) call.arguments.forEach(add);
    const [first] = call.arguments;
    if (name === 'Inject' && first && /^(?:REQUEST|CONTEXT)$/.test(nameOf(first))) hasPerRequest = true;
  }
  hasPerRequest ||= module.nodes('MemberExpression').some((one) => nameOf(one.object) === 'Scope' && memberName(one) === 'REQUEST');
  const starting = (['ClassDeclaration', 'ClassExpression'] as const).flatMap((type) => module.nodes(type).flatMap(startingIn));
  const made = madeIn(facts);
  return named.size + starting.length + made.length > 0 || hasPerRequest ? { named: [...named], made, starting, hasPerRequest } : undefined;
}

const LISTS: ReadonlySet<string> = new Set(['providers', 'controllers']);

/** `providers: [Cats]` in what describes a module, also as `providers: [...COMMON]` or `providers: COMMON`. */
function isOfModule(list: t.ArrayExpression, { bindings }: Facts): boolean {
  if (isInLists(list)) return true;
  const declarator = parentOf(list);
  const binding =
    declarator?.type === 'VariableDeclarator' && declarator.id.type === 'Identifier' ? bindings.resolve(declarator.id) : undefined;
  return binding !== undefined && bindings.references(binding).some(isInLists);
}

function isInLists(node: Node): boolean {
  for (let up = parentOf(node); up; up = parentOf(up)) {
    if (up.type === 'ObjectProperty') return LISTS.has(staticName(up.key, up.computed) ?? '');
    if (up.type !== 'ArrayExpression' && up.type !== 'SpreadElement' && up.type !== 'TSAsExpression') return false;
  }
  return false;
}

function madeIn({ module, bindings }: Facts): string[] {
  const found = new Set<string>();
  const add = (node: Node | undefined): void => {
    const one = node && unwrap(node);
    if (!one) return;
    if (isMember(one)) found.add(memberName(one) ?? '');
    const binding = one.type === 'Identifier' ? bindings.resolve(one) : undefined;
    if (!binding) return;
    found.add(binding.name);
    // `import { Job as Task }`
    if (binding.declaration.type === 'ImportSpecifier') found.add(staticName(binding.declaration.imported, false) ?? '');
  };
  for (const { callee } of module.nodes('NewExpression')) add(callee);
  for (const { callee, arguments: args } of module.nodes('CallExpression'))
    if (isMember(callee) && memberName(callee) === 'create' && args[0]?.type === 'Identifier') add(args[0]);
  found.delete('');
  return [...found];
}

function startingIn(node: ClassNode): Providers['starting'] {
  const decorator = (node.decorators ?? []).map(({ expression }) => unwrap(expression)).find((one) => CLASSES.has(decoratorName(one)));
  if (!decorator || !node.id || isScoped(decorator)) return [];
  const { name } = node.id;
  const isModule = decoratorName(decorator) === 'Module';
  return node.body.body
    .filter(
      (member): member is t.ClassMethod =>
        member.type === 'ClassMethod' && !member.static && HOOKS.has(staticName(member.key, member.computed) ?? ''),
    )
    .map((fn) => ({ name, isModule, fn }));
}

const decoratorName = (expression: Node): string => nameOf(isCall(expression) ? expression.callee : expression);

/** `@Injectable({ scope: Scope.TRANSIENT })`, `@Controller({ path: 'cats', scope: Scope.REQUEST })`; not `Scope.DEFAULT` */
function isScoped(decorator: Node): boolean {
  const options = isCall(decorator) ? decorator.arguments.map((argument) => unwrap(argument)) : [];
  return options.some((one) => {
    const scope = one.type === 'ObjectExpression' ? propertyValue(one, 'scope') : undefined;
    return scope !== undefined && !(isMember(scope) && memberName(scope) === 'DEFAULT');
  });
}

function nameOf(node: Node): string {
  const one = unwrap(node);
  return one.type === 'Identifier' ? one.name : isMember(one) ? (memberName(one) ?? '') : '';
}
