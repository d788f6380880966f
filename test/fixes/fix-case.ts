// What a case of the fixes' behavior is: a small program, the fix that is asked for, and what must hold.
import type { PackageManifest } from '../../protocol/project.ts';

export interface FixCase {
  name: string;
  /** By path. `main.js` is the program; a finding may be marked with «». Without a mark, the rule's first finding counts. */
  files: Readonly<Record<string, string>>;
  manifest?: Partial<PackageManifest>;
  rule: string;
  /** Matches the title of the fix; `callers` is the conversion over several files. */
  fix: RegExp | 'callers';
  /**
   * `same`: the fixed program answers as the original. Otherwise the fix must not be offered, and a refusal must give this reason.
   * `absent`: there is neither a fix of that title nor a reason to show.
   */
  expect: 'same' | 'absent' | { refused: RegExp };
  /** Files that lie beside the program, by path. They are no part of the analysis. */
  data?: Readonly<Record<string, string>>;
  /** One after the other; those of a group at once. */
  requests?: readonly (Request | readonly Request[])[];
}

export interface Request {
  path: string;
  method?: string;
  body?: string;
}

/** What running a program gave. All of it is compared. */
export interface Outcome {
  /** Why the program did not start. */
  start?: string;
  answers: readonly unknown[];
  /** Errors that would have ended the process. */
  fatal: readonly string[];
}

const EXPRESS = { bin: [], scripts: {}, devDependencies: {}, private: true };
export const EXPRESS_4 = { ...EXPRESS, dependencies: { express: '^4.19.0' } };
export const EXPRESS_5 = { ...EXPRESS, dependencies: { express: '^5.0.0' } };
