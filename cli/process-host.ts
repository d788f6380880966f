// The real world for the commands: this process, its streams, and the files shipped with the package.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Host } from './host.ts';
import { analysisPlace, packageVersion } from './installed-analysis.ts';

/** Without the language server, which few processes start. */
export function processHost(signal: AbortSignal): Omit<Host, 'startLanguageServer'> {
  return {
    cwd: process.cwd(),
    env: process.env,
    platform: process.platform,
    stdout: process.stdout,
    stderr: process.stderr,
    readStdin,
    signal,
    now: () => performance.now(),
    nodeVersion: process.versions.node,
    analysis: analysisPlace(),
    date: () => Date.now(),
    nodePath: process.execPath,
    confirm: (question) => confirm(question, signal),
    version: packageVersion(),
    loadRules: async () => (await import('../rules/index.ts')).rules,
    loadFixCheck: async () => (await import('../analysis/fix/verify.ts')).findDamage,
    findRuleDoc,
  };
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
