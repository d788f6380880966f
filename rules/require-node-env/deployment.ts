// The deployment part of the rule: containers first, then process managers, then package.json if nothing else starts the server.
import type { DeploymentContext } from '../../analysis/rule.ts';
import { ImageCheck } from './check-images.ts';
import { checkPm2, checkProcfile, checkSupervisor, checkSystemd } from './check-processes.ts';
import { checkEnvFiles } from './check-env-files.ts';
import { checkScripts, collectStarters } from './check-scripts.ts';
import type { MessageId } from './messages.ts';
import { Scene } from './scene.ts';

export interface Options {
  checkExamples: boolean;
}

export function checkDeployment(context: DeploymentContext<MessageId, Options>): void {
  const scene = new Scene(context);
  if (!context.options.checkExamples && scene.isExample()) return;
  new ImageCheck(scene).run();
  collectStarters(scene);
  checkSystemd(scene);
  checkSupervisor(scene);
  checkPm2(scene);
  checkProcfile(scene);
  checkEnvFiles(scene);
  checkScripts(scene);
}
