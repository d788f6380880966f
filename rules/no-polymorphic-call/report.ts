// From a mix of kinds to the report: the odd place, the others next to it, the use that joins them.
import { endOf, functionName, isFunction, startOf, type Node } from '../../analysis/module/ast.ts';
import { patternIdentifiers } from '../../analysis/facts/bindings.ts';
import type { Problem, Related, Span } from '../../analysis/rule.ts';
import type { ParameterUse } from './across.ts';
import type { Feed } from './feeds.ts';
import { isMegamorphic, oddKind, type Family, type Kind, type Mix } from './kinds.ts';
import { ownerName, type Subject } from './subject.ts';
import type { Use } from './uses.ts';

export type Messages =
  | 'types'
  | 'shapes'
  | 'manyShapes'
  | 'typesAcross'
  | 'shapesAcross'
  | 'manyShapesAcross'
  | 'receivers'
  | 'manyReceivers'
  | 'targets'
  | 'manyTargets';

export interface Candidate {
  subject: Subject;
  mix: Mix;
}

// Each of the other kinds has one place in the report. With more than these, the report gets longer than the code.
const PLACES_SHOWN = 8;

const MANY: Readonly<Record<Family, Messages>> = {
  types: 'types',
  shapes: 'manyShapes',
  receivers: 'manyReceivers',
  targets: 'manyTargets',
};
const FAMILY_WEIGHT: Readonly<Record<Family, number>> = { types: 0, shapes: 1, targets: 2, receivers: 3 };
const FAMILIES = Object.keys(FAMILY_WEIGHT).length;

/** The costlier of two mixes weighs more: first by the number of kinds, up to the cliff, then by what they are used for. */
export function weightOf({ mix }: Candidate): number {
  return (isMegamorphic(mix) ? FAMILIES : 0) + FAMILY_WEIGHT[mix.family];
}

/**
 * One report for all parameters of a function: about the one that weighs most. The others are named with it if the same call is odd for
 * them.
 */
export function problemFor(candidates: readonly Candidate[]): Problem<Messages> | undefined {
  const [strongest] = [...candidates].sort((a, b) => weightOf(b) - weightOf(a));
  if (!strongest) return undefined;
  const { subject, mix } = strongest;
  const { family, kinds, use } = mix;
  const odd = oddKind(kinds);
  const at = placeOf(odd.feeds[0] as Feed, strongest);
  const together = candidates.filter(
    (other) => other.mix.family === family && oddKind(other.mix.kinds).feeds[0]?.site === odd.feeds[0]?.site,
  );
  const others = kinds.filter((kind) => kind !== odd);
  const isMany = isMegamorphic(mix);
  return {
    at,
    messageId: isMany ? MANY[family] : family,
    data: {
      owner: ownerName(subject.owner),
      parameter: together.map((one) => nameOf(one.subject)).join('`, `'),
      odd: odd.label,
      others: listed(others.map((kind) => kind.label)),
      count: kinds.length,
      operation: operationOf(subject, use),
    },
    related: [
      ...others.slice(0, PLACES_SHOWN).map((kind) => relatedTo(kind, strongest)),
      {
        span: spanOf(use.node),
        message: `\`${operationOf(subject, use)}\` sees ${kinds.length === 2 ? 'both' : `all ${kinds.length}`} of them`,
      },
    ],
    functionName: isFunction(subject.owner) ? functionName(subject.owner) : undefined,
  };
}

const ACROSS: Readonly<Record<ParameterUse['family'], Messages>> = { types: 'typesAcross', shapes: 'shapesAcross' };

/** The report about a function that gets several kinds from calls in several files. */
export function problemAcross({ subject, use, family, isHot, other }: ParameterUse, minimum: number): Problem<Messages> {
  const data = {
    owner: ownerName(subject.owner),
    parameter: nameOf(subject),
    operation: operationOf(subject, use),
    odd: '{{odd}}',
    others: '{{others}}',
    count: '{{count}}',
  };
  const many = { messageId: 'manyShapesAcross' as const, severity: 'hint' as const, data };
  return {
    at: spanOf(use.node),
    messageId: ACROSS[family],
    data,
    functionName: functionName(subject.owner),
    request: {
      at: use.node,
      isOnce: false,
      parameterKinds: {
        parameter: subject.index,
        family,
        isHot,
        minimum,
        ...(other === undefined ? {} : { other }),
        ...(family === 'shapes' ? { many } : {}),
      },
    },
  };
}

/** The call. For a loop and an inline callback, where the odd value is created, because the call is the same for all kinds. */
function placeOf(feed: Feed, { subject, mix }: Candidate): Span {
  const isInline = !isFunction(subject.owner) || (startOf(subject.owner) >= startOf(feed.site) && endOf(subject.owner) <= endOf(feed.site));
  return spanOf(isInline ? mix.use.node : feed.site);
}

function relatedTo(kind: Kind, candidate: Candidate): Related {
  const feed = kind.feeds.find((one) => one.getHeat() !== 'cold') ?? (kind.feeds[0] as Feed);
  const often = feed.getHeat() !== 'cold' ? ' (in a loop)' : '';
  return {
    span: spanOf(feed.isShared ? feed.at : feed.site),
    message: `${kind.label}${feed.isShared ? ` for \`${nameOf(candidate.subject)}\`` : ''}${often}`,
  };
}

function operationOf(subject: Subject, use: Use): string {
  const name = nameOf(subject);
  switch (use.kind) {
    case 'operator':
      return use.name;
    case 'property':
      return `${name === '{ … }' ? '' : name}.${use.name}`;
    case 'method':
      return `${name}.${use.name}()`;
    case 'call':
      return `${name}()`;
  }
}

function nameOf({ target }: Subject): string {
  if (target.type === 'Identifier') return target.name;
  return `{ ${patternIdentifiers(target)
    .map((identifier) => identifier.name)
    .join(', ')} }`;
}

// More kinds than this are counted instead of named.
const KINDS_NAMED = 4;

function listed(labels: readonly string[]): string {
  const unique = [...new Set(labels)];
  const named = unique.slice(0, KINDS_NAMED);
  const more = labels.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join('');
}

/** Loops and functions are shown by their heads. */
function spanOf(node: Node): Span {
  const start = startOf(node);
  if (node.type === 'ForOfStatement') return { start, end: endOf(node.right) };
  if (isFunction(node)) return { start, end: startOf(node.body) };
  return { start, end: endOf(node) };
}
