// Attaches the verdicts of earlier profiles to the findings that they are about, as long as the code is unchanged.
import type { KeptProfile, KeptVerdict } from '../../protocol/kept-evidence.ts';
import type { Finding, FindingEvidence, ReportedSeverity, Span } from '../../protocol/finding.ts';
import type { Facts } from '../facts/index.ts';
import { functionsIn, type FoundFunction } from '../profile/functions.ts';
import type { Proposal, Variant } from './proposal.ts';
import type { RuleSettings } from './rule-settings.ts';
import { normalizedSource } from '../profile/normalized-source.ts';

export interface EvidenceOf {
  /** The profiles kept for the file. */
  profiles: readonly KeptProfile[];
  /** Hash of a text, the same function as when they were kept. */
  hash(text: string): string;
}

/** What evidence is found by, and what it changes. */
type Judged = Pick<Finding, 'ruleId' | 'messageId' | 'span' | 'severity'>;

/**
 * The findings with their evidence. A confirmed hint becomes a warning, or what the user set for the rule. A refuted finding becomes a
 * hint.
 */
export function withEvidence<F extends Judged>(
  findings: readonly F[],
  facts: Facts,
  { profiles, hash }: EvidenceOf,
  settings: RuleSettings,
): (F & Pick<Finding, 'evidence'>)[] {
  const kept = profiles.flatMap((profile) => profile.verdicts.map((verdict) => ({ profile, verdict })));
  if (kept.length === 0) return [...findings];
  const places = new FindingPlaces(facts, hash);
  return findings.map((finding) => {
    const code = places.codeOf(finding.span);
    const own = kept.filter(
      ({ verdict }) => verdict.ruleId === finding.ruleId && verdict.messageId === finding.messageId && verdict.code === code,
    );
    if (own.length === 0) return finding;
    const hashNow = places.hashAround(finding.span);
    const fresh = own.filter(({ verdict }) => verdict.hash === hashNow);
    // One Node version that confirms it is enough. Otherwise the newest run counts.
    const newest = (list: readonly Kept[]) => [...list].sort((a, b) => (a.profile.date < b.profile.date ? 1 : -1))[0];
    const chosen = newest(fresh.filter(({ verdict }) => verdict.verdict === 'confirmed')) ?? newest(fresh) ?? newest(own);
    if (!chosen) return finding;
    const evidence: FindingEvidence = {
      verdict: chosen.verdict.verdict,
      figure: chosen.verdict.figure,
      ...(chosen.verdict.cost && { cost: chosen.verdict.cost }),
      ...(chosen.verdict.retained && { retained: chosen.verdict.retained }),
      node: chosen.profile.node,
      date: chosen.profile.date,
      stale: fresh.length === 0,
    };
    return { ...finding, evidence, severity: evidence.stale ? finding.severity : severityAfter(finding, evidence, settings) };
  });
}

/** The same for proposals. One place may end up with one message or another. */
export function withProposedEvidence(
  proposals: readonly Proposal[],
  facts: Facts,
  evidence: EvidenceOf,
  settings: RuleSettings,
): Proposal[] {
  return proposals.map((proposal) => {
    const [finding = proposal.finding] = withEvidence([proposal.finding], facts, evidence, settings);
    const variant = (of: Variant): Variant => {
      const [kept] = withEvidence([{ ...proposal.finding, messageId: of.messageId, severity: of.severity }], facts, evidence, settings);
      return { ...of, severity: kept?.severity ?? of.severity, evidence: kept?.evidence };
    };
    const { otherwise, once, needs } = proposal;
    return {
      ...proposal,
      finding,
      ...(otherwise ? { otherwise: withEvidence([otherwise], facts, evidence, settings)[0] ?? otherwise } : {}),
      ...(once ? { once: variant(once) } : {}),
      ...(needs?.round ? { needs: { ...needs, round: { ...needs.round, ends: variant(needs.round.ends) } } } : {}),
      ...(needs?.parameterKinds?.many
        ? { needs: { ...needs, parameterKinds: { ...needs.parameterKinds, many: variant(needs.parameterKinds.many) } } }
        : {}),
    };
  });
}

interface Kept {
  profile: KeptProfile;
  verdict: KeptVerdict;
}

function severityAfter(
  { ruleId, severity }: Pick<Finding, 'ruleId' | 'severity'>,
  { verdict }: FindingEvidence,
  settings: RuleSettings,
): ReportedSeverity {
  if (verdict === 'refuted') return 'hint';
  if (verdict !== 'confirmed' || severity !== 'hint') return severity;
  const setting = settings[ruleId];
  return setting?.explicit && setting.severity !== 'off' ? setting.severity : 'warning';
}

/** Identifies a finding later: by its own code and the function around it. */
export class FindingPlaces {
  readonly #facts: Facts;
  readonly #hash: (text: string) => string;
  readonly #hashes = new Map<FoundFunction | undefined, string>();
  #functions: readonly FoundFunction[] | undefined;

  constructor(facts: Facts, hash: (text: string) => string) {
    this.#facts = facts;
    this.#hash = hash;
  }

  codeOf({ start, end }: Span): string {
    return this.#facts.source.text.slice(start, end).replace(/\s+/g, ' ');
  }

  /** Of the innermost function around a span. At the top level, of the code in the span. */
  hashAround(span: Span): string {
    this.#functions ??= functionsIn(this.#facts);
    const around = this.#functions.filter((one) => one.span.start <= span.start && span.end <= one.span.end).at(-1);
    if (!around) return this.#hash(this.codeOf(span));
    let hash = this.#hashes.get(around);
    if (hash === undefined) this.#hashes.set(around, (hash = this.#hash(normalizedSource(this.#facts, around.fn))));
    return hash;
  }
}
