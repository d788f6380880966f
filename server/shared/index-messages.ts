// What the answering thread and the index's thread say to each other.
import type { FoundCall } from '../../analysis/profile/calls.ts';
import type { FunctionAnswer } from '../../analysis/project/answers/function-answer.ts';
import type { Span } from '../../protocol/finding.ts';
import type { ConvertOutcome } from '../index-thread/convert-callers.ts';
import type { ListedRoute, RouteAnswer } from '../index-thread/route-answers.ts';
import type { LintedFile, LintJob } from '../workers/lint-job.ts';
import type { FolderHost } from './folder-tools.ts';

export interface IndexJob extends LintJob {
  /** Documents that are open, with their texts. */
  open: readonly { path: string; text: string }[];
}

export type IndexRequest =
  /** Everything anew. */
  | { kind: 'build'; job: IndexJob }
  /** A document as it stands in the editor. `sequence` counts them. */
  | { kind: 'edit'; path: string; text: string; sequence: number }
  /** A document was closed: its file counts. */
  | { kind: 'close'; path: string }
  /** Files that were made, changed or deleted on disk. */
  | { kind: 'disk'; paths: readonly string[] }
  /** What can be done about the blocking call at a span of a file; answered by `converted` of the same number. */
  | { kind: 'convert'; id: number; path: string; span: Span }
  /** What is known of the functions of any files; answered by `answered` of the same number. */
  | { kind: 'ask'; id: number; paths: readonly string[] }
  /** How the project calls the function at an offset of a file; answered by `called` of the same number. */
  | { kind: 'calls'; id: number; path: string; offset: number }
  /** All routes; answered by `listed` of the same number. */
  | { kind: 'list'; id: number }
  /** Whether the findings of files that are not open are sent, too. */
  | { kind: 'report'; on: boolean };

/** What is known of an open document's functions, by where they start. */
export interface PathAnswer {
  /** Its number in the summary of the text that this is about. */
  fn: number;
  start: number;
  answer: FunctionAnswer;
}

export type IndexMessage =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'built'; files: number; ms: number }
  /** `sequence`: of the text that the offsets are about. */
  | { kind: 'paths'; path: string; sequence: number; answers: readonly PathAnswer[] }
  /** Of the routes that an open document registers; sent when nothing has changed for a moment. */
  | { kind: 'routes'; path: string; sequence: number; routes: readonly RouteAnswer[] }
  /** The file is none of the project's. */
  | { kind: 'unknown'; path: string; sequence: number }
  /** Findings of modules that are not open, also where there are none. */
  | { kind: 'files'; files: readonly LintedFile[] }
  | { kind: 'converted'; id: number; outcome: ConvertOutcome | undefined }
  /** Without the files that are none of the project's. */
  | { kind: 'answered'; id: number; files: readonly { path: string; answers: readonly PathAnswer[] }[] }
  | { kind: 'called'; id: number; calls: readonly FoundCall[] | undefined }
  | { kind: 'listed'; id: number; routes: readonly ListedRoute[] }
  /** Files have changed, and then nothing for a moment. */
  | { kind: 'changed' }
  | { kind: 'log'; message: string };

export interface IndexHost extends Omit<FolderHost, 'signal'> {
  post(message: IndexMessage): void;
}
