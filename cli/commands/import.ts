// `nodometer import`: what a program did in production, as evidence of where findings matter.
import { basename, join, relative, resolve, sep } from 'node:path';
import { MOST_BYTES, textOfFile } from '../../files/read-text-file.ts';
import type { KeptFunction, ProductionSource } from '../../protocol/production.ts';
import { didYouMean } from '../../workspace/config/closest-name.ts';
import { Skipped } from '../../workspace/discovery/skipped.ts';
import { statsOf } from '../../files/path-stats.ts';
import { CommandError } from '../../workspace/errors.ts';
import type { LintRun } from '../../workspace/lint-run.ts';
import { CommitTexts } from '../../workspace/production/commit-texts.ts';
import { FileProduction, isRouteOf, routesOf } from '../../workspace/production/file-production.ts';
import { placeFunctions, type Placed } from '../../workspace/production/place-functions.ts';
import {
  findProduction,
  folderOfProduction,
  MOST_ROUTES,
  PRODUCTION_FILE,
  readProduction,
  updateProduction,
} from '../../workspace/production/production-store.ts';
import { ProjectPaths } from '../../workspace/production/project-paths.ts';
import { merged, readRecording } from '../../workspace/production/read-recording.ts';
import type { Recorded } from '../../workspace/production/recorded.ts';
import { isNewToGit } from '../../workspace/profile/evidence-in-git.ts';
import { findProjectRoot } from '../../workspace/project-index/project-root.ts';
import { Turns } from '../../workspace/turns.ts';
import { visible } from '../formats/display-text.ts';
import { importJson, importText, listJson, listText, type HotFunction, type HotRoute, type ImportReport } from '../formats/import.ts';
import { IMPORT_HELP } from '../help.ts';
import { EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { checkNodeRange, RunSetup, writeReport } from '../run-setup.ts';
import { safeJson, safeText } from '../safe-output.ts';
import { parseImportArguments, type ImportArguments } from './import-arguments.ts';
import { insideOf } from '../../files/inside.ts';

export async function importCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parseImportArguments(argv, host.cwd);
  if (args.help) {
    host.stdout.write(IMPORT_HELP);
    return EXIT_OK;
  }
  checkNodeRange(args.nodeRange);
  const path = findProduction(host.cwd) ?? join(findProjectRoot(host.cwd) ?? host.cwd, PRODUCTION_FILE);
  if (args.list) return list(path, args, host);
  if (args.remove.length > 0) return remove(path, args, host);
  return new Import(args, host, path).run();
}

function list(path: string, args: ImportArguments, host: Host): ExitCode {
  const reading = readProduction(path);
  if ('problem' in reading) throw new CommandError(`${path} ${reading.problem}.`);
  // Told from the texts as they are now, and not from what was true at the import.
  const changed = new Map<string, number>();
  const folder = folderOfProduction(path);
  for (const source of reading.sources) {
    let left = 0;
    for (const name of new Set(source.functions.map(({ file }) => file))) {
      const file = join(folder, ...name.split('/'));
      const functions = source.functions.filter((kept) => kept.file === name).map((kept) => ({ source, kept }));
      const text = textOfFile(file, MOST_BYTES.namedSource);
      left += text === undefined ? functions.length : FileProduction.of({ functions, sources: [source] }, file, text).changed;
    }
    changed.set(source.name, left);
  }
  const text =
    args.format === 'json'
      ? safeJson(listJson(reading.sources, changed))
      : safeText(listText(reading.sources, changed, shown(path, host)), false);
  writeReport(text, args.outputFile, host);
  return EXIT_OK;
}

function remove(path: string, { remove: names }: ImportArguments, host: Host): ExitCode {
  const reading = readProduction(path);
  const known = 'sources' in reading ? reading.sources.map(({ name }) => name) : [];
  const missing = names.find((name) => !known.includes(name));
  if ('sources' in reading && missing !== undefined)
    throw new CommandError(
      `Nothing was removed: there is no import \`${missing}\` in ${shown(path, host)}.${didYouMean(missing, known) || ' To list all imports, use `--list`.'}`,
    );
  updateProduction(
    path,
    (before) => before.filter(({ name }) => !names.includes(name)),
    (message) => host.stderr.write(`nodometer: ${message}\n`),
  );
  host.stdout.write(safeText(`Removed from ${shown(path, host)}: ${names.map(visible).join(', ')}.\n`, false));
  return EXIT_OK;
}

class Import {
  readonly #args: ImportArguments;
  readonly #host: Host;
  readonly #path: string;
  readonly #root: string;
  readonly #turns: Turns;

  constructor(args: ImportArguments, host: Host, path: string) {
    this.#args = args;
    this.#host = host;
    this.#path = path;
    this.#root = folderOfProduction(path);
    this.#turns = new Turns(host);
  }

  async run(): Promise<ExitCode> {
    const args = this.#args;
    const host = this.#host;
    const setup = new RunSetup(args, host, await host.loadRules());
    try {
      // What cannot be read ends the command before it works for minutes.
      const recorded = await this.#read(setup);
      const commit = args.commit === undefined ? undefined : await CommitTexts.open(this.#root, args.commit, host.signal);
      await setup.configs.prepare();
      const discovery = await setup.discover([this.#root], new Skipped());
      const files = new Set([...discovery.scripts.map(({ path }) => path), ...(commit?.files ?? [])]);
      const paths = new ProjectPaths(this.#root, args.prefixes, files);
      const breathe = async (): Promise<void> => {
        await this.#turns.take();
      };
      const placed = await placeFunctions({ recorded, root: this.#root, paths, commit, breathe });
      const source = this.#sourceOf(recorded, placed, commit);
      const run = setup.newRun(this.#root, { dryRun: true, onlyFindings: true });
      await run.prepare();
      await run.scripts(discovery.scripts);
      run.project.save(false);
      if (args.save) this.#save(source, setup);
      setup.progress.clear();
      const report = this.#reportOf(recorded, placed, source, run);
      const text = args.format === 'json' ? safeJson(importJson(report)) : safeText(importText(report), false);
      writeReport(text, args.outputFile, host);
      return EXIT_OK;
    } finally {
      setup.progress.clear();
    }
  }

  async #read(setup: RunSetup): Promise<Recorded> {
    const all: Recorded[] = [];
    for (const shownName of this.#args.files) {
      const path = resolve(this.#host.cwd, shownName);
      const megabytes = Math.ceil((statsOf(path)?.size ?? 0) / 1e6);
      let done = 0;
      const breathe = async (bytes: number): Promise<void> => {
        done += bytes;
        if (await this.#turns.take()) setup.progress.show(Math.floor(done / 1e6), megabytes, `MB of ${visible(shownName)}`);
      };
      all.push(await readRecording({ path, shown: shownName, breathe }));
    }
    return merged(all);
  }

  #sourceOf(recorded: Recorded, { functions }: Placed, commit: CommitTexts | undefined): ProductionSource {
    const { name, date, files } = this.#args;
    const routes = [...recorded.routes].sort((a, b) => b.requests - a.requests).slice(0, MOST_ROUTES);
    return {
      name: name ?? visible(basename(files[0] ?? '')).slice(0, 100),
      kind: recorded.kind,
      date: date ?? this.#dateOf(recorded),
      ...(commit ? { commit: commit.commit } : {}),
      total: recorded.total,
      functions: [...functions].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)),
      routes: routes.sort((a, b) => (`${a.route} ${a.method}` < `${b.route} ${b.method}` ? -1 : 1)),
    };
  }

  /** A CPU profile has no date of its own: then that of the file. */
  #dateOf({ date }: Recorded): string {
    const changed = Math.max(...this.#args.files.map((file) => statsOf(resolve(this.#host.cwd, file))?.mtimeMs ?? 0));
    const at = new Date(date ?? changed);
    return (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 ? new Date(changed) : at).toISOString();
  }

  #save(source: ProductionSource, setup: RunSetup): void {
    const isNew = !statsOf(this.#path);
    updateProduction(
      this.#path,
      (before) => [...before.filter(({ name }) => name !== source.name), source],
      (message) => setup.say(message),
    );
    if (isNew && isNewToGit(this.#path, this.#host.platform))
      setup.say(
        `${shown(this.#path, this.#host)} holds names of files, functions, and routes, and how often they ran. Commit it to share it with your team, or add it to .gitignore.`,
      );
  }

  #reportOf(recorded: Recorded, placed: Placed, source: ProductionSource, run: LintRun): ImportReport {
    const rulesIn = this.#rulesIn(source, run);
    const findings = run.files.flatMap((file) => file.findings);
    return {
      source,
      remarks: recorded.remarks,
      placed: {
        ...placed,
        ambiguous: new Map([...placed.ambiguous].map(([url, files]) => [url, files.map((file) => shown(file, this.#host))])),
      },
      functions: source.functions.map(
        (kept): HotFunction => ({
          ...kept,
          path: shown(join(this.#root, ...kept.file.split('/')), this.#host),
          rules: rulesIn.get(kept) ?? [],
        }),
      ),
      routes: source.routes.map(
        (route): HotRoute => ({ ...route, findings: findings.filter((finding) => isRouteOf(route, routesOf(finding))).length }),
      ),
      top: this.#args.top,
      now: this.#host.date(),
      savedTo: this.#args.save ? shown(this.#path, this.#host) : undefined,
    };
  }

  /** Each finding belongs to the innermost function around it. */
  #rulesIn(source: ProductionSource, run: LintRun): ReadonlyMap<KeptFunction, string[]> {
    const rules = new Map<KeptFunction, string[]>();
    for (const { file, findings } of run.files) {
      const name = relative(this.#root, file).split(sep).join('/');
      const functions = source.functions.filter((kept) => kept.file === name).map((kept) => ({ source, kept }));
      if (functions.length === 0) continue;
      const imported = FileProduction.of({ functions, sources: [source] }, file, run.sources.get(file)?.text ?? '');
      for (const { span, ruleId } of findings) {
        const kept = imported.keptAround(span);
        if (kept) rules.set(kept, [...(rules.get(kept) ?? []), ruleId]);
      }
    }
    return rules;
  }
}

function shown(path: string, { cwd }: Host): string {
  return visible((insideOf(cwd, path) || path).split(sep).join('/'));
}
