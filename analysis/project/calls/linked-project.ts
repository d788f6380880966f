// The solved project with its call edges.
import type { SolvedProject } from '../points-to/solved-project.ts';
import type { EdgeFinder } from './call-edge-finder.ts';

export interface LinkedProject extends SolvedProject {
  readonly edges: EdgeFinder;
}
