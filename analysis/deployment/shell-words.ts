// Shell text as simple commands with positions: quotes, expansions, operators, comments, redirections, control words. Covers the part of
// POSIX sh that start commands use. Anything else becomes a word that expands, and such words are never trusted.

export interface Word {
  /** Without quotes and backslashes. Expansions are kept as written. */
  text: string;
  start: number;
  end: number;
  quoted: boolean;
  /** Contains `$…`, a command substitution or a glob that only the shell can resolve. */
  expands: boolean;
}

export interface Assignment {
  name: string;
  value: Word;
  start: number;
  end: number;
}

export type Connector = '&&' | '||' | ';' | '|' | '&' | '';

export interface SimpleCommand {
  assignments: readonly Assignment[];
  words: readonly Word[];
  start: number;
  end: number;
  /** What follows the command. */
  next: Connector;
  /** Offset of the connector, or of the end of the text. White space before it matters to `set` of cmd.exe. */
  nextAt: number;
}

const CONTROL_WORDS: ReadonlySet<string> = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', '!', '{', 'time']);
const CLOSING_WORDS: ReadonlySet<string> = new Set(['fi', 'done', 'esac', '}', 'for', 'case', 'select', 'function']);
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=/;

type Token = { kind: 'word'; word: Word } | { kind: 'operator'; text: Connector; at: number } | { kind: 'redirect' };

export function splitCommands(text: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let current: Word[] = [];
  let skipWord = false;
  const flush = (next: Connector, nextAt: number): void => {
    const command = toCommand(current, text, next, nextAt);
    if (command) commands.push(command);
    current = [];
    skipWord = false;
  };
  for (const token of tokens(text)) {
    if (token.kind === 'operator') flush(token.text, token.at);
    else if (token.kind === 'redirect') skipWord = true;
    else if (skipWord) skipWord = false;
    else current.push(token.word);
  }
  flush('', text.length);
  return commands;
}

function toCommand(words: readonly Word[], text: string, next: Connector, nextAt: number): SimpleCommand | undefined {
  let first = 0;
  while (first < words.length && !words[first]?.quoted && CONTROL_WORDS.has(words[first]?.text ?? '')) first++;
  const head = words[first];
  if (!head || (!head.quoted && CLOSING_WORDS.has(head.text))) return undefined;
  const assignments: Assignment[] = [];
  let at = first;
  for (; at < words.length; at++) {
    const word = words[at] as Word;
    const name = ASSIGNMENT.exec(text.slice(word.start, word.end))?.[1];
    if (!name) break;
    assignments.push({ name, value: valueAfter(word, name, text), start: word.start, end: word.end });
  }
  return { assignments, words: words.slice(at), start: head.start, end: words.at(-1)?.end ?? head.end, next, nextAt };
}

/** The part of a `NAME=value` word after the equals sign. If quotes enclose all of it, its span is without them. */
export function valueAfter(word: Word, name: string, text: string): Word {
  let start = word.start;
  let end = word.end;
  // `"NODE_ENV=production"`: the quotes also enclose the name.
  if (/^["']/.test(text.slice(start, end)) && text[end - 1] === text[start]) {
    start++;
    end--;
  }
  start += name.length + 1;
  const quote = text[start];
  if (end - start >= 2 && (quote === '"' || quote === "'") && text[end - 1] === quote) {
    start++;
    end--;
  }
  return { text: word.text.slice(name.length + 1), start, end: Math.max(start, end), quoted: word.quoted, expands: word.expands };
}

function* tokens(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (char === '\\' && /[\r\n]/.test(text[at + 1] ?? '')) {
      at += text.startsWith('\\\r\n', at) ? 3 : 2;
    } else if (char === '\n') {
      yield { kind: 'operator', text: ';', at };
      at++;
    } else if (/\s/.test(char)) {
      at++;
    } else if (char === '#') {
      while (at < text.length && text[at] !== '\n') at++;
    } else if (char === '(' || char === ')') {
      yield { kind: 'operator', text: ';', at };
      at++;
    } else if (text.startsWith('&>', at) || text.startsWith('>&', at) || text.startsWith('<&', at)) {
      at += 2;
      yield { kind: 'redirect' };
    } else if (char === '>' || char === '<') {
      while (text[at] === '>' || text[at] === '<' || text[at] === '-') at++;
      yield { kind: 'redirect' };
    } else if (char === '&' || char === '|' || char === ';') {
      const double = text[at + 1] === char;
      const operator: Connector = char === ';' ? ';' : double ? (char === '&' ? '&&' : '||') : char;
      yield { kind: 'operator', text: operator, at };
      at += double ? 2 : 1;
    } else {
      const word = readWord(text, at);
      at = word.end;
      // `2>file`: the number is part of the redirection.
      if (/^\d$/.test(word.text) && (text[at] === '>' || text[at] === '<')) continue;
      yield { kind: 'word', word };
    }
  }
}

function readWord(text: string, start: number): Word {
  let at = start;
  let value = '';
  let quoted = false;
  let expands = false;
  while (at < text.length) {
    const char = text[at] as string;
    if (/[\s&|;()<>]/.test(char)) break;
    if (char === "'") {
      const close = text.indexOf("'", at + 1);
      const end = close < 0 ? text.length : close;
      value += text.slice(at + 1, end);
      quoted = true;
      at = end + 1;
    } else if (char === '"') {
      quoted = true;
      at++;
      while (at < text.length && text[at] !== '"') {
        if (text[at] === '\\' && /["\\$`\n]/.test(text[at + 1] ?? '')) {
          value += text[at + 1] === '\n' ? '' : text[at + 1];
          at += 2;
        } else if (text[at] === '$' || text[at] === '`') {
          const end = expansionEnd(text, at);
          expands ||= end > at + 1;
          value += text.slice(at, end);
          at = end;
        } else value += text[at++];
      }
      at++;
    } else if (char === '\\') {
      if (!/[\r\n]/.test(text[at + 1] ?? '')) value += text[at + 1] ?? '';
      at += text.startsWith('\\\r\n', at) ? 3 : 2;
    } else if (char === '$' || char === '`') {
      const end = expansionEnd(text, at);
      expands ||= end > at + 1;
      value += text.slice(at, end);
      at = end;
    } else {
      value += char;
      at++;
    }
  }
  return { text: value, start, end: Math.min(at, text.length), quoted, expands };
}

/** The end of `$NAME`, `${…}`, `$(…)`, `` `…` `` or `$@` that starts at `start`. */
function expansionEnd(text: string, start: number): number {
  if (text[start] === '`') {
    const close = text.indexOf('`', start + 1);
    return close < 0 ? text.length : close + 1;
  }
  const open = text[start + 1];
  if (open === '{' || open === '(') {
    const close = open === '{' ? '}' : ')';
    let depth = 0;
    for (let at = start + 1; at < text.length; at++) {
      if (text[at] === open) depth++;
      else if (text[at] === close && --depth === 0) return at + 1;
    }
    return text.length;
  }
  const name = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?!$-])/.exec(text.slice(start + 1, start + 200))?.[0];
  return start + 1 + (name?.length ?? 0);
}
