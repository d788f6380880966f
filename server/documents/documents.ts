// The documents that the client has open, as it last sent them.
import { fileURLToPath } from 'node:url';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { URI } from 'vscode-uri';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { isScriptPath } from '../../workspace/discovery/left-out.ts';
import { toOffsetChange, type OffsetChange } from '../shared/moved-findings.ts';

export interface OpenDocument {
  readonly uri: string;
  readonly languageId: string;
  /** Absolute path for files on disk; what the URI calls its path for others. */
  readonly path: string;
  /** The path with an ending that tells the dialect, for documents whose name does not. */
  readonly dialectPath: string;
  /** Whether a file on disk stands behind it. */
  readonly onDisk: boolean;
  /** JavaScript or TypeScript. */
  readonly isScript: boolean;
  text: TextDocument;
  /** Version that the file on disk holds. */
  savedVersion: number;
}

const DIALECT_ENDINGS: Readonly<Record<string, string>> = {
  javascript: '.js',
  javascriptreact: '.jsx',
  typescript: '.ts',
  typescriptreact: '.tsx',
};

export type ChangeOutcome = 'applied' | 'unknown document' | 'older than what is known';

export class OpenDocuments {
  readonly #byUri = new Map<string, OpenDocument>();
  readonly #byPath = new Map<string, OpenDocument>();
  readonly #changed: (document: OpenDocument, change: OffsetChange) => void;

  /** `changed` is called before each change is applied. */
  constructor(changed: (document: OpenDocument, change: OffsetChange) => void) {
    this.#changed = changed;
  }

  open(uri: string, languageId: string, version: number, text: string): OpenDocument {
    const document = createDocument(uri, languageId, version, text);
    this.#byUri.set(uri, document);
    if (document.onDisk) this.#byPath.set(document.path, document);
    return document;
  }

  change(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): ChangeOutcome {
    const document = this.#byUri.get(uri);
    if (!document) return 'unknown document';
    if (version <= document.text.version) return 'older than what is known';
    for (const change of changes) {
      this.#changed(document, toOffsetChange(document.text, change));
      document.text = TextDocument.update(document.text, [change], version);
    }
    // A change without content is one all the same.
    if (changes.length === 0) document.text = TextDocument.update(document.text, [], version);
    return 'applied';
  }

  saved(uri: string): OpenDocument | undefined {
    const document = this.#byUri.get(uri);
    if (document) document.savedVersion = document.text.version;
    return document;
  }

  close(uri: string): OpenDocument | undefined {
    const document = this.#byUri.get(uri);
    this.#byUri.delete(uri);
    if (document?.onDisk) this.#byPath.delete(document.path);
    return document;
  }

  get(uri: string): OpenDocument | undefined {
    return this.#byUri.get(uri);
  }

  atPath(path: string): OpenDocument | undefined {
    return this.#byPath.get(path);
  }

  all(): OpenDocument[] {
    return [...this.#byUri.values()];
  }
}

/** Longer paths there are on no system; their folders, one above the other, would be looked through for minutes. */
const LONGEST_PATH = 32_767;

/** A document that no client has opened is made in the same way: a file read from disk. */
export function createDocument(uri: string, languageId: string, version: number, text: string): OpenDocument {
  const path = pathOfUri(uri);
  const onDisk = URI.parse(uri).scheme === 'file' && path.length <= LONGEST_PATH;
  const ending = DIALECT_ENDINGS[languageId];
  const named = SCRIPT_FILE.test(path);
  return {
    uri,
    languageId,
    path,
    onDisk,
    dialectPath: named || ending === undefined ? path : `${path}${ending}`,
    isScript: named ? isScriptPath(path) : ending !== undefined,
    text: TextDocument.create(uri, languageId, version, text),
    savedVersion: version,
  };
}

/** The path of a file, or what a URI of another scheme has in its place. */
export function pathOfUri(uri: string): string {
  const parsed = URI.parse(uri);
  if (parsed.scheme !== 'file') return parsed.path;
  try {
    return fileURLToPath(uri);
  } catch {
    // A file of another machine (`file://host/share`) on a system without such paths.
    return parsed.fsPath;
  }
}

/** A file's text as editors hold it: they take a byte order mark off, and put it back when they save. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
