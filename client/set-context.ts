// Context keys, by which VS Code offers a command or leaves it out.
import { commands } from 'vscode';

export function setContext(values: Readonly<Record<string, boolean>>): void {
  for (const [key, value] of Object.entries(values)) void commands.executeCommand('setContext', key, value);
}
