// What blocks on a route's path, in VS Code's own list of places. Reached from the lens above the route, or from the palette at the cursor.
import { commands, l10n, Location, Position, Range, Uri, window, type CodeLens } from 'vscode';
import { COMMANDS, type EditorPosition, type RoutePlaces } from '../protocol/editor.ts';
import { tell } from './message.ts';
import { nearestAbove } from './nearest-above.ts';

export async function showRoutePlaces(argument: unknown): Promise<void> {
  const target = isRoutePlaces(argument) ? argument : await atCursor();
  if (!target) {
    tell('information', l10n.t('No route with blocking calls is registered at or above the cursor.'));
    return;
  }
  const locations = target.places.map(
    ({ uri, range: { start, end } }) => new Location(Uri.parse(uri), new Range(positionOf(start), positionOf(end))),
  );
  await commands.executeCommand('editor.action.showReferences', Uri.parse(target.uri), positionOf(target.position), locations);
}

async function atCursor(): Promise<RoutePlaces | undefined> {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const lenses = await commands.executeCommand<CodeLens[] | undefined>(
    'vscode.executeCodeLensProvider',
    editor.document.uri,
    Number.MAX_SAFE_INTEGER,
  );
  const targets = (lenses ?? []).flatMap(({ command }) => {
    const argument: unknown = command?.command === COMMANDS.showRoutePlaces ? command.arguments?.[0] : undefined;
    return isRoutePlaces(argument) ? [argument] : [];
  });
  return nearestAbove(targets, editor.selection.active.line);
}

function isRoutePlaces(value: unknown): value is RoutePlaces {
  return (
    typeof value === 'object' && value !== null && 'places' in value && Array.isArray(value.places) && 'uri' in value && 'position' in value
  );
}

function positionOf({ line, character }: EditorPosition): Position {
  return new Position(line, character);
}
