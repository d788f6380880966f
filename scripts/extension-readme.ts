// The README as VS Code shows it on the extension's page. That page loads no file of the extension: its pictures are https: or data: URLs,
// and relative links lead nowhere. So pictures are put into the text, other documents' links become text, and what takes a checkout is left out.

/** Between these two the README is about a checkout. */
const CHECKOUT = /^<!-- checkout:start -->\n[\s\S]*?^<!-- checkout:end -->\n/gm;
/** VS Code's page takes no <source>: the light picture can be read in both themes. */
const PICTURE = /<picture>\s*(?:<source [^>]*>\s*)*(<img [^>]*>)\s*<\/picture>/g;
const IMAGE = /src="([^":]+\.png)"/g;
const RELATIVE_LINK = /\[([^\]]+)\]\((?![a-z]+:|#)[^)]*\)/g;

/** @param pictureOf the bytes of a PNG file, by its path in the README */
export function extensionReadme(readme: string, pictureOf: (path: string) => Buffer): string {
  return readme
    .replace(CHECKOUT, '')
    .replace(/^<!--.*-->\n/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(PICTURE, '$1')
    .replace(IMAGE, (_, path: string) => `src="data:image/png;base64,${pictureOf(path).toString('base64')}"`)
    .replace(RELATIVE_LINK, '$1');
}
