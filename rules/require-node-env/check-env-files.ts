// `.env.production` and similar files: a wrong value in a file whose name says production.
import { findMainServer } from './check-scripts.ts';
import { findNodeEnv } from '../../analysis/deployment/env-file.ts';
import type { Scene } from './scene.ts';

export function checkEnvFiles(scene: Scene): void {
  for (const { file, path, purpose } of scene.filesOf('env')) {
    if (purpose !== 'production') continue;
    const found = findNodeEnv(file.text);
    if (!found || found.value === 'production') continue;
    const main = findMainServer(scene);
    const judged =
      main && scene.judge.findServer([main.start], 'production', { kind: 'value', value: found.value, place: { path, span: found.span } });
    if (judged?.verdict.kind === 'misspelt' || judged?.verdict.kind === 'development') {
      scene.reporter.report({ file, at: found.span, subject: 'Whatever loads this file', judged, remedy: '', fixes: [] });
    }
  }
}
