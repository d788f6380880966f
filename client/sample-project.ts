// A small project to try Nodometer with, as the walkthrough offers it. It is copied to a folder of the extension's own, where it can be
// changed and run.
import { join } from 'node:path';
import { commands, FileSystemError, Uri, window, workspace, type Memento } from 'vscode';

export interface SampleDeps {
  /** The sample as it is shipped, absolute. */
  shipped: string;
  /** Where its copy lies, absolute. */
  copy: string;
  /** Of the extension, for all windows. */
  store: Memento;
}

/** The file with the blocking call that a profile confirms. */
const FIRST_FILE = 'accounts.js';
const OPENED = 'sample.opened';

/** In this window if it is empty, else in another one: nobody's work is put away. */
export async function openSample({ shipped, copy, store }: SampleDeps): Promise<void> {
  await copySample(Uri.file(shipped), Uri.file(copy));
  await store.update(OPENED, true);
  await commands.executeCommand('vscode.openFolder', Uri.file(copy), { forceNewWindow: workspace.workspaceFolders !== undefined });
}

/** In the window that `openSample` has opened: shows the file to begin with, once. */
export async function showFirstFile({ copy, store }: SampleDeps): Promise<void> {
  if (!store.get(OPENED) || workspace.workspaceFolders?.[0]?.uri.fsPath !== Uri.file(copy).fsPath) return;
  await store.update(OPENED, undefined);
  await window.showTextDocument(Uri.file(join(copy, FIRST_FILE)));
}

/** What the user has changed in an earlier copy stays. */
async function copySample(shipped: Uri, copy: Uri): Promise<void> {
  try {
    await workspace.fs.copy(shipped, copy, { overwrite: false });
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code !== 'FileExists') throw error;
  }
}
