// Which of a program's servers knows the route: each is asked once, on the loopback.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ProgramRequest } from '../../protocol/evidence.ts';
import { recordsOf, type RunRecord } from '../parse/records.ts';

export type FoundServer =
  | { ok: true; protocol: 'http' | 'https'; port: number; status: number }
  /** A sentence. */
  | { ok: false; reason: string };

/** Nothing is ever sent anywhere else. */
const LOOPBACK = '127.0.0.1';
const ANSWER_WITHIN_MS = 10_000;
const FIRST_BAD_STATUS = 400;
const MOST_CHARACTERS = 120;
const KEPT_BYTES = 2000;

type Answer = { status: number; text: string } | { error: string };

export async function findServer(records: readonly RunRecord[], request: ProgramRequest, signal: AbortSignal): Promise<FoundServer> {
  const servers = recordsOf(records, 'listening').filter(({ protocol }) => protocol !== 'tcp');
  const usable = servers.flatMap(({ protocol, port }) => (protocol === 'http' || protocol === 'https' ? [{ protocol, port }] : []));
  if (usable.length === 0) return { ok: false, reason: 'The server speaks HTTP/2 only, which the load generator does not.' };
  const answers: Answer[] = [];
  for (const { protocol, port } of usable) {
    const answer = await ask(protocol, port, request, signal);
    if ('status' in answer && answer.status < FIRST_BAD_STATUS) return { ok: true, protocol, port, status: answer.status };
    answers.push(answer);
  }
  return { ok: false, reason: whyNone(request, answers) };
}

/** Of several, what comes nearest to an answer. */
export function whyNone({ method, path }: ProgramRequest, answers: readonly Answer[]): string {
  const what = `\`${method} ${path}\``;
  const statuses = answers.flatMap((answer) => ('status' in answer ? [answer] : []));
  const known = statuses.find(({ status }) => status !== 404) ?? statuses[0];
  if (known) {
    const said = known.text.replace(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS);
    return `The server answered ${what} with status ${known.status}, so there is nothing to measure${said === '' ? '' : `: ${said}`}. Specify a request that it can answer: \`--route "GET /path"\`.`;
  }
  const error = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []))[0] ?? 'no answer';
  return `The server did not answer ${what}: ${error}.`;
}

function ask(
  protocol: 'http' | 'https',
  port: number,
  { method, path, headers, body }: ProgramRequest,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve) => {
    const options = {
      host: LOOPBACK,
      port,
      method,
      path,
      signal,
      agent: false as const,
      headers: withType(headers, body),
    };
    const message = protocol === 'https' ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
    message.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        if (text.length < KEPT_BYTES) text += chunk;
      });
      answer.on('end', () => finish({ status: answer.statusCode ?? 0, text }));
      answer.on('error', (error) => finish({ error: error.message }));
    });
    // Not of silence: a stream of events has no end.
    const late = setTimeout(() => message.destroy(new Error(`no whole answer within ${ANSWER_WITHIN_MS / 1000} s`)), ANSWER_WITHIN_MS);
    const finish = (answer: Answer): void => {
      clearTimeout(late);
      resolve(answer);
    };
    message.on('error', (error) => finish({ error: error.message }));
    message.end(body);
  });
}

/** A body is JSON unless a header says otherwise. */
export function withType(headers: Readonly<Record<string, string>> = {}, body: string | undefined): Record<string, string> {
  return {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
}
