// Puts a clock around calls that no hook sees, in the text of the process that times blocking calls. No line moves; columns behind what was
// put in do, and the harness takes them back. Pure.
import type { SourcePlace } from '../../protocol/evidence.ts';
import type { ModuleFormat } from './module-format.ts';

interface Stretch {
  start: number;
  end: number;
}

/** Offsets are those of the text. No two are the same call. */
export interface ClockedCall {
  /** As its finding names it. */
  name: string;
  place: SourcePlace;
  call: Stretch;
  /** The last argument: the clock starts when it has been worked out. */
  last?: Stretch;
  /** Reads that wait for each other: which of them it is. What it returns is awaited, and nothing else is done with it. */
  round?: Round;
  /** It is done by the thread pool, until its promise settles or its callback, the last argument, is called. */
  isJob?: true;
  /** Its first argument, whose prototype it sets, and which it returns. */
  object?: Stretch;
  /** A statement that waits for nothing. However it is left, the clock stops. */
  isStatement?: true;
  /** It belongs to another call of the same name and place: its promise is awaited for what that one began, such as the body of a response. */
  isPart?: true;
  /** It is the list of a `Promise.all`, in which the call of the same name and place has this number from 0. */
  own?: number;
}

/** One of `of` reads that run one after the other, by its number from 0. */
export interface Round {
  id: number;
  index: number;
  of: number;
  /** No other call of a read comes after it. */
  isLast: boolean;
  /** The read has begun with another call. */
  isPart?: true;
}

export interface ClockedCalls {
  /** Absolute. */
  file: string;
  /** JavaScript with the places of the file. */
  text: string;
  format?: ModuleFormat;
  calls: readonly ClockedCall[];
  /** The wait for their promises counts: two requests at once would wait at the same time, and count as one. */
  isAwaited?: boolean;
}

/** What was put into a line, from 1, before the column that the file has there. */
export interface PutIn {
  file: string;
  line: number;
  column: number;
  length: number;
}

/**
 * Source text of a function may run where there is no clock: in a context of `vm`, in a thread, or in a browser. There it does what it would
 * without. It begins with a string: behind a line without a semicolon, a bracket would make a call of that line, and a file may declare any
 * name, such as `Object` or `Symbol`. `valueOf` of a function returns what it is called on.
 */
const CLOCK = `''.constructor.valueOf.call(''.constructor["nodometer.clock"]||{begin:(_,v)=>v,end:(_,v)=>v,from:(_,v)=>v})`;

/** As V8 counts them. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

export function withClocks({ file, text, calls }: ClockedCalls): { text: string; putIn: PutIn[] } {
  const begins: { at: number; end: number; isCall: boolean; text: string }[] = [];
  const ends: { at: number; start: number; isCall: boolean; text: string }[] = [];
  for (const [i, { call, last, object, isStatement }] of calls.entries()) {
    if (isStatement) {
      begins.push({ at: call.start, end: call.end, isCall: true, text: `{${CLOCK}.begin(${i},0);try{` });
      ends.push({ at: call.end, start: call.start, isCall: true, text: `}finally{${CLOCK}.end(${i},0)}}` });
      continue;
    }
    // Where there is nothing to work out, the clock starts before the call.
    const number = last ? String(i) : `${CLOCK}.begin(${i},${i})`;
    begins.push({ at: call.start, end: call.end, isCall: true, text: `${CLOCK}.end(${number},` });
    ends.push({ at: call.end, start: call.start, isCall: true, text: ')' });
    if (object) {
      begins.push({ at: object.start, end: object.end, isCall: false, text: `${CLOCK}.from(${i},(` });
      ends.push({ at: object.end, start: object.start, isCall: false, text: '))' });
    }
    if (!last) continue;
    begins.push({ at: last.start, end: last.end, isCall: false, text: `${CLOCK}.begin(${i},(` });
    ends.push({ at: last.end, start: last.start, isCall: false, text: '))' });
  }
  // What is around another opens before it and closes behind it: an argument may be a call itself, and a call the object of the next one.
  begins.sort((a, b) => a.at - b.at || b.end - a.end || Number(a.isCall) - Number(b.isCall));
  ends.sort((a, b) => a.at - b.at || b.start - a.start || Number(b.isCall) - Number(a.isCall));
  const pieces = [...ends, ...begins].sort((a, b) => a.at - b.at);
  let result = '';
  let from = 0;
  const putIn: PutIn[] = [];
  for (const piece of pieces) {
    result += text.slice(from, piece.at) + piece.text;
    from = piece.at;
    const lines = text.slice(0, piece.at).split(LINE_END);
    putIn.push({ file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, length: piece.text.length });
  }
  return { text: result + text.slice(from), putIn };
}
