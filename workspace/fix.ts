// Makes fixes until none is left to make. Pure: text in, text out. A fix that breaks something is undone and reported.
import type { Finding, Fix, FixKind, NamedFix, RefusedFix } from '../protocol/finding.ts';
import { applyEdits, pickCompatible } from '../analysis/module/edit.ts';

/** One fix can make room for the next; ten rounds are ESLint's limit too, and more mean that two rules undo each other. */
export const MAX_PASSES = 10;

/** What a fix would break in a file, in words, or undefined when nothing is found. */
export type FixCheck = (file: string, before: string, after: string) => string | undefined;

export interface FixRequest {
  text: string;
  /** The strongest kind that may be made. */
  allowed: FixKind;
  /** Fixes that are made only if they are named. */
  named?: readonly NamedFix[];
  lint(text: string): readonly Finding[];
  /** What a change would break, in words, or undefined when it is sound. */
  findDamage(before: string, after: string): string | undefined;
}

export interface RejectedEdit {
  ruleId: string;
  title: string;
  reason: string;
}

export interface FixOutcome {
  text: string;
  made: number;
  rejected: readonly RejectedEdit[];
}

interface Candidate {
  finding: Finding;
  fix: Fix;
  /** The same fix at the same code, wherever earlier fixes have moved it. */
  key: string;
}

export function fixText(request: FixRequest): FixOutcome {
  const { lint, findDamage } = request;
  let { text } = request;
  let made = 0;
  const rejected: RejectedEdit[] = [];
  const refused = new Set<string>();
  const seen = new Set([text]);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const candidates = candidatesIn(lint(text), request, text).filter(({ key }) => !refused.has(key));
    let chosen = pickCandidates(candidates);
    if (chosen.length === 0) return { text, made, rejected };
    let next = applyEdits(
      text,
      chosen.flatMap(({ fix }) => fix.edits),
    );
    if (findDamage(text, next) !== undefined) {
      const sound: Candidate[] = [];
      for (const candidate of chosen) {
        const trial = applyEdits(
          text,
          [...sound, candidate].flatMap(({ fix }) => fix.edits),
        );
        const damage = findDamage(text, trial);
        if (damage === undefined) {
          sound.push(candidate);
          continue;
        }
        refused.add(candidate.key);
        rejected.push({ ruleId: candidate.finding.ruleId, title: candidate.fix.title, reason: damage });
      }
      chosen = sound;
      next = applyEdits(
        text,
        chosen.flatMap(({ fix }) => fix.edits),
      );
    }
    if (chosen.length === 0) continue;
    if (seen.has(next)) {
      for (const { finding, fix } of chosen) rejected.push({ ruleId: finding.ruleId, title: fix.title, reason: 'another fix reverts it' });
      return { text, made, rejected };
    }
    seen.add(next);
    text = next;
    made += chosen.length;
  }
  return { text, made, rejected };
}

/** Per finding the first fix that is allowed: rules name the best one first. */
function candidatesIn(findings: readonly Finding[], { allowed, named = [] }: FixRequest, text: string): Candidate[] {
  const isAllowed = (fix: Fix): boolean =>
    (allowed === 'suggestion' || fix.kind === 'safe') && (fix.named === undefined || named.includes(fix.named));
  return findings.flatMap((finding) => {
    const fix = finding.fixes.find((one) => isAllowed(one) && one.edits.length > 0);
    return fix ? [{ finding, fix, key: `${finding.ruleId}\n${fix.title}\n${text.slice(finding.span.start, finding.span.end)}` }] : [];
  });
}

function pickCandidates(candidates: readonly Candidate[]): Candidate[] {
  const picked = new Set(pickCompatible(candidates.map(({ fix }) => fix)));
  return candidates.filter(({ fix }) => picked.has(fix));
}

const SLOW_FIXES: RefusedFix = {
  title: 'Fixes',
  reason: 'computing the fixes for this file took too long',
};

/** A finding of a file whose fixes took too long. */
export function withoutFixes(finding: Finding): Finding {
  return { ...finding, refused: [...finding.refused, SLOW_FIXES] };
}
