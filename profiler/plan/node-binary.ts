// A Node that can run a profile, and what it can do.

export interface NodeBinary {
  /** Absolute; the program itself where the path that was asked is a version manager's stand-in. */
  path: string;
  /** Without the `v`. */
  version: string;
  v8: string;
  arch: string;
  platform: string;
  /** Names of V8's flags, with dashes, without the leading ones: `log-deopt`. */
  v8Flags: readonly string[];
  /** Node's own flags, with the leading dashes: `--permission`. */
  nodeFlags: readonly string[];
}
