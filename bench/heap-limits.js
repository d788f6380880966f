// Which heap limit Node takes in a container, and what the limit does to the memory of a program. The limit of the container is written
// into files of cgroup v1 or v2 in a mount namespace of its own, where Node reads it; nothing enforces it, so that the peak can be seen.
// Needs Linux and root:  sudo node bench/heap-limits.js /path/to/node …
import { execFileSync, spawnSync } from 'node:child_process';

const MIB = 2 ** 20;
const SIZES = [128, 256, 512, 1024, 2048, 4096, 8192];
const LIMIT = 'console.log(Math.round(require("v8").getHeapStatistics().heap_size_limit / 2 ** 20))';
// Keeps some MB of objects, which it replaces all the time.
const CHURN = `
  const [live, seconds] = process.argv.slice(1).map(Number);
  const kept = new Map();
  const most = (live * 2 ** 20) / 1100;
  const end = Date.now() + seconds * 1000;
  for (let i = 0; Date.now() < end; )
    for (let j = 0; j < 10000; j++, i++)
      kept.set(Math.floor(i % most), Array.from({ length: 16 }, (_, k) => ({ id: i + k, share: 0.5 + k })));
  console.log(Math.round(process.resourceUsage().maxRSS / 1024));
`;
/** Memory of the container, memory that the program keeps, flags. */
const PROGRAMS = [
  [128, 60, ''],
  [128, 60, '--max-old-space-size=80'],
  [256, 150, ''],
  [256, 150, '--max-old-space-size=192'],
  [512, 150, ''],
  [512, 150, '--max-old-space-size=384'],
  [512, 150, '--max-old-space-size=4096'],
];
const SECONDS = 8;

const nodes = process.argv.length > 2 ? process.argv.slice(2) : [process.execPath];

// `exec` keeps the process whose group is replaced. The mounts end with it.
const CONTAINER = `
  mount -t tmpfs none /sys/fs/cgroup && mkdir -p "/sys/fs/cgroup/$1/job" && cd "/sys/fs/cgroup/$1" || exit 2
  for name in $3; do echo "$2" > "$name"; echo "$2" > "job/$name"; done
  printf "$4" > /sys/fs/cgroup/of-this-process
  mount --bind /sys/fs/cgroup/of-this-process "/proc/$$/cgroup" && cd / && shift 4 && exec "$@"
`;
const FILES = { 1: ['memory', 'memory.limit_in_bytes memory.soft_limit_in_bytes'], 2: ['.', 'memory.max memory.high'] };
const GROUPS = { 1: '9:name=systemd:/\\n4:memory:/job\\n', 2: '0::/job\\n' };

/** Runs Node as in a container with that much memory. */
function run(version, size, node, args) {
  const [folder, names] = FILES[version];
  const words = ['--mount', 'sh', '-c', CONTAINER, 'sh', folder, size * MIB, names, GROUPS[version], node, ...args].map(String);
  const { stdout, status } = spawnSync('unshare', words, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'ended by V8, or no';
}

for (const node of nodes) {
  console.log(`Node ${execFileSync(node, ['-p', 'process.version'], { encoding: 'utf8' }).trim()}`);
  for (const version of [1, 2])
    console.log(
      `  heap limit, cgroup v${version}: ${SIZES.map((size) => `${run(version, size, node, ['-e', LIMIT])} of ${size}`).join(', ')}`,
    );
  for (const [size, live, flag] of PROGRAMS)
    console.log(
      `  keeps ${live} MB in ${size} MB ${flag}: peak ${run(2, size, node, [...(flag ? [flag] : []), '-e', CHURN, live, SECONDS])} MB`,
    );
}
