// Takes the README's pictures of VS Code: `npm run pictures`. One for light pages and one for dark ones, of the real window.
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPage, startBrowser } from '../test/vscode/host/browser.ts';
import { installHost } from '../test/vscode/host/install.ts';
import { startServer } from '../test/vscode/host/server.ts';
import { stageExtension } from '../test/vscode/host/stage.ts';
import { Workbench } from '../test/vscode/ui/workbench.ts';
import { ROOT } from './generate.ts';

const SIZE = { width: 1120, height: 520 };
/** Says nothing of the extension. */
const TITLE_BAR = 35;
/** Pixels of the picture for each one of the page: sharp on good screens, and still small. */
const PIXELS = 1.25;
/** A README is read over slow lines, too. */
const MAX_BYTES = 200_000;

const work = mkdtempSync(join(tmpdir(), 'nodometer-pictures-'));
const { folder } = await stageExtension(join(work, 'extension'));
const shop = join(work, 'express-shop');
cpSync(join(ROOT, 'samples', 'express-shop'), shop, { recursive: true });
const installation = await installHost();
const browser = await startBrowser(installation);
try {
  for (const [name, theme] of [['light', 'Light 2026'], ['dark', 'Dark 2026']] as const) {
    const settings = {
      'workbench.colorTheme': theme, 'editor.minimap.enabled': false, 'breadcrumbs.enabled': false, 'workbench.activityBar.location': 'hidden',
      'outline.showFiles': false, 'editor.lineNumbersMinChars': 3, 'editor.hover.delay': 100,
    };
    const server = await startServer(installation, { installed: [folder], settings });
    try {
      const page = await openPage(browser, PIXELS);
      await page.setViewportSize(SIZE);
      const workbench = new Workbench(page, server);
      await workbench.open(shop);
      await workbench.openFile('lib/invoices.js');
      await workbench.waitForSquiggles(2);
      await workbench.hover(workbench.squiggles().first(), 'pbkdf2Sync');
      const path = join(ROOT, 'images', `editor-${name}.png`);
      await page.screenshot({ path, clip: { x: 0, y: TITLE_BAR, width: SIZE.width, height: SIZE.height - TITLE_BAR } });
      const { size } = statSync(path);
      console.log(`${path}: ${Math.round(size / 1000)} kB`);
      if (size > MAX_BYTES) throw new Error(`${path} has more than ${MAX_BYTES} bytes`);
      await page.close();
    } finally {
      await server.stop();
    }
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
