// SKILL.md tells agents what to type: all of it must exist.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TOOLS } from '../../cli/mcp/tools.ts';
import { VERDICT_WORDS } from '../../protocol/evidence.ts';
import { ROOT, ruleIds } from '../../scripts/generate.ts';
import { runIn } from './support.ts';

const SKILL = readFileSync(join(ROOT, 'skills', 'nodometer', 'SKILL.md'), 'utf8');
/** Most agents load it whole. */
const MOST_LINES = 100;
/** An agent's host cuts longer ones off. */
const MOST_DESCRIPTION = 1024;

const commands = [...SKILL.matchAll(/^ *nodometer .+$/gm)].map(([line]) => line.trim());

describe('SKILL.md', () => {
  it('says in its head what it is for, and is short', () => {
    const [, name, description = ''] = /^---\nname: (\S+)\ndescription: (.+)\n---\n/.exec(SKILL) ?? [];
    assert.equal(name, 'nodometer');
    assert.ok(description.length > 50 && description.length <= MOST_DESCRIPTION);
    assert.ok(SKILL.split('\n').length <= MOST_LINES);
  });

  it('names commands, options, and rules that exist', async () => {
    assert.ok(commands.length >= 8, commands.join('\n'));
    for (const line of commands) {
      const name = line.split(' ')[1] ?? '';
      const { code, out, err } = await runIn({}, [name, '--help']);
      assert.equal(code, 0, `${line}: ${err}`);
      for (const [option] of line.matchAll(/ --[a-z-]+/g)) assert.match(out, new RegExp(`${option}\\b`), line);
    }
    const { out: help } = await runIn({}, ['lint', '--help']);
    for (const [, option = ''] of SKILL.matchAll(/`(--[a-z-]+)`/g))
      assert.ok(help.includes(option) || commands.some((line) => line.includes(option)), option);
    for (const [rule] of SKILL.matchAll(/\b(?:no|prefer|require)-[a-z-]+\b/g)) assert.ok(ruleIds().includes(rule), rule);
  });

  it('explains the verdicts and tools that there are, and no others', () => {
    const rows = [...SKILL.matchAll(/^\| ([a-z, ]+) \|/gm)].map(([, word]) => word).filter((word) => word !== 'verdict');
    assert.deepEqual(rows, Object.values(VERDICT_WORDS));
    assert.ok(
      SKILL.includes(
        `tools named ${TOOLS.map(({ name }) => `\`${name}\``)
          .join(', ')
          .replace(/, (?=[^,]*$)/, ', and ')}`,
      ),
    );
  });
});
