// Which files take part in the project by themselves, whoever imports them.
import type { FileRole } from '../../facts/file-role.ts';

/** A command may be what wires the program up: it is the file that `npm start` runs in many. */
export const OWN_ROLES: ReadonlySet<FileRole> = new Set(['application', 'cli', 'worker', 'config']);

/** Whether a file takes part whoever imports it. `isApplication`: whether it may register handlers. */
export function takesPart(role: FileRole, isApplication: () => boolean): boolean {
  return OWN_ROLES.has(role) || isApplication();
}
