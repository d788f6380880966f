// A service that sends its log of 64 MB. It reads all of it before the first byte is sent.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LINE = 'a request came at noon, and was answered\n';
const LINES = 1_560_000;
const folder = mkdtempSync(join(tmpdir(), 'nodometer-log-'));
const logFile = join(folder, 'access.log');
writeFileSync(logFile, LINE.repeat(LINES));
process.once('exit', () => rmSync(folder, { recursive: true }));

export const createService = () =>
  createServer(async (request, response) => {
    response.end(await readFile(logFile));
  });

/** Starts the service, asks for the log, and gives its first bytes as soon as they are there. */
export async function beginningOfLog(length) {
  const service = createService().listen(0, '127.0.0.1');
  await once(service, 'listening');
  const asked = get({ host: '127.0.0.1', port: service.address().port, agent: false });
  const [response] = await once(asked, 'response');
  const [piece] = await once(response, 'data');
  response.destroy();
  service.close();
  return piece.toString('utf8', 0, length);
}
