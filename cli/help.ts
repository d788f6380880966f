// The texts of --help.

export const MAIN_HELP = `nodometer: finds performance problems in Node.js code and says how to prove them.

Usage
  nodometer lint [paths…]       Lint files, folders or globs (default: the current folder)
  nodometer paths [route]       What a route or a function reaches while a request waits; without it, all routes
  nodometer graph [paths…]      Who calls whom on request paths, as JSON, for Graphviz or for Mermaid
  nodometer explain <rule>      What a rule finds, why it costs, what to do
  nodometer profile <file:name> Run a function, a file or an npm script under V8's own tracing: is the warning true?
  nodometer lag <file.js>       How long does a program hold its event loop up, and where?
  nodometer lsp --stdio         The language server, for editors
  nodometer rules               All rules with severity, fixes and Node versions
  nodometer --version

  nodometer <command> --help    Options of a command
`;

export const PROFILE_HELP = `Usage: nodometer profile [options] <file.js:function>
       nodometer profile [options] <file.js> [-- arguments]
       nodometer profile [options] --script <name> [-- arguments]

Runs the function many times under V8's own tracing and event-loop measurement, and says of each warning in it whether
Node confirms it. The function may be named (\`add\`, \`Cart.total\`) or told by a line (\`file.js:12\`).

How it is called, the first that there is: \`--call\`; a comment \`@profile add(1, 2)\` above it; the calls of its JSDoc
\`@example\`; calls in the project with arguments that can be rebuilt, those of tests last; no arguments, if it takes none.
What answers requests, or is called only by what does, is reached by requests: \`--request\`; a comment
\`@profile GET /users/1\`; the routes of the project. The program is then started with its servers on free ports of
127.0.0.1, and asked from there.

Without a function, the whole file is run as \`node file.js\` does, or the npm script of the nearest package.json with all
Node programs that it starts: six times, once for each kind of evidence, each time until it ends by itself or the time is
over. Told are the places in your own files; what happens in packages and in Node itself is counted.

      --call <code>         A call as source text, e.g. --call "add(1, 2)"; may be given several times
      --request <request>   A request that reaches the function, e.g. --request "GET /users/1"; may be given several times
      --body <text>         Body of these requests (default for POST, PUT and PATCH: {})
      --entry <file>        The file that starts the server (default: the file itself when it calls \`listen\`; the one
                            that the \`start\` script or \`main\` of package.json names; the only one of server, index,
                            app and main beside package.json that calls \`listen\`)
      --script <name>       A script of package.json
      --time <seconds>      For all runs of a function together (default 5); for each run of a program (default 10)
      --node <nodes>        Versions (20, 22.11.0) or paths of Nodes, separated by commas: each is measured, and they are
                            shown side by side. Versions are looked for on the PATH and with nvm, fnm, Volta, asdf, mise, n
      --download-node       Versions that are missing are fetched from npm's registry and kept in a cache folder
      --cpu-profile <file>  Keeps a CPU profile (file.cpuprofile), which VS Code and Chrome's DevTools open
      --save, --no-save     Whether the verdicts are kept in .nodometer/evidence.json, which \`nodometer lint\` reads (default: yes)
      --read-only           Under Node's permission model: the code can read files, but write none and start nothing. On
                            Node 20 and 22 less is seen then: not how often code ran, what was thrown, what blocked
  -y, --yes                 Does not ask before the code is run
  -f, --format <name>       text (default), json or markdown
  -o, --output-file <path>  Write the report to a file
      --color, --no-color

Exit codes: 0 nothing confirmed, 1 a problem confirmed, 2 could not run, 3 inconclusive (of a program: it failed, or
a warning that was reached could be judged neither way).
`;

export const LAG_HELP = `Usage: nodometer lag [options] <file.js> [-- arguments]
       nodometer lag [options] --script <name> [-- arguments]

Runs a program, watches its event loop, and shows the delay, the utilisation, and the longest blocks with the code that
was running. A server is ended after the time; put load on it meanwhile.

      --time <seconds>      How long it is watched (default 10); a program that ends earlier is watched to its end
      --threshold <ms>      Blocks from this length on are told (default 50)
      --script <name>       A script of package.json, with the Node programs that it starts
      --node <node>         Another Node: a version (22) or a path
      --download-node       A version that is missing is fetched from npm's registry and kept in a cache folder
  -y, --yes                 Does not ask before the program is run
  -f, --format <name>       text (default), json or markdown
  -o, --output-file <path>  Write the report to a file
      --color, --no-color

Exit codes: 0 no block over the threshold, 1 some, 2 could not be measured.
`;

export const LSP_HELP = `Usage: nodometer lsp --stdio

The language server, started by editors. It speaks the Language Server Protocol over standard input and output.

      --stdio               Standard input and output
      --socket=<port>, --pipe=<name>, --node-ipc
                            Other ways that editors use
`;

export const LINT_HELP = `Usage: nodometer lint [options] [paths…]

Paths are files, folders or globs; the default is the current folder. A path that is named is linted
even where .gitignore leaves it out, or inside node_modules.

Report
  -f, --format <name>       stylish (default), json, sarif or github
  -o, --output-file <path>  Write the report to a file instead of standard output
      --require-evidence    Fail on warnings that no profile has judged (see \`nodometer profile\`)
      --quiet               Show errors only; the exit code stays the same
      --color, --no-color   Colours whatever the terminal; NO_COLOR and FORCE_COLOR work too
      --no-progress         No progress line on standard error

Rules
      --rule <id>=<level>   off, hint, warning or error; may be given several times
      --node <range>        Node versions that the code runs on, e.g. ">=20"; otherwise the first of: \`node\` in
                            the configuration, engines.node, .nvmrc, .node-version, volta, .tool-versions, mise.toml,
                            devEngines.runtime, in the project's folder or above it; else the Node that runs this
  -c, --config <path>       Use this configuration everywhere; its globs are relative to the current folder
      --no-config           Use no configuration. Otherwise the nearest nodometer.config.json above a file holds

Files
      --ignore <pattern>    Leave out, written as in .gitignore; may be given several times
      --no-ignore           Read no .gitignore and no \`ignores\` of a configuration
      --list-files          Print the files that would be linted, and stop
      --no-project          Take the files that are named for the whole project. Otherwise all files of their project count:
                            what runs while a request waits is often decided in another file
      --shard <i>/<n>       Report part i of n, for several machines; together they report the same as one
      --stdin               Lint standard input
      --stdin-filename <p>  The path that it would have: decides syntax, project and configuration

Fixes
      --fix                 Make the safe fixes
      --fix-type <kind>     safe, or suggestion: also make the fixes that you should look at; never those that
                            change several files, which editors offer. Includes --fix
      --fix-dry-run         Make the fixes in memory only: shows what would be left
                            With --stdin the fixed text goes to standard output, the report to standard error

Cache
      --no-cache            Analyse every file anew. Otherwise what was found out about a text is kept for the next run, in the
                            user's folder for caches; another text, setting or version is analysed anew
      --cache-location <p>  A file, or a folder for it, e.g. one that a CI system keeps

Exit code
      --max-warnings <n>    More warnings than this count as a failure (default: any number is fine)
      --exit-zero           0 instead of 1
  0    no errors, and no more warnings than allowed (hints never count)
  1    errors, or too many warnings
  2    could not run: wrong arguments, broken configuration, missing path, or a rule that crashed
  130  stopped with Ctrl-C: no report is printed; files fixed before that stay fixed

Files that cannot be parsed are named on standard error and counted; they do not change the exit code.
`;

/** Of commands that read the project as `lint` does. */
const PROJECT_OPTIONS = `  -o, --output-file <path>  Write to a file instead of standard output
      --node <range>        As for \`nodometer lint\`, like the following
  -c, --config <path>, --no-config
      --ignore <pattern>, --no-ignore
      --no-cache, --cache-location <p>
      --no-progress
`;

export const PATHS_HELP = `Usage: nodometer paths [options] [route or function]

What a route or a function runs while a request waits: its calls as a tree, with places, and the findings on the way.
Without an argument: all routes of the project in the current folder, and what else answers requests, messages and jobs.

  "GET /users/:id"          A route; also a path that it takes (/users/12), or a part of it (users)
  Users.show                A function; told with it is which routes reach it, by the shortest way each
  src/users.js:show         The one of this file
  src/users.js:12           The one that starts on this line, or the innermost around it

Each function stands in a tree once, where it is reached soonest. Findings are those about request paths.

  -f, --format <name>       text (default) or json
      --max-nodes <n>       Functions in a tree (default 200); ways to findings are kept first
      --color, --no-color
${PROJECT_OPTIONS}
Exit codes: 0 found, 2 nothing matches (the closest names are told) or it could not run.
`;

export const GRAPH_HELP = `Usage: nodometer graph [options] [paths…]

The call graph of the projects that the paths belong to (default: the current folder): functions that run while a
request waits, the routes that lead there, and the findings in them.

  -f, --format <name>       json (default), dot (Graphviz) or mermaid
      --all                 Also functions that no request reaches
      --max-nodes <n>       Functions at most (default 200); ways to findings are kept first, and what is left out is counted
${PROJECT_OPTIONS}
Exit codes: 0 written, 2 could not run.
`;

export const EXPLAIN_HELP = `Usage: nodometer explain [--format text|json] <rule>

Prints what a rule finds, why it costs, bad and good code, and what was measured.
`;

export const RULES_HELP = `Usage: nodometer rules [--format text|json]

Lists the rules: id, group, default severity, strongest fix, Node versions where it holds, summary.
`;
