// Which functions handle requests, and for which routes: found by registrations, exports and parameters, with the models in
// knowledge/frameworks.
import { Apps } from './apps.ts';
import { findBase, type RouteBase } from './bases.ts';
import { addControllers } from './controllers.ts';
import { addConventions } from './conventions.ts';
import { addFileRouters } from './file-routers.ts';
import { Found } from './found.ts';
import { addExportedResolvers } from './graphql.ts';
import type { HandlerArgument, Handler, HandlerSources, RouteSite } from './handler.ts';
import { ModuleExports } from './module-exports.ts';
import { addMessageHandlers } from './messages.ts';
import { addRegistrations } from './registrations.ts';
import { findBySignature } from './signatures.ts';

export interface HandlerReport {
  /** What this file sets for all routes of controllers. */
  base?: RouteBase;
  handlers: readonly Handler[];
  routeSites: readonly RouteSite[];
  /** Expressions passed as handlers, whether or not this file shows their functions. */
  handlerArguments: readonly HandlerArgument[];
}

export function findHandlers(sources: HandlerSources): HandlerReport {
  const found = new Found();
  addRegistrations(sources, new Apps(sources), found);
  addControllers(sources, found);
  addMessageHandlers(sources, found);
  const exported = new ModuleExports(sources);
  addConventions(sources, exported, found);
  addExportedResolvers(sources, exported, found);
  addFileRouters(sources, exported, found);
  for (const { fn, signature } of findBySignature(
    sources,
    (candidate) => found.has(candidate),
    (candidate) => exported.functions.has(candidate),
  )) {
    found.addHandler(fn, signature.kind ?? 'signature', signature.framework, undefined, fn);
  }
  const base = findBase(sources);
  return { handlers: found.handlers, routeSites: found.routeSites, handlerArguments: found.handlerArguments, ...(base ? { base } : {}) };
}
