// Classes whose one instance Nest makes while the program starts: https://docs.nestjs.com/fundamentals/injection-scopes
import {
  isCall,
  isMember,
  memberName,
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
  if (!facts.source.text.includes('@nestjs/')) return undefined;
  const { module } = facts;
  const named = new Set<string>();
  const add = (node: Node | null | undefined): void => {
    const one = node && unwrap(node);
    if (one?.type === 'Identifier' && /^[A-Z]/.test(one.name)) named.add(one.name);
  };
  for (const { elements } of module.nodes('ArrayExpression')) elements.forEach(add);
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
  return named.size + starting.length > 0 || hasPerRequest ? { named: [...named], starting, hasPerRequest } : undefined;
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
