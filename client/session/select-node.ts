// "Select Node": a list of the Nodes on this machine with their versions; the chosen one is written to `nodometer.nodePath`.
import { ConfigurationTarget, l10n, window, workspace, type QuickPickItem } from 'vscode';
import { PRODUCT } from '../../protocol/editor.ts';
import { pick, tell } from '../message.ts';
import { findNodes, type Machine } from '../../node-versions/discovery.ts';
import { canRunServer, OLDEST_NODE, type NodeVersions } from '../../node-versions/versions.ts';

interface NodeItem extends QuickPickItem {
  action: 'use' | 'browse' | 'reset';
  path?: string;
  version?: string;
}

export async function selectNode(machine: Machine, versions: NodeVersions): Promise<void> {
  if (!workspace.isTrusted) {
    tell('warning', l10n.t('Selecting a Node requires a trusted workspace.'), {
      title: l10n.t('Manage Workspace Trust'),
      command: 'workbench.trust.manage',
    });
    return;
  }
  versions.forget();
  const chosen = await pick(itemsOf(machine, versions), {
    title: l10n.t('Node that runs the language server'),
    placeHolder: l10n.t('Its version is also assumed for projects that do not specify a Node version'),
    matchOnDescription: true,
  });
  if (chosen?.action === 'use') await use(chosen.path ?? '', chosen.version);
  else if (chosen?.action === 'reset') await write(undefined);
  else if (chosen?.action === 'browse') await browse(versions);
}

async function itemsOf(machine: Machine, versions: NodeVersions): Promise<NodeItem[]> {
  const nodes = findNodes(machine);
  const found = await versions.ofAll(nodes.map(({ path }) => path));
  const current = settingOf('nodePath');
  const items = nodes.flatMap<NodeItem>(({ path, from }, index) => {
    const version = found[index];
    if (!version) return [];
    const old = canRunServer(version) ? '' : l10n.t('too old for the language server, which needs {0}', OLDEST_NODE);
    return [
      {
        action: 'use',
        path,
        version,
        label: `Node ${version}`,
        description: path,
        detail: [path === current ? l10n.t('in use') : '', from === 'PATH' ? l10n.t('on PATH') : l10n.t('installed by {0}', from), old]
          .filter((part) => part !== '')
          .join(', '),
      },
    ];
  });
  return [
    ...items,
    {
      action: 'reset',
      label: l10n.t("VS Code's own Node"),
      description: process.versions.node,
      detail: current === '' ? l10n.t('in use') : undefined,
    },
    { action: 'browse', label: l10n.t('Browse…') },
  ];
}

async function browse(versions: NodeVersions): Promise<void> {
  const [file] =
    (await window.showOpenDialog({
      title: l10n.t('Choose a Node binary'),
      canSelectFiles: true,
      canSelectFolders: false,
      canSelectMany: false,
    })) ?? [];
  if (file) await use(file.fsPath, await versions.of(file.fsPath));
}

async function use(path: string, version: string | undefined): Promise<void> {
  if (!version) tell('error', l10n.t('{0} did not report a Node version.', path));
  else if (!canRunServer(version))
    tell(
      'error',
      l10n.t(
        'Node {0} is too old for the language server, which needs {1} or newer. To specify the Node version that your code runs on, set `nodometer.node` or `engines.node`.',
        version,
        OLDEST_NODE,
      ),
    );
  else await write(path);
}

/** Where the setting stands already; else for the user. The extension starts the server again when it changes. */
async function write(path: string | undefined): Promise<void> {
  const configuration = workspace.getConfiguration(PRODUCT);
  const inWorkspace = configuration.inspect('nodePath')?.workspaceValue !== undefined;
  await configuration.update('nodePath', path, inWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global);
}

function settingOf(key: string): string {
  const value: unknown = workspace.getConfiguration(PRODUCT).get(key);
  return typeof value === 'string' ? value : '';
}
