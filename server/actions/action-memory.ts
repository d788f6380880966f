// Answers about one version of one document: the light bulb asks the same questions at every move of the cursor.

export class ActionMemory {
  #version: number | undefined;
  readonly #answers = new Map<string, unknown>();

  /** The answer as it was worked out for this version; all answers about other versions are forgotten. */
  remember<T>(version: number, question: string, answer: () => T): T {
    if (version !== this.#version) this.clear();
    this.#version = version;
    if (!this.#answers.has(question)) this.#answers.set(question, answer());
    return this.#answers.get(question) as T;
  }

  clear(): void {
    this.#answers.clear();
  }
}
