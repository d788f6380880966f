// Fixes that take for ever, on the thread that answers the editor: they are ended, once, and everything else is answered.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import { rules } from '../../../rules/index.ts';
import { EDITOR_LIMIT_MS } from '../../../workspace/time-limit.ts';
import { folderWith } from '../../cli/support.ts';
import { withEndlessFixes } from '../../workspace/endless-fixes.ts';
import { uriOf, withServer } from '../harness.ts';

const HANDLER = `const app = require('express')();
app.get('/', (req, res) => res.end(require('node:fs').readFileSync('a')));
`;
/** Instead of the editor's limit, so that the test need not wait for it, in ms. */
const SHORT = 300;

describe('fixes that take for ever', () => {
  it('are ended in the editor, and the finding stays', async (context) => {
    let isShort = false;
    let ended = 0;
    const run = vm.Script.prototype.runInContext;
    context.mock.method(vm.Script.prototype, 'runInContext', function (this: vm.Script, ...args: Parameters<typeof run>) {
      const [place, options] = args;
      const isEditors = options?.timeout === EDITOR_LIMIT_MS;
      try {
        return run.call(this, place, isEditors && isShort ? { ...options, timeout: SHORT } : options) as unknown;
      } catch (error) {
        if (isEditors && (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') ended++;
        throw error;
      }
    });
    const folder = folderWith({ 'package.json': '{}', 'app.js': HANDLER });
    try {
      await withServer({ folders: [folder.path], deps: { rules: withEndlessFixes(rules) } }, async (session) => {
        const uri = uriOf(join(folder.path, 'app.js'));
        await session.open(uri, HANDLER);
        const [found] = await session.diagnose(uri);
        assert.ok(found);
        isShort = true;
        const offered = await session.actions(uri, found.range);
        assert.ok(
          !offered.some(({ edit, data }) => edit || (data as { make?: unknown } | undefined)?.make === 'fix'),
          JSON.stringify(offered),
        );
        assert.equal(ended, 1);
        assert.notEqual(await session.hover(uri, found.range.start), null);
        assert.equal((await session.diagnose(uri)).length, 1);
        // Neither the hover nor a second menu tried again.
        await session.actions(uri, found.range);
        assert.equal(ended, 1);
      })();
    } finally {
      folder.dispose();
    }
  });
});
