// What a hover adds to a warning: the rule's page, where the claim holds and how it is proven, the way to the place, and why a
// fix is not offered. Over a comment that silences: what it silences. Over a call of Node's own: where it runs.
import { MarkupKind, type Hover, type Position } from 'vscode-languageserver/node';
import type { Finding, Fix, RefusedFix, Span } from '../../protocol/finding.ts';
import type { Production } from '../../protocol/production.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import type { AnyRule, Proof } from '../../analysis/rule.ts';
import { SUPPRESSION_RULE } from '../../analysis/run/suppress.ts';
import { describeProduction, type FileProduction } from '../../workspace/production/file-production.ts';
import { RelatedPlaces, toRange, type ConvertContext } from '../shared/convert.ts';
import { directivesOf, type PlacedDirective } from '../documents/directives.ts';
import { markdown, plain, type Writer } from '../shared/markdown.ts';
import { asSentence } from '../shared/sentence.ts';
import { coreCallHover } from './core-call-hover.ts';

export interface HoverRequest {
  /** Absolute path of the document. */
  file: string;
  position: Position;
  /** Of the document's text; moved ones will do. */
  findings: readonly Finding[];
  convert: ConvertContext;
  rules: readonly AnyRule[];
  project?: ProjectInfo;
  /** Whether the client reads Markdown in hovers. */
  markdown: boolean;
  /** Whether the client shows a diagnostic's message and related places beside the hover, as VS Code does; then they are not said twice. */
  showsDiagnostics: boolean;
  /** Whether calls of Node's own are explained where nothing is found: not in files that are left out. */
  coreCalls: boolean;
  /** What was imported about the file. */
  production?: FileProduction;
  /** What a fix would break, in words. */
  damageOf?(fix: Fix): string | undefined;
}

/** More than this many findings at one place are not read. */
const MAX_FINDINGS = 3;
/** Routes that are shown. */
const MAX_ROUTES = 10;
/** Steps of a path that are shown. */
const MAX_PLACES = 8;

const PROOFS: Readonly<Record<Proof, string>> = {
  measured: 'measured',
  documented: 'documented by Node or V8',
  heuristic: 'predicted; run a profile to confirm',
};

export function hoverAt(request: HoverRequest): Hover | null {
  const {
    convert: { document },
    position,
    findings,
  } = request;
  const offset = document.offsetAt(position);
  const write = request.markdown ? markdown : plain;
  const directive = directiveHover(request, offset, write);
  if (directive) return directive;
  const length = ({ span }: Finding): number => span.end - span.start;
  const here = findings
    .filter(({ span, ruleId }) => span.start <= offset && offset <= span.end && ruleId !== SUPPRESSION_RULE)
    .sort((a, b) => length(a) - length(b));
  const [first] = here;
  if (!first) {
    const hot = request.production?.atHead(offset);
    if (hot) return hoverOf(request, write.blocks(describeKnown(hot.production, write)), hot.head);
    const called =
      request.coreCalls &&
      request.project &&
      coreCallHover({ file: request.file, text: document.getText(), offset, project: request.project }, write);
    return called ? hoverOf(request, called.value, called.span) : null;
  }
  const places = new RelatedPlaces(request.convert);
  const parts = here
    .slice(0, MAX_FINDINGS)
    .flatMap((finding, i) => [...(i > 0 ? [write.separator] : []), describeFinding(finding, request, places, write)]);
  if (here.length > MAX_FINDINGS) parts.push(`${here.length - MAX_FINDINGS} more here. See the Problems panel.`);
  return hoverOf(request, write.blocks(parts), first.span);
}

function hoverOf(request: HoverRequest, value: string, span: Span): Hover {
  return {
    contents: { kind: request.markdown ? MarkupKind.Markdown : MarkupKind.PlainText, value },
    range: toRange(request.convert.document, span),
  };
}

// ---- findings

function describeFinding(finding: Finding, request: HoverRequest, places: RelatedPlaces, write: Writer): string {
  const {
    message: { what, why, remedy },
  } = finding;
  return write.blocks([
    ...(request.showsDiagnostics ? [] : [what, why, remedy].map(write.prose)),
    describeRule(finding.ruleId, request, write),
    describeSubject(finding, write),
    describeRoutes(finding, write),
    ...describeKnown(request.production?.ofFinding(finding), write),
    describeRange(finding.ruleId, request, write),
    describePlaces(finding, request, places, write),
    ...notOffered(finding, request).map(({ title, reason }) => `Not offered: ${write.prose(title)}. ${write.prose(asSentence(reason))}`),
  ]);
}

function describeRule(ruleId: string, request: HoverRequest, write: Writer): string {
  const meta = request.rules.find((rule) => rule.meta.id === ruleId)?.meta;
  const page = request.convert.pageOf(ruleId);
  const name = page === undefined ? ruleId : write.link(ruleId, page);
  return meta ? `${write.bold(name)}: ${write.prose(meta.summary)}.` : write.bold(name);
}

/** `In findUser, for GET /users/:id.` */
function describeSubject({ functionName, route }: Finding, write: Writer): string {
  const parts = [
    ...(functionName === undefined ? [] : [`in ${write.code(functionName)}`]),
    ...(route === undefined ? [] : [`for ${write.code(route)}`]),
  ];
  return parts.length > 0 ? asSentence(parts.join(', ')) : '';
}

/** All that lead there, where there are several. */
function describeRoutes({ routes = [] }: Finding, write: Writer): string {
  if (routes.length < 2) return '';
  const more = routes.length - MAX_ROUTES;
  return `Reached by ${routes.length} routes: ${routes.slice(0, MAX_ROUTES).map(write.code).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** `4 % of samples in production, 21 November.` It confirms nothing, and where it is missing, nothing is refuted. */
function describeKnown(production: Production | undefined, write: Writer): string[] {
  if (!production) return [];
  const sources = [...new Set([production.samples, production.requests, production.calls].flatMap((one) => one?.source ?? []))];
  return [`${describeProduction(production, Date.now())} (${sources.map(write.code).join(', ')}).`];
}

function describeRange(ruleId: string, { rules, project }: HoverRequest, write: Writer): string {
  const meta = rules.find((rule) => rule.meta.id === ruleId)?.meta;
  if (!meta) return '';
  const holds = meta.nodeRange === '*' ? 'Applies to every Node version' : `Applies to Node ${write.code(meta.nodeRange)}`;
  const here = project ? ` This project: Node ${write.code(project.nodeRange)} (${write.prose(project.nodeRangeSource)}).` : '';
  return `${holds}, ${PROOFS[meta.proof]}.${here}`;
}

function describePlaces({ related }: Finding, { showsDiagnostics }: HoverRequest, places: RelatedPlaces, write: Writer): string {
  if (related.length === 0) return '';
  const shown = related.slice(0, MAX_PLACES).map((place) => {
    const {
      uri,
      range: { start },
    } = places.find(place);
    return {
      link: write.link(places.describe(place), `${uri}#L${start.line + 1},${start.character + 1}`),
      message: write.prose(place.message),
    };
  });
  const more = related.length - shown.length;
  const rest = more > 0 ? `and ${more} more` : '';
  // What they say stands in the same box already.
  if (showsDiagnostics) return `See ${[...shown.map(({ link }) => link), ...(rest ? [rest] : [])].join(', ')}.`;
  return write.list([...shown.map(({ link, message }) => `${link}: ${message}`), ...(rest ? [rest] : [])], true);
}

/** VS Code leaves actions that cannot be chosen out of its plain menu, so that this is where most people learn why. */
function notOffered(finding: Finding, { damageOf }: HoverRequest): readonly RefusedFix[] {
  const damaged = finding.fixes.flatMap((fix): RefusedFix[] => {
    const damage = damageOf?.(fix);
    return damage === undefined ? [] : [{ title: fix.title, reason: damage }];
  });
  return [...finding.refused, ...damaged];
}

// ---- comments

function directiveHover(request: HoverRequest, offset: number, write: Writer): Hover | undefined {
  const { document } = request.convert;
  const { line } = request.position;
  // Reading the whole text is left to the lines where it may be of use.
  if (!document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } }).includes('nodometer-')) return undefined;
  const directive = directivesOf(request.file, document.getText()).find(({ start, end }) => start <= offset && offset <= end);
  if (!directive) return undefined;
  const id = directive.ids.find(({ span }) => span.start <= offset && offset <= span.end);
  const parts = (id ? [id] : directive.ids).map(({ ruleId }) =>
    request.rules.some((rule) => rule.meta.id === ruleId)
      ? describeRule(ruleId, request, write)
      : `Nodometer has no rule ${write.code(ruleId)}.`,
  );
  const idle = request.findings.filter(
    ({ ruleId, span }) => ruleId === SUPPRESSION_RULE && span.start === directive.start && !request.showsDiagnostics,
  );
  return hoverOf(
    request,
    write.blocks([effectOf(directive), ...parts, ...idle.map(({ message }) => write.prose(`${message.what} ${message.remedy}`))]),
    id?.span ?? directive,
  );
}

function effectOf({ kind, ids }: PlacedDirective): string {
  const what = ids.length === 0 ? 'all rules' : ids.length === 1 ? 'this rule' : 'these rules';
  switch (kind) {
    case 'disable-next-line':
      return `Disables ${what} on the next line.`;
    case 'disable-line':
      return `Disables ${what} on this line.`;
    case 'disable':
      return `Disables ${what} from here to the end of the file, or to a comment that enables ${ids.length === 1 ? 'it' : 'them'} again.`;
    case 'enable':
      return `Enables ${what} again from here on.`;
  }
}
