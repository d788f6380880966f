// What the server says that it can do, and what the client asks of it beyond the protocol.
import { CodeActionKind, TextDocumentSyncKind, type ServerCapabilities } from 'vscode-languageserver/node';
import { COMMANDS, FIX_ALL_KIND, PRODUCT, type InitializationOptions } from '../protocol/editor.ts';
import type { ClientAbilities } from './client-abilities.ts';

/** `clientCommands`: the client has the `nodometer.*` commands itself. */
export function capabilitiesOf(abilities: ClientAbilities, clientCommands: boolean): ServerCapabilities {
  return {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    diagnosticProvider: abilities.pull
      ? { identifier: PRODUCT, interFileDependencies: true, workspaceDiagnostics: abilities.pullsWorkspace }
      : undefined,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL_KIND], resolveProvider: true },
    hoverProvider: true,
    codeLensProvider: {},
    documentLinkProvider: {},
    // VS Code registers each of these as a command of its own name, and the extension has them already.
    executeCommandProvider: clientCommands
      ? undefined
      : { commands: [COMMANDS.openRuleDocumentation, COMMANDS.lintWorkspace, COMMANDS.fixFile, COMMANDS.acceptFinding] },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}

/** `profiles`: the client can show them, and its user trusts the workspace. */
export function decodeOptions(given: unknown): { nodeVersion: string | undefined; clientCommands: boolean; profiles: boolean } {
  const { nodeVersion, clientCommands, trusted } = (typeof given === 'object' && given !== null ? given : {}) as InitializationOptions;
  return {
    nodeVersion: typeof nodeVersion === 'string' ? nodeVersion : undefined,
    clientCommands: clientCommands === true,
    profiles: clientCommands === true && trusted === true,
  };
}
