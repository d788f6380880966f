// Small applications written inline: which of their functions run while a request waits?
import assert from 'node:assert/strict';
import { Facts } from '../../../analysis/facts/index.ts';
import type { RequestAnswer } from '../../../analysis/project/answers/function-answer.ts';
import { ProjectGraph } from '../../../analysis/project/graph.ts';
import type { ProjectLayout } from '../../../analysis/project/files/layout.ts';
import { summarize } from '../../../analysis/project/summary/summarize.ts';
import { FUNCTION_STRIDE, type FileSummary } from '../../../analysis/project/summary/format.ts';
import { Source } from '../../../analysis/module/source.ts';
import { readModule } from '../../../analysis/module/text-reader.ts';

export interface App {
  name: string;
  /** Texts by path below the project's folder. */
  files: Readonly<Record<string, string>>;
  layout?: ProjectLayout;
  /** What the project's package.json depends on. */
  dependencies?: readonly string[];
  /** `file#function`, with the route where one is expected: `services/a.js#load GET /a`. */
  reached?: readonly string[];
  idle?: readonly string[];
  /** Reached, but for the first request only. */
  once?: readonly string[];
  /** All routes that lead there. */
  routes?: Readonly<Record<string, readonly string[]>>;
}

const ROOT = '/project';

export function summaryOf(path: string, text: string, dependencies: readonly string[] = []): FileSummary {
  const file = `${ROOT}/${path}`;
  const outcome = readModule(file, text);
  assert.ok(outcome.ok, `${path} does not parse`);
  const { summary } = summarize(
    new Facts(outcome.module, new Source(file, text), {
      nodeRange: '>=18',
      nodeRangeSource: 'the test',
      root: ROOT,
      manifest: {
        bin: [],
        scripts: {},
        devDependencies: {},
        private: true,
        dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])),
      },
    }),
  );
  // What is kept on disk and sent between threads must say the same.
  return JSON.parse(JSON.stringify(summary)) as FileSummary;
}

export function graphOf({ files, layout, dependencies }: Pick<App, 'files' | 'layout' | 'dependencies'>): ProjectGraph {
  const graph = new ProjectGraph(layout);
  for (const [path, text] of Object.entries(files)) graph.set(summaryOf(path, text, dependencies));
  return graph;
}

/** What leads to the function of that name: the first one in the file that has it. */
export function pathTo(graph: ProjectGraph, files: App['files'], place: string): RequestAnswer | undefined {
  const [path = '', name = ''] = place.split('#');
  const { functions, strings } = summaryOf(path, files[path] ?? '');
  for (let i = 0; i < functions.length; i += FUNCTION_STRIDE) {
    const own = functions[i] as number;
    if (own >= 0 && (strings[own] === name || strings[own]?.endsWith(`.${name}`)))
      return graph.requestPath(`${ROOT}/${path}`, i / FUNCTION_STRIDE);
  }
  return assert.fail(`${path} has no function ${name}`);
}

export function check(app: App): void {
  const graph = graphOf(app);
  for (const wanted of app.reached ?? []) {
    const [place = '', ...route] = wanted.split(' ');
    const answer = pathTo(graph, app.files, place);
    assert.ok(answer && !answer.isOnce, `${place} is not reached`);
    if (route.length > 0) assert.equal(answer.route, route.join(' '), place);
  }
  for (const place of app.idle ?? []) {
    const answer = pathTo(graph, app.files, place);
    assert.equal(
      answer,
      undefined,
      `${place} is reached: ${answer?.related.map(({ file, message }) => `${file ?? ''} ${message}`).join(' > ')}`,
    );
  }
  for (const [place, routes] of Object.entries(app.routes ?? {})) assert.deepEqual(pathTo(graph, app.files, place)?.routes, routes, place);
  for (const place of app.once ?? []) assert.equal(pathTo(graph, app.files, place)?.isOnce, true, place);
}
