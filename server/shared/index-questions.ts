// Questions to the index's thread that have one answer each: asked by number, given up after a while, and all at once when the thread is
// gone.

/** People wait for a menu: an index that is busy for longer than this is not waited for, in ms. */
const MOST_WAIT_MS = 2_000;

export class IndexQuestions<Answer> {
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>();
  #count = 0;

  /** `post` is given the number; `waitMs`: how long the answer is waited for. Undefined when none came. */
  async ask(post: (id: number) => void, waitMs = MOST_WAIT_MS): Promise<Answer | undefined> {
    const id = ++this.#count;
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<Answer | undefined>((resolve) => {
      this.#waiting.set(id, resolve);
      timer = setTimeout(() => resolve(undefined), waitMs);
      post(id);
    });
    clearTimeout(timer);
    this.#waiting.delete(id);
    return answer;
  }

  answer(id: number, answer: Answer | undefined): void {
    this.#waiting.get(id)?.(answer);
  }

  giveUp(): void {
    for (const resolve of this.#waiting.values()) resolve(undefined);
  }
}
