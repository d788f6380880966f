// What needs no protocol, each in a process of its own: gets texts, gives back how long its work took, in ms.
//   parse            Babel with our options
//   eslint <peers>   the ESLint class's lintText with n/no-sync alone
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from '../../analysis/module/parse.ts';

export interface Work {
  file: string;
  text: string;
}

export interface Answer {
  ms: number;
  /** What was found; -1 where the text cannot be read. */
  found: number;
}

/** The slice of ESLint that is used here. */
interface EslintModule {
  ESLint: new (
    options: object,
  ) => { lintText(code: string, options: { filePath: string }): Promise<{ messages: readonly { fatal?: true }[] }[]> };
}

async function eslintOf(peers: string): Promise<(work: Work) => Promise<number>> {
  const resolve = createRequire(join(peers, 'package.json')).resolve;
  const { ESLint } = (await import(pathToFileURL(resolve('eslint')).href)) as EslintModule;
  const plugin = ((await import(pathToFileURL(resolve('eslint-plugin-n')).href)) as { default: object }).default;
  const eslint = new ESLint({
    cwd: peers,
    cache: false,
    ignore: false,
    overrideConfigFile: true,
    overrideConfig: {
      files: ['**/*.js'],
      plugins: { n: plugin },
      rules: { 'n/no-sync': 'warn' },
      languageOptions: { sourceType: 'commonjs' },
      linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
    },
  });
  return async ({ text }) => {
    const [result] = await eslint.lintText(text, { filePath: join(peers, 'server.js') });
    const messages = result?.messages ?? [];
    return messages.some((message) => message.fatal) ? -1 : messages.length;
  };
}

const [mode, peers = ''] = process.argv.slice(2);
const run: (work: Work) => Promise<number> | number =
  mode === 'eslint' ? await eslintOf(peers) : ({ file, text }) => (parse(file, text).ok ? 0 : -1);
process.on('message', (work: Work) => {
  void (async () => {
    const start = performance.now();
    const found = await run(work);
    process.send?.({ ms: performance.now() - start, found } satisfies Answer);
  })();
});
process.send?.('ready');
