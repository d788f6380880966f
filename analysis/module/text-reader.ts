// Reads successive versions of one text, and reuses everything that an edit did not touch.
import { endOf, isFunction, parentOf, startOf, type FunctionNode, type Node, type t } from './ast.ts';
import { findIdlePlace } from './idle-place.ts';
import { MAX_DEPTH, ModuleIndex } from './module-index.ts';
import { changeBetween, type OffsetChange } from './moved-findings.ts';
import { parse, parseFragment, isPlainJavaScript, type ParseIssue } from './parse.ts';

/** `idle`: the change from the previous version, if rules can see nothing of it but positions. */
export type ReadOutcome = { ok: true; module: ModuleIndex; isPlain: boolean; idle?: OffsetChange } | { ok: false; issue: ParseIssue };

interface Version {
  file: string;
  text: string;
  module: ModuleIndex;
}

/** A part of the tree that can be parsed without its surroundings. */
interface Part {
  node: t.BlockStatement | t.Statement;
  /** The function whose body it is; undefined for a statement of the program. */
  of: FunctionNode | undefined;
}

/** The depth never decreases while parts are replaced, so deep trees are parsed again from the start. */
const DEEP = MAX_DEPTH / 2;

/** The module of a text, parsed as a whole. */
export function readModule(file: string, text: string): ReadOutcome {
  const outcome = parse(file, text);
  if (!outcome.ok) return outcome;
  const module = new ModuleIndex(outcome.ast);
  return module.depth > MAX_DEPTH
    ? { ok: false, issue: { message: 'nested too deeply to be parsed', offset: 0 } }
    : { ok: true, module, isPlain: outcome.isPlain };
}

/**
 * Reads like `readModule`. If an edit stays within the body of a function, or within a statement of the program, only that part is parsed.
 * Everything around it stays valid, because the part ends where it ended before. The previous tree is changed in place, so a module is only
 * valid until the next one is read.
 */
export class TextReader {
  #last: Version | undefined;

  read(file: string, text: string): ReadOutcome {
    const outcome = this.#readChanged(file, text) ?? readModule(file, text);
    // Text that cannot be parsed is half typed: the next version is compared with the last one that could. Parts are parsed as plain
    // JavaScript.
    if (outcome.ok) this.#last = outcome.isPlain && outcome.module.depth < DEEP ? { file, text, module: outcome.module } : undefined;
    return outcome;
  }

  #readChanged(file: string, text: string): ReadOutcome | undefined {
    const last = this.#last;
    if (last?.file !== file || !isPlainJavaScript(file, text)) return undefined;
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
    // A part that ended with its own brace must still do so.
    if (!part.of && outcome.fragment.node.type !== part.node.type) return undefined;
    // If replacing fails halfway, the changed tree is not used again.
    this.#last = undefined;
    module.replace(part.node, outcome.fragment);
    return module.depth > MAX_DEPTH ? undefined : { ok: true, module, isPlain: true };
  }
}

/** The smallest part that contains the change. */
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
    // A directive in a body also affects the parameters.
    if (isFunction(of)) return node.directives.length === 0 ? { node, of } : undefined;
  }
  return undefined;
}

function findStatement(module: ModuleIndex, before: string, { start, removed }: OffsetChange): Part | undefined {
  const node = module.program.body.find((statement) => startOf(statement) < start && start + removed < endOf(statement));
  if (!node || !(isDeclaration(node) || before.charAt(endOf(node) - 1) === ';')) return undefined;
  // The first word and the text after it decide where the previous statement ends.
  const [head = ''] = /^[\w$]*[^]?/.exec(before.slice(startOf(node), startOf(node) + LONGEST_HEAD)) ?? [];
  return start > startOf(node) + head.length && head.length < LONGEST_HEAD && !isDecorated(node) ? { node, of: undefined } : undefined;
}

const LONGEST_HEAD = 100;

/** Whether a statement ends at its last brace, whatever follows. */
function isDeclaration({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'ClassDeclaration';
}

function isDecorated(node: Node): boolean {
  return 'decorators' in node && Boolean(node.decorators?.length);
}

/**
 * Whether every node above has its children in the order of the text. A template lists its strings first, and decorators may precede their
 * class.
 */
function hasOrderedWay(node: Node): boolean {
  for (let at = parentOf(node); at; at = parentOf(at)) if (at.type === 'TemplateLiteral' || isDecorated(at)) return false;
  return true;
}
