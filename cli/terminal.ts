// What the terminal can show, by its environment.
import type { Host, OutputStream } from './host.ts';

/** `--color` and `--no-color` first, then NO_COLOR (no-color.org), FORCE_COLOR, then whether anybody looks. */
export function hasColors(host: Pick<Host, 'env'>, stream: OutputStream | undefined, option: boolean | undefined): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = host.env;
  if (option !== undefined) return option;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream?.isTTY === true && TERM !== 'dumb';
}

/** Old Windows consoles and the Linux kernel's own console lack the glyphs. */
export function hasUnicode(host: Pick<Host, 'env' | 'platform'>): boolean {
  const { TERM, WT_SESSION, TERM_PROGRAM, CI, LC_ALL, LC_CTYPE, LANG } = host.env;
  if (host.platform === 'win32') return Boolean(WT_SESSION ?? TERM_PROGRAM ?? CI);
  const locale = LC_ALL || LC_CTYPE || LANG;
  return TERM !== 'linux' && (locale === undefined || locale === '' || !/^(?:C|POSIX)$/.test(locale));
}

/** A line that is written over and over makes sense only where somebody watches a terminal. */
export function hasProgress(host: Pick<Host, 'env' | 'stderr'>): boolean {
  return host.stderr.isTTY === true && host.env.TERM !== 'dumb' && !host.env.CI;
}
