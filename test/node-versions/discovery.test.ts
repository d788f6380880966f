// Where Nodes are looked for, on machines that exist only here.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cacheFolder, downloadFolder, findNodeOnPath, findNodes, type Machine } from '../../node-versions/discovery.ts';

/** `files`: absolute paths of files; `links`: path to the file that it is a link to. */
function machine(
  platform: NodeJS.Platform,
  env: Record<string, string>,
  files: readonly string[],
  links: Readonly<Record<string, string>> = {},
): Machine {
  const separator = platform === 'win32' ? '\\' : '/';
  const all = [...files, ...Object.keys(links)];
  return {
    platform,
    arch: 'x64',
    env,
    home: platform === 'win32' ? 'C:\\Users\\ann' : '/home/ann',
    namesIn: (folder) => [
      ...new Set(
        all.filter((file) => file.startsWith(folder + separator)).map((file) => file.slice(folder.length + 1).split(separator)[0] ?? ''),
      ),
    ],
    isFile: (path) => all.includes(path),
    realPath: (path) => links[path] ?? path,
  };
}

describe('Nodes on a machine', () => {
  it('are found on PATH and with every version manager, the newest first, each once', () => {
    const found = findNodes(
      machine(
        'linux',
        { PATH: '/opt/tools:/usr/bin:/home/ann/.nvm/versions/node/v22.1.0/bin' },
        [
          '/usr/bin/node',
          '/opt/tools/npm',
          ...['v9.11.2', 'v22.1.0', 'v18.20.4'].map((version) => `/home/ann/.nvm/versions/node/${version}/bin/node`),
          '/home/ann/.local/share/fnm/node-versions/v20.19.0/installation/bin/node',
          '/home/ann/.volta/tools/image/node/24.0.0/bin/node',
          '/home/ann/.asdf/installs/nodejs/21.7.3/bin/node',
          '/home/ann/.local/share/mise/installs/node/23.1.0/bin/node',
        ],
        { '/home/ann/.local/share/mise/installs/node/latest/bin/node': '/home/ann/.local/share/mise/installs/node/23.1.0/bin/node' },
      ),
    );
    assert.deepEqual(
      found.map(({ path, from }) => `${from} ${path}`),
      [
        'PATH /usr/bin/node',
        'PATH /home/ann/.nvm/versions/node/v22.1.0/bin/node',
        'nvm /home/ann/.nvm/versions/node/v18.20.4/bin/node',
        'nvm /home/ann/.nvm/versions/node/v9.11.2/bin/node',
        'fnm /home/ann/.local/share/fnm/node-versions/v20.19.0/installation/bin/node',
        'Volta /home/ann/.volta/tools/image/node/24.0.0/bin/node',
        'asdf /home/ann/.asdf/installs/nodejs/21.7.3/bin/node',
        'mise /home/ann/.local/share/mise/installs/node/latest/bin/node',
      ],
    );
  });

  it('are found where the managers were told to put them', () => {
    const env = { NVM_DIR: '/d/nvm', FNM_DIR: '/d/fnm', VOLTA_HOME: '/d/volta', ASDF_DATA_DIR: '/d/asdf', MISE_DATA_DIR: '/d/mise' };
    const files = [
      '/d/nvm/versions/node/v22.0.0/bin/node',
      '/d/fnm/node-versions/v22.0.0/installation/bin/node',
      '/d/volta/tools/image/node/22.0.0/bin/node',
      '/d/asdf/installs/nodejs/22.0.0/bin/node',
      '/d/mise/installs/node/22.0.0/bin/node',
    ];
    assert.deepEqual(
      findNodes(machine('linux', env, files)).map(({ path }) => path),
      files,
    );
    const mac = '/home/ann/Library/Application Support/fnm/node-versions/v22.0.0/installation/bin/node';
    assert.deepEqual(findNodes(machine('darwin', {}, [mac])), [{ path: mac, from: 'fnm' }]);
  });

  it('are found on Windows, where PATH is written in any case', () => {
    const files = [
      'C:\\Program Files\\nodejs\\node.exe',
      'C:\\Users\\ann\\AppData\\Roaming\\nvm\\v22.0.0\\node.exe',
      'C:\\Users\\ann\\AppData\\Roaming\\fnm\\node-versions\\v20.19.0\\installation\\node.exe',
      'C:\\Users\\ann\\AppData\\Local\\Volta\\tools\\image\\node\\24.0.0\\node.exe',
    ];
    const windows = machine(
      'win32',
      {
        Path: '"C:\\Program Files\\nodejs";C:\\Windows',
        APPDATA: 'C:\\Users\\ann\\AppData\\Roaming',
        LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local',
      },
      files,
    );
    assert.deepEqual(
      findNodes(windows).map(({ path, from }) => [from, path]),
      [
        ['PATH', files[0]],
        ['nvm-windows', files[1]],
        ['fnm', files[2]],
        ['Volta', files[3]],
      ],
    );
    assert.equal(findNodeOnPath(windows), files[0]);
  });

  it('are downloaded into the folder that each system has for what can be made again', () => {
    const folderOf = (platform: NodeJS.Platform, env = {}): string => cacheFolder(machine(platform, env, []));
    assert.equal(folderOf('linux'), '/home/ann/.cache/nodometer');
    assert.equal(folderOf('linux', { XDG_CACHE_HOME: '/cache' }), '/cache/nodometer');
    assert.equal(folderOf('darwin', { XDG_CACHE_HOME: '/cache' }), '/home/ann/Library/Caches/nodometer');
    assert.equal(folderOf('win32'), 'C:\\Users\\ann\\AppData\\Local\\nodometer');
    assert.equal(downloadFolder(machine('win32', { LOCALAPPDATA: 'D:\\Local' }, [])), 'D:\\Local\\nodometer\\nodes');
    assert.equal(downloadFolder(machine('darwin', {}, [])), '/home/ann/Library/Caches/nodometer/nodes');
  });

  it('are not taken from folders that depend on the working directory', () => {
    const files = ['./node', 'node_modules/.bin/node', 'node', '/usr/bin/node'];
    assert.equal(findNodeOnPath(machine('linux', { PATH: '.::node_modules/.bin:/usr/bin' }, files)), '/usr/bin/node');
    assert.equal(findNodeOnPath(machine('linux', { PATH: '.:node_modules/.bin' }, files)), undefined);
    assert.equal(findNodeOnPath(machine('linux', {}, files)), undefined);
  });
});
