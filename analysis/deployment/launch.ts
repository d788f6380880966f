// The shared terms: an environment's NODE_ENV as far as files tell, and one start of a Node program under it.
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
  /** Named, but its value is whatever the host has: compose's `NODE_ENV:` or `${NODE_ENV}`. */
  | { kind: 'host'; place: Place; edit: Edit }
  /** Decided where these files do not show it. */
  | { kind: 'unknown' };

export const UNSET: EnvState = { kind: 'unset' };
export const UNKNOWN: EnvState = { kind: 'unknown' };

export interface Via extends Place {
  message: string;
}

/** One Node program that a command starts. */
export interface Start {
  env: EnvState;
  /** The program's source file, where it was found. */
  entry: string | undefined;
  /** Whether an entry that was not found may be real all the same: build output, or a script without an ending such as `bin/www`. */
  mayBeUnseen: boolean;
  /** Folder whose package.json applies when the entry was not found. */
  manifestFolder: string | undefined;
  /** Folder in which the program runs, on the host's side. */
  folder: string | undefined;
  /** As a person writes it: `node server.js`. */
  shown: string;
  /** What follows the entry: `--production` may matter to it. */
  flags: readonly string[];
  /** Files and packages loaded before the entry: `-r dotenv/config`. */
  preloads: readonly string[];
  /** Started by a tool for development: nodemon, `--watch`. */
  isDevelopment: boolean;
  /** The simple command that starts it. */
  place: Place;
  /** npm scripts and shell scripts on the way. */
  via: readonly Via[];
}

/** How a start command's paths map to the project's files. */
export interface Terrain {
  /** Files on the host that `path`, used in `cwd`, may mean; best first. They need not exist. */
  candidates(path: string, cwd: string): readonly string[];
  /** Whether commands certainly run in a POSIX shell (containers, systemd); package.json scripts may run in cmd.exe too. */
  isPosix: boolean;
}
