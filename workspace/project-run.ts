// The project's graph in one run over its files.
import { Facts } from '../analysis/facts/index.ts';
import { ProjectGraph } from '../analysis/project/graph.ts';
import { analyseModule, settle, type FileAnalysis, type LintRequest, type LintResult } from '../analysis/run.ts';
import { Source } from '../analysis/source.ts';
import { readModule } from '../analysis/text-reader.ts';
import type { ProjectInfo } from '../protocol/project.ts';
import { readProjectLayout } from './project-layout.ts';

export class ProjectRun {
  readonly graph = new ProjectGraph();

  /** Reads what says which file a specifier means, for all files of the run. */
  setFiles(paths: readonly string[]): void {
    this.graph.setLayout(readProjectLayout(paths));
  }

  /** One parse, one walk: what the rules say, what they propose, and the file's part of the graph. */
  analyse(request: LintRequest): FileAnalysis {
    const { file, text } = request;
    const nothing = { file, findings: [], proposals: [], comments: [] };
    try {
      const outcome = readModule(file, text);
      if (!outcome.ok) return { ...nothing, issue: outcome.issue, crashes: [] };
      const { analysis } = analyseModule(request, outcome.module, true);
      if (analysis.summary) this.graph.set(analysis.summary);
      return analysis;
    } catch (error) {
      return { ...nothing, crashes: [{ ruleId: '(engine)', file, error: error as Error }] };
    }
  }

  /** A file that takes part and is not reported. */
  add(file: string, text: string, project: ProjectInfo): void {
    const outcome = readModule(file, text);
    if (outcome.ok) this.graph.set(new Facts(outcome.module, new Source(file, text), project).summarised.summary);
  }

  settle(analysis: FileAnalysis, request: LintRequest): LintResult {
    return settle(analysis, request, (file, fn) => this.graph.requestPath(file, fn));
  }

  /** What would be said of the file with another text, all others as they are. */
  lint(request: LintRequest): LintResult {
    return this.settle(this.analyse(request), request);
  }
}
