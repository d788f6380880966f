// require-heap-limit: the memory limit of a container, held against the limit of V8's heap in it.
import { defineRule } from '../../analysis/rule.ts';
import { HeapCheck } from './check.ts';
import type { MessageId } from './container.ts';

export const rule = defineRule<MessageId>({
  meta: {
    id: 'require-heap-limit',
    group: 'config',
    summary: "A heap limit that does not fit the container's memory, or is missing where Node's default does not fit",
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'documented',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      above: {
        what: '{{flag}} lets the heap grow beyond the {{limit}} of {{subject}}.',
        why: "V8 collects less garbage while its own limit is far away, and the system kills the process at the container's limit, without an error from V8. With a heap limit of 4,096 MB, a program that keeps 150 MB grew to 560 to 709 MB; with 384 MB, to 277 to 291 MB (Node 20 to 26).",
        remedy:
          "Leave room for memory outside the heap: `--max-old-space-size={{fit}}`, or no limit at all with Node 20.3 or later, which uses about half of the container's memory.",
      },
      unseen: {
        what: '{{Subject}} has {{limit}} of memory, which Node {{version}} does not see where the host uses cgroup v2.',
        why: 'Before 20.3, Node reads only cgroup v1 limits. Its heap limit then follows from the memory of the machine: 4,144 MB in a container with 512 MB (Node 18.20, on a machine with 24 GB). Later versions took 259 to 268 MB.',
        remedy:
          'Use a Node that is still supported, or set `NODE_OPTIONS=--max-old-space-size={{fit}}` in the environment of the container.',
      },
      small: {
        what: '{{Subject}} has {{limit}} of memory, and the heap of Node may grow to about 260 MB.',
        why: 'Node adapts its heap only to containers of more than 512 MB: in smaller ones, the heap limit is 259 MB (Node 18 to 24) or 262 MB (Node 26). In 128 MB, a program that keeps 60 MB grew to 143 to 156 MB; with a limit of 80 MB, to 118 to 126 MB (Node 20 to 26).',
        remedy:
          'Set `NODE_OPTIONS=--max-old-space-size={{fit}}` in the environment of the container if that is enough for the program. Otherwise, give it more memory.',
      },
    },
    options: {},
    confirmedBy: [],
  },
  checkDeployment(context) {
    new HeapCheck(context).run();
  },
});
