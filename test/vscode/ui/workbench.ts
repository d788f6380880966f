// Drives one window of VS Code as a person does: keys, mouse, and what can be seen.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/generate.ts';
import type { Locator, Page } from '../host/playwright.ts';
import type { VsCodeServer } from '../host/server.ts';

/** Only what never comes takes as long. */
const LIMIT_MS = 60_000;
const TRIES = 5;
const STAYS_MS = 500;
/** Where CI finds the pictures. */
export const SCREENSHOTS = join(ROOT, '.artifacts', 'screenshots');

/** By the name in VS Code's list, and the class that its window then has. */
export const THEMES = {
  light: { label: 'Light 2026', look: 'vs' },
  dark: { label: 'Dark 2026', look: 'vs-dark' },
  'high-contrast': { label: 'Dark High Contrast', look: 'hc-black' },
  'high-contrast-light': { label: 'Light High Contrast', look: 'hc-light' },
} as const;
export type Theme = keyof typeof THEMES;

/** Whether what is seen in a panel is there a moment later, too: a panel that has just been opened may load its page twice. */
export async function stays(seen: Locator): Promise<boolean> {
  if (!(await seen.isVisible().catch(() => false))) return false;
  await new Promise((resolve) => setTimeout(resolve, STAYS_MS));
  return seen.isVisible().catch(() => false);
}

/** Opens what a report does not show at first. */
export async function openAll(main: Locator): Promise<void> {
  const closed = main.locator('section > details:not([open]) > summary');
  while ((await closed.count()) > 0) await closed.first().click();
}

export class Workbench {
  readonly page: Page;
  readonly #server: VsCodeServer;

  constructor(page: Page, server: VsCodeServer) {
    this.page = page;
    this.#server = server;
    page.setDefaultTimeout(LIMIT_MS);
  }

  /** With an extension under development, or with those that are installed. */
  async open(path: string, extension?: string): Promise<void> {
    const address = this.#server.address({ path, extensions: extension === undefined ? [] : [extension] });
    const before = this.#server.extensionHosts();
    await this.page.goto(address);
    await this.page.locator('.explorer-viewlet .monaco-list-row').first().waitFor();
    await this.waitFor('the extension host', () => this.#server.extensionHosts() > before);
  }

  /** As a person does it: the settings file on disk is not always watched here. */
  async useTheme(theme: Theme): Promise<void> {
    const { label, look } = THEMES[theme];
    const current = this.page.locator(`.monaco-workbench.${look}`).first();
    if (await current.isVisible()) return;
    await this.command('Preferences: Color Theme');
    await this.page.locator('.quick-input-widget input[placeholder*="Select Color Theme"]').first().fill(label);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
    await current.waitFor();
  }

  /** By its name in the workspace; `line:column`, from 1, puts the cursor there. */
  async openFile(name: string, place?: string): Promise<void> {
    const label = name.split('/').at(-1) ?? name;
    for (let tried = 1; ; tried++) {
      await this.page.keyboard.press('Control+P');
      const timeout = LIMIT_MS / TRIES;
      try {
        await this.page.locator('.quick-input-widget input').first().fill(name, { timeout });
        // The list may still be that of files opened lately: its first row is not always the file.
        await this.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click({ timeout });
        await this.page.locator('.tabs-container .tab.active', { hasText: label }).first().waitFor({ timeout });
        // What is typed earlier goes elsewhere. A file that was shown already may not get the focus from a list that is made anew.
        await this.page.locator(`.editor-instance .monaco-editor.focused[data-uri$="${label}"]`).first().waitFor({ timeout });
        break;
      } catch (error) {
        // The list is made anew while it is clicked, and another file opens or none.
        if (tried === TRIES) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
    if (place !== undefined) await this.goTo(place);
  }

  /** By the words in the command palette. */
  async command(title: string): Promise<void> {
    for (let tried = 1; ; tried++) {
      await this.page.keyboard.press('F1');
      const input = this.page.locator('.quick-input-widget input').first();
      try {
        await input.fill(`>${title}`, { timeout: LIMIT_MS / TRIES });
        await this.page
          .locator('.quick-input-list .monaco-list-row', { hasText: title })
          .first()
          .click({ timeout: LIMIT_MS / TRIES });
        return;
      } catch (error) {
        // A view that is just coming up takes the focus, and the palette closes.
        if (tried === TRIES) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  async goTo(place: string): Promise<void> {
    await this.page.keyboard.press('Control+G');
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor({ state: 'visible' });
    await input.fill(`:${place}`);
    await this.page.keyboard.press('Enter');
    await input.waitFor({ state: 'hidden' });
  }

  squiggles(severity: 'error' | 'warning' | 'info' = 'warning'): Locator {
    return this.page.locator(`.editor-instance .squiggly-${severity}`);
  }

  async waitForSquiggles(count: number, severity: 'error' | 'warning' | 'info' = 'warning'): Promise<void> {
    await this.waitFor(`${count} squiggles of severity ${severity}`, async () => (await this.squiggles(severity).count()) === count);
  }

  async waitFor(what: string, look: () => Promise<boolean> | boolean): Promise<void> {
    for (const end = Date.now() + LIMIT_MS; Date.now() < end; ) {
      if (await look()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`waited in vain for ${what}`);
  }

  /** Rests the mouse on a squiggle and gives the text of the hover, which stays. */
  async hover(squiggle: Locator, text: string): Promise<string> {
    const hover = this.page.locator('.monaco-hover .hover-row', { hasText: text }).first();
    for (let tried = 1; ; tried++) {
      // Lenses that come up move the line, and while it is drawn anew the squiggle is nowhere.
      await squiggle.waitFor({ state: 'visible', timeout: LIMIT_MS / TRIES });
      const box = await squiggle.boundingBox();
      if (!box && tried === TRIES) throw new Error('the squiggle is not to be seen');
      if (!box) continue;
      // A hover that is open keeps its words when the findings change, for as long as the mouse is over it or comes back soon.
      await this.page.mouse.move(1, 1);
      await hover.waitFor({ state: 'hidden', timeout: LIMIT_MS / TRIES });
      await this.page.mouse.move(box.x + 12, box.y + box.height / 2, { steps: 4 });
      try {
        await hover.waitFor({ state: 'visible', timeout: LIMIT_MS / TRIES });
        const words = await this.#wordsThatStay(hover);
        if (words !== undefined) return words;
        if (tried === TRIES) throw new Error(`the hover with "${text}" does not stay`);
      } catch (error) {
        // New findings close a hover that is just coming up.
        if (tried === TRIES) throw error;
      }
    }
  }

  /** Of a hover that is still there, and the same, a moment later: one that is being closed gives its words without their lines. */
  async #wordsThatStay(hover: Locator): Promise<string | undefined> {
    let before: string | undefined;
    for (const end = Date.now() + LIMIT_MS / TRIES; Date.now() < end; ) {
      if (!(await hover.isVisible())) return undefined;
      const words = (await this.page.locator('.monaco-hover .hover-row').allInnerTexts()).join('\n');
      if (words === before) return words;
      before = words;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return undefined;
  }

  /** The menu of fixes at the cursor, its rows from the top. */
  async fixes(how: 'keys' | 'command'): Promise<string[]> {
    const rows = this.page.locator('.action-widget .monaco-list-row.action');
    for (let tried = 1; ; tried++) {
      if (how === 'command') await this.command('Nodometer: Show Fixes');
      else await this.page.keyboard.press('Control+.');
      try {
        await rows.first().waitFor({ timeout: LIMIT_MS / TRIES });
        return await rows.allInnerTexts();
      } catch (error) {
        // New findings close a menu that is just coming up.
        if (tried === TRIES) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** In the menu of fixes of the command; VS Code remembers the choice. */
  async showRefused(): Promise<void> {
    const show = this.page.getByText('Show Disabled');
    const refused = this.page.locator('.action-widget .monaco-list-row.option-disabled').first();
    await this.waitFor('refused fixes or the way to them', async () => (await show.isVisible()) || (await refused.isVisible()));
    if (await show.isVisible()) await show.click();
    await refused.waitFor();
  }

  async closeMenus(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.page.locator('.action-widget .monaco-list-row').first().waitFor({ state: 'hidden' });
  }

  /** The pictures are SVG files, each shown in a frame that comes and goes; it is the right one when it has the file's words. */
  async waitForWalkthroughPicture(svg: string): Promise<void> {
    const wordsOf = (text: string): string => text.replaceAll(/&#?\w+;/g, '').replaceAll(/[^A-Za-z]+/g, '');
    const words = wordsOf([...svg.matchAll(/>([^<]+)</g)].map(([, text]) => text ?? '').join(''));
    await this.waitFor('the picture of the step', async () => {
      for (const frame of this.page.frames()) {
        const picture = frame.locator('svg').first();
        try {
          if ((await picture.isVisible()) && wordsOf((await picture.textContent({ timeout: 1000 })) ?? '') === words) return true;
        } catch (error) {
          if (!/detached|Timeout/.test((error as Error).message)) throw error;
        }
      }
      return false;
    });
  }

  /** Without saving. */
  async closeEditors(): Promise<void> {
    const tabs = this.page.locator('.tabs-container .tab');
    for (let left = await tabs.count(); left > 0; left = await tabs.count()) {
      await this.command('View: Revert and Close Editor');
      await this.waitFor('a closed tab', async () => (await tabs.count()) < left);
    }
  }

  async screenshot(name: string): Promise<string> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    const path = join(SCREENSHOTS, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }
}
