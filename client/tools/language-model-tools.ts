// The tools for language models: VS Code offers them to chats and agents. They answer in trusted windows alone, and what executes code asks
// the user each time.
import {
  l10n,
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  MarkdownString,
  workspace,
  type CancellationToken,
  type Disposable,
  type LanguageModelTool,
  type LanguageModelToolInvocationOptions,
  type LanguageModelToolInvocationPrepareOptions,
  type PreparedToolInvocation,
} from 'vscode';
import { AGENT_TOOLS, ALLOW_RUN, type AgentToolName } from '../../protocol/agent-tools.ts';
import { PRODUCT } from '../../protocol/editor.ts';
import { asOneLine } from '../../protocol/safe-text.ts';
import { ToolProcess } from './tool-process.ts';
import { questionOf, requestOf, type Input, type ToolFolder } from './tool-request.ts';

export interface ToolDeps {
  /** Absolute path of the program that answers. */
  file: string;
  cwd: string;
  /** The Node that runs it; undefined where the user has none, and the one in VS Code must do, which cannot be profiled. */
  findNode(): Promise<string | undefined>;
  log(message: string): void;
}

const DOING: Readonly<Record<AgentToolName, () => string>> = {
  findings: () => l10n.t('Looking for performance problems'),
  explain: () => l10n.t('Reading an explanation'),
  prove: () => l10n.t('Profiling'),
  compare: () => l10n.t('Comparing two versions'),
};

export class LanguageModelTools implements Disposable {
  readonly #deps: ToolDeps;
  readonly #registered: readonly Disposable[];
  /** By program and arguments. */
  readonly #processes = new Map<string, ToolProcess>();

  constructor(deps: ToolDeps) {
    this.#deps = deps;
    // Programs that are made of VS Code may lack this part of it.
    const register = (lm as typeof lm | undefined)?.registerTool;
    this.#registered = register
      ? (Object.keys(AGENT_TOOLS) as AgentToolName[]).map((name) => register(`${PRODUCT}_${name}`, this.#tool(name)))
      : [];
  }

  /** The folders of the window, or the Node, are others now. */
  reset(): void {
    for (const one of this.#processes.values()) one.dispose();
    this.#processes.clear();
  }

  dispose(): void {
    this.reset();
    for (const one of this.#registered) one.dispose();
  }

  #tool(name: AgentToolName): LanguageModelTool<Input> {
    return {
      prepareInvocation: ({ input }: LanguageModelToolInvocationPrepareOptions<Input>): PreparedToolInvocation => {
        const request = requestOf(input, folders());
        const question =
          workspace.isTrusted && !('problem' in request) ? questionOf(name, input, asOneLine(request.folder.name), l10n.t) : undefined;
        return {
          invocationMessage: DOING[name](),
          // Names, calls, and requests come from a model: none of it may become a link or a picture.
          ...(question && {
            confirmationMessages: { title: question.title, message: new MarkdownString().appendText(asOneLine(question.message)) },
          }),
        };
      },
      invoke: async ({ input }: LanguageModelToolInvocationOptions<Input>, token: CancellationToken) =>
        new LanguageModelToolResult([new LanguageModelTextPart(await this.#answer(name, input, token))]),
    };
  }

  async #answer(name: AgentToolName, input: Input, token: CancellationToken): Promise<string> {
    if (!workspace.isTrusted) return 'error: The user does not trust this workspace, so the tools of Nodometer do not answer.\n';
    const request = requestOf(input, folders());
    if ('problem' in request) return `error: ${request.problem}\n`;
    const { executesCode } = AGENT_TOOLS[name];
    const node = await this.#deps.findNode();
    if (executesCode && node === undefined)
      return 'error: No Node.js 20.19 or newer was found on the PATH. The user can choose one with the command "Nodometer: Select Node".\n';
    const stop = new AbortController();
    const subscription = token.onCancellationRequested(() => stop.abort());
    try {
      const { text } = await this.#process(node ?? process.execPath, [request.folder.path, ...(executesCode ? [ALLOW_RUN] : [])]).call(
        name,
        request.args,
        stop.signal,
      );
      return text;
    } finally {
      subscription.dispose();
    }
  }

  #process(runtime: string, args: readonly string[]): ToolProcess {
    const { file, cwd, log } = this.#deps;
    const key = JSON.stringify([runtime, ...args]);
    let known = this.#processes.get(key);
    if (!known) this.#processes.set(key, (known = new ToolProcess({ file, runtime, args, cwd, log })));
    return known;
  }
}

function folders(): ToolFolder[] {
  return (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ name, uri }) => ({ name, path: uri.fsPath }));
}
