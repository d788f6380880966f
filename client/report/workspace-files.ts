// Texts of files as the user sees them: in an editor, or on the disk.
import { FileSystemError, Uri, workspace } from 'vscode';
import type { FileReader } from './file-prints.ts';

export const workspaceFiles: FileReader = {
  async textOf(file) {
    const uri = Uri.file(file);
    const open = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString() && !one.isClosed);
    if (open) return open.getText();
    const bytes = await orMissing(workspace.fs.readFile(uri));
    return bytes && workspace.decode(bytes, { uri });
  },

  async writtenAt(file) {
    return (await orMissing(workspace.fs.stat(Uri.file(file))))?.mtime;
  },
};

async function orMissing<T>(reading: Thenable<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}
