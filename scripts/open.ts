// Opens VS Code with this extension and the samples in the browser: `npm run open`, or `npm run open -- path/to/project`. Ctrl-C stops it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installHost } from '../test/vscode/host/install.ts';
import { startServer } from '../test/vscode/host/server.ts';
import { stageExtension } from '../test/vscode/host/stage.ts';
import { copySamples } from './copy-samples.ts';

/** What signals tell a program of: 128 and the signal's number. */
const ENDED = { SIGINT: 130, SIGTERM: 143 } as const;

// Set first: building and installing take a while. VS Code's server ends with this process.
let stop: ((code: number) => void) | undefined;
let staging: string | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stop ?? process.exit)(ENDED[signal]));
process.once('exit', () => staging !== undefined && rmSync(staging, { recursive: true, force: true }));
staging = mkdtempSync(join(tmpdir(), 'nodometer-open-'));
const { folder } = await stageExtension(staging);
const server = await startServer(await installHost(), { installed: [folder] });
rmSync(staging, { recursive: true, force: true });
const wanted = process.argv[2];
const path = wanted === undefined ? copySamples(server.folder) : resolve(wanted);

stop = () => void server.stop().then(() => console.log('\nVS Code has stopped.'));
console.log(`
VS Code with Nodometer is at

  ${server.address({ path })}

${wanted === undefined ? 'It shows a copy of the samples. Try express-shop/lib/invoices.js.' : `It shows ${path}.`} Ctrl-C stops it.`);
