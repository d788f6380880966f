// The files of a program that ran, with what the linter claims about them.
import { MOST_BYTES, textOfFile } from '../../files/read-text-file.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import type { FunctionLookup } from '../../analysis/project/answers/function-answer.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { Source } from '../../analysis/module/source.ts';
import type { Hypothesis } from '../../profiler/judge/hypothesis.ts';
import { claimsOf, type ClaimRequest, type Claims } from './profile-claims.ts';
import { isUserFile } from './profile-target.ts';
import { DEFAULT_MAX_FILE_SIZE, readSource } from '../discovery/read-source.ts';

export interface ProgramFile {
  /** Absolute path. */
  file: string;
  text: string;
  claims: Claims;
}

export interface ProgramFilesRequest {
  rules: readonly AnyRule[];
  /** Undefined for files that are not to be looked at. */
  settingsFor(file: string): Promise<Omit<ClaimRequest, 'rules'> | undefined>;
}

/** Reads each file once, when a run has shown that it belongs to the program. */
export class ProgramFiles {
  readonly #request: ProgramFilesRequest;
  readonly #texts = new Map<string, string | undefined>();
  readonly #files = new Map<string, ProgramFile>();

  constructor(request: ProgramFilesRequest) {
    this.#request = request;
  }

  /** Those that were linted. */
  get all(): readonly ProgramFile[] {
    return [...this.#files.values()];
  }

  textOf(file: string): string | undefined {
    if (!this.#texts.has(file)) this.#texts.set(file, readOrNothing(file));
    return this.#texts.get(file);
  }

  /** `lookupOf`: what the whole project knows of a file's functions, where that does not come with the settings. */
  async hypothesesFor(files: readonly string[], lookupOf?: (file: string) => FunctionLookup | undefined): Promise<readonly Hypothesis[]> {
    const found: Hypothesis[] = [];
    for (const file of files) {
      const one = this.#files.get(file) ?? (await this.#lint(file, lookupOf?.(file)));
      if (one) found.push(...one.claims.hypotheses);
    }
    return found;
  }

  async #lint(file: string, lookup: FunctionLookup | undefined): Promise<ProgramFile | undefined> {
    // The program runs what was compiled, also where nothing maps it to its source.
    const reading = readSource(file, DEFAULT_MAX_FILE_SIZE, false);
    if (reading.kind !== 'text') return undefined;
    const context = await this.#request.settingsFor(file);
    const outcome = parse(file, reading.text);
    if (!context || !outcome.ok) return undefined;
    const facts = new Facts(new ModuleIndex(outcome.ast), new Source(file, reading.text), context.project);
    const one: ProgramFile = {
      file,
      text: reading.text,
      claims: claimsOf(facts, { rules: this.#request.rules, ...(lookup ? { lookup } : {}), ...context }),
    };
    this.#files.set(file, one);
    return one;
  }
}

export function readOrNothing(file: string): string | undefined {
  // A program may write a file, load it and take it away again.
  return textOfFile(file, MOST_BYTES.namedSource);
}

/** Package managers are no part of a program, wherever they lie. */
const TOOL = /[/\\](?:\.yarn|corepack)[/\\]|[/\\]\.pnp\.c?js$/;

export function isProgramFile(file: string): boolean {
  return !TOOL.test(file) && isUserFile(file);
}
