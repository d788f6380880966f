// How texts reach the user: `vscode.l10n.t` or, in tests, a stand-in. Its first argument is a literal, so that translations can be
// gathered.

/** `{0}`, `{1}`, … in the message take the arguments. */
export type Translate = (message: string, ...args: (string | number)[]) => string;
