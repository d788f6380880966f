// Whether the user agrees to a run, and what is remembered of the answer. Without VS Code, so that it can be tested.
import type { Translate } from '../translate.ts';
import type { ProfileMemory } from './profile-memory.ts';

export type Answer = 'run' | 'read-only' | 'always';
export type Agreement = 'as-set' | 'read-only';

export interface AgreementRequest {
  /** What is agreed to, once. */
  agreement: string;
  memory: ProfileMemory;
  /** The setting says that nobody is to be asked. */
  isNeverAsked: boolean;
  /** The setting makes all runs read-only. */
  isProtected: boolean;
  /** Whether it can be run so. */
  canBeReadOnly: boolean;
  /** There is a workspace whose settings could be written. */
  hasWorkspace: boolean;
  /** Undefined where the user wants none of it. */
  ask(answers: readonly Answer[]): Promise<Answer | undefined>;
  /** Writes the setting: where the user's answer holds for the workspace, it can be seen and taken back there. */
  neverAskAgain(): PromiseLike<void>;
}

/** What the run may do, below the question; and what a read-only run does not protect from, where there may be one. */
export function detailOf({ isProtected, canBeReadOnly }: Pick<AgreementRequest, 'isProtected' | 'canBeReadOnly'>, t: Translate): string {
  if (isProtected)
    return t(
      "It can read files but cannot write files or start processes. Node's permission model enforces this. It is no sandbox for hostile code.",
    );
  const effects = t('It runs on your machine with all its side effects: it may write files, send requests, and start programs.');
  if (!canBeReadOnly) return effects;
  const limits = t('In a read-only run, it cannot write files or start processes, but this is no sandbox for hostile code.');
  return `${effects} ${limits}`;
}

/** Undefined when the user does not want it. */
export async function agreementOf(request: AgreementRequest): Promise<Agreement | undefined> {
  const { agreement, memory, isNeverAsked, isProtected, canBeReadOnly, hasWorkspace, ask, neverAskAgain } = request;
  if (isNeverAsked || memory.hasAgreed(agreement)) return 'as-set';
  const answer = await ask([
    'run',
    ...(isProtected || !canBeReadOnly ? [] : (['read-only'] as const)),
    ...(hasWorkspace ? (['always'] as const) : []),
  ]);
  if (answer === undefined) return undefined;
  // For this run alone: the setting is there for all of them, and whoever runs it again is asked again.
  if (answer === 'read-only') return 'read-only';
  if (answer === 'always') await neverAskAgain();
  await memory.agree(agreement);
  return 'as-set';
}
