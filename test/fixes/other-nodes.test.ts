// The same as fixes.test.ts on the other versions of Node.
import { describeBehavior } from './behavior.ts';
import { MAJORS, nodesOfMajors, takesCase } from '../profiler/nodes.ts';

const OWN = process.versions.node.split('.')[0];

for (const [index, major] of MAJORS.entries())
  if (String(major) !== OWN)
    describeBehavior(
      `a program answers the same after a fix on Node ${major}`,
      async () => (await nodesOfMajors())[index]?.path ?? '',
      (one) => takesCase(major, one),
    );
