// The part of playwright-core that the tests use. The package lives in the host's installation, so its own types are not at hand.
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface Timeout {
  /** Milliseconds. */
  timeout?: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Locator {
  click(options?: Timeout & { button?: 'left' | 'right'; position?: { x: number; y: number }; force?: boolean }): Promise<void>;
  dblclick(options?: Timeout): Promise<void>;
  hover(options?: Timeout & { position?: { x: number; y: number } }): Promise<void>;
  focus(options?: Timeout): Promise<void>;
  fill(text: string, options?: Timeout): Promise<void>;
  press(keys: string, options?: Timeout): Promise<void>;
  waitFor(options?: Timeout & { state?: 'attached' | 'detached' | 'visible' | 'hidden' }): Promise<void>;
  isVisible(): Promise<boolean>;
  or(other: Locator): Locator;
  count(): Promise<number>;
  first(): Locator;
  last(): Locator;
  nth(index: number): Locator;
  locator(selector: string, options?: { hasText?: string | RegExp }): Locator;
  filter(options: { hasText?: string | RegExp; has?: Locator }): Locator;
  inputValue(options?: Timeout): Promise<string>;
  scrollIntoViewIfNeeded(options?: Timeout): Promise<void>;
  innerText(options?: Timeout): Promise<string>;
  textContent(options?: Timeout): Promise<string | null>;
  allInnerTexts(): Promise<string[]>;
  getAttribute(name: string, options?: Timeout): Promise<string | null>;
  boundingBox(options?: Timeout): Promise<Box | null>;
  screenshot(options: { path: string }): Promise<Buffer>;
}

export interface Frame {
  url(): string;
  evaluate(expression: string): Promise<unknown>;
  locator(selector: string, options?: { hasText?: string | RegExp }): Locator;
}

export interface Page {
  frames(): Frame[];
  goto(url: string, options?: Timeout & { waitUntil?: 'load' | 'domcontentloaded' | 'commit' }): Promise<unknown>;
  reload(options?: Timeout): Promise<unknown>;
  close(): Promise<void>;
  locator(selector: string, options?: { hasText?: string | RegExp }): Locator;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Locator;
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator;
  exposeFunction(name: string, callback: (...args: never[]) => unknown): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  waitForFunction(expression: string, argument?: unknown, options?: Timeout): Promise<unknown>;
  screenshot(options: { path: string; clip?: Box }): Promise<Buffer>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  setDefaultTimeout(milliseconds: number): void;
  keyboard: {
    press(keys: string): Promise<void>;
    type(text: string, options?: { delay?: number }): Promise<void>;
    insertText(text: string): Promise<void>;
  };
  mouse: { move(x: number, y: number, options?: { steps?: number }): Promise<void>; click(x: number, y: number): Promise<void> };
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  on(event: 'crash', listener: () => void): void;
}

export interface Context {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export interface Browser {
  newContext(options: {
    viewport: { width: number; height: number };
    deviceScaleFactor?: number;
    reducedMotion?: 'reduce';
  }): Promise<Context>;
  close(): Promise<void>;
  version(): string;
}

export interface Playwright {
  chromium: {
    launch(options: {
      executablePath: string;
      args: readonly string[];
      env: Readonly<Record<string, string | undefined>>;
      headless: boolean;
    }): Promise<Browser>;
  };
}

export function loadPlaywright(installation: string): Playwright {
  return createRequire(join(installation, 'package.json'))('playwright-core') as Playwright;
}
