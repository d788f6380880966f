// Our own requests that run none of the user's code: to the parts that answer them. Those that run it are in runs/run-requests.ts.
import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import {
  ACCEPT_REQUEST,
  FIX_ALL_REQUEST,
  LINT_WORKSPACE_REQUEST,
  ROUTES_REQUEST,
  type AcceptParams,
  type FixAllParams,
  type LintWorkspaceParams,
  type LintWorkspaceResult,
} from '../protocol/editor.ts';
import type { Features } from './features.ts';
import type { SlowDocuments } from './slow-documents.ts';

export interface OwnParts {
  slow: SlowDocuments;
  /** Throws before the server is initialized. */
  features(): Features;
  lint(params: LintWorkspaceParams, token: CancellationToken): Promise<LintWorkspaceResult>;
  accept(params: AcceptParams, token: CancellationToken): Promise<boolean>;
}

/** `answer` tells what went wrong. Without parameters, the token comes alone. */
export function answerOwnRequests(
  connection: Connection,
  answer: <T>(what: string, token: CancellationToken, work: () => Promise<T>) => Promise<T>,
  parts: OwnParts,
): void {
  connection.onRequest(ROUTES_REQUEST, (...given: [unknown, CancellationToken] | [CancellationToken]) =>
    answer('Listing the routes', given.length === 1 ? given[0] : given[1], () => parts.features().routes()),
  );
  connection.onRequest(LINT_WORKSPACE_REQUEST, (...given: [LintWorkspaceParams | null, CancellationToken] | [CancellationToken]) => {
    const [params, token] = given.length === 1 ? [null, given[0]] : given;
    return answer('Linting the workspace', token, () => parts.lint(params ?? {}, token));
  });
  connection.onRequest(FIX_ALL_REQUEST, (params: FixAllParams, token: CancellationToken) =>
    answer('Fixing', token, () =>
      parts.slow.answer(FIX_ALL_REQUEST, params.textDocument.uri, params, token, () => parts.features().fixAll(params, token)),
    ),
  );
  connection.onRequest<boolean, void>(ACCEPT_REQUEST, (params: AcceptParams, token: CancellationToken) =>
    answer('Accepting a finding', token, () => parts.accept(params, token)),
  );
}
