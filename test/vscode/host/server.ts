// VS Code's server on a free loopback port, with settings and data of its own that are gone when it stops.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Installation } from './install.ts';

const GUARD = join(dirname(fileURLToPath(import.meta.url)), 'guard.mjs');

/** How long the server may take until it listens. It takes about a second. */
const START_LIMIT_MS = 180_000;
const LOG_LIMIT = 200_000;

export type Settings = Readonly<Record<string, unknown>>;

/** Settings without which VS Code would open pages and panels over what is tested. */
const QUIET: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'typescript.validate.enable': false,
  'javascript.validate.enable': false,
  'js/ts.validate.enabled': false,
  'files.autoSave': 'off',
  'window.newWindowDimensions': 'default',
};

export interface Opened {
  /** A folder or a `.code-workspace` file; without it the window is empty. */
  path?: string | undefined;
  /** Folders of extensions under development. */
  extensions?: readonly string[];
  /** The CommonJS module whose `run()` is called in the extension host. */
  tests?: string | undefined;
}

export interface VsCodeServer {
  /** A folder that is removed when the server stops. */
  folder: string;
  address(opened: Opened): string;
  /** Replaces the user's settings; open windows see it at once. */
  writeSettings(settings: Settings): void;
  readSettings(): unknown;
  /** How many extension hosts were started so far, for all windows. */
  extensionHosts(): number;
  /** What the server printed, its end. */
  log(): string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  settings?: Settings;
  /** Whether folders have to be trusted; without it every folder is. */
  trust?: 'off' | 'restricted';
  /**
   * Folders of extensions to have installed, as their users have them. Without any, windows take extensions under development, and show no
   * messages as toasts.
   */
  installed?: readonly string[];
  /** Added to the environment of the server and of the extension host. */
  env?: Readonly<Record<string, string>>;
}

export async function startServer(installation: Installation, options: ServerOptions = {}): Promise<VsCodeServer> {
  const data = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-vscode-')));
  const settingsFile = join(data, 'data', 'User', 'settings.json');
  mkdirSync(dirname(settingsFile), { recursive: true });
  const writeSettings = (settings: Settings): void => {
    const trust: Settings =
      options.trust === 'restricted'
        ? {
            'security.workspace.trust.enabled': true,
            'security.workspace.trust.startupPrompt': 'never',
            'security.workspace.trust.banner': 'never',
          }
        : { 'security.workspace.trust.enabled': false };
    writeFileSync(settingsFile, JSON.stringify({ ...QUIET, ...trust, ...settings }, null, 2));
  };
  writeSettings(options.settings ?? {});
  const installed = options.installed ?? [];
  for (const folder of installed) cpSync(folder, join(data, 'extensions', installedName(folder)), { recursive: true });

  // A window of VS Code can run programs: without a token every user of this machine could open one here.
  const token = randomBytes(16).toString('hex');
  const child = spawn(
    process.execPath,
    [
      GUARD,
      data,
      installation.node,
      installation.server,
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--connection-token',
      token,
      '--accept-server-license-terms',
      '--disable-telemetry',
      '--server-data-dir',
      data,
      '--builtin-extensions-dir',
      builtInExtensions(installation, join(data, 'built-in')),
      // Without it a built server ignores extensions under development and tests.
      ...(installed.length > 0 ? [] : ['--enable-smoke-test-driver']),
    ],
    { env: { ...cleanEnvironment(), ...options.env }, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let log = '';
  let hosts = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('Launched Extension Host Process')) hosts += 1;
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-LOG_LIMIT)));
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };

  const port = await new Promise<number | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), START_LIMIT_MS);
    const settle = (value: number | undefined): void => {
      clearTimeout(timer);
      resolve(value);
    };
    child.stdout.on('data', () => {
      const port = /Extension host agent listening on (\d+)/.exec(log)?.[1];
      if (port !== undefined) settle(Number(port));
    });
    child.on('error', () => settle(undefined));
    child.on('close', () => settle(undefined));
  });
  if (port === undefined) {
    await stop();
    throw new Error(`VS Code's server did not start. It printed:\n${log.trim()}`);
  }
  const authority = `127.0.0.1:${port}`;
  await (await fetch(`http://${authority}/version`)).text();

  return {
    folder: data,
    address: (opened) => addressOf(authority, token, opened),
    writeSettings,
    readSettings: () => JSON.parse(readFileSync(settingsFile, 'utf8')) as unknown,
    extensionHosts: () => hosts,
    log: () => log,
    stop,
  };
}

function addressOf(authority: string, token: string, opened: Opened): string {
  const remote = (path: string): string => `vscode-remote://${authority}${toUriPath(path)}`;
  const payload: [string, string][] = (opened.extensions ?? []).map((folder) => ['extensionDevelopmentPath', remote(folder)]);
  if (opened.tests !== undefined) payload.push(['extensionTestsPath', remote(opened.tests)]);
  payload.push(['skipWelcome', 'true']);
  const query = new URLSearchParams({ tkn: token });
  if (opened.path === undefined) query.set('ew', 'true');
  else query.set(opened.path.endsWith('.code-workspace') ? 'workspace' : 'folder', toUriPath(opened.path));
  query.set('payload', JSON.stringify(payload));
  return `http://${authority}/?${query.toString()}`;
}

/** Built-in extensions that a window of the tests goes without. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  // Its compiler is not in the npm package, and it complains of that in every window.
  'typescript-language-features',
  // `chat.disableAIFeatures` disables it while the window starts, and with that VS Code 1.139 restarts the extension host. In one window of
  // three the first host was not up yet: it stayed beside the second, each with our extension in it.
  'copilot',
]);

/** All that come with VS Code but a few. */
function builtInExtensions(installation: Installation, folder: string): string {
  const all = join(dirname(installation.server), '..', 'extensions');
  mkdirSync(folder);
  for (const name of readdirSync(all)) if (!LEFT_OUT.has(name)) symlinkSync(join(all, name), join(folder, name), 'junction');
  return folder;
}

/** The name of the folder that VS Code would unpack it to. */
function installedName(folder: string): string {
  const { publisher, name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    'publisher' | 'name' | 'version',
    string
  >;
  return `${publisher}.${name}-${version}`;
}

function toUriPath(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  return slashes.startsWith('/') ? slashes : `/${slashes}`;
}

/** Our environment without what a surrounding VS Code or test runner put there for its own children. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_TEST_CONTEXT$|NODE_V8_COVERAGE$)/.test(name)),
  );
}
