// What the two language-status items say. Everything that a color or an icon could mean stands there in words.
import { COMMANDS, type CommandId, type IndexState, type StatusParams } from '../../protocol/editor.ts';
import type { NodeChoice } from './node-choice.ts';
import type { Unlinted } from './document-selector.ts';
import type { ServerState } from './server-session.ts';
import type { Translate } from '../translate.ts';

export interface StatusView {
  /** Names the product: the items of all extensions stand in one list. */
  text: string;
  detail: string;
  severity: 'information' | 'warning' | 'error';
  busy: boolean;
  command: { id: CommandId; title: string };
}

export interface StatusFacts {
  server: ServerState;
  /** What the server said last about the document in front. */
  document?: StatusParams;
  /** Set where the document in front holds JavaScript that nobody lints. */
  unlinted?: Unlinted;
  /** How far the index of the whole project is, as the server said last. */
  index?: IndexState;
  /** Whether a run over the workspace is under way. */
  lintingWorkspace: boolean;
  /** Whether a function is run. */
  profiling?: boolean;
  node: NodeChoice;
}

/** State of the server and of the document in front. */
export function stateView(facts: StatusFacts, t: Translate): StatusView {
  return named(serverView(facts, t));
}

function serverView(facts: StatusFacts, t: Translate): StatusView {
  const output = { id: COMMANDS.showOutput, title: t('Show Output') };
  const restart = { id: COMMANDS.restartServer, title: t('Restart') };
  const calm = {
    severity: 'information' as const,
    busy: facts.lintingWorkspace || facts.profiling === true || facts.index?.kind === 'building',
    command: output,
  };
  switch (facts.server.kind) {
    case 'starting':
      return { ...calm, text: t('Starting'), detail: t('The language server is starting.'), busy: true };
    case 'waiting':
      return {
        ...calm,
        text: t('Restarting'),
        detail: t('The language server stopped unexpectedly and is being restarted.'),
        severity: 'warning',
        busy: true,
      };
    case 'given-up':
      return {
        ...calm,
        text: t('Stopped'),
        detail: t('The language server crashed repeatedly. Warnings are no longer updated.'),
        severity: 'error',
        busy: false,
        command: restart,
      };
    case 'impossible':
      return {
        ...calm,
        text: t('Cannot start'),
        detail: t('See the output for details.'),
        severity: 'error',
        busy: false,
        command: restart,
      };
    case 'stopped':
      return { ...calm, text: t('Stopped'), detail: t('The language server was stopped.'), busy: false, command: restart };
    case 'running':
      return { ...calm, ...documentView(facts, t) };
  }
}

function documentView(
  { document, unlinted, index, lintingWorkspace, profiling }: StatusFacts,
  t: Translate,
): Pick<StatusView, 'text' | 'detail'> & Partial<StatusView> {
  if (lintingWorkspace) return { text: t('Linting the workspace'), detail: '' };
  if (profiling) return { text: t('Profiling'), detail: '' };
  if (index?.kind === 'building')
    return { text: readingText(index, t), detail: t('Warnings that depend on other files appear when all files have been read.') };
  if (unlinted) return { text: t('Not linted'), detail: unlintedText(unlinted, t) };
  const alone = index?.kind === 'off' ? t('The project index is off: each file is analyzed in isolation.') : '';
  if (!document) return { text: t('Ready'), detail: alone };
  const reason = document.reason ?? '';
  switch (document.state) {
    case 'linted':
      return { text: countText(document.findings ?? 0, t), detail: reason || alone };
    case 'skipped':
      return { text: t('File skipped'), detail: reason };
    case 'failed':
      return { text: t('Incomplete'), detail: reason, severity: 'warning' };
    case 'off':
      return { text: t('Off'), detail: reason || t('`nodometer.enable` is false.') };
  }
}

function unlintedText(kind: Unlinted, t: Translate): string {
  switch (kind) {
    case 'vue':
      return t('Vue components are not linted, only JavaScript and TypeScript files.');
    case 'svelte':
      return t('Svelte components are not linted, only JavaScript and TypeScript files.');
    case 'astro':
      return t('Astro components are not linted, only JavaScript and TypeScript files.');
    case 'notebook':
      return t('Notebook cells are not linted, only JavaScript and TypeScript files.');
  }
}

function readingText({ done, total }: { done: number; total: number }, t: Translate): string {
  return total === 0 ? t('Reading the project') : t('Reading the project: {0} of {1} files', grouped(done), grouped(total));
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** The Node that the rules think of, and how they know. */
export function nodeView(facts: StatusFacts, t: Translate): StatusView {
  return named(nodeInUse(facts, t));
}

function nodeInUse({ document, node }: StatusFacts, t: Translate): StatusView {
  const common = { severity: 'information' as const, busy: false, command: { id: COMMANDS.selectNode, title: t('Select Node') } };
  if (node.problem) return { ...common, text: t('Node setting ignored'), detail: node.problem, severity: 'warning' };
  if (document?.nodeRange) return { ...common, text: t('Node {0}', document.nodeRange), detail: document.nodeRangeSource ?? '' };
  if (node.version) return { ...common, text: t('Node {0}', node.version), detail: node.source ?? '' };
  return { ...common, text: t('any Node'), detail: t('Neither the project nor this machine specifies one.') };
}

/** What a screen reader says for an item. */
export function labelOf(view: StatusView, t: Translate): string {
  const words = { information: '', warning: t('Warning'), error: t('Error') }[view.severity];
  return [view.text, words, view.detail].filter((part) => part !== '').join(', ');
}

function named(view: StatusView): StatusView {
  return { ...view, text: `Nodometer: ${view.text}` };
}

/** More than this pushes the item's command out of sight: VS Code neither wraps nor cuts what stands before it. */
const LONGEST_DETAIL = 80;

/** Screen readers get the whole. */
export function shortened(detail: string): string {
  return detail.length <= LONGEST_DETAIL ? detail : `${detail.slice(0, LONGEST_DETAIL - 1).trimEnd()}…`;
}

export function countText(findings: number, t: Translate): string {
  if (findings === 0) return t('No findings');
  return findings === 1 ? t('1 finding') : t('{0} findings', findings);
}
