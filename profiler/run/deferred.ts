/** A promise that is settled from outside. */
export class Deferred<Value> {
  readonly promise: Promise<Value>;
  settle: (value: Value) => void = () => {
    /* Set at once. */
  };

  constructor() {
    this.promise = new Promise((resolve) => {
      this.settle = resolve;
    });
  }
}
