// What became of the requests of a run, in sentences for the user: an answer that tells of an error came from other code than was meant.
// Pure.
import type { ProgramRequest } from '../../protocol/evidence.ts';
import type { RequestSummary } from '../parse/records.ts';

/** `GET /users/1` */
export function requestText({ method, path }: ProgramRequest): string {
  return `${method} ${path}`;
}

const FIRST_ERROR_STATUS = 400;
const NOT_FOUND = 404;
/** Fewer than these among the answers are the application's own business. */
const TELLING_SHARE = 0.1;

export function requestProblems(summaries: readonly RequestSummary[]): string[] {
  return summaries.flatMap(({ request, sent, statuses, errors }) => {
    if (sent === 0) return [`\`${request}\` was never sent.`];
    const bad = Object.entries(statuses).filter(([status, count]) => Number(status) >= FIRST_ERROR_STATUS && count >= sent * TELLING_SHARE);
    const problems = bad.map(
      ([status, count]) =>
        `\`${request}\` returned status ${status} in ${count} of ${sent} requests${Number(status) === NOT_FOUND ? '; there may be no such route' : ''}.`,
    );
    const missing = Object.entries(errors).filter(([, count]) => count >= sent * TELLING_SHARE);
    return [
      ...problems,
      ...missing.map(([what, count]) =>
        what === 'no answer'
          ? `\`${request}\` got no response in ${count} of ${sent} requests.`
          : `\`${request}\` failed in ${count} of ${sent} requests (${what}).`,
      ),
    ];
  });
}
