// A report that survives a reload: what is kept, how much, and when it is out of date.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../../scripts/generate.ts';
import { changedSince, printOf, printsOf, type FileReader } from '../../client/report/file-prints.ts';
import { KeptReport, MOST_KEPT, reportContext, withinLimit, type Report } from '../../client/report/kept-report.ts';
import { exportName, exportText } from '../../client/report/report-export.ts';
import { reportModel } from '../../client/report/report-model.ts';
import { reportPage, staleText } from '../../client/report/report-view.ts';
import { english as t } from './english.ts';
import { FILE, LINES, profiledOf } from './profile-report.ts';

function reportOf(): Report {
  const model = reportModel({ profiled: profiledOf(), before: [], lineCount: LINES, pathOf: (file) => file, dateOf: (iso) => iso, t });
  return {
    title: 'Profile: total',
    model,
    markdown: '# total on Node 24.1.0\n\n## Verdicts\n',
    date: '2026-01-02T03:04:05.000Z',
    again: { kind: 'function', uri: `file://${FILE}`, position: { line: 3, character: 1 }, name: 'total', calls: ['total([1])'] },
    prints: [{ file: FILE, print: printOf('text') }],
    cpuProfile: '/cache/a.cpuprofile',
  };
}

/** As VS Code keeps it: as JSON. */
function memento() {
  const texts = new Map<string, string>();
  return {
    texts,
    get: <T>(key: string): T | undefined => {
      const text = texts.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    update: (key: string, value: unknown): Promise<void> => {
      if (value === undefined) texts.delete(key);
      else texts.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}

const pageOf = ({ model }: Report) =>
  reportPage({ model, source: 's', nonce: 'n', script: 'report.js', style: 'report.css', language: 'en', t });

describe('commands about a report', () => {
  it('are offered where there is one, and each by a key of the manifest', () => {
    assert.deepEqual(reportContext(undefined), { 'nodometer.hasReport': false, 'nodometer.hasCpuProfile': false });
    assert.deepEqual(reportContext(reportOf()), { 'nodometer.hasReport': true, 'nodometer.hasCpuProfile': true });
    const { cpuProfile: _, ...without } = reportOf();
    assert.deepEqual(reportContext(without), { 'nodometer.hasReport': true, 'nodometer.hasCpuProfile': false });
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      contributes: { menus: { commandPalette: { command: string; when: string }[] } };
    };
    const when = new Map(manifest.contributes.menus.commandPalette.map((one) => [one.command, one.when]));
    assert.deepEqual(
      ['showReport', 'profileAgain', 'exportReport', 'openCpuProfile', 'stop'].map((name) => when.get(`nodometer.${name}`)),
      ['nodometer.hasReport', 'nodometer.hasReport', 'nodometer.hasReport', 'nodometer.hasCpuProfile', 'nodometer.isRunning'],
    );
  });
});

describe('a kept report', () => {
  it('makes the same page again, with the places behind its links', async () => {
    const store = memento();
    const report = reportOf();
    await new KeptReport(store, '1.0.0').set(report);
    const kept = new KeptReport(store, '1.0.0').get();
    assert.ok(kept);
    assert.deepEqual(pageOf(kept), pageOf(report));
    assert.deepEqual([kept.again, kept.prints, kept.cpuProfile], [report.again, report.prints, report.cpuProfile]);
  });

  it('is not read by another version, and goes when it is cleared', async () => {
    const store = memento();
    const kept = new KeptReport(store, '1.0.0');
    await kept.set(reportOf());
    assert.equal(new KeptReport(store, '1.0.1').get(), undefined);
    await kept.set(undefined);
    assert.equal(kept.get(), undefined);
    assert.equal(store.texts.size, 0);
  });

  it('loses pictures where it is too large, the largest first, and is not kept where its words alone are', async () => {
    const report = reportOf();
    const section = report.model.sections[0];
    assert.ok(section);
    const bars = Array.from({ length: 20_000 }, (_, at) => ({ row: 0, tier: 1, from: at, to: at + 1 }));
    const large = { kind: 'timeline', rows: ['f'], end: 1, bars, tiers: ['x'], marks: [], marksName: '', axis: '', alt: 'large' } as const;
    const small = { kind: 'delay', bars: [{ name: 'p50', value: 1, text: '1 ms' }], axis: '', alt: 'small' } as const;
    const withPictures: Report = { ...report, model: { ...report.model, sections: [{ ...section, pictures: [small, large] }] } };
    assert.ok(JSON.stringify(withPictures).length > MOST_KEPT);
    assert.deepEqual(
      withinLimit(withPictures)?.model.sections[0]?.pictures?.map(({ alt }) => alt),
      ['small'],
    );
    const words = JSON.stringify({ ...report, model: { ...report.model, sections: [section] } }).length;
    const withoutPictures = withinLimit(withPictures, words);
    assert.ok(withoutPictures);
    assert.equal(withoutPictures.model.sections[0]?.pictures, undefined);
    assert.equal(withinLimit(withPictures, words - 1), undefined);
    const store = memento();
    const kept = new KeptReport(store, '1');
    await kept.set(report);
    await kept.set({ ...report, title: 'x'.repeat(MOST_KEPT) });
    assert.equal(kept.get(), undefined, 'not the one before it either');
  });
});

describe('the files of a report', () => {
  const files = new Map([
    ['/p/a.js', { text: 'a\n', written: 10 }],
    ['/p/b.js', { text: 'b\n', written: 90 }],
  ]);
  const reader: FileReader = {
    textOf: (file) => Promise.resolve(files.get(file)?.text),
    writtenAt: (file) => Promise.resolve(files.get(file)?.written),
  };

  it('are told when their text is another, and not for the way in which lines end', async () => {
    const prints = await printsOf(['/p/a.js', '/p/b.js'], 100, reader);
    const changed = (a: string | undefined) =>
      changedSince(prints, { textOf: (file) => Promise.resolve(file === '/p/a.js' ? a : files.get(file)?.text) });
    assert.deepEqual(await changed('a\n'), []);
    assert.deepEqual(await changed('\uFEFFa\r\n'), []);
    assert.deepEqual(await changed('a \n'), ['/p/a.js']);
    assert.deepEqual(await changed(undefined), ['/p/a.js'], 'deleted');
  });

  it('that were written while the program ran are out of date from the beginning', async () => {
    const prints = await printsOf(['/p/a.js', '/p/b.js', '/p/none.js'], 50, reader);
    assert.deepEqual(await changedSince(prints, reader), ['/p/b.js', '/p/none.js']);
  });

  it('are named in a sentence', () => {
    assert.equal(staleText(['a.js'], t), 'a.js has changed since this was measured.');
    assert.equal(staleText(['a.js', 'b.js'], t), 'a.js and 1 more have changed since this was measured.');
  });

  it('have a place on the page that is heard, with the button that profiles again', () => {
    const { html } = pageOf(reportOf());
    assert.match(
      html,
      /<div id="stale" role="status"><p><\/p><button type="button" data-message="again" hidden>Profile Again<\/button><\/div>/,
    );
  });
});

describe('an exported report', () => {
  it('has the name of what ran and the day', () => {
    const date = '2026-01-02T03:04:05.000Z';
    const position = { line: 1, character: 1 };
    assert.deepEqual(
      [
        exportName(reportOf()),
        exportName({ date, again: { kind: 'compare', uri: 'file:///p/a.js', position, name: 'Cart.größe' } }),
        exportName({ date, again: { kind: 'function', uri: 'file:///p/a%20b.js', position } }),
        exportName({ date, again: { kind: 'function', uri: 'file:///p/a.js', position, name: "GET /users/:id '../..'" } }),
        exportName({ date, again: { kind: 'trace', uri: 'file:///p/server.js' } }),
        exportName({ date, again: { kind: 'lag', uri: 'file:///p/package.json', script: 'start:prod' } }),
        exportName({ date, again: { kind: 'load', uri: 'file:///p/server.js', request: 'GET /users' } }),
      ],
      [
        'profile-total-2026-01-02.md',
        'compare-Cart.größe-2026-01-02.md',
        'profile-a-b.js-2026-01-02.md',
        'profile-GET-users-id-..-..--2026-01-02.md',
        'trace-server.js-2026-01-02.md',
        'lag-start-prod-2026-01-02.md',
        'load-GET-users-2026-01-02.md',
      ],
    );
  });

  it('is what the terminal writes, and says when the code has changed', () => {
    const report = reportOf();
    assert.equal(exportText(report, ''), report.markdown);
    assert.equal(
      exportText(report, 'a.js has changed since this was measured.'),
      dedent`
        # total on Node 24.1.0

        > a.js has changed since this was measured.

        ## Verdicts

      `,
    );
  });

  it('is asked for by a button, where there is one', () => {
    const report = reportOf();
    const button = /<button type="button" class="quiet" data-message="export">Export as Markdown<\/button>/;
    assert.match(pageOf(report).html, button);
    assert.doesNotMatch(pageOf({ ...report, model: { title: '', figures: [], sections: [], footer: [] } }).html, button);
  });
});
