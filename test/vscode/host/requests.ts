// Who is asked for something outside of this machine: by the browser, through a proxy that answers nothing, and by the processes of VS
// Code's server, through a module that each of them loads.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RECORDER = join(dirname(fileURLToPath(import.meta.url)), 'connections.cjs');

/** A proxy of the machine would be the only host that anything connects to. */
const NO_PROXY = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
    [name, ''],
    [name.toUpperCase(), ''],
  ]),
);

export interface Requests {
  /** For the browser. */
  proxy: string;
  /** For VS Code's server. */
  env: Readonly<Record<string, string>>;
  /** Hosts that the browser asked for. */
  ofBrowser(): readonly string[];
  /** Hosts that a process of the server connected to, with its command line. */
  ofServer(): readonly { host: string; process: string }[];
  /** Command lines of the processes that are recorded. */
  processes(): readonly string[];
  stop(): Promise<void>;
}

/** `folder`: for the record of the processes. */
export async function recordRequests(folder: string): Promise<Requests> {
  const hosts: string[] = [];
  const record = join(folder, 'connections.jsonl');
  const proxy = createServer((request, response) => {
    hosts.push(URL.canParse(request.url ?? '') ? new URL(request.url ?? '').hostname : String(request.headers.host));
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    hosts.push(String(request.url).replace(/:\d+$/, ''));
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const lines = (): { host: string | null; process: string }[] =>
    existsSync(record)
      ? readFileSync(record, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as { host: string | null; process: string })
      : [];
  return {
    proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    env: { ...NO_PROXY, NODE_OPTIONS: `--require=${JSON.stringify(RECORDER)}`, NODOMETER_TEST_CONNECTIONS: record },
    ofBrowser: () => hosts,
    ofServer: () => lines().flatMap(({ host, process }) => (host === null ? [] : [{ host, process }])),
    processes: () => lines().flatMap(({ host, process }) => (host === null ? [process] : [])),
    stop: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
