// Opens VS Code with this extension and the samples in the browser: `npm run open`, or `npm run open -- path/to/project`. Ctrl-C stops it.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installHost } from '../test/vscode/host/install.ts';
import { startServer } from '../test/vscode/host/server.ts';
import { stageExtension } from '../test/vscode/host/stage.ts';
import { ROOT } from './generate.ts';

const staging = mkdtempSync(join(tmpdir(), 'nodometer-open-'));
const { folder } = await stageExtension(staging);
const server = await startServer(await installHost(), { installed: [folder] });
rmSync(staging, { recursive: true, force: true });
const wanted = process.argv[2];
const path = wanted === undefined ? join(server.folder, 'samples') : resolve(wanted);
// A copy: fixes can be tried without changing what the tests expect of the samples. Their packages are those of the checkout, which Node finds
// in the folder above; it is not shown, and the link alone is removed with it.
if (wanted === undefined) {
  cpSync(join(ROOT, 'samples'), path, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(server.folder, 'node_modules'), 'junction');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.stop().then(() => console.log('\nVS Code has stopped.'));
  });
}
console.log(`
VS Code with Nodometer is at

  ${server.address({ path })}

${wanted === undefined ? 'It shows a copy of the samples. Try express-shop/lib/invoices.js.' : `It shows ${path}.`} Ctrl-C stops it.`);
