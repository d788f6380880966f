// The browser that shows the workbench: the machine's own, or the one that comes as an npm package.
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { makeOnce } from './once.ts';

export interface Chromium {
  executable: string;
  /** What its process needs beside our environment. */
  env: Readonly<Record<string, string>>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const MAC_NAMES = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const WINDOWS_PLACES = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

/** NODOMETER_CHROMIUM names the browser to use; `package` stands for the one from npm even where the machine has its own. */
export async function findChromium(installation: string, say: (line: string) => void = (line) => console.error(line)): Promise<Chromium> {
  const wanted = process.env['NODOMETER_CHROMIUM'];
  if (wanted && wanted !== 'package') {
    if (!existsSync(wanted)) throw new Error(`NODOMETER_CHROMIUM is ${wanted}, and there is no such file.`);
    return { executable: wanted, env: {} };
  }
  const own = wanted === 'package' ? undefined : systemPlaces().find((file) => existsSync(file));
  return own ? { executable: own, env: {} } : packagedChromium(installation, say);
}

function systemPlaces(): string[] {
  if (process.platform === 'darwin') return MAC_NAMES.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  if (process.platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => process.env[name]);
    return roots.flatMap((root) => (root ? WINDOWS_PLACES.map((place) => join(root, place)) : []));
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
}

async function packagedChromium(installation: string, say: (line: string) => void): Promise<Chromium> {
  const bin = join(installation, 'node_modules', '@sparticuz', 'chromium', 'bin');
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(join(bin, 'chromium.br'))) {
    throw new Error(`No browser found for the tests in VS Code, and npm has none for ${process.platform}-${process.arch}.
What to do: install Chrome, Chromium or Edge, or set NODOMETER_CHROMIUM to the program's path.`);
  }
  const folder = join(installation, 'browser');
  await makeOnce(
    folder,
    async (partial) => {
      say('unpacking the browser');
      // The package's own `executablePath()` unpacks to /tmp/chromium and takes whatever is there already, whole or not.
      await pipeline(
        createReadStream(join(bin, 'chromium.br')),
        createBrotliDecompress(),
        createWriteStream(join(partial, 'chromium'), { mode: 0o755 }),
      );
      const tar = createRequire(join(bin, '..', 'package.json'))('tar-fs') as {
        extract(folder: string, options: { chown: boolean }): Writable;
      };
      for (const [archive, to] of [
        ['swiftshader', '.'],
        ['al2023', 'nss'],
        ['fonts', 'fonts'],
      ] as const) {
        await pipeline(
          createReadStream(join(bin, `${archive}.tar.br`)),
          createBrotliDecompress(),
          tar.extract(join(partial, to), { chown: false }),
        );
      }
      writeFileSync(
        join(partial, 'fonts.conf'),
        `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`,
      );
    },
    say,
  );
  return runnable(folder);
}

/**
 * The browser links to five libraries of Mozilla's NSS, which a bare machine lacks; then those of the package are used. The same for fonts.
 */
function runnable(folder: string): Chromium {
  const executable = join(folder, 'chromium');
  const env: Record<string, string> = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  if (starts(executable, env) === undefined) return { executable, env };
  env['LD_LIBRARY_PATH'] = [join(folder, 'nss', 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':');
  const problem = starts(executable, env);
  if (problem === undefined) return { executable, env };
  throw new Error(`The browser from npm does not start on this machine: ${problem}
What to do: install Chrome or Chromium, or set NODOMETER_CHROMIUM to the program's path.`);
}

function starts(executable: string, env: Record<string, string>): string | undefined {
  const { status, stderr, error } = spawnSync(executable, ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}
