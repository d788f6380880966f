// The commands that ask the language server for something: lint the workspace, fix the file.
import {
  commands,
  l10n,
  Position,
  ProgressLocation,
  Range,
  TextEdit,
  window,
  workspace,
  WorkspaceEdit,
  type LogOutputChannel,
  type TextDocument,
} from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  ACCEPT_REQUEST,
  COMMANDS,
  FIX_ALL_REQUEST,
  LINT_WORKSPACE_REQUEST,
  type AcceptParams,
  type AcceptTarget,
  type FixAllParams,
  type FixAllResult,
  type LintWorkspaceResult,
} from '../../protocol/editor.ts';
import { askForText, tell, withProgress, type Button } from '../message.ts';
import { requestWithProgress, tellNotRunning } from '../profile/progress-request.ts';
import { fixMessage, rejectedLines, workspaceMessage } from '../result-text.ts';
import type { Status } from './status.ts';

export interface CommandDeps {
  /** The client of a server that runs, or undefined. */
  client(): LanguageClient | undefined;
  status: Status;
  output: LogOutputChannel;
}

export async function lintWorkspace(deps: CommandDeps): Promise<void> {
  const client = deps.client();
  if (!client) return tellNotRunning();
  const options = { location: ProgressLocation.Notification, title: l10n.t('Nodometer: linting the workspace'), cancellable: true };
  const result = await withProgress(options, (progress, cancel) =>
    deps.status.during(
      requestWithProgress<LintWorkspaceResult>(
        client,
        { method: LINT_WORKSPACE_REQUEST, params: {}, name: 'lint-workspace' },
        progress,
        cancel,
      ),
      'linting',
    ),
  );
  await showResult(result);
}

/** What was found is in view, without another step. */
export async function showResult(result: LintWorkspaceResult): Promise<void> {
  if (result.findings > 0) await commands.executeCommand('workbench.actions.view.problems');
  tell('information', workspaceMessage(result, l10n.t));
}

/** @param target what the quick fix says of its finding */
export async function acceptFinding(deps: CommandDeps, target: unknown): Promise<void> {
  if (typeof target !== 'object' || target === null) return;
  const client = deps.client();
  if (!client) return tellNotRunning();
  const reason = await askForText({
    title: l10n.t('Accept for now'),
    prompt: l10n.t('Why do you accept this finding for now? Your team can read the reason in the baseline. Leave it empty to give none.'),
  });
  // Escape.
  if (reason === undefined) return;
  const params: AcceptParams = { ...(target as AcceptTarget), reason };
  await client.sendRequest<boolean>(ACCEPT_REQUEST, params);
}

export async function fixFile(deps: CommandDeps): Promise<void> {
  const document = window.activeTextEditor?.document;
  if (!document) {
    tell('information', l10n.t('Open the file to fix first.'));
    return;
  }
  const client = deps.client();
  if (!client) return tellNotRunning();
  const params: FixAllParams = {
    textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri), version: document.version },
    kind: 'safe',
  };
  const result = await client.sendRequest<FixAllResult>(FIX_ALL_REQUEST, params);
  if (!(await apply(document, params.textDocument.version, result))) {
    tell('warning', l10n.t('Nodometer: the file has changed, so nothing was fixed. Try again.'));
    return;
  }
  for (const line of rejectedLines(result)) deps.output.info(line);
  const rejected: Button[] = result.rejected.length > 0 ? [{ title: l10n.t('Show Output'), command: COMMANDS.showOutput }] : [];
  tell('information', fixMessage(result, l10n.t), ...rejected);
}

/** One edit, so that one undo takes it back. False when it does not fit the document any more. */
async function apply(document: TextDocument, version: number | undefined, { edits }: FixAllResult): Promise<boolean> {
  if (document.version !== version) return false;
  if (edits.length === 0) return true;
  const edit = new WorkspaceEdit();
  edit.set(
    document.uri,
    edits.map(({ range: { start, end }, newText }) =>
      TextEdit.replace(new Range(new Position(start.line, start.character), new Position(end.line, end.character)), newText),
    ),
  );
  return workspace.applyEdit(edit);
}
