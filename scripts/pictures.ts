// Takes the README's pictures of VS Code: `npm run pictures`. One for light pages and one for dark ones, of the real window.
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPage, startBrowser } from '../test/vscode/host/browser.ts';
import { installHost } from '../test/vscode/host/install.ts';
import type { Locator } from '../test/vscode/host/playwright.ts';
import { startServer } from '../test/vscode/host/server.ts';
import { stageExtension } from '../test/vscode/host/stage.ts';
import { Workbench } from '../test/vscode/ui/workbench.ts';
import { ROOT } from './generate.ts';

/** Says nothing of the extension. */
const TITLE_BAR = 35;
/** A README is read over slow lines, too. */
const MAX_BYTES = 200_000;
/** Only what never comes takes as long, in ms. */
const PROFILE_LIMIT_MS = 90_000;

interface Scene {
  /** `images/<name>-light.png`, `images/<name>-dark.png`. */
  name: string;
  sample: string;
  size: { width: number; height: number };
  /** Of the picture for each pixel of the page: as sharp as its size allows. */
  pixels: number;
  /** Brings the window to what is to be seen. */
  arrange(workbench: Workbench): Promise<void>;
}

const SCENES: readonly Scene[] = [
  {
    name: 'editor',
    sample: 'express-shop',
    size: { width: 1120, height: 520 },
    pixels: 1.25,
    arrange: async (workbench) => {
      await workbench.openFile('lib/invoices.js');
      await workbench.waitForSquiggles(2);
      await workbench.hover(workbench.squiggles().first(), 'is handled here');
    },
  },
  {
    name: 'profile',
    sample: 'batch-report',
    size: { width: 1400, height: 760 },
    pixels: 1,
    arrange: async (workbench) => {
      const { page } = workbench;
      await page.keyboard.press('Control+B');
      await workbench.openFile('rows.js', '54:1');
      await page.locator('.codelens-decoration a:visible', { hasText: 'Profile this function' }).first().click();
      const tab = page.locator('.tabs-container .tab', { hasText: 'Profile: areaOf' });
      await tab.waitFor({ timeout: PROFILE_LIMIT_MS });
      await page.locator('.codelens-decoration a:visible', { hasText: 'Profile again' }).waitFor();
      await workbench.waitFor('the report with its picture', async () => {
        for (const frame of page.frames()) {
          if ((await countOf(frame.locator('main canvas'))) > 0) return true;
          const tiers = frame.locator('main details:not([open]) > summary', { hasText: 'Tiers and deoptimizations' });
          if ((await countOf(tiers)) > 0) await tiers.click();
        }
        return false;
      });
      // What the mouse rests on has another color.
      await page.mouse.move(10, 5);
    },
  },
];

/** Of a frame that may be going. */
function countOf(locator: Locator): Promise<number> {
  return locator.count().catch(() => 0);
}

const work = mkdtempSync(join(tmpdir(), 'nodometer-pictures-'));
const { folder } = await stageExtension(join(work, 'extension'));
const installation = await installHost();
const browser = await startBrowser(installation);
try {
  // Names of scenes may be given: others stay as they are.
  const wanted = process.argv.slice(2);
  for (const { name, sample, size, pixels, arrange } of SCENES.filter((scene) => wanted.length === 0 || wanted.includes(scene.name))) {
    for (const [look, theme] of [
      ['light', 'Light 2026'],
      ['dark', 'Dark 2026'],
    ] as const) {
      const project = join(work, `${name}-${look}`, sample);
      cpSync(join(ROOT, 'samples', sample), project, { recursive: true });
      const settings = {
        'workbench.colorTheme': theme,
        'editor.minimap.enabled': false,
        'breadcrumbs.enabled': false,
        'workbench.activityBar.location': 'hidden',
        'outline.showFiles': false,
        'editor.lineNumbersMinChars': 3,
        'editor.hover.delay': 100,
        'nodometer.profile.confirm': 'never',
        'editor.stickyScroll.enabled': false,
        'editor.scrollbar.vertical': 'hidden',
        'editor.scrollbar.horizontal': 'hidden',
      };
      const server = await startServer(installation, { installed: [folder], settings });
      try {
        const page = await openPage(browser, pixels);
        await page.setViewportSize(size);
        const workbench = new Workbench(page, server);
        await workbench.open(project);
        await arrange(workbench);
        const path = join(ROOT, 'images', `${name}-${look}.png`);
        await page.screenshot({ path, clip: { x: 0, y: TITLE_BAR, width: size.width, height: size.height - TITLE_BAR } });
        const { size: bytes } = statSync(path);
        console.log(`${path}: ${Math.round(bytes / 1000)} kB`);
        if (bytes > MAX_BYTES) throw new Error(`${path} has more than ${MAX_BYTES} bytes`);
        await page.close();
      } finally {
        await server.stop();
      }
    }
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
