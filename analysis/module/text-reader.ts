// Reads the versions of one text one after the other: what an edit did not touch is taken over from the version before.
import { endOf, isFunction, parentOf, startOf, type FunctionNode, type Node, type t } from './ast.ts';
import { findIdlePlace } from './idle-place.ts';
import { MAX_DEPTH, ModuleIndex } from './module-index.ts';
import { changeBetween, type OffsetChange } from './moved-findings.ts';
import { parse, parseFragment, readsPlainly, type ParseIssue } from './parse.ts';

/** `idle`: the change from the version read before, where it is one that no rule can see but for places. */
export type ReadOutcome = { ok: true; module: ModuleIndex; isPlain: boolean; idle?: OffsetChange } | { ok: false; issue: ParseIssue };

interface Version {
  file: string;
  text: string;
  module: ModuleIndex;
}

/** A part of the tree that can be read without what is around it. */
interface Part {
  node: t.BlockStatement | t.Statement;
  /** The function whose body it is; undefined for a statement of the program's own. */
  of: FunctionNode | undefined;
}

/** Depth is only ever counted upwards while parts are replaced, so that deep trees are read anew. */
const DEEP = MAX_DEPTH / 2;

/** The module of a text, read from the beginning. */
export function readModule(file: string, text: string): ReadOutcome {
  const outcome = parse(file, text);
  if (!outcome.ok) return outcome;
  const module = new ModuleIndex(outcome.ast);
  return module.depth > MAX_DEPTH
    ? { ok: false, issue: { message: 'nested too deeply to be parsed', offset: 0 } }
    : { ok: true, module, isPlain: outcome.isPlain };
}

/**
 * Reads like `readModule`. Where an edit stays within the body of a function, or within a statement of the program's own, that part alone
 * is read: what stands around it was read before, and reads the same, because it ends where it ended. The tree of the version before
 * is changed in place, so that a module is good until the next one is read.
 */
export class TextReader {
  #last: Version | undefined;

  read(file: string, text: string): ReadOutcome {
    const outcome = this.#readChanged(file, text) ?? readModule(file, text);
    // Text that cannot be read is half typed: the next one is compared with the last that could be.
    // Parts are read as plain JavaScript.
    if (outcome.ok) this.#last = outcome.isPlain && outcome.module.depth < DEEP ? { file, text, module: outcome.module } : undefined;
    return outcome;
  }

  #readChanged(file: string, text: string): ReadOutcome | undefined {
    const last = this.#last;
    if (last?.file !== file || !readsPlainly(file, text)) return undefined;
    const { module } = last;
    const change = changeBetween(last.text, text);
    if (last.text === text) return { ok: true, module, isPlain: true, idle: change };
    const place = findIdlePlace(module, last.text, text, change);
    if (place) {
      this.#last = undefined;
      module.move(place.around, place.comment, text, change);
      return { ok: true, module, isPlain: true, idle: change };
    }
    const part = findPart(module, last.text, change);
    if (!part) return undefined;
    const start = startOf(part.node);
    const end = endOf(part.node) + change.inserted - change.removed;
    const outcome = parseFragment(text, start, end, part.of);
    if (!outcome.ok) return outcome.issue && { ok: false, issue: outcome.issue };
    // What ends with its own brace must go on doing so.
    if (!part.of && outcome.fragment.node.type !== part.node.type) return undefined;
    // Should something fail half-way, nothing is left of the tree that it was done to.
    this.#last = undefined;
    module.replace(part.node, outcome.fragment);
    return module.depth > MAX_DEPTH ? undefined : { ok: true, module, isPlain: true };
  }
}

/** The smallest part that holds the change within itself. */
function findPart(module: ModuleIndex, before: string, change: OffsetChange): Part | undefined {
  const part = findBody(module, change) ?? findStatement(module, before, change);
  return part && hasOrderedWay(part.node) ? part : undefined;
}

function findBody(module: ModuleIndex, { start, removed }: OffsetChange): Part | undefined {
  const blocks = module.nodes('BlockStatement');
  for (let i = blocks.length - 1; i >= 0; i--) {
    const node = blocks[i] as t.BlockStatement;
    if (startOf(node) >= start || endOf(node) <= start + removed) continue;
    const of = parentOf(node);
    // A directive in a body is about the parameters, too.
    if (isFunction(of)) return node.directives.length === 0 ? { node, of } : undefined;
  }
  return undefined;
}

function findStatement(module: ModuleIndex, before: string, { start, removed }: OffsetChange): Part | undefined {
  const node = module.program.body.find((statement) => startOf(statement) < start && start + removed < endOf(statement));
  if (!node || !(isDeclaration(node) || before.charAt(endOf(node) - 1) === ';')) return undefined;
  // The first word and what comes behind it tell where the statement before ends.
  const [head = ''] = /^[\w$]*[^]?/.exec(before.slice(startOf(node), startOf(node) + LONGEST_HEAD)) ?? [];
  return start > startOf(node) + head.length && head.length < LONGEST_HEAD && !isDecorated(node) ? { node, of: undefined } : undefined;
}

const LONGEST_HEAD = 100;

/** Whether a statement is over at its last brace, whatever follows. */
function isDeclaration({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'ClassDeclaration';
}

function isDecorated(node: Node): boolean {
  return 'decorators' in node && Boolean(node.decorators?.length);
}

/**
 * Whether each node above lists what is below it as it stands in the text: a template lists its strings first, decorators may stand before
 * their class.
 */
function hasOrderedWay(node: Node): boolean {
  for (let at = parentOf(node); at; at = parentOf(at)) if (at.type === 'TemplateLiteral' || isDecorated(at)) return false;
  return true;
}
