// What VS Code shows of the documents that are shipped: the extension's page and the rules' pages.

/** Where client/page.md wants a section of README.md. */
const SECTION = /^<!-- README\.md: ([^\n]+) -->\n/gm;
const COMMENT = /^<!--(?! README\.md:)[\s\S]*?-->\n/;
const PICTURE = /<picture>[\s\S]*?(<img\b[^>]*>)\s*<\/picture>/g;
const IMAGE = /^<img\b[^>]*>\n/gm;
const MARKDOWN_LINK = /!?\[((?:[^\]\\`]|\\.|`[^`]*`)*)\]\(([^)\s]+)\)/g;
const CODE = /(^```[\s\S]*?^```)/m;

/**
 * The extension's page. Without a public repository, relative links become text and pictures are left out: VS Code (up to 1.139 at least)
 * removes every address from the page that is not `https:`, also those of files in the extension and `data:`. With a repository, vsce makes
 * such addresses from the relative ones.
 */
export function extensionPage(page: string, readme: string, hasRepository: boolean): string {
  const whole = page
    .replace(COMMENT, '')
    .replace(SECTION, (_, heading: string) => sectionOf(readme, heading))
    // vsce makes no addresses from `srcset`.
    .replace(PICTURE, '$1');
  return hasRepository ? whole : withoutRelativeLinks(whole.replace(IMAGE, '')).replace(/\n{3,}/g, '\n\n');
}

/** Relative links and pictures become their texts. Links inside the page stay, and code stays as it is. */
export function withoutRelativeLinks(markdown: string): string {
  return markdown
    .split(CODE)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(MARKDOWN_LINK, (link, text: string, target: string) => (/^(?:https?:|mailto:|#)/.test(target) ? link : text)),
    )
    .join('');
}

/** The heading and what stands below it, up to the next section. */
function sectionOf(readme: string, heading: string): string {
  // One "#" is the title, or a comment in an example.
  const found = readme.split(/^(?=## )/m).find((section) => section.replace(/^##? /, '').startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`README.md has no section "${heading}"`);
  return `${found.trimEnd()}\n`;
}
