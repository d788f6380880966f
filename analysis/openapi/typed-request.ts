// A request as its parts, of which a user may have typed some.

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,200}$/;
/** No control codes, nothing beyond Latin-1. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether Node sends such a header. */
export function isHeader(name: string, value: string): boolean {
  return HEADER_NAME.test(name) && HEADER_VALUE.test(value);
}

/** What was typed of a request. */
export interface TypedRequest {
  method: string;
  /** Without a query; may have parameters, such as `/users/:id`. */
  path: string;
  /** Without its question mark; undefined where none was typed. */
  query?: string;
  /** By lower-case names. */
  headers: Readonly<Record<string, string>>;
  body?: string;
}
