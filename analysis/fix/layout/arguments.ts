// How the arguments of a call are laid out, by their kinds.
import { isCall, type Node } from '../../module/ast.ts';
import { canHug, isBinaryish, isSimpleArgument } from './kinds.ts';

/** `useEffect(() => { … }, [a, b])`. */
export function isEffect(args: readonly Node[]): boolean {
  const [fn, list] = args.length === 3 && args[0]?.type === 'Identifier' ? args.slice(1) : args;
  return (
    args.length >= 2 &&
    args.length <= 3 &&
    fn?.type === 'ArrowFunctionExpression' &&
    fn.params.length === 0 &&
    fn.body.type === 'BlockStatement' &&
    list?.type === 'ArrayExpression' &&
    list.elements.every((element) => element?.type === 'Identifier')
  );
}

function isFunctionValue({ type }: Node): boolean {
  return type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

/** Several functions, or a function within a call beside other arguments: each on a line of its own. */
export function composesFunctions(args: readonly Node[]): boolean {
  if (args.length < 2) return false;
  if (args.filter(isFunctionValue).length > 1) return true;
  return args.some((arg) => isCall(arg) && arg.type !== 'NewExpression' && arg.arguments.some(isFunctionValue));
}

export function hugsFirst(first: Node, second: Node): boolean {
  return (
    (first.type === 'FunctionExpression' || (first.type === 'ArrowFunctionExpression' && first.body.type === 'BlockStatement')) &&
    !isFunctionValue(second) &&
    second.type !== 'ConditionalExpression' &&
    isSimpleSecond(second) &&
    !canHug(second)
  );
}

function isSimpleSecond(node: Node): boolean {
  if (isCall(node) && node.arguments.length > 1) return false;
  return isBinaryish(node) ? isSimpleArgument(node.left, 1) && isSimpleArgument(node.right, 1) : isSimpleArgument(node);
}

export function hugsLast(args: readonly Node[]): boolean {
  const last = args.at(-1);
  const before = args.at(-2);
  if (!last || !canHug(last) || before?.type === last.type) return false;
  if (args.length === 2 && before?.type === 'ArrowFunctionExpression' && last.type === 'ArrayExpression') return false;
  const isNumbers =
    last.type === 'ArrayExpression' && last.elements.length > 0 && last.elements.every((one) => one?.type === 'NumericLiteral');
  return !(args.length > 1 && isNumbers);
}
