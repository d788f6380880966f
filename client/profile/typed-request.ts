// What is wrong with a request that the user types. The server reads it; this says at once what it would refuse.
import type { Translate } from '../translate.ts';

const REQUEST = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+\/(?!\/)\S*(?:\s|$)/;
const PARAMETER = /^\S+\s+[^\s?]*\/(:[A-Za-z_]\w*)/;

/** A sentence; undefined where nothing is. */
export function problemOfRequest(text: string, t: Translate): string | undefined {
  const trimmed = text.trim();
  if (!REQUEST.test(trimmed)) return t('Enter a method and a path, such as "GET /users/1".');
  const parameter = PARAMETER.exec(trimmed)?.[1];
  return parameter === undefined ? undefined : t('Replace {0} with a value.', parameter);
}
