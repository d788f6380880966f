// Runs programs one after the other and says what each did. Its argument is a file that lists them.
// A program exports an `http.Server` as `server` (or a function that makes one), or a function `run` that gives what is to be compared.
const http = require('node:http');
const fs = require('node:fs');
const path = require('node:path');

let fatal = [];
// From Node 26 on, the message of a rejection names the folder that was read; that of the error thrown does not.
const withoutFolder = (text) => text.replace(/(EISDIR: illegal operation on a directory, read) '[^']*'/, '$1');
const told = (error) => withoutFolder(String(error && error.message !== undefined ? error.message : error)).replaceAll(process.cwd(), '.');
// What ends a process, with the same exit code: an error that is thrown, and a rejection that nobody handles.
process.on('uncaughtException', (error) => fatal.push(told(error)));
const quiet = () => {};
for (const name of ['log', 'info', 'warn', 'error']) console[name] = quiet;

const { programs, answerTimeout } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));

(async () => {
  const outcomes = [];
  for (const program of programs) {
    fatal = [];
    outcomes.push({ name: program.name, ...(await runProgram(program)) });
  }
  fs.writeFileSync(process.argv[3], JSON.stringify(outcomes));
  process.exit(0);
})();

async function runProgram({ directory, requests }) {
  process.chdir(directory);
  process.env.PROGRAM_DIRECTORY = directory;
  let server;
  const answers = [];
  try {
    const program = require(path.join(directory, 'main.js'));
    if (program.run) answers.push(await bounded(program.run()));
    server = typeof program.server === 'function' ? await program.server() : program.server;
    if (server) {
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address();
      for (const group of requests) {
        const list = Array.isArray(group) ? group : [group];
        answers.push(await Promise.all(list.map((one) => ask(port, one))));
      }
    }
  } catch (error) {
    return { start: told(error), answers, fatal };
  } finally {
    server?.closeAllConnections?.();
    server?.close?.();
  }
  // Rejections are told a turn later.
  await new Promise((resolve) => setTimeout(resolve, 10));
  return { answers, fatal };
}

function bounded(promise) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, answerTimeout * 2, 'no end')));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function ask(port, { path: address, method = 'GET', body }) {
  return new Promise((resolve) => {
    const request = http.request({ port, host: '127.0.0.1', path: address, method, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () =>
        done({
          status: response.statusCode,
          text: withoutFolder(text)
            .replaceAll(process.cwd(), '.')
            // On Node 26, errors of promises have no stack.
            .replace(/\n? {4}at .*|<br> &nbsp.*?(?=<\/pre>|$)/gm, ''),
        }),
      );
    });
    const timer = setTimeout(() => {
      request.destroy();
      done('no answer');
    }, answerTimeout);
    const done = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    request.on('error', (error) => done(`error: ${error.code}`));
    request.end(body);
  });
}
