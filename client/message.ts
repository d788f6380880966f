// Messages in the corner of the window. Nobody waits for their answers: a command is done when its work is.
import { commands, window } from 'vscode';
import type { CommandId } from '../protocol/editor.ts';

export interface Button {
  title: string;
  /** A command's id, or what to do where no command may be there. */
  command: CommandId | 'workbench.trust.manage' | (() => void);
}

const SHOW = { information: window.showInformationMessage, warning: window.showWarningMessage, error: window.showErrorMessage };

export function tell(severity: keyof typeof SHOW, message: string, ...buttons: readonly Button[]): void {
  void SHOW[severity]<Button>(message, ...buttons).then((button) => {
    if (typeof button?.command === 'function') button.command();
    else if (button) void commands.executeCommand(button.command);
  });
}
