// Lays out expressions as Prettier 3 does. What it does not know stays on one line, as it is in the source.
import { endOf, isCall, isFunction, isMember, startOf, type CallNode, type FunctionNode, type Node, type t } from '../../module/ast.ts';
import { isBinaryish, isParenthesized, isShortArgument, keepsPrecedence, hugsOnlyParameter } from './kinds.ts';
import {
  align,
  breakParent,
  firstThatFits,
  group,
  hardLine,
  ifBreak,
  indent,
  indentIfBroken,
  join,
  line,
  softLine,
  willBreak,
  withoutLines,
  type Doc,
} from './doc.ts';
import { composesFunctions, hugsFirst, hugsLast, isEffect } from './arguments.ts';
import { memberChain } from './member-chain.ts';
import { NoLayout, type LayoutStyle, type SourceText } from './source-text.ts';

/** A node may be laid out several times, in several forms. */
const MOST_NODES = 5000;

/** How the last argument of a call is laid out: its parameters stay on one line, so that only its body is broken. */
type Hug = 'first' | 'last';

export class ExpressionLayout {
  readonly source: SourceText;
  readonly style: LayoutStyle;
  readonly #path: Node[] = [];
  readonly #chains = new WeakSet<object>();
  #visited = 0;

  constructor(source: SourceText, style: LayoutStyle) {
    this.source = source;
    this.style = style;
  }

  /** Ancestors, the nearest one last, without the node that is being laid out. */
  get parent(): Node | undefined {
    return this.#path.at(-2);
  }

  within<T>(node: Node, print: () => T): T {
    if (++this.#visited > MOST_NODES) throw new NoLayout();
    this.#path.push(node);
    try {
      return print();
    } finally {
      this.#path.pop();
    }
  }

  print(node: Node, hug?: Hug): Doc {
    return this.within(node, () => {
      const doc = this.#printBare(node, hug);
      return isParenthesized(node) ? ['(', doc, ')'] : doc;
    });
  }

  isChain(doc: Doc): boolean {
    return typeof doc === 'object' && this.#chains.has(doc);
  }

  #printBare(node: Node, hug: Hug | undefined): Doc {
    switch (node.type) {
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        return this.call(node);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#member(node);
      case 'AwaitExpression':
        return this.#await(node);
      case 'UnaryExpression':
        return [node.operator, /[a-z]$/.test(node.operator) ? ' ' : '', this.print(node.argument)];
      case 'SpreadElement':
      case 'RestElement':
        return ['...', this.print(node.argument)];
      case 'TSNonNullExpression':
        return [this.print(node.expression), '!'];
      case 'TSAsExpression':
      case 'TSSatisfiesExpression': {
        const word = node.type === 'TSAsExpression' ? ' as ' : ' satisfies ';
        const cast: Doc = [this.print(node.expression), word, this.source.raw(node.typeAnnotation)];
        const { parent } = this;
        return parent && isMember(parent) && parent.object === node ? group([indent([softLine, cast]), softLine]) : cast;
      }
      case 'BinaryExpression':
      case 'LogicalExpression':
        return this.#binaryish(node);
      case 'ConditionalExpression':
        return this.#conditional(node);
      case 'AssignmentExpression':
        return this.assignment(node, this.print(node.left), ` ${node.operator}`, node.right);
      case 'AssignmentPattern':
        return [this.print(node.left), ' = ', this.print(node.right)];
      case 'ArrowFunctionExpression':
        return this.#arrow(node, hug);
      case 'FunctionExpression':
      case 'ObjectMethod':
        return this.functionLike(node, hug);
      case 'ObjectExpression':
      case 'ObjectPattern':
        return this.#object(node);
      case 'ArrayExpression':
      case 'ArrayPattern':
        return this.#array(node);
      case 'ObjectProperty':
        return this.#property(node);
      case 'BlockStatement':
        return this.block(node);
      default:
        return this.verbatim(node);
    }
  }

  /** The node as it is. Several lines are only known to stay right in templates. */
  verbatim(node: Node): Doc {
    const doc = this.source.raw(node);
    if (typeof doc !== 'string' && node.type !== 'TemplateLiteral') throw new NoLayout();
    return doc;
  }

  /** A block as it is. Statements that share its line each get their own. */
  block(node: t.BlockStatement): Doc {
    const [first] = [...node.directives, ...node.body];
    if (!first || this.source.slice(startOf(node), startOf(first)).includes('\n')) return this.source.raw(node);
    const statements = [...node.directives, ...node.body].map((one) => this.statement(one));
    return ['{', indent([hardLine, ...join(hardLine, statements)]), hardLine, '}'];
  }

  /** Statements are laid out by the class that extends this one. */
  statement(node: Node): Doc {
    return this.verbatim(node);
  }

  call(node: CallNode): Doc {
    const isNew = node.type === 'NewExpression';
    const { callee } = node;
    const args = node.arguments;
    if (isPlainRequire(node)) return this.verbatim(node);
    const [only] = args;
    if (args.length === 1 && only?.type === 'TemplateLiteral' && this.source.slice(startOf(only), endOf(only)).includes('\n'))
      return [isNew ? 'new ' : '', this.print(callee), '(', this.print(only), ')'];
    if (!isNew && isMember(callee) && !isParenthesized(callee)) {
      const doc = memberChain(node, this);
      if (doc.isChain && typeof doc.doc === 'object') this.#chains.add(doc.doc);
      return doc.doc;
    }
    const parts = [isNew ? 'new ' : '', this.print(callee), this.afterCallee(node)];
    return isCall(callee) ? group(parts) : parts;
  }

  /** `?.`, types, and arguments. */
  afterCallee(node: CallNode): Doc[] {
    const types = node.typeParameters ?? ('typeArguments' in node ? node.typeArguments : undefined);
    if (node.type === 'NewExpression' && !this.source.slice(endOf(node.callee), endOf(node)).includes('(')) return [];
    return [
      node.type === 'OptionalCallExpression' && node.optional ? '?.' : '',
      types ? this.source.raw(types) : '',
      this.#path.at(-1) === node ? this.#arguments(node.arguments) : this.within(node, () => this.#arguments(node.arguments)),
    ];
  }

  #arguments(args: readonly Node[]): Doc {
    if (args.length === 0) return '()';
    if (isEffect(args))
      return [
        '(',
        ...join(
          ', ',
          args.map((arg) => this.print(arg)),
        ),
        ')',
      ];
    const printed = args.map((arg, i) => (i === args.length - 1 ? [this.print(arg)] : [this.print(arg), ',', line]));
    const comma = this.style.trailingComma === 'all' ? ifBreak(',') : '';
    const allBroken = (): Doc => group(['(', indent([line, ...printed]), comma, line, ')'], true);
    if (composesFunctions(args)) return allBroken();
    const [first, second] = args;
    if (first && second && args.length === 2 && hugsFirst(first, second)) {
      const others = printed.slice(1);
      if (others.some(willBreak)) return allBroken();
      const hugged = this.print(first, 'first');
      const broken = ['(', group(hugged, true), ', ', ...others, ')'];
      return willBreak(hugged)
        ? [breakParent, firstThatFits([broken, allBroken()])]
        : firstThatFits([['(', hugged, ', ', ...others, ')'], broken, allBroken()]);
    }
    const last = args.at(-1);
    if (last && hugsLast(args)) {
      const others = printed.slice(0, -1);
      if (others.some(willBreak)) return allBroken();
      const hugged = this.print(last, 'last');
      const broken = ['(', ...others, group(hugged, true), ')'];
      return willBreak(hugged)
        ? [breakParent, firstThatFits([broken, allBroken()])]
        : firstThatFits([['(', ...others, hugged, ')'], broken, allBroken()]);
    }
    return group(['(', indent([softLine, ...printed]), comma, softLine, ')'], printed.some(willBreak));
  }

  #member(node: t.MemberExpression | t.OptionalMemberExpression): Doc {
    const object = this.print(node.object);
    const lookup = this.lookup(node);
    const above = this.#path.toReversed().find((one) => !isMember(one) && one.type !== 'TSNonNullExpression');
    const isAssigned = above?.type === 'AssignmentExpression' || above?.type === 'VariableDeclarator';
    const isTight =
      (above?.type === 'AssignmentExpression' && above.left.type !== 'Identifier') ||
      node.computed ||
      (node.object.type === 'Identifier' && node.property.type === 'Identifier' && !isMember(this.parent)) ||
      (isAssigned && ((isCall(node.object) && node.object.arguments.length > 0) || this.isChain(object)));
    const doc = [object, isTight ? lookup : group(indent([softLine, lookup]))];
    if (this.isChain(object)) this.#chains.add(doc);
    return doc;
  }

  /** `.name`, `?.name`, `[name]`. */
  lookup(node: t.MemberExpression | t.OptionalMemberExpression): Doc {
    const mark = node.type === 'OptionalMemberExpression' && node.optional ? '?.' : '';
    if (!node.computed) return [mark || '.', this.source.raw(node.property)];
    const property = this.print(node.property);
    return node.property.type === 'NumericLiteral'
      ? [mark, '[', property, ']']
      : group([mark, '[', indent([softLine, property]), softLine, ']']);
  }

  #await(node: t.AwaitExpression): Doc {
    const doc: Doc = ['await ', this.print(node.argument)];
    const { parent } = this;
    if (!parent || !((isCall(parent) && parent.callee === node) || (isMember(parent) && parent.object === node))) return doc;
    const inner: Doc = [indent([softLine, doc]), softLine];
    const around = this.#path.slice(0, -1).findLast(({ type }) => type === 'AwaitExpression' || type === 'BlockStatement');
    return around?.type === 'AwaitExpression' && startOf(around.argument) <= startOf(node) && leftmost(around.argument) === node
      ? inner
      : group(inner);
  }

  #binaryish(node: t.BinaryExpression | t.LogicalExpression): Doc {
    const { parent } = this;
    const isTest =
      (parent?.type === 'IfStatement' || parent?.type === 'WhileStatement' || parent?.type === 'DoWhileStatement') &&
      parent.test === node &&
      !isParenthesized(node);
    const parts = this.#operands(node, isTest);
    if (isTest) return parts;
    if (
      (parent && isCall(parent) && parent.callee === node) ||
      parent?.type === 'UnaryExpression' ||
      (isMember(parent) && !parent.computed)
    )
      return group([indent([softLine, ...parts]), softLine]);
    const above = this.#path.at(-3);
    const isFlush =
      parent?.type === 'ReturnStatement' ||
      parent?.type === 'ThrowStatement' ||
      (parent?.type === 'ArrowFunctionExpression' && parent.body === node) ||
      (parent?.type === 'ConditionalExpression' &&
        above?.type !== 'ReturnStatement' &&
        above?.type !== 'ThrowStatement' &&
        !(above && isCall(above)));
    const isAssigned =
      parent?.type === 'AssignmentExpression' ||
      parent?.type === 'VariableDeclarator' ||
      parent?.type === 'ClassProperty' ||
      parent?.type === 'ObjectProperty';
    if (isFlush || isInlined(node) || (!endsInLiteral(node) && isAssigned)) return group(parts);
    const [first = '', ...rest] = parts;
    return group([first, indent(rest)]);
  }

  /** `a && b && c` as one list of operands. */
  #operands(node: t.BinaryExpression | t.LogicalExpression, isTest: boolean): Doc[] {
    const { left, operator } = node;
    const parts: Doc[] =
      isBinaryish(left) && !isParenthesized(left) && keepsPrecedence(operator, left.operator)
        ? this.within(left, () => this.#operands(left, isTest))
        : [group(this.print(left))];
    const right = this.print(node.right);
    let doc: Doc = endsInLiteral(node) ? [operator, ' ', right] : [operator, line, right];
    const outer = this.parent;
    if (
      !(isTest && node.type === 'LogicalExpression') &&
      outer?.type !== node.type &&
      left.type !== node.type &&
      node.right.type !== node.type
    )
      doc = group(doc);
    return [...parts, ' ', doc];
  }

  #conditional(node: t.ConditionalExpression): Doc {
    const { parent } = this;
    const isInConditional = parent?.type === 'ConditionalExpression';
    const isTest = isInConditional && parent.test === node;
    const consequent = this.print(node.consequent);
    const branches: Doc = [
      line,
      '? ',
      node.consequent.type === 'ConditionalExpression' ? ifBreak('', '(') : '',
      align(2, consequent),
      node.consequent.type === 'ConditionalExpression' ? ifBreak('', ')') : '',
      line,
      ': ',
      align(2, this.print(node.alternate)),
    ];
    const body = !isInConditional || parent.alternate === node || isTest ? branches : align(2, branches);
    const extra = isIndentedCondition(this.#path);
    const closes = isMember(parent) && !parent.computed && !extra;
    const doc: Doc = [this.print(node.test), isInConditional && !isTest ? body : indent(body), closes ? softLine : ''];
    const whole = isInConditional && !isTest ? doc : group(doc);
    return isTest || extra ? group([indent([softLine, whole]), softLine]) : whole;
  }

  /** `left = right`, `key: value`. */
  assignment(node: Node, left: Doc, operator: string, right: Node): Doc {
    if (right.type === 'AssignmentExpression' || this.parent?.type === 'AssignmentExpression') throw new NoLayout();
    const canBreakLeft = typeof left !== 'string' && hasGroup(left);
    const hasShortKey = node.type === 'ObjectProperty' && endOf(node.key) - startOf(node.key) < columnsOfStep(this.style.step) + 3;
    const broken = (): Doc => group([group(left), operator, group(indent([line, this.print(right)]))]);
    if (isBinaryish(right) && !endsInLiteral(right)) return broken();
    if (right.type === 'CallExpression' && right.callee.type === 'Identifier' && right.callee.name === 'require')
      return group([group(left), operator, ' ', this.print(right)]);
    if (isComplexPattern(node) || (node.type === 'VariableDeclarator' && right.type === 'ArrowFunctionExpression' && canBreakLeft))
      return group([left, operator, ' ', group(this.print(right))]);
    if (this.#breaksAfterOperator(right, hasShortKey)) return broken();
    const stays =
      !canBreakLeft &&
      (hasShortKey ||
        right.type === 'TemplateLiteral' ||
        right.type === 'TaggedTemplateExpression' ||
        right.type === 'BooleanLiteral' ||
        right.type === 'NumericLiteral' ||
        right.type === 'ClassExpression');
    if (stays) return group([group(left), operator, ' ', this.print(right)]);
    const gap = group(indent(line));
    return group([group(left), operator, gap, indentIfBroken(this.print(right), gap)]);
  }

  #breaksAfterOperator(right: Node, hasShortKey: boolean): boolean {
    if (right.type === 'SequenceExpression') return true;
    if (right.type === 'ConditionalExpression') return isBinaryish(right.test) && !endsInLiteral(right.test);
    if (hasShortKey) return false;
    let at: Node = right;
    while (at.type === 'UnaryExpression' || at.type === 'AwaitExpression' || at.type === 'TSNonNullExpression')
      at = at.type === 'TSNonNullExpression' ? at.expression : at.argument;
    return at.type === 'StringLiteral' || this.#isUnbreakable(at, false);
  }

  /** A chain of members and calls without arguments that would be worth a line of their own. */
  #isUnbreakable(node: Node, isInner: boolean): boolean {
    if (node.type === 'TSNonNullExpression') return this.#isUnbreakable(node.expression, true);
    if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression') {
      if (this.isChain(this.print(node))) return false;
      const [only] = node.arguments;
      if (node.arguments.length > 1 || (only && !isShortArgument(only))) return false;
      return !node.typeParameters && this.#isUnbreakable(node.callee, true);
    }
    if (isMember(node)) return this.#isUnbreakable(node.object, true);
    return isInner && (node.type === 'Identifier' || node.type === 'ThisExpression');
  }

  #arrow(node: t.ArrowFunctionExpression, hug: Hug | undefined): Doc {
    const { body } = node;
    if (body.type === 'ArrowFunctionExpression') return this.verbatim(node);
    const head = group(this.#arrowHead(node, hug));
    const isFlush =
      body.type === 'BlockStatement' ||
      body.type === 'ObjectExpression' ||
      body.type === 'ArrayExpression' ||
      (body.type === 'TemplateLiteral' && this.source.slice(startOf(body), endOf(body)).includes('\n'));
    if (isFlush) return group([head, ' =>', group([' ', this.print(body)])]);
    const comma = hug === 'last' && this.style.trailingComma === 'all' ? ifBreak(',') : '';
    const closing: Doc = hug === 'last' ? [comma, softLine] : '';
    const printed = this.print(body);
    if (body.type === 'ConditionalExpression' && leftmost(body).type !== 'ObjectExpression')
      return group([
        head,
        ' =>',
        group([
          ' ',
          group([
            ifBreak('', isParenthesized(body) ? '' : '('),
            indent([softLine, printed]),
            softLine,
            ifBreak('', isParenthesized(body) ? '' : ')'),
            closing,
          ]),
        ]),
      ]);
    return group([head, ' =>', group([indent([line, printed]), closing])]);
  }

  #arrowHead(node: t.ArrowFunctionExpression, hug: Hug | undefined): Doc {
    const [only] = node.params;
    const start = node.async ? 'async ' : '';
    const isBare =
      node.params.length === 1 && only !== undefined && !/^\(/.test(this.source.slice(startOf(node), endOf(node)).replace(/^async\s*/, ''));
    const params = isBare && only ? this.source.raw(only) : this.parameters(node, hug);
    return [start, node.typeParameters ? this.source.raw(node.typeParameters) : '', params, this.returnType(node)];
  }

  /** `function name(…) {…}`, `async name(…) {…}`. */
  functionLike(node: Exclude<FunctionNode, t.ArrowFunctionExpression>, hug?: Hug): Doc {
    const named = node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration' ? node.id : node.key;
    const after = node.typeParameters ? endOf(node.typeParameters) : named ? endOf(named) : startOf(node);
    const open = this.source.text.indexOf('(', after);
    if (open < 0 || open > startOf(node.body)) throw new NoLayout();
    const head = this.source.rawRange(startOf(node), open);
    if (typeof head !== 'string') throw new NoLayout();
    return [head, group([group(this.parameters(node, hug)), this.returnType(node)]), ' ', this.print(node.body)];
  }

  returnType({ returnType }: FunctionNode): Doc {
    return returnType ? this.verbatim(returnType) : '';
  }

  parameters(node: FunctionNode, hug?: Hug): Doc {
    const { params } = node;
    if (params.length === 0) return '()';
    const printed = join(
      [',', line],
      params.map((param) => this.print(param)),
    );
    if (hug) {
      if (willBreak(printed)) throw new NoLayout();
      return ['(', withoutLines(printed), ')'];
    }
    if (hugsOnlyParameter(node)) return ['(', ...printed, ')'];
    const comma = this.style.trailingComma === 'all' && params.at(-1)?.type !== 'RestElement' ? ifBreak(',') : '';
    return ['(', indent([softLine, ...printed]), comma, softLine, ')'];
  }

  #object(node: t.ObjectExpression | t.ObjectPattern): Doc {
    const { properties } = node;
    const [first] = properties;
    if (!first) return this.verbatim(node);
    const comma = this.style.trailingComma !== 'none' && properties.at(-1)?.type !== 'RestElement' ? ifBreak(',') : '';
    const gap = this.style.braceSpace === '' ? softLine : line;
    const isParameter = isFunction(this.parent);
    const isBroken =
      (node.type === 'ObjectExpression' && this.source.slice(startOf(node), startOf(first)).includes('\n')) ||
      (node.type === 'ObjectPattern' && !isParameter && properties.some(hasNestedPattern));
    const contents: Doc = [
      '{',
      indent([
        gap,
        ...join(
          [',', line],
          properties.map((property) => group(this.print(property))),
        ),
      ]),
      comma,
      gap,
      '}',
      node.type === 'ObjectPattern' && node.typeAnnotation ? this.source.raw(node.typeAnnotation) : '',
    ];
    const { parent } = this;
    if (isFunction(parent) && parent.params[0] === node && hugsOnlyParameter(parent)) return contents;
    return group(contents, isBroken);
  }

  #property(node: t.ObjectProperty): Doc {
    if (node.shorthand) return node.value.type === 'AssignmentPattern' ? this.print(node.value) : this.source.raw(node);
    const key: Doc = node.computed ? ['[', this.print(node.key), ']'] : this.source.raw(node.key);
    return this.assignment(node, key, ':', node.value);
  }

  #array(node: t.ArrayExpression | t.ArrayPattern): Doc {
    const { elements } = node;
    if (elements.length === 0) return this.verbatim(node);
    const isNumbers = elements.length > 1 && elements.every((element) => element?.type === 'NumericLiteral');
    if (isNumbers || elements.includes(null)) return this.verbatim(node);
    const known = elements.filter((element) => element !== null);
    const comma = this.style.trailingComma !== 'none' && known.at(-1)?.type !== 'RestElement' ? ifBreak(',') : '';
    const isBroken = known.length > 1 && (known.every(isLargeObject) || known.every(isLargeArray));
    return group(
      [
        '[',
        indent([
          softLine,
          ...join(
            [',', line],
            known.map((element) => group(this.print(element))),
          ),
        ]),
        comma,
        softLine,
        ']',
        node.type === 'ArrayPattern' && node.typeAnnotation ? this.source.raw(node.typeAnnotation) : '',
      ],
      isBroken,
    );
  }
}

function hasGroup(doc: Doc): boolean {
  if (typeof doc === 'string') return false;
  if (Array.isArray(doc)) return (doc as readonly Doc[]).some(hasGroup);
  return true;
}

function columnsOfStep(step: string): number {
  return step === '\t' ? 2 : step.length;
}

function isPlainRequire({ callee, arguments: args }: CallNode): boolean {
  return callee.type === 'Identifier' && callee.name === 'require' && args.length === 1 && args[0]?.type === 'StringLiteral';
}

/** `a && { … }`: the literal stays beside the operator. */
function endsInLiteral(node: t.BinaryExpression | t.LogicalExpression): boolean {
  if (node.type !== 'LogicalExpression') return false;
  const { right } = node;
  return (
    (right.type === 'ObjectExpression' && right.properties.length > 0) || (right.type === 'ArrayExpression' && right.elements.length > 0)
  );
}

/** Two operands, of which the second one is a literal: nothing is left to indent. */
function isInlined(node: t.BinaryExpression | t.LogicalExpression): boolean {
  return endsInLiteral(node) && !(isBinaryish(node.left) && keepsPrecedence(node.operator, node.left.operator));
}

function isComplexPattern(node: Node): boolean {
  const left = node.type === 'VariableDeclarator' ? node.id : node.type === 'AssignmentExpression' ? node.left : undefined;
  return (
    left?.type === 'ObjectPattern' &&
    left.properties.length > 2 &&
    left.properties.some((one) => one.type === 'ObjectProperty' && (!one.shorthand || one.value.type === 'AssignmentPattern'))
  );
}

function hasNestedPattern(property: t.ObjectPattern['properties'][number] | t.ObjectExpression['properties'][number]): boolean {
  if (property.type !== 'ObjectProperty') return false;
  const value = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
  return value.type === 'ObjectPattern' && value.properties.length > 0;
}

function isLargeObject(node: Node): boolean {
  return node.type === 'ObjectExpression' && node.properties.length > 1;
}

function isLargeArray(node: Node): boolean {
  return node.type === 'ArrayExpression' && node.elements.length > 1;
}

/** The node that a text begins with. */
function leftmost(node: Node): Node {
  for (let at = node; ; ) {
    if (isParenthesized(at) && at !== node) return at;
    if (isCall(at) && at.type !== 'NewExpression') at = at.callee;
    else if (isMember(at)) at = at.object;
    else if (at.type === 'ConditionalExpression') at = at.test;
    else if (isBinaryish(at)) at = at.left;
    else return at;
  }
}

/** `const a = (b ? c : d).e`: the condition is indented within its parentheses. */
function isIndentedCondition(path: readonly Node[]): boolean {
  const own = path.at(-1);
  let node = own;
  for (let i = path.length - 2; i >= 0; i--) {
    const parent = path[i] as Node;
    if ((isCall(parent) && parent.callee === node) || (isMember(parent) && parent.object === node)) {
      node = parent;
      continue;
    }
    if (node === own) return false;
    if (parent.type === 'AssignmentExpression') return parent.right === node;
    if (parent.type === 'VariableDeclarator') return parent.init === node;
    return (
      (parent.type === 'ReturnStatement' ||
        parent.type === 'ThrowStatement' ||
        parent.type === 'UnaryExpression' ||
        parent.type === 'AwaitExpression') &&
      parent.argument === node
    );
  }
  return false;
}
