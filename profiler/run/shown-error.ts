// What of an error's message is told. Reports are kept, exported, and shown to others, and the message of an error that ended a server may
// quote what a request sent. Words that stand in the code are the program's own; so are those of V8 and Node. The rest is left out, and
// the line says which error it is. Pure.
import { basename } from 'node:path';
import { asOneLine } from '../../protocol/safe-text.ts';
import type { ThrownValue } from '../parse/records.ts';

/** In place of what may come from data. */
const VALUE = '[value]';
const MOST_CHARACTERS = 160;
const LONGEST_NAME = 60;
const MOST_FILES = 6;
const WORD = /[\p{L}\p{N}_$]+/gu;
const BLANKS = /\s+/g;
const LETTERS = /^\p{L}+$/u;
/** `ECONNREFUSED` */
const SYSTEM_CODE = /^E[A-Z]{3,}$/;
/** With quotes, where they close; else up to the next blank. */
const PARTS = /'[^']*'|"[^"]*"|`[^`]*`|[^\s'"`]+|['"`]/g;
/** The end of `at add (/srv/app.js:3:9)`. */
const POSITION = /:(\d{1,9}):\d{1,9}\)?$/;
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/;

/** In V8's and Node's own messages. What stands in quotes there is a name or a value. */
const KNOWN: ReadonlySet<string> = new Set(
  `a access accessed address after aborted already an and are argument array assert assigned assignment at attempted await be been before
  bigint binding boolean broken buffer call called cannot class closed code connect connection constant constructor convert could count
  create data defined deferred delete deprecated descriptor destroyed directory does end ended error exceeded exhausted exist expected
  export extensible failed file filter for found from function generator getter global has hang heap host import in index infinity
  initial initialization input instance instanceof integer invalid is it iterable iterator json kill left length listen longer
  maximum memory method missing mix mkdir module more must name nan negative new no non not null number object of on only open operation
  operator option options or out package parse pattern permission permitted pipe position possible properties property promise prototype provide
  provided range reached read reading received reduce refused regular rejected require required reset resolve resolved rest result
  return right rmdir scandir setting setter signal size socket spawn stack start stat state stream string such super supported symbol
  syscall system target than that the this thrown time timed timeout to token too type types undefined unexpected unhandled
  unknown unlink unsupported up use used using valid value variable was while with without write written yield empty expression
  denied extension getaddrinfo expired certificate`.split(/\s+/),
);

/**
 * @param textOf the text of a file of the program's, undefined where it cannot be read
 * @param isOurs whether a file is the harness's
 * @param entry a file of the program's, for values that have no stack
 */
export function shownError(
  error: ThrownValue,
  textOf: (file: string) => string | undefined,
  isOurs: (file: string) => boolean,
  entry?: string,
): ThrownValue {
  const frames = framesOf(error.stack ?? '').filter(({ file }) => !isOurs(file));
  const files = [...new Set([...frames.map(({ file }) => file), ...(entry === undefined ? [] : [entry])])].slice(0, MOST_FILES);
  const [top] = frames;
  const message = shownMessage(
    error.message,
    files.flatMap((file) => textOf(file) ?? []),
  );
  const type = error.type.length > LONGEST_NAME || /[^\w$ ().-]/.test(error.type) ? 'Error' : error.type;
  return { ...error, type, message: top ? `${message} (${basename(top.file)}:${top.line})` : message };
}

/** @param sources texts of the code that it comes from */
export function shownMessage(message: string, sources: readonly string[]): string {
  const line = asOneLine(firstSentence(message)).replace(BLANKS, ' ').trim();
  const words = new Set(sources.flatMap((text) => text.match(WORD) ?? []));
  const isOwn = (word: string): boolean => words.has(word);
  const isShown = (part: string): boolean => {
    const own = part.match(WORD) ?? [];
    if (/^['"`]/.test(part)) return own.every(isOwn);
    return own.every((word) => isOwn(word) || SYSTEM_CODE.test(word) || (LETTERS.test(word) && KNOWN.has(word.toLowerCase())));
  };
  const shown = line.replace(PARTS, (part) => (isShown(part) ? part : VALUE)).replace(/\[value\](?:\s?\[value\])+/g, VALUE);
  return shown.length > MOST_CHARACTERS ? `${shown.slice(0, MOST_CHARACTERS)}…` : shown;
}

/**
 * Node's own text of a missing module goes on with the list of requirers. A line that ends with a colon says nothing without the next:
 * compilers begin with `Transform failed with 1 error:`.
 */
export function firstSentence(message: string): string {
  const [first = '', second = ''] = message.split('\n').filter((line) => line.trim() !== '');
  return first.endsWith(':') && second !== '' ? `${first} ${second.trim()}` : first;
}

/** `at add (/srv/app.js:3:9)`, `at async file:///srv/app.mjs:3:9` */
function framesOf(stack: string): { file: string; line: string }[] {
  return stack.split('\n').flatMap((text) => {
    const frame = text.trim();
    const line = frame.startsWith('at ') ? POSITION.exec(frame) : null;
    if (!line?.[1]) return [];
    const open = frame.lastIndexOf(' (');
    const location = frame.slice(open === -1 ? 'at '.length : open + 2, line.index).replace(/^async /, '');
    const file = location.startsWith('file://') ? decode(location.slice('file://'.length)) : location;
    return ABSOLUTE.test(file) ? [{ file, line: line[1] }] : [];
  });
}

/** On Windows a path follows the third slash. */
function decode(path: string): string {
  const plain = path.replace(/^\/(?=[A-Za-z]:)/, '');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
