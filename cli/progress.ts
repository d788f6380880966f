// One line on standard error that says how far the run is. Gone without a trace when it ends.
import { visible } from './formats/display-text.ts';
import type { OutputStream } from './host.ts';

const CLEAR_LINE = '\r\u001b[2K';
const DEFAULT_COLUMNS = 80;

export class ProgressLine {
  readonly #stream: OutputStream;
  readonly #enabled: boolean;
  #shown = false;

  constructor(stream: OutputStream, enabled: boolean) {
    this.#stream = stream.raw ?? stream;
    this.#enabled = enabled;
  }

  show(done: number, total: number, path: string): void {
    if (!this.#enabled) return;
    const text = visible(`  ${done}/${total} ${path}`);
    // A line that wraps could not be cleared.
    this.#stream.write(CLEAR_LINE + text.slice(0, (this.#stream.columns ?? DEFAULT_COLUMNS) - 1));
    this.#shown = true;
  }

  /** Takes the line away before anything else is written. */
  clear(): void {
    if (this.#shown) this.#stream.write(CLEAR_LINE);
    this.#shown = false;
  }
}
