// Actions that cannot be chosen, in a form in which VS Code tells why.
import type { CodeAction, Command } from 'vscode';

/**
 * VS Code's menu shows the title of such an action and keeps its reason to itself (seen in 1.139), so that the reason goes into the title.
 */
export function withReasons(actions: (Command | CodeAction)[] | null | undefined): (Command | CodeAction)[] | null | undefined {
  for (const action of actions ?? [])
    if ('disabled' in action && action.disabled) action.title = `${action.title}: ${action.disabled.reason}`;
  return actions;
}
