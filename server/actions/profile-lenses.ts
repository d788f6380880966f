// Code lenses above the functions that are worth a profile: those with a finding, and those with a `@profile` comment. A handler without a
// name is one of them: requests reach it.
import type { CodeLens } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ProfileTarget } from '../../protocol/editor.ts';
import { VERDICT_SYMBOLS, VERDICT_WORDS, type VerdictKind } from '../../protocol/evidence.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { KeptFix } from '../../protocol/kept-evidence.ts';
import { asLabel } from '../../protocol/safe-text.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { startOf } from '../../analysis/module/ast.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { hasProfileTag } from '../../analysis/profile/calls.ts';
import { normalizedSource } from '../../analysis/profile/normalized-source.ts';
import { functionsIn, type FoundFunction } from '../../analysis/profile/functions.ts';
import { isAskedFor } from '../../analysis/profile/requests.ts';
import type { FunctionLookup } from '../../analysis/project/answers/function-answer.ts';
import { Source } from '../../analysis/module/source.ts';
import { durationOfNs } from '../../profiler/judge/cost.ts';
import { describeProduction, FileProduction } from '../../workspace/production/file-production.ts';
import type { ProductionOfFile } from '../../workspace/production/production-store.ts';
import { toRange } from '../shared/convert.ts';

export interface LensRequest {
  file: string;
  document: TextDocument;
  findings: readonly Finding[];
  project: ProjectInfo;
  /** Command that a lens calls with a `ProfileTarget`. */
  command: string;
  /** What the whole project knows of the file's functions. */
  lookup?: FunctionLookup;
  /** What was measured of a function whose source a fix or a change has made, if anything was. */
  measuredFix?(normalized: string): KeptFix | undefined;
  /** What was imported about the file. */
  production?: ProductionOfFile;
}

export function profileLenses({ file, document, findings, project, command, lookup, measuredFix, production }: LensRequest): CodeLens[] {
  const text = document.getText();
  const outcome = parse(file, text);
  if (!outcome.ok) return [];
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source(file, text), project);
  const functions = functionsIn(facts);
  const wanted = new Map<FoundFunction, Finding[]>();
  const isHandler = ({ fn }: FoundFunction): boolean => isAskedFor(facts, fn, lookup?.(file, { start: startOf(fn) })?.request);
  const canRun = (one: FoundFunction): boolean => one.access.kind !== 'none' || isHandler(one);
  for (const one of functions) if (hasProfileTag(facts, one) && canRun(one)) wanted.set(one, []);
  for (const finding of findings) {
    // A function that nobody can call is profiled through the one around it.
    const around = functions.findLast((one) => one.span.start <= finding.span.start && finding.span.end <= one.span.end && canRun(one));
    if (around) wanted.set(around, [...(wanted.get(around) ?? []), finding]);
  }
  // With its fix, a function may have no finding left. Neither may a changed one.
  const fixes = new Map<FoundFunction, KeptFix>();
  if (measuredFix)
    for (const one of functions) {
      const fix = measuredFix(normalizedSource(facts, one.fn));
      if (!fix) continue;
      fixes.set(one, fix);
      if (!wanted.has(one)) wanted.set(one, []);
    }
  const imported = production && FileProduction.ofFacts(production, facts, functions);
  for (const [one, { samples }] of imported?.functions ?? [])
    if ((samples?.share ?? 0) >= LEAST_SHARE && !wanted.has(one) && canRun(one)) wanted.set(one, []);
  const now = Date.now();
  return [...wanted].map(([one, own]): CodeLens => {
    const { start } = one.span;
    const hot = imported?.functions.get(one);
    const target: ProfileTarget = { uri: document.uri, position: document.positionAt(start) };
    const fix = fixes.get(one);
    return {
      range: toRange(document, { start, end: start }),
      command: {
        title: asLabel(
          [
            fix ? `${gainOf(fix)} · Profile again` : titleOf(own, one.name === undefined && isHandler(one) ? 'route' : 'function'),
            ...(hot ? [describeProduction(hot, now)] : []),
          ].join(' · '),
        ),
        command,
        arguments: [target],
      },
    };
  });
}

/** Of samples: functions above it have a lens without a finding, too. Our choice. */
const LEAST_SHARE = 0.01;

/** `✔ Faster with the fix: 146 ns → 5.4 ns per call`, `✔ Faster than at HEAD (1a2b3c4d): …`. */
function gainOf({ result, base, before, after, per }: KeptFix): string {
  const times = `${durationOfNs(before)} → ${durationOfNs(after)} per ${per}`;
  if (base !== undefined) {
    if (result === 'same') return `No difference shown since ${base}: ${times}`;
    if (result === 'inconclusive') return `? Not clearly faster or slower than at ${base}: ${times}`;
    return result === 'faster' ? `✔ Faster than at ${base}: ${times}` : `✖ Slower than at ${base}: ${times}`;
  }
  if (result === 'same') return `No difference shown with the fix: ${times}`;
  if (result === 'inconclusive') return `? Fix not clearly faster or slower: ${times}`;
  return result === 'faster' ? `✔ Faster with the fix: ${times}` : `✖ Slower with the fix: ${times}`;
}

/** The worst verdict that counts, or the offer. */
function titleOf(findings: readonly Finding[], what: 'route' | 'function'): string {
  const fresh = findings.flatMap(({ evidence }) => (evidence && !evidence.stale ? [evidence] : []));
  const chosen = TELLING.flatMap((kind) => fresh.find(({ verdict }) => verdict === kind) ?? [])[0];
  if (chosen) return `${VERDICT_SYMBOLS[chosen.verdict]} ${VERDICT_WORDS[chosen.verdict]}: ${chosen.figure} · Profile again`;
  return findings.some(({ evidence }) => evidence?.stale) ? 'Code changed: profile again' : `Profile this ${what}`;
}

/** Worth a word above the function, the worst first. */
const TELLING: readonly VerdictKind[] = ['confirmed', 'seen', 'refuted'];
