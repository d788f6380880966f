// The README as VS Code shows it on the extension's page. That page loads pictures from http: and https: alone (VS Code 1.139 empties `src`
// of data: URLs and of relative paths, also for an installed extension), and relative links lead nowhere. So pictures come from the
// repository that the manifest names, and are left out where it names none; other documents' links become text, and what takes a checkout
// is left out.

/** Between these two the README is about a checkout. */
const CHECKOUT = /^<!-- checkout:start -->\n[\s\S]*?^<!-- checkout:end -->\n/gm;
const COMMENT = /^<!--.*-->\n/gm;
/** The page takes no <source>: the light picture can be read in both themes. */
const PICTURE = /<picture>\s*(?:<source [^>]*>\s*)*(<img [^>]*>)\s*<\/picture>\n?/g;
const SOURCE = /src="([^":]+)"/g;
const MARKDOWN_LINK = /!?\[((?:[^\]\\`]|\\.|`[^`]*`)*)\]\(([^)\s]+)\)/g;
const CODE = /(^```[\s\S]*?^```)/m;
const BLANK_LINES = /\n{3,}/g;

/** @param pictures https: address of the folder that the README's pictures are relative to, without a slash at its end */
export function extensionReadme(readme: string, pictures: string | undefined): string {
  const page = readme
    .replace(CHECKOUT, '')
    .replace(COMMENT, '')
    .replace(PICTURE, pictures === undefined ? '' : '$1\n')
    .replace(SOURCE, (_, path: string) => `src="${pictures ?? ''}/${path}"`);
  return withoutRelativeLinks(page).replace(BLANK_LINES, '\n\n');
}

/** Relative links become their text. Links inside the page stay, and code stays as it is. */
export function withoutRelativeLinks(markdown: string): string {
  return markdown
    .split(CODE)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(MARKDOWN_LINK, (link, text: string, target: string) => (/^(?:[a-z]+:|#)/.test(target) ? link : text)),
    )
    .join('');
}

/** Where GitHub serves a repository's files. @param repository of the manifest: a URL, or an object with one */
export function picturesOf(repository: unknown): string | undefined {
  const url = typeof repository === 'object' && repository !== null && 'url' in repository ? repository.url : repository;
  const name = typeof url === 'string' ? /^(?:git\+)?https:\/\/github\.com\/([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(url)?.[1] : undefined;
  return name === undefined ? undefined : `https://raw.githubusercontent.com/${name}/HEAD`;
}
