// What the client says it can do, as the few questions that the server asks.
import type { ClientCapabilities } from 'vscode-languageserver';
import type { ActionAbilities } from './code-actions.ts';
import type { DiagnosticAbilities } from './convert.ts';

export interface ClientAbilities {
  /** Asks for diagnostics itself; otherwise they are pushed. */
  pull: boolean;
  /** Can be told that everything should be asked for again. */
  refresh: boolean;
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
  codeActions: Omit<ActionAbilities, 'commands' | 'profiles'>;
  markdown: boolean;
}

export function abilitiesOf({ textDocument, workspace, window }: ClientCapabilities): ClientAbilities {
  const push = textDocument?.publishDiagnostics;
  const pull = textDocument?.diagnostic;
  const has = (name: 'relatedInformation' | 'codeDescriptionSupport' | 'dataSupport') => (pull?.[name] ?? push?.[name]) === true;
  const tags = pull?.tagSupport ?? push?.tagSupport;
  return {
    pull: pull !== undefined,
    refresh: workspace?.diagnostics?.refreshSupport === true,
    diagnostics: { relatedInformation: has('relatedInformation'), codeDescription: has('codeDescriptionSupport'), data: has('dataSupport'), unnecessary: tags !== undefined },
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
      resolveEdit: textDocument?.codeAction?.dataSupport === true && textDocument.codeAction.resolveSupport?.properties.includes('edit') === true,
    },
    markdown: textDocument?.hover?.contentFormat?.includes('markdown') === true,
  };
}
