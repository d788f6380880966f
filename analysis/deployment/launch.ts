// The shared terms: the NODE_ENV of an environment, as far as files show it, and one start of a Node program.
import type { Edit, Span } from '../../protocol/finding.ts';

export interface Place {
  /** Absolute path, forward slashes. */
  path: string;
  span: Span;
}

export type EnvState =
  | { kind: 'unset' }
  /** `place` is the text that a fix replaces with `production`. */
  | { kind: 'value'; value: string; place: Place | undefined }
  /** Named, but the host provides the value: `NODE_ENV:` or `${NODE_ENV}` in compose. */
  | { kind: 'host'; place: Place; edit: Edit }
  /** Not visible in these files. */
  | { kind: 'unknown' };

export const UNSET: EnvState = { kind: 'unset' };
export const UNKNOWN: EnvState = { kind: 'unknown' };

export interface Via extends Place {
  message: string;
}

/** One Node program that a command starts. */
export interface Start {
  env: EnvState;
  /** The source file of the program, if found. */
  entry: string | undefined;
  /** Whether an entry that was not found may still exist: build output, or a script without an extension such as `bin/www`. */
  mayBeUnseen: boolean;
  /** Folder whose package.json applies if the entry was not found. */
  manifestFolder: string | undefined;
  /** Folder in which the program runs, on the host. */
  folder: string | undefined;
  /** As a person writes it: `node server.js`. */
  shown: string;
  /** The words after the entry. `--production` may matter to it. */
  flags: readonly string[];
  /** Files and packages loaded before the entry: `-r dotenv/config`. */
  preloads: readonly string[];
  /** Started by a development tool: nodemon, `--watch`. */
  isDevelopment: boolean;
  /** The simple command that starts it. */
  place: Place;
  /** npm scripts and shell scripts that lead to it. */
  via: readonly Via[];
}

/** How the paths of a start command map to the files of the project. */
export interface Terrain {
  /** Files on the host that `path` may mean in `cwd`, best first. They need not exist. */
  candidates(path: string, cwd: string): readonly string[];
  /** Whether commands certainly run in a POSIX shell (containers, systemd). package.json scripts may also run in cmd.exe. */
  isPosix: boolean;
}
