// Opens VS Code with this extension and the samples in the browser: `npm run open`, or `npm run open -- path/to/project`. Ctrl-C stops it.
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installHost } from '../test/vscode/host/install.ts';
import { startServer } from '../test/vscode/host/server.ts';
import { build } from './build.ts';
import { ROOT } from './generate.ts';

await build();
const server = await startServer(await installHost());
const wanted = process.argv[2];
const path = wanted === undefined ? join(server.folder, 'samples') : resolve(wanted);
// A copy: fixes can be tried without changing what the tests expect of the samples.
if (wanted === undefined) cpSync(join(ROOT, 'samples'), path, { recursive: true });

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.stop().then(() => console.log('\nVS Code has stopped.'));
  });
}
console.log(`
VS Code with Nodometer is at

  ${server.address({ path, extensions: [ROOT] })}

${wanted === undefined ? 'It shows a copy of the samples. Try express-shop/lib/invoices.js.' : `It shows ${path}.`} Ctrl-C stops it.`);
