/** Code, and what must be found in it; lines count from the first line of the code. */
export interface HandlerCase {
  name: string;
  /** Absolute path; `/project/src/server.js` unless it matters. */
  file?: string;
  code: string;
  /** Packages in the project's package.json. */
  dependencies?: readonly string[];
  /** `kind framework route @line of the function` */
  handlers?: readonly string[];
  /** `route @line of the verb` */
  sites?: readonly string[];
}
