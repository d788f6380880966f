// A piece of program that makes V8 say in its log which of its maps is which. Maps from Node's start-up snapshot have no line of
// their own there, so without it the log tells neither where a chain of properties begins nor what an array's elements are.
// Run before the user's program, it reads and adds properties with names that tell (measured on Node 18 to 26).

/** Read from a value whose map it names: `nodometerIs_Array_PACKED_SMI`. */
export const PROBE_VALUE = 'nodometerIs_';
/**
 * Added first to an object: the map that it is added to has no properties yet. Frozen and sealed next, it tells V8's own symbols for that.
 */
export const PROBE_ROOT = 'nodometerRoot';

/** Added to an array, whose elements become a dictionary next: it tells V8's own symbol for a change of their kind. */
export const PROBE_ELEMENTS = 'nodometerElements';

/** Literals get a first map by their number of properties; V8 shares it among all literals of that size. */
const LITERAL_SIZES = 32;
/** V8 logs these reads once the function has its feedback, which it gets after a few calls. */
const CALLS = 60;

/** Values by the name to report; elements kinds follow the constructor. */
const VALUES: readonly (readonly [name: string, expression: string])[] = [
  ['Array_PACKED_SMI', '[1]'],
  ['Array_HOLEY_SMI', '[, 1]'],
  ['Array_PACKED_DOUBLE', '[1.5]'],
  ['Array_HOLEY_DOUBLE', '[, 1.5]'],
  ['Array_PACKED', "['a']"],
  ['Array_HOLEY', "[, 'a']"],
  ['Object', '{}'],
  ['String', "'text'"],
  ['Number', '1.5'],
  ['Boolean', 'true'],
  ['Symbol', 'Symbol.iterator'],
  ['BigInt', 'BigInt(1)'],
  ['Function', 'function () {}'],
  ['Function', '() => 1'],
  ['Function', 'async () => 1'],
  ['Map', 'new Map()'],
  ['Set', 'new Set()'],
  ['Date', 'new Date(0)'],
  ['RegExp', '/a/'],
  ['Error', "new Error('probe')"],
  ['Promise', 'Promise.resolve()'],
  ['Uint8Array', 'new Uint8Array(1)'],
  ['Int32Array', 'new Int32Array(1)'],
  ['Float64Array', 'new Float64Array(1)'],
  ['Buffer', 'Buffer.alloc(1)'],
];

/** Plain JavaScript for any Node from 18 on, without declarations that stay. To be run once, before the user's program. */
export function shapeProbeSource(): string {
  const reads = VALUES.map(([name, expression]) => `  (${expression}).${PROBE_VALUE}${name};`);
  const literals = Array.from({ length: LITERAL_SIZES }, (_, size) => {
    const others = Array.from({ length: size }, (__, index) => `p${index}: 1`);
    return `  ({ ${[`${PROBE_ROOT}: 1`, ...others].join(', ')} });`;
  });
  const added = ['  const plain = {};', `  plain.${PROBE_ROOT} = 1;`];
  const integrity = ['freeze', 'seal', 'preventExtensions'].map((method) => `  Object.${method}({ ${PROBE_ROOT}: 1 });`);
  const elements = ['  const list = [1];', `  list.${PROBE_ELEMENTS} = 1;`, '  list[5e7] = 1;'];
  const call = `for (let i = 0; i < ${CALLS}; i++) probe();`;
  return ['{', '  const probe = () => {', ...reads, '  };', `  ${call}`, ...literals, ...added, ...integrity, ...elements, '}', ''].join(
    '\n',
  );
}
