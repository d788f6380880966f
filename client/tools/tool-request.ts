// What a call of a tool asks for, and what the user is asked before. Without VS Code, so that it can be tested.
import { AGENT_TOOLS, FOLDER_ARGUMENT, type AgentToolName } from '../../protocol/agent-tools.ts';
import type { Translate } from '../translate.ts';

export interface ToolFolder {
  name: string;
  /** Absolute. */
  path: string;
}

/** Characters of a call, a request, or a target that a question shows. */
const MOST_SHOWN = 300;

export type Input = Readonly<Record<string, unknown>>;

/** The folder that is meant, and the arguments for its process; or why there is none, for the model. */
export function requestOf(input: Input, folders: readonly ToolFolder[]): { folder: ToolFolder; args: Input } | { problem: string } {
  const { [FOLDER_ARGUMENT]: name, ...args } = input;
  const [first, ...others] = folders;
  if (!first) return { problem: 'No folder on a disk is open.' };
  const names = folders.map((folder) => folder.name).join(', ');
  if (name === undefined) return others.length === 0 ? { folder: first, args } : { problem: `Specify \`${FOLDER_ARGUMENT}\`: ${names}.` };
  const folder = folders.find((one) => one.name === name);
  return folder ? { folder, args } : { problem: `There is no such folder. There are: ${names}.` };
}

/** Undefined where nothing is executed: a further page of an answer is not. */
export function questionOf(
  tool: AgentToolName,
  input: Input,
  folder: string,
  t: Translate,
): { title: string; message: string } | undefined {
  if (!AGENT_TOOLS[tool].executesCode || input.cursor !== undefined) return undefined;
  const { target, call, request, entry, base, fix } = input;
  const what = [target, call, request, entry].filter((one) => one !== undefined).map(shown);
  const other = base === undefined ? fix : base;
  const does =
    tool === 'compare'
      ? t('Nodometer will execute {0} on your machine, and another version of it ({1}).', what.join(', '), shown(other))
      : t('Nodometer will execute {0} on your machine, repeatedly.', what.join(', '));
  return {
    title: t('Execute code of {0}?', folder),
    message: `${does} ${t("It can read files and use the network, but cannot write files or start processes. Node's permission model enforces this. It is no sandbox for hostile code.")}`,
  };
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : '?';
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
