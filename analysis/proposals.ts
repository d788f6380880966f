// Findings that only hold where a request leads: a rule proposes them while it sees one file, the whole project's paths decide.
import type { Finding, FindingEvidence, MessageParts, ReportedSeverity } from '../protocol/finding.ts';
import type { FunctionLookup, RequestAnswer } from './project/answers.ts';

/** Plain data: it is cached with the file, and sent between threads. */
export interface Proposal {
  /** As it is where each request runs the place; `{{where}}` in its message stands for the route. */
  finding: Finding;
  /** The function that must be on a request's path, by its number in the file's summary. */
  fn: number;
  /** Where that function starts: it is found again by it while the file is edited. */
  fnStart: number;
  /** Whether the place itself runs for the first request only. */
  isOnce: boolean;
  /** What it becomes where only the first request runs it; without this it is dropped there. */
  once?: { messageId: string; severity: ReportedSeverity; message: MessageParts; evidence?: FindingEvidence };
}

/** The findings that proposals come to. */
export function settleProposals(proposals: readonly Proposal[], lookup: FunctionLookup): Finding[] {
  return proposals.flatMap((proposal) => settle(proposal, lookup) ?? []);
}

function settle({ finding, fn, fnStart, isOnce, once }: Proposal, lookup: FunctionLookup): Finding | undefined {
  const answer = lookup(finding.file, fn, fnStart)?.request;
  if (!answer) return undefined;
  const where = whereOf(answer);
  const common = { data: { ...finding.data, where }, related: answer.related, route: answer.route, ...(answer.routes.length > 1 ? { routes: answer.routes } : {}) };
  if (!isOnce && !answer.isOnce) return { ...finding, ...common, message: put(finding.message, where) };
  if (!once) return undefined;
  return { ...finding, ...common, messageId: once.messageId, severity: once.severity, message: put(once.message, where), evidence: once.evidence, fixes: [], refused: [] };
}

function whereOf({ route, kind }: RequestAnswer): string {
  if (route !== undefined) return `\`${route}\``;
  if (kind === 'job') return 'job';
  return kind === 'socket' || kind === 'message' ? 'message' : 'request';
}

function put(message: MessageParts, where: string): MessageParts {
  const fill = (text: string) => text.replaceAll('{{where}}', where);
  return { what: fill(message.what), why: fill(message.why), remedy: fill(message.remedy) };
}
