// The world around a command as the bench gives it: the machine as it is, and the output kept.
import type { Host } from '../../cli/host.ts';
import { rules } from '../../rules/index.ts';

export interface KeptOutput {
  out: string;
  err: string;
}

export function hostFor(cwd: string): { host: Host; kept: KeptOutput } {
  const kept: KeptOutput = { out: '', err: '' };
  const keep = (name: keyof KeptOutput) => ({
    write(text: string) {
      kept[name] += text;
    },
  });
  const host: Host = {
    cwd,
    env: process.env,
    platform: process.platform,
    stdout: keep('out'),
    stderr: keep('err'),
    readStdin: async () => '',
    signal: new AbortController().signal,
    now: () => performance.now(),
    nodeVersion: process.versions.node,
    nodePath: process.execPath,
    date: () => Date.now(),
    confirm: async () => false,
    version: '0.0.0',
    loadRules: async () => rules,
    loadFixCheck: async () => () => undefined,
    startLanguageServer: async () => {},
    findRuleDoc: () => undefined,
  };
  return { host, kept };
}
