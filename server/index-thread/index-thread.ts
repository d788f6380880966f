// The entry of the thread that holds the index of the project.
import { parentPort } from 'node:worker_threads';
import { rules } from '../../rules/index.ts';
import { ProjectIndex } from './project-index.ts';
import type { IndexMessage, IndexRequest } from '../shared/index-messages.ts';
import { yieldToTyping } from '../shared/thread-priority.ts';

const port = parentPort;
if (!port) throw new Error('index-thread runs as a worker thread of the language server only');

const post = (message: IndexMessage): void => port.postMessage(message);
const log = (message: string): void => post({ kind: 'log', message });
yieldToTyping(log);
const index = new ProjectIndex({ rules, now: () => performance.now(), log, post });
port.on('message', (request: IndexRequest) => void index.handle(request));
