// Paths as text, with forward slashes only. The rules have no access to the disk.

export function toSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\//.test(path);
}

/** Removes `.`, `..` and doubled slashes. A `..` above the root is dropped. */
export function normalize(path: string): string {
  const drive = /^[A-Za-z]:/.exec(path)?.[0] ?? '';
  const rest = path.slice(drive.length);
  const rooted = rest.startsWith('/');
  const parts: string[] = [];
  for (const part of rest.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!rooted) parts.push(part);
  }
  return `${drive}${rooted ? '/' : ''}${parts.join('/')}`;
}

export function join(folder: string, path: string): string {
  return normalize(isAbsolute(path) ? path : `${folder}/${path}`);
}

export function dirname(path: string): string {
  const at = path.lastIndexOf('/');
  if (at < 0) return '.';
  return at === 0 ? '/' : path.slice(0, at);
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether `path` is `folder` or is below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The path relative to `folder`, or the path itself if it is elsewhere. */
export function relativeTo(folder: string, path: string): string {
  if (path === folder) return '';
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** Folders that builds write to. */
export const BUILT_FOLDER = /^(?:dist|build|built|lib|libs|out|output|compiled|js|target|\.build|_build|bundle|release)$/;

export function isBuiltPath(path: string, root: string): boolean {
  return relativeTo(root, path)
    .split('/')
    .slice(0, -1)
    .some((part) => BUILT_FOLDER.test(part));
}

const DEVELOPMENT_WORD =
  /^(?:dev|develop|developer|development|devel|devcontainer|local|localhost|tests?|testing|ci|e2e|debug|examples?|samples?|demos?|playground|fixtures?|__fixtures__|__tests__|docs?|specs?|bench|benchmarks?|storybook|mocks?|override|staging|stage|stg|qa|uat|templates?|tutorials?|sandbox|integration|cypress|playwright)$/;
const PRODUCTION_WORD = /^(?:prod|prd|production)$/;

/** What the name of a file or script says about its purpose: `docker-compose.prod.yml`, `start:dev`, `overlays/production/app.yaml`. */
export function purposeOf(name: string): 'development' | 'production' | undefined {
  const words = name
    .toLowerCase()
    .split(/[^a-z0-9_]+|_(?!_)/)
    .filter(Boolean);
  if (words.some((word) => DEVELOPMENT_WORD.test(word))) return 'development';
  return words.some((word) => PRODUCTION_WORD.test(word)) ? 'production' : undefined;
}
