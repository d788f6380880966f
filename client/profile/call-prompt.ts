// Asks for a call where nothing says how a function is called, and remembers the answer.
import { l10n, type TextDocument } from 'vscode';
import { askForText } from '../message.ts';
import type { ProfileMemory } from './profile-memory.ts';
import { calleeOf, problemOfCall } from './typed-call.ts';

export class CallPrompt {
  readonly #memory: ProfileMemory;

  constructor(memory: ProfileMemory) {
    this.#memory = memory;
  }

  /** Undefined when the user wants none. `why` is a sentence. */
  async ask(document: TextDocument, example: string, why: string): Promise<string | undefined> {
    const uri = document.uri.toString();
    const name = calleeOf(example);
    const value = this.#memory.callOf(uri, name) ?? example;
    const open = value.indexOf('(') + 1;
    const call = await askForText({
      title: l10n.t('Profile {0}', name),
      prompt: l10n.t('{0} Enter a call to profile.', why),
      value,
      valueSelection: [open, Math.max(open, value.lastIndexOf(')'))],
      placeHolder: example,
      ignoreFocusOut: true,
      validateInput: (text) => problemOfCall(text, l10n.t),
    });
    if (call === undefined) return undefined;
    await this.#memory.rememberCall(uri, name, call.trim());
    return call.trim();
  }
}
