// Whether files are still as they were when they were run.
import { createHash } from 'node:crypto';

export interface FilePrint {
  /** Absolute path. */
  file: string;
  /** Undefined where the file was changed while it ran: nobody knows which text that was. */
  print?: string;
}

/** A program may read thousands; the first ones are those that it starts with. */
const MOST_FILES = 200;

/** Of what is in it: an editor may write its lines' ends in another way than the disk has them. */
export function printOf(text: string): string {
  return createHash('sha256')
    .update(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'))
    .digest('base64');
}

export interface FileReader {
  /** As the user sees it; undefined where there is none. */
  textOf(file: string): PromiseLike<string | undefined>;
  /** When the disk's file was written, in ms since 1970; undefined where there is none. */
  writtenAt(file: string): PromiseLike<number | undefined>;
}

/** @param startedAt when the run began, in ms since 1970 */
export async function printsOf(files: readonly string[], startedAt: number, reader: FileReader): Promise<FilePrint[]> {
  return Promise.all(
    files.slice(0, MOST_FILES).map(async (file): Promise<FilePrint> => {
      const [text, written] = [await reader.textOf(file), await reader.writtenAt(file)];
      return text === undefined || written === undefined || written > startedAt ? { file } : { file, print: printOf(text) };
    }),
  );
}

/** Files with another text than that. */
export async function changedSince(prints: readonly FilePrint[], { textOf }: Pick<FileReader, 'textOf'>): Promise<string[]> {
  const changed = await Promise.all(
    prints.map(async ({ file, print }) => {
      const text = print === undefined ? undefined : await textOf(file);
      return text === undefined || printOf(text) !== print;
    }),
  );
  return prints.filter((_, index) => changed[index]).map(({ file }) => file);
}
