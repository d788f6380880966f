// What Node writes with NODE_V8_COVERAGE: how often each function was called.
// https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-ScriptCoverage
import { isRecord } from '../../protocol/unknown-values.ts';
import type { JsonPath } from './json-elements.ts';
import { countOf, FunctionTable, type Recorded } from './recorded.ts';

export const COVERAGE_PATHS = [
  ['result', '*', 'url'],
  ['result', '*', 'functions', '*'],
] as const satisfies readonly JsonPath[];

export class CoverageFile {
  readonly #functions = new FunctionTable();
  #url = '';
  #invalid = 0;

  setUrl(url: unknown): void {
    this.#url = typeof url === 'string' ? url : '';
  }

  addFunction(value: unknown): void {
    const range: unknown = isRecord(value) && Array.isArray(value.ranges) ? value.ranges[0] : undefined;
    const [start, end, calls] = isRecord(range) ? [range.startOffset, range.endOffset, range.count].map(countOf) : [];
    if (!isRecord(value) || start === undefined || end === undefined || calls === undefined || end < start) {
      this.#invalid++;
      return;
    }
    // The first function of a file is the file itself.
    if (calls === 0 || start === 0 || this.#url === '' || this.#url.startsWith('node:')) return;
    const name = typeof value.functionName === 'string' ? value.functionName : '';
    const fn = this.#functions.all[this.#functions.numberOf(name, this.#url, undefined, { start, end })];
    if (fn) fn.calls += calls;
  }

  recorded(): Recorded {
    const remarks = this.#invalid > 0 ? [`${this.#invalid} functions without valid counts were left out`] : [];
    return { kind: 'coverage', functions: this.#functions.all, total: 0, routes: [], remarks };
  }
}
