// What no rule reports and may cost time in a profiled function: which of it ran often enough to matter, and what it is compared with.
import { neverOptimized, unreportedIn, type Unreported } from '../../analysis/profile/unreported.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Suspect } from '../../profiler/compare/suspects.ts';
import { LEAST_SHARE } from '../../profiler/judge/cost.ts';
import { LEAST_DEOPTS } from '../../profiler/judge/unpredicted.ts';
import type { DeoptGroup, ProfileReport, SourcePlace } from '../../protocol/evidence.ts';
import type { Edit } from '../../protocol/finding.ts';
import { amount, times } from '../../profiler/judge/words.ts';
import { placeAt } from './profile-claims.ts';

interface Words {
  /** @param code of its head */
  name(code: string): string;
  ground(runs: number): string;
  remedy: string;
  description: string;
  /**
   * What one of it takes at most, in ns: several times what was measured on Node 20 to 26. Where all of them are little even so, nothing is
   * compared.
   */
  mostNs: number;
}

const WORDS: Readonly<Record<Unreported['kind'], Words>> = {
  'ready-values': {
    name: () => '`for await`',
    ground: (runs) =>
      `This \`for await\` receives ${amount(runs)} ${runs === 1 ? 'value' : 'values'} per call, and none of them is a promise. It still waits for each one`,
    remedy: 'Use `for` without `await` if the values are available, or process them in batches.',
    description: 'a `for` loop that does not wait',
    mostNs: 1000,
  },
  'class-per-call': {
    name: (code) => `\`${/^class\s+[\w$]+/.exec(code)?.[0] ?? 'class'}\``,
    ground: (runs) => `A class is created here ${times(runs)} per call. V8's feedback for one of them does not help the next`,
    remedy: 'Move the class out of the function: it uses no variable of the function.',
    description: 'one class outside of the function',
    mostNs: 50_000,
  },
};

/** A file may hold hundreds of classes; comparing takes processes. */
const MOST_OF_A_KIND = 2;

export interface SuspectRequest {
  facts: Facts;
  /** The text and its calls with these edits; undefined where it cannot be run. */
  edited(edits: readonly Edit[]): { text: string; calls: readonly string[] } | undefined;
}

/** @param runsOf how often a place runs per call */
export function suspectsOf(
  { facts, edited }: SuspectRequest,
  report: ProfileReport,
  runsOf: (place: SourcePlace) => number | undefined,
): Suspect[] {
  const { source } = facts;
  const ns = report.timing?.median;
  if (ns === undefined || ns === 0) return [];
  const isReported = (place: SourcePlace): boolean =>
    report.verdicts.some((one) => (one.verdict === 'confirmed' || one.verdict === 'seen') && isSameLine(one.place, place)) ||
    (report.unpredicted?.findings.some((one) => isSameLine(one.place, place)) ?? false);
  const node = ` (Node ${report.machine.node}).`;
  const without = (description: string, edits: readonly Edit[]) => {
    const version = edited(edits);
    return version && { description, processes: [{ ...version, weight: 1 }] };
  };
  const written = unreportedIn(facts).flatMap(({ kind, span, countedAt, edits }): (Suspect & { most: number })[] => {
    const { name, ground, remedy, description, mostNs } = WORDS[kind];
    const place = placeAt(source, span.start);
    const runs = runsOf(placeAt(source, countedAt)) ?? 0;
    if (runs * mostNs < LEAST_SHARE * ns || isReported(place)) return [];
    const other = without(description, edits);
    if (!other) return [];
    const head = source.text.slice(span.start, span.end);
    // Coverage counts the calls of a run that was cut off, too.
    const rounded = runs < 10 ? Math.round(runs * 10) / 10 : Math.round(runs);
    return [{ kind, place, name: name(head), ground: ground(rounded) + node, remedy, without: other, most: runs * mostNs }];
  });
  // What no rule predicted is a sentence so far.
  const unpredicted = report.deopts.filter(({ place }) => report.unpredicted?.remarks.some((one) => isSameLine(one.place, place)));
  const deopts = mostDeopts(unpredicted, source.file).flatMap((group): Suspect[] => {
    const { place, count, reason } = group;
    const never = isReported(place) ? undefined : neverOptimized(facts, source.offsetAt(place));
    const other = never && without('a version that V8 never optimizes', never.edits);
    if (!never || !other) return [];
    return [
      {
        kind: 'deopt-loop',
        place,
        name: `deoptimized ${times(count)}, ${reason}`,
        ground: `V8 optimized \`${never.name}\` and deoptimized it again ${times(count)} in ${amount(report.calls)} calls (${reason}, Node ${report.machine.node}).`,
        remedy: 'Avoid what V8 did not expect here: values of another type, indexes out of bounds, −0.',
        isLeast: true,
        without: other,
      },
    ];
  });
  return [...written.sort((a, b) => b.most - a.most).slice(0, MOST_OF_A_KIND), ...deopts];
}

/** The place of the file that V8 deoptimized most often; those beside it belong to the same loop. */
function mostDeopts(deopts: readonly DeoptGroup[], file: string): DeoptGroup[] {
  return deopts
    .filter(({ benign, count, placement, place }) => !benign && count >= LEAST_DEOPTS && placement !== 'none' && place.file === file)
    .sort((a, b) => b.count - a.count)
    .slice(0, 1);
}

function isSameLine(a: SourcePlace, b: SourcePlace): boolean {
  return a.file === b.file && a.line === b.line;
}
