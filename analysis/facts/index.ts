// Everything that several rules ask about one module. Each part is worked out when it is first asked for.
import type { ProjectInfo } from '../../protocol/project.ts';
import type { ModuleIndex } from '../module.ts';
import type { Source } from '../source.ts';
import { Bindings } from './bindings.ts';

export class Facts {
  readonly module: ModuleIndex;
  readonly source: Source;
  readonly project: ProjectInfo;
  #bindings: Bindings | undefined;

  constructor(module: ModuleIndex, source: Source, project: ProjectInfo) {
    this.module = module;
    this.source = source;
    this.project = project;
  }

  get bindings(): Bindings {
    return (this.#bindings ??= new Bindings(this.module));
  }
}
