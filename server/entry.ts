// What VS Code starts: the server's process and nothing else. As a thread, it is the session that has the slow documents.
import { parentPort } from 'node:worker_threads';
import { serverVersion, startServer, startSlowSession } from './main.ts';

if (parentPort) startSlowSession(parentPort);
else startServer(serverVersion());
