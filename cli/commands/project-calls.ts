// The call graph of the files that a command names, with what a report needs of it: names, places in lines, findings.
import type { CallGraph, GraphCall, GraphPlace, GraphRoute } from '../../analysis/project/answers/call-graph.ts';
import { Source } from '../../analysis/module/source.ts';
import { CommandError } from '../../workspace/errors.ts';
import type { LintRun } from '../../workspace/lint-run.ts';
import { PathFindings } from '../../workspace/project-index/path-findings.ts';
import { positionOf } from '../formats/region.ts';
import type { Host } from '../host.ts';
import { RunSetup, type SetupArguments } from '../run-setup.ts';
import { insideOf } from '../../files/inside.ts';

export interface Place {
  /** Absolute path. */
  file: string;
  /** From 1, in UTF-16 code units. */
  line: number;
  column: number;
}

/** A finding in a function. */
export interface Mark extends Place {
  ruleId: string;
  severity: string;
  /** Its first line as it stands in the file. */
  code: string;
}

/** Enough to recognize a call by. */
const LONGEST_CODE = 80;

export class ProjectCalls {
  readonly graph: CallGraph;
  readonly #run: LintRun;
  readonly #findings: PathFindings;
  readonly #sources = new Map<string, Source | undefined>();
  readonly #cwd: string;
  /** By function. */
  #counts: Uint32Array | undefined;

  constructor(run: LintRun, cwd: string) {
    this.#run = run;
    this.graph = run.project.graph.calls;
    this.#findings = new PathFindings(run);
    this.#cwd = cwd;
  }

  place({ file, span: { start } }: GraphPlace): Place {
    const source = this.source(file);
    return { file, ...(source ? positionOf(source, start) : { line: 1, column: 1 }) };
  }

  placeOf(fn: number): Place {
    return this.place(this.graph.functionOf(fn));
  }

  nameOf(fn: number): string | null {
    return this.graph.functionOf(fn).name ?? null;
  }

  marksOf(fn: number): Mark[] {
    const { file } = this.graph.functionOf(fn);
    return this.#findings.of(file, this.graph.localOf(fn)).map(({ ruleId, severity, span }) => {
      const [first = ''] = (this.source(file)?.text.slice(span.start, span.end) ?? '').split(/\r?\n/);
      return {
        ...this.place({ file, span }),
        ruleId,
        severity,
        code: first.length > LONGEST_CODE ? `${first.slice(0, LONGEST_CODE - 1)}…` : first,
      };
    });
  }

  hasFindings(fn: number): boolean {
    return this.findingCount(fn) > 0;
  }

  findingCount(fn: number): number {
    this.#counts ??= Uint32Array.from(
      { length: this.graph.size },
      (_, one) => this.#findings.of(this.graph.functionOf(one).file, this.graph.localOf(one)).length,
    );
    return this.#counts[fn] ?? 0;
  }

  callPlace({ at }: GraphCall): Place {
    return this.place(at);
  }

  /** `src/users.js:12` */
  shown({ file, line }: Place): string {
    return `${this.shownFile(file)}:${line}`;
  }

  /** With slashes on every system: reports are compared. */
  shownFile(file: string): string {
    return (insideOf(this.#cwd, file) ?? file).replaceAll('\\', '/');
  }

  source(file: string): Source | undefined {
    if (!this.#sources.has(file)) {
      const text = this.#run.textNow(file);
      this.#sources.set(file, text === undefined ? undefined : new Source(file, text));
    }
    return this.#sources.get(file);
  }
}

const KINDS: Readonly<Record<GraphRoute['kind'], string>> = {
  route: 'route',
  middleware: 'middleware',
  socket: 'socket handler',
  exported: 'exported handler',
  invocation: 'invocation handler',
  signature: 'handler by signature',
  message: 'message handler',
  ipc: 'window message handler',
  job: 'job',
  hook: 'model hook',
  loop: 'background loop',
  timer: 'timer',
};

/** `GET /users/:id`, or what it is instead. */
export function titleOf({ route, kind }: Pick<GraphRoute, 'route' | 'kind'>): string {
  return route ?? KINDS[kind];
}

/** Reads the paths named and the rest of their projects, and hands their calls to `tell`. */
export async function withProjectCalls<T>(
  paths: readonly string[],
  args: SetupArguments,
  host: Host,
  tell: (calls: ProjectCalls, say: (message: string) => void) => T | Promise<T>,
): Promise<T> {
  const setup = new RunSetup(args, host, await host.loadRules());
  try {
    await setup.configs.prepare();
    const discovery = await setup.discover(paths);
    const run = setup.newRun(paths[0] ?? '.', { dryRun: true, repairs: false });
    const others = await setup.othersOf(paths, discovery);
    await run.analyze(discovery.scripts, others);
    run.project.save(true);
    if (run.scriptCount === 0)
      throw new CommandError(
        `No JavaScript or TypeScript files were found in ${paths.map((path) => (path === '.' ? 'the current folder' : `\`${path}\``)).join(', ')}.`,
      );
    setup.progress.clear();
    return await tell(new ProjectCalls(run, host.cwd), (message) => setup.say(message));
  } finally {
    setup.progress.clear();
  }
}
