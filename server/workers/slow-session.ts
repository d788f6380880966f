// The entry of the thread that has the documents which take long.
import { parentPort } from 'node:worker_threads';
import { createConnection, PortMessageReader, PortMessageWriter, ProposedFeatures } from 'vscode-languageserver/node';
import { realDeps, serverVersion } from '../main.ts';
import { createServer } from '../server.ts';

const port = parentPort;
if (!port) throw new Error('slow-session runs as a worker thread of the language server only');

const connection = createConnection(ProposedFeatures.all, new PortMessageReader(port), new PortMessageWriter(port));
createServer(connection, { ...realDeps(serverVersion()), startIndex: undefined, startSlowSession: undefined, isSlowSession: true });
connection.listen();
