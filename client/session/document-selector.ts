// Which documents are sent to the server: more than it has something to say about. It decides by path what a file is.

export interface DocumentFilter {
  scheme: string;
  language?: string;
  pattern?: string;
}

const LANGUAGES = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'dockerfile', 'dockercompose'];

/** Deployment files, whatever language VS Code takes them for. */
export const DEPLOYMENT_PATTERNS: readonly string[] = [
  '**/package.json',
  '**/*.{yml,yaml}',
  '**/*{D,d}ockerfile*',
  '**/*{C,c}ontainerfile*',
  '**/{P,p}rocfile*',
  '**/*.service',
  '**/*.service.d/*.conf',
  '**/.env*',
  '**/*.env',
  '**/{ecosystem,pm2,process,processes}*.{json,json5}',
  '**/*.{ecosystem,pm2}*.{json,json5}',
];

/** What no person edits: versions of a repository, output, settings. Notebook cells are left to their kernels. */
const NEVER = new Set(['git', 'output', 'vscode-notebook-cell', 'vscode-userdata', 'vscode-settings', 'comment', 'debug', 'vscode-scm']);

/** `folderSchemes`: the schemes of the workspace's folders. A folder that is not on a disk has its own, e.g. `vscode-vfs`. */
export function documentSelector(folderSchemes: readonly string[]): DocumentFilter[] {
  return schemesOf(folderSchemes).flatMap((scheme) => [
    ...LANGUAGES.map((language) => ({ scheme, language })),
    ...DEPLOYMENT_PATTERNS.map((pattern) => ({ scheme, pattern })),
  ]);
}

/** What holds JavaScript and is not linted. The status says so, where silence would look like a clean file. */
export type Unlinted = 'vue' | 'svelte' | 'astro' | 'notebook';

const COMPONENT = /\.(vue|svelte|astro)$/i;
const CELL = 'vscode-notebook-cell';

/** Documents whose status is shown: those of the server, and those of which it hears nothing. */
export function statusSelector(folderSchemes: readonly string[]): DocumentFilter[] {
  return [
    ...documentSelector(folderSchemes),
    ...schemesOf(folderSchemes).map((scheme) => ({ scheme, pattern: '**/*.{vue,svelte,astro}' })),
    ...LANGUAGES.map((language) => ({ scheme: CELL, language })),
  ];
}

export function unlintedKind({ scheme, path }: { scheme: string; path: string }): Unlinted | undefined {
  if (scheme === CELL) return 'notebook';
  const ending = COMPONENT.exec(path)?.[1]?.toLowerCase();
  return ending === 'vue' || ending === 'svelte' || ending === 'astro' ? ending : undefined;
}

/** Sorted, each once: two equal lists are the same set of documents. */
export function schemesOf(folderSchemes: readonly string[]): string[] {
  return [...new Set(['file', 'untitled', ...folderSchemes])].filter((scheme) => !NEVER.has(scheme)).sort();
}
