// What VS Code starts: the server's process and nothing else.
import { serverVersion, startServer } from './main.ts';

startServer(serverVersion());
