// Files that ask Next.js for data of the request: routes that load them run for each request, whatever they say of how often they do.
// https://nextjs.org/docs/app/guides/caching#dynamic-apis
import type { FileRoleInput } from '../file-role.ts';

const NEXT = 'next';
const ASKS = /next\/headers|noStore|no-store|no-cache|\bconnection\(/;
/** Packages that may ask for cookies or headers themselves. */
const MAY_ASK = /auth|session|cookie|clerk|supabase|kinde|intl|i18n|flags/i;

export const asksForRequest = (text: string): boolean => ASKS.test(text);

/** Whether a file of a project with Next.js asks for data of the request, or may have a package do so. */
export function mayAskForRequest({ project: { manifest }, module, source }: Pick<FileRoleInput, 'project' | 'module' | 'source'>): boolean {
  if (manifest?.dependencies[NEXT] === undefined) return false;
  return asksForRequest(source.text) || [...module.importedModules()].some((name) => !name.startsWith('.') && MAY_ASK.test(name));
}
