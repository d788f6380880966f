// Twelve causes made verdicts wrong, when they were held against truths that were established by other means.
// Each has tests that fail if it comes back. This table says which, and is checked: whoever renames a test renames it here, too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../../scripts/generate.ts';

/** The cause, and the tests that hold it: the file, and words of the test's name. */
const CAUSES: readonly [cause: string, tests: readonly [file: string, name: string][]][] = [
  [
    'a block anywhere in the function confirmed every finding in it',
    [
      ['profiler/attribution', 'a read that never ran is not confirmed by other work of its function'],
      ['profiler/judge/verdict-v8', 'come from the place itself, not from elsewhere in its function'],
      ['profiler/judge/verdict', 'on starvation'],
    ],
  ],
  [
    'orders of keys were judged where the objects are made, not where they are read',
    [
      ['profiler/attribution', 'the order of keys is what readers meet, not what the literals store'],
      ['profiler/judge/verdict-v8', 'on key orders are those of the readers'],
    ],
  ],
  [
    'what no hook sees was refuted',
    [
      ['profiler/judge/verdict-v8', 'on calls that no hook sees are never a refutation'],
      ['profiler/attribution', 'calls of node:sqlite are timed in an ES module, too'],
      ['profiler/timed-calls', 'are confirmed by the time of the call, and other calls keep their columns'],
    ],
  ],
  [
    'exceptions of elsewhere confirmed a probe, and were divided by the runs of the throw',
    [
      ['profiler/attribution', 'a probe that never throws is not confirmed by exceptions of elsewhere'],
      ['profiler/judge/verdict', 'on exceptions count those that come through the try, against its runs'],
      ['profiler/judge/verdict', 'on exceptions that another try catches first, not at all'],
    ],
  ],
  ['map events of the whole function counted', [['profiler/attribution', 'a delete that never ran is not confirmed by another one']]],
  [
    'closures were several functions, strings that are built were several types, and other operators refuted a call',
    [
      ['profiler/attribution', 'closures of one literal are one function, and building a string is no mix'],
      ['profiler/judge/verdict-v8', 'on operands and call targets'],
      ['profiler/judge/verdict-v8', 'on a call are about the call, and not about its arguments'],
    ],
  ],
  [
    'findings outside of functions had no verdict',
    [
      ['profiler/attribution', 'a regular expression above its function is confirmed where it is used'],
      ['profiler/judge/evidence-parts', 'is a loop with its body, the block of a try, the uses of an expression'],
    ],
  ],
  [
    'figures that nobody measured: "no end" for what ends, rare exceptions, prototypes',
    [
      ['profiler/judge/unpredicted', 'is blocks of the event loop, by the line that ran'],
      ['profiler/judge/verdict', 'on exceptions by what they take'],
      ['analysis/counterfactual', 'is also what no fix is offered for'],
    ],
  ],
  [
    'a Node compared with itself differed',
    [
      ['analysis/profile-calls', 'makes what is handed over before the clock starts'],
      ['profiler/judge/cost', 'tells at most 3 of 1,000 sets of the same as different'],
      ['cli/compare', 'says of a commit with the same code that no difference is shown'],
    ],
  ],
  [
    'times of a cache, of all calls together, and of waiting for a processor',
    [
      ['profiler/unpredicted-runs', 'is said of a function that keeps its results'],
      ['cli/formats/profile-text', 'tell the time of each call where there are several'],
      ['profiler/harness', 'watch: waiting for a processor is no block'],
    ],
  ],
  [
    'worker threads were left out without a word, and a top-level await was start-up for ever',
    [
      ['cli/program', 'says of worker threads that they are not measured'],
      ['cli/program', 'ends the start-up of a program whose top-level await computes for ever'],
    ],
  ],
  [
    'numbers a million times and then one string showed no deoptimization on Node 20',
    [['profiler/attribution', 'is optimized, and deoptimized where the string comes, on Node']],
  ],
];

describe('the causes of wrong verdicts', () => {
  for (const [cause, tests] of CAUSES)
    it(`have tests: ${cause}`, () => {
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
