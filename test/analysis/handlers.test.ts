// Which functions answer requests. Each case gives the handlers as `kind framework route @line of the function` and the registrations as
// `route @line of the verb`; nothing more may be found.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { appCases } from './handlers/app-cases.ts';
import { exportCases } from './handlers/export-cases.ts';
import { otherCases } from './handlers/other-cases.ts';
import { signatureCases } from './handlers/signature-cases.ts';
import type { HandlerCase } from './handlers/handler-case.ts';

function report(example: HandlerCase): { handlers: string[]; sites: string[] } {
  const file = example.file ?? '/project/src/server.js';
  const text = example.code.replace(/^\n/, '');
  const outcome = parse(file, text);
  assert.ok(outcome.ok, `${example.name}: ${outcome.ok ? '' : outcome.issue.message}`);
  const source = new Source(file, text);
  const dependencies = Object.fromEntries((example.dependencies ?? []).map((name) => [name, '*']));
  const { handlers, routeSites } = new Facts(new ModuleIndex(outcome.ast), source, {
    nodeRange: '>=18',
    nodeRangeSource: 'test',
    ...(example.dependencies ? { manifest: { bin: [], scripts: {}, dependencies, devDependencies: {}, private: true } } : {}),
  }).handlers;
  const line = (node: { start?: number | null }) => source.positionAt(node.start ?? 0).line;
  return {
    handlers: handlers.map((handler) => `${handler.kind} ${handler.framework} ${handler.route ?? '-'} @${line(handler.fn)}`).sort(),
    sites: routeSites.map((site) => `${site.route ?? '-'} @${line(site.verb)}`).sort(),
  };
}

for (const [title, cases] of Object.entries({
  'applications and routers': appCases,
  'exports and decorators': exportCases,
  'parameters alone': signatureCases,
  'what is no route': otherCases,
})) {
  describe(title, () => {
    for (const example of cases) {
      it(example.name, () => {
        const found = report(example);
        assert.deepEqual(found.handlers, [...(example.handlers ?? [])].sort(), 'handlers');
        assert.deepEqual(found.sites, [...(example.sites ?? [])].sort(), 'registrations');
      });
    }
  });
}

it('has no two cases of one name', () => {
  const names = [...appCases, ...exportCases, ...signatureCases, ...otherCases].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});
