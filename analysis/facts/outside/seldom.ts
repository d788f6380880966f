// Places of a command that most of its runs do not get to: the branch of an option, of one subcommand, of a failure.
import {
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import type { Bindings } from '../bindings.ts';

/** What holds a command's options: `argv.watch`, `program.opts().watch`, `cli.flags.watch`. */
const ARGUMENTS = /^(?:argv|args|flags|opts|cli(?:Args|Options|Flags)?|program|parsed(?:Args)?)$/;
/** What may be the options of anything. */
const OPTIONS = /^(?:options|opts)$/;
/** Options that a run has as a rule, or that are on by default. */
const USUAL =
  /^(?:_|args|cache|colou?rs?|config\w*|cwd|dest\w*|dir\w*|entry|files?|flags|host|in(?:put)?s?|length|name|options|opts|out\w*|params|path|port|root|source|src|target|url|values?)$/i;
/** Options that are seldom given, whatever holds them. */
const SELDOM =
  /^(?:help|version|watch|debug|verbose|trace|profile|init|interactive|wizard|setup|prompt|ask|fix|dry(?:Run)?|open|serve|stats|analyze|report|update|upgrade|completion|inspect|(?:as)?(?:json|html|pdf|xml|csv|yaml))$/i;
const FAILING = /^(?:error|uncaughtException|unhandledRejection)$/;
/** Names of registrations that libraries for command lines have: https://github.com/tj/commander.js, cac, sade, vorpal; yargs */
const ANY_COMMAND = /^[$*]|\*$/;
const MOST_STEPS = 12;
/** Of a variable. Each may lead to others. */
const MOST_VALUES = 3;
const STEPS_OF_VARIABLE = 4;

/** For one file. What is around many calls is judged once. */
export class SeldomPlaces {
  readonly #bindings: Bindings;
  readonly #tests = new Map<Node, boolean>();
  /** By block: the end of its first `if (!argv.watch) return`; `Infinity` if there is none. */
  readonly #wayOut = new Map<Node, number>();

  constructor(bindings: Bindings) {
    this.#bindings = bindings;
  }

  /** Whether only some runs get to a node, by what is around it, across functions. */
  has(node: Node): boolean {
    let from = node;
    for (let at = parentOf(node); at; from = at, at = parentOf(at)) if (this.#isPart(at, from)) return true;
    return false;
  }

  #isPart(at: Node, part: Node): boolean {
    switch (at.type) {
      case 'CatchClause':
        return true;
      case 'IfStatement':
      case 'ConditionalExpression':
        return (
          (at.consequent === part && this.#isOption(at.test)) ||
          (at.alternate === part && at.test.type === 'UnaryExpression' && at.test.operator === '!' && this.#isOption(at.test.argument))
        );
      case 'LogicalExpression':
        return at.operator === '&&' && at.right === part && this.#isOption(at.left);
      case 'BlockStatement':
      case 'Program':
        return (part.start ?? 0) >= this.#wayOutOf(at);
      // `.catch((error) => …)`, `.on('error', (error) => …)`
      case 'CallExpression':
        return isFunction(part) && isForFailures(at);
      default:
        return false;
    }
  }

  #isOption(test: Node): boolean {
    let is = this.#tests.get(test);
    if (is === undefined) this.#tests.set(test, (is = isOption(test, this.#bindings, 0)));
    return is;
  }

  #wayOutOf(block: t.BlockStatement | t.Program): number {
    let end = this.#wayOut.get(block);
    if (end === undefined) {
      const out = block.body.find(
        (statement) =>
          statement.type === 'IfStatement' &&
          statement.test.type === 'UnaryExpression' &&
          statement.test.operator === '!' &&
          this.#isOption(statement.test.argument) &&
          isReturn(statement.consequent),
      );
      this.#wayOut.set(block, (end = out?.end ?? Infinity));
    }
    return end;
  }
}

function isReturn(node: Node): boolean {
  return node.type === 'ReturnStatement' || (node.type === 'BlockStatement' && node.body.at(-1)?.type === 'ReturnStatement');
}

export function isForFailures({ callee, arguments: args }: CallNode): boolean {
  const target = unwrap(callee);
  const name = isMember(target) ? memberName(target) : undefined;
  if (name === 'catch') return true;
  const [first] = args;
  return /^(?:on|once)$/.test(name ?? '') && first !== undefined && FAILING.test(staticName(unwrap(first), true) ?? '');
}

/** `argv.watch`, `process.argv.includes('--watch')`, `command === 'init'` */
function isOption(test: Node, bindings: Bindings, steps: number): boolean {
  const node = unwrap(test);
  if (steps > MOST_STEPS) return false;
  switch (node.type) {
    case 'LogicalExpression':
      return node.operator === '&&'
        ? isOption(node.left, bindings, steps + 1) || isOption(node.right, bindings, steps + 1)
        : isOption(node.left, bindings, steps + 1) && isOption(node.right, bindings, steps + 1);
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const name = memberName(node);
      if (name === undefined || USUAL.test(name)) return false;
      const holder = unwrap(node.object);
      const call = isCall(holder) ? unwrap(holder.callee) : holder;
      const held = call.type === 'Identifier' ? call.name : isMember(call) ? (memberName(call) ?? '') : '';
      return (
        (ARGUMENTS.test(held) && !OPTIONS.test(held)) || (isCall(holder) && held === 'opts') || (OPTIONS.test(held) && SELDOM.test(name))
      );
    }
    // `process.argv.includes('--watch')`
    case 'CallExpression': {
      const callee = unwrap(node.callee);
      const [first] = node.arguments;
      return isMember(callee) && memberName(callee) === 'includes' && (first && staticName(unwrap(first), true))?.startsWith('-') === true;
    }
    case 'Identifier': {
      // `const { watch } = argv`, `const isWatching = argv.watch`
      const declaration = bindings.resolve(node)?.declaration;
      return (
        declaration?.type === 'VariableDeclarator' &&
        declaration.id.type === 'Identifier' &&
        declaration.init != null &&
        unwrap(declaration.init).type !== 'Identifier' &&
        isOption(declaration.init, bindings, steps + 1)
      );
    }
    default:
      return false;
  }
}

/**
 * Whether a call runs one of several, or the functions that it is passed for one of several subcommands: `.command('init').action(init)`.
 */
export function isOneOfSeveral(call: CallNode, bindings: Bindings): boolean {
  const callee = unwrap(call.callee);
  if (!isMember(callee)) return callee.type === 'Identifier' && isChosen(callee, bindings);
  if (callee.computed && memberName(callee) === undefined) return true;
  const name = memberName(callee);
  if (name === 'action') return hasOwnCommand(callee.object, bindings, 0);
  const [first] = call.arguments;
  if (name === 'command' && call.arguments.length > 2) return first !== undefined && isNamed(first);
  const object = unwrap(callee.object);
  return isMember(object) && object.computed && memberName(object) === undefined;
}

/** `const run = commands[name]; run()` */
function isChosen(identifier: Node & { type: 'Identifier' }, bindings: Bindings): boolean {
  const declaration = bindings.resolve(identifier)?.declaration;
  const init = declaration?.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' ? declaration.init : undefined;
  const value = init ? unwrap(init) : undefined;
  return isMember(value) && value.computed && memberName(value) === undefined;
}

function isNamed(node: Node): boolean {
  const list = unwrap(node);
  const name = list.type === 'ArrayExpression' ? list.elements[0] : list;
  const text = name ? staticName(unwrap(name), true) : undefined;
  return text !== undefined && !ANY_COMMAND.test(text);
}

/** Whether a chain has a `.command('name')`: `program.command('init').option('-f').action(init)`. */
function hasOwnCommand(node: Node, bindings: Bindings, steps: number): boolean {
  const at = unwrap(node);
  if (steps > MOST_STEPS) return false;
  if (at.type === 'Identifier') {
    const binding = bindings.resolve(at);
    const { declaration } = binding ?? {};
    if (!binding || declaration?.type !== 'VariableDeclarator' || declaration.id.type !== 'Identifier') return false;
    // `cmd = program.command('lift'); cmd.action(lift); cmd = program.command('new'); …`
    const values = bindings.assignedValues(binding).filter((value) => value !== undefined);
    return [...values.slice(0, MOST_VALUES), ...(declaration.init ? [declaration.init] : [])].some((value) =>
      hasOwnCommand(value, bindings, steps + STEPS_OF_VARIABLE),
    );
  }
  if (at.type === 'NewExpression') {
    const callee = unwrap(at.callee);
    return callee.type === 'Identifier' && callee.name === 'Command' && at.arguments[0] !== undefined;
  }
  if (!isCall(at)) return false;
  const callee = unwrap(at.callee);
  if (!isMember(callee)) return false;
  const [first, , options] = at.arguments;
  if (memberName(callee) === 'command')
    return first !== undefined && isNamed(first) && !(options && JSON.stringify(keysOf(options)).includes('isDefault'));
  return hasOwnCommand(callee.object, bindings, steps + 1);
}

function keysOf(node: Node): readonly string[] {
  return node.type === 'ObjectExpression'
    ? node.properties.flatMap((property) =>
        property.type === 'ObjectProperty' && property.key.type === 'Identifier' ? property.key.name : [],
      )
    : [];
}
