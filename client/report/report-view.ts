// The report's page as HTML. Nothing comes from outside: a style and a script of the extension, and no connections.
import type { SourcePlace } from '../../protocol/evidence.ts';
import type { Cell, ReportModel, Section, Table } from './report-parts.ts';
import type { FlameBox, Picture } from './report-pictures.ts';
import type { Translate } from '../translate.ts';

export interface PageRequest {
  model: ReportModel;
  /** Of the page, as `webview.cspSource` says. */
  source: string;
  nonce: string;
  script: string;
  style: string;
  /** Language of the texts. */
  language: string;
  t: Translate;
}

export interface Page {
  html: string;
  /** A link names its place by its index here: the page itself cannot name a file. */
  places: readonly SourcePlace[];
}

/** A frame of the call stacks as the page gets it, with the index of its place. */
export interface PageBox extends Omit<FlameBox, 'place'> {
  place?: number;
}

/** What the page says. */
export type PageMessage =
  /** A link was followed. */
  | { type: 'reveal'; place: number }
  /** Its script runs. */
  | { type: 'ready' }
  /** It is to be profiled again. */
  | { type: 'again' }
  /** It is to be written to a file. */
  | { type: 'export' };

/** To the page: whether it is out of date. */
export interface StaleMessage {
  type: 'stale';
  /** A sentence; empty where it is not. */
  text: string;
}

/** @param files as the user calls them */
export function staleText(files: readonly string[], t: Translate): string {
  const [first = ''] = files;
  return files.length === 1
    ? t('{0} has changed since this was measured.', first)
    : t('{0} and {1} more have changed since this was measured.', first, files.length - 1);
}

export function reportPage({ model, source, nonce, script, style, language, t }: PageRequest): Page {
  const places: SourcePlace[] = [];
  // A page that only says that there is none was measured nowhere.
  const isReport = model.footer.length > 0;
  const policy = `default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}'`;
  const html = `<!DOCTYPE html>
<html lang="${escape(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width">
<title>${escape(model.title)}</title>
<link rel="stylesheet" href="${escape(style)}">
</head>
<body>
<main>
<header><h1>${escape(model.title)}</h1>
${isReport ? `<button type="button" class="quiet" data-message="export">${escape(t('Export as Markdown'))}</button>` : ''}</header>
<div id="stale" role="status"><p></p><button type="button" data-message="again" hidden>${escape(t('Profile Again'))}</button></div>
<dl class="figures">${model.figures.map(({ label, value, detail }) => `<div><dt>${escape(label)}</dt><dd>${escape(value)}${detail === undefined ? '' : ` <small>${escape(detail)}</small>`}</dd></div>`).join('')}</dl>
${model.sections.map((section) => sectionHtml(section, places)).join('\n')}
</main>
<footer>${model.footer.map((part) => `<span>${escape(part)}</span>`).join(' · ')}</footer>
<script nonce="${escape(nonce)}" src="${escape(script)}"></script>
</body>
</html>`;
  return { html, places };
}

function sectionHtml({ id, title, deeper, text, pictures = [], table }: Section, places: SourcePlace[]): string {
  const [head, end] =
    deeper === undefined
      ? [`<h2 id="${id}">${escape(title)}</h2>`, '']
      : [`<details data-id="${id}"><summary><h2 id="${id}">${escape(title)}</h2> <small>${escape(deeper)}</small></summary>`, '</details>'];
  return `<section aria-labelledby="${id}">${head}
${text ? `<p>${sentence(text)}</p>` : ''}
${pictures.map((picture) => `<figure>${pictureHtml(picture, places)}</figure>`).join('')}
${table ? tableHtml(table, id, places) : ''}${end}</section>`;
}

function pictureHtml(picture: Picture, places: SourcePlace[]): string {
  const alt = escape(picture.alt);
  if (picture.kind !== 'flame')
    return `<div class="picture" role="img" aria-label="${alt}" data-picture="${escape(JSON.stringify(picture))}"></div>`;
  const boxes = picture.frames.map(({ place, ...box }): PageBox => ({ ...box, ...(place ? { place: places.push(place) - 1 } : {}) }));
  return `<div class="flame" role="tree" aria-label="${alt}" data-flame="${escape(JSON.stringify(boxes))}"></div>
<div class="legend">${picture.legend.map(({ owner, text }) => `<span><i class="${owner}"></i>${escape(text)}</span>`).join('')}</div>
<p class="flame-words"><span></span> <a href="#" hidden></a> <button type="button" class="quiet" hidden>${escape(picture.reset)}</button></p>`;
}

function tableHtml({ columns, rows }: Table, labeledBy: string, places: SourcePlace[]): string {
  // One column needs no heading that is seen.
  const head = `<thead${columns.length > 1 ? '' : ' class="heard"'}><tr>${columns.map(({ title, isFigure }) => `<th scope="col"${isFigure ? ' class="figure"' : ''}>${escape(title)}</th>`).join('')}</tr></thead>`;
  return `<div class="scroll"><table aria-labelledby="${labeledBy}">${head}<tbody>${rows.map((row) => `<tr>${row.map((cell) => cellHtml(cell, places)).join('')}</tr>`).join('')}</tbody></table></div>`;
}

function cellHtml({ text, place, isFigure, isCode, verdict, details = [], deeper, more = [] }: Cell, places: SourcePlace[]): string {
  const inner = isCode
    ? `<code>${escape(text)}</code>`
    : verdict
      ? `<span class="verdict ${verdict}">${escape(text)}</span>`
      : escape(text);
  const linked = place ? link(place, inner, places) : inner;
  return `<td${isFigure ? ' class="figure"' : ''}>${linked}${details.map((detail) => `<div class="detail">${sentence(detail)}</div>`).join('')}${deeper ? `<details class="detail"><summary>${escape(deeper.title)}</summary>${deeper.sentences.map((one) => `<p>${sentence(one)}</p>`).join('')}</details>` : ''}${more.map(({ text: words, place: where }) => `<div class="detail">${link(where, escape(words), places)}</div>`).join('')}</td>`;
}

/**
 * VS Code shows an address as the link's tooltip unless it has a title of its own: `#` tells nobody where it leads. The page does not know
 * in which folder the file is.
 */
function link(place: SourcePlace, inner: string, places: SourcePlace[]): string {
  const { file, line, column } = place;
  return `<a href="#" title="${escape(`${file.split(/[\\/]/).at(-1)}:${line}:${column}`)}" data-place="${places.push(place) - 1}">${inner}</a>`;
}

/** As in Markdown, code stands between backticks. */
function sentence(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
