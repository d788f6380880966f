// What is fuzzed: sources, whole folders (configurations, manifests, patterns, evidence), deployment files, protocol messages, and what
// runs write. Each case is made from its seed alone, so that a seed is all there is to keep.
import type { OddCase } from '../child.ts';
import { deploymentCase, KINDS, SOUND } from '../lists/deployment.ts';
import type { Random } from '../random.ts';
import { folderCase } from './folder.ts';
import { logCase } from './logs.ts';
import { injured } from './injured.ts';
import { endMessages, messageCase } from './messages.ts';
import { sourceCase } from './source.ts';

export interface FuzzSubject {
  make(name: string, random: Random): OddCase;
  end?(): Promise<void>;
}

export const FUZZ_SUBJECTS: Readonly<Record<string, FuzzSubject>> = {
  source: { make: sourceCase },
  folder: { make: folderCase },
  deployment: {
    make: (name, random) => {
      const kind = random.pick(KINDS);
      return deploymentCase(name, kind, injured(random, random.pick(SOUND[random.chance(0.1) ? random.pick(KINDS) : kind])));
    },
  },
  messages: { make: messageCase, end: endMessages },
  logs: { make: logCase },
};
