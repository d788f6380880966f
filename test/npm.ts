// npm, for what the tests install into cache folders.
import { spawn } from 'node:child_process';

/** How much of npm's output an error repeats, in lines. What went wrong stands at its start. */
const LOG_LINES = 12;

/** Undefined when it went well, else what to tell: the command, its end and the first lines of its output. */
export async function runNpm(cwd: string, args: readonly string[]): Promise<string | undefined> {
  // Under `npm test` npm says where it is; otherwise it is looked for on the PATH, where Windows has it as a .cmd file.
  const npmScript = process.env['npm_execpath'];
  const isScript = npmScript !== undefined && /npm-cli\.c?js$/.test(npmScript);
  const full = [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const child = isScript
    ? spawn(process.execPath, [npmScript, ...full], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    : spawn('npm', full, { cwd, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const problem = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${code ?? signal}`));
  });
  if (problem === undefined) return undefined;
  return `\`npm ${full.join(' ')}\`: ${problem}.\n${output
    .split('\n')
    .filter((line) => line.trim() !== 'npm error')
    .slice(0, LOG_LINES)
    .join('\n')
    .trim()}`;
}
