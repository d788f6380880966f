// A request as its parts, of which a user may have typed some.

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
