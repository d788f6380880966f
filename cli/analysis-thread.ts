// Entry of a further thread that analyses files: of the command's, and of the language server's index.
import { parentPort } from 'node:worker_threads';
import { rules } from '../rules/index.ts';
import { answerBatches } from '../workspace/project-index/analysis-threads.ts';

if (!parentPort) throw new Error('analysis-thread runs as a worker thread only');
answerBatches(parentPort, rules);
