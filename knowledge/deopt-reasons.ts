// Every reason that V8 prints for giving up optimised code, in plain words. The reasons of each Node are those in the tables of its own
// binary (`DeoptimizeReason` and, from Node 24 on, `LazyDeoptimizeReason` of V8's src/deoptimizer/deoptimize-reason.h), read out of
// Node 18.20.8 (V8 10.2), 20.20.2 (11.3), 22.23.3 (12.4), 24.21.0 (13.6) and 26.10.0 (14.6) and compared with that header.
import type { DeoptGroup } from '../protocol/evidence.ts';

/** Whether a deoptimisation belongs to a normal life: `always`, or the `first` time at a place. */
export type Benign = 'never' | 'first' | 'always';

export interface DeoptReason {
  /** V8's own words. */
  reason: string;
  /** What happened, for someone who never heard of V8. */
  meaning: string;
  /** What to do when it happens again and again. */
  remedy: string;
  benign: Benign;
  /** Node majors whose V8 has it, among 18, 20, 22, 24 and 26. */
  nodes: readonly number[];
}

const ALL = [18, 20, 22, 24, 26] as const;
const FROM_20 = [20, 22, 24, 26] as const;
const FROM_22 = [22, 24, 26] as const;
const FROM_24 = [24, 26] as const;
const UNTIL_20 = [18, 20] as const;

const ONE_TYPE = 'Call it with one type of value, or convert at the edge: Number(x), String(x).';
const ONE_SHAPE = 'Give the objects the same properties in the same order, all of them in the constructor or literal.';
const NOTHING = 'Nothing: it does not come again once the code is warm.';
const ONCE =
  'Nothing while it comes once or twice: it does not come again once the code is warm. Again and again at one place, V8 compiles code that it gives up each time: look for what runs seldom or differs from call to call there, and give it a function of its own.';
const NOTHING_INTERNAL = 'Nothing: it is V8’s own doing. If it comes again and again at one place, look at what else happens there.';
const WARM_UP =
  'V8 compiled the function before this part had ever run, so it knew nothing about it. It runs once without optimisation and learns.';
const CHANGED_BELOW = 'Set up classes, prototypes and shared objects while the program starts, and leave them alone while it works.';

export const DEOPT_REASONS: readonly DeoptReason[] = [
  // Numbers.
  {
    reason: 'not a Smi',
    meaning: 'So far there was always a small whole number here; now came something else: a fraction, a large number, a string, an object.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'Smi',
    meaning: 'So far there was always an object (or string, or fraction) here; now came a small whole number.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a Number',
    meaning: 'So far there was always a number here; now came something else.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a heap number',
    meaning: 'So far there was always a fraction or large number here; now came something else.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a Number or Boolean',
    meaning: 'So far there were only numbers and booleans here; now came something else.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a Number or Undefined',
    meaning: 'So far there were only numbers and undefined here; now came something else.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: [26],
  },
  {
    reason: 'not a Number or Oddball',
    meaning: 'So far there were only numbers, booleans, null and undefined here; now came something else.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'overflow',
    meaning: 'The result left the range of 32-bit whole numbers (or was -0), which V8 had counted on.',
    remedy:
      'If the numbers are meant to be large, nothing: V8 goes on with fractions. Else keep sums and counters bounded, for example with | 0.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'lost precision',
    meaning: 'A result was to be a whole number and was a fraction or too large.',
    remedy: 'Round explicitly where whole numbers are meant (Math.trunc, | 0), or let the values be fractions from the start.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'lost precision or NaN',
    meaning: 'A result was to be a whole number and was a fraction, too large, or not a number (NaN).',
    remedy: 'Look for undefined or text in the calculation; round explicitly where whole numbers are meant.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'minus zero',
    meaning: 'The result was -0, which whole numbers cannot hold: 0 times a negative number, or -x with 0.',
    remedy: 'If the sign of zero does not matter, add 0 or use | 0 on the result.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'NaN',
    meaning: 'A calculation gave NaN (“not a number”) where there had always been a number.',
    remedy: 'Look for undefined or text in the calculation.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'division by zero',
    meaning: 'A whole number was divided by zero, or the remainder of a division by zero was asked for.',
    remedy: 'Test the divisor before dividing.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'not int32',
    meaning: 'So far every number here was a 32-bit whole number; now came a fraction or a larger one.',
    remedy: 'Round explicitly where whole numbers are meant, or let the values be fractions from the start.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'not unsigned int32',
    meaning: 'So far every number here was a whole number from 0 to 4,294,967,295; now came a negative one or a fraction.',
    remedy: 'Keep indexes and counts at 0 or above.',
    benign: 'first',
    nodes: FROM_20,
  },
  {
    reason: 'not AdditiveSafeInteger',
    meaning: 'So far every number here was a whole number that adds up exactly; now came a fraction or a larger one.',
    remedy: 'Round explicitly where whole numbers are meant, or let the values be fractions from the start.',
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'float16 is not supported as machine operation',
    meaning: 'A Float16Array was used, for which this processor has no instruction.',
    remedy: 'Use Float32Array where speed matters.',
    benign: 'never',
    nodes: FROM_22,
  },
  // BigInts, strings, symbols, other values.
  {
    reason: 'BigInt too big',
    meaning: 'A BigInt no longer fitted into 64 bits.',
    remedy: 'If BigInts are meant to be large, nothing; else wrap them with BigInt.asIntN(64, x).',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'not a BigInt',
    meaning: 'So far there was always a BigInt here; now came something else.',
    remedy: 'Do not mix BigInt and number in one place.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a BigInt64',
    meaning: 'So far every BigInt here fitted into 64 bits; now came a larger one, or no BigInt.',
    remedy: 'If BigInts are meant to be large, nothing; else wrap them with BigInt.asIntN(64, x). Do not mix BigInt and number.',
    benign: 'first',
    nodes: FROM_20,
  },
  {
    reason: 'not a String',
    meaning: 'So far there was always a string here; now came something else.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a String or a string wrapper',
    meaning: 'So far there was always a string (or new String(…)) here; now came something else.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: FROM_22,
  },
  {
    reason: 'not a string wrapper',
    meaning: 'So far there was always a new String(…) here; now came something else.',
    remedy: 'Use plain strings, not new String(…).',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'not a String or oddball',
    meaning: 'So far there were only strings, booleans, null and undefined here; now came something else.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: [26],
  },
  {
    reason: 'not a sequential one-byte String',
    meaning:
      'So far every string here was held in one piece with one byte for each character; now came one with other characters or one joined from parts.',
    remedy: 'Nothing in most programs: V8 goes on with code for every string.',
    benign: 'first',
    nodes: [26],
  },
  {
    reason: 'Result string larger than String::kMaxLength',
    meaning: 'A string grew beyond the longest that V8 allows (buffer.constants.MAX_STRING_LENGTH, about 537 million characters).',
    remedy: 'Write large texts piece by piece to a stream.',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'not a Symbol',
    meaning: 'So far there was always a Symbol here; now came something else.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a JavaScript object',
    meaning: 'So far there was always an object here; now came a number, string, null, undefined or the like.',
    remedy: 'Pass an object each time; for “nothing” use one fixed empty object.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a JavaScript object, Null or Undefined',
    meaning: 'So far there were only objects, null and undefined here; now came a number, string or the like.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a detectable receiver',
    meaning: 'A comparison with null or undefined met an object of the rare kind that equals both (document.all).',
    remedy: NOTHING_INTERNAL,
    benign: 'never',
    nodes: FROM_24,
  },
  // Shapes.
  {
    reason: 'wrong map',
    meaning:
      'An object came with other properties, another order of them, or of another class than all before. V8 calls this its shape, or map.',
    remedy: ONE_SHAPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'missing map',
    meaning: 'An object came with a shape that V8 had not seen here.',
    remedy: ONE_SHAPE,
    benign: 'never',
    nodes: UNTIL_20,
  },
  {
    reason: 'map changed during operation',
    meaning: 'The object changed its shape while it was being walked through or used.',
    remedy: 'Do not add or delete properties inside a loop over the same object.',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'deprecated map',
    meaning: 'An object still has a shape that V8 has replaced since, because one of its properties came to hold other types of values.',
    remedy: 'Give each property its final type at once: 0.5 rather than 0 for fractions, null rather than a number for objects to come.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'instance migration failed',
    meaning: 'An object could not be brought from a replaced shape to the new one.',
    remedy: 'Give each property its final type at once, and all properties in the constructor.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'wrong instance type',
    meaning: 'Another kind of object came than all before: an array where there was a Map, for example.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'wrong value',
    meaning: 'A property or variable that had always held one certain value holds another.',
    remedy: 'If it is a setting, set it before the program starts to work; if it changes by nature, nothing.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'value mismatch',
    meaning: 'A value differs from the one that V8 had counted on.',
    remedy: 'If it is a setting, set it before the program starts to work; if it changes by nature, nothing.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'wrong name',
    meaning: 'An object was asked for another property than all times before: object[key] with a new key.',
    remedy: 'For many keys use a Map; for few fixed ones write object.key.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'unexpected name in keyed access',
    meaning: 'An object was asked for another property than all times before: object[key] with a new key.',
    remedy: 'For many keys use a Map; for few fixed ones write object.key.',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'wrong handler',
    meaning: 'The way to reach a property had changed since the code was compiled.',
    remedy: ONE_SHAPE,
    benign: 'never',
    nodes: UNTIL_20,
  },
  {
    reason: 'wrong enum indices',
    meaning: 'A for-in loop met an object whose list of properties had changed.',
    remedy: 'Loop over Object.keys(object), and do not change the object inside the loop.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'no cache',
    meaning: 'A for-in loop met an object without the ready list of properties that V8 keeps for objects of one shape.',
    remedy: 'Loop over Object.keys(object).',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'IC transitioned to monomorphic',
    meaning: 'V8 learned which shape comes here, and throws away code that did not know it.',
    remedy: NOTHING,
    benign: 'always',
    nodes: UNTIL_20,
  },
  {
    reason: 'IC transitioned to megamorphic',
    meaning: 'So many shapes came here (five or more) that V8 stopped remembering them.',
    remedy: ONE_SHAPE,
    benign: 'never',
    nodes: UNTIL_20,
  },
  {
    reason: 'Storing to a constant field',
    meaning: 'A property that had never been changed after its object was made was changed.',
    remedy: 'If it is a setting, set it before the program starts to work; if it changes by nature, nothing.',
    benign: 'first',
    nodes: FROM_20,
  },
  // Arrays.
  {
    reason: 'out of bounds',
    meaning: 'An array was read or written past its end, or with a negative index.',
    remedy: 'Keep the index below array.length; test before reading.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'hole',
    meaning: 'An array has a gap here: a place that was never filled (new Array(n), [1, , 3], delete array[i]).',
    remedy: 'Fill arrays from the start to the end: push, Array.from, or new Array(n).fill(0).',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'hole or undefined',
    meaning: 'An array has a gap or undefined here where there had always been a value.',
    remedy: 'Fill arrays from the start to the end: push, Array.from, or new Array(n).fill(0).',
    benign: 'never',
    nodes: [26],
  },
  {
    reason: 'not an array index',
    meaning: 'Something was used as an array index that is none: a negative number, a fraction, a name.',
    remedy: 'Use whole numbers from 0 on as indexes, and a Map for names.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'failed to grow elements store',
    meaning: 'An array was written far behind its end, so that it could not simply grow.',
    remedy: 'Append with push; for indexes with large gaps use a Map.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: "copy-on-write array's elements changed",
    meaning: 'An array literal that shared its contents with its copies was changed.',
    remedy: ONCE,
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'the array length changed',
    meaning: 'An array changed its length while it was walked through or its last element was taken.',
    remedy: 'Do not add or remove elements inside a loop over the same array.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'no initial element',
    meaning: 'The method reduce() met an empty array and had no initial value.',
    remedy: 'Give reduce() an initial value.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'length is greater than the maximum for fast elements array',
    meaning:
      'An array was made with a length so large that V8 keeps it as a dictionary, which is 24 to 31 times slower to read (measured on Node 18 to 26).',
    remedy: 'Start with an empty array and push, or use a typed array.',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'array buffer was detached',
    meaning: 'The memory behind a typed array is gone: it was transferred to a worker, or its WebAssembly memory grew.',
    remedy: 'Make a new view after a transfer, and drop the old one.',
    benign: 'never',
    nodes: [18, 20, 22, 24],
  },
  {
    reason: 'array buffer was detached or immutable',
    meaning: 'The memory behind a typed array is gone or read-only: it was transferred to a worker, or its WebAssembly memory grew.',
    remedy: 'Make a new view after a transfer, and drop the old one.',
    benign: 'never',
    nodes: [26],
  },
  // Calls.
  {
    reason: 'wrong call target',
    meaning: 'Another function was called here than all times before.',
    remedy: 'If a hot loop calls a function that it was given, give it the same one each time, or one loop for each function.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'wrong call target constructor',
    meaning: 'Another class was made here with new than all times before.',
    remedy: 'In hot code, make objects of one class at one place.',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'wrong feedback cell',
    meaning: 'A function came here that is written at the same place as the one before, but was made anew: a closure made again.',
    remedy: 'Make the function once, outside of the loop or call, and pass it in.',
    benign: 'never',
    nodes: ALL,
  },
  // First use of a part.
  ...[
    'call',
    'construct',
    'for-in',
    'binary operation',
    'compare operation',
    'generic named access',
    'generic keyed access',
    'unary operation',
  ].map((what) => ({
    reason: `Insufficient type feedback for ${what}`,
    meaning: WARM_UP,
    remedy: ONCE,
    benign: 'first' as const,
    nodes: ALL,
  })),
  ...['array literal', 'generic global access', 'instanceof', 'object literal'].map((what) => ({
    reason: `Insufficient type feedback for ${what}`,
    meaning: WARM_UP,
    remedy: ONCE,
    benign: 'first' as const,
    nodes: FROM_22,
  })),
  { reason: 'Insufficient type feedback for typeof', meaning: WARM_UP, remedy: ONCE, benign: 'first', nodes: FROM_24 },
  {
    reason: 'First use of catch block',
    meaning: 'The catch block ran for the first time; V8 had left it out of the optimised code.',
    remedy: ONCE,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'exception with omitted catch handler',
    meaning: 'An exception came to a catch block that had never run; V8 had left it out of the optimised code.',
    remedy: ONCE,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'SuspendGenerator is in a dead branch',
    meaning: 'A generator or async function paused where V8 had never seen it pause.',
    remedy: ONCE,
    benign: 'first',
    nodes: FROM_20,
  },
  // Something elsewhere changed.
  {
    reason: 'code dependencies',
    meaning:
      'Something that the optimised code counted on was changed elsewhere: a method of a class, a property that had been constant, the type of values in a property.',
    remedy: CHANGED_BELOW,
    benign: 'first',
    nodes: [18, 20, 22],
  },
  {
    reason: 'dependent map was deprecated',
    meaning: 'A shape that the code counted on was replaced, because one of its properties came to hold other types of values.',
    remedy: 'Give each property its final type at once: 0.5 rather than 0 for fractions, null rather than a number for objects to come.',
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent prototype chain changed',
    meaning: 'A class, or a prototype that the code counted on, was changed after the code was compiled.',
    remedy: CHANGED_BELOW,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent property cell changed',
    meaning:
      'A global variable, or a guarantee that V8 keeps for the whole program (no one has replaced a built-in method, no typed array has lost its memory), changed.',
    remedy: CHANGED_BELOW,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent field type constness changed',
    meaning:
      'A property that had never been changed after its object was made was changed, so that its value can no longer be built into the code.',
    remedy: CHANGED_BELOW,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent field type changed',
    meaning: 'A property that had always held objects of one shape holds another one.',
    remedy: ONE_SHAPE,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent field representation changed',
    meaning: 'A property that had always held one type of value (a small whole number, for example) holds another.',
    remedy: 'Give each property its final type at once: 0.5 rather than 0 for fractions, null rather than a number for objects to come.',
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent initial map changed',
    meaning: 'The shape of new objects of a class changed: its prototype was replaced.',
    remedy: CHANGED_BELOW,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent allocation site tenuring changed',
    meaning: 'Objects made here live longer than V8 had thought, so it makes them elsewhere in memory from now on.',
    remedy: ONCE,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent allocation site transition changed',
    meaning: 'Arrays made here came to hold other types of elements, so V8 makes them for those from now on.',
    remedy: 'Start arrays with values of the type that they will hold: [0.5] rather than [0] for fractions.',
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent script context slot property changed',
    meaning: 'A let variable outside of functions that had never been changed was changed.',
    remedy: 'Keep what changes often in an object or inside a function.',
    benign: 'first',
    nodes: [24],
  },
  {
    reason: 'dependent context cell state changed',
    meaning: 'A variable outside of the function that had never been changed, or had held one type, was changed.',
    remedy: 'Keep what changes often in an object or inside the function.',
    benign: 'first',
    nodes: [26],
  },
  {
    reason: 'const tracking let constness invalidated',
    meaning: 'A let variable that had never been changed was changed.',
    remedy: 'Keep what changes often in an object or inside a function.',
    benign: 'first',
    nodes: FROM_22,
  },
  {
    reason: 'dependent empty context extension changed',
    meaning: 'A direct eval() added a variable to a function.',
    remedy: 'Do not use direct eval().',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'unexpected context extension',
    meaning: 'A direct eval() had added a variable to a function.',
    remedy: 'Do not use direct eval().',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'embedded weak objects cleared',
    meaning: 'An object that was built into the code is no longer in use anywhere, and the garbage collector took it away.',
    remedy: ONCE,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'marked due to eager deopt',
    meaning: 'The code was given up at another place already; this is the consequence.',
    remedy: NOTHING,
    benign: 'always',
    nodes: FROM_24,
  },
  // V8's own doing.
  {
    reason: 'prepare for on stack replacement (OSR)',
    meaning: 'The loop moves on to faster code while it runs. This is a step up, not down.',
    remedy: NOTHING,
    benign: 'always',
    nodes: FROM_20,
  },
  {
    reason: "exit from OSR'd inner loop",
    meaning: 'An inner loop had its own fast code and has ended; the function goes on in its usual code.',
    remedy: NOTHING,
    benign: 'always',
    nodes: FROM_22,
  },
  {
    reason: '(unknown)',
    meaning: 'The code was given up while it waited for a call to return, because of something that is told elsewhere.',
    remedy: NOTHING_INTERNAL,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'JS debugger attached',
    meaning: 'A debugger was attached or a breakpoint set.',
    remedy: 'Measure without a debugger.',
    benign: 'always',
    nodes: FROM_24,
  },
  {
    reason: 'value in stack frame was materialized',
    meaning: 'A debugger looked at variables that the optimised code did not keep.',
    remedy: 'Measure without a debugger.',
    benign: 'always',
    nodes: FROM_24,
  },
  { reason: 'for testing', meaning: 'A test of V8 asked for it.', remedy: NOTHING, benign: 'always', nodes: FROM_24 },
  {
    reason: '%_DeoptimizeNow',
    meaning: 'The program asked for it (--allow-natives-syntax).',
    remedy: NOTHING,
    benign: 'always',
    nodes: ALL,
  },
];

const BY_REASON: ReadonlyMap<string, DeoptReason> = new Map(DEOPT_REASONS.map((row) => [row.reason, row]));

/**
 * A frame that comes back to code which was given up for a reason told elsewhere (measured on Node 24, at the first throw into a catch
 * block).
 */
const CONSEQUENCE_KIND = 'deopt-lazy';
const UNKNOWN = '(unknown)';

export function findDeoptReason(reason: string): DeoptReason | undefined {
  return BY_REASON.get(reason);
}

/** Whether so many deoptimisations of one kind at one place belong to every warm-up. An unknown reason never does. */
export function isBenignDeopt(kind: string, reason: string, count: number): boolean {
  if (kind === CONSEQUENCE_KIND && reason === UNKNOWN) return true;
  const benign = findDeoptReason(reason)?.benign ?? 'never';
  return benign === 'always' || (benign === 'first' && count === 1);
}

/** Reasons that the table does not have, with how often they came: V8 has changed, and they are shown as they are. */
export function countUnknownReasons(groups: readonly DeoptGroup[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reason, count } of groups) if (!findDeoptReason(reason)) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return counts;
}
