// Whether a fixed deployment file can still be read by what reads it. Loaded only where fixes are made.
import { parseAllDocuments } from 'yaml';
import { SCRIPT_FILE, parse } from '../../analysis/module/parse.ts';

/** Dockerfiles, Procfiles, units and env files are read line by line: there is no text that their readers refuse as a whole. */
export function isBroken(path: string, text: string): boolean {
  if (SCRIPT_FILE.test(path)) return !parse(path, text).ok;
  if (path.endsWith('.json')) return !isJson(text.replace(/^\uFEFF/, ''));
  if (/\.ya?ml$/i.test(path)) {
    const documents = parseAllDocuments(text);
    return Array.isArray(documents) && documents.some((document) => document.errors.length > 0);
  }
  return false;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Where and why does not matter here.
    return false;
  }
}
