// --format sarif: valid by the official schema, and saying what the findings say.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { pathToFileURL } from 'node:url';
import { folderWith, run, runIn, testRules, type RunOptions } from '../support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

// Microsoft's package for testing SARIF ships the schema of the standard; its own matcher fetches nothing then.
const schemaFile = new URL('../../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json', import.meta.url);
const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8')) as Record<string, unknown>;
// One pattern of the schema (for languages) has a stray bracket, which only regular expressions without the u flag forgive.
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

interface Location {
  physicalLocation: { artifactLocation: { uri: string; uriBaseId?: string }; region: Record<string, number> };
  message?: { text: string };
}
interface Result {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations: Location[];
  relatedLocations?: Location[];
  codeFlows?: { threadFlows: { locations: { location: Location }[] }[] }[];
  fixes?: { artifactChanges: { replacements: { deletedRegion: Record<string, number>; insertedContent: { text: string } }[] }[] }[];
  partialFingerprints: Record<string, string>;
  baselineState?: string;
  suppressions?: { kind: string; status?: string; justification?: string }[];
}
interface Log {
  runs: {
    tool: { driver: { rules: { id: string; help: { text: string; markdown?: string } }[] } };
    results: Result[];
    columnKind: string;
    originalUriBaseIds: Record<string, { uri: string }>;
    invocations: {
      executionSuccessful: boolean;
      toolExecutionNotifications: { level: string; message: { text: string }; associatedRule?: { id: string }; locations: Location[] }[];
    }[];
  }[];
}

async function sarif(files: Readonly<Record<string, string>>, options: Partial<RunOptions> = {}) {
  const { out } = await runIn(files, ['lint', '--format', 'sarif'], options);
  // The mask of the folder's path is no URI.
  const log = JSON.parse(out.replaceAll('<folder>', '/folder')) as Log;
  assert.ok(validate(log), ajv.errorsText(validate.errors, { separator: '\n' }));
  const [first] = log.runs;
  assert.ok(first);
  return first;
}

const APP = dedent`
  app.get('/users/:id', () => {
    block('é😀');
    slow();
  });

`;

describe('sarif', () => {
  it('is refused by the schema when it is wrong, so that the other tests mean something', () => {
    assert.equal(validate({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results: [{ message: {}, extra: 1 }] }] }), false);
  });

  it('is valid with findings, without, with syntax errors, crashes, and names that a URI has to escape', async () => {
    await sarif({});
    await sarif({ 'a b/ü#%.js': APP, 'package.json': '{"scripts":{"start":"node ."}}' });
    const broken = await sarif({ 'a.js': 'foo(', 'b.js': 'crashMe()', 'c.js': '// nodometer-disable-line\n' });
    const [invocation] = broken.invocations;
    assert.equal(invocation?.executionSuccessful, false);
    assert.deepEqual(
      invocation?.toolExecutionNotifications.map(({ level, associatedRule }) => [level, associatedRule?.id]),
      [
        ['warning', undefined],
        ['error', 'no-crash'],
      ],
    );
    assert.match(invocation?.toolExecutionNotifications[0]?.message.text ?? '', /could not be parsed: Unexpected token/);
    assert.deepEqual(
      broken.results.map(({ ruleId }) => ruleId),
      ['nodometer-disable'],
    );
  });

  it('says where in UTF-16 columns, relative to the repository', async () => {
    const { results, columnKind, originalUriBaseIds } = await sarif({ '.git/HEAD': '', 'a b/app.js': APP });
    assert.equal(columnKind, 'utf16CodeUnits');
    assert.deepEqual(originalUriBaseIds, { SRCROOT: { uri: 'file:///folder/' } });
    assert.deepEqual(results[0]?.locations[0]?.physicalLocation, {
      artifactLocation: { uri: 'a%20b/app.js', uriBaseId: 'SRCROOT' },
      region: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 15 },
    });
  });

  it('gives absolute URIs outside the repository', async () => {
    const folder = folderWith({ 'in/.git/HEAD': '', 'out/a.js': 'slow()' });
    try {
      const { out } = await run(['lint', '-f', 'sarif', '../out'], { cwd: `${folder.path}/in` });
      const log = JSON.parse(out) as Log;
      assert.ok(validate(log));
      assert.deepEqual(log.runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation, {
        uri: pathToFileURL(`${folder.path}/out/a.js`).href,
      });
    } finally {
      folder.dispose();
    }
  });

  it('gives the call path as a code flow that ends at the finding, other related places as such', async () => {
    const { results } = await sarif({ 'app.js': APP });
    const [blocks, slows] = results;
    assert.deepEqual([blocks?.level, slows?.level], ['error', 'warning']);
    assert.deepEqual(
      blocks?.codeFlows?.[0]?.threadFlows[0]?.locations.map(({ location }) => [
        location.physicalLocation.region.startLine,
        location.message?.text,
      ]),
      [
        [1, 'the route is registered here'],
        [2, "`block('é😀')` blocks."],
      ],
    );
    assert.equal(blocks?.relatedLocations?.length, 1);
    assert.equal(slows?.codeFlows, undefined);
  });

  it('gives the fixes as replacements', async () => {
    const { results } = await sarif({ 'app.js': APP });
    assert.deepEqual(results[1]?.fixes?.[0]?.artifactChanges[0]?.replacements, [
      { deletedRegion: { startLine: 3, startColumn: 3, endLine: 3, endColumn: 7 }, insertedContent: { text: 'quick' } },
    ]);
  });

  it('describes every rule, with its documentation as help', async () => {
    const { tool, results } = await sarif(
      { 'app.js': APP },
      {
        docs: {
          'no-slow': dedent`
      # no-slow

      Text.
    `,
        },
      },
    );
    assert.deepEqual(
      tool.driver.rules.map(({ id }) => id),
      [...testRules.map(({ meta }) => meta.id), 'nodometer-disable'],
    );
    for (const result of results) assert.equal(tool.driver.rules[result.ruleIndex]?.id, result.ruleId);
    assert.equal(
      tool.driver.rules.find(({ id }) => id === 'no-slow')?.help.markdown,
      dedent`
      # no-slow

      Text.
    `,
    );
    assert.match(tool.driver.rules.find(({ id }) => id === 'no-note')?.help.text ?? '', /nodometer explain no-note/);
  });

  it("keeps a finding's fingerprint when it moves, and tells equal lines apart", async () => {
    const prints = async (text: string, name = 'a.js') =>
      (await sarif({ [name]: text })).results.map((result) => result.partialFingerprints['nodometerFinding/v2']);
    const [before, ...twins] = await prints(dedent`
      slow();
        note(slow());
        slow();

    `);
    assert.deepEqual((await prints('// moved\n\n\tslow();\n'))[0], before);
    assert.equal(new Set([before, ...twins]).size, twins.length + 1);
    assert.notEqual((await prints('slow();', 'b.js'))[0], before);
  });

  it('keeps it when the code is formatted anew, also in the one that GitHub knows alerts by', async () => {
    const prints = async (text: string) => (await sarif({ 'a.js': text })).results.map((result) => result.partialFingerprints);
    const [before, ...more] = await prints('block("a", { b: 1 });\n');
    assert.equal(more.length, 0);
    assert.match(before?.primaryLocationLineHash ?? '', /^[0-9a-f]{16}:1$/);
    assert.deepEqual(
      await prints(dedent`
      block(
        'a',
        {
          b: 1,
        },
      )

    `),
      [before],
    );
    assert.notDeepEqual(await prints('block("a", { b: 2 });\n'), [before]);
  });

  it('says what is new, and on request what comments and the baseline suppress', async () => {
    const folder = folderWith({ 'a.js': 'slow();\nnote();\n' });
    try {
      await run(['lint', '--update-baseline', '--baseline-reason', 'old'], { cwd: folder.path });
      writeFileSync(
        `${folder.path}/a.js`,
        dedent`
        slow();
        slow(1); // nodometer-disable-line no-slow -- rare
        block();

      `,
      );
      const results = async (...argv: string[]) => {
        const { out } = await run(['lint', '-f', 'sarif', '--baseline', ...argv], { cwd: folder.path });
        const log = JSON.parse(out) as Log;
        assert.ok(validate(log), ajv.errorsText(validate.errors, { separator: '\n' }));
        return (log.runs[0]?.results ?? []).map(({ ruleId, baselineState, suppressions }) => [
          ruleId,
          baselineState,
          suppressions?.map(({ kind, status, justification }) => [kind, status, justification]),
        ]);
      };
      assert.deepEqual(await results(), [['no-blocking', 'new', undefined]]);
      assert.deepEqual(await results('--report-suppressed'), [
        ['no-slow', 'unchanged', [['external', 'accepted', 'old']]],
        ['no-slow', 'new', [['inSource', undefined, 'rare']]],
        ['no-blocking', 'new', undefined],
      ]);
    } finally {
      folder.dispose();
    }
  });
});
