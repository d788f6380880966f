// What the thread of ESLint asks the thread with the index, and what that answers. Plain data.

/** Where ESLint is, and what it gave. */
export interface Question {
  id: number;
  /** Absolute path. */
  file: string;
  /** With its byte order mark. */
  text: string;
  /** ESLint's working directory. */
  cwd: string;
}

/** One edit of the text: the fixes of ESLint are such. */
export interface Change {
  start: number;
  end: number;
  text: string;
}

export interface Reported {
  ruleId: string;
  message: string;
  isHint: boolean;
  start: number;
  end: number;
  /** Keeps behavior: may be made without anyone looking at it. */
  fix?: Change;
  suggestions: readonly { title: string; change: Change }[];
}

export interface Problem {
  /** One sentence or two, without a prefix. */
  message: string;
  /** Whether it is about this file, at this place. Others are about all files, and told once. */
  at?: { start: number; end: number };
}

export interface Answer {
  id: number;
  found: readonly Reported[];
  problem?: Problem;
}

/** The last words of a thread that dies: who waits for it hears neither `error` nor `exit`. */
export interface Ended {
  ended: string;
}

/** What the thread is started with. */
export interface ThreadData {
  port: unknown;
  /** Set to 1 and notified with each answer, and at the end. */
  signal: SharedArrayBuffer;
}
