// What the commands that run code have in common at their end: the report's form, where it goes, and the CPU profile beside it.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import pc from 'picocolors';
import type { VerdictKind } from '../protocol/evidence.ts';
import { CommandError } from '../workspace/errors.ts';
import { MARKDOWN, type ProfileStyle } from '../workspace/formats/profile-style.ts';
import type { Host } from './host.ts';
import { safeJson, safeText } from './safe-output.ts';
import { hasColors } from './terminal.ts';

export interface OutputArguments {
  format: 'text' | 'json' | 'markdown' | 'agent';
  outputFile?: string;
  color?: boolean;
}

export function writeReport(text: string, { outputFile, format, color }: OutputArguments, host: Host): void {
  const stream = outputFile === undefined ? host.stdout : undefined;
  const safe = format === 'json' ? safeJson(text) : safeText(text, format !== 'agent' && hasColors(host, stream, color));
  if (outputFile === undefined) {
    host.stdout.write(safe);
    return;
  }
  try {
    const path = resolve(host.cwd, outputFile);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, safe);
  } catch (error) {
    throw new CommandError(`Cannot write ${outputFile}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  }
}

export function styleOf({ format, color, outputFile }: OutputArguments, host: Host): ProfileStyle {
  return format === 'markdown' ? MARKDOWN : terminalStyle(hasColors(host, outputFile === undefined ? host.stdout : undefined, color));
}

function terminalStyle(isColored: boolean): ProfileStyle {
  const colors = pc.createColors(isColored);
  const PAINT: Readonly<Record<VerdictKind, (text: string) => string>> = {
    confirmed: colors.red,
    seen: colors.cyan,
    refuted: colors.green,
    'not-reached': colors.dim,
    inconclusive: colors.yellow,
  };
  return {
    title: colors.bold,
    section: colors.underline,
    dim: colors.dim,
    code: (lines) => lines.map((line) => `  ${line}`),
    row: (cells) => `  ${cells.filter(Boolean).join('  ')}`,
    verdict: (kind, text) => `  ${PAINT[kind](text)}`,
    table: (head, rows, words = [0]) => {
      const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
      const line = (cells: readonly string[]) =>
        `  ${cells.map((cell, i) => (words.includes(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   ')}`.trimEnd();
      return [colors.dim(line(head)), ...rows.map(line)];
    },
  };
}

/** Keeps the CPU profile of a run where the user wants it; with several Nodes, each under its own name. */
export function cpuProfileKeeper(
  file: string | undefined,
  node: { version: string },
  isOneOfSeveral: boolean,
  host: Host,
): ((path: string) => Promise<string>) | undefined {
  if (file === undefined) return undefined;
  return async (path) => {
    const wanted = resolve(host.cwd, file);
    const ending = extname(wanted);
    const target = isOneOfSeveral
      ? join(dirname(wanted), `${wanted.slice(dirname(wanted).length + 1, wanted.length - ending.length)}-${node.version}${ending}`)
      : wanted;
    try {
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(path, target);
    } catch (error) {
      throw new CommandError(`Cannot write ${target}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
    }
    return target;
  };
}
