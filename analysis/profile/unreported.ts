// What no rule reports and may cost time, with the same work without it: whether it costs anything is for a comparison to say.
import type { Edit, Span } from '../../protocol/finding.ts';
import { isReference } from '../facts/bindings.ts';
import type { Facts } from '../facts/index.ts';
import { contains, enclosingFunction, endOf, parentOf, startOf, unwrap, type Node, type t } from '../module/ast.ts';

export interface Unreported {
  kind: 'ready-values' | 'class-per-call';
  span: Span;
  /** What runs as often: offset in the text. */
  countedAt: number;
  edits: readonly Edit[];
}

/** Loops and classes of the file, the outermost first. */
export function unreportedIn(facts: Facts): Unreported[] {
  return [...readyLoops(facts), ...closedClasses(facts)];
}

/** Names that no text of a user's has. */
const READY = 'nodometer$ready';
const CLASS = 'nodometer$class';

/**
 * Hands on what an array, a set, or a generator yields. What has to be waited for ends the process, and so the comparison: an exception
 * might be caught, and its time taken for that of the loop.
 */
const READY_VALUES = `
function ${READY}(values) {
  if (values === null || values === undefined || typeof values[Symbol.asyncIterator] === 'function' || typeof values[Symbol.iterator] !== 'function') process.exit(1);
  if (!Array.isArray(values)) return ${READY}Each(values);
  for (let i = 0; i < values.length; i += 1) ${READY}Value(values[i]);
  return values;
}
function* ${READY}Each(values) {
  for (const value of values) {
    ${READY}Value(value);
    yield value;
  }
}
function ${READY}Value(value) {
  if (value !== null && (typeof value === 'object' || typeof value === 'function') && typeof value.then === 'function') process.exit(1);
}
`;

function readyLoops({ module, source: { text } }: Facts): Unreported[] {
  if (text.includes(READY)) return [];
  return module
    .nodes('ForOfStatement')
    .filter((loop) => loop.await && enclosingFunction(loop))
    .flatMap((loop): Unreported[] => {
      const head = /^for\s+await\b/.exec(text.slice(startOf(loop)));
      if (!head) return [];
      const end = startOf(loop) + head[0].length;
      const edits = [
        { start: startOf(loop), end, text: 'for' },
        { start: startOf(loop.right), end: startOf(loop.right), text: `${READY}(` },
        { start: endOf(loop.right), end: endOf(loop.right), text: ')' },
        { start: text.length, end: text.length, text: READY_VALUES },
      ];
      // The parentheses around the expression are no part of it.
      return isInParentheses(loop.right)
        ? []
        : [{ kind: 'ready-values', span: { start: startOf(loop), end }, countedAt: startOf(loop.body), edits }];
    });
}

function isInParentheses(node: Node): boolean {
  return node.extra?.parenthesized === true;
}

/** Classes in functions that use nothing of them, so that one class would do. */
function closedClasses(facts: Facts): Unreported[] {
  const { module, source } = facts;
  const { text } = source;
  if (text.includes(CLASS)) return [];
  return [...module.nodes('ClassDeclaration'), ...module.nodes('ClassExpression')].flatMap((node): Unreported[] => {
    const outer = outermostFunction(node);
    const statement = outer && topLevelStatement(outer);
    if (!outer || !statement || !isPlain(node) || !usesNothingOf(outer, node, facts)) return [];
    const own = text.slice(startOf(node), endOf(node));
    const place = node.type === 'ClassDeclaration' ? `const ${node.id?.name ?? CLASS} = ${CLASS};` : CLASS;
    return [
      {
        kind: 'class-per-call',
        span: { start: startOf(node), end: startOf(node.body) },
        countedAt: startOf(node),
        edits: [
          { start: startOf(statement), end: startOf(statement), text: `const ${CLASS} = ${own};\n` },
          { start: startOf(node), end: endOf(node), text: place },
        ],
      },
    ];
  });
}

function outermostFunction(node: Node): Node | undefined {
  let outer: Node | undefined;
  for (let fn = enclosingFunction(node); fn; fn = enclosingFunction(fn)) outer = fn;
  return outer;
}

function topLevelStatement(node: Node): Node | undefined {
  for (let one: Node | undefined = node; one; one = parentOf(one)) if (parentOf(one)?.type === 'Program') return one;
  return undefined;
}

/** Nothing is done while the class is made that has to be done for each of them. */
function isPlain({ body, decorators, superClass }: t.ClassDeclaration | t.ClassExpression): boolean {
  const parent = superClass ? unwrap(superClass) : undefined;
  if (decorators && decorators.length > 0) return false;
  if (parent && parent.type !== 'Identifier' && parent.type !== 'MemberExpression') return false;
  return body.body.every((member) => {
    switch (member.type) {
      case 'ClassMethod':
        return !member.computed;
      case 'ClassPrivateMethod':
        return true;
      case 'ClassProperty':
        return !member.computed && !member.static;
      case 'ClassPrivateProperty':
        return !member.static;
      default:
        return false;
    }
  });
}

function usesNothingOf(outer: Node, node: t.ClassDeclaration | t.ClassExpression, { module, bindings }: Facts): boolean {
  const isOutside = (name: t.Identifier): boolean => {
    const binding = bindings.resolve(name);
    return !binding || contains(node, binding.declaration) || !contains(outer, binding.declaration);
  };
  const used = module.nodes('Identifier').filter((name) => contains(node, name) && isReference(name) && name !== node.id);
  // `this` and `new.target` of the class belong to its own methods and fields; `arguments` may be the function's.
  return used.every((name) => isOutside(name) && name.name !== 'arguments') && !isChanged(node, { module, bindings });
}

/** `Point.count = 0`, behind the class: each class may have its own. */
function isChanged(node: t.ClassDeclaration | t.ClassExpression, { bindings }: Pick<Facts, 'module' | 'bindings'>): boolean {
  const declarator = parentOf(node);
  const id = node.type === 'ClassDeclaration' ? node.id : declarator?.type === 'VariableDeclarator' ? declarator.id : undefined;
  const binding = id?.type === 'Identifier' ? bindings.resolve(id) : undefined;
  if (!binding) return false;
  return bindings.references(binding).some((name) => {
    let target: Node = name;
    for (let parent = parentOf(target); parent?.type === 'MemberExpression' && parent.object === target; parent = parentOf(target))
      target = parent;
    const parent = parentOf(target);
    return parent?.type === 'AssignmentExpression' && parent.left === target;
  });
}

const FUNCTIONS = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
] as const;

/** The text behind which V8 never optimizes the function around an offset, if it has a name at the top level of the file. */
export function neverOptimized({ module, source: { text } }: Facts, offset: number): { name: string; edits: readonly Edit[] } | undefined {
  const around = FUNCTIONS.flatMap((type): readonly Node[] => module.nodes(type))
    .filter((fn) => startOf(fn) <= offset && offset <= endOf(fn))
    .sort((a, b) => startOf(b) - startOf(a))[0];
  if (!around) return undefined;
  const parent = parentOf(around);
  const declarator = parent?.type === 'VariableDeclarator' ? parent : undefined;
  const statement = declarator ? parentOf(declarator) : around;
  const id = declarator ? declarator.id : around.type === 'FunctionDeclaration' ? around.id : undefined;
  const home = statement && parentOf(statement);
  const isTop = home?.type === 'Program' || (home?.type === 'ExportNamedDeclaration' && parentOf(home)?.type === 'Program');
  if (id?.type !== 'Identifier' || !isTop) return undefined;
  const suffix = `
{
  const v8 = (process.getBuiltinModule ?? require)('node:v8');
  v8.setFlagsFromString('--allow-natives-syntax');
  new Function('fn', '%NeverOptimizeFunction(fn)')(${id.name});
  v8.setFlagsFromString('--no-allow-natives-syntax');
}
`;
  return { name: id.name, edits: [{ start: text.length, end: text.length, text: suffix }] };
}
