// `// nodometer-disable-next-line <rule>[, <rule>] -- reason`, `-disable-line`, and `nodometer-disable` / `nodometer-enable` for a file or
// a part of it.
import type { Finding } from '../../protocol/finding.ts';
import type { AnyRule } from '../rule.ts';
import type { RuleSettings } from './rule-settings.ts';
import type { Source } from '../module/source.ts';

/** Rule id of reports about these comments. */
export const SUPPRESSION_RULE = 'nodometer-disable';

const DIRECTIVE = /^[\s*!]*nodometer-(disable-next-line|disable-line|disable|enable)(?:\s(.*))?$/s;

/** One comment that disables or enables reports. */
export interface Directive {
  kind: 'disable-next-line' | 'disable-line' | 'disable' | 'enable';
  /** Empty for all rules. */
  ruleIds: readonly string[];
  start: number;
  end: number;
  /** What the comment says after `--`. */
  reason?: string;
  used: Set<string>;
}

/** A finding that a comment silenced. */
export interface Silenced {
  finding: Finding;
  reason?: string;
}

/** The text of a comment with the position of the whole. Babel's comments have this form, and so do those of other files. */
export interface CommentText {
  value: string;
  start?: number;
  end?: number;
}

interface Request {
  findings: readonly Finding[];
  source: Source;
  comments: readonly CommentText[];
  rules: readonly AnyRule[];
  settings: RuleSettings;
  reportUnused: boolean;
  /** Rules whose findings in this file may come from elsewhere. A comment that names one is never reported as unused. */
  elsewhere?: ReadonlySet<string>;
}

export function applySuppressions(request: Request): { findings: Finding[]; silenced: Silenced[] } {
  const { findings, source, rules, settings } = request;
  const directives = readDirectives(request.comments);
  if (directives.length === 0) return { findings: [...findings], silenced: [] };
  const kept: Finding[] = [];
  const silenced: Silenced[] = [];
  for (const finding of findings) {
    const by = directives.find((directive) => silences(directive, finding, directives, source));
    if (by) silenced.push({ finding, ...(by.reason === undefined ? {} : { reason: by.reason }) });
    else kept.push(finding);
  }
  if (request.reportUnused) {
    const known = new Set(rules.map((rule) => rule.meta.id));
    for (const directive of directives) {
      if (directive.kind === 'enable') continue;
      for (const ruleId of directive.ruleIds.filter((id) => !known.has(id))) kept.push(report(directive, source, 'unknownRule', ruleId));
      const idle =
        directive.ruleIds.length === 0
          ? directive.used.size === 0
            ? ['']
            : []
          : directive.ruleIds.filter(
              (id) => known.has(id) && settings[id]?.severity !== 'off' && !directive.used.has(id) && !request.elsewhere?.has(id),
            );
      for (const ruleId of idle) kept.push(report(directive, source, 'unusedDisable', ruleId));
    }
  }
  return { findings: kept, silenced };
}

/**
 * Comments of Dockerfiles, YAML, Procfiles, units, `.env` and JavaScript that may be directives: from `#` or `//` to the end of the line.
 */
export function readLineComments(text: string): CommentText[] {
  return [...text.matchAll(/(?:^|[\t ])(?:#|\/\/)([\t ]*nodometer-[^\r\n]*)/gm)].map((match) => {
    const end = (match.index ?? 0) + match[0].length;
    return { value: match[1] ?? '', start: end - match[0].trimStart().length, end };
  });
}

/** The directives among the comments, in the given order. */
export function readDirectives(comments: readonly CommentText[]): Directive[] {
  const directives: Directive[] = [];
  for (const comment of comments) {
    if (!comment.value.includes('nodometer-')) continue;
    const match = DIRECTIVE.exec(comment.value);
    if (!match) continue;
    const kind = match[1] as Directive['kind'];
    // `// nodometer-disable` also works in a line comment; ESLint requires a block comment there.
    const [list = '', ...reasons] = (match[2] ?? '').split(/(?:^|\s)--(?:\s|$)/);
    const reason = reasons.join(' -- ').trim();
    directives.push({
      kind,
      ruleIds: list.split(/[\s,]+/).filter((id) => id && id !== '--'),
      start: comment.start ?? 0,
      end: comment.end ?? 0,
      ...(reason === '' ? {} : { reason }),
      used: new Set(),
    });
  }
  return directives;
}

function silences(directive: Directive, finding: Finding, all: readonly Directive[], source: Source): boolean {
  if (directive.ruleIds.length > 0 && !directive.ruleIds.includes(finding.ruleId)) return false;
  const line = source.positionAt(finding.span.start).line;
  let hit: boolean;
  switch (directive.kind) {
    case 'enable':
      return false;
    case 'disable-next-line':
      hit = line === source.positionAt(directive.end).line + 1;
      break;
    case 'disable-line':
      hit = line === source.positionAt(directive.end).line;
      break;
    case 'disable': {
      if (finding.span.start < directive.start) return false;
      hit = !all.some(
        (other) =>
          other.kind === 'enable' &&
          other.start > directive.start &&
          other.start < finding.span.start &&
          (other.ruleIds.length === 0 || other.ruleIds.includes(finding.ruleId)),
      );
      break;
    }
  }
  if (hit) directive.used.add(finding.ruleId);
  return hit;
}

function report(directive: Directive, source: Source, messageId: 'unusedDisable' | 'unknownRule', ruleId: string): Finding {
  const what =
    messageId === 'unknownRule'
      ? `This comment names the rule \`${ruleId}\`, which does not exist.`
      : `This comment disables ${ruleId ? `\`${ruleId}\`` : 'nothing'}${ruleId ? ', which reports nothing here' : ''}.`;
  return {
    ruleId: SUPPRESSION_RULE,
    messageId,
    severity: 'warning',
    data: { ruleId },
    message: {
      what,
      why: 'An unused comment would hide the next real finding.',
      remedy: messageId === 'unknownRule' ? 'Run `nodometer rules` to list the rules.' : 'Remove the comment.',
    },
    file: source.file,
    span: { start: directive.start, end: directive.end },
    related: [],
    fixes: [],
    refused: [],
  };
}
