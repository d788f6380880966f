// What runs saw and no rule predicted, on its line: an information of a source of its own, without fixes.
import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver/node';
import { PRODUCT } from '../../protocol/editor.ts';
import type { FoundSeen } from '../../workspace/profile/kept-seen.ts';
import { toRange, type ConvertContext } from '../shared/convert.ts';

/** Not a rule's: no comment silences it, and it goes away when the code changes. */
export const SEEN_SOURCE = `${PRODUCT} run`;
/** In docs/. */
const PAGE = 'profiling';

export function seenDiagnostics(found: readonly FoundSeen[], { document, abilities, pageOf }: ConvertContext): Diagnostic[] {
  const page = abilities.codeDescription ? pageOf(PAGE) : undefined;
  return found.map(({ span, seen: { kind, figure, grounds, remedy }, profile: { node } }) => ({
    range: toRange(document, span),
    severity: DiagnosticSeverity.Information,
    source: SEEN_SOURCE,
    code: kind,
    ...(page === undefined ? {} : { codeDescription: { href: page } }),
    message: [`Seen by the run on Node ${node}: ${figure}.`, grounds.join(' '), remedy].filter((line) => line !== '').join('\n'),
  }));
}
