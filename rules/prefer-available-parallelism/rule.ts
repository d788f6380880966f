// How many processes a cluster starts, if that does not follow the processors that the process may use.
import { endOf, startOf } from '../../analysis/module/ast.ts';
import type { Source } from '../../analysis/module/source.ts';
import { defineRule, type Fix } from '../../analysis/rule.ts';
import { RUNNING_NODE } from '../../protocol/project.ts';
import { countOf, findForks, type Count } from './forks.ts';

export const rule = defineRule<'machine' | 'fixed'>({
  meta: {
    id: 'prefer-available-parallelism',
    group: 'config',
    summary: 'Clusters whose number of processes ignores how many processors they may use',
    severity: 'hint',
    proof: 'documented',
    nodeRange: '>=18.14.0',
    fix: 'suggestion',
    messages: {
      machine: {
        what: '`{{written}}` counts the processors of the machine, and one process is started for each.',
        why: 'In a container, or with `taskset`, the processes may use fewer. `os.availableParallelism()` counts only those that they are allowed to use, and follows the CPU limit of a container from Node 22.12 on.',
        remedy: 'Use `os.availableParallelism()` (Node 18.14).',
      },
      fixed: {
        what: 'The cluster always starts {{count}} processes, whatever the machine.',
        why: 'With fewer processes than processors, some processors are idle: on two, a second process gave 1.64 times the throughput. More processes gain nothing.',
        remedy: 'Start `os.availableParallelism()` processes, or read the number from the environment and use that as the default.',
      },
    },
    options: {},
    confirmedBy: [],
  },
  create({ facts, source, report, runsOn }) {
    if (!/['"](?:node:)?cluster['"]/.test(source.text) || facts.role === 'test' || facts.role === 'browser') return {};
    const seen = new Set<Count['node']>();
    return {
      CallExpression(call) {
        const times = findForks(call, facts);
        const count = times && countOf(times, facts);
        if (!count || seen.has(count.node)) return;
        seen.add(count.node);
        if (count.kind === 'fixed') {
          report({ at: count.node, messageId: 'fixed', data: { count: count.number } });
          return;
        }
        report({
          at: count.node,
          messageId: 'machine',
          data: { written: source.slice(count.node) },
          ...(facts.project.nodeRangeSource === RUNNING_NODE
            ? { refused: [{ title: TITLE, reason: NO_VERSION }] }
            : { fixes: replacement(count, source, runsOn('<18.14.0')) }),
        });
      },
    };
  },
});

const TITLE = 'Use os.availableParallelism()';
const NO_VERSION =
  'nothing says which versions of Node.js the program runs on, and before 18.14 it would not start. Set `engines.node` in package.json';

/** For projects that also run on versions without the function, the number of processors stays the alternative. */
function replacement({ node, name, object }: Count & { kind: 'machine' }, source: Source, isOptional: boolean): Fix[] {
  if (!name) return [];
  const end = endOf(node);
  if (!isOptional) return [{ title: TITLE, kind: 'suggestion', edits: [{ start: startOf(name), end, text: 'availableParallelism()' }] }];
  if (object?.type !== 'Identifier') return [];
  const text = `(${object.name}.availableParallelism?.() ?? ${source.slice(node)})`;
  return [{ title: TITLE, kind: 'suggestion', edits: [{ start: startOf(node), end, text }] }];
}
