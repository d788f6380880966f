// Turns a judged start into the report of the rule: one finding per cause, with the other places that share it.
import type { DeploymentContext } from '../../analysis/rule.ts';
import type { DeploymentFile } from '../../protocol/project.ts';
import type { Fix, Related, Span } from '../../protocol/finding.ts';
import { replaceWithProduction, suggestion } from './fixes.ts';
import type { Judged } from './judge.ts';
import type { Place, Via } from '../../analysis/deployment/launch.ts';
import type { MessageId } from './messages.ts';
import { relativeTo, toSlashes } from '../../analysis/deployment/paths.ts';
import type { ProjectFiles } from '../../analysis/deployment/project-files.ts';
import { showValue } from './values.ts';

export interface Finding {
  /** Where a missing variable is reported. */
  file: DeploymentFile;
  at: Span;
  /** What starts the program: `This image`, `The service \`web\``. */
  subject: string;
  /** What is started, if that is not the command itself. */
  program?: string;
  judged: Judged;
  /** Added to "without NODE_ENV=production". */
  note?: string;
  remedy: string;
  fixes: readonly Fix[];
  /** What is offered for a wrong value, if that is not to replace it. */
  corrections?: readonly Fix[] | undefined;
  related?: readonly Via[];
}

/**
 * Folders and files that set up tracing, to show it. Names with `demo`, `example`, or `dev` are for development, and not reported at all.
 */
const FOR_SHOW = /(?:^|[^a-z])(?:otel|opentelemetry|telemetry)(?:[^a-z]|$)/i;

export class Reporter {
  readonly #context: DeploymentContext<MessageId>;
  readonly #files: ProjectFiles;
  readonly #seen = new Set<string>();

  constructor(context: DeploymentContext<MessageId>, files: ProjectFiles) {
    this.#context = context;
    this.#files = files;
  }

  /** Reports the verdict. Returns false if there is nothing to report. */
  report(finding: Finding): boolean {
    const { judged, subject } = finding;
    const { verdict, effects, start } = judged;
    const data = { subject, program: finding.program ?? `\`${start.shown}\``, effects: effects.text, packages: effects.packages };
    const related = [...this.#relatedOf(finding)];
    // What only error responses show is no matter of time, and a demonstration serves nobody.
    const path = relativeTo(this.#files.root, toSlashes(finding.file.path));
    const weak = effects.strength !== 'speed' || FOR_SHOW.test(path) ? 'hint' : undefined;
    switch (verdict.kind) {
      case 'missing': {
        // Nest without views: nothing that is known reads the variable.
        if (effects.strength === 'none') return false;
        const severity = verdict.isWeak ? 'hint' : weak;
        return this.#send(finding.file, finding.at, {
          messageId: 'missing',
          data: { ...data, note: finding.note ?? '', remedy: finding.remedy },
          related,
          fixes: finding.fixes,
          severity,
        });
      }
      case 'host':
        return this.#at(verdict.env.place, finding, {
          messageId: 'host',
          data,
          related,
          severity: weak,
          fixes: suggestion('Set NODE_ENV to production here', verdict.env.edit),
        });
      case 'misspelt':
      case 'development': {
        const fixes =
          finding.corrections ?? (verdict.place ? suggestion('Change it to `production`', replaceWithProduction(verdict.place)) : []);
        return this.#at(verdict.place, finding, {
          messageId: verdict.kind,
          data: { ...data, value: showValue(verdict.value) },
          related,
          fixes,
          severity: weak,
        });
      }
      default:
        return false;
    }
  }

  /** The place of the value, if it is in one of the project's deployment files. Otherwise the start, without a fix. */
  #at(
    place: Place | undefined,
    finding: Finding,
    problem: Omit<Parameters<DeploymentContext<MessageId>['report']>[0], 'file' | 'at'>,
  ): boolean {
    const file = place && this.#files.findFile(place.path);
    if (file && place)
      return this.#send(file, place.span, {
        ...problem,
        related: (problem.related ?? []).filter((other) => other.file !== file.path || other.span.start !== place.span.start),
      });
    const elsewhere = place ? [{ file: place.path, span: place.span, message: 'the value is set here' }] : [];
    return this.#send(finding.file, finding.at, { ...problem, fixes: [], related: [...elsewhere, ...(problem.related ?? [])] });
  }

  #send(file: DeploymentFile, at: Span, problem: Omit<Parameters<DeploymentContext<MessageId>['report']>[0], 'file' | 'at'>): boolean {
    const key = `${file.path}\n${at.start}\n${at.end}\n${problem.messageId}`;
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    this.#context.report({ file, at, ...problem });
    return true;
  }

  *#relatedOf(finding: Finding): Generator<Related> {
    const seen = new Set<string>([`${finding.file.path}:${finding.at.start}`]);
    const { start } = finding.judged;
    const isElsewhere = start.place.path !== toSlashes(finding.file.path) && !start.via.some((via) => via.path === start.place.path);
    const command: Via[] = isElsewhere ? [{ ...start.place, message: 'the program is started here' }] : [];
    for (const via of [...start.via, ...command, ...(finding.related ?? [])]) {
      const key = `${via.path}:${via.span.start}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield { file: via.path, span: via.span, message: via.message };
    }
  }
}
