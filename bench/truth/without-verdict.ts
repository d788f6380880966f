// Messages that no case of the truth bench covers, because no profile can give a verdict on them, and why. A new message needs a case or a
// row here (test/repo/truth-cases.test.ts); README.md has the same rows.

const ENVIRONMENT =
  'A profile runs code in one environment. `nodometer compare --load --node-env` compares two, and gives figures rather than a verdict on a finding.';
const HEAP =
  'A profile starts Node itself, with a heap limit of its own and outside of the container: what the finding is about is not part of the run.';
const CLUSTER =
  'How many processes are started is known without a run. What it costs depends on the CPU quota of the container, which a profile does not have.';

const START =
  'It is about the start of a command. A profile of functions starts once, and `nodometer compare --script` compares starts, with figures rather than a verdict on a finding.';
const MEMORY =
  'It is about memory, and the time until the first byte of a response: a profile judges neither, and says that it is inconclusive.';

/** By rule and message. */
export const WITHOUT_VERDICT: Readonly<Record<string, string>> = {
  'no-setup-per-request views':
    'The line runs once, while the program starts. What it costs is spent later, inside of the engine, and a profile has no version of the program without it.',
  'no-slow-start late': START,
  'no-slow-start program': START,
  'no-slow-start uncached': START,
  'no-throw-in-hot-path oldTry': 'It is about Node 7 and older, and a profile needs Node 18 or newer.',
  'no-unbounded-growth socket':
    'The run that counts what stays gives each request a connection of its own, and closes it: listeners of its socket go with it.',
  'no-unbounded-growth overwritten': 'The timer starts when a connection is made again, and a profile cuts no connections.',
  'no-unbounded-growth reconnect': 'Both listeners run when a connection fails, and a profile cuts no connections.',
  'no-unbounded-growth unread':
    'A profile counts what stays after a request, and this request does not end, or keeps its data only until then.',
  'no-unbounded-growth race':
    'The timer ends by itself, some time after the run. How many run at the same time depends on the rate of the requests, which a profile makes up.',
  'no-whole-read sent': MEMORY,
  'no-whole-read stored': MEMORY,
  'no-whole-read unlimited': MEMORY,
  'no-whole-read split': MEMORY,
  'no-whole-read hashed': MEMORY,
  'no-whole-read rows': MEMORY,
  'prefer-available-parallelism machine': CLUSTER,
  'prefer-available-parallelism fixed': CLUSTER,
  'require-heap-limit above': HEAP,
  'require-heap-limit unseen': HEAP,
  'require-heap-limit small': HEAP,
  'require-node-env missing': ENVIRONMENT,
  'require-node-env host': ENVIRONMENT,
  'require-node-env misspelt': ENVIRONMENT,
  'require-node-env development': ENVIRONMENT,
  'require-node-env tooLate': ENVIRONMENT,
};
