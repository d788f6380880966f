// The real world for the commands: this process, its streams and signals, and the files shipped with the package.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommand } from './command.ts';
import type { Host } from './host.ts';
import { analysisPlace, packageVersion } from './installed-analysis.ts';

export async function runProcess(): Promise<void> {
  const interruption = new AbortController();
  process.once('SIGINT', () => {
    interruption.abort();
    // A second Ctrl-C ends the process at once: `once` has given Node's own handler back.
  });
  for (const stream of [process.stdout, process.stderr]) {
    // `nodometer lint | head`: the reader has seen enough.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const host: Host = {
    cwd: process.cwd(),
    env: process.env,
    platform: process.platform,
    stdout: process.stdout,
    stderr: process.stderr,
    readStdin,
    signal: interruption.signal,
    now: () => performance.now(),
    nodeVersion: process.versions.node,
    analysis: analysisPlace(),
    date: () => Date.now(),
    nodePath: process.execPath,
    confirm: (question) => confirm(question, interruption.signal),
    version: packageVersion(),
    loadRules: async () => (await import('../rules/index.ts')).rules,
    loadFixCheck: async () => (await import('../analysis/fix/verify.ts')).findDamage,
    startLanguageServer: async () => (await import('../server/main.ts')).startServer(packageVersion()),
    findRuleDoc,
  };
  // Not process.exit: a long report to a pipe would be cut off.
  process.exitCode = await runCommand(process.argv.slice(2), host);
}

async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `, { signal })).trim());
  } finally {
    lines.close();
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Built, the READMEs lie in `docs` beside this file; in the sources, in the rules' folders. */
function findRuleDoc(ruleId: string): string | undefined {
  const places = [new URL(`./docs/${ruleId}.md`, import.meta.url), new URL(`../rules/${ruleId}/README.md`, import.meta.url)];
  const place = places.map((url) => fileURLToPath(url)).find((path) => existsSync(path));
  return place === undefined ? undefined : readFileSync(place, 'utf8');
}
