// What the user is told by messages: each thing once, so that nothing is said at every keystroke.
import type { Connection } from 'vscode-languageserver';

export class Teller {
  readonly #connection: Connection;
  readonly #said = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  logOnce(message: string): void {
    if (this.#isNew(message)) this.#connection.console.warn(message);
  }

  warnOnce(message: string): void {
    if (!this.#isNew(message)) return;
    this.#connection.console.warn(message);
    this.#connection.window.showWarningMessage(`Nodometer: ${message}`);
  }

  errorOnce(message: string): void {
    if (!this.#isNew(message)) return;
    this.#connection.console.error(message);
    this.#connection.window.showErrorMessage(`Nodometer: ${message}`);
  }

  /** A rule threw: its findings in that file are missing. Shown once for each rule, logged once for each file. */
  crashed({ ruleId, file, error }: { ruleId: string; file: string; error: Error }): void {
    if (this.#isNew(`crash ${ruleId} ${file}`)) this.#connection.console.error(`The rule ${ruleId} failed on ${file}; its findings there are missing.\n${error.stack ?? error.message}`);
    if (this.#isNew(`crash ${ruleId}`)) this.#connection.window.showWarningMessage(`Nodometer: the rule ${ruleId} failed on ${file} (${error.message}). Its findings there are missing; the others hold. This is a bug: please report it, the output has the details.`);
  }

  /** Configurations are read anew: what was wrong with them may be said again. */
  forget(): void {
    for (const said of [...this.#said]) if (!said.startsWith('crash ')) this.#said.delete(said);
  }

  #isNew(key: string): boolean {
    if (this.#said.has(key)) return false;
    this.#said.add(key);
    return true;
  }
}
