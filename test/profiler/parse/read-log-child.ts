// Reads one log in a process of its own and tells how much came out of it: `read-log-child <file>`.
import { isBenignDeopt } from '../../../knowledge/deopt-reasons.ts';
import { readV8Log } from '../../../profiler/parse/v8-log.ts';

const log = await readV8Log(process.argv[2] ?? '', { isUserFile: (file) => file.startsWith('/fixtures/'), isBenign: isBenignDeopt });
const deoptimizations = log.deopts.reduce((sum, { count }) => sum + count, 0);
console.log(
  JSON.stringify({
    deoptimizations,
    inlineCaches: log.inlineCaches.length,
    lines: log.lines,
    unreadLines: log.unreadLines,
    dropped: log.dropped,
  }),
);
