// What clients ask about one document: to the parts that answer it, here or in the session that has the slow documents.
import type { CancellationToken, CodeAction, Connection } from 'vscode-languageserver/node';
import type { Diagnostics } from './documents/diagnostics.ts';
import type { Features } from './features.ts';
import type { SlowDocuments } from './slow-documents.ts';

export interface DocumentParts {
  /** Both throw before the server is initialized. */
  features(): Features;
  diagnostics(): Diagnostics;
  slow: SlowDocuments;
}

/** `answer` tells what went wrong. */
export function answerDocuments(
  connection: Connection,
  answer: <T>(what: string, token: CancellationToken, work: () => Promise<T>) => Promise<T>,
  { features, diagnostics, slow }: DocumentParts,
): void {
  const about =
    <P extends { textDocument: { uri: string } }, T>(
      what: string,
      method: string,
      work: (params: P, token: CancellationToken) => Promise<T>,
    ) =>
    (params: P, token: CancellationToken) =>
      answer(what, token, () => slow.answer(method, params.textDocument.uri, params, token, () => work(params, token)));
  connection.languages.diagnostics.on(
    about('Linting', 'textDocument/diagnostic', ({ textDocument: { uri }, previousResultId }, token) =>
      diagnostics().pull(uri, previousResultId, token),
    ),
  );
  connection.onCodeLens(about('Finding functions', 'textDocument/codeLens', (params, token) => features().codeLenses(params, token)));
  connection.onCodeAction(about('Finding fixes', 'textDocument/codeAction', (params, token) => features().codeActions(params, token)));
  connection.onCodeActionResolve((action, token) =>
    answer('Working out a fix', token, () =>
      slow.answer('codeAction/resolve', uriOf(action), action, token, () => features().resolve(action, token)),
    ),
  );
  connection.onHover(about('Explaining', 'textDocument/hover', (params, token) => features().hover(params, token)));
  connection.onDocumentLinks(
    about('Finding links', 'textDocument/documentLink', (params, token) => features().documentLinks(params, token)),
  );
}

/** Of the document that the action is about. */
function uriOf({ data }: CodeAction): string {
  return String((data as { uri?: unknown } | undefined)?.uri);
}
