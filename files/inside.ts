// Whether a path lies in a folder. A name may begin with two dots (`..cache`), and on Windows a path may be on another drive.
import { isAbsolute, relative, sep } from 'node:path';

/** The path from the folder on, empty for the folder itself. Undefined for what lies outside of it. */
export function insideOf(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : inside;
}
