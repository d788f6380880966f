// Bars in the gutter for the share of the processor's time that lines take: wider and redder with the share.
import {
  OverviewRulerLane,
  ThemeColor,
  Uri,
  window,
  type DecorationOptions,
  type Disposable,
  type TextEditor,
  type TextEditorDecorationType,
} from 'vscode';
import { HEAT_LEVELS, levelOf, type HeatLevel } from './heat-levels.ts';

/** A line from 0 with its share, 0 to 1. */
export interface HotLine {
  line: number;
  share: number;
}

export class Heat implements Disposable {
  readonly #decorations = HEAT_LEVELS.map((level) =>
    window.createTextEditorDecorationType({
      gutterIconSize: 'contain',
      overviewRulerColor: new ThemeColor(level.ruler),
      overviewRulerLane: OverviewRulerLane.Left,
      light: { gutterIconPath: barOf(level, level.light) },
      dark: { gutterIconPath: barOf(level, level.dark) },
    }),
  );

  show(editor: TextEditor, lines: readonly HotLine[]): void {
    const byDecoration = new Map<TextEditorDecorationType, DecorationOptions[]>(this.#decorations.map((decoration) => [decoration, []]));
    for (const { line, share } of lines) {
      const decoration = this.#decorations[levelOf(share)];
      if (decoration) byDecoration.get(decoration)?.push({ range: editor.document.lineAt(line).range });
    }
    for (const [decoration, options] of byDecoration) editor.setDecorations(decoration, options);
  }

  dispose(): void {
    for (const decoration of this.#decorations) decoration.dispose();
  }
}

/** The width says the same as the color, for those who do not tell colors apart. */
function barOf({ width }: HeatLevel, color: string): Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect x="${15 - width}" y="1" width="${width}" height="14" rx="1" fill="${color}"/></svg>`;
  return Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}
