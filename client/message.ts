// All that the window shows as messages, lists and prompts. Only this file asks VS Code for them: what is shown may come from the
// workspace, and VS Code would make links and icons of it.
import {
  commands,
  window,
  type CancellationToken,
  type InputBoxOptions,
  type MessageItem,
  type Progress,
  type ProgressOptions,
  type QuickPickItem,
  type QuickPickOptions,
} from 'vscode';
import type { CommandId } from '../protocol/editor.ts';
import { asNotice } from '../protocol/safe-text.ts';

export interface Button {
  title: string;
  /** A command's id, or what to do where no command may be there. */
  command: CommandId | 'workbench.trust.manage' | (() => void);
}

const SHOW = { information: window.showInformationMessage, warning: window.showWarningMessage, error: window.showErrorMessage };

/** Nobody waits for the answer: a command is done when its work is. */
export function tell(severity: keyof typeof SHOW, message: string, ...buttons: readonly Button[]): void {
  void SHOW[severity]<Button>(asNotice(message), ...buttons).then((button) => {
    if (typeof button?.command === 'function') button.command();
    else if (button) void commands.executeCommand(button.command);
  });
}

/** A line at the bottom of the window. */
export function mention(message: string, forMs: number): void {
  window.setStatusBarMessage(asNotice(message), forMs);
}

/** A question in the middle of the window. Undefined when the user wants none of the answers. */
export async function ask<Answer extends MessageItem>(
  severity: keyof typeof SHOW,
  question: { text: string; detail?: string },
  ...answers: readonly Answer[]
): Promise<Answer | undefined> {
  const detail = question.detail === undefined ? undefined : asNotice(question.detail);
  return SHOW[severity]<Answer>(asNotice(question.text), { modal: true, detail }, ...answers);
}

/** An entry of a list; `icon` is the name of one of VS Code's icons. */
export interface Choice extends QuickPickItem {
  icon?: string;
}

type Shown<Item> = QuickPickItem & { item: Item };

export async function pick<Item extends Choice>(
  items: readonly Item[] | Promise<readonly Item[]>,
  options: Omit<QuickPickOptions, 'canPickMany'>,
): Promise<Item | undefined> {
  return (await window.showQuickPick(shown(items), safe(options)))?.item;
}

export async function pickSeveral<Item extends Choice>(
  items: readonly Item[] | Promise<readonly Item[]>,
  options: Omit<QuickPickOptions, 'canPickMany'>,
): Promise<Item[] | undefined> {
  return (await window.showQuickPick(shown(items), { ...safe(options), canPickMany: true }))?.map(({ item }) => item);
}

export async function askForText(options: InputBoxOptions): Promise<string | undefined> {
  const { validateInput } = options;
  return window.showInputBox({
    ...safe(options),
    validateInput:
      validateInput &&
      (async (text) => {
        const problem = await validateInput(text);
        return typeof problem === 'string' ? asNotice(problem) : problem;
      }),
  });
}

/** What the work reports is made safe, too. */
export async function withProgress<Result>(
  options: ProgressOptions,
  work: (progress: Progress<{ message?: string; increment?: number }>, cancel: CancellationToken) => Thenable<Result>,
): Promise<Result> {
  const title = options.title === undefined ? undefined : asNotice(options.title);
  return window.withProgress({ ...options, title }, (progress, cancel) =>
    work(
      {
        report: ({ message, increment }) => progress.report({ message: message === undefined ? undefined : asNotice(message), increment }),
      },
      cancel,
    ),
  );
}

async function shown<Item extends Choice>(items: readonly Item[] | Promise<readonly Item[]>): Promise<Shown<Item>[]> {
  return (await items).map((item) => ({
    ...item,
    label: `${item.icon === undefined ? '' : `$(${item.icon}) `}${asNotice(item.label)}`,
    description: item.description === undefined ? undefined : asNotice(item.description),
    detail: item.detail === undefined ? undefined : asNotice(item.detail),
    item,
  }));
}

/** The line above and in a prompt. What is typed, or stands there to be changed, stays as it is. */
function safe<Options extends { title?: string; prompt?: string; placeHolder?: string }>(options: Options): Options {
  const { title, prompt, placeHolder } = options;
  return {
    ...options,
    ...(title === undefined ? {} : { title: asNotice(title) }),
    ...(prompt === undefined ? {} : { prompt: asNotice(prompt) }),
    ...(placeHolder === undefined ? {} : { placeHolder: asNotice(placeHolder) }),
  };
}
