// The requests about runs of the user's code: to the parts that answer them.
import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import {
  CLEAR_EVIDENCE_REQUEST,
  COMPARE_REQUEST,
  FUNCTIONS_REQUEST,
  LAG_REQUEST,
  LOAD_EXAMPLE_REQUEST,
  LOAD_REQUEST,
  MEASURE_CHANGE_REQUEST,
  MEASURE_FIX_REQUEST,
  PROFILE_PROGRAM_REQUEST,
  PROFILE_REQUEST,
  SCRIPTS_REQUEST,
  type ClearEvidenceParams,
  type CompareParams,
  type CompareResult,
  type FunctionsParams,
  type FunctionsResult,
  type LagParams,
  type LagResult,
  type LoadExample,
  type LoadParams,
  type LoadResult,
  type LoadRoute,
  type MeasureChangeParams,
  type MeasureChangeResult,
  type MeasureFixParams,
  type MeasureFixResult,
  type ProfileParams,
  type ProfileResult,
  type ProgramParams,
  type ProgramResult,
  type ScriptsParams,
  type ScriptsResult,
} from '../../protocol/editor.ts';
import type { Profiles } from './profiles.ts';
import type { SlowDocuments } from '../slow-documents.ts';
import type { ProgramRuns } from './program-runs.ts';
import { isGuarded } from './run-gate.ts';

export interface RunParts {
  profiles: Profiles;
  programs: ProgramRuns;
}

/** `answer` tells what went wrong; `parts` throws before the server is initialized. */
export function answerRuns(
  connection: Connection,
  answer: <T>(what: string, token: CancellationToken, work: () => Promise<T>) => Promise<T>,
  parts: () => RunParts,
  { slow, platform }: { slow: SlowDocuments; platform: string },
): void {
  /** A file that takes long is analyzed, and its function run, by the session that has it. */
  const about = <T>(method: string, params: { textDocument: { uri: string } }, token: CancellationToken, work: () => Promise<T>) =>
    isGuarded(platform) ? slow.answer(method, params.textDocument.uri, params, token, work) : work();
  const progressOf = (token: string | number | undefined) =>
    token === undefined ? undefined : connection.window.attachWorkDoneProgress(token);
  connection.onRequest<ProfileResult, void>(PROFILE_REQUEST, (params: ProfileParams, token: CancellationToken) =>
    answer('Profiling', token, () =>
      about(PROFILE_REQUEST, params, token, () => parts().profiles.profile(params, token, progressOf(params.workDoneToken))),
    ),
  );
  connection.onRequest<ProgramResult, void>(PROFILE_PROGRAM_REQUEST, (params: ProgramParams, token: CancellationToken) =>
    answer('Tracing', token, () => parts().programs.profile(params, token, progressOf(params.workDoneToken))),
  );
  connection.onRequest<LagResult, void>(LAG_REQUEST, (params: LagParams, token: CancellationToken) =>
    answer('Watching', token, () => parts().programs.lag(params, token, progressOf(params.workDoneToken))),
  );
  connection.onRequest<LoadResult, void>(LOAD_REQUEST, (params: LoadParams, token: CancellationToken) =>
    answer('Measuring under load', token, () => parts().programs.load(params, token, progressOf(params.workDoneToken))),
  );
  connection.onRequest<LoadExample, void>(LOAD_EXAMPLE_REQUEST, (params: LoadRoute, token: CancellationToken) =>
    answer('Finding a request', token, () => parts().programs.loadExample(params)),
  );
  connection.onRequest<CompareResult, void>(COMPARE_REQUEST, (params: CompareParams, token: CancellationToken) =>
    answer('Comparing', token, () =>
      about(COMPARE_REQUEST, params, token, () => parts().profiles.compare(params, token, progressOf(params.workDoneToken))),
    ),
  );
  connection.onRequest<MeasureFixResult, void>(MEASURE_FIX_REQUEST, (params: MeasureFixParams, token: CancellationToken) =>
    answer('Measuring the fix', token, () =>
      about(MEASURE_FIX_REQUEST, params, token, () => parts().profiles.measureFix(params, token, progressOf(params.workDoneToken))),
    ),
  );
  connection.onRequest<MeasureChangeResult, void>(MEASURE_CHANGE_REQUEST, (params: MeasureChangeParams, token: CancellationToken) =>
    answer('Measuring the change', token, () =>
      about(MEASURE_CHANGE_REQUEST, params, token, () => parts().profiles.measureChange(params, token, progressOf(params.workDoneToken))),
    ),
  );
  connection.onRequest<ScriptsResult, void>(SCRIPTS_REQUEST, (params: ScriptsParams, token: CancellationToken) =>
    answer('Finding scripts', token, async () => parts().programs.scripts(params)),
  );
  connection.onRequest<FunctionsResult, void>(FUNCTIONS_REQUEST, (params: FunctionsParams, token: CancellationToken) =>
    answer('Finding functions', token, () =>
      slow.answer(FUNCTIONS_REQUEST, params.textDocument.uri, params, token, () => parts().profiles.functions(params)),
    ),
  );
  connection.onRequest<boolean | null, void>(CLEAR_EVIDENCE_REQUEST, (params: ClearEvidenceParams, token: CancellationToken) =>
    answer('Clearing the evidence', token, async () => parts().profiles.clear(params)),
  );
}
