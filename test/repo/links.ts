// Links and pictures of a Markdown text, and those that lead nowhere.
import { posix } from 'node:path';

/** Without code, where brackets mean something else. */
function prose(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

/** Links and pictures that stay inside of the project. */
export function linksIn(text: string): string[] {
  return addressesIn(text).filter((target) => !/^(?:https?:|mailto:)/.test(target));
}

/** All links and pictures. */
export function addressesIn(text: string): string[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/\b(?:src|srcset)="([^"]+)"/g)].map((match) => match[1] ?? '');
}

/** As GitHub and VS Code make them: lower case, words joined by hyphens. */
function anchorsIn(text: string): Set<string> {
  const headings = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** `find` gives the text at a path of the project, an empty one for a folder, nothing where there is nothing. */
export function brokenLinks(path: string, text: string, find: (path: string) => string | undefined): string[] {
  return linksIn(text).flatMap((target) => {
    const [file = '', anchor] = target.split('#');
    const to = file === '' ? path : posix.join(posix.dirname(path), file);
    const other = file === '' ? text : find(to);
    if (other === undefined) return [`${path}: ${target} is not there`];
    if (anchor === undefined || other === '') return [];
    return anchorsIn(other).has(anchor) ? [] : [`${path}: ${to} has no heading #${anchor}`];
  });
}
