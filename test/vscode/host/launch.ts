// What `@vscode/test-electron` starts instead of the desktop program: takes the same arguments, runs the suite in the server and the
// browser,
// prints the suite's lines and ends with its code. `NODOMETER_DESKTOP` names a desktop program to hand the arguments to.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPage, startBrowser } from './browser.ts';
import { installHost } from './install.ts';
import { startServer, type Settings } from './server.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
/** A suite that takes longer hangs. The longest takes less than a minute. */
const SUITE_LIMIT_MS = 900_000;
const LOG_TAIL = 30;
/** What the suites print starts with this. The rest is VS Code's own talk and shown only when something fails. */
export const SUITE_MARK = 'suite: ';
/** Printed by every window of this host: native parts that are not compiled, sites that are not reached. */
const NOISE =
  /bindings file|watchdog|Service Worker|open-vsx|ERR_NAME_NOT_RESOLVED|connection token|Creating a socket|\[(?:reconnection|AgentHost|AccountPolicyGate)|builtin extensions cache|vsda|^\s*(?:→|at |tries: |'\/|\]|\}$)/;

export interface LaunchArguments {
  /** The folder or `.code-workspace` file to open. */
  path: string | undefined;
  extensions: readonly string[];
  tests: string;
  settings: Settings;
  trust: 'off' | 'restricted';
  limitMs: number;
}

/** Arguments of VS Code that mean nothing here are passed over; `--nodometer-trust` and `--nodometer-limit` are ours. */
export function parseArguments(args: readonly string[]): LaunchArguments {
  const valuesOf = (name: string): string[] => args.filter((arg) => arg.startsWith(`--${name}=`)).map((arg) => arg.slice(name.length + 3));
  const tests = valuesOf('extensionTestsPath')[0];
  if (tests === undefined) throw new Error('--extensionTestsPath is missing');
  // The first profile folder counts: `runTests` adds one of its own after those that it was given.
  const profile = valuesOf('user-data-dir')[0];
  const settingsFile = profile && join(profile, 'User', 'settings.json');
  const settings = settingsFile && existsSync(settingsFile) ? (JSON.parse(readFileSync(settingsFile, 'utf8')) as Settings) : {};
  const limit = Number(valuesOf('nodometer-limit')[0]);
  const path = args.find((arg) => !arg.startsWith('-'));
  return {
    path: path === undefined ? undefined : resolve(path),
    extensions: valuesOf('extensionDevelopmentPath').map((folder) => resolve(folder)),
    tests: resolve(tests),
    settings,
    trust: valuesOf('nodometer-trust')[0] === 'restricted' ? 'restricted' : 'off',
    limitMs: limit > 0 ? limit * 1000 : SUITE_LIMIT_MS,
  };
}

/** `runTests` always says `--disable-workspace-trust`, which the desktop program may not get where trust is what is tested. */
export function desktopArguments(args: readonly string[]): string[] {
  const isRestricted = parseArguments(args).trust === 'restricted';
  return args.filter((arg) => !arg.startsWith('--nodometer-') && !(isRestricted && arg === '--disable-workspace-trust'));
}

export async function launch(args: readonly string[]): Promise<number> {
  const desktop = process.env['NODOMETER_DESKTOP'];
  if (desktop) {
    const child = spawn(desktop, desktopArguments(args), { stdio: 'inherit' });
    return new Promise((resolve, reject) => child.on('error', reject).on('exit', (code) => resolve(code ?? 1)));
  }
  const { path, extensions, tests, settings, trust, limitMs } = parseArguments(args);
  const installation = await installHost();
  const server = await startServer(installation, { settings, trust });
  try {
    const browser = await startBrowser(installation);
    try {
      const page = await openPage(browser);
      const talk: string[] = [];
      page.on('console', (message) => talk.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => talk.push(`error: ${error.message}`));
      let settle: (code: number) => void = () => {};
      const exit = new Promise<number>((resolve) => (settle = resolve));
      page.on('crash', () => {
        console.error('The browser window crashed.');
        settle(1);
      });
      await page.exposeFunction('codeAutomationExit', settle);
      await page.exposeFunction('codeAutomationLog', (_type: string, values: unknown[]) => {
        const line = values.map(String).join(' ');
        if (line.startsWith(SUITE_MARK)) console.log(line.slice(SUITE_MARK.length));
      });
      await page.goto(server.address({ path, extensions, tests }));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), limitMs)));
      const code = await Promise.race([exit, late]);
      clearTimeout(timer);
      if (code === 0) return 0;
      if (code === 'late') {
        const picture = join(ROOT, '.artifacts', 'screenshots', 'suite-that-hangs.png');
        mkdirSync(dirname(picture), { recursive: true });
        await page.screenshot({ path: picture });
        console.error(`The suite ${tests} has not ended within ${limitMs / 1000} s: it hangs, or it never started. The window: ${picture}`);
      }
      console.error(`-- the window's console\n${tailOf(talk.join('\n'))}\n-- the server\n${tailOf(server.log())}`);
      return code === 'late' ? 1 : code;
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

function tailOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !NOISE.test(line))
    .slice(-LOG_TAIL)
    .join('\n');
}
