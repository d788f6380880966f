// Whether a caller in another file waits for an async function decides whether the function may wait earlier than it does.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import { findingsOf } from './whole-project.ts';

const TRANSCRIPT = dedent`
  const fs = require('fs');
  exports.transcript = async (channel) => {
    const page = fs.readFileSync(\`./\${channel.kind}.html\`, 'utf8');
    return page + (await channel.messages());
  };
`;

const closeWith = (statements: string): string => dedent`
  const { transcript } = require('./transcript');
  const app = require('express')();
  app.post('/close', async function close(req, res) {
    ${statements}
  });
  app.listen(3000);
`;

describe('a call in another file', () => {
  const findingWith = (statements: string) => {
    const [finding] = findingsOf(['no-sync-in-handler'], { 'app.js': closeWith(statements), 'transcript.js': TRANSCRIPT });
    assert.ok(finding);
    return { fixes: finding.fixes.map(({ title }) => title), reasons: finding.refused.map(({ reason }) => reason) };
  };
  const conversion = 'Convert to `fs.promises.readFile`';

  it('that goes on without waiting prevents an earlier await', () => {
    const { fixes, reasons } = findingWith('transcript(req.channel); req.channel.remove(); res.end();');
    assert.ok(!fixes.includes(conversion));
    assert.match(reasons.join('\n'), /`close` in app\.js calls `transcript` without waiting for it/);
  });

  it('that waits does not', () => {
    assert.ok(findingWith('await transcript(req.channel); req.channel.remove(); res.end();').fixes.includes(conversion));
    assert.ok(findingWith('res.send(await transcript(req.channel));').fixes.includes(conversion));
  });

  it('that is the last one of its function does not', () => {
    assert.ok(findingWith('res.end(); transcript(req.channel).catch(console.error);').fixes.includes(conversion));
  });
});
