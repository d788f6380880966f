// Every reason that V8 prints for discarding optimized code, in plain words. The reasons of each Node are those in the tables of its own
// binary (`DeoptimizeReason` and, from Node 24 on, `LazyDeoptimizeReason` of V8's src/deoptimizer/deoptimize-reason.h), read out of
// Node 18.20.8 (V8 10.2), 20.20.2 (11.3), 22.23.3 (12.4), 24.21.0 (13.6) and 26.10.0 (14.6) and compared with that header.
import type { DeoptGroup } from '../protocol/evidence.ts';

/** Whether a deoptimization belongs to a normal life: `always`, or the `first` time at a place. */
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

const ONE_TYPE = 'Pass one type of value, or convert it beforehand: Number(x), String(x).';
const ONE_SHAPE = 'Give all objects the same properties in the same order, and set all of them in the constructor or literal.';
const NOTHING = 'None needed: this does not happen again after warm-up.';
const ONCE =
  'None needed if this happens once or twice: it stops after warm-up. If it repeats at one location, V8 keeps compiling code that it discards again. Look for code there that runs rarely or differs between calls, and move it into a function of its own.';
const NOTHING_INTERNAL = 'None needed: this is internal to V8. If it repeats at one location, check what else happens there.';
const WARM_UP =
  'V8 compiled the function before this part had ever run, so it had no type information. The part runs once without optimization to collect it.';
const CHANGED_BELOW = 'Set up classes, prototypes, and shared objects during startup, and do not change them afterward.';

export const DEOPT_REASONS: readonly DeoptReason[] = [
  // Numbers.
  {
    reason: 'not a Smi',
    meaning: 'Only small integers had been seen here. Then another value appeared: a fraction, a large number, a string, or an object.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'Smi',
    meaning: 'Only objects, strings, or fractions had been seen here. Then a small integer appeared.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a Number',
    meaning: 'Only numbers had been seen here. Then another type of value appeared.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a heap number',
    meaning: 'Only fractions or large numbers had been seen here. Then another type of value appeared.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a Number or Boolean',
    meaning: 'Only numbers and booleans had been seen here. Then another type of value appeared.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a Number or Undefined',
    meaning: 'Only numbers and undefined had been seen here. Then another type of value appeared.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: [26],
  },
  {
    reason: 'not a Number or Oddball',
    meaning: 'Only numbers, booleans, null, and undefined had been seen here. Then another type of value appeared.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'overflow',
    meaning: 'The result was outside the range of 32-bit integers (or was -0), which V8 had assumed.',
    remedy:
      'None needed if the numbers are meant to be large: V8 continues with floating-point numbers. Otherwise, keep sums and counters in range, for example with | 0.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'lost precision',
    meaning: 'V8 expected an integer result, but it was a fraction or too large.',
    remedy: 'Round explicitly where you need integers (Math.trunc, | 0), or use fractions from the start.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'lost precision or NaN',
    meaning: 'V8 expected an integer result, but it was a fraction, too large, or NaN.',
    remedy: 'Look for undefined or strings in the calculation, and round explicitly where you need integers.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'minus zero',
    meaning: 'The result was -0, which integers cannot represent: 0 times a negative number, or -x where x is 0.',
    remedy: 'If the sign of zero does not matter, add 0 to the result or use | 0.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'NaN',
    meaning: 'A calculation returned NaN (“not a number”) where only numbers had been seen.',
    remedy: 'Look for undefined or strings in the calculation.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'division by zero',
    meaning: 'An integer was divided by zero, or the remainder of a division by zero was calculated.',
    remedy: 'Check the divisor before dividing.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'not int32',
    meaning: 'Only 32-bit integers had been seen here. Then a fraction or a larger number appeared.',
    remedy: 'Round explicitly where you need integers, or use fractions from the start.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'not unsigned int32',
    meaning: 'Only integers from 0 to 4,294,967,295 had been seen here. Then a negative number or a fraction appeared.',
    remedy: 'Keep indexes and counts at 0 or above.',
    benign: 'first',
    nodes: FROM_20,
  },
  {
    reason: 'not AdditiveSafeInteger',
    meaning: 'Only integers that can be added exactly had been seen here. Then a fraction or a larger number appeared.',
    remedy: 'Round explicitly where you need integers, or use fractions from the start.',
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'float16 is not supported as machine operation',
    meaning: 'A Float16Array was used, but this processor has no instruction for it.',
    remedy: 'Use Float32Array where speed matters.',
    benign: 'never',
    nodes: FROM_22,
  },
  // BigInts, strings, symbols, other values.
  {
    reason: 'BigInt too big',
    meaning: 'A BigInt no longer fit into 64 bits.',
    remedy: 'None needed if BigInts are meant to be large. Otherwise, wrap them with BigInt.asIntN(64, x).',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'not a BigInt',
    meaning: 'Only BigInts had been seen here. Then another type of value appeared.',
    remedy: 'Do not mix BigInt and number at one location.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a BigInt64',
    meaning: 'Only BigInts that fit into 64 bits had been seen here. Then a larger one or another type of value appeared.',
    remedy: 'None needed if BigInts are meant to be large. Otherwise, wrap them with BigInt.asIntN(64, x). Do not mix BigInt and number.',
    benign: 'first',
    nodes: FROM_20,
  },
  {
    reason: 'not a String',
    meaning: 'Only strings had been seen here. Then another type of value appeared.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a String or a string wrapper',
    meaning: 'Only strings (or new String(…)) had been seen here. Then another type of value appeared.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: FROM_22,
  },
  {
    reason: 'not a string wrapper',
    meaning: 'Only new String(…) objects had been seen here. Then another type of value appeared.',
    remedy: 'Use plain strings instead of new String(…).',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'not a String or oddball',
    meaning: 'Only strings, booleans, null, and undefined had been seen here. Then another type of value appeared.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: [26],
  },
  {
    reason: 'not a sequential one-byte String',
    meaning:
      'Only contiguous strings with one byte per character had been seen here. Then a string with other characters or a concatenated string appeared.',
    remedy: 'None needed in most programs: V8 continues with code for all strings.',
    benign: 'first',
    nodes: [26],
  },
  {
    reason: 'Result string larger than String::kMaxLength',
    meaning: 'A string exceeded the maximum length that V8 allows (buffer.constants.MAX_STRING_LENGTH, about 537 million characters).',
    remedy: 'Write large texts to a stream in chunks.',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'not a Symbol',
    meaning: 'Only symbols had been seen here. Then another type of value appeared.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a JavaScript object',
    meaning: 'Only objects had been seen here. Then a primitive value appeared, such as a number, a string, null, or undefined.',
    remedy: 'Always pass an object. If there is none, pass a shared empty object.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a JavaScript object, Null or Undefined',
    meaning: 'Only objects, null, and undefined had been seen here. Then another primitive value appeared, such as a number or a string.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'not a detectable receiver',
    meaning: 'A comparison with null or undefined involved an object of the rare kind that equals both (document.all).',
    remedy: NOTHING_INTERNAL,
    benign: 'never',
    nodes: FROM_24,
  },
  // Shapes.
  {
    reason: 'wrong map',
    meaning:
      'An object had different properties, a different property order, or a different class than all objects before. V8 calls this its shape, or map.',
    remedy: ONE_SHAPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'missing map',
    meaning: 'An object had a shape that V8 had not seen here before.',
    remedy: ONE_SHAPE,
    benign: 'never',
    nodes: UNTIL_20,
  },
  {
    reason: 'map changed during operation',
    meaning: 'The object changed its shape while it was being iterated or used.',
    remedy: 'Do not add or delete properties while iterating over the same object.',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'deprecated map',
    meaning: 'An object still has a shape that V8 has since replaced, because one of its properties now holds another type of value.',
    remedy: 'Initialize each property with its final type: 0.5 instead of 0 for fractions, null instead of a number for later objects.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'instance migration failed',
    meaning: 'An object could not be migrated from a replaced shape to the new one.',
    remedy: 'Initialize each property with its final type, and set all properties in the constructor.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'wrong instance type',
    meaning: 'Another kind of object appeared here than before, such as an array instead of a Map.',
    remedy: ONE_TYPE,
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'wrong value',
    meaning: 'A property or variable that had always held the same value now holds another.',
    remedy: 'If it is a setting, set it during startup. If it is meant to change, no action is needed.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'value mismatch',
    meaning: 'A value differs from the one that V8 had assumed.',
    remedy: 'If it is a setting, set it during startup. If it is meant to change, no action is needed.',
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'wrong name',
    meaning: 'An object was accessed with another property name than before: object[key] with a new key.',
    remedy: 'For many keys, use a Map. For a few fixed keys, write object.key.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'unexpected name in keyed access',
    meaning: 'An object was accessed with another property name than before: object[key] with a new key.',
    remedy: 'For many keys, use a Map. For a few fixed keys, write object.key.',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'wrong handler',
    meaning: 'The way to access a property has changed since the code was compiled.',
    remedy: ONE_SHAPE,
    benign: 'never',
    nodes: UNTIL_20,
  },
  {
    reason: 'wrong enum indices',
    meaning: 'A for-in loop iterated over an object whose list of properties had changed.',
    remedy: 'Loop over Object.keys(object), and do not change the object in the loop.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'no cache',
    meaning: 'A for-in loop iterated over an object without the cached list of properties that V8 keeps for objects of one shape.',
    remedy: 'Loop over Object.keys(object).',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'IC transitioned to monomorphic',
    meaning: 'V8 learned which shape is used here, and discards code that was compiled without this information.',
    remedy: NOTHING,
    benign: 'always',
    nodes: UNTIL_20,
  },
  {
    reason: 'IC transitioned to megamorphic',
    meaning: 'V8 saw so many shapes here (five or more) that it stopped tracking them.',
    remedy: ONE_SHAPE,
    benign: 'never',
    nodes: UNTIL_20,
  },
  {
    reason: 'Storing to a constant field',
    meaning: 'A property that had never changed after its object was created was changed.',
    remedy: 'If it is a setting, set it during startup. If it is meant to change, no action is needed.',
    benign: 'first',
    nodes: FROM_20,
  },
  // Arrays.
  {
    reason: 'out of bounds',
    meaning: 'An array was read or written past its end or with a negative index.',
    remedy: 'Keep the index below array.length, and check it before reading.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'hole',
    meaning: 'An array has a hole here: an element that was never set (new Array(n), [1, , 3], delete array[i]).',
    remedy: 'Fill arrays from start to end: push, Array.from, or new Array(n).fill(0).',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'hole or undefined',
    meaning: 'An array has a hole or undefined here where there had always been a value.',
    remedy: 'Fill arrays from start to end: push, Array.from, or new Array(n).fill(0).',
    benign: 'never',
    nodes: [26],
  },
  {
    reason: 'not an array index',
    meaning: 'A value that is not a valid array index was used as one: a negative number, a fraction, or a name.',
    remedy: 'Use integers from 0 as indexes, and a Map for names.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'failed to grow elements store',
    meaning: 'An array was written far past its end, so it could not simply grow.',
    remedy: 'Append with push. For sparse indexes, use a Map.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: "copy-on-write array's elements changed",
    meaning: 'An array literal that shares its elements with its copies was changed.',
    remedy: ONCE,
    benign: 'first',
    nodes: ALL,
  },
  {
    reason: 'the array length changed',
    meaning: 'The length of an array changed during iteration or while its last element was removed.',
    remedy: 'Do not add or remove elements while iterating over the same array.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'no initial element',
    meaning: 'The method reduce() was called on an empty array without an initial value.',
    remedy: 'Pass an initial value to reduce().',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'length is greater than the maximum for fast elements array',
    meaning:
      'An array was created with such a large length that V8 stores it as a dictionary, which is 24 to 31 times slower to read (measured on Node 18 to 26).',
    remedy: 'Start with an empty array and push, or use a typed array.',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'array buffer was detached',
    meaning: 'The memory of a typed array was detached: it was transferred to a worker, or its WebAssembly memory grew.',
    remedy: 'Create a new view after a transfer, and discard the old one.',
    benign: 'never',
    nodes: [18, 20, 22, 24],
  },
  {
    reason: 'array buffer was detached or immutable',
    meaning: 'The memory of a typed array was detached or is read-only: it was transferred to a worker, or its WebAssembly memory grew.',
    remedy: 'Create a new view after a transfer, and discard the old one.',
    benign: 'never',
    nodes: [26],
  },
  // Calls.
  {
    reason: 'wrong call target',
    meaning: 'Another function was called here than before.',
    remedy: 'If a hot loop calls a function that is passed to it, always pass the same function, or use one loop for each function.',
    benign: 'never',
    nodes: ALL,
  },
  {
    reason: 'wrong call target constructor',
    meaning: 'Another class was instantiated here with new than before.',
    remedy: 'In hot code, create objects of only one class at each location.',
    benign: 'never',
    nodes: FROM_24,
  },
  {
    reason: 'wrong feedback cell',
    meaning: 'A function from the same source location appeared here, but as a new closure.',
    remedy: 'Create the function once, outside of the loop or call, and pass it in.',
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
    meaning: 'The catch block ran for the first time. V8 had omitted it from the optimized code.',
    remedy: ONCE,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'exception with omitted catch handler',
    meaning: 'An exception reached a catch block that had never run. V8 had omitted it from the optimized code.',
    remedy: ONCE,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'SuspendGenerator is in a dead branch',
    meaning: 'A generator or async function was suspended where V8 had never seen it suspended.',
    remedy: ONCE,
    benign: 'first',
    nodes: FROM_20,
  },
  // Something elsewhere changed.
  {
    reason: 'code dependencies',
    meaning:
      'Something that the optimized code depends on was changed elsewhere: a method of a class, a property that had been constant, or the type of values in a property.',
    remedy: CHANGED_BELOW,
    benign: 'first',
    nodes: [18, 20, 22],
  },
  {
    reason: 'dependent map was deprecated',
    meaning: 'A shape that the code depends on was replaced, because one of its properties now holds another type of value.',
    remedy: 'Initialize each property with its final type: 0.5 instead of 0 for fractions, null instead of a number for later objects.',
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent prototype chain changed',
    meaning: 'A class or prototype that the code depends on was changed after the code was compiled.',
    remedy: CHANGED_BELOW,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent property cell changed',
    meaning:
      'A global variable changed, or an assumption that V8 makes for the whole program no longer holds (such as: no built-in method was replaced, no typed array was detached).',
    remedy: CHANGED_BELOW,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent field type constness changed',
    meaning:
      'A property that had never changed after its object was created was changed, so its value can no longer be embedded in the code.',
    remedy: CHANGED_BELOW,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent field type changed',
    meaning: 'A property that had always held objects of one shape now holds another shape.',
    remedy: ONE_SHAPE,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent field representation changed',
    meaning: 'A property that had always held one type of value (such as a small integer) now holds another.',
    remedy: 'Initialize each property with its final type: 0.5 instead of 0 for fractions, null instead of a number for later objects.',
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
    meaning: 'Objects created here live longer than V8 had assumed, so V8 now allocates them in another memory area.',
    remedy: ONCE,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent allocation site transition changed',
    meaning: 'Arrays created here now hold other types of elements, so V8 creates them for those types from now on.',
    remedy: 'Initialize arrays with values of the type that they will hold: [0.5] instead of [0] for fractions.',
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'dependent script context slot property changed',
    meaning: 'A let variable outside of functions that had never changed was changed.',
    remedy: 'Keep values that change often in an object or inside a function.',
    benign: 'first',
    nodes: [24],
  },
  {
    reason: 'dependent context cell state changed',
    meaning: 'A variable outside of the function that had never changed, or had held only one type, was changed.',
    remedy: 'Keep values that change often in an object or inside the function.',
    benign: 'first',
    nodes: [26],
  },
  {
    reason: 'const tracking let constness invalidated',
    meaning: 'A let variable that had never changed was changed.',
    remedy: 'Keep values that change often in an object or inside a function.',
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
    meaning: 'An object that was embedded in the code is no longer used anywhere and was garbage-collected.',
    remedy: ONCE,
    benign: 'first',
    nodes: FROM_24,
  },
  {
    reason: 'marked due to eager deopt',
    meaning: 'The code was already deoptimized at another location. This is the consequence.',
    remedy: NOTHING,
    benign: 'always',
    nodes: FROM_24,
  },
  // V8's own doing.
  {
    reason: 'prepare for on stack replacement (OSR)',
    meaning: 'The loop switches to faster code while it is running. This is an improvement, not a loss.',
    remedy: NOTHING,
    benign: 'always',
    nodes: FROM_20,
  },
  {
    reason: "exit from OSR'd inner loop",
    meaning: 'An inner loop that had its own optimized code has ended. The function continues in its regular code.',
    remedy: NOTHING,
    benign: 'always',
    nodes: FROM_22,
  },
  {
    reason: '(unknown)',
    meaning: 'The code was deoptimized while it waited for a call to return. The cause is listed at another location.',
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
    meaning: 'A debugger read variables that the optimized code did not keep.',
    remedy: 'Measure without a debugger.',
    benign: 'always',
    nodes: FROM_24,
  },
  { reason: 'for testing', meaning: 'A V8 test requested this.', remedy: NOTHING, benign: 'always', nodes: FROM_24 },
  {
    reason: '%_DeoptimizeNow',
    meaning: 'The program requested this (--allow-natives-syntax).',
    remedy: NOTHING,
    benign: 'always',
    nodes: ALL,
  },
];

const BY_REASON: ReadonlyMap<string, DeoptReason> = new Map(DEOPT_REASONS.map((row) => [row.reason, row]));

/**
 * A frame that comes back to code which was discarded for a reason given elsewhere (measured on Node 24, at the first throw into a catch
 * block).
 */
const CONSEQUENCE_KIND = 'deopt-lazy';
const UNKNOWN = '(unknown)';

export function findDeoptReason(reason: string): DeoptReason | undefined {
  return BY_REASON.get(reason);
}

/** Whether so many deoptimizations of one kind at one place belong to every warm-up. An unknown reason never does. */
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
