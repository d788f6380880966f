// Several Nodes side by side, as a table.
import { relative } from 'node:path';
import { VERDICT_WORDS, type ComparisonRow } from '../../protocol/evidence.ts';
import { amount } from '../../profiler/judge/words.ts';
import type { ProfileStyle } from './profile-style.ts';
import { nanoseconds } from './times.ts';

export function formatComparison(rows: readonly ComparisonRow[], style: ProfileStyle, cwd: string): string {
  const isTimed = rows.some(({ timing }) => timing !== undefined);
  const head = [
    'Node',
    ...(isTimed ? ['time', baselineTitle(rows)] : []),
    'highest tier',
    'deopts',
    'megamorphic',
    'blocking calls',
    'confirmed',
    'seen, no cost',
    'refuted',
  ];
  const body = rows.map((row): string[] => {
    if (row.failure !== undefined) return [row.node, ...head.slice(1).map((_, i) => (i === 0 ? 'not run' : '–'))];
    const count = (kind: 'confirmed' | 'seen' | 'refuted') => String(row.verdicts.filter(({ verdict }) => verdict === kind).length);
    return [
      row.node,
      ...(isTimed ? [timeText(row), factorText(row)] : []),
      row.tier ?? 'none',
      amount(row.deopts),
      amount(row.megamorphic),
      amount(row.blockingCalls),
      count('confirmed'),
      count('seen'),
      count('refuted'),
    ];
  });
  const lines = [style.section('Comparison'), ...style.table(head, body)];
  for (const { node, failure } of rows) if (failure !== undefined) lines.push('', style.dim(`Node ${node}: ${failure}`));
  const apart = differingVerdicts(rows, cwd);
  if (apart.length > 0) lines.push('', ...apart.map((text) => style.row([text])));
  return lines.join('\n');
}

/** Says of what the factors are: the time on the first Node that was timed. */
function baselineTitle(rows: readonly ComparisonRow[]): string {
  const first = rows.find(({ timing, factor }) => timing !== undefined && factor === undefined);
  return first ? `time vs. Node ${first.node}` : 'time vs. first';
}

function timeText({ timing }: ComparisonRow): string {
  if (!timing) return 'not timed';
  return `${nanoseconds(timing.median)}${timing.halfWidth === undefined ? '' : ` ± ${nanoseconds(timing.halfWidth)}`}`;
}

/** Nothing is claimed where the interval of the difference holds zero. */
export function factorText({ factor, isApart }: Pick<ComparisonRow, 'factor' | 'isApart'>): string {
  if (factor === undefined) return '';
  return isApart ? `${factor.toFixed(2)}×` : 'no clear difference';
}

/** Verdicts that are not the same on all of them: the reason to compare. */
function differingVerdicts(rows: readonly ComparisonRow[], cwd: string): string[] {
  const byFinding = new Map<string, { name: string; kinds: string[]; all: Set<string> }>();
  for (const { node, verdicts } of rows) {
    for (const { ruleId, messageId, place, verdict } of verdicts) {
      const key = JSON.stringify([ruleId, messageId, place]);
      const entry = byFinding.get(key) ?? {
        name: `${ruleId} at ${relative(cwd, place.file) || place.file}:${place.line}:${place.column}`,
        kinds: [],
        all: new Set(),
      };
      byFinding.set(key, entry);
      entry.kinds.push(`${VERDICT_WORDS[verdict]} on ${node}`);
      entry.all.add(verdict);
    }
  }
  return [...byFinding.values()].filter(({ all }) => all.size > 1).map(({ name, kinds }) => `${name}: ${kinds.join(', ')}`);
}
