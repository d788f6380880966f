// Documents that say where text may be broken, and how a width decides it. The algorithm is Prettier's (after Wadler's "A prettier
// printer"), so that code formatted with Prettier stays as Prettier would have it. It covers what fixes write: expressions, and heads of
// statements.

export type Doc = string | readonly Doc[] | Indent | Group | Line | IfBreak | IndentIfBroken | BreakParent;

interface Indent {
  kind: 'indent';
  contents: Doc;
  /** Spaces instead of a step of indentation. */
  spaces?: number;
}

export interface Group {
  kind: 'group';
  contents: Doc;
  isBroken: boolean;
  /** Forms to try one after the other, from the most compact one. The first is `contents`. */
  states?: readonly Doc[];
}

interface Line {
  kind: 'line';
  /** `literal`: the next line is not indented, as in a template. */
  type: 'space' | 'soft' | 'hard' | 'literal';
}

interface IfBreak {
  kind: 'if-break';
  broken: Doc;
  flat: Doc;
}

interface IndentIfBroken {
  kind: 'indent-if-broken';
  contents: Doc;
  group: Group;
}

interface BreakParent {
  kind: 'break-parent';
}

export const line: Line = { kind: 'line', type: 'space' };
export const softLine: Line = { kind: 'line', type: 'soft' };
export const hardLine: Line = { kind: 'line', type: 'hard' };
export const literalLine: Line = { kind: 'line', type: 'literal' };
export const breakParent: BreakParent = { kind: 'break-parent' };

export function indent(contents: Doc): Indent {
  return { kind: 'indent', contents };
}

export function align(spaces: number, contents: Doc): Indent {
  return { kind: 'indent', contents, spaces };
}

export function group(contents: Doc, isBroken = false): Group {
  return { kind: 'group', contents, isBroken };
}

/** The first of the forms that fits; the last one, broken, if none does. */
export function firstThatFits(states: readonly [Doc, ...Doc[]]): Group {
  return { kind: 'group', contents: states[0], isBroken: false, states };
}

export function ifBreak(broken: Doc, flat: Doc = ''): IfBreak {
  return { kind: 'if-break', broken, flat };
}

export function indentIfBroken(contents: Doc, of: Group): IndentIfBroken {
  return { kind: 'indent-if-broken', contents, group: of };
}

export function join(separator: Doc, docs: readonly Doc[]): Doc[] {
  return docs.flatMap((doc, i) => (i === 0 ? [doc] : [separator, doc]));
}

function isList(doc: Doc): doc is readonly Doc[] {
  return Array.isArray(doc);
}

/** Whether a document has a line break at every width. */
export function willBreak(doc: Doc): boolean {
  if (typeof doc === 'string') return false;
  if (isList(doc)) return doc.some(willBreak);
  switch (doc.kind) {
    case 'break-parent':
      return true;
    case 'line':
      return doc.type === 'hard' || doc.type === 'literal';
    case 'if-break':
      return willBreak(doc.broken) || willBreak(doc.flat);
    case 'group':
      return doc.isBroken || willBreak(doc.contents);
    default:
      return willBreak(doc.contents);
  }
}

/** The document on one line. */
export function withoutLines(doc: Doc): Doc {
  if (typeof doc === 'string') return doc;
  if (isList(doc)) return doc.map(withoutLines);
  switch (doc.kind) {
    case 'line':
      return doc.type === 'space' ? ' ' : doc.type === 'soft' ? '' : doc;
    case 'if-break':
      return withoutLines(doc.flat);
    case 'break-parent':
      return doc;
    default:
      return withoutLines(doc.contents);
  }
}

/** Breaks all groups around what breaks anyway. Returns whether the document does. */
function spreadBreaks(doc: Doc): boolean {
  if (typeof doc === 'string') return false;
  if (isList(doc)) return doc.map(spreadBreaks).includes(true);
  switch (doc.kind) {
    case 'break-parent':
      return true;
    case 'line':
      return doc.type === 'hard' || doc.type === 'literal';
    case 'if-break': {
      const broken = spreadBreaks(doc.broken);
      return spreadBreaks(doc.flat) || broken;
    }
    case 'group': {
      if (doc.states) for (const state of doc.states) spreadBreaks(state);
      else if (spreadBreaks(doc.contents)) doc.isBroken = true;
      return doc.isBroken;
    }
    default:
      return spreadBreaks(doc.contents);
  }
}

interface Command {
  indent: string;
  isFlat: boolean;
  doc: Doc;
}

export interface PrintOptions {
  width: number;
  /** One step of indentation. */
  step: string;
  /** The indentation of the line on which the document begins. */
  indent: string;
  /** The column at which it begins. */
  column: number;
  lineBreak: string;
}

export function printDoc(doc: Doc, options: PrintOptions): string {
  spreadBreaks(doc);
  return new DocPrinter(options).print(doc);
}

/** Columns of a text. Tabs count as Prettier's default, and wide characters as one: few names have any. */
export function columnsOf(text: string): number {
  let columns = text.length;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === TAB) columns++;
  return columns;
}

const TAB = 9;

class DocPrinter {
  readonly #options: PrintOptions;
  readonly #broken = new Set<Group>();
  #out = '';
  #column: number;

  constructor(options: PrintOptions) {
    this.#options = options;
    this.#column = options.column;
  }

  print(root: Doc): string {
    const commands: Command[] = [{ indent: this.#options.indent, isFlat: false, doc: root }];
    // After a line break in flat text, groups are measured again.
    let measuresAgain = false;
    for (let command = commands.pop(); command; command = commands.pop()) {
      const { indent: at, isFlat, doc } = command;
      if (typeof doc === 'string') {
        this.#out += doc;
        this.#column += columnsOf(doc);
      } else if (isList(doc)) {
        for (let i = doc.length - 1; i >= 0; i--) commands.push({ indent: at, isFlat, doc: doc[i] as Doc });
      } else if (doc.kind === 'group') {
        const next = isFlat && !measuresAgain ? inFlat(command, doc) : this.#choose(command, doc, commands);
        measuresAgain = false;
        if (!next.isFlat) this.#broken.add(doc);
        commands.push(next);
      } else if (doc.kind === 'line') {
        if (isFlat && doc.type === 'space') {
          this.#out += ' ';
          this.#column++;
        } else if (!isFlat || doc.type === 'hard' || doc.type === 'literal') {
          if (isFlat) measuresAgain = true;
          this.#breakLine(doc.type === 'literal' ? '' : at);
        }
      } else if (doc.kind !== 'break-parent') commands.push(this.#inner(command, doc));
    }
    return this.#out;
  }

  #breakLine(at: string): void {
    this.#out = withoutBlanksAtEnd(this.#out) + this.#options.lineBreak + at;
    this.#column = columnsOf(at);
  }

  #inner({ indent: at, isFlat }: Command, doc: Indent | IfBreak | IndentIfBroken): Command {
    if (doc.kind === 'if-break') return { indent: at, isFlat, doc: isFlat ? doc.flat : doc.broken };
    if (doc.kind === 'indent-if-broken')
      return { indent: this.#broken.has(doc.group) ? at + this.#options.step : at, isFlat, doc: doc.contents };
    return { indent: at + (doc.spaces === undefined ? this.#options.step : ' '.repeat(doc.spaces)), isFlat, doc: doc.contents };
  }

  /** The form of a group that fits on the rest of the line. */
  #choose({ indent: at }: Command, doc: Group, rest: readonly Command[]): Command {
    const flat: Command = { indent: at, isFlat: true, doc: doc.contents };
    if (!doc.isBroken && this.#fits(flat, rest)) return flat;
    if (!doc.states) return { indent: at, isFlat: false, doc: doc.contents };
    if (!doc.isBroken) {
      for (const state of doc.states.slice(1)) {
        const next: Command = { indent: at, isFlat: true, doc: state };
        if (this.#fits(next, rest)) return next;
      }
    }
    return { indent: at, isFlat: false, doc: doc.states.at(-1) as Doc };
  }

  /** Whether everything up to the next possible line break fits. */
  #fits(first: Command, rest: readonly Command[]): boolean {
    let left = this.#options.width - this.#column;
    let restAt = rest.length;
    const commands: { isFlat: boolean; doc: Doc }[] = [first];
    while (left >= 0) {
      const command = commands.pop() ?? rest[--restAt];
      if (!command) return true;
      const { isFlat, doc } = command;
      if (typeof doc === 'string') left -= columnsOf(doc);
      else if (isList(doc)) for (let i = doc.length - 1; i >= 0; i--) commands.push({ isFlat, doc: doc[i] as Doc });
      else if (doc.kind === 'group') commands.push(inFlat({ indent: '', isFlat, doc }, doc));
      else if (doc.kind === 'line') {
        if (!isFlat || doc.type === 'hard' || doc.type === 'literal') return true;
        if (doc.type === 'space') left--;
      } else if (doc.kind === 'if-break') commands.push({ isFlat, doc: isFlat ? doc.flat : doc.broken });
      else if (doc.kind !== 'break-parent') commands.push({ isFlat, doc: doc.contents });
    }
    return false;
  }
}

function inFlat({ indent: at, isFlat }: Command, doc: Group): Command {
  const isStillFlat = isFlat && !doc.isBroken;
  return { indent: at, isFlat: isStillFlat, doc: doc.states && !isStillFlat ? (doc.states.at(-1) as Doc) : doc.contents };
}

/** An expression would look at all of a long text, each time that a line ends. */
function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(0, end);
}
