// Programs that many cases are made of.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';

/** Holds the event loop for so many ms: the decoy of many cases. */
export const BUSY = 'const busy = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };';

/** A server of Node's own, whose handler is `handle`. */
export function server(handler: string, before = ''): string {
  return dedent`
    const http = require('node:http');
    ${before === '' ? '' : `${before}\n`}function handle(req, res) {
    ${indented(handler)}
    }
    http.createServer(handle).listen(3000);

  `;
}

/** The same as an ES module. */
export function moduleServer(handler: string, before = ''): string {
  return dedent`
    import http from 'node:http';
    ${before === '' ? '' : `${before}\n`}function handle(req, res) {
    ${indented(handler)}
    }
    http.createServer(handle).listen(3000);

  `;
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}

/** A handler of one file that is asked. */
export function asked(text: string, request: string | readonly string[] = 'GET /', file = 'a.js'): Pick<TruthCase, 'files' | 'target'> {
  return { files: { [file]: text }, target: { file, function: 'handle', requests: typeof request === 'string' ? [request] : request } };
}

/** A function of one file that is called. */
export function called(
  text: string,
  name: string,
  call: string | readonly string[],
  more: Partial<TruthCase['target']> = {},
  file = 'a.js',
): Pick<TruthCase, 'files' | 'target'> {
  return { files: { [file]: text }, target: { file, function: name, calls: typeof call === 'string' ? [call] : call, ...more } };
}

/** A file that is run as it is. */
export function program(text: string, file = 'a.js'): Pick<TruthCase, 'files' | 'target'> {
  return { files: { [file]: text }, target: { file } };
}

/** An asynchronous handler of one file that is asked. */
export const served = (before: string, statements: string, request: string | readonly string[] = 'GET /', rounds?: number) => {
  const { files, target } = asked(server(statements, before).replace('function handle', 'async function handle'), request);
  return { files, target: rounds === undefined ? target : { ...target, rounds } };
};

export const WAIT = 'const wait = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));';
/** A database whose answer is the expression, which sees `text` and `values`. */
export const pool = (query: string): string => `${WAIT}\nconst pool = { query: (text, values) => ${query} };`;
/** The body of a request, parsed. */
export const BODY =
  'const body = async (req) => { const chunks = []; for await (const chunk of req) chunks.push(chunk); return JSON.parse(Buffer.concat(chunks)); };';
