// The shapes that one object may have when it is passed on: all paths through the statements after its creation, with the keys in the order
// in which the path adds them. Tests with the same text are assumed to have the same outcome.
import {
  contains,
  isClass,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { writeOf, type Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

export interface AddedField {
  name: string;
  /** The assignment that adds it on some paths. */
  site: t.AssignmentExpression;
}

export interface ShapePaths {
  /** Number of different shapes among the objects that are passed on. */
  shapes: number;
  /** Fields that only some of the shapes have, by their first assignment. If all have them, those that are added in different orders. */
  added: readonly AddedField[];
  /** Whether the shapes only differ in the order of their fields. */
  isOrder: boolean;
  /** Where the objects are passed on. */
  exits: readonly Node[];
}

interface Path {
  keys: readonly string[];
  decided: ReadonlyMap<string, boolean>;
}

// With more paths than this, the answer is "many". The measured cliff is at 5 shapes.
const MAX_PATHS = 96;
/** From here on, there may be more shapes than were counted. */
export const MOST_COUNTED = MAX_PATHS / 2;
// Objects that are mentioned more often are in generated code. Following them would take too long.
const MAX_MENTIONS = 80;
// The deepest nesting of statements and conditions. Generated chains of thousands would overflow the stack.
const DEEPEST = 100;

/** Undefined if the object cannot be followed to the end: other functions add to it, keys are computed, it is one of several objects. */
export function findShapePaths(facts: Facts, binding: Binding, start: Node, keys: readonly string[]): ShapePaths | undefined {
  if (facts.bindings.references(binding).length > MAX_MENTIONS) return undefined;
  const statements = statementsAfter(start);
  const loop = facts.hotness.repetitionsInFunction(start)[0]?.node;
  return statements && new Walk(facts, facts.bindings.references(binding), keys, loop).run(statements, false, decidedBefore(start, facts));
}

/** The shapes of the objects that a constructor creates: all paths to its end, by the assignments to fields of `this`. */
export function findConstructedPaths(facts: Facts, body: t.BlockStatement, keys: readonly string[]): ShapePaths | undefined {
  const own: t.ThisExpression[] = [];
  walkWithin(body, (node) => {
    if (isFunction(node) || isClass(node)) return false;
    if (node.type === 'ThisExpression') own.push(node);
    return true;
  });
  return own.length > MAX_MENTIONS ? undefined : new Walk(facts, own, keys).run(body.body, true);
}

class Walk {
  readonly #facts: Facts;
  readonly #references: readonly (t.Identifier | t.ThisExpression)[];
  readonly #start: readonly string[];
  /** The loop that creates the objects. */
  readonly #loop: Node | undefined;
  /** The shapes, by the outcomes of the tests that are the same in all iterations of one loop. */
  readonly #shapesByOutcome = new Map<string, Map<string, readonly string[]>>();
  readonly #shared = new Map<string, boolean>();
  readonly #exits: Node[] = [];
  readonly #assignments: AddedField[] = [];
  /** Position of the last mention of the object. */
  readonly #end: number;
  #isLost = false;
  #isConstructor = false;
  #depth = 0;

  constructor(facts: Facts, references: readonly (t.Identifier | t.ThisExpression)[], start: readonly string[], loop?: Node) {
    this.#facts = facts;
    this.#loop = loop;
    this.#start = start;
    this.#references = references;
    const last = references.at(-1);
    this.#end = last ? startOf(last) : 0;
  }

  /** @param decided the outcomes of tests before the statements */
  run(statements: readonly Node[], isConstructor: boolean, decided: Path['decided'] = new Map()): ShapePaths | undefined {
    this.#isConstructor = isConstructor;
    const atEnd = this.#all(statements, [{ keys: this.#start, decided }]);
    if (isConstructor) this.#recordShapes(atEnd);
    if (this.#isLost || (this.#exits.length === 0 && !isConstructor)) return undefined;
    // One loop only creates objects of one outcome: `if (withTotals) row.total = …`.
    const shapes = [...this.#shapesByOutcome.values()]
      .map((group) => [...group.values()])
      .reduce((most, group) => (group.length > most.length ? group : most), []);
    const first = this.#assignments.filter(
      (field, i) => this.#assignments.findIndex((other) => other.name === field.name) === i && !this.#start.includes(field.name),
    );
    const partly = first.filter(({ name }) => shapes.some((keys) => keys.includes(name)) && shapes.some((keys) => !keys.includes(name)));
    const isOrder = partly.length === 0;
    return {
      shapes: shapes.length,
      added: isOrder ? first.filter(({ name }) => new Set(shapes.map((keys) => keys.indexOf(name))).size > 1) : partly,
      isOrder,
      exits: this.#exits,
    };
  }

  #recordShapes(paths: readonly Path[]): void {
    for (const path of paths) {
      const outcome = [...path.decided]
        .filter(([text]) => this.#shared.get(text))
        .map(([text, is]) => `${text}${is}`)
        .sort()
        .join('\n');
      const group = this.#shapesByOutcome.get(outcome) ?? new Map<string, readonly string[]>();
      this.#shapesByOutcome.set(outcome, group.set(path.keys.join('\n'), path.keys));
    }
  }

  /**
   * Whether a test has the same outcome in all iterations of the loop: it only reads outer variables that the loop does not write. Without a
   * loop, in the whole process: it only reads constants of the module.
   */
  #isShared(test: Node): boolean {
    const loop = this.#loop;
    let is = true;
    walkWithin(test, (node) => {
      if (!is) return false;
      if (
        node.type === 'CallExpression' ||
        node.type === 'OptionalCallExpression' ||
        node.type === 'NewExpression' ||
        node.type === 'AwaitExpression' ||
        node.type === 'AssignmentExpression' ||
        node.type === 'UpdateExpression' ||
        node.type === 'ThisExpression'
      )
        is = false;
      // The value of a property may differ in each iteration.
      if (isMember(node)) is = false;
      const binding = node.type === 'Identifier' ? this.#facts.bindings.resolve(node) : undefined;
      if (
        node.type === 'Identifier' &&
        (!binding ||
          (loop
            ? contains(loop, binding.identifier) || this.#facts.bindings.writes(binding).some((write) => contains(loop, write.node))
            : binding.scope.type !== 'Program' || !this.#facts.bindings.isConstant(binding)))
      )
        is = false;
      return is;
    });
    return is;
  }

  #all(statements: readonly Node[], paths: Path[]): Path[] {
    let at = paths;
    for (const statement of statements) {
      if (this.#isLost || at.length === 0) return [];
      if (startOf(statement) > this.#end) break;
      at = this.#one(statement, at);
    }
    return at;
  }

  #one(node: Node, paths: Path[]): Path[] {
    this.#depth += 1;
    if (this.#depth > DEEPEST) this.#isLost = true;
    const after = this.#isLost ? [] : this.#statement(node, paths);
    this.#depth -= 1;
    return after;
  }

  #statement(node: Node, paths: Path[]): Path[] {
    const isTouched = this.#references.some((reference) => contains(node, reference));
    switch (node.type) {
      case 'BlockStatement':
        return this.#all(node.body, paths);
      case 'LabeledStatement':
        return this.#one(node.body, paths);
      case 'IfStatement': {
        const after = this.#expression(node.test, paths);
        const { taken, skipped } = this.#fork(node.test, after, isTouched);
        return merge([...this.#one(node.consequent, taken), ...(node.alternate ? this.#one(node.alternate, skipped) : skipped)]);
      }
      case 'ReturnStatement':
      case 'ThrowStatement':
        if (node.argument) this.#expression(node.argument, paths);
        if (this.#isConstructor && node.type === 'ReturnStatement') this.#recordShapes(paths);
        return [];
      case 'ContinueStatement':
      case 'BreakStatement':
        return [];
      case 'TryStatement': {
        const through = this.#one(node.block, paths);
        const caught = node.handler && isTouched ? this.#one(node.handler.body, merge([...paths, ...through])) : [];
        const both = merge([...through, ...caught]);
        return node.finalizer ? this.#one(node.finalizer, both) : both;
      }
      case 'SwitchStatement':
        return isTouched ? this.#switch(node, this.#expression(node.discriminant, paths)) : paths;
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        // `for (const key in source) if (…) copy.x = …`: filled key by key, in any order.
        if (this.#references.some((reference) => contains(node.body, reference) && isFieldWrite(reference))) this.#isLost = true;
        return isTouched ? merge([...paths, ...this.#one(node.body, paths)]) : paths;
      default:
        return isTouched ? this.#expression(node, paths) : paths;
    }
  }

  #switch(node: t.SwitchStatement, paths: Path[]): Path[] {
    const out: Path[] = node.cases.some((one) => !one.test) ? [] : [...paths];
    let falling: Path[] = [];
    for (const one of node.cases) {
      const body = one.consequent.flatMap((statement) => (statement.type === 'BlockStatement' ? statement.body : [statement]));
      const end = body.findIndex((statement) => statement.type === 'BreakStatement');
      const after = this.#all(end < 0 ? body : body.slice(0, end), merge([...falling, ...paths]));
      if (end < 0) falling = after;
      else {
        out.push(...after);
        falling = [];
      }
    }
    return merge([...out, ...falling]);
  }

  /** Both outcomes of a test. A path with an earlier test of the same text has only one. */
  #fork(test: Node, paths: Path[], matters: boolean): { taken: Path[]; skipped: Path[] } {
    if (!matters && paths.length > 1) return { taken: paths, skipped: paths };
    const { text, isNegated } = readTest(this.#facts, test);
    if (!this.#shared.has(text)) this.#shared.set(text, this.#isShared(test));
    const taken: Path[] = [];
    const skipped: Path[] = [];
    for (const path of paths) {
      const known = path.decided.get(text);
      if (known !== false) (isNegated ? skipped : taken).push({ keys: path.keys, decided: new Map(path.decided).set(text, true) });
      if (known !== true) (isNegated ? taken : skipped).push({ keys: path.keys, decided: new Map(path.decided).set(text, false) });
    }
    if (taken.length + skipped.length > MAX_PATHS)
      return { taken: taken.slice(0, MAX_PATHS / 2), skipped: skipped.slice(0, MAX_PATHS / 2) };
    return { taken, skipped };
  }

  /** Assignments in an expression, and whether it passes the object on. */
  #expression(node: Node, paths: Path[]): Path[] {
    this.#depth += 1;
    if (this.#depth > DEEPEST) this.#isLost = true;
    const after = this.#isLost ? [] : this.#evaluate(node, paths);
    this.#depth -= 1;
    return after;
  }

  #evaluate(node: Node, paths: Path[]): Path[] {
    const inner = node.type === 'ExpressionStatement' ? unwrap(node.expression) : node;
    if (inner.type === 'LogicalExpression') {
      const after = this.#expression(inner.left, paths);
      const { taken, skipped } = this.#fork(inner.left, after, true);
      return inner.operator === '&&'
        ? merge([...this.#expression(inner.right, taken), ...skipped])
        : merge([...taken, ...this.#expression(inner.right, skipped)]);
    }
    if (inner.type === 'ConditionalExpression') {
      const { taken, skipped } = this.#fork(inner.test, this.#expression(inner.test, paths), true);
      return merge([...this.#expression(inner.consequent, taken), ...this.#expression(inner.alternate, skipped)]);
    }
    let at = paths;
    for (const reference of this.#references) if (contains(inner, reference)) at = this.#use(reference, inner, at);
    return at;
  }

  #use(reference: t.Identifier | t.ThisExpression, within: Node, paths: Path[]): Path[] {
    if (isInOtherFunction(reference, within)) {
      // A closure may add fields at any time.
      if (isFieldWrite(reference)) this.#isLost = true;
      return paths;
    }
    const write = reference.type === 'Identifier' ? writeOf(reference) : undefined;
    if (write) {
      const shape = write.value && this.#facts.shapes.shapeOf(write.value);
      if (!shape?.isComplete || shape.made !== 'literal') this.#isLost = true;
      return paths.map((path) => ({ keys: shape?.keys ?? [], decided: path.decided }));
    }
    const member = parentOf(reference);
    if (isMember(member) && member.object === reference) {
      const above = parentOf(member);
      if (above?.type === 'UnaryExpression' && above.operator === 'delete') this.#isLost = true;
      if (above?.type !== 'AssignmentExpression' || above.left !== member) return paths;
      const name = memberName(member);
      if (name === undefined) {
        // Computed keys: a dictionary.
        this.#isLost = true;
        return paths;
      }
      // `o.x = undefined` on some path: the code clears fields instead of leaving them out or deleting them.
      if (above.right.type === 'Identifier' && above.right.name === 'undefined') this.#isLost = true;
      this.#assignments.push({ name, site: above });
      return paths.map((path) => (path.keys.includes(name) ? path : { keys: [...path.keys, name], decided: path.decided }));
    }
    if (!this.#isConstructor && isPassedOn(this.#facts, reference)) {
      this.#exits.push(reference);
      this.#recordShapes(paths);
    } else if (isChangedByCall(reference)) this.#isLost = true;
    return paths;
  }
}

/** Paths that only differ in earlier tests count once. */
function merge(paths: readonly Path[]): Path[] {
  const seen = new Map<string, Path>();
  for (const path of paths) {
    const key = `${path.keys.join('\n')}\n\n${[...path.decided]
      .map(([text, outcome]) => `${text}${outcome}`)
      .sort()
      .join('\n')}`;
    if (!seen.has(key)) seen.set(key, path);
  }
  const all = [...seen.values()];
  if (all.length <= MAX_PATHS) return all;
  const byKeys = new Map(all.map((path) => [path.keys.join('\n'), path]));
  return [...byKeys.values()].slice(0, MAX_PATHS);
}

function readTest(facts: Facts, test: Node): { text: string; isNegated: boolean } {
  const node = unwrap(test);
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    const inner = readTest(facts, node.argument);
    return { text: inner.text, isNegated: !inner.isNegated };
  }
  if (node.type === 'BinaryExpression' && (node.operator === '!==' || node.operator === '!=')) {
    return {
      text: `${facts.source.slice(node.left)} ${node.operator === '!=' ? '==' : '==='} ${facts.source.slice(node.right)}`,
      isNegated: true,
    };
  }
  return { text: facts.source.slice(node).replace(/\s+/g, ' '), isNegated: false };
}

/** `if (!context) return` before the object is made: there is a `context` then, as long as nothing else is assigned to it. */
function decidedBefore(start: Node, facts: Facts): Map<string, boolean> {
  const decided = new Map<string, boolean>();
  let statement: Node | undefined = start;
  while (statement && parentOf(statement)?.type !== 'BlockStatement') statement = parentOf(statement);
  const block = statement && parentOf(statement);
  if (block?.type !== 'BlockStatement') return decided;
  for (const one of block.body.slice(0, indexAfter(block.body, startOf(start) - 1))) {
    if (one.type !== 'IfStatement' || one.alternate || !leaves(one.consequent)) continue;
    const { text, isNegated } = readTest(facts, one.test);
    const test = unwrap(one.test);
    const asked = test.type === 'UnaryExpression' ? unwrap(test.argument) : test;
    const binding = asked.type === 'Identifier' ? facts.bindings.resolve(asked) : undefined;
    if (binding && facts.bindings.isConstant(binding)) decided.set(text, isNegated);
  }
  return decided;
}

function leaves(statement: Node): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement;
  return last !== undefined && /^(?:Return|Throw|Continue|Break)Statement$/.test(last.type);
}

/** The statements that follow in the same block, and in the blocks around it, up to that of the function or the loop. */
function statementsAfter(start: Node): Node[] | undefined {
  let statement = start;
  while (statement.type !== 'VariableDeclaration' && statement.type !== 'ExpressionStatement') {
    const up = parentOf(statement);
    if (!up || isFunction(up)) return undefined;
    statement = up;
  }
  const block = parentOf(statement);
  return block?.type === 'BlockStatement' ? block.body.slice(indexAfter(block.body, startOf(statement))) : undefined;
}

/** Index of the first statement after an offset. A block may have thousands. */
function indexAfter(statements: readonly Node[], offset: number): number {
  let low = 0;
  let high = statements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startOf(statements[middle] as Node) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isInOtherFunction(reference: Node, within: Node): boolean {
  if (reference === within) return false;
  for (let at = parentOf(reference); at && at !== within; at = parentOf(at)) if (isFunction(at)) return true;
  return isFunction(within);
}

function isFieldWrite(reference: Node): boolean {
  const member = parentOf(reference);
  const above = member && parentOf(member);
  return isMember(member) && member.object === reference && above?.type === 'AssignmentExpression' && above.left === member;
}

const COLLECTING: ReadonlySet<string> = new Set(['push', 'unshift', 'add', 'set', 'enqueue']);

/**
 * Whether a use puts the object next to others of its kind: returned, yielded, pushed, stored under a changing key, passed to a function of
 * this file.
 */
function isPassedOn(facts: Facts, reference: Node): boolean {
  let at = reference;
  let parent = parentOf(at);
  while (parent && (unwrap(parent) === reference || parent.type === 'ConditionalExpression' || parent.type === 'AwaitExpression')) {
    at = parent;
    parent = parentOf(at);
  }
  switch (parent?.type) {
    case 'ReturnStatement':
    case 'YieldExpression':
      return true;
    case 'ArrowFunctionExpression':
      return parent.body === at;
    case 'AssignmentExpression':
      return parent.right === at && isMember(parent.left) && memberName(parent.left) === undefined;
    case 'CallExpression': {
      if (parent.callee === at) return false;
      if (isMember(parent.callee) && COLLECTING.has(memberName(parent.callee) ?? '')) return true;
      return facts.calls.functionsOf(parent.callee).length > 0;
    }
    default:
      return false;
  }
}

/** `Object.assign(o, …)`, `_.extend(o, …)`, `Object.defineProperty(o, …)`: fields that the source does not show. */
function isChangedByCall(reference: Node): boolean {
  const call = parentOf(reference);
  if (call?.type !== 'CallExpression' || call.arguments[0] !== reference || !isMember(call.callee)) return false;
  return /^(?:assign|extend|merge|defaults|defaultsDeep|assignIn|define\w*|setPrototypeOf|mixin)$/.test(memberName(call.callee) ?? '');
}
