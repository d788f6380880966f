// Whether a registration lets only administrators through, by the names of what stands before its handler: `router.delete('/',
// requireAdmin, remove)`, `@Roles('admin')`, `if (!req.user.isAdmin) return res.sendStatus(403)`. Names decide no more than how loud a
// finding is.
import {
  isCall,
  isClass,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../module/ast.ts';

const ADMINISTRATOR =
  /(?:^|[^A-Za-z]|[a-z])(?:Admin|ADMIN)(?:istrators?|ISTRATORS?|s|S)?(?![a-z])|(?:^|[^A-Za-z])admin(?:istrator)?s?(?![a-z])/;
/** `adminOrOwner`, `notAdmin` */
const NOT_ALONE = /[Oo]r_?[A-Z]|OR_|^(?:[Nn]on|[Nn]ot)_?[Aa]dmin/;
/** `adminRouter.post(…)`, `adminProcedure.mutation(…)` */
const REGISTRAR = /^(?:\w*_)?admin(?:Router|Routes|Procedure|Api)$|Admin(?:Router|Routes|Procedure|Api)$/;
/** `assertAdmin(req);` */
const CHECK = /^_?(?:require|assert|ensure|check|verify|must|only|guard|throwIfNot|throwUnless)/i;
/** Options of a route that hold checks, in the frameworks that have such options. */
const OPTIONS: ReadonlySet<string> = new Set([
  ...['preHandler', 'onRequest', 'preValidation', 'pre', 'auth', 'config', 'middleware', 'middlewares', 'guards', 'use', 'roles', 'scope'],
  ...['access', 'permission', 'permissions', 'policies'],
]);
/** The two folders above the file of a handler whose route is not known. */
const FOLDERS = /\/(?:(?:super|sys)?-?admins?|administration|administrators?)\//i;
/** Statements of a handler that are read. A check stands before the work. */
const MOST_STATEMENTS = 12;
const MOST_NAMES = 40;

/** @param handler what is registered: a function, or an expression that stands for one */
export function isForAdministrators(site: Node, handler: Node, fn: FunctionNode | undefined): boolean {
  return (
    isNamedForThem(handler, fn) ||
    (isCall(site) && (isRegistrar(site.callee) || site.arguments.some((one) => one !== handler && isGuard(one)))) ||
    decoratorsOf(fn ?? handler).some((one) => isGuard(one)) ||
    (fn !== undefined && isCheckedIn(fn))
  );
}

/** `updateUserByAdmin` */
function isNamedForThem(handler: Node, fn: FunctionNode | undefined): boolean {
  const own = fn && 'id' in fn && fn.id?.type === 'Identifier' ? fn.id.name : '';
  return /(?:By|For|As)_?Admin(?:istrator)?$/.test(nameOf(handler)) || /(?:By|For|As)_?Admin(?:istrator)?$/.test(own);
}

/** `admin/controllers/users.js`, below the folder of the project. */
export function isInTheirFolder(file: string, root = ''): boolean {
  const below = file.startsWith(root) ? file.slice(root.length) : file;
  return FOLDERS.test(`/${below.split(/[\\/]/).slice(-3, -1).join('/')}/`);
}

function isRegistrar(callee: Node): boolean {
  let node = unwrap(callee);
  for (;;) {
    if (isMember(node)) node = unwrap(node.object);
    else if (isCall(node)) node = unwrap(node.callee);
    else break;
  }
  return node.type === 'Identifier' && REGISTRAR.test(node.name);
}

function decoratorsOf(node: Node): Node[] {
  if (node.type !== 'ClassMethod') return [];
  const body = parentOf(node);
  const owner = body && parentOf(body);
  return [...(node.decorators ?? []), ...(isClass(owner) ? (owner.decorators ?? []) : [])].map(({ expression }) => expression);
}

/** An argument of the registration, or a decorator. A path is a text, and says nothing of who may ask for it here. */
function isGuard(node: Node): boolean {
  const one = unwrap(node);
  if (one.type === 'StringLiteral' || one.type === 'TemplateLiteral' || isFunction(one)) return false;
  if (one.type === 'ObjectExpression')
    return one.properties.some(
      (property) =>
        property.type === 'ObjectProperty' &&
        OPTIONS.has(staticName(property.key, property.computed) ?? '') &&
        areAdministrators(namesIn(property.value)),
    );
  return areAdministrators(namesIn(one));
}

/** Every text must mean them, since it may be one of several roles; of the names, one is enough. */
function areAdministrators({ names, texts }: Names): boolean {
  const all = [...names, ...texts];
  return (
    all.some((one) => ADMINISTRATOR.test(one)) &&
    !all.some((one) => NOT_ALONE.test(one)) &&
    (texts.length === 0 || names.some((one) => ADMINISTRATOR.test(one)) || texts.every((one) => ADMINISTRATOR.test(one)))
  );
}

interface Names {
  names: string[];
  texts: string[];
}

function namesIn(root: Node): Names {
  const found: Names = { names: [], texts: [] };
  const stack: Node[] = [root];
  for (let node = stack.pop(); node && found.names.length + found.texts.length < MOST_NAMES; node = stack.pop()) {
    const one = unwrap(node);
    if (one.type === 'Identifier') found.names.push(one.name);
    else if (one.type === 'StringLiteral') found.texts.push(one.value);
    else if (isMember(one)) {
      found.names.push(memberName(one) ?? '');
      stack.push(one.object);
    } else if (isCall(one)) stack.push(...one.arguments, one.callee);
    else if (one.type === 'ArrayExpression') stack.push(...one.elements.filter((element) => element !== null));
    else if (one.type === 'ObjectExpression')
      stack.push(...one.properties.flatMap((property) => (property.type === 'ObjectProperty' ? [property.value] : [])));
  }
  return found;
}

function isCheckedIn(fn: FunctionNode): boolean {
  if (fn.body.type !== 'BlockStatement') return false;
  return fn.body.body.slice(0, MOST_STATEMENTS).some((statement) => {
    if (statement.type === 'ExpressionStatement') {
      const expression = unwrap(statement.expression);
      const call = expression.type === 'AwaitExpression' ? unwrap(expression.argument) : expression;
      return isCall(call) && CHECK.test(nameOf(call.callee)) && areAdministrators({ names: [nameOf(call.callee)], texts: [] });
    }
    return statement.type === 'IfStatement' && exits(statement.consequent) && partsOf(statement.test).some((part) => isNegated(part));
  });
}

function nameOf(callee: Node): string {
  const node = unwrap(callee);
  return (node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined) ?? '';
}

function exits(statement: Node): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement';
}

/** `!user || !user.isAdmin`: each part alone is enough to turn the request away. */
function partsOf(test: Node): Node[] {
  const node = unwrap(test);
  return node.type === 'LogicalExpression' && node.operator === '||' ? [...partsOf(node.left), ...partsOf(node.right)] : [node];
}

/** `!isAdmin`, `!user.is_admin`, `role !== 'admin'`, `isAdmin === false` */
function isNegated(part: Node): boolean {
  if (part.type === 'UnaryExpression' && part.operator === '!')
    return !hasLogic(part.argument) && areAdministrators(namesIn(part.argument));
  if (part.type !== 'BinaryExpression') return false;
  const { operator, left, right } = part;
  if (operator === '!==' || operator === '!=') return areAdministrators(namesIn(left)) || areAdministrators(namesIn(right));
  return (operator === '===' || operator === '==') && right.type === 'BooleanLiteral' && !right.value && areAdministrators(namesIn(left));
}

function hasLogic(node: Node): boolean {
  return unwrap(node).type === 'LogicalExpression';
}
