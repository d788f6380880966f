// What `JSON.parse` takes, in ms for each megabyte (2 to the 20th characters), in a list of 8 MB: from the fastest to the slowest of Node
// 20, 22, 24, and 26. `node bench/json-time.js` measures it; the page of the rule no-unbounded-json has the table. One version differs from
// the next by less than busy machines do, so that the rule names ranges.

export interface JsonTime {
  low: number;
  high: number;
}

/** Objects with a number, a name, an address, and a few more fields. */
export const RECORDS_MS: JsonTime = { low: 4.8, high: 10.9 };
/** `{}`, again and again: what takes longest of what was tried. A client may choose it. */
export const EMPTY_OBJECTS_MS: JsonTime = { low: 63.3, high: 107.5 };
