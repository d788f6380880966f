// Traces as OTLP/JSON, one ExportTraceServiceRequest or one on each line: how many requests came by which route.
// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding, https://opentelemetry.io/docs/specs/semconv/http/http-spans/
import { isRecord } from '../../protocol/unknown-values.ts';
import type { JsonPath } from './json-elements.ts';
import { ImportLimit, ImportProblem, type Recorded } from './recorded.ts';

export const SPANS_PATHS = [['resourceSpans', '*', 'scopeSpans', '*', 'spans', '*']] as const satisfies readonly JsonPath[];

/** SPAN_KIND_SERVER. The mapping of JSON has it as a number; some exporters write the name. */
const SERVER_KINDS: readonly unknown[] = [2, 'SPAN_KIND_SERVER'];
const MOST_ROUTES = 10_000;
const MOST_ROUTE_CHARACTERS = 500;
const NS_PER_MS = 1_000_000;

export class SpansFile {
  readonly #routes = new Map<string, { method: string; route: string; requests: number }>();
  #total = 0;
  #withoutRoute = 0;
  #latest = 0;

  addSpan(span: unknown): void {
    if (!isRecord(span) || !SERVER_KINDS.includes(span.kind)) return;
    const attributes = Array.isArray(span.attributes) ? span.attributes : [];
    const find = (key: string): string | undefined => {
      const found: unknown = attributes.find((one: unknown) => isRecord(one) && one.key === key);
      const value = isRecord(found) && isRecord(found.value) ? found.value.stringValue : undefined;
      return typeof value === 'string' ? value.slice(0, MOST_ROUTE_CHARACTERS) : undefined;
    };
    const route = find('http.route');
    // The name until version 1.20 of the conventions.
    const method = (find('http.request.method') ?? find('http.method') ?? '').toUpperCase();
    this.#total++;
    const end = Number(span.endTimeUnixNano ?? span.startTimeUnixNano) / NS_PER_MS;
    if (Number.isFinite(end) && end > this.#latest) this.#latest = end;
    if (route === undefined) {
      this.#withoutRoute++;
      return;
    }
    const key = `${method} ${route}`;
    const known = this.#routes.get(key);
    if (known) known.requests++;
    else if (this.#routes.size >= MOST_ROUTES) throw new ImportLimit(`it has more than ${MOST_ROUTES} different routes`);
    else this.#routes.set(key, { method, route, requests: 1 });
  }

  recorded(): Recorded {
    if (this.#routes.size === 0)
      throw new ImportProblem(
        this.#total === 0
          ? 'it has no spans of a server (`kind` 2)'
          : `none of its ${this.#total} spans of a server has the attribute \`http.route\``,
      );
    const remarks = this.#withoutRoute > 0 ? [`${this.#withoutRoute} of ${this.#total} requests have no \`http.route\``] : [];
    const date = this.#latest > 0 ? { date: this.#latest } : {};
    return { kind: 'spans', ...date, functions: [], total: this.#total, routes: [...this.#routes.values()], remarks };
  }
}
