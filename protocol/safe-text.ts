// Text that is not our own, made safe for the place where it is shown. File names, keys of configurations, routes, messages of errors and
// kept evidence may hold anything: none of it may become a link, a command, a picture, a control code or a second line.
// Markdown has its own writer in `server/shared/markdown.ts`.

/** Control characters and bidirectional overrides could make a text look like another one. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]+/g;

/** `$(sync~spin)`: VS Code draws an icon there. */
const ICON = /\$(?=\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\))/g;

/** VS Code makes `[text](command:…)`, `(https:…)` and `(file:…)` links that one click follows; there is no way to escape them. */
const LINK = /\](?=\()/g;

/** For places that show plain text: messages of diagnostics, titles of actions. */
export function asOneLine(text: string): string {
  return text.replace(CONTROL, ' ');
}

/** For VS Code's labels, which know icons: code lenses, entries of lists, status items. */
export function asLabel(text: string): string {
  return asOneLine(text).replace(ICON, '$& ');
}

/** For VS Code's notifications, progress, prompts and status details, which know icons and links. */
export function asNotice(text: string): string {
  return asLabel(text).replace(LINK, '$& ');
}
