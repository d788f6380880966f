// What `vscode.l10n.t` does when there is no translation.
import type { Translate } from '../../client/translate.ts';

export const english: Translate = (message, ...args) => message.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)]));
