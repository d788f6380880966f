// Where npm is: its script and the Node that it belongs to. Started so, it needs no shell, and no `.cmd` file on Windows, which Node
// refuses to start without one.
import { posix, win32 } from 'node:path';
import { executable, type Machine } from './discovery.ts';

export interface Npm {
  /** Absolute path of the Node that runs it. */
  node: string;
  /** Absolute path of `npm-cli.js`. */
  cli: string;
}

/** The first one on the PATH that has its Node beside it, or in a folder behind. */
export function findNpm(machine: Machine): Npm | undefined {
  const { platform, env, isFile, realPath } = machine;
  const path = platform === 'win32' ? win32 : posix;
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = (env[name] ?? '')
    .split(path.delimiter)
    .map((folder) => folder.replace(/^"(.*)"$/, '$1'))
    .filter((folder) => path.isAbsolute(folder));
  const nodeIn = (some: readonly string[]): string | undefined => some.map((folder) => path.join(folder, executable(machine))).find(isFile);
  for (const [index, folder] of folders.entries()) {
    const cli = [
      path.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
      realPath(path.join(folder, 'npm')),
      path.join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ].find((file) => file.endsWith('npm-cli.js') && isFile(file));
    const node = nodeIn(folders.slice(index)) ?? nodeIn(folders);
    if (cli !== undefined && node !== undefined && isFile(path.join(folder, platform === 'win32' ? 'npm.cmd' : 'npm')))
      return { node, cli };
  }
  return undefined;
}
