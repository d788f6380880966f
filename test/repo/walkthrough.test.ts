// The walkthrough: its steps in order, each with a picture, and with buttons that call commands of the extension or of VS Code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rules } from '../../rules/index.ts';
import { ROOT } from '../../scripts/generate.ts';
import { run } from '../cli/support.ts';

interface Step {
  id: string;
  title: string;
  description: string;
  media: { svg: string; altText: string };
  completionEvents?: string[];
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { contributes } = JSON.parse(read('package.json')) as {
  contributes: { commands: { command: string }[]; walkthroughs: [{ steps: Step[] }] };
};
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;
const steps = contributes.walkthroughs[0].steps;

/** A text of package.nls.json, by its name between percent signs. */
function textOf(name: string): string {
  const text = texts[name.slice(1, -1)] ?? '';
  assert.ok(text, `package.nls.json lacks ${name}`);
  return text;
}

/** VS Code makes a button of a link that has a line for itself. It can be reached with Tab; so can links in the text. */
function buttonsOf({ description }: Step): string[] {
  return [...textOf(description).matchAll(/^\[[^\]]+\]\(command:([\w.]+)\)$/gm)].map(([, command]) => command ?? '');
}

describe('the walkthrough', () => {
  it('goes from a warning to its proof, its fix, the workspace and the configuration', () => {
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['warning', 'profile', 'fix', 'workspace', 'configure'],
    );
  });

  it('has a button in every step, and completes a step with the commands of its buttons', () => {
    const own = contributes.commands.map(({ command }) => command);
    for (const step of steps) {
      const buttons = buttonsOf(step);
      assert.ok(buttons.length > 0, `${step.id} has no button`);
      for (const command of buttons.filter((command) => command.startsWith('nodometer.'))) {
        assert.ok(own.includes(command), `${step.id}: ${command} is no command`);
        assert.ok(step.completionEvents?.includes(`onCommand:${command}`), `${step.id} is not completed by ${command}`);
      }
    }
    assert.deepEqual(steps.filter(({ id }) => id === 'profile').map(buttonsOf), [['nodometer.profileFunction']]);
  });

  it('has a title, a picture and words for the picture in every step', () => {
    for (const { title, media } of steps) {
      textOf(title);
      textOf(media.altText);
      // VS Code leaves style elements out.
      assert.doesNotMatch(read(media.svg), /<style|style="/, media.svg);
    }
  });

  it('has a sample project: a server without packages, whose warnings the steps name, and that does not give the answers away', async () => {
    const folder = join(ROOT, 'walkthrough', 'sample');
    const { dependencies } = JSON.parse(read('walkthrough/sample/package.json')) as { dependencies?: object };
    assert.equal(dependencies, undefined);
    const { out } = await run(['lint', '--format', 'json', folder], { cwd: ROOT, rules });
    const found = (JSON.parse(out) as { file: string; function: string; severity: string }[]).map(
      (one) => `${one.file.split(/[\\/]/).at(-1)} ${one.function} ${one.severity}`,
    );
    assert.deepEqual(found, ['accounts.js isPassword warning', 'pages.js readTerms warning']);
    const profile = steps.find(({ id }) => id === 'profile');
    for (const name of ['isPassword', 'readTerms']) assert.ok(profile && textOf(profile.description).includes(`\`${name}\``), name);
    for (const name of ['accounts.js', 'pages.js', 'server.js'])
      assert.doesNotMatch(read(`walkthrough/sample/${name}`), /\/\/ |\/\*/, name);
  });
});
