// How many processors `os.cpus()` and `os.availableParallelism()` count in a container with a CPU limit (cgroup v2), and with `taskset`.
// The limit is written into files in a mount namespace of its own, where Node reads it.
// Needs Linux, root, and two processors:  sudo node bench/processors.js /path/to/node …
import { execFileSync } from 'node:child_process';

const nodes = process.argv.length > 2 ? process.argv.slice(2) : [process.execPath];
const COUNT = "const os = require('node:os'); console.log(`${os.cpus().length} and ${os.availableParallelism()}`)";
// `exec` keeps the process whose group is replaced. The mounts end with it.
const CONTAINER = `
  mount -t tmpfs none /sys/fs/cgroup && mkdir /sys/fs/cgroup/job && cd /sys/fs/cgroup || exit 2
  for folder in . job; do echo '100000 100000' > $folder/cpu.max; echo 100 > $folder/cpu.weight; echo cpu > $folder/cgroup.controllers; done
  echo 0::/job > of-this-process
  mount --bind of-this-process "/proc/$$/cgroup" && cd / && exec "$@"
`;
const text = (command, ...words) => execFileSync(command, words, { encoding: 'utf8' }).trim();

for (const node of nodes)
  console.log(
    [
      text(node, '-p', 'process.version'),
      `machine: ${text(node, '-e', COUNT)}`,
      `limit of one processor: ${text('unshare', '--mount', 'sh', '-c', CONTAINER, 'sh', node, '-e', COUNT)}`,
      `taskset with one: ${text('taskset', '-c', '0', node, '-e', COUNT)}`,
    ].join(', '),
  );
