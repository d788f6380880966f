// Work that nobody waits for on a keystroke gives way to the thread that answers the editor, where both want the same core.
import { constants, setPriority } from 'node:os';

/** For a worker thread. Only Linux knows priorities of threads: elsewhere it would be the whole server's. */
export function yieldToTyping(log: (message: string) => void): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    log(`The priority of a worker thread could not be lowered: ${String(error)}`);
  }
}
