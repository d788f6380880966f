// The routes of the workspace as the editor's view shows them: what the index lists, with what profiles have said of it.
import type { VerdictKind } from '../../protocol/evidence.ts';
import type { KnownRoute, RouteFinding } from '../../protocol/editor.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { withEvidence, type EvidenceOf } from '../../analysis/run/evidence.ts';
import { Source } from '../../analysis/module/source.ts';
import type { ListedFinding, ListedRoute } from '../index-thread/route-answers.ts';
import { BLOCKING_RULE, exampleRequest, factsReader, newestProfile, type MeasuredRequest } from './route-lenses.ts';

export interface KnownRoutesRequest {
  toUri(path: string): string;
  /** What was kept of a file's profiles. */
  evidenceOf(path: string): EvidenceOf | undefined;
  /** A file's text as it stands now. */
  textOf(path: string): string | undefined;
}

/** Findings that are named for one route. What a middleware does is on the path of all of them. */
const MOST_PLACES = 20;
/** Worth a word, the worst first. */
const TELLING: readonly VerdictKind[] = ['confirmed', 'seen', 'refuted'];
/** Evidence is found by the code alone. */
const NO_PROJECT: ProjectInfo = { nodeRange: '*', nodeRangeSource: '' };

export function knownRoutes(listed: readonly ListedRoute[], request: KnownRoutesRequest): KnownRoute[] {
  const { toUri, evidenceOf } = request;
  const factsOf = factsReader(NO_PROJECT, (path) => {
    const text = request.textOf(path);
    return text === undefined ? undefined : new Source(path, text);
  });
  const judge = new Judge({ evidenceOf, factsOf });
  return listed.map(({ file, position, route, handlers, findings }): KnownRoute => {
    const blocking = findings.filter(({ ruleId }) => ruleId === BLOCKING_RULE).length;
    const verdicts = new Set(findings.map((finding) => judge.verdictOf(finding)));
    const verdict = TELLING.find((kind) => verdicts.has(kind));
    const newest = newestProfile(handlers, { evidenceOf, factsOf });
    // What comes before it are its middlewares.
    const handler = handlers.at(-1);
    const timing = newest?.timing;
    const request = exampleRequest(route);
    return {
      ...(route === undefined ? {} : { route }),
      uri: toUri(file),
      position,
      ...(request === undefined ? {} : { request }),
      ...(handler && { handler: { uri: toUri(handler.file), position: handler.position } }),
      blocking,
      others: findings.length - blocking,
      places: findings.slice(0, MOST_PLACES).map((finding): RouteFinding => {
        const own = judge.verdictOf(finding);
        return { uri: toUri(finding.file), range: finding.range, what: finding.what, ...(own && { verdict: own }) };
      }),
      ...(verdict && { verdict }),
      ...(newest && timing && { time: { ns: timing.p99 ?? timing.median, isP99: timing.p99 !== undefined, node: newest.node } }),
    };
  });
}

/** Each finding is judged once, on however many paths it is. */
class Judge {
  readonly #request: MeasuredRequest;
  readonly #verdicts = new Map<string, VerdictKind | undefined>();

  constructor(request: MeasuredRequest) {
    this.#request = request;
  }

  /** Undefined where no profile has judged it as it is written now. */
  verdictOf(finding: ListedFinding): VerdictKind | undefined {
    const key = JSON.stringify([finding.file, finding.ruleId, finding.messageId, finding.span.start, finding.span.end]);
    if (!this.#verdicts.has(key)) this.#verdicts.set(key, this.#judge(finding));
    return this.#verdicts.get(key);
  }

  #judge(finding: ListedFinding): VerdictKind | undefined {
    // Most files have no evidence, and are not read.
    const kept = this.#request.evidenceOf(finding.file);
    const facts = kept && this.#request.factsOf(finding.file);
    // Only the verdict counts here. The settings decide the severity.
    const evidence = kept && facts && withEvidence([finding], facts, kept, {})[0]?.evidence;
    return evidence && !evidence.stale ? evidence.verdict : undefined;
  }
}
