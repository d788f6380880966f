// Where the parts of a request came from that nobody typed, for people.
import { relative } from 'node:path';
import type { RequestOrigin, RequestSource } from '../../protocol/load.ts';

/** `openapi.yaml`, `controllers/users.js:12`. */
export function placeOfSource({ file, line }: Pick<RequestSource, 'file' | 'line'>, cwd: string): string {
  return `${relative(cwd, file) || file}${line === undefined ? '' : `:${line}`}`;
}

/** A sentence or a few. */
export function requestSourceText(source: RequestSource, cwd: string): string {
  const { kind, operation, parts, madeUp, hasHosts } = source;
  const from = kind === 'comment' ? `the comment at ${placeOfSource(source, cwd)}` : `\`${operation}\` in ${placeOfSource(source, cwd)}`;
  return [
    `Request: ${parts.join(', ')} from ${from}.`,
    ...(madeUp.length > 0 ? [`Made up from types: ${madeUp.join(', ')}.`] : []),
    ...(hasHosts ? ['The hosts that the file names are not used.'] : []),
  ].join(' ');
}

/** Why a request failed, with what is known of it. */
export function withOriginText(reason: string, { source, notes }: RequestOrigin, cwd: string): string {
  return [reason, ...(source ? [requestSourceText(source, cwd)] : []), ...notes].join(' ');
}
