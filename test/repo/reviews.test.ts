// What two reviews found: hostile folders and bad targets, and what a new user met in the terminal and in VS Code. Each point has tests that
// fail if it comes back, or a sentence that says why it has none. The table is checked: whoever renames a test renames it here, too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../../scripts/generate.ts';

type Tests = readonly [file: string, name: string][];

/** The point, and the tests that hold it: the file, and how the test's name begins. Or why there is no test. */
const HOSTILE: readonly [point: string, tests: Tests | string][] = [
  [
    'a key of the configuration became a command link in a notification',
    [
      ['client/safe-text', 'stays text in every message, list, prompt and progress of the window'],
      ['client/safe-text', 'is shown by client/message.ts alone'],
      ['lsp/hostile-texts', 'are text in messages, hovers, diagnostics, lenses, actions and the status'],
      ['vscode/ui/hostile', 'is text in the notification about its configuration'],
      ['vscode/ui/hostile', 'is text in the language status'],
    ],
  ],
  [
    'a name of a file became a picture in a hover, which was loaded',
    [
      ['lsp/hostile-texts', 'cannot name links, become addresses, or mail in Markdown'],
      ['vscode/ui/hostile', 'is text in hovers and diagnostics'],
      ['vscode/ui/hostile', 'would be noticed, and so would a request'],
      ['vscode/ui/hostile', 'has nobody outside of this machine asked for anything'],
    ],
  ],
  [
    'threads, start scripts, NODE_OPTIONS, and links got around read-only runs',
    [
      ['profiler/read-only', 'Node ${node.version}, a ${type}: nothing is written outside and nothing is started'],
      ['profiler/read-only', 'Node ${node.version}: without it, the same tries do reach outside'],
      ['profiler/read-only', 'a start script cannot lift the restrictions'],
      ['profiler/read-only', 'what start scripts usually have is passed on'],
      ['client/agreement', 'says what a read-only run does not protect from, wherever there may be one'],
    ],
  ],
  [
    'devices and pipes took memory without limit, or never ended',
    [
      ['workspace/special-files', 'are told, not read: ${what}'],
      ['workspace/special-files', 'cost no finding of another file: ${what}'],
      ['workspace/special-files', 'do not hold up the server, on opening an untrusted folder'],
      ['workspace/special-files', 'are told where they are named'],
      ['workspace/special-files', 'are no source maps'],
      ['profiler/planted-files', 'are read where they are regular files alone'],
    ],
  ],
  [
    'a Dockerfile, a Compose file, a tsconfig.json, a PM2 file, or TypeScript of a few lines never ended',
    [
      ['workspace/bombs', 'stages that copy from themselves, and from all others'],
      ['workspace/bombs', 'services that extend each other over nine files'],
      ['workspace/bombs', 'a tsconfig.json that extends itself fifty times'],
      ['workspace/bombs', 'aliases of aliases, and arrays of arrays, in PM2 files'],
      ['workspace/bombs', 'is told as not read, and costs no finding of another file'],
      ['workspace/bombs', 'is ended by Ctrl-C'],
      ['workspace/bombs', 'holds up the editor once, and the other files keep their findings'],
    ],
  ],
  [
    'patterns took exponential time, and our own expressions quadratic time',
    [
      ['workspace/bombs', 'is a pattern: it is told and left out, the others hold'],
      ['workspace/slow-files', 'of several .gitignore files have a limit together, and the quick ones hold'],
      ['workspace/bombs', 'our own expressions, on the texts of the review'],
      ['repo/expressions', 'are linear, or read short texts only'],
    ],
  ],
  [
    'escape codes and workflow commands reached the terminal and the log',
    [
      ['cli/formats/safe-output', 'obeys nobody, in any format, and on standard error'],
      ['cli/formats/safe-output', 'has commands of our own alone with --format github'],
      ['cli/program', 'tells why a program died without what the message quotes, in each format'],
    ],
  ],
  [
    'forged evidence turned warnings into hints in silence; two writers lost verdicts',
    [
      ['workspace/evidence', 'is counted in the summary'],
      ['workspace/evidence', 'is told with the formats that hold findings alone'],
      ['workspace/evidence', 'is left out with --no-evidence'],
      ['workspace/evidence', 'keeps what several writers write at once'],
    ],
  ],
  [
    'a killed host left children and folders; a double fork with an empty environment escaped',
    [
      ['profiler/run', 'goes with its host: ${how}'],
      ['profiler/run', 'takes folders away that a killed host has left, and no others'],
      ['profiler/bad-targets', 'children that have lost their parent and their environment'],
    ],
  ],
  [
    'memory was limited for old space alone',
    [['profiler/bad-targets', 'buffers, which are not on the heap of V8, in one process and in several']],
  ],
  [
    'exit codes said 0 after failed runs, or 1 for our own errors',
    [
      ['cli/profile', 'ends with 2 where no run ended well, or nothing was answered'],
      ['cli/profile', 'ends with 3 where some runs failed and there is no verdict'],
      ['cli/lint', '2 for an error of our own, which is no finding'],
      ['profiler/bad-targets', 'code that removes the temporary folder of its run'],
    ],
  ],
  ['a deep configuration was called a bug', [['cli/config', 'is told to be nested too deeply, and not looked into']]],
  [
    'a chain of 20,000 calls was called a bug',
    [['cli/paths', 'goes through 20,000 calls, each in the function that the one before calls']],
  ],
  [
    'a million dependencies, and 68 MB of evidence, were slow',
    [
      ['workspace/special-files', 'gives the whole file, and nothing of a larger one'],
      ['workspace/evidence', 'is told and passed over where it is too large'],
    ],
  ],
  [
    '--fix changed a file outside of the tree through a link, and its owner',
    [
      ['cli/fix', 'changes nothing outside of the repository or project through a link, found or named, and says so'],
      ['cli/fix', 'keeps the owner and the group of a file, and leaves it alone where it cannot'],
    ],
  ],
  [
    'a cache with a forged checksum was believed',
    [
      ['workspace/record-cache', 'is made for its user alone'],
      ['workspace/record-cache', 'is not believed where every user may write it, or another has'],
    ],
  ],
  [
    'the README claimed for all programs that they listen on the loopback alone',
    [['profiler/requests', 'listen on free ports of the loopback, whatever they ask for']],
  ],
  [
    'a suspended process, and a top-level await, took long',
    [
      ['profiler/bad-targets', 'a process that suspends itself'],
      ['profiler/bad-targets', 'a module that waits for ever'],
      ['cli/program', 'ends the start-up of a program whose top-level await computes for ever'],
    ],
  ],
  [
    'code that replaces what Node has was not named as the reason',
    [
      ['profiler/bad-targets', 'a built-in method replaced'],
      ['profiler/bad-targets', 'a built-in class replaced'],
    ],
  ],
  [
    'a Content-Length of 2 GB left the server deaf',
    [
      ['lsp/limits/message-lengths', 'are not taken from what a message says'],
      ['lsp/process', 'ends the server, which would hear nothing any more'],
    ],
  ],
  [
    '--download-node trusted any package of the form',
    [['node-versions/wanted', "are those of one publisher: another name of the same form may be anybody's"]],
  ],
  [
    'their hashes are not pinned',
    'A pinned hash would know the Node versions of its day alone. npm checks what it downloads against the hash of the registry, and runs no script of it.',
  ],
  [
    'packages that are bundled were installed again',
    [['cli/built', 'holds the command, its chunks, the documentation, the licenses and the schema, and runs without dependencies']],
  ],
  [
    'everything at once',
    [
      ['workspace/stranger', 'is linted to its end, with its findings'],
      ['workspace/stranger', 'is opened in the editor, which answers'],
    ],
  ],
];

const USER: readonly [point: string, tests: Tests | string][] = [
  [
    '1. a finding was confirmed by a block on another line, or by the first request',
    [
      ['profiler/attribution', 'a read that never ran is not confirmed by other work of its function'],
      ['profiler/attribution', 'a regular expression above its function is confirmed where it is used'],
      ['profiler/judge/unpredicted', 'is a sentence where one block may have been the first request'],
    ],
  ],
  [
    '2. the same code was faster or slower than itself',
    [
      ['profiler/judge/cost', 'tells at most 3 of 1,000 sets of the same as different'],
      ['cli/compare', 'says of a commit with the same code that no difference is shown'],
      ['client/program-report', 'calls nothing fastest where the intervals meet'],
    ],
  ],
  [
    '3. the samples could not find their packages',
    [['repo/open', 'shows samples that find their packages, and takes no package away with them']],
  ],
  [
    '4. the report was about shapes of Node, with keys that are data, and not about the handler',
    [
      [
        'client/report',
        'shows what the user can change: no shapes of what Node makes, no keys that are data, and the handler in the timeline',
      ],
      ['client/report', 'says first what it costs and what to do; what V8 did, and how that was found, are opened'],
    ],
  ],
  [
    '5. a lens kept its old text after the second profile',
    [['lsp/profile-lenses', 'are asked for again after every profile, after the evidence is cleared, and after another program wrote it']],
  ],
  [
    '6. the page of the extension had a broken picture and began with steps of a checkout',
    [
      ['repo/extension-page', 'has no broken link or picture'],
      ['vscode/package', 'has a page without links and pictures that lead nowhere'],
    ],
  ],
  [
    '7. pages of rules opened as raw Markdown, with links that lead nowhere',
    [
      ['client/rule-documentation', 'is rendered also where it is the first Markdown in the window'],
      ['vscode/package', 'holds everything that its manifest and its code ask for'],
    ],
  ],
  [
    '8. another program was started, and a time told for a handler that never ran',
    [
      ['profiler/handler-reached', 'is not asked of a server beside it that starts no Nest application'],
      ['profiler/handler-reached', 'has no time, and that is said'],
    ],
  ],
  [
    '9. short calls were confirmed without their share of the request',
    [['profiler/judge/verdict', 'on blocking calls by what they take of a call or a request']],
  ],
  [
    '10. a closed report did not come back, nor after a reload',
    [
      ['client/report-panel', 'stays closed once the user has closed it, and comes back with the newest report'],
      ['client/report-panel', 'has the last report after a reload'],
    ],
  ],
  [
    '11. a read-only run wrote a setting',
    [['client/agreement', 'Run Read-Only holds for that run alone: nothing is written, and the next run asks again']],
  ],
  [
    '12. a cursor in a callback led nowhere, and inline handlers had no lens',
    [
      ['lsp/profile-lenses', 'stand above handlers without a name, wherever they are registered'],
      ['lsp/profile-lenses', 'asks for the arguments of that function, and says what is wrong where nothing is around it'],
      ['lsp/profile-lenses', 'means the route that its handler answers, by its request'],
    ],
  ],
  [
    '13. the menu of quick fixes vanished, or showed everything twice',
    [['vscode/ui/workbench', 'shows the light bulb and its fixes; a refused fix only when it is asked for, with the reason']],
  ],
  [
    '13. why everything twice',
    'VS Code then has two extension hosts in one window, and each asks its own server once. The client library and the server ask once (ARCHITECTURE.md).',
  ],
  [
    '14. a folder without code passed, a report could not be written into a new folder, and files were counted wrongly',
    [
      ['cli/discover', 'fails, so that a mistyped folder does not pass a build'],
      ['cli/lint', '--output-file takes the report, and standard output stays empty'],
      ['cli/formats/formats', 'counts the files of its findings among all that it looked at, deployment files too'],
      ['cli/paths', 'ends with 2 and names the folder where there is no code'],
    ],
  ],
  ['15. the status said nothing in Vue, Svelte, and notebooks', [['client/texts', 'says which files with JavaScript are not linted']]],
  [
    '16. the walkthrough profiled nothing, and samples told their answers',
    [
      ['repo/walkthrough', 'goes from a warning to its proof, its fix, the workspace and the configuration'],
      ['repo/walkthrough', 'has a sample project: a server without packages, whose warnings the steps name'],
      ['repo/open', 'shows samples whose comments do not say what is found, and the same is found'],
    ],
  ],
  [
    '17. delays of 0, no answer for a program that ends at once, and words that do not fit their number',
    [
      ['client/program-report', 'never says that a delay was 0'],
      ['cli/lag', 'answers for a program that ends at once, and says that it was not stopped'],
      ['client/texts', 'count what was found'],
    ],
  ],
  [
    '18. the hover told the path twice (for the import that a fix left, see below)',
    [['lsp/hover', 'VS Code, which shows the message itself, gets the rest']],
  ],
  [
    '19. tables of the report were cut off, bars had no numbers, and links the tooltip "#"',
    [
      ['client/report', 'has headings, named tables, and links whose places it does not know itself'],
      ['client/program-report', 'has the percentiles, a histogram in words, and each place once with its callers'],
    ],
  ],
  [
    '20. commands without an object in the palette, and offered where there is nothing; no word about Git',
    [
      ['client/texts', 'of commands are titles, and name what they do it to'],
      ['client/kept-report', 'are offered where there is one, and each by a key of the manifest'],
      ['workspace/evidence-in-git', 'asks nothing where Git does not see it, and never writes over a file'],
    ],
  ],
  [
    '20. the workspace was linted without showing its problems',
    [['client/lint-workspace', 'shows the Problems panel where there is something in it']],
  ],
  ['the English reads as translated', 'No program can tell. Texts are read by people; test/client/texts.test.ts holds their form.'],
  [
    'wishes: fix and measure in one gesture, an attack that proves an expression, routes in a view, reports that stay and can be exported',
    [
      ['vscode/ui/profile', 'applies a fix and measures it'],
      ['profiler/attack', 'has the word over a verdict that was open'],
      ['vscode/ui/routes', 'opens all routes, with what they block on, and goes to the places'],
      ['vscode/ui/profile', 'a report is exported as Markdown, into a file that the user names'],
    ],
  ],
  ['times of that day', 'They are of one machine. bench/README.md has those that are kept.'],
];

describe('what reviews found', () => {
  for (const [point, tests] of [...HOSTILE, ...USER])
    it(`${typeof tests === 'string' ? 'has a reason without a test' : 'has tests'}: ${point}`, () => {
      if (typeof tests === 'string') return assert.match(tests, /^[A-Z].*\.$/);
      for (const [file, name] of tests) {
        const text = readFileSync(join(ROOT, 'test', `${file}.test.ts`), 'utf8');
        // Of a call of `it`, and not of a comment; the name may be a template.
        assert.ok(
          [`'${name}`, `\`${name}`, `"${name}`].some((start) => text.includes(start)),
          `test/${file}.test.ts has no test "${name}"`,
        );
      }
    });
});

it("18. an import that a fix leaves unused goes with it, and the promise's form is made once", () => {
  const snapshot = readFileSync(join(ROOT, 'test/lsp/snapshots/express-shop.snap.txt'), 'utf8');
  assert.match(snapshot, /- const \{ pbkdf2Sync \} = require\('node:crypto'\);/);
  assert.match(snapshot, /\+ const pbkdf2Async = promisify\(pbkdf2\);/);
});
