// Which of several places in a file a person means who has the cursor on a line.
import type { EditorPosition } from '../protocol/editor.ts';

/** The last one that starts on the line or above it. */
export function nearestAbove<T extends { position: EditorPosition }>(targets: readonly T[], line: number): T | undefined {
  return targets
    .filter(({ position }) => position.line <= line)
    .sort((a, b) => a.position.line - b.position.line || a.position.character - b.position.character)
    .at(-1);
}
