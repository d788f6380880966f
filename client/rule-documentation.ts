// "Open Rule Documentation": the page that is shipped with the extension, as rendered Markdown.
import { commands, extensions, l10n, Uri, window } from 'vscode';
import { pick } from './message.ts';
import type { RuleEntry } from './rule-list.ts';

/** `wanted`: a rule's id; anything else, and the user is asked. */
export async function openRuleDocumentation(rules: readonly RuleEntry[], docs: Uri, wanted: unknown): Promise<void> {
  // Only ids that exist become part of a path: a link in a hover may hold anything.
  const id = rules.find((rule) => rule.id === wanted)?.id ?? (await chooseRule(rules));
  if (id === undefined) return;
  const page = Uri.joinPath(docs, `${id}.md`);
  // Its command is only there once it is active. Without VS Code's own Markdown extension the page is shown as it is written.
  const markdown = extensions.getExtension('vscode.markdown-language-features');
  await markdown?.activate();
  await (markdown ? commands.executeCommand('markdown.showPreview', page) : window.showTextDocument(page));
}

async function chooseRule(rules: readonly RuleEntry[]): Promise<string | undefined> {
  const items = rules.map(({ id, summary }) => ({ label: id, detail: summary }));
  return (await pick(items, { placeHolder: l10n.t('Rule'), matchOnDetail: true }))?.label;
}
