// A headless browser with one window of VS Code in it.
import { findChromium } from './chromium.ts';
import type { Installation } from './install.ts';
import { loadPlaywright, type Browser, type Page } from './playwright.ts';

/** A container has no user namespaces for the browser's sandbox, and the pages are our own. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export const WINDOW = { width: 1280, height: 800 };

/**
 * The browser ends with this process: it is told through a pipe, which closes with us. `proxy`: where all its requests go but those to this
 * machine.
 */
export async function startBrowser(installation: Installation, proxy?: string): Promise<Browser> {
  const { executable, env } = await findChromium(installation.folder);
  return loadPlaywright(installation.folder).chromium.launch({
    executablePath: executable,
    args: proxy === undefined ? ARGUMENTS : [...ARGUMENTS, `--proxy-server=${proxy}`],
    env: { ...process.env, ...env },
    headless: true,
  });
}

/** A page of its own profile. `pixels`: of the device for each one of the page. */
export async function openPage(browser: Browser, pixels = 1): Promise<Page> {
  const context = await browser.newContext({ viewport: WINDOW, deviceScaleFactor: pixels, reducedMotion: 'reduce' });
  return context.newPage();
}
