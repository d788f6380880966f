// Turns the kinds of arguments that calls in several files pass to a function into findings, under the same conditions as for calls within
// one file.
import type { Finding, Related } from '../../protocol/finding.ts';
import type { ParameterKinds, ArgumentKind } from '../project/answers/function-answer.ts';
import type { KindsNeed } from './proposal.ts';

// V8 remembers up to four shapes at one place. The fifth makes it megamorphic, which is the measured cliff.
const MEGAMORPHIC = 5;
// Each kind has one place in the report. With more than these, the report gets longer than the code.
const PLACES_SHOWN = 8;
// More kinds than this are counted instead of named.
const KINDS_NAMED = 4;

export interface KindsFinding {
  finding: Finding;
  /** Of two findings about one function, the one with more weight is reported. */
  weight: number;
}

export function concludeKinds(finding: Finding, need: KindsNeed, parameterKinds: readonly ParameterKinds[]): KindsFinding | undefined {
  const answer = parameterKinds.find(({ parameter }) => parameter === need.parameter);
  const kinds = (answer?.kinds ?? []).filter(({ isShape }) => isShape === (need.family === 'shapes'));
  // Calls within one file are judged by the analysis of that file.
  if (!answer || kinds.length < Math.max(2, need.minimum) || kinds.every(({ place }) => place.file === undefined)) return undefined;
  if (need.other !== undefined && isAlwaysText(parameterKinds, need.other)) return undefined;
  const many = kinds.length >= MEGAMORPHIC ? need.many : undefined;
  const isWorthReporting = many
    ? need.isHot || kinds.some(({ heat }) => heat !== 'cold')
    : answer.isCertain && (need.isHot || kinds.some(({ isInLightLoop }) => isInLightLoop));
  if (!isWorthReporting) return undefined;
  const odd = oddKind(kinds);
  const others = kinds.filter((kind) => kind !== odd);
  const values = { odd: odd.label, others: listed(others.map(({ label }) => label)), count: String(kinds.length) };
  const put = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name as keyof typeof values] ?? whole);
  const { message } = many ?? finding;
  return {
    finding: {
      ...finding,
      ...(many ?? {}),
      message: { what: put(message.what), why: put(message.why), remedy: put(message.remedy) },
      data: Object.fromEntries(Object.entries(finding.data).map(([name, text]) => [name, put(text)])),
      related: [...kinds.slice(0, PLACES_SHOWN).map(relatedTo), ...finding.related],
    },
    weight: many ? 2 : need.family === 'shapes' ? 1 : 0,
  };
}

/** `prefix + id` is a string, whatever is added. */
function isAlwaysText(parameterKinds: readonly ParameterKinds[], parameter: number): boolean {
  const kinds = parameterKinds.find((one) => one.parameter === parameter)?.kinds ?? [];
  return kinds.length === 1 && kinds[0]?.label === 'a string';
}

/** The kind that stands out: one that no hot place passes, else the one with the fewest calls, else the last one. */
function oddKind(kinds: readonly ArgumentKind[]): ArgumentKind {
  const [first, ...rest] = kinds;
  let odd = first as ArgumentKind;
  for (const kind of rest) {
    const isColder = odd.heat !== 'cold' && kind.heat === 'cold';
    const isAsHot = (odd.heat === 'cold') === (kind.heat === 'cold');
    if (isColder || (isAsHot && kind.calls <= odd.calls)) odd = kind;
  }
  return odd;
}

function relatedTo({ place, label, heat }: ArgumentKind): Related {
  return { ...place, message: `${label}${heat === 'own' ? ' (in a loop)' : ''}` };
}

function listed(labels: readonly string[]): string {
  const named = labels.slice(0, KINDS_NAMED);
  const more = labels.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join('');
}
