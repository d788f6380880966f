// What the workspace remembers of profiles: the files whose running was agreed to, and the calls that the user typed.

/** `Memento` of VS Code. */
export interface Store {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

const AGREED = 'profile.agreed';
const CALLS = 'profile.calls';

export class ProfileMemory {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  hasAgreed(uri: string): boolean {
    return (this.#store.get<string[]>(AGREED) ?? []).includes(uri);
  }

  async agree(uri: string): Promise<void> {
    if (!this.hasAgreed(uri)) await this.#store.update(AGREED, [...(this.#store.get<string[]>(AGREED) ?? []), uri]);
  }

  callOf(uri: string, name: string): string | undefined {
    return (this.#store.get<Record<string, string>>(CALLS) ?? {})[keyOf(uri, name)];
  }

  async rememberCall(uri: string, name: string, call: string): Promise<void> {
    await this.#store.update(CALLS, { ...(this.#store.get<Record<string, string>>(CALLS) ?? {}), [keyOf(uri, name)]: call });
  }
}

function keyOf(uri: string, name: string): string {
  return `${uri}#${name}`;
}
