// The extension's entry: what VS Code calls when a workspace has something to look at.
import type { ExtensionContext } from 'vscode';

export function activate(_context: ExtensionContext): void {}

export function deactivate(): void {}
