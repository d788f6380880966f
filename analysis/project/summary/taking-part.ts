// Which files participate by themselves, whether or not anything imports them.
import type { FileRole } from '../../facts/file-role.ts';

/** A command may wire up the program: in many projects it is the file that `npm start` runs. */
export const OWN_ROLES: ReadonlySet<FileRole> = new Set(['application', 'cli', 'worker', 'config']);

/** Whether a file participates even if nothing imports it. `isApplication`: whether it may register handlers. */
export function takesPart(role: FileRole, isApplication: () => boolean): boolean {
  return OWN_ROLES.has(role) || isApplication();
}
