// What the client says it can do, as the few questions that the server asks.
import type { ClientCapabilities } from 'vscode-languageserver';
import type { ActionAbilities } from './actions/code-actions.ts';
import type { DiagnosticAbilities } from './shared/convert.ts';

export interface ClientAbilities {
  /** Asks for diagnostics itself; otherwise they are pushed. */
  pull: boolean;
  /** Asks also for those of files that are not open, again and again; otherwise these are pushed. */
  pullsWorkspace: boolean;
  /** Can be asked to request everything again. */
  refresh: boolean;
  /** Can be asked to request code lenses again. */
  refreshLenses: boolean;
  diagnostics: DiagnosticAbilities;
  /** Answers `workspace/configuration`. */
  configuration: boolean;
  /** Lets the server ask for configuration changes to be sent. */
  configurationChanges: boolean;
  /** Lets the server say which files to watch. */
  watch: boolean;
  folderChanges: boolean;
  /** Lets the server start a progress bar. */
  progress: boolean;
  showDocument: boolean;
  codeActions: Omit<ActionAbilities, 'commands' | 'profiles' | 'accept'>;
  markdown: boolean;
}

/**
 * Neovim (seen with 0.12.4) answers a refresh by one `workspace/diagnostic` where a server offers it, and then leaves all open documents
 * as they were: https://github.com/neovim/neovim/pull/40623. It never asks for the workspace of its own accord. No capability says so.
 */
const PULLS_DOCUMENTS_ONLY = 'Neovim';

export function abilitiesOf({ textDocument, workspace, window }: ClientCapabilities, client: string | undefined): ClientAbilities {
  const push = textDocument?.publishDiagnostics;
  const pull = textDocument?.diagnostic;
  const has = (name: 'relatedInformation' | 'codeDescriptionSupport' | 'dataSupport') => (pull?.[name] ?? push?.[name]) === true;
  const tags = pull?.tagSupport ?? push?.tagSupport;
  return {
    pull: pull !== undefined,
    pullsWorkspace: pull !== undefined && client !== PULLS_DOCUMENTS_ONLY,
    refresh: workspace?.diagnostics?.refreshSupport === true,
    refreshLenses: workspace?.codeLens?.refreshSupport === true,
    diagnostics: {
      relatedInformation: has('relatedInformation'),
      codeDescription: has('codeDescriptionSupport'),
      data: has('dataSupport'),
      unnecessary: tags !== undefined,
    },
    configuration: workspace?.configuration === true,
    configurationChanges: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    watch: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    folderChanges: workspace?.workspaceFolders === true,
    progress: window?.workDoneProgress === true,
    showDocument: window?.showDocument?.support === true,
    codeActions: {
      literals: textDocument?.codeAction?.codeActionLiteralSupport !== undefined,
      disabled: textDocument?.codeAction?.disabledSupport === true,
      preferred: textDocument?.codeAction?.isPreferredSupport === true,
      documentChanges: workspace?.workspaceEdit?.documentChanges === true,
      changeAnnotations: workspace?.workspaceEdit?.changeAnnotationSupport !== undefined,
      resolveEdit:
        textDocument?.codeAction?.dataSupport === true && textDocument.codeAction.resolveSupport?.properties.includes('edit') === true,
    },
    markdown: textDocument?.hover?.contentFormat?.includes('markdown') === true,
  };
}
