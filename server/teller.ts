// The messages that the user sees. The callers make sure that none is shown at every keystroke.
import { MessageType, ShowMessageNotification, type Connection } from 'vscode-languageserver/node';
import { asNotice, asOneLine } from '../protocol/safe-text.ts';

export class Teller {
  readonly #connection: Connection;
  readonly #said = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  inform(message: string): void {
    this.#show(MessageType.Info, message);
  }

  logOnce(message: string): void {
    if (this.#isNew(message)) this.#connection.console.warn(asOneLine(message));
  }

  warn(message: string): void {
    this.#connection.console.warn(asOneLine(message));
    this.#show(MessageType.Warning, message);
  }

  error(message: string): void {
    this.#connection.console.error(asOneLine(message));
    this.#show(MessageType.Error, message);
  }

  /** A rule threw: its findings in that file are missing. Shown once for each rule, logged once for each file. */
  crashed({ ruleId, file, error }: { ruleId: string; file: string; error: Error }): void {
    if (this.#isNew(`crash ${ruleId} ${file}`))
      this.#connection.console.error(
        `Rule ${ruleId} crashed on ${file}, so its findings there are missing.\n${error.stack ?? error.message}`,
      );
    if (this.#isNew(`crash ${ruleId}`))
      this.#show(
        MessageType.Warning,
        `rule ${ruleId} crashed on ${file} (${error.message}). Its findings there are missing; other findings are not affected. This is a bug in Nodometer; please report it. See the output for details.`,
      );
  }

  /** A notification: the library's own way is a request, which some clients leave unanswered or refuse. */
  #show(type: MessageType, message: string): void {
    this.#connection
      .sendNotification(ShowMessageNotification.type, { type, message: asNotice(`Nodometer: ${message}`) })
      .catch((error: unknown) => this.#connection.console.error(`A message could not be shown. ${String(error)}`));
  }

  #isNew(key: string): boolean {
    if (this.#said.has(key)) return false;
    this.#said.add(key);
    return true;
  }
}
