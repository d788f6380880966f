// The texts of --help.

export const MAIN_HELP = `nodometer: finds performance problems in Node.js code and verifies them with profiles.

Usage
  nodometer lint [paths…]       Lint files, folders, or globs (default: the current folder)
  nodometer paths [route]       Show what a route or a function calls during a request; without an argument, list all routes
  nodometer graph [paths…]      Export the call graph of request paths as JSON, for Graphviz, or for Mermaid
  nodometer explain <rule>      Explain a rule: what it finds, why it matters, and how to fix it
  nodometer profile <file:name> Run a function, a file, or an npm script under V8 tracing to verify its warnings
  nodometer compare <file:name> Compare the time of a function with a commit, another folder, or a fix
  nodometer fix <id>            Apply the first fix of one finding, by its ID from \`nodometer lint --format agent\`
  nodometer import <file>       Read a profile, coverage, or traces from production, to order findings by their share
  nodometer lag <file.js>       Measure how long a program blocks its event loop, and where
  nodometer load                Put a route of a server under load: requests per second, latency, and what limits them
  nodometer lsp --stdio         Start the language server for editors
  nodometer mcp                 Start a server for coding agents (Model Context Protocol)
  nodometer rules               List all rules with severity, fixes, and Node versions
  nodometer --version           Print the version

  nodometer <command> --help    Show the options of a command
`;

export const PROFILE_HELP = `Usage: nodometer profile [options] <file.js:function>
       nodometer profile [options] <file.js> [-- arguments]
       nodometer profile [options] --script <name> [-- arguments]

Runs a function repeatedly under V8 tracing and event loop monitoring, and reports for each warning in it whether Node
confirms it. Specify the function by name (\`add\`, \`Cart.total\`), by line (\`file.js:12\`), or by line and column (\`file.js:12:5\`).

The function is called with the first of these that exists: \`--call\`; a comment \`@profile add(1, 2)\` above it; the calls
in its JSDoc \`@example\`; calls in the project whose arguments can be reconstructed, those in tests last; no arguments, if
it takes none.
A request handler, or a function that only request handlers call, is reached by requests: \`--request\`; a comment
\`@profile GET /users/1\`; the routes of the project. Nodometer then starts the program with its servers on free ports of
127.0.0.1 and sends the requests there.

Without a function, the whole file is run like \`node file.js\`. With \`--script\`, the npm script of the nearest package.json
is run with all Node programs that it starts. Each is run six times (seven on Node 20 and older), once for each kind of
evidence, until it ends or the time is up. The report shows locations in your own files; events in packages and in Node itself are only counted.

      --call <code>         A call as source code, such as --call "add(1, 2)"; can be given several times
      --request <request>   A request that reaches the function, such as --request "GET /users/1"; can be given several times
      --body <text>         Body of these requests (default for POST, PUT, and PATCH: {})
      --entry <file>        The file that starts the server (default: the file itself if it calls \`listen\`; else the file
                            in the \`start\` script or \`main\` of package.json; else the only one of server, index, app,
                            and main next to package.json that calls \`listen\`). Its arguments come after \`--\` (default:
                            those of the \`start\` script)
      --script <name>       A script in package.json
      --time <seconds>      Time for all runs of a function together (default 5), or for each run of a program (default 10)
      --node <nodes>        Node versions (20, 22.11.0) or paths of Node binaries, separated by commas. Each is measured, and
                            the results are compared. Versions are searched on the PATH and in nvm, fnm, Volta, asdf, mise,
                            and n
      --download-node       Download missing versions from the npm registry into a cache folder
      --cpu-profile <file>  Save a CPU profile (file.cpuprofile), which VS Code and Chrome DevTools can open
      --save, --no-save     Save the verdicts to .nodometer/evidence.json, which \`nodometer lint\` reads (default: yes)
      --exports             For libraries: also check what callers of exported functions may pass, and what each call runs
      --read-only           Use Node's permission model: the code can read files, but cannot write files or start processes.
                            On Node 20 and 22, execution counts, exceptions, and event loop blocks are then not measured
      --annotate            Show the function's source, with the CPU time, the verdicts, and the deoptimizations of each line
      --verbose             Also show the functions inside packages and what V8 did: tiers, shapes, and type feedback
                            (in markdown and json: always)
  -y, --yes                 Do not ask before running the code
  -f, --format <name>       text (default), json, markdown, or agent (one line per result)
  -o, --output-file <path>  Write the report to a file
      --color, --no-color   Force or disable colors

Exit codes: 0 nothing confirmed, 1 a problem confirmed or a cost measured that no rule predicted, 2 could not run,
3 inconclusive (for a program: it failed, or a warning that was reached could be neither confirmed nor refuted).
`;

export const COMPARE_HELP = `Usage: nodometer compare (--base <commit> | --against <folder> | --fix <rule>) [options] <file.js:function>
       nodometer compare (--base <commit> | --against <folder>) [options] <file.js> [-- arguments]
       nodometer compare (--base <commit> | --against <folder>) [options] --script <name> [-- arguments]
       nodometer compare --load …  (see nodometer compare --load --help)

Compares the time of a function, of the requests that reach it, or of a program that exits by itself with another version
of the code.
Each version runs in fresh processes, which take turns. A difference is reported only if the interval of the differences
between the processes excludes zero. Nodometer does not change your files: it copies a commit to a temporary folder, and
keeps a fix in memory. A program runs from its start to its exit, within 60 seconds.

      --base <commit>       Compare with a branch, tag, or commit, with the packages that are installed now
      --against <folder>    Compare with the same file in another folder
      --fix <rule>          Compare with the first fix of this rule for a finding in the function
      --call <code>         A call as source code; can be given several times (default: as for nodometer profile)
      --request <request>   A request that reaches the function; can be given several times
      --body <text>         Body of these requests (default for POST, PUT, and PATCH: {})
      --entry <file>        The file that starts the server
      --script <name>       A script in package.json, with the programs that it starts
      --rounds <number>     Processes of each version, 6 to 200 (default 12); more show smaller differences
      --tolerance <percent> Slower by less than this counts as no difference (default 5)
      --node <node>         Another Node: a version (22) or a path
      --download-node       Download a missing version from the npm registry into a cache folder
      --read-only           Run under Node's permission model: no child processes, no writing
  -y, --yes                 Do not ask before running the code
  -f, --format <name>       text (default), json, markdown, or agent (one line per result)
  -o, --output-file <path>  Write the report to a file
      --color, --no-color   Force or disable colors

Exit codes: 0 not slower, 1 slower, 2 could not run, 3 inconclusive: the times vary too much to rule out 20 % more.
`;

export const LAG_HELP = `Usage: nodometer lag [options] <file.js> [-- arguments]
       nodometer lag [options] --script <name> [-- arguments]

Runs a program, monitors its event loop, and reports the delay, the utilization, and the longest blocks with the code that
was running. A server is stopped when the time is up; generate load on it in the meantime.

      --time <seconds>      How long to monitor (default 10); a program that ends earlier is monitored to its end
      --threshold <ms>      Minimum length of the blocks to report (default 50)
      --script <name>       A script in package.json, with the Node programs that it starts
      --node <node>         Another Node: a version (22) or a path
      --download-node       Download a missing version from the npm registry into a cache folder
  -y, --yes                 Do not ask before running the program
  -f, --format <name>       text (default), json, or markdown
  -o, --output-file <path>  Write the report to a file
      --color, --no-color   Force or disable colors

Exit codes: 0 no block over the threshold, 1 at least one block, 2 could not be measured.
`;

export const LOAD_HELP = `Usage: nodometer load [options] [-- arguments]

Starts a server on a free port of 127.0.0.1, sends it requests from a separate process, and reports requests per second,
latency, the delay of the event loop, and what happens per request. The server runs twice: once with nothing but clocks, for
the figures, and once with detailed monitoring, for the causes. It is warmed up before it is measured, and stopped afterward
with everything that it started. Requests are never sent to another host.

      --entry <file>        The file that starts the server
      --script <name>       A script in package.json that starts it (default: start)
      --route <request>     The request, such as "GET /users/1" or "POST /users -H 'x-key: 1' {}" (default: GET /). What it
                            leaves open comes from a comment above the handler (@profile GET /users/1), or from an OpenAPI file
      --body <text>         Body of the request (default for POST, PUT, and PATCH: {})
      --openapi <file>      The OpenAPI file (default: openapi.json, swagger.yaml, and the like, also in docs, api, spec, public)
      --connections <n>     Connections, each with one request at a time (default 10)
      --duration <seconds>  How long to measure (default 10)
      --warm-up <seconds>   How long to send requests before that (default 1)
      --rate <n>            Total requests per second. Latencies then count from when a request was due
      --node <node>         Another Node: a version (22) or a path
      --download-node       Download a missing version from the npm registry into a cache folder
  -y, --yes                 Do not ask before running the program
  -f, --format <name>       text (default), json, markdown, or agent (one line per result)
  -o, --output-file <path>  Write the report to a file
      --color, --no-color   Force or disable colors

To compare two versions of a server, use \`nodometer compare --load\`.

Exit codes: 0 measured, 2 could not be measured, 3 no result: more than 1 % of the requests failed, or the server exited.
`;

export const COMPARE_LOAD_HELP = `Usage: nodometer compare --load <what> [options] [-- arguments]
       nodometer compare --load --fix <rule> [options] <file.js:function>

Compares a route of a server under load with another version of it. Each version runs in fresh processes, which take turns,
each of them warmed up and measured once. A difference is reported only if the interval of the ratio between the processes
excludes 1.

      --node-env            NODE_ENV=development against NODE_ENV=production
      --env <NAME=a,b,…>    Values of an environment variable, such as UV_THREADPOOL_SIZE=4,16. An empty one leaves it unset
      --node <a,b,…>        Node versions, such as 22,24
      --node-option <flag>  Without and with a Node flag, such as --node-option=--max-semi-space-size=64
      --base <commit>       Compare with a branch, tag, or commit, with the packages that are installed now
      --against <folder>    Compare with the same program in another folder
      --fix <rule>          Compare with the first fix of this rule for a finding in the function
      --entry <file>        The file that starts the server
      --script <name>       A script in package.json that starts it (default: start)
      --route <request>     The request (default: GET /; with --fix, as for nodometer profile). What it leaves open comes from
                            a comment above the handler (@profile GET /users/1), or from an OpenAPI file
      --body <text>         Body of the request
      --openapi <file>      The OpenAPI file (default: as for nodometer load)
      --connections <n>     Connections, each with one request at a time (default 10)
      --duration <seconds>  How long each process is measured (default 2)
      --warm-up <seconds>   How long to send requests before that (default 1)
      --rate <n>            Total requests per second; then the 99th percentile of the latency is compared
      --rounds <number>     Processes of each version, 6 to 200 (default 12); more show smaller differences
      --tolerance <percent> A smaller difference counts as none (default 5)
      --node <node>         Another Node: a version (22) or a path
      --download-node       Download a missing version from the npm registry into a cache folder
  -y, --yes                 Do not ask before running the program
  -f, --format <name>       text (default), json, markdown, or agent (one line per result)
  -o, --output-file <path>  Write the report to a file
      --color, --no-color   Force or disable colors

With three values or more, the report has a bar for each, and says which one is enough.

Exit codes: 0 not slower, 1 slower, 2 could not run, 3 inconclusive. With three values or more: 0, 2, or 3.
`;

export const FIX_HELP = `Usage: nodometer fix [options] <id>

Applies the first fix of one finding. \`nodometer lint --format agent\` shows the ID of each finding. The ID stays the same as long
as the code of the finding and the names of its function and file do. Fixes that need a review are applied, too: check the
change, and run the tests. Nodometer refuses a fix whose result cannot be parsed or uses undeclared names.

      --dry-run             Change nothing, and say what would be changed
  -f, --format <name>       text (default), or agent (one line)
  -c, --config <path>, --no-config, --no-cache, --cache-location <p>, --node <range>
                            The same as for \`nodometer lint\`

Exit codes: 0 fixed, 2 could not be fixed: no such finding, no fix, or a file that cannot be written.
`;

/** Of commands that read the project as `lint` does. */
const PROJECT_OPTIONS = `  -o, --output-file <path>  Write to a file instead of standard output
      --node <range>        This and the following options are the same as for \`nodometer lint\`
  -c, --config <path>, --no-config
      --ignore <pattern>, --no-ignore
      --no-cache, --cache-location <p>
      --no-progress
`;

export const IMPORT_HELP = `Usage: nodometer import [options] <files…>
       nodometer import --list | --remove <name>

Reads profiles, coverage, or traces from production, finds the recorded functions in the project, and saves their shares to
.nodometer/production.json. Findings then show their share (\`4 % of samples in production, 21 November\`), and can be ordered
by it. Verdicts, severities, and exit codes stay the same: a lot of time in a function confirms nothing, and no time refutes
nothing. Also lists functions that take time and have no finding.

Files, recognized by their content (compressed with gzip, too):
  .cpuprofile               from \`node --cpu-prof\` or DevTools
  pprof                     from @datadog/pprof, Pyroscope, or another profiler that writes pprof
  V8 coverage               from NODE_V8_COVERAGE: how often functions were called
  OTLP/JSON                 spans of servers with \`http.route\`, one request or one on each line
Several files of the same kind count as one recording, such as the profiles of all processes in a cluster.

      --name <name>         Name of the import (default: the name of the file). Another import with this name replaces it
      --commit <commit>     The commit that ran. Functions that have moved since are found by their text. Without it, they must be
                            where they were: with the same name, line, and column
      --date <yyyy-mm-dd>   When it was recorded (default: from the file, or the date of the file)
      --path-prefix <a=b>   Folder a of the recording is folder b here, such as /app=. (repeatable). By default, paths are
                            matched by their end, if only one file has it
      --top <n>             Maximum number of functions in each list (default 20)
      --no-save             Only show it
      --list                List all imports
      --remove <name>       Remove an import; can be given several times
  -f, --format <name>       text (default) or json
${PROJECT_OPTIONS}
Exit codes: 0 imported, 2 could not be read, or nothing to import.
`;

export const MCP_HELP = `Usage: nodometer mcp [options] [folder]

Starts a server for coding agents on standard input and output (Model Context Protocol), for one folder (default: the current
folder). Tools: \`findings\` lists findings, \`explain\` explains one with its request path, its code, and its fixes, \`prove\` runs a
function to judge its findings, and \`compare\` compares the time of a function with a commit or a fix.

      --allow-run           Allow \`prove\` and \`compare\`, which execute code of the folder. Otherwise, they refuse
      --allow-writes        Let that code write files and start processes. By default it runs under Node's permission model
                            (\`--read-only\`), which is a safety net, not a sandbox. Requires --allow-run

Answers have up to 8,000 characters; a cursor leads to the rest.
`;

export const LSP_HELP = `Usage: nodometer lsp --stdio

Starts the language server. Editors run this command. It uses the Language Server Protocol over standard input and output.

      --stdio               Use standard input and output
      --socket=<port>, --pipe=<name>, --node-ipc
                            Other transports that editors use
`;

export const LINT_HELP = `Usage: nodometer lint [options] [paths…]

Paths are files, folders, or globs. The default is the current folder. A path that is named explicitly is linted even if
.gitignore excludes it or it is inside node_modules.

Report
  -f, --format <name>       stylish (default), json, sarif, github, gitlab (Code Quality), junit, markdown, or agent (one line
                            per finding). Can be given several times, each with a file: sarif:report.sarif
  -o, --output-file <path>  Write the report to a file instead of standard output
      --report-suppressed   Include findings that comments or the baseline suppress; SARIF only. GitHub shows them as open
      --no-evidence         Ignore the verdicts in .nodometer/evidence.json, which can lower a warning to a hint, and what
                            \`nodometer import\` has saved
      --order <name>        place (default), or production: largest share of samples and requests first (see
                            \`nodometer import\`)
      --require-evidence    Fail on warnings that no profile has verified (see \`nodometer profile\`)
      --quiet               Show errors only; the exit code stays the same
      --color, --no-color   Force or disable colors; NO_COLOR and FORCE_COLOR also work
      --no-progress         Do not show progress on standard error

Baseline and changes
      --baseline [file]     Do not report the findings in this baseline (default: .nodometer/baseline.json, here or in a folder
                            above, up to the root of the repository). The name must end with .json or follow \`=\`
      --update-baseline     Accept all findings: write them to the baseline, and remove those that are gone
      --baseline-reason <r> Why the findings that --update-baseline adds are accepted
      --prune-baseline      Remove findings that are gone from the baseline, and add none
      --since <git ref>     Report only findings on lines that have changed since this branch, tag, or commit, and findings whose
                            request path leads through such lines. The whole project is still analyzed

Rules
      --rule <id>=<level>   off, hint, warning, or error; can be given several times
      --node <range>        Node versions that the code runs on, such as ">=20". By default, the first of these is used:
                            \`node\` in the configuration, engines.node, .nvmrc, .node-version, volta, .tool-versions,
                            mise.toml, devEngines.runtime, in the project folder or above it; else the current Node version
      --exports             For libraries: also check what callers of exported functions may pass, and what each call runs
  -c, --config <path>       Use this configuration for all files; its globs are relative to the current folder
      --no-config           Use no configuration. By default, the nearest nodometer.config.json above a file applies

Files
      --ignore <pattern>    Ignore files that match a .gitignore pattern; can be given several times
      --no-ignore           Ignore .gitignore files and \`ignores\` in the configuration
      --list-files          List the files that would be linted, and exit
      --no-project          Analyze only the named files. By default, all files of their project are analyzed, because what
                            runs during a request often depends on other files
      --shard <i>/<n>       Report part i of n, to split a run across machines; together, the parts report the same as one run
      --stdin               Lint standard input
      --stdin-filename <p>  Path for standard input; determines its syntax, project, and configuration

Fixes
      --fix                 Apply safe fixes. With --stdin, the fixed text is written to standard output and the report to
                            standard error
      --fix-type <kind>     safe, or suggestion to also apply fixes that need a review. Fixes that change several files are
                            never applied; editors offer them. Implies --fix
      --fix-kind <name>     Also apply suggestions whose result depends on more than the code: startup-read, first-read,
                            undefined-field, initial-field, start-script, parallel-calls,
                            child-process, nested-try, or message-order. Repeatable. Implies --fix-type suggestion
      --fix-dry-run         Apply fixes in memory only, and report the findings that remain

Cache
      --no-cache            Analyze every file again. By default, results are cached in the user's cache folder until the text,
                            the settings, or the version changes
      --cache-location <p>  A file or folder for the cache, such as one that a CI system saves

Exit code
      --max-warnings <n>    Fail if there are more warnings than this (default: no limit)
      --exit-zero           Exit with 0 instead of 1
      --pass-on-no-files    Exit with 0 instead of 2 if there is nothing to lint
  0    no errors, and no more warnings than allowed (hints never count, nor does what --baseline or --since leave out)
  1    errors, or too many warnings
  2    could not run: invalid arguments or configuration, a missing path, nothing to lint, a missing or damaged baseline, an
       unknown commit, or a rule that crashed
  130  interrupted with Ctrl-C: no report is written; files that were already fixed stay fixed

Files that cannot be parsed are listed on standard error and counted. They do not affect the exit code.
`;

export const PATHS_HELP = `Usage: nodometer paths [options] [route or function]

Shows what a route or a function calls during a request, as a call tree with locations and findings.
Without an argument, lists all routes of the project in the current folder, and other handlers of requests, messages, and
jobs.

  "GET /users/:id"          A route, a path that it matches (/users/12), or a part of it (users)
  Users.show                A function; also shows the routes that reach it, with the shortest path for each
  src/users.js:show         The function with this name in this file
  src/users.js:12           The function that starts on this line, or the innermost one around it

A tree shows each function once, on its shortest path. It shows only the findings of rules about request paths.

  -f, --format <name>       text (default) or json
      --max-nodes <n>       Maximum number of functions in a tree (default 200); paths to findings are kept first
      --color, --no-color   Force or disable colors
${PROJECT_OPTIONS}
Exit codes: 0 found, 2 nothing matches (the closest names are listed) or could not run.
`;

export const GRAPH_HELP = `Usage: nodometer graph [options] [paths…]

Exports the call graph of the projects that the paths belong to (default: the current folder): the functions that run
during a request, the routes that lead to them, and the findings in them.

  -f, --format <name>       json (default), dot (Graphviz), or mermaid
      --all                 Include functions that no request reaches
      --max-nodes <n>       Maximum number of functions (default 200); paths to findings are kept first, and omitted functions
                            are counted
${PROJECT_OPTIONS}
Exit codes: 0 written, 2 could not run.
`;

export const EXPLAIN_HELP = `Usage: nodometer explain [--format text|json] <rule>

Explains a rule: what it finds, why it matters, bad and good code, and measurements.
`;

export const RULES_HELP = `Usage: nodometer rules [--format text|json]

Lists all rules with ID, group, default severity, strongest fix, Node versions, and summary.
`;
