// Links from the rules named in comments to their pages. A silenced finding shows nowhere, so that this is the way from the
// comment to the reason. There are no code lenses: a finding has its diagnostic, and a lens would push the code around.
import type { DocumentLink } from 'vscode-languageserver/node';
import { toRange, type ConvertContext } from '../shared/convert.ts';
import { directivesOf } from './directives.ts';

export interface LinksRequest {
  /** Absolute path of the document. */
  file: string;
  convert: Pick<ConvertContext, 'document' | 'pageOf'>;
}

export function documentLinks({ file, convert: { document, pageOf } }: LinksRequest): DocumentLink[] {
  return directivesOf(file, document.getText()).flatMap(({ ids }) =>
    ids.flatMap(({ ruleId, span }): DocumentLink[] => {
      const target = pageOf(ruleId);
      return target === undefined ? [] : [{ range: toRange(document, span), target, tooltip: `Show documentation for ${ruleId}` }];
    }),
  );
}
