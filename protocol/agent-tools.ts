// The tools for coding agents as the editor offers them: `cli/agent-tools.ts` answers them in a process of its own.

/** By name, as `nodometer mcp` has them. */
export const AGENT_TOOLS = {
  findings: { executesCode: false },
  explain: { executesCode: false },
  prove: { executesCode: true },
  compare: { executesCode: true },
} as const;

export type AgentToolName = keyof typeof AGENT_TOOLS;

/** Where the window has several folders. The process serves one, and does not get it. */
export const FOLDER_ARGUMENT = 'folder';

/** An argument of the process: code of the folder may be executed, since the user has agreed. */
export const ALLOW_RUN = '--allow-run';

/** To the process. */
export type ToolMessage = { id: number; tool: AgentToolName; arguments: unknown } | { cancel: number };

/** From the process. */
export interface ToolReply {
  id: number;
  text: string;
  isError: boolean;
}
