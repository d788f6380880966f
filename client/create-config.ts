// "Create Configuration File": writes a commented nodometer.config.json, or opens the one that is there.
import { l10n, Uri, window, workspace, WorkspaceEdit, FileSystemError } from 'vscode';
import { CONFIG_FILE, configTemplate } from './config-template.ts';
import { tell } from './message.ts';
import type { RuleEntry } from './rule-list.ts';

/** `folder`: a folder to write into; without it the user is asked when there are several. */
export async function createConfig(rules: readonly RuleEntry[], folder?: Uri): Promise<void> {
  const target = folder ?? (await chooseFolder());
  if (!target) return;
  const file = Uri.joinPath(target, CONFIG_FILE);
  if (!(await exists(file))) {
    const edit = new WorkspaceEdit();
    // VS Code itself refuses when another program made the file in the meantime.
    edit.createFile(file, { overwrite: false, contents: new TextEncoder().encode(configTemplate(rules)) });
    if (!(await workspace.applyEdit(edit))) {
      tell('error', l10n.t('{0} could not be written.', file.fsPath));
      return;
    }
  }
  await window.showTextDocument(file);
}

async function chooseFolder(): Promise<Uri | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    tell('information', l10n.t('Open a folder first. The configuration file is created in it.'));
    return undefined;
  }
  if (folders.length === 1) return folders[0]?.uri;
  return (await window.showWorkspaceFolderPick({ placeHolder: l10n.t('Folder for {0}', CONFIG_FILE) }))?.uri;
}

async function exists(file: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(file);
    return true;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}
